"""The error that every command answers with one sentence, and text that is safe to print in it."""

from collections.abc import Iterable
from difflib import get_close_matches

# --- What can go wrong at the desk; the command line prints the sentence and ends with exit code 2.


class DeskError(Exception):
    """Something the person at the desk can put right: one sentence that quotes the input and says what to do."""


def did_you_mean(typed: str, known: Iterable[str], dashes: str = "") -> str:
    """Ask whether something known was meant, to be put behind a sentence; empty where nothing is near.

    Where all names begin with `dashes`, those make none of them nearer.

    >>> did_you_mean("brekaer", ["breaker", "maker"]), did_you_mean("king", ["breaker", "maker"])
    (" Did you mean 'breaker'?", '')
    """
    names = {name.lower().lstrip(dashes): name for name in known}
    near = [f"'{names[found]}'" for found in get_close_matches(typed.lower().lstrip(dashes)[:60], names, 2)]
    return f" Did you mean {' or '.join(near)}?" if near else ""


# --- Text of somebody else's, such as the name of a folder, without what a terminal would obey.


def printable(text: str) -> str:
    r"""Return a text with a sign in place of everything that cannot be shown, such as escapes; line breaks too.

    >>> printable("ye\x1b[31ms") == "ye\N{REPLACEMENT CHARACTER}[31ms"
    True
    """
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
