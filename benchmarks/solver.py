"""The solver's C core compared with numpy and plain Python: the feedback table, and one turn of entropy.

Times are those of the thread on its processor.
"""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from math import log2
from typing import Any

import numpy as np
from games import list_words
from run import Options

from jotto import compat, feedback
from jotto.index import Index
from jotto.rules import JOTTO
from jotto.strategies import Entropy
from jotto_desk.solver import cores, feedback_table, problem
from jotto_desk.solver.reference import NumpyCore
from jotto_desk.solver.strategies import BIT_UNITS, MEASURES

#: Words of the longer list that the table is made of, and of the lists that entropy is timed on.
LONGER, SIZES, SMALL = 8322, (3000, 6000, 13000), (60, 120)
#: Guesses that plain Python scores; its time is scaled up to all guesses.
FEW_GUESSES = 12


def draw_isograms(count: int) -> list[str]:
    """Return `count` words: the default list, then random words that look like it.

    Each letter of a random word is at the same place in some word of the list.
    """
    pattern = list_words()
    words, known, tries = pattern[:count], set(pattern), 0
    while len(words) < count:
        word = "".join(compat.draw_item(pattern, 1, "word", tries, place)[place] for place in range(5))
        tries += 1
        if len(set(word)) == 5 and word not in known:
            known.add(word)
            words.append(word)
    return words


def median_seconds(works: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the median seconds of each work; they are done in turn, so that a busy machine slows all alike."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            start = time.thread_time()
            work()
            taken[name].append(time.thread_time() - start)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


# The feedback table: every guess scored against every secret, one byte per pair.


def measure_pairs(options: Options) -> dict[str, Any]:
    """Return the rates for the default list and a longer one."""
    if options.small:
        return {"default list": measure_table(list_words()[:60], 1)}
    lists = {"default list": list_words(), "longer list": draw_isograms(LONGER)}
    return {name: measure_table(words, 21) for name, words in lists.items()}


def measure_table(words: Sequence[str], repeats: int) -> dict[str, Any]:
    """Return pairs a second for one list; raises `ValueError` if two ways disagree.

    The planes that the table is summed from are made before and timed separately.
    """
    game, engine = problem.make_list_problem(words, JOTTO), cores.choose_best_core()
    # empty() gets no memory until the first pass writes to it; medians leave that pass out.
    ours, theirs, copied = (np.empty((len(words), len(words)), dtype=np.uint8) for _ in range(3))
    rows, keys = feedback_table.make_planes(game)
    fast_works = {
        "core": lambda: engine.add_planes(rows, keys, ours),
        "memory copied": lambda: np.copyto(copied, ours),
        "memory filled": lambda: copied.fill(1),
    }
    fast = median_seconds(fast_works, repeats)
    some = compat.draw_items(range(len(words)), min(FEW_GUESSES, len(words)), 1, "pairs")
    slow_works = {
        "planes": lambda: feedback_table.make_planes(game),
        "numpy": lambda: feedback_table.sum_planes(rows, keys, theirs),
        "jotto.feedback": lambda: _score_all(JOTTO.score, words, some),
        "jotto.feedback, slow": lambda: _score_all(feedback.SLOW_SCORERS[JOTTO.kind], words, some),
    }
    slow = median_seconds(slow_works, min(repeats, 3))
    plain = [[game.classes[code] for code in ours[guess]] for guess in some]
    if not (ours == theirs).all() or plain != _score_all(JOTTO.score, words, some):
        raise ValueError("The core, numpy and plain Python do not make the same table.")
    rates = {name: len(words) ** 2 / seconds for name, seconds in {**fast, **slow}.items() if name != "planes"}
    for name in ("jotto.feedback", "jotto.feedback, slow"):
        rates[name] *= len(some) / len(words)
    return {"words": len(words), "core": engine.name, "rates": rates, "planes_seconds": slow["planes"]}


def _score_all(score: Callable[[str, str], Any], words: Sequence[str], some: Sequence[int]) -> list[list[Any]]:
    return [[score(words[guess], secret) for secret in words] for guess in some]


def report_pairs(found: dict[str, Any]) -> list[str]:
    lines = []
    for name, row in found.items():
        rates, names = row["rates"], {"core": f"core ({row['core']})"}
        lines.append(
            f"Feedback table, {name}, {row['words']:,} x {row['words']:,}, millions of pairs a second on one "
            f"core (planes, {1000 * row['planes_seconds']:.0f} ms, made before):"
        )
        lines += [
            f"  {names.get(way, way):18} {rate / 1e6:10,.2f}   the core: {rates['core'] / rate:,.2f} times that"
            for way, rate in rates.items()
        ]
    return lines


# One turn of entropy: every word is compared as the next guess while all words still fit; only the table is known.


def measure_entropy(options: Options) -> dict[str, Any]:
    """Return the times for all sizes, and the exponent in seconds = a * words ** exponent."""
    rows = {str(size): measure_turn(size, 1 if options.small else 15) for size in (SMALL if options.small else SIZES)}
    sizes = np.log([int(size) for size in rows])
    exponents = {
        way: float(np.polyfit(sizes, np.log([row["seconds"][way] for row in rows.values()]), 1)[0])
        for way in ("core", "numpy", "plain Python")
    }
    return {"rows": rows, "exponents": exponents}


def measure_turn(size: int, repeats: int) -> dict[str, Any]:
    """Return the times for one size; raises `ValueError` if the three ways disagree."""
    words = draw_isograms(size)
    engine, index = cores.choose_best_core(), Index(words, JOTTO)
    laid = feedback_table.make_table(problem.make_list_problem(words, JOTTO), engine.add_planes)
    some = compat.draw_items(range(size), 2 * FEW_GUESSES, 1, "entropy")
    fast, slow = _make_turn(laid, engine), _make_turn(laid, NumpyCore())

    def plain() -> list[float]:
        return [Entropy.compute_bits(index, words[guess], index.everything) for guess in some]

    scores = fast()
    bits = log2(size) - scores[some] / size / BIT_UNITS
    if (scores != slow()).any() or not np.allclose(bits, plain(), atol=1e-6):
        raise ValueError("The core, numpy and plain Python do not find the same entropies.")
    few = median_seconds({"numpy": slow, "plain Python": plain}, min(repeats, 3))
    few["plain Python"] *= size / len(some)
    seconds = median_seconds({"core": fast}, repeats) | few
    return {"seconds": seconds, "core": engine.name}


def _make_turn(laid: feedback_table.FeedbackTable, engine: feedback_table.Core) -> Callable[[], Any]:
    entropy = next(measure for measure in MEASURES if measure.name == "entropy")
    everything = laid.everything
    values = np.array([entropy.worth(size) for size in range(len(everything) + 1)], dtype=np.int64)
    return lambda: engine.score_guesses(laid, everything, everything, values, entropy.won, entropy.largest)


def report_entropy(found: dict[str, Any]) -> list[str]:
    lines = ["One turn of entropy, all words as guesses against all words, milliseconds:"]
    for size, row in found["rows"].items():
        times = ", ".join(
            f"{row['core'] if way == 'core' else way} {1000 * taken:,.{2 if way == 'core' else 0}f}"
            for way, taken in row["seconds"].items()
        )
        lines.append(f"  {int(size):6,} words: {times}")
    exponents = ", ".join(f"{way} {exponent:.2f}" for way, exponent in found["exponents"].items())
    return [*lines, f"  grows with the number of words to the power of: {exponents}"]
