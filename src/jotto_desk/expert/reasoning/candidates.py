"""The candidates of a game: worked out from the knowledge for codes, from the list for words."""

from collections.abc import Sequence
from math import perm
from typing import NamedTuple, Protocol

from jotto.feedback import PLACES
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import LETTERS, MASTERMIND, JottoError, Rules
from jotto.tree import list_codes

from ... import words as lists
from ...errors import DeskError
from ...games import rules as games
from . import knowledge
from .reasoner import Fitting, Reasoner

#: Bounds on a board.
MOST_HOLES, MOST_COLOURS = 12, len(games.SYMBOLS)
#: Codes counted and listed at most: all of a board with so many, else fewer.
MOST_LISTED, FEWER_LISTED = 40_000, 10_000
#: A reasoner that was told so many turns more than are asked about begins anew: those taken back still cost.
MOST_TOLD = 16
GAMES = (knowledge.EXACT, knowledge.CLASSIC, *games.RULES)


class GameSetup(NamedTuple):
    """What is played: as it was asked for, and the rules that makes; `reading` is empty for words."""

    name: str
    rules: Rules
    reading: str

    @property
    def size(self) -> int:
        """How many codes there are; 0 for words."""
        if not self.reading:
            return 0
        count = len(self.rules.alphabet)
        return int(count**self.rules.length if self.rules.repeats else perm(count, self.rules.length))

    @property
    def is_small(self) -> bool:
        """Tell whether all codes can be listed."""
        return self.size <= MOST_LISTED


def setup(name: str, holes: int | None = None, colours: int | None = None, repeats: bool | None = None) -> GameSetup:
    """Make the game these values name; raises `DeskError` for what does not go together."""
    if name not in GAMES:
        raise DeskError(f"There are no rules '{name[:30]}'; choose one of: {', '.join(GAMES)}.")
    if not 1 <= (holes or 1) <= MOST_HOLES or not 2 <= (colours or 2) <= MOST_COLOURS:
        raise DeskError(f"A board has 1 to {MOST_HOLES} holes and 2 to {MOST_COLOURS} colours.")
    if name in (knowledge.EXACT, knowledge.CLASSIC):
        if repeats is False and (holes or 4) > (colours or 6):
            raise DeskError(
                f"{holes or 4} holes cannot be filled with {colours or 6} different colours; allow repeats."
            )
        board = MASTERMIND._replace(
            length=holes or 4, alphabet=games.SYMBOLS[: colours or 6], repeats=repeats is not False
        )
        return GameSetup(name, board, name)
    rules = games.game(name, holes, colours, repeats)
    if rules.alphabet == LETTERS:
        if not holes == colours == repeats is None:
            raise DeskError(f"'{name}' is played with the words of a list; leave holes, colours and repeats out.")
        return GameSetup(name, rules, "")
    return GameSetup(name, rules, knowledge.EXACT if rules.kind == PLACES else "")


class CandidateSource(Protocol):
    """The codes or words that may be the secret after any turns of one game; turns are counted from 0 here."""

    setup: GameSetup

    def fitting(self, turns: Sequence[Turn]) -> Fitting:
        """List what fits all turns."""

    def clashing(self, code: str, turns: Sequence[Turn]) -> list[int]:
        """List the turns that speak against a code."""

    def agree(self, turns: Sequence[Turn]) -> tuple[bool, set[int]]:
        """Tell whether anything fits these turns; where nothing does, some that already clash."""

    def askable(self) -> Sequence[str]:
        """List what may be asked, as far as it can be listed."""

    def end(self) -> None:
        """Break off what is being worked out, for good."""


class KnowledgeCandidates:
    """Codes, by the rules of `knowledge.dl`."""

    def __init__(self, wanted: GameSetup) -> None:
        self.setup = wanted
        self._reasoner = Reasoner(wanted.rules, wanted.reading)
        self._is_small, self._is_ended = wanted.is_small, False

    def _numbers(self, turns: Sequence[Turn]) -> list[int]:
        if not self._is_ended and self._reasoner.turns_told > MOST_TOLD + len(turns):
            self._reasoner = Reasoner(self.setup.rules, self.setup.reading)
        return [self._reasoner.turn(guess, feedback) for guess, feedback in turns]

    def fitting(self, turns: Sequence[Turn]) -> Fitting:
        """List what fits all turns."""
        if not turns and self._is_small:
            return Fitting(self.askable(), True)
        numbers = self._numbers(turns)
        return self._reasoner.fitting(numbers, MOST_LISTED if self._is_small else FEWER_LISTED)

    def clashing(self, code: str, turns: Sequence[Turn]) -> list[int]:
        """List the turns that speak against a code."""
        numbers = self._numbers(turns)
        against = set(self._reasoner.clashing(code, numbers))
        return [place for place, number in enumerate(numbers) if number in against]

    def agree(self, turns: Sequence[Turn]) -> tuple[bool, set[int]]:
        """Tell whether anything fits these turns; where nothing does, some that already clash."""
        numbers = self._numbers(turns)
        fits, core = self._reasoner.agree(numbers)
        return fits, {numbers.index(number) for number in core}

    def askable(self) -> tuple[str, ...]:
        """List every code of a board that has not too many."""
        return tuple(map(str, list_codes(self.setup.rules))) if self._is_small else ()

    def end(self) -> None:
        """Break off what is being worked out, for good."""
        self._is_ended = True
        self._reasoner.end()


class ListCandidates:
    """Words, by the list that comes with the game."""

    def __init__(self, wanted: GameSetup) -> None:
        self.setup = wanted
        try:
            found = lists.default_list(wanted.rules, own=False)
        except JottoError as error:
            raise DeskError(str(error)) from error
        self._index: Index = found.indexed(wanted.rules)

    def fitting(self, turns: Sequence[Turn]) -> Fitting:
        """List what fits all turns."""
        return Fitting(tuple(map(str, self._index.chosen(self._index.candidates(turns)))), True)

    def clashing(self, code: str, turns: Sequence[Turn]) -> list[int]:
        """List the turns that speak against a word."""
        return [place for place, (guess, got) in enumerate(turns) if self.setup.rules.score(guess, code) != got]

    def agree(self, turns: Sequence[Turn]) -> tuple[bool, set[int]]:
        """Tell whether anything fits these turns; where nothing does, all of them clash."""
        fits = bool(self._index.candidates(turns))
        return fits, set() if fits else set(range(len(turns)))

    def askable(self) -> Sequence[str]:
        """List every word."""
        return tuple(map(str, self._index.words))

    def end(self) -> None:
        """Leave it: a list is looked through at once."""


def candidate_source(wanted: GameSetup) -> CandidateSource:
    """Make the candidate source of a game."""
    return KnowledgeCandidates(wanted) if wanted.reading else ListCandidates(wanted)
