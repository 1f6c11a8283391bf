"""The boxes of Choregraphe's library, each played alone: what the robot does, and what the box fires."""

from __future__ import absolute_import, division, print_function

import os

import naosim_xar_writer as w
import pytest
from behaviours import stock

from naosim import formats
from naosim.cli import transcript_line
from naosim.robot import Robot
from naosim.services.audio import make_silence


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
        """Send a signal to an input of the box."""
        self.robot.clock.soon_for(
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
