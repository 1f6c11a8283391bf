"""The launch of the game by voice: a robot in autonomous life hears a trigger sentence of the package, and plays."""

import pytest
from interpreters import ROOT, python27

from jotto_desk import robot_kit
from naosim import Robot


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    command = [python27()]
    made = robot_kit.packaging.make_package(
        ROOT, robot_kit.sources.read_sources(ROOT, command), command, lambda _xar: []
    )
    path = tmp_path_factory.mktemp("package") / "jotto.pkg"
    path.write_bytes(made.content)
    return path


@pytest.fixture
def robot(package, tmp_path, monkeypatch):
    """Provide a robot in solitary life with the package, and without a saved game."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    with Robot(home=str(tmp_path / "apps")) as made:
        made.service("PackageManager").install(str(package))
        made.service("ALAutonomousLife").setState("solitary")
        yield made


def life(robot):
    service = robot.service("ALAutonomousLife")
    return service.getState(), service.focusedActivity()


@pytest.mark.parametrize("sentence", ["let's play Jotto", "Play a word game!"])
def test_a_trigger_sentence_starts_the_game_and_stop_focus_ends_it(robot, sentence):
    """Takes seconds: the game is loaded from the installed package."""

    def said(robot):
        return [event.fields["plain"] for event in robot.trace.of("say")]

    activity = "nao-jotto/behavior_1"
    robot.advance()
    assert robot.ears().vocabulary == ("let's play Jotto", "play a word game")
    robot.hear(sentence)
    robot.advance()
    assert life(robot) == ("interactive", activity)
    assert "ho guesses?" in said(robot)[-1]
    assert robot.ears().engine == "ALSpeechRecognition"
    robot.hear("ready")
    robot.advance()
    assert said(robot)[-1].endswith("?")

    robot.clock.call_soon(robot.service("ALAutonomousLife").stopFocus)
    robot.advance(10)
    assert life(robot) == ("solitary", "")
    assert robot.ears().engine == "ALAutonomousLife"
    assert (robot.trace.errors, robot.service("ALBehaviorManager").watch.noted) == ([], [])


def test_the_end_of_the_game_returns_life_to_solitary(robot):
    robot.hear("play a word game")
    robot.advance()
    for _ in range(20):
        if life(robot)[1]:
            robot.stay_silent()
    assert life(robot) == ("solitary", "")
    assert (robot.trace.errors, robot.service("ALBehaviorManager").watch.noted) == ([], [])
