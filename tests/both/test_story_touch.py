"""A robot without ears: the head alone is enough to play."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import EASY, FRONT, MIDDLE, REAR, TOUCH_ONLY, Story

from jotto.compat import as_native


@pytest.fixture
def story(tmpdir):
    with Story(tmpdir, words=EASY, without=TOUCH_ONLY) as visit:
        visit.begins(role="breaker")
        yield visit
        if not visit.is_over:
            visit.stops()


def test_a_whole_game_and_another(story):
    story.hears("cannot hear", "hello", "think of a word")
    story.plays_by_touch("money")
    story.hears("wonderful", "play again")
    story.touches(FRONT)
    story.hears("new word")
    story.plays_by_touch("heart")
    story.touches(REAR)
    story.hears("goodbye")


@pytest.mark.parametrize("taps", [0, 3, 4, 5])
def test_taps_are_a_number(story, taps):
    story.touches(FRONT, REAR)
    story.taps(taps)
    if taps == 5:
        story.hears("did you say")
        story.touches(FRONT)
        story.hears("five in place")
    elif taps == 4:
        assert story.score == [(story.score[0][0], (4, 0))]
    else:
        assert (story.state, story.talk["exact"]) == ("misplaced", taps)


@pytest.mark.parametrize("taps", [6, 30])
def test_more_taps_than_letters(story, taps):
    story.touches(FRONT, REAR)
    story.taps(taps)
    story.hears("sorry")
    assert story.state == "exact"
    story.taps(1)
    assert story.talk["exact"] == 1


@pytest.mark.parametrize("taps", [1, 3])
def test_taps_without_the_touch_that_closes_them(story, taps):
    story.touches(FRONT, REAR)
    story.touches(*[FRONT] * taps)
    story.keeps_silent()
    story.hears("did you say")
    story.touches(FRONT)
    assert (story.state, story.talk["exact"]) == ("misplaced", taps)


def test_a_tap_restarts_the_time(story):
    story.touches(FRONT, REAR)
    for _ in range(3):
        story.passes(8)
        story.touches(FRONT)
    story.touches(REAR)
    assert story.talk["exact"] == 3


def spells(story):
    """Go as far as the spelling: a score that fits no word, and "yes, it is right"."""
    story.touches(FRONT, REAR, REAR, REAR, FRONT, FRONT)
    assert story.state == "spell"


def test_a_letter_by_taps_is_taken_back(story):
    spells(story)
    story.taps(3)
    assert story.talk["spelled"] == "c"
    story.taps(26)
    assert story.talk["spelled"] == "cz"
    story.touches(REAR)
    assert story.talk["spelled"] == "c"
    story.taps(27)
    story.hears("sorry")
    assert story.talk["spelled"] == "c"


def test_a_letter_without_the_touch_that_closes_it(story):
    spells(story)
    story.touches(FRONT, FRONT)
    story.keeps_silent()
    story.hears("did you say")
    assert "bravo" in story.heard
    story.touches(FRONT)
    assert story.talk["spelled"] == "b"


@pytest.mark.parametrize("touches", [(FRONT,), (FRONT, REAR), (FRONT, REAR, FRONT)])
def test_the_middle_stops(story, touches):
    story.touches(*touches)
    before = story.state
    story.touches(MIDDLE)
    story.hears("stop")
    story.touches(REAR)
    story.hears("go on")
    assert story.state == before
    story.touches(MIDDLE, FRONT)
    story.hears("goodbye, saved")
    assert story.is_over


def test_only_the_press_counts(story):
    """A hand that rests on the head is one touch, however often the robot reports it let go."""
    story.touches(FRONT, REAR)
    for value in (0.0, 0.0, 1.0, 0.0, 0.0, 0.5):
        story.raises(FRONT, value)
    story.touches(REAR)
    assert story.talk["exact"] == 1


def test_touches_while_nao_speaks_are_ignored(story):
    story.robot.touch(as_native(FRONT))
    for _ in range(3):
        story.robot.advance(0.3)
        assert story.robot.services["ALTextToSpeech"].is_speaking
        for sensor in (FRONT, REAR, MIDDLE):
            story.robot.touch(as_native(sensor))
    story.passes(0)
    assert story.state == "word"


def test_other_sensors_do_nothing(story):
    story.touches("LeftBumperPressed", "HandRightBackTouched", "ChestButtonPressed")
    assert story.state == "ready"
