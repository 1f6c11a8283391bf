"""What NAO says is the English of people who speak it: what was read aloud and mended stays mended."""
from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from talk_stage import LINES, Stage

from jotto_behaviour import hearing
from jotto_behaviour.states import meanings

KEYS = LINES.keys()
EVERY_WORDING = "\n".join(wording for key in KEYS for wording in LINES.variants(key))


@pytest.mark.parametrize("odd, plain", [
    ("I tell you", "I'll tell you"),
    ("faster than I!", "faster than me!"),
    ("keep our game", "save our game"),
    ("my word has not", "my word does not"),
    ("When you spell your word", "If you spell your word"),
    ("look where I went wrong", "see where I went wrong"),
    ("I read your answers to you", "I am reading your answers back"),
])
def test_odd_english_is_gone(odd, plain):
    assert odd not in EVERY_WORDING and plain in EVERY_WORDING


@pytest.mark.parametrize("phrase, state, meaning", [
    ("none", "both", "none"), ("nil", "misplaced", "none"), ("no letters", "exact", "none"), ("it's one", "exact", "1"),
    ("I think two", "misplaced", "2"), ("nope", "word", "no"), ("yep", "word", "yes"), ("yeah", "again", "yes"),
    ("quit", "your guess", "stop"), ("exit", "exact", "stop"), ("race", "again", "race"), ("six", "exact", "beyond"),
    ("ten", "misplaced", "beyond"), ("another role", "again", "other role")])
def test_what_people_say_is_understood(phrase, state, meaning):
    assert hearing.understand(phrase, 0.9, meanings(state), LINES).meaning == meaning


@pytest.mark.parametrize("said", [["ready", "no"], ["ready", "no", "2"], ["ready", "no", "back", "no", "1"]])
def test_more_letters_than_a_word_has(said):
    stage = Stage().hear(*said)
    state, number = stage.state, stage.talk.exact
    stage.hear("beyond")
    assert stage.said[0] == "from zero to five" and "from zero to five" in stage.text
    assert (stage.state, stage.talk.exact, len(stage.said)) == (state, number, 2)


@pytest.mark.parametrize("misses", [1, 2, 3, 4])
def test_repeat_after_a_misunderstanding_says_the_question_alone(misses):
    stage = Stage().hear("ready").miss(misses)
    question = [key for key in stage.said if key.startswith("is it")]
    assert stage.said == {1: ["sorry"], 2: ["sorry again"], 3: ["touch instead"], 4: []}[misses] + question
    assert stage.hear("repeat").said == question + ["slowly"]
