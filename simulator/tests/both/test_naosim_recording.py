"""Recordings of a person's actions, and their replay: on the command line and from Python."""

from __future__ import absolute_import, division, print_function

import io
import json
import math
import os
import subprocess
import sys

import naosim_xar_writer as w
import pytest
from behaviours import FOLDER

from naosim import recording
from naosim.__main__ import main
from naosim.errors import WrongUse
from naosim.formats import write_whole
from naosim.robot import Robot

STORY = os.path.join(FOLDER, "old_story.xar")
TALK = os.path.join(FOLDER, "small_talk.xar")
ACTS = ["--say", "banana", "--say", "yes", "--touch", "FrontTactilTouched"]


@pytest.fixture
def path(tmpdir):
    return str(tmpdir.join("bug.jsonl"))


@pytest.fixture
def story(path, capsys):
    """Make a recording of the story on the command line."""
    assert main([STORY, "--rewrite", "--json"] + ACTS + ["--record", path]) == 0
    return capsys.readouterr()


def rows(path):
    with io.open(path, encoding="ascii") as file:
        return [json.loads(line) for line in file]


def rewritten(path, made):
    with io.open(path, "wb") as file:
        file.write("".join(json.dumps(row) + "\n" for row in made).encode("ascii"))


def test_every_act_is_a_line(path, story):
    made = rows(path)
    assert [row.get("act") for row in made] == [None, "start", "hear", "hear", "touch", "end"]
    assert made[0]["recording"] == 1
    assert made[0]["options"]["rewrite"] is True
    assert len(made[0]["checksum"]) == 64
    assert [(row["phrase"], row["confidence"], row["engine"]) for row in made[2:4]] == [
        ("banana", 0.9, "ALSpeechRecognition"),
        ("yes", 0.9, "ALSpeechRecognition"),
    ]
    assert made[3]["said"] == ["Please say yes or no."]
    assert made[4]["sensor"] == "FrontTactilTouched"
    assert (made[5]["status"], made[5]["ended"]) == (0, True)
    times = [row["time"] for row in made[1:]]
    assert times == sorted(times)


def test_the_same_events_status_and_acts_come_of_it(path, story, tmpdir, capsys):
    for _ in range(2):
        assert main([STORY, "--json", "--replay", path]) == 0
        assert capsys.readouterr() == story
    again = str(tmpdir.join("again.jsonl"))
    assert main([STORY, "--replay", path, "--record", again]) == 0
    assert rows(again) == rows(path)


@pytest.mark.parametrize(
    "options, status",
    [
        (["--seconds", "3", "--say", "no"], 0),
        (["--without", "ALTextToSpeech"], 1),
        (["--seed", "7", "--parameter", "Wait.Timeout (s)=9", "--say", "yes", "--touch", "FrontTactilTouched"], 0),
    ],
)
def test_options_come_with_the_recording(path, capsys, options, status):
    command = [STORY, "--rewrite"]
    assert main(command + options + ["--record", path]) == status
    first = capsys.readouterr()
    assert rows(path)[-1]["status"] == status
    assert main([STORY, "--replay", path]) == status
    assert capsys.readouterr() == first


def test_silence_and_dialogs_are_acts_too(path, capsys):
    new = os.path.join(FOLDER, "new_story.xar")
    assert main([new, "--rewrite", "--record", path]) == 0
    first = capsys.readouterr()
    assert [row["act"] for row in rows(path)[1:]] == ["start", "silence", "end"]
    assert main([new, "--replay", path]) == 0
    assert capsys.readouterr() == first
    talk = [TALK, "--rewrite", "--dialog", "Small talk.wantsName=Ada", "--dialog", "Small talk.onStopped="]
    assert main(talk + ["--record", path]) == 0
    first = capsys.readouterr()
    assert [row.get("value") for row in rows(path)[1:]] == [None, "Ada", None, None]
    assert main([TALK, "--replay", path]) == 0
    assert capsys.readouterr() == first


