"""The project folder by itself, one story on both Pythons, and a package that is deployed, played and removed."""

import json
import os
import re
import subprocess
import sys

import facts_page
import pytest
import yaml
from interpreters import ROOT, path27, python27
from typer.testing import CliRunner

from jotto_desk.cli import app
from naosim_robots import serve_robot
from naosim_robots.child import find_python27
from naosim_robots.facts.table import read_facts

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
    play = """
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
robot.clock.call_soon(look)
robot.stay_silent(0.5)
assert program == ours() == BEFORE, program
found = [pause.ended, robot.leaks(behaviour), behaviour.failures, robot.get("Jotto/Attempts"), sorted(places)]
print(json.dumps(found))
robot.close()
"""
    python = python27() if name == "2.7" else sys.executable
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "simulator"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": locale,
    }
    # No site packages: an installed checkout must not help out.
    command = [python, "-S", "-c", play.replace("STALE", stale), str(project / "behavior_1" / "behavior.xar")]
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


TELL = """
import sys
from naosim.world import event_as_line
from story import EASY, Story

with Story(sys.argv[1], words=EASY) as story:
    story.begins_anew()
    story.says("help", "ready", "what was the score", "no", "repeat")
    story.says("three", confidence=0.4)
    story.says("no", "zero", "go back", "one", "zero")
    story.plays("money", until="both")
    story.says("four", "one", confidence=0.9)
    story.keeps_silent()
    story.taps(6)
    story.says("zero", "zero", "no", "go back", "yes")
    story.habits["tell"] = "yes"
    story.plays("whole", until="again")
    story.says("yes", "ready", "give up", "yes", "no", "yes", "go on")
    for _ in range(4):
        story.keeps_silent()
    story.starts()
    story.says("yes")
    story.plays("money")
    story.says("no")
for event in story.robot.trace.events:
    print(event_as_line(event))
"""


