"""Games on a robot reached over libqi: every transport of events, broken connections, the same game as at the desk."""

import json
import threading
from types import SimpleNamespace

import pytest
from command_line import jotto, live_in
from directory_clients import until
from far_robots import Served

from jotto_behaviour import mind
from jotto_desk.rehearsal.game import Rehearsal, RehearsalSettings
from jotto_desk.rehearsal.robots import find_behaviour_file, open_simulated_robot
from naosim.errors import NaosimError
from naosim_robots import serve_robot
from naosim_robots.far.robot import FarRobot

FAST = 500


@pytest.fixture(scope="module")
def directory():
    with serve_robot(speed=FAST) as found:
        yield found


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    live_in(tmp_path, monkeypatch)


def played(robot, secret="ocean", behaviour=None, **settings):
    behaviour = behaviour or robot.load(str(find_behaviour_file()))
    settings = RehearsalSettings(strategy="belief", **settings)
    record = Rehearsal(robot, behaviour, settings, mind.load_lines()).play(secret)
    assert (record.found, record.failures) == (True, [])
    return record


def test_a_game_over_each_event_transport(directory):
    with open_simulated_robot() as (robot, behaviour):
        here = played(robot, behaviour=behaviour)
    for transport in ("auto", "polling"):
        remarks = []
        with FarRobot(directory.url, transport=transport, tell=remarks.append) as robot:
            record = played(robot)
            assert robot.feed.transport == ("signal" if transport == "auto" else transport) and remarks == []
        assert (record.transcript, record.attempts, record.answers) == (here.transcript, here.attempts, here.answers)
        ears = directory.robot.person("ears").result(10)
        assert not ears["engine"] and not ears["touch"]


def test_a_transport_that_fails_is_replaced_with_all_subscriptions(directory, invalid_signature):
    remarks = []
    with FarRobot(directory.url, tell=remarks.append) as robot:
        played(robot, "light")
        assert robot.feed.transport == "polling"
        assert remarks == ["The robot does not tell events by signal (Invalid signature); continuing by polling."]


@pytest.fixture
def invalid_signature(directory, monkeypatch):
    """Make signals of the robot unreadable, as those of some robots are."""
    monkeypatch.setattr(directory, "invalid_signature", True)


def test_without_any_transport_the_box_gets_the_error(directory, invalid_signature):
    with FarRobot(directory.url, transport="signal") as robot:
        with pytest.raises(RuntimeError, match="Invalid signature"):
            robot.memory.link("WordRecognized", print)
        assert not robot.memory.is_heard("WordRecognized") and robot.memory.leftovers() == []
    with pytest.raises(NaosimError, match="pigeon"):
        FarRobot(directory.url, transport="pigeon")


@pytest.mark.parametrize("transport", ["signal", "polling"])
def test_a_module_of_the_desk_starts_the_service_that_writes_its_event(directory, transport):
    directory.robot.call("ALSpeechRecognition", "setVocabulary", [["yes"], False]).result(10)
    with FarRobot(directory.url, transport=transport) as robot:
        robot.world.modules["Listener"] = SimpleNamespace(onWord=lambda _event, _value, _message: None)
        link = robot.memory.link("WordRecognized", print)
        # No transport starts the service.
        assert not directory.robot.person("ears").result(10)["engine"]
        robot.memory.subscribeToEvent("WordRecognized", "Listener", "onWord")
        assert directory.robot.person("ears").result(10)["engine"] == "ALSpeechRecognition"
        robot.memory.unlink("WordRecognized", link)
        robot.memory.unsubscribeToEvent("WordRecognized", "Listener")
        until(lambda: not directory.robot.person("ears").result(10)["engine"])
        robot.memory.subscribeToEvent("WordRecognized", "Listener", "onWord")
    until(lambda: not directory.robot.person("ears").result(10)["engine"])


@pytest.mark.parametrize(
    "robot",
    [
        {"without": ["ALSpeechRecognition", "ALAnimatedSpeech", "ALLeds"]},
        {"faults": {"grammar": 2, "cure": "language"}, "languages": ["English", "French"]},
    ],
)
def test_a_game_on_a_robot_that_lacks_something_or_whose_grammar_is_stuck(robot):
    with serve_robot(speed=FAST, **robot) as directory, FarRobot(directory.url) as far:
        played(far)


def test_a_game_by_touch_alone(directory):
    with FarRobot(directory.url) as robot:
        played(robot, touch_only=True)


@pytest.mark.parametrize(("transport", "after"), [("auto", 4), ("polling", 9)])
def test_a_robot_killed_in_mid_game_and_started_again(transport, after):
    """The process dies early or late in the game."""
    remarks, texts = [], []
    with Served() as far, FarRobot(far.url, transport=transport, patience=60, tell=remarks.append) as robot:

        def count(event):
            if event.kind == "say":
                texts.append(event)
            if len(texts) == after:
                texts.append(None)
                threading.Thread(target=lambda: (far.kill(), far.start())).start()

        robot.trace.listeners.append(count)
        played(robot)
    assert remarks[0].endswith("does not answer; waiting up to 60 s for it.")
    assert remarks[-1] == "The robot is back."


def test_a_real_robot_is_refused_and_a_robot_that_does_not_come_back_is_reported(capsys):
    with Served(options=["real"]) as far:
        code, _, err = jotto(capsys, "rehearse", "--robot", far.url, "--sample", "3")
    told = "a real one, and a rehearsal needs a simulated one; play with"
    assert (code, err) == (2, f"The robot at {far.url} is {told} 'jotto play --robot {far.url}'.\n")
    with Served() as far:
        threading.Thread(target=lambda: (until(far.listens), far.kill())).start()
        code, out, err = jotto(capsys, "rehearse", "--robot", far.url, "--sample", "20", "--patience", "1")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == f"The robot at {far.url} went away and did not come back within 1 seconds."


def test_rehearsed_games_are_those_of_the_desk(capsys, directory):
    options = ("--sample", "2", "--seed", "1", "--json")
    directory.robot.call("ALMemory", "insertData", ["Jotto/Settings", "somebody else's"]).result(10)
    code, out, err = jotto(capsys, "rehearse", "--robot", directory.url, *options)
    assert (code, err) == (0, "")
    far, here = json.loads(out), json.loads(jotto(capsys, "rehearse", *options)[1])
    # A far robot does not report its time.
    assert here.keys() - far.keys() == {"robot_seconds", "person_seconds", "game_seconds", "person_share"}
    assert far | {"seconds": 0} == {key: here[key] for key in far} | {"seconds": 0}
    # The desk does not write settings to the robot, where a behaviour would read them.
    assert directory.robot.call("ALMemory", "getData", ["Jotto/Settings"]).result(10) == "somebody else's"


def test_robots_opened_and_closed_leave_no_thread(directory):
    before = {thread.name for thread in threading.enumerate()}
    for transport in ("signal", "polling") * 3:
        with FarRobot(directory.url, transport=transport) as robot:
            robot.memory.link("WordRecognized", print)
            robot.memory.link("FrontTactilTouched", print)
            assert robot.get("Jotto/Nothing") is None
    until(lambda: {thread.name for thread in threading.enumerate()} <= before)
    until(lambda: not directory.robot.person("ears").result(10)["touch"])
