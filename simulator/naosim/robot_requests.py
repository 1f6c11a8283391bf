"""The requests of a server for a page that shows a robot: behaviours, the body and diagrams.

Diagrams are plain values of limited size. `_SignalLog` remembers the latest signals and errors of boxes. Each class
answers the requests about one subject; `ask_parts` finds the one that answers a request.
"""

from __future__ import absolute_import, division, print_function

import re
from collections import Counter, deque, namedtuple

from naosim import xar
from naosim.body import LED_GROUPS
from naosim.box_scripts import last_frame
from naosim.compat import INTEGERS, NUMBER_TYPES, TEXTS, quote, to_unicode
from naosim.errors import WireError
from naosim.lint import judge
from naosim.remote import read_field, read_text_field
from naosim.robot import Robot
from naosim.services.motion import ALMotion
from naosim.services.touch import ALTouch
from naosim.services.voice import ALTextToSpeech
from naosim.verbs import DRIVING, read_arguments
from naosim.world import Event, World

MYPY = False
if MYPY:
    from typing import Any, Iterable, Mapping

    from naosim.compat import JsonValue

# Diagrams as plain values.
#
# The address of a box has the ids from the root to the box, joined by two underscores, such as "3__1"; the root has
# "". If the box around it has several keyframes, "k" and the keyframe's index follow the id: "3__1k2".

# Limits of an answer, because a page cannot draw more.
_MAX_BOXES = 300  # boxes of one diagram
_MAX_LINKS = 1000  # links of one diagram
_MAX_PORTS = 30  # ports on one side of a box
_MAX_KEYFRAMES = 60  # keyframes of a timeline
_MAX_CURVES = 30  # joints that a timeline moves
_MAX_KEYS = 200  # keys of a joint
_MAX_NAME_LENGTH = 80  # letters of a name
_MAX_TEXT = 1000  # letters of a longer text
_MAX_SCRIPT_LENGTH = 20000  # letters of a script
_MAX_ROWS = 40  # parameters, resources and findings of one box

_ADDRESS_STEP = re.compile(r"([0-9]{1,10})(?:k([0-9]{1,9}))?\Z")
_INPUT_NATURES = dict(enumerate(("onLoad", "event", "onStart", "onStop", "memory")))
_OUTPUT_NATURES = {xar.STOPPED: "stopped", xar.PUNCTUAL: "punctual"}
_PARAMETER_TYPES = ("bool", "int", "double", "string", "resource", "localized")


def _parse_address(address):  # type: (str) -> list[tuple[int, int]]
    """Return the path to a box: for each step the index of the keyframe and the box's id; raises WireError.

    >>> _parse_address("3__1k2"), _parse_address("")
    ([(0, 3), (2, 1)], [])
    """
    found = []
    for part in address.split("__") if address else ():
        step = _ADDRESS_STEP.match(part)
        if step is None:
            raise WireError("%s is not an address of a box" % quote(address))
        found.append((int(step.group(2) or 0), int(step.group(1))))
    return found


def _find_box(root, address):  # type: (xar.Box, str) -> tuple[xar.Box, list[list[object]]]
    """Return the box with an address and the path to it, as [address, name, keyframe] each; raises WireError."""
    box, trail, so_far = root, [["", shorten(root.name), 0]], ""
    for keyframe, number in _parse_address(address):
        inside = xar.diagrams(box)
        children = inside[keyframe].boxes if keyframe < len(inside) else ()
        child = next((each for each in children if each.id == number), None)
        if child is None:
            raise WireError("the behaviour has no box at %s" % quote(address))
        trail[-1][2] = keyframe
        so_far = inner_address(so_far, number, keyframe)
        trail.append([so_far, shorten(child.name), 0])
        box = child
    return box, trail


def inner_address(address, number, keyframe):  # type: (str, int, int) -> str
    """Return the address of a box inside the box with this address.

    >>> inner_address("", 3, 0), inner_address("3", 1, 2)
    ('3', '3__1k2')
    """
    own = "%dk%d" % (number, keyframe) if keyframe else str(number)
    return "%s__%s" % (address, own) if address else own


