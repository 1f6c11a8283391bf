"""Measure what confidences are worth, anew: `python -m naosim_live.voice.calibrate` writes `confidence.json`.

Voices of espeak-ng say phrases of some vocabularies, and words that are in none of them, in several noises; the
recogniser measures its evidence, and a logistic function is fitted to what was right. The same seed makes the same
file. With the name of another recogniser and the folder of its model, the file is that of its kind. With a folder of
recordings people speak, too: half of the sayings are theirs, in their own rooms and in those noises.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from . import noise, recordings
from .confidence import Logistic, fitted
from .endpoints import Endpoints, Stretch
from .espeak import VoiceChoice, speak
from .recogniser import Vocabulary, recogniser
from .sound import Clip

#: The files by recogniser, and the one of all others.
_FILES = {
    "pocketsphinx": Path(__file__).with_name("confidence.json"),
    "moonshine": Path(__file__).with_name("moonshine") / "likelihood.json",
}
#: The models that recognisers bring.
_MODELS = {"pocketsphinx": "en-us", "moonshine": "tiny-en"}
_OTHER = Path(__file__).with_name("transcribing") / "resemblance.json"
_SEED = 7
_COLOURS = ("red", "green", "blue", "white", "pink", "grey")
#: What is listened for: short answers, short words, pairs, longer words, words for letters. None of these is a number,
#: a yes or a no: games are full of them, and a measurement of games shall not be made of what was fitted here.
_VOCABULARIES = (
    (
        "sure",
        "never",
        "perhaps",
        "open the window",
        "turn the page",
        "close the door please",
        "tell me a story",
        "what is the weather",
    ),
    ("tea", "milk", "pie", "ham", "egg", "bread", "fish", "rice", "soup", "corn"),
    (*(f"{one} and {other}" for one in _COLOURS for other in _COLOURS), "sure", "never", "neither of them"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "next week", "this evening"),
    ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima"),
)
#: What is said and in none of them.
_OTHERS = (
    "hello robot",
    "what time is it",
    "I do not know",
    "banana",
    "let me see",
    "the weather is nice",
    "elephant",
    "come over here",
    "well",
    "my sister",
    "maybe tomorrow",
    "please",
    "coffee",
    "where are you going",
    "hmm",
    "the other day",
    "music",
    "that thing over there",
)
#: One saying in so many is none of the vocabulary: an assumption, and confidences lean on it. With more of them NAO
#: would doubt answers that are right.
_ONE_OTHER_IN = 8
_VOICES = ("en-us+f1", "en-us+m1", "en-gb+m4", "en-us+f3", "en-gb+f2", "en-us-nyc", "en-gb-x-gbclan", "en-us+m6")
#: Phrases that are listened for beside a recorded one.
_BESIDE = 11
_NOISES = ("quiet", "quiet", "white:20", "white:10", "echo:10", "babble:20", "babble:15", "babble:10")


class Sample(NamedTuple):
    """One saying that was decoded: what was measured, and whether the answer was right."""

    evidence: tuple[float, ...]
    is_right: bool


class Measured(Protocol):
    """A recogniser that tells what it measures."""

    def open(self, vocabulary: Vocabulary) -> None:
        """Listen for a vocabulary."""

    def evidence(self, stretch: Stretch) -> tuple[str, tuple[float, ...]] | None:
        """Return the phrase that fits best, and what was measured."""


class _Scene(NamedTuple):
    """What is listened for, what is said, and how that sounds."""

    phrases: tuple[str, ...]
    text: str
    sound: Clip


def samples(ears: Measured, count: int, recorded: Mapping[str, Sequence[Path]], seed: int = _SEED) -> Iterator[Sample]:
    """Say `count` phrases, some of them in no vocabulary, and yield what was measured of those that were noticed."""
    chance = random.Random(seed)
    for number in range(count):
        is_other = number % _ONE_OTHER_IN == _ONE_OTHER_IN - 1
        of_people = recorded and number // _ONE_OTHER_IN % 2
        scene = _recorded(recorded, is_other, chance) if of_people else _spoken(number, is_other, chance)
        ears.open(Vocabulary(scene.phrases))
        heard = [event for event in Endpoints(lambda frame: True).feed(scene.sound.pcm) if isinstance(event, Stretch)]
        found = ears.evidence(max(heard, key=lambda stretch: len(stretch.pcm))) if heard else None
        if found is not None:
            yield Sample(found[1], found[0] == scene.text)


def _spoken(number: int, is_other: bool, chance: random.Random) -> _Scene:
    """Have a voice of espeak-ng say a phrase."""
    vocabulary = _VOCABULARIES[number % len(_VOCABULARIES)]
    text = chance.choice(_OTHERS if is_other else vocabulary)
    voice = VoiceChoice(chance.choice(_VOICES), chance.randint(135, 180), chance.randint(30, 75))
    return _Scene(
        vocabulary, text, noise.around(speak(text, voice), noise.parse(chance.choice(_NOISES)), chance.randrange(2**31))
    )


def _recorded(recorded: Mapping[str, Sequence[Path]], is_other: bool, chance: random.Random) -> _Scene:
    """Play a recording, in its own room or in a noise."""
    text = chance.choice(sorted(recorded))
    path, own = chance.choice(recorded[text]), chance.randrange(2**31)
    beside = chance.sample(sorted(set(recorded) - {text}), min(_BESIDE, len(recorded) - 1))
    room = chance.choice(("", *_NOISES))
    heard = (
        recordings.read(path, own)
        if room in ("", noise.QUIET)
        else noise.around(recordings.said_in(path), noise.parse(room), own)
    )
    return _Scene(tuple(beside) if is_other else (text, *beside), text, heard)


def content(found: list[Sample], told: str) -> str:
    """Return the file for some samples: the coefficients, and where they are from."""
    logistic = fitted([sample.evidence for sample in found], [sample.is_right for sample in found])
    return (
        json.dumps(
            {
                "source": told,
                "sayings": len(found),
                "right": sum(sample.is_right for sample in found),
                "weights": list(logistic.weights),
                "bias": logistic.bias,
                "measured": shares(found, logistic),
            }
        )
        + "\n"
    )


def shares(found: list[Sample], logistic: Logistic) -> list[list[float]]:
    """List for each fifth of the confidences: where it begins, how many there are, and the share that is right."""
    rows = []
    for fifth in range(5):
        here = [
            sample.is_right
            for sample in found
            if fifth <= min(4.999, 5 * logistic.probability(sample.evidence)) < fifth + 1
        ]
        if here:
            rows.append([fifth / 5, len(here), round(sum(here) / len(here), 3)])
    return rows


def source(count: int, name: str, model: str, recorded: Mapping[str, Sequence[Path]]) -> str:
    """Say where a file is from that was measured with so many sayings."""
    people = (
        f"half of them drawn from {sum(map(len, recorded.values()))} recordings of people who say "
        f"{', '.join(recorded)}; "
        if recorded
        else ""
    )
    return (
        f"python -m naosim_live.voice.calibrate {count}, seed {_SEED}: {name} and its model {model}, {people}"
        f"{len(_VOICES)} voices of espeak-ng, noises {', '.join(dict.fromkeys(_NOISES))}, one saying in "
        f"{_ONE_OTHER_IN} in no vocabulary; synthetic voices are no people"
    )


def main(arguments: list[str]) -> None:
    """Write the file: COUNT sayings, the recogniser's NAME, the folder of its MODEL, that of RECORDINGS."""
    count, name, model, folder = (*arguments, *("1500", "pocketsphinx", "", "")[len(arguments) :])
    ears: Any = recogniser(name, model)
    recorded = recordings.of_phrases(Path(folder)) if folder else {}
    if len(recorded) == 1:
        raise SystemExit(f"The folder '{folder}' holds one phrase alone; some others are listened for beside it.")
    found = []
    for sample in samples(ears, int(count), recorded):
        found.append(sample)
        print(f"\r{len(found)} of {count}", end="", file=sys.stderr)
    print(file=sys.stderr)
    told = source(int(count), name, Path(model).name or _MODELS.get(name, ""), recorded)
    _FILES.get(name, _OTHER).write_text(content(found, told), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
