"""Dialog boxes of our own in behaviours: inputs, outputs, two boxes at once, the example of a new dialog."""

from __future__ import absolute_import, division, print_function

import io
import os

import naosim_xar_writer as w
import pytest
from behaviours.example_topic import EXAMPLE

from naosim.lint import judge
from naosim.robot import Robot
from naosim.xar import parse

SAY = w.script("""
    def onInput_onStart(self, text):
        ALProxy("ALTextToSpeech").say(%s)
        self.onStopped()
""")


def dialog_box(name, topic, outputs=(), inputs=()):
    """Make a Dialog box with inputs and outputs besides onStart, onStop and onStopped."""
    inputs = [w.port("onStart", nature="onStart"), w.port("onStop", nature="onStop")] + list(inputs)
    outputs = [w.port("onStopped", nature="stopped")] + list(outputs)
    return w.box(name, "", inputs, outputs, dialog="%s/%s.dlg" % (topic, topic))


def out(name, kind="bang"):
    """Make an output that does not end its box."""
    return w.port(name, kind, "punctual")


def say(name, text):
    """Make a box that says a text."""
    return w.box(name, SAY % repr(text))


def say_text(name):
    """Make a box that says the text that it gets."""
    return w.box(name, SAY % "str(text)", [w.port("onStart", "string", "onStart")])


@pytest.fixture
def runs(tmpdir):
    """Provide a function that runs boxes with topics, given by their names, and returns the robot."""
    robots = []

    def run(boxes, links, **topics):
        for name, text in topics.items():
            folder = tmpdir.ensure(name, dir=True)
            folder.join(name + ".dlg").write("multilanguage:%s\n  enu:%s_enu.top\n" % (name, name))
            folder.join(name + "_enu.top").write(text)
        path = os.path.join(str(tmpdir), "behavior.xar")
        with io.open(path, "wb") as file:
            file.write(w.behaviour(boxes, links))
        robots.append(Robot(seed=3))
        robots[-1].expected_failures = []
        robots[-1].load(path, rewrite=True)
        robots[-1].start()
        robots[-1].advance()
        return robots[-1]

    yield run
    for robot in robots:
        robot.stop()
        assert robot.leaks() == []
        assert robot.behaviour.failures == robot.expected_failures
        robot.close()


def said(robot):
    """Return what was said since the last call."""
    texts = [event.fields["plain"] for event in robot.trace.of("say")]
    start, robot.told = getattr(robot, "told", 0), len(texts)
    return " | ".join(texts[start:])


def test_the_example_of_a_new_dialog_talks(runs):
    robot = runs(
        [
            dialog_box("Talk", "Example", [out("game"), out("drink", "string")]),
            say("Game", "A game!"),
            say_text("Drink"),
        ],
        [
            ("root.onStart", "Talk.onStart"),
            ("Talk.game", "Game.onStart"),
            ("Talk.drink", "Drink.onStart"),
            ("Talk.onStopped", "root.onStopped"),
        ],
        Example=EXAMPLE,
    )
    told = []
    for text in (
        "hi",
        "say that again",
        "not so good",
        "okay",
        "how are you",
        "fine",
        "coffee",
        "milk",
        "not now",
        "pardon",
        "thank you",
    ):
        robot.hear(text)
        robot.advance()
        told.append(said(robot))
    assert told == [
        "hello | how do you feel?",
        "Once more: | how do you feel?",
        "That is a pity. | Some rest will help. | Shall we play a game?",
        "Here we go. | A game!",
        "I am well. And you, | how do you feel?",
        "I am glad. | Do you take tea with milk or with lemon?",
        "I do not know coffee. | Do you take tea with milk or with lemon?",
        "Tea with milk is good. | Shall we play a game? | milk",
        "Another time.",
        "Once more: | Shall we play a game?",
        "Not at all.",
    ]
    robot.touch("LeftBumperPressed")
    robot.advance()
    assert said(robot) == "Something touched my left foot!"
    robot.hear("bye")
    assert robot.advance().ended
    assert said(robot) == "see you"
    gestures = [event.fields["text"] for event in robot.trace.of("animate") if "text" in event.fields]
    assert gestures[0].startswith("^start(animations/Stand/Gestures/Hey_1)")