def error_counts(paths, numbers):  # type: (Iterable[str], dict[str, int]) -> list[list[int]]
    """Count the errors of boxes in a diagram, given by path, as [id, count] each.

    `numbers` has the boxes' ids by path, 0 for the owner of the diagram. An error inside a box counts for that box. An
    error in another diagram of the owner does not count.

    >>> error_counts(["A/B", "A/B/C", "A", "A/D"], {"A": 0, "A/B": 3})
    [[0, 1], [3, 2]]
    """
    counts = {}  # type: dict[int, int]
    for first in paths:
        path = first
        while path and path not in numbers:
            path = path.rpartition("/")[0]
        if path in numbers and (numbers[path] or path == first):
            counts[numbers[path]] = counts.get(numbers[path], 0) + 1
    return sorted([number, count] for number, count in counts.items())


def _describe_diagram(project, address, place):  # type: (xar.Project, str, int) -> dict[str, JsonValue]
    """Return the diagram of a box at the keyframe with the index `place`, and its timeline."""
    box, trail = _find_box(project.root, address)
    inside = xar.diagrams(box)
    place = max(0, min(place, len(inside) - 1))
    trail[-1][2] = place
    children, links = (inside[place].boxes, inside[place].links) if inside else ((), ())
    findings = _errors(project)
    shown = children[:_MAX_BOXES]
    known = {child.id for child in shown} | {0}
    drawn = [link for link in links if link.emitter in known and link.receiver in known]
    return {
        "address": address,
        "trail": trail,
        "owner": _describe_box(box, address, findings),
        "place": place,
        "boxes": [_describe_box(child, inner_address(address, child.id, place), findings) for child in shown],
        "links": [[link.emitter, link.output, link.receiver, link.input] for link in drawn[:_MAX_LINKS]],
        "left_out": [len(children) - len(shown), len(links) - len(drawn[:_MAX_LINKS])],
        "keyframes": _describe_keyframes(box)[:_MAX_KEYFRAMES],
        "timeline": _describe_timeline(box),
    }


def _describe_box(box, address, findings):  # type: (xar.Box, str, Mapping[str, int]) -> dict[str, JsonValue]
    """Return a box as it is drawn: place, name, kind and ports."""
    return {
        "id": box.id,
        "address": address,
        "name": shorten(box.name),
        "x": box.x,
        "y": box.y,
        "kind": _box_kind(box),
        "opens": _is_diagram(box) or bool(box.timeline is not None and box.timeline.curves),
        "tooltip": shorten(box.tooltip, _MAX_TEXT),
        "inputs": _describe_ports(box.inputs, _INPUT_NATURES),
        "outputs": _describe_ports(box.outputs, _OUTPUT_NATURES),
        "parameters": [[each.id, shorten(each.name)] for each in box.parameters[:_MAX_ROWS]],
        "findings": findings.get(box.path, 0),
    }


def _describe_ports(ports, natures):  # type: (Any, dict[int, str]) -> list[list[object]]
    return [[each.id, shorten(each.name), each.type, natures.get(each.nature, "")] for each in ports[:_MAX_PORTS]]


def _describe_box_details(project, address):  # type: (xar.Project, str) -> dict[str, JsonValue]
    """Return the details of a box: script, parameters, resources, and the lint's findings."""
    box, trail = _find_box(project.root, address)
    told = [each for each in judge(project) if each.box == box.path and each.severity != "remark"]
    found = _describe_box(box, address, _errors(project))
    return dict(
        found,
        trail=trail,
        path=shorten(box.path, _MAX_TEXT),
        plugin=shorten(box.plugin),
        script=shorten(box.script, _MAX_SCRIPT_LENGTH),
        is_cut=len(box.script) > _MAX_SCRIPT_LENGTH,
        script_line=box.script_line,
        dialog=shorten(box.dialog or "", _MAX_TEXT),
        parameters=[_describe_parameter(each) for each in box.parameters[:_MAX_ROWS]],
        resources=[[shorten(each.name), shorten(each.type), each.timeout] for each in box.resources[:_MAX_ROWS]],
        lint=[[each.severity, each.rule, shorten(each.sentence, _MAX_TEXT)] for each in told[:_MAX_ROWS]],
    )


