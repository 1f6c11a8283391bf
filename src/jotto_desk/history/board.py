"""The board of a game: the guesses of one player, their scores, and what follows from them for the letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jotto import explain
from jotto import game as games
from jotto.feedback import Feedback
from jotto.game import Game, Hint, Riddle

from ..texts import Translated, in_english


def counts(feedback: Sequence[int], length: int) -> tuple[int, int, int]:
    """Count the letters in place, elsewhere, and not in the word."""
    return feedback[0], feedback[1], length - sum(feedback)


def in_words(feedback: Sequence[int] | None, length: int, texts: Translated = in_english) -> str:
    """Say a score in the language of the texts; None is one that is still awaited.

    >>> in_words((1, 2), 5), in_words((0, 0), 5), in_words(None, 5)
    ('1 in place, 2 elsewhere', 'none', 'to be answered')
    """
    if feedback is None:
        return texts("to be answered")
    exact, misplaced, _ = counts(feedback, length)
    if exact == length:
        return texts("the word!")
    parts = [
        texts(f"1 {where}" if count == 1 else f"{{count}} {where}", count=count)
        for count, where in ((exact, "in place"), (misplaced, "elsewhere"))
        if count
    ]
    return ", ".join(parts) or texts("none")


def left_in_words(count: int, texts: Translated = in_english) -> str:
    """Say in the language of the texts how many words still fit."""
    if not count:
        return texts("No word NAO knows fits all answers: one of them may be wrong.")
    return texts("1 word NAO knows still fits." if count == 1 else "{count} words NAO knows still fit.", count=count)


class Letters(NamedTuple):
    """Letters that must be in the word, that cannot be, and all others; what is known by place, `_` for nothing."""

    inside: str
    outside: str
    open: str
    places: str

    def since(self, earlier: Letters) -> Letters:
        """Return what has become certain since an earlier board; open letters are left out.

        >>> Letters("ab", "c", "d", "a____").since(Letters("a", "", "bcd", "a____"))
        Letters(inside='b', outside='c', open='', places='')
        """
        inside, outside = (
            "".join(letter for letter in now if letter not in before)
            for now, before in ((self.inside, earlier.inside), (self.outside, earlier.outside))
        )
        return Letters(inside, outside, "", "" if self.places == earlier.places else self.places)


class GuessBoard(NamedTuple):
    """The guesses at one word; `is_yours` where the person guesses.

    `told` are the hints given, `word` is the word once it may be seen (else empty), `left` counts the words that still
    fit (None: not counted).
    """

    game: Game
    is_yours: bool
    told: tuple[Hint, ...] = ()
    word: str = ""
    left: int | None = None

    @property
    def title(self) -> str:
        """Say whose guesses these are."""
        return "Your guesses" if self.is_yours else "NAO's guesses"

    @property
    def rows(self) -> list[tuple[str, Feedback | None]]:
        """List the guesses with their scores; the open guess has none yet."""
        rows: list[tuple[str, Feedback | None]] = [(turn.guess, turn.feedback) for turn in self.game.turns]
        if self.game.guess is not None:
            rows.append((self.game.guess, self.game.rules.win if self.is_solved else None))
        return rows

    @property
    def is_solved(self) -> bool:
        """Tell whether the last guess was the word."""
        return bool(self.game.outcome == games.SOLVED)

    @property
    def letters(self) -> Letters | None:
        """Say what is certain of the letters; None where the word is found, or the answers contradict each other."""
        if self.is_solved or self.left == 0:
            return None
        known = explain.deduce_letters(self.game, self.told)
        places = dict(known.places)
        decided = {*known.inside, *known.outside}
        return Letters(
            "".join(known.inside),
            "".join(known.outside),
            "".join(letter for letter in self.game.rules.alphabet if letter not in decided),
            "".join(places.get(place, "_") for place in range(self.game.rules.length)) if places else "",
        )

    def steps(self) -> Iterator[GuessBoard]:
        """Return the board as it was before the first guess and after each; the last one is as it is."""
        for count in range(max(1, len(self.rows))):
            yield self._replace(
                game=self.game._replace(turns=self.game.turns[:count], guess=None, outcome=None),
                told=(),
                word="",
                left=None,
            )
        yield self


def board_of_game(game: Game, left: int | None = None) -> GuessBoard:
    """Lay out the game in which NAO guesses.

    >>> game = games.start_game(games.rulebook.JOTTO, "en", "", 1)
    >>> game = game.ask("fjord").answer((0, 0)).ask("table").answer((1, 0))
    >>> board_of_game(game).rows[-1][0], board_of_game(game).letters.outside, board_of_game(game, left=0).letters
    ('table', 'dfjor', None)
    """
    return GuessBoard(game, False, left=left, word=game.guess or "" if game.outcome == games.SOLVED else "")


def board_of_riddle(riddle: Riddle, left: int | None = None) -> GuessBoard:
    """Lay out the game in which the person guesses; NAO's word is on the board only when the game is over."""
    over = riddle.game.outcome is not None
    return GuessBoard(riddle.game, True, tuple(riddle.told()), riddle.secret if over else "", None if over else left)
