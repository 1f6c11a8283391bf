"""Fit what a recogniser's measurements are worth, with recordings of people.

`python benchmarks/calibration.py FOLDER moonshine quiet babble:10` listens to recordings as
`jotto voice hear` does, in each of the noises. Each half of the speakers and words fits a confidence, and the bound
below which a sound was other speech; the other half shows how good they are.
"""

import argparse
import functools
import json
import math
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from jotto_behaviour import hearing, states
from jotto_desk.rehearsal import recognition
from jotto_desk.rehearsal.recognition import Questions, Recording
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY
from naosim_voice import noise, recordings
from naosim_voice.endpoints import Endpoints, Stretch
from naosim_voice.recogniser import ASKED, CALIBRATION_FILES, MIN_CONFIDENCE, Logistic, VoiceError, open_recogniser

#: Questions at which words are tried that answer none.
_TRIED = ("word", "exact", "spell", "your guess")
#: How easily speech begins, from 0 to 1.
_SENSITIVITY = 0.5
#: Bounds that are tried, and the share of right answers that may be lost by one.
_BOUNDS, _MAX_LOST = (-15.0, -10.0, -8.0, -6.0, -5.0, -4.0, -3.5, -3.0, -2.5, -2.0), 0.01
#: How often a sample of other words counts: they are nearly a third of the samples, and rarer in a
#: game.
_OTHER_WORDS, _COUNT_OF_OTHERS = "other words", 0.33
#: What counts of a bare letter's evidence: too few letters were recorded for more.
_OF_LETTERS = 3
#: How often a wrong letter counts: a wrong letter costs more than a question, and people whose recordings fit nothing
#: get more of them.
_COUNT_OF_WRONG_LETTERS = 2.5
#: The pull of a letter's odds towards zero, and the odds of a letter that the search dropped.
_PULL, _DROPPED = 3.0, -12.0
_ALPHABET = tuple("abcdefghijklmnopqrstuvwxyz")


class Guess(NamedTuple):
    """A phrase that was heard: what was measured, and what NAO would take it for."""

    evidence: tuple[float, ...]
    meaning: str
    is_letter: bool
    is_right: bool
    is_doubtful: bool


class Sample(NamedTuple):
    """A recording, with the phrases that were heard in its stretches of speech, and its letter with the odds of all."""

    kind: str
    guesses: tuple[Guess, ...]
    is_first: bool
    letter: str = ""
    odds: Mapping[str, float] = {}


class Worth(NamedTuple):
    """The confidence of phrases, and of bare letters, with what is added to the odds of each letter."""

    phrases: Logistic
    letters: Logistic
    odds: Mapping[str, float] = {}

    def probability(self, guess: Guess) -> float:
        """Return the confidence of a guess, 0 if it is other speech."""
        logistic = self.letters if guess.is_letter else self.phrases
        most = ASKED if guess.is_doubtful else 1.0
        return min(most, logistic.probability(guess.evidence)) if guess.evidence[1] >= logistic.bound else 0.0


def list_samples(
    found: dict[str, list[Path]], ears: Any, room: str, odds: Mapping[str, float] | None = None, seed: int = 1
) -> Iterator[Sample]:
    """Listen to all recordings in a noise; `odds` are added to those of bare letters."""
    known, around = recognition.load_questions(found), noise.parse(room)
    for number, recording in enumerate(_place(found, known)):
        ears.open(known.list_vocabulary(recording.question))
        if odds is not None:
            ears.favour_letters(odds)
        pcm = recognition.add_noise(recording.path, around, seed + number).pcm
        endpoints = Endpoints(lambda frame: True)
        endpoints.restart(_SENSITIVITY, ears.may_spell)
        stretches = [event for event in endpoints.feed(pcm) if isinstance(event, Stretch)]
        guesses = tuple(
            _guess(recording, known, ears.is_doubtful(stretch, *heard), *heard)
            for stretch in stretches
            if (heard := ears.evidence(stretch)) is not None
        )
        letter = recording.phrase if odds is not None and recording.phrase in _ALPHABET else ""
        all_odds = ears.weigh_letters(stretches[0]) if letter and stretches else {}
        yield Sample(_find_kind(recording), guesses, _is_first(recording, found), letter, all_odds)


def _place(found: dict[str, list[Path]], known: Questions) -> Iterator[Recording]:
    """Yield each recording with its question; words without one get one of several."""
    for recording in recognition.choose_recordings(found, known, "", 0, 0):
        if recording.meaning:
            yield recording
        else:
            question = _TRIED[zlib.crc32(str(recording.path).encode()) % len(_TRIED)]
            yield recording._replace(question=question)


