"""Calls of functions that scripts pass in (callbacks, timers, threads): an exception fails the run, not the robot."""

from __future__ import absolute_import, division, print_function

from naosim.compat import reason
from naosim.kernel.clock import TaskEnded, here

MYPY = False
if MYPY:
    from typing import Any

    from naosim.world.world import World


def present_world():  # type: () -> World
    """Return the world of the robot whose task is running; raises RuntimeError outside all robots."""
    clock = here()
    if clock is None or clock.host is None:
        raise RuntimeError("there is no robot here: naoqi and qi work inside a running behaviour only")
    return clock.host  # type: ignore[no-any-return]


def guarded(world, call, *args, **kwargs):  # type: (World, Any, *Any, **Any) -> Any
    """Make a call and return its result; an exception becomes an error event, and None is returned."""
    try:
        return call(*args, **kwargs)
    except (TaskEnded, KeyboardInterrupt):
        raise
    except BaseException as error:
        world.trace.note("error", where=name_of(call), message=reason(error), handled=False)
        return None


def is_outside(made):  # type: (Any) -> bool
    """Tell whether a callback or a module belongs to a program outside the robot, and not to a behaviour."""
    return getattr(type(made), "is_foreign", False) is True


def soon_guarded(world, callback, *values):  # type: (World, Any, *Any) -> None
    """Schedule a guarded call of a script's callback at the present instant; the callback itself is the owner."""
    world.clock.soon_for(callback, guarded, world, callback, *values)


def name_of(call):  # type: (Any) -> str
    """Name a call for people: the box and its method, or the function's name."""
    name = getattr(call, "__name__", None) or type(call).__name__
    box = getattr(getattr(call, "__self__", None), "_naosim_box", None)
    return "%s.%s" % (box.path, name) if box is not None else str(name)
