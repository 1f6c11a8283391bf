"""People in front of the robot: ALPeoplePerception, ALFaceCharacteristics, ALMood and the like.

A person sets people with places, ages, genders, smiles and expressions. ALPeoplePerception looks at them while it
runs: it says which of them come and go, which are in the camera's view, and where each of them is.
"""

from __future__ import absolute_import, division, print_function

import math
from collections import OrderedDict

from almath import Position3D
from naosim.compat import INTEGERS, NUMBER_TYPES
from naosim.models import FRAME_ROBOT, FRAME_WORLD
from naosim.services.base import Service, declare, number_setting, overloads, read_signals, switch
from naosim.services.extractors import SwitchedExtractor
from naosim.services.sight import get_camera_pose, make_timestamp
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Tuple

    from naosim.body import Body
    from naosim.compat import ALValue, JsonValue
    from naosim.scheduler import ScheduledCall

    Place = Tuple[Dict[str, JsonValue], Position3D]  # the traits of a person, and the place of the head in the world

# Traits of people: ALFaceCharacteristics and ALMood. Distance and angle are those from the robot on the floor when the
# person comes, in metres and in radians to the left.

PEOPLE_KEY = "PeoplePerception/PeopleList"
ARRIVAL_KEY, LEAVING_KEY = "PeoplePerception/JustArrived", "PeoplePerception/JustLeft"
_SMILING_EVENT = "FaceCharacteristics/PersonSmiling"
_GENDERS = ["female", "male"]
_EXPRESSIONS = ["neutral", "happy", "surprised", "angry", "sad"]
#: The traits of a person that are numbers, with their least and greatest values.
_TRAIT_LIMITS = {"age": (0, 120), "smile": (0, 1), "distance": (0.1, 20), "angle": (-3.15, 3.15)}
_TRAIT_CHOICES = {"gender": _GENDERS, "expression": _EXPRESSIONS}  # the traits of a person that are names
_MAX_PEOPLE = 10  # people in sight
_MAX_PERSON_NUMBER = 2**31 - 1
_MAX_SUBSCRIBERS = 100  # programs at ALMood
_CONFIDENCE = 0.9  # of every trait that is set: our guess
_MIN_SMILE = 0.8  # the smallest smile that raises PersonSmiling: our guess
#: The valence of each expression, -1 (negative) to 1 (positive).
_VALENCES = {"neutral": 0.0, "happy": 1.0, "surprised": 0.0, "angry": -1.0, "sad": -1.0}
#: The name of each expression in ALMood.
_MOODS = {"neutral": "calm", "happy": "joy", "surprised": "surprise", "angry": "anger", "sad": "sorrow"}
_REACTION_S = 3.0  # the time for which a reaction is watched
_MIN_VALENCE = 0.25  # a valence closer to 0 is a neutral reaction


def parse_people(value):  # type: (JsonValue) -> Dict[int, Dict[str, JsonValue]]
    """Return the people in sight by number, from a person or a list; raise ValueError for other values.

    >>> parse_people([True, {"age": 30}]) == {1: {}, 2: {"age": 30}}
    True
    """
    things = value if isinstance(value, list) else [] if value in (None, False) else [value]
    found = {}  # type: Dict[int, Dict[str, object]]
    for at, each in enumerate(things, 1):
        number = each if type(each) in INTEGERS else at
        if number in found or len(found) == _MAX_PEOPLE or not 0 < number <= _MAX_PERSON_NUMBER or not _is_person(each):
            known = ", ".join(sorted(_TRAIT_LIMITS) + sorted(_TRAIT_CHOICES))
            person = 'a person is a number, true, or some of %s, as in {"age": 30}; at most %d of them'
            raise ValueError(person % (known, _MAX_PEOPLE))
        found[int(number)] = each if isinstance(each, dict) else {}
    return found


def _is_person(each):  # type: (JsonValue) -> bool
    if not isinstance(each, dict):
        return each is True or type(each) in INTEGERS
    return all(_is_trait(name, value) for name, value in each.items())


