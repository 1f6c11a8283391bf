"""`RobotServer`: the services of a hosted robot and of the person in front of it, offered by `qiwire`."""

from __future__ import annotations

import contextlib
import logging
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from naosim.errors import NaosimError
from naosim.services.audio import SOUND_METHOD
from naosim.services.base import split_signature
from naosim.verbs import list_signatures
from naosim_robots.addresses import explain_refusal, parse_listen_address
from naosim_robots.hosting import HostedRobot, RobotClient
from qiwire.connection import Connection
from qiwire.futures import Strand, run_on, settle_like
from qiwire.limits import DEFAULT_LIMITS, ServerLimits
from qiwire.messages import LIBQI_2014, LIBQI_2016, LIBQI_2021
from qiwire.metaobject import MetaMethod
from qiwire.objects import HostedMethod, HostedObject, Signal
from qiwire.remote import RemoteObject
from qiwire.server import Server, get_machine_id

from .signatures import ANYTHING, OBJECT, VOID, Method, methods, select_lacking, signals, table

if TYPE_CHECKING:
    from typing_extensions import Self

_LOG = logging.getLogger(__name__)

_MEMORY, _AUDIO, HUMAN = "ALMemory", "ALAudioDevice", "SimulatedHuman"
_SUBSCRIBING = ("subscribeToEvent", "subscribeToMicroEvent")
#: Libqi 3's error when it asks NAOqi 2.5 for a subscriber.
_INVALID_SIGNATURE = "Invalid signature"
_MAX_EVENT_NAME = 1000  # characters
_MAX_EVENTS = 10_000  # events that clients have subscribers of
#: Unfinished calls of clients at the robot. It takes 128 requests; the rest is for the person at the terminal.
_MAX_RUNNING_CALLS = 120
#: Bytes that wait for the robot to read them; with more, calls wait until one of those before them is answered.
_MAX_UNREAD_BYTES = 4_000_000

#: The first services of NAOqi in the order in which they start, and so of their numbers: `qicli info` of a NAO of 2.1.
_FIRST_SERVICES = [
    "LogManager",
    "ALFileManager",
    "ALMemory",
    "ALLogger",
    "ALPreferences",
    "ALPreferenceManager",
    "ALFrameManager",
    "ALServiceManager",
    "ALDebug",
    "ALNotificationManager",
    "DCM",
    "ALResourceManager",
    "ALRobotModel",
    "ALDiagnosis",
    "ALSonar",
    "ALFsr",
    "ALSensors",
    "ALBodyTemperature",
    "ALMotion",
    "ALTouch",
    "ALRobotPosture",
]
#: Robot seconds after which programs find a service of another one on NAOqi 2.8, whose gateway learns of it late: up to
#: 3 (funwithagents/nao-sim, specs/services/audio-device.md). NAOqi 2.1 finds it immediately.
_LATE_S = 3.0
#: The libqi of NAOqi's versions; that of 2.8 is not public.
_DIALECTS = {"2.1": LIBQI_2014, "2.5": LIBQI_2016, "2.8": LIBQI_2021}
_EXIT = Method("exit", (), VOID)

#: A function of the arguments of a method and the client's connection, which returns a value or a future.
_Handler = Callable[[list[Any], Connection], Any]


