"""Guesses and answers of one game, each of which can be changed or taken back, and what they leave."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from jotto.game import MAX_TURNS, Turn
from jotto.index import Index
from jotto.rules import Rules
from jotto.strategies import Belief, EveryWordAsked, Position

from ...errors import DeskError
from .. import slips, whys
from ..advice import Advisor, Option, reason
from .typed_turns import read_guess


@dataclass(frozen=True)
class TurnNotebook:
    """The words (with how likely each is, or empty), and the turns so far; never changed, only followed by another."""

    index: Index
    weights: dict[Any, float]
    turns: tuple[Turn, ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        found: Rules = self.index.rules
        return found

    def noted(self, turn: Turn) -> "TurnNotebook":
        """Write a turn down; raises `DeskError` when there are too many."""
        if len(self.turns) >= MAX_TURNS:
            raise DeskError(f"{MAX_TURNS} turns are noted, and no more fit; take some back with 'undo'.")
        return replace(self, turns=(*self.turns, turn))

    def changed(self, number: int, turn: Turn) -> "TurnNotebook":
        """Put another turn in place of turn `number`, counted from 1; raises `DeskError` where there is none."""
        self.turn(number)
        return replace(self, turns=(*self.turns[: number - 1], turn, *self.turns[number:]))

    def without(self, number: int) -> "TurnNotebook":
        """Take turn `number` back, counted from 1; the others stay. Raises `DeskError` where there is none."""
        self.turn(number)
        return replace(self, turns=(*self.turns[: number - 1], *self.turns[number:]))

    def turn(self, number: int) -> Turn:
        """Return turn `number`, counted from 1; raises `DeskError` where there is none."""
        if not self.turns:
            raise DeskError(f"There is no turn {number}: none is noted yet.")
        if not 1 <= number <= len(self.turns):
            raise DeskError(f"There is no turn {number}; they are numbered from 1 to {len(self.turns)}.")
        return self.turns[number - 1]

    def fitting(self) -> list[Any]:
        """List what agrees with every answer, in the order of the list."""
        return list(self.index.chosen(self.index.candidates(self.turns)))

    def advise(self, seed: int = 1) -> "Advice":
        """Say how much is left, what to ask and why, or which answer may hold a slip."""
        found = self.fitting()
        if not found:
            return Advice(0, None, self._playing_on(seed), slips.sentences(self.turns, self.index, shown))
        advisor = Advisor(found, self.rules, self.weights, seed)
        ranked = advisor.ranked(self.index.words)
        best_fitting = next((option for option in ranked if option.fits), None)
        return Advice(len(found), ranked[0], reason(ranked[0], len(found), self.rules, shown, best_fitting), [])

    def why(self, typed: str = "", seed: int = 1) -> Sequence[str]:
        """Say why the best guess is the best, or what a guess is worth; raises `DeskError` for no guess."""
        found = self.fitting()
        if not found:
            return self.advise(seed).slips
        advisor = Advisor(found, self.rules, self.weights, seed)
        if not typed:
            return whys.compared(advisor.ranked(self.index.words), len(found), self.rules, shown)
        return whys.about(read_guess(typed, self.rules), self.turns, advisor, shown)

    def _playing_on(self, seed: int) -> str:
        """Name what to ask although nothing fits: what is likeliest, or tells most about it."""
        try:
            likely = Belief().choose(Position(self.index, 0, (), len(self.turns), seed, self.turns, 0))
        except EveryWordAsked:
            return ""
        return f"To play on all the same, ask {shown(likely)}."


@dataclass(frozen=True)
class Advice:
    """How many fit, the best guess (None where none does) and why, or what may be wrong."""

    left: int
    best: Option | None
    reason: str
    slips: Sequence[str]


def shown(word: Any) -> str:
    """Write a word or code as it stands out in a sentence."""
    return str(word).upper()
