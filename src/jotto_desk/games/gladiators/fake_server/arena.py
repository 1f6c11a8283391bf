"""The challenge as it is played, without a network: one challenger's progress through the levels, and what is answered.

What is not known about the challenge's own server is a setting.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jotto.compat import is_integer
from jotto.rules import JottoError

from .. import levels, protocol
from ..levels import LEVELS, Code, Level

COMPLETED = "Level already completed."
NOT_STARTED = "Get the level before you guess."
MALFORMED = "A guess is a list of different weapons, one per gladiator, numbered from 0."
UNKNOWN = "There is no such level."
NOT_YET = "The challenge is not finished."
RESET = "Progress reset to level 1."
#: Seconds per guess with the challenge.
DEADLINE = 10.0


@dataclass(frozen=True)
class ChallengeRules:
    """How the challenge behaves where it is not known: `deadline` in seconds, 0 for none.

    `error_replaces` tells whether "Too many guesses" comes in place of the last answer, or only to a guess beyond.
    """

    levels: Mapping[int, Level] = field(default_factory=lambda: dict(LEVELS))
    deadline: float = DEADLINE
    error_replaces: bool = True


class Challenger:
    """One person's progress. Time is passed in, in seconds; so is chance."""

    def __init__(self, mail: str, customs: ChallengeRules, dice: random.Random, secret: str = "") -> None:
        self.mail, self.customs, self._dice, self._secret = mail, customs, dice, secret
        self.reset()

    def reset(self) -> dict[str, Any]:
        """Go back to the first level."""
        self.reached = min(self.customs.levels)
        self._leave()
        return {"message": RESET}

    def _leave(self) -> None:
        """End the level being played: its rounds start over when it is asked for again."""
        self._round: Code | None = None
        self._rounds_left = self._guesses = 0
        self._since = 0.0

    @property
    def is_done(self) -> bool:
        """Tell whether all levels are won."""
        return self.reached > max(self.customs.levels)

    def show(self, number: int, now: float) -> dict[str, Any]:
        """Answer `GET /level/N/`: begin the level, or (between and within rounds) tell its numbers again."""
        refused = self._refused(number)
        if refused:
            return refused
        level = self.customs.levels[number]
        if self._round is None:
            self._rounds_left = level.rounds
            self._new_round()
        self._since = now
        return level.plain()

    def guess(self, number: int, asked: Any, now: float) -> dict[str, Any]:
        """Answer `POST /level/N/`."""
        refused = self._refused(number)
        if refused:
            return refused
        if self._round is None:
            return {"error": NOT_STARTED}
        if 0 < self.customs.deadline < now - self._since:
            self._leave()
            return {"error": protocol.TOO_LATE}
        self._since = now
        level = self.customs.levels[number]
        guess = _read(asked, level)
        return {"error": MALFORMED} if guess is None else self._judge(level, guess)

    def mark(self) -> dict[str, Any]:
        """Answer `GET /hash/`."""
        return {"hash": protocol.mark_of(self.mail, self._secret)} if self.is_done else {"message": NOT_YET}

    def _refused(self, number: int) -> dict[str, Any]:
        if number not in self.customs.levels:
            return {"error": UNKNOWN}
        if number < self.reached:
            return {"error": COMPLETED}
        return {"error": protocol.LOCKED} if number > self.reached else {}

    def _new_round(self) -> None:
        level = self.customs.levels[self.reached]
        self._round = tuple(self._dice.sample(range(level.weapons), level.gladiators))
        self._guesses = 0

    def _judge(self, level: Level, guess: Code) -> dict[str, Any]:
        if not self.customs.error_replaces and self._guesses >= level.guesses:
            self._leave()
            return {"error": protocol.TOO_MANY}
        self._guesses += 1
        if guess == self._round:
            return self._won(level)
        if self.customs.error_replaces and self._guesses >= level.guesses:
            self._leave()
            return {"error": protocol.TOO_MANY}
        assert self._round is not None
        rules = level.rules
        return protocol.answer(rules.score(levels.word(guess, rules), levels.word(self._round, rules)))

    def _won(self, level: Level) -> dict[str, Any]:
        self._rounds_left -= 1
        if self._rounds_left:
            self._new_round()
            return {**level.plain(), "roundsLeft": self._rounds_left}
        numbers = sorted(self.customs.levels)
        self.reached = next((number for number in numbers if number > self.reached), numbers[-1] + 1)
        self._leave()
        if self.is_done:
            return {**self.mark(), "message": protocol.CONGRATULATIONS}
        return {"message": protocol.NEXT_LEVEL}


def _read(asked: Any, level: Level) -> Code | None:
    guess = asked.get("guess") if isinstance(asked, dict) else None
    if not isinstance(guess, list) or len(guess) != level.gladiators or not all(map(is_integer, guess)):
        return None
    code = tuple(int(weapon) for weapon in guess)
    if not all(0 <= weapon < level.weapons for weapon in code):
        return None
    try:
        level.rules.check(levels.word(code, level.rules))
    except JottoError:
        return None
    return code
