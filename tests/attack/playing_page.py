"""`python -m attack.playing_page FOLDER SPEED SEED`: a page of Jotto whose NAO plays one game after the other, fast.

The person who answers NAO is a thread of the page's own process; after each game it says how many there were.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from jotto.rules import JOTTO
from jotto_behaviour import memory, resources
from jotto_behaviour.talk import Talk
from jotto_desk.cli.simulated_robot import behaviour_file, import_paths
from jotto_desk.conversation.questions import number_phrase, score_phrase
from jotto_desk.page.panels import game_panels
from naosim_live.errors import RobotGone
from naosim_live.hosting.robot import HostedRobot
from naosim_live.page.behaviour import load, start
from naosim_live.page.live_robot import LiveRobot
from naosim_live.page.panels import panels
from naosim_live.page.server import serve_page
from naosim_live.page.speech.microphones import Microphones

WORDS = ("ocean", "later", "crane", "moist", "fudge", "light", "pound", "vapor", "chunk", "bread")
#: What is said where no number is asked for; anything else is answered with yes.
ANSWERS = {"role": "you guess", "ready": "ready", "unfinished": "no", "paused": "ready", "stopping": "no"}
#: Real seconds between two looks whether NAO listens, and until an answer that was too late is given again.
LOOKS_EVERY, AGAIN_AFTER = 0.005, 0.5
#: How sure the recogniser is.
SURE = 0.9


class Player:
    """Somebody who thinks of one word after the other and answers what NAO asks; the first games begin with a page."""

    def __init__(self, robot: HostedRobot) -> None:
        self._robot, self._games = robot, 0
        self._answered: tuple[Any, ...] = ()
        self._at = time.monotonic()

    def play(self) -> None:
        """Play until the robot is gone."""
        try:
            while True:
                self._look()
                time.sleep(LOOKS_EVERY)
        except RobotGone:
            return

    def _look(self) -> None:
        """Answer if NAO listens and has not been answered yet."""
        if self._robot.person("ears").result().get("engine") is None:
            self._begin_again()
            return
        kept = self._robot.call("ALMemory", "getListData", [[memory.GAME]]).result()
        talk = memory.read(kept[0])
        asked = (talk.state, talk.beat, talk.game.seed, len(talk.game.turns))
        is_new = asked != self._answered
        if not is_new and time.monotonic() - self._at < AGAIN_AFTER:
            return
        self._answered, self._at = asked, time.monotonic()
        if talk.state == "again" and is_new:
            self._games += 1
            print(f"games: {self._games}", flush=True)
        self._robot.person("hear", self._phrase(talk), SURE).result()

    def _begin_again(self) -> None:
        """Start the behaviour if it has ended: a busy computer may take longer to answer than a fast NAO waits."""
        if time.monotonic() - self._at > AGAIN_AFTER:
            self._at = time.monotonic()
            if not self._robot.ask("behaviour").result()["runs"]:
                self._robot.ask("start").result()

    def _phrase(self, talk: Talk) -> str:
        secret = WORDS[self._games % len(WORDS)]
        guess = talk.game.guess or ""
        exact, misplaced = JOTTO.score(guess, secret) if guess else (0, 0)
        if talk.state == "both":
            return score_phrase(exact, misplaced, JOTTO.length)
        if talk.state in ("exact", "misplaced"):
            return number_phrase(exact if talk.state == "exact" else misplaced)
        meaning = ("yes" if guess == secret else "no") if talk.state == "word" else ANSWERS.get(talk.state, "yes")
        return str(resources.lines().phrases([meaning])[0])


def main() -> None:
    """Serve the page, and play as soon as a browser has come to it."""
    folder, speed, seed = Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    settings = {"strategy": "belief", "seed": seed, "role": "breaker", "level": "", "words": "", "folder": str(folder)}
    with HostedRobot(speed=speed, import_paths=import_paths()) as robot:
        robot.call("ALMemory", "insertData", [memory.SETTINGS, json.dumps(settings)]).result()
        load(robot, str(behaviour_file()))
        player = threading.Thread(target=Player(robot).play, daemon=True)

        async def begin(shown: LiveRobot) -> None:
            await start(shown)
            player.start()
        serve_page(LiveRobot(robot), (*panels(Microphones()), *game_panels("", lambda _: folder)), port=0, greet=begin)


if __name__ == "__main__":
    main()
