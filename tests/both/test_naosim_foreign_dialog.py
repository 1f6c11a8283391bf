"""A project with a Dialog box: driven by its topic through ALDialog, or its outputs scripted."""

from __future__ import absolute_import, division, print_function

import io
import os

import pytest
from behaviours import FOLDER

from naosim.robot import Robot

PROJECT = os.path.join(FOLDER, "small_talk.xar")


@pytest.fixture
def robot():
    made = Robot()
    made.load(PROJECT, rewrite=True)
    made.start()
    made.advance()
    yield made
    made.close()


def texts(robot):
    return [event.fields["plain"] for event in robot.trace.of("say")]


def test_the_topic_answers_and_drives_the_outputs(robot):
    assert robot.ears().engine == "ALDialog"
    assert "tell me a fairy tale" in robot.ears().vocabulary
    for sentence in ("My name is Ada", "please tell me a story", "what", "good bye"):
        robot.hear(sentence)
        pause = robot.advance()
    assert pause.ended
    assert texts(robot) == ["Nice to meet you.", "ada", "With pleasure.", "Once upon a time.", "Bye."]
    assert robot.get("Dialog/NotUnderstood") == "what"
    assert robot.behaviour.failures == robot.leaks() == []


def test_outputs_of_the_dialog_box_can_be_scripted(robot):
    box = next(box for box in robot.behaviour.root.family() if box.plan.box.dialog)
    for output, value in (("wantsName", "Ada"), ("wantsStory", 1), ("onStopped", None)):
        robot.clock.soon(box.fire_by_name, output, value)
        pause = robot.advance()
    assert pause.ended
    assert texts(robot) == ["Ada", "Once upon a time.", "Bye."]
    assert robot.behaviour.failures == robot.leaks() == []


def test_stopping_it_while_it_listens_leaves_nothing(robot):
    robot.stop()
    assert not robot.service("ALDialog").getAllLoadedTopics()
    assert robot.behaviour.failures == robot.leaks() == []


def test_a_topic_that_is_missing_fails_the_run(tmpdir):
    path = tmpdir.ensure("behavior_1", dir=True).join("behavior.xar")
    with io.open(PROJECT, "rb") as project, io.open(str(path), "wb") as copy:
        copy.write(project.read())
    with Robot() as robot:
        behaviour = robot.load(str(path), rewrite=True)
        robot.start()
        robot.advance()
        assert len(behaviour.failures) == 1
        assert "SmallTalk.dlg" in behaviour.failures[0]
