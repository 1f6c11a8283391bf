"""Fixtures for tests on both Pythons: a simulated robot, and a program that asks it."""

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
