"""ALModule: an object of a program's own that the robot can call, and the classes beside it in NAOqi's module."""

from __future__ import absolute_import, division, print_function

import inspect

from . import broker, sessions

MYPY = False
if MYPY:
    from typing import Any


class ALDocable(object):
    """An object that lists its public methods and says what they are for."""

    def __init__(self, is_module=False):  # type: (bool) -> None
        """Take the argument of NAOqi's class, which has no effect here."""

    def getMethodList(self):  # type: () -> list[str]
        """Return the names of the public methods."""
        return broker.public_methods(type(self))

    def getMethodHelp(self, method):  # type: (str) -> str
        """Return the docstring of a method, empty where it has none."""
        return inspect.getdoc(getattr(self, method, None)) or ""

    def getModuleHelp(self):  # type: () -> str
        """Return the docstring of the class, empty where it has none."""
        return inspect.getdoc(type(self)) or ""


class ALModule(ALDocable):
    """A module of our own: a service of the robot under its name, which ALMemory can call back.

    Needs an ALBroker made before; raises RuntimeError without one, or when the name is taken.
    """

    def __init__(self, name, *_rest):  # type: (str, *Any) -> None
        ALDocable.__init__(self, True)
        made = broker.current()
        if made is None:
            raise RuntimeError("Could not create a module, as there is no current broker in Python's world.")
        self._naoqi_name = name
        self._naoqi_broker = made
        try:
            made.add(name, self)
        except RuntimeError as error:
            raise sessions.failure("ALModule::ALModule", error)

    def getName(self):  # type: () -> str
        """Return the name of the module."""
        return self._naoqi_name

    def getBrokerName(self):  # type: () -> str
        """Return the name of the broker it was made with."""
        return self._naoqi_broker.getName()

    def version(self):  # type: () -> str
        """Return the version of the module: empty, unless a subclass says otherwise."""
        return ""

    def ping(self):  # type: () -> bool
        """Answer that the module is alive."""
        return True

    def exit(self):  # type: () -> None
        """Take the module away from the robot."""
        self._naoqi_broker.remove(self._naoqi_name)

    def BIND_PYTHON(self, _module, method, _nargs=-1):  # type: (str, str, int) -> None
        """Let the robot call a method, as it may already; raises RuntimeError when there is none."""
        if not callable(getattr(self, method, None)):
            raise RuntimeError("BIND_PYTHON: module %s has no method %s" % (self._naoqi_name, method))

    BIND_METHODS_RECURSIVELY = BIND_PYTHON


class ALBehavior(object):
    """A name to import and no more: a box's base class works inside a robot's ALFrameManager alone."""

    def __init__(self, *_arguments):  # type: (*Any) -> None
        raise RuntimeError("ALBehavior: boxes run inside a robot; run their behaviour with `python -m naosim`")