@pytest.mark.parametrize(
    "old, new, status, sentence",
    [
        (
            "Please say yes or no.",
            "Pardon?",
            2,
            'the recording no longer fits at act 3 (hear "yes" at 4.0 s): before it the robot said '
            '"Please say yes or no." and now says "Pardon?"\n',
        ),
        ("Good bye.", "Farewell.", 0, "the robot did not do the same as when it was recorded\n"),
    ],
)
def test_a_behaviour_that_changed_is_played_until_it_parts(tmpdir, path, story, capsys, old, new, status, sentence):
    with io.open(STORY, encoding="utf-8") as file:
        changed = file.read().replace(old, new)
    other = tmpdir.join("old_story.xar")
    other.write_binary(changed.encode("utf-8"))
    assert main([str(other), "--replay", path]) == status
    out, errors = capsys.readouterr()
    assert new in (errors if status else out)
    assert errors == "the behaviour has changed since it was recorded\n" + sentence


def test_what_no_longer_fits_is_named(path, story, capsys):
    before = rows(path)
    for line, change, sentence in [
        (
            2,
            {"engine": "ALDialog"},
            'act 2 (hear "banana" at 2.2 s): ALDialog listened then and now ALSpeechRecognition does',
        ),
        (2, {"ended": True}, 'act 2 (hear "banana" at 2.2 s): the behaviour had ended by then and now has not'),
        (4, {"sensor": "Nose"}, 'act 4 (touch "Nose" at 7.6 s): the robot has no sensor'),
        (2, {"said": []}, 'before it the robot said nothing and now says "Hello. Do you want to play?"'),
    ]:
        made = [dict(row) for row in before]
        made[line].update(change)
        rewritten(path, made)
        assert main([STORY, "--replay", path]) == 2
        assert sentence in capsys.readouterr()[1]


def test_a_damaged_recording_and_bytes_are_refused_in_one_sentence(path, story, capsys):
    made = rows(path)
    first, act, rest = made[0], made[2], made[1:]
    for damaged, sentence in [
        ([], "this is not a recording of format 1"),
        (rest, "this is not a recording of format 1"),
        ([dict(first, recording=2)] + rest, "this is not a recording of format 1"),
        (made[:-1], "cut off"),
        (made[:3] + [[1]] + made[3:], "line 4 of the recording is damaged: it is not a JSON object"),
        (made[:2] + [dict(act, time="now")], "line 3 of the recording is damaged"),
        (made[:2] + [dict(act, time=-1)], "line 3 of the recording is damaged"),
        (made[:2] + [dict(act, time=1e300)], "line 3 of the recording is damaged"),
        (made[:2] + [dict(act, act="dance")], "line 3 of the recording is damaged"),
        (made[:2] + [dict(act, phrase=None)], 'line 3 of the recording is damaged: "phrase"'),
        (made[:2] + [dict(act, confidence=True)], 'line 3 of the recording is damaged: "confidence"'),
        (made[:2] + [made[4], made[3]], "its time is before the time of the line above"),
        ([dict(first, options={"seed": "x"})] + rest, 'its option "seed" is "x"'),
        ([dict(first, options={"without": [1]})] + rest, 'its option "without" is'),
        ([dict(first, options={"without": ["ALBrain"]})] + rest, 'the service "ALBrain"'),
        ([dict(first, options={"seconds": -1})] + rest, "its options are impossible"),
    ]:
        rewritten(path, damaged)
        assert main([STORY, "--replay", path]) == 2
        out, errors = capsys.readouterr()
        assert (out, errors.count("\n"), sentence in errors) == ("", 1, True), errors
    many = b'{"recording": 1, "options": {}}\n' + b'{"act": [' + b"[]," * 300000 + b"0]}\n"
    for content in (b"\x00\xff", b"{" * 100000, b"[" * 100000, b"{}\n" * 200001, many, b"9" * 1000000):
        with io.open(path, "wb") as file:
            file.write(content)
        assert main([STORY, "--replay", path]) == 2
        assert capsys.readouterr()[1].count("\n") == 1
    assert main([STORY, "--replay", path + ".missing"]) == 2
    assert ".missing: No such file" in capsys.readouterr()[1]


