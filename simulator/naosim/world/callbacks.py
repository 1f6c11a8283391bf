"""Runs what scripts hand over (callbacks, timers, threads), so that an exception fails the run instead of the robot."""
from __future__ import absolute_import, division, print_function

from naosim.compat import reason
from naosim.kernel.clock import TaskEnded, here

MYPY = False
if MYPY:
    from typing import Any

    from naosim.robot.robot import Robot


def present_robot():
    # type: () -> Robot
    """The robot whose task is running; raises RuntimeError outside of all robots."""
    clock = here()
    if clock is None or clock.host is None:
        raise RuntimeError("there is no robot here: naoqi and qi work inside a running behaviour only")
    return clock.host  # type: ignore[no-any-return]


def guarded(robot, call, *args, **kwargs):
    # type: (Robot, Any, *Any, **Any) -> Any
    """The call's result; an exception becomes an error event and None."""
    try:
        return call(*args, **kwargs)
    except (TaskEnded, KeyboardInterrupt):
        raise
    except BaseException as error:
        robot.trace.note("error", where=name_of(call), message=reason(error), handled=False)
        return None


def is_outside(made):
    # type: (Any) -> bool
    """Whether a callback or a module belongs to a program outside of the robot, and not to a behaviour."""
    return getattr(type(made), "is_foreign", False) is True


def name_of(call):
    # type: (Any) -> str
    """A name for people: the box and its method, or the function's name."""
    name = getattr(call, "__name__", None) or type(call).__name__
    box = getattr(getattr(call, "__self__", None), "_naosim_box", None)
    return "%s.%s" % (box.path, name) if box is not None else str(name)