class RobotServer:
    """The services of a hosted robot for programs that speak libqi; `url` is its address.

    The robot stays open when the server is closed. `invalid_signature` makes `ALMemory.subscriber` fail as NAOqi 2.5
    does for libqi 3, and can be changed at any time. Programs find the services of others after `late_s` seconds.
    Raises NaosimError if the address cannot be listened at, or can be reached from other computers and `insecure` is
    not set.
    """

    def __init__(
        self,
        robot: RobotClient,
        listen: str = "tcp://127.0.0.1:0",
        insecure: bool = False,
        invalid_signature: bool = False,
        limits: ServerLimits = DEFAULT_LIMITS,
        late_s: float = 0.0,
    ) -> None:
        self.robot = robot
        self.invalid_signature = invalid_signature
        address = parse_listen_address(listen, insecure)
        try:
            self._server = Server(address, limits, late_s, _DIALECTS[robot.naoqi])
        except OSError as error:
            raise NaosimError(explain_refusal(address, error.errno)) from None
        self._calls = _Calls(robot)
        self._modules = _ClientModules(self._server, robot)
        self._subscribers: weakref.WeakValueDictionary[str, HostedObject] = weakref.WeakValueDictionary()
        for name in sorted(robot.services, key=_order_service):
            if name in table():
                lacking = select_lacking(name, robot.lacking_methods)
                rows = [self._offer(name, method) for method in methods(name) if method.name not in lacking]
                known = {each: sent for each, sent in signals(name).items() if each not in lacking}
                events = {each: self._event_signal(f"{name}/{each}", sent) for each, sent in known.items()}
                self._register(name, rows, events)
        # SimulatedHuman, through which programs play the person in front of the simulated robot.
        self._register(HUMAN, [(Method(*each), partial(self._act, each[0])) for each in list_signatures()], {})
        self.url = self._server.url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End every connection and everything that clients left on the robot: links, modules, subscriptions."""
        self._server.close()
        self._modules.close()

    def unregister(self, name: str) -> None:
        """Offer a service no more."""
        found = self._server.owner(name)
        if found is not None:
            self._server.unregister(found[0])

    def _register(self, name: str, rows: list[tuple[Method, _Handler]], events: dict[str, Signal]) -> None:
        offered = [
            HostedMethod(MetaMethod(method.name, method.signature, method.returns), handler) for method, handler in rows
        ]
        self._server.register(name, HostedObject.make_numbered([*offered, *events.items()]))

    def _act(self, verb: str, args: list[Any], _client: Connection) -> Future[Any]:
        return self.robot.person(verb, *args)

    def _offer(self, service: str, method: Method) -> tuple[Method, _Handler]:
        ask, ask_after = partial(self._calls.ask, service, method.name), self._modules.ask_after
        if method == _EXIT:
            return method, partial(self._exit, service, ask)
        if method.returns == OBJECT:
            return method, self._subscriber if service == _MEMORY else partial(self._expression, ask)
        if service == _MEMORY and method.name in _SUBSCRIBING:
            return method, lambda args, client: ask_after(
                args[1], args[-1], f"{_MEMORY}::subscribeToEvent", partial(ask, args, client)
            )
        if (service, method.name) == (_AUDIO, "subscribe"):
            return method, lambda args, client: ask_after(
                args[0], SOUND_METHOD, f"{_AUDIO}::subscribe", partial(ask, args, client)
            )
        return method, ask

    def _exit(self, service: str, ask: _Handler, args: list[Any], client: Connection) -> Future[Any]:
        """Remove a module from the robot and then from the directory: a client forgets calls of a removed service."""
        answer: Future[Any] = Future()

        def leave(left: Future[Any]) -> None:
            settle_like(answer, left)
            if not left.cancelled() and left.exception() is None:
                with contextlib.suppress(RuntimeError):  # It has left already.
                    self.unregister(service)

        ask(args, client).add_done_callback(leave)
        return answer

    def _subscriber(self, args: list[Any], client: Connection) -> Any:
        """Return the object with the signal of an event, the same one for all clients as long as one of them has it."""
        (event,) = args
        if self.invalid_signature:
            raise RuntimeError(_INVALID_SIGNATURE)
        if not isinstance(event, str):
            # The robot has its own sentence for that.
            return self._calls.ask(_MEMORY, "subscriber", args, client)
        if len(event) > _MAX_EVENT_NAME:
            raise RuntimeError(f"The name of an event has at most {_MAX_EVENT_NAME} characters.")
        found = self._subscribers.get(event)
        if found is None:
            if len(self._subscribers) >= _MAX_EVENTS:
                raise RuntimeError(f"{_MAX_EVENTS} events are subscribed to already.")
            found = self._subscribers[event] = HostedObject({}, {100: ("signal", self._event_signal(event))})
        return found

    def _expression(self, add: _Handler, args: list[Any], client: Connection) -> Future[Any]:
        """Return the future of an object for a watched condition; its signal and value are a key's of ALMemory."""
        answer: Future[Any] = Future()

        def offer(added: Future[Any]) -> None:
            if added.cancelled() or added.exception() is not None:
                settle_like(answer, added)
                return
            key = added.result()
            value = HostedMethod(
                MetaMethod("value", "()", "b"), lambda _args, client: self._calls.ask(_MEMORY, "getData", [key], client)
            )
            answer.set_result(HostedObject({100: value}, {101: ("signal", self._event_signal(key))}))

        add(args, client).add_done_callback(offer)
        return answer

    def _event_signal(self, event: str, signature: str = ANYTHING) -> Signal:
        """Return the signal of an event, linked to the robot as long as a client is connected."""
        link: Future[int] = Future()
        count = len(split_signature(signature))

        def watch(is_first: bool) -> Future[int] | None:
            nonlocal link
            if is_first:
                link = self.robot.link(event, tell, is_quick=True)
                return link
            link.add_done_callback(lambda done: None if done.exception() else self.robot.unlink(done.result()) and None)
            return None

        def tell(value: Any) -> None:
            signal(*(value if count > 1 and isinstance(value, list) else [value][:count]))

        signal = Signal.make_watched(signature, watch)
        return signal


