"""The result of a search: the problem, the options and the tree that was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..problem_options import Chosen
from .options import SolveOptions

if TYPE_CHECKING:
    from jotto_desk.solver.beam import SearchOptions, SearchOutcome


@dataclass(frozen=True)
class SearchResult:
    """What was searched for, how, and what came out; `interrupted` by a person before its time."""

    chosen: Chosen
    options: SolveOptions
    effort: SearchOptions
    core: str
    outcome: SearchOutcome
    interrupted: bool

    @property
    def things(self) -> str:
        """Say what the secrets are called: words or codes."""
        return "words" if self.chosen.wordlist else "codes"
