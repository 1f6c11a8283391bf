"""Strategies: whole games as golden transcripts, the measure compared with a slow one, ties and budgets."""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import Counter
from math import log

import pytest
from engine_words import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto import feedback, strategies
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import JOTTO, PAPER_JOTTO, WORDLE, Rules
from jotto.strategies import Entropy, Position, UnknownStrategy, find_band, find_strategy

MODEST = settings(max_examples=50, deadline=None, database=None, derandomize=True)
INDEX = Index(WORDS, JOTTO)
BANDS = tuple((10, 20, 35, None)[number % 4] for number in range(len(WORDS)))

GAMES = [
    ("consistent", "ocean", 1, "place 03, early 02, ocean 50"),
    ("consistent", "zebra", 2, "route 02, exist 01, below 11, zebra 50"),
    ("consistent", "quilt", 3, "fruit 12, shirt 20, built 40, quilt 50"),
    ("entropy", "ocean", 1, "slave 02, moral 11, bread 20, ocean 50"),
    ("entropy", "zebra", 2, "slate 02, labor 12, below 11, zebra 50"),
    ("entropy", "quilt", 3, "plate 02, labor 01, trend 01, quilt 50"),
]


def transcript(strategy, secret, seed, bands=BANDS):
    turns = []
    while not turns or turns[-1][0] != secret:
        position = Position(INDEX, INDEX.candidates(turns), bands, len(turns), seed)
        guess = strategy.choose(position)
        turns.append((guess, JOTTO.score(guess, secret)))
    return ", ".join("%s %d%d" % (guess, score.exact, score.misplaced) for guess, score in turns)


@pytest.mark.parametrize("name, secret, seed, expected", GAMES)
def test_golden_games(name, secret, seed, expected):
    assert transcript(find_strategy(name), secret, seed) == expected


def test_what_is_examined_is_common_where_there_is_choice():
    for seed in range(20):
        first = find_strategy("entropy").choose(Position(INDEX, INDEX.everything, BANDS, 0, seed))
        assert BANDS[WORDS.index(first)] is not None


@pytest.mark.parametrize("name", ["consistent", "entropy"])
def test_every_game_ends_with_the_word(name):
    lengths = [transcript(find_strategy(name), secret, seed).count(",") + 1 for seed, secret in enumerate(WORDS[::9])]
    assert max(lengths) <= 8 and sum(lengths) / len(lengths) < 5


ANAGRAMS = ("aster", "rates", "stare", "tares", "tears", "ocean", "canoe", "least", "slate", "stale", "steal", "tales")


@pytest.mark.parametrize("name", ["belief", "consistent", "entropy", "tree"])
def test_anagrams_answer_alike_and_none_is_asked_twice(name):
    index = Index(ANAGRAMS, PAPER_JOTTO)
    for seed, secret in enumerate(ANAGRAMS):
        turns = []
        while not turns or turns[-1][0] != secret:
            position = Position(index, index.candidates(turns), None, len(turns), seed, tuple(turns))
            guess = find_strategy(name).choose(position)
            assert guess not in dict(turns)
            turns.append((guess, PAPER_JOTTO.score(guess, secret)))
        assert len(turns) <= len(ANAGRAMS)


def test_another_seed_is_another_game():
    assert len({transcript(find_strategy("consistent"), "ocean", seed) for seed in range(20)}) > 10


def slow_bits(score, guess, candidates):
    sizes = Counter(score(guess, word) for word in candidates).values()
    total = len(candidates)
    return -sum(size / total * log(size / total, 2) for size in sizes)


@MODEST
@given(st.data())
def test_bits_are_those_of_a_slow_histogram(data):
    rules = Rules("small", 4, "abcd", True, data.draw(st.sampled_from([PLACES, MARKS, COMMON])))
    word = st.text("abcd", min_size=4, max_size=4)
    index = Index(data.draw(st.lists(word, min_size=1, max_size=40, unique=True)), rules)
    members = data.draw(st.integers(1, index.everything))
    guess = data.draw(word)
    slow = slow_bits(feedback.SLOW_SCORERS[rules.kind], guess, index.chosen(members))
    assert abs(Entropy.bits(index, guess, members) - slow) < 1e-9


def test_bits_of_hardly_anything():
    assert Entropy.bits(INDEX, "ocean", 0) == 0
    assert Entropy.bits(INDEX, "ocean", INDEX.bit("ocean")) == 0
    assert abs(Entropy.bits(INDEX, "ocean", INDEX.bit("ocean") | INDEX.bit("canoe")) - 1) < 1e-12
    assert Entropy.bits(Index((), JOTTO), "ocean", 0) == 0


class Counting(Entropy):
    """Entropy that notes what it examines."""

    def __init__(self, budget):
        super(Counting, self).__init__(budget)
        self.examined = []

    def bits(self, index, guess, candidates):
        self.examined.append(guess)
        return Entropy.bits(index, guess, candidates)


