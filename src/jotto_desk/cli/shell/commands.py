"""Commands and groups of commands: typer's, with our help pages and our sentences about wrong use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from ...errors import DeskError
from . import help_page, usage
from .plain_values import take_plainly

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
        help_page.show(self, ctx)


class CommandGroup(TyperGroup):
    """A group of commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take a command line; raises `DeskError` for what is wrong with it."""
        return _parsed(self, super().parse_args, ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is called; raises `DeskError` where there is none."""
        if args[0] not in self.list_commands(ctx) and not ctx.resilient_parsing:
            raise DeskError(usage.no_command(args[0], ctx, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help page."""
        help_page.show(self, ctx, self.summaries(ctx))

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
        sentence = usage.sentence(error, command, context, given)
        if sentence:
            raise DeskError(sentence) from error
        raise
