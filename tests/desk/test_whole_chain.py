"""Package, deploy, start, play, remove: everything is real except the robot."""

import json
import os
import subprocess
import sys

import pytest
from interpreters import ROOT, path27

from jotto_desk.robot_kit.sources import find_python27
from naosim_live import served

BEHAVIOUR = "nao-jotto/behavior_1"


@pytest.fixture
def robot():
    """Provide a fast simulated NAO behind a libqi directory, on Python 2.7 if there is one.

    At a higher speed NAO would not wait until the player's process has started.
    """
    with served(find_python27(os.environ) or "", speed=25) as directory:
        yield directory


def run(*command):
    """Run a command of Python; return its output."""
    ended = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
        env={**path27(), "QI_LOG_LEVEL": "error"},
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def jotto(*arguments):
    """Run the command line."""
    return run("-m", "jotto_desk", *arguments)


def test_from_the_sources_to_a_word_found_and_nothing_left(robot, tmp_path):
    """Takes seconds: the only test of all parts together."""
    made = json.loads(jotto("robot", "package", "--out", str(tmp_path), "--json"))
    package = made["path"]
    assert made["bytes"] < 450_000
    before = robot.robot.call("ALBehaviorManager", "getInstalledBehaviors", []).result(30)
    output = jotto("robot", "deploy", "--robot", robot.url, package, "--start")
    assert "nao-jotto" in output
    assert robot.robot.person("state").result(30)["running"] == [BEHAVIOUR]

    assert run("tests/player_over_libqi.py", robot.url, "ocean").startswith("found ocean after ")

    state = robot.robot.person("state").result(30)
    assert (state["running"], state["failures"], state["leaks"], state["open"]) == ([], [], [], [])
    jotto("robot", "remove", "--robot", robot.url)
    assert robot.robot.call("ALBehaviorManager", "getInstalledBehaviors", []).result(30) == before
    assert robot.robot.call("PackageManager", "packages", []).result(30) == []
