"""A simulated robot in another process, asked by many threads at once; its scripts share no interpreter with us."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from naosim.remote import DoesNotTravel, pack_value, unpack_value
from naosim.world import Event

from ..errors import RobotGone

if TYPE_CHECKING:
    from typing_extensions import Self

#: Real seconds for a robot to start.
STARTS_WITHIN = 60.0
#: Real seconds for the threads of a line that has ended.
ENDS_WITHIN = 0.5
#: Deliveries that may wait for callbacks that do not return; a robot with more of them is ended.
MOST_DELIVERIES = 100_000
#: What a person does and sees, with the names of the arguments.
PERSON_VERBS: dict[str, tuple[str, ...]] = {
    "hear": ("phrase", "confidence"),
    "touch": ("sensor",),
    "press": ("sensor",),
    "release": ("sensor",),
    "event": ("key", "value"),
    "stay_silent": ("seconds",),
    "ears": (),
    "state": (),
    "said": (),
    "begin_to_speak": (),
    "speak": ("hypotheses",),
}

#: Where libqi keeps the number by which it knows this computer, and the characters of a number.
MACHINE, LONGEST_NUMBER = Path("~/.config/qimessaging/machine_id"), 100

log = logging.getLogger(__name__)


class RobotLine(Protocol):
    """The way to a robot: requests in, messages out."""

    def write(self, request: dict[str, Any]) -> None:
        """Send one request; raises DoesNotTravel for what is no JSON or too long, OSError when the robot is gone."""

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield what the robot says, up to its end."""

    def how_it_ended(self) -> str:
        """Return what there is to say of an end, such as "status 3"."""

    def kill(self) -> None:
        """End the line at once."""

    def end(self) -> None:
        """End the line in an orderly way, within seconds."""


class Link(NamedTuple):
    """What is called on an event, and whether the thread that reads may do that itself."""

    callback: Callable[[Any], object]
    is_quick: bool


