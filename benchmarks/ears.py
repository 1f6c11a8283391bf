"""The recogniser: processor time for a second of sound, delay of an answer, and memory; in a quiet room."""

import statistics
import time
from pathlib import Path
from typing import Any

from run import Options

from jotto import compat
from jotto_behaviour import mind, states
from jotto_desk.rehearsal.person import PERSONS
from naosim_voice import noise, speaking
from naosim_voice.model import best_installed
from naosim_voice.recogniser import PLAIN, RATE, WIDTH, Recognised, Recogniser, Vocabulary, open_recogniser

#: Questions, and the meanings of the answers said to them.
SAID = {"word": ("yes", "no"), "both": ("0 2", "1 1", "2 0", "3 1"), "your guess": ("a", "n", "t")}
#: Answers to each question.
REPEATS = 60
#: Seconds of sound fed at a time, as from a microphone, and seconds of the quiet room after an answer.
BLOCK, AFTER = 0.02, 0.9


def measure_ears(options: Options) -> dict[str, Any]:
    """Return the times of answers to three questions, by recogniser."""
    if not speaking.is_installed():
        return {"missing": "espeak-ng"}
    names = dict.fromkeys([PLAIN, best_installed()])
    return {"recognisers": {name: _measured(name, 3 if options.small else REPEATS) for name in names}}


def _measured(name: str, repeats: int) -> dict[str, Any]:
    """Measure one recogniser; its memory is the growth of this process."""
    before = _resident()
    ears, lines = open_recogniser(name), mind.load_lines()
    rows = {}
    for question, meanings in SAID.items():
        vocabulary = Vocabulary(tuple(lines.list_phrases(states.list_meanings(question))))
        answers = [
            _answer(ears, vocabulary, lines.list_phrases([meanings[number % len(meanings)]])[0], number)
            for number in range(repeats)
        ]
        late = sorted(row["late"] for row in answers if row["late"] > 0)
        rows[question] = {
            "phrases": len(vocabulary.phrases),
            "answers": len(answers),
            "heard": len(late),
            "share_of_real_time": statistics.median(row["cpu"] / row["seconds"] for row in answers),
            "late": statistics.median(late),
            "late_p90": late[int(0.9 * len(late))],
        }
    return {"rows": rows, "megabytes": (_resident() - before) / 1024}


def _answer(ears: Recogniser, vocabulary: Vocabulary, text: str, number: int) -> dict[str, float]:
    """Say one answer, with sound coming in real time, and return its seconds and processor time.

    `late` is the delay from the end of the answer until it is recognised, 0 if it is not.
    """
    person = PERSONS[compat.draw_number(len(PERSONS), 1, number, "person")]
    room = noise.add_noise(speaking.speak_as(text, person), noise.Noise(), number, after=AFTER)
    size, spent, late, done = int(BLOCK * RATE) * WIDTH, 0.0, 0.0, 0.0
    ears.open(vocabulary)
    for start in range(0, len(room.pcm), size):
        begun = time.thread_time()
        heard = ears.feed(room.pcm[start : start + size])
        taken = time.thread_time() - begun
        spent += taken
        done = max(done, start / WIDTH / RATE + BLOCK) + taken
        if any(isinstance(each, Recognised) and each.hypotheses for each in heard) and not late:
            late = done - (room.seconds - AFTER)
    return {"cpu": spent, "seconds": room.seconds, "late": late}


def _resident() -> int:
    """Return the kilobytes that this process holds."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def report_ears(found: dict[str, Any]) -> list[str]:
    if "missing" in found:
        return [f"Ears: not measured, {found['missing']} is not installed."]
    lines = []
    for name, measured in found["recognisers"].items():
        lines.append(f"Ears ({name}, {len(PERSONS)} voices of espeak-ng, quiet): {measured['megabytes']:.0f} MB")
        lines += [
            f"  {question!r}, {row['phrases']} phrases, {row['heard']} of {row['answers']} heard: "
            f"{row['share_of_real_time']:.2f} of real time on one core, known {row['late']:.2f} s after the "
            f"end of speech (p90 {row['late_p90']:.2f})"
            for question, row in measured["rows"].items()
        ]
    return lines