def _describe_parameter(each):  # type: (xar.Parameter) -> dict[str, JsonValue]
    kind, value, default = _PARAMETER_TYPES[each.type], _short_value(each.value), _short_value(each.default)
    return {"name": shorten(each.name), "type": kind, "inherits": each.inherits, "value": value, "default": default}


def _describe_keyframes(box):  # type: (xar.Box) -> list[list[object]]
    """List the keyframes of a box: [frame, name, layer, number of boxes]."""
    layers = box.timeline.layers if box.timeline is not None else ()
    frames = [(number, frame) for number, layer in enumerate(layers) for frame in layer.keyframes]
    return [[frame.index, shorten(frame.name), number, len(frame.diagram.boxes)] for number, frame in frames]


def _describe_timeline(box):  # type: (xar.Box) -> dict[str, JsonValue] | None
    """Return the timeline of a box, None if it has no enabled one."""
    model = box.timeline
    if model is None or not model.enabled:
        return None
    curves = [curve for curve in model.curves if curve.keys]
    rows = [(curve, [frame for frame, _ in curve.keys[:_MAX_KEYS]]) for curve in curves[:_MAX_CURVES]]
    return {
        "fps": model.fps,
        "start": model.start,
        "end": last_frame(model),
        "layers": [shorten(layer.name) for layer in model.layers[:_MAX_KEYFRAMES]],
        "curves": [[shorten(curve.actuator), bool(curve.mute), frames] for curve, frames in rows],
        "left_out": max(0, len(curves) - _MAX_CURVES),
    }


def _box_kind(box):  # type: (xar.Box) -> str
    """Return the kind of a box: "dialog", "timeline", "diagram", "script" (only a script), or "empty"."""
    if box.dialog is not None:
        return "dialog"
    if box.timeline is not None and box.timeline.enabled:
        return "timeline"
    if _is_diagram(box):
        return "diagram"
    return "script" if box.script else "empty"


def _is_diagram(box):  # type: (xar.Box) -> bool
    return any(each.boxes for each in xar.diagrams(box))


def shorten(text, longest=_MAX_NAME_LENGTH):  # type: (object, int) -> object
    """Return the first letters of a text."""
    return to_unicode(text)[:longest]


def _short_value(value):  # type: (object) -> object
    return shorten(value, _MAX_TEXT) if isinstance(value, TEXTS) else value


def _errors(project):  # type: (xar.Project) -> Mapping[str, int]
    """Return the number of the lint's errors for each box's path."""
    return Counter(each.box for each in judge(project) if each.severity == "error")


# The latest signals and errors of boxes.

_MAX_KEPT_SIGNALS = 500  # signals that are remembered
_MAX_KEPT_ERRORS = 200  # errors that are remembered
_MAX_VALUE_LENGTH = 80  # letters of a signal's value

#: A signal on a link; `owner` is the address of the diagram's box, `diagram` the index of its keyframe.
Signal = namedtuple("Signal", "number time behaviour owner diagram emitter output receiver input value")
#: An error of a box, or of a callback of its script.
BoxError = namedtuple("BoxError", "time behaviours path where message handled")


