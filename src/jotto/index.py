"""The words of a list as bit sets, so that one guess is compared with thousands of words in one step.

A set of words is one whole number: bit i stands for word i. There is a set for every place and
symbol, and for every symbol and number of copies. "Exactly k of these sets" is then a handful of ands and xors over
all words together, repeated symbols included, and costs microseconds where a loop costs milliseconds.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import binascii
import itertools

from jotto.compat import count_ones
from jotto.feedback import COMMON, MARKS, Feedback

MYPY = False
if MYPY:
    from typing import Any, Dict, Iterable, List, Sequence, Tuple

    from .feedback import Symbols
    from .rules import Rules

#: A table that makes the digit 0 false; 1 and all others stay as they are.
_BITS = bytes(bytearray(0 if byte == ord("0") else byte for byte in range(256)))
#: Sets in memory of words that fit a turn; a game needs fewer.
_MAX_FITTING = 64


class Index(object):
    """All `words` of one list under `rules`, ready to be filtered and split; never changes."""

    def __init__(self, words, rules):  # type: (Sequence[Symbols], Rules) -> None
        self.words = tuple(words)
        self.rules = rules
        self.everything = (1 << len(self.words)) - 1
        self._place = {}  # type: Dict[Tuple[int, Any], int]
        self._number = dict(zip(self.words, itertools.count()))  # type: Dict[Symbols, int]
        self._copies = {}  # type: Dict[Tuple[Any, int], int]
        self._fill()

    def _fill(self):  # type: () -> None
        size = len(self.words) // 8 + 1
        place, copies = {}, {}  # type: Dict[Any, bytearray], Dict[Any, bytearray]
        for number, word in enumerate(self.words):
            byte, bit = number >> 3, 1 << (number & 7)
            seen = {}  # type: Dict[Any, int]
            for spot, symbol in enumerate(word):
                seen[symbol] = seen.get(symbol, 0) + 1
                for table, key in ((place, (spot, symbol)), (copies, (symbol, seen[symbol]))):
                    if key not in table:
                        table[key] = bytearray(size)
                    table[key][byte] |= bit
        self._place = {key: _as_number(row) for key, row in place.items()}
        self._copies = {key: _as_number(row) for key, row in copies.items()}
        #: The sets of the latest turns: every box of the diagram asks for those of its game again.
        self._fitting = {}  # type: Dict[Any, int]

    def __len__(self):  # type: () -> int
        return len(self.words)

    def __contains__(self, word):  # type: (object) -> bool
        return word in self._number

    def select_word(self, word):  # type: (Symbols) -> int
        """Return the set of only `word`, empty if the list does not have it."""
        return 1 << self._number[word] if word in self._number else 0

    def list_words(self, members):  # type: (int) -> List[Symbols]
        """List the words of a set, in list order."""
        members &= self.everything
        if members == self.everything:
            return list(self.words)
        if count_ones(members) <= 8:
            return [self.words[number] for number in _list_members(members)]
        return list(itertools.compress(self.words, bytearray(bin(members)[:1:-1].encode("ascii")).translate(_BITS)))

    def fits(self, guess, feedback):  # type: (Symbols, Any) -> int
        """Return the set of words that would have given `feedback` to `guess`; empty for impossible feedback."""
        found = self._fitting.get((guess, feedback))
        if found is None:
            if len(self._fitting) >= _MAX_FITTING:
                self._fitting.clear()
            found = self._fitting[guess, feedback] = self._find_fitting(guess, feedback)
        return found

    def _find_fitting(self, guess, feedback):  # type: (Symbols, Any) -> int
        if self.rules.kind == MARKS:
            return self._fits_marks(guess, feedback) if len(feedback) == len(guess) else 0
        if self.rules.kind == COMMON:
            return self._select_exactly(feedback, self._list_shared_sets(guess))
        if min(feedback) < 0:
            return 0
        return self._select_exactly(feedback[0], self._list_place_sets(guess)) & self._select_exactly(
            sum(feedback), self._list_shared_sets(guess)
        )

    def find_candidates(self, turns):  # type: (Iterable[Tuple[Symbols, Any]]) -> int
        """Return the set of words that agree with every turn (pairs of guess and feedback).

        A word asked is out unless the answer is the winning one: by letters in common it would fit its own answer, as
        its anagrams do.
        """
        left, win = self.everything, self.rules.win
        for guess, feedback in turns:
            left &= self.fits(guess, feedback)
            if feedback != win:
                left &= ~self.select_word(guess)
        return left

    def split(self, guess, members):  # type: (Symbols, int) -> Dict[Any, int]
        """Split a set by the feedback each word would give to `guess`; empty parts are left out."""
        if self.rules.kind == MARKS:
            return self._split_marks(guess, members)
        members &= self.everything
        shared = list(enumerate(self._split_by_count(self._list_shared_sets(guess), members)))
        if self.rules.kind == COMMON:
            return {count: layer for count, layer in shared if layer}
        parts = {}
        for exact, in_place in enumerate(self._split_by_count(self._list_place_sets(guess), members)):
            for count, layer in shared[exact:]:
                part = in_place & layer
                if part:
                    parts[Feedback(exact, count - exact)] = part
        return parts

    def _list_place_sets(self, guess):  # type: (Symbols) -> List[int]
        return [self._place.get((spot, symbol), 0) for spot, symbol in enumerate(guess)]

    def _list_shared_sets(self, guess):  # type: (Symbols) -> List[int]
        return [
            self._copies.get((symbol, copy), 0) for symbol in set(guess) for copy in range(1, guess.count(symbol) + 1)
        ]

    def _select_exactly(self, count, sets):  # type: (int, List[int]) -> int
        layers = self._split_by_count(sets, self.everything)
        return layers[count] if 0 <= count < len(layers) else 0

    @staticmethod
    def _split_by_count(sets, members):  # type: (List[int], int) -> List[int]
        """Return, for each k from 0 up to the number of sets that are not empty, the members that are in exactly k."""
        layers = [members]
        for each in filter(None, sets):
            layers.append(0)
            for count in range(len(layers) - 1, 0, -1):
                moved = layers[count - 1] & each
                if moved:
                    layers[count - 1] ^= moved
                    layers[count] |= moved
        return layers

    def _fits_marks(self, guess, row):  # type: (Symbols, str) -> int
        left = self.everything
        for spot, symbol in enumerate(guess):
            here = self._place.get((spot, symbol), 0)
            left &= here if row[spot] == "E" else self.everything ^ here
        for symbol in set(guess):
            marked = [mark for mark, other in zip(row, guess) if other == symbol]
            held = len(marked) - marked.count("N")
            if held:
                left &= self._copies.get((symbol, held), 0)
            if "N" in marked:
                left &= self.everything ^ self._copies.get((symbol, held + 1), 0)
        # A surplus copy is marked N from the right: P never follows N for the same symbol.
        return left if _has_surplus_in_order(guess, row) else 0

    def _split_marks(self, guess, members):  # type: (Symbols, int) -> Dict[Any, int]
        parts = {"N" * len(guess): members & self.everything}  # type: Dict[str, int]
        for symbol in set(guess):
            ways = self._list_ways(symbol, [spot for spot, other in enumerate(guess) if other == symbol])
            finer = {}  # type: Dict[str, int]
            for row, left in parts.items():
                for marks, fitting in ways:
                    part = left & fitting
                    if part:
                        finer[_mark_row(row, marks)] = part
            parts = finer
        # In the order of the rows, as sets have no order.
        return {row: parts[row] for row in sorted(parts)}

    def _list_ways(self, symbol, spots):  # type: (Any, List[int]) -> List[Tuple[Tuple[Tuple[int, str], ...], int]]
        """List how one symbol, asked at `spots`, can be marked (only E and P), and the words that mark it so.

        Exact copies come first, then as many P from the left as the word contains more copies.
        """
        found = []
        for held in range(len(spots) + 1):
            part = self._copies.get((symbol, held), 0) if held else self.everything
            if held < len(spots):
                part &= ~self._copies.get((symbol, held + 1), 0)
            for exact in _list_choices(spots, held) if part else ():
                here = part
                for spot in spots:
                    in_place = self._place.get((spot, symbol), 0)
                    here &= in_place if spot in exact else ~in_place
                if here:
                    others = [spot for spot in spots if spot not in exact][: held - len(exact)]
                    found.append((tuple((spot, "E") for spot in exact) + tuple((spot, "P") for spot in others), here))
        return found


def _mark_row(row, marks):  # type: (str, Iterable[Tuple[int, str]]) -> str
    for spot, mark in marks:
        row = row[:spot] + mark + row[spot + 1 :]
    return row


def _list_choices(spots, most):  # type: (List[int], int) -> Iterable[Tuple[int, ...]]
    """List all ways to choose at most `most` of the spots."""
    return itertools.chain.from_iterable(itertools.combinations(spots, count) for count in range(most + 1))


def _has_surplus_in_order(guess, row):  # type: (Symbols, str) -> bool
    refused = set()
    for symbol, mark in zip(guess, row):
        if mark == "N":
            refused.add(symbol)
        elif mark == "P" and symbol in refused:
            return False
    return True


def _list_members(members):  # type: (int) -> Iterable[int]
    """Return the numbers of the set bits, lowest first."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest


def _as_number(row):  # type: (bytearray) -> int
    return int(binascii.hexlify(bytes(row[::-1])), 16)
