"""The fixtures with which the tests of the fake robot begin, on both Pythons."""

from robot_fixtures import program, robot

__all__ = ["program", "robot"]
