"""The leak check: subscriptions, scheduled calls and entries of sys.path left open when a behaviour is over."""

from __future__ import absolute_import, division, print_function

from naosim.player.box import LiveDiagram
from naosim.player.compiled import TO_INPUT
from naosim.player.contracts import PlayedBehaviour, PlayedBox
from naosim.world.callbacks import name_of

MYPY = False
if MYPY:
    from typing import Any

    from naosim.kernel.clock import ScheduledCall
    from naosim.world.world import World


def left_open(world):  # type: (World) -> list[str]
    """List what is left open outside the boxes of any one behaviour, one sentence each."""
    found = []  # type: list[str]
    for name in sorted(world.services):
        found += getattr(world.services[name], "leftovers", list)()
    found += [left for left in map(_left, world.clock.pending()) if left is not None]
    return found + world.interpreter.leaks()


def _left(scheduled):  # type: (ScheduledCall) -> str | None
    """Say in one sentence that a scheduled call is still due or running; return None for a call of the robot's own."""
    if scheduled.owner is None:
        return None
    if isinstance(scheduled.owner, LiveDiagram) and scheduled.args:
        name = _receiver(scheduled.owner, scheduled.args[0])
    else:
        name = _name(scheduled.owner)
    return "%s is still %s." % (name, "running" if scheduled.state == "running" else "due")


def _receiver(diagram, route):  # type: (LiveDiagram, Any) -> str
    kind, box, port = route
    if kind != TO_INPUT:
        return "%s.%s" % (diagram.owner.path, port.name)
    return "%s.onInput_%s" % (diagram.boxes[box].path, port.name)


def _name(owner):  # type: (Any) -> str
    if isinstance(owner, PlayedBox):
        return owner.path
    if isinstance(owner, PlayedBehaviour):
        return owner.id
    return name_of(owner)
