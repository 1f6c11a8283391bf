"""What many calls and events cost in memory: the served robot, and a bare libqi service beside it."""

import threading
from collections import deque
from contextlib import closing
from pathlib import Path
from typing import Any

import wire
from options import Options

CALLS, EVENTS, SUBSCRIBERS = 500_000, 170_000, 20_000
#: Calls under way at once, and the part of all that comes before the first look: until then memory is just filled.
WINDOW, BEFORE = 50, 0.1
KEY, EVENT, VALUE = "Soak/Key", "Soak/News", ["yes", 0.9]


def measure(options: Options) -> dict[str, Any]:
    """Call, raise events and ask for subscribers, a server at a time; kilobytes that its processes have grown by."""
    import qi

    few = 1000 if options.small else 1
    counts = {"calls": CALLS // few, "events": EVENTS // few, "subscribers": SUBSCRIBERS // few}
    found: dict[str, Any] = {"counts": counts}
    for name, (start, service) in wire.WAYS.items():
        with start() as server:
            session = qi.Session()
            session.connect(server.url)
            with closing(session):
                found[name] = _grown(server.number, session.service(service), counts)
    return found


def _grown(number: int, service: Any, counts: dict[str, int]) -> dict[str, float]:
    works = {"calls": _call, "events": _raise, "subscribers": _subscribe}
    grown: dict[str, float] = {}
    for name, work in works.items():
        work(service, max(1, int(counts[name] * BEFORE)))
        before = _kilobytes(number)
        work(service, counts[name])
        grown[name] = _kilobytes(number) - before
    return {**grown, "at the end": _kilobytes(number)}


def _call(service: Any, count: int) -> None:
    service.insertData(KEY, VALUE)
    under_way: deque[Any] = deque()
    for _ in range(count):
        if len(under_way) == WINDOW:
            under_way.popleft().value()
        under_way.append(service.getData(KEY, _async=True))
    while under_way:
        under_way.popleft().value()


def _raise(service: Any, count: int) -> None:
    everything, met = threading.Event(), [0]

    def tell(_value: Any) -> None:
        met[0] += 1
        if met[0] == count:
            everything.set()

    news = service.subscriber(EVENT)
    link = news.signal.connect(tell)
    under_way: deque[Any] = deque()
    for _ in range(count):
        if len(under_way) == WINDOW:
            under_way.popleft().value()
        under_way.append(service.raiseEvent(EVENT, VALUE, _async=True))
    if not everything.wait(wire.PATIENCE):
        raise ValueError(f"{met[0]} of {count} events came back")
    news.signal.disconnect(link)


def _subscribe(service: Any, count: int) -> None:
    for _ in range(count):
        service.subscriber(EVENT)


def _kilobytes(number: int) -> int:
    """Return the memory of a process and of all that it has started."""
    folder = Path(f"/proc/{number}")
    try:
        rows = (folder / "smaps_rollup").read_text(encoding="ascii").splitlines()
        started = [each for task in (folder / "task").iterdir() for each in (task / "children").read_text().split()]
    except FileNotFoundError:
        raise ValueError("Memory is read from /proc, which Linux alone has.") from None
    return next(int(row.split()[1]) for row in rows if row.startswith("Rss:")) + sum(map(_kilobytes, map(int, started)))


def report(found: dict[str, Any]) -> list[str]:
    """Format the result as lines of text."""
    robot, bare = (found[name] for name in wire.WAYS)
    lines = [
        f"{count:,} {name}: the robot's processes grow by {robot[name] / 1024:.1f} MB, a bare libqi service by "
        f"{bare[name] / 1024:.1f} MB"
        for name, count in found["counts"].items()
    ]
    return [*lines, f"at the end: {robot['at the end'] / 1024:.0f} MB and {bare['at the end'] / 1024:.0f} MB"]
