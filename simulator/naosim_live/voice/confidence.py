"""How sure a recogniser may be: from what it measured to the share of such answers that are right.

The logistic function and its coefficients were fitted to answers whose truth is known: each file says which.
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple


class SphinxEvidence(NamedTuple):
    """What a decoding measured, scores as thousandths of their logarithm per frame.

    `margin` is how much better the phrase fits than the best other one of the vocabulary, `garbage` how much better
    than sounds in any order do; `agreeing` is the share of views that chose it, `phones` the length of the phrase.
    `clarity` is how far the speech stands out of the room, from 0 to 1.
    """

    margin: float
    garbage: float
    agreeing: float
    phones: float
    clarity: float


class Logistic(NamedTuple):
    """A fitted logistic function of evidence: the weights, and what is added.

    `bound` is the lowest `garbage` of an answer: below it, somebody said something else. If there are fewer weights
    than evidence, the rest of it does not count.
    """

    weights: tuple[float, ...]
    bias: float
    bound: float = -math.inf

    def probability(self, evidence: Sequence[float]) -> float:
        """Return the probability that the phrase is right, rounded as a robot reports it."""
        total = self.bias + sum(weight * value for weight, value in zip(self.weights, evidence, strict=False))
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 3)


#: By recogniser: the file of its coefficients, which `jotto_desk.rehearsal.calibration` writes.
FILES = {name: Path(__file__).with_name(f"{name}.json") for name in ("moonshine", "pocketsphinx")}


@cache
def calibration(name: str, is_letter: bool = False) -> Logistic:
    """Read the coefficients of a recogniser, for bare letters if it hears them: they sound alike."""
    found = json.loads(FILES[name].read_text(encoding="utf-8"))
    found = found.get("letters", found) if is_letter else found
    return Logistic(tuple(found["weights"]), found["bias"], found.get("bound", -math.inf))


def fit(
    evidence: Sequence[Sequence[float]], truths: Sequence[bool], counts: Sequence[float], rounds: int = 60
) -> Logistic:
    """Fit a logistic function to evidence with known truths, by Newton's method with a slight pull towards zero.

    Each piece of evidence counts as often as `counts` says.
    """
    import numpy

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
