"""`python -m attack.playing_page FOLDER SEED`: a page of Jotto, whose player standard input tells what to do.

The line `play` plays a game, `told` only asks. The answer is a line that begins with `=`: how many lines of the talk
the robot has told so far, or what went wrong.
"""

import json
import sys
import threading
from pathlib import Path

from jotto.rules import JOTTO
from jotto_behaviour import memory, mind
from jotto_behaviour.riddle import BREAKER
from jotto_desk.conversation.answers import find_number_phrase, find_score_phrase
from jotto_desk.play.page import GamePage, RobotOverClient, SharedPage
from jotto_desk.play.page.site import GAME_FILES
from jotto_desk.rehearsal.robots import find_behaviour_file, list_import_paths
from naosim_page import server
from naosim_page.access import Access
from naosim_page.command import load_behaviour
from naosim_robots.hosting import HostedRobot, RobotGone

#: Kinds of events that are lines of the talk.
LINES = ("say", "hear", "end")


WORDS = ("ocean", "later", "crane", "moist", "fudge", "light", "pound", "vapor", "chunk", "bread")
#: Answers to questions for no number; the answer to all others is yes.
ANSWERS = {"role": "you guess", "ready": "ready", "unfinished": "no", "paused": "ready", "stopping": "no"}
AGAIN_AFTER = 20  # steps until an answer is repeated: the recogniser may have closed before it
LISTENS_WITHIN = 1000  # steps in which NAO must listen once
ANSWER_TIMEOUT_S = 600.0  # real time for an answer of the robot
CONFIDENCE = 0.9


class Player:
    """A person who thinks of one word after the other and answers what NAO asks.

    The robot's time goes from what is due to what is due next, as by the page's button "One step": on a busy computer,
    too, every answer comes in time.
    """

    def __init__(self, robot):
        self._robot = robot
        self._games = self._steps = 0
        self._answered = ()

    def play(self):
        """Play to the end of a game and ask for another one; raises RobotGone, and TimeoutError for a deaf robot."""
        games = self._games
        while self._games == games:
            self._step()
            if self._steps > LISTENS_WITHIN:
                raise TimeoutError(f"NAO listens no more in game {games + 1}; answered last: {self._answered}.")

    def _step(self):
        """Let the robot do what is due next, and answer if it listens and has not been answered yet."""
        stepped, ears = self._robot.ask("step"), self._robot.person("ears")
        stepped.result(ANSWER_TIMEOUT_S)
        self._steps += 1
        if ears.result(ANSWER_TIMEOUT_S)["engine"] is None:
            return
        talk = memory.parse_talk_text(
            self._robot.call("ALMemory", "getListData", [[memory.GAME_KEY]]).result(ANSWER_TIMEOUT_S)[0]
        )
        asked = (talk.state, talk.beat, talk.game.seed, len(talk.game.turns))
        is_new = asked != self._answered
        if is_new or self._steps > AGAIN_AFTER:
            self._answered, self._steps = asked, 0
            self._games += is_new and talk.state == "again"
            self._robot.person("hear", self._phrase(talk), CONFIDENCE).result(ANSWER_TIMEOUT_S)

    def _phrase(self, talk):
        secret = WORDS[self._games % len(WORDS)]
        guess = talk.game.guess or ""
        exact, misplaced = JOTTO.score(guess, secret) if guess else (0, 0)
        if talk.state == "both":
            return find_score_phrase(exact, misplaced, JOTTO.length)
        if talk.state in ("exact", "misplaced"):
            return find_number_phrase(exact if talk.state == "exact" else misplaced)
        meaning = ("yes" if guess == secret else "no") if talk.state == "word" else ANSWERS.get(talk.state, "yes")
        return mind.load_lines().phrases([meaning])[0]


def main():
    """Serve the page; the behaviour starts as soon as a browser has come to it."""
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    settings = {"strategy": "belief", "seed": seed, "role": BREAKER, "level": "", "words": "", "folder": str(folder)}
    with HostedRobot(import_paths=list_import_paths()) as robot:
        robot.call("ALMemory", "insertData", [memory.SETTINGS_KEY, json.dumps(settings)]).result()
        load_behaviour(robot, str(find_behaviour_file()))
        robot.ask("pace", speed=0.0).result()
        threading.Thread(target=play_games, args=(robot,), daemon=True).start()
        views = SharedPage(GamePage(RobotOverClient(robot), settings))
        content = server.PageContent("NAO", "play", "en", views, GAME_FILES)
        server.serve_page(robot, content, Access(port=0), starts=True)


def play_games(robot):
    """Do what the lines of standard input say."""
    player, told = Player(robot), 0

    def note(event):
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
