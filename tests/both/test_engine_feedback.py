"""Feedback: tables of cases, the slow scorers compared with the fast ones, and the blocks of the CS10 homework."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from hypothesis import given, settings, strategies as st

from jotto import feedback

MODEST = settings(max_examples=50, deadline=None, database=None, derandomize=True)


def test_scores_of_every_kind():
    # row, guess, secret, (in place, elsewhere), marks
    for name, guess, secret, places, marks in [
        ("CS10 blocks: one correctly placed, two out of place", "VVOG", "GOVG", (1, 2), "PNPE"),
        ("CS10 blocks: the other way round", "GOVG", "VVOG", (1, 2), "NPPE"),
        ("CS10 sample game, guess 1", "GYBG", "VVYG", (1, 1), "NPNE"),
        ("CS10 sample game, guess 2", "GOYV", "VVYG", (1, 2), "PNEP"),
        ("CS10 sample game, guess 3", "GROY", "VVYG", (0, 2), "PNNP"),
        ("CS10 sample game, guess 4: one symbol four times", "YYYY", "VVYG", (1, 0), "NNEN"),
        ("CS10 sample game, guess 5", "VYGV", "VVYG", (1, 3), "EPPP"),
        ("CS10 sample game, guess 6: won", "VVYG", "VVYG", (4, 0), "EEEE"),
        ("secret of one symbol, right", "G", "G", (1, 0), "E"),
        ("secret of one symbol, wrong", "G", "R", (0, 0), "N"),
        ("secret of two symbols, swapped", "GR", "RG", (0, 2), "PP"),
        ("secret of five equal symbols", "VVVVV", "VVVVV", (5, 0), "EEEEE"),
        ("article's scorer counted l of level twice", "level", "hello", (1, 2), "PENNP"),
        ("article's scorer counted l of hello twice", "hello", "world", (1, 1), "NNNEP"),
        ("Wordle SPEED, ABIDE", "SPEED", "ABIDE", (0, 2), "NNPNP"),
        ("Wordle SPEED, ERASE", "SPEED", "ERASE", (0, 3), "PNPPN"),
        ("Wordle SPEED, STEAL", "SPEED", "STEAL", (2, 0), "ENENN"),
        ("Wordle SPEED, CREPE", "SPEED", "CREPE", (1, 2), "NPEPN"),
        ("Wordle ALLOY, LLAMA", "ALLOY", "LLAMA", (1, 2), "PEPNN"),
        ("Wordle EERIE, THREE", "EERIE", "THREE", (2, 1), "PNENE"),
        ("Wordle GEESE, THESE", "GEESE", "THESE", (3, 0), "NNEEE"),
        ("Jotto, nothing in common", "ocean", "jumpy", (0, 0), "NNNNN"),
        ("Jotto, anagram", "ocean", "canoe", (0, 5), "PPPPP"),
        ("gladiators: weapons are numbers", (0, 1, 2, 3), (0, 4, 5, 1), (1, 1), "EPNN"),
        ("no symbols at all", "", "", (0, 0), ""),
        ("letters beyond ASCII", "\u00f1and\u00fa", "\u00faand\u00f1", (3, 2), "PEEEP"),
    ]:
        for _, scorer in [("fast", feedback.SCORERS), ("slow", feedback.SLOW_SCORERS)]:
            assert scorer[feedback.PLACES](guess, secret) == places, name
            assert scorer[feedback.MARKS](guess, secret) == marks, name
            assert scorer[feedback.COMMON](guess, secret) == sum(places), name


def pairs(symbols):
    """Make two words of one length, 1 to 8."""
    return st.integers(1, 8).flatmap(
        lambda length: st.tuples(*[st.lists(symbols, min_size=length, max_size=length)] * 2)
    )


@MODEST
@given(pairs(st.sampled_from("abcd")))
def test_fast_and_slow_agree_on_text_with_repeats(words):
    def agree(guess, secret):
        for kind in feedback.SCORERS:
            assert feedback.SCORERS[kind](guess, secret) == feedback.SLOW_SCORERS[kind](guess, secret)

    agree("".join(words[0]), "".join(words[1]))


@MODEST
@given(pairs(st.sampled_from("abcd")))
def test_counts_do_not_depend_on_who_guesses(words):
    guess, secret = words
    assert feedback.score_places(guess, secret) == feedback.score_places(secret, guess)
    assert feedback.score_places(guess, secret).common == feedback.count_common(guess, secret)
    assert feedback.mark_places(guess, secret).count("E") == feedback.count_exact(guess, secret)


# The five blocks of the CS10 homework: the rows of their table, and what holds for any words.


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


def test_a_row_of_the_table():
    for block, given_to_it, answer in [row[1:] for row in ROWS]:
        assert block(*given_to_it) == answer, (block, given_to_it, answer)


def test_the_minima_of_out_of_place():
    for letter, least in [("R", 0), ("O", 1), ("Y", 0), ("G", 0), ("B", 0), ("V", 1)]:
        mine = feedback.keep_different("VVOG", "GOVG")
        hers = feedback.keep_different("GOVG", "VVOG")
        assert min(feedback.count_occurrences(letter, mine), feedback.count_occurrences(letter, hers)) == least


def test_a_code_has_the_length_asked_for_and_the_letters_given():
    for count in (1, 2, 4, 5, 30):
        for seed in range(20):
            code = feedback.generate_code(count, LETTERS, seed)
            assert (
                len(code) == count
                and set(code) <= set(LETTERS)
                and code == feedback.generate_code(count, LETTERS, seed)
            )


def test_every_letter_of_a_code_comes_up_at_every_place():
    codes = [feedback.generate_code(4, "ROYGBV", seed) for seed in range(300)]
    assert all({code[place] for code in codes} == set("ROYGBV") for place in range(4))
    assert any(len(set(code)) < 4 for code in codes)


def test_a_code_of_symbols_that_are_no_text():
    code = feedback.generate_code(3, ("red", "blue"), 1)
    assert isinstance(code, tuple) and set(code) <= {"red", "blue"}


def test_no_letters_to_draw_from():
    with pytest.raises(ValueError):
        feedback.generate_code(4, "", 1)


@given(st.integers(1, 8).flatmap(lambda size: st.tuples(*[st.text(LETTERS, min_size=size, max_size=size)] * 2)))
def test_the_blocks_put_together_are_the_plain_scorer(words):
    guess, secret = words
    mine, hers = feedback.keep_different(guess, secret), feedback.keep_different(secret, guess)
    minima = sum(
        min(feedback.count_occurrences(letter, mine), feedback.count_occurrences(letter, hers)) for letter in LETTERS
    )
    assert (feedback.correctly_placed(guess, secret), minima) == feedback.score_places_slowly(guess, secret)
    assert feedback.out_of_place(guess, secret) == minima