class _SignalLog(object):
    """An observer of boxes that remembers the latest signals and errors, and counts all changes.

    The player calls it while boxes run, so it must not wait or raise. `notice_change` says that a box or one of its
    handlers has begun or ended.
    """

    def __init__(self, world):  # type: (World) -> None
        self._world = world
        self._signals = deque(maxlen=_MAX_KEPT_SIGNALS)  # type: deque[Signal]
        self._errors = deque(maxlen=_MAX_KEPT_ERRORS)  # type: deque[BoxError]
        self.position = 0  # the number of changes so far
        self.loads = 0  # the number of times that a behaviour was loaded
        for event in world.trace.errors[-_MAX_KEPT_ERRORS:]:
            self._remember(event, tuple(world.behaviours) or tuple(world.projects)[-1:])
        world.observers.append(self)
        world.trace.listeners.append(self._note)

    def notice_load(self, behaviour):  # type: (Any) -> None
        """Forget the errors of the behaviour's last run."""
        self.position += 1
        self.loads += 1
        kept = [error for error in self._errors if error.behaviours != (behaviour.id,)]
        self._errors = deque(kept, maxlen=_MAX_KEPT_ERRORS)

    def notice_change(self, _box):  # type: (object) -> None
        self.position += 1

    notice_unload = notice_change

    def notice_signal(self, diagram, emitter, output, route, value):
        # type: (Any, int, int, tuple[int, int, Any], object) -> None
        self.position += 1
        box, now = diagram.owner, self._world.clock.now()
        owner = (box.behaviour.id, _box_address(box), box.plan.diagrams.index(diagram.plan))
        link = (emitter, output, route[1], route[2].id, _value_text(value))
        self._signals.append(Signal(*((self.position, now) + owner + link)))

    def signals(self, since, behaviour, owner, diagram):  # type: (int, str, str, int) -> list[Signal]
        wanted = (behaviour, owner, diagram)
        found = [each for each in self._signals if (each.behaviour, each.owner, each.diagram) == wanted]
        return [each for each in found if each.number > since]

    def errors(self, behaviour):  # type: (str) -> list[BoxError]
        return [error for error in self._errors if behaviour in error.behaviours]

    def _note(self, event):  # type: (Event) -> None
        if event.kind == "error":
            self.position += 1
            self._remember(event, tuple(self._world.behaviours))

    def _remember(self, event, behaviours):  # type: (Event, tuple[str, ...]) -> None
        """Remember an error; an error of a callback has no box, only its name, which begins with the box's path."""
        fields, where = event.fields, event.fields["where"]
        path, handled = fields.get("box") or where.rpartition(".")[0], bool(fields.get("handled"))
        self._errors.append(BoxError(event.time, behaviours, path, where, fields["message"], handled))


def _box_address(box):  # type: (Any) -> str
    root = box.behaviour.root.name  # type: str
    return str(box.name[len(root) + 2 :])


def _value_text(value):  # type: (object) -> str
    """Return the first letters of a value as text, "" for None; of a list, only its length.

    >>> _value_text(None), _value_text(3), _value_text([1, 2])
    ('', '3', 'list of 2')
    """
    try:
        return _text(value)
    except Exception:
        # Classes of scripts can raise anything here, and a box must not fail because a page watches it.
        return type(value).__name__


def _text(value):  # type: (object) -> str
    if value is None:
        return ""
    if isinstance(value, TEXTS):
        return quote(to_unicode(value)[:_MAX_VALUE_LENGTH])
    if isinstance(value, (bytes, bytearray)):
        return "%d bytes" % len(value)
    if isinstance(value, (list, tuple, dict, set)):
        return "%s of %d" % (type(value).__name__, len(value))
    return to_unicode(repr(value))[:_MAX_VALUE_LENGTH] if isinstance(value, NUMBER_TYPES) else type(value).__name__


# Requests about the behaviour and the speed of time.


def ask_parts(parts, verb, request):  # type: (Iterable[object], object, dict[str, JsonValue]) -> JsonValue
    """Let the first part that has the method `_do_VERB` answer a request; raises WireError if all lack it."""
    name = "_do_%s" % verb if isinstance(verb, str) else ""
    for part in parts:
        if hasattr(part, name):
            return getattr(part, name)(request)
    raise WireError("do not know how to %s" % quote(verb))


