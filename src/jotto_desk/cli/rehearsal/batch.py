"""Many rehearsed games: distributed over processes, in the order of the secrets, and summed up."""

import concurrent.futures
import contextlib
import multiprocessing
import multiprocessing.resource_tracker
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jotto_behaviour import resources

from ..simulated_robot import simulated_robot
from .game import GameRecord, Rehearsal, RehearsalSettings
from .timing import timing

if TYPE_CHECKING:
    from ..robot_connection import RobotAddress

#: Games handed to a process at a time.
BATCH = 25
#: Windows waits for at most so many processes at once.
MOST_PROCESSES = 61


@dataclass(frozen=True)
class RobotChoice:
    """Where games are played: the interpreter, the services that are missing, the behaviour, a robot far away."""

    python: str = ""
    without: tuple[str, ...] = ()
    behaviour: str = ""
    far: "RobotAddress | None" = None

    def open(self) -> contextlib.AbstractContextManager[tuple[Any, Any]]:
        """Open the robot with the behaviour."""
        if self.far is None:
            return simulated_robot(self.python, self.without, 0, self.behaviour)
        from ..robot_connection import far_robot

        return far_robot(self.far, self.behaviour, lambda sentence: print(sentence, file=sys.stderr),
                            simulated_only=True)


def play_all(secrets: Sequence[str], setting: RehearsalSettings, choice: RobotChoice,
             jobs: int) -> Iterator[GameRecord]:
    """Play a game per secret, on `jobs` processes, and give the records in the order of the secrets.

    A robot far away is one robot, and plays them one after the other.
    """
    if jobs == 1 or len(secrets) <= BATCH or choice.far is not None:
        yield from _play(secrets, setting, choice)
        return
    batches = [secrets[start:start + BATCH] for start in range(0, len(secrets), BATCH)]
    with concurrent.futures.ProcessPoolExecutor(min(jobs, MOST_PROCESSES), _processes(), _ignore_interrupt) as pool:
        try:
            with _undisturbed():
                games = pool.map(_play_batch, batches, [setting] * len(batches), [choice] * len(batches))
            for records in games:
                yield from records
        except BaseException:
            # The batches being played are waited for: a process stumbles over a parent that has gone.
            pool.shutdown(cancel_futures=True)
            raise


def _processes() -> multiprocessing.context.BaseContext:
    """Start processes from a clean one that has imported everything; a plain fork would copy our caller's threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "naosim"])
    return context


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait until all processes are started; those started here never see it, which is as it should be."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    # The tracker of shared things lets Ctrl-C through again when it starts, so it comes first.
    multiprocessing.resource_tracker.ensure_running()
    seen: list[int] = []
    # The mask is for the processes started here; other threads of ours, such as a progress bar's, may still hear it.
    usual = signal.signal(signal.SIGINT, lambda number, _frame: seen.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, usual)
    if seen:
        raise KeyboardInterrupt


def _ignore_interrupt() -> None:
    """Leave Ctrl-C to the process the person started, where the others do not inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_batch(secrets: Sequence[str], setting: RehearsalSettings, choice: RobotChoice) -> list[GameRecord]:
    return list(_play(secrets, setting, choice))


def _play(secrets: Sequence[str], setting: RehearsalSettings, choice: RobotChoice) -> Iterator[GameRecord]:
    with contextlib.ExitStack() as stack:
        robot: Any = None
        for secret in secrets:
            if robot is None:
                robot, behaviour = stack.enter_context(choice.open())
                rehearsal = _rehearsal(robot, behaviour, setting)
            record = rehearsal.play(secret)
            if record.failures:
                # What a failed game left behind must not touch the next one.
                stack.close()
                robot = None
            yield record


def _rehearsal(robot: Any, behaviour: Any, setting: RehearsalSettings) -> Rehearsal:
    kind: type[Rehearsal] = Rehearsal
    if setting.role == "maker":
        from .riddle import RiddleRehearsal

        kind = RiddleRehearsal
    return kind(robot, behaviour, setting, resources.lines())


def summary(records: Sequence[GameRecord], setting: RehearsalSettings, list_name: str,
            is_timed: bool = True) -> dict[str, Any]:
    """Sum games up: attempts count the winning guess, `gave_up` are games that ended without the word.

    The times of a robot that is far away are its own, and left out (not `is_timed`).
    """
    found = [record.attempts for record in records if record.found]
    failed = [{"secret": record.secret, "failures": record.failures} for record in records if record.failures]
    more = {} if setting.role == "breaker" else {
        "role": setting.role, "scores": sum(record.scores for record in records),
        "hints": sum(record.hints for record in records)}
    return more | {
        "games": len(records),
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
        "failures": failed,
        "list": list_name,
        "strategy": setting.strategy,
        "seed": setting.seed,
    }
