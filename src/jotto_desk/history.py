"""The games that NAO's notebook keeps: their boards, statistics of them, and results as squares to share."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from jotto import explain
from jotto.feedback import Feedback
from jotto.game import SOLVED, Game, Hint, Riddle, parse_game, parse_riddle
from jotto.rules import JOTTO, JottoError
from jotto.words import capitalise_word

# Texts in the language of a game, found by their English ones.

#: Returns the text for an English one, with words put in; see `fill_english`.
Translated = Callable[..., str]


def fill_english(text: str, **words: object) -> str:
    """Return an English text with words put in.

    >>> fill_english("{count} words", count=2), fill_english("none")
    ('2 words', 'none')
    """
    return text.format(**words)


# The board: the guesses of one player, their scores, and the letters that are certain.


def count_letters(feedback: Sequence[int], length: int) -> tuple[int, int, int]:
    """Count the letters in the right place, in the wrong place, and not in the word."""
    return feedback[0], feedback[1], length - sum(feedback)


def describe_score(feedback: Sequence[int] | None, length: int, texts: Translated = fill_english) -> str:
    """Return a score in words of the texts' language; None means that it is still awaited.

    >>> describe_score((1, 2), 5), describe_score((0, 0), 5), describe_score(None, 5)
    ('1 in the right place, 2 in the wrong place', 'none', 'waiting')
    """
    if feedback is None:
        return texts("waiting")
    exact, misplaced, _ = count_letters(feedback, length)
    if exact == length:
        return texts("the word!")
    parts = [
        texts(f"1 {where}" if count == 1 else f"{{count}} {where}", count=count)
        for count, where in ((exact, "in the right place"), (misplaced, "in the wrong place"))
        if count
    ]
    return ", ".join(parts) or texts("none")


def describe_left(count: int, texts: Translated = fill_english) -> str:
    """Return a sentence with the number of words that still fit, in the language of the texts."""
    if not count:
        return texts("No word NAO knows fits all answers: perhaps one of them is wrong.")
    return texts("1 word NAO knows still fits." if count == 1 else "{count} words NAO knows still fit.", count=count)


class Letters(NamedTuple):
    """Letters that must be in the word, that cannot be, and all others; the known places, `_` for an unknown one."""

    inside: str
    outside: str
    open: str
    places: str

    def find_new(self, earlier: Letters) -> Letters:
        """Return what has become certain since an earlier board; open letters are left out.

        >>> Letters("ab", "c", "d", "a____").find_new(Letters("a", "", "bcd", "a____"))
        Letters(inside='b', outside='c', open='', places='')
        """
        inside = "".join(letter for letter in self.inside if letter not in earlier.inside)
        outside = "".join(letter for letter in self.outside if letter not in earlier.outside)
        return Letters(inside, outside, "", "" if self.places == earlier.places else self.places)


class GuessBoard(NamedTuple):
    """The guesses at one word; `is_yours` if the person guesses.

    `told` are the hints given, `word` is the word once it can be seen (else empty), `left` counts the words that still
    fit (None: not counted). `accents` has the words that are written differently from how they are played.
    """

    game: Game
    is_yours: bool
    told: tuple[Hint, ...] = ()
    word: str = ""
    left: int | None = None
    accents: Mapping[str, str] = MappingProxyType({})

    def capitalise(self, word: str) -> str:
        """Return a word as people write it, in capitals."""
        return capitalise_word(self.accents.get(word, word))

    @property
    def title(self) -> str:
        """The title: whose guesses these are."""
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
        """Return whether the last guess was the word."""
        return bool(self.game.outcome == SOLVED)

    @property
    def letters(self) -> Letters | None:
        """Return the letters that are certain; None if the word is found, or the answers contradict each other."""
        if self.is_solved or self.left == 0:
            return None
        known, rules = explain.deduce_letters(self.game, self.told), self.game.rules
        places = dict(known.places)
        spelled = "".join(places.get(place, "_") for place in range(rules.length)) if places else ""
        inside, outside = "".join(known.inside), "".join(known.outside)
        undecided = "".join(letter for letter in rules.alphabet if letter not in inside + outside)
        return Letters(inside, outside, undecided, spelled)

    def steps(self) -> Iterator[GuessBoard]:
        """Return the board as it was before the first guess and after each; the last one is as it is."""
        for count in range(max(1, len(self.rows))):
            game = self.game._replace(turns=self.game.turns[:count], guess=None, outcome=None)
            yield GuessBoard(game, self.is_yours)
        yield self


def make_game_board(game: Game, left: int | None = None) -> GuessBoard:
    """Return the board of a game in which NAO guesses.

    >>> from jotto.game import start_game
    >>> game = start_game(JOTTO, "en", "", 1)
    >>> game = game.ask("fjord").answer((0, 0)).ask("table").answer((1, 0))
    >>> make_game_board(game).rows[-1][0], make_game_board(game).letters.outside, make_game_board(game, left=0).letters
    ('table', 'dfjor', None)
    """
    return GuessBoard(game, False, left=left, word=game.guess or "" if game.outcome == SOLVED else "")


def make_riddle_board(riddle: Riddle, left: int | None = None) -> GuessBoard:
    """Return the board of a game in which the person guesses; NAO's word is on the board only when the game is over."""
    over = riddle.game.outcome is not None
    return GuessBoard(
        riddle.game, True, tuple(riddle.list_hints()), riddle.secret if over else "", None if over else left
    )


