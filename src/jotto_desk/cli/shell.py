"""The parts that all commands share: help pages, errors of wrong use, choices, Tab completion, progress bars.

`CommandLine` is the class of every command's `app`.
"""

from __future__ import annotations

import inspect
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from jotto_desk import files, words
from jotto_desk.addresses import shown
from jotto_desk.errors import DeskError, did_you_mean, printable
from jotto_desk.words import to_stderr

# --- What all commands share: their help pages, what is said of wrong use, choices, and what Tab completes.

#: The groups of options on a help page, beside those without one.
GAME, PERSON, ROBOT, PAGE, SEARCH, OUTPUT, ADVANCED = (
    "Game",
    "Person",
    "Robot",
    "Page",
    "Search",
    "Output",
    "Advanced",
)
_GROUPS = (GAME, PERSON, ROBOT, PAGE, SEARCH, OUTPUT, ADVANCED)


# --- What is said of a wrong command line: one sentence that quotes what was typed and says what to do.

#: More of what was typed is not repeated.
_MAX_QUOTED_LENGTH = 60
#: Numbers from here on are no limit a person meets.
_ENDLESS = 2**31 - 1


def quoted(typed: object) -> str:
    """Quote what was typed, shortened, on one line, without a login."""
    text = printable(shown(str(typed)))
    return f"'{text[:_MAX_QUOTED_LENGTH]}...'" if len(text) > _MAX_QUOTED_LENGTH else f"'{text}'"


def _describe_usage(command: Any, context: Any) -> str:
    """Write how a command is called: `jotto explain [OPTIONS] WORD`."""
    return re.sub(r"[{}]", "", str(command.get_usage(context)).partition(": ")[2])


def _describe_value(param: Any) -> str:
    """Say what an option or argument takes.

    >>> from types import SimpleNamespace as Fake
    >>> _describe_value(Fake(type_descriptor=Fake(annotation=int), min=0, max=9999))
    'a whole number from 0 to 9,999'
    """
    annotation = str(getattr(getattr(param, "type_descriptor", None), "annotation", str))
    what = "a whole number" if "int" in annotation else "a number" if "float" in annotation else "a value"
    return what + (f" {span}" if (span := _describe_range(param)) else "")


def _describe_range(param: Any) -> str:
    """Say which numbers an option takes; empty where that is not said."""
    least, most = getattr(param, "min", None), getattr(param, "max", None)
    if least is None and most is None:
        return ""
    if most is None or (least is not None and most >= _ENDLESS):
        return f"of at least {least:,}"
    return f"of at most {most:,}" if least is None else f"from {least:,} to {most:,}"


def _describe_unknown_command(typed: str, context: Any, known: Sequence[str]) -> str:
    """Say that there is no such command."""
    return (
        f"There is no command {quoted(typed)}.{did_you_mean(typed, known)} '{context.command_path} --help' lists them."
    )


def _describe_error(error: Exception, command: Any, context: Any, given: Sequence[str]) -> str:
    """Put an error of use into a sentence; empty for what is none, such as the page shown instead of a command."""
    path = context.command_path
    if isinstance(error, typer.BadParameter):
        return _parameter(error, command, context, given)
    typed = getattr(error, "option_name", "")
    if typed and hasattr(error, "possibilities"):
        known = [name for param in command.get_params(context) for name in (*param.opts, *param.secondary_opts)]
        names = [name for name in known if name.startswith("-")]
        return f"There is no option {quoted(typed)} here.{did_you_mean(typed, names, '-')} '{path} --help' lists them."
    if typed:
        param = next((one for one in command.get_params(context) if typed in (*one.opts, *one.secondary_opts)), None)
        if param is None or getattr(param, "is_flag", False):
            return f"{typed} takes no value; write {typed} alone."
        return f"{typed} takes {_describe_value(param)}, and none is given; '{path} --help' tells more."
    rest = _parse_again(command, context, given)[1]
    return f"{quoted(' '.join(rest))} is more than '{path}' takes; '{path} --help' shows how to use it." if rest else ""


