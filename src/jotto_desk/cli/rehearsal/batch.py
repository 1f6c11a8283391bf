"""Many rehearsed games: played one after the other, and summed up."""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jotto_behaviour import mind as resources
from jotto_behaviour.riddle import BREAKER, MAKER

from ..simulated_robot import simulated_robot
from .game import GameRecord, Rehearsal, RehearsalSettings
from .spoken import VoiceSettings
from .timing import timing
from .understanding import total

if TYPE_CHECKING:
    from ..robot_connection import RobotAddress


@dataclass(frozen=True)
class RobotChoice:
    """Where games are played: the interpreter, the services that are missing, the behaviour, a robot far away."""

    python: str = ""
    without: tuple[str, ...] = ()
    behaviour: str = ""
    far: "RobotAddress | None" = None
    #: NAOqi's names of the languages that the simulated robot has; English alone for none.
    languages: tuple[str, ...] = ()

    def open(self) -> contextlib.AbstractContextManager[tuple[Any, Any]]:
        """Open the robot with the behaviour."""
        if self.far is None:
            return simulated_robot(self.python, self.without, 0, self.behaviour, self.languages)
        from ..robot_connection import far_robot

        return far_robot(
            self.far, self.behaviour, lambda sentence: print(sentence, file=sys.stderr), simulated_only=True
        )


def play(
    secrets: Sequence[str],
    setting: RehearsalSettings,
    choice: RobotChoice,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[GameRecord]:
    """Play one game for each secret, in order; count an error inside a game as a failure of that game alone.

    Raises `DeskError` for a robot that cannot be used, or is lost.
    """
    with contextlib.ExitStack() as stack:
        robot: Any = None
        for secret in secrets:
            if is_stopped():
                return
            if robot is None:
                robot, behaviour = stack.enter_context(choice.open())
                rehearsal = _rehearsal(robot, behaviour, setting)
                if choice.far is not None:
                    rehearsal.is_lost = _is_lost
            record = rehearsal.play(secret)
            if record.failures:
                # What a failed game left behind must not touch the next one.
                stack.close()
                robot = None
            yield record


def _is_lost(error: Exception) -> bool:
    """Tell whether an error is the end of all games with a robot far away."""
    from naosim.errors import NaosimError

    return isinstance(error, NaosimError)


def _rehearsal(robot: Any, behaviour: Any, setting: RehearsalSettings) -> Rehearsal:
    kind: type[Rehearsal] = Rehearsal
    if setting.role == MAKER:
        from .riddle import RiddleRehearsal

        kind = RiddleRehearsal
    mind = resources.load_mind(setting.words, setting.strategy, (), setting.code)
    return kind(robot, behaviour, setting, resources.load_lines(setting.code).writing(mind.wordlist))


def summary(
    records: Sequence[GameRecord],
    setting: RehearsalSettings,
    list_name: str,
    *,
    is_timed: bool = True,
    asked: int | None = None,
) -> dict[str, Any]:
    """Sum games up: attempts count the winning guess, `gave_up` are games that ended without the word.

    More games may have been `asked` for than were played before the rehearsal was stopped. The times of a robot that is
    far away are its own, and left out (not `is_timed`).
    """
    found = [record.attempts for record in records if record.found]
    failed = [{"secret": record.secret, "failures": record.failures} for record in records if record.failures]
    more = (
        {}
        if setting.role == BREAKER
        else {
            "role": setting.role,
            "scores": sum(record.scores for record in records),
            "hints": sum(record.hints for record in records),
        }
    )
    return more | {
        "games": len(records),
        "asked": len(records) if asked is None else asked,
        "stopped": asked is not None and len(records) < asked,
        "found": len(found),
        "mean": round(sum(found) / len(found), 4) if found else None,
        "max": max(found, default=None),
        "histogram": {str(attempts): count for attempts, count in sorted(Counter(found).items())},
        "gave_up": sum(not record.found for record in records),
        "slips": sum(record.slips for record in records),
        "slips_named": sum(record.slip_named for record in records),
        "answers": sum(record.answers for record in records),
        **(timing([(record.robot_seconds, record.person_seconds) for record in records]) if is_timed else {}),
        "answer_seconds": setting.answer_seconds,
        **({} if setting.voice is None else {"voice": voice_summary(records, setting.voice)}),
        **({} if setting.trouble.measured is None else {"misheard_as": setting.trouble.measured.source}),
        "failures": failed,
        "list": list_name,
        "strategy": setting.strategy,
        "level": setting.level,
        **({"language": setting.language} if setting.language else {}),
        "seed": setting.seed,
    }


def voice_summary(records: Sequence[GameRecord], voice: VoiceSettings) -> dict[str, Any]:
    """Sum up how well spoken answers were understood."""
    counts = [record.understood for record in records if record.understood is not None]
    return {"noise": str(voice.noise), "recogniser": voice.recogniser, **total(counts)}
