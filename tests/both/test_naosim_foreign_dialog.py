"""A project with a Dialog box: its outputs scripted, or driven by its own topic through ALDialog."""
from __future__ import absolute_import, division, print_function

import os

import pytest

from behaviours.build_projects import FOLDER
from naosim.robot import Robot

TOPIC = os.path.join(FOLDER, "SmallTalk", "SmallTalk_enu.top")


@pytest.fixture
def robot():
    made = Robot()
    made.load(os.path.join(FOLDER, "small_talk.xar"), rewrite=True)
    made.start()
    made.advance()
    yield made
    made.close()


def dialog_box(robot):
    return [box for box in robot.behaviour.root.family() if box.plan.box.dialog][0]


def texts(robot):
    return [event.fields["plain"] for event in robot.trace.of("say")]


def test_outputs_of_the_dialog_box_can_be_scripted(robot):
    box = dialog_box(robot)
    robot.clock.later(1, box.fire_by_name, "wantsName", "Ada")
    robot.clock.later(3, box.fire_by_name, "wantsStory", 1)
    robot.clock.later(6, box.fire_by_name, "onStopped", None)
    assert robot.advance().ended
    assert texts(robot) == ["Ada", "Once upon a time.", "Bye."]
    assert robot.behaviour.failures == robot.leaks() == []


def test_the_topic_answers_and_drives_the_outputs(robot):
    box, dialog, memory = dialog_box(robot), robot.service("ALDialog"), robot.memory
    name = dialog.loadTopic(TOPIC)
    dialog.activateTopic(name)
    dialog.subscribe("SmallTalk")
    links = [(key, memory.link(key, lambda value, key=key: box.fire_by_name(key, value)))
             for key in ("wantsStory", "wantsName", "onStopped")]
    assert robot.advance().ears.engine == "ALDialog"
    assert "tell me a fairy tale" in robot.ears().vocabulary
    for sentence in ("My name is Ada", "please tell me a story", "what", "good bye"):
        robot.hear(sentence)
        pause = robot.advance()
    assert pause.ended
    assert texts(robot) == ["Nice to meet you.", "ada", "With pleasure.", "Once upon a time.", "Bye."]
    assert memory.getData("Dialog/NotUnderstood") == "what"
    for key, link in links:
        memory.unlink(key, link)
    dialog.unsubscribe("SmallTalk")
    dialog.unloadTopic(name)
    assert robot.leaks() == []
