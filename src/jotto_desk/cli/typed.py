"""From what a person types to what NAO's ears get."""

from collections.abc import Sequence
from typing import NamedTuple

from jotto_behaviour.lines import Lines

MIDDLE = "MiddleTactilTouched"
SENSORS = {"front": "FrontTactilTouched", "middle": MIDDLE, "back": "RearTactilTouched",
           "rear": "RearTactilTouched"}
SHORT = {"y": "yes", "n": "no"}
TYPED, MUMBLED = 0.9, 0.1


class Typed(NamedTuple):
    """A phrase with a confidence, a touch, or (neither) silence."""

    phrase: str | None = None
    confidence: float = TYPED
    sensor: str = ""


def understand(text: str, state: str, lines: Lines, vocabulary: Sequence[str]) -> Typed:
    """Read one typed answer: digits and y/n are short for words, single letters for alphabet words.

    What is not in the vocabulary reaches NAO as a recogniser delivers a mumble: some phrase, hardly believed.
    """
    words = text.split()
    if not words:
        return Typed()
    if len(words) == 2 and words[0] == "touch" and words[1] in SENSORS:
        return Typed(sensor=SENSORS[words[1]])
    phrase = SHORT.get(text, text)
    if text.isdigit() and text.isascii():
        phrase = lines.number(int(text[:3]))
    elif len(text) == 1 and state == "spell":
        phrase = lines.letters.get(text, text)
    for known in vocabulary:
        if known.lower() == phrase.lower():
            return Typed(known)
    return Typed(vocabulary[0], MUMBLED) if vocabulary else Typed()
