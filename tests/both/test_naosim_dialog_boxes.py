"""Dialog boxes of our own in behaviours: inputs, outputs, two boxes at once, the example of a new dialog."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest
from behaviours.example_topic import EXAMPLE

from naosim.lint import judge
from naosim.robot import Robot
from naosim.xar import parse

START = w.port("onStart", nature="onStart")


def dialog_box(name, topic, outputs=(), inputs=()):
    """Make a Dialog box with inputs and outputs besides onStart, onStop and onStopped."""
    inputs = [START, w.port("onStop", nature="onStop")] + list(inputs)
    outputs = [w.port("onStopped", nature="stopped")] + list(outputs)
    return w.box(name, "", inputs, outputs, dialog="%s/%s.dlg" % (topic, topic))


def out(name, kind="bang"):
    """Make an output that does not end its box."""
    return w.port(name, kind, "punctual")


def say(name, text="", start=START):
    """Make a box that says a text, or the one that it gets."""
    code = 'ALProxy("ALTextToSpeech").say(%s)\nself.onStopped()' % (repr(text) if text else "str(text)")
    return w.box(name, w.on_start(code, "self, text=None"), [start])


@pytest.fixture
def runs(tmpdir):
    """Provide a function that runs boxes with topics, given by their names, and returns the robot."""
    robots = []

    def run(boxes, links, **topics):
        for name, text in topics.items():
            folder = tmpdir.ensure(name, dir=True)
            folder.join(name + ".dlg").write("multilanguage:%s\n  enu:%s_enu.top\n" % (name, name))
            folder.join(name + "_enu.top").write(text)
        path = tmpdir.join("behavior.xar")
        path.write_binary(w.behaviour(boxes, links))
        robots.append(Robot(seed=3))
        robots[-1].expected_failures = []
        robots[-1].load(str(path), rewrite=True)
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
    talk = dialog_box("Talk", "Example", [out("game"), out("drink", "string")])
    links = [("Talk.game", "Game.onStart"), ("Talk.drink", "Drink.onStart")] + w.chain("Talk")
    drink = say("Drink", start=w.port("onStart", "string", "onStart"))
    robot = runs([talk, say("Game", "A game!"), drink], links, Example=EXAMPLE)
    for heard, answer in [
        ("hi", "hello | how do you feel?"),
        ("say that again", "Once more: | how do you feel?"),
        ("not so good", "That is a pity. | Some rest will help. | Shall we play a game?"),
        ("okay", "Here we go. | A game!"),
        ("how are you", "I am well. And you, | how do you feel?"),
        ("fine", "I am glad. | Do you take tea with milk or with lemon?"),
        ("coffee", "I do not know coffee. | Do you take tea with milk or with lemon?"),
        ("milk", "Tea with milk is good. | Shall we play a game? | milk"),
        ("not now", "Another time."),
        ("pardon", "Once more: | Shall we play a game?"),
        ("thank you", "Not at all."),
    ]:
        robot.hear(heard)
        robot.advance()
        assert said(robot) == answer
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
    boxes = [dialog_box("One", "First", [out("go")]), dialog_box("Two", "Second", [out("go")])]
    boxes += [say("Said one", "The first goes."), say("Said two", "The second goes.")]
    links = [("root.onStart", "One.onStart"), ("root.onStart", "Two.onStart")]
    links += [("One.go", "Said one.onStart"), ("Two.go", "Said two.onStart")]
    topics = {"First": topic % ("First", "One", "first"), "Second": topic % ("Second", "Two", "second")}
    robot = runs(boxes, links, **topics)
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


def test_other_inputs_and_events_of_the_robot_are_events_with_a_value(runs):
    topic = "topic: ~Count()\nu:(e:number $number>2) $number is many.\nu:(e:number) $number is few.\nu:(more) $next=3\n"
    inputs = [w.port("number", "number"), w.port("rung", "bang", "memory", "Bell/Rung")]
    box = dialog_box("Count", "Count", [out("next", "number")], inputs)
    links = [("root.onStart", "Count.onStart"), ("Count.next", "Count.number")]
    robot = runs([box], links, Count=topic + "u:(e:rung) Who is there?\n")
    robot.hear("more")
    robot.advance()
    assert said(robot) == "3.0 is many."
    robot.memory.raiseEvent("Bell/Rung", 1)
    robot.advance()
    assert said(robot) == "Who is there?"


def test_a_topic_that_cannot_be_read_fails_with_its_line(runs):
    robot = runs([dialog_box("One", "First")], w.chain("One"), First="topic: ~First()\nu:(go) ^fly(away)\n")
    robot.expected_failures = list(robot.behaviour.failures)
    assert len(robot.expected_failures) == 1
    assert "line 2: ^fly is no function of an answer" in robot.expected_failures[0]


@pytest.mark.parametrize(
    "files, sentence",
    [
        ({}, "cannot read"),
        ({"Talk.dlg": "multilanguage:Talk\n  xyz:Talk_xyz.top\n"}, "lists no topic in a language"),
        ({"Talk.dlg": "  enu:Talk_enu.top\n"}, "The topic file Talk_enu.top for English is listed and is not there."),
        (
            {"Talk.dlg": "  enu:Talk_enu.top\n", "Talk_enu.top": "topic: ~Talk()\n\nu:(a) ^fly\n"},
            "The topic file Talk_enu.top cannot be read: line 3: ^fly is no function of an answer",
        ),
        ({"Talk.dlg": "  frf:Talk_frf.top\n", "Talk_frf.top": "topic: ~Talk()\nlanguage: frf\nu:(a) b\n"}, None),
    ],
)
def test_the_lint_reads_the_topics_of_a_dialog_box(tmpdir, files, sentence):
    for name, text in files.items():
        tmpdir.ensure("Talk", dir=True).join(name).write(text)
    path = tmpdir.join("behavior.xar")
    path.write_binary(w.behaviour([dialog_box("Talk", "Talk")], w.chain("Talk")))
    found = [each for each in judge(parse(str(path))) if each.rule == "dialog"]
    assert [(each.box, each.severity) for each in found] == [("root/Talk", "error")] * (sentence is not None)
    assert all(sentence in each.sentence for each in found)
