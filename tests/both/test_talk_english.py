"""What NAO says is the English of people who speak it: what was read aloud and mended stays mended."""

from __future__ import absolute_import, division, print_function, unicode_literals

import re

import pytest
from talk_stage import LINES, Stage

from jotto.rules import JOTTO
from jotto_behaviour import hearing
from jotto_behaviour.states import list_meanings

KEYS = LINES.keys()
EVERY_WORDING = "\n".join(wording for key in KEYS for wording in LINES.variants(key))


@pytest.mark.parametrize(
    "odd, plain",
    [
        ("I tell you", "I'll tell you"),
        ("faster than I!", "faster than me!"),
        ("keep our game", "save our game"),
        ("my word has not", "my word doesn't"),
        ("When you spell your word", "If you spell your word"),
        ("I read your answers to you", "I'm reading your answers back"),
        ("in my list", "on my list"),
        ("attempts!", "guesses!"),
        ("hall ", "Want to play again?"),
    ],
)
def test_odd_english_is_gone(odd, plain):
    assert odd not in EVERY_WORDING and plain in EVERY_WORDING


@pytest.mark.parametrize(
    "phrase, state, meaning",
    [
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
    ],
)
def test_what_people_say_is_understood(phrase, state, meaning):
    assert hearing.understand_phrase(phrase, 0.9, list_meanings(state), LINES).meaning == meaning


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
    assert stage.said == {1: ["sorry"], 2: ["sorry again"], 3: ["touch instead, yes or no"], 4: []}[misses] + question
    assert stage.hear("repeat").said == question + ["slowly"]


#: Words of one line; what helps may be longer.
LONGEST, LONGEST_HELP = 15, 25
#: The rules with their example.
LONGER = {"help, rules": 41}


def test_a_line_is_said_in_one_breath():
    for key in KEYS:
        is_help = key.startswith("help") or key.endswith("example")
        for wording in LINES.variants(key):
            said = re.sub(r"\{(spelling|sounding)\}", "", wording).split()
            assert len(said) <= LONGER.get(key, LONGEST_HELP if is_help else LONGEST), (key, len(said))
            assert not re.search(r"(?i)\bshall\b|\?.*\?", wording), key


def test_i_guess_means_i_suppose_so():
    role = list_meanings("role")
    assert hearing.understand_phrase("I guess", 0.9, role, LINES).meaning is None
    for said in ("my turn to guess", "I will guess", "I guess your word"):
        assert hearing.understand_phrase(said, 0.9, role, LINES).meaning == "I guess"
    assert hearing.understand_phrase("you guess", 0.9, role, LINES).meaning == "you guess"


def test_the_example_of_the_rules_is_right():
    (rules,) = LINES.variants("help, rules")
    secret, guess = re.findall("[A-Z]{5}", rules)
    assert rules.endswith("that's %s and %s." % tuple(map(LINES.number, JOTTO.score(guess.lower(), secret.lower()))))
