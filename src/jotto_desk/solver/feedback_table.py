"""The table of all feedback codes of a problem, and the contract of the two cores that search it.

A code is a sum of planes, one per letter and place. The protocols `Core` and `Search` are the contract; the limits are
checked here for both cores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from jotto.feedback import COMMON, MARKS
from jotto_desk.errors import DeskError
from jotto_desk.solver.problem import Problem

# Feedback codes of all guesses against all secrets, as sums of planes.
#
# A code is a sum over the letters of the guess: the contribution of a letter at given places of the guess depends
# only on the secret, for all three kinds of feedback and with repeated letters. So one plane per letter and set of
# places is computed once, and a row of the table is the sum of at most `length` planes.
#
# Codes: `places` exact * (length + 1) + misplaced; `marks` base 3, first place lowest, N 0, P 1, E 2; `common` the
# count, and length + 1 for the word itself.

Codes = npt.NDArray[np.uint8]
Keys = npt.NDArray[np.int32]
#: Estimated costs of sets of secrets in turns, by size [secrets + 1].
Costs = npt.NDArray[np.float64]
#: A number that ends a search once it is not 0; None if nothing does.
StopFlag = npt.NDArray[np.int32] | None


def number_letters(problem: Problem) -> npt.NDArray[np.int16]:
    """Return the letters of all guesses as positions in the alphabet: [guesses, length]."""
    number = {symbol: place for place, symbol in enumerate(problem.rules.alphabet)}
    return np.array([[number[symbol] for symbol in guess] for guess in problem.guesses], dtype=np.int16)


def make_planes(problem: Problem) -> tuple[Codes, Keys]:
    """Return the planes [plane, secrets], plane 0 empty, and the numbers of each guess's planes [guesses, length]."""
    letters = number_letters(problem)
    secrets, length = letters[: len(problem.weights)], letters.shape[1]
    alike = letters[:, :, np.newaxis] == letters[:, np.newaxis, :]
    # A letter and the bits of its places in the guess; where the letter stands again, plane 0 follows.
    names = (letters.astype(np.int64) << length) + (alike << np.arange(length)).sum(axis=2)
    known, keys = np.unique(names, return_inverse=True)
    again = alike.argmax(axis=2) < np.arange(length)
    rows = [np.zeros(len(secrets), dtype=np.uint8)]
    for name in known.tolist():
        places = tuple(place for place in range(length) if name >> place & 1)
        rows.append(make_plane(secrets, name >> length, places, problem.rules.kind))
    return np.stack(rows), np.where(again, 0, keys.reshape(letters.shape) + 1).astype(np.int32)


def sum_planes(rows: Codes, keys: Keys, out: Codes) -> None:
    """Add up the planes of every guess into `out` [guesses, secrets]: the numpy form of the native core's `codes`."""
    for guess in range(0, len(keys), 256):
        block = keys[guess : guess + 256]
        total = rows[block[:, 0]]
        for spot in range(1, keys.shape[1]):
            total += rows[block[:, spot]]
        out[guess : guess + 256] = total


def make_plane(secrets: npt.NDArray[Any], letter: int, places: tuple[int, ...], kind: str) -> Codes:
    """Compute what a letter at these places of a guess adds to the code of each secret [secrets, length]."""
    length = secrets.shape[1]
    here = secrets == letter
    held = here.sum(axis=1)
    if kind == COMMON:
        return np.asarray(np.minimum(held, len(places)), dtype=np.uint8)
    exact = here[:, places]
    if kind != MARKS:
        return np.asarray(exact.sum(axis=1) * length + np.minimum(held, len(places)), dtype=np.uint8)
    left = held - exact.sum(axis=1)
    total = np.zeros(len(secrets), dtype=np.int64)
    for column, place in enumerate(places):
        present = ~exact[:, column] & (left > 0)
        left = left - present
        total += 3**place * (2 * exact[:, column] + present)
    return total.astype(np.uint8)


# The table of a problem: the feedback code of every guess against every secret, in both orders.

_MAX_TABLE_BYTES = 2 << 30
_ROWS_TOGETHER = 64
#: The function of a core that adds up planes: (rows, keys, out), as `sum_planes`.
_AddPlanes = Callable[[Codes, Keys, Codes], None]


