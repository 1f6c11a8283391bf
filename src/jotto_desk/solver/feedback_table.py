"""The table of all feedback codes of a problem, and the contract of the two cores that search it.

A code is a sum of planes, one per letter and place. The protocols `Core` and `Search` are the contract; the limits are
checked here for both cores."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from jotto.feedback import COMMON, MARKS
from jotto_desk.errors import DeskError
from jotto_desk.solver.problem import Plan, Problem

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
#: A set of secrets: their numbers in rising order.
Members = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]
#: A number that ends a search once it is not 0; None if nothing does.
StopFlag = npt.NDArray[np.int32] | None
#: Codes processed together: few enough to stay in the processor's cache.
BLOCK_CELLS = 1 << 18


def number_letters(problem: Problem) -> npt.NDArray[np.int16]:
    """Return the letters of all guesses as positions in the alphabet: [guesses, length]."""
    number = {symbol: place for place, symbol in enumerate(problem.rules.alphabet)}
    symbols = map(number.__getitem__, itertools.chain.from_iterable(problem.guesses))
    return np.fromiter(symbols, dtype=np.int16).reshape(len(problem.guesses), problem.rules.length)


def make_planes(problem: Problem) -> tuple[Codes, Keys]:
    """Return the planes [plane, secrets], plane 0 empty, and the numbers of each guess's planes [guesses, length]."""
    letters = number_letters(problem)
    secrets, length = letters[: len(problem.weights)], letters.shape[1]
    # A letter and the bits of its places in the guess; where the letter stands again, plane 0 follows.
    names, again = letters.astype(np.int64) << length, np.zeros(letters.shape, dtype=bool)
    for place, other in itertools.product(range(length), repeat=2):
        alike = letters[:, place] == letters[:, other]
        names[:, place] |= alike.astype(np.int64) << other
        again[:, place] |= alike & (other < place)
    known, keys = np.unique(names, return_inverse=True)
    step = max(1, BLOCK_CELLS // len(secrets))
    blocks = [_fill_planes(secrets, known[at : at + step], problem.rules.kind) for at in range(0, len(known), step)]
    planes = np.vstack([np.zeros(len(secrets), dtype=np.uint8), *blocks])
    return planes, np.where(again, 0, keys.reshape(letters.shape) + 1).astype(np.int32)


def _fill_planes(secrets: npt.NDArray[np.int16], names: npt.NDArray[np.int64], kind: str) -> Codes:
    """Compute what a letter at its places of a guess adds to the code of each secret: [names, secrets]."""
    length = secrets.shape[1]
    letter = (names >> length).astype(secrets.dtype)[:, np.newaxis]
    here = [place == letter for place in np.ascontiguousarray(secrets.T)]
    asked = [(names >> place & 1).astype(np.uint8)[:, np.newaxis] for place in range(length)]
    held, exact, total = (np.zeros((len(names), len(secrets)), dtype=np.uint8) for _ in range(3))
    for met, at in zip(here, asked, strict=True):
        held += met
        exact += met & at
    if kind != MARKS:
        counted = np.minimum(held, np.sum(asked, axis=0, dtype=np.uint8))
        return counted if kind == COMMON else exact * np.uint8(length) + counted
    left = held - exact
    for place, (met, at) in enumerate(zip(here, asked, strict=True)):
        present = ~met & at & (left > 0)
        left -= present
        total += np.uint8(3**place) * (2 * (met & at) + present)
    return total


def sum_planes(rows: Codes, keys: Keys, out: Codes) -> None:
    """Add up the planes of every guess into `out` [guesses, secrets]: the numpy form of the native core's `codes`."""
    for guess in range(0, len(keys), 256):
        block = keys[guess : guess + 256]
        total = rows[block[:, 0]]
        for spot in range(1, keys.shape[1]):
            total += rows[block[:, spot]]
        out[guess : guess + 256] = total


# The table of a problem: the feedback code of every guess against every secret, in both orders.

_MAX_TABLE_BYTES = 2 << 30
_ROWS_TOGETHER = 64
#: The function of a core that adds up planes: (rows, keys, out), as `sum_planes`.
_AddPlanes = Callable[[Codes, Keys, Codes], None]
#: Larger than any answer's number in a plan.
_NO_ANSWER = 1 << 62


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

    def weigh(self, members: Members) -> int:
        """Add up the weights of a set."""
        return int(self.problem.weights[members].sum())

    def split(self, guess: int, members: Members) -> dict[int, Members]:
        """Split a set by the code each member gives to `guess`, in rising order of the codes, the winning one left out.

        Members stay in order.
        """
        if not len(members):
            return {}
        parts = dict(_cut(self.rows[guess, members], members))
        parts.pop(self.problem.win, None)
        return parts

    def split_all(self, asked: Sequence[tuple[int, Members]]) -> list[dict[int, Members]]:
        """Split sets as `split` does, each by a guess of its own: several times faster for many small sets."""
        guesses, sets = zip(*asked, strict=True)
        sizes, members = [*map(len, sets)], np.concatenate(sets)
        keys = np.repeat(np.arange(len(sets)) << 8, sizes) + self.rows[np.repeat(guesses, sizes), members]
        parts: list[dict[int, Members]] = [{} for _ in sets]
        for key, part in _cut(keys, members):
            if key & 255 != self.problem.win:
                parts[key >> 8][key & 255] = part
        return parts

    def play(self, plan: Plan, members: Members, left: int) -> tuple[Numbers, npt.NDArray[np.bool_]]:
        """Play secrets by a plan; return the guesses that each takes, `left` at most, and whether it is found."""
        plans, answers = [plan], list[int]()
        for number, above in enumerate(plans):  # grows: answers[i] leads to plans[i + 1]
            if above.children:
                answers += [number << 8 | code for code in above.children]
                plans += above.children.values()
        answers.append(_NO_ANSWER)
        guesses, order, known = np.array([each.guess for each in plans]), np.argsort(answers), np.sort(answers)
        turns, found = np.zeros(len(members), dtype=np.int64), np.zeros(len(members), dtype=bool)
        playing, here = np.arange(len(members)), np.zeros(len(members), dtype=np.int64)
        for _ in range(left):
            asked, secrets = guesses[here], members[playing]
            turns[playing] += 1
            found[playing] = asked == secrets
            told = here << 8 | self.rows[asked, secrets]
            places = np.searchsorted(known, told)
            going = (known[places] == told) & ~found[playing]
            playing, here = playing[going], order[places[going]] + 1
        return turns, found


def _cut(keys: npt.NDArray[Any], members: Members) -> Iterator[tuple[int, Members]]:
    """Yield every key in rising order with its members."""
    order = keys.argsort(kind="stable")
    keys, members = keys[order], members[order]
    starts = [0, *(np.flatnonzero(keys[1:] != keys[:-1]) + 1).tolist()]
    for key, start, end in zip(keys[starts].tolist(), starts, [*starts[1:], len(keys)], strict=True):
        yield key, members[start:end]


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
