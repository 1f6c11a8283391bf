"""The next guess in the gladiators challenge: from a tree, or by the solver's strategies on the codes that fit."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jotto.compat import is_integer
from jotto.feedback import Feedback
from jotto.index import Index
from jotto.rules import JottoError, Rules
from jotto.tree import MAX_TREE_BYTES, Tree, list_codes, parse_tree
from jotto_desk import files
from jotto_desk.errors import DeskError
from jotto_desk.games.gladiators import Code, Level, word_code, write_code
from jotto_desk.solver.beam import assume_costs
from jotto_desk.solver.feedback_table import Core, FeedbackTable, make_table
from jotto_desk.solver.problem import MAX_WORDS, Problem
from jotto_desk.solver.strategies import ALL_GUESSES, MEASURES, BestPartition, TablePosition

#: A guess and its answer.
CodeTurn = tuple[Code, Feedback]
#: The same, with the guess as a word of the rules.
_WordTurn = tuple[Any, Feedback]


class TimeBudget:
    """The seconds of a guess, counted within a `with`; `flag` stops a search of the solver's core."""

    def __init__(self, seconds: float) -> None:
        self.flag = np.zeros(1, dtype=np.int32)
        self._end = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self.flag.fill, (1,))
        self._timer.daemon = True

    def is_left(self) -> bool:
        """Return whether there is time left."""
        return time.monotonic() < self._end

    def __enter__(self) -> "TimeBudget":
        self._timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()


# Codes that fit, for levels of too many codes to list: beginnings grow place by place.


class _Beginnings(NamedTuple):
    """Beginnings of codes [n, places], and per turn the weapons in place and in common still missing [n, turns]."""

    codes: npt.NDArray[np.uint8]
    placed: npt.NDArray[np.int8]
    shared: npt.NDArray[np.int8]

    def take(self, rows: npt.NDArray[Any]) -> "_Beginnings":
        return _Beginnings(self.codes[rows], self.placed[rows], self.shared[rows])


class CodeSampler:
    """Draws codes that give every guess of `turns` its answer."""

    def __init__(self, rules: Rules, turns: Sequence[CodeTurn], dice: np.random.Generator) -> None:
        self._length, self._weapons, self._dice = rules.length, len(rules.alphabet), dice
        self._here = np.zeros((self._length, self._weapons, len(turns)), dtype=np.int8)
        for number, (guess, _) in enumerate(turns):
            self._here[range(self._length), guess, number] = 1
        self._held = self._here.sum(axis=0, dtype=np.int8)
        placed = np.array([[feedback.exact for _, feedback in turns]], dtype=np.int8)
        shared = np.array([[feedback.common for _, feedback in turns]], dtype=np.int8)
        self._start = _Beginnings(np.zeros((1, 0), dtype=np.uint8), placed, shared)

    def draw(
        self, enough: int, block: int, goes_on: Callable[[], bool] = lambda: True
    ) -> tuple[npt.NDArray[np.uint8], bool]:
        """Return at most `enough` codes that fit [codes, places], and whether they are all there are.

        At each place a random block of the beginnings is continued first, so that the codes are a fair sample. It ends
        when there are enough codes, or `goes_on` returns False.
        """
        stack, found, count = [self._start], [np.zeros((0, self._length), dtype=np.uint8)], 0
        while stack and count < enough and goes_on():
            grown = self._grow(stack.pop())
            if grown.codes.shape[1] == self._length:
                found.append(grown.codes)
                count += len(grown.codes)
            else:
                order = self._dice.permutation(len(grown.codes))
                stack += [grown.take(order[start : start + block]) for start in range(0, len(order), block)]
        codes = np.concatenate(found)
        if count > enough:
            return self._dice.choice(codes, enough, replace=False, shuffle=False), False
        return codes, not stack

    def _grow(self, grown: _Beginnings) -> _Beginnings:
        """Fill one more place with every weapon that may follow."""
        place = grown.codes.shape[1]
        fits = [self._fits(grown, place, weapon) for weapon in range(self._weapons)]
        parent = np.concatenate(fits)
        weapons = np.repeat(np.arange(self._weapons, dtype=np.uint8), [len(rows) for rows in fits])
        before = grown.take(parent)
        codes = np.concatenate((before.codes, weapons[:, None]), axis=1)
        return _Beginnings(codes, before.placed - self._here[place, weapons], before.shared - self._held[weapons])

    def _fits(self, grown: _Beginnings, place: int, weapon: int) -> npt.NDArray[np.intp]:
        here, held, after = self._here[place, weapon], self._held[weapon], self._length - place - 1
        placed, shared = grown.placed - here, grown.shared - held
        # Weapons missing in place are missing in common, too, and `after` places have room for them.
        fits = ((placed >= 0) & (shared >= placed) & (shared <= after)).all(axis=1)
        return np.flatnonzero(fits & (grown.codes != weapon).all(axis=1))


