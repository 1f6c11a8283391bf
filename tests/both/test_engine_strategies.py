"""Strategies: whole games, the measures compared with slow ones, ties, and answers that may be wrong."""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import Counter
from math import log

import pytest
from engine_words import WORDS
from hypothesis import given, strategies as st

from jotto import compat, feedback, strategies
from jotto.feedback import COMMON, MARKS, PLACES, Feedback
from jotto.index import Index
from jotto.rules import JOTTO, PAPER_JOTTO, WORDLE, Rules
from jotto.strategies import Belief, Consistent, Entropy, Position, Strategy, find_strategy

INDEX = Index(WORDS, JOTTO)
BANDS = tuple((10, 20, 35, None)[number % 4] for number in range(len(WORDS)))


def test_golden_games():
    def transcript(strategy, secret, seed, bands=BANDS):
        turns = []
        while not turns or turns[-1][0] != secret:
            position = Position(INDEX, INDEX.find_candidates(turns), bands, len(turns), seed)
            guess = strategy.choose(position)
            turns.append((guess, JOTTO.score(guess, secret)))
        return ", ".join("%s %d%d" % (guess, score.exact, score.misplaced) for guess, score in turns)

    for name, secret, seed, expected in [
        ("consistent", "ocean", 1, "place 03, early 02, ocean 50"),
        ("consistent", "zebra", 2, "route 02, exist 01, below 11, zebra 50"),
        ("consistent", "quilt", 3, "fruit 12, shirt 20, built 40, quilt 50"),
        ("entropy", "ocean", 1, "slave 02, moral 11, bread 20, ocean 50"),
        ("entropy", "zebra", 2, "slate 02, labor 12, below 11, zebra 50"),
        ("entropy", "quilt", 3, "plate 02, labor 01, trend 01, quilt 50"),
    ]:
        assert transcript(find_strategy(name), secret, seed) == expected, (name, secret, seed, expected)


def test_what_is_examined_is_common_where_there_is_choice():
    for seed in range(20):
        first = find_strategy("entropy").choose(Position(INDEX, INDEX.everything, BANDS, 0, seed))
        assert BANDS[WORDS.index(first)] is not None


ANAGRAMS = ("aster", "rates", "stare", "tares", "tears", "ocean", "canoe", "least", "slate", "stale", "steal", "tales")


def test_anagrams_answer_alike_and_none_is_asked_twice():
    for name in strategies.STRATEGIES:
        index = Index(ANAGRAMS, PAPER_JOTTO)
        for seed, secret in enumerate(ANAGRAMS):
            turns = []
            while not turns or turns[-1][0] != secret:
                position = Position(index, index.find_candidates(turns), None, len(turns), seed, tuple(turns))
                guess = find_strategy(name).choose(position)
                assert guess not in dict(turns), name
                turns.append((guess, PAPER_JOTTO.score(guess, secret)))
            assert len(turns) <= len(ANAGRAMS), name


@given(st.data())
def test_bits_are_those_of_a_slow_histogram(data):
    def slow_bits(score, guess, candidates):
        sizes = Counter(score(guess, word) for word in candidates).values()
        total = len(candidates)
        return -sum(size / total * log(size / total, 2) for size in sizes)

    rules = Rules("small", 4, "abcd", True, data.draw(st.sampled_from([PLACES, MARKS, COMMON])))
    word = st.text("abcd", min_size=4, max_size=4)
    index = Index(data.draw(st.lists(word, min_size=1, max_size=40, unique=True)), rules)
    members = data.draw(st.integers(1, index.everything))
    guess = data.draw(word)
    slow = slow_bits(feedback.SLOW_SCORERS[rules.kind], guess, index.list_words(members))
    assert abs(Entropy.compute_bits(index, guess, members) - slow) < 1e-9


