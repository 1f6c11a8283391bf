"""People in sight: ALFaceCharacteristics, ALMood, ALPeoplePerception and the services that look at people.

The robot sees the people that a person sets, with their age, gender, smile and expression.
"""

from __future__ import absolute_import, division, print_function

from naosim.compat import INTEGERS
from naosim.services.base import NUMBER_TYPES, Service
from naosim.services.extractors import SwitchedExtractor

MYPY = False
if MYPY:
    from typing import Any, Dict, List

    from naosim.world import World

# --- ALFaceCharacteristics and ALMood: what is to be noticed of the people in sight, as a person sets it.

PEOPLE_KEY, _SMILING_EVENT = "PeoplePerception/PeopleList", "FaceCharacteristics/PersonSmiling"
_GENDERS = ["female", "male"]
_EXPRESSIONS = ["neutral", "happy", "surprised", "angry", "sad"]
#: What is to be noticed of a person that can be set, and its least and largest value.
_TRAIT_LIMITS = {"age": (0, 120), "smile": (0, 1)}
_TRAIT_CHOICES = {"gender": _GENDERS, "expression": _EXPRESSIONS}
_MAX_PEOPLE, _MAX_PERSON_NUMBER = 10, 2**31 - 1
_CONFIDENCE, _MIN_SMILE = 0.9, 0.8
#: How glad somebody of an expression is, -1 to 1, and the name that ALMood has for it.
_VALENCES = {"neutral": 0.0, "happy": 1.0, "surprised": 0.0, "angry": -1.0, "sad": -1.0}
_MOODS = {"neutral": "calm", "happy": "joy", "surprised": "surprise", "angry": "anger", "sad": "sorrow"}
#: Seconds for which a reaction is watched, and from which valence on it is none of indifference.
_REACTION_S, _MIN_VALENCE = 3.0, 0.25


def parse_people(value):  # type: (Any) -> Dict[int, Dict[str, Any]]
    """Return the people in sight by number, from a person or a list; raise ValueError, saying what is taken.

    >>> parse_people([True, {"age": 30}]) == {1: {}, 2: {"age": 30}}
    True
    """
    things = value if isinstance(value, list) else [] if value in (None, False) else [value]
    found = {}  # type: Dict[int, Dict[str, Any]]
    for at, each in enumerate(things, 1):
        number = each if type(each) in INTEGERS else at
        if number in found or len(found) == _MAX_PEOPLE or not 0 < number <= _MAX_PERSON_NUMBER or not _is_person(each):
            raise ValueError(
                'a person is a number, true, or some of %s, as in {"age": 30}; at most %d of them'
                % (", ".join(sorted(_TRAIT_LIMITS) + sorted(_TRAIT_CHOICES)), _MAX_PEOPLE)
            )
        found[int(number)] = each if isinstance(each, dict) else {}
    return found


def _is_person(each):  # type: (Any) -> bool
    if not isinstance(each, dict):
        return each is True or type(each) in INTEGERS
    return all(_is_trait(name, value) for name, value in each.items())


def _is_trait(name, value):  # type: (Any, Any) -> bool
    if name in _TRAIT_CHOICES:
        return value in _TRAIT_CHOICES[name]
    return (
        name in _TRAIT_LIMITS
        and type(value) in NUMBER_TYPES
        and _TRAIT_LIMITS[name][0] <= value <= _TRAIT_LIMITS[name][1]
    )


class ALFaceCharacteristics(SwitchedExtractor):
    """Tells age, gender, smile and expression of the people in sight, as far as they are set."""

    def analyzeFaceCharacteristics(self, person):  # type: (int) -> bool
        """Write what is to be noticed of a person into ALMemory; return False when none of this number is in sight."""
        number = int(self._number(person, "analyzeFaceCharacteristics"))
        if number not in self.world.people:
            return False
        traits, memory = self.world.people[number], self.world.memory
        for name, value in (
            ("Age", traits.get("age")),
            ("Smile", traits.get("smile")),
            ("Gender", _GENDERS.index(traits["gender"]) if "gender" in traits else None),
        ):
            memory.insertData("PeoplePerception/Person/%d/%sProperties" % (number, name), _list_properties(value))
        memory.insertData(
            "PeoplePerception/Person/%d/ExpressionProperties" % number, _share_expressions(traits.get("expression"))
        )
        if traits.get("smile", 0) >= _MIN_SMILE and self.is_running:
            memory.raiseEvent(_SMILING_EVENT, number)
        return True