@pytest.mark.parametrize("budget, looked_at", [(1, 1), (2, 2), (48, 48), (10**9, 60), (0, 1), (-5, 1)])
def test_budget(budget, looked_at):
    counting = Counting(budget)
    guess = counting.choose(Position(INDEX, (1 << 60) - 1, None, 0, 1))
    assert len(counting.examined) == len(set(counting.examined)) == looked_at
    assert guess in counting.examined and set(counting.examined) <= set(WORDS[:60])


def test_the_best_of_all_is_the_best_by_the_slow_measure():
    candidates = WORDS[:40]
    best = Entropy().choose(Position(INDEX, (1 << 40) - 1, None, 0, 1))
    most = max(slow_bits(feedback.score_places_slowly, guess, candidates) for guess in candidates)
    assert abs(slow_bits(feedback.score_places_slowly, best, candidates) - most) < 1e-9


@pytest.mark.parametrize(
    "bands, best",
    [
        (None, "right"),
        ((10, 10, 10), "right"),
        ((35, 20, 10), "fight"),
        ((35, 10, 10), "night"),
        ((None, None, 50), "fight"),
        ((None, 20, None), "night"),
        ((99, None, None), "right"),
        ((0, None, None), "right"),
    ],
)
def test_equal_guesses_are_parted_by_commonness_then_by_list_order(bands, best):
    # Not in alphabetical order; with letters in common, every one separates the other two equally well.
    index = Index(("right", "night", "fight"), PAPER_JOTTO)
    assert len({round(Entropy.bits(index, word, index.everything), 9) for word in index.words}) == 1
    assert {Entropy().choose(Position(index, index.everything, bands, 0, seed)) for seed in range(5)} == {best}


class PrescribedSplits(Index):
    """An index that splits as prescribed: set sizes per guess."""

    def __init__(self, sizes):
        super(PrescribedSplits, self).__init__(WORDS[: sum(sizes["about"])], JOTTO)
        self.sizes = sizes

    def split(self, guess, members):
        return {number: (1 << size) - 1 for number, size in enumerate(self.sizes.get(guess, [len(self)]))}


@pytest.mark.parametrize(
    "one, other",
    [
        # Each pair gives the same: 4 log 4 is 4 times 2 log 2, 6 log 6 is twice 3 log 3 and three times 2 log 2 ...
        ((4, 1, 1, 1, 1), (2, 2, 2, 2)),
        ((6, 1, 1, 1, 1, 1, 1), (3, 3, 2, 2, 2)),
        ((12,) + (1,) * 12, (3, 3, 3, 3, 4, 4, 4)),
    ],
)
def test_sums_of_logarithms_that_differ_in_the_last_digit_are_a_tie(one, other):
    for first, second in ((one, other), (other, one)):
        index = PrescribedSplits({"about": first, "above": second})
        assert Entropy().choose(Position(index, index.everything, None, 0, 1)) == "about", "the first in the list"


@pytest.mark.parametrize("words", [("ocean",), ("ocean", "canoe")])
@pytest.mark.parametrize("name", ["consistent", "entropy"])
@pytest.mark.parametrize("rules", [JOTTO, WORDLE, PAPER_JOTTO])
def test_hardly_any_words(words, name, rules):
    index = Index(words, rules)
    assert find_strategy(name).choose(Position(index, index.everything, None, 0, 1)) in words


def test_symbols_that_cannot_be_sorted():
    index = Index([("a", 1), (1, "a")], Rules("odd", 2, ("a", 1), False, PLACES))
    assert find_strategy("entropy").choose(Position(index, index.everything, None, 0, 1)) == ("a", 1)


def test_band():
    position = Position(INDEX, INDEX.everything, BANDS, 0, 1)
    assert [find_band(position, word) for word in WORDS[:4]] == [10, 20, 35, 99]
    assert find_band(position, "words") == 99, "not in the list"
    assert find_band(position._replace(bands=None), WORDS[0]) == 99


@pytest.mark.parametrize(
    "name, shown",
    [
        ("luck", "'luck'"),
        ("", "''"),
        ("Entropy", "'Entropy'"),
        ("\u00e9", "'\u00e9'"),
        (None, "None"),
        (3, "3"),
        (b"\xc3", "'\ufffd'"),
        ([], "[]"),
    ],
)
def test_unknown_strategies(name, shown):
    with pytest.raises(UnknownStrategy) as caught:
        find_strategy(name)
    assert "%s" % caught.value == "There is no strategy %s; choose one of: belief, consistent, entropy, tree." % shown


def test_names():
    assert sorted(strategies.STRATEGIES) == ["belief", "consistent", "entropy", "tree"]
    assert all(find_strategy(name).name == name for name in strategies.STRATEGIES)
    with pytest.raises(NotImplementedError):
        strategies.Strategy().choose(None)
