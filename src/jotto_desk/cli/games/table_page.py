"""`jotto mastermind --page`, `jotto wordle play --page`: a game at the desk on a page in the browser."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ..page_options import PageOptions, paging

if TYPE_CHECKING:
    from naosim_live.page.panel import Panel
    from naosim_live.page.visitors.visits import EachItsOwn

    from ...page.code_table import CodeTable
    from ...page.guessing_table import GuessingTable
    from ...page.wordle_table import WordleTable

    TableT = TypeVar("TableT", bound=GuessingTable)


def serve_codes(begin: Callable[[], CodeTable], page: PageOptions) -> None:
    """Serve Mastermind until Ctrl-C, with a game of its own for each of several visitors; raises `DeskError`."""
    with paging():
        from ...page.table_panels import CodePanel, WhysPanel

        _serve(begin, (CodePanel, WhysPanel), page)


def serve_wordle(begin: Callable[[], WordleTable], page: PageOptions) -> None:
    """Serve Wordle until Ctrl-C, with a game of its own for each of several visitors; raises `DeskError`."""
    with paging():
        from ...page.table_panels import WhysPanel, WordlePanel

        _serve(begin, (WordlePanel, WhysPanel), page)


def _serve(begin: Callable[[], TableT], panels: Sequence[Callable[[TableT], Panel]], page: PageOptions) -> None:
    from naosim_live.page.server import serve_page
    from naosim_live.page.visitors.visits import EachItsOwn

    # With visitors the first game shows whether there can be one at all.
    entrance, first = page.entrance(), begin()
    shown: TableT | EachItsOwn[TableT] = first
    if page.visitors > 1:
        shown = EachItsOwn(lambda _name: contextlib.nullcontext(begin()), page.visitors)
    serve_page(shown, panels, port=page.port, title=first.title, what=first.title, entrance=entrance)
