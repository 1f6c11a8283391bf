"""What Python 2.7 and 3 do alike: random numbers, and messages that quote any value."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from hypothesis import given, settings, strategies as st

from jotto.compat import as_native, as_text, count_ones, draw_item, draw_items, draw_number, is_integer, quoted

MODEST = settings(max_examples=50, deadline=None, database=None, derandomize=True)


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


@MODEST
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


# Messages quote any value alike on both Pythons.


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
        assert quoted(value) == shown


@MODEST
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
        max_leaves=20,
    )
)
def test_anything_can_be_quoted_and_is_short(value):
    assert len(quoted(value)) <= 60


def test_is_integer():
    for value, whole in (
        (0, True),
        (-3, True),
        (2**70, True),
        (True, False),
        (False, False),
        (1.0, False),
        ("1", False),
        (None, False),
    ):
        assert is_integer(value) is whole, (value, whole)


def test_count_ones():
    for number, ones in ((0, 0), (1, 1), (2**70, 1), (2**3000 - 1, 3000)):
        assert count_ones(number) == ones, (number, ones)


def test_text_there_and_back():
    for text in ("", "ocean", "\u00e9tude", "\U0001f600"):
        assert as_text(as_native(text)) == as_text(text.encode("utf-8")) == text, text
        assert type(as_native(text.encode("utf-8"))) is str, text
