"""NAO in the browser: the options that commands share, and the way to the page's modules."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Annotated

import typer

from ..errors import DeskError
from .shell import OUTPUT

#: Where the page is, as in naosim's own options, and the last port there is.
PORT, LAST_PORT = 9580, 65535
MISSING = "The page needs libraries that are not here: pip install 'nao-jotto[page]'."

Page = Annotated[bool, typer.Option(
    "--page", rich_help_panel=OUTPUT, help="Show it in the browser, on this computer alone.")]
Port = Annotated[int, typer.Option(
    "--port", min=0, max=LAST_PORT, metavar="N", rich_help_panel=OUTPUT,
    help="The page's port; 0 is any free one.")]


@contextlib.contextmanager
def paging() -> Iterator[None]:
    """Check that there are pages at all, and turn what goes wrong with one into a `DeskError`."""
    # The simulator is imported late, so that the other commands start at once.
    from naosim.errors import NaosimError

    if find_spec("nicegui") is None or find_spec("uvicorn") is None:
        raise DeskError(MISSING)
    try:
        yield
    except NaosimError as error:
        raise DeskError(str(error)) from error