def _parameter(error: Any, command: Any, context: Any, given: Sequence[str]) -> str:
    """Say what is wrong with the value of an option or argument, or that there is none."""
    param, path = error.param, context.command_path
    if param is None:
        return f"{error.message} '{path} --help' tells more."
    name = param.opts[0] if param.param_type_name == "option" else param.display_name_raw
    if hasattr(error, "param_type"):
        return f"{name} is missing: {' '.join(_describe_usage(command, context).split())}; '{path} --help' tells more."
    values = _parse_again(command, context, given)[0].get(param.name) or os.environ.get(str(param.envvar), "")
    value = values[-1] if isinstance(values, list | tuple) and values else values
    return f"{name} takes {_describe_value(param)}, not {quoted(value)}."


def _parse_again(command: Any, context: Any, given: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Take a command line apart once more: values by parameter, and what is left over."""
    values, rest, _ = command.make_parser(context).parse_args(args=list(given))
    takers = [param for param in command.get_params(context) if param.param_type_name == "argument"]
    return values, [] if any(param.nargs == -1 for param in takers) else list(rest)


# --- Options with a fixed set of values: shown on the help page, completed by Tab, and checked before anything begins.

#: Longer choices stand in the text of an option instead of behind its name.
_MAX_CHOICE_LENGTH = 30
#: More files are not offered.
_MAX_COMPLETED_FILES = 200


def choice_option(
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
    )


def describe_unknown_choice(value: str, options: Sequence[str], what: str) -> str:
    """Say that a value is none of the choices.

    >>> describe_unknown_choice("king", ["breaker", "maker", "race"], "role")
    "There is no role 'king'; choose one of: breaker, maker, race."
    """
    known, be = ", ".join(options), "are" if what.partition(" ")[0].endswith("s") else "is"
    return f"There {be} no {what} {quoted(value)}; choose one of: {known}.{did_you_mean(value, options)}"


def complete_choices(known: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return what completes a value to one of some names; the last one where they are given with commas between."""

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in known() if name.startswith(last)]

    return complete


def complete_word_lists(incomplete: str) -> list[str]:
    """Complete the name of a word list: those that come with the game, and text files here."""
    here = [path.name for path in sorted(Path().glob("*.t[xs][tv]"))[:_MAX_COMPLETED_FILES] if path.is_file()]
    return [name for name in [*words.names(), *here] if name.startswith(incomplete)]


def complete_services(incomplete: str) -> list[str]:
    """Complete the name of a service of the simulated robot."""
    from naosim.services import SERVICES

    return [name for name in sorted(SERVICES) if name.startswith(incomplete)]


# --- Values of options that need no check by typer: it asks pydantic, whose import takes as long as many a command.

_WHOLE, _DECIMAL = re.compile(r"-?[0-9]{1,9}"), re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")
_MARKS = ("parser", "click_type", "clamp", "path_type", "allow_dash", "resolve_path")


def take_plainly(param: Any) -> None:
    """Let an option or argument take plain texts and numbers as they are; all else, and what is wrong, is typer's."""
    if "process_value" in vars(param):
        return
    judged = param.process_value

    def process(ctx: Any, value: Any) -> Any:
        if value is None and not (param.required or param.multiple or param.nargs != 1):
            plain, found = True, None
        else:
            plain, found = _read(param, value)
        if not plain:
            return judged(ctx, value)
        return param.callback(ctx, param, found) if param.callback else found

    param.process_value = process


def _read(param: Any, value: Any) -> tuple[bool, Any]:
    """Return whether a value is plain, and what it says."""
    kind = getattr(param, "type_descriptor", None)
    if kind is None or param.multiple or param.nargs != 1:
        return False, None
    told = kind.parameter_info
    if any(getattr(told, mark, None) for mark in _MARKS):
        return False, None
    if kind.annotation is str:
        return isinstance(value, str) and _is_text(value), value
    if kind.annotation in (int, float):
        found = _number(kind.annotation, value)
        within = (
            found is not None and (told.min is None or found >= told.min) and (told.max is None or found <= told.max)
        )
        return within, found
    return False, None


def _number(annotation: Any, value: Any) -> Any:
    """Read a number as everybody writes it; None where it is written otherwise."""
    if isinstance(value, str):
        written = _WHOLE if annotation is int else _DECIMAL
        return annotation(value) if written.fullmatch(value) else None
    return value if type(value) is annotation else None


