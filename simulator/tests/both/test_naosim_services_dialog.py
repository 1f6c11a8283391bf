"""ALDialog: topics, concepts, the choice of a rule; and dialog boxes of our own in behaviours."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest
from behaviours import read_file

from naosim.lint import judge
from naosim.robot import Robot
from naosim.xar import parse

TOPIC = """topic: ~quiz()
language: enu
concept:(yes) [yes yep "of course"]
dynamic: answer
u:(~yes) Good.
u:({please} my answer is _~answer) You said $1 and $Quiz/Known. $Quiz/Answer=$1
u:(tell me * {now}) %tell ["One story."]
u:(e:Quiz/Start) Welcome! ^goto(tell)
u:([ [a b] "c d" ] ![x] *) Letters.
proposal: %bye Good bye.
proposal: See you.
"""


@pytest.fixture
def dialog(robot):
    made = robot.service("ALDialog")
    made.activateTopic(made.loadTopicContent(TOPIC))
    made.subscribe("Game")
    return made


def answers(robot, *sentences):
    """Return the reply to each sentence, None when it is not understood."""
    said = []
    for sentence in sentences:
        before = len(robot.trace.of("say"))
        understood = robot.service("ALDialog").hear_phrase(sentence, 0.9)
        robot.clock.run()
        texts = [event.fields["plain"] for event in robot.trace.of("say")[before:]]
        said.append(" ".join(texts) if understood else None)
    return said


def test_stars_choices_and_forbidden_words(robot, dialog):
    assert answers(robot, "tell me everything now", "tell me", "tell you", "yes yes") == ["One story."] * 2 + [
        None,
        "Good.",
    ]
    assert answers(robot, "a", "c d e", "b x", "c") == ["Letters.", "Letters.", None, None]
    assert robot.memory.getData("Dialog/NotUnderstood") == "c"
    assert robot.memory.getData("Dialog/Answered") == "Letters."


def test_dynamic_concepts_and_captures(robot, dialog):
    robot.memory.insertData("Quiz/Known", "five")
    assert answers(robot, "my answer is two") == [None]
    dialog.setConcept("answer", "English", ["two", "twenty one"])
    assert answers(robot, "please my answer is twenty one") == ["You said twenty one and five."]
    assert robot.memory.getData("Quiz/Answer") == "twenty one"
    dialog.addToConcept("answer", "enu", ["[three 3]"])
    assert answers(robot, "my answer is 3")[0].startswith("You said 3")
    assert "my answer is twenty one" in dialog.vocabulary


def test_events_tags_and_proposals(robot, dialog):
    robot.memory.raiseEvent("Quiz/Start", 1)
    dialog.gotoTag("bye", "quiz")
    dialog.forceOutput()
    dialog.forceOutput()
    robot.clock.run()
    said = [event.fields["plain"] for event in robot.trace.of("say")]
    assert sorted(said) == sorted(["Welcome!", "One story.", "Good bye.", "Good bye.", "See you."])
    with pytest.raises(RuntimeError, match="has no tag nothing"):
        dialog.gotoTag("nothing", "quiz")


def test_there_is_no_answer_without_confidence_or_subscription(robot, dialog):
    assert not dialog.hear_phrase("yes", 0.4)
    dialog.setASRConfidenceThreshold(0.3)
    assert dialog.hear_phrase("yes", 0.4)
    dialog.unsubscribe("Game")
    assert not dialog.hear_phrase("yes", 0.9)
    assert not dialog.is_open


def test_the_newest_topic_answers_first(robot, dialog):
    dialog.activateTopic(dialog.loadTopicContent("topic: ~other()\nlanguage: English\nu:(yes) No!\n"))
    assert answers(robot, "yes") == ["No!"]
    dialog.setFocus("quiz")
    assert (answers(robot, "yes"), dialog.getFocus()) == (["Good."], "quiz")
    dialog.deactivateTopic("quiz")
    assert (dialog.getActivatedTopics(), dialog.getLoadedTopics("English")) == (["other"], ["other", "quiz"])


@pytest.mark.only_python_3
@pytest.mark.parametrize(
    "rule",
    [
        "u:(long) Fine.\n" + "x\n" * 60000,
        "u:(long) Fine. " + " " * 400000 + "x",
        "u" + "9" * 400000 + ":(a) x",
        "u:(long) Fine. " + "[" * 60000 + "]" * 60000,
        "u:(long) Fine. " + "^goto(" * 60000,
    ],
    ids=["joined lines", "blanks", "levels", "brackets", "gotos"],
)
def test_long_topics_are_read_or_refused_soon(robot, dialog, rule):
    """Each of these once took minutes or hours."""
    try:
        dialog.activateTopic(dialog.loadTopicContent("topic: ~long()\nlanguage: enu\n" + rule + "\n"))
    except RuntimeError as error:
        assert "line " in str(error) and len(str(error)) < 300
    else:
        assert answers(robot, "long") != [None]


def test_topics_have_to_be_right_and_loaded_and_activated_in_order(dialog):
    for method, argument, reason in [
        ("loadTopicContent", "", "Syntax error: line 1: a topic begins"),
        ("loadTopicContent", "topic: ~a()\nlanguage: klingon", "Syntax error: line 2: unknown language"),
        ("loadTopicContent", "topic: ~a()\nlanguage: frf", "language French is not installed"),
        ("loadTopicContent", "topic: ~quiz()\nlanguage: enu", "already loaded"),
        ("loadTopic", "/no/such.top", ""),
        ("activateTopic", "other", ""),
        ("activateTopic", "quiz", ""),
        ("deactivateTopic", "other", ""),
        ("unloadTopic", "other", ""),
        ("subscribe", "Game", ""),
        ("unsubscribe", "Other", ""),
        ("setLanguage", "Klingon", ""),
    ]:
        with pytest.raises(RuntimeError) as refused:
            dialog.call(method, [argument])
        assert str(refused.value).startswith("\tALDialog::%s\n\t" % method) and reason in str(refused.value), method


def test_open_topics_and_subscriptions_are_reported(robot, dialog):
    assert dialog.leftovers() == [
        "The topic quiz is still activated.",
        "Module 'Game' is still subscribed to ALDialog.",
    ]
    dialog.resetAll()
    assert dialog.leftovers() == robot.memory.leftovers() == []


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
    robot = runs([talk, say("Game", "A game!"), drink], links, Example=read_file("example.top").decode("ascii"))
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
    assert "line 2: ^fly is not a function of an answer" in robot.expected_failures[0]


@pytest.mark.parametrize(
    "files, sentence",
    [
        ({}, "cannot read"),
        ({"Talk.dlg": "multilanguage:Talk\n  xyz:Talk_xyz.top\n"}, "lists no topic in a language"),
        ({"Talk.dlg": "  enu:Talk_enu.top\n"}, "The topic file Talk_enu.top for English is listed and is not there."),
        (
            {"Talk.dlg": "  enu:Talk_enu.top\n", "Talk_enu.top": "topic: ~Talk()\n\nu:(a) ^fly\n"},
            "The topic file Talk_enu.top cannot be read: line 3: ^fly is not a function of an answer",
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
