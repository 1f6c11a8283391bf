"""The next guess in the gladiators challenge: by a tree, by all codes, or by a sample of them."""

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jotto import tree
from jotto.compat import is_integer
from jotto.feedback import Feedback
from jotto.rules import JottoError, Rules
from jotto.tree import Tree
from jotto_desk import files
from jotto_desk.errors import DeskError
from jotto_desk.games.gladiators import Code, Level, code_word, word_code
from jotto_desk.solver import feedback_table
from jotto_desk.solver.beam import SearchStopped, assumed_costs, extract_plan
from jotto_desk.solver.feedback_table import Core, FeedbackTable
from jotto_desk.solver.problem import Plan, Problem
from jotto_desk.solver.reference import representatives
from jotto_desk.solver.strategies import ALL_GUESSES, MEASURES, BestPartition, TablePosition

# --- The time a guess may take: strategies ask whether to go on, and a search is stopped from outside.


class TimeBudget:
    """So many seconds from now on, within a `with`; `flag` is what stops a search of the solver's core."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.flag = seconds, np.zeros(1, dtype=np.int32)
        self._end = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._stop)
        self._timer.daemon = True

    def _stop(self) -> None:
        self.flag[0] = 1

    def goes_on(self, keeping: float = 0.0) -> bool:
        """Tell whether there is time left, beside a share of it kept for something else."""
        return time.monotonic() < self._end - keeping * self.seconds

    def __enter__(self) -> "TimeBudget":
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()


# --- Feedback tables of some guesses against some codes, made for one turn: never all against all.

#: Codes as numbers of weapons [codes, gladiators].
Codes = npt.NDArray[np.uint8]
#: A guess and its answer.
CodeTurn = tuple[Code, Feedback]


def make_code_table(codes: Codes, others: Codes, rules: Rules, core: Core) -> FeedbackTable:
    """Lay out `codes` as the secrets, with themselves and `others` as the guesses; no code may stand there twice.

    In place of its word each guess has its number: thousands of words would take longer than the answers do.
    """
    both = np.concatenate((codes, others))
    problem = Problem(rules, tuple(range(len(both))), np.ones(len(codes), dtype=np.int32))
    # Who guesses and who is guessed makes no difference to an answer; turning the rows would take longer.
    return FeedbackTable(problem, _answer_codes(codes, both, rules, core), _answer_codes(both, codes, rules, core))


def _answer_codes(codes: Codes, guesses: Codes, rules: Rules, core: Core) -> Codes:
    """Return the answers of guesses against codes, coded as in `solver.model.feedback_codes`: [guesses, codes]."""
    weapons, length = len(rules.alphabet), rules.length
    rows = [
        feedback_table.make_plane(codes, weapon, (place,), rules.kind)
        for place in range(length)
        for weapon in range(weapons)
    ]
    keys = guesses.astype(np.int32) + np.arange(length, dtype=np.int32) * weapons
    out = np.empty((len(guesses), len(codes)), dtype=np.uint8)
    core.codes(np.stack(rows), keys, out)
    return out


def fitting_codes(codes: Codes, turns: Sequence[CodeTurn], rules: Rules) -> Codes:
    """Keep the codes that give every guess of `turns` its answer."""
    for guess, (exact, misplaced) in turns:
        found = np.zeros(len(codes), dtype=np.uint8)
        for place, weapon in enumerate(guess):
            found += feedback_table.make_plane(codes, weapon, (place,), rules.kind)
        codes = codes[found == exact * (rules.length + 1) + misplaced]
    return codes


def codes_without(codes: Codes, others: Codes) -> Codes:
    """Leave out of `codes` those that are among `others`."""
    # As bytes of one length; that they lose zeros at their ends makes no two of them equal.
    kind = f"S{codes.shape[1]}"
    every, taken = (np.ascontiguousarray(rows).view(kind).ravel() for rows in (codes, others))
    return codes[~np.isin(every, taken)]


# --- Which guess to ask where these codes fit: compared by what the answer tells, or searched to the end of the game.

#: Sets of at most so many codes are searched to their end, trying the most promising guesses at every point.
_MAX_SEARCHED_CODES, _SEARCH_WIDTH = 1_300, 3
#: A code that is not found in time counts so many guesses, so that finding all goes before finding them soon.
_MISS_COST = 60_000
#: A search of the core looks no further ahead.
_MAX_TURNS_AHEAD = 60
_SEARCH_MEMORY_BYTES = 1 << 26


class GuessScorer:
    """A comparison of guesses on codes that fit; `measure` is the name of one of the solver's measures."""

    def __init__(self, rules: Rules, core: Core, measure: str) -> None:
        self.rules, self.core = rules, core
        self._ahead: tuple[tuple[CodeTurn, ...], _Node | None] = (), None
        self._strategy = BestPartition(next(one for one in MEASURES if one.name == measure), ALL_GUESSES)

    def most_telling(self, codes: Codes, others: Codes) -> Code:
        """Return the guess, of the codes and `others`, whose answer tells most by the measure; codes win ties."""
        table = make_code_table(codes, others, self.rules, self.core)
        # With a turn played, so that no first move is taken for granted.
        number = self._strategy.choose(TablePosition(self.core, table, table.everything, ((0, 0),)))
        return _code(codes, others, number)

    def searched(
        self, turns: Sequence[CodeTurn], codes: Codes, others: Codes, left: int, budget: TimeBudget
    ) -> Code | None:
        """Return the guess after which most codes are found within `left` guesses, and among those soonest.

        None where there is no time for it. What the search has found for later turns is remembered: see `foreseen`.
        """
        if len(codes) > _MAX_SEARCHED_CODES:
            return None
        table = make_code_table(codes, others, self.rules, self.core)
        search = self.core.search(table, _MISS_COST, _SEARCH_WIDTH, 0, _SEARCH_MEMORY_BYTES, budget.flag)
        search.estimate(assumed_costs(len(codes)))
        found = search.solve(table.everything, min(left, _MAX_TURNS_AHEAD))
        if found is None or found.guess < 0:
            return None
        with contextlib.suppress(SearchStopped):
            plan = extract_plan(search, table, table.everything, min(left, _MAX_TURNS_AHEAD), first=found.guess)
            self._ahead = tuple(turns), _compact(plan, codes, others, table.problem)
        return _code(codes, others, found.guess)

    def foreseen(self, turns: Sequence[CodeTurn]) -> Code | None:
        """Return the guess the last search found for these turns; None where they do not continue it."""
        before, node = self._ahead
        if node is None or tuple(turns[: len(before)]) != before:
            return None
        for guess, feedback in turns[len(before) :]:
            further = node.further.get(feedback)
            if node.code != guess or further is None:
                return None
            node = further
        return node.code


