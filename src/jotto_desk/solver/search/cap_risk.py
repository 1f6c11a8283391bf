"""The risk that a set cannot be found whole in the turns left, learned by searching a sample of sets."""

import random
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..contract import Members, Search
from ..limits import CAPPED_TURNS
from .jobs import in_threads
from .options import OnProgress, SearchContext, SearchState

Costs = npt.NDArray[np.float64]

#: Sets drawn per number of turns left, and how many of them are searched.
DRAWN, TRIED = 150, 24
#: Half of the guesses that lead to a set are drawn from this many of the best, half from all that split the set.
PROMISING = 30
#: The width of the beam that searches them.
WIDTH = 3
#: The estimated cost of a set rises by PENALTY turns per unit of -ln(chance that no member is missed); MOST limits the
#: latter.
PENALTY, MOST = 50.0, 60.0
#: Sets of at most so many members are always found within as many turns.
SURE = 2


def with_cap_risk(context: SearchContext, costs: Costs, tell: OnProgress) -> Costs:
    """Add the risk of missing members to estimated costs: [CAPPED_TURNS, secrets + 1], by turns left.

    `costs` [secrets + 1] are those without the risk. The result is reproducible, for any number of threads.
    """
    options = context.options
    capped = np.tile(costs, (CAPPED_TURNS, 1))
    search = context.core.search(
        context.table, context.miss, WIDTH, options.full, options.memo_bytes // 4, context.stop.flag
    )
    search.estimate(costs)
    turns = range(min(CAPPED_TURNS, options.left) - 1, SURE - 1, -1)

    def curve_of(left: int) -> tuple[int, Costs]:
        return left, _curve(context, search, left, len(costs))

    for done, (left, curve) in enumerate(in_threads(curve_of, turns, options.threads), 1):
        capped[left] += PENALTY * curve
        tell(SearchState("risk", done, len(turns), int(costs[-1]), 0))
    return capped


def _curve(context: SearchContext, search: Search, left: int, count: int) -> Costs:
    """Search sets with so many turns left whose outcome is least certain: those of a size with even odds."""
    drawn = list(_sets(context, search, left))
    sizes, whole = [0], [True]
    for _ in range(min(TRIED, len(drawn))):
        curve = risk_curve(np.array(sizes), np.array(whole), count)
        even = int(np.searchsorted(curve, np.log(2)))
        members, played = drawn.pop(min(range(len(drawn)), key=lambda place: abs(len(drawn[place][0]) - even)))
        answer = search.solve(members, left, None, played)
        if answer is None:
            break
        sizes.append(len(members))
        whole.append(answer.cost < context.miss)
    return risk_curve(np.array(sizes), np.array(whole), count)


def _sets(context: SearchContext, search: Search, left: int) -> Iterator[tuple[Members, tuple[int, ...]]]:
    """Draw sets with so many turns left; yield each with the guesses before it."""
    table, options = context.table, context.options
    chance = random.Random(left)
    for _ in range(DRAWN):
        if context.stop.requested:
            return
        members = table.everything
        played: tuple[int, ...] = ()
        secret = chance.choice(members.tolist())
        for turn in range(options.left - left):
            guesses, _, _ = search.scan(members, options.left - turn, played)
            if not len(guesses):
                break
            promising = guesses[:PROMISING] if chance.random() < 0.5 else guesses
            guess = (
                int(guesses[0] if options.first is None else options.first)
                if not turn
                else int(chance.choice(promising.tolist()))
            )
            members = table.parts(guess, members).get(int(table.rows[guess, secret]), members[:0])
            played = (*played, guess)
            if len(members) <= SURE:
                break
        else:
            yield members, played


def risk_curve(sizes: npt.NDArray[np.int64], whole: npt.NDArray[np.bool_], count: int) -> Costs:
    """Fit a logistic curve to sizes of sets and whether these were found whole: -ln(chance) for sizes below `count`.

    >>> curve = risk_curve(np.array([5, 10, 20, 30, 40, 60]), np.array([True, True, True, False, True, False]), 100)
    >>> bool(curve[5] < 0.2 < curve[30] < 2 < curve[99])
    True
    """
    # The empty set is taken as found, and one four times the largest tried as not, so that there is a slope at all.
    largest = 4.0 * max(1.0, float(sizes.max()))
    x = np.concatenate([sizes, [0.0, largest]]) / largest
    y = np.concatenate([whole, [True, False]]).astype(float)
    rows = np.stack([np.ones_like(x), x], axis=1)
    fit = np.zeros(2)
    for _ in range(100):
        chance = 1 / (1 + np.exp(-np.clip(rows @ fit, -30, 30)))
        curvature = rows.T @ (rows * (chance * (1 - chance))[:, np.newaxis]) + 1e-4 * np.eye(2)
        step = np.linalg.solve(curvature, rows.T @ (y - chance) - 1e-4 * fit)
        fit += step * min(1.0, 5.0 / float(np.abs(step).max() + 1e-12))
    curve = np.minimum(np.logaddexp(0, -(fit[0] + fit[1] * np.arange(count) / largest)), MOST)
    curve[: SURE + 1] = 0
    return np.asarray(curve, dtype=np.float64)