@pytest.mark.parametrize("limit, most", [("_MAX_ACTS", 3), ("_MAX_ACT_CHARACTERS", 500)])
def test_too_many_acts_are_not_recorded_and_still_happen(robot, monkeypatch, limit, most):
    monkeypatch.setattr(recording, limit, most)
    recorder = recording.Recorder(robot)
    for number in range(9):
        robot.set("Number", number)
    assert robot.get("Number") == 8
    with pytest.raises(WrongUse, match="a recording contains at most"):
        recorder.lines()


def test_parts_of_killed_writers_are_deleted_and_a_file_is_written_whole_or_not_at_all(tmpdir, path, story, capsys):
    before = rows(path)
    assert main([STORY, "--rewrite", "--record", str(tmpdir.join("nowhere", "x.jsonl"))]) == 2
    assert "cannot write" in capsys.readouterr()[1]
    assert main([STORY, "--rewrite", "--record", str(tmpdir)]) == 2
    assert rows(path) == before
    assert [name for name in os.listdir(str(tmpdir)) if "part" in name] == []
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    living, others = "bug.jsonl.%d.part" % os.getppid(), ["bug.jsonl.x.part", "other.jsonl.%d.part" % ended.pid]
    for name in ["bug.jsonl.%d.part" % ended.pid, living] + others:
        tmpdir.join(name).write("half")
    write_whole(path, b"new")
    assert sorted(os.listdir(str(tmpdir))) == sorted(["bug.jsonl", living] + others)


WATCHED = {"recording": 1, "watched": True, "options": {"robot_type": "Nao"}}
SAY = {"kind": "say", "text": "Hello", "time": 1.0}


def test_a_recording_of_a_robot_is_printed_and_has_no_acts_to_repeat(path, capsys):
    stored = {"kind": "set", "key": "MyApp/Level", "value": 3, "time": 2.0}
    looked = {"kind": "look", "angles": "50 -7", "time": 2.0}
    rewritten(path, [WATCHED, SAY, looked, stored, {"kind": "new", "time": 2.0}])
    assert main(["--replay", path]) == 0
    assert capsys.readouterr()[0].split() == ["1.0", "s", "says", "Hello", "2.0", "s", "stores", "MyApp/Level", "3"]
    assert main(["--replay", path, "--json"]) == 0
    assert json.loads(capsys.readouterr()[0].splitlines()[1]) == looked
    assert recording.read_look(recording.load_recording(path).acts[1]) == {"angles": [0.5, -0.07]}
    assert recording.read_look({"angles": "1 two", "is_awake": True}) == {"is_awake": True}
    with Robot() as robot, pytest.raises(recording.NotARecording, match="no acts to repeat"):
        recording.replay_recording(robot, recording.load_recording(path))


def test_a_recording_of_a_robot_that_was_cut_off_is_read_up_to_there(path, capsys):
    lines = [json.dumps(row) for row in (WATCHED, SAY, dict(SAY, time=2.0))]
    with io.open(path, "wb") as file:
        file.write("\n".join(lines)[:-5].encode("ascii"))
    assert [row["time"] for row in recording.load_recording(path).acts] == [1.0]
    for damaged, sentence in [
        ([{"kind": 3, "time": 1}], "line 2 of the recording is damaged: it has no kind"),
        ([{"kind": "say", "time": 1}], 'line 2 of the recording is damaged: "text" is missing or wrong'),
        ([SAY, {"kind": "look", "time": 1, "angles": [1]}], 'line 3 of the recording is damaged: "angles"'),
        ([SAY, {"kind": "look", "time": 1, "is_awake": 1}], 'line 3 of the recording is damaged: "is_awake"'),
        ([{"kind": "set", "key": "a", "time": 1}], 'line 2 of the recording is damaged: "value"'),
        ([SAY, dict(SAY, time=0.5)], "its time is before the time of the line above"),
    ]:
        rewritten(path, [WATCHED] + damaged)
        assert main(["--replay", path]) == 2
        assert sentence in capsys.readouterr()[1]


def test_a_recording_of_acts_needs_its_behaviour(path, story, capsys):
    assert main(["--replay", path]) == 2
    assert "name the file of a behaviour" in capsys.readouterr()[1]


