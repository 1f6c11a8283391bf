"""Silence: NAO reminds, waits, and goes; and a game is continued, even after a restart of the robot."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import EASY, FRONT, Story


def falls_silent(story, times=3):
    for _ in range(times):
        story.keeps_silent()


@pytest.mark.parametrize("state, line", [("word", "is it"), ("both", "both numbers"), ("tell", "tell me")])
def test_the_ladder(story, state, line):
    story.reaches(state)
    story.keeps_silent()
    story.hears(line + ", shortly")
    story.keeps_silent()
    story.hears(line + ", example")
    story.keeps_silent()
    # A game that is over is only written down until it is noted as finished.
    story.hears("pause, unsaved" if story.talk["game"]["outcome"] else "pause")
    assert story.state == "paused" and story.note("unfinished.json")
    story.says("go on")
    story.hears("go on", line + ", shortly")
    assert (story.state, story.talk["silences"]) == (state, 0)
    story.stops()


@pytest.mark.parametrize(
    "value, seconds",
    ([(180, 180.0), (180.0, 180.0)] + [(value, 8.0) for value in (0, 5.0, "180", -1, 1e9, float("nan"), True, None)]),
)
def test_a_question_waits_as_long_as_a_program_that_shows_it_says(story, value, seconds):
    story.reaches("word")
    story.stores("Patience", value)
    # What NAO asks anew waits anew.
    story.says("repeat")
    begun = story.robot.clock.now()
    story.keeps_silent()
    story.hears("is it, shortly")
    assert seconds <= story.robot.clock.now() - begun < seconds + 30.0
    story.stops()


def test_a_touch_ends_the_pause(story):
    story.says("ready", "no")
    falls_silent(story)
    story.touches(FRONT)
    story.hears("go on", "both numbers, shortly")
    story.plays("money")
    assert story.guess == "money"
    story.says("no")


def test_no_player_is_there_at_all(story):
    falls_silent(story)
    story.hears("goodbye")
    assert not story.note("unfinished.json")


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("goes_on", [False, True])
def test_the_game_is_kept(tmpdir, restarts, goes_on):
    def comes_back(story, score, guess, goes_on):
        story.begins()
        story.hears("hello", "go on with our game")
        if goes_on:
            story.says("yes")
            story.hears("where we were", "is it, shortly")
            assert (story.score, story.guess) == (score, guess)
            story.plays("money")
            assert story.score[: len(score)] == score
        else:
            story.says("no")
            story.hears("who guesses")
            assert (story.score, story.guess) == ([], "")
            story.plays("money")
        assert story.guess == "money"
        story.says("no")
        assert not story.note("unfinished.json")
        story.begins()
        story.hears("hello", "who guesses")
        story.stops()

    def plays_a_turn_and_leaves(story):
        """Play one turn, then keep silent until NAO goes; return the score."""
        story.plays("money", until="both")
        story.answers(story.answer("money"))
        falls_silent(story, 4)
        story.hears("goodbye, saved")
        assert story.is_over
        return story.score, story.guess

    with Story(tmpdir, words=EASY) as story:
        story.begins()
        score, guess = plays_a_turn_and_leaves(story)
        if not restarts:
            comes_back(story, score, guess, goes_on)
    if restarts:
        with Story(tmpdir, words=EASY) as story:
            comes_back(story, score, guess, goes_on)


@pytest.mark.parametrize("state", ["exact", "doubtful", "paused"])
def test_the_robot_is_switched_off_after_a_stop_in(tmpdir, state):
    """The user stops the behaviour, and the next robot knows no ALMemory of before."""
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.reaches(state)
        score = story.score
        story.stops()
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.hears("go on with our game")
        story.says("yes")
        assert story.state in ("word", "doubtful") and story.score == score
        story.stops()


def test_a_game_over_is_not_gone_on_with(story):
    story.plays("money")
    story.stops()
    story.begins()
    story.hears("who guesses")
    assert len(story.note("games.jsonl").splitlines()) == 1


@pytest.mark.parametrize(
    "certainty, lines", [(None, ["let us begin", "is it, first"]), ([0.1, 0.7], ["sorry", "is it, shortly"])]
)
def test_three_sounds_that_are_no_phrase_are_a_person_who_was_not_understood(tmpdir, certainty, lines):
    """A cough or two are not; ears whose confidences were not measured are left to the silence that follows."""
    with Story(tmpdir, words=EASY) as story:
        story.begins(certainty=certainty)
        story.says("ready")
        for _ in range(3):
            assert story.state == "word" and not story.talk["misses"]
            story.robot.hear("", 0.0)
        story.robot.wait(4.0)
        assert (story.state, story.talk["misses"]) == ("word", int(certainty is not None))
        assert [line[0] for line in story.talk["last"]] == lines
        story.stops()
