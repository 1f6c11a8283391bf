"""Rules as values: length, alphabet, repeats and the kind of feedback."""
from __future__ import absolute_import, division, print_function, unicode_literals

import itertools
from collections import namedtuple

from .errors import ImpossibleFeedback, RepeatedSymbol, UnknownSymbol, WrongLength
from .feedback import COMMON, MARKS, PLACES, SCORERS, Feedback
from .versions import is_integer, text_type

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional

    from .feedback import Symbols

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Rules(namedtuple("Rules", "name length alphabet repeats kind")):
    """One game's rules; `kind` is `places`, `marks` or `common`.

    >>> [str(word) for word in ("ocean", "hello") if JOTTO.allows(word)]
    ['ocean']
    """

    __slots__ = ()

    def check(self, word):
        # type: (Symbols) -> None
        """Refuse a word these rules do not allow.

        Raises `WrongLength`, `UnknownSymbol` or `RepeatedSymbol`.
        """
        shown = word if isinstance(word, text_type) else " ".join(text_type(symbol) for symbol in word)
        if len(word) != self.length:
            raise WrongLength("'%s' has %d letters; it takes exactly %d." % (shown[:40], len(word), self.length))
        for symbol in word:
            if symbol not in self.alphabet:
                raise UnknownSymbol("'%s' holds '%s', which is not one of %s." % (shown, symbol, self.letters()))
        if not self.repeats and len(set(word)) != len(word):
            twice = next(symbol for symbol in word if word.count(symbol) > 1)
            raise RepeatedSymbol("'%s' uses '%s' more than once; think of a word with %d different letters."
                                 % (shown, twice, self.length))

    def allows(self, word):
        # type: (Symbols) -> bool
        """Tell whether `check` would let the word pass."""
        return (len(word) == self.length and all(symbol in self.alphabet for symbol in word)
                and (self.repeats or len(set(word)) == len(word)))

    def letters(self):
        # type: () -> str
        """Name the alphabet for a message."""
        return "a to z" if self.alphabet == LETTERS else " ".join(text_type(symbol) for symbol in self.alphabet)

    def score(self, guess, secret):
        # type: (Symbols, Symbols) -> Any
        """Answer a guess with the feedback of these rules."""
        return SCORERS[self.kind](guess, secret)

    @property
    def win(self):
        # type: () -> Optional[Any]
        """The feedback that ends the game; None for `common`, where an anagram scores as much."""
        return {PLACES: Feedback(self.length, 0), MARKS: "E" * self.length}.get(self.kind)

    def possible(self):
        # type: () -> List[Any]
        """List every feedback some secret could give: 20 of 21 pairs for five letters, since (4, 1) cannot be."""
        if self.kind == COMMON:
            return list(range(self.length + 1))
        if self.kind == PLACES:
            return [Feedback(exact, misplaced) for exact in range(self.length + 1)
                    for misplaced in range(self.length + 1 - exact) if (exact, misplaced) != (self.length - 1, 1)]
        rows = ("".join(row) for row in itertools.product("EPN", repeat=self.length))
        return [row for row in rows if not (row.count("E") == self.length - 1 and row.count("P") == 1)]

    def read_feedback(self, raw):
        # type: (Any) -> Any
        """Turn numbers, pairs or marks into a feedback of these rules, or raise `ImpossibleFeedback`."""
        if self.kind == PLACES:
            return self._read_places(raw)
        if self.kind == COMMON and is_integer(raw) and 0 <= raw <= self.length:
            return int(raw)
        if self.kind == MARKS and isinstance(raw, text_type) and self._is_row(raw):
            return raw
        raise ImpossibleFeedback("%r is not an answer to a guess of %d letters." % (raw, self.length))

    def _is_row(self, row):
        # type: (str) -> bool
        right_size = len(row) == self.length and not row.strip("EPN")
        return right_size and (row.count("E") != self.length - 1 or "P" not in row)

    def _read_places(self, raw):
        # type: (Any) -> Feedback
        if not isinstance(raw, (list, tuple)) or len(raw) != 2 or not all(map(is_integer, raw)):
            raise ImpossibleFeedback("%r is not a pair of whole numbers like (1, 2)." % (raw,))
        exact, misplaced = int(raw[0]), int(raw[1])
        if min(exact, misplaced) < 0 or exact + misplaced > self.length:
            raise ImpossibleFeedback("%d in place and %d elsewhere are more than the %d letters of the word."
                                     % (exact, misplaced, self.length))
        if (exact, misplaced) == (self.length - 1, 1):
            raise ImpossibleFeedback("%d in place and 1 elsewhere cannot be: the last letter has nowhere else to go."
                                     % exact)
        return Feedback(exact, misplaced)

    def plain(self):
        # type: () -> Dict[str, Any]
        """Give the rules as a dict that JSON can hold."""
        return dict(self._asdict())


def from_plain(plain):
    # type: (Any) -> Rules
    """Read rules back from `Rules.plain`; raises KeyError, TypeError or ValueError when damaged."""
    alphabet = plain["alphabet"]
    rules = Rules(text_type(plain["name"]), int(plain["length"]),
                  alphabet if isinstance(alphabet, text_type) else tuple(alphabet),
                  bool(plain["repeats"]), text_type(plain["kind"]))
    if rules.kind not in SCORERS or not 1 <= rules.length <= 64:
        raise ValueError("no such rules: %r" % (plain,))
    return rules


JOTTO = Rules("jotto", 5, LETTERS, False, PLACES)
PAPER_JOTTO = Rules("paper-jotto", 5, LETTERS, False, COMMON)
WORDLE = Rules("wordle", 5, LETTERS, True, MARKS)
MASTERMIND = Rules("mastermind", 4, "roygbv", True, PLACES)
BULLS = Rules("bulls", 4, "0123456789", False, PLACES)
