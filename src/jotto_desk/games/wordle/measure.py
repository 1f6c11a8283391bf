"""Games solved by the helper and by the original's algorithm, measured in one run."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from jotto import compat
from jotto.game import Turn
from jotto.rules import WORDLE

from . import classic
from .helper import Helper
from .vocabulary import Vocabulary

ROUNDS = 6
#: Games end here, solved or not.
MOST_ROUNDS = 30


@dataclass(frozen=True)
class HelperFigures:
    """Games solved in 6 rounds, games whose answer was filtered out, and guesses -> games."""

    name: str
    games: int
    in_six: int
    lost: int
    distribution: dict[int, int]

    @property
    def mean(self) -> float:
        """Guesses a solved game took on average, the winning one counted."""
        solved = sum(self.distribution.values())
        return sum(turns * count for turns, count in self.distribution.items()) / solved if solved else 0.0

    def plain(self) -> dict[str, Any]:
        """Return the figures as a dict that JSON can hold."""
        return {
            "name": self.name,
            "games": self.games,
            "in_six": self.in_six,
            "share_in_six": self.in_six / self.games if self.games else None,
            "lost": self.lost,
            "mean": round(self.mean, 4),
            "distribution": self.distribution,
        }


def secrets_of(words: Sequence[str], games: int, seed: int) -> list[str]:
    """Draw the secrets of so many games, all words alike; some come again where there are fewer. 0 is every word."""
    if not games:
        return list(words)
    found: list[str] = []
    while len(found) < games:
        found += compat.draw_items(words, games - len(found), seed, "secrets", len(found))
    return found


class HelperGame(NamedTuple):
    """A game played: in how many rounds it was solved (0: it was not), and whether the answer was filtered out."""

    rounds: int
    is_lost: bool = False


def played(
    guess: Callable[[tuple[Turn, ...]], str], keeps: Callable[[tuple[Turn, ...], str], bool], secret: str
) -> HelperGame:
    """Play a game: `guess` names the next word (empty: it gives up), `keeps` says whether the secret is still in."""
    turns: tuple[Turn, ...] = ()
    while len(turns) < MOST_ROUNDS:
        if not keeps(turns, secret):
            return HelperGame(0, True)
        word = guess(turns)
        if word == secret:
            return HelperGame(len(turns) + 1)
        if not word:
            break
        turns = (*turns, Turn(word, WORDLE.score(word, secret)))
    return HelperGame(0)


def summed(name: str, games: Collection[HelperGame]) -> HelperFigures:
    """Sum up the games of one helper."""
    found = Counter(game.rounds for game in games if game.rounds)
    solved = sum(count for taken, count in found.items() if taken <= ROUNDS)
    return HelperFigures(name, len(games), solved, sum(game.is_lost for game in games), dict(sorted(found.items())))


def ours(helper: Helper, secrets: Iterable[str]) -> Iterator[HelperGame]:
    """Play with the exact filter and what tells most."""
    return map(
        partial(
            played, helper.guess, lambda turns, secret: bool(helper.index.candidates(turns) & helper.index.bit(secret))
        ),
        secrets,
    )


def original(vocabulary: Vocabulary, secrets: Iterable[str]) -> Iterator[HelperGame]:
    """Play as the original does: its start word, then the most frequent word its own filter keeps, none asked twice."""
    words = vocabulary.spoken
    _, starts = classic.start_words(words)
    known: dict[tuple[Turn, ...], str] = {}

    def guess(turns: tuple[Turn, ...]) -> str:
        if turns not in known:
            asked, state = {turn.guess for turn in turns}, classic.state(turns)
            kept = (word for word in words if word not in asked and state.allows(word))
            known[turns] = starts[0] if starts and not turns else next(kept, "")
        return known[turns]

    return map(partial(played, guess, lambda turns, secret: classic.state(turns).allows(secret)), secrets)