def test_bits_of_hardly_anything():
    assert Entropy.compute_bits(INDEX, "ocean", 0) == 0
    assert Entropy.compute_bits(INDEX, "ocean", INDEX.select_word("ocean")) == 0
    both = INDEX.select_word("ocean") | INDEX.select_word("canoe")
    assert abs(Entropy.compute_bits(INDEX, "ocean", both) - 1) < 1e-12
    assert Entropy.compute_bits(Index((), JOTTO), "ocean", 0) == 0


def test_budget():
    class Counting(Entropy):
        def __init__(self, budget):
            super(Counting, self).__init__(budget)
            self.examined = []

        def compute_bits(self, index, guess, candidates):
            self.examined.append(guess)
            return Entropy.compute_bits(index, guess, candidates)

    for budget, looked_at in ((1, 1), (2, 2), (48, 48), (10**9, 60), (0, 1), (-5, 1)):
        counting = Counting(budget)
        guess = counting.choose(Position(INDEX, (1 << 60) - 1, None, 0, 1))
        assert len(counting.examined) == len(set(counting.examined)) == looked_at, (budget, looked_at)
        assert guess in counting.examined and set(counting.examined) <= set(WORDS[:60]), (budget, looked_at)


def test_equal_guesses_are_parted_by_commonness_then_by_list_order():
    for bands, best in (
        (None, "right"),
        ((10, 10, 10), "right"),
        ((35, 20, 10), "fight"),
        ((35, 10, 10), "night"),
        ((None, None, 50), "fight"),
        ((None, 20, None), "night"),
        ((99, None, None), "right"),
        ((0, None, None), "right"),
    ):
        # Not in alphabetical order; with letters in common, every one separates the other two equally well.
        index = Index(("right", "night", "fight"), PAPER_JOTTO)
        bits = {round(Entropy.compute_bits(index, word, index.everything), 9) for word in index.words}
        assert len(bits) == 1, (bands, best)
        assert {Entropy().choose(Position(index, index.everything, bands, 0, seed)) for seed in range(5)} == {best}


def test_sums_of_logarithms_that_differ_in_the_last_digit_are_a_tie():
    class PrescribedSplits(Index):
        """An index that splits as prescribed: set sizes per guess."""

        def __init__(self, sizes):
            super(PrescribedSplits, self).__init__(WORDS[: sum(sizes["about"])], JOTTO)
            self.sizes = sizes

        def split(self, guess, members):
            return {number: (1 << size) - 1 for number, size in enumerate(self.sizes.get(guess, [len(self)]))}

    for one, other in (
        # Each pair gives the same: 4 log 4 is 4 times 2 log 2, 6 log 6 is twice 3 log 3 and three times 2 log 2 ...
        ((4, 1, 1, 1, 1), (2, 2, 2, 2)),
        ((6, 1, 1, 1, 1, 1, 1), (3, 3, 2, 2, 2)),
        ((12,) + (1,) * 12, (3, 3, 3, 3, 4, 4, 4)),
    ):
        for first, second in ((one, other), (other, one)):
            index = PrescribedSplits({"about": first, "above": second})
            assert Entropy().choose(Position(index, index.everything, None, 0, 1)) == "about", "the first in the list"


def test_hardly_any_words():
    for rules in (JOTTO, WORDLE, PAPER_JOTTO):
        for name in strategies.STRATEGIES:
            for words in (("ocean",), ("ocean", "canoe")):
                index = Index(words, rules)
                assert find_strategy(name).choose(Position(index, index.everything, None, 0, 1)) in words


def test_band():
    position = Position(INDEX, INDEX.everything, BANDS, 0, 1)
    assert [strategies.find_band(position, word) for word in WORDS[:4]] == [10, 20, 35, 99]
    assert strategies.find_band(position, "words") == 99, "not in the list"
    assert strategies.find_band(position._replace(bands=None), WORDS[0]) == 99


