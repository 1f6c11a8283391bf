"""What a script's object asks of its box and of its behaviour; the player provides both. Knows no diagram."""
from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any

    from naosim.world.world import World


class BehaviourContract(object):
    """A behaviour as its boxes see it: its id, its folders, the resources its boxes hold and the robot's world."""

    world = None  # type: World  # type: ignore[assignment]
    id = folder = package = relative = ""  # type: str
    locks = None  # type: Any

    def exit(self):
        # type: () -> None
        """Stop the behaviour from inside, right after the handler returns."""
        raise NotImplementedError


class BoxContract(object):
    """A box as its script sees it: the plan it was made by, its module name, its parameters and its outputs."""

    __slots__ = ()

    behaviour = None  # type: Any
    parent = None  # type: Any
    plan = None  # type: Any
    name = path = ""  # type: str
    is_based = False  # type: bool

    def note(self, kind, **fields):
        # type: (str, **Any) -> None
        """Record an event of this box."""
        raise NotImplementedError

    def fail(self, what, message, handled=False):
        # type: (str, str, bool) -> None
        """Record a failure of this box."""
        raise NotImplementedError

    def parameter(self, name):
        # type: (str) -> Any
        """Return the value of a parameter; raises RuntimeError for an unknown name."""
        raise NotImplementedError

    def set_parameter(self, name, value):
        # type: (str, Any) -> None
        """Store a value in a parameter; raises RuntimeError for one that does not fit."""
        raise NotImplementedError

    def fire(self, port, value):
        # type: (Any, Any) -> None
        """Send a signal out through a port."""
        raise NotImplementedError

    def fire_checked(self, port, value):
        # type: (Any, Any) -> None
        """Send a script's value out; one of the wrong type fails the run."""
        raise NotImplementedError

    def fire_by_name(self, name, value):
        # type: (str, Any) -> None
        """Send a signal out through the output of this name; raises RuntimeError when there is none."""
        raise NotImplementedError

    def script_timeline(self):
        # type: () -> Any
        """Return the timeline of this box for scripts, None when it has none."""
        raise NotImplementedError

    def parent_timeline(self):
        # type: () -> Any
        """Return the timeline of the nearest enclosing box that has one, None when none has."""
        raise NotImplementedError
