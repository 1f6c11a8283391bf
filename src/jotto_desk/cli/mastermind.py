"""`jotto mastermind`: guess the computer's code, or flip the script and let it guess yours."""

import re
from collections.abc import Sequence
from typing import Annotated

from rich.table import Table as Sheet
from rich.text import Text

from jotto import feedback
from jotto.feedback import Feedback
from jotto.game import MAX_TURNS, Turn
from jotto.rules import MASTERMIND, JottoError, Rules
from jotto_desk.cli import options, shell
from jotto_desk.errors import DeskError
from jotto_desk.games import advice
from jotto_desk.games.mastermind import (
    BREAKER_WAYS,
    COLUMNS,
    CONSISTENT_WAY,
    MAX_CODE_LENGTH,
    ROLE_QUESTION,
    WELCOME,
    Board,
    CodeBreaker,
    answer_guess,
    describe_legend,
    describe_opening,
    find_fault,
    help_text,
    make_rules,
    parse_length,
    tidy_guess,
)
from jotto_desk.terminal import Terminal

app = shell.CommandLine()
_ORIGINAL, _FLIP = "original", "flip"
LETTERS = MASTERMIND.alphabet.upper()
Length = Annotated[int | None, shell.option("Length of the code; else it asks.", min=1, max=MAX_CODE_LENGTH)]
_STOPS = ("stop", "quit", "give up")


# The board: coloured pegs, and answers as a grid of black and white pegs, two in a row.

_BLACK_PEG, _WHITE_PEG, _NO_PEG = "●", "○", "·"
_STYLES = {
    "r": "bold white on red3",
    "o": "bold black on dark_orange",
    "y": "bold black on yellow1",
    "g": "bold white on green4",
    "b": "bold white on blue3",
    "v": "bold white on purple4",
}
_OTHERS = ("bold white on grey37", "bold black on grey70")


def _colour_code(guess: str) -> Text:
    """Colour a code, the letters still readable."""
    shown = Text()
    for place, letter in enumerate(guess.lower()):
        shown.append(f" {letter.upper()} ", style=_STYLES.get(letter, _OTHERS[place % 2]))
    return shown


def colour_legend(rules: Rules) -> Text:
    """Colour the names of the letters."""
    title, _, parts = describe_legend(rules).rstrip(".").partition(" ")
    shown = Text(title)
    for part in parts.split(", "):
        shown.append(" ").append_text(_colour_code(part[0])).append(part[1:])
    return shown.append(".")


def arrange_pegs(feedback: Feedback, length: int) -> Text:
    """Return an answer two pegs wide: blacks first, then whites; their positions say nothing about the places.

    >>> print(arrange_pegs(Feedback(1, 2), 4).plain)
    ● ○
    ○ ·
    """
    row = _BLACK_PEG * feedback.exact + _WHITE_PEG * feedback.misplaced
    row += _NO_PEG * (length - len(row))
    shown = Text("\n".join(" ".join(row[start : start + 2]) for start in range(0, length, 2)))
    shown.highlight_regex(_BLACK_PEG, "bold")
    shown.highlight_regex(_NO_PEG, "dim")
    return shown


def tabulate_history(turns: Sequence[Turn], length: int, coloured: bool = True) -> Sheet:
    """Draw the history: guess, correct, out-of-place and pegs; codes in plain letters where colours cannot be seen."""
    table = Sheet()
    for number, heading in enumerate((*COLUMNS, "Pegs")):
        table.add_column(heading, justify="right" if number in (1, 2) else "left", vertical="middle")
    for turn in turns:
        guess = _colour_code(turn.guess) if coloured else turn.guess.upper()
        table.add_row(guess, *map(str, turn.feedback), arrange_pegs(turn.feedback, length))
    return table


# The game at the terminal.


class _Left(Exception):
    """The player has left the table."""