def test_unknown_strategies():
    named = [(name, "'%s'" % name) for name in ("luck", "", "Entropy", "\u00e9")]
    for name, shown in named + [(None, "None"), (3, "3"), (b"\xc3", "'\ufffd'"), ([], "[]")]:
        with pytest.raises(strategies.UnknownStrategy) as caught:
            find_strategy(name)
        known = ", ".join(sorted(strategies.STRATEGIES))
        assert "%s" % caught.value == "There is no strategy %s; choose one of: %s." % (shown, known)


def test_names():
    assert all(find_strategy(name).name == name for name in strategies.STRATEGIES)
    with pytest.raises(NotImplementedError):
        strategies.Strategy().choose(None)


# Wrong answers: weights compared with Bayes written out, golden games, and games that end with any answers.


class First(Strategy):
    """Asks a word of its own, so that its guesses can be told from others."""

    def choose(self, position):
        return "first"


def position_of(turns, index=INDEX, bands=BANDS, seed=1):
    turns = tuple(turns)
    return Position(index, index.find_candidates(turns), bands, len(turns), seed, turns)


def test_answers_off_by_one_letter():
    for rules, noted, expected in (
        (JOTTO, (1, 2), [(0, 2), (0, 3), (1, 1), (1, 3), (2, 1), (2, 2)]),
        (JOTTO, (4, 0), [(3, 0), (3, 1), (5, 0)]),
        (PAPER_JOTTO, 3, [2, 4]),
        (WORDLE, "EPNNN", ["EENNN", "ENNNN", "EPENN", "EPNEN", "EPNNE", "EPNNP", "EPNPN", "EPPNN", "NPNNN", "PPNNN"]),
    ):
        given_ever = set(rules.list_feedback())
        assert sorted(other for other in strategies.list_near_answers(noted, rules) if other in given_ever) == expected


def test_the_chances_of_all_wrong_answers_are_the_rate():
    for rate in (0.01, 0.05, 0.5):
        for rules, close, others in ((JOTTO, 6, 12), (PAPER_JOTTO, 2, 3), (WORDLE, 10, 226)):
            off, far = strategies.rate_near_answers(rules, rate)
            assert abs(off * close + far * others - rate / (1 - rate)) < 1e-12, (rules, close, others, rate)
            assert abs(off * close - 2 * far * others) < 1e-12, (rules, close, others, rate)


def is_near(one, other, kind):
    """Return whether two answers differ in one letter, which is in place, misplaced or missing in either."""
    if kind == COMMON:
        return abs(one - other) == 1
    if kind == MARKS:
        return sum(mine != theirs for mine, theirs in zip(one, other)) == 1
    return sorted([one[0] - other[0], one[1] - other[1], sum(other) - sum(one)]) == [-1, 0, 1]


def slow_weight(word, turns, rules, rate):
    """Compute Bayes, one word at a time; 0 for a word that was asked."""
    off, far = strategies.rate_near_answers(rules, rate)
    weight = 1.0
    for guess, noted in turns:
        right = feedback.SLOW_SCORERS[rules.kind](guess, word)
        weight *= 1 if right == noted else off if is_near(right, noted, rules.kind) else far
    return 0 if word in [guess for guess, _ in turns] else weight


@st.composite
def noted_games(draw):
    """Make an index of a few words and turns with any answers."""
    rules = Rules("small", 4, "abcd", True, draw(st.sampled_from([PLACES, MARKS, COMMON])))
    word = st.text("abcd", min_size=4, max_size=4)
    index = Index(draw(st.lists(word, min_size=1, max_size=40, unique=True)), rules)
    answers = [answer for answer in rules.list_feedback() if answer != rules.win]
    turn = st.tuples(word | st.sampled_from(index.words), st.sampled_from(answers))
    return index, draw(st.lists(turn, min_size=1, max_size=5))


@given(noted_games(), st.sampled_from([0.01, 0.05, 0.3]))
def test_weights_are_those_of_bayes(game, rate):
    index, turns = game
    slow = {word: slow_weight(word, turns, index.rules, rate) for word in index.words}
    weighed = Belief(rate=rate).weigh(position_of(turns, index, ()))
    fast = {word: weight for weight, members in weighed for word in index.list_words(members)}
    assert set(fast) == {word for word in index.words if slow[word]}
    heaviest = max(slow.values())
    assert all(abs(fast[word] - slow[word] / heaviest) < 1e-9 for word in fast)
    assert [weight for weight, _ in weighed] == sorted((weight for weight, _ in weighed), reverse=True)


