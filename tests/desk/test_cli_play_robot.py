"""`jotto play --robot`: typed lines on a simulated robot; voice, touch and typing on a real one; missing services.

Each test takes seconds: the game and the robot are processes.
"""

import contextlib
import signal
import subprocess
import sys
import threading

import pytest
from far_robots import Served, environment
from processes import process

from naosim_robots import serve_robot

PLAY = [sys.executable, "-m", "jotto_desk", "play", "--seed", "4", "--robot"]
GAME = "ready\nno\n0 1\nstop\nyes\n"


def play(tmp_path, url, typed, *options):
    """Play with lines from a pipe; return exit code, printed lines and errors."""
    ended = process(*PLAY, url, *options, input=typed, env=environment(XDG_DATA_HOME=str(tmp_path)))
    return ended.returncode, ended.stdout.splitlines(), ended.stderr


class Game:
    """A game in another process, read line by line."""

    def __init__(self, tmp_path, url, *options, stdin=subprocess.PIPE):
        pipes = {"stdin": stdin, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        own = environment(XDG_DATA_HOME=str(tmp_path))
        self.child = subprocess.Popen([*PLAY, url, *options], text=True, env=own, **pipes)
        self._killer = threading.Timer(120, self.child.kill)
        self._killer.daemon = True  # The tests need not wait for it.
        self._killer.start()
        self.lines = []

    def until(self, text):
        for line in self.child.stdout:
            self.lines.append(line.rstrip("\n"))
            if text in line:
                return
        raise AssertionError(f"{text!r} was not said: {self.lines} {self.child.stderr.read()}")

    def type(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def end(self):
        out, err = self.child.communicate(timeout=60)
        self._killer.cancel()
        self.lines += out.splitlines()
        return self.child.returncode, err


@contextlib.contextmanager
def game(tmp_path, url, *options, **more):
    playing = Game(tmp_path, url, *options, **more)
    try:
        yield playing
    finally:
        playing.child.kill()
        playing.child.communicate()


@pytest.fixture(scope="module")
def simulated_robot():
    with Served() as found:
        yield found


@pytest.fixture(scope="module")
def real_robot():
    with Served(speed=40, options=["real"]) as found:
        yield found


def test_a_saved_game_is_ignored_on_request(tmp_path, simulated_robot):
    code, lines, _ = play(tmp_path, simulated_robot.url, "no\nready\nno\n0 1\n")
    assert (code, lines[-1]) == (0, "(You left; NAO has saved the game.)")
    code, lines, err = play(tmp_path, simulated_robot.url, GAME, "--forget")
    assert (code, err) == (0, "") and not any("Want to keep playing?" in line for line in lines)
    assert any("None in the right place, one in the wrong place." in line or "Zero and one." in line for line in lines)
    assert lines[-1].endswith("Bye! I haven't saved our game.")


def test_voice_touch_and_typing_on_a_real_robot(tmp_path, real_robot):
    with game(tmp_path, real_robot.url, "--forget") as playing:
        playing.until("NAO  ")
        answer(real_robot, playing, ("hear", "ready"), "Is it")
        answer(real_robot, playing, ("touch", "RearTactilTouched"), "in the wrong")
        answer(real_robot, playing, ("hear", "two"), "Two")
        playing.type("1")
        playing.until("one")
        answer(real_robot, playing, ("touch", "MiddleTactilTouched"), "Do you want to stop?")
        playing.type("yes")
        assert playing.end() == (0, "")
    said = [line.split("you  ")[1] for line in playing.lines if "you  " in line]
    assert said == ["ready (0.80)", "(touches back)", "two (0.80)", "1", "(touches middle)", "yes"]


def answer(robot, playing, act, then):
    """Let the person act again and again until a line with `then` follows: the robot may not listen at first."""
    noticed = threading.Event()

    def insist():
        pause = 0.3
        while not noticed.wait(pause):
            if robot.listens():
                robot.person(*act)
                # NAO answers what it noticed long before the person repeats it.
                pause = 3.0

    insisting = threading.Thread(target=insist)
    insisting.start()
    try:
        playing.until(then)
    finally:
        noticed.set()
        insisting.join()


def test_a_game_by_voice_without_a_terminal(tmp_path, real_robot):
    with game(tmp_path, real_robot.url, "--forget", stdin=subprocess.DEVNULL) as playing:
        playing.until("NAO  ")
        answer(real_robot, playing, ("hear", "ready"), "Is it")
        answer(real_robot, playing, ("touch", "MiddleTactilTouched"), "Do you want to stop?")
        answer(real_robot, playing, ("hear", "yes"), "Bye!")
        assert playing.end() == (0, "")


def test_ctrl_c_while_nao_speaks(tmp_path, real_robot):
    with game(tmp_path, real_robot.url) as playing:
        playing.until("NAO  ")
        playing.type("ready")
        playing.until("Is it")
        playing.child.send_signal(signal.SIGINT)
        code, err = playing.end()
    assert code == 130 and "Traceback" not in err
    assert (tmp_path / "nao-jotto" / "unfinished.json").is_file()
    assert not real_robot.listens()


def test_a_robot_without_a_recogniser(tmp_path):
    with Served(speed=50, without=["ALSpeechRecognition", "ALDialog"], options=["real"]) as far:
        code, lines, err = play(tmp_path, far.url, GAME, "--forget")
    assert (code, err) == (0, "")
    answers = [line.split("you  ")[1] for line in lines if "you  " in line]
    assert answers == ["ready", "no", "zero and one", "stop", "yes"]
    assert lines[-1].endswith("Bye! I haven't saved our game.")
    assert "no speech recogniser: type your answers, or touch its head" in lines[0]


def test_a_robot_without_our_language(cli):
    with serve_robot(languages=["Italian", "Dutch"]) as far:
        told = cli.refusal("play", "--robot", far.url)
    said = "does not speak English, only Italian, Dutch; install the language on the robot, then play."
    assert told == f"The robot at {far.url} {said}\n"


def test_a_robot_that_goes_away_for_good(tmp_path):
    with Served(speed=20, options=["real"]) as far, game(tmp_path, far.url, "--patience", "1") as playing:
        playing.until("NAO  ")
        playing.type("ready")
        playing.until("Is it")
        far.kill()
        playing.type("no")
        code, err = playing.end()
    assert code == 2
    assert err == f"The robot at {far.url} went away and did not come back within 1 seconds.\n"
    assert playing.lines[-1] == "(Your game is saved. Play again to continue it.)"
    assert (tmp_path / "nao-jotto" / "unfinished.json").is_file()


def test_a_game_killed_at_the_desk_while_the_robot_is_switched_off(tmp_path):
    """The desk has saved the game; another robot continues it."""
    with Served() as far, game(tmp_path, far.url) as playing:
        playing.until("NAO  ")
        playing.type("ready\nno\n0 1")
        playing.until("Zero")
        playing.child.kill()
        playing.child.wait(30)
    with Served() as far:
        code, lines, err = play(tmp_path, far.url, "yes\nstop\nyes\n")
    assert (code, err) == (0, "") and "Want to keep playing?" in lines[0]
    assert any("gets zero and one" in line for line in lines)


def test_a_robot_that_comes_back(tmp_path):
    with Served(speed=20, options=["real"]) as far, game(tmp_path, far.url, "--forget") as playing:
        playing.until("NAO  ")
        playing.type("ready")
        playing.until("Is it")
        far.kill()
        far.start()
        for line in ("no", "0 1", "stop", "yes"):
            playing.type(line)
        assert playing.end() == (0, "")
    assert "(The robot is back.)" in playing.lines
    assert playing.lines[-1].endswith("Bye! I haven't saved our game.")