class ALMood(Service):
    """Tells the mood of the people in sight, from their smiles and expressions; unknown where none is set."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._subscribers = {}  # type: Dict[str, str]

    def subscribe(self, name, mode):  # type: (str, str) -> bool
        """Start the service for a program, in the mode "Active" or "Passive"."""
        self._one_of(mode, ["Active", "Passive"], "subscribe", "mode")
        self._subscribers[self._text(name, "subscribe")] = mode
        return True

    def unsubscribe(self, name):  # type: (str) -> bool
        """End a subscription; return False when there is none."""
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
        """Return the mood of a person in sight; raise RuntimeError when nobody of this number is."""
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
        return (
            "positive"
            if valence["value"] > _MIN_VALENCE
            else "negative"
            if valence["value"] < -_MIN_VALENCE
            else "neutral"
        )

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
    """Return a value, which is known when something was given that it follows from."""
    return {"value": float(value or 0.0), "confidence": 0.0 if given is None else _CONFIDENCE}


def _list_properties(value):  # type: (Any) -> List[float]
    return [0.0, 0.0] if value is None else [float(value), _CONFIDENCE]


def _share_expressions(expression):  # type: (Any) -> List[float]
    """Return how much of each expression there is; the same of all where none is set."""
    return [float(each == expression) if expression is not None else 1.0 / len(_EXPRESSIONS) for each in _EXPRESSIONS]


# --- Services that look at people: what programs set is kept and changes nothing, as nobody is seen but who is set.

_DISTANCE_LIMITS_M, _TIME_LIMITS_S, _ANGLE_LIMITS_DEG = (0.0, 20.0), (0.0, 3600.0), (0.0, 180.0)


class ALPeoplePerception(SwitchedExtractor):
    """Keeps track of the people in sight, who are those that a person sets."""

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._kept = {
            "MaximumDetectionRange": 3.5,
            "MinimumBodyHeight": 1.0,
            "MaximumBodyHeight": 2.0,
            "TimeBeforePersonDisappears": 15.0,
            "TimeBeforeVisiblePersonDisappears": 5.0,
        }
        self._on = {"FaceDetection": True, "MovementDetection": True, "FastMode": False, "GraphicalDisplay": False}

    def setMaximumDetectionRange(self, metres):  # type: (float) -> None
        """Set how far away people are noticed, in metres."""
        self._keep("MaximumDetectionRange", metres, _DISTANCE_LIMITS_M)

    def getMaximumDetectionRange(self):  # type: () -> float
        """Return how far away people are noticed, in metres."""
        return self._kept["MaximumDetectionRange"]

    def setMinimumBodyHeight(self, metres):  # type: (float) -> None
        """Set how tall somebody has to be."""
        self._keep("MinimumBodyHeight", metres, _DISTANCE_LIMITS_M)

    def getMinimumBodyHeight(self):  # type: () -> float
        """Return how tall somebody has to be."""
        return self._kept["MinimumBodyHeight"]

    def setMaximumBodyHeight(self, metres):  # type: (float) -> None
        """Set how tall somebody may be."""
        self._keep("MaximumBodyHeight", metres, _DISTANCE_LIMITS_M)

    def getMaximumBodyHeight(self):  # type: () -> float
        """Return how tall somebody may be."""
        return self._kept["MaximumBodyHeight"]

    def setTimeBeforePersonDisappears(self, seconds):  # type: (float) -> None
        """Set for how long somebody is remembered who is not seen any more."""
        self._keep("TimeBeforePersonDisappears", seconds, _TIME_LIMITS_S)

    def getTimeBeforePersonDisappears(self):  # type: () -> float
        """Return for how long somebody is remembered who is not seen any more, in seconds."""
        return self._kept["TimeBeforePersonDisappears"]

    def setTimeBeforeVisiblePersonDisappears(self, seconds):  # type: (float) -> None
        """Set for how long somebody is remembered who should be in the picture and is not."""
        self._keep("TimeBeforeVisiblePersonDisappears", seconds, _TIME_LIMITS_S)

    def getTimeBeforeVisiblePersonDisappears(self):  # type: () -> float
        """Return for how long somebody is remembered who should be in the picture and is not, in seconds."""
        return self._kept["TimeBeforeVisiblePersonDisappears"]

    def setFaceDetectionEnabled(self, enabled):  # type: (bool) -> None
        """Set whether people are found by their faces."""
        self._switch("FaceDetection", enabled)

    def isFaceDetectionEnabled(self):  # type: () -> bool
        """Tell whether people are found by their faces."""
        return self._on["FaceDetection"]

    def setMovementDetectionEnabled(self, enabled):  # type: (bool) -> None
        """Set whether people are found by their movements."""
        self._switch("MovementDetection", enabled)

    def isMovementDetectionEnabled(self):  # type: () -> bool
        """Tell whether people are found by their movements."""
        return self._on["MovementDetection"]

    def setFastModeEnabled(self, enabled):  # type: (bool) -> None
        """Set whether people are found quickly, by their faces alone."""
        self._switch("FastMode", enabled)

    def isFastModeEnabled(self):  # type: () -> bool
        """Tell whether people are found quickly, by their faces alone."""
        return self._on["FastMode"]

    def setGraphicalDisplayEnabled(self, enabled):  # type: (bool) -> None
        """Set whether what is found is drawn on the robot's screen, which it lacks."""
        self._switch("GraphicalDisplay", enabled)

    def isGraphicalDisplayEnabled(self):  # type: () -> bool
        """Tell whether what is found is drawn on the robot's screen, which it lacks."""
        return self._on["GraphicalDisplay"]

    def resetPopulation(self):  # type: () -> None
        """Do nothing: whoever is in sight would be found again at once."""

    def _switch(self, what, enabled):  # type: (str, Any) -> None
        self._on[what] = self._flag(enabled, "set%sEnabled" % what)


