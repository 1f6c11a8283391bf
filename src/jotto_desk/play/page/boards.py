"""The content of a board as plain values: rows of tiles and pegs, the certain letters, remarks; keyboards.

Every text is plain text.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jotto.explain import find_clashes
from jotto.feedback import MARKS, Feedback
from jotto.game import Turn
from jotto.rules import Rules
from jotto.words import capitalise_word
from jotto_desk import history
from jotto_desk.games import mastermind, wordle

#: The looks of a peg or a tile: the symbol is in place, it belongs elsewhere, or it is not in the secret.
IN_PLACE, ELSEWHERE, OUTSIDE = "in-place", "elsewhere", "neither"
_PEGS = (IN_PLACE, ELSEWHERE, OUTSIDE)
#: The states of a letter; in Wordle a letter of the word has the look of its tiles instead of `INSIDE`.
INSIDE, _OPEN = "in", "open"
_MARKS_SAID = {
    "E": (IN_PLACE, "in the right place"),
    "P": (ELSEWHERE, "in the wrong place"),
    "N": (OUTSIDE, "not in the word"),
}

#: The rows of a keyboard, and those for other languages.
KEYBOARD = ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
KEYBOARDS = {
    "fr": ("AZERTYUIOP", "QSDFGHJKLM", "WXCVBN"),
    "de": ("QWERTZUIOP\u00dc", "ASDFGHJKL\u00d6\u00c4", "YXCVBNM\u1e9e"),
    "es": ("QWERTYUIOP", "ASDFGHJKL\u00d1", "ZXCVBNM"),
}


class Tile(NamedTuple):
    """A symbol of a guess, its look (of a peg, a colour's name, or ""), and the text for a screen reader."""

    symbol: str
    look: str = ""
    said: str = ""


class BoardRow(NamedTuple):
    """A guess: its tiles, the pegs of its score (their order says nothing about the places), and the score in words."""

    number: int
    tiles: tuple[Tile, ...]
    pegs: tuple[str, ...]
    score: str

    @property
    def guess(self) -> str:
        """Return the guess in small letters."""
        return "".join(tile.symbol for tile in self.tiles).lower()


class BoardView(NamedTuple):
    """A board: `letters` has pairs of a letter and its state, or nothing if they are not shown; so has `places`."""

    title: str
    rows: tuple[BoardRow, ...] = ()
    letters: tuple[tuple[str, str], ...] = ()
    places: str = ""
    remarks: tuple[str, ...] = ()


def jotto_board(board: history.GuessBoard, texts: history.Translated = history.fill_english) -> BoardView:
    """Return a board of Jotto in the language of the texts.

    >>> from jotto import game, rules
    >>> from jotto_desk.history import make_game_board
    >>> played = game.start_game(rules.JOTTO, "en", "", 1).ask("fjord").answer((1, 2)).ask("table")
    >>> [(row.pegs, row.score) for row in jotto_board(make_game_board(played)).rows][0]
    (('in-place', 'elsewhere', 'elsewhere', 'neither', 'neither'), '1 in the right place, 2 in the wrong place')
    """
    rows = tuple(
        BoardRow(
            number,
            _make_letter_tiles(guess, board),
            _count_pegs(feedback, len(guess)),
            history.describe_score(feedback, len(guess), texts),
        )
        for number, (guess, feedback) in enumerate(board.rows, start=1)
    )
    letters = board.letters
    return BoardView(
        texts(board.title),
        rows,
        _find_certain(letters) if letters else (),
        capitalise_word(letters.places) if letters else "",
        tuple(_remarks(board, texts)),
    )


def _remarks(board: history.GuessBoard, texts: history.Translated) -> Iterable[str]:
    if board.word and not board.is_solved:
        yield texts("The word was {word}.", word=board.capitalise(board.word))
    if board.left is not None and not board.is_solved:
        yield history.describe_left(board.left, texts)


def _find_certain(letters: history.Letters) -> tuple[tuple[str, str], ...]:
    states = {
        **dict.fromkeys(letters.inside, INSIDE),
        **dict.fromkeys(letters.outside, OUTSIDE),
        **dict.fromkeys(letters.open, _OPEN),
    }
    return tuple((capitalise_word(letter), states[letter]) for letter in sorted(states))


def _make_letter_tiles(guess: str, board: history.GuessBoard) -> tuple[Tile, ...]:
    """Return a tile for each letter, with its accent; two letters that are written as one sign stay two."""
    written = board.capitalise(guess)
    return tuple(Tile(symbol) for symbol in (written if len(written) == len(guess) else capitalise_word(guess)))


def _count_pegs(feedback: Sequence[int] | None, length: int) -> tuple[str, ...]:
    if feedback is None:
        return ()
    return tuple(
        peg for peg, count in zip(_PEGS, history.count_letters(feedback, length), strict=True) for _ in range(count)
    )


def make_code_board(turns: Sequence[Turn], rules: Rules, title: str, remarks: Sequence[str] = ()) -> BoardView:
    """Return a board of Mastermind, each code in its colours.

    >>> from jotto.rules import MASTERMIND
    >>> make_code_board([Turn("vvyg", Feedback(1, 1))], MASTERMIND, "Your guesses").rows[0].tiles[0]
    Tile(symbol='V', look='violet', said='violet')
    """
    rows = tuple(
        BoardRow(
            number,
            make_code_tiles(turn.guess, rules),
            _count_pegs(turn.feedback, rules.length),
            _format_score(turn.feedback, rules),
        )
        for number, turn in enumerate(turns, start=1)
    )
    return BoardView(title, rows, remarks=tuple(remarks))


def make_code_tiles(code: str, rules: Rules) -> tuple[Tile, ...]:
    """Return the tiles of a code, in colours if all its letters have one."""
    named = mastermind.map_letter_colours(rules)
    return tuple(Tile(symbol.upper(), named.get(symbol, ""), named.get(symbol, symbol.upper())) for symbol in code)


def _format_score(feedback: Feedback, rules: Rules) -> str:
    return "the code!" if feedback == rules.win else history.describe_score(feedback, rules.length)


def make_marks_board(turns: Sequence[Turn], title: str, remarks: Sequence[str] = ()) -> BoardView:
    """Return a board of Wordle: every letter with its mark.

    >>> board = make_marks_board([Turn("sugar", "ENNPP")], "Your guesses")
    >>> board.rows[0].tiles[3], [dict(board.letters)[letter] for letter in "SAU"]
    (Tile(symbol='A', look='elsewhere', said='A: in the wrong place'), ['in-place', 'elsewhere', 'neither'])
    """
    rows = tuple(
        BoardRow(number, _make_tiles(turn), (), "the word!" if set(turn.feedback) == {"E"} else "")
        for number, turn in enumerate(turns, start=1)
    )
    known = wordle.find_known_letters(turns)
    letters = tuple((letter, _find_mark(letter, known)) for letter in map(chr, range(ord("A"), ord("Z") + 1)))
    return BoardView(title, rows, letters, known.places.replace(".", "_") if turns else "", tuple(remarks))


def _find_mark(letter: str, known: wordle.MarkedLetters) -> str:
    """Return the state of a letter by the marks of its tiles."""
    if letter in known.places:
        return IN_PLACE
    if known.inside.get(letter):
        return ELSEWHERE
    return OUTSIDE if letter in known.inside else _OPEN


def _make_tiles(turn: Turn) -> tuple[Tile, ...]:
    """Return the tiles of a guess with the mark of each letter."""
    return tuple(
        Tile(letter, _MARKS_SAID[mark][0], f"{letter}: {_MARKS_SAID[mark][1]}")
        for letter, mark in zip(turn.guess.upper(), turn.feedback, strict=True)
    )


def find_objection(word: str, turns: Sequence[Turn], rules: Rules) -> str:
    """Return the first guess that speaks against a word or code, or that none does.

    >>> from jotto.rules import MASTERMIND
    >>> find_objection("rrrr", [Turn("vvyg", Feedback(1, 1))], MASTERMIND)
    'It cannot be this code: guess 1 would have got none.'
    """
    is_coloured = bool(mastermind.map_letter_colours(rules))
    name, clash = "This code" if is_coloured else word.upper(), next(iter(find_clashes(word, turns, rules)), None)
    if clash is None:
        return f"{name} fits all answers so far."
    number, guess = clash.turn + 1, turns[clash.turn].guess
    if guess == word:
        return f"{name} was guess {number}."
    if rules.kind == MARKS:
        return f"{name} cannot be it: guess {number}, {guess.upper()}, would have other colours."
    score = history.describe_score(clash.expected, rules.length)
    if is_coloured:
        return f"It cannot be this code: guess {number} would have got {score}."
    return f"{name} cannot be it: guess {number}, {guess.upper()}, would have got {score}."


def make_empty_tiles(count: int) -> tuple[Tile, ...]:
    """Return tiles for the empty places of a guess."""
    return (Tile("", "empty", "empty"),) * count
