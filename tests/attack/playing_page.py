"""`python -m attack.playing_page FOLDER SEED`: a page of Jotto, whose player standard input tells what to do.

The line `play` plays a game, `told` only asks. The answer is a line that begins with `=`: how many lines of the talk
the robot has told so far, or what went wrong.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

from attack.player import Player
from jotto_behaviour import memory
from jotto_behaviour.riddle import BREAKER
from jotto_desk.play.page import GamePage, RobotOverClient, SharedPage
from jotto_desk.play.page.site import GAME_FILES
from jotto_desk.rehearsal.robots import behaviour_file, import_paths
from naosim.world import Event
from naosim_page import server
from naosim_page.command import load_behaviour
from naosim_page.site import find_page_libraries
from naosim_robots.hosting import HostedRobot, RobotClient, RobotGone

#: Kinds of events that are lines of the talk.
LINES = ("say", "hear", "end")


def main() -> None:
    """Serve the page; the behaviour starts as soon as a browser has come to it."""
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    settings = {"strategy": "belief", "seed": seed, "role": BREAKER, "level": "", "words": "", "folder": str(folder)}
    with HostedRobot(import_paths=import_paths()) as robot:
        robot.call("ALMemory", "insertData", [memory.SETTINGS_KEY, json.dumps(settings)]).result()
        load_behaviour(robot, str(behaviour_file()))
        robot.ask("pace", speed=0.0).result()
        threading.Thread(target=play_games, args=(robot,), daemon=True).start()
        game = SharedPage(GamePage(RobotOverClient(robot), settings))
        server.serve_page(
            robot,
            libraries=find_page_libraries(),
            game=game,
            game_files=GAME_FILES,
            start="play",
            starts=True,
            port=0,
            language="en",
        )


def play_games(robot: RobotClient) -> None:
    """Do what the lines of standard input say."""
    player, told = Player(robot), 0

    def note(event: Event) -> None:
        nonlocal told
        told += event.kind in LINES

    robot.watch(note)
    for line in sys.stdin:
        fault = ""
        try:
            if line == "play\n":
                player.play()
        except (RobotGone, TimeoutError) as error:
            fault = str(error)
        print("=", fault or told, flush=True)


if __name__ == "__main__":
    main()