def test_a_prior_weighs_words_by_their_band():
    turns = [("ocean", Feedback(0, 2)), ("built", Feedback(1, 0))]
    prior = {10: 32, 20: 16, 35: 4}
    weighed = Belief(prior=prior).weigh(position_of(turns))
    fast = {word: weight for weight, members in weighed for word in INDEX.list_words(members)}
    plain = Belief().weigh(position_of(turns))
    alike = {word: weight for weight, members in plain for word in INDEX.list_words(members)}
    # Bands without a weight weigh as the least.
    assert {word: fast[word] / alike[word] for word in alike} == pytest.approx(
        {word: prior.get(band, 4) for word, band in zip(WORDS, BANDS) if word in alike}
    )


@given(noted_games(), st.data())
def test_what_a_guess_is_worth(game, data):
    index, turns = game
    slow = {word: slow_weight(word, turns, index.rules, 0.05) for word in index.words}
    total = sum(slow.values())
    if not total:
        return
    weighed = [(slow[word] / total, index.select_word(word)) for word in index.words]
    guess = data.draw(st.text("abcd", min_size=4, max_size=4) | st.sampled_from(index.words))
    parts = {}
    for word in index.words:
        key = "won" if word == guess else feedback.SLOW_SCORERS[index.rules.kind](guess, word)
        parts[key] = parts.get(key, 0) + slow[word] / total
    bits = -sum(share * log(share, 2) for share in parts.values() if share)
    assert abs(strategies.measure_worth(index, guess, weighed) - bits - 2 * parts.get("won", 0)) < 1e-9


def play(strategy, secret, seed=1, noted=None, index=INDEX):
    """Play a game; return its turns. `noted` (turn, right answer) may replace an answer; the winning one is None."""
    turns = []
    while True:
        guess = strategy.choose(position_of(turns, index, BANDS if index is INDEX else (), seed))
        if guess == secret:
            return turns + [(guess, None)]
        right = index.rules.score(guess, secret)
        turns.append((guess, noted(len(turns), right) if noted else right))


def test_golden_games_with_wrong_answers():
    def show_turns(turns):
        return ", ".join(guess if noted is None else "%s %d%d" % (guess, noted[0], noted[1]) for guess, noted in turns)

    for secret, wrong, expected in (
        ("ocean", {}, "slave 02, moral 11, bread 20, ocean"),
        ("ocean", {0: (0, 1)}, "slave 01, merit 01, organ 30, urban 20, woman 21, ocean"),
        ("ocean", {1: (0, 4)}, "slave 02, moral 04, labor 02, dream 20, ocean"),
        ("zebra", {0: (1, 1), 1: (0, 0)}, "slave 11, roast 00, uncle 01, heart 21, ready 12, zebra"),
        ("quilt", {2: (3, 0)}, "slave 01, merit 11, light 30, pilot 12, built 40, quilt"),
    ):
        turns = play(Belief(), secret, noted=lambda turn, right, wrong=wrong: Feedback(*wrong.get(turn, right)))
        assert show_turns(turns) == expected, (secret, wrong, expected)


@pytest.mark.only_python_3
def test_without_errors_it_asks_what_the_other_strategy_asks():
    for otherwise in (Consistent(), Entropy()):
        for seed, secret in enumerate(WORDS[::15]):
            turns = play(otherwise, secret, seed)
            for number in range(len(turns)):
                position = position_of(turns[:number], seed=seed)
                assert Belief(otherwise, rate=0).choose(position) == turns[number][0], otherwise


