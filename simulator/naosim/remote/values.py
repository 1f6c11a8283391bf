"""ALValues as JSON, on their way between a live server and its client: bytes and dicts are marked as such."""

from __future__ import absolute_import, division, print_function

import base64

from naosim.compat import INTEGERS, PY2, TEXTS, UNICODE, natively

MYPY = False
if MYPY:
    from typing import Any, Callable

#: How deep lists may lie in one another.
DEEPEST = 32

BYTES, DICT = "bytes", "dict"


class DoesNotTravel(RuntimeError):
    """The value is an object, which stays inside the robot, or its lists lie too deep in one another."""


def packed(value, depth=0):  # type: (Any, int) -> Any
    """Return the value as JSON has it; raises DoesNotTravel for objects.

    >>> packed([True, (1, bytearray(b"ab")), {"a": None}])
    [True, [1, {'bytes': 'YWI='}], {'dict': {'a': None}}]
    """
    if value is None or isinstance(value, (bool, float) + INTEGERS):
        return value
    if depth > DEEPEST:
        raise DoesNotTravel("lists may be %d deep" % DEEPEST)
    if isinstance(value, TEXTS):
        return _text(value)
    if isinstance(value, (bytes, bytearray)):
        return {BYTES: base64.b64encode(bytes(value)).decode("ascii") if not PY2 else base64.b64encode(bytes(value))}
    if isinstance(value, (list, tuple)):
        return [packed(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {DICT: {str(key): packed(item, depth + 1) for key, item in value.items()}}
    raise DoesNotTravel("a %s does not travel: it is no text, number, list or dict" % type(value).__name__)


def unpacked(value, raw=bytearray):  # type: (Any, Callable[[Any], Any]) -> Any
    """Return the value that was packed, every text as `str`, bytes as `raw(bytes)`; raises ValueError.

    >>> unpacked([True, {"dict": {"a": 1.5}}])
    [True, {'a': 1.5}]
    """
    if isinstance(value, list):
        return [unpacked(item, raw) for item in value]
    if isinstance(value, dict):
        if set(value) == {BYTES} and isinstance(value[BYTES], TEXTS):
            return raw(_decoded(value[BYTES]))
        if set(value) == {DICT} and isinstance(value[DICT], dict):
            return {natively(key): unpacked(item, raw) for key, item in value[DICT].items()}
        raise ValueError("an object in a value is neither bytes nor a dict")
    return natively(value)


def _text(value):  # type: (Any) -> Any
    """Return a text as JSON has it: 2.7's `str` that is no UTF-8 travels as bytes."""
    if PY2 and not isinstance(value, UNICODE):
        try:
            value.decode("utf-8")
        except UnicodeDecodeError:
            return {BYTES: base64.b64encode(value)}
    return value


def _decoded(text):  # type: (Any) -> bytes
    try:
        return base64.b64decode(text.encode("ascii"))
    except (TypeError, ValueError):
        raise ValueError("the bytes of a value are no base64")
