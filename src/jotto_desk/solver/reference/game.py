"""A table as the numpy search sees it: weights, and how guesses part sets of secrets.

A set is an array of numbers of secrets, rising, so that its heaviest member comes first.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..contract import Members, Numbers
from ..model.feedback_table import Table

Counts = npt.NDArray[np.uint16]

#: Numbers worked with at one time: few enough to stay near the processor.
BLOCK = 1 << 18


class Game:
    """The codes and weights of a problem; `letters` only where symbols and places may be exchanged."""

    def __init__(self, table: Table) -> None:
        problem = table.problem
        self.rows, self.columns = table.rows, table.columns
        self.codes, self.win = len(problem.classes), problem.win
        self.weights: Numbers = problem.weights.astype(np.int64)
        self.plain = problem.is_uniform and int(self.weights[0]) == 1
        self.letters = table.letters if problem.is_symmetric else None
        self.symbols = len(problem.rules.alphabet)
        self.guesses: Members = np.arange(len(self.rows), dtype=np.int32)

    def weight(self, members: Members) -> int:
        """What a set weighs."""
        return int(self.weights[members].sum())

    def split(self, members: Members, guess: int) -> list[Members]:
        """The parts of a set under a guess by rising code, the winning one left out."""
        codes = self.rows[guess, members]
        order = codes.argsort(kind="stable")
        codes, members = codes[order], members[order]
        ends = [*(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist(), len(members)]
        if codes[-1] == self.win:
            ends.pop()
        return [members[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def tells_all(self, members: Members, guesses: Members) -> int | None:
        """The first of `guesses` that gets a different answer from every member; None where there is none."""
        codes = np.sort(self.rows[guesses[:, None], members], axis=1)
        alike = (codes[:, 1:] == codes[:, :-1]).any(axis=1)
        first = int(alike.argmin())
        return None if alike[first] else int(guesses[first])

    def met(self, members: Members) -> npt.NDArray[np.uint8]:
        """How many different answers every guess there is gets from a set; for at most 64 codes."""
        kind = np.uint32 if self.codes <= 32 else np.uint64
        bits = np.left_shift(kind(1), self.columns[members], dtype=kind)
        return np.asarray(np.bitwise_count(np.bitwise_or.reduce(bits, axis=0)))

    def counts(self, members: Members, guesses: Members) -> Counts:
        """Sizes of the parts of a set by code, under every listed guess: [guesses, codes]."""
        counts = np.empty((len(guesses), self.codes), dtype=np.uint16)
        for block in _blocks(len(guesses), len(members)):
            codes = self.rows[guesses[block, None], members]
            first = np.arange(0, len(codes) * self.codes, self.codes)
            met = np.bincount((first[:, None] + codes).ravel(), minlength=len(codes) * self.codes)
            counts[block] = met.reshape(-1, self.codes)
        return counts

    def sums(self, members: Members, guesses: Members, *costs: Numbers) -> list[Numbers]:
        """Weigh the parts of a set under every listed guess, the winning one left out.

        `costs` give the cost of a part by its size when all weights are 1. A heavier member comes earlier in its
        part, and its weight multiplies what the part costs more for holding it.
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
    """How many equal codes stand before each one in its row; rows are sorted."""
    places = np.broadcast_to(np.arange(codes.shape[1]), codes.shape)
    starts = np.zeros(codes.shape, dtype=np.intp)
    np.multiply(places[:, 1:], codes[:, 1:] != codes[:, :-1], out=starts[:, 1:])
    return places - np.maximum.accumulate(starts, axis=1)


def _blocks(guesses: int, members: int) -> Iterator[slice]:
    step = max(1, BLOCK // members)
    return (slice(start, start + step) for start in range(0, guesses, step))
