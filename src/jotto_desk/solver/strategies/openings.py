"""Strategies with a given first guess, and a plan played as a strategy."""

from dataclasses import dataclass

from jotto.rules import WordError

from ...errors import DeskError
from ..model.plan import Plan
from ..model.problem import Problem
from .position import TablePosition, TableStrategy


@dataclass(frozen=True)
class Opening:
    """A strategy with a given first guess, so that strategies are compared rather than their first guesses."""

    strategy: TableStrategy
    guess: int

    @property
    def name(self) -> str:
        """Return the name of the strategy."""
        return self.strategy.name

    def choose(self, position: TablePosition) -> int:
        """Choose the given guess, and later ones by the strategy."""
        return self.strategy.choose(position) if position.turns else self.guess


@dataclass(frozen=True)
class Planned:
    """A decision tree, played as a strategy."""

    name: str
    plan: Plan

    def choose(self, position: TablePosition) -> int:
        """Follow the turns from the root; raises `DeskError` where the tree ends before the secret is found."""
        here: Plan | None = self.plan
        for _, code in position.turns:
            here = here.children.get(code) if here else None
        if here is None:
            raise DeskError(f"The {self.name} does not find every secret, so it cannot be compared; give another.")
        return here.guess


def first_guess(text: str, problem: Problem) -> int:
    """Return the number of a first guess as typed; symbols of codes may be given by number: 0012 is rroy.

    Raises `DeskError` for a word that may not be asked.
    """
    alphabet = problem.rules.alphabet
    word = text.strip().lower()
    if problem.is_symmetric and word.isascii() and word.isdigit() and not set(word) <= set(alphabet):
        word = "".join(alphabet[int(digit)] if int(digit) < len(alphabet) else digit for digit in word)
    try:
        problem.rules.check(word)
    except WordError as error:
        raise DeskError(f"'{text}' cannot be the first guess: {error}") from error
    if word not in problem.guesses:
        raise DeskError(f"The first guess '{text}' is not in the list; name further guesses with --wider.")
    return problem.guesses.index(word)
