"""Tree files without numpy: the certificate checked by a replay of all secrets, and a word's path explained."""

import functools
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb, log, log2
from operator import mul
from typing import Any

from jotto import feedback, tree
from jotto.compat import count_ones
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import Rules
from jotto_desk.errors import DeskError

# The certificate of a tree file, checked by a replay of all secrets; needs no numpy.
#
# The fields of a certificate, in addition to those that `jotto.tree` needs:
#
# * `format`, `seed`, `command`, `objective` (a sentence): how the tree came about; `cap`: the most turns allowed;
# * `total`: turns over all secrets found, the winning one counted; `mean`: total / secrets found; `max`;
# `distribution`:
# turns -> number of secrets, those the tree does not find under "0";
# * `weights`: "uniform", or "bands" and then `weighting`: band -> weight, where words of other bands weigh least;
# `weighted_total`: sum of weight x turns over the secrets found; `weighted_mean`: by the sum of their weights;
# * `hard`: true if the tree keeps Wordle's hard mode;
# * `lower_bound`: no tree has a smaller (weighted, if there are weights) total, or null; `proven`: the bound is met.

MAX_TURNS = 100
#: Numbers in a certificate are rounded for reading; a replay may differ by this.
_NEAR = 1e-6


class TreeMismatch(DeskError):
    """A tree that does not do what its certificate says."""


@dataclass(frozen=True)
class _TreeFigures:
    """The figures of a tree over all secrets: see the head of this module."""

    total: int
    mean: float | None
    max: int
    distribution: dict[str, int]
    weighted_total: float | None = None
    weighted_mean: float | None = None

    @property
    def missed(self) -> int:
        return self.distribution.get("0", 0)


@dataclass(frozen=True)
class VerifiedTree:
    """A verified tree: its certificate, the counts of the replay, and the size of the file."""

    certificate: dict[str, Any]
    figures: _TreeFigures
    nodes: int
    size: int

    def plain(self) -> dict[str, Any]:
        """Return certificate and figures as a dict that JSON can hold."""
        return {**self.certificate, **asdict(self.figures), "nodes": self.nodes, "bytes": self.size, "verified": True}


def sum_figures(turns: Mapping[Any, int], weights: Mapping[Any, int] | None) -> _TreeFigures:
    """Add up the turns every secret takes (0 if it is missed), and by weight if there are weights."""
    found = {secret: turn for secret, turn in turns.items() if turn}
    total = sum(found.values())
    counts = {str(turn): count for turn, count in sorted(Counter(turns.values()).items())}
    figures = _TreeFigures(total, total / len(found) if found else None, max(turns.values(), default=0), counts)
    if weights is None or not found:
        return figures
    heavy = sum(weights[secret] * turn for secret, turn in found.items())
    weight = sum(weights[secret] for secret in found)
    return _TreeFigures(total, figures.mean, figures.max, counts, heavy, heavy / weight)


def verify_tree(
    content: bytes,
    words: Sequence[Any] | None = None,
    bands: Sequence[int | None] = (),
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
    find_unused_hint: Callable[[Any, list[Turn]], str] | None = None,
) -> VerifiedTree:
    """Replay every secret with the slow reference scorer and check the certificate against the result.

    `words` is the tree's list (further words after it do not matter), with the band of each; None takes every code of
    the tree's rules. `progress` may wrap the secrets; `find_unused_hint` tells why hard mode forbids a guess after some
    turns. Raises `TreeError` if the file is not a sound tree of these words, `TreeMismatch` if certificate and replay
    differ.
    """
    found = tree.parse_tree(content)
    words = tree.list_codes(found.rules) if words is None else words
    bound = found.bound_to(words, found.rules)
    secrets = list(words[: found.certificate["words"]])
    is_hard = found.certificate.get("hard", False)
    if is_hard is not False and (is_hard is not True or found.rules.kind != feedback.MARKS):
        raise TreeMismatch("The certificate says hard mode, which these rules do not have; make the tree again.")
    hint = find_unused_hint if is_hard else None
    turns = {secret: _replay_secret(bound, secret, hint) for secret in progress(secrets)}
    figures = sum_figures(turns, _load_weights(found.certificate, secrets, bands))
    _compare(found.certificate, figures)
    return VerifiedTree(found.certificate, figures, len(found), len(content))


