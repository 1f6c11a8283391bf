"""A simulated robot in a child process: asked by many threads at once, while scripts never share an interpreter."""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any

from naosim.remote.values import DoesNotTravel, packed, unpacked
from naosim.world.trace import Event

from ..errors import RobotGone
from .child import DIES_WITHIN, Child

#: Real seconds for a robot to start.
STARTS_WITHIN = 60.0
#: Deliveries that wait for callbacks that do not come back; a robot with more of them is ended.
MOST_DELIVERIES = 100_000
#: What a person does and sees, and what belongs to it.
PERSON: dict[str, tuple[str, ...]] = {
    "hear": ("phrase", "confidence"), "touch": ("sensor",), "press": ("sensor",), "release": ("sensor",),
    "stay_silent": ("seconds",), "ears": (), "state": (),
}

log = logging.getLogger(__name__)


class HostedRobot:
    """A simulated robot in a child process; every method may be called from any thread.

    Answers are futures; they fail with RuntimeError and the robot's own text. Callbacks run one after the other on a
    thread of this object, in the order of the events, and may themselves wait for answers.
    """

    def __init__(
        self,
        python: str = "",
        *,
        speed: float = 1.0,
        seed: int = 0,
        without: Iterable[str] = (),
        faults: dict[str, Any] | None = None,
        languages: Iterable[str] = ("English",),
        home: str | os.PathLike[str] | None = None,
        robot_type: str = "Nao",
        import_paths: Iterable[str | os.PathLike[str]] = (),
    ) -> None:
        """Starts the child with an interpreter ("" for this one); raises RobotGone."""
        self._lock = threading.Lock()
        self._asked: dict[int, Future[Any]] = {}
        self._links: dict[int, Callable[[Any], object]] = {}
        self._modules: dict[str, Callable[[str, list[Any]], object]] = {}
        self._watchers: list[Callable[[Event], object]] = []
        self._last = 0
        self._gone = ""
        self._closing = False
        self._news: queue.SimpleQueue[tuple[Callable[..., object], tuple[Any, ...]] | None] = queue.SimpleQueue()
        self._child = Child(python or sys.executable, import_paths)
        self._threads = [
            threading.Thread(target=self._listen, name="naosim-answers", daemon=True),
            threading.Thread(target=self._deliver, name="naosim-deliveries", daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        options = {
            "speed": speed, "seed": seed, "without": list(without), "faults": faults or {},
            "languages": list(languages), "home": None if home is None else os.fspath(home), "robot_type": robot_type,
        }
        opened = self._opened(options)
        self.python_version: str = opened["python"]
        self.services: tuple[str, ...] = tuple(opened["services"])

    def __enter__(self) -> HostedRobot:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def call(self, service: str, method: str, args: Iterable[Any]) -> Future[Any]:
        """Calls a method of a service."""
        try:
            values = packed(list(args))
        except DoesNotTravel as error:
            return _failed(RuntimeError(str(error)))
        return self._ask("call", service=service, method=method, args=values)

    def link(self, event: str, callback: Callable[[Any], object]) -> Future[int]:
        """Has `callback(value)` called on every event of this name; the number is for `unlink`."""
        return self._ask("link", on_number=lambda number: self._links.__setitem__(number, callback), event=event)

    def unlink(self, number: int) -> Future[bool]:
        """Ends a link."""
        self._links.pop(number, None)
        return self._ask("unlink", link=number)

    def offer(self, module: str, send: Callable[[str, list[Any]], object]) -> Future[None]:
        """Makes a module of somebody outside known to ALMemory: `send(method, args)` is called for every delivery."""
        with self._lock:
            taken = module in self._modules
            if not taken:
                self._modules[module] = send
        if taken:
            return _failed(RuntimeError(f'Service "{module}" is already registered.'))
        offered = self._ask("offer", module=module)
        offered.add_done_callback(lambda done: done.exception() and self._modules.pop(module, None))
        return offered

    def withdraw(self, module: str) -> Future[None]:
        """Takes a module of somebody outside away, and ends its subscriptions."""
        self._modules.pop(module, None)
        return self._ask("withdraw", module=module)

    def person(self, verb: str, *args: Any) -> Future[Any]:
        """What a person does: hear, touch, press, release, stay_silent; or sees: ears, state."""
        names = PERSON.get(verb)
        if names is None:
            return _failed(RuntimeError(f'A person cannot "{verb}": use one of {", ".join(sorted(PERSON))}.'))
        if len(args) > len(names):
            return _failed(RuntimeError(f"{verb} takes {len(names)} arguments at most, {len(args)} were given."))
        return self._ask(verb, **dict(zip(names, args, strict=False)))

    def inject(self, faults: dict[str, Any]) -> Future[None]:
        """Plans mishaps, as `naosim.world.faults` has them; calls are named "ALMemory.subscriber"."""
        return self._ask("inject", faults=faults)

    def watch(self, tell: Callable[[Event], object]) -> None:
        """Has `tell(event)` called for everything the robot does from now on."""
        with self._lock:
            self._watchers.append(tell)
        self._ask("watch")

    def close(self) -> None:
        """Ends the child, whatever it does, within 5 seconds; further requests fail."""
        with self._lock:
            first, self._closing = not self._closing, True
        if first:
            self._child.end()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(DIES_WITHIN / 2)

    def _opened(self, options: dict[str, Any]) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = self._ask("open", **options).result(STARTS_WITHIN)
        except TimeoutError:
            self.close()
            raise RobotGone(f"The simulated robot did not start within {STARTS_WITHIN:g} seconds.") from None
        except RuntimeError as error:
            self.close()
            raise RobotGone(str(error)) from None
        return answer

    def _ask(self, verb: str, on_number: Callable[[int], object] | None = None, **fields: Any) -> Future[Any]:
        """Sends a request; its future is already failed when the request cannot be sent."""
        answer: Future[Any] = Future()
        answer.set_running_or_notify_cancel()
        with self._lock:
            number, self._last = self._last, self._last + 1
            gone = self._gone or ("The simulated robot is closed." if self._closing else "")
            if not gone:
                self._asked[number] = answer
        if gone:
            return _failed(RobotGone(gone))
        if on_number is not None:
            on_number(number)
        try:
            self._child.write({"id": number, "do": verb, **fields})
        except DoesNotTravel as error:
            self._settle(number, RuntimeError(str(error)))
        except (OSError, ValueError):
            self._settle(number, RobotGone(self._epitaph()))
        return answer

    def _settle(self, number: int, error: Exception) -> None:
        """Fails one request, if nobody else has."""
        with self._lock:
            answer = self._asked.pop(number, None)
        self._links.pop(number, None)
        if answer is not None:
            answer.set_exception(error)

    def _listen(self) -> None:
        """Reads what the child says until it ends; then nobody is left waiting."""
        for message in self._child.messages():
            self._hear(message)
        with self._lock:
            self._gone = self._epitaph()
            left = list(self._asked)
        for number in left:
            self._settle(number, RobotGone(self._gone))
        self._news.put(None)

    def _hear(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        if message.get("push"):
            self._pushed(message)
        elif number is None:
            log.warning("the robot refused a line: %s", message.get("error"))
        elif "error" in message:
            self._settle(number, RuntimeError(message["error"]))
        else:
            with self._lock:
                answer = self._asked.pop(number, None)
            if answer is not None:
                answer.set_result(unpacked(message["value"], bytes))

    def _pushed(self, message: dict[str, Any]) -> None:
        """Queues a delivery for the thread that calls back."""
        kind: str = message["push"]
        calls: list[Callable[..., object] | None]
        args: tuple[Any, ...]
        if kind == "event":
            calls = list(self._watchers)
            args = (Event(message["time"], message["kind"], unpacked({"dict": message["fields"]}, bytes)),)
        elif kind == "link":
            calls, args = [self._links.get(message["link"])], (unpacked(message["value"], bytes),)
        else:
            calls = [self._modules.get(message["module"])]
            args = (message["method"], unpacked(message["args"], bytes))
        for call in calls:
            if call is not None:
                self._news.put((call, args))
        if self._news.qsize() > MOST_DELIVERIES:
            log.error("%d deliveries wait for callbacks: the robot is ended", MOST_DELIVERIES)
            self._child.kill()

    def _deliver(self) -> None:
        while (news := self._news.get()) is not None:
            call, args = news
            try:
                call(*args)
            except Exception:
                log.exception("a callback failed")

    def _epitaph(self) -> str:
        if self._closing:
            return "The simulated robot is closed."
        return f"The simulated robot has ended (status {self._child.status()}): start it again."


def _failed(error: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future
