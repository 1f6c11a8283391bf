"""Games on a robot reached over libqi: every transport of events, broken connections, the same game as at the desk."""

import json
import threading

import pytest
from command_line import jotto, live_in
from directory_clients import until
from far_robots import Served

from jotto_behaviour import mind
from jotto_desk.rehearsal.game import Rehearsal, RehearsalSettings
from jotto_desk.rehearsal.robots import behaviour_file, open_simulated_robot
from naosim.errors import NaosimError
from naosim_live import served
from naosim_live.far.robot import FarRobot

FAST = 500


@pytest.fixture(scope="module")
def directory():
    with served(speed=FAST) as found:
        yield found


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    live_in(tmp_path, monkeypatch)


def played(robot, secret, setting=None):
    """Play one game on a robot; return its record."""
    behaviour = robot.load(str(behaviour_file()))
    return Rehearsal(robot, behaviour, setting or RehearsalSettings(strategy="belief"), mind.load_lines()).play(secret)


@pytest.mark.parametrize("transport", ["auto", "module", "polling"])
def test_a_game_over_each_event_transport(directory, transport):
    with open_simulated_robot() as (robot, behaviour):
        here = Rehearsal(robot, behaviour, RehearsalSettings(strategy="belief"), mind.load_lines()).play("ocean")
    remarks = []
    with FarRobot(directory.url, transport=transport, tell=remarks.append) as robot:
        record = played(robot, "ocean")
        assert robot.feed.transport == ("signal" if transport == "auto" else transport)
    assert (record.found, record.failures, remarks) == (True, [], [])
    assert (record.transcript, record.attempts, record.answers) == (here.transcript, here.attempts, here.answers)
    ears = directory.robot.person("ears").result(10)
    assert not ears["engine"] and not ears["touch"]


def test_an_unreadable_signature_is_reported_once_and_the_next_transport_used(directory):
    directory.memory.invalid_signature = True
    remarks = []
    try:
        with FarRobot(directory.url, tell=remarks.append) as robot:
            record = played(robot, "crane")
            assert robot.feed.transport == "module"
    finally:
        directory.memory.invalid_signature = False
    assert record.found and not record.failures
    assert remarks == ["The robot does not tell events by signal (Invalid signature); going on by module."]


def test_a_transport_that_fails_in_mid_game_is_replaced_with_all_subscriptions(directory):
    remarks = []
    with FarRobot(directory.url, tell=remarks.append) as robot:
        assert played(robot, "light").found
        directory.robot.inject({"raising": {"ALMemory.subscribeToEvent": "no modules from outside"}}).result(10)
        directory.memory.invalid_signature = True
        try:
            assert played(robot, "crane").found
        finally:
            directory.memory.invalid_signature = False
            directory.robot.inject({"raising": {"ALMemory.subscribeToEvent": ["", 0]}}).result(10)
        assert robot.feed.transport == "polling"
    assert len(remarks) == 2 and "no modules from outside" in remarks[1]


def test_without_any_transport_the_box_gets_the_error(directory):
    directory.memory.invalid_signature = True
    try:
        with FarRobot(directory.url, transport="signal") as robot:
            with pytest.raises(RuntimeError, match="Invalid signature"):
                robot.memory.link("WordRecognized", print)
            assert not robot.memory.is_heard("WordRecognized") and robot.memory.leftovers() == []
    finally:
        directory.memory.invalid_signature = False


class Listener:
    def onWord(self, _event, value, _message):
        """Hear a word."""


@pytest.mark.parametrize("transport", ["signal", "module", "polling"])
def test_a_module_of_the_desk_starts_the_service_that_writes_its_event(directory, transport):
    directory.robot.call("ALSpeechRecognition", "setVocabulary", [["yes"], False]).result(10)
    with FarRobot(directory.url, transport=transport) as robot:
        robot.world.modules["Listener"] = Listener()
        link = robot.memory.link("WordRecognized", print)
        # The transport by modules subscribes, which starts the service; the others do not.
        assert bool(directory.robot.person("ears").result(10)["engine"]) == (transport == "module")
        robot.memory.subscribeToEvent("WordRecognized", "Listener", "onWord")
        assert directory.robot.person("ears").result(10)["engine"] == "ALSpeechRecognition"
        robot.memory.unlink("WordRecognized", link)
        robot.memory.unsubscribeToEvent("WordRecognized", "Listener")
        until(lambda: not directory.robot.person("ears").result(10)["engine"])
        robot.memory.subscribeToEvent("WordRecognized", "Listener", "onWord")
    until(lambda: not directory.robot.person("ears").result(10)["engine"])


