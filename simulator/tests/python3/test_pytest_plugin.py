"""The pytest plugin, used by small projects: through its entry point, in another process."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import behaviours
import pytest
from interpreters import ROOT
from processes import ALONE, process

from naosim.errors import WrongUse
from naosim_robots.testing import Nao

PYPROJECT = '[project]\nname = "reception"\nversion = "1"\n[tool.pytest.ini_options]\naddopts = ["--strict-markers"]\n'
RECEPTION = """
import pytest


def test_yes_leads_to_the_tour(nao):
    nao.run("../reception/behavior.xar")
    nao.hear("yes")
    nao.touch("FrontTactilTouched")
    assert nao.said[-1] == "Follow me."
    assert nao.ended


@pytest.mark.nao(seed=7)
def test_nobody_answers(nao):
    nao.run("../reception/behavior.xar")
    nao.stay_silent()
    assert nao.said[-1] == "Nobody there."
    assert nao.time > 15


def test_no_is_no(nao):
    nao.run("../reception/behavior.xar")
    nao.hear("no")
    assert nao.said[-1] == "Then have a nice day."
"""


@pytest.fixture
def project(tmp_path):
    """Provide a small project: one behaviour, and room for tests of it."""
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    behaviours.write_into(str(tmp_path), "reception/behavior.xar", behaviours.read_file("reception.xar"))
    (tmp_path / "checks").mkdir()
    return tmp_path


def run_pytest(folder, *options):
    """Run the tests of a project with our plugin alone; return exit status and output."""
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "PYTHONPATH"))}
    command = [sys.executable, "-m", "pytest", *ALONE, *options]
    output = process(*command, cwd=folder, env={**environ, "COLUMNS": "300"})
    return output.returncode, output.stdout + output.stderr


def run_check(project, text, *options):
    (project / "checks" / "test_reception.py").write_text(text)
    return run_pytest(project, *options)


def test_three_tests_of_a_strange_behaviour_and_one_finds_a_leak(project):
    status, output = run_check(project, RECEPTION)
    assert status == 1
    assert "1 failed, 2 passed" in output
    assert "plugins:" in output and "naosim" in output
    leak = r"left behind: Module 'ALFrameManager__\w+__root__3' is still subscribed to event 'RightBumperPressed'\."
    assert re.search(leak, output)
    assert re.search(r"FAILED checks/test_reception.py::test_no_is_no - Failed: left behind: Module", output)
    assert "says      Then have a nice day." in output, "the transcript is a part of the report"


def test_a_failed_assertion_comes_before_leaks(project):
    status, output = run_check(project, RECEPTION.replace("Then have a nice day.", "Good bye."), "-k", "no_is_no")
    assert status == 1 and "'Then have a nice day.' == 'Good bye.'" in output
    assert "left behind" not in output and "Captured nao call" in output


def test_what_cannot_be_is_a_sentence(project):
    impossible = [
        ("", "nao.hear('yes')", 'nobody hears "yes": the robot does not listen'),
        ("", "nao.run('nothing.xar')", "cannot read"),
        ("", "nao.said[-1]", "NAO spoke not at all"),
        ("", "nao.stop()", "no behaviour runs: call run first"),
        ("", "nao.touch('Nose')", 'no sensor "Nose"'),
        ("", "nao.memory['Game/Score']", "ALMemory has no 'Game/Score'"),
        ("", "nao.without('ALBrain')", 'the robot has no service "ALBrain"'),
        ("", "nao.time; nao.without('ALLeds')", "the robot is awake already"),
        ("", "nao.write_recording('x')", "there is nothing to record"),
        ("", "nao.run('../reception/behavior.xar'); nao.said[5]", "NAO spoke only 1 times"),
        ("colour='red'", "pass", "unexpected keyword argument 'colour'"),
        ("language='Klingon'", "pass", 'the robot does not speak "Klingon"'),
        ("without='ALDoor'", "pass", 'the robot has no service "ALDoor"'),
        ("robot_type='R2'", "pass", 'no robot "R2"'),
        ("naoqi='3'", "pass", 'no NAOqi "3"'),
    ]
    lines = ["import pytest"]
    for number, (marker, body, _) in enumerate(impossible):
        lines += [f"@pytest.mark.nao({marker})", f"def test_{number}(nao):", f"    {body}"]
    status, output = run_check(project, "\n".join(lines) + "\n")
    assert status == 1
    assert [sentence for _, _, sentence in impossible if sentence not in output] == []
    assert output.count("@pytest.mark.nao: ") >= 3


def test_what_the_fixture_shows_of_the_robot(project):
    world = """
import pytest


