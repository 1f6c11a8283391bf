"""The bit sets: they find the same words as a pass over the list with the slow scorer."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools

from engine_words import WORDS
from hypothesis import given, settings, strategies as st

from jotto import feedback as reference
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import JOTTO, MASTERMIND, PAPER_JOTTO, WORDLE, Rules

MODEST = settings(max_examples=50, deadline=None, database=None, derandomize=True)
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


@MODEST
@given(lists(), st.integers(min_value=0))
def test_fits_and_split_are_brute_force(drawn, some):
    index, guess = drawn
    parts = index.split(guess, index.everything)
    for feedback, part in parts.items():
        assert index.chosen(part) == brute_force(index, guess, feedback)
        assert part == index.fits(guess, feedback)
    assert sum(parts.values()) == index.everything, "the parts are disjoint and cover the list"
    assert all(parts.values()), "no part is empty"
    parts = index.split(guess, some)
    assert sum(parts.values()) == some & index.everything
    assert all(part == index.fits(guess, feedback) & some for feedback, part in parts.items())


@MODEST
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
    assert index.chosen(index.candidates(turns)) == expected
    assert secret in expected or secret in guesses


@MODEST
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
    assert index.chosen(index.fits(guess, feedback)) == brute_force(index, guess, feedback)


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


def test_symbols_of_different_kinds():
    index = Index([("a", 1), (1, "a"), ("\u00f1", 2)], Rules("odd", 2, ("a", 1, "\u00f1", 2), False, PLACES))
    assert index.chosen(index.fits(("a", 1), (0, 2))) == [(1, "a")]


def test_hardly_any_words():
    for rules in (JOTTO, WORDLE, PAPER_JOTTO):
        for words in ((), ("ocean",)):
            index = Index(words, rules)
            assert len(index) == len(words), (words, rules)
            assert index.chosen(index.everything) == list(words), (words, rules)
            assert index.chosen(index.candidates([])) == list(words), (words, rules)
            assert index.candidates([("canoe", rules.score("canoe", "ocean"))]) == index.everything, (words, rules)
            assert [index.chosen(part) for part in index.split("canoe", index.everything).values()] == [
                ["ocean"]
            ] * len(words)
            assert index.split("canoe", 0) == {}, (words, rules)


def test_by_letters_in_common_a_word_asked_is_out_and_its_anagrams_are_not():
    index = Index(("ocean", "canoe", "table"), PAPER_JOTTO)
    assert index.chosen(index.candidates([("ocean", 5)])) == ["canoe"]
    assert index.chosen(index.candidates([("ocean", 5), ("canoe", 5)])) == []
    # The same by places: only the winning answer leaves the word in.
    assert Index(index.words, JOTTO).candidates([("ocean", (5, 0))]) == 1


def test_bit_and_in():
    index = Index(("ocean", "canoe"), JOTTO)
    assert (index.bit("ocean"), index.bit("canoe"), index.bit("alone"), index.bit("")) == (1, 2, 0, 0)
    assert "ocean" in index and "alone" not in index and None not in index


def test_a_set_with_words_beyond_the_list():
    for members in (-1, -2, 1 << 500, (1 << 500) - 1):
        index = Index(("ocean", "canoe", "alone"), WORDLE)
        meant = [word for number, word in enumerate(index.words) if members >> number & 1]
        assert index.chosen(members) == meant, members
        assert sum(index.split("ocean", members).values()) == members & index.everything, members


def test_list_sizes_around_whole_bytes():
    for count in (1, 7, 8, 9, 15, 16, 17, 64, 65):
        index = Index(WORDS[:count], JOTTO)
        assert index.chosen(index.everything ^ 1) == list(WORDS[1:count]), count
        for word in index.words:
            assert index.chosen(index.fits(word, (5, 0))) == [word], count


# The Mastermind games of the references: codes still possible before each guess, exact rules.
def test_published_funnels():
    for symbols, turns, left in (
        (
            "roygbv",
            [("gybg", (1, 1)), ("goyv", (1, 2)), ("groy", (0, 2)), ("yyyy", (1, 0)), ("vygv", (1, 3))],
            [1296, 230, 23, 7, 2, 1],
        ),
        (
            "012345",
            [("0001", (1, 0)), ("0555", (0, 1)), ("5421", (1, 1)), ("3020", (3, 0)), ("3023", (3, 0))],
            [1296, 317, 70, 10, 1, 1],
        ),
        (
            "012345",
            [
                ("0011", (1, 0)),
                ("1431", (1, 1)),
                ("1312", (0, 2)),
                ("2521", (1, 1)),
                ("5241", (3, 0)),
                ("4241", (4, 0)),
            ],
            [1296, 256, 42, 11, 1, 1, 1],
        ),
    ):
        index = Index(
            ["".join(code) for code in itertools.product(symbols, repeat=4)], MASTERMIND._replace(alphabet=symbols)
        )
        assert [len(index.chosen(index.candidates(turns[:played]))) for played in range(len(turns) + 1)] == left
