"""Reasons why a robot cannot be used, in one sentence each: addresses, no server, other servers, logins, no libqi."""

import contextlib
import signal
import socket
import struct
import subprocess
import sys
import threading

import pytest
from command_line import jotto
from far_robots import environment, listening, refuse

from jotto_desk.cli import options
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.robots import RobotAddress
from naosim_live import served
from naosim_live.far import connecting
from naosim_live.far.connecting import Login, open_session
from naosim_live.libqi_protocol import WrongAddress, parse_robot_address


def test_addresses():
    plain = {"nao.local": "tcp://nao.local:9559", " nao ": "tcp://nao:9559", "nao:1234": "tcp://nao:1234"}
    full = {"tcp://10.0.0.5": "tcp://10.0.0.5:9559", "tcps://pepper.local": "tcps://pepper.local:9503"}
    numbers = {"::1": "tcp://[::1]:9559", "[fe80::2]:99": "tcp://[fe80::2]:99"}
    for text, url in (plain | full | numbers | {"tcps://pepper:9559/": "tcps://pepper:9559"}).items():
        assert parse_robot_address(text).url == url
    # With a login, a bare host is the port for logins.
    assert parse_robot_address("pepper", login=True).url == "tcps://pepper:9503"
    assert parse_robot_address("pepper:9559", login=True).url == "tcp://pepper:9559"


def test_wrong_addresses():
    wrong = ["", "http://nao", "nao:0", "nao:65536", "nao:port", "tcp://", "nao/local", "nao local", "-nao", "nao;rm"]
    for text in (*wrong, "n" * 254, "tcp://" + "a" * 400, "caf\u00e9", "[::1", "\x00", "tcp://user@nao"):
        with pytest.raises(WrongAddress, match="write it like nao"):
            parse_robot_address(text)


#: Runs `jotto play --robot` in another process.
PLAY = [sys.executable, "-m", "jotto_desk", "play", "--robot"]


def ended(command):
    """Run a command that prints nothing; return its exit code and complaints."""
    pipes = {"text": True, "capture_output": True, "timeout": 60, "env": environment()}
    done = subprocess.run(command, check=False, **pipes)
    assert done.stdout == ""
    return done.returncode, done.stderr


def refused(capsys, url, *options):
    """Return the sentence with which `jotto play --robot` ends."""
    code, out, err = jotto(capsys, "play", "--robot", url, *options)
    assert (code, out) == (2, "") and err.count("\n") == 1
    return err


def test_nothing_answers_at_the_address(capsys):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    err = refused(capsys, f"127.0.0.1:{port}")
    assert err.startswith("Nothing answers at tcp://127.0.0.1:") and "connection refused" in err
    assert '"no-such-robot.invalid"' in refused(capsys, "no-such-robot.invalid")
    assert '"http://nao"' in refused(capsys, "http://nao")


def test_another_server_answers(capsys, monkeypatch):
    def stranger(line):
        line.recv(100)
        line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    monkeypatch.setattr(connecting, "STEP", 1.0)
    for answer in (stranger, lambda line: line.recv(100) and line.recv(1)):
        with listening(answer) as port:
            assert "is no NAOqi: give the robot's port, usually 9559" in refused(capsys, f"127.0.0.1:{port}")


@pytest.mark.parametrize("speaks", [1, 2])
def test_a_robot_that_dies_in_its_greeting(speaks):
    # After a reset in its greeting libqi returns neither from connect nor from close, but the program must end.
    callers = []

    def answer(line):
        callers.append(line)
        head = line.recv(28, socket.MSG_WAITALL)
        if len(callers) <= speaks:
            line.sendall(head[:14] + b"\2" + head[15:])
            line.recv(1000)

    with listening(answer) as port:
        code, err = ended([*PLAY, f"127.0.0.1:{port}"])
    assert code == 2 and "does not finish its greeting" in err and err.count("\n") == 1


def test_a_directory_without_a_robot(capsys):
    from naosim_live.libqi import qi

    session = qi.Session()
    session.listenStandalone("tcp://127.0.0.1:0")
    try:
        assert "has no ALMemory" in refused(capsys, session.endpoints()[0])
    finally:
        session.close()


def test_a_login_is_wanted(capsys, monkeypatch):
    with listening(refuse([])) as port:
        err = refused(capsys, f"127.0.0.1:{port}")
    assert "wants a user and a password: give them with --user NAME and --password-file FILE" in err
    monkeypatch.setenv(options.USER, "pepper")
    monkeypatch.setenv(options.PASSWORD, "from outside")
    seen = []
    with listening(refuse(seen)) as port:
        assert '"pepper"' in refused(capsys, f"127.0.0.1:{port}")
    assert b"from outside" in b"".join(seen)


def test_a_login_is_refused_and_the_password_stays_unseen(capsys, tmp_path):
    secret = tmp_path / "password"
    secret.write_text("tr0ub4dor\nsecond line\n", encoding="utf-8")
    seen = []
    with listening(refuse(seen)) as port:
        err = refused(capsys, f"127.0.0.1:{port}", "--user", "nao", "--password-file", str(secret))
    assert 'refuses the user "nao" with this password' in err and "tr0ub4dor" not in err
    said = b"".join(seen)
    for word in (b"auth_user", b"nao", b"auth_token", b"tr0ub4dor"):
        assert struct.pack("<I", len(word)) + word in said
    assert b"second" not in said


def test_a_robot_without_login_accepts_any_user():
    login = Login("nao", "tr0ub4dor")
    with (
        served(speed=50) as directory,
        contextlib.closing(open_session(parse_robot_address(directory.url), login)) as s,
    ):
        assert s.isConnected()
    assert "tr0ub4dor" not in repr(RobotAddress("nao", *login)) + repr(login) + str(login)


def test_options_that_do_not_fit(capsys, tmp_path):
    file = tmp_path / "FILE"
    file.write_text("x", encoding="utf-8")
    play, rehearse = ["play", "--robot", "nao.local"], ["rehearse", "--sample", "1", "--robot", "nao.local"]
    for command, quoted in [
        ([*play, "--password-file", file], "--user NAME"),
        ([*play, "--password-file", "gone", "--user", "nao"], "gone"),
        ([*play, "--patience", "0"], "--patience"),
        ([*rehearse, "--python", "python3"], "--python and --without"),
        ([*rehearse, "--without", "ALLeds"], "--python and --without"),
    ]:
        code, out, err = jotto(capsys, *command)
        assert (code, out) == (2, "") and quoted in err
    with pytest.raises(DeskError, match="--robot URL"):
        options.robot_address("", "", "anything")


@pytest.mark.parametrize("command", [["play"], ["rehearse", "--sample", "1"], ["robot", "doctor"]])
def test_without_libqi(capsys, monkeypatch, command):
    for name in [name for name in sys.modules if name == "qi" or name.startswith("naosim_live.libqi")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "qi", None)
    code, out, err = jotto(capsys, *command, "--robot", "127.0.0.1")
    assert (code, out) == (2, "")
    assert err.endswith("needs libqi: pip install 'nao-jotto[robot]'\n") and err.count("\n") == 1


def test_ctrl_c_while_waiting_for_a_robot():
    greeted = threading.Event()

    def keep_waiting(line):
        if line.recv(100):
            greeted.set()
            line.recv(1)

    with listening(keep_waiting) as port:
        pipes = {"text": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment()}
        child = subprocess.Popen([*PLAY, f"127.0.0.1:{port}"], **pipes)
        assert greeted.wait(60)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "") and "Traceback" not in err
