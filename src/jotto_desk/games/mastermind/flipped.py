"""The script flipped: the computer guesses the player's code."""

from collections.abc import Sequence
from pathlib import Path

from jotto import tree
from jotto.feedback import Feedback
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import ForeignTree, Rules
from jotto.strategies import Consistent, Position
from jotto.tree import list_codes

from ...errors import DeskError
from ..advice import Advisor

CONSISTENT, STRONGEST = "consistent", "strongest"
WAYS = (CONSISTENT, STRONGEST)
#: The computer keeps every code in mind.
MOST_CODES = 100_000
#: The best possible tree for 4 of 6: 5,625 guesses for all 1,296 codes, proven by `jotto solve`.
_TREE = Path(__file__).with_name("four-of-six.tree")


class Breaker:
    """A player who guesses codes: any code that fits (`consistent`), or what finds it soonest (`strongest`)."""

    def __init__(self, rules: Rules, way: str = CONSISTENT, seed: int = 1) -> None:
        count = len(rules.alphabet) ** rules.length
        if count > MOST_CODES:
            raise DeskError(
                f"{rules.length} letters of {rules.alphabet.upper()} make {count:,} codes; I can keep "
                f"{MOST_CODES:,} in mind. Choose a shorter code."
            )
        if way not in WAYS:
            raise DeskError(f"There is no way to guess called '{way}'; choose one of: {', '.join(WAYS)}.")
        self.rules = rules
        self.way = way
        self.seed = seed
        self.index = Index(list_codes(rules), rules)
        self._tree = None
        if way == STRONGEST:
            try:
                self._tree = tree.read_tree(_TREE.read_bytes()).bound_to(self.index.words, rules)
            except ForeignTree:
                self._tree = None

    def left(self, turns: Sequence[Turn]) -> int:
        """Return the set of codes that agree with every answer."""
        found: int = self.index.candidates(turns)
        return found

    def guess(self, turns: Sequence[Turn]) -> str:
        """Name the next guess. Raises `DeskError` when no code agrees with every answer."""
        left = self.left(turns)
        if not left:
            raise DeskError("No code agrees with every answer; look your answers through.")
        known = self._tree.guess(turns) if self._tree is not None else None
        if known is not None:
            return str(known)
        if self.way == CONSISTENT:
            return str(Consistent().choose(Position(self.index, left, (), len(turns), self.seed, (), 0)))
        if left == self.index.everything:
            return _opening(self.rules)
        advisor = Advisor(self.index.chosen(left), self.rules, seed=self.seed)
        return str(advisor.ranked(self.index.words)[0].word)


def answer(rules: Rules, guess: str, secret: str) -> Turn:
    """Work the answer to a guess out."""
    return Turn(guess, Feedback(*rules.score(guess, secret)))


def _opening(rules: Rules) -> str:
    """Return a first guess of about half as many letters as places, two of each: for 4 of 6, RROO."""
    kinds = min(len(rules.alphabet), max(1, (rules.length + 1) // 2))
    return "".join(rules.alphabet[place * kinds // rules.length] for place in range(rules.length))
