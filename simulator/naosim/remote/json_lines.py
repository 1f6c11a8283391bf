"""The protocol of both servers: one JSON object per line, bounded in length, and one sentence for what goes wrong.

A request names what to do under "do"; an answer that holds "error" says in a sentence why it was not done.
"""

from __future__ import absolute_import, division, print_function

import json

from naosim.compat import MOST_VALUES, UNICODE, TooManyValues, from_json, native, quoted, reason
from naosim.errors import NaosimError, WireError
from naosim.world.trace import json_line

MYPY = False
if MYPY:
    from typing import Any, Callable

#: Bytes of one request.
LONGEST_LINE = 6 * 1024 * 1024
_ENCODER = json.JSONEncoder()
#: Characters of a bad line that an error quotes.
QUOTED = 60


def encode(message):  # type: (dict[str, Any]) -> bytes
    """Return the message as one line of ASCII, the newline included.

    >>> encode({"do": "hear", "phrase": "yes"}) == b'{"do": "hear", "phrase": "yes"}' + b"\\n"
    True
    """
    return (json_line(message) + "\n").encode("ascii")


def encode_unsorted(message):  # type: (dict[str, Any]) -> bytes
    """Return the message as `encode` does, its keys in any order: without sorting, 2.7 does it in C."""
    return (_ENCODER.encode(message) + "\n").encode("ascii")


def decode(line, most_values=None):  # type: (Any, int | None) -> Any
    """Return what a line of JSON holds, every text as `str`; raises ValueError for what is no JSON in UTF-8."""
    return from_json(line if isinstance(line, UNICODE) else line.decode("utf-8"), most_values)


def parse(line):  # type: (Any) -> dict[str, Any]
    """Return the request that a line holds; raises WireError.

    >>> parse('{"do": "start"}')
    {'do': 'start'}
    """
    if len(line) > LONGEST_LINE:
        raise _too_long()
    try:
        request = decode(line, MOST_VALUES)
    except TooManyValues:
        raise WireError("a request of more than %d values is too long" % MOST_VALUES)
    except ValueError:
        raise WireError("the request %s is no JSON" % quoted(line.strip()[:QUOTED]))
    if not isinstance(request, dict):
        raise WireError("the request %s is no JSON object" % quoted(line.strip()[:QUOTED]))
    return request


def read_line(stream):  # type: (Any) -> bytes
    """Return the next line of a byte stream, empty at its end; raises WireError for a long one, having skipped it."""
    line = stream.readline(LONGEST_LINE + 2)  # type: bytes
    if len(line) <= LONGEST_LINE:
        return line
    while line and not line.endswith(b"\n"):
        line = stream.readline(LONGEST_LINE)
    raise _too_long()


def read_requests(stream, take, refuse):
    # type: (Any, Callable[[dict[str, Any]], object], Callable[[WireError], object]) -> None
    """Hand every request of a byte stream to `take` until it ends, and to `refuse` the error of a line that is none."""
    while True:
        try:
            line = read_line(stream)
            if not line:
                return
            request = parse(line) if line.strip() else None
        except WireError as error:
            refuse(error)
        else:
            if request is not None:
                take(request)


def action(server, request):  # type: (object, dict[str, Any]) -> Callable[[dict[str, Any]], Any]
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
    return WireError("a request of more than %d characters is too long" % LONGEST_LINE)