def _is_first(recording: Recording, found: dict[str, list[Path]]) -> bool:
    """Return whether a recording is in the first half: by its speaker, or by its phrase if only one person says it."""
    speakers = {recordings.speaker(path) for path in found[recording.phrase]}
    key = recordings.speaker(recording.path) if len(speakers) > 1 else recording.phrase
    return zlib.crc32(key.encode()) % 2 == 0


def _find_kind(recording: Recording) -> str:
    kind = recording.question if recording.meaning else _OTHER_WORDS
    if recording.word:
        kind += ", spelled" if " " in recording.phrase else ", whole word"
    return kind


def _guess(recording: Recording, known: Questions, is_doubtful: bool, phrase: str, evidence: Sequence[float]) -> Guess:
    wanted, words = states.list_meanings(recording.question), known.list_words(recording.question)
    taken = hearing.understand_phrase(phrase, 1.0, wanted, known.lines, words, VOICE_CERTAINTY)
    is_right = recognition.is_right(recording, taken)
    return Guess(tuple(evidence), taken.meaning or "", len(phrase) == 1, is_right, is_doubtful)


def fit_samples(samples: Iterable[Sample]) -> Worth:
    """Fit the confidence, with the highest bound that loses few right answers."""
    guesses = [(guess, sample.kind) for sample in samples for guess in sample.guesses]
    right = sorted(guess.evidence[1] for guess, _ in guesses if guess.is_right)
    lost = right[int(len(right) * _MAX_LOST)]
    bound = max(each for each in _BOUNDS if each <= lost)
    fitted = []
    for is_letter, length in ((False, None), (True, _OF_LETTERS)):
        kept = [each for each in guesses if each[0].is_letter == is_letter and each[0].evidence[1] >= bound]
        if kept:
            evidence, truths = [guess.evidence[:length] for guess, _ in kept], [guess.is_right for guess, _ in kept]
            wrong = _COUNT_OF_WRONG_LETTERS if is_letter else 1.0
            counts = [
                _COUNT_OF_OTHERS if kind == _OTHER_WORDS else 1.0 if guess.is_right else wrong for guess, kind in kept
            ]
            fitted.append(fit_logistic(evidence, truths, counts)._replace(bound=bound))
    return Worth(fitted[0], fitted[-1])


def count_outcomes(samples: Iterable[Sample], halves: Mapping[bool, Worth]) -> dict[str, dict[str, int]]:
    """Count the outcomes of each kind of recording, by the confidence that the other half fitted."""
    rows: dict[str, dict[str, int]] = {}
    for sample in samples:
        row = rows.setdefault(sample.kind, dict.fromkeys(recognition.OUTCOMES, 0))
        worth = halves[not sample.is_first]
        known = ((worth.probability(guess), guess) for guess in sample.guesses)
        sure, guess = next(((sure, guess) for sure, guess in known if sure >= MIN_CONFIDENCE), (0.0, None))
        if guess is None or not guess.meaning:
            row[recognition.UNHEARD] += 1
            continue
        is_sure = sure >= hearing.get_needed_confidence(guess.meaning, VOICE_CERTAINTY)
        row[recognition.find_outcome(guess.is_right, is_sure)] += 1
    return rows


