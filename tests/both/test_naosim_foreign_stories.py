"""Behaviours in the styles of other people's projects, played as stories from beginning to end."""

from __future__ import absolute_import, division, print_function

import os

import pytest
from behaviours import FOLDER, STORIES

from naosim.errors import ScriptRefused
from naosim.lint import judge
from naosim.robot import Robot
from naosim.xar import parse

NOD = "animations/Stand/Gestures/Yes_1"


def path(name):
    return os.path.join(FOLDER, name)


@pytest.fixture
def robot():
    made = Robot(languages=("English", "French"))
    yield made
    made.close()


def begin(robot, name):
    """Load and start a file; on Python 3 the two idioms of 2.7 are rewritten."""
    behaviour = robot.load(path(name), rewrite=True)
    robot.start()
    robot.advance()
    return behaviour


def texts(robot):
    return [event.fields["plain"] for event in robot.trace.of("say")]


def is_clean(robot, behaviour):
    """Check that nothing failed, nothing is left, and everything that was loaded was unloaded."""
    assert behaviour.failures == []
    assert robot.leaks() == []
    loads, unloads = [sorted(event.fields["box"] for event in robot.trace.of(kind)) for kind in ("load", "unload")]
    assert loads == unloads
    return True


def test_the_lint_finds_nothing_broken():
    for name in STORIES:
        findings = judge(parse(path(name)))
        assert [finding for finding in findings if finding.severity == "error"] == [], name


def test_old_scripts_need_python_2_or_the_rewriting(robot):
    if str is bytes:
        robot.load(path("old_story.xar"))
    else:
        with pytest.raises(ScriptRefused, match=r"Listen"):
            robot.load(path("old_story.xar"))


def test_old_yes_leads_to_the_head_and_then_to_the_timer(robot):
    behaviour = begin(robot, "old_story.xar")
    assert robot.ears().vocabulary == ("yes", "no")
    robot.hear("yes", 0.8)
    assert robot.advance().ears.touch == ("FrontTactilTouched", "MiddleTactilTouched", "RearTactilTouched")
    robot.touch("RearTactilTouched")
    assert not robot.advance().ended
    robot.touch("FrontTactilTouched")
    assert robot.advance().ended
    assert texts(robot) == [
        "Hello. Do you want to play?",
        "Great. Touch the front of my head to begin.",
        "Here we go.",
        "Good bye.",
    ]
    spoken = {event.fields["plain"]: event.time for event in robot.trace.of("say")}
    assert spoken["Good bye."] - spoken["Here we go."] == pytest.approx(2.5 + 11 / 12.0, abs=0.01)
    assert is_clean(robot, behaviour)


def test_old_mumbling_is_asked_again_and_no_ends_it(robot):
    behaviour = begin(robot, "old_story.xar")
    for phrase, sure in (("banana", 0.9), ("no", 0.39), ("no", 0.41)):
        robot.hear(phrase, sure)
        pause = robot.advance()
    assert pause.ended
    assert texts(robot)[1:] == ["Please say yes or no."] * 2 + ["What a pity.", "Good bye."]
    assert is_clean(robot, behaviour)


def test_old_say_speaks_the_language_of_the_robot(robot):
    robot.service("ALTextToSpeech").setLanguage("French")
    begin(robot, "old_story.xar")
    assert texts(robot) == ["Bonjour. Tu veux jouer?"]
    robot.hear("no")
    robot.advance()
    errors = [event.fields["message"] for event in robot.trace.of("error")]
    assert len(errors) == 1
    assert "KeyError" in errors[0]
    assert "French" in errors[0]


def test_an_old_behaviour_stopped_in_the_middle_of_a_word_leaves_nothing(robot):
    behaviour = robot.load(path("old_story.xar"), rewrite=True)
    robot.start()
    robot.advance(1.0)
    robot.stop()
    assert [event.fields["whole"] for event in robot.trace.of("said")] == [False]
    assert is_clean(robot, behaviour)


def test_an_old_behaviour_stopped_while_it_listens_leaves_nothing(robot):
    behaviour = begin(robot, "old_story.xar")
    robot.stop()
    assert is_clean(robot, behaviour)


def test_new_spotting_finds_the_word_in_a_sentence(robot):
    behaviour = begin(robot, "new_story.xar")
    assert robot.ears().spotting
    robot.hear("I would like tea today", 0.5)
    assert robot.advance().ended
    assert texts(robot) == ['Tea & biscuits, or "coffee"?', "One tea.", "See you."]
    assert [event.fields.get("path") for event in robot.trace.of("animate") if "path" in event.fields] == [NOD]
    assert is_clean(robot, behaviour)


def test_new_silence_times_out(robot):
    behaviour = begin(robot, "new_story.xar")
    assert robot.stay_silent().ended
    assert texts(robot)[1:] == ["Nobody answers.", "See you."]
    assert robot.clock.now() > 20
    assert is_clean(robot, behaviour)


def test_a_word_heard_with_doubt_changes_nothing(robot):
    begin(robot, "new_story.xar")
    robot.hear("coffee", 0.44)
    assert robot.advance().ears.engine == "ALSpeechRecognition"
    robot.hear("coffee", 0.45)
    assert robot.advance().ended
    assert texts(robot)[1:] == ["One coffee.", "See you."]


def test_a_robot_that_sits_stands_up_first():
    with Robot(posture="Sit") as robot:
        begin(robot, "new_story.xar")
        assert robot.world.posture == "Stand"
        assert robot.trace.of("say")[0].time > 3


def test_a_language_that_is_missing_leads_to_the_error_output(tmpdir):
    with Robot(languages=("French",)) as robot:
        begin(robot, "new_story.xar")
        assert texts(robot) == []
        assert "English" in robot.trace.of("log")[0].fields["text"]
        assert robot.advance().ended


def test_a_timeline_plays_its_layers_beside_each_other(robot):
    behaviour = begin(robot, "dance.xar")
    rows = [
        (round(event.time, 2), event.fields.get("plain") or event.fields.get("colour"))
        for event in robot.trace.events
        if event.kind in ("say", "eyes")
    ]
    assert rows == [(0.0, "One."), (1.0, "#ff0000"), (2.0, "Two."), (3.0, "#0000ff"), (3.96, "That was my dance.")]
    assert [event.fields["actuator"] for event in robot.trace.of("motion")] == ["HeadYaw", "RHand"]
    assert robot.advance().ended
    assert is_clean(robot, behaviour)


def test_a_box_of_a_library_runs_on_its_own(robot):
    behaviour = begin(robot, "listen_and_repeat.xar")
    robot.hear("green")
    assert robot.advance().ended
    assert texts(robot) == ["green"]
    assert is_clean(robot, behaviour)


def test_the_same_story_leaves_the_same_trace(robot):
    traces = []
    for _ in range(2):
        with Robot() as again:
            begin(again, "old_story.xar")
            again.hear("no")
            again.advance()
            traces.append(
                [(event.time, event.kind, sorted(event.fields.items(), key=str)) for event in again.trace.events]
            )
    assert traces[0] == traces[1]
