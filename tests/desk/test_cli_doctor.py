"""`jotto robot doctor`: what a robot has and lacks, with remedies; the exit code; nothing is left on the robot."""

import functools
import json
import threading

import pytest
from directory_clients import client
from far_robots import Served

from jotto_behaviour import mind
from jotto_desk.cli import robot_doctor
from jotto_desk.rehearsal.game import Rehearsal, RehearsalSettings
from jotto_desk.rehearsal.robots import find_behaviour_file
from naosim_robots import serve_robot
from naosim_robots.far.events import EventFeed
from naosim_robots.far.robot import FarRobot


@pytest.fixture(scope="module")
def directory():
    with serve_robot(speed=500) as found:
        yield found


def look_over(cli, url, *options):
    """Return exit code and findings by name."""
    code, out, err = cli("robot", "doctor", "--robot", url, "--json", *options)
    assert err == "" and out.count("\n") == 1
    result = json.loads(out)
    assert result["can_play"] is (code == 0)
    for found in result["findings"]:
        assert bool(found["remedy"]) is bool(found["see"]) is (found["state"] != "ok")
    return code, {found["name"]: found for found in result["findings"]}


def test_a_healthy_robot_is_left_as_it_was(cli, directory):
    def seen():
        with client(directory.url) as session:
            memory = session.service("ALMemory")
            return sorted(row["name"] for row in session.services()), memory.getDataListName()

    before = seen()
    code, findings = look_over(cli, directory.url)
    assert code == 0
    assert {name for name, found in findings.items() if found["state"] != "ok"} == {"package"}
    assert findings["package"]["remedy"].endswith(f"jotto robot deploy --robot {directory.url}.")
    assert findings["NAOqi"]["found"].startswith("2.8")
    assert findings["events"]["found"] == "by signal" and seen() == before
    code, out, err = cli("robot", "doctor", "--robot", directory.url)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "ok           NAOqi: 2.8.6.23 on a Nao"
    (lacks,) = [line for line in lines if line.startswith("lacks")]
    assert lacks.startswith("lacks        package: nao-jotto is not installed  -> ")
    assert lacks.endswith(" (see: The game is not on the robot)")
    assert lines[-1].startswith("NAO can play on this robot: ")


def test_missing_services_are_findings(cli):
    # Services that a robot lacks, the findings about it, and the exit code.
    for without, lacking, code in [
        ("ALSpeechRecognition ALDialog ALTouch", {"recogniser", "understands", "head"}, 0),
        ("ALAnimatedSpeech ALLeds ALMotion ALSystem", {"ALAnimatedSpeech", "ALLeds", "motors", "NAOqi"}, 0),
        ("ALBehaviorManager ALRobotPosture", {"ALBehaviorManager", "ALRobotPosture", "gestures"}, 0),
        ("ALTextToSpeech ALAudioDevice ALBattery", {"voice", "speaks", "volume"}, 1),
    ]:
        with serve_robot(without=without.split()) as directory:
            ended, findings = look_over(cli, directory.url)
        assert ended == code
        assert {name for name, found in findings.items() if found["state"] != "ok"} - {"package"} == lacking


def test_other_languages(cli):
    with serve_robot(languages=["Italian"]) as directory:
        code, findings = look_over(cli, directory.url)
        result = cli("robot", "doctor", "--robot", directory.url)
    assert code == 1 and findings["speaks"]["state"] == "cannot play"
    assert findings["speaks"]["found"] == "no English, only Italian"
    assert findings["understands"]["state"] == "lacks"
    assert result[0] == 1
    assert result[1].splitlines()[-1].startswith("NAO cannot play on this robot until that is repaired: docs/")
    with serve_robot(languages=["French", "Italian", "English"]) as directory:
        code, findings = look_over(cli, directory.url)
    assert (code, findings["speaks"]["state"], findings["speaks"]["found"]) == (0, "ok", "English, French")


def test_the_state_of_the_robot_is_checked(cli):
    with serve_robot() as directory, client(directory.url) as session:
        session.service("ALAudioDevice").setOutputVolume(10)
        session.service("ALAutonomousLife").setState("solitary")
        session.service("ALMotion").rest()
        session.service("ALSpeechRecognition").subscribe("SomeOtherApp")
        session.service("ALMemory").insertData("Jotto/Game", "{}")
        code, findings = look_over(cli, directory.url)
    assert code == 0
    assert findings["volume"]["found"] == "10 %" and "setOutputVolume" in findings["volume"]["remedy"]
    assert findings["Autonomous Life"]["found"] == "solitary"
    assert findings["motors"]["found"] == "at rest"
    assert findings["ears free"]["found"] == "SomeOtherApp listens too"
    assert "unfinished game" in findings["memory keys"]["found"]


def test_the_transport_of_events_is_checked(cli, monkeypatch):
    with serve_robot(invalid_signature=True) as directory:
        assert look_over(cli, directory.url)[1]["events"]["found"] == "by polling"
        feed = functools.partial(EventFeed, wanted="signal")
        monkeypatch.setattr("naosim_robots.far.events.EventFeed", feed)
        code, findings = look_over(cli, directory.url)
    assert code == 1 and findings["events"]["found"] == "Invalid signature"


def test_the_behaviour_calls_only_checked_methods(directory):
    called = set()
    with FarRobot(directory.url) as robot:
        call = robot.connection.call
        robot.connection.call = lambda service, method, *rest, **more: (
            called.add((service, method)) or call(service, method, *rest, **more)
        )
        behaviour = robot.load(str(find_behaviour_file()))
        record = Rehearsal(robot, behaviour, RehearsalSettings(strategy="belief"), mind.load_lines()).play("ocean")
    assert record.found
    known = {
        "ALMemory": robot_doctor.MEMORY,
        "ALTextToSpeech": robot_doctor.VOICE,
        "ALSpeechRecognition": robot_doctor.EARS,
        **{name: methods for name, (methods, _) in robot_doctor.LIKED.items()},
    }
    assert {name for name, _ in called} - {"SimulatedHuman"} <= set(known)
    for name, methods in known.items():
        # How the desk gets events is checked by itself.
        assert {method for service, method in called if service == name} - {"subscriber"} <= set(methods)


def test_a_robot_that_is_lost_during_the_checks(cli, monkeypatch):
    with Served() as far:
        look = robot_doctor.Examination._check_volume

        def kill(self):
            thread = threading.Thread(target=far.kill)
            thread.start()
            thread.join()
            return look(self)

        monkeypatch.setattr(robot_doctor.Examination, "_check_volume", kill)
        code, _, err = cli("robot", "doctor", "--robot", far.url)
    assert code == 2 and "went away" in err and err.count("\n") == 1
