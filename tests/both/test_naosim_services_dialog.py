"""ALDialog: topics, concepts, and the choice of a rule."""

from __future__ import absolute_import, division, print_function

import pytest

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
        understood = robot.service("ALDialog").heard(sentence, 0.9)
        robot.clock.run()
        texts = [event.fields["plain"] for event in robot.trace.of("say")[before:]]
        said.append(" ".join(texts) if understood else None)
    return said


def test_stars_choices_and_forbidden_words(robot, dialog):
    assert answers(robot, "tell me everything now", "tell me", "tell you", "yes yes") == ["One story."] * 2 + [None] * 2
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
    assert not dialog.heard("yes", 0.4)
    dialog.setASRConfidenceThreshold(0.3)
    assert dialog.heard("yes", 0.4)
    dialog.unsubscribe("Game")
    assert not dialog.heard("yes", 0.9)
    assert not dialog.is_open


def test_the_newest_topic_answers_first(robot, dialog):
    dialog.activateTopic(dialog.loadTopicContent("topic: ~other()\nlanguage: English\nu:(yes) No!\n"))
    assert answers(robot, "yes") == ["No!"]
    dialog.setFocus("quiz")
    assert (answers(robot, "yes"), dialog.getFocus()) == (["Good."], "quiz")
    dialog.deactivateTopic("quiz")
    assert (dialog.getActivatedTopics(), dialog.getLoadedTopics("English")) == (["other"], ["other", "quiz"])


def test_a_topic_that_cannot_be_loaded_is_refused_with_the_line(dialog):
    for content, reason in [
        ("", "line 1: a topic begins"),
        ("topic: ~a()\nlanguage: klingon", "line 2: unknown language"),
        ("topic: ~a()\nu:(yes _) x", "line 2: nothing follows"),
        ("topic: ~a()\nlanguage: frf", "language French is not installed"),
        ("topic: ~quiz()\nlanguage: enu", "already loaded"),
        ("topic: ~a()\nu:(* a * b * c * d *) x", "more than 4 stars"),
    ]:
        with pytest.raises(RuntimeError) as caught:
            dialog.loadTopicContent(content)
        assert str(caught.value).startswith("\tALDialog::loadTopicContent\n\t"), content
        assert reason in str(caught.value)


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


def test_topics_have_to_be_loaded_and_activated_in_order(dialog, tmpdir):
    for method, arguments in (
        ("loadTopic", [str(tmpdir.join("none.top"))]),
        ("activateTopic", ["other"]),
        ("activateTopic", ["quiz"]),
        ("deactivateTopic", ["other"]),
        ("unloadTopic", ["other"]),
        ("subscribe", ["Game"]),
        ("unsubscribe", ["Other"]),
        ("setLanguage", ["Klingon"]),
    ):
        with pytest.raises(RuntimeError, match="ALDialog::%s" % method):
            dialog.call(method, arguments)


def test_open_topics_and_subscriptions_are_reported(robot, dialog):
    assert dialog.leftovers() == [
        "The topic quiz is still activated.",
        "Module 'Game' is still subscribed to ALDialog.",
    ]
    dialog.resetAll()
    assert dialog.leftovers() == robot.memory.leftovers() == []
