"""A level played many times against the fake server: how often it is won, in how many guesses, how fast."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ... import peak_memory
from .campaign import Campaign, Score, Setback
from .client import Challenge
from .fake_server.arena import ChallengeRules
from .fake_server.server import served
from .fake_server.site import ServerBehaviour
from .levels import Level
from .strategy.strategist import Strategist

#: The number the level has on the server: the only one there.
NUMBER = 1


@dataclass
class Tally:
    """What came of the games so far; `rounds` has guesses of a won round -> rounds."""

    level: Level
    games: int = 0
    won: int = 0
    rounds: Counter[int] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    guesses: int = 0
    slowest: float = 0.0

    @property
    def mean(self) -> float | None:
        """The guesses a won round takes on average, the winning one counted."""
        count = sum(self.rounds.values())
        return sum(length * rounds for length, rounds in self.rounds.items()) / count if count else None

    def plain(self) -> dict[str, Any]:
        """Return the tally as a dict that JSON can hold."""
        rounds = {str(length): self.rounds[length] for length in sorted(self.rounds)}
        return {
            "level": self.level.plain(),
            "games": self.games,
            "won": self.won,
            "mean": self.mean,
            "max": max(self.rounds, default=None),
            "rounds": rounds,
            "lost": dict(self.lost),
            "guesses": self.guesses,
            "slowest": round(self.slowest, 3),
            "peak_mb": round(peak_memory.megabytes(), 1),
        }


def rehearse(level: Level, games: int, seed: int, strategist: Callable[[Level], Strategist]) -> Iterator[Tally]:
    """Play the level so many times, one attempt each; returns the tally after every game (the same one, growing)."""
    tally = Tally(level)
    player = strategist(level)
    with served(ServerBehaviour(ChallengeRules({NUMBER: level})), seed=seed) as url:
        for game in range(1, games + 1):
            with Challenge(url, f"player{game}@localhost") as challenge:
                challenge.sign_in()
                challenge.level(NUMBER)
                _play(Campaign(challenge, lambda _: player), tally)
            yield tally


def _play(campaign: Campaign, tally: Tally) -> None:
    score = Score(NUMBER, tally.level)
    try:
        campaign.attempt(score, tally.level)
        tally.won += 1
    except Setback as error:
        tally.lost[str(error)] += 1
    tally.games += 1
    tally.rounds.update(campaign.lengths)
    tally.guesses += score.guesses
    tally.slowest = max(tally.slowest, score.slowest)
