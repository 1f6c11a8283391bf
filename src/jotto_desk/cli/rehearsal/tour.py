"""Many rehearsed games: shared out over processes, in the order of the secrets, and summed up."""

import concurrent.futures
import contextlib
import multiprocessing
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jotto_behaviour import shelf

from .game import Record, Rehearsal, Setting
from .stage import simulated

#: Games handed to a process at a time.
BATCH = 25


@dataclass(frozen=True)
class Casting:
    """Where games are played: the interpreter, the services that are missing, the behaviour."""

    python: str = ""
    without: tuple[str, ...] = ()
    behaviour: str = ""


def play_all(secrets: Sequence[str], setting: Setting, casting: Casting, jobs: int) -> Iterator[Record]:
    """Play a game per secret, on `jobs` processes, and give the records in the order of the secrets."""
    if jobs == 1 or len(secrets) <= BATCH:
        yield from _play(secrets, setting, casting)
        return
    batches = [secrets[start:start + BATCH] for start in range(0, len(secrets), BATCH)]
    context = _processes()
    with concurrent.futures.ProcessPoolExecutor(jobs, context, _ignore_interrupt) as pool:
        try:
            for records in pool.map(_play_batch, batches, [setting] * len(batches), [casting] * len(batches)):
                yield from records
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _processes() -> multiprocessing.context.BaseContext:
    """Start processes from a clean one that has imported everything; a plain fork would copy our caller's threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "naosim"])
    return context


def _ignore_interrupt() -> None:
    """Ctrl-C is for the process the person started; it tells the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_batch(secrets: Sequence[str], setting: Setting, casting: Casting) -> list[Record]:
    return list(_play(secrets, setting, casting))


def _play(secrets: Sequence[str], setting: Setting, casting: Casting) -> Iterator[Record]:
    with contextlib.ExitStack() as stack:
        robot: Any = None
        for secret in secrets:
            if robot is None:
                robot, behaviour = stack.enter_context(simulated(casting.python, casting.without, 0, casting.behaviour))
                rehearsal = Rehearsal(robot, behaviour, setting, shelf.lines())
            record = rehearsal.play(secret)
            if record.failures:
                # What a failed game left behind must not touch the next one.
                stack.close()
                robot = None
            yield record


def summary(records: Sequence[Record], setting: Setting, list_name: str) -> dict[str, Any]:
    """Sum games up: attempts count the winning guess, `gave_up` are games that ended without the word."""
    found = [record.attempts for record in records if record.found]
    failed = [{"secret": record.secret, "failures": record.failures} for record in records if record.failures]
    return {
        "games": len(records),
        "found": len(found),
        "mean": round(sum(found) / len(found), 4) if found else None,
        "max": max(found, default=None),
        "histogram": {str(attempts): count for attempts, count in sorted(Counter(found).items())},
        "gave_up": sum(not record.found for record in records),
        "slips": sum(record.slips for record in records),
        "slips_named": sum(record.slip_named for record in records),
        "answers": sum(record.answers for record in records),
        "failures": failed,
        "list": list_name,
        "strategy": setting.strategy,
        "seed": setting.seed,
    }
