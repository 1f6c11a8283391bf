"""The parts that all commands share: help pages, sentences about wrong use, choices, Tab completion, progress bars.

`CommandLine` is the class of every command's `app`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from jotto_desk import files, words
from jotto_desk.addresses import hide_logins, shown
from jotto_desk.errors import DeskError, did_you_mean, printable
from jotto_desk.words import to_stderr

# The headings of the groups of options on a help page.
GAME = "Game"
PERSON = "Person"
ROBOT = "Robot"
PAGE = "Page"
SEARCH = "Search"
OUTPUT = "Output"
ADVANCED = "Advanced"
#: The order of the groups on a help page; options without a group, such as --help, come last.
_GROUPS = ("Arguments", GAME, PERSON, ROBOT, PAGE, SEARCH, OUTPUT, ADVANCED, "Options")
#: Longest part of an input that an error message repeats, in characters.
_MAX_QUOTED_LENGTH = 60

Function = TypeVar("Function", bound=Callable[..., Any])
Item = TypeVar("Item")

Json = Annotated[bool, typer.Option("--json", rich_help_panel=OUTPUT, help="Print one JSON object, for programs.")]


# Errors of use.


def quoted(typed: object) -> str:
    """Return an input in quotes: on one line, shortened to 60 characters, without the login of an address."""
    text = printable(shown(str(typed)))
    return f"'{text[:_MAX_QUOTED_LENGTH]}...'" if len(text) > _MAX_QUOTED_LENGTH else f"'{text}'"


def describe_usage_error(error: Any) -> str:
    """Return one sentence about a wrong command line, or the help page if a group was called without a command."""
    said = error.format_message()
    if said.startswith("Usage: "):
        return str(said)
    if hasattr(error, "possibilities"):
        said = f"{error.message}.{did_you_mean(error.option_name, error.possibilities or (), '-')}"
    elif hasattr(error.__cause__, "errors"):
        # Pydantic, which checks the values for typer, has the value in its error.
        value = error.__cause__.errors(include_url=False)[0]["input"]
        said = said.replace("Invalid value", f"Invalid value {quoted(value)}", 1)
    end = "" if said.endswith((".", "?")) else "."
    return f"{hide_logins(said)}{end} '{error.ctx.command_path if error.ctx else 'jotto'} --help' tells more."


# Options with a fixed set of values.

#: Longest list of choices after an option's name, in characters; a longer one is part of its help text.
_MAX_CHOICE_LENGTH = 30
#: Most files that Tab offers for a word list.
_MAX_COMPLETED_FILES = 200


def choice_option(
    *names: str,
    options: Sequence[str],
    what: str,
    help: str,
    panel: str | None = None,
    stands_for: Mapping[str, str] | None = None,
    **more: Any,
) -> Any:
    """Declare an option that takes one of `options`, or a list of them.

    `what` names the value in the error message: "There is no role 'king'; ...". If `stands_for` maps an option to
    another name, the command gets that name, which can also be typed.
    """
    values = stands_for or {}
    known = (*options, *values.values())
    short = "|".join(options)
    metavar, told = (
        (short, help) if len(short) <= _MAX_CHOICE_LENGTH else (what.upper(), f"{help} One of: {', '.join(options)}.")
    )

    def check(value: str | list[str] | None) -> str | list[str] | None:
        for one in [value] if isinstance(value, str) else value or ():
            if one and one not in known:
                raise DeskError(describe_unknown_choice(one, known, what))
        return values.get(value, value) if isinstance(value, str) else value

    return typer.Option(
        *names,
        metavar=metavar,
        callback=check,
        autocompletion=complete_choices(lambda: known),
        rich_help_panel=panel,
        help=told,
        **more,
    )


def describe_unknown_choice(value: str, options: Sequence[str], what: str) -> str:
    """Return the error message for a value that is not one of the choices.

    >>> describe_unknown_choice("king", ["breaker", "maker", "race"], "role")
    "There is no role 'king'; choose one of: breaker, maker, race."
    """
    known, be = ", ".join(options), "are" if what.partition(" ")[0].endswith("s") else "is"
    return f"There {be} no {what} {quoted(value)}; choose one of: {known}.{did_you_mean(value, options)}"


def complete_choices(known: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a completer of names; in a list with commas it completes the last name."""

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in known() if name.startswith(last)]

    return complete


