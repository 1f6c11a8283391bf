"""Games with wrong answers: drawing which answers are wrong, and playing a strategy over all secrets.

A wrong answer is another answer a secret could give, never the winning one: any of them (`uniform`), or one off by one
letter (as in `jotto.strategies.list_near_answers`). Whether a guess is the word is always answered correctly.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from jotto import strategies
from jotto.game import MAX_TURNS

from ...errors import DeskError
from ..contract import Members
from ..model.feedback_codes import Codes
from ..model.feedback_table import FeedbackTable
from ..model.plan import Plan
from ..model.problem import Problem

UNIFORM, NEAR = "uniform", "near"


class AnswerErrors(NamedTuple):
    """Errors drawn beforehand, the same for every strategy.

    `wrong` and `which` are [secrets, turns]; a code may be replaced by the first `counts` of its row of `others`.
    """

    wrong: npt.NDArray[np.bool_]
    which: npt.NDArray[np.float64]
    others: Codes
    counts: npt.NDArray[np.int64]

    def noted(self, codes: Codes, games: Members, turn: int) -> Codes:
        """Return the answers noted in place of the right ones to a turn, counted from 0."""
        picks = (self.which[games, turn] * self.counts[codes]).astype(np.int64)
        return np.where(self.wrong[games, turn], self.others[codes, picks], codes)


def check(rate: float, kind: str) -> None:
    """Check rate and kind of errors; raises `DeskError`."""
    if not 0 <= rate <= 0.5:
        raise DeskError(f"{rate} is no share of wrong answers; give a number from 0 to 0.5, such as 0.05.")
    if kind not in (UNIFORM, NEAR):
        raise DeskError(f"There are no '{kind}' errors; choose {UNIFORM} or {NEAR}.")


def draw_errors(problem: Problem, rate: float, seed: int, kind: str = UNIFORM) -> AnswerErrors:
    """Draw which answers are wrong; raises `DeskError` for an invalid rate or kind."""
    check(rate, kind)
    possible = set(problem.rules.possible()) - {problem.rules.win}
    known = [code for code, feedback in enumerate(problem.classes) if feedback in possible]
    rows: list[list[int]] = [[0]] * len(problem.classes)
    for code in known:
        close = set(strategies.list_near_answers(problem.classes[code], problem.rules)) if kind == NEAR else possible
        others = [other for other in known if other != code and problem.classes[other] in close]
        rows[code] = others or [other for other in known if other != code]
    others_of = np.zeros((len(rows), max(map(len, rows))), dtype=np.uint8)
    for code, row in enumerate(rows):
        others_of[code, : len(row)] = row
    chance = np.random.default_rng([seed, 0])
    size = (len(problem.weights), MAX_TURNS)
    wrong = chance.random(size) < rate
    return AnswerErrors(wrong, chance.random(size), others_of, np.array([len(row) for row in rows]))


@dataclass(frozen=True, eq=False)
class NoisyPosition:
    """Games (by their secrets) with the same turns (guess, code noted), the secrets that fit, and the plan."""

    games: Members
    fitting: Members
    turns: tuple[tuple[int, int], ...] = ()
    plan: Plan | None = None


class NoisyPlayer(Protocol):
    """A strategy that goes on after wrong answers; its games begin with `plan`."""

    plan: Plan | None

    def guesses(self, state: NoisyPosition) -> Members | None:
        """Choose a guess per game, or None where nothing is left to ask."""


def play(table: FeedbackTable, way: NoisyPlayer, errors: AnswerErrors) -> npt.NDArray[np.int64]:
    """Play every secret; return the turn each is found in, 0 where the strategy fails."""
    taken = np.zeros(len(table.problem.weights), dtype=np.int64)
    waiting = [NoisyPosition(table.everything, table.everything, plan=way.plan)]
    while waiting:
        state = waiting.pop()
        turn = len(state.turns)
        guesses = way.guesses(state) if turn < MAX_TURNS else None
        if guesses is None:
            continue
        codes = table.rows[guesses, state.games]
        found = codes == table.problem.win
        taken[state.games[found]] = turn + 1
        left = replace(state, games=state.games[~found])
        waiting += _parted(table, left, guesses[~found], errors.noted(codes[~found], left.games, turn))
    return taken


def _parted(table: FeedbackTable, state: NoisyPosition, guesses: Members, noted: Codes) -> list[NoisyPosition]:
    """Group games by their guess and the answer noted."""
    keys = guesses.astype(np.int64) * 256 + noted
    found = []
    for key in np.unique(keys):
        guess, code = divmod(int(key), 256)
        fitting = state.fitting[table.rows[guess, state.fitting] == code]
        on_plan = state.plan is not None and state.plan.guess == guess
        plan = state.plan.children.get(code) if state.plan is not None and on_plan else None
        found.append(NoisyPosition(state.games[keys == key], fitting, (*state.turns, (guess, code)), plan))
    return found
