"""People in sight: ALFaceCharacteristics, ALMood, ALPeoplePerception and the services that look at people.

The robot sees the people that a person sets, with their age, gender, smile and expression.
"""

from __future__ import absolute_import, division, print_function

from naosim.compat import INTEGERS
from naosim.services.base import NUMBER_TYPES, Service, declare, nothing, number, switch
from naosim.services.extractors import SwitchedExtractor
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Dict, List

# Traits of people in sight: ALFaceCharacteristics and ALMood.

PEOPLE_KEY = "PeoplePerception/PeopleList"
_SMILING_EVENT = "FaceCharacteristics/PersonSmiling"
_GENDERS = ["female", "male"]
_EXPRESSIONS = ["neutral", "happy", "surprised", "angry", "sad"]
#: The traits of a person that are numbers, with their least and greatest values.
_TRAIT_LIMITS = {"age": (0, 120), "smile": (0, 1)}
_TRAIT_CHOICES = {"gender": _GENDERS, "expression": _EXPRESSIONS}  # the traits of a person that are names
_MAX_PEOPLE = 10  # people in sight
_MAX_PERSON_NUMBER = 2**31 - 1
_CONFIDENCE = 0.9  # of every trait that is set
_MIN_SMILE = 0.8  # from this smile on, PersonSmiling is raised
#: The valence of each expression, -1 (negative) to 1 (positive).
_VALENCES = {"neutral": 0.0, "happy": 1.0, "surprised": 0.0, "angry": -1.0, "sad": -1.0}
#: The name of each expression in ALMood.
_MOODS = {"neutral": "calm", "happy": "joy", "surprised": "surprise", "angry": "anger", "sad": "sorrow"}
_REACTION_S = 3.0  # how long a reaction is watched
_MIN_VALENCE = 0.25  # a valence closer to 0 is a neutral reaction


def parse_people(value):  # type: (Any) -> Dict[int, Dict[str, Any]]
    """Return the people in sight by number, from a person or a list; raise ValueError for other values.

    >>> parse_people([True, {"age": 30}]) == {1: {}, 2: {"age": 30}}
    True
    """
    things = value if isinstance(value, list) else [] if value in (None, False) else [value]
    found = {}  # type: Dict[int, Dict[str, Any]]
    for at, each in enumerate(things, 1):
        number = each if type(each) in INTEGERS else at
        if number in found or len(found) == _MAX_PEOPLE or not 0 < number <= _MAX_PERSON_NUMBER or not _is_person(each):
            known = ", ".join(sorted(_TRAIT_LIMITS) + sorted(_TRAIT_CHOICES))
            person = 'a person is a number, true, or some of %s, as in {"age": 30}; at most %d of them'
            raise ValueError(person % (known, _MAX_PEOPLE))
        found[int(number)] = each if isinstance(each, dict) else {}
    return found


def _is_person(each):  # type: (Any) -> bool
    if not isinstance(each, dict):
        return each is True or type(each) in INTEGERS
    return all(_is_trait(name, value) for name, value in each.items())


def _is_trait(name, value):  # type: (Any, Any) -> bool
    if name in _TRAIT_CHOICES:
        return value in _TRAIT_CHOICES[name]
    low, high = _TRAIT_LIMITS.get(name, (1, 0))
    return type(value) in NUMBER_TYPES and low <= value <= high


