"""A game of guessing, and the game the other way round (a riddle: the player guesses NAO's secret).

Both are values: a move returns another `Game` or `Riddle` and leaves this one as it is.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

from jotto import compat
from jotto.compat import is_integer, quote_value, text_type
from jotto.rules import FutureVersion, GameOrderError, JottoError, Rules, SavedGameError, parse_rules

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    from jotto.feedback import Symbols

_GAME_FORMAT_VERSION = 1
#: Turns of a game at most: far more than any strategy needs, and few enough to save.
MAX_TURNS = 100

SOLVED = "solved"
GIVEN_UP = "given up"
UNSOLVED = "unsolved"
_OUTCOMES = (None, SOLVED, GIVEN_UP, UNSOLVED)

#: A guess and the answer it got.
Turn = namedtuple("Turn", "guess feedback")


class Game(namedtuple("Game", "rules list_name list_checksum seed turns guess outcome")):
    """Rules, the list, the seed, the turns so far, the guess now open (or None) and how it ended (or None).

    >>> from jotto.rules import JOTTO
    >>> game = start_game(JOTTO, "en", "", 1).ask("ocean").answer((1, 2)).ask("canoe")
    >>> game.attempts, [tuple(turn.feedback) for turn in game.turns]
    (2, [(1, 2)])
    """

    __slots__ = ()

    @property
    def attempts(self):  # type: () -> int
        """Count the guesses asked, the open or winning one included."""
        return len(self.turns) + (self.guess is not None)

    def ask(self, guess):  # type: (Symbols) -> Game
        """Put a guess on the table; raises `GameOrderError` while another is open, `WordError` for a bad word."""
        if self.outcome is not None or self.guess is not None:
            raise GameOrderError(
                "%s cannot be asked: %s."
                % (
                    quote_value(guess),
                    "the game is over" if self.outcome else "%s is still open" % quote_value(self.guess),
                )
            )
        if len(self.turns) >= MAX_TURNS:
            raise GameOrderError(
                "%s cannot be asked: the game has %d turns, which is the limit; start a new one."
                % (quote_value(guess), MAX_TURNS)
            )
        self.rules.check(guess)
        return self._replace(guess=guess)

    def answer(self, feedback):  # type: (Any) -> Game
        """Return the game with the answer to the open guess; the winning answer solves it.

        Raises `GameOrderError` without an open guess, `ImpossibleFeedback` for an answer no secret could give.
        """
        if self.guess is None or self.outcome is not None:
            raise GameOrderError(
                "There is no guess for the answer %s%s."
                % (quote_value(feedback), "; the game is over" if self.outcome else "")
            )
        feedback = self.rules.parse_feedback(feedback)
        if feedback == self.rules.win:
            return self.solve()
        return self._replace(turns=self.turns + (Turn(self.guess, feedback),), guess=None)

    def solve(self):  # type: () -> Game
        """End the game: the open guess is the word."""
        if self.guess is None:
            raise GameOrderError("No open guess can be the word.")
        return self._replace(outcome=SOLVED)

    def end(self, outcome):  # type: (str) -> Game
        """End the game without the word found: `GIVEN_UP` or `UNSOLVED`; raises `GameOrderError` for anything else."""
        if outcome not in (GIVEN_UP, UNSOLVED):
            raise GameOrderError(
                "A game cannot end as %s; it ends as '%s' or '%s'." % (quote_value(outcome), GIVEN_UP, UNSOLVED)
            )
        return self._replace(outcome=outcome)

    def reopen(self):  # type: () -> Game
        """Take back that the game is over; the guess is open again."""
        return self._replace(outcome=None)

    def withdraw(self):  # type: () -> Game
        """Take the open guess off the table."""
        return self._replace(guess=None, outcome=None)

    def undo(self):  # type: () -> Game
        """Open the last turn's guess again, without its answer; raises `GameOrderError` if none exists."""
        if not self.turns:
            raise GameOrderError("There is no turn to take back.")
        return self._replace(turns=self.turns[:-1], guess=self.turns[-1].guess, outcome=None)

    def amend(self, number, feedback):  # type: (int, Any) -> Game
        """Correct the answer of turn `number` (from 0); the other turns stay, an open guess is withdrawn."""
        if not is_integer(number) or not 0 <= number < len(self.turns):
            raise GameOrderError(
                "There is no turn number %s; the game has %d, counted from 0." % (quote_value(number), len(self.turns))
            )
        feedback = self.rules.parse_feedback(feedback)
        guess = self.turns[number].guess
        if feedback == self.rules.win:
            return self._replace(turns=self.turns[:number], guess=guess, outcome=SOLVED)
        turns = self.turns[:number] + (Turn(guess, feedback),) + self.turns[number + 1 :]
        return self._replace(turns=turns, guess=None, outcome=None)

    def plain(self):  # type: () -> Dict[str, Any]
        """Return the game as a versioned dict that JSON can hold."""
        return {
            "version": _GAME_FORMAT_VERSION,
            "rules": self.rules.plain(),
            "list": self.list_name,
            "checksum": self.list_checksum,
            "seed": self.seed,
            "guess": self.guess,
            "outcome": self.outcome,
            "turns": [
                [turn.guess, list(turn.feedback) if isinstance(turn.feedback, tuple) else turn.feedback]
                for turn in self.turns
            ],
        }


