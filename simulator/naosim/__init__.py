"""A strict simulated NAOqi robot that runs Choregraphe behaviours. Knows NAOqi and `.xar` files, and no game."""

from __future__ import absolute_import, division, print_function

from naosim.errors import BrokenBehaviour, NaosimError, NotABehaviour, Overrun, ScriptRefused, WireError, WrongUse
from naosim.formats.xar import Project, parse
from naosim.kernel.clock import Clock
from naosim.lint.diagram import Finding, judge
from naosim.player.behaviour import Behaviour
from naosim.remote.subprocess_robot import RemoteRobot
from naosim.robot.driver import Pause
from naosim.robot.listening import Ears
from naosim.robot.robot import Robot
from naosim.world.faults import Faults
from naosim.world.trace import Event, Trace

__all__ = [
    "Behaviour",
    "BrokenBehaviour",
    "Clock",
    "Ears",
    "Event",
    "Faults",
    "Finding",
    "NaosimError",
    "NotABehaviour",
    "Overrun",
    "Pause",
    "Project",
    "RemoteRobot",
    "Robot",
    "ScriptRefused",
    "Trace",
    "WireError",
    "WrongUse",
    "judge",
    "parse",
]
