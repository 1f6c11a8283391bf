"""A quiz of more than three hundred boxes of both generations, played to the end in several ways."""

from __future__ import absolute_import, division, print_function

import os
import zipfile

import pytest
from behaviours import FOLDER

from naosim.robot import Robot
from naosim.xar import parse

CAPITALS = {
    "France": "paris",
    "Italy": "rome",
    "Spain": "madrid",
    "Norway": "oslo",
    "Greece": "athens",
    "Japan": "tokyo",
    "Egypt": "cairo",
}
#: Parsed and compiled once for all the games.
with zipfile.ZipFile(os.path.join(FOLDER, "quiz.zip")) as _archive:
    QUIZ = parse(_archive.read("quiz.xar"))


@pytest.fixture
def robot():
    made = Robot()
    made.load(QUIZ, rewrite=True)
    made.start()
    made.advance()
    yield made
    made.close()


def play(robot, answers, touches):
    """Answer question after question, the last answer repeatedly, and touch the head where a touch is awaited."""
    asked, pause = 0, robot.advance()
    for _ in range(500):
        if pause.ended:
            return asked
        if not pause.ears.engine:
            robot.touch(touches.pop(0))
        elif "stop" in pause.ears.vocabulary:
            robot.hear("yes")
        else:
            answer = answers[min(asked, len(answers) - 1)]
            robot.hear(CAPITALS[robot.get("Quiz/Country")] if answer == "right" else answer, 0.8)
            asked += 1
        pause = robot.advance()
    raise AssertionError("the quiz does not end")


def texts(robot):
    return [event.fields["plain"] for event in robot.trace.of("say")]


def test_it_is_a_large_one():
    assert len(list(QUIZ.boxes())) > 300


@pytest.mark.parametrize(
    "answers, asked, score",
    [
        (["right"], 24, "You had 24 right."),
        (["elephant"], 48, "You had 0 right."),
        (["oslo", "right"], 25, "You had 24 right."),
        (["oslo", "elephant", "right"], 25, "You had 23 right."),
    ],
)
def test_answers_change_the_course(robot, answers, asked, score):
    assert play(robot, answers, ["FrontTactilTouched"]) == asked
    assert texts(robot)[-3] == score
    assert texts(robot)[-1] == "Thank you for playing."
    assert robot.behaviour.failures == robot.leaks() == []


def test_it_can_be_played_again(robot):
    assert play(robot, ["right"], ["RearTactilTouched", "FrontTactilTouched"]) == 48
    assert texts(robot).count("You had 24 right.") == 1
    assert texts(robot).count("You had 48 right.") == 1
    assert robot.behaviour.failures == robot.leaks() == []


def test_who_does_not_want_to_play_is_let_go(robot):
    robot.hear("stop")
    assert robot.advance().ended
    assert texts(robot) == ["Welcome to the quiz. Ready?", "Thank you for playing."]
    assert robot.behaviour.failures == robot.leaks() == []


def test_stopping_in_the_middle_leaves_nothing(robot):
    robot.hear("yes")
    robot.advance()
    assert robot.ears().engine == "ALSpeechRecognition"
    robot.stop()
    assert robot.behaviour.failures == robot.leaks() == []
