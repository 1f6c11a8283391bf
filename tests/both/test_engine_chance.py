"""Random numbers: the same on every Python, uniform, and never exhausted."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto.compat import draw_item, draw_items, draw_number

MODEST = settings(max_examples=50, deadline=None, database=None, derandomize=True)


@pytest.mark.parametrize("seed, draws", [(0, (486, 282)), (1, (829, 997)), (-1, (631, 996)), (2**64 - 1, (738, 61))])
def test_golden_draws(seed, draws):
    found = draw_number(1000, seed, "guess", 0), draw_number(1000, seed, "guess", 1)
    assert found == draws
    assert [type(number) for number in found] == [int, int]


@pytest.mark.parametrize(
    "purpose, drawn",
    [
        ((), 811673230),
        (("\u00e9",), 967834215),
        ((b"\xc3\xa9",), 967834215),
        ((1, 2), 265112101),
        ((2**70,), 685790286),
    ],
)
def test_golden_purposes(purpose, drawn):
    assert draw_number(10**9, 7, *purpose) == drawn


def test_golden_samples():
    assert draw_items("abcdefgh", 5, 3, "x") == ["f", "b", "a", "h", "g"]
    assert [draw_item("abc", seed, "p") for seed in range(8)] == ["a", "b", "b", "a", "c", "c", "c", "c"]


@MODEST
@given(st.lists(st.integers(), unique=True, max_size=30), st.integers(-3, 40), st.integers())
def test_samples_are_without_repetition(items, count, seed):
    before = list(items)
    drawn = draw_items(items, count, seed, "test")
    assert len(drawn) == len(set(drawn)) == max(0, min(count, len(items)))
    assert set(drawn) <= set(items) and items == before
    assert drawn == draw_items(tuple(items), count, seed, "test"), "a draw is a pure function"


@MODEST
@given(st.integers(1, 10**6), st.integers(), st.text(max_size=5))
def test_draws_stay_below(below, seed, purpose):
    assert 0 <= draw_number(below, seed, purpose) < below


def test_roughly_uniform():
    # Expected 1000 each; five standard deviations are about 150.
    counts = [0] * 10
    for seed in range(10000):
        counts[draw_number(10, seed, "uniform")] += 1
    assert all(850 < count < 1150 for count in counts), counts


def test_every_order_of_a_sample_comes_up_alike():
    counts = {}
    for seed in range(6000):
        order = tuple(draw_items("abc", 3, seed, "order"))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values()), counts


@pytest.mark.parametrize(
    "call", [lambda: draw_number(0, 1), lambda: draw_number(-5, 1), lambda: draw_item([], 1, "guess")]
)
def test_nothing_to_draw_from(call):
    with pytest.raises(ValueError) as caught:
        call()
    assert "%s" % caught.value == "There is nothing to draw from."
