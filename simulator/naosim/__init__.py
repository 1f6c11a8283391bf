"""A strict simulated NAOqi robot that runs Choregraphe behaviours. It knows nothing about games."""

from __future__ import absolute_import, division, print_function

from naosim.clock import Clock
from naosim.errors import BrokenBehaviour, NaosimError, NotABehaviour, Overrun, ScriptRefused, WireError, WrongUse
from naosim.lint import judge
from naosim.player import Behaviour
from naosim.robot import Ears, Pause, Robot
from naosim.world import Event, Faults, Trace
from naosim.xar import Project, parse

__all__ = [
    "Behaviour",
    "BrokenBehaviour",
    "Clock",
    "Ears",
    "Event",
    "Faults",
    "NaosimError",
    "NotABehaviour",
    "Overrun",
    "Pause",
    "Project",
    "Robot",
    "ScriptRefused",
    "Trace",
    "WireError",
    "WrongUse",
    "body",
    "cli",
    "clock",
    "compat",
    "errors",
    "formats",
    "json_server",
    "judge",
    "lint",
    "models",
    "packages",
    "parse",
    "player",
    "recording",
    "remote",
    "robot",
    "robot_requests",
    "scheduler",
    "scripting",
    "services",
    "speech_texts",
    "verbs",
    "world",
    "xar",
]
