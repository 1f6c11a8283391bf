"""Mastermind as in the CS10 homework: its sentences, its pegs, and the game with roles exchanged."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jotto import tree
from jotto.feedback import Feedback, count_correctly_placed, count_out_of_place
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import MASTERMIND, ForeignTree, Rules
from jotto.strategies import Consistent, Position
from jotto_desk.errors import DeskError
from jotto_desk.games.advice import Advisor

# The game's texts, word for word from the homework, and its checks of a guess in their order.

ROLE_QUESTION = (
    "Would you like to play the original game (you guess), or flip the script (I guess your code)? "
    "(original, flip; Enter: original)"
)
WELCOME = "Welcome to Mastermind! How many letters do you want the secret code to have?"
COLUMNS = ("Guess", "Correct", "Out-of-place")
#: The colours of the usual letters.
COLOURS = {"red": "r", "orange": "o", "yellow": "y", "green": "g", "blue": "b", "violet": "v", "purple": "v"}
MAX_CODE_LENGTH, _MAX_CODE_SYMBOLS = 20, 36
_HELP = """{typed}
Correctly positioned: right, and in the right place. Out-of-place: in the code, but in another place.
history: the guesses so far. help: this. stop: the end."""
GUESS = "A guess: {example}, small or large, or colours by name. {legend}"
ANSWER = "My guess is answered by two numbers: how many are correctly positioned, how many out-of-place, such as 1 2."


def make_rules(length: int, letters: str = MASTERMIND.alphabet) -> Rules:
    """Make the rules of a game; case does not matter.

    Raises `DeskError` for a length not from 1 to 20, or letters that are not 2 to 36 different ones or digits.
    """
    if not 1 <= length <= MAX_CODE_LENGTH:
        raise DeskError(f"The code cannot have {length} letters; choose a length from 1 to {MAX_CODE_LENGTH}.")
    small = letters.lower()
    if not small.isalnum() or len(small) != len(letters) or len(set(small)) != len(small):
        raise DeskError(f"'{letters[:60]}' are not different letters or digits; give them as in --letters ROYGBV.")
    if not 2 <= len(small) <= _MAX_CODE_SYMBOLS:
        known = f"give 2 to {_MAX_CODE_SYMBOLS}, as in --letters ROYGBV"
        raise DeskError(f"'{letters[:60]}' are {len(small)} letters; {known}.")
    return MASTERMIND._replace(length=length, alphabet=small)


def tidy_guess(typed: str) -> str:
    """Return the typed text in small letters without blanks; colours named in full are taken for their letters."""
    words = typed.lower().replace(",", " ").split()
    if words and all(word in COLOURS for word in words):
        return "".join(COLOURS[word] for word in words)
    return "".join(words)


def find_fault(guess: str, rules: Rules, what: str = "Guess", again: str = "Please guess again.") -> str:
    """Return the fault of a guess, its length before its letters; empty when it is valid."""
    size = _list_letters(rules.length)
    if len(guess) < rules.length:
        return f"{what} too short; it has to be exactly {size}. {again}"
    if len(guess) > rules.length:
        return f"{what} too long; it has to be exactly {size}. {again}"
    if not rules.allows(guess):
        return f"{what} can only contain the letters {rules.alphabet.upper()}. {again}"
    return ""


def parse_length(typed: str) -> int | str:
    """Read a length, or say why it is none."""
    again = f"give a whole number from 1 to {MAX_CODE_LENGTH}, such as 4."
    if not (typed.isascii() and typed.lstrip("-").isdigit() and len(typed) < 12):
        return f"'{typed[:60]}' is not a number of letters; {again}"
    return int(typed) if 1 <= int(typed) <= MAX_CODE_LENGTH else f"A code cannot have {int(typed)} letters; {again}"


def describe_opening(rules: Rules) -> str:
    """Return a sentence with the length of the code, and ask for a guess."""
    verb = "is" if rules.length == 1 else "are"
    return f"There {verb} {_list_letters(rules.length)} in the secret code. What's your guess?"


def describe_legend(rules: Rules) -> str:
    """Return the colours of the letters, or the letters if they have no colours.

    >>> describe_legend(make_rules(4)), describe_legend(make_rules(4, "01"))
    ('Colours: R red, O orange, Y yellow, G green, B blue, V violet.', 'Letters: 0, 1.')
    """
    names = map_letter_colours(rules)
    if not names:
        return f"Letters: {', '.join(rules.alphabet.upper())}."
    return f"Colours: {', '.join(f'{letter.upper()} {names[letter]}' for letter in rules.alphabet)}."


def map_letter_colours(rules: Rules) -> dict[str, str]:
    """Map the letters to their colours; empty if a letter has none."""
    names = {letter: colour for colour, letter in reversed(COLOURS.items())}
    return {letter: names[letter] for letter in rules.alphabet} if set(rules.alphabet) <= set(names) else {}


def help_text(rules: Rules, is_flipped: bool) -> str:
    """Return a description of the possible entries."""
    example = (rules.alphabet * rules.length)[: rules.length].upper()
    return _HELP.format(typed=ANSWER if is_flipped else GUESS.format(example=example, legend=describe_legend(rules)))


@dataclass(frozen=True)
class Board:
    """A secret and the guesses that counted; a board is never changed, only followed by another."""

    rules: Rules
    secret: str
    turns: tuple[Turn, ...] = ()

    def judge(self, typed: str) -> "tuple[Board, str]":
        """Answer a guess: return the board after it and a sentence. An invalid guess leaves the board as it is.

        >>> board, said = Board(make_rules(4), "vvyg").judge("YYYY")
        >>> said, len(board.turns), len(board.judge("ROY")[0].turns)
        ('No, but 1 is/are "correctly positioned" and 0 is/are "out-of-place".', 1, 1)
        """
        guess = tidy_guess(typed)
        wrong = find_fault(guess, self.rules)
        if wrong:
            return self, wrong
        feedback = Feedback(count_correctly_placed(guess, self.secret), count_out_of_place(guess, self.secret))
        after = Board(self.rules, self.secret, (*self.turns, Turn(guess, feedback)))
        if after.solved:
            return after, f"Yes, that is correct! You figured out the secret word in {len(after.turns)} guess(es)."
        exact, misplaced = feedback
        return after, f'No, but {exact} is/are "correctly positioned" and {misplaced} is/are "out-of-place".'

    @property
    def solved(self) -> bool:
        """Return whether the last guess was the code."""
        return bool(self.turns) and self.turns[-1].guess == self.secret


def _list_letters(count: int) -> str:
    return "1 letter" if count == 1 else f"{count} letters"


# Flipped roles: the computer guesses the player's code.

CONSISTENT_WAY, STRONGEST_WAY = "consistent", "strongest"
BREAKER_WAYS = (CONSISTENT_WAY, STRONGEST_WAY)
#: The computer keeps every code in mind.
_MAX_CODES = 100_000
#: The best possible tree for 4 of 6: 5,625 guesses for all 1,296 codes, proven by `jotto solve`.
_TREE = Path(__file__).with_name("trees") / "mastermind" / "four-of-six.tree"


class CodeBreaker:
    """A player who guesses codes: any code that fits (`consistent`), or what finds it soonest (`strongest`)."""

    def __init__(self, rules: Rules, way: str = CONSISTENT_WAY, seed: int = 1) -> None:
        count = len(rules.alphabet) ** rules.length
        if count > _MAX_CODES:
            many = f"{rules.length} letters of {rules.alphabet.upper()} make {count:,} codes"
            raise DeskError(f"{many}; I can keep {_MAX_CODES:,} in mind. Choose a shorter code.")
        if way not in BREAKER_WAYS:
            raise DeskError(f"There is no way to guess called '{way}'; choose one of: {', '.join(BREAKER_WAYS)}.")
        self.rules, self.way, self.seed = rules, way, seed
        self.index = Index(tree.list_codes(rules), rules)
        self._tree = None
        if way == STRONGEST_WAY:
            with suppress(ForeignTree):
                self._tree = tree.parse_tree(_TREE.read_bytes()).bound_to(self.index.words, rules)

    def find_fitting(self, turns: Sequence[Turn]) -> int:
        """Return the set of codes that agree with every answer."""
        return int(self.index.find_candidates(turns))

    def guess(self, turns: Sequence[Turn]) -> str:
        """Return the next guess. Raises `DeskError` when no code agrees with every answer."""
        left = self.find_fitting(turns)
        if not left:
            raise DeskError("No code agrees with every answer; check your answers.")
        known = self._tree.guess(turns) if self._tree is not None else None
        if known is not None:
            return str(known)
        if self.way == CONSISTENT_WAY:
            return str(Consistent().choose(Position(self.index, left, (), len(turns), self.seed, (), 0)))
        if left == self.index.everything:
            return _make_opening(self.rules)
        advisor = Advisor(self.index.list_words(left), self.rules, seed=self.seed)
        return str(advisor.rank_guesses(self.index.words)[0].word)


def answer_guess(rules: Rules, guess: str, secret: str) -> Turn:
    """Work the answer to a guess out."""
    return Turn(guess, Feedback(*rules.score(guess, secret)))


def _make_opening(rules: Rules) -> str:
    """Return a first guess of about half as many letters as places, two of each: for 4 of 6, RROO."""
    kinds = min(len(rules.alphabet), max(1, (rules.length + 1) // 2))
    return "".join(rules.alphabet[place * kinds // rules.length] for place in range(rules.length))