def complete_word_lists(incomplete: str) -> list[str]:
    """Complete the name of a word list: a list that comes with the game, or a text file in the current folder."""
    here = [path.name for path in sorted(Path().glob("*.t[xs][tv]"))[:_MAX_COMPLETED_FILES] if path.is_file()]
    return [name for name in [*words.names(), *here] if name.startswith(incomplete)]


def complete_services(incomplete: str) -> list[str]:
    """Complete the name of a service of the simulated robot."""
    from naosim.services import SERVICES

    return [name for name in sorted(SERVICES) if name.startswith(incomplete)]


# Help pages: typer's plain ones, with groups of options.


def examples(*lines: str) -> str:
    """Return the examples at the end of a help page."""
    return "\n".join(["Examples:", *lines])


class _HelpPage:
    """The parts of a help page that differ from typer's: groups of options, and examples that are never wrapped."""

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the options in groups."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                title = "Arguments" if param.param_type_name == "argument" else param.rich_help_panel or "Options"
                names, told = record
                groups.setdefault(title, []).append((re.sub("<(int|float)[^>]*>", "N", names), told))
        for title in sorted(groups, key=_GROUPS.index):
            _write_rows(formatter, title, groups[title])

    def format_epilog(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the examples, each on one line, so that they can be copied."""
        title, *lines = [line.strip() for line in (self.epilog or "").splitlines() if line.strip()] or [""]
        if lines:
            formatter.write("\n".join(["", title, *(f"  {line}" for line in lines), ""]))


def _write_rows(formatter: Any, title: str, rows: Sequence[tuple[str, str]]) -> None:
    with formatter.section(title):
        formatter.write_dl(rows, col_max=min(30, formatter.width // 3))


class Command(_HelpPage, TyperCommand):
    """A command."""


class CommandGroup(_HelpPage, TyperGroup):
    """A group of commands."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, each with the first sentence of its help, and the options."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, " ".join((one.help or "").partition("\n\n")[0].split())) for name, one in found if one]
        _write_rows(formatter, "Commands", rows)
        super().format_options(ctx, formatter)


class CommandLine(typer.Typer):
    """A typer whose commands have our help pages; only `jotto` itself installs completion."""

    def __init__(self, **options: Any) -> None:
        plain = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}
        super().__init__(**{"cls": CommandGroup, **plain, **options})

    def command(self, name: str | None = None, **options: Any) -> Callable[[Function], Function]:
        """Declare a command."""
        return super().command(name, **{"cls": Command, **options})

    def callback(self, **options: Any) -> Callable[[Function], Function]:
        """Declare what a group does without a command."""
        return super().callback(**{"cls": CommandGroup, **options})


# Work that takes long.


def check_outputs(*places: Path | None) -> None:
    """Check that files can be written, before the work whose results they will hold.

    If a folder is missing, print that it will be made: its name may be a typing mistake. Raises `DeskError` if a file
    cannot be written.
    """
    for path in places:
        if path is None:
            continue
        files.require_writable(path)
        if not path.parent.exists():
            to_stderr(f"The folder '{path.parent}' is not there; it will be made for '{path.name}'.")


def show_progress(doing: str, items: Iterable[Item], total: int, least: int) -> Iterator[Item]:
    """Yield items, with a progress bar on a terminal if there are at least `least` items."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    hidden = total < least or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task(doing, total=total)
        for item in items:
            progress.advance(task)
            yield item
