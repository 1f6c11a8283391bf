"""A robot in another process, asked with one JSON object per line.

Both servers and their clients share the protocol: lines of bounded length, ALValues as JSON, and one sentence for what
goes wrong. `RemoteRobot` drives a robot inside another interpreter like a `Robot` in this one.
"""

from __future__ import absolute_import, division, print_function

import base64
import json
import os
import select
import subprocess
import threading
from collections import deque

from naosim.compat import (
    INTEGERS,
    MOST_VALUES,
    PY2,
    TEXTS,
    UNICODE,
    TooManyValues,
    allocate_lock,
    from_json,
    native,
    natively,
    quoted,
    reason,
    start_new_thread,
    take,
)
from naosim.errors import NaosimError, WireError
from naosim.robot import Ears, Pause
from naosim.scheduler import make_wakeup
from naosim.world import Event, write_json_line

MYPY = False
if MYPY:
    from typing import Any, Callable

# --- The protocol of both servers: one JSON object per line, bounded in length, and one sentence for what goes wrong.
#
# A request names what to do under "do"; an answer that holds "error" says in a sentence why it was not done.

#: Bytes of one request.
MAX_LINE_BYTES = 6 * 1024 * 1024
_ENCODER = json.JSONEncoder()
#: Characters of a bad line that an error quotes.
MAX_QUOTED_LENGTH = 60


def encode_line(message):  # type: (dict[str, Any]) -> bytes
    """Return the message as one line of ASCII, the newline included.

    >>> encode_line({"do": "hear", "phrase": "yes"}) == b'{"do": "hear", "phrase": "yes"}' + b"\\n"
    True
    """
    return (write_json_line(message) + "\n").encode("ascii")


def encode_line_unsorted(message):  # type: (dict[str, Any]) -> bytes
    """Return the message as `encode` does, its keys in any order: without sorting, 2.7 does it in C."""
    return (_ENCODER.encode(message) + "\n").encode("ascii")


def decode_line(line, most_values=None):  # type: (Any, int | None) -> Any
    """Return what a line of JSON holds, every text as `str`; raises ValueError for what is no JSON in UTF-8."""
    return from_json(line if isinstance(line, UNICODE) else line.decode("utf-8"), most_values)


def parse_request(line):  # type: (Any) -> dict[str, Any]
    """Return the request that a line holds; raises WireError.

    >>> parse_request('{"do": "start"}')
    {'do': 'start'}
    """
    if len(line) > MAX_LINE_BYTES:
        raise _too_long()
    try:
        request = decode_line(line, MOST_VALUES)
    except TooManyValues:
        raise WireError("a request of more than %d values is too long" % MOST_VALUES)
    except ValueError:
        raise WireError("the request %s is no JSON" % quoted(line.strip()[:MAX_QUOTED_LENGTH]))
    if not isinstance(request, dict):
        raise WireError("the request %s is no JSON object" % quoted(line.strip()[:MAX_QUOTED_LENGTH]))
    return request


def read_line(stream):  # type: (Any) -> bytes
    """Return the next line of a byte stream, empty at its end; raises WireError for a long one, having skipped it."""
    line = stream.readline(MAX_LINE_BYTES + 2)  # type: bytes
    if len(line) <= MAX_LINE_BYTES:
        return line
    while line and not line.endswith(b"\n"):
        line = stream.readline(MAX_LINE_BYTES)
    raise _too_long()


def read_requests(stream, take, refuse):
    # type: (Any, Callable[[dict[str, Any]], object], Callable[[WireError], object]) -> None
    """Hand every request of a byte stream to `take` until it ends, and to `refuse` the error of a line that is none."""
    while True:
        try:
            line = read_line(stream)
            if not line:
                return
            request = parse_request(line) if line.strip() else None
        except WireError as error:
            refuse(error)
        else:
            if request is not None:
                take(request)


def find_action(server, request):  # type: (object, dict[str, Any]) -> Callable[[dict[str, Any]], Any]
    """Return the method `_do_VERB` of the server that does what a request asks; raises WireError when it has none."""
    verb = request.get("do")
    found = getattr(server, "_do_%s" % verb, None) if isinstance(verb, str) else None
    if found is None:
        raise WireError("do not know how to %s" % quoted(verb))
    return found  # type: ignore[no-any-return]


