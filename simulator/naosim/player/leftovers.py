"""Says in words what the clock still has to do when a behaviour is over."""
from __future__ import absolute_import, division, print_function

from naosim.player.box import LiveDiagram
from naosim.player.compiled import TO_INPUT
from naosim.world.callbacks import name_of

MYPY = False
if MYPY:
    from typing import Any

    from naosim.kernel.clock import Appointment


#: Modules whose calls are the robot's own affair.
OWN = ("naosim.services", "naosim.remote.live_server", "naosim.player.installed", "naosim.robot.person")


def left(appointment):
    # type: (Appointment) -> str | None
    """One sentence about what is still due or still runs; None for what only the services know of."""
    owner = getattr(appointment.call, "__self__", None)
    if isinstance(owner, LiveDiagram):
        name = _receiver(owner, appointment.args[0])
    else:
        call = _innermost(appointment)
        if str(getattr(call, "__module__", "")).startswith(OWN):
            return None
        name = name_of(call)
    return "%s is still %s." % (name, "running" if appointment.state == "running" else "due")


def _receiver(diagram, route):
    # type: (LiveDiagram, Any) -> str
    kind, box, port = route
    if kind != TO_INPUT:
        return "%s.%s" % (diagram.owner.path, port.name)
    return "%s.onInput_%s" % (diagram.boxes[box].path, port.name)


def _innermost(appointment):
    # type: (Appointment) -> Any
    """The script's own call inside what the clock was asked to run."""
    for value in (appointment.call,) + tuple(appointment.args):
        owner = getattr(value, "__self__", None)
        call = getattr(owner, "_call", None)
        for inner in (getattr(owner, "_callback", None), call[0] if isinstance(call, tuple) else None):
            if callable(inner):
                return inner
        if callable(value) and not str(getattr(value, "__module__", "")).startswith("naosim."):
            return value
    return appointment.call