def start_game(rules, list_name, list_checksum, seed):  # type: (Rules, str, str, int) -> Game
    """Start a game; the seed is a whole number below 2 ** 64."""
    return Game(rules, list_name, list_checksum, seed, (), None, None)


def parse_game(plain):  # type: (Any) -> Game
    """Read a game back; raises `FutureVersion` or `SavedGameError`."""
    if not isinstance(plain, dict) or not is_integer(plain.get("version")) or plain["version"] < 1:
        raise SavedGameError("This is not a saved game: %s." % quote_value(plain))
    if plain["version"] != _GAME_FORMAT_VERSION:
        raise FutureVersion(
            "This game was saved by version %s of the notes; this is version %d."
            % (quote_value(plain["version"]), _GAME_FORMAT_VERSION)
        )
    try:
        return _parse_fields(plain)
    except JottoError as error:
        raise SavedGameError("This saved game is damaged: %s" % error)


def _parse_fields(plain):  # type: (Dict[str, Any]) -> Game
    for field, is_sound in _FIELD_CHECKS:
        if not is_sound(plain.get(field, Ellipsis)):
            found = quote_value(plain[field]) if field in plain else "missing"
            raise SavedGameError("its %s cannot be %s." % (field, found))
    rules = parse_rules(plain["rules"])
    turns = tuple(_parse_turn(rules, turn) for turn in plain["turns"])
    guess = None if plain["guess"] is None else _parse_word(rules, plain["guess"])
    if plain["outcome"] == SOLVED and guess is None:
        raise SavedGameError("it is solved without a guess.")
    return Game(rules, plain["list"], plain["checksum"], plain["seed"], turns, guess, plain["outcome"])


def _is_text(value):  # type: (object) -> bool
    return isinstance(value, text_type)


#: The checks of a saved game's fields; rules, guesses and answers are checked afterwards.
_FIELD_CHECKS = (
    ("rules", lambda value: isinstance(value, dict)),
    ("list", _is_text),
    ("checksum", _is_text),
    ("seed", lambda value: is_integer(value) and abs(value) < 2**64),
    ("guess", lambda value: value is None or isinstance(value, (text_type, list, tuple))),
    ("outcome", lambda value: value is None or (_is_text(value) and value in _OUTCOMES)),
    ("turns", lambda value: isinstance(value, (list, tuple)) and len(value) <= MAX_TURNS),
)  # type: Tuple[Tuple[str, Callable[[Any], bool]], ...]


def _parse_turn(rules, raw):  # type: (Rules, Any) -> Turn
    if not isinstance(raw, (list, tuple)) or len(raw) != 2:
        raise SavedGameError("%s is not a guess and its answer." % quote_value(raw))
    turn = Turn(_parse_word(rules, raw[0]), rules.parse_feedback(raw[1]))
    if turn.feedback == rules.win:
        raise SavedGameError("%s was the word, but more turns follow." % quote_value(turn.guess))
    return turn