def _replay_secret(bound: tree.Tree, secret: Any, find_unused_hint: Callable[[Any, list[Turn]], str] | None) -> int:
    """Play one secret with the reference scorer: the turn it is found in, 0 when the tree does not find it."""
    score = feedback.SLOW_SCORERS[bound.rules.kind]
    node: int | None = 0
    turns: list[Turn] = []
    while node is not None and len(turns) < MAX_TURNS:
        guess = bound.word(node)
        if find_unused_hint and (wrong := find_unused_hint(guess, turns)):
            raise TreeMismatch(f"The certificate says hard mode, which forbids a guess. {wrong}")
        turns.append(Turn(guess, score(guess, secret)))
        if guess == secret:
            return len(turns)
        node = bound.find_child(node, turns[-1].feedback)
    return 0


def _load_weights(
    certificate: Mapping[str, Any], secrets: Sequence[Any], bands: Sequence[int | None]
) -> dict[Any, int] | None:
    weighting = certificate.get("weighting")
    if weighting is None:
        return None
    if not isinstance(weighting, dict) or not weighting or not all(_is_number(weight) for weight in weighting.values()):
        raise TreeMismatch("The certificate's weighting is not a table of bands and weights; make the tree again.")
    if len(bands) < len(secrets):
        wrong = "The tree weighs words by how common they are, and this list does not say it"
        raise TreeMismatch(f"{wrong}; give the list the tree was made for.")
    least = min(weighting.values())
    return {word: weighting.get(str(band), least) for word, band in zip(secrets, bands, strict=False)}