# The player of a level.

#: Positions whose guess is remembered: the rounds of a level begin alike.
_MAX_REMEMBERED = 20_000
#: Longest time to work out a guess, in seconds; the challenge allows ten.
_GUESS_TIMEOUT_S = 2.5
#: Codes drawn if they cannot be listed, beginnings that grow at a time, and codes that guesses are compared on.
_ENOUGH_CODES, _BLOCK, _MAX_COMPARED = 2_000, 20_000, 2_000
#: Guesses combined from the codes that fit, and the most rounds of changing the best guess in one or two places.
_COMBINED_GUESSES, _IMPROVEMENTS = 600, 4
#: If at most this many codes fit, the rest of the game is searched: of all codes, and if they cannot be listed.
_MAX_SEARCHED, _MAX_SEARCHED_OF_MANY = 1_300, 400
#: The search tries this many guesses at every point; its table has at most this many other guesses.
_SEARCH_WIDTH, _MAX_OTHERS = 3, 40_000
#: A code not found in time counts as this many guesses: to find all codes is worth more than to find them soon.
_MISS_COST = 60_000
#: The most turns that a search of the core looks ahead, and the bytes of its table of solved sets.
_MAX_TURNS_AHEAD, _SEARCH_MEMORY_BYTES = 60, 1 << 26


class NothingFits(DeskError):
    """No code gives every guess the answer it got."""