class _Node(NamedTuple):
    """A guess, and what to ask after each answer to it: a plan without its table."""

    code: Code
    further: dict[Feedback, "_Node"]


def _compact(plan: Plan, codes: Codes, others: Codes, problem: Problem) -> _Node:
    children = plan.children.items()
    further = {problem.classes[code]: _compact(child, codes, others, problem) for code, child in children}
    return _Node(_code(codes, others, plan.guess), further)


def _code(codes: Codes, others: Codes, number: int) -> Code:
    """Return the guess of this number in a table of both."""
    row = codes[number] if number < len(codes) else others[number - len(codes)]
    return tuple(row.tolist())


# --- A sample of the codes that fit, where there are too many to list: grown place by place, thinned by chance.
#
# Beginnings of codes grow by one place at a time, and those that cannot lead to the answers any more are dropped. Where
# more are left than memory shall hold, some are kept, all equally likely: then every code that fits is met with the
# same chance, and those met are a fair sample. Where nothing was thinned they are all there are.

_CodesLeft = npt.NDArray[np.int8]


class _CodeSample(NamedTuple):
    """Codes that fit; `whole` where they are all that do."""

    codes: Codes
    whole: bool


class _GrownCodes(NamedTuple):
    """Beginnings of codes [n, places filled], and per turn the weapons in place and in common still missing [n, t]."""

    codes: Codes
    placed: _CodesLeft
    shared: _CodesLeft