def _compare(certificate: Mapping[str, Any], figures: _TreeFigures) -> None:
    for field, counted in asdict(figures).items():
        said = certificate.get(field)
        if said != counted and not (_is_number(said) and _is_number(counted) and abs(said - counted) < _NEAR):
            raise TreeMismatch(f"The certificate says {field} {said}, but the replay of all secrets counts {counted}.")
    cost = figures.total if figures.weighted_total is None else figures.weighted_total
    bound, proven = certificate.get("lower_bound"), certificate.get("proven")
    if not isinstance(proven, bool) or not (bound is None or _is_number(bound)):
        raise TreeMismatch("The certificate does not say whether the tree is proven, or has no number as its bound.")
    # A tree that misses secrets is measured by more than its total.
    if bound is not None and not figures.missed and not bound <= cost + _NEAR:
        raise TreeMismatch(f"The certificate says that no tree is below {bound}, but this one has {cost}.")
    if proven and (bound is None or not (figures.missed or bound >= cost - _NEAR)):
        raise TreeMismatch(f"The certificate says proven, but its bound {bound} is not the total {cost}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# The path of a word in a tree: the information of each guess, compared with others; needs no numpy.

#: The most pairs of a word and a fitting word compared at one guess; feedback by marks is slower to count.
_MAX_PAIRS, _MAX_MARKED = 15_000_000, 300_000
_MAX_COMPARED_SHOWN = 6


@dataclass(frozen=True)
class GuessValue:
    """The value of a guess: expected bits of information, groups of words its answers make, size of the largest."""

    guess: Any
    bits: float
    groups: int
    largest: int
    fits: bool


@dataclass(frozen=True)
class PathStep:
    """One turn: words that fit before and after it, `told` bits of information, `turns` expected to the end.

    Of `compared` guesses, `most` has the most information, if that is more than this one has; `fitting` is the best of
    the guesses that can be the word; if this one cannot be, there always is one. Both are None if no such guess
    exists, and if at most two words fit.
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


def _split_others(index: Index, guess: Any, members: int) -> dict[Any, int]:
    """Split a set by the answers to a guess, without the guess itself: an anagram can get the same answer."""
    parts: dict[Any, int] = index.split(guess, members & ~index.select_word(guess))
    return parts


class _Secrets:
    """Words that can be the secret, with their weights, and an index of only these: small sets compare fast."""

    def __init__(self, words: Sequence[Any], weights: Sequence[int], rules: Rules) -> None:
        self.index, self.weights = Index(words, rules), weights
        self._masks = dict[int, int]()
        for number, weight in enumerate(weights):
            self._masks[weight] = self._masks.get(weight, 0) | 1 << number
        self.weight = sum(weights)
        #: The information of a guess whose answers tell all words apart.
        self.most_bits = self._compute_bits(weights)

    def weigh(self, members: int) -> int:
        """Add up the weights of a set."""
        return sum([weight * count_ones(mask & members) for weight, mask in self._masks.items()])

    def choose(self, members: int) -> "_Secrets":
        """Return only the words of a set."""
        if members == self.index.everything:
            return self
        kept = [number for number in range(len(self.index)) if members >> number & 1]
        words = [self.index.words[number] for number in kept]
        return _Secrets(words, [self.weights[number] for number in kept], self.index.rules)

    def split(self, guess: Any) -> list[int]:
        """List the sets that the answers to a guess make, that of the guess itself last."""
        own = self.index.select_word(guess)
        return [*_split_others(self.index, guess, self.index.everything).values(), *([own] if own else [])]

    def measure_bits(self, guess: Any) -> float:
        """Return the expected bits of information of a guess."""
        return self._compute_bits([self.weigh(part) for part in self.split(guess)])

    def _compute_bits(self, heavy: Sequence[int]) -> float:
        """Return the expected bits of information from the weights of the groups."""
        # Rounded, as sums in another order differ in their last digits.
        return round(log2(self.weight) - sum([each * log2(each) for each in heavy]) / self.weight, 9)

    def look(self, guess: Any) -> GuessValue:
        """Compute the value of a guess."""
        parts = self.split(guess)
        return GuessValue(guess, self.measure_bits(guess), len(parts), max(map(count_ones, parts)), guess in self.index)


#: Limits are raised by this, as sums of floats differ in their last digits.
_ROUNDING_BITS = 1e-6
#: Rounds of fitting a distribution; more lower the limits by less than 0.01 bits.
_FIT_ROUNDS = 20
#: A smaller variance counts as this one; longest step of a slope, in bits.
_MIN_SPREAD, _MAX_STEP = 1e-3, 2.0


class _Limits:
    """Upper limits of the information of words as guesses, at a tenth of the work of splitting the secrets.

    An answer by places says how many symbols are shared and how many of them are in place. For every distribution q of
    the answers, a guess has at most the mean of -log2 q as information (Gibbs' inequality). With -log2 q linear in the
    shared symbols, the pairs of them and those in place, this is a sum over symbols, pairs and places of the guess.
    """

    def __init__(self, words: Sequence[Any], rules: Rules) -> None:
        tables = [defaultdict[Any, int](count) for count in [itertools.count().__next__] * 3]
        symbols, pairs, places = [table.__getitem__ for table in tables]
        self._traits = dict[Any, list[int]]()
        for word in words:
            both = itertools.combinations(sorted(word, key=rules.alphabet.index), 2)
            self._traits[word] = [*map(symbols, word), *map(pairs, both), *map(places, enumerate(word))]
        kinds = ((number, kind) for kind, table in enumerate(tables) for number in table.values())
        self._kinds = [kind for _, kind in sorted(kinds)]
        self._counts = Counter(itertools.chain.from_iterable(self._traits.values()))
        counts = range(rules.length + 1)
        self._answers = [(shared, comb(shared, 2), placed) for shared in counts for placed in range(shared + 1)]

    def compute(self, secrets: _Secrets) -> dict[Any, float]:
        """Return the limit of every word, in bits."""
        weights = [0] * len(self._kinds)
        for word, weight in zip(secrets.index.words, secrets.weights, strict=True):
            for trait in self._traits[word]:
                weights[trait] += weight
        means = [0.0, 0.0, 0.0]
        for trait, kind in enumerate(self._kinds):
            means[kind] += weights[trait] * self._counts[trait] / (secrets.weight * len(self._traits))
        slopes, least = self._fit_slopes(means)
        bits = [slopes[kind] * weight / secrets.weight for kind, weight in zip(self._kinds, weights, strict=True)]
        most, value = secrets.most_bits, bits.__getitem__
        return {word: min(most, least + sum(map(value, traits))) for word, traits in self._traits.items()}

    def _fit_slopes(self, means: Sequence[float]) -> tuple[list[float], float]:
        """Return the slopes of -log2 q for a q with nearly these means, and its value if nothing is shared."""
        slopes, powers = [0.0, 0.0, 0.0], [0.0] * len(self._answers)
        for part in [0, 1, 2] * _FIT_ROUNDS:
            values, most = [answer[part] for answer in self._answers], max(powers)
            shares = [2.0 ** (power - most) for power in powers]
            mean = sum(map(mul, shares, values)) / sum(shares)
            spread = sum(map(mul, shares, [(value - mean) ** 2 for value in values])) / sum(shares)
            # Newton's method for one slope; without bounds it can diverge.
            step = (mean - means[part]) / (log(2) * max(spread, _MIN_SPREAD))
            slopes[part] += min(max(step, -_MAX_STEP), _MAX_STEP)
            powers = [-sum(map(mul, slopes, answer)) for answer in self._answers]
        most = max(powers)
        return slopes, most + log2(sum(2.0 ** (power - most) for power in powers)) + _ROUNDING_BITS


class TreeExplorer:
    """A tree with its words; `weights` has the weights of the secrets, which are all the same if it is empty."""

    def __init__(self, bound: tree.Tree, words: Sequence[Any], weights: Sequence[int] = ()) -> None:
        self.tree = bound
        self._every = _Secrets(words, weights or [1] * len(words), bound.rules)
        self.index = self._every.index
        is_limited = bound.rules.kind == feedback.PLACES and not bound.rules.repeats
        self._limits = _Limits([*words, *bound.extra], bound.rules) if is_limited else None

    def follow_secret(self, secret: Any) -> Iterator[PathStep]:
        """Yield the turns until the secret is found, or the tree ends."""
        node: int | None = 0
        members, turn = self.index.everything, 0
        while node is not None:
            turn += 1
            guess = self.tree.word(node)
            step, members = self._step(turn, node, members, secret)
            yield step
            node = None if guess == secret else self.tree.find_child(node, step.answer)

    def _step(self, turn: int, node: int, members: int, secret: Any) -> tuple[PathStep, int]:
        guess, left = self.tree.word(node), self.index.select_word(secret)
        if guess != secret:
            left = next(part for part in _split_others(self.index, guess, members).values() if part & left)
        secrets = self._every.choose(members)
        here, rivals = secrets.look(guess), self._list_rivals(guess, members)
        fitting = [word for word in rivals if word in secrets.index]
        limits = dict.fromkeys(rivals, secrets.most_bits)
        if self._limits is not None and rivals:
            limits = self._limits.compute(secrets)
        measure = functools.cache(secrets.measure_bits)
        best = (
            _find_better(here.bits, rivals, limits, measure),
            _find_better(here.bits if here.fits else -1.0, fitting, limits, measure),
        )
        looks = [None if word is None else secrets.look(word) for word in best]
        answer, sizes = self.tree.rules.score(guess, secret), (count_ones(members), count_ones(left))
        told, turns = log2(secrets.weight / self._every.weigh(left)), self.count_turns(node, members)
        some = tuple(self.index.list_words(left)[:_MAX_COMPARED_SHOWN])
        return PathStep(turn, here, answer, *sizes, told, turns, some, len(rivals) + 1, *looks), left

    def count_turns(self, node: int, members: int) -> float:
        """Return the mean number of turns from a node to the end, over the words the tree finds there."""
        total, found = self._count(node, members)
        return total / found if found else 0.0

    def _count(self, node: int, members: int) -> tuple[int, int]:
        """Sum up turns times weight, and weight, over the words found below a node."""
        guess = self.tree.word(node)
        own = members & self.index.select_word(guess)
        total = found = self._every.weigh(own)
        for code, part in _split_others(self.index, guess, members).items() if own != members else ():
            child = self.tree.find_child(node, code)
            if child is not None:
                turns, weight = self._count(child, part)
                total, found = total + turns + weight, found + weight
        return total, found

    def _list_rivals(self, guess: Any, members: int) -> list[Any]:
        """List the words to compare with a guess: those that fit first, then the rest of the list."""
        fitting = self.index.list_words(members)
        if len(fitting) <= 2:
            return []
        most = max(50, (_MAX_MARKED if self.tree.rules.kind == feedback.MARKS else _MAX_PAIRS) // len(fitting))
        known = set(fitting)
        others = [*fitting, *(word for word in (*self.index.words, *self.tree.extra) if word not in known)]
        return [word for word in others[:most] if word != guess]


def _find_better(
    least: float, words: Sequence[Any], limits: Mapping[Any, float], measure: Callable[[Any], float]
) -> Any:
    """Return the first of the words with the most information if that is more than `least`, else None."""
    bits, most = dict[Any, float](), least
    for word in sorted(words, key=limits.__getitem__, reverse=True):
        # Of guesses with the same limit, the first comes first.
        if limits[word] <= most:
            break
        bits[word] = measure(word)
        most = max(most, bits[word])
    best = max(filter(bits.__contains__, words), key=bits.__getitem__, default=None)
    return best if best is not None and bits[best] > least else None
