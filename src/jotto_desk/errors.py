"""`DeskError` and `MissingExtra`, which every command prints as one sentence, and text that is safe to print."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches


class DeskError(Exception):
    """A problem that the user can solve: one sentence that quotes the input and says what to do. Exit code 2."""


class MissingExtra(DeskError):
    """Something needs the libraries of an extra; the command line adds the command that installs it."""

    def __init__(self, sentence: str, extra: str) -> None:
        super().__init__(sentence)
        self.extra = extra


@contextmanager
def as_desk_errors(*kinds: type[Exception]) -> Iterator[None]:
    """Turn errors of these kinds, such as the engine's, into `DeskError` with the same sentence."""
    try:
        yield
    except kinds as error:
        raise DeskError(str(error)) from error


def did_you_mean(typed: str, known: Iterable[str], dashes: str = "") -> str:
    """Return " Did you mean 'x'?" for a misspelled name, to end a sentence; "" if no known name is similar.

    Leading characters of `dashes`, such as "-", are not compared.

    >>> did_you_mean("brekaer", ["breaker", "maker"]), did_you_mean("king", ["breaker", "maker"])
    (" Did you mean 'breaker'?", '')
    """
    names = {name.lower().lstrip(dashes): name for name in known}
    near = [f"'{names[found]}'" for found in get_close_matches(typed.lower().lstrip(dashes)[:60], names, 2)]
    return f" Did you mean {' or '.join(near)}?" if near else ""


def replace_controls(text: str) -> str:
    r"""Return a text with a replacement character instead of control characters, escapes and line breaks.

    >>> replace_controls("ye\x1b[31ms") == "ye\N{REPLACEMENT CHARACTER}[31ms"
    True
    """
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
