"""ALFaceCharacteristics and ALMood: what is to be noticed of the people in sight, as a person sets it."""

from __future__ import absolute_import, division, print_function

from naosim.compat import INTEGERS
from naosim.services.base import NUMBERS, Service
from naosim.services.sensing.extractors import SwitchedExtractor

MYPY = False
if MYPY:
    from typing import Any, Dict, List

    from naosim.world import World

PEOPLE, SMILING = "PeoplePerception/PeopleList", "FaceCharacteristics/PersonSmiling"
GENDERS = ["female", "male"]
EXPRESSIONS = ["neutral", "happy", "surprised", "angry", "sad"]
#: What is to be noticed of a person that can be set, and its least and largest value.
TRAITS = {"age": (0, 120), "smile": (0, 1)}
CHOICES = {"gender": GENDERS, "expression": EXPRESSIONS}
MOST, LARGEST = 10, 2**31 - 1
SURE, SMILES = 0.9, 0.8
#: How glad somebody of an expression is, -1 to 1, and the name that ALMood has for it.
VALENCES = {"neutral": 0.0, "happy": 1.0, "surprised": 0.0, "angry": -1.0, "sad": -1.0}
MOODS = {"neutral": "calm", "happy": "joy", "surprised": "surprise", "angry": "anger", "sad": "sorrow"}
#: Seconds for which a reaction is watched, and from which valence on it is none of indifference.
WATCHED, FELT = 3.0, 0.25


def in_sight(value):  # type: (Any) -> Dict[int, Dict[str, Any]]
    """Return the people in sight by number, from a person or a list; raise ValueError, saying what is taken.

    >>> in_sight([True, {"age": 30}]) == {1: {}, 2: {"age": 30}}
    True
    """
    things = value if isinstance(value, list) else [] if value in (None, False) else [value]
    found = {}  # type: Dict[int, Dict[str, Any]]
    for at, each in enumerate(things, 1):
        number = each if type(each) in INTEGERS else at
        if number in found or len(found) == MOST or not 0 < number <= LARGEST or not _is_person(each):
            raise ValueError(
                'a person is a number, true, or some of %s, as in {"age": 30}; at most %d of them'
                % (", ".join(sorted(TRAITS) + sorted(CHOICES)), MOST)
            )
        found[int(number)] = each if isinstance(each, dict) else {}
    return found


def _is_person(each):  # type: (Any) -> bool
    if not isinstance(each, dict):
        return each is True or type(each) in INTEGERS
    return all(_fits(name, value) for name, value in each.items())


def _fits(name, value):  # type: (Any, Any) -> bool
    if name in CHOICES:
        return value in CHOICES[name]
    return name in TRAITS and type(value) in NUMBERS and TRAITS[name][0] <= value <= TRAITS[name][1]


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
            ("Gender", GENDERS.index(traits["gender"]) if "gender" in traits else None),
        ):
            memory.insertData("PeoplePerception/Person/%d/%sProperties" % (number, name), _properties(value))
        memory.insertData("PeoplePerception/Person/%d/ExpressionProperties" % number, _shares(traits.get("expression")))
        if traits.get("smile", 0) >= SMILES and self.is_running:
            memory.raiseEvent(SMILING, number)
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
        self._take_time(WATCHED)
        valence = self.currentPersonState()["valence"]
        if not valence["confidence"]:
            return "unknown"
        return "positive" if valence["value"] > FELT else "negative" if valence["value"] < -FELT else "neutral"

    @staticmethod
    def _state(traits):  # type: (Dict[str, Any]) -> Any
        smile, expression = traits.get("smile"), traits.get("expression")
        valence = VALENCES[expression] if expression is not None else smile
        moods = {mood: _known(float(name == expression), expression) for name, mood in MOODS.items()}
        moods.update((mood, _known(0.0, None)) for mood in ("laughter", "excitement"))
        return {
            "valence": _known(valence, valence),
            "attention": _known(1.0, traits or None),
            "smile": _known(smile, smile),
            "expressions": moods,
            "bodyLanguageState": {"ease": {"level": 0.0, "confidence": 0.0}},
        }


def _known(value, given):  # type: (Any, Any) -> Dict[str, float]
    """Return a value, which is known when something was given that it follows from."""
    return {"value": float(value or 0.0), "confidence": 0.0 if given is None else SURE}


def _properties(value):  # type: (Any) -> List[float]
    return [0.0, 0.0] if value is None else [float(value), SURE]


def _shares(expression):  # type: (Any) -> List[float]
    """Return how much of each expression there is; the same of all where none is set."""
    return [float(each == expression) if expression is not None else 1.0 / len(EXPRESSIONS) for each in EXPRESSIONS]