class RobotClient:
    """A simulated robot in another process; every method may be called from any thread.

    Answers are futures; they fail with RuntimeError and the robot's own text. Callbacks run one after the other on a
    thread of this object, in the order of the events, and may wait for answers themselves.
    """

    def __init__(self, line: RobotLine, first: str, **options: Any) -> None:
        """Send the first request through the line, which says what the robot has; raises RobotGone."""
        self._lock = threading.Lock()
        self._asked: dict[int, Future[Any]] = {}
        self._links: dict[int, Link] = {}
        self._modules: dict[str, Callable[[str, list[Any]], object]] = {}
        self._watchers: list[Callable[[Event], object]] = []
        self._last = 0
        self._gone = ""
        self._closing = False
        self._deliveries: queue.SimpleQueue[tuple[Callable[..., object], tuple[Any, ...]] | None] = queue.SimpleQueue()
        self._line = line
        self._threads = [
            threading.Thread(target=self._listen, name="naosim-answers", daemon=True),
            threading.Thread(target=self._deliver, name="naosim-deliveries", daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        opened = self._opened(first, options)
        self.python_version: str = opened["python"]
        self.services: tuple[str, ...] = tuple(opened["services"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def call(self, service: str, method: str, args: Iterable[Any]) -> Future[Any]:
        """Call a method of a service."""
        try:
            values = pack_value(list(args))
        except DoesNotTravel as error:
            return _failed(RuntimeError(str(error)))
        return self.ask("call", service=service, method=method, args=values)

    def link(self, event: str, callback: Callable[[Any], object], is_quick: bool = False) -> Future[int]:
        """Have `callback(value)` called on every event of this name; the number is for `unlink`.

        A callback that is quick, and waits for nothing, is called without a change of threads.
        """
        link = Link(callback, is_quick)
        return self.ask("link", on_number=lambda number: self._links.__setitem__(number, link), event=event)

    def unlink(self, number: int) -> Future[bool]:
        """End a link."""
        self._links.pop(number, None)
        return self.ask("unlink", link=number)

    def offer(self, module: str, send: Callable[[str, list[Any]], object]) -> Future[None]:
        """Make a module of a client known to ALMemory: `send(method, args)` is called for every delivery."""
        with self._lock:
            taken = module in self._modules
            if not taken:
                self._modules[module] = send
        if taken:
            return _failed(RuntimeError(f'Service "{module}" is already registered.'))
        offered = self.ask("offer", module=module)
        offered.add_done_callback(lambda done: done.exception() and self._modules.pop(module, None))
        return offered

    def withdraw(self, module: str) -> Future[None]:
        """Take a module of a client away, and end its subscriptions."""
        self._modules.pop(module, None)
        return self.ask("withdraw", module=module)

    def person(self, verb: str, *args: Any) -> Future[Any]:
        """Do what a person does (hear, touch, press, release, stay_silent), or return what one notices."""
        names = PERSON_VERBS.get(verb)
        if names is None:
            return _failed(RuntimeError(f'A person cannot "{verb}": use one of {", ".join(sorted(PERSON_VERBS))}.'))
        if len(args) > len(names):
            return _failed(RuntimeError(f"{verb} takes {len(names)} arguments at most, {len(args)} were given."))
        return self.ask(verb, **dict(zip(names, args, strict=False)))

    def serve_at(self, url: str) -> Future[None]:
        """Tell the robot where programs reach it over libqi, which the services of its packages then do."""
        machine = ""
        # A service that got a number of its own would count as a program on another computer.
        with contextlib.suppress(OSError, ValueError):
            machine = MACHINE.expanduser().read_text("ascii")[:LONGEST_NUMBER]
        return self.ask("serve", url=url, machine=machine)

    def inject(self, faults: dict[str, Any]) -> Future[None]:
        """Plan faults, as `naosim.world` has them; calls are named like "ALMemory.subscriber"."""
        return self.ask("inject", faults=faults)

    def watch(self, tell: Callable[[Event], object]) -> None:
        """Have `tell(event)` called for everything the robot does from now on."""
        with self._lock:
            self._watchers.append(tell)
        self.ask("watch")

    def close(self) -> None:
        """End the line, whatever the robot does, within 5 seconds; further requests fail."""
        with self._lock:
            first, self._closing = not self._closing, True
        if first:
            self._line.end()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(ENDS_WITHIN)

    def _opened(self, first: str, options: dict[str, Any]) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = self.ask(first, **options).result(STARTS_WITHIN)
        except TimeoutError:
            self.close()
            raise RobotGone(f"The simulated robot did not start within {STARTS_WITHIN:g} seconds.") from None
        except RuntimeError as error:
            self.close()
            raise RobotGone(str(error)) from None
        return answer

    def ask(self, verb: str, on_number: Callable[[int], object] | None = None, **fields: Any) -> Future[Any]:
        """Send a request; its future has already failed when the request cannot be sent."""
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
            self._line.write({"id": number, "do": verb, **fields})
        except DoesNotTravel as error:
            self._settle(number, RuntimeError(str(error)))
        except (OSError, ValueError):
            self._settle(number, RobotGone(self._end_sentence()))
        return answer

    def _settle(self, number: int, error: Exception) -> None:
        """Fail one request, unless it is answered already."""
        with self._lock:
            answer = self._asked.pop(number, None)
        self._links.pop(number, None)
        if answer is not None:
            answer.set_exception(error)

    def _listen(self) -> None:
        """Read what the child says until it ends; then fail the requests that still wait."""
        for message in self._line.messages():
            self._take_in(message)
        with self._lock:
            self._gone = self._end_sentence()
            left = list(self._asked)
        for number in left:
            self._settle(number, RobotGone(self._gone))
        self._deliveries.put(None)

    def _take_in(self, message: dict[str, Any]) -> None:
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
                answer.set_result(unpack_value(message["value"], bytes))

    def _pushed(self, message: dict[str, Any]) -> None:
        """Queue a delivery for the thread that calls back."""
        kind: str = message["push"]
        calls: list[Callable[..., object] | None]
        args: tuple[Any, ...]
        if kind == "event":
            calls = list(self._watchers)
            args = (Event(message["time"], message["kind"], unpack_value({"dict": message["fields"]}, bytes)),)
        elif kind == "link":
            link, args = self._links.get(message["link"]), (unpack_value(message["value"], bytes),)
            if link is not None and link.is_quick:
                self._call_back(link.callback, args)
                return
            calls = [link and link.callback]
        else:
            calls = [self._modules.get(message["module"])]
            args = (message["method"], unpack_value(message["args"], bytes))
        for call in calls:
            if call is not None:
                self._deliveries.put((call, args))
        if self._deliveries.qsize() > MOST_DELIVERIES:
            log.error("%d deliveries wait for callbacks: the robot is ended", MOST_DELIVERIES)
            self._line.kill()

    def _deliver(self) -> None:
        while (delivery := self._deliveries.get()) is not None:
            self._call_back(*delivery)

    def _call_back(self, call: Callable[..., object], args: tuple[Any, ...]) -> None:
        try:
            call(*args)
        except Exception:
            log.exception("a callback failed")

    def _end_sentence(self) -> str:
        if self._closing:
            return "The simulated robot is closed."
        return f"The simulated robot has ended ({self._line.how_it_ended()}): start it again."


def _failed(error: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future
