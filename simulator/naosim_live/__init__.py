"""The outside of the simulated robot: a child process for it, a libqi directory, a far robot played from the desk.

Needs Python 3.10 or newer.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from .directory.directory import Directory

__all__ = ["connections", "far", "hosting", "libqi_protocol", "served", "voice", "watched"]


def served(python: str = "", **options: Any) -> "AbstractContextManager[Directory]":
    """Start a simulated robot behind a libqi directory: `with served(speed=50) as directory: ... directory.url`.

    `python` is the interpreter the robot runs on; `listen`, `insecure` and `invalid_signature` are for the directory,
    all other options for the robot (see HostedRobot). Raises NaosimError, also where libqi is not installed.
    """
    from .directory.directory import served as served_directory

    return served_directory(python, **options)