def _is_trait(name, value):  # type: (JsonValue, JsonValue) -> bool
    if name in _TRAIT_CHOICES:
        return value in _TRAIT_CHOICES[name]
    low, high = _TRAIT_LIMITS.get(name, (1, 0))
    return type(value) in NUMBER_TYPES and low <= value <= high


@declare(number_setting("SmilingThreshold", 0.7, (0.0, 1.0), "the smile from which on a person smiles, 0 to 1"))
class ALFaceCharacteristics(SwitchedExtractor):
    """Reports age, gender, smile and expression of the people in sight, if they are set."""

    def analyzeFaceCharacteristics(self, person):  # type: (int) -> bool
        """Write the traits of a person into ALMemory; return False if this person is not in sight."""
        number = int(self._number(person, "analyzeFaceCharacteristics"))
        if number not in self.world.people:
            return False
        traits, memory = self.world.people[number], self.world.memory
        gender = _GENDERS.index(traits["gender"]) if "gender" in traits else None
        for name, value in (("Age", traits.get("age")), ("Smile", traits.get("smile")), ("Gender", gender)):
            known = [0.0, 0.0] if value is None else [float(value), _CONFIDENCE]
            memory.insertData("PeoplePerception/Person/%d/%sProperties" % (number, name), known)
        shares = [1.0 / len(_EXPRESSIONS)] * len(_EXPRESSIONS)
        if "expression" in traits:
            shares = [float(each == traits["expression"]) for each in _EXPRESSIONS]
        memory.insertData("PeoplePerception/Person/%d/ExpressionProperties" % number, shares)
        if traits.get("smile", 0) >= _MIN_SMILE and self.is_running:
            memory.raiseEvent(_SMILING_EVENT, number)
        return True


