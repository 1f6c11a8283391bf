"""The figures Moscatelli's article published of its four strategies, recomputed.

The article played 72 games per strategy, counted guesses until one code is left, and used the permissive rule of
`solver.strategies.classic`; every strategy had first guesses of its own. The averages over all secrets count the
winning guess; they are not the article's, but were measured earlier for this project, with another program.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from jotto.rules import MASTERMIND

from ..contract import Core
from ..model.feedback_table import FeedbackTable, lay_out
from ..model.problem import of_symbols
from ..strategies.classic import sift
from ..strategies.heuristics import ARTICLE, RandomConsistent, named
from ..strategies.openings import Opening, first_guess
from .playout import exactly, play
from .statistics import holm, t_from_summary

GAMES = 72
#: The article's second run: sum of the guesses of 72 games, variance by n (from the published log, to two digits).
SUMMARY = {"first": (406, 1.56), "platyk": (429, 2.21), "mesok": (437, 0.93), "leptok": (447, 1.03)}
#: The p-values it gives for Student's t, by pair.
CHANCES = {
    ("mesok", "platyk"): 0.598,
    ("leptok", "mesok"): 0.404,
    ("leptok", "platyk"): 0.243,
    ("first", "mesok"): 0.023,
    ("first", "platyk"): 0.168,
    ("first", "leptok"): 0.003,
}
#: The article's own first guesses (one of them for each strategy), and one for the strategy it lacks.
OWN = {"first": "0000", "platyk": "2301", "mesok": "2424", "leptok": "0000", "random": "0011"}
#: Rule, first guess ("" for `OWN`): averages over all secrets as measured before, in the order of `ORDER`.
ORDER = ("first", "platyk", "mesok", "leptok", "random")
BEFORE = {
    ("classic", ""): (6.81, 6.80, 6.16, 6.57, 6.13),
    ("exact", ""): (5.76, 4.71, 4.59, 5.76, 4.61),
    ("exact", "0011"): (5.02, 4.65, 4.59, 5.06, 4.60),
    ("exact", "0012"): (5.04, 4.57, 4.55, 5.15, 4.62),
    ("exact", "0123"): (5.15, 4.72, 4.63, 5.16, 4.66),
}
#: Averages with two digits are the same when they differ by less (some were rounded twice). Random play differs from
#: seed to seed: the averages of 60 seeds have a standard deviation of 0.032, and three of these are allowed.
NEAR, NEAR_RANDOM = 0.006, 0.096
#: P-values with three digits; the summary they are worked out from has two.
NEAR_CHANCE = 0.001


@dataclass(frozen=True)
class Average:
    """One strategy's average over all secrets under a rule, from a first guess, and the one measured before."""

    rule: str
    first: str
    strategy: str
    mean: float
    before: float

    @property
    def same(self) -> bool:
        """Tell whether the average is the one measured before, to the digits given; random play within its error."""
        return abs(self.mean - self.before) < (NEAR_RANDOM if self.strategy == "random" else NEAR)


@dataclass(frozen=True)
class Chance:
    """A p-value of the article, recomputed from its summary, and corrected for six tests (Holm)."""

    one: str
    other: str
    published: float
    student: float
    welch: float
    holm: float | None

    @property
    def same(self) -> bool:
        """Tell whether Student's p is the published one."""
        return abs(self.student - self.published) < NEAR_CHANCE


def averages(core: Core, seeds: int = 5) -> list[Average]:
    """Play all strategies over all 1,296 secrets, by each rule and first guess; random play with `seeds` seeds."""
    table = lay_out(of_symbols(MASTERMIND), core.codes)
    found = []
    for (rule, first), before in BEFORE.items():
        stands = sift(table) if rule == "classic" else exactly
        for name, mean in zip(ORDER, before, strict=True):
            guess = first_guess(first or OWN[name], table.problem)
            games = [play(table, player, core, sift=stands) for player in _players(table, name, guess, seeds)]
            total = fmean(game.total for game in games)
            found.append(Average(rule, first or OWN[name], name, total / len(table.problem.weights), mean))
    return found


def _players(table: FeedbackTable, name: str, guess: int, seeds: int) -> Sequence[Opening]:
    if name == "random":
        return [Opening(RandomConsistent(seed), guess) for seed in range(1, seeds + 1)]
    return [Opening(player, guess) for player in named([ARTICLE[name]], table.problem)]


def chances() -> list[Chance]:
    """Recompute the article's p-values from means, variances and the number of games."""
    told = {name: (total / GAMES, variance) for name, (total, variance) in SUMMARY.items()}
    student = [t_from_summary(told[one], told[other], GAMES) for one, other in CHANCES]
    return [
        Chance(one, other, published, p, t_from_summary(told[one], told[other], GAMES, same=False), corrected)
        for ((one, other), published), p, corrected in zip(CHANCES.items(), student, holm(student), strict=True)
    ]
