"""Robots in other processes: one that this program starts or serves over libqi, the fixture `nao`, one far away.

Needs Python 3.10 or newer.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from .serving import RobotServer

__all__ = ["addresses", "child", "facts", "far", "futures", "hosting", "report", "serve_robot", "serving", "talks"]


def serve_robot(python: str = "", **options: Any) -> "AbstractContextManager[RobotServer]":
    """Start a simulated robot that programs reach over libqi: `with serve_robot(speed=50) as server: ... server.url`.

    `python` is the interpreter the robot runs on; `listen`, `insecure` and `invalid_signature` are for the server, all
    other options for the robot (see HostedRobot). Raises NaosimError.
    """
    from . import serving

    return serving.serve_robot(python, **options)
