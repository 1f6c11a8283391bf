"""The game the other way round: the player guesses a secret, and the one scorer answers each guess."""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

from . import chance
from . import game as games
from .errors import JottoError, SavedGameError
from .versions import is_integer, quoted

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Sequence

    from .feedback import Symbols
    from .game import Game

#: A symbol of the secret; with its place, counted from 0, once all symbols were told (None before).
Hint = namedtuple("Hint", "symbol place")


class Riddle(namedtuple("Riddle", "game secret hints")):
    """A game whose answers come from `secret`, and the number of hints given; never changed, only followed.

    >>> riddle = Riddle(games.new(games.rulebook.JOTTO, "en", "", 1), "ocean", 0).guess("canoe")
    >>> tuple(riddle.feedback), riddle.guess("ocean").is_solved
    ((0, 5), True)
    """

    __slots__ = ()

    @property
    def is_solved(self):  # type: () -> bool
        """Tell whether the last guess was the secret."""
        return bool(self.game.outcome == games.SOLVED)

    @property
    def feedback(self):  # type: () -> Any
        """Return the answer to the last guess; raises `IndexError` before the first and when the riddle is solved."""
        return self.game.turns[-1].feedback

    def guess(self, word):  # type: (Symbols) -> Riddle
        """Answer a guess; raises `WordError` for what may not be guessed, `GameOrderError` when it is over."""
        asked = self.game.ask(word)
        return self._replace(game=asked.answer(asked.rules.score(word, self.secret)))

    def take_back(self):  # type: () -> Riddle
        """Take the last guess back; raises `GameOrderError` when there is none."""
        if self.is_solved:
            return self._replace(game=self.game.withdraw())
        return self._replace(game=self.game.undo().withdraw())

    def hint(self):  # type: () -> Optional[Hint]
        """Return the next hint: the symbols in random order, then where they stand; None when all are given."""
        if self.hints >= 2 * self.game.rules.length:
            return None
        return self._hint(self.hints)

    def told(self):  # type: () -> List[Hint]
        """List the hints given so far."""
        return [self._hint(number) for number in range(min(self.hints, 2 * self.game.rules.length))]

    def _hint(self, number):  # type: (int) -> Hint
        length = self.game.rules.length
        order = chance.sample(range(length), length, self.game.seed, "hint", self.secret)
        place = order[number % length]
        return Hint(self.secret[place], place if number >= length else None)

    def hinted(self):  # type: () -> Riddle
        """Count a hint."""
        return self._replace(hints=self.hints + 1)

    def plain(self):  # type: () -> Dict[str, Any]
        """Return the riddle as a dict that JSON can hold."""
        return {"game": self.game.plain(), "secret": self.secret, "hints": self.hints}


def choose(game, words, *purpose):  # type: (Game, Sequence[Symbols], *Any) -> Riddle
    """Choose one of `words` as the secret, all equally likely; the game's seed decides."""
    return Riddle(game, chance.choose(words, game.seed, "secret", *purpose), 0)


def from_plain(plain):  # type: (Any) -> Riddle
    """Read a riddle back; raises `FutureVersion` or `SavedGameError`, also where an answer is wrong for the secret."""
    if not isinstance(plain, dict) or not is_integer(plain.get("hints")) or not 0 <= plain["hints"] < 10**6:
        raise SavedGameError("This is not a saved riddle: %s." % quoted(plain))
    game, secret = games.from_plain(plain.get("game")), plain.get("secret")
    secret = tuple(secret) if isinstance(secret, list) else secret
    try:
        game.rules.check(secret)
    except JottoError as error:
        raise SavedGameError("This saved riddle is damaged: %s" % error)
    if any(game.rules.score(turn.guess, secret) != turn.feedback for turn in game.turns):
        raise SavedGameError("This saved riddle is damaged: an answer does not fit its secret.")
    return Riddle(game, secret, plain["hints"])
