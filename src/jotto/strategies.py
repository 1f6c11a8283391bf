"""Strategies: how the next guess is chosen. `STRATEGIES` lists them by name, `find_strategy` finds one.

`Belief` continues after wrong answers: every word has a weight, and no answer removes a word forever.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple
from math import exp, fsum, log

from jotto import compat
from jotto.compat import count_ones, quote_value, text_type
from jotto.feedback import COMMON as LETTERS_IN_COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import JottoError, Rules
from jotto.tree import Tree

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

    from jotto.feedback import Symbols

# Strategies that choose among the words that fit.

#: The input of a strategy: the index; the set of candidates (empty only for `Belief`); the band of each word of the
#: index; the number of turns played; the seed; the turns (guess and feedback), needed only by `Walk` and `Belief`; the
#: set of late words, each asked only if all candidates are late.
Position = namedtuple("Position", "index candidates bands turn seed turns late")
Position.__new__.__defaults__ = ((), 0)

#: The widest band of SCOWL that still holds words everybody knows.
_COMMON_BAND = 35


class Strategy(object):
    """Chooses guesses; `name` is what people call it."""

    name = ""

    def choose(self, position):  # type: (Position) -> Symbols
        """Name the next guess."""
        raise NotImplementedError(self.name)


class Consistent(Strategy):
    """Any word that still fits, all equally likely: the strategy of the original article."""

    name = "consistent"

    def choose(self, position):  # type: (Position) -> Symbols
        """Draw one candidate."""
        fitting = position.index.list_words(_remove_late_words(position))
        return compat.draw_item(fitting, position.seed, "guess", position.turn)


class Entropy(Strategy):
    """The candidate whose answer is expected to tell most, looking at no more than `budget` candidates.

    Told is measured in bits (Shannon): the sum of -p log2 p over the possible answers. Equal guesses are parted by
    commonness, then by list order. When there are more candidates than the budget, those looked at are drawn, from the
    common words (band 35 or less) if there are enough: the player has to know the word NAO asks.
    """

    name = "entropy"

    def __init__(self, budget=48):  # type: (int) -> None
        self.budget = max(1, budget)

    def choose(self, position):  # type: (Position) -> Symbols
        """Compare candidates and name the best."""
        fitting = position.index.list_words(_remove_late_words(position))
        if len(fitting) > self.budget:
            common = [guess for guess in fitting if find_band(position, guess) <= _COMMON_BAND]
            fitting = common if len(common) >= self.budget else fitting
        examined = compat.draw_items(fitting, self.budget, position.seed, "guess", position.turn)
        return min(examined, key=lambda guess: self._rank(position, guess))

    def _rank(self, position, guess):  # type: (Position, Symbols) -> Tuple[int, int, int]
        # Equal sums may differ in their last digits: whole steps of 2 ** -30 bits make them equal on every Python.
        told = int(self.compute_bits(position.index, guess, position.candidates) * 2**30 + 0.5)
        return -told, find_band(position, guess), position.index.select_word(guess)

    @staticmethod
    def compute_bits(index, guess, candidates):  # type: (Index, Symbols, int) -> float
        """Return the average information of the answer to `guess` in bits, 0 if there are no candidates.

        Formula: log2 n - (1/n) sum of s log2 s over the part sizes s.
        """
        total = count_ones(candidates)
        if not total:
            return 0.0
        sizes = [count_ones(part) for part in index.split(guess, candidates).values()]
        return (log(total) - fsum(size * log(size) for size in sizes) / total) / log(2)


class Commonest(Strategy):
    """Only the commonest words that fit, such as a person would think of; `otherwise` chooses among them.

    `sets` of words, bit sets of the index, the commonest first: the first with a candidate counts.
    """

    name = "commonest"

    def __init__(self, sets, otherwise=None):  # type: (Sequence[int], Optional[Strategy]) -> None
        self.sets = tuple(sets)
        self.otherwise = otherwise or Consistent()

    def choose(self, position):  # type: (Position) -> Symbols
        """Narrow the candidates down, and name the other strategy's guess."""
        fitting = _remove_late_words(position)
        chosen = next((fitting & words for words in self.sets if fitting & words), fitting)
        position = position._replace(candidates=chosen)
        return self.otherwise.choose(position)


