"""The outside of the fake robot: a real libqi directory, microphone and voice, a web page; Python 3.10 and newer."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from .directory.directory import Directory

__all__ = ["served"]


def served(python: str = "", **options: Any) -> "AbstractContextManager[Directory]":
    """A simulated robot behind a libqi directory: `with served(speed=50) as directory: ... directory.url`.

    `python` is the interpreter the robot runs on; `listen`, `insecure` and `invalid_signature` are for the directory,
    all other options for the robot (see HostedRobot). Raises NaosimError, also where libqi is not installed.
    """
    from .directory.directory import served as served_directory

    return served_directory(python, **options)
