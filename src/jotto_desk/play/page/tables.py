"""Mastermind and Wordle on a page: one game after another, with a board, an open row and the last sentence."""

import functools
from collections.abc import Callable, Sequence

from jotto import feedback
from jotto.feedback import Feedback
from jotto.game import MAX_TURNS, Turn
from jotto.rules import WORDLE, JottoError, Rules
from jotto_desk.errors import DeskError
from jotto_desk.games import advice, mastermind, wordle
from jotto_desk.games.wordle import Vocabulary, WordleHelper, share_rounds
from jotto_desk.history import describe_score

from .boards import (
    BoardView,
    Tile,
    find_objection,
    make_code_board,
    make_code_tiles,
    make_empty_tiles,
    make_marks_board,
)

#: Codes or words that `left` names.
_MAX_NAMED = 60
#: Seeds of later games are smaller than this.
_MAX_SEED = 2**31 - 1


class GuessingTable:
    """A game with a board; `said` is its last sentence to the player, `fault` says why a guess does not count."""

    title = ""
    #: The thing to guess, singular and plural.
    things = ("word", "words")

    def __init__(self) -> None:
        self.said = self.fault = ""

    def make_board(self) -> BoardView:
        """Return the board."""
        raise NotImplementedError

    def open_tiles(self) -> tuple[Tile, ...]:
        """Return the row below the board, with its empty places; an empty one if the game is over."""
        raise NotImplementedError

    def explain_fit(self, typed: str) -> str:
        """Say whether it can be this one, and if not, why not."""
        raise NotImplementedError

    def list_fitting(self) -> Sequence[str] | None:
        """List what fits all answers; None if there is too much to list."""
        raise NotImplementedError

    def describe_fitting(self) -> tuple[str, Sequence[str]]:
        """Say the number that fit, and name some of them in capitals."""
        found = self.list_fitting()
        if found is None:
            return "There are too many to count.", ()
        thing = self.things[len(found) != 1]
        fit = "fits" if len(found) == 1 else "fit"
        return f"{len(found):,} {thing} {fit}.", [one.upper() for one in found[:_MAX_NAMED]]


# Mastermind: the player guesses a code, or the computer guesses the player's.

_MORE_TURNS = f"A game has at most {MAX_TURNS} turns. Start a new game."


