"""Things in sight: ALTracker, and detectors of faces and sounds.

`make_sighting` converts things that a person holds up to the documented value of a detector's event.
"""

from __future__ import absolute_import, division, print_function

import math

from almath import Position3D, Position6D, position6DFromTransform, transformFromPosition6D
from naosim import kinematics
from naosim.compat import INTEGERS, NUMBER_TYPES
from naosim.models import FRAME_ROBOT
from naosim.patches import ROBOT_START_S
from naosim.services import base
from naosim.services.base import (
    MAX_LIST_ITEMS,
    Service,
    declare,
    no_effect,
    nothing,
    number_setting,
    overloads,
    read_signals,
    switch,
)
from naosim.services.extractors import CAMERA_SETTINGS, Extractor, SwitchedExtractor
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional

    from naosim.compat import ALValue

# ALTracker, ALSensors and detectors of faces and sounds.

_AIM_S = 1.0  # the duration of looking and of pointing
_MAX_DISTANCE_M = 1000.0  # greatest coordinate of a place
_TARGETS = ["Face", "RedBall", "LandMark", "LandMarks", "People", "Sound", "Text"]
#: The events that tell where a target is seen. The robot follows these, and no others.
_EVENTS_OF_TARGETS = {
    "Face": "FaceDetected",
    "RedBall": "redBallDetected",
    "LandMark": "LandmarkDetected",
    "LandMarks": "LandmarkDetected",
}
_SEEN_M = 1.0  # the distance at which a target is taken to be
_RELATIVE_POSITION_LENGTH = 6  # numbers of a relative position: x, y and angle, and the threshold of each
_TRACKING_MODES = ["Head", "BodyRotation", "WholeBody", "Move", "Navigate"]