@app.declare(
    "jotto mastermind",
    "jotto mastermind --mode flip --strategy strongest",
    "jotto mastermind --page    (in the browser)",
    "printf '4\\nGYBG\\nGOYV\\nVVYG\\n' | jotto mastermind --secret VVYG",
    "jotto mastermind --length 5 --letters 01234567 --seed 7",
)
def mastermind(
    mode: Annotated[
        str,
        shell.choice_option(
            "--mode", (_ORIGINAL, _FLIP), "original: you guess; flip: the computer guesses. By default the game asks."
        ),
    ] = "",
    secret: Annotated[str, shell.option("The code to guess, for a game that you can repeat.", metavar="CODE")] = "",
    length: Length = None,
    letters: Annotated[
        str, shell.option("The letters of a code: 2 to 36 different letters or digits.", metavar="LETTERS")
    ] = LETTERS,
    strategy: Annotated[
        str,
        shell.choice_option("--strategy", BREAKER_WAYS, "The computer guesses any code that fits, or the strongest."),
    ] = CONSISTENT_WAY,
    seed: Annotated[int, shell.seed_option()] = 0,
    as_json: shell.Json = False,
    *,
    page: options.PageOptions,
) -> None:
    """Play Mastermind: guess a code of colours, with repeats, or let the computer guess yours.

    In the game: `history` shows the guesses so far, `help` lists the commands, `stop` ends it.
    """
    table, rules = Terminal(), make_rules(length or MASTERMIND.length, letters)
    page.check()
    if secret:
        rules = rules._replace(length=length or len(tidy_guess(secret)))
        _check(secret, rules)
    if page.page:
        _play_on_page(rules, mode, tidy_guess(secret), strategy, seed, page)
        return
    game = _Game(table, rules, bool(length), tidy_guess(secret), shell.draw_seed(seed))
    try:
        game.play(mode or (_ORIGINAL if secret else ""), strategy)
    except _Left:
        code = f"; the code was {game.secret.upper()}" if game.secret and not game.is_flipped else ""
        table.say(f"(You left{code}.)", "dim")
    if game.turns:
        table.show(game.sheet(game.turns))
    if as_json:
        shell.print_json(game.plain())


def _play_on_page(rules: Rules, mode: str, secret: str, strategy: str, seed: int, page: options.PageOptions) -> None:
    """Play on a page; without a seed every visitor gets a different game."""
    if secret and mode == _FLIP:
        raise DeskError("On a page you answer the computer's guesses yourself: leave --secret out.")
    with options.convert_page_errors():
        from jotto_desk.play.page.tables import CodeTable

        table = CodeTable(rules, shell.draw_seed(seed), secret, strategy, mode == _FLIP)
        options.serve_table("mastermind", table.title, page, codes=table)


def _check(secret: str, rules: Rules) -> None:
    if not tidy_guess(secret):
        raise DeskError(f"--secret '{secret}' is not a code; give letters such as VVYG.")
    make_rules(rules.length, rules.alphabet)
    wrong = find_fault(tidy_guess(secret), rules, f"--secret '{secret[:60]}' is", "")
    if wrong:
        raise DeskError(wrong.replace("is can only contain", "can only contain").strip())