def error_sentence(error):  # type: (BaseException) -> str
    """Return what a client is told of an error: the robot's own text, and no path of this computer.

    >>> error_sentence(RuntimeError("Data not found: Key")), error_sentence(TypeError("3 given"))
    ('Data not found: Key', 'TypeError: 3 given')
    """
    if isinstance(error, (RuntimeError, NaosimError)):
        return native(error)
    if isinstance(error, EnvironmentError):
        return "%s: %s" % (type(error).__name__, error.strerror or "failed")
    return reason(error)


def _too_long():  # type: () -> WireError
    return WireError("a request of more than %d characters is too long" % MAX_LINE_BYTES)


# --- Lines written to a pipe or socket, at once or by a thread of its own, so that no task ever waits for the reader.

#: Bytes that wait for a reader that does not read, and real seconds that the last of them may take.
_MAX_UNREAD_BYTES, _LAST_LINES_S = 64 * 1024 * 1024, 2.0
#: Bytes for which there is room in a pipe or socket that is said to be writable.
_MIN_ROOM_BYTES = 4096


class LineWriter(object):
    """Writes lines to a pipe; what the reader has no room for waits on a thread of its own, and no task does."""

    def __init__(self, number):  # type: (int) -> None
        self._number = number
        self._lines = deque()  # type: deque[bytes]
        self._writing = allocate_lock()
        self._room = _room(number)
        self._wakeup = make_wakeup()
        self._unread = 0
        self._ending = self.is_broken = False
        self._ended = allocate_lock()
        self._ended.acquire()
        start_new_thread(self._write, ())

    def push(self, message):  # type: (dict[str, Any]) -> None
        """Send one message; an answer that is too long is replaced by an error."""
        line = encode_line_unsorted(message)
        if len(line) > MAX_LINE_BYTES:
            error = "an answer of %d characters is too long" % len(line)
            line = encode_line_unsorted({"id": message.get("id"), "error": error})
        if self._unread > _MAX_UNREAD_BYTES:
            self.is_broken = True
        if not self.is_broken and not self._written_at_once(line):
            self._unread += len(line)
            self._lines.append(line)
            self._wakeup.send()

    def close(self):  # type: () -> None
        """Wait a moment for the last lines to be read; what is sent later is dropped."""
        self._ending = True
        self._wakeup.send()
        if take(self._ended, _LAST_LINES_S):
            self._wakeup.close()
        self.is_broken = True

    def _written_at_once(self, line):  # type: (bytes) -> bool
        """Write a line if no other one waits and there is room for it: this saves a switch of threads."""
        if self._lines or len(line) > _MIN_ROOM_BYTES or self._room is None or not self._writing.acquire(False):
            return False
        try:
            # Another line may have come to wait meanwhile.
            if self._lines or not self._room.poll(0):
                return False
            self._write_whole(line)
        except (IOError, OSError, select.error):
            self.is_broken = True
        finally:
            self._writing.release()
        return True

    def _write_whole(self, line):  # type: (bytes) -> None
        while line:
            line = line[os.write(self._number, line) :]

    def _write(self):  # type: () -> None
        try:
            while self._lines or not self._ending:
                if not self._lines:
                    self._wakeup.wait(60.0)
                    continue
                with self._writing:
                    line = self._lines.popleft()
                    self._unread -= len(line)
                    self._write_whole(line)
        except (IOError, OSError):
            self.is_broken = True
        self._ended.release()


def _room(number):  # type: (int) -> Any
    """Return what tells whether there is room for a line, None where the system has no such thing."""
    if not hasattr(select, "poll"):
        return None
    room = select.poll()
    room.register(number, select.POLLOUT)
    return room


# --- The fields of a request: each has one of some types, or the request is refused in a sentence.


def read_field(request, key, kinds, default):  # type: (dict[str, Any], str, tuple[type, ...], Any) -> Any
    """Return a field of one of these types, the default when it is missing; raises WireError for another type."""
    value = request.get(key, default)
    if not isinstance(value, kinds):
        raise WireError("%s is %s" % (quoted(key), quoted(value)))
    return value


def read_text_field(request, key, default=None):  # type: (dict[str, Any], str, str | None) -> str
    """Return a field that is a text; raises WireError."""
    return native(read_field(request, key, TEXTS, default))


# --- ALValues as JSON, on their way between a live server and its client: bytes and dicts are marked as such.

