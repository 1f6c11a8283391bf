"""The whole challenge: level after level, from where the server says we stand, to the hash."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ...errors import DeskError
from . import protocol
from .client import Challenge, Lost
from .levels import Code, Level
from .strategy.code_tables import Turn
from .strategy.strategist import NothingFits, Strategist

#: No challenge has so many levels; attempts at one level, if nothing else is said.
MOST_LEVELS, ATTEMPTS = 50, 30
#: How often a level may turn out to be locked after the one before it seemed completed.
MOST_BOUNCES = 3


class Event(NamedTuple):
    """What happens: a `kind`, the level's number, and what to say about it."""

    kind: str
    number: int
    text: str
    level: Level | None = None
    rounds_left: int | None = None


#: Kinds of events.
BEGUN, GUESSED, ROUND_WON, WON, AGAIN, PASSED = "begun", "guessed", "round won", "won", "again", "passed"


@dataclass
class Score:
    """How a level went: attempts begun, and over all of them rounds won, guesses, and the slowest guess in seconds."""

    number: int
    level: Level
    attempts: int = 0
    rounds_won: int = 0
    guesses: int = 0
    slowest: float = 0.0
    won: bool = False

    def plain(self) -> dict[str, Any]:
        """Return the score as a dict that JSON can hold."""
        return {**asdict(self), "slowest": round(self.slowest, 3)}


class Setback(Exception):
    """The level has to be started again; the sentence says why."""


class Campaign:
    """A whole challenge; `strategist` makes the player of a level, `tell` gets events, `lengths` won rounds."""

    def __init__(
        self,
        challenge: Challenge,
        strategist: Callable[[Level], Strategist],
        tell: Callable[[Event], object] = lambda event: None,
        attempts: int = ATTEMPTS,
    ) -> None:
        self.challenge, self.attempts, self._make, self._tell = challenge, attempts, strategist, tell
        self.scores: dict[int, Score] = {}
        self.lengths: list[int] = []
        self._strategists: dict[Level, Strategist] = {}

    def play(self) -> str:
        """Play until the hash is had, and give it; raises `DeskError` where that cannot be."""
        mark = self.challenge.mark()
        number, bounces = 1, 0
        while not mark and number <= MOST_LEVELS:
            reply = self.challenge.level(number)
            if isinstance(reply, protocol.Given):
                mark, number = self.level(number, reply), number + 1
            elif isinstance(reply, protocol.Finished):
                mark = reply.mark
            elif isinstance(reply, protocol.ChallengeError) and reply.is_locked:
                # The level before was passed over for an error that was none of "completed".
                bounces += 1
                number -= 1
                if number < 1 or bounces > MOST_BOUNCES:
                    raise DeskError(f"The server locks level {number + 1} and gives none below it ('{reply.text}').")
            else:
                won = self.scores.get(number - 1)
                mark = self.challenge.mark() if won and won.won else ""
                self._tell(Event(PASSED, number, reply.text if isinstance(reply, protocol.ChallengeError) else ""))
                number += 1
        return mark or self._last_word()

    def _last_word(self) -> str:
        mark = self.challenge.mark()
        if not mark:
            raise DeskError(
                f"The server has no level to play among the first {MOST_LEVELS}, and no hash; start over with --reset."
            )
        return mark

    def level(self, number: int, reply: protocol.Reply) -> str:
        """Play a level until it is won, as often as it takes; returns the hash where it is the last one."""
        why = ""
        for attempt in range(1, self.attempts + 1):
            if attempt > 1:
                reply = self.challenge.level(number)
            if isinstance(reply, protocol.Given):
                score = self.scores.setdefault(number, Score(number, reply.level))
                score.attempts += 1
                self._tell(Event(BEGUN, number, f"attempt {attempt}", reply.level, reply.level.rounds))
                try:
                    mark = self.attempt(score, reply.level)
                except Setback as error:
                    why = str(error)
                    self._tell(Event(AGAIN, number, why, reply.level))
                    continue
                score.won = True
                self._tell(Event(WON, number, "", reply.level))
                return mark
            why = reply.text if isinstance(reply, protocol.ChallengeError) else "The server gives no level."
            # A win whose answer was lost on its way.
            if attempt > 1 and isinstance(reply, protocol.ChallengeError) and not reply.is_locked:
                self._tell(Event(PASSED, number, why))
                self.scores[number].won = True
                return self.challenge.mark()
        raise DeskError(f"Level {number} was not won in {self.attempts} attempts; the last one ended with: {why}")

    def attempt(self, score: Score, level: Level) -> str:
        """Play the rounds of a level once; returns the hash where it is the last one. Raises `Setback`."""
        left: int | None = None
        for _ in range(level.rounds + 1):
            reply = self._round(score, level)
            score.rounds_won += 1
            if isinstance(reply, protocol.Finished):
                return reply.mark
            if not isinstance(reply, protocol.Given):
                return ""
            if reply.rounds_left is not None and left is not None and reply.rounds_left >= left:
                break
            left, level = reply.rounds_left, reply.level
            self._tell(Event(ROUND_WON, score.number, "", level, left))
        raise Setback("The level does not end: the rounds left do not become fewer.")

    def _round(self, score: Score, level: Level) -> protocol.Reply:
        """Guess until the round is won; raises `Setback`."""
        turns: list[Turn] = []
        # One more than allowed: some servers give the last answer first, and the error after it.
        for _ in range(level.guesses + 1):
            code = self._thought(score, level, turns)
            try:
                reply = self.challenge.guess(score.number, code, level)
            except Lost as error:
                raise Setback(str(error)) from error
            if isinstance(reply, protocol.ChallengeError):
                raise Setback(reply.text)
            if not isinstance(reply, protocol.Scored):
                self.lengths.append(len(turns) + 1)
                return reply
            turns.append((code, reply.feedback))
            exact, misplaced = reply.feedback
            said = f"{' '.join(map(str, code))}: {exact + misplaced} weapons, {exact} in place"
            self._tell(Event(GUESSED, score.number, said, level))
        raise Setback(f"The level does not end: {level.guesses} guesses are allowed, and more were answered.")

    def _thought(self, score: Score, level: Level, turns: list[Turn]) -> Code:
        start = time.monotonic()
        if level not in self._strategists:
            self._strategists[level] = self._make(level)
        try:
            code = self._strategists[level].guess(turns)
        except NothingFits as error:
            raise Setback(str(error)) from error
        score.guesses += 1
        score.slowest = max(score.slowest, time.monotonic() - start)
        return code
