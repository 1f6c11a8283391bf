"""Errors for the person who runs a behaviour; scripts get NAOqi's errors as RuntimeError, as on the robot."""

from __future__ import absolute_import, division, print_function

from naosim.compat import native


class NaosimError(Exception):
    """The base class of these errors; the message is one sentence for people."""

    def __str__(self):  # type: () -> str
        return native(self.args[0]) if self.args else ""


class NotABehaviour(NaosimError):
    """The file is not a Choregraphe behaviour that this robot can read."""


class BrokenBehaviour(NaosimError):
    """The file is a behaviour, but a value in it is invalid."""


class ScriptRefused(NaosimError):
    """A box script does not compile on this Python."""


class Overrun(NaosimError):
    """The behaviour exceeded a limit: it has an endless loop, too many tasks or takes too much real time."""


class WrongUse(NaosimError):
    """The caller used the robot in a way that cannot work, such as running it from inside a box."""


class WireError(NaosimError):
    """A request to the robot's process or its reply is missing, malformed or refused."""
