"""What sounds like another answer is understood where it is typed, and not listened for."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import LINES

from jotto_behaviour.states import PAIRS, STATES, list_meanings


@pytest.mark.parametrize(
    "short, state, full",
    [
        ("stop", "word", "stop the game"),
        ("help", "both", "help me please"),
        ("go back", "exact", "take it back"),
        ("wrong", "word", "no"),
        ("nil", "both", "nothing at all"),
        ("one two", "word", "one and two"),
        ("banana", "word", None),
    ],
)
def test_short_forms_stand_for_what_is_listened_for(short, state, full):
    phrases = LINES.phrases(list_meanings(state))
    assert short not in phrases and LINES.heard_as(short, phrases) == full


@pytest.mark.parametrize("state", sorted(name for name in STATES if STATES[name].touch))
def test_no_typed_phrase_is_listened_for(state):
    wanted = list_meanings(state, True)
    assert not set(LINES.typed(wanted)) & set(LINES.phrases(wanted))
    assert all(LINES.meaning(phrase, wanted) in wanted for phrase in LINES.typed(wanted))


def test_bare_numbers_are_heard_where_no_is_no_answer():
    assert "one two" in LINES.phrases(list_meanings("both")) and "one two" not in LINES.phrases(list_meanings("word"))
    assert all(LINES.phrases([pair, "no"]) for pair in PAIRS)
