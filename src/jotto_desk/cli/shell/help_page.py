"""The help page of a command: usage, what it does, options in groups, examples; words stay whole at any width."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from . import GROUPS, usage

#: Wider lines are harder to read; narrower terminals have what an option does below its name.
WIDEST, NARROW = 100, 60
#: Room for the names of options; a longer one stands on a line of its own.
NAMES = 24
#: So many options are one group.
FEW = 8
ARGUMENTS, OPTIONS = "Arguments", "Options"
Row = tuple[str, str]


def show(command: Any, context: Any, commands: Sequence[Row] = ()) -> None:
    """Print the page of a command; `commands` are its sub-commands, each with what it does."""
    console = Console(highlight=False, soft_wrap=True)
    for line in page(command, context, commands, min(console.width, WIDEST)):
        console.print(line)


def page(command: Any, context: Any, commands: Sequence[Row], width: int) -> Iterator[Text]:
    """Lay the page out, line by line."""
    yield from _filled(f"Usage: {usage.of(command, context)}", width, later="  ", style="bold")
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


def _groups(command: Any, context: Any, commands: Sequence[Row]) -> Iterator[tuple[str, Sequence[Row]]]:
    """Collect the rows of arguments, commands and options; few options are not parted into groups."""
    groups: dict[str, list[Row]] = {}
    shown = [param for param in command.get_params(context) if not getattr(param, "hidden", False)]
    parted = len(shown) > FEW and 2 * sum(bool(param.rich_help_panel) for param in shown) > len(shown)
    for param in shown:
        kind = ARGUMENTS if param.param_type_name == "argument" else OPTIONS
        groups.setdefault((parted and param.rich_help_panel) or kind, []).append((_names(param), _told(param, context)))
    if ARGUMENTS in groups:
        yield ARGUMENTS, groups[ARGUMENTS]
    if commands:
        yield "Commands", commands
    grouped = [title for title in GROUPS if title in groups]
    yield from ((title, groups[title]) for title in grouped)
    yield "Other" if grouped else OPTIONS, groups[OPTIONS]


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
    span = usage.allowed(param)
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
    inset = " " * (4 if width < NARROW else NAMES)
    lines = textwrap.wrap(told, width - len(inset), break_long_words=False, break_on_hyphens=False)
    if width >= NARROW and len(name) + 4 <= NAMES and lines:
        yield Text(f"  {name}", style="cyan").append(f"{'':{NAMES - len(name) - 2}}{lines.pop(0)}", style="default")
    else:
        # Choices that are too long for a line are parted where they may break.
        yield from _filled(name.replace("|", " | ") if len(name) + 2 > width else name, width, "  ", "    ", "cyan")
    yield from (Text(inset + line) for line in lines)


def _filled(text: str, width: int, first: str = "", later: str = "", style: str = "") -> Iterable[Text]:
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
    )
    return (Text(line, style=style) for line in lines)
