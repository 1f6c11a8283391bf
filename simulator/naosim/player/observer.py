"""What is told of running boxes beyond the trace: signals on links, and boxes that begin or end something.

An observer stands in `World.observers`. It is called in the middle of what boxes do, so it may neither wait nor raise.
"""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any

    from naosim.player.contracts import PlayedBehaviour, PlayedBox, PlayedDiagram


class BehaviourObserver(object):
    """One who watches every behaviour of a robot; these methods do nothing."""

    def loaded(self, behaviour):  # type: (PlayedBehaviour) -> None
        """Note that a behaviour is being loaded; its boxes are new."""

    def unloaded(self, behaviour):  # type: (PlayedBehaviour) -> None
        """Note that a behaviour is unloaded."""

    def changed(self, box):  # type: (PlayedBox) -> None
        """Note that a box was started or stopped, or that a handler of it begins or returns."""

    def signalled(self, diagram, emitter, output, route, value):
        # type: (PlayedDiagram, int, int, tuple[int, int, Any], Any) -> None
        """Note a signal that enters a link: from a port of the box `emitter` (0 is the owner) along the route."""
