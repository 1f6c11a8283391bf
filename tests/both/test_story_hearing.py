"""Unsure hearings, words NAO does not know, and events that should never be raised."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import EASY, FRONT, LINES, NO_VOICE, REAR, Story

from jotto.compat import as_native
from jotto_behaviour.states import STATES

WORD = "WordRecognized"
YES = as_native("yes")


@pytest.mark.parametrize("phrase, asked, state", [("stop", "stopping", "gone"), ("give up", "giving up", "tell")])
def test_a_wish_to_end_the_game_heard_unsurely_needs_its_yes_twice(story, phrase, asked, state):
    """The wish and a single yes may both be misheard; a touch of the head is certain."""
    story.says("ready")
    story.says(phrase, confidence=0.4)
    story.says("yes", confidence=0.6)
    assert story.state == asked and story.has_said("sorry")
    story.says("no", phrase)
    story.says("yes", confidence=0.6)
    assert story.state == state


@pytest.mark.parametrize(
    "confirm",
    [
        lambda story: story.says("yes", "yes", confidence=0.6),
        lambda story: story.says("I give up"),
        lambda story: story.touches(FRONT),
        lambda story: story.says("yes", confidence=1.0),
    ],
    ids=["yes twice", "the wish surely", "a touch", "typed"],
)
def test_a_player_who_wants_to_give_up_can_do_so(story, confirm):
    story.says("my turn to guess")
    story.says("I give up", confidence=0.4)
    confirm(story)
    assert story.state == "again"


def test_the_whole_game_unsurely(story):
    def mumbles(meaning):
        story.says(LINES.phrases([meaning])[0], confidence=0.4)
        while story.state == "asking back":
            story.says("yes")

    story.plays("money", answer=mumbles)
    assert story.guess == "money"


@pytest.mark.parametrize("state", ["ready", "exact", "spell", "again"])
def test_mumbling_to_the_pause(story, state):
    """Sorry, sorry with an example, touch, two more questions, and then NAO waits, or goes where nothing is lost."""
    story.reaches(state)
    for time, line in enumerate(("sorry", "sorry again", "touch instead, " + STATES[state].touch, "", ""), 1):
        story.says("help", confidence=0.2)
        story.hears(*[line] if line else [])
        assert "ardon" not in story.heard or time == 1
        assert (story.state, story.talk["misses"]) == (state, time)
    story.says("help", confidence=0.2)
    if state in ("ready", "again"):
        assert story.is_over
    else:
        story.hears("pause, unsaved" if state == "spell" else "pause")
        story.says("go on")
        assert story.state == state


def test_a_word_outside_of_the_vocabulary_is_not_heard(story):
    assert not story.says("banana", "yes please", "yesyes")
    assert story.state == "role"


def test_anything_may_be_typed(tmpdir):
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        story.says("banana")
        story.hears("sorry")
        for text in ("", " ", "?", "yes yes", "~jotto_words", "$1", "\\pau=9\\", "^start(x)", "0", "x" * 5000, "%s{}"):
            story.says(text)
            assert story.state in ("role", "gone")
            if story.is_over:
                story.starts()
        story.says("ready")
        assert story.state == "word"
        story.stops()


@pytest.mark.parametrize("decorated", ["<...> no <...>", "<...>no<...>", "no <...>", " <...> no", "  NO  "])
def test_word_spotting_decorates(story, decorated):
    story.says("ready")
    story.raises(WORD, [as_native(decorated), 0.8])
    assert story.state == "both"


@pytest.mark.parametrize("method", ["onWordRecognized", "onTyped", "onTouched"])
def test_garbage_breaks_nothing(story, method):
    story.says("ready")
    # Values of an event that mean nothing; the last ones cannot even stand in ALMemory.
    for value in (
        [[], [YES], [1, 2], [as_native(""), 0.0], [[YES, 0.9], 0.9], YES, 0, 1.5, True, [YES, YES], [YES, None]]
        + [[None, 0.9], [YES, float("nan")], [YES, -1.0], [as_native("<...>"), 0.9], [as_native("xyzzy"), 0.9]]
        + [[[[[]]]], None, {}, [YES, []], [b"\xff\xfe", 0.9], [YES, 10**400], object()]
    ):
        # The one phrase that may be typed, and the one value that is a touch.
        if (method, value) not in (("onTyped", YES), ("onTouched", True)):
            story.calls(method, value)
    while story.state != "word":
        assert story.heard and method == "onTyped"
        story.says("go on")
    story.plays("money")
    assert story.guess == "money"


def test_an_event_too_late(story):
    """The box that listened before has had its answer: a later event is not for it."""
    old = story.box("Ready?")
    story.says("ready")
    for value in ([YES, 0.9], [as_native("stop"), 0.9]):
        story.calls("onWordRecognized", value, old)
    story.calls("onTouched", 1.0, old)
    story.calls("onTyped", YES, old)
    assert (story.state, story.heard) == ("word", "")


def test_two_answers_at_once(story):
    story.says("ready")
    story.robot.memory.raiseEvent(as_native(WORD), [as_native("no"), 0.9])
    story.raises(WORD, [YES, 0.9])
    assert story.state == "both"


def test_an_answer_and_a_touch_at_once(story):
    story.says("ready")
    story.robot.hear(as_native("no"))
    story.touches(FRONT)
    assert story.state == "both" and story.talk["exact"] is None


def test_answers_and_touches_while_nao_speaks_are_ignored(story):
    story.robot.hear(as_native("ready"))
    story.robot.advance(1.0)
    assert story.robot.services["ALTextToSpeech"].is_speaking
    story.robot.memory.raiseEvent(as_native(WORD), [YES, 0.9])
    story.robot.touch(REAR)
    story.robot.touch(FRONT)
    story.robot.hear(as_native("stop"))
    story.passes(0)
    assert story.state == "word"


def test_the_answer_comes_in_the_instant_of_the_time_out(story):
    story.says("ready")
    due = story.robot.clock.next_due()
    story.robot.clock.later(
        due - story.robot.clock.now(), story.robot.memory.raiseEvent, as_native(WORD), [as_native("no"), 0.9]
    )
    story.passes(due - story.robot.clock.now())
    assert story.state in ("word", "both")
    story.plays("money")
    assert story.guess == "money"
