"""The memo of a search: what is known about sets of secrets, bounded in size."""

import hashlib
import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..contract import Members, Numbers

#: Bytes an entry takes in memory, about.
ENTRY_BYTES = 400


class MemoEntry(NamedTuple):
    """What is known about a set of `size` members: its cost is at least `low`, and `value` (with `guess`) if known."""

    low: int
    value: int | None
    guess: int
    size: int

    @property
    def least(self) -> int:
        """Return the cost where it is known, else its lower bound."""
        return self.low if self.value is None else self.value


class Memo:
    """A memo shared by threads; once it is full, the oldest entry goes first."""

    def __init__(self, memo_bytes: int) -> None:
        self._most = max(1, memo_bytes // ENTRY_BYTES)
        self._entries: dict[bytes, MemoEntry] = {}
        self._lock = threading.Lock()

    def get(self, key: bytes) -> MemoEntry | None:
        """Return the entry under a key, None where there is none."""
        return self._entries.get(key)

    def put(self, key: bytes, entry: MemoEntry) -> None:
        """Remember an entry; a bound does not replace a cost."""
        with self._lock:
            before = self._entries.get(key)
            if before is None and len(self._entries) >= self._most:
                del self._entries[next(iter(self._entries))]
            if before is None or before.value is None or entry.value is not None:
                self._entries[key] = entry

    def sizes(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        """Return the sum and the number of the costs known, per size of set up to `most`."""
        sums, numbers = np.zeros(most + 1), np.zeros(most + 1, dtype=np.int64)
        with self._lock:
            for entry in self._entries.values():
                if entry.value is not None and entry.size <= most:
                    sums[entry.size] += entry.value
                    numbers[entry.size] += 1
        return sums, numbers


def key_of(members: Members, left: int, played: Sequence[int] = ()) -> bytes:
    """Return the key of a set with so many turns left: 128 bits, which no two sets will share.

    A set of n members never needs more than n turns, so beyond that `left` plays no part. `played` are the guesses
    made before, where they matter, in any order.
    """
    capped = left < len(members)
    past = np.array([capped * (left + 1), *sorted(played)], dtype=np.int32)
    return hashlib.blake2b(members.tobytes(), digest_size=16, key=past.tobytes()).digest()