def trace_of(python: str, folder: str) -> str:
    command = [python, "-c", TELL, folder]
    answer = subprocess.run(command, cwd=ROOT, env=path27(), capture_output=True, text=True, timeout=120, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_both_pythons_tell_the_same_story(tmp_path):
    ours, theirs = trace_of(sys.executable, str(tmp_path)), trace_of(python27(), str(tmp_path))
    assert ours.count("\n") > 500
    assert ours.splitlines() == theirs.splitlines()


#: What the maker's desktop NAOqi lacks, as nao-sim found.
DESKTOP_LACKS = ("ALSystem", "ALAudioDevice", "ALSpeechRecognition", "ALFaceDetection", "ALSoundLocalization")


@pytest.fixture
def robot():
    """Provide a simulated NAO, on Python 2.7 if possible, as fast as one that waits for the player's process can be."""
    with serve_robot(find_python27(os.environ) or "", speed=25) as directory:
        yield directory


def run(*command):
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
    return run("-m", "jotto_desk", *arguments)


def test_from_the_sources_to_a_word_found_and_nothing_left(robot, tmp_path):
    """Takes seconds: the only test of all parts together."""
    made = json.loads(jotto("robot", "package", "--out", str(tmp_path), "--json"))
    package = made["path"]
    before = robot.robot.call("ALBehaviorManager", "getInstalledBehaviors", []).result(30)
    assert "nao-jotto" in jotto("robot", "deploy", "--robot", robot.url, package)
    assert run("tests/player_over_libqi.py", robot.url, "ocean").startswith("found ocean after ")

    state = robot.robot.person("state").result(30)
    assert (state["running"], state["failures"], state["leaks"], state["open"]) == ([], [], [], [])
    jotto("robot", "remove", "--robot", robot.url)
    assert robot.robot.call("ALBehaviorManager", "getInstalledBehaviors", []).result(30) == before
    packages = robot.robot.call("PackageManager", "packages", []).result(30)
    assert "nao-jotto" not in [package["uuid"] for package in packages]


def test_the_steps_of_the_workflow_naoqi(tmp_path):
    """Takes seconds: a robot that lacks what the maker's NAOqi lacks stands in for it: the workflow has never run."""
    steps = yaml.safe_load((ROOT / ".github/workflows/naoqi.yml").read_text())["jobs"]["compare"]["steps"]
    commands = {step["name"]: step["run"] for step in steps if "run" in step}
    package = json.loads(jotto("robot", "package", "--out", str(tmp_path), "--json"))["path"]

    def run_step(name):
        command = commands[name].replace(".venv/bin/python", sys.executable).replace("/tmp/jotto.pkg", package)
        command = command.replace(".venv/bin/naosim", f"{sys.executable} -m naosim").replace(
            "facts.txt", f"{tmp_path}/facts.txt"
        )
        environment = {**path27(), "ADDRESS": robot.url, "NAOQI": "2.1.4.13", "QI_LOG_LEVEL": "error"}
        # As GitHub runs a step.
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", command],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    with serve_robot(find_python27(os.environ) or "", speed=25, naoqi="2.1", without=DESKTOP_LACKS) as robot:
        assert run_step("Install it there, and play").stdout.splitlines()[-1].startswith("found ocean after ")
        facts = run_step("Compare the facts")
    assert (facts.stderr, "rows hold" in facts.stdout) == ("", True)
    assert facts.stdout.startswith("virtual NAO 2.1.4.13 ")
    # The robot that stands in is not the maker's: the rows that only the maker's fulfils differ, and no others.
    differing = set(re.findall(r"(?m)^(?:differs|missing): ([a-z0-9-]+):", facts.stdout))
    makers = {fact.id for fact in read_facts() if all(each.place == "virtual" for each in fact.robots)}
    known = {name for name, robots in facts_page.read_differing().items() if "NAO 2.1" in robots}
    assert differing - makers - known == set() and (facts.returncode == 0) is (not differing)


BEHAVIOURS = [
    ROOT / "simulator" / "tests" / "behaviours" / f"{name}.xar"
    for name in ("dance", "listen_and_repeat", "new_story", "old_story", "small_talk")
]
OLD_PYTHON = ROOT / ".venv27" / "bin" / "python"
PYTHONS = [sys.executable, str(OLD_PYTHON) if OLD_PYTHON.exists() else sys.executable]


def answers(python, requests):
    """Return the answers of a robot in virtual time; the first one says what robot it is."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "simulator"))
    lines = [dict(json.loads(line), id=number) for number, line in enumerate(requests.splitlines())]
    done = subprocess.run(
        [python, "-m", "naosim.json_server"],
        input="\n".join(map(json.dumps, lines)).encode(),
        capture_output=True,
        env=environment,
        check=True,
        timeout=120,
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()][1:]


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda path: path.stem)
def test_the_same_answers(behaviour):
    conversation = """{"do":"open","clock":"virtual","seed":7}
{"do":"set","key":"Player","value":"Ann"}
{"do":"load","file":"%s","rewrite":true}
{"do":"start"}
{"do":"advance"}
{"do":"hear","phrase":"yes"}
{"do":"advance"}
{"do":"touch","sensor":"FrontTactilTouched"}
{"do":"advance"}
{"do":"hear","phrase":"tea","confidence":0.55}
{"do":"stay_silent"}
{"do":"stay_silent","seconds":3}
{"do":"get","key":"Player"}
{"do":"leaks"}
{"do":"stop"}
{"do":"nonsense"}
"""
    first, second = (answers(python, conversation % behaviour) for python in PYTHONS)
    assert first == second
    assert len(first) == conversation.count("\n") - 1
    assert len([answer for answer in first if "error" in answer]) == 1


def test_the_command_line_in_a_process_of_its_own():
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "simulator"))
    for python in PYTHONS:
        command = [python, "-m", "naosim", str(BEHAVIOURS[0]), "--rewrite"]
        done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b" s  says " in done.stdout
