"""Behaviours in the styles of other people's projects, and the boxes of Choregraphe's library, each played alone."""

from __future__ import absolute_import, division, print_function

import io
import os
import zipfile

import naosim_xar_writer as w
import pytest
from behaviours import FOLDER, STORIES, stock
from robot_fixtures import list_fields

from naosim import formats
from naosim.cli import transcript_line
from naosim.errors import ScriptRefused
from naosim.lint import judge
from naosim.robot import Robot
from naosim.services.audio import make_silence
from naosim.xar import parse


def path(name):
    return os.path.join(FOLDER, name)


ROBOT = {"languages": ("English", "French")}


def begin(robot, name):
    """Load and start a file; on Python 3 the two idioms of 2.7 are rewritten."""
    behaviour = robot.load(path(name), rewrite=True)
    robot.start()
    robot.advance()
    return behaviour


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
    assert list_fields(robot, "say", "plain") == [
        "Hello. Do you want to play?",
        "Great. Touch the front of my head to begin.",
        "Here we go.",
        "Good bye.",
    ]
    spoken = {event.fields["plain"]: event.time for event in robot.trace.of("say")}
    assert spoken["Good bye."] - spoken["Here we go."] == pytest.approx(2.5 + 11 / 12.0, abs=0.01)
    assert is_clean(robot, behaviour)


def test_an_old_behaviour_stopped_in_the_middle_of_a_word_leaves_nothing(robot):
    behaviour = robot.load(path("old_story.xar"), rewrite=True)
    robot.start()
    robot.advance(1.0)
    robot.stop()
    assert [event.fields["whole"] for event in robot.trace.of("said")] == [False]
    assert is_clean(robot, behaviour)


def test_a_language_that_is_missing_leads_to_the_error_output(tmpdir):
    with Robot(languages=("French",)) as robot:
        begin(robot, "new_story.xar")
        assert list_fields(robot, "say", "plain") == []
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


@pytest.mark.only_python_3
def test_a_quiz_of_more_than_300_boxes_is_played_to_the_end():
    front, rear = "FrontTactilTouched", "RearTactilTouched"
    capitals = {"France": "paris", "Italy": "rome", "Spain": "madrid", "Norway": "oslo"}
    capitals.update(Greece="athens", Japan="tokyo", Egypt="cairo")
    with zipfile.ZipFile(os.path.join(FOLDER, "quiz.zip")) as archive:
        plan = parse(archive.read("quiz.xar"))
    for answers, touches, asked, scores in [
        (["right"], [rear, front], 48, ["You had 24 right.", "You had 48 right."]),
        (["elephant"], [front], 48, ["You had 0 right."]),
        (["oslo", "elephant", "right"], [front], 25, ["You had 23 right."]),
        (["stop"], [], 1, []),
    ]:
        with Robot() as quiz:
            quiz.load(plan, rewrite=True)
            quiz.start()
            pause, count = quiz.advance(), 0
            while not pause.ended and count < 100:
                if not pause.ears.engine:
                    quiz.touch(touches.pop(0))
                elif "stop" in pause.ears.vocabulary and answers != ["stop"]:
                    quiz.hear("yes")
                else:
                    answer = answers[min(count, len(answers) - 1)]
                    quiz.hear(capitals[quiz.get("Quiz/Country")] if answer == "right" else answer, 0.8)
                    count += 1
                pause = quiz.advance()
            assert (pause.ended, count, touches) == (True, asked, []), answers
            said = list_fields(quiz, "say", "plain")
            assert [text for text in said if text.startswith("You had")] == scores
            assert (said[0], said[-1]) == ("Welcome to the quiz. Ready?", "Thank you for playing.")
            assert quiz.behaviour.failures == quiz.leaks() == [], answers


# A project with a Dialog box: driven by its topic through ALDialog, or its outputs scripted.

PROJECT = os.path.join(FOLDER, "small_talk.xar")


@pytest.fixture
def talk():
    made = Robot()
    made.load(PROJECT, rewrite=True)
    made.start()
    made.advance()
    yield made
    made.close()


def test_outputs_of_the_dialog_box_can_be_scripted(talk):
    box = next(box for box in talk.behaviour.root.family() if box.plan.box.dialog)
    for output, value in (("wantsName", "Ada"), ("wantsStory", 1), ("onStopped", None)):
        talk.clock.call_soon(box.fire_by_name, output, value)
        pause = talk.advance()
    assert pause.ended
    assert list_fields(talk, "say", "plain") == ["Ada", "Once upon a time.", "Bye."]
    assert talk.behaviour.failures == talk.leaks() == []


def test_a_topic_that_is_missing_fails_the_run(tmpdir):
    path = tmpdir.ensure("behavior_1", dir=True).join("behavior.xar")
    with io.open(PROJECT, "rb") as project, io.open(str(path), "wb") as copy:
        copy.write(project.read())
    with Robot() as talk:
        behaviour = talk.load(str(path), rewrite=True)
        talk.start()
        talk.advance()
        assert len(behaviour.failures) == 1
        assert "SmallTalk.dlg" in behaviour.failures[0]


def name_story(text):
    return text.split("\n")[0] + text.split("---")[1].split("\n")[0]


