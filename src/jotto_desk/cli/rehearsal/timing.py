"""Simulated time: how long a rehearsed game takes NAO, and how long the person in front of it."""

import statistics
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

#: Where the ninetieth of a hundred parts ends, as `statistics.quantiles` counts parts of ten.
P90 = 8


class Timed(Protocol):
    """A robot that tells its time."""

    def now(self) -> float:
        """Return the simulated seconds since the robot was made."""


class GameTime:
    """The simulated seconds of one game, divided between NAO and the person.

    A game lasts from the start of the behaviour to its end, welcome and good-bye included; a game that is paused and
    taken up again lasts as long as all its parts.

    * The **person's** seconds are those in which NAO listens: from the moment at which its ears are open, or its head
      feels touches, until the person has answered. They are the time the person takes to answer
      (`--answer-seconds`), a tenth of a second for each touch of the head, and, where no answer comes, the time until
      NAO waits no longer.
    * **NAO's** seconds are all the others: it speaks, moves, thinks, opens its ears, and reminds a person who is late.

    The robot thinks in no simulated time, and what the person says is heard at once, as speech recognition reports a
    phrase at its end. It is the same whoever guesses: NAO, the person or, in a race, each of them in turn.
    """

    def __init__(self, robot: Timed) -> None:
        self._robot = robot
        self._start = robot.now()
        self._person = 0.0

    @contextmanager
    def of_the_person(self) -> Iterator[None]:
        """Count the time that passes meanwhile as the person's."""
        before = self._robot.now()
        try:
            yield
        finally:
            self._person += self._robot.now() - before

    def seconds(self) -> tuple[float, float]:
        """Return NAO's seconds and the person's so far, to the microsecond: the same wherever the clock began."""
        person = round(self._person, 6)
        return round(self._robot.now() - self._start - person, 6), person


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median, and what nine games of ten do not exceed (interpolated).

    >>> spread([90.0, 100.0, 95.0])
    {'median': 95.0, 'p90': 99.0}
    >>> spread([90.0])
    {'median': 90.0, 'p90': 90.0}
    """
    nine_tenths = statistics.quantiles(seconds, n=10, method="inclusive")[P90] if len(seconds) > 1 else seconds[0]
    return {"median": round(statistics.median(seconds), 3), "p90": round(nine_tenths, 3)}


def timing(games: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Sum up games by NAO's seconds and the person's: medians, ninetieth percentiles, and the person's share of all.

    >>> timing([(90.0, 30.0), (60.0, 20.0)])["game_seconds"]
    {'median': 100.0, 'p90': 116.0}
    >>> timing([(90.0, 30.0), (60.0, 20.0)])["person_share"]
    0.25
    """
    if not games:
        return {}
    robot, person, whole = zip(*((one, other, one + other) for one, other in games), strict=True)
    share = sum(person) / sum(whole) if sum(whole) else 0.0
    return {
        "robot_seconds": spread(robot),
        "person_seconds": spread(person),
        "game_seconds": spread(whole),
        "person_share": round(share, 4),
    }