MAX_SPEED = 1000.0  # simulated seconds per second
_MAX_STEP_S = 0.5  # simulated seconds of one step


class BehaviourRequests(object):
    """Requests that load, start and stop the robot's main behaviour and change the speed of time."""

    def __init__(self, robot):  # type: (Robot) -> None
        self.robot = robot
        self._started = None  # type: object

    def _do_load(self, request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Stop the loaded behaviour, read another one and load its boxes."""
        robot = self.robot
        loaded = robot.read(*read_arguments(DRIVING, request))
        self._interrupt()
        robot.take_on(loaded)
        loaded.load()
        return self._do_behaviour(request)

    def _do_start(self, request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Start the loaded behaviour, again if it was started before."""
        behaviour = self.get_loaded()
        if self.has_started():
            self._interrupt()
        self._started = behaviour
        self.robot.start(behaviour)
        return self._do_behaviour(request)

    def _do_stop(self, request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        self.get_loaded()
        self._interrupt()
        return self._do_behaviour(request)

    def _do_behaviour(self, _request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Return the id of the loaded behaviour and whether it runs."""
        behaviour = self.robot.behaviour
        if behaviour is None:
            return {"id": "", "runs": False}
        return {"id": behaviour.id, "runs": behaviour.is_loaded and not behaviour.ended}

    def _do_pace(self, request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Change the speed of time (0 pauses it); return the speed and the time."""
        clock = self.robot.clock
        speed = float(read_field(request, "speed", NUMBER_TYPES, clock.speed))
        if not 0 <= speed <= MAX_SPEED:
            raise WireError("a speed of %r is not between 0 and %d" % (speed, MAX_SPEED))
        clock.pace(speed)
        return {"speed": clock.speed, "seconds": clock.now()}

    def _do_step(self, _request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Pause time after a jump to the next scheduled call."""
        found = self._do_pace({"speed": 0.0})
        self.robot.clock.step(_MAX_STEP_S)
        return dict(found, seconds=self.robot.clock.now())

    def _interrupt(self):  # type: () -> None
        behaviour = self.robot.behaviour
        if behaviour is not None and behaviour.is_loaded:
            behaviour.interrupt()

    def has_started(self):  # type: () -> bool
        """Return whether a request has started the loaded behaviour."""
        return self._started is not None and self._started is self.robot.behaviour

    def get_loaded(self):  # type: () -> Any
        """Return the loaded behaviour; raises WireError if none exists."""
        if self.robot.behaviour is None:
            raise WireError("no behaviour is loaded: ask for load first")
        return self.robot.behaviour


# The request for the visible state of the robot.

LIGHTS = tuple(LED_GROUPS["AllLeds"])  # the single lights in the order of `look`
_DEFAULT_BREATH = {"Bpm": 12.0, "Amplitude": 1.0}  # the breaths a minute and their depth, by default


class BodyRequests(object):
    """The request for the robot's visible state."""

    def __init__(self, robot):  # type: (Robot) -> None
        self.robot = robot

    def _do_look(self, _request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Return the visible state: `angles` as in getAngles("Body"), `lights` as two hexadecimal digits each."""
        world = self.robot.world
        body, lights, place = world.body, world.lights, world.body.walk.place()
        voice, touch = world.find(ALTextToSpeech), world.find(ALTouch)
        shown = bytearray(int(255 * lights.brightness(light) + 0.5) for light in LIGHTS)
        return {
            "seconds": world.clock.now(),
            "robot_type": world.robot_type,
            "angles": [body.angle(joint) for joint in body.model.body],
            "lights": "".join("%02x" % each for each in shown),
            "posture": world.posture,
            "place": [place.x, place.y, place.theta],
            "is_awake": body.is_awake,
            "is_speaking": voice is not None and voice.is_speaking,
            "touched": touch.events_pressed() if touch is not None else [],
            "breath": self._breath(),
            "is_blinking": self._lives("ALAutonomousBlinking"),
        }

    def _lives(self, ability):  # type: (str) -> bool
        """Return whether an ability of Autonomous Life is on, with or without life."""
        life, switch = (self.robot.world.services.get(name) for name in ("ALAutonomousLife", ability))
        is_on = life is not None and life.call("getState", ()) != "disabled"
        return is_on or (switch is not None and switch.call("isEnabled", ()) is True)

    def _breath(self):  # type: () -> list[float]
        """Return the breaths a minute and their depth, 0 to 1; two zeros if the robot does not breathe."""
        motion, body = self.robot.world.find(ALMotion), self.robot.world.body
        chains = body.model.body_parts
        breathes = motion is not None and any(motion.call("getBreathEnabled", [chain]) for chain in chains)
        if not (breathes or self._lives("ALBackgroundMovement")) or not body.is_awake:
            return [0.0, 0.0]
        setting = dict(_DEFAULT_BREATH if motion is None else motion.reflexes.getBreathConfig())
        return [setting["Bpm"], setting["Amplitude"]]


# Requests about diagrams.

_MAX_TOLD_SIGNALS = 100  # signals of one answer; a program that asks rarely misses older ones


class DiagramRequests(object):
    """Requests about the behaviours that were loaded last; the first request starts the memory of signals."""

    def __init__(self, robot):  # type: (Robot) -> None
        self.robot = robot
        self._log = None  # type: _SignalLog | None

    def _do_diagram(self, request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Return the diagram of a box, by default of the root of the behaviour to show first."""
        log, world = self._watch(), self.robot.world
        known = [[shorten(each, _MAX_TEXT), each in world.behaviours] for each in world.projects]
        identifier = read_text_field(request, "behaviour", "") or self._latest()
        if not identifier:
            return {"behaviour": "", "behaviours": known}
        place = read_field(request, "place", INTEGERS, 0)
        found = _describe_diagram(self._project(identifier), read_text_field(request, "box", ""), place)
        return dict(found, behaviour=identifier, behaviours=known, loads=log.loads)

    def _do_box(self, request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Return the details of a box, with the current values of its parameters and its latest errors."""
        log = self._watch()
        identifier, address = read_text_field(request, "behaviour"), read_text_field(request, "box", "")
        found = _describe_box_details(self._project(identifier), address)
        live = self._live(identifier, address)
        for row in found["parameters"] if live is not None else ():
            row["value"] = _short_value(live.values.get(row["name"], row["value"]))
        box, _ = _find_box(self._project(identifier).root, address)
        own = [each for each in log.errors(identifier) if each.path == box.path]
        texts = [[shorten(text, _MAX_TEXT) for text in (each.where, each.message)] for each in own]
        errors = [[each.time] + said + [each.handled] for each, said in zip(own, texts)]
        return dict(found, errors=errors[-_MAX_ROWS:], runs=live is not None and _is_lit(live))

    def _do_signals(self, request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Return a diagram's signals since a position and its running boxes; only the position if nothing changed."""
        log = self._watch()
        identifier, address = read_text_field(request, "behaviour"), read_text_field(request, "box", "")
        since, place = read_field(request, "since", INTEGERS, -1), read_field(request, "place", INTEGERS, 0)
        live = self._live(identifier, address)
        cursor = live.timeline if live is not None else None
        if since == log.position and (cursor is None or not cursor.is_playing):
            return {"position": since}
        told = log.signals(since, identifier, address, place)[-_MAX_TOLD_SIGNALS:]
        signals = [[s.number, s.time, s.emitter, s.output, s.receiver, s.input, s.value] for s in told]
        return {
            "position": log.position,
            "now": self.robot.clock.now(),
            "is_loaded": live is not None,
            "behaviours": list(self.robot.world.behaviours),
            "latest": self._latest(),
            "loads": log.loads,
            "runs": [child.plan.box.id for child in _children(live, place) if _is_lit(child)],
            "owner_runs": live is not None and _is_lit(live),
            "errors": self._errors(identifier, address, place),
            "signals": signals,
            "active": [] if live is None else [at for at, each in enumerate(live.diagrams) if each.is_loaded],
            "timeline": None if cursor is None else [cursor.frame(), cursor.is_playing, cursor.fps],
        }

    def _watch(self):  # type: () -> _SignalLog
        if self._log is None:
            self._log = _SignalLog(self.robot.world)
        return self._log

    def _latest(self):  # type: () -> str
        """Return the behaviour to show first: the main one while it is loaded, else the last one; "" for none."""
        world, front = self.robot.world, self.robot.behaviour
        known = list(world.projects)
        loaded = [each for each in known if each in world.behaviours]
        if front is not None and front.id in loaded:
            return str(front.id)
        return str((loaded or known or [""])[-1])

    def _project(self, identifier):  # type: (str) -> xar.Project
        project = self.robot.world.projects.get(identifier)  # type: xar.Project | None
        if project is None:
            raise WireError("no behaviour %s was loaded recently" % quote(identifier))
        return project

    def _live(self, identifier, address):  # type: (str, str) -> Any
        """Return the running box with an address, None if its behaviour is not loaded."""
        behaviour = self.robot.world.behaviours.get(identifier)
        box = behaviour.root if behaviour is not None else None  # type: Any
        for keyframe, number in _parse_address(address) if box is not None else ():
            inside = box.diagrams[keyframe].boxes if keyframe < len(box.diagrams) else {}
            box = inside.get(number)
            if box is None:
                raise WireError("the behaviour has no box at %s" % quote(address))
        return box

    def _errors(self, identifier, address, place):  # type: (str, str, int) -> list[list[int]]
        """Count the errors in each box of a diagram, and those of only the owner as box 0."""
        owner, _ = _find_box(self._project(identifier).root, address)
        inside = xar.diagrams(owner)
        children = inside[place].boxes[:_MAX_BOXES] if 0 <= place < len(inside) else ()
        known = dict({child.path: child.id for child in children}, **{str(owner.path): 0})
        return error_counts((error.path for error in self._watch().errors(identifier)), known)


def _is_lit(box):  # type: (Any) -> bool
    """Return whether a box is drawn as running: one of its handlers runs, or it has started and not stopped.

    A script box without an output of nature stopped ends with its handler.
    """
    ends = box.plan.stopped is not None or box.diagrams or box.timeline is not None or box.dialog is not None
    return bool(box.under_way or (box.is_started and ends))


def _children(live, place):  # type: (Any, int) -> list[Any]
    """List the boxes of a running diagram, up to the limit of an answer."""
    if live is None or not 0 <= place < len(live.diagrams):
        return []
    diagram = live.diagrams[place]
    return [diagram.boxes[child.box.id] for child in diagram.plan.boxes[:_MAX_BOXES]]


_MAX_RUNNING_BOXES = 1000  # boxes of a running behaviour of one answer


def list_running_boxes(root):  # type: (Any) -> dict[str, JsonValue]
    """Return the running boxes of a behaviour, and the loaded diagrams and time cursors of its boxes."""
    lit, places, cursors, left = [], {}, {}, _MAX_RUNNING_BOXES  # type: list[str], dict[str, JsonValue], dict[str, JsonValue], int
    open_boxes = [root]
    while open_boxes and left:
        box, left = open_boxes.pop(), left - 1
        where = _box_address(box)
        if _is_lit(box):
            lit.append(where)
        if box.timeline is not None:
            cursor = box.timeline
            cursors[where] = [round(cursor.frame(), 1), bool(cursor.is_playing), cursor.fps]
        loaded = [at for at, each in enumerate(box.diagrams) if each.is_loaded]
        if box.diagrams:
            places[where] = loaded
        open_boxes += [child for at in loaded for child in box.diagrams[at].boxes.values()]
    return {"lit": sorted(lit), "places": places, "cursors": cursors}
