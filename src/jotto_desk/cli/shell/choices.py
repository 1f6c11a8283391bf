"""Options with a fixed set of values: shown on the help page, completed by Tab, and checked before anything begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from jotto_desk.errors import DeskError, did_you_mean

from ... import words
from . import usage

#: Longer choices stand in the text of an option instead of behind its name.
LONGEST = 30
#: More files are not offered.
MOST_FILES = 200


def chosen(
    *names: str,
    options: Sequence[str],
    what: str,
    help: str,
    panel: str | None = None,
    stands_for: Mapping[str, str] | None = None,
) -> Any:
    """Declare an option that takes one of `options`, or several: then `what` is checked word by word.

    `what` names the thing in the sentence about a value that is none: "There is no role 'king'; ...".
    An option in `stands_for` is another name of a value: the command gets that value, and its own name works, too.
    """
    values = stands_for or {}
    known = (*options, *values.values())
    short = "|".join(options)
    metavar, told = (short, help) if len(short) <= LONGEST else (what.upper(), f"{help} One of: {', '.join(options)}.")

    def check(value: str | list[str] | None) -> str | list[str] | None:
        for one in [value] if isinstance(value, str) else value or ():
            if one and one not in known:
                raise DeskError(unknown(one, known, what))
        return values.get(value, value) if isinstance(value, str) else value

    return typer.Option(
        *names,
        metavar=metavar,
        callback=check,
        autocompletion=completing(lambda: known),
        rich_help_panel=panel,
        help=told,
    )


def unknown(value: str, options: Sequence[str], what: str) -> str:
    """Say that a value is none of the choices.

    >>> unknown("king", ["breaker", "maker", "race"], "role")
    "There is no role 'king'; choose one of: breaker, maker, race."
    """
    known, be = ", ".join(options), "are" if what.partition(" ")[0].endswith("s") else "is"
    return f"There {be} no {what} {usage.quoted(value)}; choose one of: {known}.{did_you_mean(value, options)}"


def completing(known: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return what completes a value to one of some names; the last one where they are given with commas between."""

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in known() if name.startswith(last)]

    return complete


def word_lists(incomplete: str) -> list[str]:
    """Complete the name of a word list: those that come with the game, and text files here."""
    here = [path.name for path in sorted(Path().glob("*.t[xs][tv]"))[:MOST_FILES] if path.is_file()]
    return [name for name in [*words.names(), *here] if name.startswith(incomplete)]


def services(incomplete: str) -> list[str]:
    """Complete the name of a service of the simulated robot."""
    from naosim.services import SERVICES

    return [name for name in sorted(SERVICES) if name.startswith(incomplete)]
