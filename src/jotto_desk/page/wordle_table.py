"""Wordle on a page: the player has six guesses."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from jotto.rules import WORDLE, JottoError
from jotto_desk.games import wordle, wordle_dialogue
from jotto_desk.games.wordle import Vocabulary, WordleHelper, share_rounds

from .board_view import BoardView, Tile, empty_tiles, marks_board
from .guessing_table import GuessingTable

_MOST_SEEDS = 2**31 - 1


class WordleTable(GuessingTable):
    """One Wordle after another; `begin` makes the game of a seed."""

    title = "Wordle"

    def __init__(self, begin: Callable[[int], wordle.Wordle], known: Vocabulary, seed: int) -> None:
        super().__init__()
        self._begin, self._known = begin, known
        self.seed = seed
        self.game = begin(seed)
        self.entry = ""
        self.said = f"I have a word of five letters; you have {wordle.GAME_ROUNDS} guesses."

    @property
    def is_over(self) -> bool:
        """Tell whether no more can be guessed."""
        return self.game.over

    def board(self) -> BoardView:
        """Return the board."""
        return marks_board(self.game.turns, "Your guesses")

    def open_tiles(self) -> tuple[Tile, ...]:
        """Return the row below the board, with its empty places; none when the game is over."""
        if self.is_over:
            return ()
        return tuple(map(Tile, self.entry.upper())) + empty_tiles(WORDLE.length - len(self.entry))

    def press(self, letter: str) -> None:
        """Add a letter to the guess."""
        if letter.lower() in WORDLE.alphabet and len(self.entry) < WORDLE.length:
            self.entry += letter.lower()
            self.tell()

    def delete(self) -> None:
        """Take the last letter of the guess away."""
        self.entry = self.entry[:-1]
        self.tell()

    def judge(self, typed: str = "") -> None:
        """Mark a guess: what was put together, or what was typed; one that does not count costs nothing."""
        if self.is_over:
            return
        guess = wordle.fold_typed_word(typed or self.entry)
        fault = self.game.fault(guess)
        if fault:
            self.say(fault)
            return
        self.game, self.entry = self.game.after(guess), ""
        self.say(self._verdict())

    def _verdict(self) -> str:
        if self.game.solved:
            return wordle_dialogue.congratulate(self.game.turns)
        if self.game.over:
            return f"The word was {self.game.secret.upper()}."
        left = wordle.GAME_ROUNDS - len(self.game.turns)
        return f"{left} guess{'es' if left != 1 else ''} left."

    def result(self) -> str:
        """Return what people share of a game that is over: squares that give no word away."""
        return f"{self.game.title()}\n{share_rounds(self.game.turns)}" if self.is_over else ""

    def new(self) -> None:
        """Begin another game."""
        self.seed = self.seed % _MOST_SEEDS + 1
        self.game, self.entry = self._begin(self.seed), ""
        self.say(f"I have another word; you have {wordle.GAME_ROUNDS} guesses.")

    def objections(self, typed: str) -> str:
        """Say whether a word can be it, and what asking it would tell."""
        word = wordle.fold_typed_word(typed)
        try:
            WORDLE.check(word)
        except JottoError as error:
            return str(error)
        return " ".join(wordle_dialogue.answer_question(f"why {word}", self._helper, self.game.turns, is_playing=True))

    def fitting(self) -> Sequence[str]:
        """List the words that fit all marks and may be shown, the most frequent first."""
        unspoken = self._known.unspoken
        return [word for word in self._helper.fitting(self.game.turns) if word not in unspoken]

    @functools.cached_property
    def _helper(self) -> WordleHelper:
        return WordleHelper(self._known, self.game.is_hard)
