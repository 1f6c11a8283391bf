"""The protocol between a robot and a program in another interpreter.

Each line is a JSON object of limited length. The field "do" of a request names the request; the field "error" of an
answer says in a sentence why it failed.
"""

from __future__ import absolute_import, division, print_function

import base64
import json
import os
import select
from collections import deque

from naosim import compat
from naosim.compat import take
from naosim.errors import NaosimError, WireError
from naosim.scheduler import make_wakeup
from naosim.world import write_json_line

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.compat import JsonValue

# Lines.

MAX_LINE_BYTES = 20 * 1024 * 1024  # bytes of one line: a limit on memory that lets the largest image of a camera pass
_READ_BYTES = 64 * 1024  # bytes of one read
_ENCODER = json.JSONEncoder()
MAX_QUOTED_LENGTH = 60  # characters of a bad line that an error quotes


def encode_line(message):  # type: (dict[str, JsonValue]) -> bytes
    """Return the message as a line of ASCII, with sorted keys and a newline.

    >>> encode_line({"do": "hear", "phrase": "yes"}) == b'{"do": "hear", "phrase": "yes"}' + b"\\n"
    True
    """
    return (write_json_line(message) + "\n").encode("ascii")


def encode_line_unsorted(message):  # type: (dict[str, JsonValue]) -> bytes
    """Return the message as a line with its keys in any order, which Python 2.7 encodes much faster."""
    return (_ENCODER.encode(message) + "\n").encode("ascii")


def decode_line(line, most_values=None):  # type: (Any, int | None) -> JsonValue
    """Decode a line of JSON in UTF-8, with every text as `str`; raises ValueError if that is impossible."""
    return compat.from_json(line if isinstance(line, compat.UNICODE) else line.decode("utf-8"), most_values)


def parse_request(line):  # type: (Any) -> dict[str, JsonValue]
    """Decode a request; raises WireError if it is too long or not a JSON object.

    >>> parse_request('{"do": "start"}')
    {'do': 'start'}
    """
    if len(line) > MAX_LINE_BYTES:
        raise _too_long()
    try:
        request = decode_line(line, compat.MOST_VALUES)
    except compat.TooManyValues:
        raise WireError("a request of more than %d values is too long" % compat.MOST_VALUES)
    except ValueError:
        raise WireError("the request %s is not JSON" % compat.quote(line.strip()[:MAX_QUOTED_LENGTH]))
    if not isinstance(request, dict):
        raise WireError("the request %s is not a JSON object" % compat.quote(line.strip()[:MAX_QUOTED_LENGTH]))
    return request


def read_line(stream):  # type: (Any) -> bytes
    """Return the next line of a byte stream, b"" at its end; skip a too long line and raise WireError."""
    line = stream.readline(MAX_LINE_BYTES + 2)  # type: bytes
    if len(line) <= MAX_LINE_BYTES:
        return line
    while line and not line.endswith(b"\n"):
        line = stream.readline(MAX_LINE_BYTES)
    raise _too_long()


class RequestReader(object):
    """Reads requests from a byte stream without a buffer: `take_request` gets each, `refuse` the error of other lines.

    At the end it closes the stream and calls `end`.
    """

    def __init__(self, stream, take_request, refuse, end=lambda: None):
        # type: (Any, Callable[[dict[str, JsonValue]], object], Callable[[WireError], object], Callable[[], object]) -> None
        self._stream = stream
        self._take = take_request
        self._refuse = refuse
        self._end = end
        self._begun = bytearray()

    @property
    def closed(self):  # type: () -> bool
        """Return whether the stream has ended."""
        return bool(self._stream.closed)

    def fileno(self):  # type: () -> int
        """Return the number of the stream, for `select`."""
        return int(self._stream.fileno())

    def read_all(self):  # type: () -> None
        """Take every request until the end of the stream."""
        while not self.closed:
            self.read()

    def read(self):  # type: () -> None
        """Wait for bytes and take the requests that end in them."""
        try:
            data = self._stream.read(_READ_BYTES)
        except (IOError, OSError):
            data = b""  # The other end has closed.
        end = data.rfind(b"\n") + 1 if data else len(self._begun)
        if end:
            lines = (bytes(self._begun) + data[:end]).split(b"\n")
            del self._begun[:]
            for line in lines:
                self._take_line(line)
        self._begun += data[end:]
        # The beginning of a line that is too long is enough to refuse it.
        del self._begun[MAX_LINE_BYTES + 1 :]
        if not data:
            self._stream.close()
            self._end()

    def _take_line(self, line):  # type: (bytes) -> None
        try:
            request = parse_request(line) if line.strip() else None
        except WireError as error:
            self._refuse(error)
        else:
            if request is not None:
                self._take(request)


