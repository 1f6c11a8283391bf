"""A simulated robot in a child process of ours, or joined through its door."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

from .child import Child
from .client import RobotClient
from .door import DoorLine


class HostedRobot(RobotClient):
    """A simulated robot in a child process, which ends with this object."""

    def __init__(
        self,
        python: str = "",
        *,
        speed: float = 1.0,
        seed: int = 0,
        without: Iterable[str] = (),
        faults: dict[str, Any] | None = None,
        languages: Iterable[str] = ("English",),
        home: str | os.PathLike[str] | None = None,
        robot_type: str = "Nao",
        camera: str | os.PathLike[str] | None = None,
        import_paths: Iterable[str | os.PathLike[str]] = (),
        door: str = "",
    ) -> None:
        """Start the child on an interpreter ("" for this one), with a door at a path if one is given; raises RobotGone.

        Further processes join the robot through its door.
        """
        self._child = Child(python or sys.executable, import_paths)
        super().__init__(
            self._child,
            "open",
            speed=speed,
            seed=seed,
            without=list(without),
            faults=faults or {},
            languages=list(languages),
            home=None if home is None else os.fspath(home),
            robot_type=robot_type,
            door=door,
            camera=None if camera is None else os.path.abspath(camera),
        )


class JoinedRobot(RobotClient):
    """A robot that another process hosts, used through its door; what is left behind on it goes with this object."""

    def __init__(self, door: str) -> None:
        """Join the robot; raises RobotGone."""
        super().__init__(DoorLine(door), "about")
