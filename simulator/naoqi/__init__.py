"""NAOqi's classic module with ALProxy, ALModule and ALBroker over libqi, for computers without its SDK.

Scripts with `from naoqi import ALProxy` use it with a simulated or a real robot, on Python 2.7 (with `qi==1.5.0`) and
3. If an SDK's `naoqi` is earlier on the path, Python imports that one. Behaviours on a simulated robot get the robot's
own module instead.
"""

from __future__ import absolute_import, division, print_function

import ctypes
import inspect
import logging
import os
import sys
import types
import weakref

import motion

from .classic import ALBehavior, ALBroker, ALDocable, ALModule, ALProxy, qi

allog = types.ModuleType("allog", "The log functions of NAOqi's SDK.")
for _level in ("fatal", "error", "warning", "info", "verbose", "debug"):
    setattr(allog, _level, getattr(qi.logging, _level, lambda _category, _message, *_args: None))

#: Some of these are modules that the SDK's own module imports: scripts take them from it.
__all__ = [
    "ALBehavior",
    "ALBroker",
    "ALDocable",
    "ALModule",
    "ALProxy",
    "allog",
    "ctypes",
    "inspect",
    "logging",
    "motion",
    "os",
    "qi",
    "sys",
    "weakref",
]
