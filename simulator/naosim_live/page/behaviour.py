"""The behaviour that a page shows: loaded before anybody looks, and started for the first browser."""

from __future__ import annotations

import os
from typing import Any

from naosim.errors import NaosimError
from naosim_live.hosting import RobotClient

from .shown_robot import ShownRobot

#: Real seconds for a behaviour to be read and loaded.
_LOADS_WITHIN = 60.0


def load(robot: RobotClient, file: str, **options: Any) -> None:
    """Load a behaviour; raises NaosimError."""
    try:
        robot.ask("load", file=os.path.abspath(file), **options).result(_LOADS_WITHIN)
    except RuntimeError as error:
        raise NaosimError(str(error)) from None
    except TimeoutError:
        raise NaosimError(f"{file} was not loaded within {_LOADS_WITHIN:g} seconds.") from None


async def start(shown: ShownRobot) -> None:
    """Start the behaviour that is loaded."""
    await shown.ask("start")