def fit_logistic(
    evidence: Sequence[Sequence[float]], truths: Sequence[bool], counts: Sequence[float], rounds: int = 60
) -> Logistic:
    """Fit a logistic function to evidence with known truths, by Newton's method with a slight pull towards zero.

    Each piece of evidence counts as often as `counts` says.
    """
    rows, often = numpy.array([[*row, 1.0] for row in evidence]), numpy.array(counts)
    right, weights = numpy.array(truths, dtype=float), numpy.zeros(rows.shape[1])
    pull = numpy.diag([1e-3] * (rows.shape[1] - 1) + [1e-9])
    for _ in range(rounds):
        odds = 1 / (1 + numpy.exp(-numpy.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (often * (right - odds)) - pull @ weights
        step = numpy.linalg.solve((rows * (often * odds * (1 - odds) + 1e-9)[:, None]).T @ rows + pull, slope)
        weights = weights + step
        if float(numpy.abs(step).max()) < 1e-9:
            break
    return Logistic(tuple(round(float(value), 5) for value in weights[:-1]), round(float(weights[-1]), 5))


def fit_odds(samples: Iterable[Sample], rounds: int = 400) -> dict[str, float]:
    """Fit what to add to the odds of each letter so that the letters that people said become the likeliest ones.

    It is a softmax function with a common factor, by Newton's method without mixed terms.
    """
    said = [sample for sample in samples if sample.odds]
    if not said:
        return {}
    odds = numpy.array([[sample.odds.get(letter, -math.inf) for letter in _ALPHABET] for sample in said])
    odds = numpy.maximum(odds - odds.max(axis=1, keepdims=True), _DROPPED)
    right = numpy.array([[letter == sample.letter for letter in _ALPHABET] for sample in said], dtype=float)
    more, factor = numpy.zeros(len(_ALPHABET)), 1.0
    for _ in range(rounds):
        powers = numpy.exp(factor * odds + more)
        shares = powers / powers.sum(axis=1, keepdims=True)
        missed = right - shares
        mean = (shares * odds).sum(axis=1, keepdims=True)
        more = more + 0.3 * (missed.sum(axis=0) - _PULL * more) / ((shares * (1 - shares)).sum(axis=0) + _PULL)
        factor = max(0.1, factor + 0.3 * float((missed * odds).sum() / ((shares * (odds - mean) ** 2).sum() + 1)))
    more = (more - more.mean()) / factor
    return {letter: round(float(value), 2) for letter, value in zip(_ALPHABET, more, strict=True)}


def main(arguments: list[str]) -> None:
    """Fit and print the table; end with a sentence if the arguments or recordings are wrong."""
    parser = argparse.ArgumentParser(prog="python benchmarks/calibration.py", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="recordings as `jotto voice hear` reads them")
    parser.add_argument("recogniser", choices=sorted(CALIBRATION_FILES))
    parser.add_argument("noises", nargs="+", help="such as: quiet babble:10")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--write", action="store_true", help="replace the file in the package by the first half's fit")
    kept.add_argument("--letters", action="store_true", help="replace only its part of bare letters, by the fit of all")
    given = parser.parse_args(arguments)
    try:
        _calibrate(given.folder, given.recogniser, given.noises, given.write, given.letters)
    except VoiceError as error:
        parser.error(str(error))


def _calibrate(folder: Path, name: str, rooms: list[str], writes: bool, writes_letters: bool) -> None:
    found = {phrase: list(paths) for phrase, paths in recordings.map_phrases(folder).items()}
    ears: Any = open_recogniser(name)
    favours = hasattr(ears, "favour_letters")
    if favours:
        # The network is slow, and hears each recording again with the odds of each half.
        ears._weigh = functools.cache(ears._weigh)

    def listen(odds: Mapping[str, float]) -> dict[str, list[Sample]]:
        samples: dict[str, list[Sample]] = {room: [] for room in rooms}
        for room, heard in samples.items():
            for sample in list_samples(found, ears, room, odds if favours else None):
                heard.append(sample)
                print(f"\r{room}: {len(heard)}", end="", file=sys.stderr)
            print(file=sys.stderr)
        return samples

    plain, fits, tested = listen({}), dict[bool | None, Worth](), dict[str, list[Sample]]()
    for half in (True, False, None):
        # In a loud room the network writes "Oh." for most letters.
        odds = fit_odds(each for each in plain[rooms[0]] if half in (each.is_first, None))
        samples = listen(odds) if odds else plain
        used = [each for heard in samples.values() for each in heard if half in (each.is_first, None)]
        fits[half] = fit_samples(used)._replace(odds=odds)
        for room, heard in samples.items():
            tested.setdefault(room, []).extend(each for each in heard if half not in (each.is_first, None))
    halves = {half: fits[half] for half in (True, False)}
    for room, heard in tested.items():
        print(f"{name}, {room}; {halves}")
        for kind, row in count_outcomes(heard, halves).items():
            total = sum(row.values())
            print(f"{kind:26} {total:5}", *(f"{outcome} {count / total:.1%};" for outcome, count in row.items()))
    if writes or writes_letters:
        source = f"{sum(map(len, found.values()))} recordings of people in {', '.join(rooms)}"
        phrases, letters, odds = fits[None if writes_letters else True]
        content = {"source": source, **phrases._asdict()}
        if writes_letters:
            content = json.loads(CALIBRATION_FILES[name].read_text(encoding="utf-8"))
        content["letters"] = {"source": source, **letters._asdict(), "odds": odds}
        CALIBRATION_FILES[name].write_text(json.dumps(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
