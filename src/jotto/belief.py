"""Playing on through wrong answers: every word keeps a weight, and no answer throws a word out for good.

The model. An answer is wrong with chance `RATE`, each on its own. Two wrong answers of three are off by one letter:
a letter taken to be in place, misplaced or missing when it is not (marks: one mark; letters in common: a count off by
one); the others are further off. Either kind is spread evenly over the answers there are. Whether a guess is the word
itself is always answered rightly, since NAO asks that first and asks back: a word asked is out.

So a word weighs the product, over the turns, of the chance of the answer noted where it were the word (Bayes). Only
ratios matter: 1 for an answer it would have given, else what `odds` gives. Words with as many answers of either kind
against them weigh the same and stand in one heap, a bit set.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from math import exp, fsum, log

from . import chance
from .errors import JottoError
from .feedback import COMMON as LETTERS_IN_COMMON
from .feedback import MARKS, PLACES
from .index import Index
from .strategies import COMMON, Entropy, Strategy, band
from .versions import count_ones

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

    from .feedback import Symbols
    from .rules import Rules
    from .strategies import Position

    #: How many answers speak against a word: (off by one letter, further off).
    Clashes = Tuple[int, int]

#: Chance that an answer is wrong, and that a wrong one is off by one letter.
RATE = 0.05
ONE_OFF = 2 / 3
#: A rate of 0 would leave nothing to go by once no word fits.
LEAST_RATE, MOST_RATE = 1e-6, 0.5
#: From this share of all weight on, one word alone is asked, and what fits is believed.
BELIEVED = 0.5
#: Bits of information that asking the word itself is worth: a turn saved, at about 2 bits a turn near the end.
FOUND = 2
#: The heaviest words stand for all.
MOST_WEIGHED = 128
#: A word that weighs less than this beside the heaviest one is hardly it.
HARDLY = 0.01


class EveryWordAsked(JottoError):
    """No word is left to ask."""


def near(feedback, rules):  # type: (Any, Rules) -> List[Any]
    """List the answers off by one letter; some of them may be impossible.

    >>> from .rules import JOTTO
    >>> near((0, 1), JOTTO)
    [(1, 1), (-1, 1), (0, 2), (0, 0), (1, 0), (-1, 2)]
    """
    if rules.kind == LETTERS_IN_COMMON:
        return [feedback + 1, feedback - 1]
    if rules.kind == MARKS:
        return [
            feedback[:place] + mark + feedback[place + 1 :]
            for place in range(len(feedback))
            for mark in "EPN"
            if mark != feedback[place]
        ]
    exact, misplaced = feedback
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
    return [(exact + more, misplaced + other) for more, other in steps]


def odds(rules, rate=RATE):  # type: (Rules, float) -> Tuple[float, float]
    """Return how likely one given answer off by one letter is, and one further off, where the right one counts as 1.

    The answers there are, without the winning one: (L + 1)(L + 2) / 2 - 2 by places, 3 ** L - L - 1 by marks, L + 1 by
    letters in common, for words of L letters.
    """
    length = rules.length
    every = {PLACES: (length + 1) * (length + 2) // 2 - 2, MARKS: 3**length - length - 1}.get(rules.kind, length + 1)
    close = {PLACES: 6, MARKS: 2 * length}.get(rules.kind, 2)
    rate = min(max(rate, LEAST_RATE), MOST_RATE)
    wrong = rate / (1 - rate)
    return wrong * ONE_OFF / close, wrong * (1 - ONE_OFF) / max(1, every - 1 - close)


def heaps(turns, index):  # type: (Iterable[Tuple[Symbols, Any]], Index) -> Dict[Clashes, int]
    """Sort the words not asked yet by how many answers speak against them: clashes -> set of words."""
    found, asked = {(0, 0): index.everything}, 0
    for guess, feedback in turns:
        right, close = index.fits(guess, feedback), 0
        for other in near(feedback, index.rules):
            close |= index.fits(guess, other)
        close &= ~right
        asked |= index.bit(guess)
        sorted_anew = {}  # type: Dict[Clashes, int]
        for (off, far), members in found.items():
            for key, part in (
                ((off, far), members & right),
                ((off + 1, far), members & close),
                ((off, far + 1), members & ~(right | close)),
            ):
                if part:
                    sorted_anew[key] = sorted_anew.get(key, 0) | part
        found = sorted_anew
    return {key: members & ~asked for key, members in found.items() if members & ~asked}


def weights(clashes, rules, rate=RATE):  # type: (Iterable[Clashes], Rules, float) -> Dict[Clashes, float]
    """Weigh heaps, the heaviest at 1."""
    off, far = map(log, odds(rules, rate))
    scale = {key: key[0] * off + key[1] * far for key in clashes}
    heaviest = max(scale.values()) if scale else 0
    return {key: exp(power - heaviest) for key, power in scale.items()}


class Belief(Strategy):
    """What `otherwise` asks while words fit every answer; else what tells most about what may be.

    Then it asks the one word that holds half of all weight, or compares at most `budget` words: half of them the
    heaviest, half drawn from the common ones. `prior` (band -> weight) says how likely words are before any answer;
    without it all are alike. `may_ask` forbids words.

    To leave what fits for what is likelier, where few words fit and many nearly do, was measured to gain nothing.
    """

    name = "belief"

    def __init__(self, otherwise=None, budget=48, rate=RATE, prior=None, may_ask=None):
        # type: (Optional[Strategy], int, float, Optional[Mapping[int, float]], Optional[Callable[[Symbols], bool]]) -> None
        self.otherwise = otherwise or Entropy()
        self.budget = max(2, budget)
        self.rate = rate
        self.prior = prior
        self.may_ask = may_ask

    def choose(self, position):  # type: (Position) -> Symbols
        """Name the next guess; `candidates` may be empty here. Raises `EveryWordAsked`."""
        if position.candidates:
            return self.otherwise.choose(position)
        weighed = self.weigh(position)
        words = self._heaviest(position, weighed)
        if not words:
            raise EveryWordAsked("Every word was asked; none of them is the one.")
        total = fsum(weight * count_ones(members) for weight, members in weighed)
        if round(words[0][1] / total, 9) >= BELIEVED:
            return words[0][0]
        return self._most_told(position, words)

    def believes(self, position):  # type: (Position) -> bool
        """Tell whether the word is likely one that fits every answer, all words being alike before them."""
        found = heaps(position.turns, position.index)
        weight = weights(found, position.index.rules, self.rate)
        total = fsum(weight[key] * count_ones(found[key]) for key in found)
        fitting = fsum(weight[key] * count_ones(found[key] & position.candidates) for key in found)
        return bool(total) and round(fitting / total, 9) >= BELIEVED

    def doubts(self, position, word):  # type: (Position, Symbols) -> bool
        """Tell whether a word is hardly the one: asked before, or far less likely than another."""
        weighed = self.weigh(position)
        own = position.index.bit(word)
        return not any(members & own and weight >= HARDLY * weighed[0][0] for weight, members in weighed)

    def weigh(self, position):  # type: (Position) -> List[Tuple[float, int]]
        """List weights and the sets of words that weigh so, heaviest first."""
        found = heaps(position.turns, position.index)
        weight = weights(found, position.index.rules, self.rate)
        parts = [
            (weight[key] * prior, found[key] & members) for prior, members in self._priors(position) for key in found
        ]
        # Rounded: what weighs the same may differ in its last digits.
        return sorted(
            ((value, members) for value, members in parts if members),
            key=lambda heap: (-round(log(heap[0]), 9), heap[1]),
        )

    def _priors(self, position):  # type: (Position) -> List[Tuple[float, int]]
        if not self.prior or not position.bands:
            return [(1.0, position.index.everything)]
        least = min(self.prior.values())
        bands = list(reversed(position.bands))
        return [
            (self.prior.get(level, least), int("".join("01"[here == level] for here in bands), 2))
            for level in sorted(set(bands), key=lambda level: level or 0)
        ]

    def _heaviest(self, position, weighed):
        # type: (Position, Sequence[Tuple[float, int]]) -> List[Tuple[Symbols, float]]
        """List words that may be asked with their weights, heaviest first; a sample stands for too large a heap."""
        words = []  # type: List[Tuple[Symbols, float]]
        for weight, members in weighed:
            if len(words) >= MOST_WEIGHED:
                break
            heap = [word for word in position.index.chosen(members) if self.may_ask is None or self.may_ask(word)]
            drawn = chance.sample(heap, MOST_WEIGHED - len(words), position.seed, "weighed", position.turn, len(words))
            words += [(word, weight * len(heap) / len(drawn)) for word in drawn]
        return words

    def _most_told(self, position, words):  # type: (Position, Sequence[Tuple[Symbols, float]]) -> Symbols
        index = Index([word for word, _ in words], position.index.rules)
        alike = {}  # type: Dict[float, int]
        for number, (_, weight) in enumerate(words):
            alike[weight] = alike.get(weight, 0) | 1 << number
        total = fsum(weight for _, weight in words)
        weighed = [(weight / total, members) for weight, members in sorted(alike.items())]
        half = self.budget // 2
        guesses = list(index.words[:half])
        guesses += [word for word in self._others(position, half) if word not in guesses]
        guesses = [word for word in guesses if not position.late & position.index.bit(word)] or guesses

        def rank(guess):  # type: (Symbols) -> Tuple[int, int, int]
            # Whole steps, as in `Entropy`.
            told = int(worth(index, guess, weighed) * 2**30 + 0.5)
            return -told, band(position, guess), position.index.bit(guess)

        return min(guesses, key=rank)

    def _others(self, position, count):  # type: (Position, int) -> List[Symbols]
        """Draw words of any weight: one that cannot be it may tell more. Common ones, where there are enough."""
        words = position.index.words
        common = [number for number, level in enumerate(position.bands or ()) if level is not None and level <= COMMON]
        pool = common if len(common) >= count else range(len(words))
        drawn = [words[number] for number in chance.sample(pool, count, position.seed, "others", position.turn)]
        asked = {guess for guess, _ in position.turns}
        return [word for word in drawn if word not in asked and (self.may_ask is None or self.may_ask(word))]


def worth(index, guess, weighed):  # type: (Index, Symbols, Sequence[Tuple[float, int]]) -> float
    """Return the bits the answer to `guess` tells on average, plus `FOUND` bits times the chance that it is the word.

    `weighed` has weights (1 in all) and the sets of words that weigh so. Formula: the sum of -p log2 p over the
    answers.
    """
    own = index.bit(guess)
    shares = [
        fsum(weight * count_ones(part & members) for weight, members in weighed)
        for part in index.split(guess, index.everything & ~own).values()
    ]
    won = fsum(weight for weight, members in weighed if members & own)
    told = fsum(-share * log(share) for share in shares + [won] if share) / log(2)
    return told + FOUND * won
