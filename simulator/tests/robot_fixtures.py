"""Fixtures for tests on both Pythons: a simulated robot and a program that asks it; and what the robot has logged."""

from __future__ import absolute_import, division, print_function

import pytest
from live_programs import Program

from naosim.robot import Robot


@pytest.fixture
def robot():
    """Provide a simulated NAO with all its services; it ends with the test."""
    with Robot() as made:
        yield made


@pytest.fixture
def program(robot):
    """Provide a program that asks the robot."""
    return Program(robot)


def list_logged(robot):
    """List the texts that scripts have logged on the robot."""
    return [event.fields["text"] for event in robot.trace.of("log")]
