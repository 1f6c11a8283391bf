"""What NAO knows and how NAO thinks: a word list, a strategy, and what fits a game."""

from __future__ import absolute_import, division, print_function, unicode_literals

import copy
from collections import namedtuple

from jotto import explain, strategies
from jotto.compat import as_native, count_ones
from jotto.rules import JOTTO
from jotto.strategies import Belief, Commonest, Walk

from .settings import EASY, HARD, NORMAL

MYPY = False
if MYPY:
    from typing import Any, Container, Dict, FrozenSet, Iterable, List, Optional, Sequence

    from jotto.explain import Clash, Outlook
    from jotto.game import Game
    from jotto.strategies import Position, Strategy
    from jotto.words import BlockList, WordList

#: Secrets are as common as this (sizes of word lists: the smaller, the commoner), where that is known; in easy games as
#: common as the second.
COMMON, VERY_COMMON = 20, 10
#: More words no recogniser is asked to know; the others can be spelled.
MOST_HEARD, MOST_OWN = 5000, 500
#: Vocabularies kept ready: those of a guess, with and without a question back.
MOST_VOCABULARIES = 4

#: Words listened for: as the recogniser gets them, and as a set of text, with the alphabet words among them.
HearableWords = namedtuple("HearableWords", "phrases words")

#: Once this many answers speak against every word, they are sorted out; one wrong answer is likelier than two.
CLASHES = 2


