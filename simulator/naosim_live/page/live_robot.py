"""A robot in a process of its own, for all browsers that look at it: its events as they come, and requests to it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import anyio

from naosim.world import Event
from naosim_live.hosting import RobotClient, RobotGone

from .latest_events import cut
from .recorded.recorded_robot import RecordedRobot
from .recorded.recorder import Recorder
from .shown_robot import EventModel, ShownRobot

#: Real seconds for an answer of the robot.
_ANSWERS_WITHIN = 20.0
#: Real seconds after which the robot is asked again what it listens to.
_EARS_LAST = 0.5

log = logging.getLogger(__name__)


class LiveRobot(ShownRobot):
    """A robot that lives."""

    def __init__(self, robot: RobotClient) -> None:
        self._recorder = Recorder(self)
        super().__init__(self._recorder.recording)
        self.robot = robot
        self.services = robot.services
        self._at = (0.0, time.monotonic())
        self._arrived: deque[Callable[[], object]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ears: asyncio.Task[dict[str, Any]] | None = None
        self._asked = (-1, 0.0)
        self._linked: set[str] = set()
        self._recording: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Watch the robot from now on; raises RobotGone."""
        self._loop = asyncio.get_running_loop()
        self.robot.watch(lambda event: self._soon(lambda: self._note(event)))
        await self.set_speed()
        self._recording = asyncio.create_task(self._recorder.run(), name="recording")

    def at(self, moment: float | None) -> ShownRobot:
        """Return the robot itself, or a place in its recording for one browser."""
        return self if moment is None else RecordedRobot(self.recording, moment, is_live=True, texts=self.texts)

    async def ask(self, verb: str, **fields: Any) -> Any:
        """Have the robot's process answer a request; raises RuntimeError with the robot's sentence."""
        return await self._answer(self.robot.ask(verb, **fields))

    async def person(self, verb: str, *args: Any) -> Any:
        """Do what a person does (see `RobotClient.person`); raises RuntimeError with the robot's sentence."""
        return await self._answer(self.robot.person(verb, *args))

    async def call(self, service: str, method: str, *args: Any) -> Any:
        """Call a method of a service; raises RuntimeError with the robot's sentence."""
        return await self._answer(self.robot.call(service, method, args))

    async def ears(self) -> dict[str, Any]:
        """Return what the robot listens to: one question to it for all browsers, when something may have changed."""
        changed, at = self._asked
        if self._ears is None or (
            self._ears.done() and (changed != self.changed or time.monotonic() - at > _EARS_LAST)
        ):
            self._asked = self.changed, time.monotonic()
            self._ears = asyncio.ensure_future(self.person("ears"))
        return await asyncio.shield(self._ears)

    def remember(self, event: Event) -> None:
        """Have models note what the robot was asked for, as an event, and record it."""
        self._recorder.note(event)
        for model in self._models.values():
            model.note(event)

    def now(self) -> float:
        """Return the robot's time in seconds, as far as it is known here."""
        seconds, at = self._at
        return seconds + (time.monotonic() - at) * self.speed

    async def set_speed(self, speed: float | None = None) -> None:
        """Let the robot's time pass so many times faster, at 0 not at all; without a speed only look at it."""
        self._paced(await (self.ask("pace") if speed is None else self.ask("pace", speed=speed)))

    async def step(self) -> None:
        """Let the robot's time stand still, but for one step to what is due next."""
        self._paced(await self.ask("step"))

    async def catch_up(self) -> None:
        """Have the recording hold the present moment; raises RuntimeError with the robot's sentence."""
        await self._recorder.look()

    async def _answer(self, answer: Future[Any]) -> Any:
        try:
            # Before Python 3.12 asyncio's `wait_for` loses a cancel that comes together with the answer.
            with anyio.fail_after(_ANSWERS_WITHIN):
                return await _awaitable(answer)
        except TimeoutError:
            raise RuntimeError(f"The robot has not answered for {_ANSWERS_WITHIN:g} seconds.") from None
        except RobotGone as error:
            self.gone = str(error)
            raise

    def _acquaint(self, model: EventModel) -> None:
        super()._acquaint(model)
        for key in set(model.keys) - self._linked:
            self._linked.add(key)
            self._link(key)

    def _paced(self, told: dict[str, Any]) -> None:
        self.speed = float(told["speed"])
        self._at = (float(told["seconds"]), time.monotonic())
        self.tell()

    def _note(self, event: Event) -> None:
        self._at = (event.time, time.monotonic())
        event = cut(event)
        self._events.add(event)
        self.remember(event)

    def _link(self, key: str) -> None:
        """Have models note the events of ALMemory under a key."""

        def tell(value: Any) -> None:
            self._soon(lambda: self.remember(Event(self.now(), "memory", {"key": key, "value": value})))

        self.robot.link(key, tell)

    def _soon(self, call: Callable[[], object]) -> None:
        """Have a call made on the loop; calls that come together wake it once."""
        assert self._loop is not None
        self._arrived.append(call)
        if len(self._arrived) == 1:
            with contextlib.suppress(RuntimeError):  # The loop is closed: nobody looks any more.
                self._loop.call_soon_threadsafe(self._take_in)

    def _take_in(self) -> None:
        while self._arrived:
            call = self._arrived.popleft()
            try:
                call()
            except Exception:
                log.exception("an event of the robot was not taken in")
        self.tell()


def _awaitable(answer: Future[Any]) -> asyncio.Future[Any]:
    """Return what the running loop waits for an answer with.

    asyncio's own `wrap_future` prints a traceback where the loop closes in the moment that the answer comes.
    """
    loop = asyncio.get_running_loop()
    awaited: asyncio.Future[Any] = loop.create_future()

    def settle() -> None:
        if awaited.done():
            return
        error = answer.exception()
        if error is None:
            awaited.set_result(answer.result())
        else:
            awaited.set_exception(error)

    def pass_on(_answer: Future[Any]) -> None:
        with contextlib.suppress(RuntimeError):  # The loop is closed, and with it the page.
            loop.call_soon_threadsafe(settle)

    answer.add_done_callback(pass_on)
    return awaited
