"""Many rehearsed games: played in processes or on a cluster, returned in the order of the secrets, and summed up."""

import concurrent.futures
import contextlib
import functools
import gc
import itertools
import multiprocessing
import multiprocessing.resource_tracker
import signal
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jotto_behaviour import mind
from jotto_behaviour.riddle import BREAKER, MAKER
from jotto_desk import files
from jotto_desk.cluster import Cluster, watch_task
from jotto_desk.rehearsal.game import GameRecord, Rehearsal, RehearsalSettings, RiddleRehearsal, sum_up_times
from jotto_desk.rehearsal.person import VoiceSettings
from jotto_desk.rehearsal.robots import RobotAddress, open_far_robot, open_simulated_robot
from jotto_desk.rehearsal.voice import sum_up
from jotto_desk.terminal import CHECK_INTERVAL_S


@dataclass(frozen=True)
class RobotChoice:
    """The robot for games: interpreter, missing services and behaviour of a simulated one, or an address."""

    python: str = ""
    without: tuple[str, ...] = ()
    behaviour: str = ""
    far: RobotAddress | None = None
    #: NAOqi's names of the simulated robot's languages; only English if there are none.
    languages: tuple[str, ...] = ()

    def open(self) -> contextlib.AbstractContextManager[tuple[Any, Any]]:
        """Open the robot with the behaviour."""
        if self.far is None:
            return open_simulated_robot(self.python, self.without, 0, self.behaviour, self.languages)
        tell = functools.partial(print, file=sys.stderr)
        return open_far_robot(self.far, self.behaviour, tell, simulated_only=True)

    def keep_changes(self, robot: Any) -> contextlib.AbstractContextManager[None]:
        """Let a robot of this process keep its changes of Python's library for a game, not only for each step of it."""
        if self.python or self.far is not None:
            return contextlib.nullcontext()
        from naosim import scripting

        return scripting.run_as_robot(robot.world)


