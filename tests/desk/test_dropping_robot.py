"""Robots that lose connections as NAOqi 2.1 does, and robots without a login that are reached with one."""

import itertools
import json
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
from directory_clients import until
from far_robots import DroppingRelay, Served, environment, listening, refuse, speak_http
from interpreters import ROOT
from package_files import package
from processes import process
from robot_server import serving

from naosim_robots import serve_robot
from naosim_robots.addresses import Address, parse_robot_address
from naosim_robots.far.connection import Login, NotReached, Tries, open_session
from naosim_robots.libqi import close_session, qi

GAME = "ready\nno\n0 1\nstop\nyes\n"
NO_LOGIN = Login()


@pytest.mark.parametrize("library, answers", [("qi", 1), ("qiwire", 0)])
def test_a_whole_game_on_a_robot_that_drops_every_third_session(tmp_path, library, answers):
    """Takes seconds: a robot and programs are processes; libqi and `qiwire` see other ends of a connection."""
    own = {"XDG_DATA_HOME": str(tmp_path)}
    if library == "qiwire":
        (tmp_path / "qi.py").write_text("raise ImportError('no libqi here')\n")
        own["PYTHONPATH"] = f"{tmp_path}:{environment()['PYTHONPATH']}"
    package(str(tmp_path / "hello.pkg"))
    with serving() as server, DroppingRelay(server.url, answers) as relay:

        def run(*command, typed=""):
            ended = process(sys.executable, *command, relay.url, input=typed, env=environment(**own))
            assert (ended.returncode, ended.stderr) == (0, "")
            return ended.stdout.splitlines()

        def jotto(*command, **more):
            return run("-m", "jotto_desk", *command, "--robot", **more)

        game = jotto("rehearse", "--secret", "ocean")
        assert any("OCEAN?" in line for line in game) and any("I got it" in line for line in game)
        assert jotto("play", "--forget", typed=GAME)[-1].endswith("Bye! I haven't saved our game.")
        assert json.loads("".join(jotto("robot", "doctor", "--json")))["can_play"] and relay.dropped >= 2
        if library == "qiwire":
            return
        assert jotto("robot", "deploy", tmp_path / "hello.pkg")[0].startswith("Installed ")
        assert jotto("robot", "remove", "hello-1")[-1].startswith("Removed ")
        assert [run(ROOT / "docs" / "qi_client.py")[-1] for _ in range(2)] == ["Ann said yes"] * 2


def ends_at_once(line):
    pass


def ends_after_the_header(line):
    head = line.recv(28)
    line.sendall(head[:14] + b"\2" + head[15:])


def tried(answer, login=NO_LOGIN, **limits):
    """Try to reach a server that answers so; return how often it was called, the pauses, and the sentence."""
    calls, pauses = [], []

    def count(line):
        calls.append(line)
        answer(line)

    limits = {"sleep": pauses.append, **limits}
    with listening(count) as port, pytest.raises(NotReached) as error:
        open_session(Address("127.0.0.1", port), login, Tries(**limits))
    return SimpleNamespace(calls=len(calls), pauses=pauses, said=str(error.value), kind=error.type)


@pytest.mark.parametrize(
    "answer, login, calls, said",
    [
        (ends_at_once, NO_LOGIN, 5, "(disconnected; 5 tries): start the robot again, or give its port, usually 9559"),
        (ends_after_the_header, NO_LOGIN, 5, "does not finish its greeting (disconnected; 5 tries)"),
        (speak_http, NO_LOGIN, 1, "is not NAOqi: give the robot's port"),
        (refuse([]), NO_LOGIN, 1, "wants a user and a password"),
        (refuse([]), Login("nao", "wrong"), 2, 'refuses the user "nao" with this password'),
    ],
)
def test_only_broken_connections_are_tried_again(answer, login, calls, said):
    found = tried(answer, login)
    assert (found.calls, found.pauses) == (calls, [0.5] * (calls - 1 if calls == 5 else 0))
    assert said in found.said


def test_libqi_may_need_another_connection_for_a_service():
    with (
        serve_robot(speed=50) as robot,
        DroppingRelay(robot.url, 1, 2) as services,
        DroppingRelay(robot.url, every=1000, services=services) as relay,
    ):
        sessions = [open_session(parse_robot_address(relay.url), NO_LOGIN) for _ in range(3)]
        assert [session.service("ALMemory").ping() for session in sessions] == [True] * 3
        for session in sessions:
            close_session(session)
    assert services.dropped or qi.__name__ == "qiwire"


def test_nothing_is_tried_after_twenty_seconds():
    times = itertools.count(0.0, 4.0)
    found = tried(ends_at_once, clock=lambda: next(times))
    assert found.calls < 5 and f"{found.calls} tries" in found.said
    assert "(disconnected; 1 try)" in tried(ends_at_once, most=1).said


def test_ctrl_c_between_two_tries():
    calls = []
    with listening(calls.append) as port:
        pipes = {"text": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment()}
        child = subprocess.Popen(
            [sys.executable, "-m", "jotto_desk", "robot", "doctor", "--robot", f"127.0.0.1:{port}"], **pipes
        )
        until(lambda: len(calls) == 2)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err.strip()) == (130, "", "Stopped.")


# A login for a robot that knows none: the port for logins is closed, and the password stays here.


@pytest.fixture
def ports(monkeypatch):
    """Return a function that sets the usual port; the port for logins is closed."""
    with listening(lambda line: None) as closed:
        pass
    monkeypatch.setattr("naosim_robots.addresses.LOGIN_PORT", closed)
    monkeypatch.setenv("JOTTO_ROBOT_USER", "nao")
    monkeypatch.setenv("JOTTO_ROBOT_PASSWORD", "tr0ub4dor")
    return lambda port: monkeypatch.setattr("naosim_robots.addresses.NAO_PORT", int(port))


def test_every_command_goes_to_the_usual_port_if_there_is_none_for_logins(cli, ports, tmp_path):
    package(str(tmp_path / "hello.pkg"))
    with Served() as far:
        ports(far.url.rpartition(":")[2])
        for command in (
            ["robot", "doctor"],
            ["robot", "deploy", "hello.pkg"],
            ["robot", "remove", "hello-1"],
            ["play", "--forget"],
        ):
            code, out, err = cli(*command, "--robot", "127.0.0.1", typed=GAME)
            told = err if command[0] == "robot" else out.splitlines()[0]
            assert (code, out.count("\n") > 0) == (0, True), (command, out, err)
            assert f", the port for logins: trying {far.url} without the login." in told
            assert "tr0ub4dor" not in out + err


def test_a_password_is_not_sent_over_the_usual_port_unless_the_port_is_named(cli, ports):
    seen = []
    with listening(refuse(seen)) as port:
        ports(port)
        code, _, err = cli("robot", "doctor", "--robot", "127.0.0.1")
        assert code == 2 and f"give --robot 127.0.0.1:{port} to send them anyway" in err
        assert b"tr0ub4dor" not in b"".join(seen)
        assert 'refuses the user "nao"' in cli("robot", "doctor", "--robot", f"127.0.0.1:{port}")[2]
        assert b"tr0ub4dor" in b"".join(seen)
