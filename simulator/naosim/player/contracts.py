"""The interfaces through which the parts of the player use each other: running boxes, diagrams and behaviours.

`player.box` and `player.behaviour` implement them; as the other modules import only these, there is no import cycle.
"""

from __future__ import absolute_import, division, print_function

from naosim.scripting.box_contract import BehaviourContract, BoxContract

MYPY = False
if MYPY:
    from typing import Any

    from naosim.player.compiled import CompiledDiagram


class PlayedBox(BoxContract):
    """One box of a running behaviour, as timelines, Dialog boxes and resource locks see it."""

    __slots__ = ()

    #: Its running diagrams, one per keyframe, and its DialogTopic, None unless it is a Dialog box.
    diagrams = ()  # type: Any
    dialog = None  # type: Any
    is_loaded = False  # type: bool

    def changed(self):  # type: () -> None
        """Tell the observers that the box has begun or ended something."""
        raise NotImplementedError

    def is_inside(self, other):  # type: (Any) -> bool
        """Tell whether this box is the other box or lies in it."""
        raise NotImplementedError

    def lose(self, resource):  # type: (str) -> None
        """Give up a resource that another box demands."""
        raise NotImplementedError


class PlayedDiagram(object):
    """One diagram of a running behaviour, as the timeline that loads it sees it."""

    __slots__ = ()

    plan = None  # type: CompiledDiagram  # type: ignore[assignment]

    def load(self):  # type: () -> None
        """Load every box, in document order."""
        raise NotImplementedError

    def unload(self):  # type: () -> None
        """Cut the links, then unload every box, in document order."""
        raise NotImplementedError

    def emit(self, box, port, value):  # type: (int, int, Any) -> None
        """Queue one delivery for each link that leaves this port; box 0 is the owner."""
        raise NotImplementedError


class PlayedBehaviour(BehaviourContract):
    """A running behaviour, as its boxes and their Dialog topics see it."""

    #: Its AnsweredByHand, and how often its root has fired onStopped.
    dialogs = None  # type: Any
    times_stopped = 0  # type: int

    def box(self, path):  # type: (str) -> Any
        """Return the box with this path; raises WrongUse when there is none."""
        raise NotImplementedError

    def names(self):  # type: () -> dict[str, Any]
        """Return the names a script finds without import, in a new dict for every script."""
        raise NotImplementedError

    def translated(self, path, parameter, text):  # type: (str, str, str) -> str
        """Translate the text of a box's parameter into the robot's language, if the package has a translation."""
        raise NotImplementedError

    def finish(self):  # type: () -> None
        """Unload everything after the root's onStopped and record the end; has to run as a task."""
        raise NotImplementedError
