"""Phrases that sound alike among those NAO listens for with one question, by a recogniser's dictionary."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import NamedTuple

from jotto_behaviour import states
from jotto_behaviour.lines import Lines
from naosim_live.voice.pronunciation import distance, variant

Phones = tuple[str, ...]


class NearPair(NamedTuple):
    """Two phrases that mean different things, the sounds to change from one to the other, and those of the longer."""

    question: str
    one: str
    other: str
    changes: int
    sounds: int

    @property
    def likeness(self) -> float:
        """Return the share of the sounds that stay."""
        return 1 - self.changes / self.sounds


def questions() -> list[str]:
    """List the questions that NAO listens for an answer to."""
    return [name for name, state in states.STATES.items() if state.touch is not None]


def closest(question: str, lines: Lines, sounded: Callable[[str], Phones], most: int) -> list[NearPair]:
    """List the pairs of a question's phrases that sound most alike; words of the list are not compared.

    What two phrases share at their beginnings and ends is left out, and every such difference listed once.
    """
    meant = {phrase: meaning for meaning in states.list_meanings(question)[::-1] for phrase in lines.phrases([meaning])}
    heard = [phrase for phrase in meant if len(phrase) > 1]
    differences = {
        tuple(sorted(differing(one, other)))
        for place, one in enumerate(heard)
        for other in heard[place + 1 :]
        if meant[one] != meant[other]
    }
    pairs = []
    for one, other in differences:
        sounds = sounded(one), sounded(other)
        pairs.append(NearPair(question, one, other, _changes(*sorted(sounds)), max(map(len, sounds))))
    return sorted(pairs, key=lambda pair: (pair.changes, -pair.likeness, pair.one, pair.other))[:most]


def differing(one: str, other: str) -> tuple[str, str]:
    """Leave out the words that two phrases share at the beginning and at the end, as long as something is left of both.

    >>> differing("it's four", "it's five"), differing("go on", "let's go on")
    (('four', 'five'), ('go on', "let's go on"))
    """
    first, second = one.split(), other.split()
    start = next(
        (place for place, words in enumerate(zip(first, second, strict=False)) if words[0] != words[1]),
        min(len(first), len(second)),
    )
    end = next(
        (
            place
            for place, words in enumerate(zip(first[start:][::-1], second[start:][::-1], strict=False))
            if words[0] != words[1]
        ),
        min(len(first), len(second)) - start,
    )
    left = " ".join(first[start : len(first) - end]), " ".join(second[start : len(second) - end])
    return left if all(left) else (one, other)


def of_all(asked: Iterable[str], lines: Lines, sounded: Callable[[str], Phones], most: int) -> list[NearPair]:
    """List the closest pairs of several questions, question by question."""
    return [pair for question in asked for pair in closest(question, lines, functools.cache(sounded), most)]


@functools.cache
def _changes(one: Phones, other: Phones) -> int:
    """Count the sounds to change, as said in America or in England."""
    return min(distance(first, second) for first in {one, variant(one)} for second in {other, variant(other)})
