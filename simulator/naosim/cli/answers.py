"""Answers given in advance on the command line, passed on in order whenever the robot waits for a person."""
from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any

    from naosim.robot.driver import Pause
    from naosim.robot.robot import Robot

    #: ("say", phrase), ("touch", sensor) or ("dialog", (box, output, value)).
    Answer = tuple[str, Any]


def converse(robot, answers, seconds):
    # type: (Robot, list[Answer], float) -> None
    """Run the robot and give it the answers in order, until the time is up or nothing is left to happen."""
    answers = list(answers)
    while robot.clock.now() < seconds:
        pause = robot.advance(seconds - robot.clock.now())
        if pause.ended:
            return
        if answers and _give(robot, pause, *answers[0]):
            del answers[0]
            continue
        due = robot.clock.next_due()
        if due is None:
            return
        robot.wait(min(due, seconds) - robot.clock.now())


def _give(robot, pause, kind, value):
    # type: (Robot, Pause, str, Any) -> bool
    """Give one answer if the robot is ready for one of its kind; return whether it was given."""
    behaviour = robot.behaviour
    listens = pause.ears.engine is not None
    if kind == "dialog" and behaviour is not None:
        if behaviour.dialogs.is_open(behaviour, value[0]):
            behaviour.answer(*value)
            return True
    elif kind == "say" and listens:
        robot.hear(value)
        return True
    elif kind == "touch" and (pause.ears.touch or listens):
        robot.touch(value)
        return True
    return False
