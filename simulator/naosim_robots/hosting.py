"""A simulated robot in a child process, or in the process that started this one: `HostedRobot` and `JoinedRobot`.

`RobotClient` sends requests over pipes, the standard input and output of the child or of this process; many threads can
use it at the same time. `RobotGone` is raised if the robot has ended. `RemoteRobot` is a hosted robot of virtual time
with the methods of a `naosim.Robot`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from functools import partial
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from naosim.errors import NaosimError, WireError
from naosim.remote import (
    MAX_LINE_BYTES,
    MAX_UNREAD_BYTES,
    DoesNotTravel,
    LineWriter,
    decode_line,
    pack_value,
    unpack_value,
)
from naosim.robot import Ears, Pause
from naosim.verbs import DRIVING, VERBS, name_arguments
from naosim.world import Event
from naosim_robots.child import start_child
from naosim_robots.futures import make_failed_future

if TYPE_CHECKING:
    from typing_extensions import Self

# Errors.


class RobotGone(NaosimError, RuntimeError):
    """The simulated robot has ended, or could not be started."""


# The child process.

_WRITE_TIMEOUT_S = 0.5  # real seconds for the child to read earlier requests
_END_TIMEOUT_S = 2.5  # real seconds for the child to end after its input has ended
_KILL_TIMEOUT_S = 1.0  # real seconds for a killed child to end


def _encode_request(request: dict[str, Any]) -> bytes:
    """Return a request as one line; raises DoesNotTravel if it is no JSON or too long."""
    try:
        line = (json.dumps(request) + "\n").encode("ascii")
    except (TypeError, ValueError) as error:
        raise DoesNotTravel(str(error)) from None
    if len(line) > MAX_LINE_BYTES:
        raise DoesNotTravel(f"a request of {len(line)} characters is too long")
    return line


class _Connection:
    """The pipes to and from a robot; any thread may write, one reads.

    `write` raises DoesNotTravel if a request is not JSON or too long or the robot is busy, OSError if it has ended.
    """

    def __init__(self, to_robot: IO[bytes], from_robot: IO[bytes]) -> None:
        self._to_robot, self._from_robot = to_robot, from_robot
        # A robot that is busy does not read.
        self._writer = LineWriter(to_robot.fileno())

    @property
    def unread(self) -> int:
        """Return the bytes that wait for the robot to read them."""
        return self._writer.unread

    def write(self, request: dict[str, Any]) -> None:
        line = _encode_request(request)
        if self.unread > MAX_UNREAD_BYTES:
            raise DoesNotTravel("the robot is busy: it does not read requests")
        if self._writer.is_broken:
            raise BrokenPipeError
        self._writer.write(line)

    def messages(self) -> Iterator[dict[str, Any]]:
        with self._from_robot as lines, contextlib.suppress(OSError, ValueError):
            while line := lines.readline(2 * MAX_LINE_BYTES):
                yield decode_line(line)

    def how_it_ended(self) -> str:
        return "the connection ended"

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self._to_robot.close()

    def end(self) -> None:
        """End the robot's input, after the earlier requests if the robot reads them."""
        if not self._writer.close(_WRITE_TIMEOUT_S):
            self.kill()
            # A thread that still writes would put the rest of its line into the next file with this number.
            self._writer.close(_KILL_TIMEOUT_S)
        with contextlib.suppress(OSError):
            self._to_robot.close()


class _ChildConnection(_Connection):
    """The connection to an interpreter that runs `naosim.json_server` or a module like it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        super().__init__(process.stdin, process.stdout)
        self.process = process

    def how_it_ended(self) -> str:
        """Return the exit status of a child whose output has ended; the process itself may end a little later."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_KILL_TIMEOUT_S)
        return f"status {self.process.poll()}"

    def kill(self) -> None:
        self.process.kill()

    def end(self) -> None:
        """End the child's input, give it a moment to end, and kill it then."""
        super().end()
        for seconds in (_END_TIMEOUT_S, _KILL_TIMEOUT_S):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
            self.process.kill()


# Requests to a robot in another process.