#: How deep lists may lie in one another.
_MAX_VALUE_DEPTH = 32

_BYTES, _DICT = "bytes", "dict"


class DoesNotTravel(RuntimeError):
    """The value is an object, which stays inside the robot, or its lists lie too deep in one another."""


def pack_value(value, depth=0):  # type: (Any, int) -> Any
    """Return the value as JSON has it; raises DoesNotTravel for objects.

    >>> pack_value([True, (1, bytearray(b"ab")), {"a": None}])
    [True, [1, {'bytes': 'YWI='}], {'dict': {'a': None}}]
    """
    if value is None or isinstance(value, (bool, float) + INTEGERS):
        return value
    if depth > _MAX_VALUE_DEPTH:
        raise DoesNotTravel("lists may be %d deep" % _MAX_VALUE_DEPTH)
    if isinstance(value, TEXTS):
        return _text(value)
    if isinstance(value, (bytes, bytearray)):
        return {_BYTES: base64.b64encode(bytes(value)).decode("ascii") if not PY2 else base64.b64encode(bytes(value))}
    if isinstance(value, (list, tuple)):
        return [pack_value(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_DICT: {str(key): pack_value(item, depth + 1) for key, item in value.items()}}
    raise DoesNotTravel("a %s does not travel: it is no text, number, list or dict" % type(value).__name__)


def unpack_value(value, raw=bytearray):  # type: (Any, Callable[[Any], Any]) -> Any
    """Return the value that was packed, every text as `str`, bytes as `raw(bytes)`; raises ValueError.

    >>> unpack_value([True, {"dict": {"a": 1.5}}])
    [True, {'a': 1.5}]
    """
    if isinstance(value, list):
        return [unpack_value(item, raw) for item in value]
    if isinstance(value, dict):
        if set(value) == {_BYTES} and isinstance(value[_BYTES], TEXTS):
            return raw(_decoded(value[_BYTES]))
        if set(value) == {_DICT} and isinstance(value[_DICT], dict):
            return {natively(key): unpack_value(item, raw) for key, item in value[_DICT].items()}
        raise ValueError("an object in a value is neither bytes nor a dict")
    return natively(value)


def _text(value):  # type: (Any) -> Any
    """Return a text as JSON has it: 2.7's `str` that is no UTF-8 travels as bytes."""
    if PY2 and not isinstance(value, UNICODE):
        try:
            value.decode("utf-8")
        except UnicodeDecodeError:
            return {_BYTES: base64.b64encode(value)}
    return value


def _decoded(text):  # type: (Any) -> bytes
    try:
        return base64.b64decode(text.encode("ascii"))
    except (TypeError, ValueError):
        raise ValueError("the bytes of a value are no base64")


# --- The environment of a child process that runs this package on another interpreter.

#: The folder in which this package lies.
_PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def make_child_environment(import_paths=()):  # type: (Any) -> dict[str, str]
    """Return our environment with one import path, or several, and the folder of this package on the Python path."""
    paths = [import_paths] if isinstance(import_paths, TEXTS) else list(import_paths)  # type: list[Any]
    return dict(os.environ, PYTHONPATH=os.pathsep.join(paths + [_PACKAGE_FOLDER]), PYTHONIOENCODING="utf-8")


# --- A robot inside another interpreter, driven over pipes like a `Robot` in this one.


class _RemoteBehaviour(object):
    """What is known here of a behaviour that another interpreter runs."""

    def __init__(self, path):  # type: (str) -> None
        self.path = path
        self.failures = []  # type: list[str]
        self.ended = False


class RemoteRobot(object):
    """A robot inside another interpreter, driven like a `Robot`; `close` ends that interpreter."""

    def __init__(self, python_path, extra_path=(), patience=300.0, **options):  # type: (str, Any, float, **Any) -> None
        self._patience = patience
        self._events = []  # type: list[Event]
        self._time = 0.0
        self.behaviour = None  # type: _RemoteBehaviour | None
        self._process = subprocess.Popen(
            [python_path, "-m", "naosim.stdio_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=make_child_environment(extra_path),
            close_fds=True,
        )
        self._ask("open", **options)

    def __enter__(self):  # type: () -> RemoteRobot
        return self

    def __exit__(self, *_error):  # type: (*Any) -> None
        self.close()

    def load(self, path, rewrite=False, parameters=None):  # type: (str, bool, dict[str, Any] | None) -> _RemoteBehaviour
        """Read a behaviour by its path and construct its boxes; raises WireError with the robot's sentence."""
        self.behaviour = _RemoteBehaviour(path)
        self._ask("load", path=path, rewrite=rewrite, parameters=parameters or {})
        return self.behaviour

    def start(self, behaviour=None):  # type: (_RemoteBehaviour | None) -> None
        """Stimulate the onStart of the root."""
        self._ask("start")

    def advance(self, seconds=None):  # type: (float | None) -> Pause
        """Run until the behaviour has ended, the robot waits for a person, nothing is left or the time is up."""
        return self._pause("advance", seconds=seconds)

    def hear(self, phrase, confidence=0.9):  # type: (str, float) -> None
        """Say something to the robot."""
        self._ask("hear", phrase=phrase, confidence=confidence)

    def touch(self, sensor):  # type: (str) -> None
        """Press and release a sensor."""
        self._ask("touch", sensor=sensor)

    def event(self, key, value):  # type: (str, Any) -> None
        """Let an event of the sensors happen, or set a device."""
        self._ask("event", key=key, value=value)

    def stay_silent(self, seconds=None):  # type: (float | None) -> Pause
        """Let time pass until the next time-out has fired, or for so many seconds, then advance."""
        return self._pause("silence", seconds=seconds)

    def wait(self, seconds=None):  # type: (float | None) -> None
        """Let time pass until the next time-out fires, or for so many seconds if they are over before."""
        self._ask("wait", seconds=seconds)

    def now(self):  # type: () -> float
        """Return the seconds on the robot's clock when it answered last."""
        return self._time

    def stop(self, behaviour=None):  # type: (_RemoteBehaviour | None) -> None
        """Stop the behaviour as a user does in Choregraphe."""
        self._ask("stop")

    def leaks(self, behaviour=None):  # type: (_RemoteBehaviour | None) -> list[str]
        """Return what the behaviour left behind, one sentence each."""
        return [native(leak) for leak in self._ask("leaks")["leaks"]]

    def forget(self):  # type: () -> None
        """Drop the events recorded so far."""
        self._ask("forget")

    def ears(self):  # type: () -> Ears
        """Return what the robot listens to at the moment."""
        return _ears(self._ask("ears")["ears"])

    def get(self, key):  # type: (str) -> Any
        """Return the value under a key of ALMemory, None when there is none."""
        return self._ask("get", key=key)["value"]

    def set(self, key, value):  # type: (str, Any) -> None
        """Store a value under a key of ALMemory."""
        self._ask("set", key=key, value=value)

    def close(self):  # type: () -> None
        """End the other interpreter."""
        process = self._process
        killer = threading.Timer(5.0, process.kill)
        killer.start()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.close()
        except (IOError, OSError):
            pass  # It ended before it read what was sent last.
        finally:
            process.wait()
            killer.cancel()
        process.stdout.close()

    def _pause(self, verb, **fields):  # type: (str, **Any) -> Pause
        answer = self._ask(verb, **fields)
        events, self._events = self._events, []
        return Pause(events, _ears(answer["ears"]), answer["ended"])

    def _ask(self, verb, **fields):  # type: (str, **Any) -> dict[str, Any]
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        killer = threading.Timer(self._patience, process.kill)
        killer.start()
        try:
            process.stdin.write(encode_line(dict(fields, do=verb)))
            process.stdin.flush()
            line = process.stdout.readline()
        except (IOError, OSError, ValueError):
            line = b""
        finally:
            killer.cancel()
        if not line:
            raise WireError(
                "the other interpreter ended (status %s) instead of answering to %s" % (process.poll(), quoted(verb))
            )
        return self._heard(decode_line(line))

    def _heard(self, answer):  # type: (dict[str, Any]) -> dict[str, Any]
        if "error" in answer:
            raise WireError(answer["error"])
        for event in answer.get("events", ()):
            self._events.append(Event(event.pop("time"), event.pop("kind"), event))
        self._time = answer.get("now", self._time)
        if self.behaviour is not None and "failures" in answer:
            self.behaviour.failures, self.behaviour.ended = answer["failures"], answer["ended"]
        return answer


def _ears(ears):  # type: (dict[str, Any]) -> Ears
    return Ears(ears["engine"], tuple(ears["vocabulary"]), ears["spotting"], tuple(ears["touch"]))
