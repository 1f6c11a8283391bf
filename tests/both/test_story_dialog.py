"""A virtual robot: without a recogniser, NAO hears what is typed into the dialog panel."""

from __future__ import absolute_import, division, print_function, unicode_literals

import os
import shutil

import pytest
from story import BEHAVIOUR, EASY, FRONT, LINES, NO_VOICE, REAR, Story

from jotto.compat import as_native

TOPIC = ["jotto_answers"]


def types(story, *phrases):
    """Type into the dialog panel."""
    dialog = story.robot.services["ALDialog"]
    for phrase in phrases:
        story.robot.clock.soon(dialog.forceInput, as_native(phrase))
        story.passes(0)
    return story.heard


def test_a_whole_game_by_the_panel(tmpdir):
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        dialog = story.robot.services["ALDialog"]
        while story.state != "again":
            assert (dialog.getAllLoadedTopics(), dialog.getActivatedTopics()) == (TOPIC, TOPIC)
            types(story, LINES.phrases([story.answer("money")])[0])
        assert story.guess == "money"
        types(story, "no")
        story.hears("goodbye")
        assert dialog.getAllLoadedTopics() == []


def test_every_question_has_its_own_words(tmpdir):
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        assert {"ready", "help"} <= set(story.robot.ears().vocabulary)
        types(story, "ready", "no")
        assert {"zero", "five", "give up"} <= set(story.robot.ears().vocabulary)
        assert "ready" not in story.robot.ears().vocabulary
        story.stops()


def test_the_panel_and_the_head_take_turns(tmpdir):
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        types(story, "ready")
        story.touches(REAR, FRONT, FRONT, REAR)
        assert story.talk["exact"] == 2
        types(story, "go back", "Three")
        assert story.talk["exact"] == 3
        story.stops()


def test_typed_while_nao_speaks(tmpdir):
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        story.robot.hear(as_native("ready"))
        story.robot.advance(1.0)
        types(story, "yes")
        assert story.state == "word"
        story.stops()


def test_typing_after_the_end_is_ignored(tmpdir):
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        types(story, "stop", "yes")
        assert story.is_over
        types(story, "ready")
        assert not story.heard


@pytest.fixture
def project(tmpdir):
    """Provide a copy of the project without the topic, as when only the behaviour was copied."""
    folder = os.path.join("%s" % tmpdir, "copy")
    left_out = shutil.ignore_patterns("jotto_answers", "lib")
    shutil.copytree(os.path.dirname(os.path.dirname(BEHAVIOUR)), folder, ignore=left_out)
    return os.path.join(folder, "behavior_1", "behavior.xar")


def test_without_the_topic_there_is_the_head(tmpdir, project):
    with Story(tmpdir.mkdir("notes"), words=EASY, behaviour=project, without=NO_VOICE) as story:
        story.begins()
        story.hears("cannot hear")
        story.plays_by_touch("money")
        story.touches(REAR)


def test_with_a_broken_topic_there_is_the_head(tmpdir, project):
    answers = os.path.join(os.path.dirname(os.path.dirname(project)), "jotto_answers")
    os.mkdir(answers)
    with open(os.path.join(answers, "jotto_answers_enu.top"), "w") as topic:
        topic.write("u:(")
    with Story(tmpdir.mkdir("notes"), words=EASY, behaviour=project, without=NO_VOICE) as story:
        story.breaks = True
        story.begins()
        story.hears("hello", "cannot hear")
        story.plays_by_touch("money")
        assert sum("I can't hear" in text for text in story.said()) == 1
        story.touches(REAR)