class Walk(Strategy):
    """The precomputed guess of a decision tree; off the tree, the guess of another strategy.

    With `more` trees, the seed draws one for the whole game, so that games begin with different words. A tree asks
    words that no longer fit if they tell more. Its guess is skipped if it would tell nothing, if the list no longer
    has it, if `may_ask` forbids it, if it is a late word too early, and if only one candidate is left.
    """

    name = "tree"

    def __init__(self, tree=None, otherwise=None, may_ask=None, more=()):
        # type: (Optional[Tree], Optional[Strategy], Optional[Callable[[Symbols], bool]], Iterable[Tree]) -> None
        self.tree = tree
        self.trees = tuple(each for each in (tree,) + tuple(more) if each is not None)
        self.otherwise = otherwise or Entropy()
        self.may_ask = may_ask

    def choose(self, position):  # type: (Position) -> Symbols
        """Walk the turns on the tree and name the guess found there."""
        if count_ones(position.candidates) == 1:
            last = position.index.list_words(position.candidates)[0]  # type: Symbols
            return last
        walked = compat.draw_item(self.trees, position.seed, "tree") if self.trees else None
        guess = walked.guess(position.turns) if walked and len(position.turns) == position.turn else None
        if walked is None or guess is None or not self._is_of_use(guess, position, walked):
            return self.otherwise.choose(position)
        return guess

    def _is_of_use(self, guess, position, walked):  # type: (Symbols, Position, Tree) -> bool
        if self.may_ask is not None and not self.may_ask(guess):
            return False
        if position.late & position.index.select_word(guess) and position.candidates & ~position.late:
            return False
        if position.candidates & position.index.select_word(guess):
            return True
        known = guess in position.index or guess in walked.extra
        return known and len(position.index.split(guess, position.candidates)) > 1


def _remove_late_words(position):  # type: (Position) -> int
    """Return the set of candidates without the late words, all candidates if every one is late.

    >>> from .index import Index
    >>> from .rules import JOTTO
    >>> index = Index(["ocean", "death", "grave"], JOTTO)
    >>> late = index.select_word("death") | index.select_word("grave")
    >>> [str(word) for word in index.list_words(_remove_late_words(Position(index, 0b111, (), 0, 1, (), late)))]
    ['ocean']
    >>> [str(word) for word in index.list_words(_remove_late_words(Position(index, 0b110, (), 0, 1, (), late)))]
    ['death', 'grave']
    """
    fit = position.candidates & ~position.late  # type: int
    return fit or position.candidates


def find_band(position, guess):  # type: (Position, Symbols) -> int
    """Return the band of a guess, 10 for the most common words and 99 if its band is unknown."""
    number = position.index.select_word(guess).bit_length() - 1
    known = position.bands[number] if position.bands and number >= 0 else None
    return 99 if known is None else int(known)


# Belief: every word has a weight, and no answer excludes a word forever.

if MYPY:
    #: How many answers contradict a word: (off by one letter, further off).
    Clashes = Tuple[int, int]

#: Chance that an answer is wrong, and that a wrong one is off by one letter.
ERROR_RATE = 0.05
_ONE_OFF_SHARE = 2 / 3
#: Bounds of an error rate: with 0, every word would have the weight 0 once no word fits; above one half, answers
#: would be more often wrong than right.
_MIN_ERROR_RATE = 1e-6
_MAX_ERROR_RATE = 0.5
#: From this share of all weight, one word is asked without comparison, and the words that fit are believed.
BELIEVED_PROBABILITY = 0.5
#: The value in bits of asking the word itself: it saves a turn, which gives about 2 bits near the end.
FOUND_BITS = 2
#: The number of words, the heaviest first, whose answers represent the answers of all words.
_MAX_WEIGHED_GUESSES = 128
#: A word with less than this share of the heaviest word's weight is doubted.
_MIN_WEIGHT_SHARE = 0.01


class EveryWordAsked(JottoError):
    """No word is left to ask."""