class ALMood(Service):
    """Reports the mood of the people in sight from their smiles and expressions, unknown if neither is set."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._subscribers = {}  # type: Dict[str, str]

    def subscribe(self, name, mode):  # type: (str, str) -> bool
        """Start the service for a program, in the mode "Active" or "Passive"."""
        self._one_of(mode, ["Active", "Passive"], "subscribe", "mode")
        name = self._text(name, "subscribe")
        if name not in self._subscribers and len(self._subscribers) >= _MAX_SUBSCRIBERS:
            raise self._error("subscribe", "%d programs are subscribed already." % _MAX_SUBSCRIBERS)
        self._subscribers[name] = mode
        return True

    def unsubscribe(self, name):  # type: (str) -> bool
        """End a subscription; return False if none exists."""
        return self._subscribers.pop(self._text(name, "unsubscribe"), None) is not None

    def getSubscribersInfo(self):  # type: () -> ALValue
        """Return the mode of each subscription by name."""
        return dict(self._subscribers)

    def leftovers(self):  # type: () -> List[str]
        """List the programs that are still subscribed."""
        return ["Module %r is still subscribed to %s." % (name, self.name) for name in sorted(self._subscribers)]

    def currentPersonState(self):  # type: () -> Dict[str, JsonValue]
        """Return the mood of the first person in sight: valence, attention, ease, smile and expressions."""
        return self._state(self.world.people[min(self.world.people)] if self.world.people else {})

    def personStateFromPeoplePerception(self, person):  # type: (int) -> ALValue
        """Return the mood of a person; raise RuntimeError if this person is not in sight."""
        number = int(self._number(person, "personStateFromPeoplePerception"))
        if number not in self.world.people:
            raise self._error("personStateFromPeoplePerception", "Nobody of number %d is in sight." % number)
        return self._state(self.world.people[number])

    def ambianceState(self):  # type: () -> ALValue
        """Return how lively the surroundings are: they are calm."""
        return {"agitationLevel": 0.0, "calmLevel": 1.0}

    def getEmotionalReaction(self):  # type: () -> str
        """Watch the first person for three seconds and return "positive", "negative", "neutral" or "unknown"."""
        self._take_time(_REACTION_S)
        valence = self.currentPersonState()["valence"]
        if not valence["confidence"]:
            return "unknown"
        if abs(valence["value"]) <= _MIN_VALENCE:
            return "neutral"
        return "positive" if valence["value"] > 0 else "negative"

    @staticmethod
    def _state(traits):  # type: (Dict[str, JsonValue]) -> Dict[str, JsonValue]
        smile, expression = traits.get("smile"), traits.get("expression")
        valence = _VALENCES[expression] if expression is not None else smile
        moods = {mood: _make_known(float(name == expression), expression) for name, mood in _MOODS.items()}
        moods.update((mood, _make_known(0.0, None)) for mood in ("laughter", "excitement"))
        return {
            "valence": _make_known(valence, valence),
            "attention": _make_known(1.0, traits or None),
            "smile": _make_known(smile, smile),
            "expressions": moods,
            "bodyLanguageState": {"ease": {"level": 0.0, "confidence": 0.0}},
        }


def _make_known(value, given):  # type: (Optional[float], ALValue) -> Dict[str, float]
    """Return a value with its confidence, 0 if `given` is None."""
    return {"value": float(value or 0.0), "confidence": 0.0 if given is None else _CONFIDENCE}


# ALPeoplePerception.

PERSON_KEY = "PeoplePerception/Person/%d/"
PEOPLE_DETECTED, POPULATION_UPDATED = "PeoplePerception/PeopleDetected", "PeoplePerception/PopulationUpdated"
VISIBLE_KEY, HIDDEN_KEY = "PeoplePerception/VisiblePeopleList", "PeoplePerception/NonVisiblePeopleList"
_CAMERA = 0  # the number of the upper camera
_HALF_VIEW_RAD = 0.53  # half of the angle that a NAO's camera sees from left to right: our guess
_DEFAULT_DISTANCE_M = 1.0  # of a person from the robot: our guess
_DEFAULT_SPACING_RAD = 0.1  # between two people: our guess
_HEIGHT_M = 1.6  # of every person: our guess
_HEAD_M = 1.5  # above the floor, where the middle of the head is
_MIN_PERIOD_S = 0.1  # between two looks at people

_DISTANCE_LIMITS_M = (0.0, 20.0)
_TIME_LIMITS_S = (0.0, 3600.0)
_ANGLE_LIMITS_DEG = (0.0, 180.0)
_OUT_OF_SIGHT = "the seconds for which a person out of sight is remembered"
_NOT_SEEN = "the seconds for which a person is remembered who should be in the picture and is not"


# That people are noticed up to 3.5 metres is our guess.
@declare(
    number_setting(
        "MaximumDetectionRange", 3.5, _DISTANCE_LIMITS_M, "the distance up to which people are noticed, in metres"
    ),
    number_setting("MinimumBodyHeight", 1.0, _DISTANCE_LIMITS_M, "the smallest height of a person, in metres"),
    number_setting("MaximumBodyHeight", 2.0, _DISTANCE_LIMITS_M, "the greatest height of a person, in metres"),
    number_setting("TimeBeforePersonDisappears", 10.0, _TIME_LIMITS_S, _OUT_OF_SIGHT),
    number_setting("TimeBeforeVisiblePersonDisappears", 2.0, _TIME_LIMITS_S, _NOT_SEEN),
    switch("FaceDetection", True, "people are found by their faces"),
    switch("MovementDetection", True, "people are found by their movements"),
    switch("FastMode", False, "people are found quickly, only by their faces"),
    switch("GraphicalDisplay", False, "detections are drawn on the robot's screen, which it lacks"),
)
class ALPeoplePerception(SwitchedExtractor):
    """Keeps track of the people whom a person sets, while it runs or a service does that needs it."""

    signals = read_signals("justArrived(i) justLeft(i)")

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._places = OrderedDict()  # type: OrderedDict[int, Place]
        self._known = OrderedDict()  # type: OrderedDict[int, _KnownPerson]
        self._lists = {}  # type: Dict[str, List[int]]
        self._has_detected = False
        self._next_look = None  # type: Optional[ScheduledCall]

    def resetPopulation(self):  # type: () -> None
        """Forget everybody, and all that is known of them."""
        for number in list(self._known):
            self._forget(number)
        self._tell_lists()

    def take_people(self):  # type: () -> None
        """Note where the people are whom a person has set, and look at them."""
        before, self._places = self._places, OrderedDict()
        for at, (number, traits) in enumerate(sorted(self.world.people.items()), 1):
            is_same = number in before and before[number][0] == traits
            self._places[number] = before[number] if is_same else (traits, self._place_person(at, traits))
        if self.isProcessing():
            self._look()

    def notice(self, event, person):  # type: (str, int) -> None
        """Send the signal of an event, `ARRIVAL_KEY` or `LEAVING_KEY`, with the number of a person."""
        self._emit("justArrived" if event == ARRIVAL_KEY else "justLeft", person)

    _hidden = frozenset(["stopAll", "notice"])

    def _place_person(self, at, traits):  # type: (int, Dict[str, JsonValue]) -> Position3D
        """Return where the head of person `at` is: the first is straight ahead, the others next to it."""
        here, aside = (
            self.world.body.walk.place(),
            at // 2 * (_DEFAULT_SPACING_RAD if at % 2 else -_DEFAULT_SPACING_RAD),
        )
        angle, distance = here.theta + traits.get("angle", aside), traits.get("distance", _DEFAULT_DISTANCE_M)
        return Position3D(here.x + distance * math.cos(angle), here.y + distance * math.sin(angle), _HEAD_M)

    def _is_wanted(self):  # type: () -> bool
        return SwitchedExtractor._is_wanted(self) or bool(self._list_running())

    def _list_running(self):  # type: () -> List[_PeopleService]
        """List the services about people that run."""
        services = self.world.services.values()
        return [each for each in services if isinstance(each, _PeopleService) and each.is_running]

    def _note_running(self):  # type: () -> None
        SwitchedExtractor._note_running(self)
        self._lists = {}
        if self.isProcessing():
            self._look()

    def _look(self):  # type: () -> None
        """Look at the people, raise events of changes, and look again after a period while anybody is known."""
        now, memory, view = self.world.clock.now(), self.world.memory, _View(self.world.body)
        running = self._list_running()
        seen = [number for number, (_, place) in self._places.items() if self._can_see(view.from_camera * place)]
        for number in seen:
            if number not in self._known:
                self._known[number] = _KnownPerson(now)
                self._tell_change(ARRIVAL_KEY, number)
            self._known[number].seen, self._known[number].place = now, self._places[number][1]
        for number, known in list(self._known.items()):
            known.is_visible = number in seen
            is_in_view = _is_in_view(view.from_camera * known.place)
            limit = "TimeBeforeVisiblePersonDisappears" if is_in_view else "TimeBeforePersonDisappears"
            if not known.is_visible and now - known.seen >= self._kept[limit]:
                self._forget(number)
                self._tell_change(LEAVING_KEY, number)
            else:
                self._write(number, known, view, running)
        has_changed = self._tell_lists()
        detected = [number for number, known in self._known.items() if known.is_visible]
        if detected or self._has_detected:
            memory.raiseEvent(PEOPLE_DETECTED, self._describe(detected, view) if detected else [])
        self._has_detected = bool(detected)
        if has_changed or self._known or self._places:
            memory.raiseEvent(POPULATION_UPDATED, True)
        if self._known or self._places:
            self._wait()

    def _wait(self):  # type: () -> None
        """Look again after a period, which is routine unless a person out of sight can be forgotten."""
        if self._next_look is None:
            period = max(_MIN_PERIOD_S, self.getCurrentPeriod() / 1000.0)
            self._next_look = self.world.clock.call_later(period, self._look_again)
        self._next_look.is_routine = all(known.is_visible for known in self._known.values())

    def _look_again(self):  # type: () -> None
        self._next_look = None
        if self.world.services.get(self.name) is not self:
            return  # it has left the robot
        if self.isProcessing():
            self._look()
        elif self.is_running:
            self._wait()

    def _tell_change(self, event, number):  # type: (str, int) -> None
        self.world.memory.raiseEvent(event, number)
        self.notice(event, number)

    def _tell_lists(self):  # type: () -> bool
        """Raise the events of the lists that have changed, and return whether one has."""
        known, memory, has_changed = self._known.items(), self.world.memory, False
        for key, numbers in (
            (PEOPLE_KEY, list(self._known)),
            (VISIBLE_KEY, [number for number, person in known if person.is_visible]),
            (HIDDEN_KEY, [number for number, person in known if not person.is_visible]),
        ):
            # A list from before a pause is still in ALMemory.
            if numbers != self._lists.get(key, []) or (key not in self._lists and memory.get_stored(key)):
                self._lists[key], has_changed = numbers, True
                memory.raiseEvent(key, numbers)
        return has_changed

    def _forget(self, number):  # type: (int) -> None
        """Forget a person and remove the keys of this person."""
        del self._known[number]
        prefix = PERSON_KEY % number
        for key in [key for key in self.world.memory.copy_values() if key.startswith(prefix)]:
            self.world.memory.removeData(key)

    def _write(self, number, known, view, running):
        # type: (int, _KnownPerson, _View, List[_PeopleService]) -> None
        """Write the keys of a person, also for the services that run."""
        now, memory, prefix = self.world.clock.now(), self.world.memory, PERSON_KEY % number
        torso, robot = view.from_torso * known.place, view.from_floor * known.place
        found = {
            "Distance": (view.from_camera * known.place).norm(),
            "AnglesYawPitch": list(_angles_to(torso)),
            "PositionInTorsoFrame": list(torso.toVector()),
            "PositionInRobotFrame": list(robot.toVector()),
            "PositionInWorldFrame": list(known.place.toVector()),
            "IsVisible": known.is_visible,
            "IsFaceDetected": known.is_visible,
            "NotSeenSince": now - known.seen,
            "PresentSince": now - known.since,
            "RealHeight": _HEIGHT_M,
        }
        for service in running:
            found.update(service.describe_person(robot, known.is_visible))
        for name, value in found.items():
            memory.insertData(prefix + name, value)

    def _describe(self, numbers, view):  # type: (List[int], _View) -> List[ALValue]
        """Return the value of PeopleDetected."""
        rows = []  # type: List[ALValue]
        for number in numbers:
            place = view.from_camera * self._known[number].place
            yaw, pitch = _angles_to(place)
            rows.append([number, place.norm(), pitch, yaw])
        return [make_timestamp(self.world), rows] + get_camera_pose(self.world, _CAMERA)

    def _can_see(self, place):  # type: (Position3D) -> bool
        """Return whether the camera notices somebody at a place in its own frame."""
        return place.norm() <= self._kept["MaximumDetectionRange"] and _is_in_view(place)


class _View(object):
    """Places of the world as the robot sees them at one moment: from its torso, its camera and the floor below it."""

    __slots__ = ("from_camera", "from_floor", "from_torso")

    def __init__(self, body):  # type: (Body) -> None
        model, angles, place = body.model, body.angles(), body.walk.place()
        self.from_torso = model.torso_transform(FRAME_WORLD, angles, place).inverse()
        self.from_floor = model.torso_transform(FRAME_ROBOT, angles, place) * self.from_torso
        self.from_camera = model.part_transform("CameraTop", angles).inverse() * self.from_torso


class _KnownPerson(object):
    """A person whom ALPeoplePerception knows: the first time, the last time and place, in seconds and in the world."""

    __slots__ = ("is_visible", "place", "seen", "since")

    def __init__(self, now):  # type: (float) -> None
        self.since = self.seen = now
        self.place, self.is_visible = Position3D(), True


def _is_in_view(place):  # type: (Position3D) -> bool
    """Return whether a place in the camera's frame is neither too far to the left nor to the right for it."""
    return abs(_angles_to(place)[0]) <= _HALF_VIEW_RAD


