"""`jotto robot record` at a terminal and without one: its end by Ctrl-C, a robot that goes away, wrong use."""

import json
import os
import pty
import signal
import subprocess
import sys

import pytest
from directory_clients import until
from far_robots import Served, environment
from interpreters import ROOT, path27
from processes import process

from naosim.recording import load_recording
from naosim_page.replays import Replay
from naosim_robots import serve_robot
from naosim_robots.far.connection import Connection
from naosim_robots.talks import making
from naosim_robots.talks.running import run_talk
from naosim_robots.talks.talk import read_talks

PLAYER, GAME = str(ROOT / "tests/player_over_libqi.py"), "nao-jotto/behavior_1"
JOTTO = [sys.executable, "-m", "jotto_desk"]


def say(url, text):
    connection = Connection(url)
    connection.ask("ALTextToSpeech", "say", text)
    connection.close()


def texts(path):
    if not path.exists() or not path.stat().st_size:
        return []
    return [row["text"] for row in load_recording(str(path)).acts if row["kind"] == "say"]


def begin(path, served, *more, **channels):
    """Start a recording of a robot; return the process after its first sentence, on a terminal that is `channels`."""
    command = [*JOTTO, "robot", "record", str(path), "--robot", served.url, *more]
    return subprocess.Popen(command, env=environment(), text=True, stdout=subprocess.PIPE, **channels)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_a_recording_and_a_terminal_sees_one_line_of_progress(tmp_path, number):
    path = tmp_path / "day.jsonl"
    control, terminal = pty.openpty()
    with Served(speed=20) as served, begin(path, served, stderr=terminal) as recorder:
        os.close(terminal)
        shown = b""
        while b"Recording; Ctrl-C ends it." not in shown:
            shown += os.read(control, 4096)
        say(served.url, "Hello")
        while b"NAO says: Hello" not in shown:
            shown += os.read(control, 4096)
        recorder.send_signal(number)
        told = recorder.communicate(timeout=30)[0]
        assert recorder.returncode == 0
    os.close(control)
    assert b"1 events" in shown and b"kB" in shown and b"\x1b[2K" in shown
    assert told.startswith(f"Wrote {path}: 0 min ") and "1 events" in told and told.count("\n") == 1
    assert texts(path) == ["Hello"]


def test_a_game_that_another_program_plays_becomes_a_talk_that_passes(tmp_path, cli):
    """Takes seconds: the whole way from the package to the talk."""
    day, talk = tmp_path / "day.jsonl", tmp_path / "day.talk.yaml"
    package = cli.json("robot", "package", "--out", tmp_path)["path"]
    settings = json.dumps({"folder": "", "seed": 7, "strategy": "entropy", "typed": True})
    with serve_robot(speed=10) as served, begin(day, served, stderr=subprocess.PIPE) as recorder:
        assert "Recording" in recorder.stderr.readline()
        memory = [["Jotto/Settings", settings], ["Jotto/Patience", 3600]]
        served.robot.call("ALMemory", "insertListData", [memory]).result(30)
        player = process(sys.executable, PLAYER, served.url, "ocean", package, env=path27())
        assert player.stdout.startswith("found ocean after "), player.stderr
        until(lambda: any(row["kind"] == "end" for row in load_recording(str(day)).acts))
        recorder.terminate()
        assert recorder.wait(30) == 0
    assert making.main([str(day), package, "--to", str(talk)]) == 0
    (read,) = read_talks(talk)
    assert read.setup.memory == {"Jotto/Settings": settings} and read.steps[-1].check.ended
    outcome = run_talk(read)
    assert outcome.difference is None, outcome.report
    told = Replay("", "", day.read_text().splitlines()).told
    assert [event["fields"]["behaviour"] for event in told["events"] if event["kind"] in ("start", "end")] == [GAME] * 2


def test_a_robot_that_goes_away_ends_the_recording_with_one_sentence(tmp_path):
    path = tmp_path / "day.jsonl"
    with Served(speed=20) as served, begin(path, served, "--patience", "1", stderr=subprocess.PIPE) as recorder:
        recorder.stderr.readline()
        say(served.url, "Hello")
        until(lambda: texts(path) == ["Hello"])
        served.kill()
        out, errors = recorder.communicate(timeout=60)
        assert recorder.returncode == 2 and not out
    *_, last = errors.strip().splitlines()
    assert "did not come back within 1 seconds" in last and f"'{path}' has everything up to then." in last
    assert texts(path) == ["Hello"]


def test_wrong_use_is_refused_before_a_file_is_made(tmp_path, cli):
    path = tmp_path / "day.jsonl"
    (tmp_path / "old.jsonl").write_text("old")
    with serve_robot() as served:
        for arguments, sentence in (
            ([str(path)], "Name the robot with --robot URL"),
            ([str(tmp_path / "old.jsonl"), "--robot", served.url], "is there already: give the name of a new file"),
            ([str(path), "--robot", served.url, "--event", "FaceDetected"], "faces, names or sounds of people"),
            ([str(path), "--robot", served.url, "--memory", "UserName"], "faces, names or sounds of people"),
            ([str(path), "--robot", "tcp://127.0.0.1:1"], "Nothing answers"),
        ):
            assert sentence in cli.refusal("robot", "record", *arguments)
            assert not path.exists()
    assert (tmp_path / "old.jsonl").read_text() == "old"
