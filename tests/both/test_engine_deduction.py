"""Certain facts: deduced from guesses, answers and hints, and always true."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto import explain
from jotto import game as games
from jotto.rules import JOTTO

FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")


@pytest.mark.parametrize(
    "guesses, hints, inside, outside, places",
    [
        ([], 0, "", "", []),
        (["light"], 0, "", "", []),
        (["cable"], 0, "", "", []),
        (["fjord"], 0, "", "dfjor", []),
        (["fjord", "bloat"], 0, "ablt", "dfjor", []),
        (["baton", "lemur"], 0, "", "cdfghijkpqsvwxyz", []),
        (["baton", "lemur", "untie"], 0, "", "cdfghijkpqsvwxyz", []),
        (["bleat"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", []),
        ([], 10, "abelt", "cdfghijkmnopqrsuvwxyz", list(enumerate("table"))),
        (["bleat", "taken"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", []),
        (["bleat", "tango"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", [(0, "t"), (1, "a")]),
    ],
)
def test_what_is_certain(guesses, hints, inside, outside, places):
    one = games.Riddle(games.start_game(JOTTO, "en", "", 1), "table", hints)
    for guess in guesses:
        one = one.guess(guess)
    found = explain.deduce_riddle_letters(one)
    assert ("".join(found.inside), "".join(found.outside), found.places) == (inside, outside, places)


@given(st.sampled_from(FEW), st.lists(st.sampled_from(FEW), max_size=8), st.integers(0, 10))
@settings(max_examples=200, deadline=None)
def test_what_is_certain_is_true(secret, guesses, hints):
    one = games.Riddle(games.start_game(JOTTO, "en", "", 1), secret, hints)
    for guess in set(guesses) - {secret}:
        one = one.guess(guess)
    found = explain.deduce_riddle_letters(one)
    assert set(found.inside) <= set(secret) and not set(found.outside) & set(secret)
    assert all(secret[place] == letter for place, letter in found.places)


@pytest.mark.parametrize(
    "turns",
    [
        [("fjord", (0, 0)), ("fjard", (0, 2))],
        [("ocean", (0, 5)), ("canoe", (0, 4))],
        [("light", (0, 3)), ("ocean", (1, 2)), ("bumps", (0, 1))],
    ],
)
def test_answers_that_contradict_each_other_say_nothing(turns):
    game = games.start_game(JOTTO, "en", "", 1)
    for guess, feedback in turns:
        game = game.ask(guess).answer(feedback)
    assert explain.deduce_letters(game) == ([], [], [])


def test_all_that_is_certain_of_the_letters_is_found():
    """Every way to choose five of so few letters is tried."""
    game = games.start_game(JOTTO, "en", "", 1)
    for guess, feedback in [("ocean", (0, 2)), ("bread", (0, 2)), ("light", (0, 2)), ("beads", (0, 2))]:
        game = game.ask(guess).answer(feedback)
    sets = [
        set(letters)
        for letters in itertools.combinations(JOTTO.alphabet, 5)
        if all(len(set(letters) & set(turn.guess)) == sum(turn.feedback) for turn in game.turns)
    ]
    found = explain.deduce_letters(game)
    assert set(found.inside) == set.intersection(*sets)
    assert set(found.outside) == set(JOTTO.alphabet) - set.union(*sets)
