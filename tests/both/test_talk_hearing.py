"""From the recogniser's values to the meaning of an answer."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from engine_words import WORDS
from hypothesis import given
from hypothesis import strategies as st
from talk_stage import LINES, mind_of

from jotto import game as games
from jotto.compat import as_native
from jotto.rules import JOTTO
from jotto_behaviour import hearing
from jotto_behaviour.hearing import MISSED, NOTHING_HEARD, SURE, UNSURE, Hearing, read_best_phrase, understand_phrase
from jotto_behaviour.settings import Settings
from jotto_behaviour.states import ANY_WORD, list_meanings
from jotto_behaviour.talk import Doubt, Talk

EXACT = list_meanings("exact")


@pytest.mark.parametrize(
    "value, phrase, confidence",
    [
        (["three", 0.6], "three", 0.6),
        ([as_native("three"), 0.6, as_native("two"), 0.2], "three", 0.6),
        (["<...> go back <...>", 0.5], "go back", 0.5),
        (["<...>yes", 0.5], "yes", 0.5),
        ([" what   was the\tscore ", 1], "what was the score", 1.0),
        (("yes", "0.5"), "yes", 0.5),
        (["", 0.0], "", 0.0),
        ([], "", 0.0),
        (None, "", 0.0),
        (3, "", 0.0),
        ("", "", 0.0),
        ("yes", "", 0.0),
        ({}, "", 0.0),
        (["yes"], "", 0.0),
        (["yes", None], "", 0.0),
        (["yes", "sure"], "", 0.0),
        ([None, 0.9], "", 0.0),
        ([5, 0.9], "", 0.0),
        ([["yes"], 0.9], "", 0.0),
        ([b"\xff\xfe", 0.9], "", 0.0),
    ],
)
def test_the_best_of_a_recogniser_s_value(value, phrase, confidence):
    assert read_best_phrase(value) == (phrase, confidence)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
    )
)
def test_no_value_is_too_strange(value):
    phrase, confidence = read_best_phrase(value)
    assert isinstance(phrase, type("")) and isinstance(confidence, float)
    assert understand_phrase(phrase, confidence, EXACT, LINES).certainty in (SURE, UNSURE, MISSED)


@pytest.mark.parametrize(
    "confidence, certainty",
    [
        (0.0, MISSED),
        (0.299, MISSED),
        (0.3, UNSURE),
        (0.549, UNSURE),
        (0.55, SURE),
        (1.0, SURE),
        (5.0, SURE),
        (-1.0, MISSED),
        (float("nan"), MISSED),
    ],
)
def test_confidence(confidence, certainty):
    heard = understand_phrase("three", confidence, EXACT, LINES)
    assert heard == (NOTHING_HEARD if certainty == MISSED else Hearing(certainty, "3", "three"))


@pytest.mark.parametrize(
    "phrase, state, meaning, said_back",
    [
        ("three", "exact", "3", "three"),
        ("THREE", "exact", "3", "three"),
        ("nothing", "exact", "none", "nothing at all"),
        ("zero", "exact", "0", "zero"),
        ("that's right", "word", "yes", "yes"),
        ("No it isn't", "word", "no", "no"),
        ("i am ready", "ready", "ready", "ready"),
        ("x-ray", "spell", "x", "x-ray"),
        ("what was the score", "spell", "score", "what was the score"),
        ("three", "word", None, ""),
        ("yes", "exact", None, ""),
        ("thre", "exact", None, ""),
        ("", "exact", None, ""),
    ],
)
def test_meaning_depends_on_what_was_asked(phrase, state, meaning, said_back):
    heard = understand_phrase(phrase, 0.9, list_meanings(state), LINES)
    assert (heard.meaning, heard.phrase) == (meaning, said_back)


def test_a_touch_is_beyond_doubt():
    assert hearing.make_sure("yes") == Hearing(SURE, "yes", "yes")


def test_nao_believes_what_it_expects_sooner_than_a_surprise():
    """The first guess is hardly ever the word; the only word left is, and a rare score is asked back."""
    mind, game = mind_of(), games.start_game(JOTTO, "test", "", 1).ask(WORDS[0])
    talk = Talk(game, state="word", settings=Settings(certainty=(0.2, 0.7)))
    sure = [
        (meaning, weighed_anew(Hearing(UNSURE, meaning, meaning), confidence, talk, mind).certainty)
        for meaning, confidence in (("no", 0.6), ("yes", 0.9), ("yes", 1.0), ("stop", 0.6), ("stop", 0.8))
    ]
    assert sure == [("no", SURE), ("yes", UNSURE), ("yes", SURE), ("stop", UNSURE), ("stop", SURE)]
    assert weighed_anew(NOTHING_HEARD, 0.0, talk, mind) == NOTHING_HEARD


def weighed_anew(heard, confidence, talk, mind):
    return hearing.weigh_hearing(heard, confidence, talk, mind, (0.3, 0.55))


@pytest.mark.parametrize(
    "state, meaning, confidence, wanted",
    [
        ("word", "no", 0.43, SURE),
        ("word", "no", 0.2, UNSURE),
        ("word", "yes", 0.5, UNSURE),
        ("word", "yes", 0.8, SURE),
        ("both", "0 1", 0.45, SURE),
        ("both", "3 1", 0.6, UNSURE),
        ("both", "3 1", 0.9, SURE),
        ("again", "no", 0.43, SURE),
        ("again", "race", 0.5, UNSURE),
        ("ready", "ready", 0.43, SURE),
    ],
)
def test_a_recogniser_that_was_not_measured_is_weighed_too(state, meaning, confidence, wanted):
    """A likely answer needs less confidence, a surprising one more, and what can be taken back needs little."""
    talk = Talk(games.start_game(JOTTO, "test", "", 1).ask(WORDS[0]), state=state)
    assert weighed_anew(Hearing(UNSURE, meaning, meaning), confidence, talk, mind_of()).certainty == wanted


def test_a_score_is_believed_less_soon():
    talk = Talk(games.start_game(JOTTO, "test", "", 1), state="both", settings=Settings(certainty=(0.1, 0.7)))
    sure = [
        weighed_anew(Hearing(SURE, "2 1", "two and one"), confidence, talk, mind_of()).certainty
        for confidence in (0.75, 0.85)
    ]
    assert sure == [UNSURE, SURE]
    # Doubt a number above five: a word has five letters.
    assert (
        weighed_anew(
            Hearing(SURE, "beyond", "six"), 0.9, talk._replace(game=talk.game.ask(WORDS[0])), mind_of()
        ).certainty
        == UNSURE
    )


def test_a_word_is_asked_back_unless_it_was_typed():
    talk = Talk(games.start_game(JOTTO, "test", "", 1), state="your guess", settings=Settings(certainty=(0.1, 0.7)))
    sure = [
        weighed_anew(Hearing(SURE, ANY_WORD, "uncle"), confidence, talk, mind_of()).certainty
        for confidence in (0.91, 1.0)
    ]
    assert sure == [UNSURE, SURE]


@pytest.mark.parametrize(
    "guessed, word, confidence, wanted",
    [
        ([], "ocean", 0.5, UNSURE),
        ([], "ocean", 0.6, SURE),
        (["canoe"], "ocean", 0.45, SURE),
        (["canoe"], "uncle", 0.5, UNSURE),
        (["canoe"], "uncle", 0.6, SURE),
        (["canoe"], "canoe", 0.5, UNSURE),
    ],
)
def test_a_guess_that_fits_what_nao_has_told_needs_less_confidence(guessed, word, confidence, wanted):
    """A word misheard hardly ever fits; another one is believed as soon as a first guess."""
    game = games.start_game(JOTTO, "test", "", 1)
    riddle = games.start_riddle(game, ["ocean"])
    for guess in guessed:
        riddle = riddle.guess(guess)
    talk = Talk(game, riddle=riddle, state="your guess")
    assert weighed_anew(Hearing(UNSURE, ANY_WORD, word), confidence, talk, mind_of()).certainty == wanted


def test_who_is_asked_back_answers_and_seldom_wishes_for_a_race():
    talk = Talk(
        games.start_game(JOTTO, "test", "", 1),
        state="again",
        settings=Settings(certainty=(0.1, 0.7)),
        doubt=Doubt("score", "what was the score"),
    )
    said = ("yes", "no", "score", "two", "2 1", "3", "a", "any word", "go on", "race", "stop", "hint")
    sure = [weighed_anew(Hearing(SURE, meaning, meaning), 0.85, talk, mind_of()).certainty for meaning in said]
    assert [meaning for meaning, certainty in zip(said, sure) if certainty == UNSURE] == [
        "two",
        "any word",
        "race",
        "stop",
        "hint",
    ]
    surely = weighed_anew(Hearing(SURE, "race", "let's race"), 0.97, talk, mind_of())
    assert surely.certainty == SURE
