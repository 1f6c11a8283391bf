"""What an attack is: a number of rounds on one part of the product, and the faults that they find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Outcome:
    """The outcome of an attack: the number of tries, the faults, and a figure for the table."""

    tried: int = 0
    faults: list[str] = field(default_factory=list)
    figure: str = ""

    def check(self, holds: object, fault: str) -> None:
        """Count a try; add `fault`, one sentence with what was tried, unless `holds` is true."""
        self.tried += 1
        if not holds:
            self.faults.append(fault)


@dataclass(frozen=True)
class Attack:
    """A kind of attack: `rounds(count, seed, folder)` with a short and a long number of rounds.

    An attack with 0 short rounds runs only in the long form, because it finds nothing in a short time. The folder is
    empty and belongs to the attack; all chance comes from the seed. A round limits the time of everything it waits for.
    """

    name: str
    tries: str
    rounds: Callable[[int, int, Path], Outcome]
    short: int
    long: int