class CodeTable(GuessingTable):
    """One game of Mastermind after another; `entry` is the guess that the player is making."""

    title = "Mastermind"
    things = ("code", "codes")

    def __init__(
        self, rules: Rules, seed: int, secret: str = "", way: str = mastermind.CONSISTENT_WAY, is_flipped: bool = False
    ) -> None:
        """Begin with the code `secret`, or with one that the seed draws; raises `DeskError`."""
        super().__init__()
        self.rules, self.seed, self.way = rules, seed, way
        self.is_flipped = False
        self.turns: tuple[Turn, ...] = ()
        self.guess = ""
        self.entry = ""
        self._breaker: mastermind.CodeBreaker | None = None
        self._secret = ""
        if is_flipped:
            self._flip()
        else:
            self._draw(secret)

    @property
    def is_over(self) -> bool:
        """Return whether the code is found."""
        return bool(self.turns) and self.turns[-1].feedback == self.rules.win

    def make_board(self) -> BoardView:
        """Return the board."""
        return make_code_board(self.turns, self.rules, "The computer's guesses" if self.is_flipped else "Your guesses")

    def open_tiles(self) -> tuple[Tile, ...]:
        """Return the row below the board: the computer's guess, or the entry, with its empty places."""
        if self.is_over:
            return ()
        shown = self.guess if self.is_flipped else self.entry
        return make_code_tiles(shown, self.rules) + make_empty_tiles(self.rules.length - len(shown))

    @property
    def is_first(self) -> bool:
        """Return whether the computer's first guess is still to come."""
        return self.is_flipped and not self.turns and not self.guess

    def list_symbols(self) -> tuple[Tile, ...]:
        """Return what codes are made of."""
        return make_code_tiles(self.rules.alphabet, self.rules)

    # The player guesses

    def press(self, symbol: str) -> None:
        """Add a symbol to the guess; one that is not a symbol, or one too many, changes nothing."""
        self.fault = ""
        if len(symbol) == 1 and symbol in self.rules.alphabet and len(self.entry) < self.rules.length:
            self.entry += symbol

    def delete(self) -> None:
        """Take the last symbol of the guess away."""
        self.fault = ""
        self.entry = self.entry[:-1]

    def judge(self, typed: str = "") -> None:
        """Score the player's guess: `typed`, or if it is empty the symbols pressed so far."""
        if self.is_over or self.is_flipped:
            return
        if len(self.turns) >= MAX_TURNS:
            self.said = _MORE_TURNS
            return
        if not typed and len(self.entry) < self.rules.length:
            self.fault = f"Choose {self._count_symbols()} first."
            return
        board, said = mastermind.Board(self.rules, self._secret, self.turns).judge(typed[:100] or self.entry)
        if board.turns == self.turns:
            self.fault = said
            return
        self.turns, self.entry, self.fault = board.turns, "", ""
        score = describe_score(board.turns[-1].feedback, self.rules.length)
        self.said = said if self.is_over else f"Not yet: {score}."

    def reveal(self) -> None:
        """Give up: say the code, and begin again."""
        code = self._name_code(self._secret)
        self.begin_game(self.is_flipped)
        self.said = f"The code was {code}. Here is another one."

    # The computer guesses

    def answer(self, exact: int, misplaced: int) -> None:
        """Take the answer to the computer's guess, and guess again."""
        if not self.is_flipped or not self.guess:
            return
        try:
            feedback = Feedback(*self.rules.parse_feedback((exact, misplaced)))
        except JottoError as error:
            self.said = str(error)
            return
        self.turns, self.guess = (*self.turns, Turn(self.guess, feedback)), ""
        self.think()

    def take_back(self) -> None:
        """Take the last answer back: the computer asks its guess again."""
        if self.is_flipped and self.turns:
            self.guess, self.turns = self.turns[-1].guess, self.turns[:-1]
            self.said = f"My guess is {self._name_code(self.guess)}."

    def think(self) -> None:
        """Guess, or say why no guess is left."""
        if self.is_over:
            guesses = "1 guess" if len(self.turns) == 1 else f"{len(self.turns)} guesses"
            self.said = f"I have found your code in {guesses}."
        elif len(self.turns) >= MAX_TURNS:
            self.said = _MORE_TURNS
        else:
            self.said = self._next()

    def _next(self) -> str:
        breaker = self._get_breaker()
        if not breaker.find_fitting(self.turns):
            return " ".join(advice.describe_suspicions(self.turns, breaker.index, str.upper))
        self.guess = breaker.guess(self.turns)
        return f"My guess is {self._name_code(self.guess)}."

    # Both

    def begin_game(self, is_flipped: bool) -> None:
        """Begin another game; the computer's first guess is for `think`. If it cannot guess on this board, say so."""
        try:
            if is_flipped:
                self._get_breaker()
        except DeskError as error:
            self.said = str(error)
            return
        self.seed = self.seed % _MAX_SEED + 1
        self.turns, self.guess, self.entry, self.fault = (), "", "", ""
        if is_flipped:
            self._flip()
        else:
            self._draw("")

    def explain_fit(self, typed: str) -> str:
        """Say which turns speak against a code."""
        code = mastermind.tidy_guess(typed)
        wrong = mastermind.find_fault(code, self.rules, "Code", "")
        return wrong.strip() or find_objection(code, self.turns, self.rules)

    def list_fitting(self) -> Sequence[str] | None:
        """List the codes that fit all answers; None for a board with more than the computer keeps in mind."""
        try:
            breaker = self._get_breaker()
        except DeskError:
            return None
        return [str(code) for code in breaker.index.list_words(breaker.find_fitting(self.turns))]

    def _draw(self, secret: str) -> None:
        self.is_flipped = False
        self._secret = secret or str(feedback.generate_code(self.rules.length, self.rules.alphabet, self.seed))
        self.said = f"The code has {self._count_symbols()}. What's your guess?"

    def _count_symbols(self) -> str:
        """Return a phrase with the number of colours of a code; of symbols, if they have no colours."""
        thing = "colour" if mastermind.map_letter_colours(self.rules) else "symbol"
        return f"{self.rules.length} {thing}{'s' if self.rules.length != 1 else ''}"

    def _name_code(self, code: str) -> str:
        """Return a code in words: its colours, or its symbols if they have no colours."""
        colours = mastermind.map_letter_colours(self.rules)
        return ", ".join(colours[symbol] for symbol in code) if colours else code.upper()

    def _flip(self) -> None:
        self._get_breaker()
        self.is_flipped, self._secret = True, ""
        self.said = "You have a secret code, and I guess."

    def _get_breaker(self) -> mastermind.CodeBreaker:
        if self._breaker is None:
            self._breaker = mastermind.CodeBreaker(self.rules, self.way, self.seed)
        return self._breaker


