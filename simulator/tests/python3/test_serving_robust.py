"""Robustness of a directory: many directories, many clients, garbage, and clients that end at the worst moment."""

import gc
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from directory_clients import client, until
from interpreters import source_path

from naosim_robots import serve_robot
from naosim_robots.libqi import close_session
from naosim_robots.serving import RobotServer


@pytest.fixture(scope="module")
def directory():
    """Provide one robot for all tests of this module."""
    with serve_robot(speed=50) as found:
        yield found


def answers(directory):
    """Return whether a new client is served."""
    with client(directory.url) as session:
        memory = session.service("ALMemory")
        memory.insertData("Test/Alive", 1)
        return memory.getData("Test/Alive") == 1


def test_closed_directories_and_robots_leave_nothing(directory):
    """With this many directories, a thread or socket that each one leaves behind exceeds the tolerance."""

    def count_held():
        """Return the numbers of threads and open files of this process."""
        gc.collect()
        return len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))

    def use(url):
        with client(url) as session:
            memory, notified = session.service("ALMemory"), threading.Event()
            subscriber = memory.subscriber("Test/Hurry")
            subscriber.signal.connect(lambda _: notified.set())
            memory.raiseEvent("Test/Hurry", 1)
            assert notified.wait(30)

    def run(directories, robots):
        for _ in range(directories):
            with RobotServer(directory.robot) as other:
                use(other.url)
        for _ in range(robots):
            with serve_robot(speed=50) as other:
                use(other.url)
        return count_held()

    before = run(1, 1)
    run(4, 2)
    # libqi releases threads and sockets of ended sessions after some time.
    until(lambda: all(now <= then + 2 for now, then in zip(count_held(), before)))
    assert directory.robot.person("state").result(30)["leaks"] == []
    assert answers(directory)


@pytest.mark.parametrize("broken, tries", [(0, 1), (1, 2), (5, 2)])
def test_a_broken_promise_of_libqi_does_not_stop_closing(broken, tries):
    class Session:
        tried = 0

        def close(self):
            self.tried += 1
            if self.tried <= broken:
                raise RuntimeError("Promise broken (all promises are destroyed)")

    session = Session()
    close_session(session)
    assert session.tried == tries


@pytest.mark.parametrize("where", ["module", "signal", "call"])
def test_a_client_that_vanishes(directory, where):
    vanishing = """
import os, sys
import naosim_robots.libqi
from naosim_robots.libqi import qi
session = qi.Session()
session.connect(sys.argv[1])
class Module:
    def onEvent(self, key, value, message):
        os._exit(0)
memory = session.service("ALMemory")
words = memory.subscriber("Test/Vanish")
if sys.argv[2] == "module":
    session.registerService("Vanishing", Module())
    memory.subscribeToEvent("Test/Vanish", "Vanishing", "onEvent")
elif sys.argv[2] == "signal":
    words.signal.connect(lambda value: os._exit(0))
else:
    session.service("ALTextToSpeech").say("A long sentence. " * 200, _async=True)
print("ready")
sys.stdout.flush()
if sys.argv[2] == "call":
    os._exit(0)
sys.stdin.readline()
"""
    command = [sys.executable, "-c", vanishing, directory.url, where]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": {**os.environ, "PYTHONPATH": source_path()}}
    with client(directory.url) as session, subprocess.Popen(command, **pipes) as other:
        assert other.stdout.readline().strip() == b"ready"
        memory = session.service("ALMemory")
        for value in range(50):
            memory.raiseEvent("Test/Vanish", value)
        other.wait(30)
        until(lambda: memory.getSubscribers("Test/Vanish") == [])
        session.service("ALTextToSpeech").stopAll()
        until(lambda: directory.robot.person("state").result(30)["leaks"] == [])
    assert answers(directory)


def test_twenty_clients_at_once(directory):
    def work(number):
        with client(directory.url) as session:
            memory = session.service("ALMemory")
            for round_ in range(20):
                memory.insertData(f"Test/Client{number}", [number, round_])
                assert memory.getData(f"Test/Client{number}") == [number, round_]

    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(work, range(20), timeout=60)) == [None] * 20


def test_more_calls_than_the_robot_can_hold_wait_or_are_refused(directory):
    with client(directory.url) as session:
        memory, voice = session.service("ALMemory"), session.service("ALTextToSpeech")
        spoken = [voice.say("Too much. " * 100, _async=True) for _ in range(200)]
        asked = [memory.getDataListName(_async=True) for _ in range(500)]
        until(lambda: sum(future.isRunning() for future in spoken) <= 100)
        voice.stopAll()
        errors = [future.error() for future in spoken if future.hasError(30000)]
        assert errors and all("100 texts are already waiting" in error for error in errors)
        assert not any(future.hasError(30000) for future in asked)
    assert answers(directory)


def test_a_robot_that_ends_is_an_error_for_its_clients():
    with serve_robot(speed=50) as directory, client(directory.url) as session:
        voice = session.service("ALTextToSpeech")
        speaking = voice.say("Something long. " * 500, _async=True)
        until(speaking.isRunning)
        directory.robot.close()
        assert "robot" in speaking.error(30000)
        with pytest.raises(RuntimeError, match="The simulated robot is closed"):
            voice.say("Hello?")
