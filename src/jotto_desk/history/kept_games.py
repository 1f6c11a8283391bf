"""The games NAO's notebook keeps: one JSON object a line, read back with what each was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from jotto import game as games
from jotto import game as riddles
from jotto.game import Game, Riddle
from jotto.rules import JOTTO, JottoError

from .board import GuessBoard, board_of_game, board_of_riddle, counts

#: NAO's role: it guesses the person's word, thinks of one for the person, or both race.
BREAKER, MAKER, RACE = "breaker", "maker", "race"
ROLES = (MAKER, BREAKER, RACE)
#: Games kept before there were levels are of this one.
USUAL_LEVEL = "normal"
LEVELS = ("easy", USUAL_LEVEL, "hard")
LONGEST_LEVEL = 20


class KeptGame(NamedTuple):
    """A finished game: NAO's game at the person's word, the person's riddle, or in a race both."""

    level: str
    game: Game | None
    riddle: Riddle | None

    @property
    def role(self) -> str:
        """Name NAO's role."""
        if self.game is None:
            return MAKER
        return BREAKER if self.riddle is None else RACE

    @property
    def counted(self) -> Game:
        """Return the game whose guesses count: the person's own, where there is one."""
        played: Game | None = self.game if self.riddle is None else self.riddle.game
        if played is None:
            raise ValueError("neither NAO nor the person has guessed")
        return played

    @property
    def is_found(self) -> bool:
        """Tell whether the word was found: NAO's by the person, where the person guesses, else the person's by NAO."""
        return bool(self.counted.outcome == games.SOLVED)

    @property
    def word(self) -> str:
        """Return the word of the game that counts; empty where NAO did not find it."""
        if self.riddle is not None:
            return str(self.riddle.secret)
        return str(self.counted.guess) if self.is_found else ""

    @property
    def hints(self) -> int:
        """Count the hints the person took."""
        return 0 if self.riddle is None else int(self.riddle.hints)

    @property
    def boards(self) -> list[GuessBoard]:
        """Lay out the game, in a race the person's side first."""
        yours = [] if self.riddle is None else [board_of_riddle(self.riddle)]
        return yours + ([] if self.game is None else [board_of_game(self.game)])


class KeptGames(NamedTuple):
    """All games of a notebook, the oldest first, and how many of its lines say nothing."""

    games: list[KeptGame]
    damaged: int


def read(text: str) -> KeptGames:
    """Read the lines of a notebook; what is damaged, or written by a newer version, is counted and left out.

    >>> read("nonsense")
    KeptGames(games=[], damaged=1)
    """
    found: list[KeptGame] = []
    damaged = 0
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            one = _read_line(line)
        except (JottoError, ValueError, RecursionError):
            damaged += 1
            continue
        if found and _is_race(found[-1], one):
            one = one._replace(game=found.pop().game)
        found.append(one)
    return KeptGames(found, damaged)


def _read_line(line: str) -> KeptGame:
    plain = json.loads(line)
    if not isinstance(plain, dict):
        raise ValueError(f"'{line[:40]}' is no game")
    is_riddle = "secret" in plain
    inner = plain.get("game") if is_riddle else plain
    level = _level(plain) or _level(inner) or USUAL_LEVEL
    game, riddle = (None, riddles.read_riddle(plain)) if is_riddle else (games.read_game(plain), None)
    one = KeptGame(level, game, riddle)
    if one.counted.rules != JOTTO or one.counted.outcome is None:
        raise ValueError(f"'{line[:40]}' is no finished game of Jotto")
    return one


def _level(plain: Any) -> str:
    level = plain.get("level") if isinstance(plain, dict) else None
    return level[:LONGEST_LEVEL] if isinstance(level, str) else ""


def _is_race(before: KeptGame, one: KeptGame) -> bool:
    """Tell whether two games kept one after the other are the two halves of a race.

    NAO's half is kept first; both have one level, seed and list, the person guesses first, and at most one finds the
    word.
    """
    mine, yours = before.game, one.riddle
    if mine is None or yours is None or before.riddle is not None or before.level != one.level:
        return False
    alike = (mine.seed, mine.list_checksum) == (yours.game.seed, yours.game.list_checksum)
    ahead = yours.game.attempts - len(mine.turns)
    return bool(alike and 0 <= ahead <= 1 and not (before.is_found and one.is_found))


def share(one: KeptGame) -> str:
    """Write a game as squares, as people share them: a sentence, and a line a guess that gives no word away."""
    return "\n".join([f"Jotto with NAO: {headline(one)}", *_lines([squares(board) for board in one.boards])])


def _lines(columns: Sequence[Sequence[str]]) -> list[str]:
    """Put the squares of a race side by side, the person's first."""
    blank = WIDE_BLANK * JOTTO.length
    most = max(map(len, columns))
    padded = [[*column, *[blank] * (most - len(column))] for column in columns]
    return ["  ".join(row).rstrip(f" {WIDE_BLANK}") for row in zip(*padded, strict=True)]


WIDE_BLANK = "\u3000"
#: In place, elsewhere, not in the word: blue and orange, which the colour-blind tell apart.
SQUARES = ("\U0001f7e6", "\U0001f7e7", "\u2b1c")


def squares(board: GuessBoard) -> list[str]:
    """Draw each answered guess as squares, those in place first, since the score does not say which letter is which."""
    return [
        "".join(sign * count for sign, count in zip(SQUARES, counts(feedback, len(guess)), strict=True))
        for guess, feedback in board.rows
        if feedback is not None
    ]


def headline(one: KeptGame) -> str:
    """Say in one sentence, as the person would, how a game went."""
    number = one.counted.attempts
    guesses = f"{number} guess" + "es" * (number != 1)
    level = "" if one.level == USUAL_LEVEL else f" ({one.level})"
    hints = f", with {one.hints} hint" + "s" * (one.hints > 1) if one.hints else ""
    if one.role == BREAKER:
        return f"NAO found my word in {guesses}{level}." if one.is_found else f"NAO did not find my word{level}."
    if one.is_found:
        found = "won the race" if one.role == RACE else "found NAO's word"
        return f"I {found} in {guesses}{hints}{level}."
    if one.game is not None:
        won = (
            f"NAO won the race in {one.game.attempts} guesses"
            if one.game.outcome == games.SOLVED
            else "Nobody won our race"
        )
        return f"{won}{level}."
    return f"I did not find NAO's word{f' in {guesses}' if number else ''}{hints}{level}."