def play_games(
    secrets: Sequence[str],
    setting: RehearsalSettings,
    choice: RobotChoice,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[GameRecord]:
    """Play one game for each secret, in order; an error inside a game is a failure of only that game.

    Raises `DeskError` if the robot cannot be used or is lost.
    """
    with contextlib.ExitStack() as stack:
        robot: Any = None
        for secret in secrets:
            if is_stopped():
                return
            if robot is None:
                robot, behaviour = stack.enter_context(choice.open())
                # The garbage collector need not look at what all games share.
                gc.freeze()
                stack.callback(gc.unfreeze)
                rehearsal = _make_rehearsal(robot, behaviour, setting)
                if choice.far is not None:
                    rehearsal.is_lost = _is_lost
            with choice.keep_changes(robot):
                record = rehearsal.play(secret)
            if record.failures:
                # A failed game must not influence the next one.
                stack.close()
                robot = None
            yield record


def _is_lost(error: Exception) -> bool:
    """Return whether an error ends all games with a robot on the network."""
    from naosim.errors import NaosimError

    return isinstance(error, NaosimError)


def _make_rehearsal(robot: Any, behaviour: Any, setting: RehearsalSettings) -> Rehearsal:
    kind = RiddleRehearsal if setting.role == MAKER else Rehearsal
    wordlist = mind.load_mind(setting.words, setting.strategy, (), setting.code).wordlist
    return kind(robot, behaviour, setting, mind.load_lines(setting.code).writing(wordlist))


def sum_up_games(
    records: Sequence[GameRecord],
    setting: RehearsalSettings,
    list_name: str,
    *,
    is_timed: bool = True,
    asked: int | None = None,
) -> dict[str, Any]:
    """Sum up games: attempts include the winning guess, `gave_up` counts games that ended without the word.

    `asked` is the number of games asked for, if the rehearsal was stopped before. Without `is_timed`, as for a robot on
    the network with its own clock, times are left out.
    """
    found = [record.attempts for record in records if record.found]
    failed = [{"secret": record.secret, "failures": record.failures} for record in records if record.failures]
    scores, hints = sum(record.scores for record in records), sum(record.hints for record in records)
    return {
        **({} if setting.role == BREAKER else {"role": setting.role, "scores": scores, "hints": hints}),
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
        **(sum_up_times([(record.robot_seconds, record.person_seconds) for record in records]) if is_timed else {}),
        "answer_seconds": setting.answer_seconds,
        **({} if setting.voice is None else {"voice": _sum_up_voice(records, setting.voice)}),
        **({} if setting.trouble.measured is None else {"misheard_as": setting.trouble.measured.source}),
        "failures": failed,
        "list": list_name,
        "strategy": setting.strategy,
        "level": setting.level,
        **({"language": setting.language} if setting.language else {}),
        "seed": setting.seed,
    }


def _sum_up_voice(records: Sequence[GameRecord], voice: VoiceSettings) -> dict[str, Any]:
    counts = [record.understood for record in records if record.understood is not None]
    return {"noise": str(voice.noise), "recogniser": voice.recogniser, **sum_up(counts)}


#: Games that a process gets at a time.
BATCH = 25
#: The same for spoken games, which take seconds each.
_SPOKEN_BATCH = 2
#: Windows can wait for at most this number of processes.
_MOST_PROCESSES = 61
#: After this number of games in which a process died, the others are not played.
MOST_DEADLY = 5
DEADLY = "the process that played it has ended"
NOT_PLAYED = "not played, as the processes that play end"
#: After Ctrl-C, processes have this time to finish their games.
_GRACE_S = 0.4

#: In a process that plays: an event that is set when no further game should begin.
_stop: Any = None


def play_all(
    secrets: Sequence[str], setting: RehearsalSettings, choice: RobotChoice, jobs: int | Cluster
) -> Iterator[GameRecord]:
    """Play a game for each secret in `jobs` processes or on a cluster; yield the records in the order of the secrets.

    A robot on the network plays them one after the other. If a process dies, its games are played again one by one, and
    the game in which it dies again has failed. After Ctrl-C the finished games are yielded; then KeyboardInterrupt is
    raised.
    """
    batch = BATCH if setting.voice is None else _SPOKEN_BATCH
    if jobs == 1 or len(secrets) <= batch or choice.far is not None:
        yield from play_games(secrets, setting, choice)
        return
    waiting = deque(secrets[start : start + batch] for start in range(0, len(secrets), batch))
    deadly = 0
    while waiting and deadly < MOST_DEADLY:
        yield from _play_batches(waiting, setting, choice, jobs)
        # A process has died, and the pool has ended all others: play the games one by one to find the guilty one.
        alone: deque[Sequence[str]] = deque([secret] for secret in (waiting.popleft() if waiting else ()))
        while alone and deadly < MOST_DEADLY:
            yield from _play_batches(alone, setting, choice, 1)
            if alone:
                deadly += 1
                yield GameRecord(alone.popleft()[0], failures=[DEADLY])
        waiting.extendleft(list(alone)[::-1])
    for secret in itertools.chain.from_iterable(waiting):
        yield GameRecord(secret, failures=[NOT_PLAYED])


def _play_batches(
    waiting: "deque[Sequence[str]]", setting: RehearsalSettings, choice: RobotChoice, jobs: int | Cluster
) -> Iterator[GameRecord]:
    """Play batches and remove them from `waiting`, until all are played or a process dies."""
    context, others = _start_processes(), set(multiprocessing.active_children())
    stop = context.Event()
    pool: Executor
    play: Callable[..., list[GameRecord]] = _play_batch
    given: tuple[Any, ...] = (setting, choice)
    if isinstance(jobs, Cluster):
        pool, play, given = jobs, _play_on_worker, (jobs.lodge((*given, _read_list(setting))),)
    else:
        pool = ProcessPoolExecutor(min(jobs, _MOST_PROCESSES), context, _begin, (stop,))
    playing: deque[Future[list[GameRecord]]] = deque()
    played: deque[GameRecord] = deque()
    grace = _GRACE_S
    try:
        with contextlib.suppress(BrokenProcessPool):
            with _delay_interrupt():
                playing += [pool.submit(play, batch, *given) for batch in waiting]
            while playing:
                played.extend(_wait_for_records(playing[0]))
                playing.popleft()
                waiting.popleft()
                while played:
                    yield played.popleft()
    except KeyboardInterrupt:
        stop.set()
        yield from played
        yield from _collect_ended(playing)
        grace = 0.0
        raise
    finally:
        stop.set()
        _end(pool, playing, others, grace)


def _wait_for_records(future: "Future[list[GameRecord]]") -> list[GameRecord]:
    """Return the records of a batch, with a wait that Ctrl-C can interrupt."""
    while not future.done():
        concurrent.futures.wait([future], CHECK_INTERVAL_S)
    return future.result()


def _collect_ended(futures: Sequence["Future[list[GameRecord]]"]) -> Iterator[GameRecord]:
    """Yield the games that have ended or end soon."""
    until = time.monotonic() + _GRACE_S
    for future in futures:
        future.cancel()
    for future in futures:
        with contextlib.suppress(concurrent.futures.CancelledError, concurrent.futures.TimeoutError, BrokenProcessPool):
            yield from future.result(max(0.0, until - time.monotonic()))


def _end(
    pool: Executor,
    futures: Sequence["Future[list[GameRecord]]"],
    others: set[multiprocessing.process.BaseProcess],
    grace: float,
) -> None:
    """End the processes of a pool, after at most `grace` seconds even those that are still playing."""
    playing = [future for future in futures if not future.cancel()]
    if concurrent.futures.wait(playing, grace).not_done:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
    # A process whose parent has ended first prints an error.
    pool.shutdown(cancel_futures=True)


def _start_processes() -> multiprocessing.context.BaseContext:
    """Start processes from a fresh one that has imported everything: a plain fork would copy the caller's threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "naosim"])
    return context


@contextlib.contextmanager
def _delay_interrupt() -> Iterator[None]:
    """Delay Ctrl-C until all processes are started; the new processes never get it."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    # The resource tracker unblocks Ctrl-C when it starts, so it must start before.
    multiprocessing.resource_tracker.ensure_running()
    seen: list[int] = []
    # The mask is for the new processes; other threads, such as a progress bar's, may still get the signal.
    usual = signal.signal(signal.SIGINT, lambda number, _frame: seen.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, usual)
    if seen:
        raise KeyboardInterrupt


def _begin(stop: Any) -> None:
    """Ignore Ctrl-C in a process that plays: the main process handles it and sets `stop`."""
    global _stop  # noqa: PLW0603 - one per process
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, args=(multiprocessing.parent_process(), stop), daemon=True).start()


