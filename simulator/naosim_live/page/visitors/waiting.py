"""Visitors as they come: what they see until their own is made, or why there is none, and that they are there."""

from __future__ import annotations

import logging
from collections.abc import Callable

from nicegui import Client, background_tasks, ui

from naosim.errors import NaosimError

from ..frame import build_frame
from ..panel import ShownT
from ..texts import Texts
from .known_browser import KEPT
from .visits import FULL, ClassIsFull, Visit, Visits

#: Real seconds for a browser to come back with its socket.
CONNECTS_WITHIN = 60.0
WAITS = ("A place is made ready for you. With many visitors at once this takes a while; your browser has to keep a "
         "cookie, by which your place is found again.")

FAILED = "Your place could not be made ready; why is said where this page was started."

log = logging.getLogger(__name__)


def build_waiting(visits: Visits[ShownT], browser: str, title: str, texts: Texts) -> None:
    """Draw the page of a visitor who has just come; it is loaded again when there is more to see."""
    # Nothing is made for a request alone: neither for a robot of a search engine nor for a preview of a link.
    with build_frame(title):
        told = ui.label(texts(WAITS)).classes("waiting").props('role="status"')
    background_tasks.create(_admit(visits, browser, told, texts), name="a visitor waits")


def follow(visit: Visit[ShownT], client: Client, greet: Callable[[ShownT], object] | None) -> None:
    """Count the page of a browser while it is there; the first one that shows a visit greets it."""
    shown = visit.shown

    def greeted() -> object:
        if visit.is_greeted or greet is None or shown is None:
            return None
        visit.is_greeted = True
        return greet(shown)

    visit.come()
    client.on_delete(visit.leave)
    client.on_connect(greeted)


async def _admit(visits: Visits[ShownT], browser: str, told: ui.label, texts: Texts) -> None:
    client = told.client
    try:
        await client.connected(CONNECTS_WITHIN)
    except TimeoutError:
        return
    if _name(client) != browser:
        # A second tab of a browser without a cookie was given another name meanwhile.
        _load_again(client)
        return
    try:
        await visits.admit(browser)
    except ClassIsFull as full:
        told.set_text(texts(FULL, most=full.most, minutes=full.minutes))
    except NaosimError as error:
        told.set_text(str(error))
    except Exception:
        log.exception("what a visitor was to see could not be made")
        told.set_text(texts(FAILED))
    else:
        _load_again(client)


def _name(client: Client) -> str:
    """Return the name that a page's socket has brought."""
    return str((client.environ or {}).get("asgi.scope", {}).get(KEPT, ""))


def _load_again(client: Client) -> None:
    with client:
        ui.navigate.reload()
