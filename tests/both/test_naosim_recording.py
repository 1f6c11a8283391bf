"""Recordings of a person's actions, and their replay: on the command line and from Python."""

from __future__ import absolute_import, division, print_function

import io
import json
import os
import subprocess
import sys

import pytest
from behaviours import FOLDER

from naosim import recording
from naosim.__main__ import main
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


def test_the_same_events_and_the_same_status_come_of_it(path, story, capsys):
    for _ in range(2):
        assert main([STORY, "--json", "--replay", path]) == 0
        assert capsys.readouterr() == story


def test_recording_a_replay_gives_the_same_acts(path, story, tmpdir):
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


def test_a_damaged_recording_is_refused_in_one_sentence(path, story, capsys):
    made = rows(path)
    first, act, rest = made[0], made[2], made[1:]
    for damaged, sentence in [
        ([], "this is no recording of format 1"),
        (rest, "this is no recording of format 1"),
        ([dict(first, recording=2)] + rest, "this is no recording of format 1"),
        (made[:-1], "cut off"),
        (made[:3] + [[1]] + made[3:], "line 4 of the recording is damaged: it is no JSON object"),
        (made[:2] + [dict(act, time="now")], "line 3 of the recording is damaged"),
        (made[:2] + [dict(act, time=-1)], "line 3 of the recording is damaged"),
        (made[:2] + [dict(act, time=1e300)], "line 3 of the recording is damaged"),
        (made[:2] + [dict(act, act="dance")], "line 3 of the recording is damaged"),
        (made[:2] + [dict(act, phrase=None)], 'line 3 of the recording is damaged: "phrase"'),
        (made[:2] + [dict(act, confidence=True)], 'line 3 of the recording is damaged: "confidence"'),
        (made[:2] + [made[4], made[3]], "it lies before the line above it"),
        ([dict(first, options={"seed": "x"})] + rest, 'its option "seed" is "x"'),
        ([dict(first, options={"without": [1]})] + rest, 'its option "without" is'),
        ([dict(first, options={"without": ["ALBrain"]})] + rest, 'a robot without "ALBrain"'),
        ([dict(first, options={"seconds": -1})] + rest, "its options are impossible"),
    ]:
        rewritten(path, damaged)
        assert main([STORY, "--replay", path]) == 2
        out, errors = capsys.readouterr()
        assert (out, errors.count("\n"), sentence in errors) == ("", 1, True), errors


def test_bytes_that_are_no_recording(path, capsys):
    many = b'{"recording": 1, "options": {}}\n' + b'{"act": [' + b"[]," * 300000 + b"0]}\n"
    for content in (b"\x00\xff", b"{" * 100000, b"[" * 100000, b"{}\n" * 200001, many, b"9" * 1000000):
        with io.open(path, "wb") as file:
            file.write(content)
        assert main([STORY, "--replay", path]) == 2
        assert capsys.readouterr()[1].count("\n") == 1
    assert main([STORY, "--replay", path + ".missing"]) == 2
    assert "there is no recording" in capsys.readouterr()[1]


def test_a_recording_is_written_whole_or_not_at_all(tmpdir, path, story, capsys):
    before = rows(path)
    assert main([STORY, "--rewrite", "--record", str(tmpdir.join("nowhere", "x.jsonl"))]) == 2
    assert "cannot write" in capsys.readouterr()[1]
    assert main([STORY, "--rewrite", "--record", str(tmpdir)]) == 2
    assert rows(path) == before
    assert [name for name in os.listdir(str(tmpdir)) if "part" in name] == []


def test_answers_and_a_recording_exclude_each_other(path, story, capsys):
    with pytest.raises(SystemExit):
        main([STORY, "--replay", path, "--say", "yes"])
    assert "--replay brings its own answers" in capsys.readouterr()[1]


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


def test_parts_of_killed_writers_are_deleted_and_those_of_living_ones_are_not(tmpdir, path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    living, others = "bug.jsonl.%d.part" % os.getppid(), ["bug.jsonl.x.part", "other.jsonl.%d.part" % ended.pid]
    for name in ["bug.jsonl.%d.part" % ended.pid, living] + others:
        tmpdir.join(name).write("half")
    write_whole(path, b"new")
    assert sorted(os.listdir(str(tmpdir))) == sorted(["bug.jsonl", living] + others)