class CodeGrowth:
    """Codes grown so that they answer `turns` as they were answered; chance comes from `dice`."""

    def __init__(self, rules: Rules, turns: Sequence[CodeTurn], dice: np.random.Generator) -> None:
        self.length, self.weapons, self.dice = rules.length, len(rules.alphabet), dice
        count = len(turns)
        self._here = np.zeros((self.length, self.weapons, count), dtype=np.int8)
        self._held = np.zeros((self.weapons, count), dtype=np.int8)
        for number, (guess, _) in enumerate(turns):
            for place, weapon in enumerate(guess):
                self._here[place, weapon, number] = 1
                self._held[weapon, number] = 1
        placed = np.array([feedback[0] for _, feedback in turns], dtype=np.int8).reshape(1, count)
        shared = np.array([sum(feedback) for _, feedback in turns], dtype=np.int8).reshape(1, count)
        self._start = _GrownCodes(np.zeros((1, 0), dtype=np.uint8), placed, shared)

    def sample(self, most: int) -> _CodeSample:
        """Grow codes with at most so many beginnings at a time."""
        grown, whole = self._start, True
        for _ in range(self.length):
            grown, thinned = self._longer(grown, most)
            whole &= not thinned
        return _CodeSample(grown.codes, whole)

    def search(self, enough: int, block: int, goes_on: Callable[[], bool]) -> _CodeSample:
        """Grow some beginnings to their end before others: finds codes, not a fair sample, where few fit."""
        stack, found, count = [self._start], [np.zeros((0, self.length), dtype=np.uint8)], 0
        while stack and count < enough and goes_on():
            grown, _ = self._longer(stack.pop(), 0)
            if grown.codes.shape[1] == self.length:
                found.append(grown.codes)
                count += len(grown.codes)
            elif len(grown.codes):
                order = self.dice.permutation(len(grown.codes))
                starts = range(0, len(order), block)
                stack += [_of(grown, order[start : start + block]) for start in starts]
        return _CodeSample(np.concatenate(found), not stack)

    def _longer(self, grown: _GrownCodes, most: int) -> tuple[_GrownCodes, bool]:
        """Fill one more place, and thin to `most` unless that is 0; tells whether any were left out."""
        place = grown.codes.shape[1]
        after = self.length - place - 1
        parents, chosen = [], []
        for weapon in range(self.weapons):
            fits = self._fits(grown, place, weapon, after)
            parents.append(fits)
            chosen.append(np.full(len(fits), weapon, dtype=np.uint8))
        parent, weapons = np.concatenate(parents), np.concatenate(chosen)
        thinned = 0 < most < len(parent)
        if thinned:
            kept = self.dice.choice(len(parent), most, replace=False, shuffle=False)
            parent, weapons = parent[kept], weapons[kept]
        codes = np.concatenate((grown.codes[parent], weapons[:, None]), axis=1)
        placed = grown.placed[parent] - self._here[place, weapons]
        return _GrownCodes(codes, placed, grown.shared[parent] - self._held[weapons]), thinned

    def _fits(self, grown: _GrownCodes, place: int, weapon: int, after: int) -> npt.NDArray[np.int32]:
        """Return the beginnings that may go on with this weapon, when `after` places are still free behind it."""
        here, held = self._here[place, weapon], self._held[weapon]
        fits = np.ones(len(grown.codes), dtype=bool)
        for spot in range(place):
            fits &= grown.codes[:, spot] != weapon
        for turn, (exact, known) in enumerate(zip(here.tolist(), held.tolist(), strict=True)):
            shared = grown.shared[:, turn]
            # What is missing in place is missing in common too, and there is room for no more than `after`.
            fits &= grown.placed[:, turn] >= exact
            fits &= (shared >= known) & (shared <= after + known)
            fits &= shared - grown.placed[:, turn] >= known - exact
        return np.flatnonzero(fits).astype(np.int32)


