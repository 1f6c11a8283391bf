"""Seconds of several pieces of work, measured in turns so that a busy machine slows all of them alike."""

import statistics
import time
from collections.abc import Callable, Mapping


def medians(
    works: Mapping[str, Callable[[], object]], repeats: int, clock: Callable[[], float] = time.thread_time
) -> dict[str, float]:
    """Give the median seconds of each piece; the usual clock counts this thread's time on the processor alone."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            start = clock()
            work()
            taken[name].append(clock() - start)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}
