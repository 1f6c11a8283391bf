"""Sets of bits find what a pass over the list finds; and what Python 2.7 and 3 do alike."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools

import pytest
from engine_words import WORDS
from hypothesis import given, strategies as st

from jotto import feedback as reference
from jotto.compat import as_native, as_text, count_ones, draw_item, draw_items, draw_number, is_integer, quote_value
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import JOTTO, MASTERMIND, PAPER_JOTTO, WORDLE, Rules

KINDS = st.sampled_from([PLACES, MARKS, COMMON])


def brute_force(index, guess, feedback):
    score = reference.SLOW_SCORERS[index.rules.kind]
    return [word for word in index.words if score(guess, word) == feedback]


@st.composite
def lists(draw):
    """Make an index of 0 to 40 different words of one length, 1 to 8, over a small alphabet, and a guess."""
    length = draw(st.integers(1, 8))
    repeats = draw(st.booleans())
    alphabet = "abcd" if repeats else "abcdefghij"
    word = st.permutations(alphabet).map(lambda letters: "".join(letters[:length]))
    if repeats:
        word = st.lists(st.sampled_from(alphabet), min_size=length, max_size=length).map("".join)
    words = draw(st.lists(word, max_size=40, unique=True))
    rules = Rules("small", length, alphabet, repeats, draw(KINDS))
    return Index(words, rules), draw(word)


@given(lists(), st.integers(min_value=0))
def test_fits_and_split_are_brute_force(drawn, some):
    index, guess = drawn
    parts = index.split(guess, index.everything)
    for feedback, part in parts.items():
        assert index.list_words(part) == brute_force(index, guess, feedback)
        assert part == index.fits(guess, feedback)
    assert sum(parts.values()) == index.everything, "the parts are disjoint and cover the list"
    assert all(parts.values()), "no part is empty"
    parts = index.split(guess, some)
    assert sum(parts.values()) == some & index.everything
    assert all(part == index.fits(guess, feedback) & some for feedback, part in parts.items())


@given(lists(), st.data())
def test_candidates_are_brute_force(drawn, data):
    index, _ = drawn
    if not len(index):
        return
    secret = data.draw(st.sampled_from(index.words))
    guesses = data.draw(st.lists(st.sampled_from(index.words), max_size=4))
    turns = [(guess, index.rules.score(guess, secret)) for guess in guesses]
    expected = [
        word
        for word in index.words
        if all(reference.SLOW_SCORERS[index.rules.kind](guess, word) == feedback for guess, feedback in turns)
    ]
    if index.rules.win is None:
        expected = [word for word in expected if word not in guesses]
    assert index.list_words(index.find_candidates(turns)) == expected
    assert secret in expected or secret in guesses


@given(lists(), st.data())
def test_impossible_answers_leave_no_word(drawn, data):
    index, guess = drawn
    kind = index.rules.kind
    feedback = data.draw(
        {
            PLACES: st.tuples(st.integers(-9, 9), st.integers(-9, 9)),
            COMMON: st.integers(-9, 9),
            MARKS: st.text("EPN", min_size=len(guess), max_size=len(guess)),
        }[kind]
    )
    assert index.list_words(index.fits(guess, feedback)) == brute_force(index, guess, feedback)


def test_impossible_answers_fit_no_word():
    for rules, feedback in ((JOTTO, (10**30, 0)), (JOTTO, (6, -1)), (PAPER_JOTTO, -(10**30))):
        assert Index(WORDS, rules).fits("ocean", feedback) == 0, (rules, feedback)
    for guess, row, why in (
        ("speed", "NNNPN", "the first e is none, so the second cannot be present"),
        ("speed", "EEEEP", "the last letter has nowhere else to go"),
        ("ocean", "EEEE", "too short"),
        ("ocean", "EEEEEE", "too long"),
        ("ocean", "", "empty"),
    ):
        words = ("speed", "ocean", "erase", "steal", "crepe", "abide", "spend")
        assert Index(words, WORDLE).fits(guess, row) == 0, why


def test_few_of_the_sets_that_fit_are_kept():
    index = Index(WORDS, JOTTO)
    found = {turn: index.fits(*turn) for turn in [(word, (exact, 0)) for word in WORDS[:50] for exact in (0, 1)]}
    assert len(index._fitting) <= 64 < len(found) and all(index.fits(*turn) == found[turn] for turn in found)


def test_symbols_of_different_kinds():
    index = Index([("a", 1), (1, "a"), ("\u00f1", 2)], Rules("odd", 2, ("a", 1, "\u00f1", 2), False, PLACES))
    assert index.list_words(index.fits(("a", 1), (0, 2))) == [(1, "a")]


def test_hardly_any_words():
    for rules in (JOTTO, WORDLE, PAPER_JOTTO):
        for words in ((), ("ocean",)):
            index = Index(words, rules)
            assert len(index) == len(words), (words, rules)
            assert index.list_words(index.everything) == list(words), (words, rules)
            assert index.list_words(index.find_candidates([])) == list(words), (words, rules)
            assert index.find_candidates([("canoe", rules.score("canoe", "ocean"))]) == index.everything, (words, rules)
            assert [index.list_words(part) for part in index.split("canoe", index.everything).values()] == [
                ["ocean"]
            ] * len(words)
            assert index.split("canoe", 0) == {}, (words, rules)


def test_by_letters_in_common_a_word_asked_is_out_and_its_anagrams_are_not():
    index = Index(("ocean", "canoe", "table"), PAPER_JOTTO)
    assert index.list_words(index.find_candidates([("ocean", 5)])) == ["canoe"]
    assert index.list_words(index.find_candidates([("ocean", 5), ("canoe", 5)])) == []
    # The same by places: only the winning answer leaves the word in.
    assert Index(index.words, JOTTO).find_candidates([("ocean", (5, 0))]) == 1


def test_bit_and_in():
    index = Index(("ocean", "canoe"), JOTTO)
    assert [index.select_word(word) for word in ("ocean", "canoe", "alone", "")] == [1, 2, 0, 0]
    assert "ocean" in index and "alone" not in index and None not in index


def test_a_set_with_words_beyond_the_list():
    for members in (-1, -2, 1 << 500, (1 << 500) - 1):
        index = Index(("ocean", "canoe", "alone"), WORDLE)
        meant = [word for number, word in enumerate(index.words) if members >> number & 1]
        assert index.list_words(members) == meant, members
        assert sum(index.split("ocean", members).values()) == members & index.everything, members


def test_list_sizes_around_whole_bytes():
    for count in (1, 7, 8, 9, 15, 16, 17, 64, 65):
        index = Index(WORDS[:count], JOTTO)
        assert index.list_words(index.everything ^ 1) == list(WORDS[1:count]), count
        for word in index.words:
            assert index.list_words(index.fits(word, (5, 0))) == [word], count


# The Mastermind games of the references: codes still possible before each guess, exact rules.
def test_published_funnels():
    for symbols, played, left in (
        ("roygbv", "gybg 1 1, goyv 1 2, groy 0 2, yyyy 1 0, vygv 1 3", [1296, 230, 23, 7, 2, 1]),
        ("012345", "0001 1 0, 0555 0 1, 5421 1 1, 3020 3 0, 3023 3 0", [1296, 317, 70, 10, 1, 1]),
        ("012345", "0011 1 0, 1431 1 1, 1312 0 2, 2521 1 1, 5241 3 0, 4241 4 0", [1296, 256, 42, 11, 1, 1, 1]),
    ):
        codes = ["".join(code) for code in itertools.product(symbols, repeat=4)]
        index = Index(codes, MASTERMIND._replace(alphabet=symbols))
        read = [turn.split() for turn in played.split(", ")]
        turns = [(guess, (int(exact), int(misplaced))) for guess, exact, misplaced in read]
        found = [index.find_candidates(turns[:number]) for number in range(len(turns) + 1)]
        assert [len(index.list_words(each)) for each in found] == left
        if symbols == "roygbv":
            # A player of the references asked the fourth guess although it could not be the code.
            fitting = [
                bool(each & index.select_word(guess)) for each, (guess, _) in zip(found, turns + [("vvyg", None)])
            ]
            assert fitting == [True, True, True, False, True, True]
            assert index.list_words(found[4]) == ["vygv", "vvyg"]


def test_golden_draws():
    for seed, draws in ((0, (486, 282)), (1, (829, 997)), (-1, (631, 996)), (2**64 - 1, (738, 61))):
        found = draw_number(1000, seed, "guess", 0), draw_number(1000, seed, "guess", 1)
        assert found == draws, (seed, draws)
        assert [type(number) for number in found] == [int, int], (seed, draws)
    for purpose, drawn in (
        ((), 811673230),
        (("\u00e9",), 967834215),
        ((b"\xc3\xa9",), 967834215),
        ((1, 2), 265112101),
        ((2**70,), 685790286),
    ):
        assert draw_number(10**9, 7, *purpose) == drawn, (purpose, drawn)
    assert draw_items("abcdefgh", 5, 3, "x") == ["f", "b", "a", "h", "g"]
    assert [draw_item("abc", seed, "p") for seed in range(8)] == ["a", "b", "b", "a", "c", "c", "c", "c"]


@given(st.lists(st.integers(), unique=True, max_size=30), st.integers(-3, 40), st.integers())
def test_samples_are_without_repetition(items, count, seed):
    before = list(items)
    drawn = draw_items(items, count, seed, "test")
    assert len(drawn) == len(set(drawn)) == max(0, min(count, len(items)))
    assert set(drawn) <= set(items) and items == before
    assert drawn == draw_items(tuple(items), count, seed, "test"), "a draw is a pure function"


def test_every_order_of_a_sample_comes_up_alike():
    counts = {}
    for seed in range(6000):
        order = tuple(draw_items("abc", 3, seed, "order"))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values()), counts


def test_nothing_to_draw_from():
    for call in (lambda: draw_number(0, 1), lambda: draw_number(-5, 1), lambda: draw_item([], 1, "guess")):
        with pytest.raises(ValueError) as caught:
            call()
        assert "%s" % caught.value == "There is nothing to draw from.", call


SELF = []
SELF.append(SELF)


def test_quoted():
    for value, shown in [
        ("ocean", "'ocean'"),
        (b"ocean", "'ocean'"),
        ("\u00e9", "'\u00e9'"),
        (b"\xc3\xa9", "'\u00e9'"),
        (b"\xff", "'\ufffd'"),
        ("", "''"),
        ("x" * 99, "'" + "x" * 47 + "...'"),
        (b"x" * 10**6, "'" + "x" * 47 + "...'"),
        (0, "0"),
        (-7, "-7"),
        (2**63, "9223372036854775808"),
        (10**5000, "a huge number"),
        (-(10**5000), "a huge number"),
        (None, "None"),
        (True, "True"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (float("inf"), "inf"),
        (1e22, "1e+22"),
        ((1, 2), "(1, 2)"),
        ((1,), "(1)"),
        ((), "()"),
        ([], "[]"),
        ({}, "{}"),
        (["\u00e9", ["a", None]], "['\u00e9', ['a', None]]"),
        ({"b": 1, "a": (2, "x")}, "{'a': (2, 'x'), 'b': 1}"),
        ({1: 2, "1": 3, None: 4}, "{'1': 3, 1: 2, None: 4}"),
        ({b"x": 1}, "{'x': 1}"),
        (list(range(100)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, ...]"),
        (SELF, "[[[[...]]]]"),
        ([[[[]]]], "[[[[]]]]"),
        ({"a": {"b": {"c": {"d": 1}}}}, "{'a': {'b': {'c': {...}}}}"),
        (["abcdefghij"] * 9, "['abcdefghij', 'abcdefghij', 'abcdefghij', 'abcdefghij', ..."),
        (set(), "set"),
        (object(), "object"),
        (len, "builtin_function_or_method"),
    ]:
        assert quote_value(value) == shown


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
        max_leaves=20,
    )
)
def test_anything_can_be_quoted_and_is_short(value):
    assert len(quote_value(value)) <= 60


def test_is_integer():
    assert all(is_integer(value) for value in (0, -3, 2**70))
    assert not any(is_integer(value) for value in (True, False, 1.0, "1", None))


def test_count_ones():
    for number, ones in ((0, 0), (1, 1), (2**70, 1), (2**3000 - 1, 3000)):
        assert count_ones(number) == ones, (number, ones)


def test_text_there_and_back():
    for text in ("", "ocean", "\u00e9tude", "\U0001f600"):
        assert as_text(as_native(text)) == as_text(text.encode("utf-8")) == text, text
        assert type(as_native(text.encode("utf-8"))) is str, text
