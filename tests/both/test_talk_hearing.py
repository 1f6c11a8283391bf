"""From the recogniser's values to the meaning of an answer, and how far NAO believes it."""

from __future__ import absolute_import, division, print_function, unicode_literals

from engine_words import WORDS
from hypothesis import given, strategies as st
from talk_stage import FEW, LINES, Stage, mind_of

from jotto import game as games
from jotto.compat import as_native
from jotto.rules import JOTTO
from jotto_behaviour import hearing, mind, robot
from jotto_behaviour.hearing import MISSED, NOTHING_HEARD, SURE, UNSURE, Hearing, read_best_phrase, understand_phrase
from jotto_behaviour.settings import Settings
from jotto_behaviour.states import ANY_WORD, IN_ONE_BREATH, ONE_BY_ONE, PAIRS, STATES, list_meanings
from jotto_behaviour.talk import Doubt, Talk

EXACT = list_meanings("exact")
NEW_GAME = games.start_game(JOTTO, "test", "", 1)


def test_the_best_phrase_of_a_recogniser_s_value():
    for value, phrase, confidence in (
        (["three", 0.6], "three", 0.6),
        ([as_native("three"), 0.6, as_native("two"), 0.2], "three", 0.6),
        (["<...> go back <...>", 0.5], "go back", 0.5),
        (["<...>yes", 0.5], "yes", 0.5),
        ([" what   was the\tscore ", 1], "what was the score", 1.0),
        (("yes", "0.5"), "yes", 0.5),
        (["", 0.0], "", 0.0),
        ([["yes"], 0.9], "", 0.0),
        ([b"\xff\xfe", 0.9], "", 0.0),
    ):
        assert read_best_phrase(value) == (phrase, confidence), value
    for value in ([], None, 3, "", "yes", {}, ["yes"], ["yes", None], ["yes", "sure"], [None, 0.9], [5, 0.9]):
        assert read_best_phrase(value) == ("", 0.0), value


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


def test_certainty_by_confidence():
    for certainty, confidences in (
        (MISSED, (0.0, 0.299, -1.0, float("nan"))),
        (UNSURE, (0.3, 0.549)),
        (SURE, (0.55, 1.0, 5.0)),
    ):
        wanted = NOTHING_HEARD if certainty == MISSED else Hearing(certainty, "3", "three")
        for confidence in confidences:
            assert understand_phrase("three", confidence, EXACT, LINES) == wanted, confidence
    assert hearing.make_sure("yes") == Hearing(SURE, "yes", "yes"), "a touch is beyond doubt"


def test_meanings_by_state():
    for phrase, state, meaning, said_back in (
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
        ("I guess", "role", None, ""),
    ):
        found = understand_phrase(phrase, 0.9, list_meanings(state), LINES)
        assert (found.meaning, found.phrase) == (meaning, said_back), (phrase, state)
    for phrase, state, meaning in (
        ("none", "both", "none"),
        ("nil", "misplaced", "none"),
        ("no letters", "exact", "none"),
        ("it's one", "exact", "1"),
        ("I think two", "misplaced", "2"),
        ("nope", "word", "no"),
        ("yep", "word", "yes"),
        ("yeah", "again", "yes"),
        ("quit", "your guess", "stop"),
        ("exit", "exact", "stop"),
        ("race", "again", "race"),
        ("six", "exact", "beyond"),
        ("ten", "misplaced", "beyond"),
        ("another role", "again", "other role"),
        ("my turn to guess", "role", "I guess"),
        ("I will guess", "role", "I guess"),
        ("I guess your word", "role", "I guess"),
        ("you guess", "role", "you guess"),
    ):
        assert understand_phrase(phrase, 0.9, list_meanings(state), LINES).meaning == meaning, (phrase, state)


def test_the_head_answers_as_the_question_is():
    for sensor, kind, meaning in (
        ("FrontTactilTouched", "role", "you guess"),
        ("RearTactilTouched", "role", "I guess"),
        ("MiddleTactilTouched", "role", "stop"),
        ("FrontTactilTouched", "ready", "ready"),
        ("RearTactilTouched", "yes or no", "no"),
        ("RearTactilTouched", "spell", "c"),
        ("RearTactilTouched", "count", "3"),
    ):
        assert robot.read_touch(sensor, kind, 3, LINES).meaning == meaning, (sensor, kind)


def test_short_forms_are_understood_if_typed_and_not_listened_for():
    for short, state, full in (
        ("stop", "word", "stop the game"),
        ("help", "both", "help me please"),
        ("go back", "exact", "take it back"),
        ("wrong", "word", "no"),
        ("nil", "both", "nothing at all"),
        ("one two", "word", "one and two"),
        ("banana", "word", None),
    ):
        phrases = LINES.phrases(list_meanings(state))
        assert short not in phrases and LINES.heard_as(short, phrases) == full, short
    for state in (name for name in STATES if STATES[name].touch):
        wanted = list_meanings(state, True)
        assert not set(LINES.typed(wanted)) & set(LINES.phrases(wanted))
        assert all(LINES.meaning(phrase, wanted) in wanted for phrase in LINES.typed(wanted))
    assert "one two" in LINES.phrases(list_meanings("both")) and all(LINES.phrases([pair, "no"]) for pair in PAIRS)