def test_memory_lights_and_postures(nao):
    nao.memory["Game/Score"] = 3
    assert nao.memory["Game/Score"] == 3 and "Game/Score" in nao.memory and "Nothing" not in nao.memory
    nao.run("dance.xar")
    assert nao.eyes == ["#ff0000", "#0000ff"] and nao.leds == []
    nao.run("new_story.xar", parameters={"Goto Posture.Name": "Sit"})
    assert nao.postures[-1] == "Sit"
    nao.mishear("tea", "coffee")
    nao.hear("tea")
    assert nao.said[-2:] == ["One coffee.", "See you."]


def test_dialogs(nao):
    nao.run("small_talk.xar", dialogs=["Small talk"])
    nao.dialog("Small talk", "wantsName", "Ada")
    nao.dialog("Small talk", "onStopped")
    assert nao.said == ["Ada", "Bye."] and nao.ended
    nao.write_recording("said.jsonl")


def test_a_recording(nao):
    assert nao.replay("small_talk.xar", "said.jsonl")
    assert nao.said == ["Ada", "Bye."]


@pytest.mark.nao(robot_type="Pepper", naoqi="2.5")
def test_a_pepper(nao):
    assert nao.robot.service("ALSystem").systemVersion() == "2.5.10.7"
    assert "KneePitch" in nao.robot.service("ALMotion").getBodyNames("Leg")


@pytest.mark.nao(threads=True, posture="Crouch")
def test_a_loop_without_end(nao):
    nao.run("busy/behavior.xar")
    assert nao.said == ["Nobody can stop me."]
    assert nao.time > 5 and not nao.ended
    nao.allow_leaks()


def test_stopped_in_the_middle(nao):
    nao.run("old_story.xar")
    nao.stop()
    assert nao.ended and nao.leaks == [] and nao.failures == []
"""
    for name in behaviours.STORIES:
        shutil.copy(Path(behaviours.FOLDER, name), project / "checks")
    behaviours.write_into(str(project), "checks/busy/behavior.xar", behaviours.read_file("busy.xar"))
    status, output = run_check(project, world)
    assert (status, "6 passed" in output) == (0, True), output


def test_who_does_not_use_it_does_not_pay_for_it(project):
    light = """
import sys

def test_without_the_fixture():
    loaded = {name.partition(".")[0] for name in sys.modules}
    assert not loaded & {"naosim", "naoqi", "qi", "numpy"}
    assert sys.modules["naosim_robots.pytest_plugin"]
"""
    status, output = run_check(project, light)
    assert (status, "1 passed" in output) == (0, True), output


def test_leaks_may_be_allowed_and_libqi_is_never_imported(project):
    text = RECEPTION.replace('    nao.hear("no")', '    nao.allow_leaks()\n    nao.hear("no")')
    last = "\n\ndef test_last():\n    import sys\n    assert 'qi' not in sys.modules\n"
    status, output = run_check(project, text + last)
    assert (status, "4 passed" in output) == (0, True), output


def test_the_page_runs_as_it_stands(tmp_path):
    """Takes seconds: every example and command of the page, each in a process of its own."""
    page = (ROOT / "docs/testing-a-behaviour.md").read_text(encoding="utf-8")
    shutil.copy(Path(behaviours.FOLDER, "old_story.xar"), tmp_path / "behavior.xar")
    first, example, report = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    (tmp_path / "test_story.py").write_text(example)
    (tmp_path / "test_first.py").write_text(first)
    status, output = run_pytest(tmp_path, "test_story.py")
    assert (status, "6 passed" in output) == (0, True), output
    assert run_pytest(tmp_path, "test_first.py")[0] == 0
    commands = re.findall(r"^\$ python (-m naosim .*)$", page, re.M)
    for command in commands:
        done = subprocess.run([sys.executable, *command.split()], cwd=tmp_path, timeout=60, check=False)
        assert done.returncode == 0
    (tmp_path / "test_bug.py").write_text(report)
    status, output = run_pytest(tmp_path, "test_bug.py")
    assert (status, len(commands)) == (0, 2), output


def test_failures_are_allowed_by_a_pattern():
    for pattern, left in ((True, 0), (False, 2), ("no voice", 1), ("no (voice|sound)", 0), ("nothing of the kind", 2)):
        nao = Nao()
        nao._behaviour = SimpleNamespace(ended=True, failures=["root/A: no voice", "root/B: no sound"])
        nao.allow_leaks()
        nao.allow_failures(pattern)
        assert len(nao.finish()) == left
    with pytest.raises(WrongUse, match="is not a regular expression"):
        Nao().allow_failures("(")
