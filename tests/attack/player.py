"""A player of many games with a robot whose time passes step by step, as fast as the computer can."""

from __future__ import annotations

from typing import Any

from jotto.rules import JOTTO
from jotto_behaviour import memory, mind
from jotto_behaviour.talk import Talk
from jotto_desk.conversation.answers import number_phrase, score_phrase
from naosim_robots.hosting import RobotClient

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

    def __init__(self, robot: RobotClient) -> None:
        self._robot = robot
        self._games = self._steps = 0
        self._answered: tuple[Any, ...] = ()

    def play(self) -> None:
        """Play to the end of a game and ask for another one; raises RobotGone, and TimeoutError for a deaf robot."""
        games = self._games
        while self._games == games:
            self._step()
            if self._steps > LISTENS_WITHIN:
                raise TimeoutError(f"NAO listens no more in game {games + 1}; answered last: {self._answered}.")

    def _step(self) -> None:
        """Let the robot do what is due next, and answer if it listens and has not been answered yet."""
        stepped, ears = self._robot.ask("step"), self._robot.person("ears")
        stepped.result(ANSWER_TIMEOUT_S)
        self._steps += 1
        if ears.result(ANSWER_TIMEOUT_S)["engine"] is None:
            return
        talk = memory.read_talk_text(
            self._robot.call("ALMemory", "getListData", [[memory.GAME_KEY]]).result(ANSWER_TIMEOUT_S)[0]
        )
        asked = (talk.state, talk.beat, talk.game.seed, len(talk.game.turns))
        is_new = asked != self._answered
        if is_new or self._steps > AGAIN_AFTER:
            self._answered, self._steps = asked, 0
            self._games += is_new and talk.state == "again"
            self._robot.person("hear", self._phrase(talk), CONFIDENCE).result(ANSWER_TIMEOUT_S)

    def _phrase(self, talk: Talk) -> str:
        secret = WORDS[self._games % len(WORDS)]
        guess = talk.game.guess or ""
        exact, misplaced = JOTTO.score(guess, secret) if guess else (0, 0)
        if talk.state == "both":
            return score_phrase(exact, misplaced, JOTTO.length)
        if talk.state in ("exact", "misplaced"):
            return number_phrase(exact if talk.state == "exact" else misplaced)
        meaning = ("yes" if guess == secret else "no") if talk.state == "word" else ANSWERS.get(talk.state, "yes")
        return str(mind.load_lines().phrases([meaning])[0])
