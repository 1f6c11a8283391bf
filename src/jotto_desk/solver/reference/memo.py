"""What a search knows about sets of secrets, bounded in size."""

import hashlib
import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..contract import Members, Numbers

#: Bytes an entry takes in memory, about.
ENTRY_BYTES = 400


class Known(NamedTuple):
    """What is known about a set: its cost is at least `low`; it is `value` with `guess`, None where only bounded."""

    low: int
    value: int | None
    guess: int
    size: int

    @property
    def least(self) -> int:
        """The best bound known: the cost where that is known."""
        return self.low if self.value is None else self.value


class Memo:
    """A memo for several threads; when it is full, what was learned first is forgotten."""

    def __init__(self, memo_bytes: int) -> None:
        self._most = max(1, memo_bytes // ENTRY_BYTES)
        self._known: dict[bytes, Known] = {}
        self._lock = threading.Lock()

    def get(self, key: bytes) -> Known | None:
        """What is known under a key."""
        return self._known.get(key)

    def put(self, key: bytes, known: Known) -> None:
        """Remember; a bound does not replace a cost."""
        with self._lock:
            before = self._known.get(key)
            if before is None and len(self._known) >= self._most:
                del self._known[next(iter(self._known))]
            if before is None or before.value is None or known.value is not None:
                self._known[key] = known

    def sizes(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        """Sum and number of the costs known, per size of set up to `most`."""
        sums, numbers = np.zeros(most + 1), np.zeros(most + 1, dtype=np.int64)
        with self._lock:
            for known in self._known.values():
                if known.value is not None and known.size <= most:
                    sums[known.size] += known.value
                    numbers[known.size] += 1
        return sums, numbers


def key_of(members: Members, left: int, hopeful: bool = False, played: Sequence[int] = ()) -> bytes:
    """The key of a set with so many turns left: 128 bits, as in the C core, which no two sets will share.

    As many turns as members are enough, so from there on it is no matter how many there are, nor whether the search is
    `hopeful` that none is missed. `played` are the guesses before that matter, in any order.
    """
    capped = left < len(members)
    past = np.array([capped * (left + 1), capped and hopeful, *sorted(played)], dtype=np.int32)
    return hashlib.blake2b(members.tobytes(), digest_size=16, key=past.tobytes()).digest()
