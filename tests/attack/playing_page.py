"""`python -m attack.playing_page FOLDER SEED DOOR`: a page of Jotto; programs at the door step the robot's time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from naosim_page import server
from naosim_page.command import load_behaviour
from naosim_page.site import find_libraries

from jotto_behaviour import memory
from jotto_behaviour.riddle import BREAKER
from jotto_desk.play.page import GamePage, RobotOverClient, SharedPage
from jotto_desk.play.page.site import VIEWS
from jotto_desk.rehearsal.robots import behaviour_file, import_paths
from naosim_live.hosting import HostedRobot


def main() -> None:
    """Serve the page; the behaviour starts as soon as a browser has come to it."""
    folder, seed, door = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    settings = {"strategy": "belief", "seed": seed, "role": BREAKER, "level": "", "words": "", "folder": str(folder)}
    with HostedRobot(import_paths=import_paths(), door=door) as robot:
        robot.call("ALMemory", "insertData", [memory.SETTINGS_KEY, json.dumps(settings)]).result()
        load_behaviour(robot, str(behaviour_file()))
        robot.ask("pace", speed=0.0).result()
        game = SharedPage(GamePage(RobotOverClient(robot), settings))
        server.serve_page(
            robot, libraries=find_libraries(), game=game, views=VIEWS, start="play", starts=True, port=0, language="en"
        )


if __name__ == "__main__":
    main()
