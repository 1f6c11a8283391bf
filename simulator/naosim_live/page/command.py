"""`python -m naosim FILE --page`: any behaviour on a page."""

from __future__ import annotations

from argparse import Namespace

from ..hosting.robot import HostedRobot
from .behaviour import load, start
from .live_robot import LiveRobot
from .panels import PANELS
from .recorded.recorded_robot import RecordedRobot
from .recording.recording_file import keeping
from .recording.recording_file import load as load_recording
from .server import serve_page


def show(options: Namespace) -> int:
    """Show a behaviour, started when the first browser looks, or a recording, and return the exit status."""
    if options.replay:
        recording = load_recording(options.replay)
        serve_page(RecordedRobot(recording), PANELS, port=options.port, title=recording.title)
        return 0
    with HostedRobot(seed=options.seed, without=options.without, languages=options.languages,
                     robot_type=options.robot_type, camera=options.camera or None) as robot:
        load(robot, options.file, behaviour=options.behaviour, rewrite=options.rewrite, parameters=options.parameters)
        shown = LiveRobot(robot)
        with keeping(shown.recording, options.record):
            serve_page(shown, PANELS, port=options.port, title="NAO", greet=start)
    return 0
