"""`jotto robot serve`: a robot for programs and for a person who types."""

import os
import pty
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from directory_clients import client, until
from package_files import package
from programs import need_program
from robot_server import PATH, child, children, serving

import qiwire


def test_a_conversation(tmp_path):
    """Takes seconds: a server with a package installed, and every command that can be typed."""
    path = tmp_path / "hello.pkg"
    package(str(path))
    with serving("--install", str(path)) as server, client(server.url) as session:
        server.printed(f"Installed {path}.")
        ears, heard = session.service("ALSpeechRecognition"), []
        ears.setVocabulary(["yes", "no"], False)
        words = session.service("ALMemory").subscriber("WordRecognized")
        words.signal.connect(heard.append)
        ears.subscribe("Test")
        session.service("ALTextToSpeech").say("Shall we play?")
        server.printed("says      Shall we play?")
        server.printed("expects   yes, no")
        server.type("yes")
        until(lambda: heard == [["yes", 0.9]])
        server.printed('hears     "yes" (0.90)')
        server.type("/touch FrontTactilTouched")
        server.printed("is touched FrontTactilTouched")
        server.type("/list")
        server.printed("listening to: yes, no")
        assert "hello-1/hello" in server.printed("installed: ")
        for line, answer in (
            ("/touch Nose", "no sensor"),
            ("/dance", 'no command "/dance"'),
            ("/help", "/silent"),
            ("/start nothing/behavior_1", "nothing/behavior_1"),
            ("/silent x", "not a number of seconds"),
            ("y" * 5000, "too long"),
        ):
            server.type(line)
            server.printed(answer)
        server.type("/silent 2")
        server.type("/start animations/Stand/Gestures/Hey_1")
        server.printed("moves     animations/Stand/Gestures/Hey_1")
        server.type("/stop")
        server.type("/start hello-1/hello")
        until(lambda: sum("says " in line for line in server.lines) > 1)
        server.type("/stop")
        server.type("/quit")
        assert server.ended() == 0


@pytest.mark.parametrize("number, code", [(signal.SIGHUP, 0), (signal.SIGKILL, -9)])
def test_it_ends_with_everything_it_started(number, code):
    with serving(stdin=subprocess.DEVNULL) as server:
        started = children(server.process.pid)
        assert len(started) == 1
        server.process.send_signal(number)
        assert server.ended() == code
        assert "Traceback" not in server.process.stderr.read()
        until(lambda: not any(Path(f"/proc/{each}").exists() for each in started))


def test_it_ends_although_its_robot_is_stopped():
    """Takes seconds: a process gets a moment to end by itself."""
    with serving(stdin=subprocess.DEVNULL) as server:
        started = children(server.process.pid)
        os.kill(child(server.process.pid, "naosim.json_server"), signal.SIGSTOP)
        server.process.send_signal(signal.SIGTERM)
        assert server.ended() == 0
        until(lambda: not any(Path(f"/proc/{each}").exists() for each in started))


def test_it_serves_with_faults_after_the_end_of_its_input_until_ctrl_c():
    with serving("--without", "ALSpeechRecognition") as server:
        server.process.stdin.write("/nothing, and no new line")
        server.process.stdin.close()
        server.printed('no command "/nothing,"')
        with client(server.url) as session:
            assert session.service("ALTextToSpeech").ping() is True
            with pytest.raises(RuntimeError, match="Cannot find service"):
                session.service("ALSpeechRecognition")
        assert server.process.poll() is None
        started = children(server.process.pid)
        server.process.send_signal(signal.SIGINT)
        assert server.ended() == 130 and "Traceback" not in server.process.stderr.read()
        until(lambda: not any(Path(f"/proc/{each}").exists() for each in started))


def test_the_end_of_a_terminal_ends_it():
    need_program("pty")
    master, terminal = pty.openpty()
    try:
        with serving(stdin=terminal) as server:
            os.write(master, b"hello\n")
            server.printed('is deaf   to "hello"')
            os.write(master, b"\x04")
            assert server.ended() == 0
    finally:
        os.close(master)
        os.close(terminal)


def test_it_says_when_the_robot_has_ended():
    with serving("--python", sys.executable) as server:
        assert re.search(r"on Python 3\.\d+\.\d+, where a robot has 2\.7\.", server.printed("It runs behaviours"))
        os.kill(child(server.process.pid, "json_server"), signal.SIGKILL)
        assert server.ended() == 2
        assert "robot has ended" in server.process.stderr.read()


def test_wrong_options_are_one_sentence(cli, tmp_path):
    (tmp_path / "broken.pkg").write_bytes(b"no zip at all")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for options, sentence in (
            ("--listen tcp://0.0.0.0:9559", "no login"),
            ("--listen nonsense", "not an address to listen at"),
            (f"--listen tcp://127.0.0.1:{port}", f"Port {port} of 127.0.0.1 is taken"),
            ("--without ALNothing", "NAO has no service 'ALNothing'"),
            ("--without ALMemory", "NAO needs ALMemory"),
            ("--language Klingon", "NAO does not speak 'Klingon'"),
            ("--python no/python", "no/python"),
            ("--install no.pkg", "There is no package 'no.pkg'"),
            ("--speed 0", "--speed"),
            ("--port 9771", "NAO's address is --listen tcp://127.0.0.1:9771, or --page, too"),
            ("--host 192.0.2.1", "NAO's address is --listen tcp://192.0.2.1:9559, or --page, too"),
        ):
            assert sentence in cli.refusal("robot", "serve", "--listen", "tcp://127.0.0.1:0", *options.split())
    code, _, err = cli("robot", "serve", "--listen", "tcp://127.0.0.1:0", "--install", "broken.pkg")
    assert code == 2 and "NAO does not install" in err


def test_without_libqi():
    program = "import sys; sys.modules['qi'] = None; from jotto_desk.cli import main; main(sys.argv[1:])"
    pipes = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "text": True,
        "env": {**os.environ, "PYTHONPATH": PATH},
    }
    with subprocess.Popen(
        [sys.executable, "-c", program, "robot", "serve", "--listen", "tcp://127.0.0.1:0"], **pipes
    ) as server:
        url = server.stdout.readline().split()[-1]
        session = qiwire.Session(url)
        assert session.service("ALTextToSpeech").ping() is True
        session.close()
        server.communicate("/quit\n", timeout=30)
    assert server.returncode == 0
