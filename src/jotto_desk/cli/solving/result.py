"""A search from its wish to what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import places, words
from ..problems import Chosen
from . import display, treefile
from .wish import Wish

if TYPE_CHECKING:
    from ...solver.search.options import SearchOptions, SearchOutcome


@dataclass(frozen=True)
class Found:
    """What was searched for, how, and what came out; `interrupted` by a person before its time."""

    chosen: Chosen
    wish: Wish
    effort: SearchOptions
    core: str
    outcome: SearchOutcome
    interrupted: bool

    @property
    def things(self) -> str:
        """What the secrets are called."""
        return "words" if self.chosen.wordlist else "codes"


def search(chosen: Chosen, wish: Wish) -> Found:
    """Search in the foreground; raises `DeskError` for a wish that cannot be fulfilled."""
    from ...solver import cores as core
    from ...solver.search import run
    from ...solver.search.options import StopSignal

    problem, stop = chosen.problem, StopSignal()
    effort = wish.effort(problem, None if wish.start is None else treefile.plan(wish.start, chosen))
    engine = core.best(remark=words.to_stderr)
    outcome, interrupted = display.watched(
        lambda tell: run.search(problem, engine, effort, tell, stop=stop, tables=places.cache_folder() / "tables"),
        stop, int(problem.weights.sum()))
    return Found(chosen, wish, effort, engine.name, outcome, interrupted)
