"""The project folder by itself, as it is copied to a robot: no checkout on the path, and a whole game."""

import json
import os
import subprocess
import sys

import pytest
from interpreters import ROOT, python27
from typer.testing import CliRunner

from jotto_desk.cli import app

PLAY = """
from __future__ import print_function
import json, sys
STALE


def ours():
    return sorted(name for name in sys.modules if name.startswith("jotto"))


BEFORE = ours()
from naosim import Robot

robot = Robot()
behaviour = robot.load(sys.argv[1])
robot.set("Jotto/Settings", json.dumps({"folder": "", "seed": 7}))
robot.start(behaviour)
pause = robot.advance()
for _ in range(100):
    if pause.ended:
        break
    state = robot.get("Jotto/State")
    robot.hear({"role": "ready", "ready": "ready", "word": "no", "both": "one and one", "exact": "one",
                "misplaced": "one", "spelled": "yes", "spell": "alpha", "again": "no"}.get(state, "yes"))
    pause = robot.advance()
places, program = set(), ours()


def look():
    places.update(sys.modules[name].__file__ for name in ("jotto", "jotto_behaviour", "jotto_behaviour.conversation"))


# The modules are the robot's own: they are seen while it runs.
robot.clock.soon(look)
robot.stay_silent(0.5)
assert program == ours() == BEFORE, program
found = [pause.ended, robot.leaks(behaviour), behaviour.failures, robot.get("Jotto/Attempts"), sorted(places)]
print(json.dumps(found))
robot.close()
"""
#: Modules that another version of the game has left in the robot's one interpreter.
STALE = """
import types
for name in ("jotto", "jotto.game", "jotto.rules", "jotto_behaviour", "jotto_behaviour.box_controller",
             "jotto_behaviour.start_controller"):
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = "/home/nao/.local/share/PackageManager/apps/old/lib/" + name.replace(".", "/") + ".pyc"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Make the project with its lib, in a folder with an accent in its name."""
    place = tmp_path_factory.mktemp("robot") / "Spiele für NAO" / "jotto"
    answer = CliRunner().invoke(app, ["robot", "stage", "--to", str(place)])
    assert answer.exit_code == 0, answer.output
    return place


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@pytest.mark.parametrize("stale", ["", STALE])
@pytest.mark.parametrize("name", ["2.7", "3"])
def test_a_whole_game(project, name, stale, locale):
    python = python27() if name == "2.7" else sys.executable
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "simulator"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": locale,
    }
    # No site packages: an installed checkout must not help out.
    command = [python, "-S", "-c", PLAY.replace("STALE", stale), str(project / "behavior_1" / "behavior.xar")]
    answer = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert answer.returncode == 0, answer.stderr
    ended, leaks, failures, attempts, places = json.loads(answer.stdout)
    assert (ended, leaks, failures) == (True, [], [])
    assert attempts > 1
    assert all(place.startswith(str(project / "lib")) for place in places)


def test_the_lib_holds_everything_and_nothing_else(project):
    packages = {path.name for path in (project / "lib").iterdir()}
    assert packages == {"jotto", "jotto_behaviour", "wordlists"}
    assert not list(project.rglob("__pycache__")) and not list(project.rglob("*.pyc"))