def _order_service(name: str) -> tuple[int, str]:
    return (_FIRST_SERVICES.index(name) if name in _FIRST_SERVICES else len(_FIRST_SERVICES), name)


def get_lateness(robot: RobotClient) -> float:
    """Return the real seconds after which a program finds the service of another one on a robot that has just begun."""
    return _LATE_S / robot.speed if robot.naoqi == "2.8" and robot.speed > 0 else 0.0


@contextmanager
def serve_robot(
    python: str = "",
    *,
    listen: str = "tcp://127.0.0.1:0",
    insecure: bool = False,
    invalid_signature: bool = False,
    **options: Any,
) -> Iterator[RobotServer]:
    """Start a simulated robot and its server, and close both at the end; `options` are those of HostedRobot."""
    # A bad address is refused before a robot starts.
    parse_listen_address(listen, insecure)
    with (
        HostedRobot(python, **options) as robot,
        RobotServer(robot, listen, insecure, invalid_signature, late_s=get_lateness(robot)) as server,
    ):
        # A service with another number would count as a program on another computer.
        robot.serve_at(server.url, get_machine_id())
        yield server


class _Calls:
    """Passes the calls of clients to the robot; calls beyond its limit wait, and each client has its turn."""

    def __init__(self, robot: RobotClient) -> None:
        self._robot = robot
        self._lock = threading.Lock()
        self._running = 0
        self._is_going_on = False
        self._waiting: dict[Connection, deque[tuple[Future[Any], str, str, list[Any]]]] = {}

    def ask(self, service: str, method: str, args: list[Any], client: Connection) -> Future[Any]:
        """Return the future of a call's answer."""
        with self._lock:
            if self._has_room():
                self._running += 1
            else:
                answer: Future[Any] = Future()
                self._waiting.setdefault(client, deque()).append((answer, service, method, args))
                return answer
        answer = self._robot.call(service, method, args)
        answer.add_done_callback(self._go_on)
        return answer

    def _go_on(self, _done: Future[Any]) -> None:
        with self._lock:
            self._running -= 1
            # A call that fails immediately comes here while the loop below is under way.
            if self._is_going_on:
                return
            self._is_going_on = True
        while True:
            with self._lock:
                found = self._take_next() if self._has_room() else None
                if found is None:
                    self._is_going_on = False
                    return
                self._running += 1
            answer, service, method, args = found
            asked = self._robot.call(service, method, args)
            asked.add_done_callback(partial(settle_like, answer))
            asked.add_done_callback(self._go_on)

    def _has_room(self) -> bool:
        is_unread = self._running > 0 and self._robot.unread > _MAX_UNREAD_BYTES
        return self._running < _MAX_RUNNING_CALLS and not is_unread

    def _take_next(self) -> tuple[Future[Any], str, str, list[Any]] | None:
        """Return the next call of the client whose turn it is, None if no call waits."""
        while self._waiting:
            client = next(iter(self._waiting))
            calls = self._waiting.pop(client)
            if client.ended:
                # Calls of a client that has left are dropped.
                for answer, *_ in calls:
                    answer.cancel()
                continue
            taken = calls.popleft()
            if calls:
                self._waiting[client] = calls
            return taken
        return None