@dataclass(frozen=True, eq=False)
class FeedbackTable:
    """A problem with its codes: `rows` [guesses, secrets] and `columns` [secrets, guesses]."""

    problem: Problem
    rows: Codes
    columns: Codes

    @property
    def everything(self) -> npt.NDArray[np.int32]:
        """Return all secrets as a set."""
        return np.arange(len(self.problem.weights), dtype=np.int32)

    @cached_property
    def letters(self) -> Codes:
        """Return the letters of all guesses as positions in the alphabet [guesses, length]."""
        return number_letters(self.problem).astype(np.uint8)

    def weigh(self, members: npt.NDArray[np.int32]) -> int:
        """Add up the weights of a set."""
        return int(self.problem.weights[members].sum())

    def split(self, guess: int, members: npt.NDArray[np.int32]) -> dict[int, npt.NDArray[np.int32]]:
        """Split a set by the code each member gives to `guess`, in rising order of the codes, the winning one left out.

        Members stay in order.
        """
        if not len(members):
            return {}
        codes = self.rows[guess, members]
        order = codes.argsort(kind="stable")
        codes, members = codes[order], members[order]
        starts = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist()]
        ends = [*starts[1:], len(members)]
        parts = {
            code: members[start:end] for code, start, end in zip(codes[starts].tolist(), starts, ends, strict=True)
        }
        parts.pop(self.problem.win, None)
        return parts


def make_table(problem: Problem, add: _AddPlanes = sum_planes) -> FeedbackTable:
    """Compute the table of a problem; `add` is the core's function to add up planes.

    Raises `DeskError` when it would take more memory than the solver allows itself.
    """
    guesses, secrets = len(problem.guesses), len(problem.weights)
    if guesses * secrets > _MAX_TABLE_BYTES:
        large = f"{guesses} guesses against {secrets} secrets make a table of {guesses * secrets >> 20} MB"
        raise DeskError(f"{large}; the solver takes {_MAX_TABLE_BYTES >> 20} MB at most. Give a shorter list.")
    rows = np.empty((guesses, secrets), dtype=np.uint8)
    add(*make_planes(problem), rows)
    if problem.rules.kind == COMMON:
        # With this feedback, a word and its anagrams get the same answer.
        np.fill_diagonal(rows, problem.win)
    # By places and by common letters, feedback is symmetric.
    same = problem.rules.kind != MARKS and guesses == secrets
    return FeedbackTable(problem, rows, rows if same else _transpose(rows))


def _transpose(rows: Codes) -> Codes:
    """Return the table in the other order; some rows at a time, so that they stay in the processor's cache."""
    columns = np.empty(rows.shape[::-1], dtype=np.uint8)
    for begin in range(0, len(rows), _ROWS_TOGETHER):
        columns[:, begin : begin + _ROWS_TOGETHER] = rows[begin : begin + _ROWS_TOGETHER].T
    return columns


# The limits of both cores: beyond them sums would overflow, or results would be wrong.

#: The most turns a search looks ahead, as in native/core.h.
MAX_LEFT = 64
#: The core sums costs of secrets that weigh 1, and estimates in 1/256 turns, in 32 bits.
_MAX_SUM = 2**31 - 1
UNITS_PER_TURN = 256
#: The most different weights of secrets, as in native/search.h.
_MAX_WEIGHTS = 8
#: How many guesses beyond its width a beam tries at a set until it has found a tree that misses no member.
DEFAULT_PATIENCE = 16


def check_search(table: FeedbackTable, miss: int, width: int, full: int, memo_bytes: int, patience: int) -> None:
    """Check the arguments of a new search.

    Raises `DeskError` for a miss that counts too little or too much or too many different weights, `ValueError` for
    negative sizes.
    """
    secrets, weights = len(table.problem.weights), len(np.unique(table.problem.weights))
    if weights > _MAX_WEIGHTS:
        raise DeskError(f"The words have {weights} different weights; a search takes {_MAX_WEIGHTS}. Round them.")
    most = _MAX_SUM // secrets - MAX_LEFT
    if not 1 <= miss <= most:
        wrong = f"A secret that is not found cannot count {miss} turns more"
        raise DeskError(f"{wrong}; with {secrets} secrets the solver takes 1 to {most}.")
    if min(width, full, memo_bytes, patience) < 0:
        sizes = f"width {width}, full {full}, patience {patience} and {memo_bytes} bytes"
        raise ValueError(f"a search of {sizes}: each must be 0 or more")


def check_left(left: int) -> None:
    """Check the number of turns left; raises `ValueError`."""
    if left > MAX_LEFT:
        raise ValueError(f"{left} turns left; a search looks {MAX_LEFT} ahead at most")


def check_look_ahead(width: int) -> None:
    """Check that a search may bound guesses from below; raises `ValueError` for a beam."""
    if width:
        raise ValueError(f"a beam of width {width} cannot look ahead: the costs of its trees bound no other tree")


