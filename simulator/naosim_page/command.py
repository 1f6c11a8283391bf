"""`python -m naosim FILE --page`: any behaviour on a page."""

import os
from argparse import Namespace
from typing import Any

from naosim.errors import NaosimError
from naosim_page import PAGE_HOST, PAGE_PORT
from naosim_page.access import check_access
from naosim_page.ears import Ears
from naosim_page.recording import describe_source, read_acts
from naosim_page.server import serve_page
from naosim_robots.hosting import HostedRobot, RobotClient

#: Seconds for a behaviour to be read and loaded.
_LOAD_TIMEOUT_S = 60.0
#: The module that the process of a robot runs to record a person's acts.
RECORDING_ROBOT = "naosim_page.page_requests"


def show(options: Namespace) -> int:
    """Show a behaviour, started when the first browser looks, and return the exit status."""
    access = check_access(
        options.host or PAGE_HOST,
        PAGE_PORT if options.port is None else options.port,
        insecure=options.insecure,
        token=options.token,
        tls=options.tls,
        certificate=options.tls_cert,
        key=options.tls_key,
    )
    if options.replay:
        recording = read_acts(options.replay, options.file)
        serve_page(None, access=access, recording=recording)
        return 0
    with HostedRobot(
        seed=options.seed,
        without=options.without,
        languages=options.languages,
        robot_type=options.robot_type,
        naoqi=options.naoqi,
        camera=options.camera or None,
        module=RECORDING_ROBOT,
    ) as robot:
        load_behaviour(
            robot, options.file, behaviour=options.behaviour, rewrite=options.rewrite, parameters=options.parameters
        )
        serve_page(
            robot,
            access=access,
            starts=True,
            ears=Ears(),
            record=options.record,
            source=describe_source(options.file, options.behaviour),
        )
    return 0


def load_behaviour(robot: RobotClient, file: str, **options: Any) -> None:
    """Load a behaviour; raises NaosimError."""
    try:
        robot.ask("load", file=os.path.abspath(file), **options).result(_LOAD_TIMEOUT_S)
    except RuntimeError as error:
        raise NaosimError(str(error)) from None
    except TimeoutError:
        raise NaosimError(f"{file} was not loaded within {_LOAD_TIMEOUT_S:g} seconds.") from None