class Mind(object):
    """One word list thought about with one strategy; words on the block list are never guessed.

    With `jotto.strategies.Belief` NAO plays on when no word fits every answer, as long as words fit all but one.

    `remarks` are sentences for the log: what could not be used. `hard` is the strategy of hard games, the same one
    where it is None; `familiar` words are known to every child: the secrets of easy games, and NAO's first questions in
    them. `late` words are unfit for children: NAO never thinks of one, and asks one only if no other word fits. NAO
    thinks only of words in `secrets`, of any word if that is None.
    """

    def __init__(
        self,
        wordlist,  # type: WordList
        strategy,  # type: Strategy
        blocked=None,  # type: Optional[BlockList]
        remarks=(),  # type: Sequence[str]
        hard=None,  # type: Optional[Strategy]
        familiar=None,  # type: Optional[Container[str]]
        late=(),  # type: Iterable[str]
        secrets=None,  # type: Optional[Iterable[str]]
    ):  # type: (...) -> None
        self.wordlist = wordlist
        self.strategy = strategy
        self.level = NORMAL
        self.blocked = blocked
        self.remarks = tuple(remarks)
        self.rules = wordlist.rules(JOTTO)
        self.index = wordlist.indexed(self.rules)
        self.sayable = self.index.everything
        for word in wordlist.words if blocked is not None else ():
            if blocked is not None and blocked.blocks(word):
                self.sayable &= ~self.index.bit(word)
        self._late = self._bits(late)
        thinkable = (self.sayable if secrets is None else self._bits(secrets)) & ~self._late
        self._thinkable = thinkable or self.sayable
        self._hearable = {}  # type: Dict[Any, HearableWords]
        self._hard, self._familiar = hard, familiar
        self._minds = {NORMAL: self}  # type: Dict[str, Mind]

    def at(self, level):  # type: (str) -> Mind
        """Return the same mind as it thinks in games of a level: with another strategy and other secrets."""
        if level not in self._minds:
            other = copy.copy(self)
            other.level = level
            if level == EASY:
                other.strategy = self._like_a_person(self._minds[NORMAL].strategy)
            elif level == HARD and self._hard is not None:
                other.strategy = self._hard
            self._minds[level] = other
        return self._minds[level]

    def _like_a_person(self, strategy):  # type: (Strategy) -> Strategy
        """Return a strategy that asks words everybody knows, as long as such words fit, in place of the sharpest."""
        sets = [words for words in [self._bits(self._very_common())] + self._by_commonness() if words]
        if isinstance(strategy, Belief):
            return Belief(Commonest(sets), strategy.budget, strategy.rate, strategy.prior, strategy.may_ask)
        return Commonest(sets, None if isinstance(strategy, Walk) else strategy)

    def _by_commonness(self):  # type: () -> List[int]
        """Return the words of every size of list, the commonest first, as bit sets."""
        bands = sorted({band for band in self.wordlist.bands if band is not None})
        return [
            self._bits(word for word, band in zip(self.wordlist.words, self.wordlist.bands) if band == each)
            for each in bands
        ]

    def _bits(self, words):  # type: (Iterable[str]) -> int
        found = 0
        for word in words:
            found |= self.index.bit(word)
        return found & self.sayable

    def _very_common(self):  # type: () -> List[str]
        words = self._as_common_as(VERY_COMMON)
        return [word for word in words if self._familiar is None or word in self._familiar] or words

    def secrets(self):  # type: () -> List[str]
        """List the words NAO thinks of, by the level: those a child knows, these and the common ones, or any.

        A list that names no familiar words has very common ones instead, and one that does not say how common its words
        are has all of them at every level.
        """
        words = self.index.chosen(self._thinkable)  # type: List[Any]
        if self.level == HARD:
            return words
        familiar = [word for word in words if self._familiar is not None and word in self._familiar]
        easy = familiar or self._as_common_as(VERY_COMMON)
        if self.level == EASY and easy:
            return easy
        common = frozenset(self._as_common_as(COMMON)).union(familiar)
        return [word for word in words if word in common] or words

    def _as_common_as(self, most):  # type: (int) -> List[Any]
        bands = dict(zip(self.wordlist.words, self.wordlist.bands))
        return [word for word in self.index.chosen(self._thinkable) if bands[word] is not None and bands[word] <= most]

    def hearable(self, taken, letters=frozenset()):  # type: (FrozenSet[str], FrozenSet[str]) -> HearableWords
        """Return the words to listen for, without phrases `taken` by another meaning; made once for each `taken`.

        Those of the alphabet words `letters` that are in the list are understood as words, too.
        """
        if (taken, letters) not in self._hearable:
            if len(self._hearable) >= MOST_VOCABULARIES:
                self._hearable.clear()
            words = [
                word
                for word in self.index.chosen(self.sayable)
                if word not in taken and self.wordlist.written(word) not in taken
            ]
            if len(words) > MOST_HEARD:
                # The list begins with the commonest, and ends with words of the player's own.
                words = words[: MOST_HEARD - MOST_OWN] + words[-MOST_OWN:]
            both = [word for word in letters if self.knows(word) and self.may_say(word)]
            self._hearable[taken, letters] = HearableWords(
                [as_native("%s" % self.wordlist.written(word)) for word in words], frozenset(words).union(both)
            )
        return self._hearable[taken, letters]

    def fitting(self, game):  # type: (Game) -> int
        """Return the set of words NAO may still ask: those that fit every answer."""
        return self.sayable & self.index.candidates(game.turns)

    def left(self, game):  # type: (Game) -> int
        """Count the words that still fit."""
        return count_ones(self.fitting(game))

    def is_lost(self, game):  # type: (Game) -> bool
        """Tell whether the answers must be sorted out before another guess: no word fits them, or nearly fits them."""
        if self.fitting(game):
            return False
        if not isinstance(self.strategy, Belief):
            return True
        against = [
            off + far
            for (off, far), members in strategies.group_by_clashes(game.turns, self.index).items()
            if members & self.sayable
        ]
        return not against or min(against) >= CLASHES

    def is_certain(self, game):  # type: (Game) -> bool
        """Tell whether one word alone fits, and the answers are believed."""
        sure = not isinstance(self.strategy, Belief) or self.strategy.believes(self._position(game))
        return self.left(game) == 1 and sure

    def next_guess(self, game):  # type: (Game) -> Any
        """Return the strategy's guess, None when the game is lost."""
        if self.is_lost(game):
            return None
        guess = self.strategy.choose(self._position(game))  # type: Any
        return guess

    def _position(self, game):  # type: (Game) -> Position
        fitting = self.fitting(game)
        return strategies.Position(
            self.index, fitting, self.wordlist.bands, len(game.turns), game.seed, game.turns, self._late
        )

    def doubts(self, game):  # type: (Game) -> bool
        """Tell whether the open guess can hardly be the word: a tree asks such words to learn more."""
        if game.guess is None or not self.clashes(game.guess, game):
            return False
        # What fits all answers but one may well be it where nothing fits them all.
        return not isinstance(self.strategy, Belief) or self.strategy.doubts(self._position(game), game.guess)

    def outlook(self, game):  # type: (Game) -> Outlook
        """Return what the open guess would leave of the words that fit."""
        return explain.measure_guess(game.guess, self.index, self.fitting(game))

    def suspects(self, game):  # type: (Game) -> List[int]
        """List the turns by their numbers, most likely wrong first."""
        return [slip.turn for slip in explain.rank_slips(game.turns, self.index)]

    def clashes(self, word, game):  # type: (str, Game) -> List[Clash]
        """List the answers that speak against a word."""
        return explain.find_clashes(word, game.turns, game.rules)

    def knows(self, word):  # type: (str) -> bool
        """Tell whether the word is in the list."""
        return word in self.index

    def may_say(self, word):  # type: (str) -> bool
        """Tell whether the word is fit to be spoken."""
        return not (self.blocked and self.blocked.blocks(word))
