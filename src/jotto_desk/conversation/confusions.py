"""What NAO heard of what was said, counted: measured once, kept as a file with its source, drawn from again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from jotto_behaviour.settings import is_certainty

from .. import files
from ..errors import DeskError

FORMAT = "jotto confusions 1"
#: Confidences are counted in so many steps, which the usual bounds for believing lie between.
STEPS = 20
#: A larger file, more rows, longer names and higher counts are refused.
MOST_BYTES, MOST_ROWS, LONGEST, MOST_TIMES = 4 << 20, 50_000, 2000, 10**9
#: An answer that was said fewer times is misheard as all answers together are.
LEAST_SAID = 10
#: Heard in place of a meaning: a refusal; None stands for an answer that was not even noticed.
REFUSED = ""
#: What was measured and comes with the game, by the noise: from `jotto rehearse --voice --sample 300 --noise NOISE`.
MEASURED = {"quiet": "quiet.json", "babble:20": "babble-20.json", "babble:10": "babble-10.json"}


class Saying(NamedTuple):
    """One way in which answers went: the question, the meaning said, the one heard, and the step of the confidence."""

    question: str
    said: str
    heard: str | None
    step: int

    @property
    def confidence(self) -> float:
        """Return the middle of the step."""
        return (self.step + 0.5) / STEPS if self.heard else 0.0


class Misheard(NamedTuple):
    """What is heard: a meaning, `REFUSED` or None; `is_other` where it is any other phrase of the vocabulary."""

    heard: str | None
    confidence: float
    is_other: bool = False


def step(confidence: float) -> int:
    """Return the step of a confidence.

    >>> step(0.0), step(0.2), step(0.749), step(0.75), step(1.0)
    (0, 4, 14, 15, 19)
    """
    return min(STEPS - 1, max(0, int(confidence * STEPS + 1e-9)))


@dataclass(frozen=True)
class Confusions:
    """How often each answer was heard as what, where that is from, and the bounds for believing that belong to it."""

    source: str
    certainty: tuple[float, float]
    counts: Mapping[Saying, int]

    @cached_property
    def _by_answer(self) -> dict[tuple[str, str], Counter[Saying]]:
        found: dict[tuple[str, str], Counter[Saying]] = {}
        for saying, times in self.counts.items():
            found.setdefault((saying.question, saying.said), Counter())[saying] += times
        return found

    def draw(self, question: str, said: str, below: Callable[[int], int]) -> Misheard:
        """Draw what is heard of an answer, as it was measured; `below` draws a number that is smaller than its own.

        An answer that was seldom said goes as all answers together: right, refused, or heard as any other phrase.
        """
        here = self._by_answer.get((question, said), Counter())
        if here.total() >= LEAST_SAID:
            saying = _drawn(here, below)
            return Misheard(saying.heard, saying.confidence)
        saying = _drawn(self.counts, below)
        if saying.heard == saying.said:
            return Misheard(said, saying.confidence)
        return Misheard(saying.heard, saying.confidence, is_other=bool(saying.heard))

    def mixed_up(self) -> list[tuple[str, str, str, int, int, int]]:
        """List question, said, heard, times, how many of these were believed, and how often it was said in all.

        The most frequent come first.
        """
        pairs: Counter[tuple[str, str, str]] = Counter()
        believed: Counter[tuple[str, str, str]] = Counter()
        for saying, times in self.counts.items():
            if saying.heard and saying.heard != saying.said:
                key = (saying.question, saying.said, saying.heard)
                pairs[key] += times
                believed[key] += times if saying.step >= step(self.certainty[1]) else 0
        return [
            (*key, times, believed[key], self._by_answer[key[:2]].total())
            for key, times in sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))
        ]

    def text(self) -> str:
        """Return the content of the file: a row a line, so that changes are seen."""
        rows = [
            json.dumps([*saying, times])
            for saying, times in sorted(self.counts.items(), key=lambda pair: [str(part) for part in pair[0]])
        ]
        head = {"format": FORMAT, "source": self.source, "certainty": list(self.certainty), "steps": STEPS}
        told = json.dumps(head, indent=1)[:-2]
        return f'{told},\n "rows": [\n  ' + ",\n  ".join(rows) + "\n ]\n}\n"


def _drawn(counts: Mapping[Saying, int], below: Callable[[int], int]) -> Saying:
    left = below(sum(counts.values()))
    for saying in sorted(counts, key=lambda one: [str(part) for part in one]):
        left -= counts[saying]
        if left < 0:
            return saying
    raise AssertionError("the counts do not add up")


def added(measured: Iterable[Mapping[Saying, int]]) -> Counter[Saying]:
    """Add the counts of many games up."""
    total: Counter[Saying] = Counter()
    for counts in measured:
        total.update(counts)
    return total


def measured(noise: str) -> Confusions:
    """Return the confusions that were measured in a noise of `MEASURED`."""
    return _checked(json.loads(resources.files(__package__).joinpath("heard").joinpath(MEASURED[noise]).read_bytes()))


def read(path: Path) -> Confusions:
    """Read a file of confusions; raises DeskError for one that cannot be used."""
    raw = files.read_bounded(path, MOST_BYTES, "file of confusions")
    try:
        plain = json.loads(raw)
        return _checked(plain)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DeskError(
            f"'{path}' is no file of confusions; jotto rehearse --voice --write-confusions FILE makes one."
        ) from error


def _checked(plain: Any) -> Confusions:
    """Read a parsed file; raises ValueError, KeyError or TypeError for what is none."""
    rows = plain["rows"]
    if plain["format"] != FORMAT or plain["steps"] != STEPS or not is_certainty(plain["certainty"]):
        raise ValueError("another format")
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_ROWS:
        raise ValueError("no rows, or too many")
    low, high = plain["certainty"]
    return Confusions(
        _name(plain["source"]), (float(low), float(high)), added({saying: times} for saying, times in map(_row, rows))
    )


def _row(row: Any) -> tuple[Saying, int]:
    question, said, heard, number, times = row
    for count, most in ((number, STEPS - 1), (times, MOST_TIMES)):
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= most:
            raise ValueError("no count")
    if not times:
        raise ValueError("never")
    return Saying(_name(question), _name(said), None if heard is None else _name(heard), number), times


def _name(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise ValueError("no name")
    return value