@declare(
    base.choice("Mode", "Head", _TRACKING_MODES, "mode", "the part that NAO turns or moves to follow a target"),
    base.choice("Effector", "None", ["None", "Arms", "LArm", "RArm"], "effector", "the arm that points at the target"),
    no_effect("getTargetCoordinates()m setTargetCoordinates(m)v", "A simulated robot sees no target"),
    no_effect("addEffector(s)v removeEffector(s)v setExtractorPeriod(si)v", "A simulated robot sees no target"),
    no_effect("getExtractorPeriod(s)i", "A simulated robot sees no target", 100),
    no_effect("getMoveConfig()m setMoveConfig(m)v initialize()v", "A simulated robot sees no target"),
    number_setting("SearchFractionMaxSpeed", 0.2, (0, 1), "the speed of looking around, 0 to 1"),
    number_setting("MaximumVelocity", 1.0, (0, 10), "the greatest speed, in metres a second"),
    number_setting("MaximumAcceleration", 1.0, (0, 10), "the greatest acceleration, in metres a second squared"),
    switch("Search", True, "NAO looks around for a lost target", ("toggleSearch", "isSearchEnabled")),
    number_setting("TimeOut", 2000, (0, 3600000), "the milliseconds after which a target counts as lost"),
    number_setting("MaximumDistanceDetection", 1.0, (0, 100), "the greatest distance of a target, in metres"),
    base.constant("isNewTargetDetected", False, "Return False: no target was seen since the last call."),
)
class ALTracker(Service):
    """Turns the head or an arm towards a place, and the head to a target that is in sight; the robot does not walk.

    A Pepper follows a face while Autonomous Life is disabled, too (jsk-ros-pkg/jsk_robot, issue 476).
    """

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._targets = []  # type: List[str]
        self._tracked = ""
        self._relative = [0.0] * _RELATIVE_POSITION_LENGTH
        self._seen = None  # type: Optional[Position3D]

    @overloads("[f] f b", "[f] i f b")
    def lookAt(self, position, first, second, third=None):  # type: (List[float], float, float, Optional[bool]) -> None
        """Look at a place in space: (place, fraction, whole body) or (place, frame, fraction, whole body)."""
        self._flag(second if third is None else third, "lookAt", 2 if third is None else 3)
        place = self._place("lookAt", position, 0 if third is None else first)
        angles = kinematics.head_angles_towards(self.world.body.model, place, self.world.body.angles())
        self._move("lookAt", position, angles, first if third is None else second)

    @overloads("s [f] f", "s [f] i f")
    def pointAt(self, effector, position, first, second=None):
        # type: (str, List[float], float, Optional[float]) -> None
        """Point at a place in space: (arm, place, fraction) or (arm, place, frame, fraction)."""
        self._one_of(effector, ["LArm", "RArm", "Arms"], "pointAt", "effector")
        place = self._place("pointAt", position, 0 if second is None else first)
        angles = {}  # type: Dict[str, float]
        for arm in ["LArm", "RArm"] if effector == "Arms" else [effector]:
            angles.update(kinematics.arm_angles_towards(self.world.body.model, arm, place))
        self._move("pointAt", position, angles, first if second is None else second)

    def registerTarget(self, target, parameters):  # type: (str, ALValue) -> None
        """Register a target; its size is not used."""
        self._one_of(target, _TARGETS, "registerTarget", "target")
        self._targets += [target] if target not in self._targets else []

    def unregisterTarget(self, target):  # type: (str) -> None
        """Forget a target; raise RuntimeError if it is not registered."""
        self._targets.remove(self._one_of(target, self._targets, "unregisterTarget", "target"))

    def unregisterAllTargets(self):  # type: () -> None
        """Forget every target."""
        self._targets = []

    def unregisterTargets(self, targets):  # type: (List[str]) -> None
        """Forget several targets; raise RuntimeError if one is not registered."""
        method = "unregisterTargets"
        for target in self._names(self._texts(targets, method), self._targets, method, "target"):
            self.unregisterTarget(target)

    def getRegisteredTargets(self):  # type: () -> List[str]
        """List the registered targets."""
        return list(self._targets)

    def getSupportedTargets(self):  # type: () -> List[str]
        """List the targets that can be registered."""
        return list(_TARGETS)

    def getAvailableModes(self):  # type: () -> List[str]
        """List the modes: the parts that NAO can turn or move to follow a target."""
        return list(_TRACKING_MODES)

    def track(self, target):  # type: (str) -> None
        """Start following a registered target."""
        self._follow(self._one_of(target, self._targets, "track", "target"))

    def trackEvent(self, event):  # type: (str) -> None
        """Start following the position that an event reports."""
        self._follow(self._text(event, "trackEvent"))

    def stopTracker(self):  # type: () -> None
        """Stop following the target."""
        self._follow("")

    def getActiveTarget(self):  # type: () -> str
        """Return the target or event that is followed, "" for none."""
        return self._tracked

    def isActive(self):  # type: () -> bool
        """Return whether a target is followed."""
        return bool(self._tracked)

    def setRelativePosition(self, position):  # type: (ALValue) -> None
        """Set NAO's place relative to the target: x, y, angle and their thresholds. NAO does not move."""
        numbers = self._distances(position, "setRelativePosition")
        if len(numbers) != _RELATIVE_POSITION_LENGTH:
            reason = "A relative position has %d numbers, not %r." % (_RELATIVE_POSITION_LENGTH, position)
            raise self._error("setRelativePosition", reason)
        self._relative = numbers

    def getRelativePosition(self):  # type: () -> ALValue
        """Return NAO's place relative to the target: x, y, angle and their thresholds."""
        return list(self._relative)

    def isTargetLost(self):  # type: () -> bool
        """Return whether a target is followed, but not in sight."""
        return self.isActive() and self._seen is None

    def getRobotPosition(self):  # type: () -> List[float]
        """Return NAO's place on the floor: x, y and an angle."""
        return list(self.world.body.walk.place().toVector())

    # The old names.
    addTarget, removeTarget = registerTarget, unregisterTarget
    removeAllTargets, removeTargets = unregisterAllTargets, unregisterTargets
    getManagedTargets, getTargetNames = getRegisteredTargets, getSupportedTargets

    @overloads("", "i")
    def getTargetPosition(self, frame=0):  # type: (int) -> List[float]
        """Return where the target was seen, as if it were a metre away; an empty list for none."""
        which = int(self._number(frame, "getTargetPosition", 0, 0, 2))
        if self._seen is None:
            return []
        body = self.world.body
        torso = body.model.torso_transform(which, body.angles(), body.walk.place())
        return list((torso * self._seen).toVector())

    def take_event(self, event, value):  # type: (str, ALValue) -> None
        """Turn the head to the first thing in sight; called by ALMemory."""
        self._seen, body = _find_place(value), self.world.body
        if self._seen is not None and body.is_awake:
            angles = kinematics.head_angles_towards(body.model, self._seen, body.angles())
            self.world.trace.note(
                "motion", method="ALTracker.track", duration=_AIM_S, place=list(self._seen.toVector())
            )
            body.take(angles, _AIM_S)

    def _follow(self, target):  # type: (str) -> None
        """Follow a target or an event, "" for none."""
        self._tracked, self._seen = target, None
        event = _EVENTS_OF_TARGETS.get(target, "")
        self.world.memory.hear_for(self, [event] if event else [])
        if event:
            self.take_event(event, self.world.memory.get_stored(event))

    def leftovers(self):  # type: () -> List[str]
        """List the target that is still followed."""
        return ["ALTracker still follows %s." % self._tracked] if self._tracked else []

    def _place(self, method, position, frame):  # type: (str, List[float], float) -> Position3D
        """Check a place in a frame and return it as it is seen from the torso."""
        numbers = self._distances(position, method)
        if len(numbers) != 3:
            raise self._error(method, "A place has three coordinates, not %r." % (position,))
        body = self.world.body
        which = int(self._number(frame, method, 1, 0, 2))
        torso = body.model.torso_transform(which, body.angles(), body.walk.place())
        return torso.inverse() * Position3D(numbers)  # type: ignore[no-any-return]

    def _distances(self, values, method):  # type: (ALValue, str) -> List[float]
        limits = (-_MAX_DISTANCE_M, _MAX_DISTANCE_M)
        return [self._number(each, method, 0, *limits) for each in self._list(values, method)]

    def _move(self, method, position, angles, fraction):  # type: (str, List[float], Dict[str, float], float) -> None
        self._number(fraction, method, 2, 0, 1)
        self.world.trace.note("motion", method=method, duration=_AIM_S, place=list(position))
        self.world.body.take(angles, _AIM_S)
        if self._take_time(_AIM_S):
            self.world.body.halt(angles)


