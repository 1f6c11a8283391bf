"""What the tests of the fake robot and of our behaviour begin with, on both Pythons."""

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
    return Program(robot)


@pytest.fixture
def story(tmpdir):
    """Provide a visit with a few words, begun; it is stopped if the test has not ended it."""
    from story import EASY, Story

    with Story(tmpdir, words=EASY) as visit:
        visit.begins()
        yield visit
        if not visit.is_over:
            visit.stops()