class Strategist:
    """The player of one level. The same seed plays the same, unless it runs out of time."""

    def __init__(
        self, level: Level, core: Core, seed: int = 1, seconds: float = _GUESS_TIMEOUT_S, tree: Tree | None = None
    ) -> None:
        self.level, self.rules, self.seconds = level, level.rules, seconds
        self._core, self._tree, self._dice = core, tree, np.random.default_rng(seed)
        self._index: Index | None = None
        self._is_listed = level.codes <= MAX_WORDS
        self._measure = next(measure for measure in MEASURES if measure.name == "entropy")
        self._known: dict[tuple[CodeTurn, ...], Code] = {}

    def guess(self, turns: Sequence[CodeTurn]) -> Code:
        """Return the next guess; raises `NothingFits` if the answers contradict one another."""
        key = tuple(turns)
        if key not in self._known:
            if len(self._known) >= _MAX_REMEMBERED:
                self._known.clear()
            spoken = [(write_code(guess, self.rules), feedback) for guess, feedback in turns]
            word = self._tree.guess(spoken) if self._tree else None
            self._known[key] = word_code(word or self._work_out(turns, spoken), self.rules)
        return self._known[key]

    def _work_out(self, turns: Sequence[CodeTurn], spoken: Sequence[_WordTurn]) -> Any:
        if not turns:
            # All first guesses are alike.
            return write_code(tuple(range(self.level.gladiators)), self.rules)
        with TimeBudget(self.seconds) as budget:
            fitting, is_whole = self._find_fitting(turns, spoken, budget)
            if not fitting and is_whole:
                raise NothingFits(f"No code of {self.level.gladiators} weapons gives all {len(turns)} answers.")
            if not fitting:
                # A code that fits was not found in time; any guess gives information.
                drawn = self._dice.permutation(self.level.weapons)[: self.level.gladiators]
                fitting = [write_code(tuple(drawn.tolist()), self.rules)]
            left = self.level.guesses - len(turns)
            if len(fitting) <= 2 or left <= 1:
                return fitting[0]
            if self._index and len(fitting) <= _MAX_SEARCHED:
                return self._search(fitting, self._index.words, left, budget) or self._compare(fitting, budget)
            best = self._compare(fitting, budget)
            if not is_whole or len(fitting) > _MAX_SEARCHED_OF_MANY:
                return best
            return (
                self._search(fitting, [*self._combine_codes(fitting), *self._list_neighbours(best)], left, budget)
                or best
            )

    def _find_fitting(
        self, turns: Sequence[CodeTurn], spoken: Sequence[_WordTurn], budget: TimeBudget
    ) -> tuple[list[Any], bool]:
        """Return the codes that fit as words, or some of them, and whether they are all."""
        if self._is_listed:
            self._index = self._index or Index(list_codes(self.rules), self.rules)
            return list(self._index.list_words(self._index.find_candidates(spoken))), True
        codes, is_whole = CodeSampler(self.rules, turns, self._dice).draw(_ENOUGH_CODES, _BLOCK, budget.is_left)
        return [write_code(code, self.rules) for code in codes.tolist()], is_whole

    def _search(self, fitting: list[Any], others: Sequence[Any], left: int, budget: TimeBudget) -> Any:
        """Return the guess after which most codes are found, and soonest; None if there is no time to find it."""
        table = self._make_table(fitting, self._draw(others, _MAX_OTHERS))
        search = self._core.search(table, _MISS_COST, _SEARCH_WIDTH, 0, _SEARCH_MEMORY_BYTES, budget.flag)
        search.estimate(assume_costs(len(fitting)))
        found = search.solve(table.everything, min(left, _MAX_TURNS_AHEAD))
        return None if found is None or found.guess < 0 else table.problem.guesses[found.guess]

    def _compare(self, fitting: list[Any], budget: TimeBudget) -> Any:
        """Return the guess with the most information, improved place by place while it gains some."""
        codes = self._draw(fitting, _MAX_COMPARED)
        best = self._find_most_telling(codes, self._combine_codes(codes))
        for _ in range(_IMPROVEMENTS):
            better = self._find_most_telling(codes, [best, *self._list_neighbours(best)]) if budget.is_left() else best
            if better == best:
                break
            best = better
        return best

    def _find_most_telling(self, codes: list[Any], others: list[Any]) -> Any:
        table = self._make_table(codes, others)
        # With a turn played, so that the first guess is compared too.
        position = TablePosition(self._core, table, table.everything, ((0, 0),))
        return table.problem.guesses[BestPartition(self._measure, ALL_GUESSES).choose(position)]

    def _make_table(self, codes: list[Any], others: Sequence[Any]) -> FeedbackTable:
        """Return the table of these secrets; they and `others` are the guesses."""
        guesses = tuple(dict.fromkeys((*codes, *others)))
        return make_table(Problem(self.rules, guesses, np.ones(len(codes), dtype=np.int32)), self._core.add_planes)

    def _draw(self, codes: Sequence[Any], most: int) -> list[Any]:
        if len(codes) <= most:
            return list(codes)
        return [codes[number] for number in self._dice.choice(len(codes), most, replace=False)]

    def _combine_codes(self, codes: list[Any]) -> list[Any]:
        """Return guesses put together from the weapons that codes have at each place."""
        numbers = self._dice.integers(len(codes), size=(_COMBINED_GUESSES, self.level.gladiators)).tolist()
        picked = ([codes[number][place] for place, number in enumerate(row)] for row in numbers)
        return [self._word(symbols) for symbols in picked if len(set(symbols)) == len(symbols)]

    def _list_neighbours(self, guess: Any) -> list[Any]:
        """Return the guesses that differ from one in one place, or by an exchange of two places."""
        return [
            self._word([new if at == place else old if symbol == new else symbol for at, symbol in enumerate(guess)])
            for place, old in enumerate(guess)
            for new in self.rules.alphabet
        ]

    def _word(self, symbols: Sequence[Any]) -> Any:
        return "".join(symbols) if isinstance(self.rules.alphabet, str) else tuple(symbols)


# Decision trees that come with the game: `5-of-10.tree` is for 5 gladiators and 10 weapons.

TREE_FOLDER = Path(__file__).resolve().with_name("trees") / "gladiators"


def load_shipped_tree(level: Level, folder: Path = TREE_FOLDER) -> Tree | None:
    """Return the tree for a level; None if none exists, or it was made for more guesses than the level allows.

    Raises `DeskError` for a file that is damaged or for another game.
    """
    path = folder / f"{level.gladiators}-of-{level.weapons}.tree"
    if level.codes > MAX_WORDS or not path.is_file():
        return None
    try:
        found = parse_tree(files.read_bounded(path, MAX_TREE_BYTES, "tree file"))
        cap: Any = found.certificate.get("cap") or found.certificate.get("max")
        if not is_integer(cap) or cap > level.guesses:
            return None
        return found.bound_to(list_codes(level.rules), level.rules)
    except JottoError as error:
        raise DeskError(f"'{path.name}' is not used: {error}") from error