class ALFaceCharacteristics(SwitchedExtractor):
    """Tells age, gender, smile and expression of the people in sight, as far as they are set."""

    def analyzeFaceCharacteristics(self, person):  # type: (int) -> bool
        """Write the traits of a person into ALMemory; return False if nobody with this number is in sight."""
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
    """Tells the mood of the people in sight from their smiles and expressions, unknown if neither is set."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._subscribers = {}  # type: Dict[str, str]

    def subscribe(self, name, mode):  # type: (str, str) -> bool
        """Start the service for a program, in the mode "Active" or "Passive"."""
        self._one_of(mode, ["Active", "Passive"], "subscribe", "mode")
        self._subscribers[self._text(name, "subscribe")] = mode
        return True

    def unsubscribe(self, name):  # type: (str) -> bool
        """End a subscription; return False if there is none."""
        return self._subscribers.pop(self._text(name, "unsubscribe"), None) is not None

    def getSubscribersInfo(self):  # type: () -> Any
        """Return the mode of each subscription by its name."""
        return dict(self._subscribers)

    def leftovers(self):  # type: () -> List[str]
        """List the programs that are still subscribed."""
        return ["Module %r is still subscribed to %s." % (name, self.name) for name in sorted(self._subscribers)]

    def currentPersonState(self):  # type: () -> Any
        """Return the mood of the first person in sight: valence, attention, ease, smile and expressions."""
        return self._state(self.world.people[min(self.world.people)] if self.world.people else {})

    def personStateFromPeoplePerception(self, person):  # type: (int) -> Any
        """Return the mood of a person in sight; raise RuntimeError if nobody of this number is."""
        number = int(self._number(person, "personStateFromPeoplePerception"))
        if number not in self.world.people:
            raise self._error("personStateFromPeoplePerception", "Nobody of number %d is in sight." % number)
        return self._state(self.world.people[number])

    def ambianceState(self):  # type: () -> Any
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
    def _state(traits):  # type: (Dict[str, Any]) -> Any
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


def _make_known(value, given):  # type: (Any, Any) -> Dict[str, float]
    """Return a value with its confidence, 0 if `given` is None."""
    return {"value": float(value or 0.0), "confidence": 0.0 if given is None else _CONFIDENCE}


# Services that look at people and only keep their settings.

_DISTANCE_LIMITS_M = (0.0, 20.0)
_TIME_LIMITS_S = (0.0, 3600.0)
_ANGLE_LIMITS_DEG = (0.0, 180.0)
_OUT_OF_SIGHT = "the seconds for which a person out of sight is remembered"
_NOT_SEEN = "the seconds for which a person is remembered who should be in the picture and is not"


@declare(
    number("MaximumDetectionRange", 3.5, _DISTANCE_LIMITS_M, "the distance up to which people are noticed, in metres"),
    number("MinimumBodyHeight", 1.0, _DISTANCE_LIMITS_M, "the smallest height of a person, in metres"),
    number("MaximumBodyHeight", 2.0, _DISTANCE_LIMITS_M, "the greatest height of a person, in metres"),
    number("TimeBeforePersonDisappears", 15.0, _TIME_LIMITS_S, _OUT_OF_SIGHT),
    number("TimeBeforeVisiblePersonDisappears", 5.0, _TIME_LIMITS_S, _NOT_SEEN),
    switch("FaceDetection", True, "people are found by their faces"),
    switch("MovementDetection", True, "people are found by their movements"),
    switch("FastMode", False, "people are found quickly, only by their faces"),
    switch("GraphicalDisplay", False, "detections are drawn on the robot's screen, which it lacks"),
    nothing("resetPopulation", "the people in sight would be found again at once"),
)
class ALPeoplePerception(SwitchedExtractor):
    """Keeps track of the people in sight, which a test sets."""


@declare(
    number("FirstLimitDistance", 1.5, _DISTANCE_LIMITS_M, "the distance at which the first zone ends, in metres"),
    number("SecondLimitDistance", 2.5, _DISTANCE_LIMITS_M, "the distance at which the second zone ends, in metres"),
    number("LimitAngle", 90.0, _ANGLE_LIMITS_DEG, "the angle of the first two zones, in degrees"),
)
class ALEngagementZones(SwitchedExtractor):
    """Divides the floor before the robot into zones by distance and angle."""


@declare(
    number("Tolerance", 0.2, (0.0, 1.0), "how far next to the robot a person may look, 0 to 1"),
    switch("FaceAnalysis", True, "faces are analysed"),
)
class ALGazeAnalysis(SwitchedExtractor):
    """Tells who looks at the robot: nobody does."""


@declare(
    number("MaxDistance", 1.5, _DISTANCE_LIMITS_M, "the distance up to which waving is noticed, in metres"),
    number("MinSize", 0.1, _DISTANCE_LIMITS_M, "the smallest movement that counts, in metres"),
)
class ALWavingDetection(SwitchedExtractor):
    """Notices people who wave: nobody does."""