def test_no_letter_at_all_answers_whether_a_guess_is_the_word():
    for language, phrases in (
        ("en", ["none", "nothing at all", "no letters"]),
        ("de", ["gar nichts", "kein einziger", "gar keiner", "nichts"]),
        ("fr", ["rien du tout", "aucune", "pas une seule", "rien"]),
        ("es", ["nada de nada", "ninguna", "nada en absoluto", "nada"]),
    ):
        for phrase in phrases:
            stage = Stage(FEW).hear("ready")
            stage.answer(understand_phrase(phrase, 0.9, list_meanings("word"), mind.load_lines(language)))
            assert [turn.feedback for turn in stage.game.turns] == [(0, 0)], phrase
            assert stage.said[0] == "score, none"


def test_the_pace_of_scores_outlives_a_restart_and_is_bounded():
    stage = Stage().hear("ready").in_one_breath(0, 1).in_one_breath(0, 1).in_one_breath(0, 1)
    assert stage.talk.pace == IN_ONE_BREATH
    assert Stage(start=stage.talk).hear("yes", "no").said == ["two numbers"]
    assert Stage().hear("ready").score(0, 1).score(0, 1).score(0, 1).talk.pace == ONE_BY_ONE


def weigh(meaning, phrase, confidence, talk, certainty=UNSURE):
    """Return the certainty of a hearing that was weighed with a confidence."""
    found = Hearing(certainty, meaning, phrase)
    return hearing.weigh_hearing(found, confidence, talk, mind_of(), (0.3, 0.55)).certainty


def test_expected_answers_are_believed_sooner_than_surprises():
    """The first guess is hardly ever the word; the only word left is, and NAO confirms a rare score."""
    measured = Settings(certainty=(0.2, 0.7))
    talk = Talk(NEW_GAME.ask(WORDS[0]), state="word", settings=measured)
    for meaning, confidence, wanted in (
        ("no", 0.6, SURE),
        ("yes", 0.9, UNSURE),
        ("yes", 1.0, SURE),
        ("stop", 0.6, UNSURE),
        ("stop", 0.8, SURE),
    ):
        assert weigh(meaning, meaning, confidence, talk) == wanted, meaning
    assert hearing.weigh_hearing(NOTHING_HEARD, 0.0, talk, mind_of(), (0.3, 0.55)) == NOTHING_HEARD
    measured = Settings(certainty=(0.1, 0.7))
    talk = Talk(NEW_GAME, state="both", settings=measured)
    assert [weigh("2 1", "two and one", confidence, talk, SURE) for confidence in (0.75, 0.85)] == [UNSURE, SURE]
    # NAO doubts a number above five, as a word has five letters.
    assert weigh("beyond", "six", 0.9, talk._replace(game=NEW_GAME.ask(WORDS[0])), SURE) == UNSURE
    # A whole word is confirmed unless it was typed.
    talk = Talk(NEW_GAME, state="your guess", settings=measured)
    assert [weigh(ANY_WORD, "uncle", confidence, talk, SURE) for confidence in (0.91, 1.0)] == [UNSURE, SURE]


def test_a_recogniser_that_was_not_measured_is_weighed_too():
    """A likely answer needs less confidence, a surprising one more, and what can be taken back needs little."""
    for state, meaning, confidence, wanted in (
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
    ):
        talk = Talk(NEW_GAME.ask(WORDS[0]), state=state)
        assert weigh(meaning, meaning, confidence, talk) == wanted, (state, meaning, confidence)


def test_a_guess_that_fits_naos_answers_needs_less_confidence():
    """A misheard word hardly ever fits; another one is believed as soon as a first guess."""
    for guessed, word, confidence, wanted in (
        ([], "ocean", 0.5, UNSURE),
        ([], "ocean", 0.6, SURE),
        (["canoe"], "ocean", 0.45, SURE),
        (["canoe"], "uncle", 0.5, UNSURE),
        (["canoe"], "uncle", 0.6, SURE),
        (["canoe"], "canoe", 0.5, UNSURE),
    ):
        riddle = games.start_riddle(NEW_GAME, ["ocean"])
        for guess in guessed:
            riddle = riddle.guess(guess)
        talk = Talk(NEW_GAME, riddle=riddle, state="your guess")
        assert weigh(ANY_WORD, word, confidence, talk) == wanted, (guessed, word, confidence)


def test_a_player_asked_to_confirm_answers_and_seldom_wants_something_else():
    talk = Talk(
        NEW_GAME, state="again", settings=Settings(certainty=(0.1, 0.7)), doubt=Doubt("score", "what was the score")
    )
    said = ("yes", "no", "score", "two", "2 1", "3", "a", "any word", "go on", "race", "stop", "hint")
    unclear = [meaning for meaning in said if weigh(meaning, meaning, 0.85, talk, SURE) == UNSURE]
    assert unclear == ["two", "any word", "race", "stop", "hint"]
    assert weigh("race", "let's race", 0.97, talk, SURE) == SURE
