"""Fit what a recogniser's measurements are worth, with recordings of people.

`python -m jotto_desk.rehearsal.calibration FOLDER moonshine quiet babble:10` listens to recordings as
`jotto voice hear` does, in each of the noises. One half of the speakers and words fits the confidence, and the bound
below which a sound was other speech; the other half shows how good they are. The last argument `--write` replaces the
file in the package.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jotto_behaviour import hearing, states
from jotto_desk.rehearsal import recognition
from jotto_desk.rehearsal.recognition import Questions, Recording
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY
from naosim_live.voice import noise, recordings
from naosim_live.voice.confidence import FILES, Logistic, fit
from naosim_live.voice.endpoints import Endpoints, Stretch
from naosim_live.voice.recogniser import MIN_CONFIDENCE, open_recogniser

#: Questions at which words are tried that answer none.
_TRIED = ("word", "exact", "spell", "your guess")
#: Bounds that are tried, and the share of right answers that may be lost by one.
_BOUNDS, _MAX_LOST = (-15.0, -10.0, -8.0, -6.0, -5.0, -4.0, -3.5, -3.0, -2.5, -2.0), 0.01


class Sample(NamedTuple):
    """A recording that was heard: what was measured (None for no phrase), and what NAO would take it for."""

    kind: str
    evidence: tuple[float, ...] | None
    meaning: str
    is_right: bool
    is_fitted: bool


def list_samples(found: dict[str, list[Path]], name: str, room: str, seed: int = 1) -> Iterator[Sample]:
    """Listen to all recordings in a noise."""
    known, ears = recognition.load_questions(found), open_recogniser(name)
    around = noise.parse(room)
    for number, recording in enumerate(_place(found, known)):
        ears.open(known.vocabulary(recording.question))
        pcm = recognition.room(recording.path, around, seed + number).pcm
        stretches = [event for event in Endpoints(lambda frame: True).feed(pcm) if isinstance(event, Stretch)]
        measured: Any = ears
        heard = measured.evidence(max(stretches, key=lambda stretch: len(stretch.pcm))) if stretches else None
        yield _sample(recording, heard, known, is_fitted=_is_fitted(recording, found))


def _place(found: dict[str, list[Path]], known: Questions) -> Iterator[Recording]:
    """Yield each recording with its question; words without one get one of several."""
    for recording in recognition.asked(found, known, "", 0, 0):
        if recording.meaning:
            yield recording
        else:
            question = _TRIED[zlib.crc32(str(recording.path).encode()) % len(_TRIED)]
            yield recording._replace(question=question)


def _is_fitted(recording: Recording, found: dict[str, list[Path]]) -> bool:
    """Return whether a recording is for fitting: by its speaker, or by its phrase if only one person says it."""
    speakers = {recordings.speaker(path) for path in found[recording.phrase]}
    key = recordings.speaker(recording.path) if len(speakers) > 1 else recording.phrase
    return zlib.crc32(key.encode()) % 2 == 0


def _sample(recording: Recording, heard: Any, known: Questions, is_fitted: bool) -> Sample:
    kind = recording.question if recording.meaning else "other words"
    if recording.word:
        kind += ", spelled" if " " in recording.phrase else ", whole word"
    if heard is None:
        return Sample(kind, None, "", False, is_fitted)
    phrase, evidence = heard
    wanted, words = states.list_meanings(recording.question), known.words_at(recording.question)
    taken = hearing.understand_phrase(phrase, 1.0, wanted, known.lines, words, VOICE_CERTAINTY)
    is_right = recognition.is_right(recording, taken)
    return Sample(kind, tuple(evidence), taken.meaning or "", is_right, is_fitted)


def fit_samples(samples: Sequence[Sample]) -> Logistic:
    """Fit the confidence, with the highest bound that loses few right answers."""
    measured = [sample for sample in samples if sample.evidence is not None and sample.is_fitted]
    right = sorted(sample.evidence[1] for sample in measured if sample.is_right and sample.evidence)
    lost = right[int(len(right) * _MAX_LOST)]
    bound = max(each for each in _BOUNDS if each <= lost)
    kept = [sample for sample in measured if sample.evidence and sample.evidence[1] >= bound]
    fitted = fit([sample.evidence or () for sample in kept], [sample.is_right for sample in kept])
    return fitted._replace(bound=bound)


def count_outcomes(samples: Sequence[Sample], worth: Logistic) -> dict[str, dict[str, int]]:
    """Count the outcomes of each kind of recording."""
    rows: dict[str, dict[str, int]] = {}
    for sample in samples:
        row = rows.setdefault(sample.kind, dict.fromkeys(recognition.OUTCOMES, 0))
        evidence = sample.evidence
        sure = 0.0 if evidence is None or evidence[1] < worth.bound else worth.probability(evidence)
        if sure < MIN_CONFIDENCE or not sample.meaning:
            row[recognition.UNHEARD] += 1
            continue
        is_sure = sure >= hearing.get_needed_confidence(sample.meaning, VOICE_CERTAINTY)
        row[recognition.find_outcome(sample.is_right, is_sure)] += 1
    return rows


def main(arguments: list[str]) -> None:
    """Fit, print the table of the other half, and with `--write` replace the file."""
    writes = arguments[-1:] == ["--write"]
    folder, name, *rooms = arguments[:-1] if writes else arguments
    found = {phrase: list(paths) for phrase, paths in recordings.of_phrases(Path(folder)).items()}
    samples: dict[str, list[Sample]] = {room: [] for room in rooms}
    for room, heard in samples.items():
        for sample in list_samples(found, name, room):
            heard.append(sample)
            print(f"\r{room}: {len(heard)}", end="", file=sys.stderr)
        print(file=sys.stderr)
    worth = fit_samples([sample for heard in samples.values() for sample in heard])
    for room, heard in samples.items():
        print(f"{name}, {room}, the half that was not fitted; {worth}")
        for kind, row in count_outcomes([sample for sample in heard if not sample.is_fitted], worth).items():
            total = sum(row.values())
            print(f"{kind:26} {total:5}", *(f"{outcome} {count / total:.1%};" for outcome, count in row.items()))
    if writes:
        source = f"{sum(map(len, found.values()))} recordings of people in {', '.join(rooms)}"
        content = {"source": source, **worth._asdict()}
        FILES[name].write_text(json.dumps(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
