"""Pairs per second of the feedback table: the C core, numpy and plain Python, beside what the memory could do.

Every guess is scored against every secret, one byte per pair. The planes the sums are made of are built beforehand, and
timed on their own: they grow with the list, the table with its square.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import vocabulary
from options import Options
from stopwatch import medians

from jotto import compat, feedback
from jotto.rules import JOTTO
from jotto_desk.solver import cores, feedback_table, problem

#: Guesses that plain Python scores against all secrets; more would only take longer.
FEW = 12


def measure(options: Options) -> dict[str, Any]:
    """Time both lists."""
    lists = [("default list", vocabulary.own()), vocabulary.larger()]
    if options.small:
        lists = [("default list", vocabulary.own()[:60])]
    return {name: measure_one(words, 1 if options.small else 21) for name, words in lists}


def measure_one(words: Sequence[str], repeats: int) -> dict[str, Any]:
    """Time one list; raises `ValueError` when two ways disagree."""
    game, engine = problem.list_problem(words, JOTTO), cores.best_core()
    # An array made by empty() is not backed by memory yet: the first pass pays for that, and is not counted.
    ours, theirs, copied = (np.empty((len(words), len(words)), dtype=np.uint8) for _ in range(3))
    rows, keys = feedback_table.make_planes(game)
    fast = medians(
        {
            "core": lambda: engine.codes(rows, keys, ours),
            "memory copied": lambda: np.copyto(copied, ours),
            "memory filled": lambda: copied.fill(1),
        },
        repeats,
    )
    some = compat.draw_items(range(len(words)), FEW, 1, "pairs")
    slow = medians(
        {
            "planes": lambda: feedback_table.make_planes(game),
            "numpy": lambda: feedback_table.sum_planes(rows, keys, theirs),
            "jotto.feedback": lambda: _scored(JOTTO.score, words, some),
            "jotto.feedback, slow": lambda: _scored(feedback.SLOW_SCORERS[JOTTO.kind], words, some),
        },
        min(repeats, 3),
    )
    plain = [[game.classes[code] for code in ours[guess]] for guess in some]
    if not (ours == theirs).all() or plain != _scored(JOTTO.score, words, some):
        raise ValueError("The core, numpy and plain Python do not make the same table.")
    pairs = len(words) ** 2
    rates = {name: pairs / seconds for name, seconds in {**fast, **slow}.items() if name != "planes"}
    for name in ("jotto.feedback", "jotto.feedback, slow"):
        rates[name] *= len(some) / len(words)
    return {"words": len(words), "core": engine.name, "rates": rates, "planes_seconds": slow["planes"]}


def _scored(score: Callable[[str, str], Any], words: Sequence[str], some: Sequence[int]) -> list[list[Any]]:
    return [[score(words[guess], secret) for secret in words] for guess in some]


def report(found: dict[str, Any]) -> list[str]:
    """Format the result as lines of text."""
    lines = []
    for name, row in found.items():
        rates, names = row["rates"], {"core": f"core ({row['core']})"}
        lines.append(
            f"Feedback table, {name}, {row['words']:,} x {row['words']:,}, millions of pairs a second on one "
            f"core (planes, {1000 * row['planes_seconds']:.0f} ms, built beforehand):"
        )
        lines += [
            f"  {names.get(way, way):18} {rate / 1e6:10,.2f}   the core: {rates['core'] / rate:,.2f} times that"
            for way, rate in rates.items()
        ]
    return lines