class Stage(object):
    """A robot with one stock box that runs, from the text of its section and of one story."""

    def __init__(self, text, tmpdir):
        self.text = text.replace("{tmp}", str(tmpdir).replace("\\", "/"))
        self.name, self.seen = self.text.split("\n")[0], 0
        self.robot = Robot(**eval("dict(%s)" % "".join(stock.find_fields(self.text, "robot"))))
        self.names = {"robot": self.robot, "send": self.send, "formats": formats, "os": os, "approx": pytest.approx}
        self.names.update(tmpdir=tmpdir, silence=make_silence)
        for line in stock.find_fields(self.text, "before"):
            eval(line, self.names)
        self.behaviour = self.robot.load(stock.make_behaviour(self.text, self.names))
        self.robot.start()

    def send(self, port, *value):
        self.robot.clock.call_soon_for(
            self.behaviour, self.behaviour.box("root/" + self.name).call, "onInput_" + port, *value
        )

    def told(self):
        """Let a minute pass and return what there was to notice."""
        self.robot.advance(60.0)
        events = self.robot.trace.events
        self.seen, since = len(events), self.seen
        for event in events[since:]:
            if event.kind == "output" and event.fields["box"] == "root/" + self.name:
                value = event.fields["value"]
                yield "-> %s%s" % (event.fields["port"], "" if value is None else " %s" % (value,))
            elif event.kind not in ("start", "end", "lint") and transcript_line(event):
                yield " ".join(transcript_line(event).split()[2:]).replace(self.behaviour.id.split("/")[-1], "{id}")

    def left(self):
        """Stop the behaviour if it still runs, and return what failed and what is left."""
        if not self.behaviour.ended:
            self.robot.stop()
        return ["failure: " + each for each in self.behaviour.failures] + [
            "left: " + each for each in self.robot.leaks()
        ]


@pytest.fixture
def stage(text, tmpdir):
    made = Stage(text, tmpdir)
    yield made
    made.robot.close()


@pytest.mark.parametrize("text", stock.STORIES, ids=name_story)
def test_a_stock_box_plays_its_story(stage):
    found, wanted = list(stage.told()), []
    for line in stage.text.split("---", 1)[1].rstrip("\n").split("\n")[1:]:
        if line.startswith("? "):
            assert eval(line[2:], stage.names), line
        elif not line.startswith(("robot: ", "before: ", "parameter: ")):
            wanted.append(line)
        if line.startswith("> "):
            eval(line[2:], stage.names)
            found += [line] + list(stage.told())
    assert found + stage.left() == wanted


@pytest.mark.parametrize(
    "text",
    [
        s[0] + "---" + s[1]
        for s in stock.SECTIONS
        if not s[0].startswith(("Record without an end", "Choice of NAOqi 2"))
    ],
    ids=name_story,
)
def test_a_stock_box_that_is_stopped_at_any_moment_leaves_nothing(stage):
    stage.robot.advance(0.3)
    stage.left()
    stage.robot.stay_silent(10.0)
    assert stage.left() == []


@pytest.mark.parametrize("text", [s[0] + "---" + s[1] for s in stock.SECTIONS if s[0].startswith("Record Sound\n")])
def test_a_recording_that_is_stopped_keeps_what_was_recorded_until_then(stage, tmpdir):
    stage.robot.advance(0.5)
    assert stage.left() == []
    assert os.path.getsize(str(tmpdir.join("hello.wav"))) == pytest.approx(0.5 * 48000 * 8, rel=0.01)


@pytest.mark.parametrize(
    "how, in_timeline, is_ended",
    [
        ("ALFrameManager.exitBehavior(self.parentId)", True, False),
        ("self.exitBehaviorParent()", True, False),
        ("ALFrameManager.exitBehavior(self.behaviorId)", True, True),
        ("self.exitBehavior()", True, True),
        ("self.exitBehaviorParent()", False, True),
    ],
)
def test_leaving_stops_the_nearest_timeline_or_the_behaviour(robot, how, in_timeline, is_ended):
    """As `parentTimeline.stop()` does: no output is fired."""
    box = w.box("Exit", w.script("    def onInput_onStart(self):\n        %s\n" % how))
    if in_timeline:
        frames = [[(1, [box], [("self.onLoad", "Exit.onStart")])]]
        box = w.box("Dance", layers=frames, timeline={"fps": 10, "end_frame": 101})
    behaviour = robot.load(w.behaviour([box], [("root.onStart", box["name"] + ".onStart")]))
    robot.start()
    assert (robot.advance().ended, robot.trace.of("output")) == (is_ended, [])
    if not is_ended:
        assert not behaviour.box("root/Dance/Exit").is_loaded
        robot.stop()
    assert behaviour.failures == robot.leaks() == []
    with pytest.raises(RuntimeError, match="Behavior nobody does not exist"):
        robot.service("ALFrameManager").exitBehavior("nobody")


def test_a_behaviours_folder_lies_in_a_package_as_on_a_robot(robot, tmpdir):
    """Show App and others look for the package's name in the path; the folder's files are there."""
    script = w.script("""
    def onInput_onStart(self):
        path = ALProxy("ALFrameManager").getBehaviorPath(self.behaviorId)
        self.logger.info(str(os.path.isfile(os.path.join(path, "behavior.xar"))))
        self.logger.info(path)
""")
    behaviour = robot.load(w.save(tmpdir, w.behaviour([w.box("Path", script)], [("root.onStart", "Path.onStart")])))
    robot.start()
    robot.advance()
    is_there, place = [event.fields["text"] for event in robot.trace.of("log")]
    assert (is_there, behaviour.failures) == ("True", [])
    assert place.replace("\\", "/").endswith("/PackageManager/apps/" + behaviour.id)
    robot.close()
    assert tmpdir.join("behavior_1", "behavior.xar").isfile()
