"""The interfaces of a box and of its behaviour that the object of a box script uses; the player implements them."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any

    from naosim.world.world import World


class BehaviourContract(object):
    """A behaviour as box scripts see it: its id, its folders, its resource locks and the robot's world."""

    world = None  # type: World  # type: ignore[assignment]
    #: The behaviour's id, its folder, the id of its package, and its folder relative to the package.
    id = folder = package = relative = ""  # type: str
    #: The resource locks: `take(box)` and `drop(box)`.
    locks = None  # type: Any

    def exit(self):  # type: () -> None
        """Schedule the end of the behaviour for right after the running handler has returned."""
        raise NotImplementedError


class BoxContract(object):
    """A box as its script sees it: its names, its parameters, its outputs and its timelines."""

    __slots__ = ()

    #: Its behaviour, the enclosing box (None for the root), and the compiled box it was made from.
    behaviour = None  # type: Any
    parent = None  # type: Any
    plan = None  # type: Any
    #: The module name of its object, and its path in the diagram.
    name = path = ""  # type: str
    #: Whether the script has called GeneratedClass.__init__, as every script has to.
    is_based = False  # type: bool

    def note(self, kind, **fields):  # type: (str, **Any) -> None
        """Record an event of this box."""
        raise NotImplementedError

    def fail(self, what, message, handled=False):  # type: (str, str, bool) -> None
        """Record a failure of this box; `handled` when its onError deals with it."""
        raise NotImplementedError

    def parameter(self, name):  # type: (str) -> Any
        """Return the value of a parameter; raises RuntimeError for an unknown name."""
        raise NotImplementedError

    def set_parameter(self, name, value):  # type: (str, Any) -> None
        """Store a value in a parameter, converted to its type; raises RuntimeError for one that does not fit."""
        raise NotImplementedError

    def fire(self, port, value):  # type: (Any, Any) -> None
        """Send a signal out through an output port."""
        raise NotImplementedError

    def fire_checked(self, port, value):  # type: (Any, Any) -> None
        """Send a script's value out; one of the wrong type is sent too, but fails the run or is warned of."""
        raise NotImplementedError

    def fire_by_name(self, name, value):  # type: (str, Any) -> None
        """Send a signal out through the output of this name; raises RuntimeError when there is none."""
        raise NotImplementedError

    def script_timeline(self):  # type: () -> Any
        """Return the timeline of this box as scripts see it, None when it has none."""
        raise NotImplementedError

    def parent_timeline(self):  # type: () -> Any
        """Return the timeline of the nearest enclosing box that has one, None when none has."""
        raise NotImplementedError
