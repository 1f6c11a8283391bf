"""docs/troubleshooting.md: its headings, which `jotto robot doctor` names, and its commands, on a simulated robot."""

import os
import re
import sys
from pathlib import Path

import pages
import pytest
import readme_shells
from directory_clients import client
from pages import ROOT

from jotto_desk.cli import options, robot_doctor
from jotto_desk.rehearsal.robots import RobotAddress
from naosim_robots import serve_robot

PAGE = pages.read(ROOT / robot_doctor.PAGE)
#: Commands for a real robot or a reader's files, which no test types: a login, and two that delete.
NOT_HERE = {
    "jotto robot doctor --robot nao.local --user nao --password-file password.txt",
    "rm -r ~/.local/share/nao-jotto ~/.cache/nao-jotto ~/.cache/naosim",
    "jotto robot stage",
}


def test_it_has_many_symptoms_each_with_a_remedy():
    symptoms = re.findall(r"^### (.+)\n+(.+)", PAGE, re.MULTILINE)
    assert len(symptoms) >= 25 and len({name for name, _ in symptoms}) == len(symptoms)
    assert [name for name, text in symptoms if text.startswith("#")] == []


def test_every_check_of_doctor_has_its_heading():
    with serve_robot() as directory, options.open_connection(RobotAddress(directory.url)) as connection:
        names = {finding.name for finding in robot_doctor.Examination(connection, directory.url).check_all()}
    # The keys in the memory are always fine.
    assert names - {"memory keys"} == set(robot_doctor.HEADINGS)
    for heading in robot_doctor.HEADINGS.values():
        assert f"\n### {heading}\n" in PAGE


def test_doctor_names_the_page_if_nothing_answers(cli):
    code, _, err = cli("robot", "doctor", "--robot", "tcp://127.0.0.1:1")
    assert code == 2 and err.endswith(" See 'Nothing answers' in docs/troubleshooting.md.\n")
    assert "\n### Nothing answers\n" in PAGE


@pytest.fixture(scope="module")
def robot():
    with readme_shells.simulated_robot() as url:
        with client(url) as session:
            session.service("ALSpeechRecognition").subscribe("SomeOtherApp")
        yield url


def test_every_command_works(robot, tmp_path):
    """Takes seconds: each command runs in its own shell."""
    found = [command.line for block in pages.blocks(PAGE) for command in pages.commands(block)]
    environ = {"PATH": f"{Path(sys.executable).parent}:{pages.PLAIN['PATH']}"}
    environ["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
    readme_shells.typed("", "jotto robot deploy --robot nao.local", "", tmp_path, robot, **environ)
    assert set(found) > NOT_HERE
    for line in found:
        if line not in NOT_HERE:
            place, _, port = robot.removeprefix("tcp://").rpartition(":")
            typed = line.replace('"nao.local", 9559', f'"{place}", {port}')
            readme_shells.typed("", typed, "", tmp_path, robot, **environ)
    with client(robot) as session:
        assert session.service("ALAudioDevice").getOutputVolume() == 60
        assert session.service("ALAutonomousLife").getState() == "disabled"
        assert session.service("ALSpeechRecognition").getSubscribersInfo() == []
