"""Dates for scripts: `datetime` and the calendar half of `time`, on the robot's clock and in its own time zone, UTC.

Classes cannot be replaced for one thread alone, so what a script imported at its top is replaced among its own names.
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

#: The date at which every robot wakes.
EPOCH = 1500000000.0

_gmtime = time.gmtime
_asctime = time.asctime
_strftime = time.strftime
_date, _datetime = datetime.date, datetime.datetime


class _Same(type):
    """The class of a replacement for a class: what the original makes counts as made by it."""

    def __instancecheck__(cls, value):
        # type: (Any) -> bool
        return isinstance(value, cls.__mro__[1])

    def __subclasscheck__(cls, kind):
        # type: (Any) -> bool
        return issubclass(kind, cls.__mro__[1])


def _replacement(original, readings):
    # type: (Any, dict[str, Callable[[float], Any]]) -> Any
    """A class that makes the original's objects and reads the robot's clock where there is one."""
    def reading(name, read):
        # type: (str, Callable[[float], Any]) -> Any
        def method(_cls, *args, **kwargs):
            # type: (Any, *Any, **Any) -> Any
            clock = here()
            if clock is None or clock.host is None or args or kwargs:
                return getattr(original, name)(*args, **kwargs)
            clock.poll()
            return read(EPOCH + clock.now())
        return classmethod(method)
    members = {name: reading(name, read) for name, read in readings.items()}  # type: dict[str, Any]
    members["__new__"] = lambda _cls, *args, **kwargs: original(*args, **kwargs)
    return _Same(native(original.__name__), (original,), members)


def _moment(seconds):
    # type: (float) -> datetime.datetime
    return _datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)


def _filled(call, place):
    # type: (Callable[..., Any], int) -> Callable[..., Any]
    """The call with the robot's moment where its optional argument is left out."""
    def fill(clock, *args):
        # type: (Clock, *Any) -> Any
        return call(*args) if len(args) > place else call(*(args + (_gmtime(EPOCH + clock.now()),)))
    return fill


def calendar(on_clock):
    # type: (Callable[[Any, Callable[..., Any]], Any]) -> list[tuple[Any, str, Any]]
    """What to replace in `time` while scripts run: owner, name and replacement."""
    made = [(time, name, on_clock(getattr(time, name), lambda clock, seconds=None: _gmtime(
        EPOCH + clock.now() if seconds is None else seconds))) for name in ("localtime", "gmtime")]
    made.append((time, "ctime", on_clock(time.ctime, lambda clock, seconds=None: _asctime(_gmtime(
        EPOCH + clock.now() if seconds is None else seconds)))))
    return made + [(time, "asctime", on_clock(_asctime, _filled(_asctime, 0))),
                   (time, "strftime", on_clock(_strftime, _filled(_strftime, 1)))]


def replace(names):
    # type: (dict[str, Any]) -> None
    """Gives a script's names the robot's `datetime` where they hold the machine's."""
    for name, value in list(names.items()):
        if value is datetime or value is _datetime or value is _date:
            names[name] = _MODULE if value is datetime else _CLASSES[value.__name__]


_CLASSES = {"datetime": _replacement(_datetime, {"now": _moment, "utcnow": _moment, "today": _moment}),
            "date": _replacement(_date, {"today": lambda seconds: _moment(seconds).date()})}
_MODULE = types.ModuleType(native("datetime"))
_MODULE.__dict__.update(datetime.__dict__)
_MODULE.__dict__.update(_CLASSES)
