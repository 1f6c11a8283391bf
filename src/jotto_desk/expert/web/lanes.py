"""Lanes for requests, so that small work never waits behind large work: each has workers and a queue with bounds."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from .request_limits import Application, Message, Receive, Refused, Scope, Send

_LOG = logging.getLogger(__name__)
#: Seconds a request waits for its turn.
PATIENCE = 20.0


class Lane(NamedTuple):
    """Requests of one kind: so many are worked on at a time, and so many wait."""

    name: str
    workers: int
    most_waiting: int


#: Together at most 40 workers: the web framework has so many threads. What reasons takes turns in one interpreter, so
#: that few of them leave room for light work.
LIGHT = Lane("light", 16, 600)
GAMES = Lane("games", 2, 600)
LARGE_GAMES = Lane("large games", 2, 32)
POSTS = Lane("posts", 16, 64)


class _Queue:
    def __init__(self, lane: Lane) -> None:
        self._lane, self._waiting, self._free = lane, 0, asyncio.Semaphore(lane.workers)

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a worker; raises `Refused` where too many wait, or where it takes too long."""
        if self._waiting >= self._lane.most_waiting:
            raise Refused(503, "Too many requests wait already; try again in a moment.")
        self._waiting += 1
        try:
            await asyncio.wait_for(self._free.acquire(), PATIENCE)
        except asyncio.TimeoutError:
            raise Refused(503, f"Others were served for {PATIENCE:g} seconds; try again in a moment.") from None
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._free.release()


class Lanes:
    """Serves each request in the lane that `lane_of` names; the answer is sent once the worker is free again.

    `at_end` breaks off what is being worked on.
    """

    def __init__(self, app: Application, lane_of: Callable[[Scope], Lane], at_end: Callable[[], None]) -> None:
        self.app, self.lane_of, self.at_end = app, lane_of, at_end
        self._queues: dict[Lane, _Queue] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        lane = self.lane_of(scope)
        if lane not in self._queues:
            self._queues[lane] = _Queue(lane)
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        # A client that reads slowly keeps no worker.
        async with self._queues[lane].turn():
            try:
                await self.app(scope, receive, keep)
            except Exception:
                # It is answered by then.
                if not messages:
                    raise
                _LOG.exception("%s %s was not carried out.", scope["method"], ascii(scope["path"][:200]))
        for message in messages:
            await send(message)