def _find_place(value):  # type: (ALValue) -> Optional[Position3D]
    """Return where the first thing in a detector's value is, seen from the torso; None for nothing, or other values.

    The angles are to the left and down, seen by the camera, whose place the value has, too.
    """
    if not isinstance(value, list) or len(value) < 3 or not (isinstance(value[1], list) and value[1]):
        return None
    first = value[1][0]
    row = first[0] if isinstance(first, list) and first else []
    shape = value[1][:2] if not isinstance(first, list) else row[1:3] if isinstance(row, list) else []
    pose = value[2] if isinstance(value[2], list) else []
    if [type(each) in NUMBER_TYPES for each in shape + pose] != [True] * 8:
        return None
    left, down = shape
    ahead = Position3D(math.cos(down) * math.cos(left), math.cos(down) * math.sin(left), -math.sin(down)) * _SEEN_M
    return transformFromPosition6D(Position6D(*pose)) * ahead  # type: ignore[no-any-return]


@declare(nothing("run", "the sensors have no new values"))
class ALSensors(Extractor):
    """Starts the older sensor events; touch events come without it."""


_FACE_EVENT = "FaceDetected"


@declare(
    switch("Tracking", True, "a face is followed"),
    switch("Tracking", True, "a face is followed: the old name", ("enableTracking", "isTrackingEnabled")),
    switch("Recognition", True, "faces are recognised"),
    switch("Recognition", True, "faces are recognised: the old name", ("enableRecognition", "isRecognitionEnabled")),
    no_effect("importOldDatabase(s)b", "There is no old database"),
    number_setting("RecognitionConfidenceThreshold", 0.5, (0, 1), "the confidence needed to recognise a face, 0 to 1"),
)
@declare(*CAMERA_SETTINGS)
class ALFaceDetection(SwitchedExtractor):
    """Looks for faces; a person sets the faces in sight by its event."""

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._learned = []  # type: List[str]

    def recognise_later(self):  # type: () -> None
        """Report the known faces in sight after a while, if they are still in sight."""
        value = self.world.sights.get(_FACE_EVENT)  # type: Any
        if value and value[1][-1:] == [[]]:
            is_known = any(face[1][2] for face in value[1][:-1])
            self.world.clock.call_later(_KNOWN_S if is_known else _UNKNOWN_S, self._recognise, value)

    def _note_running(self):  # type: () -> None
        SwitchedExtractor._note_running(self)
        if self.is_running:
            self.recognise_later()

    def _recognise(self, value):  # type: (List[Any]) -> None
        if self.isProcessing() and self.world.sights.get(_FACE_EVENT) is value:
            self.world.memory.raiseEvent(_FACE_EVENT, _recognise_faces(self.world, value))

    def learnFace(self, name):  # type: (str) -> bool
        """Learn the face in sight under a name; return False if none exists, or the name is taken."""
        is_new = self._text(name, "learnFace") not in self._learned
        return is_new and self.reLearnFace(name)

    def reLearnFace(self, name):  # type: (str) -> bool
        """Learn the face in sight under a name, also one that is taken; return False if none exists."""
        is_seen = bool(self.world.sights.get(_FACE_EVENT)) and len(self._learned) < MAX_LIST_ITEMS
        self._learned += [name] if is_seen and self._text(name, "reLearnFace") not in self._learned else []
        return is_seen

    def forgetPerson(self, name):  # type: (str) -> bool
        """Forget a face by name; return False if the name is unknown."""
        is_known = self._text(name, "forgetPerson") in self._learned
        self._learned = [each for each in self._learned if each != name]
        return is_known

    def clearDatabase(self):  # type: () -> bool
        """Forget every face, and return True."""
        self._learned = []
        return True

    def getLearnedFacesList(self):  # type: () -> ALValue
        """List the names of the faces learned."""
        return list(self._learned)


