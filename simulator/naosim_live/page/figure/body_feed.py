"""The looks at one robot, shared by all browsers: many while it moves, few while it rests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import anyio

from naosim.world import Event

from ..shown_robot import ShownRobot
from .frame import Frame

#: Real seconds between two looks at a robot that moves, and at one that rests and to which nothing happens.
MOVING, RESTING = 0.05, 0.25
#: Real seconds for which a browser is told of frames without asking again, and before a failed look is tried again.
LEASE, _TRIES_AFTER = 2.0, 1.0


class BodyFeed:
    """Looks at a robot for as long as a browser watches; made by `ShownRobot.model`, which notes the events."""

    keys: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.frame: Frame | None = None
        self.looks = 0
        self._watchers: dict[Callable[[Frame], object], float] = {}
        self._happened = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def note(self, _event: Event) -> None:
        """Look soon: something happens."""
        self._happened.set()

    def watch(self, shown: ShownRobot, tell: Callable[[Frame], object]) -> None:
        """Have `tell(frame)` called for every frame that differs from the last, for LEASE seconds from now on."""
        self._watchers[tell] = time.monotonic() + LEASE
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._look_on(shown), name="looks at the robot")

    async def _look_on(self, shown: ShownRobot) -> None:
        while self._watchers:
            began = time.monotonic()
            self._watchers = {tell: until for tell, until in self._watchers.items() if until > began}
            self._happened.clear()
            try:
                has_moved = self._tell(Frame.of(await shown.ask("look")))
            except RuntimeError:
                # The page says that the robot is gone.
                await asyncio.sleep(_TRIES_AFTER)
                continue
            await self._rest(began + (MOVING if has_moved else RESTING) - time.monotonic(), has_moved)

    async def _rest(self, seconds: float, has_moved: bool) -> None:
        """Wait until the next look is due; an event makes that of a robot at rest due at once."""
        if has_moved:
            await asyncio.sleep(max(seconds, 0.0))
            return
        with anyio.move_on_after(max(seconds, 0.0)):
            await self._happened.wait()
            await asyncio.sleep(0)

    def _tell(self, frame: Frame) -> bool:
        self.looks += 1
        if frame == self.frame:
            return False
        self.frame = frame
        for tell in list(self._watchers):
            tell(frame)
        return True