# The games in NAO's notebook: one JSON object a line.

#: NAO's role: it guesses the person's word, thinks of one for the person, or both race.
BREAKER, MAKER, RACE = "breaker", "maker", "race"
_ROLES = (MAKER, BREAKER, RACE)
#: Games kept before there were levels are of this one.
USUAL_LEVEL = "normal"
LEVELS = ("easy", USUAL_LEVEL, "hard")
_MAX_LEVEL_LENGTH = 20


class KeptGame(NamedTuple):
    """A finished game: NAO's game at the person's word, the person's riddle, or in a race both."""

    level: str
    game: Game | None
    riddle: Riddle | None

    @property
    def role(self) -> str:
        """NAO's role."""
        if self.game is None:
            return MAKER
        return BREAKER if self.riddle is None else RACE

    @property
    def counted(self) -> Game:
        """Return the game whose guesses count: the person's own if there is one."""
        played: Game | None = self.game if self.riddle is None else self.riddle.game
        if played is None:
            raise ValueError("neither NAO nor the person has guessed")
        return played

    @property
    def is_found(self) -> bool:
        """Return whether the word was found: NAO's by the person if the person guesses, else the person's by NAO."""
        return bool(self.counted.outcome == SOLVED)

    @property
    def word(self) -> str:
        """Return the word of the game that counts; empty if NAO did not find it."""
        if self.riddle is not None:
            return str(self.riddle.secret)
        return str(self.counted.guess) if self.is_found else ""

    @property
    def hints(self) -> int:
        """Count the hints the person took."""
        return 0 if self.riddle is None else int(self.riddle.hints)

    @property
    def boards(self) -> list[GuessBoard]:
        """The boards of the game; in a race the person's comes first."""
        yours = [] if self.riddle is None else [make_riddle_board(self.riddle)]
        return yours + ([] if self.game is None else [make_game_board(self.game)])


class KeptGames(NamedTuple):
    """All games of a notebook, the oldest first, and the number of its unreadable lines."""

    games: list[KeptGame]
    damaged: int


def parse_kept_games(text: str) -> KeptGames:
    """Read the lines of a notebook; damaged lines, and those of a newer version, are counted and left out.

    >>> parse_kept_games("nonsense")
    KeptGames(games=[], damaged=1)
    """
    found: list[KeptGame] = []
    damaged = 0
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            one = _parse_line(line)
        except (JottoError, ValueError, RecursionError):
            damaged += 1
            continue
        if found and _is_race(found[-1], one):
            one = one._replace(game=found.pop().game)
        found.append(one)
    return KeptGames(found, damaged)


def _parse_line(line: str) -> KeptGame:
    plain = json.loads(line)
    if not isinstance(plain, dict):
        raise ValueError(f"'{line[:40]}' is not a game")
    is_riddle = "secret" in plain
    inner = plain.get("game") if is_riddle else plain
    level = _level(plain) or _level(inner) or USUAL_LEVEL
    game, riddle = (None, parse_riddle(plain)) if is_riddle else (parse_game(plain), None)
    one = KeptGame(level, game, riddle)
    if one.counted.rules != JOTTO or one.counted.outcome is None:
        raise ValueError(f"'{line[:40]}' is not a finished game of Jotto")
    return one


def _level(plain: Any) -> str:
    level = plain.get("level") if isinstance(plain, dict) else None
    return level[:_MAX_LEVEL_LENGTH] if isinstance(level, str) else ""


def _is_race(before: KeptGame, one: KeptGame) -> bool:
    """Return whether two games kept one after the other are the two halves of a race.

    NAO's half is saved first; both have one level, seed and list, the person guesses first, and at most one finds the
    word.
    """
    mine, yours = before.game, one.riddle
    if mine is None or yours is None or before.riddle is not None or before.level != one.level:
        return False
    alike = (mine.seed, mine.list_checksum) == (yours.game.seed, yours.game.list_checksum)
    ahead = yours.game.attempts - len(mine.turns)
    return bool(alike and 0 <= ahead <= 1 and not (before.is_found and one.is_found))


