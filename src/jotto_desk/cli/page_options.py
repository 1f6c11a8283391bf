"""The options of a page in the browser, which several commands share, and the pages of Mastermind and Wordle."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk.cli.shell import PAGE
from jotto_desk.errors import DeskError

if TYPE_CHECKING:
    from naosim_page.access import Access

# Options of a page.

#: The page's default address, as in naosim's own options.
HOST = "127.0.0.1"
PORT = 9580
LAST_PORT = 65535
_MISSING = "The page needs libraries that are not here: pip install 'nao-jotto[page]'."

Page = Annotated[
    bool,
    typer.Option("--page", rich_help_panel=PAGE, help="Open a page in the browser; by default only for this computer."),
]
Port = Annotated[
    int,
    typer.Option(
        "--port", min=0, max=LAST_PORT, metavar="N", rich_help_panel=PAGE, help="The page's port; 0 is any free port."
    ),
]
Host = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        rich_help_panel=PAGE,
        help="Let other computers connect, over TLS: an address of this computer, or 0.0.0.0 for all of them.",
    ),
]
Certificate = Annotated[
    Path | None,
    typer.Option("--tls-cert", metavar="FILE", rich_help_panel=PAGE, help="The certificate of the page (PEM)."),
]
Key = Annotated[
    Path | None, typer.Option("--tls-key", metavar="FILE", rich_help_panel=PAGE, help="The certificate's key (PEM).")
]
Token = Annotated[
    str,
    typer.Option(
        "--token",
        metavar="TEXT",
        rich_help_panel=PAGE,
        help="Token in the page's URL; random by default if other computers can connect.",
    ),
]
Insecure = Annotated[
    bool,
    typer.Option(
        "--insecure",
        rich_help_panel=PAGE,
        help="Let other computers connect without TLS and token: anyone who can reach the port can use the page.",
    ),
]

Record = Annotated[
    Path | None,
    typer.Option(
        "--record", metavar="FILE", rich_help_panel=PAGE, help="Record everything that the page shows, for --replay."
    ),
]
Replay = Annotated[
    Path | None,
    typer.Option(
        "--replay", metavar="FILE", rich_help_panel=PAGE, help="Show a recording; you can go to any moment of it."
    ),
]


@dataclass(frozen=True)
class PageOptions:
    """The options of a page."""

    port: int = PORT
    host: str = HOST
    certificate: Path | None = None
    key: Path | None = None
    token: str = ""
    insecure: bool = False
    record: Path | None = None
    replay: Path | None = None

    def access(self) -> Access:
        """Return the page's addresses, TLS and token. Raises NaosimError; call it within `page_errors`."""
        from naosim_page.access import check_access

        return check_access(
            self.host,
            insecure=self.insecure,
            token=self.token,
            certificate=str(self.certificate or ""),
            key=str(self.key or ""),
        )

    def check(self, page: bool) -> None:
        """Raise `DeskError` for options that contradict each other, or need a page if there is none."""
        if not page:
            self._check_unused()
        if self.replay is not None and self.record is not None:
            raise DeskError("--replay only shows a recording: leave --record out.")

    def _check_unused(self) -> None:
        names = {"certificate": "tls-cert", "key": "tls-key"}
        stray = [each.name for each in fields(self) if each.name != "port" and getattr(self, each.name) != each.default]
        if stray:
            raise DeskError(f"--{names.get(stray[0], stray[0])} is for a page: give --page, too.")


@contextlib.contextmanager
def page_errors() -> Iterator[None]:
    """Turn errors of a page into `DeskError`; also raises it if the page's libraries are missing."""
    # The simulator is imported late, so that the other commands start at once.
    from naosim.errors import NaosimError

    if find_spec("uvicorn") is None or find_spec("websockets") is None:
        raise DeskError(_MISSING)
    try:
        yield
    except NaosimError as error:
        raise DeskError(str(error)) from error


# The pages of `jotto mastermind --page` and `jotto wordle play --page`.


def serve_table(start: str, title: str, page: PageOptions, **tables: Any) -> None:
    """Serve a game without NAO until Ctrl-C; all browsers see the same. Raises `DeskError`.

    `start` is the page's first view, and `tables` are the games as in `GamePage`.
    """
    with page_errors():
        from naosim_page.server import serve_page
        from naosim_page.site import find_libraries

        from jotto_desk.play.page import GamePage, NoRobot, SharedPage
        from jotto_desk.play.page.site import VIEWS

        serve_page(
            None,
            libraries=find_libraries(),
            game=SharedPage(GamePage(NoRobot(), **tables)),
            views=VIEWS,
            start=start,
            language=DEFAULT_LANGUAGE,
            port=page.port,
            title=title,
            what=title,
            access=page.access(),
        )
