"""Many browsers at one robot in another process: their requests, and the robot's own reports.

The messages are those of `naosim.json_server` with the requests of a page (`PageRequests`), as one text each over a
web socket. Only requests of a page are answered; a browser can load no file and call no other service.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from naosim.errors import NaosimError, WireError
from naosim.remote import error_sentence, pack_value, parse_request, unpack_value
from naosim.services.memory_keys import DEVICE_PREFIX, list_events
from naosim.verbs import list_names
from naosim.world import Event
from naosim_page.access import Receive, Send
from naosim_page.diagram import draw_diagram
from naosim_page.figure import describe_figure, describe_frame, frame_changes
from naosim_robots.futures import wait_for
from naosim_robots.hosting import RobotClient, RobotGone

#: Seconds that the robot has for an answer, and that a browser has to take a message.
_ANSWER_TIMEOUT_S, _SEND_TIMEOUT_S = 20.0, 20.0
#: Requests of one browser that are answered at the same time, and its links to events.
_MAX_RUNNING_REQUESTS, _MAX_LINKS = 32, 20
#: Limits: characters that wait for a slow browser, and characters of an error.
_MAX_WAITING_CHARACTERS, _MAX_ERROR_LENGTH = 8 * 1024 * 1024, 500
#: Limits: reports sent to a new browser, their characters, and characters of one text.
_MAX_KEPT_EVENTS, _MAX_KEPT_CHARACTERS, _MAX_TEXT_LENGTH = 2000, 2 * 1024 * 1024, 16 * 1024
#: Sentences of NAO that browsers can hear later.
_MAX_SAID = 20
#: Seconds for which all browsers get the same answer to a question about the robot's state.
_SHARED_FOR_S = 0.03
#: Characters of a phrase, of a key of ALMemory and of the name of an event; keys of one question.
_MAX_PHRASE_LENGTH, _MAX_KEY_LENGTH, _MAX_ASKED_KEYS = 200, 200, 500
#: Keys of ALMemory that all browsers store, and characters of these keys and their values.
_MAX_STORED_KEYS, _MAX_STORED_CHARACTERS = 1000, 1024 * 1024
#: Bytes of the reason with which a web socket is closed.
_MAX_REASON_BYTES = 120
#: WebSocket's codes: a server error; a browser that is too slow.
_ROBOT_GONE, _TOO_SLOW = 1011, 1013
#: Requests that the robot itself answers, with their fields.
_VERBS: dict[str, tuple[str, ...]] = {
    "behaviour": (),
    "box": ("behaviour", "box"),
    "signals": ("behaviour", "box", "place", "since"),
    "start": (),
    "step": (),
    "stop": (),
    **{verb: tuple(list_names(verb)) for verb in ("press", "release", "state", "touch")},
}
#: Methods of services that a page calls.
_METHODS = {"ALMemory": ("getDataListName", "getListData", "insertData", "raiseEvent")}
_CLOSED = "The page is closed."
_ENCODER = json.JSONEncoder(allow_nan=False)

log = logging.getLogger(__name__)

Fields = dict[str, Any]


class Views(Protocol):
    """The requests `page` of a game; the methods block, each on a thread of the relay."""

    def answer(self, browser: int, fields: Mapping[str, Any]) -> Any:
        """Return the JSON value that answers a browser's request; raises RuntimeError with a sentence."""

    def is_slow(self, fields: Mapping[str, Any]) -> bool:
        """Return whether a request may wait for the robot; others are answered meanwhile."""

    def leave(self, browser: int) -> None:
        """Note that a browser has gone."""


class _Stored:
    """The keys that browsers have stored in ALMemory, with bounds: the robot stores them for as long as it runs."""

    def __init__(self) -> None:
        self._lengths: dict[str, int] = {}
        self._characters = 0

    def add(self, key: Any, value: Any) -> None:
        """Note that a browser stores a value; raises WireError if that is too much."""
        known = self._lengths.get(_read_name(key, "key"), 0)
        length = len(key) + len(json.dumps(value))
        is_new = key not in self._lengths
        if self._characters - known + length > _MAX_STORED_CHARACTERS or (
            is_new and len(self._lengths) >= _MAX_STORED_KEYS
        ):
            limits = f"{_MAX_STORED_KEYS} keys and {_MAX_STORED_CHARACTERS // 1024} kB"
            raise WireError(f"the pages have stored {limits} in ALMemory: change one of these keys or start NAO again")
        self._lengths[key] = length
        self._characters += length - known


