"""ALModule, an object of a program that the robot can call, and two smaller classes of NAOqi's module."""

from __future__ import absolute_import, division, print_function

import inspect

from . import broker, sessions

MYPY = False
if MYPY:
    from typing import Any


class ALDocable(object):
    """An object with lists of its public methods and their docstrings."""

    def __init__(self, is_module=False):  # type: (bool) -> None
        """Take the argument of NAOqi's class, which has no effect here."""

    def getMethodList(self):  # type: () -> list[str]
        """Return the names of the public methods."""
        return broker.public_methods(type(self))

    def getMethodHelp(self, method):  # type: (str) -> str
        """Return the docstring of a method, "" if it has none."""
        return inspect.getdoc(getattr(self, method, None)) or ""

    def getModuleHelp(self):  # type: () -> str
        """Return the docstring of the class, "" if it has none."""
        return inspect.getdoc(type(self)) or ""


class ALModule(ALDocable):
    """A module of the program: a service of the robot that ALMemory can call back.

    Raises RuntimeError if there is no ALBroker or if the name is used.
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
        """Return the name of the module's broker."""
        return self._naoqi_broker.getName()

    def version(self):  # type: () -> str
        """Return the version of the module, "" unless a subclass overrides this."""
        return ""

    def ping(self):  # type: () -> bool
        """Return True: the module is alive."""
        return True

    def exit(self):  # type: () -> None
        """Remove the module from the robot."""
        self._naoqi_broker.remove(self._naoqi_name)

    def BIND_PYTHON(self, _module, method, _nargs=-1):  # type: (str, str, int) -> None
        """Allow the robot to call a method; raises RuntimeError if it does not exist."""
        if not callable(getattr(self, method, None)):
            raise RuntimeError("BIND_PYTHON: module %s has no method %s" % (self._naoqi_name, method))

    BIND_METHODS_RECURSIVELY = BIND_PYTHON


class ALBehavior(object):
    """The base class of boxes, only for imports: it works only inside a robot's ALFrameManager."""

    def __init__(self, *_arguments):  # type: (*Any) -> None
        raise RuntimeError("ALBehavior: boxes run inside a robot; run their behaviour with `python -m naosim`")