def _is_text(value: str) -> bool:
    """Tell whether a text has no bytes in it that were none of a text."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


# --- The help page of a command: usage, what it does, options in groups, examples; words stay whole at any width.

#: Wider lines are harder to read; narrower terminals have what an option does below its name.
WIDEST, _NARROW = 100, 60
#: Room for the names of options; a longer one stands on a line of its own.
_NAMES_WIDTH = 24
#: So many options are one group.
_MAX_SHOWN_CHOICES = 8
_ARGUMENTS_HEADING, _OPTIONS_HEADING = "Arguments", "Options"
_Row = tuple[str, str]


def _show_help(command: Any, context: Any, commands: Sequence[_Row] = ()) -> None:
    """Print the page of a command; `commands` are its sub-commands, each with what it does."""
    console = Console(highlight=False, soft_wrap=True)
    for line in format_help(command, context, commands, min(console.width, WIDEST)):
        console.print(line)


def format_help(command: Any, context: Any, commands: Sequence[_Row], width: int) -> Iterator[Text]:
    """Lay the page out, line by line."""
    yield from _filled(f"Usage: {_describe_usage(command, context)}", width, later="  ", style="bold")
    first, *more = inspect.cleandoc(command.help or "").split("\n\n")
    for paragraph in filter(None, [first, *more]):
        yield Text()
        yield from _filled(paragraph, width)
    for title, rows in _groups(command, context, commands):
        yield Text()
        yield Text(title, style="bold")
        for row in rows:
            yield from _row(*row, width)
    examples = [line.strip() for line in (command.epilog or "").splitlines() if line.strip()]
    if examples:
        yield Text()
        yield Text(examples[0], style="bold")
        for example in examples[1:]:
            yield from _filled(example, width, "  ", "      ")


def _groups(command: Any, context: Any, commands: Sequence[_Row]) -> Iterator[tuple[str, Sequence[_Row]]]:
    """Collect the rows of arguments, commands and options; few options are not parted into groups."""
    groups: dict[str, list[_Row]] = {}
    shown = [param for param in command.get_params(context) if not getattr(param, "hidden", False)]
    parted = len(shown) > _MAX_SHOWN_CHOICES and 2 * sum(bool(param.rich_help_panel) for param in shown) > len(shown)
    for param in shown:
        kind = _ARGUMENTS_HEADING if param.param_type_name == "argument" else _OPTIONS_HEADING
        groups.setdefault((parted and param.rich_help_panel) or kind, []).append((_names(param), _told(param, context)))
    if _ARGUMENTS_HEADING in groups:
        yield _ARGUMENTS_HEADING, groups[_ARGUMENTS_HEADING]
    if commands:
        yield "Commands", commands
    grouped = [title for title in _GROUPS if title in groups]
    yield from ((title, groups[title]) for title in grouped)
    yield "Other" if grouped else _OPTIONS_HEADING, groups[_OPTIONS_HEADING]


def _names(param: Any) -> str:
    """Write the names of an option as they are typed, with what it takes; a flag takes nothing."""
    if param.param_type_name == "argument":
        return str(param.display_name_raw)
    names = "/".join([*param.opts, *param.secondary_opts])
    return names if param.is_flag else f"{names} {_taken(param)}"


def _taken(param: Any) -> str:
    annotation = str(param.type_descriptor.annotation)
    usual = "N" if "int" in annotation else "X" if "float" in annotation else "FILE" if "Path" in annotation else "TEXT"
    return str(param.metavar or usual)


def _told(param: Any, context: Any) -> str:
    """Say what an option does, which numbers it takes, and what holds without it."""
    said = " ".join((param.help or "").split())
    span = _describe_range(param)
    span = "" if span == "of at least 0" else span
    default = None if param.required else param._extract_default_help_str(ctx=context)
    usual = "" if default in (None, "", False, ()) or not param.show_default else f"default: {default}"
    if default is True and param.secondary_opts:
        usual = f"default: {param.opts[0]}"
    often = "repeatable" if getattr(param, "multiple", False) else ""
    variable = f"or {param.envvar}" if param.envvar else ""
    notes = "; ".join(filter(None, [span, usual, often, variable, "required" if param.required else ""]))
    return f"{said} ({notes})" if notes else said


def _row(name: str, told: str, width: int) -> Iterator[Text]:
    """Lay a name and what it does side by side, or one below the other where there is no room."""
    inset = " " * (4 if width < _NARROW else _NAMES_WIDTH)
    lines = textwrap.wrap(told, width - len(inset), break_long_words=False, break_on_hyphens=False)
    if width >= _NARROW and len(name) + 4 <= _NAMES_WIDTH and lines:
        yield Text(f"  {name}", style="cyan").append(
            f"{'':{_NAMES_WIDTH - len(name) - 2}}{lines.pop(0)}", style="default"
        )
    else:
        # Choices that are too long for a line are parted where they may break.
        yield from _filled(name.replace("|", " | ") if len(name) + 2 > width else name, width, "  ", "    ", "cyan")
    yield from (Text(inset + line) for line in lines)


def _filled(text: str, width: int, first: str = "", later: str = "", style: str = "") -> Iterable[Text]:
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
    )
    return (Text(line, style=style) for line in lines)


# --- Commands and groups of commands: typer's, with our help pages and our sentences about wrong use.

Function = TypeVar("Function", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """Write the examples at the end of a help page."""
    return "\n".join(["Examples:", *lines])


class Command(TyperCommand):
    """A command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take a command line; raises `DeskError` for what is wrong with it."""
        return _parsed(self, super().parse_args, ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help page."""
        _show_help(self, ctx)