def _of(grown: _GrownCodes, rows: npt.NDArray[np.int64]) -> _GrownCodes:
    return _GrownCodes(grown.codes[rows], grown.placed[rows], grown.shared[rows])


# --- Levels of few codes: all of them are listed, and what fits is known exactly.

#: Levels of at most so many codes are listed.
_MAX_CODES = 100_000
#: Exchanges of places and weapons are sought for so many turns, and for so few places: later there are hardly any left,
#: and of more places too many to go through.
_EXCHANGED_TURNS, _EXCHANGED_PLACES = 2, 6
#: Of guesses that cannot win, at most so many are looked at.
_MAX_OTHERS = 40_000


class ListedStrategy:
    """Guesses worked out from the list of all codes."""

    def __init__(self, level: Level, core: Core, dice: np.random.Generator) -> None:
        self.level, self.rules, self._dice = level, level.rules, dice
        self._scales = GuessScorer(self.rules, core, "expected-size")

    def guess(self, turns: Sequence[CodeTurn], budget: TimeBudget) -> Code | None:
        """Name a guess; None where no code fits."""
        foreseen = self._scales.foreseen(turns)
        if foreseen is not None:
            return foreseen
        fit = fitting_codes(self.codes, turns, self.rules)
        left = self.level.guesses - len(turns)
        if len(fit) <= 2:
            return tuple(fit[0].tolist()) if len(fit) else None
        if left > 1 and len(fit) <= _MAX_SEARCHED_CODES:
            # All of them: what is alike now is so no more after the next guess.
            found = self._scales.searched(turns, fit, codes_without(self._some(self.codes), fit), left, budget)
            if found is not None:
                return found
        asked = codes_without(self._unlike(tuple(guess for guess, _ in turns)), fit)
        return self._scales.most_telling(fit, asked)

    def _some(self, codes: Codes) -> Codes:
        return codes if len(codes) <= _MAX_OTHERS else self._dice.choice(codes, _MAX_OTHERS, replace=False)

    @cached_property
    def codes(self) -> Codes:
        """Every code, in the order of the weapons."""
        every = itertools.permutations(range(self.level.weapons), self.level.gladiators)
        return np.array(list(every), dtype=np.uint8)

    def _unlike(self, played: tuple[Code, ...]) -> Codes:
        """Guesses of which none is like another under exchanges that leave those played as they are."""
        seen = {weapon for guess in played for weapon in guess}
        kept = self.codes[_in_order(self.codes, [weapon for weapon in range(self.level.weapons) if weapon not in seen])]
        if len(played) > _EXCHANGED_TURNS or self.level.gladiators > _EXCHANGED_PLACES:
            return self._some(kept)
        both = np.concatenate((np.array(played, dtype=np.uint8), kept))
        return np.unique(both[representatives(both, self.level.weapons, range(len(played)))], axis=0)


