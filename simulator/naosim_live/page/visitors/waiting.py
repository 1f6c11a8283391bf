"""Visitors as they come: a page with nothing on it until its browser connects, then what they see, or why nothing."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

from nicegui import Client, background_tasks, ui

from naosim.errors import NaosimError

from ...unfinished import Unfinished
from ..frame import build_frame
from ..panel import ShownT
from ..texts import Texts
from .known_browser import KEPT
from .visits import FULL, ClassIsFull, Visit, Visits

#: Real seconds for a browser to come back with its socket.
_CONNECTS_WITHIN = 60.0
WAITS = "Getting your robot ready. If many people are here, this takes a while. Allow the cookie: it keeps your place."
FAILED = "Your robot couldn't start. See the terminal that runs this page."

log = logging.getLogger(__name__)


class Arrivals:
    """Pages that were sent and whose browsers have not connected yet; the oldest of too many are given up."""

    def __init__(self) -> None:
        self._sent: Unfinished[Client] = Unfinished()

    async def connected(self, client: Client) -> bool:
        """Wait until the browser of a page has connected; return whether it has."""
        now = time.monotonic()
        self._sent.begin(client, client.request.client.host if client.request.client else "", now)
        for late in self._sent.given_up(now):
            self._sent.end(late)
            late.delete()
        try:
            await client.connected(_CONNECTS_WITHIN)
        except TimeoutError:
            return False
        finally:
            self._sent.end(client)
        return not client.is_deleted


def build_arrival(
    visits: Visits[ShownT],
    arrivals: Arrivals,
    build: Callable[[Visit[ShownT]], object],
    *,
    browser: str,
    title: str,
    texts: Texts,
) -> None:
    """Draw the page of a visitor; what it sees is made, and drawn by `build`, once its browser has connected."""
    # Nothing is made for a request alone: neither for a robot of a search engine nor for a preview of a link.
    with build_frame(title) as main:
        told = ui.label(texts(WAITS) if visits.of(browser) is None else "").classes("waiting").props('role="status"')

    async def arrive() -> None:
        if await arrivals.connected(main.client) and await _admit(visits, browser, told, texts):
            visit = visits.of(browser)
            if visit is not None and not main.client.is_deleted:
                told.delete()
                with main:
                    build(visit)

    background_tasks.create(arrive(), name="a visitor comes")


def follow(visit: Visit[ShownT], client: Client, greet: Callable[[ShownT], Awaitable[object]] | None) -> None:
    """Count the page of a browser while it is there; the first one that shows a visit greets it."""
    visit.come()
    client.on_delete(visit.leave)
    if greet is not None and not visit.is_greeted and visit.shown is not None:
        visit.is_greeted = True
        background_tasks.create(greet(visit.shown), name="greet")


async def _admit(visits: Visits[ShownT], browser: str, told: ui.label, texts: Texts) -> bool:
    """Have made what a browser is to see; return whether it is there, or else say why not."""
    client = told.client
    if _name(client) != browser:
        # A second tab of a browser without a cookie was given another name meanwhile.
        with client:
            ui.navigate.reload()
        return False
    try:
        await visits.admit(browser)
    except ClassIsFull as full:
        told.set_text(texts(FULL, most=full.most))
    except NaosimError as error:
        told.set_text(str(error))
    except Exception:
        log.exception("what a visitor was to see could not be made")
        told.set_text(texts(FAILED))
    else:
        return True
    return False


def _name(client: Client) -> str:
    """Return the name that a page's socket has brought."""
    return str((client.environ or {}).get("asgi.scope", {}).get(KEPT, ""))
