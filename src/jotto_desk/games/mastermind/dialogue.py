"""What the game says, word for word as the homework has it, and the order in which a guess is checked."""

from collections.abc import Sequence
from dataclasses import dataclass

from jotto import feedback as blocks
from jotto.feedback import Feedback
from jotto.game import Turn
from jotto.rules import MASTERMIND, Rules

from ...errors import DeskError

WHICH = (
    "Would you like to play the original game (you guess), or flip the script (I guess your code)? "
    "(original, flip; Enter: original)"
)
WELCOME = "Welcome to Mastermind! How many letters do you want the secret code to have?"
COLUMNS = ("Guess", "Correct", "Out-of-place")
#: What the letters of the usual alphabet stand for.
COLOURS = {"red": "r", "orange": "o", "yellow": "y", "green": "g", "blue": "b", "violet": "v", "purple": "v"}
LONGEST, MOST_LETTERS = 20, 36
HELP = """{typed}
Correctly positioned: right, and in the right place. Out-of-place: in the code, but in another place.
history: the guesses so far. help: this. stop: the end."""
GUESS = "A guess: {example}, small or large, or colours by name. {legend}"
ANSWER = "My guess is answered by two numbers: how many are correctly positioned, how many out-of-place, such as 1 2."


def rules_of(length: int, letters: str = MASTERMIND.alphabet) -> Rules:
    """Make the rules of a game; case does not matter.

    Raises `DeskError` for a length not from 1 to 20, or letters that are not 2 to 36 different ones or digits.
    """
    if not 1 <= length <= LONGEST:
        raise DeskError(f"The code cannot have {length} letters; choose a length from 1 to {LONGEST}.")
    small = letters.lower()
    if not small.isalnum() or len(small) != len(letters) or len(set(small)) != len(small):
        raise DeskError(f"'{letters[:60]}' are not different letters or digits; give them as in --letters ROYGBV.")
    if not 2 <= len(small) <= MOST_LETTERS:
        raise DeskError(f"'{letters[:60]}' are {len(small)} letters; give 2 to {MOST_LETTERS}, as in --letters ROYGBV.")
    return MASTERMIND._replace(length=length, alphabet=small)


def tidied(typed: str) -> str:
    """Return what was typed in small letters without blanks; colours named in full are taken for their letters."""
    words = typed.lower().replace(",", " ").split()
    if words and all(word in COLOURS for word in words):
        return "".join(COLOURS[word] for word in words)
    return "".join(words)


def fault(guess: str, rules: Rules, what: str = "Guess", again: str = "Please guess again.") -> str:
    """Say what is wrong with a guess, its length before its letters; empty when it counts."""
    size = _letters(rules.length)
    if len(guess) < rules.length:
        return f"{what} too short; it has to be exactly {size}. {again}"
    if len(guess) > rules.length:
        return f"{what} too long; it has to be exactly {size}. {again}"
    if not rules.allows(guess):
        return f"{what} can only contain the letters {rules.alphabet.upper()}. {again}"
    return ""


def length_of(typed: str) -> int | str:
    """Read a length, or say why it is none."""
    again = f"give a whole number from 1 to {LONGEST}, such as 4."
    if not (typed.isascii() and typed.lstrip("-").isdigit() and len(typed) < 12):
        return f"'{typed[:60]}' is not a number of letters; {again}"
    return int(typed) if 1 <= int(typed) <= LONGEST else f"A code cannot have {int(typed)} letters; {again}"


def opening(rules: Rules) -> str:
    """Say how long the code is, and ask for a guess."""
    verb = "is" if rules.length == 1 else "are"
    return f"There {verb} {_letters(rules.length)} in the secret code. What's your guess?"


def legend(rules: Rules) -> str:
    """Name the colours of the letters, or the letters where they are others.

    >>> legend(rules_of(4)), legend(rules_of(4, "01"))
    ('Colours: R red, O orange, Y yellow, G green, B blue, V violet.', 'Letters: 0, 1.')
    """
    names = colours(rules)
    if not names:
        return f"Letters: {', '.join(rules.alphabet.upper())}."
    return f"Colours: {', '.join(f'{letter.upper()} {names[letter]}' for letter in rules.alphabet)}."


def colours(rules: Rules) -> dict[str, str]:
    """Map the letters to the colours they stand for; empty where one stands for none."""
    names = {letter: colour for colour, letter in reversed(COLOURS.items())}
    return {letter: names[letter] for letter in rules.alphabet} if set(rules.alphabet) <= set(names) else {}


def help_text(rules: Rules, is_flipped: bool) -> str:
    """Say what can be typed."""
    example = (rules.alphabet * rules.length)[: rules.length].upper()
    return HELP.format(typed=ANSWER if is_flipped else GUESS.format(example=example, legend=legend(rules)))


def verdict(feedback: Feedback) -> str:
    """Answer a guess that is not the code."""
    return f'No, but {feedback.exact} is/are "correctly positioned" and {feedback.misplaced} is/are "out-of-place".'


def victory(attempts: int) -> str:
    """Congratulate."""
    return f"Yes, that is correct! You figured out the secret code in {attempts} guess(es)."


@dataclass(frozen=True)
class Board:
    """A secret and the guesses that counted; a board is never changed, only followed by another."""

    rules: Rules
    secret: str
    turns: tuple[Turn, ...] = ()

    def judge(self, typed: str) -> "tuple[Board, str]":
        """Answer a guess: the board after it and what is said; a guess that does not count leaves the board as it is.

        >>> board, said = Board(rules_of(4), "vvyg").judge("YYYY")
        >>> said, len(board.turns), len(board.judge("ROY")[0].turns)
        ('No, but 1 is/are "correctly positioned" and 0 is/are "out-of-place".', 1, 1)
        """
        guess = tidied(typed)
        wrong = fault(guess, self.rules)
        if wrong:
            return self, wrong
        feedback = Feedback(blocks.correctly_placed(guess, self.secret), blocks.out_of_place(guess, self.secret))
        after = Board(self.rules, self.secret, (*self.turns, Turn(guess, feedback)))
        return after, victory(len(after.turns)) if after.solved else verdict(feedback)

    @property
    def solved(self) -> bool:
        """Tell whether the last guess was the code."""
        return bool(self.turns) and self.turns[-1].guess == self.secret


def history(turns: Sequence[Turn]) -> list[list[str | int]]:
    """List the heading and a row per guess: guess, correct, out-of-place."""
    return [list(COLUMNS), *([turn.guess.upper(), *turn.feedback] for turn in turns)]


def _letters(count: int) -> str:
    return "1 letter" if count == 1 else f"{count} letters"
