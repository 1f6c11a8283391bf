"""The whole gladiators challenge, level after level, and its display."""

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

from jotto_desk.errors import DeskError
from jotto_desk.games import gladiators
from jotto_desk.games.gladiators import Challenge, Code, Level, LevelLost
from jotto_desk.games.gladiators_strategy import CodeTurn, NothingFits, Strategist

#: More levels than any challenge has; the usual limit of attempts at one level.
_MAX_LEVELS, _MAX_ATTEMPTS = 50, 30
#: The number of times that a level can be locked after the one before it seemed completed.
_MAX_REFUSALS = 3


class _CampaignEvent(NamedTuple):
    """An event: a `kind`, the level's number, and a sentence about it."""

    kind: str
    number: int
    text: str
    level: Level | None = None
    rounds_left: int | None = None


#: Kinds of events.
_LEVEL_BEGUN, _GUESSED, _ROUND_WON = "begun", "guessed", "round won"
_LEVEL_WON, LEVEL_AGAIN, CHALLENGE_PASSED = "won", "again", "passed"


@dataclass
class _CampaignScore:
    """The result of a level: attempts begun, and in all of them rounds won, guesses, the slowest guess in seconds."""

    number: int
    level: Level
    attempts: int = 0
    rounds_won: int = 0
    guesses: int = 0
    slowest: float = 0.0
    won: bool = False

    def plain(self) -> dict[str, Any]:
        return {**asdict(self), "slowest": round(self.slowest, 3)}


class _LevelDefeat(Exception):
    """The level has to be started again; the sentence says why."""


class Campaign:
    """A whole challenge; `strategist` makes the player of a level, `tell` gets events, `lengths` won rounds."""

    def __init__(
        self,
        challenge: Challenge,
        strategist: Callable[[Level], Strategist],
        tell: Callable[[_CampaignEvent], object] = lambda event: None,
        attempts: int = _MAX_ATTEMPTS,
    ) -> None:
        self.challenge, self.attempts, self._make, self._tell = challenge, attempts, strategist, tell
        self.scores: dict[int, _CampaignScore] = {}
        self.lengths: list[int] = []
        self._strategists: dict[Level, Strategist] = {}

    def play(self) -> str:
        """Play until the hash is had, and give it; raises `DeskError` if that cannot be."""
        mark = self.challenge.ask_mark()
        number, bounces = 1, 0
        while not mark and number <= _MAX_LEVELS:
            reply = self.challenge.ask_level(number)
            if isinstance(reply, gladiators.GivenLevel):
                mark, number = self.play_level(number, reply), number + 1
            elif isinstance(reply, gladiators.ChallengeFinished):
                mark = reply.mark
            elif isinstance(reply, gladiators.ChallengeError) and reply.is_locked:
                # The level before was skipped because of an error other than "completed".
                bounces += 1
                number -= 1
                if number < 1 or bounces > _MAX_REFUSALS:
                    raise DeskError(f"The server locks level {number + 1} and gives none below it ('{reply.text}').")
            else:
                won = self.scores.get(number - 1)
                mark = self.challenge.ask_mark() if won and won.won else ""
                text = reply.text if isinstance(reply, gladiators.ChallengeError) else ""
                self._tell(_CampaignEvent(CHALLENGE_PASSED, number, text))
                number += 1
        mark = mark or self.challenge.ask_mark()
        if not mark:
            none = f"The server has no level to play among the first {_MAX_LEVELS}, and no hash"
            raise DeskError(f"{none}; start over with --reset.")
        return mark

    def play_level(self, number: int, reply: gladiators.Reply) -> str:
        """Play a level until it is won, at most `attempts` times; returns the hash if it is the last one."""
        why = ""
        for attempt in range(1, self.attempts + 1):
            if attempt > 1:
                reply = self.challenge.ask_level(number)
            if isinstance(reply, gladiators.GivenLevel):
                score = self.scores.setdefault(number, _CampaignScore(number, reply.level))
                score.attempts += 1
                self._tell(_CampaignEvent(_LEVEL_BEGUN, number, f"attempt {attempt}", reply.level, reply.level.rounds))
                try:
                    mark = self.attempt(score, reply.level)
                except _LevelDefeat as error:
                    why = str(error)
                    self._tell(_CampaignEvent(LEVEL_AGAIN, number, why, reply.level))
                    continue
                score.won = True
                self._tell(_CampaignEvent(_LEVEL_WON, number, "", reply.level))
                return mark
            why = reply.text if isinstance(reply, gladiators.ChallengeError) else "The server gives no level."
            # A win whose answer was lost on its way.
            if attempt > 1 and isinstance(reply, gladiators.ChallengeError) and not reply.is_locked:
                self._tell(_CampaignEvent(CHALLENGE_PASSED, number, why))
                self.scores[number].won = True
                return self.challenge.ask_mark()
        raise DeskError(f"Level {number} was not won in {self.attempts} attempts; the last one ended with: {why}")

    def attempt(self, score: _CampaignScore, level: Level) -> str:
        """Play the rounds of a level once; returns the hash if it is the last one. Raises `_LevelDefeat`."""
        left: int | None = None
        for _ in range(level.rounds + 1):
            reply = self._play_round(score, level)
            score.rounds_won += 1
            if isinstance(reply, gladiators.ChallengeFinished):
                return reply.mark
            if not isinstance(reply, gladiators.GivenLevel):
                return ""
            if reply.rounds_left is not None and left is not None and reply.rounds_left >= left:
                break
            left, level = reply.rounds_left, reply.level
            self._tell(_CampaignEvent(_ROUND_WON, score.number, "", level, left))
        raise _LevelDefeat("The level does not end: the rounds left do not become fewer.")

    def _play_round(self, score: _CampaignScore, level: Level) -> gladiators.Reply:
        """Guess until the round is won; raises `_LevelDefeat`."""
        turns: list[CodeTurn] = []
        # One more than allowed: some servers give the last answer first, and the error after it.
        for _ in range(level.guesses + 1):
            code = self._think(score, level, turns)
            try:
                reply = self.challenge.guess(score.number, code, level)
            except LevelLost as error:
                raise _LevelDefeat(str(error)) from error
            if isinstance(reply, gladiators.ChallengeError):
                raise _LevelDefeat(reply.text)
            if not isinstance(reply, gladiators.ScoredReply):
                self.lengths.append(len(turns) + 1)
                return reply
            turns.append((code, reply.feedback))
            exact, misplaced = reply.feedback
            said = f"{' '.join(map(str, code))}: {exact + misplaced} weapons, {exact} in place"
            self._tell(_CampaignEvent(_GUESSED, score.number, said, level))
        most = level.guesses
        raise _LevelDefeat(f"The level does not end: {most} guesses are allowed, and the server answered more.")

    def _think(self, score: _CampaignScore, level: Level, turns: list[CodeTurn]) -> Code:
        start = time.monotonic()
        if level not in self._strategists:
            self._strategists[level] = self._make(level)
        try:
            code = self._strategists[level].guess(turns)
        except NothingFits as error:
            raise _LevelDefeat(str(error)) from error
        score.guesses += 1
        score.slowest = max(score.slowest, time.monotonic() - start)
        return code


