"""What the visitors of a page see: all of them the same, or each its own, which ends when it is away for long."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Generic, Protocol

from naosim.errors import NaosimError

from ..panel import ShownT
from .known_browser import public_name

#: Real seconds for which a visitor may be away, for which it may while all places are taken, and between two looks.
_AWAY, SPARED, _LOOKS_EVERY = 15 * 60.0, 60.0, 1.0
#: As much is made at once as there are processors.
AT_ONCE = max(1, os.cpu_count() or 1)
FULL = "All {most} places are taken. One opens when a visitor has been away for a minute. Then load this page again."

log = logging.getLogger(__name__)


class ClassIsFull(NaosimError):
    """As many visitors are there as the page takes."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(FULL.format(most=most))


class PageEnds(NaosimError):
    """The page's server ends."""


class Visit(Generic[ShownT]):
    """What a visitor sees, once that is made, and how many pages show it."""

    def __init__(self, shown: ShownT | None = None) -> None:
        self.shown = shown
        self.is_greeted = False
        self.making: asyncio.Task[None] | None = None
        self.kept = contextlib.ExitStack()
        self._looking, self._left_at = 0, time.monotonic()

    @property
    def is_over(self) -> bool:
        """Tell whether what was shown has come to an end by itself."""
        return self.shown is not None and bool(self.shown.gone)

    def come(self) -> None:
        """Count one page more that shows it."""
        self._looking += 1

    def leave(self) -> None:
        """Count one page less."""
        self._looking -= 1
        self._left_at = time.monotonic()

    def away(self) -> float:
        """Return for how many seconds no page has shown it."""
        return 0.0 if self._looking else time.monotonic() - self._left_at


class Visits(Protocol[ShownT]):
    """What the visitors of one server see, by the names of their browsers; used on one asyncio loop."""

    most: int

    async def open(self) -> None:
        """Begin to let visitors in."""

    async def close(self) -> None:
        """End what was made for visitors."""

    def of(self, browser: str) -> Visit[ShownT] | None:
        """Return what a browser sees, if it is there."""

    async def admit(self, browser: str) -> None:
        """Have made what a browser is to see, unless it is there; raises NaosimError."""


class OneForAll(Visits[ShownT]):
    """The same for all browsers, which are not told apart."""

    most = 1

    def __init__(self, shown: ShownT) -> None:
        self._shown, self._visit = shown, Visit(shown)

    async def open(self) -> None:
        """Begin to show it."""
        await self._shown.open()

    async def close(self) -> None:
        """Leave it to who has made it."""

    def of(self, browser: str) -> Visit[ShownT]:
        """Return what every browser sees."""
        return self._visit

    async def admit(self, browser: str) -> None:
        """Do nothing: it is there."""


class EachItsOwn(Visits[ShownT]):
    """A visit for each browser, so many at most; where all places are taken, who is away longest makes room.

    `make(name)` opens what a visitor sees, on another thread; the name is the same whenever the visitor comes back,
    and may name a folder.
    """

    def __init__(self, make: Callable[[str], AbstractContextManager[ShownT]], most: int, away: float = _AWAY) -> None:
        self.most = most
        self._make, self._away = make, away
        self._visits: dict[str, Visit[ShownT]] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._sweeping: asyncio.Task[None] | None = None
        self._is_over = False

    async def open(self) -> None:
        """Look from now on for visitors who have left."""
        self._sweeping = asyncio.ensure_future(self._sweep())

    async def close(self) -> None:
        """End all that was made; what waits for its turn is not made any more."""
        self._is_over = True
        if self._sweeping is not None:
            self._sweeping.cancel()
        await asyncio.gather(*(self._end(browser) for browser in list(self._visits)))

    def of(self, browser: str) -> Visit[ShownT] | None:
        """Return the visit of a browser, if what it sees is made and has not come to an end."""
        visit = self._visits.get(browser)
        return visit if visit is not None and visit.shown is not None and not visit.is_over else None

    async def admit(self, browser: str) -> None:
        """Make what a browser is to see, unless it is there; raises ClassIsFull, and NaosimError if it fails."""
        if browser in self._visits and self._visits[browser].is_over:
            await self._end(browser)
        if browser not in self._visits:
            await self._make_room()
        if browser not in self._visits:
            visit = self._visits[browser] = Visit()
            visit.making = asyncio.ensure_future(self._fill(browser, visit))
        making = self._visits[browser].making
        if making is not None:
            await asyncio.shield(making)

    async def _make_room(self) -> None:
        """Have a place free: browsers that keep no cookie would else take one with every page; raises ClassIsFull."""
        if len(self._visits) < self.most:
            return
        left = {browser: visit.away() for browser, visit in self._visits.items() if visit.shown is not None}
        longest = max(left, key=left.__getitem__, default="")
        if not longest or left[longest] <= SPARED:
            raise ClassIsFull(self.most)
        await self._end(longest)

    async def _fill(self, browser: str, visit: Visit[ShownT]) -> None:
        try:
            async with self._turns:
                if self._is_over:
                    raise PageEnds("The page ends.")
                shown = await asyncio.to_thread(visit.kept.enter_context, self._make(public_name(browser)))
            await shown.open()
        except BaseException:
            self._visits.pop(browser, None)
            await asyncio.to_thread(visit.kept.close)
            raise
        visit.shown = shown
        visit.come()
        visit.leave()

    async def _sweep(self) -> None:
        """End what has come to an end itself, and what visitors who have left were seeing, again and again."""
        while True:
            await asyncio.sleep(min(_LOOKS_EVERY, self._away))
            for browser, visit in list(self._visits.items()):
                if visit.shown is not None and (visit.is_over or visit.away() > self._away):
                    await self._end(browser)

    async def _end(self, browser: str) -> None:
        visit = self._visits.pop(browser, None)
        if visit is None:
            return
        if visit.making is not None:
            await asyncio.wait([visit.making])
        try:
            await asyncio.to_thread(visit.kept.close)
        except Exception:
            log.exception("what a visitor saw did not end in an orderly way")
