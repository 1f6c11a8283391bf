"""The parts that all commands share: help pages, sentences about wrong use, choices, Tab completion, progress bars.

`CommandLine` is the class of every command's `app`.
"""

import contextlib
import functools
import inspect
import json
import math
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from jotto_desk import files
from jotto_desk.addresses import hide_login, hide_logins
from jotto_desk.errors import DeskError, did_you_mean, replace_controls
from jotto_desk.words import lists

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
#: Use the game's own list without the user's words: then figures are the same for everybody.
DEFAULT_LIST = "default"
_MAX_SEED = 2**31 - 1
_LAST_PORT = 65535
#: Longest part of an input that an error message repeats, in characters.
_MAX_QUOTED_LENGTH = 60
#: Typer's message for a value that is not a number.
_NO_NUMBER = re.compile("(?<=: )['\"](.*)['\"] is not a valid (int|float)(?:eger| range)?", re.DOTALL)

Function = TypeVar("Function", bound=Callable[..., Any])
Item = TypeVar("Item")


def option(help: str, *names: str, panel: str | None = None, **more: Any) -> Any:
    """Declare an option in a group of the help page; without `names` it has the name of the parameter."""
    return typer.Option(*names, rich_help_panel=panel, help=help, **more)


Json = Annotated[bool, option("Print one JSON object, for programs.", "--json", panel=OUTPUT)]


# Errors of use.


def quote_input(typed: object) -> str:
    """Return an input in quotes: on one line, shortened to 60 characters, without the login of an address."""
    text = replace_controls(hide_login(str(typed)))
    return f"'{text[:_MAX_QUOTED_LENGTH]}...'" if len(text) > _MAX_QUOTED_LENGTH else f"'{text}'"


def describe_usage_error(error: Any) -> str:
    """Return one sentence about a wrong command line, or the help page if a group was called without a command."""
    said = error.format_message()
    if said.startswith("Usage: "):
        return str(said)
    if hasattr(error, "possibilities"):
        said = f"{error.message}.{did_you_mean(error.option_name, error.possibilities or (), '-')}"
    said = _NO_NUMBER.sub(
        lambda found: f"{quote_input(found[1])} is not a {'whole ' if found[2] == 'int' else ''}number", str(said)
    )
    end = "" if said.endswith((".", "?")) else "."
    return f"{hide_logins(said)}{end} '{error.ctx.command_path if error.ctx else 'jotto'} --help' shows how."


# Options with a fixed set of values.

#: Longest list of choices after an option's name, in characters; a longer one is part of its help text.
_MAX_CHOICE_LENGTH = 30
#: Most files that Tab offers for a word list.
_MAX_COMPLETED_FILES = 200


def choice_option(
    name: str,
    options: Sequence[str],
    help: str,
    *,
    what: str = "",
    panel: str | None = None,
    stands_for: Mapping[str, str] | None = None,
    **more: Any,
) -> Any:
    """Declare an option that takes one of `options`, or a list of them.

    `what` names the value in the error message, "There is no role 'king'; ..."; the default is the option's name. If
    `stands_for` maps an option to another name, the command gets that name, which can also be typed.
    """
    values, what = stands_for or {}, what or name.lstrip("-")
    known, metavar = (*options, *values.values()), "|".join(options)
    if len(metavar) > _MAX_CHOICE_LENGTH:
        metavar, help = what.upper(), f"{help} One of: {', '.join(options)}."

    def check(value: str | list[str] | None) -> str | list[str] | None:
        for one in [value] if isinstance(value, str) else value or ():
            if one and one not in known:
                raise DeskError(describe_unknown_choice(one, known, what))
        return values.get(value, value) if isinstance(value, str) else value

    complete = complete_choices(lambda: known)
    return option(help, name, panel=panel, metavar=metavar, callback=check, autocompletion=complete, **more)


def describe_unknown_choice(value: str, options: Sequence[str], what: str) -> str:
    """Return the error message for a value that is not one of the choices.

    >>> describe_unknown_choice("king", ["breaker", "maker", "race"], "role")
    "There is no role 'king'; choose one of: breaker, maker, race."
    """
    known, be = ", ".join(options), "are" if what.partition(" ")[0].endswith("s") else "is"
    return f"There {be} no {what} {quote_input(value)}; choose one of: {known}.{did_you_mean(value, options)}"


