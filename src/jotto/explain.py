"""Why a word is out or asked, and which answer most likely holds a slip: as values, for any voice to put into words."""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple
from math import fsum

from .feedback import MARKS, PLACES
from .versions import count_ones

MYPY = False
if MYPY:
    from typing import Any, List, Sequence, Tuple

    from .feedback import Symbols
    from .game import Turn
    from .index import Index
    from .rules import Rules

#: A turn (number from 0) that speaks against a word: the answer it got and the answer the word would have given.
Clash = namedtuple("Clash", "turn guess got expected")
#: How likely the answer of a turn is wrong (0 to 1), and the answer that was most likely meant.
Slip = namedtuple("Slip", "turn guess got meant probability")
#: What a guess leaves of the words that fit: how many fit now; how many after its answer, on average and at worst; how
#: many different answers it may get; whether it may be the word itself.
Outlook = namedtuple("Outlook", "left mean worst answers fits")

#: Chance that any one answer holds a slip; only the order of suspicion depends on it, and that hardly.
SLIP_RATE = 0.05


def clashes(word, turns, rules):  # type: (Symbols, Sequence[Turn], Rules) -> List[Clash]
    """List the turns whose answer the word would not have given; empty when it fits.

    >>> from .rules import JOTTO
    >>> [(clash.turn, tuple(clash.expected)) for clash in clashes("canoe", [("ocean", (1, 2))], JOTTO)]
    [(0, (0, 5))]
    """
    found = []
    for number, (guess, got) in enumerate(turns):
        expected = rules.score(guess, word)
        if expected != got:
            found.append(Clash(number, guess, got, expected))
    return found


def outlook(guess, index, candidates):  # type: (Symbols, Index, int) -> Outlook
    """Work out what a guess would leave of a set of words, each as likely as the next; zeros where the set is empty.

    >>> from .index import Index
    >>> from .rules import JOTTO
    >>> index = Index(["ocean", "canoe", "dance", "brick"], JOTTO)
    >>> outlook("ocean", index, index.everything)
    Outlook(left=4, mean=1.0, worst=1, answers=4, fits=True)
    """
    sizes = [count_ones(part) for part in index.split(guess, candidates).values()]
    left = sum(sizes)
    mean = fsum(size * size for size in sizes) / left if left else 0.0
    return Outlook(left, mean, max(sizes) if sizes else 0, len(sizes), bool(candidates & index.bit(guess)))


def slips(turns, index):  # type: (Sequence[Turn], Index) -> List[Slip]
    """Rank the turns by how likely their answer is wrong, most suspicious first.

    Bayes over all words of the index: a word's weight is the product over the turns of how easily the answer it
    would have given is taken for the answer noted. Any number of slips is covered.
    """
    chances = [_taken_for(index, guess, got) for guess, got in turns]
    weights = [1.0] * len(index)
    for parts in chances:
        for _, chance, members in parts:
            for number in members:
                weights[number] *= chance
        # Only their ratios matter: a long game must not let them all sink to zero.
        highest = max(weights) if weights else 1.0
        weights = [weight / highest for weight in weights]
    total = fsum(weights) or 1.0
    found = []
    for (guess, got), number in zip(turns, range(len(turns))):
        meant = {
            feedback: fsum(weights[word] for word in members) / total
            for feedback, _, members in chances[number]
            if feedback != got
        }
        likeliest = max(sorted(meant), key=lambda feedback: round(meant[feedback], 9)) if meant else got
        found.append(Slip(number, guess, got, likeliest, fsum(meant.values())))
    return sorted(found, key=lambda slip: (-round(slip.probability, 9), slip.turn))


def _taken_for(index, guess, got):  # type: (Index, Symbols, Any) -> List[Tuple[Any, float, List[int]]]
    parts = index.split(guess, index.everything)
    wrong = fsum(_nearness(feedback, got, index.rules) for feedback in parts if feedback != got) or 1.0
    rows = []
    for feedback in sorted(parts):
        chance = 1 - SLIP_RATE
        if feedback != got:
            chance = SLIP_RATE * _nearness(feedback, got, index.rules) / wrong
        rows.append((feedback, chance, _numbers(parts[feedback])))
    return rows


def _nearness(true, noted, rules):  # type: (Any, Any, Rules) -> float
    """Return how easily one answer is taken for another: off by one (count or mark), with counts swapped, or worse."""
    if rules.kind != PLACES:
        off = sum(map(_differ, true, noted)) if rules.kind == MARKS else 1
        return 1.0 / off**2 if off else 1.0
    if (true[0], true[1]) == (noted[1], noted[0]):
        return 1.0
    steps = max(abs(true[0] - noted[0]), abs(true[1] - noted[1]))
    return 1.0 / steps**2 if steps else 1.0


def _differ(one, other):  # type: (str, str) -> bool
    return one != other


def _numbers(members):  # type: (int) -> List[int]
    return [number for number, bit in enumerate(reversed(bin(members)[2:])) if bit == "1"]