# Wordle: the player has six guesses.


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
        """Return whether no more can be guessed."""
        return self.game.over

    def make_board(self) -> BoardView:
        """Return the board."""
        return make_marks_board(self.game.turns, "Your guesses")

    def open_tiles(self) -> tuple[Tile, ...]:
        """Return the row below the board, with its empty places; an empty one if the game is over."""
        if self.is_over:
            return ()
        return tuple(map(Tile, self.entry.upper())) + make_empty_tiles(WORDLE.length - len(self.entry))

    def press(self, letter: str) -> None:
        """Add a letter to the guess."""
        self.fault = ""
        if len(letter) == 1 and letter.lower() in WORDLE.alphabet and len(self.entry) < WORDLE.length:
            self.entry += letter.lower()

    def delete(self) -> None:
        """Take the last letter of the guess away."""
        self.fault = ""
        self.entry = self.entry[:-1]

    def judge(self, typed: str = "") -> None:
        """Mark a guess: the entry, or the typed text. An invalid guess costs nothing."""
        if self.is_over:
            return
        guess = wordle.fold_typed_word(typed or self.entry)
        self.fault = self.game.explain_refusal(guess)
        if self.fault:
            return
        self.game, self.entry = self.game.add_guess(guess), ""
        self.said = self._describe_verdict()

    def _describe_verdict(self) -> str:
        if self.game.solved:
            return wordle.congratulate(self.game.turns)
        if self.game.over:
            return f"The word was {self.game.secret.upper()}."
        left = wordle.GAME_ROUNDS - len(self.game.turns)
        return f"{left} guess{'es' if left != 1 else ''} left."

    def share_game(self) -> str:
        """Return a finished game in a form to share: squares that give no word away."""
        return f"{self.game.format_title()}\n{share_rounds(self.game.turns)}" if self.is_over else ""

    def begin_game(self) -> None:
        """Begin another game."""
        self.seed = self.seed % _MAX_SEED + 1
        self.game, self.entry, self.fault = self._begin(self.seed), "", ""
        self.said = f"I have another word; you have {wordle.GAME_ROUNDS} guesses."

    def explain_fit(self, typed: str) -> str:
        """Say whether a word can be it, and if not, why not."""
        word = wordle.fold_typed_word(typed)
        try:
            WORDLE.check(word)
        except JottoError as error:
            return str(error)
        if word not in self._known.words:
            return f"{word.upper()} is not in the list of words."
        return find_objection(word, self.game.turns, WORDLE)

    def list_fitting(self) -> Sequence[str]:
        """List the words that fit all marks and can be shown, the most frequent first."""
        unspoken = self._known.unspoken
        return [word for word in self._helper.list_fitting(self.game.turns) if word not in unspoken]

    @functools.cached_property
    def _helper(self) -> WordleHelper:
        return WordleHelper(self._known, self.game.is_hard)