def _in_order(codes: Codes, weapons: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Tell which codes use these weapons from the first on, in their order: the others are like one of them."""
    right = np.ones(len(codes), dtype=bool)
    for before, weapon in itertools.pairwise(weapons):
        here, there = codes == weapon, codes == before
        # Wherever a weapon stands, the one before it stands further to the front.
        right &= ~here.any(axis=1) | (there.any(axis=1) & (there.argmax(axis=1) < here.argmax(axis=1)))
    return right


# --- Levels of too many codes to list: guesses are compared on a sample of codes.

#: How many beginnings are kept while codes are drawn: at first, and when fewer than `TOO_FEW_CODES` codes came of it.
_DRAWN_PREFIXES, _TOO_FEW_CODES = (20_000, 100_000, 300_000), 2_000
#: Codes that guesses are compared on, and how many of these are guesses themselves where there are more.
_COMPARED_CODES = 2_000
#: Guesses drawn that cannot win, and rounds of changing the best in one or two places.
_MIXED_GUESSES, _COMPARISON_ROUNDS = 600, 4
#: Sets of at most so many codes, all known, are searched to the end of the game.
_MAX_SEARCHED_SAMPLE = 400
#: Codes found by going deep instead, beginnings grown at a time, and the share of the time this may take.
_ENOUGH_CODES, _BLOCK_CODES = 500, 2_000


class _SampledStrategy:
    """Guesses worked out from a sample of codes, or from all that are left once these are known."""

    def __init__(self, level: Level, core: Core, dice: np.random.Generator) -> None:
        self.level, self.rules, self._dice = level, level.rules, dice
        self._scales = GuessScorer(self.rules, core, "entropy")
        self._known: tuple[tuple[CodeTurn, ...], Codes] | None = None

    def guess(self, turns: Sequence[CodeTurn], budget: TimeBudget) -> Code | None:
        """Name a guess; None where no code fits."""
        foreseen = self._scales.foreseen(turns)
        if foreseen is not None:
            return foreseen
        found = self._fitting(tuple(turns), budget)
        codes, left = found.codes, self.level.guesses - len(turns)
        if not len(codes) and not found.whole:
            # Some code may fit, but none was found in time: any guess tells something.
            drawn = self._dice.permutation(self.level.weapons)[: self.level.gladiators]
            codes = drawn[None].astype(np.uint8)
        if len(codes) <= 2 or left <= 1:
            return tuple(codes[0].tolist()) if len(codes) else None
        codes = self._some(codes, _COMPARED_CODES)
        others = codes_without(self._mixed(codes), codes)
        if found.whole and len(codes) <= _MAX_SEARCHED_SAMPLE:
            best = self._best(codes, others, budget)
            near = codes_without(self._near(best), np.concatenate((codes, others)))
            return self._scales.searched(turns, codes, np.concatenate((others, near)), left, budget) or best
        return self._best(codes, others, budget)

    def _fitting(self, turns: tuple[CodeTurn, ...], budget: TimeBudget) -> _CodeSample:
        if self._known is not None and turns[: len(self._known[0])] == self._known[0]:
            known = fitting_codes(self._known[1], turns[len(self._known[0]) :], self.rules)
            self._known = turns, known
            return _CodeSample(known, True)
        growth, found = CodeGrowth(self.rules, turns, self._dice), _CodeSample(np.zeros((0, 0), dtype=np.uint8), False)
        for most in _DRAWN_PREFIXES:
            found = growth.sample(most)
            if found.whole or len(found.codes) >= _TOO_FEW_CODES or not budget.goes_on(0.5):
                break
        if not found.whole and not len(found.codes):
            found = growth.search(_ENOUGH_CODES, _BLOCK_CODES, budget.goes_on)
        self._known = (turns, found.codes) if found.whole else None
        return found

    def _some(self, codes: Codes, most: int) -> Codes:
        return codes if len(codes) <= most else self._dice.choice(codes, most, replace=False, shuffle=False)

    def _mixed(self, codes: Codes) -> Codes:
        """Guesses put together from the weapons that codes have at each place, each weapon once."""
        picked = np.stack(
            [self._dice.choice(codes[:, place], _MIXED_GUESSES) for place in range(self.level.gladiators)], axis=1
        )
        return self._sound(picked)

    def _near(self, guess: Code) -> Codes:
        """Guesses that differ from one in one place, or by an exchange of two places."""
        base, changed = np.array(guess, dtype=np.uint8), []
        for place in range(len(guess)):
            other = np.tile(base, (self.level.weapons, 1))
            other[:, place] = np.arange(self.level.weapons)
            changed.append(other)
            for further in range(place):
                swapped = base.copy()
                swapped[[place, further]] = swapped[[further, place]]
                changed.append(swapped[None])
        return self._sound(np.concatenate(changed))

    @staticmethod
    def _sound(guesses: Codes) -> Codes:
        """Leave out what holds a weapon twice, and all but the first of equal guesses."""
        ordered = np.sort(guesses, axis=1)
        return np.unique(guesses[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)], axis=0)

    def _best(self, codes: Codes, others: Codes, budget: TimeBudget) -> Code:
        """Improve the most telling guess place by place, as long as it tells more."""
        best = self._scales.most_telling(codes, others)
        for _ in range(_COMPARISON_ROUNDS):
            if not budget.goes_on():
                break
            near = np.concatenate((self._near(best), np.array([best], dtype=np.uint8)))
            better = self._scales.most_telling(codes, codes_without(np.unique(near, axis=0), codes))
            if better == best:
                break
            best = better
        return best


# --- The next guess of a level: walked on a tree where one fits, else worked out.

#: Positions whose guess is remembered: the rounds of a level begin alike.
_MAX_REMEMBERED = 20_000
#: What working out a guess may take, of the ten seconds a guess has with the challenge.
_GUESS_TIMEOUT_S = 2.5


class NothingFits(DeskError):
    """No code gives every guess the answer it got."""


class Strategist:
    """The player of one level; guesses once worked out are cached. The same seed plays the same if there is time."""

    def __init__(
        self, level: Level, core: Core, seed: int = 1, seconds: float = _GUESS_TIMEOUT_S, tree: Tree | None = None
    ) -> None:
        self.level, self.rules, self.seconds = level, level.rules, seconds
        self._tree = tree
        kind = ListedStrategy if level.codes <= _MAX_CODES else _SampledStrategy
        self._chooser: ListedStrategy | _SampledStrategy = kind(level, core, np.random.default_rng(seed))
        self._known: dict[tuple[CodeTurn, ...], Code] = {}

    def guess(self, turns: Sequence[CodeTurn]) -> Code:
        """Name the next guess; raises `NothingFits` where the answers contradict one another."""
        key = tuple(turns)
        if key not in self._known:
            if len(self._known) >= _MAX_REMEMBERED:
                self._known.clear()
            self._known[key] = self._walked(turns) or self._worked_out(turns)
        return self._known[key]

    def _walked(self, turns: Sequence[CodeTurn]) -> Code | None:
        if self._tree is None:
            return None
        written = self._tree.guess([(code_word(guess, self.rules), feedback) for guess, feedback in turns])
        return None if written is None else word_code(written, self.rules)

    def _worked_out(self, turns: Sequence[CodeTurn]) -> Code:
        # Before the first answer all codes are alike.
        if not turns:
            return tuple(range(self.level.gladiators))
        with TimeBudget(self.seconds) as budget:
            found = self._chooser.guess(turns, budget)
        if found is None:
            raise NothingFits(f"No code of {self.level.gladiators} weapons gives all {len(turns)} answers.")
        return found


# --- Decision trees that come with the game: `5-of-10.tree` is for 5 gladiators and 10 weapons.

TREE_FOLDER = Path(__file__).resolve().with_name("trees") / "gladiators"


def load_shipped_tree(level: Level, folder: Path = TREE_FOLDER) -> Tree | None:
    """Return the tree for a level; None where there is none, or one made for more guesses than the level allows.

    Raises `DeskError` for a file that is damaged or for another game.
    """
    path = folder / f"{level.gladiators}-of-{level.weapons}.tree"
    if level.codes > _MAX_CODES or not path.is_file():
        return None
    try:
        found = tree.read_tree(files.read_bounded(path, tree.MAX_TREE_BYTES, "tree file"))
        cap: Any = found.certificate.get("cap") or found.certificate.get("max")
        if not is_integer(cap) or cap > level.guesses:
            return None
        return found.bound_to(tree.list_codes(level.rules), level.rules)
    except JottoError as error:
        raise DeskError(f"'{path.name}' is not used: {error}") from error
