"""How guesses split sets of secrets into parts, one part per answer.

A set is a rising array of secret numbers, so its heaviest member comes first.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..contract import Members, Numbers
from ..model.feedback_table import FeedbackTable

Counts = npt.NDArray[np.uint16]

#: Codes processed at once: few enough to stay in the processor's cache.
BLOCK = 1 << 18


class Partitions:
    """The codes and weights of a problem; `letters` is None unless symbols and places may be exchanged."""

    def __init__(self, table: FeedbackTable) -> None:
        problem = table.problem
        self.rows, self.columns = table.rows, table.columns
        self.codes, self.win = len(problem.classes), problem.win
        self.weights: Numbers = problem.weights.astype(np.int64)
        self.plain = problem.is_uniform and int(self.weights[0]) == 1
        self.letters = table.letters if problem.is_symmetric else None
        self.symbols = len(problem.rules.alphabet)
        self.guesses: Members = np.arange(len(self.rows), dtype=np.int32)

    def weight(self, members: Members) -> int:
        """Return the weight of a set."""
        return int(self.weights[members].sum())

    def split(self, members: Members, guess: int) -> list[Members]:
        """Split a set by the answers to a guess, in rising order of their codes; the winning part is left out."""
        codes = self.rows[guess, members]
        order = codes.argsort(kind="stable")
        codes, members = codes[order], members[order]
        ends = [*(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist(), len(members)]
        if codes[-1] == self.win:
            ends.pop()
        return [members[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def separating(self, members: Members, guesses: Members) -> int | None:
        """Return the first of `guesses` that gets a different answer from every member; None where there is none."""
        codes = np.sort(self.rows[guesses[:, None], members], axis=1)
        alike = (codes[:, 1:] == codes[:, :-1]).any(axis=1)
        first = int(alike.argmin())
        return None if alike[first] else int(guesses[first])

    def part_numbers(self, members: Members) -> npt.NDArray[np.uint8]:
        """Count the different answers that each possible guess gets from a set; for at most 64 codes."""
        kind = np.uint32 if self.codes <= 32 else np.uint64
        bits = np.left_shift(kind(1), self.columns[members], dtype=kind)
        return np.asarray(np.bitwise_count(np.bitwise_or.reduce(bits, axis=0)))

    def counts(self, members: Members, guesses: Members) -> Counts:
        """Count the parts of a set by code, for every listed guess: [guesses, codes]."""
        counts = np.empty((len(guesses), self.codes), dtype=np.uint16)
        for block in _blocks(len(guesses), len(members)):
            codes = self.rows[guesses[block, None], members]
            first = np.arange(0, len(codes) * self.codes, self.codes)
            met = np.bincount((first[:, None] + codes).ravel(), minlength=len(codes) * self.codes)
            counts[block] = met.reshape(-1, self.codes)
        return counts

    def sums(self, members: Members, guesses: Members, *costs: Numbers) -> list[Numbers]:
        """Sum up the costs of the parts of a set for every listed guess; the winning part is left out.

        `costs` are the costs of parts by size where every member weighs 1. Within a part the heavier members come
        first; each one's weight multiplies the cost it adds to the part.
        """
        steps = [np.diff(cost) for cost in costs]
        sums = [np.empty(len(guesses), dtype=np.int64) for _ in costs]
        for block in _blocks(len(guesses), len(members)):
            codes = self.rows[guesses[block, None], members]
            order = codes.argsort(axis=1, kind="stable")
            codes = np.take_along_axis(codes, order, axis=1)
            weights = np.where(codes == self.win, 0, self.weights[members][order])
            earlier = _earlier(codes)
            for one, step in zip(sums, steps, strict=True):
                one[block] = (weights * step[earlier]).sum(axis=1)
        return sums


def _earlier(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
    """Count the equal codes before each one in its row; rows are sorted."""
    places = np.broadcast_to(np.arange(codes.shape[1]), codes.shape)
    starts = np.zeros(codes.shape, dtype=np.intp)
    np.multiply(places[:, 1:], codes[:, 1:] != codes[:, :-1], out=starts[:, 1:])
    return places - np.maximum.accumulate(starts, axis=1)


def _blocks(guesses: int, members: int) -> Iterator[slice]:
    step = max(1, BLOCK // members)
    return (slice(start, start + step) for start in range(0, guesses, step))
