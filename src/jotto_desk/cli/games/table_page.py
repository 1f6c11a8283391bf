"""`jotto mastermind --page`, `jotto wordle play --page`: a game at the desk on a page in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..page_options import paging

if TYPE_CHECKING:
    from ...page.code_table import CodeTable
    from ...page.wordle_table import WordleTable


def serve_codes(table: CodeTable, port: int) -> None:
    """Serve Mastermind until Ctrl-C; raises `DeskError`."""
    with paging():
        from naosim_live.page.server import serve_page

        from ...page.table_panels import CodePanel, WhysPanel

        serve_page(table, (CodePanel, WhysPanel), port=port, title=table.title, what=table.title)


def serve_wordle(table: WordleTable, port: int) -> None:
    """Serve Wordle until Ctrl-C; raises `DeskError`."""
    with paging():
        from naosim_live.page.server import serve_page

        from ...page.table_panels import WhysPanel, WordlePanel

        serve_page(table, (WordlePanel, WhysPanel), port=port, title=table.title, what=table.title)
