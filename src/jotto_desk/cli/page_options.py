"""The options of a page in the browser, which several commands share, and the pages of Mastermind and Wordle."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk.cli.shell import PAGE, option
from jotto_desk.errors import DeskError, as_desk_errors

if TYPE_CHECKING:
    from naosim_page.access import Access

# Options of a page.

#: The page's default address, as in naosim's own options.
HOST = "127.0.0.1"
PORT = 9580
LAST_PORT = 65535
_MISSING = "The page needs libraries that are not here: pip install 'nao-jotto[page]'."

_option = functools.partial(option, panel=PAGE)
Record = Annotated[Path | None, _option("Record everything that the page shows, for --replay.", metavar="FILE")]


@dataclass(frozen=True)
class PageAddress:
    """The options of a page's address, TLS and token."""

    page: Annotated[bool, _option("Open a page in the browser; by default only for this computer.", "--page")] = False
    port: Annotated[int, _option("The page's port; 0 is any free port.", min=0, max=LAST_PORT, metavar="N")] = PORT
    host: Annotated[
        str,
        _option(
            "Let other computers connect, over TLS: an address of this computer, or 0.0.0.0 for all of them.",
            metavar="ADDRESS",
        ),
    ] = HOST
    certificate: Annotated[Path | None, _option("The certificate of the page (PEM).", "--tls-cert", metavar="FILE")] = (
        None
    )
    key: Annotated[Path | None, _option("The certificate's key (PEM).", "--tls-key", metavar="FILE")] = None
    token: Annotated[
        str, _option("Token in the page's URL; random by default if other computers can connect.", metavar="TEXT")
    ] = ""


@dataclass(frozen=True)
class PageOptions(PageAddress):
    """The options of a page."""

    insecure: Annotated[
        bool,
        _option(
            "Let other computers connect without TLS and token: anyone who can reach the port can use the page.",
            "--insecure",
        ),
    ] = False

    def access(self) -> Access:
        """Return the page's addresses, TLS and token. Raises NaosimError; call it within `page_errors`."""
        from naosim_page.access import check_access

        files = {"certificate": str(self.certificate or ""), "key": str(self.key or "")}
        return check_access(self.host, insecure=self.insecure, token=self.token, **files)

    def check(self) -> None:
        """Raise `DeskError` for options that need a page if there is none."""
        names = {"certificate": "tls-cert", "key": "tls-key"}
        for one in () if self.page else fields(self):
            if one.name != "port" and getattr(self, one.name) != one.default:
                raise DeskError(f"--{names.get(one.name, one.name)} is for a page: give --page, too.")


@dataclass(frozen=True)
class RecordedPageOptions(PageOptions):
    """The options of a page that can be recorded, or show a recording."""

    record: Record = None
    replay: Annotated[Path | None, _option("Show a recording; you can go to any moment of it.", metavar="FILE")] = None


@contextlib.contextmanager
def page_errors() -> Iterator[None]:
    """Turn errors of a page into `DeskError`; also raises it if the page's libraries are missing."""
    # The simulator is imported late, so that the other commands start at once.
    from naosim.errors import NaosimError

    if find_spec("uvicorn") is None or find_spec("websockets") is None:
        raise DeskError(_MISSING)
    with as_desk_errors(NaosimError):
        yield


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
