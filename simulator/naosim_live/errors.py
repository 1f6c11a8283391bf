"""What can go wrong with a robot in a process of its own; the message is one sentence for people."""

from __future__ import annotations

import os

from naosim.errors import NaosimError


class RobotGone(NaosimError, RuntimeError):
    """The simulated robot has ended, or could not be started."""


def without_libqi() -> NaosimError:
    """Return the error where libqi's Python module is not installed."""
    remedy = "it has no wheel for Windows, use WSL" if os.name == "nt" else "pip install 'nao-jotto[robot]'"
    return NaosimError(f"a robot that is reached over libqi needs libqi: {remedy}")
