"""What NAO knows and how NAO thinks: a word list, a strategy, and what fits a game."""
from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import explain, strategies
from jotto.rules import JOTTO
from jotto.versions import count_ones

MYPY = False
if MYPY:
    from typing import Any, List, Optional, Sequence

    from jotto.blocklist import BlockList
    from jotto.explain import Clash
    from jotto.game import Game
    from jotto.strategies import Strategy
    from jotto.wordlist import WordList


class Mind(object):
    """One word list thought about with one strategy; words on the block list are never guessed.

    `remarks` are sentences for the log: what could not be used.
    """

    def __init__(self, wordlist, strategy, blocked=None, remarks=()):
        # type: (WordList, Strategy, Optional[BlockList], Sequence[str]) -> None
        self.wordlist = wordlist
        self.strategy = strategy
        self.blocked = blocked
        self.remarks = tuple(remarks)
        self.index = wordlist.indexed(JOTTO)
        self.sayable = self.index.everything
        for word in wordlist.words if blocked is not None else ():
            if blocked is not None and blocked.blocks(word):
                self.sayable &= ~self.index.bit(word)

    def fitting(self, game):
        # type: (Game) -> int
        """The set of words NAO may still ask: they fit every answer."""
        return self.sayable & self.index.candidates(game.turns)

    def left(self, game):
        # type: (Game) -> int
        """How many words still fit."""
        return count_ones(self.fitting(game))

    def next_guess(self, game):
        # type: (Game) -> Any
        """The strategy's guess, or None when nothing fits."""
        fitting = self.fitting(game)
        if not fitting:
            return None
        position = strategies.Position(self.index, fitting, self.wordlist.bands, len(game.turns), game.seed, game.turns)
        guess = self.strategy.choose(position)  # type: Any
        return guess

    def contradicts(self, game):
        # type: (Game) -> bool
        """Whether the open guess cannot be the word by the answers so far: a tree asks such words to learn more."""
        return game.guess is not None and bool(self.clashes(game.guess, game))

    def suspects(self, game):
        # type: (Game) -> List[int]
        """The turns, most likely wrong first."""
        return [slip.turn for slip in explain.slips(game.turns, self.index)]

    def clashes(self, word, game):
        # type: (str, Game) -> List[Clash]
        """The answers that speak against a word."""
        return explain.clashes(word, game.turns, game.rules)

    def knows(self, word):
        # type: (str) -> bool
        """Whether the word is in the list."""
        return word in self.index

    def may_say(self, word):
        # type: (str) -> bool
        """Whether the word is fit to be spoken."""
        return not (self.blocked and self.blocked.blocks(word))