def test_an_unknown_transport_is_refused(directory):
    with pytest.raises(NaosimError, match="pigeon"):
        FarRobot(directory.url, transport="pigeon")


@pytest.mark.parametrize("without", [["ALSpeechRecognition"], ["ALAnimatedSpeech", "ALLeds"]])
def test_a_game_on_a_robot_that_lacks_something(without):
    with served(speed=FAST, without=without) as directory, FarRobot(directory.url) as robot:
        record = played(robot, "ocean")
    assert (record.found, record.failures) == (True, [])


def test_a_game_by_touch_alone(directory):
    with FarRobot(directory.url) as robot:
        record = played(robot, "ocean", RehearsalSettings(strategy="belief", touch_only=True))
    assert (record.found, record.failures) == (True, [])


@pytest.mark.parametrize("transport, after", [("auto", 4), ("module", 7), ("polling", 9)])
def test_a_robot_killed_in_mid_game_and_started_again(transport, after):
    """Takes seconds each: a process dies early or late in the game, with each transport of events."""
    remarks = []
    with Served() as far, FarRobot(far.url, transport=transport, patience=60, tell=remarks.append) as robot:
        texts = []

        def count(event):
            if event.kind == "say":
                texts.append(event)
            if len(texts) == after:
                texts.append(None)
                threading.Thread(target=restart).start()

        def restart():
            far.kill()
            far.start()

        robot.trace.listeners.append(count)
        record = played(robot, "ocean")
    assert (record.found, record.failures) == (True, [])
    assert remarks[0].endswith("is gone; waiting up to 60 s for it.")
    assert remarks[-1] == "The robot is back; the game goes on."


def test_a_robot_that_does_not_come_back(capsys):
    with Served() as far:

        def kill_in_mid_game():
            until(far.listens)
            far.kill()

        threading.Thread(target=kill_in_mid_game).start()
        code, out, err = jotto(capsys, "rehearse", "--robot", far.url, "--sample", "20", "--patience", "1")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == f"The robot at {far.url} went away and did not come back within 1 seconds."


def test_rehearsed_games_are_those_of_the_desk(capsys, directory):
    """Takes seconds: whole games, over libqi and at the desk."""
    options = ("--sample", "2", "--seed", "1", "--json")
    directory.robot.call("ALMemory", "insertData", ["Jotto/Settings", "somebody else's"]).result(10)
    code, out, err = jotto(capsys, "rehearse", "--robot", directory.url, *options)
    assert (code, err) == (0, "")
    far = json.loads(out)
    assert (far["games"], far["found"], far["failures"]) == (2, 2, [])
    here = json.loads(jotto(capsys, "rehearse", *options)[1])
    # A far robot does not report its time.
    assert here.keys() - far.keys() == {"robot_seconds", "person_seconds", "game_seconds", "person_share"}
    assert far | {"seconds": 0} == {key: here[key] for key in far} | {"seconds": 0}
    # The desk does not write settings to the robot, where a behaviour would read them.
    assert directory.robot.call("ALMemory", "getData", ["Jotto/Settings"]).result(10) == "somebody else's"


def test_a_rehearsal_on_a_real_robot_is_refused(capsys):
    with Served(options=["real"]) as far:
        code, _, err = jotto(capsys, "rehearse", "--robot", far.url, "--sample", "3")
    assert code == 2
    assert err == (
        f"The robot at {far.url} is a real one, and a rehearsal needs a simulated one; "
        f"play with 'jotto play --robot {far.url}'.\n"
    )


def test_a_stuck_grammar_is_freed_over_the_wire():
    options = {"faults": {"grammar": 2, "cure": "language"}, "languages": ["English", "French"]}
    with served(speed=FAST, **options) as directory, FarRobot(directory.url) as robot:
        record = played(robot, "ocean")
    assert (record.found, record.failures) == (True, [])


def test_robots_opened_and_closed_leave_no_thread(directory):
    before = {thread.name for thread in threading.enumerate()}
    for transport in ("signal", "module", "polling") * 2:
        with FarRobot(directory.url, transport=transport) as robot:
            robot.memory.link("WordRecognized", print)
            robot.memory.link("FrontTactilTouched", print)
            assert robot.get("Jotto/Nothing") is None
    until(lambda: {thread.name for thread in threading.enumerate()} <= before)
    until(lambda: not directory.robot.person("ears").result(10)["touch"])
