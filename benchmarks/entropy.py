"""One turn of entropy: every word scored as the next guess while all words still fit; and the memory it takes.

Nothing is known beforehand but the table, and no first guess is kept. Run as a script it is the child process whose
memory is measured: `python entropy.py WORDS`.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import vocabulary
from options import Options
from stopwatch import medians

from jotto import compat
from jotto.index import Index
from jotto.rules import JOTTO
from jotto.strategies import Entropy
from jotto_desk.games.gladiators_campaign import peak_memory_mb
from jotto_desk.solver import cores, feedback_table, problem
from jotto_desk.solver.reference import NumpyCore
from jotto_desk.solver.strategies import BIT_UNITS, MEASURES

SIZES, SMALL = (3000, 6000, 13000), (60, 120)
#: Guesses measured in plain Python; its time is scaled up from there.
FEW = 24


def measure(options: Options) -> dict[str, Any]:
    """Time all sizes and fit seconds = a * words ** exponent."""
    rows = {str(size): measure_one(size, 1 if options.small else 15) for size in (SMALL if options.small else SIZES)}
    ways = list(next(iter(rows.values()))["seconds"])
    sizes = np.log([int(size) for size in rows])
    exponents = {
        way: float(np.polyfit(sizes, np.log([row["seconds"][way] for row in rows.values()]), 1)[0]) for way in ways
    }
    return {"rows": rows, "exponents": exponents}


def measure_one(size: int, repeats: int) -> dict[str, Any]:
    """Time one size; raises `ValueError` when the three ways disagree."""
    words = vocabulary.isograms(size)
    laid = _laid(words)
    index, some = Index(words, JOTTO), compat.draw_items(range(size), FEW, 1, "entropy")
    fast, slow = _turn(laid, cores.best_core()), _turn(laid, NumpyCore())

    def plain() -> list[float]:
        return [Entropy.bits(index, words[guess], index.everything) for guess in some]

    scores = fast()
    bits = log2(size) - scores[some] / size / BIT_UNITS
    if (scores != slow()).any() or not np.allclose(bits, plain(), atol=1e-6):
        raise ValueError("The core, numpy and plain Python do not find the same entropies.")
    seconds = medians({"core": fast}, repeats) | medians({"numpy": slow, "plain Python": plain}, min(repeats, 3))
    seconds["plain Python"] *= size / len(some)
    return {"seconds": seconds, "core": cores.best_core().name, **peak(size)}


def _laid(words: list[str]) -> feedback_table.FeedbackTable:
    return feedback_table.make_table(problem.list_problem(words, JOTTO), cores.best_core().codes)


def _turn(laid: feedback_table.FeedbackTable, engine: feedback_table.Core) -> Callable[[], Any]:
    entropy = next(measure for measure in MEASURES if measure.name == "entropy")
    everything = laid.everything
    values = np.array([entropy.worth(size) for size in range(len(everything) + 1)], dtype=np.int64)
    return lambda: engine.scores(laid, everything, everything, values, entropy.won, entropy.largest)


def peak(size: int) -> dict[str, float]:
    """Measure the peak memory of a process that does one turn, in MB, and that of one that only gets ready."""
    child = [sys.executable, str(Path(__file__)), str(size)]
    raw = subprocess.run(child, check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in json.loads(raw).items()}


def report(found: dict[str, Any]) -> list[str]:
    """Format the result as lines of text."""
    lines = ["One turn of entropy, all words as guesses against all words, milliseconds:"]
    for size, row in found["rows"].items():
        times = ", ".join(
            f"{row['core'] if way == 'core' else way} {1000 * taken:,.{2 if way == 'core' else 0}f}"
            for way, taken in row["seconds"].items()
        )
        lines.append(
            f"  {int(size):6,} words: {times}; peak memory {row['peak_mb']:.0f} MB, "
            f"{row['ready_mb']:.0f} MB of it before the table"
        )
    exponents = ", ".join(f"{way} {exponent:.2f}" for way, exponent in found["exponents"].items())
    return [*lines, f"  grows with the number of words to the power of: {exponents}"]


def main() -> None:
    """Do one turn and print the peaks, in MB."""
    words = vocabulary.isograms(int(sys.argv[1]))
    ready = peak_memory_mb()
    _turn(_laid(words), cores.best_core())()
    print(json.dumps({"ready_mb": ready, "peak_mb": peak_memory_mb()}))


if __name__ == "__main__":
    main()
