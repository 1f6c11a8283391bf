"""One game of guessing: a value that is never changed, only followed by another."""
from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

from . import rules as rulebook
from .errors import FutureVersion, GameOrderError, SavedGameError
from .versions import as_text, is_integer, text_type

MYPY = False
if MYPY:
    from typing import Any, Dict

    from .feedback import Symbols
    from .rules import Rules

VERSION = 1
#: Longer games are refused when read back: no strategy comes near it.
MOST_TURNS = 100

SOLVED = "solved"
GIVEN_UP = "given up"
UNSOLVED = "unsolved"
OUTCOMES = (None, SOLVED, GIVEN_UP, UNSOLVED)

#: A guess and the answer it got.
Turn = namedtuple("Turn", "guess feedback")


class Game(namedtuple("Game", "rules list_name list_checksum seed turns guess outcome")):
    """Rules, the list, the seed, the turns so far, the guess now open (or None) and how it ended (or None).

    >>> game = new(rulebook.JOTTO, "en", "", 1).ask("ocean").answer((1, 2)).ask("canoe")
    >>> game.attempts, [tuple(turn.feedback) for turn in game.turns]
    (2, [(1, 2)])
    """

    __slots__ = ()

    @property
    def attempts(self):
        # type: () -> int
        """How many guesses were asked, the open or winning one included."""
        return len(self.turns) + (self.guess is not None)

    def ask(self, guess):
        # type: (Symbols) -> Game
        """Put a guess on the table; raises `GameOrderError` while another is open, `WordError` for a bad word."""
        if self.outcome is not None or self.guess is not None:
            raise GameOrderError("'%s' cannot be asked: %s." % (
                guess, "the game is over" if self.outcome else "'%s' is still open" % self.guess))
        self.rules.check(guess)
        return self._replace(guess=guess)

    def answer(self, feedback):
        # type: (Any) -> Game
        """Write the answer to the open guess down; the winning one solves the game.

        Raises `GameOrderError` without an open guess, `ImpossibleFeedback` for an answer no secret could give.
        """
        if self.guess is None:
            raise GameOrderError("The answer %r has no guess it belongs to." % (feedback,))
        feedback = self.rules.read_feedback(feedback)
        if feedback == self.rules.win:
            return self.solve()
        return self._replace(turns=self.turns + (Turn(self.guess, feedback),), guess=None)

    def solve(self):
        # type: () -> Game
        """End the game: the open guess is the word."""
        if self.guess is None:
            raise GameOrderError("No guess is open that could be the word.")
        return self._replace(outcome=SOLVED)

    def end(self, outcome):
        # type: (str) -> Game
        """End the game without the word found."""
        return self._replace(outcome=outcome)

    def withdraw(self):
        # type: () -> Game
        """Take the open guess off the table."""
        return self._replace(guess=None, outcome=None)

    def undo(self):
        # type: () -> Game
        """Open the last turn's guess again, without its answer; raises `GameOrderError` when there is none."""
        if not self.turns:
            raise GameOrderError("There is no turn to take back.")
        return self._replace(turns=self.turns[:-1], guess=self.turns[-1].guess, outcome=None)

    def amend(self, number, feedback):
        # type: (int, Any) -> Game
        """Correct the answer of turn `number` (from 0); the other turns stay, an open guess is withdrawn."""
        if not 0 <= number < len(self.turns):
            raise GameOrderError("There is no turn %d; the game has %d." % (number + 1, len(self.turns)))
        feedback = self.rules.read_feedback(feedback)
        guess = self.turns[number].guess
        if feedback == self.rules.win:
            return self._replace(turns=self.turns[:number], guess=guess, outcome=SOLVED)
        turns = self.turns[:number] + (Turn(guess, feedback),) + self.turns[number + 1:]
        return self._replace(turns=turns, guess=None, outcome=None)

    def plain(self):
        # type: () -> Dict[str, Any]
        """Give the game as a versioned dict that JSON can hold."""
        return {
            "version": VERSION, "rules": self.rules.plain(), "list": self.list_name, "checksum": self.list_checksum,
            "seed": self.seed, "guess": self.guess, "outcome": self.outcome,
            "turns": [[turn.guess, list(turn.feedback) if isinstance(turn.feedback, tuple) else turn.feedback]
                      for turn in self.turns],
        }


def new(rules, list_name, list_checksum, seed):
    # type: (Rules, str, str, int) -> Game
    """Start a game."""
    return Game(rules, list_name, list_checksum, seed, (), None, None)


def from_plain(plain):
    # type: (Any) -> Game
    """Read a game back; raises `FutureVersion` or `SavedGameError`."""
    if not isinstance(plain, dict) or not is_integer(plain.get("version")):
        raise SavedGameError("This is not a saved game: %.60r." % (plain,))
    if plain["version"] != VERSION:
        raise FutureVersion("This game was saved by version %s of the notes; this is version %d."
                            % (plain["version"], VERSION))
    try:
        return _read(plain)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise SavedGameError("This saved game is damaged (%s): %.60r." % (error, plain))


def _read(plain):
    # type: (Dict[str, Any]) -> Game
    # Rules repeat in every saved game: the usual ones are recognised instead of being built again.
    rules = rulebook.JOTTO if plain["rules"] == _JOTTO_PLAIN else rulebook.from_plain(plain["rules"])
    if len(plain["turns"]) > MOST_TURNS or plain["outcome"] not in OUTCOMES or not is_integer(plain["seed"]):
        raise SavedGameError("turns, outcome or seed out of bounds")
    turns = tuple(_read_turn(rules, *turn) for turn in plain["turns"])
    guess = None if plain["guess"] is None else _read_word(rules, plain["guess"])
    return Game(rules, text_type(plain["list"]), text_type(plain["checksum"]), plain["seed"], turns, guess,
                plain["outcome"])


_JOTTO_PLAIN = rulebook.JOTTO.plain()


def _read_turn(rules, guess, feedback):
    # type: (Rules, Any, Any) -> Turn
    return Turn(_read_word(rules, guess), rules.read_feedback(feedback))


def _read_word(rules, raw):
    # type: (Rules, Any) -> Symbols
    word = as_text(raw) if isinstance(raw, (text_type, bytes)) else tuple(raw)
    rules.check(word)
    return word
