"""The path of a word down a decision tree: the information of each guess, compared with others. Needs no numpy."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

from jotto.compat import count_ones
from jotto.feedback import MARKS
from jotto.index import Index
from jotto.tree import Tree

#: The most pairs of a word and a fitting word compared at one guess; feedback by marks is slower to count.
MOST_PAIRS, MOST_MARKED = 15_000_000, 300_000
SHOWN = 6


@dataclass(frozen=True)
class GuessValue:
    """The value of a guess: expected bits of information, groups of words its answers make, size of the largest."""

    guess: Any
    bits: float
    groups: int
    largest: int
    fits: bool


@dataclass(frozen=True)
class Step:
    """One turn: words that fit before and after it, `told` bits of information, `turns` expected to the end.

    Of `compared` guesses, `most` has the most information, if that is more than this one has; `fitting` is the best of
    those that may be the word (where this one may not, always). Both are None where there is none, as where at most two
    words fit.
    """

    turn: int
    look: GuessValue
    answer: Any
    before: int
    after: int
    told: float
    turns: float
    some: tuple[Any, ...]
    compared: int = 0
    most: GuessValue | None = None
    fitting: GuessValue | None = None


class Explorer:
    """A tree with its words; `weights` are those of the secrets, all the same where it is empty."""

    def __init__(self, bound: Tree, words: Sequence[Any], weights: Sequence[int] = ()) -> None:
        self.tree = bound
        self.index = Index(words, bound.rules)
        self._masks = dict[int, int]()
        for number, weight in enumerate(weights or [1] * len(words)):
            self._masks[weight] = self._masks.get(weight, 0) | 1 << number

    def weigh(self, members: int) -> int:
        """Add up the weights of a set."""
        return sum(weight * count_ones(mask & members) for weight, mask in self._masks.items())

    def path(self, secret: Any, tell: Callable[[Any], object] = lambda guess: None) -> Iterator[Step]:
        """Yield the turns until the secret is found, or the tree ends; `tell` is called with every guess compared."""
        node: int | None = 0
        members, turn = self.index.everything, 0
        while node is not None:
            turn += 1
            guess = self.tree.word(node)
            step, members = self._step(turn, node, members, secret, tell)
            yield step
            node = None if guess == secret else self.tree.child(node, step.answer)

    def _step(self, turn: int, node: int, members: int, secret: Any, tell: Callable[[Any], object]) -> tuple[Step, int]:
        guess, left = self.tree.word(node), self.index.bit(secret)
        if guess != secret:
            left = next(part for part in self._parts(guess, members).values() if part & left)
        here = self.look(guess, members)
        looks = []
        for word in self._rivals(guess, members):
            tell(word)
            looks.append(self.look(word, members))
        step = Step(
            turn,
            here,
            self.tree.rules.score(guess, secret),
            count_ones(members),
            count_ones(left),
            log2(self.weigh(members) / self.weigh(left)),
            self.turns(node, members),
            tuple(self.index.chosen(left)[:SHOWN]),
            len(looks) + 1,
            _better(here, looks),
            _better(here if here.fits else None, [look for look in looks if look.fits]),
        )
        return step, left

    def look(self, guess: Any, members: int) -> GuessValue:
        """Compute the value of a guess where these words fit."""
        parts = list(self._parts(guess, members).values())
        own = members & self.index.bit(guess)
        if own:
            parts.append(own)
        whole = self.weigh(members)
        heavy = [self.weigh(part) for part in parts]
        bits = log2(whole) - sum(weight * log2(weight) for weight in heavy) / whole
        # Rounded, as sums in another order differ in their last digits.
        return GuessValue(guess, round(bits, 9), len(parts), max(map(count_ones, parts)), bool(own))

    def turns(self, node: int, members: int) -> float:
        """Return the mean number of turns from a node to the end, over the words the tree finds there."""
        total, found = self._count(node, members)
        return total / found if found else 0.0

    def _count(self, node: int, members: int) -> tuple[int, int]:
        """Sum up turns times weight, and weight, over the words found below a node."""
        guess = self.tree.word(node)
        total = found = self.weigh(members & self.index.bit(guess))
        for feedback, part in self._parts(guess, members).items():
            child = self.tree.child(node, feedback)
            if child is not None:
                turns, weight = self._count(child, part)
                total, found = total + turns + weight, found + weight
        return total, found

    def _parts(self, guess: Any, members: int) -> dict[Any, int]:
        # The word itself is a part of its own, even where an anagram gets the same answer.
        parts: dict[Any, int] = self.index.split(guess, members & ~self.index.bit(guess))
        return parts

    def _rivals(self, guess: Any, members: int) -> list[Any]:
        """List the words to compare with a guess: those that fit first, then the rest of the list."""
        fitting = self.index.chosen(members)
        if len(fitting) <= 2:
            return []
        most = max(50, (MOST_MARKED if self.tree.rules.kind == MARKS else MOST_PAIRS) // len(fitting))
        known = set(fitting)
        others = [*fitting, *(word for word in (*self.index.words, *self.tree.extra) if word not in known)]
        return [word for word in others[:most] if word != guess]


def _better(here: GuessValue | None, looks: Sequence[GuessValue]) -> GuessValue | None:
    """Return the value with the most information, if that is more than `here` has."""
    best = max(looks, key=lambda look: look.bits, default=None)
    return best if best is not None and (here is None or best.bits > here.bits) else None
