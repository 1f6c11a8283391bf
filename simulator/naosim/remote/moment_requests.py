"""The requests of a live server for a recording: all that is to be seen at one moment, and a behaviour's diagrams."""

from __future__ import absolute_import, division, print_function

from naosim.errors import WireError
from naosim.formats import xar
from naosim.remote import diagram_values
from naosim.remote.behaviour_requests import BehaviourRequests
from naosim.remote.body_requests import BodyRequests
from naosim.remote.diagram_requests import DiagramRequests, runs
from naosim.remote.fields import field, text
from naosim.remote.json_lines import encode_unsorted
from naosim.remote.signal_log import address
from naosim.remote.values import DoesNotTravel, packed
from naosim.world.trace import json_line

MYPY = False
if MYPY:
    from typing import Any, Iterator

#: Running boxes of a moment, signals and errors that it holds, and boxes of a behaviour whose diagrams are told.
MOST_RUNNING, MOST_SIGNALS, MOST_ERRORS, MOST_BOXES = 1000, 60, 50, 1500
#: Characters of one value of ALMemory, and of a behaviour's diagrams.
LONGEST_VALUE, LONGEST_BLUEPRINT = 64 * 1024, 3 * 1024 * 1024


class MomentRequests(BehaviourRequests, BodyRequests, DiagramRequests):
    """Tells one program after the other how the robot is; of ALMemory only what has changed since the last moment."""

    _values = {}  # type: dict[str, Any]

    def _do_moment(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Return how the robot is now; the first time with all values of ALMemory, if wanted with those of devices."""
        if field(request, "is_first", (bool,), False):
            self._values = {}
        clock = self.robot.clock
        return {
            "seconds": clock.now(),
            "speed": clock.speed,
            "look": self._do_look(request),
            "behaviour": self._do_behaviour(request),
            "ears": dict(self.robot.ears()._asdict()),
            "memory": self._memory(field(request, "has_devices", (bool,), False)),
            "diagrams": self._diagrams(),
        }

    def _do_blueprint(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Return every diagram of a behaviour, and every box in full by its address."""
        project = self._project(text(request, "behaviour"))
        diagrams, boxes, size = [], {}, 0  # type: list[dict[str, Any]], dict[str, Any], int
        for where, box in _boxes(project.root):
            rows = [diagram_values.diagram(project, where, place) for place in range(max(1, len(xar.diagrams(box))))]
            boxes[where] = diagram_values.details(project, where)
            size += len(encode_unsorted({"rows": rows, "box": boxes[where]}))
            if len(boxes) > MOST_BOXES or size > LONGEST_BLUEPRINT:
                raise WireError("the diagrams of the behaviour are too large to be recorded")
            diagrams += rows
        return {"diagrams": diagrams, "boxes": boxes}

    def _memory(self, has_devices):  # type: (bool) -> dict[str, Any]
        """Return the values of ALMemory that changed, those that are gone, and those of devices if they are wanted."""
        memory, before = self.robot.memory, self._values
        values = self._values = memory.stored_values()
        # What was stored anew is another object.
        changed = {key: _kept(value) for key, value in values.items() if before.get(key, values) is not value}
        gone = [key for key in before if key not in values]
        devices = memory.device_values() if has_devices else {}
        return {"changed": changed, "gone": gone, "devices": {key: _kept(value) for key, value in devices.items()}}

    def _diagrams(self):  # type: () -> dict[str, Any]
        """Return which behaviours are loaded, what runs in them, and the last signals and errors."""
        log, world = self._watch(), self.robot.world
        return {
            "position": log.position,
            "loads": log.loads,
            "latest": self._latest(),
            "known": list(world.projects),
            "live": {identifier: _live(behaviour.root) for identifier, behaviour in world.behaviours.items()},
            "signals": [list(each) for each in log.recent(MOST_SIGNALS)],
            "errors": [
                [list(each.behaviours), each.path, each.time, each.where, each.message, each.handled]
                for each in log.recent_errors(MOST_ERRORS)
            ],
        }


def _boxes(root):  # type: (xar.Box) -> Iterator[tuple[str, xar.Box]]
    """Yield all boxes with their addresses, those around others first."""
    open_boxes = [("", root)]
    while open_boxes:
        where, box = open_boxes.pop()
        yield where, box
        for place, diagram in enumerate(xar.diagrams(box)):
            open_boxes += [(diagram_values.inner(where, child.id, place), child) for child in diagram.boxes]


def _live(root):  # type: (Any) -> dict[str, Any]
    """Return what runs of a loaded behaviour: the boxes that are lit, the open diagrams and cursors of the others."""
    lit, places, cursors, left = [], {}, {}, MOST_RUNNING  # type: list[str], dict[str, Any], dict[str, Any], int
    open_boxes = [root]
    while open_boxes and left:
        box, left = open_boxes.pop(), left - 1
        where = address(box)
        if runs(box):
            lit.append(where)
        if box.timeline is not None:
            cursor = box.timeline
            cursors[where] = [round(cursor.frame(), 1), bool(cursor.is_playing), cursor.fps]
        loaded = [at for at, each in enumerate(box.diagrams) if each.is_loaded]
        if box.diagrams:
            places[where] = loaded
        open_boxes += [child for at in loaded for child in box.diagrams[at].boxes.values()]
    return {"lit": sorted(lit), "places": places, "cursors": cursors}


def _kept(value):  # type: (Any) -> str
    """Return a value of ALMemory as JSON; of one that is too long, or an object, what it is.

    >>> _kept([1, None]), _kept(object())
    ('[1, null]', '"<object>"')
    """
    try:
        found = json_line(packed(value))
    except DoesNotTravel:
        return json_line("<%s>" % type(value).__name__)
    return found if len(found) <= LONGEST_VALUE else json_line("<%d characters>" % len(found))