def test_the_other_strategy_chooses_while_words_fit():
    for turns, fits in (
        ([], True),
        ([("ocean", Feedback(0, 2))], True),
        ([("ocean", Feedback(0, 2)), ("built", Feedback(1, 1))], True),
        # Nothing fits.
        ([("ocean", Feedback(0, 2)), ("ocean", Feedback(0, 3))], False),
    ):
        assert (Belief(First()).choose(position_of(turns)) == "first") is fits, (turns, fits)


def test_what_fits_is_believed_while_it_is_likely():
    for turns, rate, believed in (
        ([], 0.05, True),
        ([("ocean", Feedback(1, 2)), ("built", Feedback(1, 1))], 0.05, True),
        # One word fits, and many answers are wrong.
        ([("ocean", Feedback(1, 2)), ("built", Feedback(1, 1))], 0.3, False),
        ([("ocean", Feedback(0, 2)), ("ocean", Feedback(0, 3))], 0.05, False),
    ):
        assert Belief(rate=rate).believes(position_of(turns)) is believed, (turns, rate, believed)


def test_a_word_is_doubted_beside_a_likelier_one():
    turns = [("ocean", Feedback(0, 2)), ("built", Feedback(1, 0))]
    position = position_of(turns)
    fitting = INDEX.list_words(position.candidates)
    others = [word for word in WORDS if word not in fitting]
    assert fitting and not any(Belief().doubts(position, word) for word in fitting)
    assert all(Belief().doubts(position, word) for word in others + ["vague"])
    # With answers that are hardly ever right, every word stays doubtful.
    assert not Belief(rate=0.5).doubts(position, next(word for word in others if word not in ("ocean", "built")))


def test_one_word_alone_is_asked_and_none_if_every_word_was():
    assert Belief(First()).choose(Position(INDEX, INDEX.everything, BANDS, 3, 1)) == "first", "no turns"
    answers = [(guess, JOTTO.score(guess, "zebra")) for guess in ("ocean", "built", "large", "bread")]
    wrong = answers[:1] + [("built", Feedback(2, 3))] + answers[1:]
    assert not INDEX.find_candidates(wrong)
    assert Belief().choose(position_of(wrong)) == "zebra"
    turns = (("ocean", Feedback(0, 2)), ("built", Feedback(0, 0)))
    with pytest.raises(strategies.EveryWordAsked):
        Belief().choose(position_of(turns, Index(("ocean", "built"), JOTTO), ()))


@pytest.mark.only_python_3
def test_every_game_ends_with_the_word_and_no_word_is_asked_twice():
    def errors(rate, rules, *purpose):
        """Make an ear that notes another answer now and then."""

        def noted(turn, right):
            if compat.draw_number(1000, 1, "wrong?", turn, *purpose) >= rate * 1000:
                return right
            others = [other for other in rules.list_feedback() if other not in (right, rules.win)]
            return compat.draw_item(others, 1, "wrong", turn, *purpose)

        return noted

    for rate in (0.05, 0.3):
        for rules in (JOTTO, PAPER_JOTTO, WORDLE):
            words = WORDS[::4]
            index = Index(words, rules)
            for seed, secret in enumerate(words[:: 8 if rules == WORDLE else 3]):
                asked = [guess for guess, _ in play(Belief(budget=8), secret, seed, errors(rate, rules, secret), index)]
                assert len(set(asked)) == len(asked) and asked[-1] == secret, (rules, rate)


@pytest.mark.only_python_3
def test_forbidden_words_are_not_asked():
    def may_ask(word):
        return word[0] not in "abcs"

    fine = [word for word in WORDS if may_ask(word)]
    for seed, secret in enumerate(fine[::20]):
        turns = [("ocean", Feedback(0, 2)), ("slate", Feedback(2, 3))]
        strategy = Belief(First(), may_ask=may_ask)
        while turns[-1][0] != secret:
            guess = strategy.choose(position_of(turns, seed=seed)._replace(candidates=0))
            assert may_ask(guess)
            turns.append((guess, JOTTO.score(guess, secret)))