def test_answers_and_a_recording_exclude_each_other(path, story, capsys):
    with pytest.raises(SystemExit):
        main([STORY, "--replay", path, "--say", "yes"])
    assert "the recording of --replay contains the answers" in capsys.readouterr()[1]


def test_from_python_the_same_and_nothing_stays_on_the_robot():
    with Robot() as robot:
        robot.load(STORY, True)
        recorder = recording.Recorder(robot, seed=0)
        robot.set("Game/Round", 3)
        robot.start()
        robot.advance()
        robot.hear("no", 0.5)
        robot.advance()
        recorder.close()
        robot.set("Game/Round", 4)
        lines = recorder.lines()
        assert not [name for name in vars(robot) if name in ("hear", "touch", "set", "start", "stop", "stay_silent")]
    assert [json.loads(line).get("act") for line in lines] == [None, "set", "start", "hear", "end"]
    with Robot() as robot:
        robot.load(STORY, True)
        assert recording.replay_recording(robot, lines)
        assert robot.get("Game/Round") == 3
        assert robot.behaviour.ended
    with Robot(seed=1) as robot:
        robot.load(TALK, True)
        with pytest.raises(recording.Diverged, match="act 3"):
            recording.replay_recording(robot, lines)


def test_a_page_may_store_a_value_at_any_moment():
    with Robot() as robot:
        robot.load(STORY, True)
        recorder = recording.Recorder(robot)
        robot.start()
        robot.advance()
        robot.set("Patience", 180)
        robot.hear("no", 0.5)
        robot.advance()
        made = [json.loads(line) for line in recorder.lines()]
    stored, heard = made[2], made[3]
    assert (stored["act"], heard["act"], heard["said"]) == ("set", "hear", [])
    stored["said"], heard["said"] = [], stored["said"]
    with Robot() as robot:
        robot.load(STORY, True)
        assert recording.replay_recording(robot, [json.dumps(row) for row in made])
    heard["said"] = []
    with Robot() as robot:
        robot.load(STORY, True)
        with pytest.raises(recording.Diverged, match="act 3"):
            recording.replay_recording(robot, [json.dumps(row) for row in made])


@pytest.mark.parametrize("key, value", [("SonarLeftDetected", 0.3), ("FaceDetected", [1, "two"]), ("Player", "Ann")])
def test_an_event_that_a_page_raises_is_raised_again_whatever_the_sensors_notice(key, value):
    delivered = []

    def listen(robot):
        del delivered[:]
        robot.memory.subscriber(key).signal.connect(delivered.append)

    with Robot() as robot:
        listen(robot)
        recorder = recording.Recorder(robot)
        robot.person.announce_call("ALMemory", "raiseEvent", [key, value])
        robot.service("ALMemory").call("raiseEvent", (key, value))
        robot.advance()
        assert delivered == [value]
        lines = recorder.lines()
    with Robot() as robot:
        listen(robot)
        assert recording.replay_recording(robot, lines)
        assert delivered == [value]


def test_a_behaviour_stopped_in_the_middle_is_stopped_again():
    with Robot() as robot:
        robot.load(STORY, True)
        recorder = recording.Recorder(robot)
        robot.start()
        robot.advance(1.0)
        robot.stop()
        lines = recorder.lines()
    with Robot() as robot:
        behaviour = robot.load(STORY, True)
        assert recording.replay_recording(robot, lines)
        assert behaviour.interrupted
        assert robot.leaks() == []


LOG = w.script("""
    def onLoad(self):
        self.logger.info("load")
    def onUnload(self):
        self.logger.info("unload")
    def onInput_onStart(self):
        self.logger.info("start")
""")


def keyframe(index, name, script=LOG):
    return index, [w.box(name, script)], [("self.onLoad", name + ".onStart")]


def list_logged(robot):
    return [
        (round(event.time, 3), event.fields["box"].split("/")[-1], event.fields["text"])
        for event in robot.trace.of("log")
    ]


