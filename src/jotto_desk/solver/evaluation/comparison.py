"""A contest: strategies play the same secrets, and their games are kept one by one for statistics, log and picture."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..contract import Core
from ..model import tree_file
from ..model.feedback_table import FeedbackTable
from ..model.problem import Problem
from ..strategies.classic import Sift
from ..strategies.classic import sift as classic_sift
from ..strategies.heuristics import RandomConsistent
from ..strategies.openings import Opening, Planned
from ..strategies.position import TableStrategy
from .playout import Playout, exactly, play
from .statistics import COUNTS, Comparison, compare, games

Watch = Callable[[int], object]
Run = Callable[[Callable[[], Playout]], Playout]


@dataclass(frozen=True)
class Contest:
    """A contest: per name a play-out of all secrets, and the numbers of the secrets compared.

    `drawn` tells that these are a sample; `classic` that codes were filtered by the permissive rule; `stopped` that
    Ctrl-C came before all players had played.
    """

    problem: Problem
    playouts: Mapping[str, Playout]
    secrets: npt.NDArray[np.int32]
    drawn: bool = False
    classic: bool = False
    stopped: bool = False

    @property
    def firsts(self) -> dict[str, str]:
        """Return the first guess of every player by name."""
        return {name: str(self.problem.guesses[game.plan.guess]) for name, game in self.playouts.items()}

    def sample(self, count: str) -> dict[str, npt.NDArray[np.float64]]:
        """Return the games of the secrets compared by player's name, counted one way."""
        return {name: games(playout, count)[self.secrets] for name, playout in self.playouts.items()}

    def compared(self, seed: int = 1) -> list[Comparison]:
        """Compare all players, by each way to count; no comparison where nobody has played."""
        return [] if not self.playouts else [compare(self.sample(count), count, seed=seed) for count in COUNTS]

    def plain(self, seed: int = 1) -> dict[str, Any]:
        """Return the contest as a dict that JSON can hold."""
        return {
            "secrets": len(self.problem.weights),
            "games": len(self.secrets),
            "seed": seed,
            "drawn": self.drawn,
            "stopped": self.stopped,
            "filter": "classic" if self.classic else "exact",
            "first": self.firsts,
            "comparisons": [comparison.plain() for comparison in self.compared(seed)],
        }


def contest(
    table: FeedbackTable,
    core: Core,
    players: Sequence[TableStrategy],
    *,
    first: int | None = None,
    classic: bool = False,
    sample: int | None = None,
    seed: int = 1,
    tell: Watch = lambda found: None,
    run: Run = lambda work: work(),
) -> Contest:
    """Let players play all secrets; those that draw at random play one game per secret, by the seed.

    With `first`, all but trees begin with that guess. With `sample`, only that many secrets, drawn by the seed, are
    compared. After Ctrl-C the contest is among those that have played; `run` may be a way to notice it sooner.
    """
    sift = classic_sift(table) if classic else exactly
    playouts: dict[str, Playout] = {}
    stopped = False
    try:
        for player in players:
            playouts[player.name] = run(partial(_played, table, core, player, first, seed, sift, tell))
    except KeyboardInterrupt:
        stopped = True
    everything = table.everything
    if sample is None or sample >= len(everything):
        return Contest(table.problem, playouts, everything, classic=classic, stopped=stopped)
    drawn = np.sort(np.random.default_rng(seed).choice(everything, sample, replace=False))
    return Contest(table.problem, playouts, drawn, True, classic, stopped)


def _played(
    table: FeedbackTable, core: Core, player: TableStrategy, first: int | None, seed: int, sift: Sift, tell: Watch
) -> Playout:
    if isinstance(player, Planned):
        return play(table, player, core, tell)
    drawing = replace(player, seed=seed) if isinstance(player, RandomConsistent) else player
    opened: TableStrategy = drawing if first is None else Opening(drawing, first)
    return play(table, opened, core, tell, sift=sift)


def planned(name: str, content: bytes, problem: Problem, words: Sequence[Any] | None) -> Planned:
    """Make a player of a tree file; `words` is its list, None stands for every code of the rules.

    Raises `TreeError` when the file is no tree of these rules and words, `DeskError` when it is for fewer words.
    """
    return Planned(name, tree_file.plan_of(name, content, problem, words))
