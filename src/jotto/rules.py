"""The rules of a game as values (length, alphabet, repeats, kind of feedback), and the errors of the engine.

Every refusal of the engine is a `JottoError`; its message quotes the input and says what to do.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools
from collections import namedtuple

from jotto.compat import as_native, is_integer, quote_value, text_type
from jotto.feedback import COMMON, MARKS, PLACES, SCORERS, Feedback

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional

    from jotto.feedback import Symbols

# Errors of words, answers and saved games.


class JottoError(ValueError):
    """Anything the engine refuses; the message quotes the input and says what to do."""

    def __unicode__(self):  # type: () -> str
        return "%s" % (self.args[0] if self.args else "",)

    def __str__(self):  # type: () -> str
        # Python 2.7 would stumble over the first accent.
        return as_native(self.__unicode__())


class WordError(JottoError):
    """A word that these rules forbid as a guess or a secret."""


class WrongLength(WordError):
    """A word with too few or too many symbols."""


class UnknownSymbol(WordError):
    """A word with a symbol that is not in the alphabet."""


class RepeatedSymbol(WordError):
    """A word that uses a symbol twice where the rules forbid it."""


class ImpossibleFeedback(JottoError):
    """An answer no secret could give."""


class GameOrderError(JottoError):
    """A move at the wrong moment: an answer without a guess, an undo without a turn."""


class SavedGameError(JottoError):
    """A saved game that cannot be read."""


class FutureVersion(SavedGameError):
    """A saved game written by a newer version of the engine."""


class WordListError(JottoError):
    """A word list that cannot be played with."""


class TreeError(JottoError):
    """A decision tree that cannot be walked."""


class ForeignTree(TreeError):
    """A sound decision tree, but of other words or other rules."""


# Rules: length, alphabet, repeats and the kind of feedback.

LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: Saved rules beyond these are refused.
MAX_WORD_LENGTH = 64
_MAX_ALPHABET_SIZE = 1000

_EXPECTED_FEEDBACK = {MARKS: "one of E, P or N per letter", COMMON: "the number of letters in common"}


class Rules(namedtuple("Rules", "name length alphabet repeats kind")):
    """One game's rules; `kind` is `places`, `marks` or `common`.

    >>> [str(word) for word in ("ocean", "hello") if JOTTO.allows(word)]
    ['ocean']
    """

    __slots__ = ()

    def check(self, word):  # type: (Symbols) -> None
        """Refuse a word these rules do not allow.

        Raises `WrongLength`, `UnknownSymbol` or `RepeatedSymbol`.
        """
        fault = self.fault(word)
        if fault is WordError:
            wanted = "text" if isinstance(self.alphabet, text_type) else "a tuple of symbols"
            raise WordError("%s is not a word; give %s." % (quote_value(word), wanted))
        if fault is WrongLength:
            raise WrongLength("%s has %d letters; give exactly %d." % (quote_value(word), len(word), self.length))
        if fault is UnknownSymbol:
            strange = next(symbol for symbol in word if self._is_strange(symbol))
            raise UnknownSymbol(
                "%s contains %s, which is not one of %s."
                % (quote_value(word), quote_value(strange), self.describe_letters())
            )
        if fault is RepeatedSymbol:
            twice = next(symbol for symbol in word if word.count(symbol) > 1)
            raise RepeatedSymbol(
                "%s uses %s more than once; think of a word with %d different letters."
                % (quote_value(word), quote_value(twice), self.length)
            )

    def fault(self, word):  # type: (Symbols) -> Optional[type]
        """Return the kind of error that `check` raises for a word, None for one that passes; much quicker."""
        spelled = isinstance(self.alphabet, text_type)
        if spelled and self._is_plainly_right(word):
            return None
        if not isinstance(word, text_type if spelled else (text_type, tuple)):
            return WordError
        if len(word) != self.length:
            return WrongLength
        if text_type(word).strip(self.alphabet) if spelled else any(map(self._is_strange, word)):
            return UnknownSymbol
        return RepeatedSymbol if not self.repeats and len(set(word)) != len(word) else None

    def _is_strange(self, symbol):  # type: (Any) -> bool
        # As a tuple: text would find "ab" and "" inside itself.
        return symbol not in tuple(self.alphabet) or isinstance(symbol, (bool, float))

    def _is_plainly_right(self, word):  # type: (Symbols) -> bool
        """Return whether the word is text that passes every check: the common case, which must be quick."""
        return (
            isinstance(word, text_type)
            and len(word) == self.length
            and not word.strip(self.alphabet)
            and (self.repeats or len(set(word)) == self.length)
        )

    def allows(self, word):  # type: (Symbols) -> bool
        """Return whether `check` would let the word pass."""
        return self.fault(word) is None

    def describe_letters(self):  # type: () -> str
        """Name the alphabet for a message."""
        return "a to z" if self.alphabet == LETTERS else " ".join(text_type(symbol) for symbol in self.alphabet)

    def score(self, guess, secret):  # type: (Symbols, Symbols) -> Any
        """Answer a guess with the feedback of these rules."""
        return SCORERS[self.kind](guess, secret)

    @property
    def win(self):  # type: () -> Optional[Any]
        """Return the feedback that ends the game; None for `common`, where an anagram scores as much."""
        if self.kind == PLACES:
            return Feedback(self.length, 0)
        return "E" * self.length if self.kind == MARKS else None

    def list_feedback(self):  # type: () -> List[Any]
        """List every feedback some secret could give: 20 of 21 pairs for five letters, since (4, 1) cannot be.

        With so few symbols that any two words share some, fewer are met; `marks` has about 3 ** length rows.
        """
        if self.kind == COMMON:
            return list(range(self.length + 1))
        if self.kind == PLACES:
            return [
                Feedback(exact, misplaced)
                for exact in range(self.length + 1)
                for misplaced in range(self.length + 1 - exact)
                if (exact, misplaced) != (self.length - 1, 1)
            ]
        rows = ("".join(row) for row in itertools.product("EPN", repeat=self.length))
        return [row for row in rows if not (row.count("E") == self.length - 1 and row.count("P") == 1)]

    def parse_feedback(self, raw):  # type: (Any) -> Any
        """Turn numbers, pairs or marks into a feedback of these rules, or raise `ImpossibleFeedback`."""
        if self.kind == PLACES:
            return self._parse_places(raw)
        if self.kind == COMMON and is_integer(raw) and 0 <= raw <= self.length:
            return int(raw)
        if self.kind == MARKS and isinstance(raw, text_type) and self._is_row(raw):
            return raw
        raise ImpossibleFeedback(
            "%s is not an answer to a guess of %d letters; give %s."
            % (quote_value(raw), self.length, _EXPECTED_FEEDBACK[self.kind])
        )

    def _is_row(self, row):  # type: (str) -> bool
        right_size = len(row) == self.length and not row.strip("EPN")
        return right_size and (row.count("E") != self.length - 1 or "P" not in row)

    def _parse_places(self, raw):  # type: (Any) -> Feedback
        if not isinstance(raw, (list, tuple)) or len(raw) != 2 or not all(map(is_integer, raw)):
            raise ImpossibleFeedback("%s is not a pair of whole numbers like (1, 2)." % quote_value(raw))
        exact, misplaced = int(raw[0]), int(raw[1])
        if min(exact, misplaced) < 0:
            raise ImpossibleFeedback(
                "%s has a number below zero; give whole numbers from 0 to %d." % (quote_value(raw), self.length)
            )
        if exact + misplaced > self.length:
            raise ImpossibleFeedback(
                "%s in the right place and %s in the wrong place are more than the %d letters of the word."
                % (quote_value(exact), quote_value(misplaced), self.length)
            )
        if (exact, misplaced) == (self.length - 1, 1):
            raise ImpossibleFeedback(
                "%d in the right place and 1 in the wrong place is impossible: the last letter has nowhere else to go."
                % exact
            )
        return Feedback(exact, misplaced)

    def plain(self):  # type: () -> Dict[str, Any]
        """Return the rules as a dict that JSON can hold."""
        return dict(self._asdict())


def parse_rules(plain):  # type: (Any) -> Rules
    """Read rules back from `Rules.plain`; raises `SavedGameError` when damaged."""
    if not isinstance(plain, dict) or not all(field in plain for field in Rules._fields):
        raise SavedGameError("%s are not the rules of a game." % quote_value(plain))
    rules = Rules(*[plain[field] for field in Rules._fields])
    if isinstance(rules.alphabet, list):
        rules = rules._replace(alphabet=tuple(rules.alphabet))
    for field in Rules._fields:
        if not _FIELD_CHECKS[field](rules):
            raise SavedGameError("The rules of a game cannot have the %s %s." % (field, quote_value(plain[field])))
    return rules


def _is_symbol(value):  # type: (object) -> bool
    return isinstance(value, text_type) or is_integer(value)


def _is_alphabet(rules):  # type: (Rules) -> bool
    symbols = rules.alphabet
    return (
        isinstance(symbols, (text_type, tuple))
        and 0 < len(symbols) <= _MAX_ALPHABET_SIZE
        and (isinstance(symbols, text_type) or all(map(_is_symbol, symbols)))
        and len(set(symbols)) == len(symbols)
        and (rules.repeats or len(symbols) >= rules.length)
    )


#: The checks of each field of rules, in the order of the fields.
_FIELD_CHECKS = {
    "name": lambda rules: isinstance(rules.name, text_type),
    "length": lambda rules: is_integer(rules.length) and 1 <= rules.length <= MAX_WORD_LENGTH,
    "alphabet": _is_alphabet,
    "repeats": lambda rules: isinstance(rules.repeats, bool),
    "kind": lambda rules: isinstance(rules.kind, text_type) and rules.kind in SCORERS,
}  # type: Dict[str, Callable[[Rules], bool]]


JOTTO = Rules("jotto", 5, LETTERS, False, PLACES)
PAPER_JOTTO = Rules("paper-jotto", 5, LETTERS, False, COMMON)
WORDLE = Rules("wordle", 5, LETTERS, True, MARKS)
MASTERMIND = Rules("mastermind", 4, "roygbv", True, PLACES)
BULLS = Rules("bulls", 4, "0123456789", False, PLACES)
