"""What an attack is: so many rounds tried on one part of the product, and the faults that came out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Outcome:
    """What came of an attack: how often something was tried, what broke, and a figure worth telling."""

    tried: int = 0
    faults: list[str] = field(default_factory=list)
    figure: str = ""

    def check(self, holds: object, fault: str) -> None:
        """Count a try; note the fault, one sentence with what was tried, where it does not hold."""
        self.tried += 1
        if not holds:
            self.faults.append(fault)


@dataclass(frozen=True)
class Attack:
    """A class of attack: what is tried, by `rounds(how_many, seed, folder)`; a short and a long number of rounds.

    A short number of 0 leaves it to `make attack`, since it says nothing in little time.
    The folder is empty and its own; chance comes from the seed alone. A round bounds the time it waits.
    """

    name: str
    tries: str
    rounds: Callable[[int, int, Path], Outcome]
    short: int
    long: int
