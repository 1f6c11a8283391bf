"""The requests of a live server about diagrams: their boxes and links, what runs in them, and one box in full."""

from __future__ import absolute_import, division, print_function

from naosim.compat import INTEGERS, quoted
from naosim.errors import WireError
from naosim.formats import xar
from naosim.remote import diagram_values
from naosim.remote.diagram_values import LONGEST_TEXT, short
from naosim.remote.fields import field, text
from naosim.remote.signal_log import SignalLog

MYPY = False
if MYPY:
    from typing import Any

    from naosim.robot.robot import Robot

#: Signals that one answer holds; a program that asks seldom misses the older ones.
MOST_TOLD = 100


class DiagramRequests(object):
    """Answers about the behaviours that are loaded or were so of late; from the first request on, signals are kept."""

    robot = None  # type: Robot  # type: ignore[assignment]
    _log = None  # type: SignalLog | None

    def end_watching(self):  # type: () -> None
        """Observe the boxes no more."""
        if self._log is not None:
            self._log.close()
            self._log = None

    def _do_diagram(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Describe the content of a box: of the behaviour to look at first, and of its root, if nothing is said."""
        log, world = self._watch(), self.robot.world
        known = [[short(each, LONGEST_TEXT), each in world.behaviours] for each in world.projects]
        identifier = text(request, "behaviour", "") or self._latest()
        if not identifier:
            return {"behaviour": "", "behaviours": known}
        place = field(request, "place", INTEGERS, 0)
        found = diagram_values.diagram(self._project(identifier), text(request, "box", ""), place)
        return dict(found, behaviour=identifier, behaviours=known, loads=log.loads)

    def _do_box(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Describe one box in full, with the values that its parameters have now and its last errors."""
        log = self._watch()
        identifier, address = text(request, "behaviour"), text(request, "box", "")
        found = diagram_values.details(self._project(identifier), address)
        live = self._live(identifier, address)
        for row in found["parameters"] if live is not None else ():
            row["value"] = diagram_values.value_of(live.values.get(row["name"], row["value"]))
        box, _ = diagram_values.box_at(self._project(identifier).root, address)
        errors = [
            [error.time, short(error.where, LONGEST_TEXT), short(error.message, LONGEST_TEXT), error.handled]
            for error in log.errors(identifier)
            if error.path == box.path
        ]
        return dict(found, errors=errors[-diagram_values.MOST_ROWS :], runs=live is not None and runs(live))

    def _do_signals(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Return what happened in a diagram since a position and what runs there; the position alone if nothing did."""
        log = self._watch()
        identifier, address = text(request, "behaviour"), text(request, "box", "")
        since, place = field(request, "since", INTEGERS, -1), field(request, "place", INTEGERS, 0)
        live = self._live(identifier, address)
        cursor = live.timeline if live is not None else None
        if since == log.position and (cursor is None or not cursor.is_playing):
            return {"position": since}
        told = log.signals(since, identifier, address, place)[-MOST_TOLD:]
        return {
            "position": log.position,
            "now": self.robot.clock.now(),
            "is_loaded": live is not None,
            "behaviours": list(self.robot.world.behaviours),
            "latest": self._latest(),
            "loads": log.loads,
            "runs": [child.plan.box.id for child in _children(live, place) if runs(child)],
            "owner_runs": live is not None and runs(live),
            "errors": self._errors(identifier, address, place),
            "signals": [
                [each.number, each.time, each.emitter, each.output, each.receiver, each.input, each.value]
                for each in told
            ],
            "active": [] if live is None else [at for at, each in enumerate(live.diagrams) if each.is_loaded],
            "timeline": None if cursor is None else [cursor.frame(), cursor.is_playing, cursor.fps],
        }

    def _watch(self):  # type: () -> SignalLog
        if self._log is None:
            self._log = SignalLog(self.robot.world)
        return self._log

    def _latest(self):  # type: () -> str
        """Return the behaviour to look at first: the robot's own while it is loaded, else the last one; "" for none."""
        world, front = self.robot.world, self.robot.behaviour
        known = list(world.projects)
        loaded = [each for each in known if each in world.behaviours]
        if front is not None and front.id in loaded:
            return str(front.id)
        return str((loaded or known or [""])[-1])

    def _project(self, identifier):  # type: (str) -> xar.Project
        project = self.robot.world.projects.get(identifier)  # type: xar.Project | None
        if project is None:
            raise WireError("no behaviour %s was loaded of late" % quoted(identifier))
        return project

    def _live(self, identifier, address):  # type: (str, str) -> Any
        """Return the running box with an address, None when its behaviour is not loaded."""
        behaviour = self.robot.world.behaviours.get(identifier)
        box = behaviour.root if behaviour is not None else None  # type: Any
        for keyframe, number in diagram_values.steps(address) if box is not None else ():
            inside = box.diagrams[keyframe].boxes if keyframe < len(box.diagrams) else {}
            box = inside.get(number)
            if box is None:
                raise WireError("the behaviour has no box at %s" % quoted(address))
        return box

    def _errors(self, identifier, address, place):  # type: (str, str, int) -> list[list[int]]
        """Count the errors of each box of a diagram and of what is inside it, and of the owner alone as box 0."""
        owner, _ = diagram_values.box_at(self._project(identifier).root, address)
        inside = xar.diagrams(owner)
        children = inside[place].boxes[: diagram_values.MOST_BOXES] if 0 <= place < len(inside) else ()
        known = dict({child.path: child.id for child in children}, **{str(owner.path): 0})
        return diagram_values.error_counts((error.path for error in self._watch().errors(identifier)), known)


def runs(box):  # type: (Any) -> bool
    """Tell whether a running box is lit: a handler is under way, or it was started and is to say when it stops.

    A script box without an output of nature stopped says nothing, and is over with its handler.
    """
    ends = box.plan.stopped is not None or box.diagrams or box.timeline is not None or box.dialog is not None
    return bool(box.under_way or (box.is_started and ends))


def _children(live, place):  # type: (Any, int) -> list[Any]
    """List the running boxes of a diagram, as many as are drawn."""
    if live is None or not 0 <= place < len(live.diagrams):
        return []
    diagram = live.diagrams[place]
    return [diagram.boxes[child.box.id] for child in diagram.plan.boxes[: diagram_values.MOST_BOXES]]