class CommandGroup(TyperGroup):
    """A group of commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take a command line; raises `DeskError` for what is wrong with it."""
        return _parsed(self, super().parse_args, ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is called; raises `DeskError` where there is none."""
        if args[0] not in self.list_commands(ctx) and not ctx.resilient_parsing:
            raise DeskError(_describe_unknown_command(args[0], ctx, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help page."""
        _show_help(self, ctx, self.summaries(ctx))

    def summaries(self, ctx: Any) -> list[tuple[str, str]]:
        """List the commands, each with the first sentence of what it does."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        return [(name, " ".join((one.help or "").partition("\n\n")[0].split())) for name, one in found if one]


class CommandLine(typer.Typer):
    """A typer of ours; what completes commands is installed for `jotto` as a whole, so not by each."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"cls": CommandGroup, "add_completion": False, "pretty_exceptions_enable": False, **options})

    def command(self, name: str | None = None, **options: Any) -> Callable[[Function], Function]:
        """Declare a command."""
        return super().command(name, **{"cls": Command, **options})

    def callback(self, **options: Any) -> Callable[[Function], Function]:
        """Declare what a group does by itself."""
        return super().callback(**{"cls": CommandGroup, **options})


def _parsed(command: Any, parse: Callable[[Any, list[str]], list[str]], context: Any, args: list[str]) -> list[str]:
    """Parse a command line; raise what is wrong with it as a sentence of ours, unless it is a help page."""
    given = list(args)
    for param in command.get_params(context):
        take_plainly(param)
    try:
        return parse(context, args)
    except typer.TyperException as error:
        sentence = _describe_error(error, command, context, given)
        if sentence:
            raise DeskError(sentence) from error
        raise


# --- Which shells `jotto --install-completion` knows, asked before typer writes anything.

_COMPLETION_SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
COMPLETION_OPTIONS = ("--install-completion", "--show-completion")


def require_shell() -> None:
    """Raise `DeskError` where the shell cannot be told, or is none that can be completed in."""
    import shellingham

    try:
        name = shellingham.detect_shell()[0]
    except (shellingham.ShellDetectionFailure, OSError, RuntimeError) as error:
        raise DeskError("Your shell cannot be told from here; run this in bash, zsh or fish itself.") from error
    if name not in _COMPLETION_SHELLS:
        raise DeskError(
            f"Your shell '{name}' cannot be completed in; run this in one of: {', '.join(_COMPLETION_SHELLS)}."
        )


# --- Files that a command writes when its work is done: looked at before it begins.


def check_outputs(*places: Path | None) -> None:
    """See that files can be written, before minutes are spent on what goes into them.

    A folder that is not there is told about: it is made with the file, and may be a slip of the keys. Raises
    `DeskError` for what cannot be written.
    """
    for path in places:
        if path is None:
            continue
        files.require_writable(path)
        if not path.parent.exists():
            to_stderr(f"The folder '{path.parent}' is not there; it will be made for '{path.name}'.")


# --- A progress bar on the terminal, for work that takes over a second.

Item = TypeVar("Item")


def show_progress(doing: str, items: Iterable[Item], total: int, least: int) -> Iterator[Item]:
    """Yield items and show a bar while they come, if there are so many: fewer are over at once."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    hidden = total < least or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task(doing, total=total)
        for item in items:
            progress.advance(task)
            yield item


# --- Options that mean the same in every command.

Json = Annotated[bool, typer.Option("--json", rich_help_panel=OUTPUT, help="Print one JSON object, for programs.")]
