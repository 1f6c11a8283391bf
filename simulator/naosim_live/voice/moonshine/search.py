"""How likely each phrase of a vocabulary is, and what Moonshine would write if it were free: a beam over the tree."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from .network import Network, Writing
from .phrases import PhraseTree
from .tokens import END

if TYPE_CHECKING:
    from .network import Array

#: Beginnings that are followed at a time, and tokens of the longest text that is written without a vocabulary.
_BEAM, _LONGEST = 16, 24
#: Beginnings less likely than the best by more than this (a logarithm) are left.
_FAR = 10.0


class Weighed(NamedTuple):
    """The logarithms of the probabilities of phrases by their number, of those that were followed to their end.

    `free` is that of the text which is written without a vocabulary, and `text` is that text.
    """

    phrases: dict[int, float]
    free: float
    text: str


class _Beginning(NamedTuple):
    odds: float
    row: int
    token: int
    node: int


def weigh(network: Network, tree: PhraseTree, samples: Array, beam: int = _BEAM, far: float = _FAR) -> Weighed:
    """Weigh the phrases of a tree for a sound."""
    start = network.begin(samples)
    free, text = _free(network, start)
    found: dict[int, float] = {}
    writing, living = start, [_Beginning(0.0, 0, 0, 0)]
    while True:
        after: list[_Beginning] = []
        for row, beginning in enumerate(living):
            odds = writing.odds[row]
            for token, node in tree.after[beginning.node].items():
                sure = beginning.odds + float(odds[token])
                for phrase in tree.whole.get(node, ()):
                    found[phrase] = added(found[phrase], sure) if phrase in found else sure
                if tree.after[node]:
                    after.append(_Beginning(sure, row, token, node))
        best = max([*found.values(), *(each.odds for each in after)], default=-math.inf)
        living = [each for each in sorted(after, reverse=True)[:beam] if each.odds > best - far]
        if not living:
            return Weighed(found, free, text)
        writing = network.follow(writing, [each.row for each in living], [each.token for each in living])


def _free(network: Network, writing: Writing) -> tuple[float, str]:
    """Write the likeliest token again and again: the odds of that text, and the text."""
    total, written = 0.0, []
    for _ in range(_LONGEST):
        token = int(writing.odds[0].argmax())
        total += float(writing.odds[0][token])
        if token == END:
            break
        written.append(token)
        writing = network.follow(writing, [0], [token])
    return total, network.tokens.text(written)


def added(one: float, other: float) -> float:
    """Add two probabilities that are given as logarithms, and return the logarithm of the sum.

    >>> round(math.exp(added(math.log(0.25), math.log(0.5))), 6)
    0.75
    """
    high, low = max(one, other), min(one, other)
    return high + math.log1p(math.exp(low - high))
