"""Mastermind on a page: the player guesses a code, or the computer guesses the player's."""

from __future__ import annotations

from collections.abc import Sequence

from jotto import feedback
from jotto.feedback import Feedback
from jotto.game import MAX_TURNS, Turn
from jotto.rules import JottoError, Rules
from jotto_desk.games import advice, mastermind
from jotto_desk.history import describe_score

from ..errors import DeskError
from .board_view import BoardView, Tile, code_board, code_tiles, empty_tiles
from .guessing_table import GuessingTable

#: Seeds of later games go round below this.
_MOST_SEEDS = 2**31 - 1
_MORE_TURNS = f"A game has at most {MAX_TURNS} turns. Start a new game."


class CodeTable(GuessingTable):
    """One game of Mastermind after another; `entry` is the guess or code that is being put together."""

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
        """Tell whether the code is found."""
        return bool(self.turns) and self.turns[-1].feedback == self.rules.win

    def board(self) -> BoardView:
        """Return the board."""
        return code_board(self.turns, self.rules, "The computer's guesses" if self.is_flipped else "Your guesses")

    def open_tiles(self) -> tuple[Tile, ...]:
        """Return the row below the board: the computer's guess, or what is put together, with its empty places."""
        if self.is_over:
            return ()
        shown = self.guess if self.is_flipped else self.entry
        return code_tiles(shown, self.rules) + empty_tiles(self.rules.length - len(shown))

    @property
    def is_first(self) -> bool:
        """Tell whether the computer's first guess is still to come."""
        return self.is_flipped and not self.turns and not self.guess

    def symbols(self) -> tuple[Tile, ...]:
        """Return what codes are made of."""
        return code_tiles(self.rules.alphabet, self.rules)

    # The player guesses

    def press(self, symbol: str) -> None:
        """Add a symbol to the guess; one that is no symbol, or one too many, changes nothing."""
        if symbol in self.rules.alphabet and len(self.entry) < self.rules.length:
            self.entry += symbol
            self.tell()

    def delete(self) -> None:
        """Take the last symbol of the guess away."""
        self.entry = self.entry[:-1]
        self.tell()

    def judge(self, typed: str = "") -> None:
        """Answer a guess: what was put together, or what was typed."""
        if self.is_over or self.is_flipped:
            return
        if len(self.turns) >= MAX_TURNS:
            self.say(_MORE_TURNS)
            return
        board, said = mastermind.Board(self.rules, self._secret, self.turns).judge(typed[:100] or self.entry)
        if board.turns != self.turns:
            self.turns, self.entry = board.turns, ""
            said = said if self.is_over else f"Not yet: {describe_score(board.turns[-1].feedback, self.rules.length)}."
        self.say(said)

    def reveal(self) -> None:
        """Give up: say the code, and begin anew."""
        code = self._secret.upper()
        self.new(self.is_flipped)
        self.say(f"The code was {code}. Here is another one.")

    # The computer guesses

    async def answer(self, exact: int, misplaced: int) -> None:
        """Take the answer to the computer's guess, and guess again."""
        if not self.is_flipped or not self.guess:
            return
        try:
            feedback = Feedback(*self.rules.read_feedback((exact, misplaced)))
        except JottoError as error:
            self.say(error)
            return
        self.turns, self.guess = (*self.turns, Turn(self.guess, feedback)), ""
        await self.think()

    def take_back(self) -> None:
        """Take the last answer back: the computer asks its guess again."""
        if self.is_flipped and self.turns:
            self.guess, self.turns = self.turns[-1].guess, self.turns[:-1]
            self.say(f"My guess is {self.guess.upper()}.")

    async def think(self) -> None:
        """Guess, or say why no guess is left."""
        if self.is_over:
            guesses = "1 guess" if len(self.turns) == 1 else f"{len(self.turns)} guesses"
            self.say(f"I have found your code in {guesses}.")
        elif len(self.turns) >= MAX_TURNS:
            self.say(_MORE_TURNS)
        else:
            self.say(await self._think(self._next))

    def _next(self) -> str:
        breaker = self._known()
        if not breaker.left(self.turns):
            return " ".join(advice.describe_suspicions(self.turns, breaker.index, str.upper))
        self.guess = breaker.guess(self.turns)
        return f"My guess is {self.guess.upper()}."

    # Both

    def new(self, is_flipped: bool) -> None:
        """Begin another game; the computer's first guess is for `think`. Say so where it cannot guess on this board."""
        try:
            if is_flipped:
                self._known()
        except DeskError as error:
            self.say(error)
            return
        self.seed = self.seed % _MOST_SEEDS + 1
        self.turns, self.guess, self.entry = (), "", ""
        if is_flipped:
            self._flip()
        else:
            self._draw("")
        self.tell()

    def objections(self, typed: str) -> str:
        """Say which turns speak against a code."""
        code = mastermind.tidy_guess(typed)
        wrong = mastermind.find_fault(code, self.rules, "Code", "")
        return wrong.strip() or advice.find_objections(code, self.turns, self.rules)

    def fitting(self) -> Sequence[str] | None:
        """List the codes that fit all answers; None for a board with more than the computer keeps in mind."""
        try:
            breaker = self._known()
        except DeskError:
            return None
        return [str(code) for code in breaker.index.chosen(breaker.left(self.turns))]

    def _draw(self, secret: str) -> None:
        self.is_flipped = False
        self._secret = secret or str(feedback.generate_code(self.rules.length, self.rules.alphabet, self.seed))
        self.said = mastermind.opening_sentence(self.rules)

    def _flip(self) -> None:
        self._known()
        self.is_flipped, self._secret = True, ""
        self.said = "You have a secret code, and I guess."

    def _known(self) -> mastermind.CodeBreaker:
        if self._breaker is None:
            self._breaker = mastermind.CodeBreaker(self.rules, self.way, self.seed)
        return self._breaker
