"""Strategies: how the next guess is chosen from what still fits.

A strategy looks at a `Position` and names one word. It holds no state; chance comes from the position's seed.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple
from math import fsum, log

from . import chance
from .versions import count_ones

MYPY = False
if MYPY:
    from typing import Callable, Iterable, Optional, Sequence, Tuple

    from .feedback import Symbols
    from .index import Index
    from .tree import Tree

#: What a strategy may look at: the index, the set of candidates (empty only for `jotto.belief`), per word of the index
#: how common it is, the number of turns played, the seed, the turns (guess and feedback), which may be left out: only a
#: walk on a tree and `jotto.belief` need them; and the set of late words, each asked only if all candidates are late.
Position = namedtuple("Position", "index candidates bands turn seed turns late")
Position.__new__.__defaults__ = ((), 0)

#: The widest band of SCOWL that still holds words everybody knows.
COMMON = 35


class Strategy(object):
    """Chooses guesses; `name` is what people call it."""

    name = ""

    def choose(self, position):  # type: (Position) -> Symbols
        """Name the next guess."""
        raise NotImplementedError(self.name)


class Consistent(Strategy):
    """Any word that still fits, all equally likely: the strategy of the original article."""

    name = "consistent"

    def choose(self, position):  # type: (Position) -> Symbols
        """Draw one candidate."""
        fitting = position.index.chosen(without_late(position))
        return chance.choose(fitting, position.seed, "guess", position.turn)


class Entropy(Strategy):
    """The candidate whose answer is expected to tell most, looking at no more than `budget` candidates.

    Told is measured in bits (Shannon): the sum of -p log2 p over the possible answers. Equal guesses are parted by
    commonness, then by list order. When there are more candidates than the budget, those looked at are drawn, from the
    common words (band 35 or less) where there are enough: the player has to know the word NAO asks.
    """

    name = "entropy"

    def __init__(self, budget=48):  # type: (int) -> None
        self.budget = max(1, budget)

    def choose(self, position):  # type: (Position) -> Symbols
        """Compare candidates and name the best."""
        fitting = position.index.chosen(without_late(position))
        if len(fitting) > self.budget:
            common = [guess for guess in fitting if band(position, guess) <= COMMON]
            fitting = common if len(common) >= self.budget else fitting
        examined = chance.sample(fitting, self.budget, position.seed, "guess", position.turn)
        return min(examined, key=lambda guess: self._rank(position, guess))

    def _rank(self, position, guess):  # type: (Position, Symbols) -> Tuple[int, int, int]
        # Equal sums may differ in their last digits: whole steps of 2 ** -30 bits make them equal on every Python.
        told = int(self.bits(position.index, guess, position.candidates) * 2**30 + 0.5)
        return -told, band(position, guess), position.index.bit(guess)

    @staticmethod
    def bits(index, guess, candidates):  # type: (Index, Symbols, int) -> float
        """Return how many bits the answer to `guess` tells on average, 0 where there are no candidates.

        Formula: log2 n - (1/n) sum of s log2 s over the part sizes s.
        """
        total = count_ones(candidates)
        if not total:
            return 0.0
        sizes = [count_ones(part) for part in index.split(guess, candidates).values()]
        return (log(total) - fsum(size * log(size) for size in sizes) / total) / log(2)


class Commonest(Strategy):
    """Only the commonest words that fit, such as a person would think of; `otherwise` chooses among them.

    `sets` of words, bit sets of the index, the commonest first: the first with a candidate counts.
    """

    name = "commonest"

    def __init__(self, sets, otherwise=None):  # type: (Sequence[int], Optional[Strategy]) -> None
        self.sets = tuple(sets)
        self.otherwise = otherwise or Consistent()

    def choose(self, position):  # type: (Position) -> Symbols
        """Narrow the candidates down, and name the other strategy's guess."""
        fitting = without_late(position)
        chosen = next((fitting & words for words in self.sets if fitting & words), fitting)
        position = position._replace(candidates=chosen)
        return self.otherwise.choose(position)


class Walk(Strategy):
    """The guess of a decision tree, worked out beforehand; off the tree, another strategy.

    With `more` trees, the seed draws one for the whole game, so that games begin with different words. A tree asks
    words that no longer fit where they tell more. Its guess is passed over where it would tell nothing, where the list
    no longer has it, where `may_ask` forbids it, where it is a late word too early, and where one candidate is left.
    """

    name = "tree"

    def __init__(self, tree=None, otherwise=None, may_ask=None, more=()):
        # type: (Optional[Tree], Optional[Strategy], Optional[Callable[[Symbols], bool]], Iterable[Tree]) -> None
        self.tree = tree
        self.trees = tuple(each for each in (tree,) + tuple(more) if each is not None)
        self.otherwise = otherwise or Entropy()
        self.may_ask = may_ask

    def choose(self, position):  # type: (Position) -> Symbols
        """Walk the turns on the tree and name the guess found there."""
        if count_ones(position.candidates) == 1:
            last = position.index.chosen(position.candidates)[0]  # type: Symbols
            return last
        walked = chance.choose(self.trees, position.seed, "tree") if self.trees else None
        guess = walked.guess(position.turns) if walked and len(position.turns) == position.turn else None
        if walked is None or guess is None or not self._is_of_use(guess, position, walked):
            return self.otherwise.choose(position)
        return guess

    def _is_of_use(self, guess, position, walked):  # type: (Symbols, Position, Tree) -> bool
        if self.may_ask is not None and not self.may_ask(guess):
            return False
        if position.late & position.index.bit(guess) and position.candidates & ~position.late:
            return False
        if position.candidates & position.index.bit(guess):
            return True
        known = guess in position.index or guess in walked.extra
        return known and len(position.index.split(guess, position.candidates)) > 1


def without_late(position):  # type: (Position) -> int
    """Return the set of candidates without the late words, all candidates if every one is late.

    >>> from .index import Index
    >>> from .rules import JOTTO
    >>> index = Index(["ocean", "death", "grave"], JOTTO)
    >>> late = index.bit("death") | index.bit("grave")
    >>> [str(word) for word in index.chosen(without_late(Position(index, 0b111, (), 0, 1, (), late)))]
    ['ocean']
    >>> [str(word) for word in index.chosen(without_late(Position(index, 0b110, (), 0, 1, (), late)))]
    ['death', 'grave']
    """
    fit = position.candidates & ~position.late  # type: int
    return fit or position.candidates


def band(position, guess):  # type: (Position, Symbols) -> int
    """Return how common a guess is, 10 for the most common words and 99 where nothing is known."""
    number = position.index.bit(guess).bit_length() - 1
    known = position.bands[number] if position.bands and number >= 0 else None
    return 99 if known is None else int(known)