def play(robot, *boxes, **options):
    links = [("root.onStart", "Dance.onStart"), ("Dance.onStopped", "root.onStopped")] + options.get("links", [])
    behaviour = robot.load(w.behaviour(list(boxes), links))
    robot.start(behaviour)
    robot.advance()
    return behaviour


def test_keyframes_follow_each_other_and_the_end_stops_the_box(robot):
    dance = w.box(
        "Dance",
        layers=[[keyframe(1, "one"), keyframe(26, "two")], [keyframe(11, "beside")]],
        timeline={"fps": 10, "end_frame": 51},
    )
    behaviour = play(robot, dance)
    assert list_logged(robot) == [
        (0.0, "one", "load"),
        (0.0, "one", "start"),
        (1.0, "beside", "load"),
        (1.0, "beside", "start"),
        (2.5, "one", "unload"),
        (2.5, "two", "load"),
        (2.5, "two", "start"),
        (5.0, "two", "unload"),
        (5.0, "beside", "unload"),
    ]
    assert behaviour.ended
    assert behaviour.failures == robot.leaks() == []


def test_motion_is_noted_at_its_keys_in_the_robots_units(robot):
    dance = w.box("Dance", curves=[("HeadYaw", [(1, 0), (26, 90)]), ("HeadPitch", [(51, -18)])])
    behaviour = play(robot, dance)
    moves = [
        (event.fields["actuator"], event.fields["times"], event.fields["values"], event.fields["unit"])
        for event in robot.trace.of("motion")
    ]
    assert moves == [
        ("HeadYaw", [0.0, 1.0], [0.0, 1.570796], "degrees to radians"),
        ("HeadPitch", [2.0], [-0.314159], "degrees to radians"),
    ]
    # An end_frame of -1 means the last key.
    assert (behaviour.ended, robot.clock.now()) == (True, 2.0)


def test_scripts_move_the_time_cursor_of_their_parent():
    for call, expected in [
        ("gotoAndStopParent(60)", [(0.0, "one", "load"), (0.0, "one", "unload"), (0.0, "two", "load")]),
        ("gotoAndStopParent('keyframe51')", [(0.0, "one", "load"), (0.0, "one", "unload"), (0.0, "two", "load")]),
        (
            "getParentTimeline().goTo(96)",
            [(0.0, "one", "load"), (0.0, "one", "unload"), (0.0, "two", "load"), (0.5, "two", "unload")],
        ),
        (
            "getParentTimeline().setFPS(50)",
            [(0.0, "one", "load"), (1.0, "one", "unload"), (1.0, "two", "load"), (2.0, "two", "unload")],
        ),
        ("stopTimelineParent()", [(0.0, "one", "load")]),
    ]:
        with Robot() as robot:
            shape = LOG.replace('self.logger.info("start")', "%s")
            dance = w.box(
                "Dance",
                layers=[[keyframe(1, "one", shape % ("self." + call)), keyframe(51, "two", shape % "pass")]],
                timeline={"fps": 10, "end_frame": 101},
            )
            behaviour = play(robot, dance)
            assert list_logged(robot) == expected, call
            assert behaviour.failures == [], call


def test_a_box_reads_and_drives_its_own_timeline(robot):
    own = w.script("""
    def onInput_onStart(self):
        timeline = self.getTimeline()
        self.logger.info("%d frames at %d" % (timeline.getSize(), timeline.getFPS()))
        self.getTimeline().pause()
""")
    behaviour = play(robot, w.box("Dance", own, layers=[[keyframe(1, "one")]], timeline={"end_frame": 50}))
    assert list_logged(robot)[0] == (0.0, "Dance", "50 frames at 25")
    assert not behaviour.ended
    robot.stop(behaviour)
    assert robot.leaks() == behaviour.failures == []


