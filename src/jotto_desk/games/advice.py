"""What a guess is worth: how likely it is the secret, and how much its answer would tell about what fits.

Nothing here knows a game: words, rules and how likely each word is are passed in. Every number is in whole steps where
it decides, so that the same position gets the same advice on every machine.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

from jotto import compat, strategies
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import Rules

#: So many fitting words, and so many others, are compared with one another.
MOST_COMPARED = 150
#: So many fitting words stand for all when there are more.
MOST_WEIGHED = 6000
_STEPS = 2**30


@dataclass(frozen=True)
class Option:
    """A guess: its chance of being the word, bits told on average, groups its answers make, size of the largest."""

    word: Any
    chance: float
    bits: float
    groups: int
    largest: int
    worth: float
    fits: bool


class Advisor:
    """The words that fit, each as likely as `weights` says (all alike where it is empty), and guesses held to them."""

    def __init__(
        self, fitting: Sequence[Any], rules: Rules, weights: Mapping[Any, float] | None = None, seed: int = 1
    ) -> None:
        self.rules = rules
        self.seed = seed
        self.count = len(fitting)
        kept = fitting if len(fitting) <= MOST_WEIGHED else compat.draw_items(fitting, MOST_WEIGHED, seed, "weighed")
        self.index = Index(kept, rules)
        self._fitting = frozenset(fitting)
        heavy = [_power(weights.get(word, 0.0)) if weights else 1.0 for word in kept]
        alike: dict[float, int] = {}
        for number, weight in enumerate(heavy):
            alike[weight] = alike.get(weight, 0) | 1 << number
        total = sum(heavy)
        self._chances = dict(zip(kept, (weight / total for weight in heavy), strict=True))
        self._weighed = [(weight / total, members) for weight, members in sorted(alike.items())]
        self._symbols = _shares(kept)

    def look(self, word: Any) -> Option:
        """Say what asking a word is worth."""
        own = self.index.bit(word)
        parts = self.index.split(word, self.index.everything & ~own)
        worth = strategies.measure_worth(self.index, word, self._weighed)
        share = self._chances.get(word, 0.0)
        sizes = [part.bit_count() for part in parts.values()] + ([1] if own else [])
        return Option(
            word, share, worth - strategies.FOUND_BITS * share, len(sizes), max(sizes), worth, word in self._fitting
        )

    def ranked(self, others: Iterable[Any] = (), may_ask: Callable[[Any], bool] | None = None) -> list[Option]:
        """Rank guesses, the best first: the likeliest that fit, and of `others` those that seem to tell most.

        With more of either than `MOST_COMPARED`, only so many are compared.
        """
        words = [word for word in self.index.words if may_ask is None or may_ask(word)]
        if len(words) > MOST_COMPARED:
            # Of equally likely ones any, not those that begin alike.
            words = compat.draw_items(words, len(words), self.seed, "compared")
        words = sorted(words, key=lambda word: -self._chances[word])[:MOST_COMPARED]
        if len(self.index) > 2:
            chosen = set(words)
            spare = [word for word in others if word not in chosen and (may_ask is None or may_ask(word))]
            words += sorted(spare, key=self._promise)[:MOST_COMPARED]
        looks = [self.look(word) for word in words]
        order = {word: place for place, word in enumerate(words)}
        return sorted(looks, key=lambda option: (-round(option.worth * _STEPS), not option.fits, order[option.word]))

    def splitting(
        self, alike: Sequence[Any], others: Iterable[Any], may_ask: Callable[[Any], bool] | None = None
    ) -> Option | None:
        """Find the word that tells the most of some look-alikes apart; None where none tells more than one of them."""
        few = Advisor(alike, self.rules, seed=self.seed)
        ranked = few.ranked(others, may_ask)
        best = max(ranked, key=lambda option: (option.groups, -option.largest), default=None)
        mine = max((option.groups for option in ranked if option.fits), default=0)
        return best if best is not None and best.groups > mine else None

    def likeliest(self, count: int) -> list[tuple[Any, float]]:
        """List the words that are likeliest, with their chances."""
        return sorted(self._chances.items(), key=lambda pair: -round(pair[1] * _STEPS))[:count]

    def _promise(self, word: Any) -> float:
        """How much a word seems to tell (smaller is more): symbols and places that about half of what fits have."""
        found = 0.0
        for place, symbol in enumerate(word):
            here, anywhere = self._symbols.get((place, symbol), 0.0), self._symbols.get(symbol, 0.0)
            found += here * (1 - here) if self.rules.kind != COMMON else 0.0
            found += anywhere * (1 - anywhere) if word.index(symbol) == place else 0.0
        return -found


def lookalikes(words: Sequence[Any]) -> tuple[str, list[Any]]:
    """Find the largest group of words that differ in one place only, three at least: `.ight` and its words.

    >>> lookalikes(["light", "night", "might", "crane"])
    ('.ight', ['light', 'night', 'might'])
    """
    groups: dict[tuple[int, Any], list[Any]] = {}
    for word in words[:MOST_WEIGHED]:
        for place in range(len(word)):
            groups.setdefault((place, (*word[:place], None, *word[place + 1 :])), []).append(word)
    (_, row), found = max(groups.items(), key=lambda group: len(group[1]), default=((0, ()), []))
    if len(found) < 3:
        return "", []
    return "".join("." if symbol is None else str(symbol) for symbol in row), found


def reason(
    option: Option, fitting: int, rules: Rules, shown: Callable[[Any], str], best_fitting: Option | None = None
) -> str:
    """Say in a sentence why a guess is asked; `best_fitting` is the best of those that may be the word."""
    word = shown(option.word)
    things = "codes" if rules.kind == PLACES and rules.name in ("mastermind", "bulls", "gladiators") else "words"
    if fitting == 1:
        return f"Only {word} fits."
    if fitting == 2 and option.fits:
        return f"Two {things} fit, and {word} is {'the likelier one' if option.chance > 0.5 else 'one of them'}."
    told = "marks" if rules.kind == MARKS else "answer"
    verb = "tell" if rules.kind == MARKS else "tells"
    sure = f" ({option.chance:.0%})" if option.chance >= 0.01 else ""
    be = f"can be it{sure}" if option.fits else "cannot be it"
    if option.groups == fitting:
        return f"{word} {be}, and its {told} {verb} all {fitting} {things} apart."
    said = (
        f"{word} {be}; its {told} {verb} {option.bits:.1f} bits on average: {fitting:,} {things} in "
        f"{option.groups} groups, the largest of {option.largest:,}."
    )
    if not option.fits and best_fitting is not None:
        said += f" The best that can be it, {shown(best_fitting.word)}, tells {best_fitting.bits:.1f} bits."
    return said


def _power(weight: float) -> float:
    """Round a weight to a power of two: few different weights are summed up fast."""
    return float(2 ** round(log2(weight))) if weight > 0 else 2.0**-20


def _shares(words: Sequence[Any]) -> dict[Any, float]:
    """Return the share of words with a symbol, and with a symbol at a place."""
    counts: dict[Any, float] = {}
    for word in words:
        for key in {*word, *enumerate(word)}:
            counts[key] = counts.get(key, 0.0) + 1
    return {key: count / len(words) for key, count in counts.items()}