class ALEngagementZones(SwitchedExtractor):
    """Divides the floor before the robot into zones by distance and angle."""

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._kept = {"FirstLimitDistance": 1.5, "SecondLimitDistance": 2.5, "LimitAngle": 90.0}

    def setFirstLimitDistance(self, metres):  # type: (float) -> None
        """Set where the first zone ends."""
        self._keep("FirstLimitDistance", metres, _DISTANCE_LIMITS_M)

    def getFirstLimitDistance(self):  # type: () -> float
        """Return where the first zone ends, in metres."""
        return self._kept["FirstLimitDistance"]

    def setSecondLimitDistance(self, metres):  # type: (float) -> None
        """Set where the second zone ends."""
        self._keep("SecondLimitDistance", metres, _DISTANCE_LIMITS_M)

    def getSecondLimitDistance(self):  # type: () -> float
        """Return where the second zone ends, in metres."""
        return self._kept["SecondLimitDistance"]

    def setLimitAngle(self, degrees):  # type: (float) -> None
        """Set how wide the first two zones are."""
        self._keep("LimitAngle", degrees, _ANGLE_LIMITS_DEG)

    def getLimitAngle(self):  # type: () -> float
        """Return how wide the first two zones are, in degrees."""
        return self._kept["LimitAngle"]


class ALGazeAnalysis(SwitchedExtractor):
    """Tells who looks at the robot: nobody that it sees does."""

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._kept = {"Tolerance": 0.2}
        self._analyses_faces = True

    def setTolerance(self, tolerance):  # type: (float) -> None
        """Set how far beside the robot somebody may look, 0 to 1."""
        self._keep("Tolerance", tolerance, (0.0, 1.0))

    def getTolerance(self):  # type: () -> float
        """Return how far beside the robot somebody may look, 0 to 1."""
        return self._kept["Tolerance"]

    def setFaceAnalysisEnabled(self, enabled):  # type: (bool) -> None
        """Set whether faces are analysed."""
        self._analyses_faces = self._flag(enabled, "setFaceAnalysisEnabled")

    def isFaceAnalysisEnabled(self):  # type: () -> bool
        """Tell whether faces are analysed."""
        return self._analyses_faces


class ALWavingDetection(SwitchedExtractor):
    """Notices people who wave: nobody that it sees does."""

    def __init__(self, world):  # type: (World) -> None
        SwitchedExtractor.__init__(self, world)
        self._kept = {"MaxDistance": 1.5, "MinSize": 0.1}

    def setMaxDistance(self, metres):  # type: (float) -> None
        """Set how far away waving is noticed."""
        self._keep("MaxDistance", metres, _DISTANCE_LIMITS_M)

    def getMaxDistance(self):  # type: () -> float
        """Return how far away waving is noticed, in metres."""
        return self._kept["MaxDistance"]

    def setMinSize(self, metres):  # type: (float) -> None
        """Set how large a movement has to be."""
        self._keep("MinSize", metres, _DISTANCE_LIMITS_M)

    def getMinSize(self):  # type: () -> float
        """Return how large a movement has to be, in metres."""
        return self._kept["MinSize"]
