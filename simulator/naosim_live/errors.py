"""What can go wrong with a robot in a process of its own; the message is one sentence for people."""

from __future__ import annotations

from naosim.errors import NaosimError


class RobotGone(NaosimError, RuntimeError):
    """The simulated robot has ended, or could not be started."""
