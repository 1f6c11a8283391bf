"""The five blocks of the CS10 homework: the rows of their table, and what holds for any words."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotto import feedback

LETTERS = "ROYGBV"

ROWS = [
    ("correctly placed: VVOG, GOVG", feedback.correctly_placed, ("VVOG", "GOVG"), 1),
    (
        "keep characters not at same place: word VVOG, other GOVG",
        feedback.keep_different,
        ("VVOG", "GOVG"),
        list("VVO"),
    ),
    ("same: word GOVG, other VVOG", feedback.keep_different, ("GOVG", "VVOG"), list("GOV")),
    ("occurrences: V, [V V O]", feedback.count_occurrences, ("V", ["V", "V", "O"]), 2),
    ("out-of-place: VVOG, GOVG", feedback.out_of_place, ("VVOG", "GOVG"), 2),
]


@pytest.mark.parametrize("block, given_to_it, answer", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_row_of_the_table(block, given_to_it, answer):
    assert block(*given_to_it) == answer


MINIMA = [("R", 0), ("O", 1), ("Y", 0), ("G", 0), ("B", 0), ("V", 1)]


@pytest.mark.parametrize("letter, least", MINIMA, ids=["%s%d" % row for row in MINIMA])
def test_the_minima_of_out_of_place(letter, least):
    mine = feedback.keep_different("VVOG", "GOVG")
    hers = feedback.keep_different("GOVG", "VVOG")
    assert min(feedback.count_occurrences(letter, mine), feedback.count_occurrences(letter, hers)) == least


@pytest.mark.parametrize("count", [1, 2, 4, 5, 30])
def test_a_code_has_the_length_asked_for_and_the_letters_given(count):
    for seed in range(20):
        code = feedback.generate_code(count, LETTERS, seed)
        assert len(code) == count and set(code) <= set(LETTERS) and code == feedback.generate_code(count, LETTERS, seed)


def test_a_code_may_repeat_letters_and_every_letter_comes_up():
    codes = [feedback.generate_code(4, LETTERS, seed) for seed in range(300)]
    assert any(len(set(code)) < 4 for code in codes) and set("".join(codes)) == set(LETTERS)
    assert all({code[place] for code in codes} == set(LETTERS) for place in range(4))


def test_a_code_of_symbols_that_are_no_text():
    code = feedback.generate_code(3, ("red", "blue"), 1)
    assert isinstance(code, tuple) and set(code) <= {"red", "blue"}


def test_no_letters_to_draw_from():
    with pytest.raises(ValueError):
        feedback.generate_code(4, "", 1)


WORDS = st.integers(1, 8).flatmap(lambda size: st.tuples(*[st.text(LETTERS, min_size=size, max_size=size)] * 2))


@given(WORDS)
def test_the_blocks_put_together_are_the_plain_scorer(words):
    guess, secret = words
    mine, hers = feedback.keep_different(guess, secret), feedback.keep_different(secret, guess)
    minima = sum(
        min(feedback.count_occurrences(letter, mine), feedback.count_occurrences(letter, hers)) for letter in LETTERS
    )
    assert (feedback.correctly_placed(guess, secret), minima) == feedback.score_places_slowly(guess, secret)
    assert feedback.out_of_place(guess, secret) == minima