def test_two_dialog_boxes_have_two_scopes(runs):
    topic = "topic: ~%s()\nu:(e:onStart) %s here.\nu:(%s) Yes. $go=1\n"
    robot = runs(
        [
            dialog_box("One", "First", [out("go")]),
            dialog_box("Two", "Second", [out("go")]),
            say("Said one", "The first goes."),
            say("Said two", "The second goes."),
        ],
        [
            ("root.onStart", "One.onStart"),
            ("root.onStart", "Two.onStart"),
            ("One.go", "Said one.onStart"),
            ("Two.go", "Said two.onStart"),
        ],
        First=topic % ("First", "One", "first"),
        Second=topic % ("Second", "Two", "second"),
    )
    assert said(robot) == "One here. | Two here."
    for text, answer in (("first", "Yes. | The first goes."), ("second", "Yes. | The second goes.")):
        robot.hear(text)
        robot.advance()
        assert said(robot) == answer


def test_an_output_is_no_event_of_the_whole_robot(runs):
    robot = runs(
        [dialog_box("One", "First", [out("go")]), say("Say", "Gone.")],
        [("root.onStart", "One.onStart"), ("One.go", "Say.onStart")],
        First="topic: ~First()\nu:(go) $go=1 $other=2",
    )
    robot.memory.raiseEvent("go", 1)
    robot.advance()
    robot.hear("go")
    robot.advance()
    assert said(robot) == "Gone."
    assert robot.get("other") == "2"


def test_other_inputs_are_events_with_a_value(runs):
    topic = "topic: ~Count()\nu:(e:number $number>2) $number is many.\nu:(e:number) $number is few.\nu:(more) $next=3\n"
    box = dialog_box("Count", "Count", [out("next", "number")], [w.port("number", "number")])
    robot = runs([box], [("root.onStart", "Count.onStart"), ("Count.next", "Count.number")], Count=topic)
    robot.hear("more")
    robot.advance()
    assert said(robot) == "3.0 is many."


def test_an_event_of_the_robot_is_an_input(runs):
    box = dialog_box("Bell", "Bell", (), [w.port("rung", "bang", "memory", "Bell/Rung")])
    robot = runs([box], [("root.onStart", "Bell.onStart")], Bell="topic: ~Bell()\nu:(e:rung) Who is there?\n")
    robot.memory.raiseEvent("Bell/Rung", 1)
    robot.advance()
    assert said(robot) == "Who is there?"


def test_a_topic_that_cannot_be_read_fails_with_its_line(runs):
    robot = runs(
        [dialog_box("One", "First")], [("root.onStart", "One.onStart")], First="topic: ~First()\nu:(go) ^fly(away)\n"
    )
    robot.expected_failures = list(robot.behaviour.failures)
    assert len(robot.expected_failures) == 1
    assert "line 2: ^fly is no function of an answer" in robot.expected_failures[0]


#: What stands in the folder of the dialog, and the finding about it.
LISTED = [
    ({}, "cannot read"),
    ({"Talk.dlg": "multilanguage:Talk\n  xyz:Talk_xyz.top\n"}, "lists no topic in a language"),
    ({"Talk.dlg": "  enu:Talk_enu.top\n"}, "The topic file Talk_enu.top for English is listed and is not there."),
    (
        {"Talk.dlg": "  enu:Talk_enu.top\n", "Talk_enu.top": "topic: ~Talk()\n\nu:(a) ^fly\n"},
        "The topic file Talk_enu.top cannot be read: line 3: ^fly is no function of an answer",
    ),
    ({"Talk.dlg": "  frf:Talk_frf.top\n", "Talk_frf.top": "topic: ~Talk()\nlanguage: frf\nu:(a) b\n"}, None),
]


def test_the_lint_reads_the_topics_of_a_dialog_box(tmpdir):
    for files, sentence in LISTED:
        for name, text in files.items():
            tmpdir.ensure("Talk", dir=True).join(name).write(text)
        path = tmpdir.join("behavior.xar")
        path.write(w.behaviour([dialog_box("Talk", "Talk")], [("root.onStart", "Talk.onStart")]), "wb")
        found = [each for each in judge(parse(str(path))) if each.rule == "dialog"]
        assert [each.box for each in found] == ["root/Talk"] * (sentence is not None), files
        assert all(each.severity == "error" and sentence in each.sentence for each in found), files
