"""Chance that is passed in: the same seed draws the same on every Python.

`random.choice` gives other results on 2.7 than on 3, so draws are taken from SHA-256 of the seed and of
what the draw is for. A draw is a pure function: nothing is used up, and an undone turn draws the same again.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib

from .versions import as_text

MYPY = False
if MYPY:
    from typing import Any, List, Sequence, TypeVar

    Item = TypeVar("Item")


def draw(below, seed, *purpose):  # type: (int, int, *Any) -> int
    """Draw a whole number from 0 to `below` - 1; a purpose is made of words and whole numbers.

    >>> draw(1000, 1, "guess", 0), draw(1000, 1, "guess", 1)
    (829, 997)
    """
    if below < 1:
        raise ValueError("There is nothing to draw from.")
    named = "/".join("%s" % (as_text(part) if isinstance(part, bytes) else part,) for part in (seed,) + purpose)
    return int(int(hashlib.sha256(named.encode("utf-8")).hexdigest()[:16], 16) % below)


def choose(items, seed, *purpose):  # type: (Sequence[Item], int, *Any) -> Item
    """Choose one of `items`, all equally likely."""
    return items[draw(len(items), seed, *purpose)]


def sample(items, count, seed, *purpose):  # type: (Sequence[Item], int, int, *Any) -> List[Item]
    """Choose `count` different items in the order drawn (all of them when there are fewer)."""
    pool = list(items)
    count = max(0, min(count, len(pool)))
    for place in range(count):
        other = place + draw(len(pool) - place, seed, place, *purpose)
        pool[place], pool[other] = pool[other], pool[place]
    return pool[:count]
