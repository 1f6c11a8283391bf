"""`jotto play --page`: the game on a page in the browser, with NAO in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jotto_behaviour import memory

from ...errors import DeskError
from ..page_options import paging
from ..simulated_robot import behaviour_file, checked_services, import_paths

TITLE = "NAO plays Jotto"


def play_on_page(settings: dict[str, Any], without: Sequence[str], forget: bool, port: int, record: str) -> None:
    """Serve the page of a game until Ctrl-C, and record it in a file unless that is ""; raises `DeskError`."""
    with paging():
        from jotto_desk.page.panels import game_panels
        from naosim_live.hosting.robot import HostedRobot
        from naosim_live.page.behaviour import load, start
        from naosim_live.page.live_robot import LiveRobot
        from naosim_live.page.panels import PANELS
        from naosim_live.page.recording.recording_file import keeping
        from naosim_live.page.server import serve_page

        checked_services(without)
        with HostedRobot(without=without, import_paths=import_paths()) as robot:
            _store(robot, memory.SETTINGS, json.dumps(settings))
            if forget:
                _store(robot, memory.GAME, "")
            load(robot, str(behaviour_file()))
            folder = Path(settings["folder"]) if settings["folder"] else None
            panels = (*PANELS, *game_panels(settings["words"], folder))
            shown = LiveRobot(robot)
            shown.recording.title = TITLE
            with keeping(shown.recording, record):
                serve_page(shown, panels, port=port, title=TITLE, greet=start)


def replay_on_page(file: str, words: str, port: int) -> None:
    """Serve the page of a recorded game until Ctrl-C; raises `DeskError`."""
    with paging():
        from jotto_desk.page.panels import game_panels
        from naosim_live.page.panels import PANELS
        from naosim_live.page.recorded.recorded_robot import RecordedRobot
        from naosim_live.page.recording.recording_file import load
        from naosim_live.page.server import serve_page

        recording = load(file)
        serve_page(RecordedRobot(recording), (*PANELS, *game_panels(words)), port=port, title=recording.title)


def _store(robot: Any, key: str, value: str) -> None:
    """Store a text in the robot's memory."""
    try:
        robot.call("ALMemory", "insertData", [key, value]).result()
    except RuntimeError as error:
        raise DeskError(str(error)) from error