def error_sentence(error):  # type: (BaseException) -> str
    """Return an error's sentence for a client: the robot's own text, without paths of this computer.

    >>> error_sentence(RuntimeError("Data not found: Key")), error_sentence(TypeError("3 given"))
    ('Data not found: Key', 'TypeError: 3 given')
    """
    if isinstance(error, (RuntimeError, NaosimError)):
        return compat.native(error)
    if isinstance(error, EnvironmentError):
        return "%s: %s" % (type(error).__name__, error.strerror or "failed")
    return compat.reason(error)


def _too_long():  # type: () -> WireError
    return WireError("a request of more than %d characters is too long" % MAX_LINE_BYTES)


# Writing lines.

MAX_UNREAD_BYTES = 64 * 1024 * 1024  # bytes that wait for a slow reader; with more, the connection is broken
_LAST_LINES_S = 2.0  # real seconds to write the last lines when the writer is closed
_MIN_ROOM_BYTES = 4096  # bytes that fit into a pipe or socket if `poll` says that it is writable


class LineWriter(object):
    """A writer of lines to a pipe or socket that never blocks: a thread writes the lines for which there is no room."""

    def __init__(self, number):  # type: (int) -> None
        self._number = number
        self._lines = deque()  # type: deque[bytes]
        self._writing, self._counting = compat.allocate_lock(), compat.allocate_lock()
        self._room = _room(number)
        self._wakeup = make_wakeup()
        self.unread = 0
        self._ending = self.is_broken = False
        self._ended = compat.allocate_lock()
        self._ended.acquire()
        compat.start_new_thread(self._write, ())

    def push(self, message):  # type: (dict[str, JsonValue]) -> None
        """Send a message; replace a too long answer by an error."""
        line = encode_line_unsorted(message)
        if len(line) > MAX_LINE_BYTES:
            error = "an answer of %d characters is too long" % len(line)
            line = encode_line_unsorted({"id": message.get("id"), "error": error})
        if self.unread > MAX_UNREAD_BYTES:
            # A few large answers must not end the robot: their callers have to wait.
            if "id" not in message or self.unread > 2 * MAX_UNREAD_BYTES:
                self.is_broken = True
            elif len(line) > _MIN_ROOM_BYTES:
                error = "the robot is busy: its answers are not read"
                line = encode_line_unsorted({"id": message.get("id"), "error": error})
        self.write(line)

    def write(self, line):  # type: (bytes) -> None
        """Write a line as soon as there is room; any thread may call it."""
        if not self.is_broken and not self._write_at_once(line):
            with self._counting:
                self.unread += len(line)
            self._lines.append(line)
            self._wakeup.send()

    def close(self, seconds=_LAST_LINES_S):  # type: (float) -> bool
        """Wait until the last lines are written, and drop later ones; return whether `seconds` were enough."""
        self._ending = True
        self._wakeup.send()
        has_ended = take(self._ended, seconds)
        if has_ended:
            self._wakeup.close()
        self.is_broken = True
        if has_ended:
            with self._writing:
                pass  # Other threads have stopped writing: the file can be closed.
        return has_ended

    def _write_at_once(self, line):  # type: (bytes) -> bool
        """Write a line if no other line waits and there is room, which saves a switch of threads."""
        if self._lines or len(line) > _MIN_ROOM_BYTES or self._room is None or not self._writing.acquire(False):
            return False
        try:
            # Check again: another line can wait now, or the file be closed.
            if self._lines or self.is_broken or not self._room.poll(0):
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
            while (self._lines or not self._ending) and not self.is_broken:
                if not self._lines:
                    self._wakeup.wait(60.0)
                    continue
                with self._writing:
                    line = self._lines.popleft()
                    with self._counting:
                        self.unread -= len(line)
                    self._write_whole(line)
        except (IOError, OSError):
            self.is_broken = True
        self._ended.release()


