"""Answers given in advance on the command line, passed on in order whenever the robot waits for a person."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any

    from naosim.robot.driver import Pause
    from naosim.robot.robot import Robot

    #: ("say", phrase), ("touch", sensor), ("event", (seconds or None, key, value)), ("dialog", (box, output, value)).
    Answer = tuple[str, Any]


def converse(robot, answers, seconds):  # type: (Robot, list[Answer], float) -> None
    """Run the robot and give it the answers in order, until the time is up or nothing is left to happen.

    Events with a time happen at it, whatever the robot waits for.
    """
    timed = sorted((value for kind, value in answers if kind == "event" and value[0] is not None), key=_time)
    answers = [answer for answer in answers if answer[0] != "event" or answer[1][0] is None]
    while robot.clock.now() < seconds:
        while timed and timed[0][0] <= robot.clock.now():
            robot.event(*timed.pop(0)[1:])
        until = min(timed[0][0], seconds) if timed else seconds
        pause = robot.advance(until - robot.clock.now(), answers[0][1][1] if _is_event(answers) else "")
        if pause.ended:
            return
        if answers and _give(robot, pause, *answers[0]):
            del answers[0]
            continue
        due = robot.clock.next_due()
        if due is None and not timed:
            return
        robot.wait((until if due is None else min(due, until)) - robot.clock.now())


def _time(event):  # type: (tuple[float, str, Any]) -> float
    return event[0]


def _is_event(answers):  # type: (list[Answer]) -> bool
    return bool(answers) and answers[0][0] == "event"


def _give(robot, pause, kind, value):  # type: (Robot, Pause, str, Any) -> bool
    """Give one answer if the robot is ready for one of its kind; return whether it was given."""
    behaviour = robot.behaviour
    listens = pause.ears.engine is not None
    if kind == "dialog" and behaviour is not None:
        if behaviour.dialogs.is_open(behaviour, value[0]):
            behaviour.answer(*value)
            return True
    elif kind == "event" and (robot.awaits(value[1]) or robot.clock.next_due() is None):
        robot.event(*value[1:])
        return True
    elif kind == "say" and listens:
        robot.hear(value)
        return True
    elif kind == "touch" and (pause.ears.touch or listens):
        robot.touch(value)
        return True
    return False