# Services of clients that the robot calls back: offered to it when they subscribe, withdrawn when they go.

#: Events and pieces of sound under way to one module; a client that is slower loses some. A piece has many bytes.
_MAX_DELIVERIES, _MAX_PIECES = 1000, 20
_ANSWER_TIMEOUT_MS = 5000  # milliseconds for a client to list its module's methods
_MAX_ERROR_LENGTH = 2000  # characters
#: Libqi's error for a method with other parameters.
_MISMATCH = "types did not match"


class _ClientModule:
    """One service of a client, called without waiting for it."""

    def __init__(self, name: str, proxy: RemoteObject) -> None:
        self._name, self._proxy = name, proxy
        self._lock = threading.Lock()
        self._under_way = 0
        self._mismatched: set[str] = set()
        self.is_gone = False

    def has(self, method: str) -> bool:
        """Return whether the client offers a method of this name."""
        return method in dir(self._proxy)

    def send(self, method: str, args: list[Any]) -> None:
        """Call a method of the client; one with other parameters is logged, once per method."""
        with self._lock:
            if self.is_gone or self._under_way >= (_MAX_PIECES if method == SOUND_METHOD else _MAX_DELIVERIES):
                return
            self._under_way += 1
        self._proxy.call(method, *args, _async=True).add_done_callback(partial(self._note_answer, method))

    def _note_answer(self, method: str, answer: Future[Any]) -> None:
        error = None if answer.cancelled() else answer.exception()
        with self._lock:
            self._under_way -= 1
            is_first = error is not None and _MISMATCH in str(error) and method not in self._mismatched
            if is_first:
                self._mismatched.add(method)
        if is_first:
            asked = "channels, samples, time, bytes" if method == SOUND_METHOD else "key, value, message"
            said = " ".join(str(error)[:_MAX_ERROR_LENGTH].split())
            _LOG.warning("NAO cannot call %s.%s(%s): %s", self._name, method, asked, said)


class _Offer(NamedTuple):
    number: int
    module: _ClientModule


class _ClientModules:
    """The modules that clients of one server have subscribed."""

    def __init__(self, server: Server, robot: RobotClient) -> None:
        self._server, self._robot = server, robot
        self._lock = threading.Lock()
        self._strands: weakref.WeakKeyDictionary[Connection, Strand] = weakref.WeakKeyDictionary()
        self._offers: dict[str, _Offer] = {}
        server.withdrawn.connect(self._withdraw_gone)

    def ask_after(self, name: Any, method: Any, where: str, ask: Callable[[], Future[Any]]) -> Future[Any]:
        """Ask the robot, after it was made known the module if it is a client's.

        The future fails if the module lacks the method; `where` is the call that the failure names.
        """
        found = self._server.owner(name) if isinstance(name, str) and isinstance(method, str) else None
        if found is None or found[1] is None:
            return ask()
        # A module that does not answer holds up only the calls for this client.
        strand = self._strands.setdefault(found[1], Strand())
        return run_on(strand, self._make_known, name, method, where, *found, ask)

    def close(self) -> None:
        """Withdraw every module."""
        for name in list(self._offers):
            self._drop(name)

    def _make_known(
        self, name: str, method: str, where: str, number: int, owner: Connection, ask: Callable[[], Future[Any]]
    ) -> Future[Any]:
        offer = self._offers.get(name)
        if offer is None or offer.number != number:
            self._drop(name)
            module = _ClientModule(name, owner.fetch_object(number).value(_ANSWER_TIMEOUT_MS))
            self._robot.offer(name, module.send).result()
            offer = self._offers[name] = _Offer(number, module)
        if not offer.module.has(method):
            raise RuntimeError(f"\t{where}\n\tModule {name} has no bound method {method}.")
        return ask()

    def _withdraw_gone(self, number: int, name: str) -> None:
        offer = self._offers.get(name)
        if offer is not None and offer.number == number:
            self._drop(name)

    def _drop(self, name: str) -> None:
        offer = self._offers.pop(name, None)
        if offer is not None:
            offer.module.is_gone = True
            self._robot.withdraw(name)