class ALSoundLocalization(Extractor):
    """Locates where sounds come from; a simulated robot never hears one."""

    _sound_parameters = ["Sensitivity", "EnergyComputation"]

    def setParameter(self, parameter, value):  # type: (str, float) -> None
        """Check and ignore a parameter of hearing, 0 to 1."""
        self._one_of(parameter, self._sound_parameters, "setParameter", "parameter")
        self._number(value, "setParameter", 1, 0, 1)


class ALSoundDetection(ALSoundLocalization):
    """Listens for sounds; a simulated robot never hears one."""

    _sound_parameters = ["Sensitivity", "SensitivityThreshold"]


# Values of the detection events. A value in the documented layout stays as it is. A simpler value is converted: a name
# for a face, a number for a landmark, True for something unknown, an empty list for nothing.

_CAMERA_NAME = "CameraTop"
_CENTRE_ANGLES = (0.0, 0.0)  # where things are seen, in radians
_SIZE_ANGLES = (0.2, 0.25)  # their width and height, in radians
_MAX_SIGHTINGS = 10  # things in sight
_LANDMARK_NUMBERS = (1, 255)  # the first and the last landmark
#: Numbers for each eye, each brow, nose and mouth of a face, as recorded on a robot (ibot.co.jp, 2014-09-23).
_FACE_POINTS = (14, 14, 6, 6, 6, 16)
#: The seconds until FaceDetected says that it knows a face (our guess), and that it knows none (documented).
_KNOWN_S, _UNKNOWN_S = 0.5, 8.0
# ALFaceDetection's numbers for the count of known faces in sight.
_ONE_KNOWN, _SEVERAL_KNOWN, _NONE_KNOWN = 2, 3, 4


def make_sighting(world, event, value):  # type: (World, str, ALValue) -> ALValue
    """Return the value of an event for things that a person holds up; raise ValueError for other things."""
    if value in (None, False) or value == []:
        return []
    things = value if isinstance(value, list) else [value]
    if isinstance(things[0], list):
        return value
    if len(things) > _MAX_SIGHTINGS:
        raise ValueError("at most %d things can be in sight" % _MAX_SIGHTINGS)
    return _LAYOUTS[event](world, things)


