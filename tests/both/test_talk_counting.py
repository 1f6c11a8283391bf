"""How NAO asks for a score: both numbers in one breath, shortly, or one by one; and never what is certain."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from engine_words import WORDS
from talk_stage import LINES, Stage, mind_of

from jotto import game
from jotto.rules import JOTTO
from jotto_behaviour import conversation, hearing, mind
from jotto_behaviour.hearing import SURE, UNSURE, Hearing, understand_phrase
from jotto_behaviour.states import ANY_WORD, IN_ONE_BREATH, LETTER_OR_WORD, ONE_BY_ONE, PAIRS, list_meanings

#: With a word that stands for a letter, too.
DELTA = ("ocean", "delta", "light", "table", "bread")
FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")


def asked():
    """NAO has asked mouse first, and then for its score."""
    return Stage(FEW).hear("ready", "no")


@pytest.mark.parametrize(
    "phrase, turns",
    [
        ("one and two", [(1, 2)]),
        ("one two", [(1, 2)]),
        ("one in the right place and two in the wrong place", [(1, 2)]),
        ("zero and zero", [(0, 0)]),
        ("none", [(0, 0)]),
        ("nothing at all", [(0, 0)]),
        ("no letters", [(0, 0)]),
        ("four", [(4, 0)]),
        ("four zero", [(4, 0)]),
    ],
)
def test_one_breath_is_enough(phrase, turns):
    stage = asked()
    assert stage.said[-1:] == ["both numbers"]
    stage.answer(understand_phrase(phrase, 0.9, list_meanings("both"), LINES))
    assert [turn.feedback for turn in stage.game.turns] == turns


@pytest.mark.parametrize(
    "language, phrases",
    [
        ("en", ["none", "nothing at all", "no letters"]),
        ("de", ["gar nichts", "kein einziger", "gar keiner", "nichts"]),
        ("fr", ["rien du tout", "aucune", "pas une seule", "rien"]),
        ("es", ["nada de nada", "ninguna", "nada en absoluto", "nada"]),
    ],
)
def test_no_letter_at_all_answers_is_it(language, phrases):
    for phrase in phrases:
        stage = Stage(FEW).hear("ready")
        assert stage.state == "word"
        stage.answer(understand_phrase(phrase, 0.9, list_meanings("word"), mind.load_lines(language)))
        assert [turn.feedback for turn in stage.game.turns] == [(0, 0)], phrase
        assert stage.said[0] == "score, none"


def test_all_five_is_the_word():
    stage = asked().answer(understand_phrase("all five", 0.9, list_meanings("both"), LINES))
    assert stage.said == ["did you say"], "the player has just said that it is not the word"
    assert stage.hear("yes").said[:2] == ["five in place", "wonderful, at once"] and stage.game.outcome == game.SOLVED


def test_the_word_that_was_denied_takes_a_sure_yes():
    stage = asked().hear("5")
    assert stage.unsure("yes").said[-1] == "did you say, example"
    assert stage.unsure("yes").said[-1] == "in place, example" and stage.talk.doubt is None
    assert stage.hear("5").said == ["did you say"] and stage.hear("yes").said[0] == "five in place"


def test_measured_ears_take_an_unsure_yes_at_once():
    for certainty, state in ((None, "both"), ((0.2, 0.75), "scored")):
        stage = Stage(FEW, certainty=certainty).hear("ready", "no").unsure("1 1").unsure("yes")
        assert (len(stage.game.turns) == 1) == (state == "scored")
    denied = Stage(FEW, certainty=(0.2, 0.75)).hear("ready", "no", "5").unsure("yes")
    assert denied.said[-1] == "did you say, example"


def test_asked_back_measured_ears_take_no_unsure_word_for_a_wish_to_end():
    for certainty, state in ((None, "giving up"), ((0.2, 0.75), "both")):
        stage = Stage(FEW, certainty=certainty).hear("ready", "no").unsure("1 1").unsure("give up")
        assert stage.state == state and (stage.talk.doubt is None) == (state == "giving up")
    # Elsewhere it asks back by itself, as ever.
    assert Stage(FEW, certainty=(0.2, 0.75)).hear("ready").unsure("give up").state == "giving up"


def test_what_the_player_denied_is_not_listened_for_up_to_the_next_question():
    """Ears that take somebody's november for lima do so every time; a robot's own ears go on as ever."""
    for certainty, is_left_out in ((None, False), ((0.1, 0.7), True)):
        stage = Stage(FEW, certainty=certainty).hear("ready", "no").unsure("2 1")
        assert {"yes", "no", "2 1"} <= wanted(stage)
        assert ("2 1" not in wanted(stage.hear("no"))) == is_left_out
        assert ("3" not in wanted(stage.unsure("3").hear("no"))) == is_left_out
        assert ("2 1" not in wanted(stage.hear("repeat"))) == is_left_out
        assert "3" in wanted(stage.hear("2"))


def test_three_denials_are_kept_and_a_letter_taken_back_is_one():
    """Who said no by mistake is heard later."""
    stage = Stage(FEW, certainty=(0.1, 0.7)).hear("I guess")
    for letter in "abcd":
        stage.unsure(letter).hear("no")
    assert wanted(stage).intersection("abcd") == {"a"}
    assert set("abcd") <= wanted(stage.hear("t"))
    assert "l" not in wanted(stage.hear("l", "back one")) and "l" in wanted(stage.miss())
    assert "l" not in wanted(stage.hear("l", "back one")) and "l" in wanted(stage.hear("n"))


def test_a_word_that_was_denied_is_no_word_and_no_letter():
    stage = Stage(DELTA, certainty=(0.1, 0.7)).hear("I guess")
    for meaning, word in ((ANY_WORD, "ocean"), (LETTER_OR_WORD, "delta")):
        stage.answer(Hearing(UNSURE, meaning, word)).hear("no")
    stage.talk = stage.talk._replace(misses=0)
    words = hearing.list_hearable_words(
        conversation.list_awaited_meanings(stage.talk), stage.talk, mind_of(DELTA), LINES
    )
    assert "ocean" not in words and "delta" not in words and "light" in words
    assert "d" not in wanted(stage) and "o" in wanted(stage)
    # Nor does a letter that was taken back come in again as the word it is called by.
    stage = Stage(DELTA, certainty=(0.1, 0.7)).hear("I guess", "d", "back one")
    assert "delta" not in hearing.list_hearable_words(
        conversation.list_awaited_meanings(stage.talk), stage.talk, mind_of(DELTA), LINES
    )


def test_a_denial_outlives_neither_silence_nor_a_question_in_between():
    for go_on in (lambda stage: stage.quiet(), lambda stage: stage.miss(), lambda stage: stage.hear("stop", "no")):
        stage = Stage(FEW, certainty=(0.1, 0.7)).hear("ready", "no").unsure("2 1").hear("no")
        assert "2 1" not in wanted(stage)
        assert "2 1" in wanted(go_on(stage))


def test_asked_to_spell_an_alphabet_word_is_its_letter():
    stage = Stage(DELTA, certainty=(0.1, 0.7)).hear("I guess").miss().miss()
    assert stage.answer(Hearing(SURE, LETTER_OR_WORD, "delta")).state == "your guess" and stage.talk.spelled == "d"


def wanted(stage):
    """Return the meanings that NAO listens for."""
    return set(hearing.drop_denied(conversation.list_awaited_meanings(stage.talk), stage.talk, LINES))


def test_a_score_that_was_called_wrong_is_asked_back():
    """Ears that take two for three do so again: the player gives one number at a time then."""
    stage = Stage().hear("ready", "no", "1 2", "mistake", "no")
    assert stage.state == "both"
    assert stage.hear("1 2").said == ["did you say"] and "one and two" in stage.text
    assert stage.hear("no").state == "exact"
    assert stage.hear("0", "2").game.turns[0].feedback == (0, 2)
    again = Stage().hear("ready", "no", "1 2", "mistake", "no", "1 2", "yes")
    assert again.game.turns[0].feedback == (1, 2) and again.talk.doubt is None


def test_five_is_asked_back_while_another_answer_is():
    stage = asked().unsure("1 2").hear("5")
    assert stage.said == ["did you say"] and "five" in stage.text
    assert stage.hear("no", "1 2").game.turns == (("mouse", (1, 2)),)


def test_one_number_alone_is_completed():
    stage = asked().hear("1")
    assert (stage.state, stage.said) == ("misplaced", ["elsewhere"]) and stage.text.startswith("One")
    assert stage.hear("2").game.turns == (("mouse", (1, 2)),)


@pytest.mark.parametrize("state", ["word", "both", "exact"])
@pytest.mark.parametrize("pair", PAIRS)
def test_a_pair_is_understood_wherever_a_score_is_expected(state, pair):
    stage = Stage(FEW).hear(*{"word": ["ready"], "both": ["ready", "no"], "exact": ["ready", "no", "1", "back"]}[state])
    assert stage.state == state
    stage.hear(pair)
    exact, misplaced = map(int, pair.split())
    if (exact, misplaced) in JOTTO.possible():
        assert stage.game.turns == (("mouse", (exact, misplaced)),)
    elif state == "word":
        assert stage.said == ["sorry", "is it, shortly"]
    else:
        assert stage.said[0] in ("four and one", "too many") and stage.state == "exact"


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("certain", [0.9, 0.4])
def test_a_pair_heard_unsurely_is_said_back_plainly(pair, certain):
    names = [LINES.number(int(number)) for number in pair.split()]
    for phrase in (" ".join(names), " and ".join(names), "%s in place %s elsewhere" % tuple(names)):
        heard = understand_phrase(phrase, certain, list_meanings("both"), LINES)
        assert heard == Hearing(SURE if certain > 0.5 else "unsure", pair, " and ".join(names))


# The pace


def pace_after(*answers):
    """Answer question after question about scores; return what NAO says to ask for the next score."""
    stage = Stage(WORDS).hear("ready")
    for answer in answers:
        if stage.state == "word":
            stage.hear("no")
        stage.miss() if answer == "?" else stage.hear(*answer.split(","))
    if stage.state == "word":
        stage.hear("no")
    return stage.said[-1]


@pytest.mark.parametrize(
    "answers, question",
    [
        ([], "both numbers"),
        (["0 1"], "both numbers"),
        (["0 1", "0 1"], "two numbers"),
        (["0 1", "none"], "two numbers"),
        (["0 1", "0 1", "0 1"], "two numbers"),
        (["?"], "in place, shortly"),
        (["?", "0,1"], "both numbers"),
        (["?", "0,1", "0,1"], "in place"),
        (["?", "0 1"], "both numbers"),
        (["0,1"], "both numbers"),
        (["0,1", "0,1"], "in place"),
        (["0,1", "0,1", "0,1"], "in place"),
        (["0,1", "0,1", "0 1"], "both numbers"),
        (["0 1", "0 1", "0,1"], "both numbers"),
        (["0 1", "0 1", "?"], "in place, shortly"),
        (["0 1", "3 3"], "in place"),
    ],
)
def test_nao_asks_as_the_player_answers(answers, question):
    assert pace_after(*answers) == question


def test_the_pace_outlives_a_restart_and_stays_in_its_bounds():
    stage = Stage(WORDS).hear("ready").in_one_breath(0, 1).in_one_breath(0, 1).in_one_breath(0, 1)
    assert stage.talk.pace == IN_ONE_BREATH
    stage = Stage(WORDS, start=stage.talk).hear("yes", "no")
    assert stage.said == ["two numbers"]
    for _ in range(3):
        stage = Stage(WORDS).hear("ready").score(0, 1).score(0, 1).score(0, 1)
    assert stage.talk.pace == ONE_BY_ONE


# What is certain


def test_four_in_place_leaves_none_elsewhere():
    stage = asked().hear("4")
    assert stage.game.turns[0] == ("mouse", (4, 0)) and "elsewhere" not in stage.said


@pytest.mark.parametrize("found, exact, left", [((0, 5), "1", (1, 4)), ((1, 4), "none", (0, 5)), ((0, 3), "2", (2, 1))])
def test_letters_that_are_known_are_not_counted_again(found, exact, left):
    stage = Stage(("ocean", "canoe"), "belief", seed=2).hear("ready")
    first = stage.game.guess
    stage.in_one_breath(*found)
    if stage.state == "word":
        stage.hear("no")
    assert stage.said[-1] == "in place" and stage.game.guess != first
    assert [turn.feedback for turn in stage.hear(exact).game.turns] == [found, left]


def test_more_in_place_than_letters_were_found_is_asked_in_full():
    stage = Stage(("ocean", "canoe"), "belief", seed=2).hear("ready").in_one_breath(0, 2)
    stage.hear("no") if stage.state == "word" else None
    assert stage.hear("3").state == "misplaced"


def test_an_answer_looked_at_again_is_counted_in_full():
    stage = Stage(("ocean", "canoe"), seed=2).hear("ready").in_one_breath(0, 5).hear("mistake", "no")
    assert (stage.state, stage.said) == ("both", ["both numbers"])


def test_a_guess_that_cannot_be_the_word_is_not_asked_for_yes_or_no():
    stage = Stage(WORDS, "belief", seed=40).hear("ready").score(1, 0).score(1, 2).score(0, 2)
    assert "trial" in stage.said and "faith" in stage.text and stage.state == "exact"
    # It may be the word all the same, where an answer was wrong.
    assert stage.hear("my word").said == ["did you say"]
    assert stage.hear("yes").said[0] == "wonderful"


# Spelling


@pytest.mark.parametrize("guess, spelled", [("pares", True), ("horse", True), ("ocean", False), ("table", False)])
def test_only_what_sounds_like_another_word_is_spelled(guess, spelled):
    stage = Stage((guess,)).hear("ready")
    assert ("\\pau" in stage.text) == spelled
    assert "as in" in stage.hear("repeat").text


@pytest.mark.parametrize("key", ["is it", "is it, first", "is it, last", "trial"])
def test_every_wording_of_a_guess_can_spell_it(key):
    assert all("{sounding}" in wording for wording in LINES.variants(key))
