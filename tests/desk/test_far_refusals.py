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
from far_robots import environment, listening, refuse, stranger

from jotto_desk.cli import options
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.robots import RobotAddress
from naosim_live import served
from naosim_live.far import connecting
from naosim_live.far.connecting import Login, open_session
from naosim_live.libqi_protocol import WrongAddress, parse_robot_address

GOOD = [
    ("nao.local", "tcp://nao.local:9559"),
    (" nao ", "tcp://nao:9559"),
    ("nao:1234", "tcp://nao:1234"),
    ("tcp://10.0.0.5", "tcp://10.0.0.5:9559"),
    ("tcps://pepper.local", "tcps://pepper.local:9503"),
    ("tcps://pepper:9559/", "tcps://pepper:9559"),
    ("::1", "tcp://[::1]:9559"),
    ("[fe80::2]:99", "tcp://[fe80::2]:99"),
]
BAD = [
    "",
    " ",
    "http://nao",
    "nao:0",
    "nao:65536",
    "nao:port",
    "tcp://",
    "nao/local",
    "nao local",
    "-nao",
    "n" * 254,
    "tcp://" + "a" * 400,
    "nao;rm",
    "caf\u00e9",
    "[::1",
    "\x00",
    "tcp://user@nao",
]


def test_addresses():
    for text, url in GOOD:
        assert parse_robot_address(text).url == url
    for text in BAD:
        with pytest.raises(WrongAddress, match="write it like nao"):
            parse_robot_address(text)


def test_with_a_login_a_bare_host_is_the_port_for_logins():
    assert parse_robot_address("pepper", login=True).url == "tcps://pepper:9503"
    assert parse_robot_address("pepper:9559", login=True).url == "tcp://pepper:9559"


def refused(capsys, url, *options):
    """Return the sentence with which `jotto play --robot` ends."""
    code, out, err = jotto(capsys, "play", "--robot", url, *options)
    assert (code, out) == (2, "") and err.count("\n") == 1
    return err


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_no_server_at_the_address(capsys):
    err = refused(capsys, f"127.0.0.1:{free_port()}")
    assert err.startswith("Nothing answers at tcp://127.0.0.1:") and "connection refused" in err


def test_no_host_of_that_name(capsys):
    assert '"no-such-robot.invalid"' in refused(capsys, "no-such-robot.invalid")


def test_no_address(capsys):
    assert '"http://nao"' in refused(capsys, "http://nao")


def test_another_server_answers(capsys):
    with listening(stranger) as port:
        assert "is no NAOqi: give the robot's port, usually 9559" in refused(capsys, f"127.0.0.1:{port}")


def test_a_server_that_says_nothing(monkeypatch, capsys):
    monkeypatch.setattr(connecting, "STEP", 1.0)
    with listening(lambda line: line.recv(100) and line.recv(1)) as port:
        assert "is no NAOqi" in refused(capsys, f"127.0.0.1:{port}")


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
        ended = subprocess.run(
            [sys.executable, "-m", "jotto_desk", "play", "--robot", f"127.0.0.1:{port}"],
            text=True,
            capture_output=True,
            timeout=60,
            check=False,
            env=environment(),
        )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "does not finish its greeting" in ended.stderr and ended.stderr.count("\n") == 1


def test_a_directory_without_a_robot(capsys):
    from naosim_live.libqi import qi

    session = qi.Session()
    session.listenStandalone("tcp://127.0.0.1:0")
    try:
        assert "has no ALMemory" in refused(capsys, session.endpoints()[0])
    finally:
        session.close()


def test_a_login_is_wanted(capsys):
    with listening(refuse([])) as port:
        err = refused(capsys, f"127.0.0.1:{port}")
    assert "wants a user and a password: give them with --user NAME and --password-file FILE" in err


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


def test_a_password_from_the_environment(capsys, monkeypatch):
    monkeypatch.setenv(options.USER, "pepper")
    monkeypatch.setenv(options.PASSWORD, "from outside")
    seen = []
    with listening(refuse(seen)) as port:
        assert '"pepper"' in refused(capsys, f"127.0.0.1:{port}")
    assert b"from outside" in b"".join(seen)


def test_a_robot_without_login_accepts_any_user():
    with served(speed=50) as directory:
        session = open_session(parse_robot_address(directory.url), Login("nao", "whatever"))
        assert session.isConnected()
        session.close()


def test_secrets_are_not_shown():
    far = RobotAddress("nao", "nao", "tr0ub4dor")
    assert "tr0ub4dor" not in repr(far) + repr(Login("nao", "tr0ub4dor")) + str(Login("nao", "tr0ub4dor"))


@pytest.mark.parametrize(
    "options, quoted",
    [
        (("--password-file", "FILE"), "--user NAME"),
        (("--password-file", "gone", "--user", "nao"), "gone"),
        (("--patience", "0"), "--patience"),
    ],
)
def test_options_that_do_not_fit(capsys, tmp_path, options, quoted):
    (tmp_path / "FILE").write_text("x", encoding="utf-8")
    options = [str(tmp_path / "FILE") if option == "FILE" else option for option in options]
    code, out, err = jotto(capsys, "play", "--robot", "nao.local", *options)
    assert (code, out) == (2, "") and quoted in err


def test_a_password_file_needs_a_robot():
    with pytest.raises(DeskError, match="--robot URL"):
        options.robot_address("", "", "anything")


def test_options_only_for_the_simulated_robot(capsys):
    for command in [
        ("rehearse", "--sample", "1", "--python", "python3"),
        ("rehearse", "--sample", "1", "--without", "ALLeds"),
    ]:
        code, _, err = jotto(capsys, *command, "--robot", "nao.local")
        assert code == 2 and "--python and --without" in err


@pytest.mark.parametrize("command", [["play"], ["rehearse", "--sample", "1"], ["robot", "doctor"]])
def test_without_libqi(command):
    script = "import sys; sys.modules['qi'] = None; from jotto_desk.cli import main; main(sys.argv[1:])"
    ended = subprocess.run(
        [sys.executable, "-c", script, *command, "--robot", "127.0.0.1"],
        text=True,
        timeout=60,
        capture_output=True,
        check=False,
        env=environment(),
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.endswith("needs libqi: pip install 'nao-jotto[robot]'\n") and ended.stderr.count("\n") == 1


def test_ctrl_c_while_waiting_for_a_robot():
    with contextlib.ExitStack() as stack:
        greeted = threading.Event()

        def keep_waiting(line):
            if line.recv(100):
                greeted.set()
                line.recv(1)

        port = stack.enter_context(listening(keep_waiting))
        child = subprocess.Popen(
            [sys.executable, "-m", "jotto_desk", "play", "--robot", f"127.0.0.1:{port}"],
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        assert greeted.wait(60)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "") and "Traceback" not in err
