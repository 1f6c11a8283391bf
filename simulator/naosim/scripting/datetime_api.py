"""Dates for scripts: `datetime` and the calendar functions of `time`, on the robot's clock and in its time zone, UTC.

Classes cannot be replaced for one thread alone, so those that a script has imported are replaced among its names.
"""

from __future__ import absolute_import, division, print_function

import datetime
import time
import types

from naosim.compat import native
from naosim.kernel.clock import here

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.clock import Clock

#: The moment at which every robot starts, in seconds since 1970.
EPOCH = 1500000000.0

_gmtime = time.gmtime
_asctime = time.asctime
_strftime = time.strftime
_date, _datetime = datetime.date, datetime.datetime


class _ReplacementType(type):
    """The type of a class that replaces another: instances and subclasses of the original count as its own."""

    def __instancecheck__(cls, value):  # type: (Any) -> bool
        return isinstance(value, cls.__mro__[1])

    def __subclasscheck__(cls, kind):  # type: (Any) -> bool
        return issubclass(kind, cls.__mro__[1])


def _replacement(original, readings):  # type: (Any, dict[str, Callable[[float], Any]]) -> Any
    """Make a class that creates the original's objects, with these methods on the robot's clock inside a robot."""

    def reading(name, read):  # type: (str, Callable[[float], Any]) -> Any
        def method(_cls, *args, **kwargs):  # type: (Any, *Any, **Any) -> Any
            clock = here()
            if clock is None or clock.host is None or args or kwargs:
                return getattr(original, name)(*args, **kwargs)
            clock.poll()
            return read(EPOCH + clock.now())

        return classmethod(method)

    members = {name: reading(name, read) for name, read in readings.items()}  # type: dict[str, Any]
    members["__new__"] = lambda _cls, *args, **kwargs: original(*args, **kwargs)
    return _ReplacementType(native(original.__name__), (original,), members)


def _moment(seconds):  # type: (float) -> datetime.datetime
    return _datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)


def _filled(call, place):  # type: (Callable[..., Any], int) -> Callable[..., Any]
    """Wrap a call so that the robot's moment fills in its optional argument at this position."""

    def fill(clock, *args):  # type: (Clock, *Any) -> Any
        return call(*args) if len(args) > place else call(*(args + (_gmtime(EPOCH + clock.now()),)))

    return fill


def calendar(on_clock):  # type: (Callable[[Any, Callable[..., Any]], Any]) -> list[tuple[Any, str, Any]]
    """List what to replace in `time` while scripts run: owner, name and replacement.

    `on_clock` wraps an original and a function of the clock, which replaces it inside robots.
    """
    made = [
        (
            time,
            name,
            on_clock(
                getattr(time, name),
                lambda clock, seconds=None: _gmtime(EPOCH + clock.now() if seconds is None else seconds),
            ),
        )
        for name in ("localtime", "gmtime")
    ]
    made.append(
        (
            time,
            "ctime",
            on_clock(
                time.ctime,
                lambda clock, seconds=None: _asctime(_gmtime(EPOCH + clock.now() if seconds is None else seconds)),
            ),
        )
    )
    return made + [
        (time, "asctime", on_clock(_asctime, _filled(_asctime, 0))),
        (time, "strftime", on_clock(_strftime, _filled(_strftime, 1))),
    ]


def replace(names):  # type: (dict[str, Any]) -> None
    """Replace the machine's `datetime` by the robot's among the names of a script."""
    for name, value in list(names.items()):
        if value is datetime or value is _datetime or value is _date:
            names[name] = _MODULE if value is datetime else _CLASSES[value.__name__]


_CLASSES = {
    "datetime": _replacement(_datetime, {"now": _moment, "utcnow": _moment, "today": _moment}),
    "date": _replacement(_date, {"today": lambda seconds: _moment(seconds).date()}),
}
_MODULE = types.ModuleType(native("datetime"))
_MODULE.__dict__.update(datetime.__dict__)
_MODULE.__dict__.update(_CLASSES)