def complete_choices(known: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a completer of names; in a list with commas it completes the last name."""

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in known() if name.startswith(last)]

    return complete


def complete_word_lists(incomplete: str) -> list[str]:
    """Complete the name of a word list: a list that comes with the game, or a text file in the current folder."""
    here = [path.name for path in sorted(Path().glob("*.t[xs][tv]"))[:_MAX_COMPLETED_FILES] if path.is_file()]
    return [name for name in [*lists.list_names(), *here] if name.startswith(incomplete)]


def complete_services(incomplete: str) -> list[str]:
    """Complete the name of a service of the simulated robot."""
    from naosim.services import SERVICES

    return [name for name in sorted(SERVICES) if name.startswith(incomplete)]


words_option = functools.partial(option, metavar="LIST", autocompletion=complete_word_lists)
port_option = functools.partial(option, "The port; 0 is any free port.", min=0, max=_LAST_PORT, metavar="N")


def seed_option(help: str = "The same seed plays the same game; 0 draws one.", **more: Any) -> Any:
    """Declare --seed."""
    return option(help, min=0, max=_MAX_SEED, **more)


def draw_seed(seed: int) -> int:
    """Return the seed of --seed, or another one each time for 0."""
    return seed or secrets.randbelow(_MAX_SEED) + 1


def print_while_read(line: str) -> None:
    """Print a line of a server, which continues if the reader of its output has ended."""
    with contextlib.suppress(OSError, ValueError):
        print(line, flush=True)


# Help pages: typer's plain ones, with groups of options.


def examples(*lines: str) -> str:
    """Return the examples at the end of a help page."""
    return "\n".join(["Examples:", *lines])


class _Page:
    """What differs from typer's: groups of options, examples that are never wrapped, and no option takes `nan`."""

    def parse_args(self: Any, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; raises `typer.BadParameter` for `nan`."""
        rest: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]
        for param in self.params:
            value = ctx.params.get(param.name)
            if isinstance(value, float) and math.isnan(value):
                raise typer.BadParameter(f"'{value}' is not a number.", ctx, param)
        return rest

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


class Command(_Page, TyperCommand):
    """A command."""


class CommandGroup(_Page, TyperGroup):
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

    def declare(self, *lines: str, name: str | None = None) -> Callable[[Function], Function]:
        """Declare a command; `lines` are the examples on its help page."""
        command = self.command(name, cls=Command, epilog=examples(*lines))
        return lambda function: command(_with_fields_as_options(function))

    def callback(self, **options: Any) -> Callable[[Function], Function]:
        """Declare the action of a group without a command."""
        declare = super().callback(**{"cls": CommandGroup, **options})
        return lambda function: declare(_with_fields_as_options(function))


def _with_fields_as_options(function: Function) -> Function:
    """Return a function that takes the fields of its dataclass parameters as separate parameters.

    So several commands can share a group of options, as a dataclass.
    """
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}

    @functools.wraps(function)
    def command(**given: Any) -> Any:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        return function(**given)

    parameters = []
    for parameter in inspect.signature(function).parameters.values():
        group = groups.get(parameter.name)
        if group is None:
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[parameter.name]))
            continue
        hinted = get_type_hints(group, include_extras=True)
        parameters += [
            Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.default, annotation=hinted[one.name])
            for one in fields(group)
        ]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__dict__["__signature__"] = inspect.Signature(parameters)
    return command  # type: ignore[return-value]


# Work that takes long.


def check_outputs(*places: Path | None) -> None:
    """Check that files can be written, before the work whose results they will hold.

    If a folder is missing, print that it will be made: its name might be a typing mistake. Raises `DeskError` if a file
    cannot be written.
    """
    for path in places:
        if path is None:
            continue
        files.require_writable(path)
        if not path.parent.exists():
            lists.print_remark(f"The folder '{path.parent}' is not there; it will be made for '{path.name}'.")


def print_json(value: Any, indent: int | None = None) -> None:
    """Print the one JSON object of --json."""
    typer.echo(json.dumps(value, indent=indent))


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
