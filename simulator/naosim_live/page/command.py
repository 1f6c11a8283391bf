"""`python -m naosim FILE --page`: any behaviour on a page."""

from __future__ import annotations

from argparse import Namespace

from ..hosting.robot import HostedRobot
from .behaviour import load, start
from .live_robot import LiveRobot
from .panels import PANELS
from .server import serve_page


def show(options: Namespace) -> int:
    """Load a behaviour on a robot of its own, start it when the first browser looks, and return the exit status."""
    with HostedRobot(seed=options.seed, without=options.without, languages=options.languages,
                     robot_type=options.robot_type, camera=options.camera or None) as robot:
        load(robot, options.file, behaviour=options.behaviour, rewrite=options.rewrite, parameters=options.parameters)
        serve_page(LiveRobot(robot), PANELS, port=options.port, title="NAO", greet=start)
    return 0