def _angles_to(place):  # type: (Position3D) -> Tuple[float, float]
    """Return the angles to the left and down to a place."""
    return math.atan2(place.y, place.x), math.atan2(-place.z, math.hypot(place.x, place.y))


# Services with more data about the people whom ALPeoplePerception knows: it runs as long as they do.


class _PeopleService(object):
    """The part of an extractor that writes keys of people; it comes before SwitchedExtractor among the bases."""

    is_running = False

    def describe_person(self, place, is_visible):  # type: (Position3D, bool) -> Dict[str, ALValue]
        """Return the service's data about a person at a place in the robot's frame, by the last part of the key."""
        return {}

    def _note_running(self):  # type: (Any) -> None
        SwitchedExtractor._note_running(self)
        perception = self.world.find(ALPeoplePerception)
        if perception is not None:
            perception.follow_listeners()


@declare(
    number_setting(
        "FirstLimitDistance", 1.5, _DISTANCE_LIMITS_M, "the distance at which the first zone ends, in metres"
    ),
    number_setting(
        "SecondLimitDistance", 2.5, _DISTANCE_LIMITS_M, "the distance at which the second zone ends, in metres"
    ),
    number_setting("LimitAngle", 90.0, _ANGLE_LIMITS_DEG, "the angle of the first two zones, in degrees"),
)
class ALEngagementZones(_PeopleService, SwitchedExtractor):
    """Divides the floor before the robot into zones by distance and angle."""

    @overloads("f f f", "f f f m")
    def computeEngagementZone(self, first, second, third, camera=None):  # type: (float, float, float, ALValue) -> int
        """Return the zone, 1 to 3, of a place: x, y, z; or two angles in an image, the distance, the camera's place."""
        method = "computeEngagementZone"
        x, y, z = [self._number(each, method, at) for at, each in enumerate((first, second, third))]
        if camera is not None:
            place = [self._number(each, method, 3) for each in self._list(camera, method, 3)]
            turned = x + (place[5] if len(place) > 5 else 0.0)
            x, y = z * math.cos(turned) + place[0], z * math.sin(turned) + place[1]
        return self._find_zone(x, y)

    def describe_person(self, place, is_visible):  # type: (Position3D, bool) -> Dict[str, ALValue]
        """Return the zone of a person."""
        return {"EngagementZone": self._find_zone(place.x, place.y)}

    def _find_zone(self, x, y):  # type: (float, float) -> int
        distance, angle = math.hypot(x, y), abs(math.degrees(math.atan2(y, x)))
        if 2 * angle > self._kept["LimitAngle"] or distance > self._kept["SecondLimitDistance"]:
            return 3
        return 1 if distance <= self._kept["FirstLimitDistance"] else 2


@declare(
    number_setting("Tolerance", 0.2, (0.0, 1.0), "how far next to the robot a person may look, 0 to 1"),
    switch("FaceAnalysis", True, "faces are analysed"),
)
class ALGazeAnalysis(_PeopleService, SwitchedExtractor):
    """Reports the people who look at the robot: everybody in view."""

    def describe_person(self, place, is_visible):  # type: (Position3D, bool) -> Dict[str, ALValue]
        """Return whether a person looks at the robot."""
        return {"IsLookingAtRobot": is_visible, "LookingAtRobotScore": float(is_visible)}


@declare(
    number_setting("MaxDistance", 1.5, _DISTANCE_LIMITS_M, "the distance up to which waving is noticed, in metres"),
    number_setting("MinSize", 0.1, _DISTANCE_LIMITS_M, "the smallest movement that counts, in metres"),
)
class ALWavingDetection(_PeopleService, SwitchedExtractor):
    """Would notice people who wave; the simulated person never waves."""