def _parse_word(rules, raw):  # type: (Rules, Any) -> Symbols
    word = tuple(raw) if isinstance(raw, list) else raw  # type: Symbols
    rules.check(word)
    return word


# A riddle: the player guesses a secret.

#: A symbol of the secret that a hint gave; with its place, counted from 0, once all were given (None before).
Hint = namedtuple("Hint", "symbol place")


class Riddle(namedtuple("Riddle", "game secret hints")):
    """A game whose answers come from `secret`, and the number of hints given; never changed, only followed.

    >>> from jotto.rules import JOTTO
    >>> riddle = Riddle(start_game(JOTTO, "en", "", 1), "ocean", 0).guess("canoe")
    >>> tuple(riddle.feedback), riddle.guess("ocean").is_solved
    ((0, 5), True)
    """

    __slots__ = ()

    @property
    def is_solved(self):  # type: () -> bool
        """Return whether the last guess was the secret."""
        return bool(self.game.outcome == SOLVED)

    @property
    def feedback(self):  # type: () -> Any
        """Return the answer to the last guess; raises `IndexError` before the first and when the riddle is solved."""
        return self.game.turns[-1].feedback

    def guess(self, word):  # type: (Symbols) -> Riddle
        """Answer a guess. Raises `WordError` for a forbidden guess, and `GameOrderError` if the game is over."""
        asked = self.game.ask(word)
        return self._replace(game=asked.answer(asked.rules.score(word, self.secret)))

    def take_back(self):  # type: () -> Riddle
        """Take the last guess back; raises `GameOrderError` if none exists."""
        if self.is_solved:
            return self._replace(game=self.game.withdraw())
        return self._replace(game=self.game.undo().withdraw())

    def hint(self):  # type: () -> Optional[Hint]
        """Return the next hint: the symbols in random order, then where they stand; None if all are given."""
        if self.hints >= 2 * self.game.rules.length:
            return None
        return self._hint(self.hints)

    def list_hints(self):  # type: () -> List[Hint]
        """List the hints given so far."""
        return [self._hint(number) for number in range(min(self.hints, 2 * self.game.rules.length))]

    def _hint(self, number):  # type: (int) -> Hint
        length = self.game.rules.length
        order = compat.draw_items(range(length), length, self.game.seed, "hint", self.secret)
        place = order[number % length]
        return Hint(self.secret[place], place if number >= length else None)

    def add_hint(self):  # type: () -> Riddle
        """Count a hint."""
        return self._replace(hints=self.hints + 1)

    def plain(self):  # type: () -> Dict[str, Any]
        """Return the riddle as a dict that JSON can hold."""
        return {"game": self.game.plain(), "secret": self.secret, "hints": self.hints}


def start_riddle(game, words, *purpose):  # type: (Game, Sequence[Symbols], *Any) -> Riddle
    """Choose one of `words` as the secret, all equally likely; the game's seed decides."""
    return Riddle(game, compat.draw_item(words, game.seed, "secret", *purpose), 0)


def parse_riddle(plain):  # type: (Any) -> Riddle
    """Read a riddle back; raises `FutureVersion`, or `SavedGameError`, also if an answer is wrong for the secret."""
    if not isinstance(plain, dict) or not is_integer(plain.get("hints")) or not 0 <= plain["hints"] < 10**6:
        raise SavedGameError("This is not a saved riddle: %s." % quote_value(plain))
    game, secret = parse_game(plain.get("game")), plain.get("secret")
    secret = tuple(secret) if isinstance(secret, list) else secret
    try:
        game.rules.check(secret)
    except JottoError as error:
        raise SavedGameError("This saved riddle is damaged: %s" % error)
    if any(game.rules.score(turn.guess, secret) != turn.feedback for turn in game.turns):
        raise SavedGameError("This saved riddle is damaged: an answer does not fit its secret.")
    return Riddle(game, secret, plain["hints"])