def convert_costs(costs: Costs, secrets: int) -> npt.NDArray[np.int32]:
    """Return estimates by size of set in 1/256 turns, the highest ones lowered so that no sum of them overflows.

    Raises `ValueError` unless there is one for each size from 0 to `secrets`, the first 0 and none negative.
    """
    wrong = ""
    if costs.shape != (secrets + 1,):
        wrong = f"{costs.size} of them for {secrets} secrets"
    elif not np.isfinite(costs).all() or costs.min() < 0:
        wrong = "one is negative or no number"
    elif costs[0] != 0:
        wrong = f"{costs[0]} for a set of none"
    if wrong:
        raise ValueError(f"estimates of the cost of sets: {wrong}")
    highest = (_MAX_SUM // (UNITS_PER_TURN * secrets) - 1) * np.arange(secrets + 1)
    lowered: npt.NDArray[Any] = np.rint(np.minimum(costs, highest) * UNITS_PER_TURN)
    return lowered.astype(np.int32)


# The protocols that both cores implement.

Members = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]

#: The guesses asked before a set, in order.
Played = Sequence[int]

#: Turns left if there is no cap; no sensible tree is deeper.
ENDLESS = 60
#: The default limit; sums of costs stay far below it.
NO_LIMIT = 1 << 61


class Solution(NamedTuple):
    """The cost of a set of secrets, and the guess to ask there: -1 if none costs less than the limit."""

    cost: int
    guess: int


class Search(Protocol):
    """A tree search with its memo; several threads can use it at the same time."""

    def estimate(self, costs: Costs) -> None:
        """Set the estimated cost of a set of each size, in turns: [secrets + 1], 0 for the empty set.

        Raises `ValueError` for estimates that would mislead.
        """

    def reach(self) -> list[int]:
        """Return the largest numbers of members of one set that can be found within 0, 1, 2 ... turns."""

    def sum_costs(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        """Return the sum and the number of the exact costs in the memo, per size of set up to `most`."""

    def solve(self, members: Members, left: int, limit: int | None = None, played: Played = ()) -> Solution | None:
        """Find the cost of a set: exact below `limit`, else a lower bound that is not below it; None when stopped.

        At most `MAX_LEFT` turns can be `left`, here and below (`ValueError`). Raises `DeskError` when memory
        is short, as the other methods do.
        """

    def attempt(
        self, members: Members, left: int, guess: int, limit: int | None = None, played: Played = ()
    ) -> int | None:
        """Find the cost of asking `guess` at a set, in the same terms."""

    def look_ahead(self, members: Members, left: int, guess: int, limit: int | None = None) -> int:
        """Bound the cost of asking `guess` at a set from below, looking two guesses ahead.

        It looks no further once the bound is not below `limit`.
        Raises `ValueError` in a beam: its memo contains the costs of the trees it found, which are not lower bounds.
        """

    def scan(self, members: Members, left: int, played: Played = ()) -> tuple[Members, Numbers, Numbers]:
        """List the guesses worth trying, most promising first, with bounds and estimates (in 1/256 turns)."""


class Core(Protocol):
    """Tables, scores and searches."""

    name: str

    def add_planes(self, rows: Codes, keys: Keys, out: Codes) -> None:
        """Add up planes into the table `out` [guesses, secrets]."""

    def score_guesses(
        self, table: FeedbackTable, members: Members, guesses: Members, values: Numbers, won: int, largest: bool
    ) -> Numbers:
        """Return per guess the sum (or the largest) of `values[size]` over the sizes of its parts.

        A winning part counts as `won`. Empty parts, one for every other code an answer can have, count in sums only,
        as `values[0]`. There is at least one member.
        """

    def search(
        self,
        table: FeedbackTable,
        miss: int,
        width: int = 0,
        full: int = 0,
        memo_bytes: int = 1 << 28,
        stop: StopFlag = None,
        patience: int = DEFAULT_PATIENCE,
    ) -> Search:
        """Begin a search: `miss` turns are added for a secret not found in time, a beam tries `width` guesses per set.

        A beam tries all guesses at sets of at most `full` members (at most 8 where members have to be missed). With a
        cap it tries up to `patience` further guesses until a tree misses no member; a core can take both as hints.
        Once `stop[0]` is not 0, every call ends. The results of a beam depend neither on the limits of its calls nor
        on earlier searches. Raises `DeskError` when memory is short, or for a `miss` below 1 or above what the sums
        can hold.
        """
