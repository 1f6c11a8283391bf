"""Portable random numbers for the robot and for box scripts: the same on Python 2.7 and 3."""

from __future__ import absolute_import, division, print_function

import random

MYPY = False
if MYPY:
    from typing import Any


class PortableRandom(random.Random):
    """A `random.Random` whose draws all go through `random()`, the one draw that both Pythons share.

    >>> PortableRandom(7).choice("abc"), PortableRandom(7).randint(1, 6)
    ('a', 2)
    """

    def randrange(self, start, stop=None, step=1):  # type: (int, int | None, int) -> int
        """Draw a number of `range(start, stop, step)`; raises ValueError for an empty range."""
        if stop is None:
            start, stop = 0, start
        count = (stop - start + step - (1 if step > 0 else -1)) // step
        if count <= 0:
            raise ValueError("empty range for randrange() (%r, %r, %r)" % (start, stop, step))
        return int(start + step * int(self.random() * count))

    def randint(self, a, b):  # type: (int, int) -> int
        """Draw a number from a to b, both included."""
        return self.randrange(a, b + 1)

    def choice(self, seq):  # type: (Any) -> Any
        """Draw one item; raises IndexError for an empty sequence."""
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[int(self.random() * len(seq))]

    def shuffle(self, x):  # type: ignore[override]
        # type: (Any) -> None
        """Shuffle the list in place."""
        for i in range(len(x) - 1, 0, -1):
            j = int(self.random() * (i + 1))
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k):  # type: ignore[override]
        # type: (Any, int) -> list[Any]
        """Draw k items at different positions, in random order; raises ValueError when there are fewer."""
        pool = list(population)
        if not 0 <= k <= len(pool):
            raise ValueError("sample larger than population: %r of %r" % (k, len(pool)))
        self.shuffle(pool)
        return pool[:k]
