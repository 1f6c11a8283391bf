"""What a board shows, as plain values: rows of tiles and pegs, the letters by what is certain, and what to say of it.

Knows nothing of pages; every text is plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jotto.feedback import Feedback
from jotto.game import Turn
from jotto.rules import Rules
from jotto.words import capitalise_word
from jotto_desk.games import mastermind, wordle
from jotto_desk.history import GuessBoard, Letters, count_letters, describe_left, describe_score
from naosim_live.page.texts import ENGLISH, Texts

#: What a peg or a tile says: the symbol is right, it belongs elsewhere, or it is none of the secret's.
IN_PLACE, ELSEWHERE, _NEITHER = "in-place", "elsewhere", "neither"
_PEGS = (IN_PLACE, ELSEWHERE, _NEITHER)
#: What is certain of a letter; Wordle tells more of one that is in the word, as its tiles do.
INSIDE, OUTSIDE, _OPEN = "in", "out", "open"
_MARKS_SAID = {
    "E": (IN_PLACE, "in the right place"),
    "P": (ELSEWHERE, "in the wrong place"),
    "N": (_NEITHER, "not in the word"),
}


class Tile(NamedTuple):
    """A symbol of a guess: how it is drawn (a kind of peg, a colour's name or nothing) and what a reader says of it."""

    symbol: str
    look: str = ""
    said: str = ""


class BoardRow(NamedTuple):
    """A guess: its tiles, the pegs of its score in their order (which says nothing of the places), and the score."""

    number: int
    tiles: tuple[Tile, ...]
    pegs: tuple[str, ...]
    score: str

    @property
    def guess(self) -> str:
        """Return the guess in small letters."""
        return "".join(tile.symbol for tile in self.tiles).lower()


class BoardView(NamedTuple):
    """One board; `letters` has what is certain of each letter, empty where that is not shown, `places` likewise."""

    title: str
    rows: tuple[BoardRow, ...] = ()
    letters: tuple[tuple[str, str], ...] = ()
    places: str = ""
    remarks: tuple[str, ...] = ()


def jotto_board(board: GuessBoard, texts: Texts = ENGLISH) -> BoardView:
    """Lay a board of Jotto out, in the language of the texts.

    >>> from jotto import game, rules
    >>> from jotto_desk.history import board_of_game
    >>> played = game.start_game(rules.JOTTO, "en", "", 1).ask("fjord").answer((1, 2)).ask("table")
    >>> [(row.guess, row.pegs, row.score) for row in jotto_board(board_of_game(played)).rows][0]
    ('fjord', ('in-place', 'elsewhere', 'elsewhere', 'neither', 'neither'), '1 in place, 2 elsewhere')
    """
    rows = tuple(
        BoardRow(number, _tiles(guess), _pegs(feedback, len(guess)), describe_score(feedback, len(guess), texts))
        for number, (guess, feedback) in enumerate(board.rows, start=1)
    )
    letters = board.letters
    return BoardView(
        texts(board.title),
        rows,
        _certain(letters) if letters else (),
        capitalise_word(letters.places) if letters else "",
        tuple(_remarks(board, texts)),
    )


def _remarks(board: GuessBoard, texts: Texts) -> Iterable[str]:
    if board.word and not board.is_solved:
        yield texts("The word was {word}.", word=capitalise_word(board.word))
    if board.left is not None and not board.is_solved:
        yield describe_left(board.left, texts)


def _certain(letters: Letters) -> tuple[tuple[str, str], ...]:
    states = {
        **dict.fromkeys(letters.inside, INSIDE),
        **dict.fromkeys(letters.outside, OUTSIDE),
        **dict.fromkeys(letters.open, _OPEN),
    }
    return tuple((capitalise_word(letter), states[letter]) for letter in sorted(states))


def _tiles(guess: str) -> tuple[Tile, ...]:
    return tuple(Tile(capitalise_word(symbol)) for symbol in guess)


def _pegs(feedback: Sequence[int] | None, length: int) -> tuple[str, ...]:
    if feedback is None:
        return ()
    return tuple(peg for peg, count in zip(_PEGS, count_letters(feedback, length), strict=True) for _ in range(count))


def code_board(turns: Sequence[Turn], rules: Rules, title: str, remarks: Sequence[str] = ()) -> BoardView:
    """Lay turns of Mastermind out, each code in its colours.

    >>> from jotto.rules import MASTERMIND
    >>> code_board([Turn("vvyg", Feedback(1, 1))], MASTERMIND, "Your guesses").rows[0].tiles[0]
    Tile(symbol='V', look='violet', said='violet')
    """
    rows = tuple(
        BoardRow(
            number, code_tiles(turn.guess, rules), _pegs(turn.feedback, rules.length), _code_score(turn.feedback, rules)
        )
        for number, turn in enumerate(turns, start=1)
    )
    return BoardView(title, rows, remarks=tuple(remarks))


def code_tiles(code: str, rules: Rules) -> tuple[Tile, ...]:
    """Lay a code out in its colours, where its letters stand for colours."""
    named = mastermind.letter_colours(rules)
    return tuple(Tile(symbol.upper(), named.get(symbol, ""), named.get(symbol, symbol.upper())) for symbol in code)


def _code_score(feedback: Feedback, rules: Rules) -> str:
    return "the code!" if feedback == rules.win else describe_score(feedback, rules.length)


def marks_board(turns: Sequence[Turn], title: str, remarks: Sequence[str] = ()) -> BoardView:
    """Lay rounds of Wordle out: every letter with its mark.

    >>> board = marks_board([Turn("sugar", "ENNPP")], "Your guesses")
    >>> board.rows[0].tiles[3], [dict(board.letters)[letter] for letter in "SAU"]
    (Tile(symbol='A', look='elsewhere', said='A in the wrong place'), ['in-place', 'elsewhere', 'out'])
    """
    rows = tuple(
        BoardRow(number, _marked_tiles(turn), (), "the word!" if set(turn.feedback) == {"E"} else "")
        for number, turn in enumerate(turns, start=1)
    )
    known = wordle.find_known_letters(turns)
    letters = tuple((letter, _marked(letter, known)) for letter in map(chr, range(ord("A"), ord("Z") + 1)))
    return BoardView(title, rows, letters, known.places.replace(".", "_") if turns else "", tuple(remarks))


def _marked(letter: str, known: wordle.MarkedLetters) -> str:
    """Return what is certain of a letter, as its tiles tell."""
    if letter in known.places:
        return IN_PLACE
    if known.inside.get(letter):
        return ELSEWHERE
    return OUTSIDE if letter in known.inside else _OPEN


def _marked_tiles(turn: Turn) -> tuple[Tile, ...]:
    """Lay a guess out with the mark of each letter."""
    return tuple(
        Tile(letter, _MARKS_SAID[mark][0], f"{letter} {_MARKS_SAID[mark][1]}")
        for letter, mark in zip(turn.guess.upper(), turn.feedback, strict=True)
    )


def empty_tiles(count: int) -> tuple[Tile, ...]:
    """Lay out the places of a guess that are not filled yet."""
    return (Tile("", "empty", "empty"),) * count
