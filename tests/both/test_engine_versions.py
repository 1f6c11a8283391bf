"""Messages quote any value alike on both Pythons."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto.compat import as_native, as_text, count_ones, is_integer, quoted

MODEST = settings(max_examples=50, deadline=None, database=None, derandomize=True)

SELF = []
SELF.append(SELF)


@pytest.mark.parametrize(
    "value, shown",
    [
        pytest.param(value, shown, id=str(number))
        for number, (value, shown) in enumerate(
            [
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
            ]
        )
    ],
)
def test_quoted(value, shown):
    assert quoted(value) == shown


@MODEST
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    )
)
def test_anything_can_be_quoted_and_is_short(value):
    assert len(quoted(value)) <= 60


@pytest.mark.parametrize(
    "value, whole",
    [(0, True), (-3, True), (2**70, True), (True, False), (False, False), (1.0, False), ("1", False), (None, False)],
)
def test_is_integer(value, whole):
    assert is_integer(value) is whole


@pytest.mark.parametrize("number, ones", [(0, 0), (1, 1), (2**70, 1), (2**3000 - 1, 3000)])
def test_count_ones(number, ones):
    assert count_ones(number) == ones


@pytest.mark.parametrize("text", ["", "ocean", "\u00e9tude", "\U0001f600"])
def test_text_there_and_back(text):
    assert as_text(as_native(text)) == as_text(text.encode("utf-8")) == text
    assert type(as_native(text.encode("utf-8"))) is str