# The display: a line per level on standard error, and a progress bar of rounds on a terminal.


class CampaignDisplay:
    """The display of events; `quiet` leaves out all but remarks on trouble. Standard output is left to the result."""

    def __init__(self, quiet: bool = False) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._quiet = quiet
        done = (BarColumn(), MofNCompleteColumn(), "rounds", TimeElapsedColumn())
        columns = ("{task.description}", *done, "{task.fields[last]}")
        hidden = quiet or not self._console.is_terminal
        self._bar = Progress(*columns, console=self._console, transient=True, disable=hidden)
        self._task = self._bar.add_task("", total=None, last="", visible=False)

    def __enter__(self) -> "CampaignDisplay":
        self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.stop()

    def remark(self, sentence: str) -> None:
        """Print an error that is being handled."""
        if self._quiet:
            print(sentence, file=sys.stderr)
        else:
            self._console.print(f"  {escape(sentence)}")

    def tell(self, event: _CampaignEvent) -> None:
        """Show an event."""
        name = f"level {event.number}"
        level = event.level
        if event.kind == _LEVEL_BEGUN and level is not None:
            self._bar.update(self._task, description=name, total=level.rounds, completed=0, visible=True)
            if event.text == "attempt 1":
                self._say(f"{name}: {level}")
        elif event.kind == _GUESSED:
            self._bar.update(self._task, last=event.text)
        elif event.kind == _ROUND_WON and level is not None and event.rounds_left is not None:
            self._bar.update(self._task, completed=max(0, level.rounds - event.rounds_left))
        elif event.kind == LEVEL_AGAIN:
            self.remark(f"{name} is begun again: {event.text}")
        elif event.kind == _LEVEL_WON:
            self._bar.update(self._task, visible=False)
            self._say(f"{name}: won")
        elif event.kind == CHALLENGE_PASSED:
            self._say(f"{name}: passed over ({event.text})")

    def _say(self, line: str) -> None:
        if not self._quiet:
            self._console.print(escape(line))