class Relay:
    """All browsers at one robot; use it on one asyncio loop, between `open` and `close`."""

    def __init__(
        self,
        robot: RobotClient | None,
        views: Views | None = None,
        *,
        starts: bool = False,
        listeners: Sequence[Callable[[Event], object]] = (),
    ) -> None:
        """Relay to a robot, whose behaviour starts for the first browser if `starts`; `listeners` get its events."""
        self.robot, self.views = robot, views
        self._listeners = listeners
        #: The sentence that says why the robot has ended; empty while it runs.
        self.gone = ""
        self.is_speaking = False
        #: NAO's latest texts with their languages, NAOqi's names, by the time on the robot's clock.
        self.said: dict[float, tuple[str, str]] = {}
        #: The values that browsers have stored in ALMemory.
        self.stored = _Stored()
        self._starts = starts
        self._browsers: set[_Browser] = set()
        self._count = 0
        self._reports: deque[str] = deque()
        self._characters = 0
        self._arrived: deque[Callable[[], object]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._shared: dict[str, tuple[float, asyncio.Task[Any]]] = {}
        self._threads = [ThreadPoolExecutor(1, "page"), ThreadPoolExecutor(1, "page-slow")]

    async def open(self) -> None:
        """Begin to note the robot's reports."""
        self._loop = asyncio.get_running_loop()
        if self.robot is not None:
            self.robot.watch(lambda event: self.call_soon(lambda: self._note(event)))

    async def close(self) -> None:
        """End the connections of all browsers."""
        self.end(_CLOSED)
        for threads in self._threads:
            threads.shutdown(wait=False, cancel_futures=True)

    def end(self, sentence: str) -> None:
        """Say to all browsers why the robot has ended."""
        self.gone = self.gone or sentence
        for browser in list(self._browsers):
            browser.end(_ROBOT_GONE, self.gone)

    async def serve(self, receive: Receive, send: Send) -> None:
        """Answer one browser, whose web socket is not accepted yet, until it leaves."""
        await receive()
        await send({"type": "websocket.accept"})
        self._count += 1
        browser = _Browser(self, self._count)
        self._browsers.add(browser)
        try:
            if self.gone:
                browser.end(_ROBOT_GONE, self.gone)
            await browser.run(receive, send)
        finally:
            self._browsers.discard(browser)
            await self._forget(browser)

    async def _forget(self, browser: _Browser) -> None:
        if self.robot is not None and not self.gone:
            for number in browser.links.values():
                self.robot.unlink(number)
        if self.views is not None and not self.gone:
            with contextlib.suppress(RuntimeError):
                await self.think(0, self.views.leave, browser.number)

    # For browsers.

    async def ask(self, verb: str, **fields: Any) -> Any:
        """Have the robot answer a request; raises RuntimeError with the robot's sentence."""
        if self.robot is None:
            raise WireError("this page has no robot")
        return await self.wait(self.robot.ask(verb, **fields))

    async def ask_shared(self, verb: str) -> Any:
        """Have the robot answer a question about its state, once for all browsers that ask at about the same time."""
        assert self._loop is not None
        asked_at, task = self._shared.get(verb, (0.0, None))
        if task is None or (task.done() and self._loop.time() - asked_at > _SHARED_FOR_S):
            answer = self._look() if verb == "look" else self.ask(verb)
            task = asyncio.create_task(answer, name=f"ask {verb}")
            self._shared[verb] = self._loop.time(), task
        return await asyncio.shield(task)

    async def _look(self) -> dict[str, Any]:
        return describe_frame(await self.ask("look"))

    async def wait(self, answer: Future[Any]) -> Any:
        """Wait for an answer of the robot; raises RuntimeError with its sentence."""
        try:
            return await wait_for(answer, _ANSWER_TIMEOUT_S)
        except TimeoutError:
            raise RuntimeError(f"The robot has not answered for {_ANSWER_TIMEOUT_S:g} seconds.") from None
        except RobotGone as error:
            self.end(str(error))
            raise

    async def think(self, place: int, work: Callable[..., Any], *args: Any) -> Any:
        """Do blocking work on one of the threads."""
        assert self._loop is not None
        return await self._loop.run_in_executor(self._threads[place], work, *args)

    def begin(self) -> None:
        """Start the behaviour if this is the first browser that sees the robot."""
        if self._starts and self.robot is not None:
            self._starts = False
            self.robot.ask("start")

    def reports(self) -> list[str]:
        """Return the robot's reports so far, within the limits."""
        return list(self._reports)

    def call_soon(self, call: Callable[[], object]) -> None:
        """Make a call on the loop, from any thread; calls that come together wake it once."""
        assert self._loop is not None
        self._arrived.append(call)
        if len(self._arrived) == 1:
            with contextlib.suppress(RuntimeError):  # The loop is closed, so the page has ended.
                self._loop.call_soon_threadsafe(self._take_in)

    def _take_in(self) -> None:
        while self._arrived:
            call = self._arrived.popleft()
            try:
                call()
            except Exception:
                log.exception("a report of the robot was not passed on")

    def _note(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)
        if event.kind in ("say", "said", "end"):
            self.is_speaking = event.kind == "say"
        if event.kind == "say":
            self.said[event.time] = str(event.fields.get("text", "")), str(event.fields.get("language", ""))
            while len(self.said) > _MAX_SAID:
                del self.said[next(iter(self.said))]
        report = _encode_event(event)
        self._reports.append(report)
        self._characters += len(report)
        while len(self._reports) > _MAX_KEPT_EVENTS or self._characters > _MAX_KEPT_CHARACTERS:
            self._characters -= len(self._reports.popleft())
        for browser in self._browsers:
            if browser.watches:
                browser.push(report)


class _Browser:
    """One browser: its requests, its links to events, and the state of the robot's body that it has drawn."""

    def __init__(self, relay: Relay, number: int) -> None:
        self.number = number
        self.watches = False
        #: The robot's numbers of this browser's links, by the browser's own.
        self.links: dict[int, int] = {}
        self._relay = relay
        self._frame: dict[str, Any] = {}
        self._waiting: deque[str] = deque()
        self._characters = 0
        self._has_more = asyncio.Event()
        self._is_over = False
        self._closing: tuple[int, str] | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(_MAX_RUNNING_REQUESTS)

    # Messages out.

    def push(self, message: str) -> None:
        """Send a message when there is room."""
        if self._closing is not None:
            return
        self._waiting.append(message)
        self._characters += len(message)
        if self._characters > _MAX_WAITING_CHARACTERS:
            self.end(_TOO_SLOW, "This browser reads too slowly. Load the page again.")
        self._has_more.set()

    def end(self, code: int, sentence: str) -> None:
        """Send what waits, unless the browser is too slow, and close the web socket with a sentence."""
        if self._closing is None:
            if code == _TOO_SLOW:
                self._waiting.clear()
            self._closing = code, sentence
            self._has_more.set()

    async def run(self, receive: Receive, send: Send) -> None:
        """Serve until the browser leaves, or is told why it ends."""
        reading = asyncio.create_task(self._read(receive), name="browser reads")
        writing = asyncio.create_task(self._write(send), name="browser writes")
        try:
            await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = (reading, writing, *self._running)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _write(self, send: Send) -> None:
        while True:
            while self._waiting:
                message = self._waiting.popleft()
                self._characters -= len(message)
                if not await _send_in_time(send, {"type": "websocket.send", "text": message}):
                    return
            if self._closing is not None:
                code, sentence = self._closing
                reason = sentence.encode()[:_MAX_REASON_BYTES].decode("utf-8", "ignore")
                await _send_in_time(send, {"type": "websocket.close", "code": code, "reason": reason})
                return
            self._has_more.clear()
            await self._has_more.wait()

    # Messages in.

    async def _read(self, receive: Receive) -> None:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return
            await self._room.acquire()
            task = asyncio.create_task(self._take(message.get("text") or ""), name="request")
            self._running.add(task)
            task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._room.release()

    async def _take(self, line: str) -> None:
        number = None
        try:
            request = parse_request(line)
            number = _read_number(request)
            answer = {"id": number, "value": pack_value(await self._answer(number, request))}
            self.push(encode(answer))
        except (RuntimeError, NaosimError) as error:
            self.push(encode({"id": number, "error": str(error)[:_MAX_ERROR_LENGTH]}))
        except (TypeError, ValueError, KeyError, RecursionError) as error:
            log.debug("a request failed", exc_info=error)
            self.push(encode({"id": number, "error": error_sentence(error)[:_MAX_ERROR_LENGTH]}))

    async def _answer(self, number: int, request: Fields) -> Any:
        verb = request.get("do")
        own = _OWN_VERBS.get(verb) if isinstance(verb, str) else None
        if own is not None:
            return await own(self, number, request)
        names = _VERBS.get(verb) if isinstance(verb, str) else None
        if names is None:
            raise WireError(f"a page cannot {ascii(verb)[:60]}")
        return await self._relay.ask(str(verb), **{name: request[name] for name in names if name in request})

    async def _watch(self, _number: int, _request: Fields) -> None:
        if not self.watches:
            for report in self._relay.reports():
                self.push(report)
            self.watches = True

    async def _draw_figure(self, _number: int, _request: Fields) -> dict[str, Any]:
        self._frame = {}
        self._relay.begin()
        frame = await self._relay.ask_shared("look")
        return describe_figure(frame["robot_type"])

    async def _draw_frame(self, _number: int, _request: Fields) -> dict[str, Any]:
        frame = await self._relay.ask_shared("look")
        changes = frame_changes(frame, self._frame)
        self._frame = frame
        return changes

    async def _draw_diagram(self, _number: int, request: Fields) -> dict[str, Any]:
        fields = {name: request[name] for name in ("behaviour", "box", "place") if name in request}
        told = await self._relay.ask("diagram", **fields)
        return await asyncio.to_thread(draw_diagram, told)

    async def _ask_ears(self, _number: int, _request: Fields) -> Any:
        return await self._relay.ask_shared("ears")

    async def _ask_pace(self, _number: int, request: Fields) -> Any:
        if "speed" in request:
            return await self._relay.ask("pace", speed=request["speed"])
        return await self._relay.ask_shared("pace")

    async def _call(self, _number: int, request: Fields) -> Any:
        service, method, args = request.get("service"), request.get("method"), request.get("args", [])
        if not isinstance(service, str) or method not in _METHODS.get(service, ()) or not isinstance(args, list):
            raise WireError("a page cannot call this method")
        plain = unpack_value(args)
        if method in ("insertData", "raiseEvent"):
            if len(plain) != 2:
                raise WireError(f"{method} takes a key and a value")
            self._relay.stored.add(*plain)
        elif method == "getListData":
            _check_asked_keys(plain)
        return await self._relay.ask("call", service=service, method=method, args=args)

    async def _hear(self, _number: int, request: Fields) -> Any:
        phrase = request.get("phrase")
        if isinstance(phrase, str) and len(phrase) > _MAX_PHRASE_LENGTH:
            raise WireError(f"a phrase has at most {_MAX_PHRASE_LENGTH} characters")
        fields = {name: request[name] for name in list_names("hear") if name in request}
        return await self._relay.ask("hear", **fields)

    async def _cause_event(self, _number: int, request: Fields) -> Any:
        key, value = _read_name(request.get("key"), "key"), request.get("value")
        # The robot knows the events of its sensors and checks their values.
        if key not in list_events() and not key.startswith(DEVICE_PREFIX):
            self._relay.stored.add(key, value)
        return await self._relay.ask("event", key=key, value=value)

    async def _link(self, number: int, request: Fields) -> int:
        relay, event = self._relay, _read_name(request.get("event"), "name of an event")
        if number in self.links or len(self.links) >= _MAX_LINKS:
            raise WireError(f"a browser has at most {_MAX_LINKS} links, each with its own number")
        if relay.robot is None:
            raise WireError("this page has no robot")

        def tell(value: Any) -> None:
            report = encode({"push": "link", "link": number, "value": pack_value(value)})
            relay.call_soon(lambda: self.push(report))

        self.links[number] = -1
        self.links[number] = await relay.wait(relay.robot.link(event, tell))
        return number

    async def _unlink(self, _number: int, request: Fields) -> bool:
        link, robot = request.get("link"), self._relay.robot
        if robot is None or not isinstance(link, int) or self.links.get(link, -1) < 0:
            raise WireError("no link has this number")
        return bool(await self._relay.wait(robot.unlink(self.links.pop(link))))

    async def _show(self, _number: int, request: Fields) -> Any:
        views = self._relay.views
        if views is None:
            raise WireError("this page has no game")
        return await self._relay.think(int(views.is_slow(request)), views.answer, self.number, request)


_Own = Callable[[_Browser, int, Fields], Awaitable[Any]]
_OWN_VERBS: dict[str, _Own] = {
    "call": _Browser._call,
    "drawing": _Browser._draw_diagram,
    "event": _Browser._cause_event,
    "ears": _Browser._ask_ears,
    "figure": _Browser._draw_figure,
    "frame": _Browser._draw_frame,
    "hear": _Browser._hear,
    "link": _Browser._link,
    "pace": _Browser._ask_pace,
    "page": _Browser._show,
    "unlink": _Browser._unlink,
    "watch": _Browser._watch,
}


def encode(message: Fields) -> str:
    """Return a message as JSON; browsers know no NaN and no infinity, so they become null.

    >>> encode({"value": [1.5, float("inf")]})
    '{"value": [1.5, null]}'
    """
    try:
        return _ENCODER.encode(message)
    except ValueError:
        return _ENCODER.encode(_drop_nan(message))


def _encode_event(event: Event) -> str:
    fields = {name: pack_value(_cut(value)) for name, value in event.fields.items()}
    return encode({"push": "event", "time": event.time, "kind": event.kind, "fields": fields})


def _drop_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _drop_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_drop_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _read_number(request: Fields) -> int:
    """Return the number of a request, which its answer repeats; raises WireError if it lacks one."""
    number = request.get("id")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**53:
        raise WireError("a request needs a whole number as its id")
    return number


def _read_name(name: Any, what: str) -> str:
    """Return a key of ALMemory or the name of an event; raises WireError if it is none or too long."""
    if not isinstance(name, str) or not 0 < len(name) <= _MAX_KEY_LENGTH:
        raise WireError(f"the {what} is a text of 1 to {_MAX_KEY_LENGTH} characters")
    return name


def _check_asked_keys(args: list[Any]) -> None:
    """Raise WireError unless the arguments are one list of different keys, not too many."""
    keys = args[0] if len(args) == 1 else None
    if not isinstance(keys, list) or len(keys) > _MAX_ASKED_KEYS or len({str(key) for key in keys}) < len(keys):
        raise WireError(f"getListData takes a list of at most {_MAX_ASKED_KEYS} different keys")


def _cut(value: Any) -> Any:
    """Return a value of a report; only the beginning of a long text."""
    is_long = isinstance(value, str) and len(value) > _MAX_TEXT_LENGTH
    return value[: _MAX_TEXT_LENGTH - 1] + "\u2026" if is_long else value


async def _send_in_time(send: Send, message: Fields) -> bool:
    """Send a message; return False if the browser has left or does not take it in time."""
    sending = asyncio.ensure_future(send(message))
    try:
        done, _ = await asyncio.wait((sending,), timeout=_SEND_TIMEOUT_S)
    finally:
        sending.cancel()
    return bool(done) and not sending.cancelled() and sending.exception() is None


__all__ = ["Relay", "Views"]