def share_game(one: KeptGame) -> str:
    """Write a game as squares, as people share them: a sentence, and a line a guess that gives no word away."""
    # The squares of a race are side by side, the person's first.
    rows = itertools.zip_longest(*map(_draw_squares, one.boards), fillvalue=_WIDE_BLANK * JOTTO.length)
    lines = ["  ".join(row).rstrip(f" {_WIDE_BLANK}") for row in rows]
    return "\n".join([f"Jotto with NAO: {describe_game(one)}", *lines])


_WIDE_BLANK = "\u3000"
#: In place, elsewhere, not in the word: blue and orange, which the colour-blind tell apart.
_SQUARES = ("\U0001f7e6", "\U0001f7e7", "\u2b1c")


def _draw_squares(board: GuessBoard) -> list[str]:
    """Draw each answered guess as squares, those in place first, since the score does not say which letter is which."""
    return [
        "".join(sign * count for sign, count in zip(_SQUARES, count_letters(feedback, len(guess)), strict=True))
        for guess, feedback in board.rows
        if feedback is not None
    ]


def describe_game(one: KeptGame) -> str:
    """Return a sentence, in the person's words, how a game went."""
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
        is_won = one.game.outcome == SOLVED
        return f"{f'NAO won the race in {one.game.attempts} guesses' if is_won else 'Nobody won our race'}{level}."
    return f"I did not find NAO's word{f' in {guesses}' if number else ''}{hints}{level}."


# Statistics of the saved games by NAO's role and level.

#: The description of each role of NAO for the person.
ROLE_NAMES = {MAKER: "You guess NAO's word", BREAKER: "NAO guesses your word", RACE: "Races with NAO"}


class GroupStatistics(NamedTuple):
    """Games of one role and level: the guesses of those with the word found, and how many of these came in a row."""

    role: str
    level: str
    games: int
    guesses: tuple[int, ...]
    hints: int
    streak: int
    longest_streak: int

    @property
    def found(self) -> int:
        """Count the games in which the word was found."""
        return len(self.guesses)

    @property
    def mean(self) -> float | None:
        """Return the average number of guesses, the winning one counted; None if no word was found."""
        return sum(self.guesses) / len(self.guesses) if self.guesses else None

    @property
    def best(self) -> int | None:
        """Return the fewest guesses a word was found in."""
        return min(self.guesses, default=None)

    @property
    def distribution(self) -> dict[int, int]:
        """Count the games by their guesses."""
        return dict(sorted(Counter(self.guesses).items()))

    def plain(self) -> dict[str, Any]:
        """Return the statistics as a dict that JSON can hold."""
        mean, best = None if self.mean is None else round(self.mean, 4), self.best
        counted = {"role": self.role, "level": self.level, "games": self.games, "found": self.found}
        streaks = {"streak": self.streak, "longest_streak": self.longest_streak, "hints": self.hints}
        counts = {str(number): count for number, count in self.distribution.items()}
        return {**counted, "mean": mean, "best": best, **streaks, "distribution": counts}


def group_by_role_and_level(kept: Sequence[KeptGame]) -> list[GroupStatistics]:
    """Sum games up, the person's own guessing first; `kept` is in the order of play."""
    groups: dict[tuple[str, str], list[KeptGame]] = {}
    for one in kept:
        groups.setdefault((one.role, one.level), []).append(one)
    return [_sum_up(*key, groups[key]) for key in sorted(groups, key=_find_order)]


def describe_group(group: GroupStatistics) -> list[str]:
    """Return how the games of a role and level went; streaks count games in a row, not days."""
    games = "1 game" if group.games == 1 else f"{group.games} games"
    found = {BREAKER: "found by NAO", RACE: "won by you"}.get(group.role, "found by you")
    said = [f"{games}, {group.found} {found} ({group.found / group.games:.0%})"]
    if group.mean is not None:
        said.append(f"{group.mean:.2f} guesses on average, {group.best} at best")
    said.append(f"in a row: {group.streak} now, {group.longest_streak} at most")
    if group.hints:
        said.append("1 hint taken" if group.hints == 1 else f"{group.hints} hints taken")
    return said


def _find_order(key: tuple[str, str]) -> tuple[int, int, str]:
    role, level = key
    return _ROLES.index(role), LEVELS.index(level) if level in LEVELS else len(LEVELS), level


def _sum_up(role: str, level: str, kept: Sequence[KeptGame]) -> GroupStatistics:
    streak = longest = 0
    for one in kept:
        streak = streak + 1 if one.is_found else 0
        longest = max(longest, streak)
    guesses = tuple(one.counted.attempts for one in kept if one.is_found)
    return GroupStatistics(role, level, len(kept), guesses, sum(one.hints for one in kept), streak, longest)