def _room(number):  # type: (int) -> Any
    """Return a poll object that says whether a file can be written; None on systems without `poll`."""
    if not hasattr(select, "poll"):
        return None
    room = select.poll()
    room.register(number, select.POLLOUT)
    return room


# Fields of a request.


def read_field(request, key, kinds, default):  # type: (dict[str, JsonValue], str, tuple[type, ...], object) -> JsonValue
    """Return a field of one of these types, the default if it is missing; raises WireError for other types."""
    value = request.get(key, default)
    if not isinstance(value, kinds):
        raise WireError("%s is %s" % (compat.quote(key), compat.quote(value)))
    return value


def read_text_field(request, key, default=None):  # type: (dict[str, JsonValue], str, str | None) -> str
    """Return a text field, the default if it is missing; raises WireError for other types."""
    return compat.native(read_field(request, key, compat.TEXTS, default))


# ALValues as JSON; bytes and dicts become objects with one marked field.

_MAX_VALUE_DEPTH = 32  # lists inside each other

_BYTES, _DICT = "bytes", "dict"


class DoesNotTravel(RuntimeError):
    """The value contains an object, or lists that are nested too deeply."""


def pack_value(value, depth=0):  # type: (object, int) -> object
    """Convert a value to JSON types; raises DoesNotTravel for objects and deep lists.

    >>> pack_value([True, (1, bytearray(b"ab")), {"a": None}])
    [True, [1, {'bytes': 'YWI='}], {'dict': {'a': None}}]
    """
    if value is None or isinstance(value, (bool, float) + compat.INTEGERS):
        return value
    if depth > _MAX_VALUE_DEPTH:
        raise DoesNotTravel("lists can be nested %d deep" % _MAX_VALUE_DEPTH)
    if isinstance(value, compat.TEXTS):
        return _text(value)
    if isinstance(value, (bytes, bytearray)):
        return {
            _BYTES: base64.b64encode(bytes(value)).decode("ascii") if not compat.PY2 else base64.b64encode(bytes(value))
        }
    if isinstance(value, (list, tuple)):
        return [pack_value(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_DICT: {str(key): pack_value(item, depth + 1) for key, item in value.items()}}
    if hasattr(value, "memory_key"):  # an object with a signal: the server makes its own object for this event
        return value.memory_key
    raise DoesNotTravel("a %s cannot be sent: it is not a text, number, list or dict" % type(value).__name__)


def unpack_value(value, raw=bytearray):  # type: (object, Callable[[Any], object]) -> Any
    """Convert a packed value back, with texts as `str` and bytes as `raw(bytes)`; raises ValueError if it is invalid.

    >>> unpack_value([True, {"dict": {"a": 1.5}}])
    [True, {'a': 1.5}]
    """
    if isinstance(value, list):
        return [unpack_value(item, raw) for item in value]
    if isinstance(value, dict):
        if set(value) == {_BYTES} and isinstance(value[_BYTES], compat.TEXTS):
            return raw(_decode_bytes(value[_BYTES]))
        if set(value) == {_DICT} and isinstance(value[_DICT], dict):
            return {compat.natively(key): unpack_value(item, raw) for key, item in value[_DICT].items()}
        raise ValueError("an object in a value is neither bytes nor a dict")
    return compat.natively(value)


def _text(value):  # type: (object) -> object
    """Return a text; on 2.7, pack a `str` that is not UTF-8 as bytes."""
    if compat.PY2 and not isinstance(value, compat.UNICODE):
        try:
            value.decode("utf-8")
        except UnicodeDecodeError:
            return {_BYTES: base64.b64encode(value)}
    return value


def _decode_bytes(text):  # type: (Any) -> bytes
    try:
        return base64.b64decode(text.encode("ascii"))
    except (TypeError, ValueError):
        raise ValueError("the bytes of a value are not base64")
