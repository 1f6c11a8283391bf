"""One name on Python 2.7 and 3 for texts, integers, threads, clocks, JSON, quoting, processes and installed files."""

from __future__ import absolute_import, division, print_function

import json
import select
import sys
import threading
import time as _time

try:
    import _thread
    import builtins
    import importlib
    import importlib.util
    import queue
    import selectors
    from importlib import machinery
except ImportError:  # Python 2.7
    machinery = selectors = None  # type: ignore
    import __builtin__ as builtins  # type: ignore
    import Queue as queue  # type: ignore
    import thread as _thread  # type: ignore

MYPY = False
if MYPY:
    from typing import Any, Callable

    #: A value that NAOqi passes between robot and scripts: None, a bool, a number, a text, bytes, or a list or map of
    #: these. It is an object, so that code has to check its type before it uses it.
    ALValue = object
    #: A value decoded from JSON, or made for it. It has no type: only code that knows the message knows its parts.
    JsonValue = Any

PY2 = sys.version_info[0] == 2

#: The types of a text: one on Python 3, two on 2.7.
TEXTS = (str,) if not PY2 else (str, type(b"".decode("ascii")))  # type: tuple[type, ...]
#: The type of Unicode text, which NAOqi refuses on 2.7; on Python 3 the same as `str`.
UNICODE = type(b"".decode("ascii"))
INTEGERS = (int,) if not PY2 else (int, long)  # type: ignore  # noqa: F821
NUMBER_TYPES = INTEGERS + (float,)

MOST_VALUES = 400000  # values in one JSON text from outside: a limit on the memory that they need
_MAX_INTEGER_DIGITS = 1000  # digits of an integer in JSON: converting far more takes long


def read_distribution_file(distribution, name):  # type: (str, str) -> str
    """Return a file that pip wrote about an installed distribution, "" if none exists, as on Python 2.7."""
    try:
        # An import of some milliseconds, only for a sentence about something that is missing.
        from importlib import metadata

        return metadata.distribution(distribution).read_text(name) or ""
    except ImportError:
        return ""


# Threads. In a web browser Python has none: there they are stacks, of which only one can run.
#: A function that is called again and again in loops, because no other thread can end them; None if threads can.
watch_loops = None  # type: Callable[[Callable[[], object], str], None] | None
#: A function that suspends the thread until a promise of the browser is resolved; None elsewhere.
wait_for_promise = None  # type: Callable[[object], None] | None
_threads, real_sleep = _thread, _time.sleep  # type: Any, Callable[[float], None]
if sys.platform == "emscripten":
    from naosim import stacks as _threads

    real_sleep, watch_loops, wait_for_promise = _threads.real_sleep, _threads.watch_loops, _threads.wait_for
allocate_lock, get_ident, start_new_thread = _threads.allocate_lock, _threads.get_ident, _threads.start_new_thread
thread_module = _thread
queue_module = queue
builtins_module = builtins
#: None on Python 2.7, which lacks these modules.
selectors_module = selectors  # type: object
import_machinery = machinery  # type: Any
#: The loader of modules from files, and the function that decodes their source; object and None on 2.7.
SourceLoader = machinery.SourceFileLoader if machinery else object  # type: Any
decoded_source = importlib.util.decode_source if machinery else None  # type: Any
#: The threads that `threading.enumerate()` lists: a script's `current_thread()` adds its own, which a worker removes.
KNOWN_THREADS = threading._active  # type: ignore[attr-defined]
real_select = select.select
real_monotonic = getattr(_time, "monotonic", _time.time)  # type: Callable[[], float]


def native(text):  # type: (object) -> str
    """Convert a text to `str`: to UTF-8 bytes on 2.7, as NAOqi passes them; unchanged on Python 3."""
    if PY2:
        return text.encode("utf-8") if isinstance(text, UNICODE) else str(text)  # type: ignore
    return str(text)


def to_unicode(text):  # type: (object) -> str
    """Convert a text to Unicode; decode bytes as UTF-8, with U+FFFD for a bad byte."""
    if isinstance(text, bytes):
        return text.decode("utf-8", "replace")
    return UNICODE(text)


def unescape(text):  # type: (str) -> str
    """Return the Unicode text for ASCII text with escapes, which no literal writes for both Pythons.

    >>> unescape(r"\\u00fc") == b"\\xc3\\xbc".decode("utf-8")
    True
    """
    return text.encode("ascii").decode("unicode_escape")


def natively(value):  # type: (Any) -> object
    """Convert every text in a decoded JSON value to `str`.

    >>> natively([u"a", {u"b": 1}])
    ['a', {'b': 1}]
    """
    kind = type(value)
    if kind is UNICODE:
        return value.encode("utf-8") if PY2 else value
    if kind is list:
        return [natively(item) for item in value]
    if kind is dict:
        return {natively(key): natively(item) for key, item in value.items()}
    return value


class TooManyValues(ValueError):
    """JSON with more values than allowed; they take far more memory than the text."""


def from_json(text, most_values=None):  # type: (str, int | None) -> JsonValue
    """Decode JSON, with every text as `str`.

    Raises ValueError if the text is not JSON, is nested too deeply or can have more than `most_values` values.

    >>> from_json('{"a": [1, 2.5, null]}')
    {'a': [1, 2.5, None]}
    """
    if most_values is not None and len(text) > most_values and values_in(text) > most_values:
        raise TooManyValues(most_values)
    try:
        decoded = _DECODER.decode(text)
        # On Python 3 every text is a `str` already.
        return natively(decoded) if PY2 else decoded
    except RuntimeError:
        # Python's recursion limit.
        raise ValueError("nested too deeply")


def values_in(text):  # type: (str) -> int
    """Return an upper bound of the number of values in JSON: even an empty list takes 20 times its text in memory."""
    return 1 + sum(text.count(sign) for sign in (",", "[", "{"))


def _integer(text):  # type: (str) -> int
    """Convert the digits of a JSON number; raises ValueError for too many."""
    if len(text) > _MAX_INTEGER_DIGITS:
        raise ValueError("a number of %d digits" % len(text))
    return int(text)


_DECODER = json.JSONDecoder(parse_int=_integer)


def quote(text):  # type: (object) -> str
    """Put a text between double quotes for a message, at most 200 letters of it, the same on both Pythons.

    >>> print(quote("Say"), quote(3))
    "Say" 3
    """
    if not isinstance(text, (bytes, UNICODE)):
        return repr(text)[:200]
    return native(json.dumps(to_unicode(text)[:200], ensure_ascii=False))


def reason(error):  # type: (BaseException) -> str
    """Return the type and the message of an exception on one line.

    >>> reason(ValueError("two\\n  lines"))
    'ValueError: two lines'
    """
    name, text = type(error).__name__, ""
    for convert in (str, UNICODE):
        try:
            text = native(convert(error))
            break
        except Exception:  # A script's class can have a broken __str__; 2.7 also fails for accents.
            continue
    return name + ": " + " ".join(text.split()) if text else name


def take(lock, seconds):  # type: (Any, float) -> bool
    """Try to acquire the lock for `seconds` real seconds; unlike 2.7's own acquire, Ctrl-C interrupts it."""
    if not PY2:
        return bool(lock.acquire(True, seconds))
    pause = 0.00002
    for _ in range(20):
        if lock.acquire(False):
            return True
        real_sleep(0)
    end = real_monotonic() + seconds
    while not lock.acquire(False):
        if real_monotonic() >= end:
            return False
        real_sleep(pause)
        pause = min(pause * 1.5, 0.02)
    return True
