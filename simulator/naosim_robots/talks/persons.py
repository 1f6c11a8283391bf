"""Simulated persons by name: each answers NAO by the rules of a talk, and makes mistakes of its own kind.

The same seed makes the same person say the same things to the same robot.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from .checking import Moment, holds
from .talk import Rule

#: Confidences of what is heard well, and of what a person mumbles.
_CLEAR, _MUMBLED = 0.9, (0.1, 0.5)
#: Chances that a person does what it is named after, at one answer.
_CHANCE, _DEAF_CHANCE = 0.5, 0.2
_HASTE_S = (0.3, 1.5)  # seconds after which a hasty person speaks again
_PARENT_S = 0.2  # seconds between a child's words and its parent's
_MAX_SILENCES = 2  # time-outs that a silent person lets pass, one after the other


class Deed(NamedTuple):
    """What a person does: says a phrase, touches a sensor, or with neither keeps silent until the next time-out.

    It happens `after` seconds after the deed before; None: when NAO waits again.
    """

    phrase: str | None = None
    confidence: float = _CLEAR
    sensor: str = ""
    after: float | None = None


class Person:
    """A person of a kind of `format.PERSONS` with rules for its answers."""

    def __init__(self, kind: str, rules: list[Rule], seed: int) -> None:
        self.kind = kind
        self._rules = rules
        self._random = random.Random(f"{kind} {seed}")
        self._silences = 0
        self._owes_answer = False

    def answer(self, moment: Moment) -> list[Deed]:
        """Return what the person does now that NAO waits: at least one deed."""
        right = self._choose_answer(moment)
        happens = self._random.random() < _CHANCE
        if not happens or self.kind == "patient":
            self._silences, self._owes_answer = 0, False
            return right
        return {
            "hasty": self._hurry,
            "mumbling": self._mumble,
            "contradicting": self._contradict,
            "silent": self._keep_silent,
            "parent": self._let_child_speak,
        }[self.kind](right, moment)

    def _choose_answer(self, moment: Moment) -> list[Deed]:
        """Return the answer of the first rule that holds; without one, any that NAO listens for."""
        for rule in self._rules:
            if holds(rule.check, moment):
                if rule.touched:
                    return [Deed(sensor=sensor) for sensor in rule.touched]
                return [Deed(self._random.choice(rule.said))] if rule.said else [Deed()]
        return [self._draw(moment)]

    def _draw(self, moment: Moment) -> Deed:
        if moment.ears.vocabulary:
            return Deed(self._random.choice(list(moment.ears.vocabulary)))
        return Deed(sensor=self._random.choice(list(moment.ears.touch))) if moment.ears.touch else Deed()

    def _hurry(self, right: list[Deed], _moment: Moment) -> list[Deed]:
        return [*right, right[-1]._replace(after=self._random.uniform(*_HASTE_S))]

    def _mumble(self, right: list[Deed], _moment: Moment) -> list[Deed]:
        if right[0].phrase is None:
            return right
        if self._random.random() < _DEAF_CHANCE:
            return [Deed("", 0.0)]
        return [each._replace(confidence=round(self._random.uniform(*_MUMBLED), 2)) for each in right]

    def _contradict(self, right: list[Deed], moment: Moment) -> list[Deed]:
        self._owes_answer = not self._owes_answer
        return [self._draw(moment)] if self._owes_answer else right

    def _keep_silent(self, right: list[Deed], _moment: Moment) -> list[Deed]:
        self._silences += 1
        if self._silences > _MAX_SILENCES:
            self._silences = 0
            return right
        return [Deed()]

    def _let_child_speak(self, right: list[Deed], moment: Moment) -> list[Deed]:
        child = self._draw(moment)
        if child.phrase is None or right[0].phrase is None:
            return right
        return [child._replace(confidence=_MUMBLED[0]), right[0]._replace(after=_PARENT_S), *right[1:]]
