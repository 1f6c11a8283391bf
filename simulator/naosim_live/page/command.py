"""`python -m naosim FILE --page`: any behaviour on a page."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from collections.abc import Sequence

from naosim.errors import NaosimError

from ..hosting.robot import HostedRobot
from .panel import PanelMaker
from .server import serve_page
from .shown_robot import ShownRobot
from .talk.panel import TalkPanel

#: Real seconds for a behaviour to be read and loaded.
LOADS_WITHIN = 60.0
PANELS: Sequence[PanelMaker] = (TalkPanel,)


def show(options: Namespace) -> int:
    """Load a behaviour on a robot of its own, start it when the first browser looks, and return the exit status."""
    with HostedRobot(seed=options.seed, without=options.without, languages=options.languages,
                     robot_type=options.robot_type, camera=options.camera or None) as robot:
        _load(robot, options)
        serve_page(ShownRobot(robot), PANELS, port=options.port, title="NAO", greet=start)
    return 0


def _load(robot: HostedRobot, options: Namespace) -> None:
    """Load the behaviour that was named; raises NaosimError."""
    try:
        robot.ask("load", file=os.path.abspath(options.file), behaviour=options.behaviour, rewrite=options.rewrite,
                  parameters=options.parameters).result(LOADS_WITHIN)
    except RuntimeError as error:
        raise NaosimError(str(error)) from None
    except TimeoutError:
        raise NaosimError(f"{options.file} was not loaded within {LOADS_WITHIN:g} seconds.") from None


async def start(shown: ShownRobot) -> None:
    """Start the behaviour that is loaded."""
    await asyncio.wrap_future(shown.robot.ask("start"))