class _Game:
    """One game at the table; `turns` and `secret` are its result."""

    def __init__(self, table: Terminal, rules: Rules, is_length_known: bool, secret: str, seed: int) -> None:
        self.table = table
        self.rules = rules
        self.is_length_known = is_length_known
        self.secret = secret
        self.seed = seed
        self.turns: tuple[Turn, ...] = ()
        self.is_flipped = False
        self._waiting = ""

    def sheet(self, turns: tuple[Turn, ...]) -> Sheet:
        return tabulate_history(turns, self.rules.length, self.table.screen.is_terminal)

    def plain(self) -> dict[str, object]:
        """Return the game as a dict that JSON can hold."""
        solved = bool(self.turns) and self.turns[-1].feedback == self.rules.win
        turns = [[turn.guess.upper(), *turn.feedback] for turn in self.turns]
        mode, letters = _FLIP if self.is_flipped else _ORIGINAL, self.rules.alphabet.upper()
        plain = {"mode": mode, "letters": letters, "secret": self.secret.upper() or None, "seed": self.seed}
        return plain | {"solved": solved, "turns": turns}

    def play(self, mode: str, way: str) -> None:
        """Play until the code is found; raises `_Left` when the player leaves."""
        while not mode:
            typed = self._ask(ROLE_QUESTION).lower().split()
            # A number answers the next question too: the original game, with so many letters.
            if not typed or typed[0] in ("o", _ORIGINAL) or typed[0].isdigit():
                mode, self._waiting = _ORIGINAL, typed[0] if typed and typed[0].isdigit() else ""
            elif typed[0] in ("f", _FLIP, "flipped"):
                mode = _FLIP
            else:
                self.table.say(f"Please say '{_ORIGINAL}' or '{_FLIP}'.")
        self.is_flipped = mode == _FLIP
        if self.is_flipped:
            self._flip(way)
        else:
            self._original()

    def _ask(self, question: str) -> str:
        if question:
            self.table.say(question)
        typed, self._waiting = self._waiting or self.table.hear(), ""
        if typed is None or (typed.lower() in _STOPS and not self.rules.allows(typed.lower())):
            raise _Left
        word = typed.lower()
        if word not in ("help", "?", "history") or self.rules.allows(word):
            return typed
        if word != "history":
            self.table.say(help_text(self.rules, self.is_flipped))
        elif self.turns:
            self.table.show(self.sheet(self.turns))
        else:
            self.table.say("No guess has been made yet.")
        return self._ask(question)

    def _demand_length(self, question: str) -> None:
        while not self.is_length_known:
            typed = self._ask(question)
            if not typed:
                self.table.say(f"{self.rules.length} letters, then.")
                return
            found = parse_length(typed)
            if self.secret and not typed.lstrip("-").isdigit():
                # The code is given, so its length is: this is the mode once more, or the first guess.
                self._waiting = "" if typed.lower() == _ORIGINAL else typed
                return
            if isinstance(found, int) and self.secret and found != self.rules.length:
                found = f"The code given has {self.rules.length} letters, not {found}."
            if isinstance(found, int):
                self.rules = self.rules._replace(length=found)
                return
            self.table.say(found)

    def _original(self) -> None:
        self._demand_length(WELCOME)
        self.secret = self.secret or str(feedback.generate_code(self.rules.length, self.rules.alphabet, self.seed))
        board = Board(self.rules, self.secret)
        self._print_legend()
        question = describe_opening(self.rules)
        while not board.solved:
            typed, question = self._ask(question), ""
            before = board
            board, said = board.judge(typed)
            self.turns = board.turns
            if self.table.alive and board is not before:
                self.table.show(self.sheet(board.turns[-1:]))
            self.table.say(said)

    def _flip(self, way: str) -> None:
        self.table.say("Flip the script: you have a secret code, and I guess.")
        if not self.secret:
            self._demand_length("How many letters does your secret code have?")
        self._print_legend()
        breaker = CodeBreaker(self.rules, way, self.seed)
        question = "What is your secret code? (Press only Enter to keep it secret, and answer my guesses yourself.)"
        while not self.secret:
            typed = tidy_guess(self._ask(question))
            wrong = find_fault(typed, self.rules, "Code", "Please give it again.") if typed else ""
            if not wrong:
                self.secret = typed
                break
            self.table.say(wrong)
        while not self.turns or self.turns[-1].feedback != self.rules.win:
            if len(self.turns) >= MAX_TURNS:
                raise DeskError(f"This game has {MAX_TURNS} turns and no end; start a new one.")
            if not breaker.find_fitting(self.turns):
                self._repair(breaker)
                continue
            guess = breaker.guess(self.turns)
            self.table.say(f"My guess is {guess.upper()}.")
            turn = answer_guess(self.rules, guess, self.secret) if self.secret else Turn(guess, self._answer())
            self.turns = (*self.turns, turn)
            if self.secret:
                self.table.say(_format_feedback(turn.feedback))
        self.table.say(f"I figured out your secret code in {len(self.turns)} guess(es).")

    def _print_legend(self) -> None:
        is_coloured = self.table.screen.is_terminal
        named = colour_legend(self.rules) if is_coloured else Text(describe_legend(self.rules))
        self.table.show(named.append(" Type help to see everything that you can type."))

    def _answer(self) -> Feedback:
        question = 'How many are "correctly positioned", and how many "out-of-place"? (two numbers, such as 1 2)'
        while True:
            found = _pair(self._ask(question), self.rules)
            if isinstance(found, Feedback):
                return found
            self.table.say(found)

    def _repair(self, breaker: CodeBreaker) -> None:
        for sentence in advice.describe_suspicions(self.turns, breaker.index, str.upper):
            self.table.say(sentence)
        typed = self._ask("Which turn do you want to change, and to what? (such as 2 1 0 for turn 2)")
        number, _, rest = typed.replace("change", "").strip().partition(" ")
        found = _pair(rest, self.rules)
        if not number.isdecimal() or not 1 <= int(number[:4]) <= len(self.turns):
            self.table.say(f"'{typed[:60]}' names no turn from 1 to {len(self.turns)}.")
        elif isinstance(found, str):
            self.table.say(found)
        else:
            place = int(number) - 1
            changed = Turn(self.turns[place].guess, found)
            self.turns = (*self.turns[:place], changed, *self.turns[place + 1 :])


def _pair(typed: str, rules: Rules) -> Feedback | str:
    """Read two numbers, or describe the fault in them."""
    numbers = re.findall(r"-?\d+", typed)
    if len(numbers) == 1 and re.fullmatch(r"\d\d", numbers[0]):
        numbers = list(numbers[0])
    if len(numbers) != 2 or re.sub(r"[-\d\s,;/]", "", typed) or max(map(len, numbers)) > 6:
        return f"'{typed[:60]}' is not two numbers such as 1 2."
    try:
        return Feedback(*rules.parse_feedback((int(numbers[0]), int(numbers[1]))))
    except JottoError as error:
        return str(error)


def _format_feedback(feedback: Feedback) -> str:
    return f'{feedback.exact} is/are "correctly positioned" and {feedback.misplaced} is/are "out-of-place".'
