"""`python -m naosim FILE --page`: any behaviour on a page."""

from __future__ import annotations

import contextlib
from argparse import Namespace
from collections.abc import Iterator

from naosim_live.hosting import HostedRobot

from .behaviour import load, start
from .doors.entrance import entrance
from .live_robot import LiveRobot
from .panels import panels
from .recorded.recorded_robot import RecordedRobot
from .recording.recording_file import keeping
from .recording.recording_file import load as load_recording
from .server import serve_page
from .speech.microphones import Microphones
from .visitors.visits import EachItsOwn


def show(options: Namespace) -> int:
    """Show a behaviour, started when the first browser looks, or a recording, and return the exit status."""
    door = entrance(
        options.host, insecure=options.insecure, token=options.token, certificate=options.tls_cert, key=options.tls_key
    )
    if options.replay:
        recording = load_recording(options.replay)
        serve_page(
            RecordedRobot(recording), panels(Microphones()), port=options.port, title=recording.title, entrance=door
        )
        return 0
    with contextlib.ExitStack() as stack:
        # With visitors a robot is made for each, and the first one shows whether the behaviour can be loaded at all.
        first = stack.enter_context(_shown(options))
        if options.visitors > 1:
            stack.close()
        else:
            stack.enter_context(keeping(first.recording, options.record))
        shown = first if options.visitors == 1 else EachItsOwn(lambda _name: _shown(options), options.visitors)
        microphones = Microphones()
        serve_page(
            shown,
            panels(microphones),
            port=options.port,
            title="NAO",
            greet=start,
            entrance=door,
            microphones=microphones,
        )
    return 0


@contextlib.contextmanager
def _shown(options: Namespace) -> Iterator[LiveRobot]:
    """Open a robot of its own with the behaviour loaded."""
    with HostedRobot(
        seed=options.seed,
        without=options.without,
        languages=options.languages,
        robot_type=options.robot_type,
        camera=options.camera or None,
    ) as robot:
        load(robot, options.file, behaviour=options.behaviour, rewrite=options.rewrite, parameters=options.parameters)
        yield LiveRobot(robot)