def list_near_answers(feedback, rules):  # type: (Any, Rules) -> List[Any]
    """List the answers off by one letter; some of them can be impossible.

    >>> from .rules import JOTTO
    >>> list_near_answers((0, 1), JOTTO)
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


def rate_near_answers(rules, rate=ERROR_RATE):  # type: (Rules, float) -> Tuple[float, float]
    """Return the likelihood of one answer off by one letter, and of one further off; the right answer counts as 1.

    The number of possible answers without the winning one, for words of L letters: (L + 1)(L + 2) / 2 - 2 by places,
    3 ** L - L - 1 by marks, L + 1 by letters in common.
    """
    length = rules.length
    every = {PLACES: (length + 1) * (length + 2) // 2 - 2, MARKS: 3**length - length - 1}.get(rules.kind, length + 1)
    close = {PLACES: 6, MARKS: 2 * length}.get(rules.kind, 2)
    rate = min(max(rate, _MIN_ERROR_RATE), _MAX_ERROR_RATE)
    wrong = rate / (1 - rate)
    return wrong * _ONE_OFF_SHARE / close, wrong * (1 - _ONE_OFF_SHARE) / max(1, every - 1 - close)


def group_by_clashes(turns, index):  # type: (Iterable[Tuple[Symbols, Any]], Index) -> Dict[Clashes, int]
    """Group the words not asked yet by the number of answers that contradict them: clashes -> set of words."""
    found, asked = {(0, 0): index.everything}, 0
    for guess, feedback in turns:
        right, close = index.fits(guess, feedback), 0
        for other in list_near_answers(feedback, index.rules):
            close |= index.fits(guess, other)
        close &= ~right
        asked |= index.select_word(guess)
        regrouped = {}  # type: Dict[Clashes, int]
        for (off, far), members in found.items():
            for key, part in (
                ((off, far), members & right),
                ((off + 1, far), members & close),
                ((off, far + 1), members & ~(right | close)),
            ):
                if part:
                    regrouped[key] = regrouped.get(key, 0) | part
        found = regrouped
    return {key: members & ~asked for key, members in found.items() if members & ~asked}


def _weigh_groups(clashes, rules, rate=ERROR_RATE):  # type: (Iterable[Clashes], Rules, float) -> Dict[Clashes, float]
    """Return the weight of each group, 1 for the heaviest."""
    off, far = map(log, rate_near_answers(rules, rate))
    scale = {key: key[0] * off + key[1] * far for key in clashes}
    heaviest = max(scale.values()) if scale else 0
    return {key: exp(power - heaviest) for key, power in scale.items()}


class Belief(Strategy):
    """Asks like `otherwise` while words fit every answer; else the guess that tells most about the likely words.

    Then it asks the one word that holds half of all weight, or compares at most `budget` words: half of them the
    heaviest, half drawn from the common ones. `prior` (band -> weight) is the weight of words before any answer;
    without it all are alike. `may_ask` forbids words.

    If few words fit and many nearly do, asking a likelier word that does not fit gained nothing when measured.
    """

    name = "belief"

    def __init__(self, otherwise=None, budget=48, rate=ERROR_RATE, prior=None, may_ask=None):
        # type: (Optional[Strategy], int, float, Optional[Mapping[int, float]], Optional[Callable[[Symbols], bool]]) -> None
        self.otherwise = otherwise or Entropy()
        self.budget = max(2, budget)
        self.rate = rate
        self.prior = prior
        self.may_ask = may_ask

    def choose(self, position):  # type: (Position) -> Symbols
        """Name the next guess; `candidates` can be empty here. Raises `EveryWordAsked`."""
        if position.candidates:
            return self.otherwise.choose(position)
        weighed = self.weigh(position)
        words = self._list_heaviest(position, weighed)
        if not words:
            raise EveryWordAsked("Every word was asked, and each was wrong.")
        total = fsum(weight * count_ones(members) for weight, members in weighed)
        if round(words[0][1] / total, 9) >= BELIEVED_PROBABILITY:
            return words[0][0]
        return self._find_most_telling(position, words)

    def believes(self, position):  # type: (Position) -> bool
        """Return whether the word is likely one that fits every answer, all words being alike before them."""
        found = group_by_clashes(position.turns, position.index)
        weight = _weigh_groups(found, position.index.rules, self.rate)
        total = fsum(weight[key] * count_ones(found[key]) for key in found)
        fitting = fsum(weight[key] * count_ones(found[key] & position.candidates) for key in found)
        return bool(total) and round(fitting / total, 9) >= BELIEVED_PROBABILITY

    def doubts(self, position, word):  # type: (Position, Symbols) -> bool
        """Return whether a word is hardly the one: asked before, or far less likely than another."""
        weighed = self.weigh(position)
        own = position.index.select_word(word)
        return not any(members & own and weight >= _MIN_WEIGHT_SHARE * weighed[0][0] for weight, members in weighed)

    def weigh(self, position):  # type: (Position) -> List[Tuple[float, int]]
        """List weights and the sets of words that weigh so, heaviest first."""
        found = group_by_clashes(position.turns, position.index)
        weight = _weigh_groups(found, position.index.rules, self.rate)
        parts = [
            (weight[key] * prior, found[key] & members)
            for prior, members in self._weigh_words(position)
            for key in found
        ]
        # Rounded: equal weights can differ in their last digits.
        return sorted(
            ((value, members) for value, members in parts if members),
            key=lambda heap: (-round(log(heap[0]), 9), heap[1]),
        )

    def _weigh_words(self, position):  # type: (Position) -> List[Tuple[float, int]]
        if not self.prior or not position.bands:
            return [(1.0, position.index.everything)]
        least = min(self.prior.values())
        bands = list(reversed(position.bands))
        return [
            (self.prior.get(level, least), int("".join("01"[here == level] for here in bands), 2))
            for level in sorted(set(bands), key=lambda level: level or 0)
        ]

    def _list_heaviest(self, position, weighed):
        # type: (Position, Sequence[Tuple[float, int]]) -> List[Tuple[Symbols, float]]
        """List words that can be asked with their weights, heaviest first; a sample stands for too large a heap."""
        words = []  # type: List[Tuple[Symbols, float]]
        for weight, members in weighed:
            if len(words) >= _MAX_WEIGHED_GUESSES:
                break
            heap = [word for word in position.index.list_words(members) if self.may_ask is None or self.may_ask(word)]
            drawn = compat.draw_items(
                heap, _MAX_WEIGHED_GUESSES - len(words), position.seed, "weighed", position.turn, len(words)
            )
            words += [(word, weight * len(heap) / len(drawn)) for word in drawn]
        return words

    def _find_most_telling(self, position, words):  # type: (Position, Sequence[Tuple[Symbols, float]]) -> Symbols
        index = Index([word for word, _ in words], position.index.rules)
        alike = {}  # type: Dict[float, int]
        for number, (_, weight) in enumerate(words):
            alike[weight] = alike.get(weight, 0) | 1 << number
        total = fsum(weight for _, weight in words)
        weighed = [(weight / total, members) for weight, members in sorted(alike.items())]
        half = self.budget // 2
        guesses = list(index.words[:half])
        guesses += [word for word in self._draw_others(position, half) if word not in guesses]
        guesses = [word for word in guesses if not position.late & position.index.select_word(word)] or guesses

        def rank(guess):  # type: (Symbols) -> Tuple[int, int, int]
            # Whole steps, as in `Entropy`.
            told = int(measure_worth(index, guess, weighed) * 2**30 + 0.5)
            return -told, find_band(position, guess), position.index.select_word(guess)

        return min(guesses, key=rank)

    def _draw_others(self, position, count):  # type: (Position, int) -> List[Symbols]
        """Draw words of any weight, common ones if there are enough: a word that cannot be the secret can tell more."""
        words = position.index.words
        common = [
            number for number, level in enumerate(position.bands or ()) if level is not None and level <= _COMMON_BAND
        ]
        pool = common if len(common) >= count else range(len(words))
        drawn = [words[number] for number in compat.draw_items(pool, count, position.seed, "others", position.turn)]
        asked = {guess for guess, _ in position.turns}
        return [word for word in drawn if word not in asked and (self.may_ask is None or self.may_ask(word))]


def measure_worth(index, guess, weighed, parts=None):
    # type: (Index, Symbols, Sequence[Tuple[float, int]], Optional[Dict[Any, int]]) -> float
    """Return the bits the answer to `guess` tells on average, plus `FOUND_BITS` bits times the chance that it is the
    word.

    `weighed` has weights (1 in all) and the sets of words that weigh so. `parts` are the sets that the answers make of
    the other words, if the caller knows them. Formula: the sum of -p log2 p over the answers.
    """
    own = index.select_word(guess)
    if parts is None:
        parts = index.split(guess, index.everything & ~own)
    shares = [fsum(weight * count_ones(part & members) for weight, members in weighed) for part in parts.values()]
    won = fsum(weight for weight, members in weighed if members & own)
    told = fsum(-share * log(share) for share in shares + [won] if share) / log(2)
    return told + FOUND_BITS * won


# Strategies by name.

STRATEGIES = {kind.name: kind for kind in (Belief, Consistent, Entropy, Walk)}  # type: Dict[str, Any]


class UnknownStrategy(JottoError):
    """A strategy that does not exist."""


def find_strategy(name):  # type: (str) -> Strategy
    """Find a strategy by name; a walk has no tree yet. Raises `UnknownStrategy`."""
    if not isinstance(name, (text_type, bytes)) or name not in STRATEGIES:
        raise UnknownStrategy(
            "There is no strategy %s; choose one of: %s." % (quote_value(name), ", ".join(sorted(STRATEGIES)))
        )
    strategy = STRATEGIES[name]()  # type: Strategy
    return strategy