_START_TIMEOUT_S = 60.0  # real seconds for a robot to start
_THREAD_END_TIMEOUT_S = 0.5  # real seconds for the threads of a line that has ended
#: Deliveries that may wait for callbacks that do not return; a robot with more of them is ended.
MAX_DELIVERIES = 100_000
_LOG = logging.getLogger(__name__)


class _EventLink(NamedTuple):
    """The function called on an event, and whether the thread that reads can call it."""

    callback: Callable[[Any], object]
    is_quick: bool


class RobotClient:
    """A simulated robot in another process; every method can be called from any thread.

    Answers are futures; they fail with RuntimeError and the robot's own text. Callbacks run one after the other on a
    thread of this object, in the order of the events, and may wait for answers themselves.
    """

    def __init__(self, line: _Connection, first: str, **options: Any) -> None:
        """Send the first request, whose answer lists the robot's services; raise RobotGone if none exists."""
        self._lock = threading.Lock()
        self._asked: dict[int, Future[Any]] = {}
        self._links: dict[int, _EventLink] = {}
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
        opened = self._open(first, options)
        self.python_version: str = opened["python"]
        self.naoqi: str = opened["naoqi"]
        #: Simulated seconds in a real one, at the start.
        self.speed: float = opened["speed"]
        self.services: tuple[str, ...] = tuple(opened["services"])
        #: The methods, as "service.method", that the robot's version of NAOqi lacks.
        self.lacking_methods = frozenset(opened["lacking_methods"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def unread(self) -> int:
        """Return the bytes of requests that wait for the robot to read them."""
        return self._line.unread

    def call(self, service: str, method: str, args: Iterable[Any]) -> Future[Any]:
        """Call a method of a service."""
        try:
            values = pack_value(list(args))
        except DoesNotTravel as error:
            return make_failed_future(RuntimeError(str(error)))
        return self.ask("call", service=service, method=method, args=values)

    def link(self, event: str, callback: Callable[[Any], object], is_quick: bool = False) -> Future[int]:
        """Have `callback(value)` called on every event of this name; the number is for `unlink`.

        A callback that is quick, and waits for nothing, is called without a change of threads.
        """
        link = _EventLink(callback, is_quick)
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
            return make_failed_future(RuntimeError(f'Service "{module}" is already registered.'))
        offered = self.ask("offer", module=module)
        offered.add_done_callback(lambda done: done.exception() and self._modules.pop(module, None))
        return offered

    def withdraw(self, module: str) -> Future[None]:
        """Take a module of a client away, and end its subscriptions."""
        self._modules.pop(module, None)
        return self.ask("withdraw", module=module)

    def person(self, verb: str, *args: Any) -> Future[Any]:
        """Do an act of a person (hear, touch, press, release, stay_silent), or return an observation of a person."""
        try:
            return self.ask(verb, **name_arguments(VERBS, verb, args))
        except (WireError, DoesNotTravel) as error:
            return make_failed_future(RuntimeError(str(error)))

    def serve_at(self, url: str, machine: str) -> Future[None]:
        """Set the libqi address of the robot, at which the services of its packages reach it.

        `machine` is the number that libqi gave this computer; "" if the robot's home folder has it.
        """
        return self.ask("serve", url=url, machine=machine)

    def inject(self, faults: dict[str, Any]) -> Future[None]:
        """Plan faults, as `naosim.world` has them; calls are named like "ALMemory.subscriber"."""
        return self.ask("inject", faults=faults)

    def watch(self, tell: Callable[[Event], object]) -> None:
        """Call `tell(event)` for each event of the robot from now on."""
        with self._lock:
            self._watchers.append(tell)
        self.ask("watch")

    def wait(self) -> None:
        """Wait until the robot has ended."""
        self._threads[0].join()

    def close(self) -> None:
        """End the connection within 5 seconds, even if the robot hangs; later requests fail."""
        with self._lock:
            first, self._closing = not self._closing, True
        if first:
            self._line.end()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(_THREAD_END_TIMEOUT_S)

    def _open(self, first: str, options: dict[str, Any]) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = self.ask(first, **options).result(_START_TIMEOUT_S)
        except TimeoutError:
            self.close()
            raise RobotGone(f"The simulated robot did not start within {_START_TIMEOUT_S:g} seconds.") from None
        except RuntimeError as error:
            self.close()
            raise RobotGone(str(error)) from None
        return answer

    def ask(self, verb: str, on_number: Callable[[int], object] | None = None, **fields: Any) -> Future[Any]:
        """Send a request; its future has already failed if the request cannot be sent."""
        answer: Future[Any] = Future()
        answer.set_running_or_notify_cancel()
        with self._lock:
            number, self._last = self._last, self._last + 1
            gone = self._gone or ("The simulated robot is closed." if self._closing else "")
            if not gone:
                self._asked[number] = answer
        if gone:
            return make_failed_future(RobotGone(gone))
        if on_number is not None:
            on_number(number)
        try:
            self._line.write({"id": number, "do": verb, **fields})
        except DoesNotTravel as error:
            self._settle(number, RuntimeError(str(error)))
        except (OSError, ValueError):
            self._settle(number, RobotGone(self._describe_end()))
        return answer

    def _settle(self, number: int, error: Exception) -> None:
        """Fail one request, unless it is answered already."""
        with self._lock:
            answer = self._asked.pop(number, None)
        self._links.pop(number, None)
        if answer is not None:
            answer.set_exception(error)

    def _listen(self) -> None:
        """Read the child's messages until it ends; then fail the requests that still wait."""
        for message in self._line.messages():
            self._take_in(message)
        with self._lock:
            self._gone = self._describe_end()
            left = list(self._asked)
        for number in left:
            self._settle(number, RobotGone(self._gone))
        self._deliveries.put(None)

    def _take_in(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        if message.get("push"):
            self._queue_push(message)
        elif number is None:
            _LOG.warning("the robot refused a line: %s", message.get("error"))
        elif "error" in message:
            self._settle(number, RuntimeError(message["error"]))
        else:
            with self._lock:
                answer = self._asked.pop(number, None)
            if answer is not None:
                answer.set_result(unpack_value(message["value"]))

    def _queue_push(self, message: dict[str, Any]) -> None:
        """Queue a delivery for the thread that calls back."""
        kind: str = message["push"]
        calls: list[Callable[..., object] | None]
        args: tuple[Any, ...]
        if kind == "event":
            calls = list(self._watchers)
            args = (_read_event(message),)
        elif kind == "link":
            link, args = self._links.get(message["link"]), (unpack_value(message["value"]),)
            if link is not None and link.is_quick:
                self._call_back(link.callback, args)
                return
            calls = [link and link.callback]
        else:
            calls = [self._modules.get(message["module"])]
            args = (message["method"], unpack_value(message["args"]))
        for call in calls:
            if call is not None:
                self._deliveries.put((call, args))
        if self._deliveries.qsize() > MAX_DELIVERIES:
            _LOG.error("%d deliveries wait for callbacks: the robot is ended", MAX_DELIVERIES)
            self._line.kill()

    def _deliver(self) -> None:
        while (delivery := self._deliveries.get()) is not None:
            self._call_back(*delivery)

    def _call_back(self, call: Callable[..., object], args: tuple[Any, ...]) -> None:
        try:
            call(*args)
        except Exception:
            _LOG.exception("a callback failed")

    def _describe_end(self) -> str:
        if self._closing:
            return "The simulated robot is closed."
        return f"The simulated robot has ended ({self._line.how_it_ended()}): start it again."


def _read_event(told: dict[str, Any]) -> Event:
    return Event(told["time"], told["kind"], unpack_value({"dict": told["fields"]}))


# Hosted robots.


class HostedRobot(RobotClient):
    """A simulated robot in a child process, which ends with this object."""

    def __init__(
        self,
        python: str = "",
        *,
        speed: float = 1.0,
        seed: int = 0,
        without: Iterable[str] = (),
        faults: dict[str, Any] | None = None,
        posture: str = "Stand",
        languages: Iterable[str] = ("English",),
        home: str | os.PathLike[str] | None = None,
        robot_type: str = "Nao",
        naoqi: str = "2.8",
        camera: str | os.PathLike[str] | None = None,
        import_paths: Iterable[str | os.PathLike[str]] = (),
        module: str = "naosim.json_server",
        is_virtual: bool = False,
        strict: bool = False,
        child: subprocess.Popen[bytes] | None = None,
    ) -> None:
        """Start the child on an interpreter ("" for this one); raises RobotGone.

        `module` is the module that the child runs. `child` was started before, by `start_child`. A robot whose time
        `is_virtual` answers the verbs of `RemoteRobot` only.
        """
        try:
            self._child = _ChildConnection(child or start_child(python, import_paths, module))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise RobotGone(f"Cannot start the simulated robot with {python}: {reason}.") from None
        super().__init__(
            self._child,
            "open",
            speed=speed,
            seed=seed,
            without=list(without),
            faults=faults or {},
            posture=posture,
            languages=list(languages),
            home=None if home is None else os.fspath(home),
            robot_type=robot_type,
            naoqi=naoqi,
            camera=None if camera is None else os.path.abspath(camera),
            clock="virtual" if is_virtual else "real",
            strict=strict,
        )


class JoinedRobot(RobotClient):
    """The robot of the process that started this one, reached over standard input and output; raises RobotGone."""

    def __init__(self) -> None:
        super().__init__(_Connection(sys.stdout.buffer, sys.stdin.buffer), "about")


# Robots of virtual time.

_REMOTE_VERBS = {**VERBS, **DRIVING}


class _RemoteBehaviour:
    """The known state of a behaviour in another interpreter."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.failures: list[str] = []
        self.ended = False


class RemoteRobot:
    """A robot of virtual time inside another interpreter, with most methods of a `naosim.Robot`; `close` ends it.

    The methods are `load`, `now`, and the verbs of `naosim.verbs`. They raise WireError with the robot's sentence, also
    if the interpreter has ended or does not answer in time.
    """

    def __init__(self, python: str = "", patience: float = 300.0, **options: Any) -> None:
        """Start the robot; `patience` is in real seconds for an answer, the options are those of `HostedRobot`."""
        self._patience = patience
        self._client = HostedRobot(python, is_virtual=True, **options)
        self._events: list[Event] = []
        self._time = 0.0
        self.behaviour: _RemoteBehaviour | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        """Return the method of a verb."""
        if verb not in _REMOTE_VERBS:
            raise AttributeError(verb)
        return partial(self._do, verb)

    def load(self, path: str, rewrite: bool = False, **options: Any) -> _RemoteBehaviour:
        """Load a behaviour by its path; the options are those of `Robot.load`."""
        self.behaviour = _RemoteBehaviour(path)
        self._ask("load", file=path, rewrite=rewrite, **options)
        return self.behaviour

    def now(self) -> float:
        """Return the time of the robot's clock at its last answer, in seconds."""
        return self._time

    def close(self) -> None:
        """End the other interpreter."""
        self._client.close()

    def _do(self, verb: str, *args: Any, **fields: Any) -> Any:
        # There is one behaviour, so the argument that names it is left out.
        given = [each for each in args if not isinstance(each, _RemoteBehaviour)]
        told = self._ask(verb, **name_arguments(_REMOTE_VERBS, verb, given), **fields)
        ears = Ears(**{name: tuple(each) if isinstance(each, list) else each for name, each in told["ears"].items()})
        if verb in ("advance", "stay_silent"):
            events, self._events = self._events, []
            return Pause(events, ears, told["ended"])
        return ears if verb == "ears" else told["value"]

    def _ask(self, verb: str, **fields: Any) -> dict[str, Any]:
        try:
            told: dict[str, Any] = self._client.ask(verb, **fields).result(self._patience)
        except TimeoutError:
            self.close()
            raise WireError(f'the robot has not answered "{verb}" for {self._patience:g} seconds') from None
        except RuntimeError as error:
            raise WireError(str(error)) from None
        self._events += [_read_event(each) for each in told["events"]]
        self._time = told["now"]
        if self.behaviour is not None:
            self.behaviour.failures, self.behaviour.ended = told["failures"], told["ended"]
        return told
