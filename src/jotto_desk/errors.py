"""What can go wrong at the desk; the command line prints the sentence and ends with exit code 2."""

from collections.abc import Iterable
from difflib import get_close_matches


class DeskError(Exception):
    """Something the person at the desk can put right: one sentence that quotes the input and says what to do."""


def meant(typed: str, known: Iterable[str], dashes: str = "") -> str:
    """Ask whether something known was meant, to be put behind a sentence; empty where nothing is near.

    Where all names begin with `dashes`, those make none of them nearer.

    >>> meant("brekaer", ["breaker", "maker"]), meant("king", ["breaker", "maker"])
    (" Did you mean 'breaker'?", '')
    """
    names = {name.lower().lstrip(dashes): name for name in known}
    near = [f"'{names[found]}'" for found in get_close_matches(typed.lower().lstrip(dashes)[:60], names, 2)]
    return f" Did you mean {' or '.join(near)}?" if near else ""
