"""Options that mean the same in every command."""

from typing import Annotated

import typer

from . import OUTPUT

Json = Annotated[bool, typer.Option("--json", rich_help_panel=OUTPUT, help="Print one JSON object, for programs.")]