def _follow(parent: Any, stop: Any) -> None:
    if parent is not None:
        parent.join()
        stop.set()


def _play_batch(secrets: Sequence[str], setting: RehearsalSettings, choice: RobotChoice) -> list[GameRecord]:
    return list(play_games(secrets, setting, choice, _stop.is_set))


# Games on a cluster, whose workers lack the files of this computer.

#: The names and contents of a list and its trees.
_ListFiles = tuple[tuple[str, bytes], ...]
#: A simulated robot replaces modules of its process, so that a second one would disturb it.
_ONE_ROBOT = threading.Lock()


def _read_list(setting: RehearsalSettings) -> _ListFiles:
    """Read the list and the trees next to it; nothing for the robot's own list."""
    path = Path(setting.words)
    near = sorted(path.parent.glob("*")) if setting.words else []
    return tuple((one.name, one.read_bytes()) for one in near if one.stem.startswith(path.stem))


def _play_on_worker(
    secrets: Sequence[str], lodged: tuple[RehearsalSettings, RobotChoice, _ListFiles]
) -> list[GameRecord]:
    setting, choice, contents = lodged
    with _ONE_ROBOT, watch_task() as over, tempfile.TemporaryDirectory(prefix="jotto-") as folder:
        for name, content in contents:
            files.write_whole(Path(folder) / name, content)
        words = setting.words and str(Path(folder) / Path(setting.words).name)
        return list(play_games(secrets, replace(setting, words=words), choice, over.is_set))