def test_a_timeline_stopped_by_its_input_can_be_started_again_from_the_beginning(robot):
    again = w.script("""
    def onInput_onStart(self):
        for _ in range(2):
            time.sleep(1)
            self.stop()
            time.sleep(1)
            self.again()
""")
    director = w.box("Director", again, outputs=[w.port("stop", nature="punctual"), w.port("again", nature="punctual")])
    dance = w.box("Dance", layers=[[keyframe(1, "one"), keyframe(11, "two")]], timeline={"fps": 10, "end_frame": 21})
    links = [
        ("root.onStart", "Director.onStart"),
        ("Director.stop", "Dance.onStop"),
        ("Director.again", "Dance.onStart"),
    ]
    behaviour = play(robot, dance, director, links=links)
    starts = [row for row in list_logged(robot) if row[1:] == ("one", "start")]
    assert starts == [(0.0, "one", "start"), (2.0, "one", "start"), (4.0, "one", "start")]
    assert (behaviour.ended, robot.clock.now()) == (True, 6.0)


def test_a_flow_diagram_inside_a_keyframe_may_stop_the_whole_timeline(robot):
    stop = w.script("    def onInput_onStart(self):\n        time.sleep(1)\n        self.onStopped()\n")
    frame = (1, [w.box("Brake", stop)], [("self.onLoad", "Brake.onStart"), ("Brake.onStopped", "self.onStopped")])
    behaviour = play(robot, w.box("Dance", layers=[[frame]], timeline={"end_frame": 2500}))
    assert (behaviour.ended, robot.clock.now()) == (True, 1.0)
    assert behaviour.failures == robot.leaks() == []


def motion_at(robot, behaviour, *moments):
    """Start a behaviour and return the angle of HeadYaw in degrees at moments."""
    robot.start(behaviour)
    found = []
    for moment in moments:
        robot.clock.run(up_to=moment)
        found.append(math.degrees(robot.service("ALMotion").getAngles("HeadYaw", True)[0]))
    return found


def dance_with(robot, curves, **timeline):
    return robot.load(w.sequence(w.box("Dance", curves=curves, timeline=timeline)))


def test_joints_follow_the_curves_of_a_timeline(robot):
    behaviour = dance_with(robot, [("HeadYaw", [(1, 0), (26, 80), (51, 80)]), ("Tail", [(1, 0), (9, 1)])])
    assert motion_at(robot, behaviour, 0.5, 1.0, 1.5, 9.0) == pytest.approx([40, 80, 80, 80])
    assert behaviour.failures == robot.leaks() == []


def test_a_timeline_that_is_stopped_leaves_the_joints_where_they_are(robot):
    behaviour = dance_with(robot, [("HeadYaw", [(1, 0), (26, 80), (51, 0)])])
    assert motion_at(robot, behaviour, 0.5) == pytest.approx([40])
    robot.stop(behaviour)
    robot.clock.run(seconds=5)
    assert robot.service("ALMotion").getAngles("HeadYaw", True) == pytest.approx([math.radians(40)])


def test_tangents_shape_a_curve():
    for kind, before, after, quarter in [
        ("bezier", "-8.333333", "8.333333", 12.5),
        ("linear", "0", "0", 20.0),
        ("constant", "0", "0", 0.0),
    ]:
        with Robot() as robot:
            key = (
                '<Key frame="%d" value="%d">'
                '<Tangent side="left" interpType="%s" abscissaParam="%s" ordinateParam="0" />'
                '<Tangent side="right" interpType="%s" abscissaParam="%s" ordinateParam="0" /></Key>'
            )
            text = w.sequence(w.box("Dance", curves=[("HeadYaw", [(1, 0), (26, 80)])]))
            for frame, value in [(1, 0), (26, 80)]:
                shaped = key % (frame, value, kind, before, kind, after)
                text = text.replace(b'<Key frame="%d" value="%d" />' % (frame, value), shaped.encode("ascii"))
            assert motion_at(robot, robot.load(text), 0.25, 1.0) == pytest.approx([quarter, 80.0], abs=0.01), kind


def test_a_joint_that_is_elsewhere_goes_to_the_first_key_as_fast_as_it_can(robot):
    behaviour = dance_with(robot, [("HeadYaw", [(1, 90), (51, 90)])])
    half = math.radians(90) / 8.26797 / 2
    assert motion_at(robot, behaviour, half, 2 * half, 1.0) == pytest.approx([45, 90, 90])
