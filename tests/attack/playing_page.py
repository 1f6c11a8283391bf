"""`python -m attack.playing_page FOLDER SEED DOOR`: a page of Jotto on a robot that programs join at a door.

The robot's time stands still, except for the steps that a program asks for.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from jotto_behaviour import memory
from jotto_behaviour.riddle import BREAKER
from jotto_desk.page.panels import game_panels
from jotto_desk.rehearsal.robots import behaviour_file, import_paths
from naosim_live.hosting import HostedRobot
from naosim_live.page import server
from naosim_live.page.behaviour import load, start
from naosim_live.page.live_robot import LiveRobot
from naosim_live.page.panels import panels
from naosim_live.page.speech.microphones import Microphones

COMES_BACK_WITHIN_S = 600.0  # real time for a browser on a busy computer; until then the page stays


def main() -> None:
    """Serve the page; the behaviour starts as soon as a browser has come to it."""
    folder, seed, door = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    settings = {"strategy": "belief", "seed": seed, "role": BREAKER, "level": "", "words": "", "folder": str(folder)}
    with HostedRobot(import_paths=import_paths(), door=door) as robot:
        robot.call("ALMemory", "insertData", [memory.SETTINGS_KEY, json.dumps(settings)]).result()
        load(robot, str(behaviour_file()))

        async def begin(shown: LiveRobot) -> None:
            await shown.set_speed(0.0)
            await start(shown)

        server.COMES_BACK_WITHIN = COMES_BACK_WITHIN_S
        microphones = Microphones()
        shown = (*panels(microphones), *game_panels("", lambda _: folder))
        server.serve_page(LiveRobot(robot), shown, port=0, greet=begin, microphones=microphones)


if __name__ == "__main__":
    main()