def _make_faces(world, names):  # type: (World, List[ALValue]) -> List[ALValue]
    for name in names:
        if name is not True and not (type(name) is str and 0 < len(name) <= 100):
            raise ValueError("a face is a name, or true for an unknown face")
    faces = []  # type: List[object]
    for index, name in enumerate(names, 1):
        points = [[0.0] * count for count in _FACE_POINTS]
        label = [index, 0.9, name] if name is not True else [index, 0.0, ""]
        faces.append([[0] + _get_place(index), label + points])
    return [make_timestamp(world), faces + [[]]] + get_camera_pose(world, 0)


def _recognise_faces(world, value):  # type: (World, List[Any]) -> List[ALValue]
    """Return the value of FaceDetected a while later, when it has the number of known faces."""
    faces = value[1][:-1]
    known = [face[1][2] for face in faces if face[1][2]]
    told = [_ONE_KNOWN, known] if len(known) == 1 else [_SEVERAL_KNOWN, known] if known else [_NONE_KNOWN]
    return [make_timestamp(world), faces + [told]] + value[2:]


def _make_landmarks(world, numbers):  # type: (World, List[Any]) -> List[ALValue]
    for mark in numbers:
        if type(mark) not in INTEGERS or not _LANDMARK_NUMBERS[0] <= mark <= _LANDMARK_NUMBERS[1]:
            raise ValueError("a landmark is its number, %d to %d" % _LANDMARK_NUMBERS)
    # A mark is as wide as high: recorded on a NAO V5 (OpenRoberta/robertalab, issue 643).
    places = [_get_place(at)[:2] + [_SIZE_ANGLES[0]] * 2 + [0.0] for at in range(1, len(numbers) + 1)]
    marks = [[[1] + place, [mark]] for place, mark in zip(places, numbers)]
    return [make_timestamp(world), marks] + get_camera_pose(world)


def _make_ball(world, things):  # type: (World, List[ALValue]) -> List[ALValue]
    if things != [True]:
        raise ValueError("a red ball is true, or [] without a ball")
    return [make_timestamp(world), list(_CENTRE_ANGLES) + [0.05, 0.05]] + get_camera_pose(world, 0)


def _make_pictures(world, names):  # type: (World, List[ALValue]) -> List[ALValue]
    _check_texts(names, "a picture is its name")
    corners = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]
    return [make_timestamp(world), [[[name], 50, 0.5, corners] for name in names]] + get_camera_pose(world)


def _make_barcodes(_world, texts):  # type: (World, List[ALValue]) -> List[ALValue]
    _check_texts(texts, "a barcode is its text")
    return [[text, [[10.0, 10.0], [10.0, 60.0], [60.0, 60.0], [60.0, 10.0]]] for text in texts]


def _check_texts(given, sentence):  # type: (List[ALValue], str) -> None
    if not all(type(each) is str and 0 < len(each) <= 1000 for each in given):
        raise ValueError(sentence)


def make_timestamp(world):  # type: (World) -> List[int]
    """Return the robot's time as events of its eyes have it: seconds since 1970, and microseconds."""
    now = ROBOT_START_S + world.clock.now()
    return [int(now), int(now % 1 * 1000000)]


def _get_place(number):  # type: (int) -> List[float]
    """Return the angles and size of thing `number`: the first is straight ahead, the others next to it."""
    aside = number // 2 * (0.3 if number % 2 else -0.3)
    return [_CENTRE_ANGLES[0] + aside, _CENTRE_ANGLES[1]] + list(_SIZE_ANGLES)


def get_camera_pose(world, name=_CAMERA_NAME):  # type: (World, ALValue) -> List[ALValue]
    """Return where the camera is, seen from the torso and from the floor between the feet, and its name or number."""
    angles, model = world.body.angles(), world.body.model
    camera = model.part_transform(_CAMERA_NAME, angles)
    torso = model.torso_transform(FRAME_ROBOT, angles, world.body.walk.place())
    poses = [list(position6DFromTransform(frame).toVector()) for frame in (camera, torso * camera)]
    return poses + [name]


_LAYOUTS = {
    _FACE_EVENT: _make_faces,
    "LandmarkDetected": _make_landmarks,
    "redBallDetected": _make_ball,
    "PictureDetected": _make_pictures,
    "BarcodeReader/BarcodeDetected": _make_barcodes,
}  # type: Dict[str, Callable[[World, List[object]], List[object]]]
SIGHTING_EVENTS = sorted(_LAYOUTS)
