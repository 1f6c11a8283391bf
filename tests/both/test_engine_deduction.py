"""Certain facts: deduced from guesses, answers and hints, and always true."""
from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto import deduction, riddle
from jotto import game as games
from jotto.rules import JOTTO

FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")


@pytest.mark.parametrize("guesses, hints, inside, outside, places", [
    ([], 0, "", "", []),
    (["light"], 0, "", "", []),
    (["cable"], 0, "", "", []),
    (["fjord"], 0, "", "dfjor", []),
    (["fjord", "bloat"], 0, "ablt", "dfjor", []),
    (["bleat"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", []),
    ([], 10, "abelt", "cdfghijkmnopqrsuvwxyz", list(enumerate("table"))),
    (["bleat", "taken"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", []),
    (["bleat", "tango"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", [(0, "t"), (1, "a")])])
def test_what_is_certain(guesses, hints, inside, outside, places):
    one = riddle.Riddle(games.new(JOTTO, "en", "", 1), "table", hints)
    for guess in guesses:
        one = one.guess(guess)
    found = deduction.known(one)
    assert ("".join(found.inside), "".join(found.outside), found.places) == (inside, outside, places)


@given(st.sampled_from(FEW), st.lists(st.sampled_from(FEW), max_size=8), st.integers(0, 10))
@settings(max_examples=200, deadline=None)
def test_what_is_certain_is_true(secret, guesses, hints):
    one = riddle.Riddle(games.new(JOTTO, "en", "", 1), secret, hints)
    for guess in set(guesses) - {secret}:
        one = one.guess(guess)
    found = deduction.known(one)
    assert set(found.inside) <= set(secret) and not set(found.outside) & set(secret)
    assert all(secret[place] == letter for place, letter in found.places)
