"""Whole games by voice alone on a page in a real browser, in real time, with a person who is not always easy to hear.

The person coughs before an answer, is silent, says a word that NAO does not listen for, and speaks while NAO does.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import spoken_microphone as microphone
from page_browser import STILL, ServedPage, browsing, complaints
from page_by_voice import moment, press_microphone, waited

from attack.outcome import Attack, Outcome
from attack.page_growth import python_path
from jotto import compat
from jotto_behaviour import mind
from jotto_behaviour.riddle import BREAKER, MAKER
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk.conversation.game_record import Transcript
from jotto_desk.rehearsal.game import tried_words
from jotto_desk.rehearsal.person import Guesser, PersonView, SimulatedPerson
from naosim.world import Event
from naosim_live.hosting import JoinedRobot
from naosim_live.voice import sound

#: Answers of a game after which it is given up, and real seconds for NAO to notice one, and to ask what was not said.
MOST_ANSWERS, NOTICES_WITHIN, ASKS_WITHIN = 150, 8.0, 40.0
#: What the person does before the answer of that number.
COUGHS, IS_SILENT, OTHER_WORD = 2, 3, 4
#: The answer after which the person speaks while NAO does.
TALKS_OVER = 5
UNKNOWN = "bicycle"


class Speaker:
    """A person at the microphone of a page: looks at the robot through its door, and answers by sound alone."""

    def __init__(self, browser: Any, robot: JoinedRobot, person: SimulatedPerson) -> None:
        self._browser, self._robot, self._person = browser, robot, person
        self._says: list[str] = []
        self._was_answered = False
        self.answers = 0
        self.is_found = False
        robot.watch(self._note)

    def play(self) -> Iterator[str]:
        """Answer until the behaviour has ended; yield what is wrong with how NAO takes what the person does."""
        waited(self._browser, lambda now: now.hears)
        while self.answers < MOST_ANSWERS:
            waited(self._browser, lambda now: now.hears or not self._runs())
            if not self._runs():
                return
            self.answers += 1
            self._disturb()
            self._say(self._answer())
            if self.answers == TALKS_OVER:
                yield from self._talk_over()
        yield f"no end after {MOST_ANSWERS} answers"

    def _disturb(self) -> None:
        """Do what this answer begins with, and wait until NAO listens again."""
        if self.answers == COUGHS:
            microphone.play(self._browser, _cough())
            self._settle()
        elif self.answers == IS_SILENT:
            before = len(moment(self._browser).said)
            waited(self._browser, lambda now: len(now.said) > before, ASKS_WITHIN)
        elif self.answers == OTHER_WORD:
            self._say(UNKNOWN)
        waited(self._browser, lambda now: now.hears)

    def _talk_over(self) -> Iterator[str]:
        """Say no while NAO asks the next question."""
        now = moment(self._browser)
        if now.hears:
            yield "NAO takes no answer"
        microphone.say(self._browser, "no")
        if waited(self._browser, lambda now: now.hears).heard != now.heard:
            yield "NAO hears what is said while it speaks"

    def _answer(self) -> str:
        state, guess, score, talk = (
            str(self._robot.call("ALMemory", "getData", [f"Jotto/{name}"]).result())
            for name in ("State", "Guess", "Score", "Game")
        )
        vocabulary = tuple(self._robot.person("ears").result()["vocabulary"])
        if state == "again":
            riddle = json.loads(talk)["riddle"]
            self.is_found = guess == self._person.secret if riddle is None else riddle["game"]["outcome"] == "solved"
        # What NAO has said last is what it asks, also where it says nothing more.
        self._was_answered = True
        return self._person.answer(PersonView(state, guess, score, list(self._says), vocabulary)).meant

    def _say(self, text: str) -> None:
        microphone.say(self._browser, text)
        self._settle()

    def _settle(self) -> None:
        """Wait until NAO has taken what it heard, or has noticed nothing."""
        end = time.monotonic() + NOTICES_WITHIN
        waited(self._browser, lambda now: not now.hears or time.monotonic() > end)

    def _runs(self) -> bool:
        return bool(self._robot.ask("behaviour").result()["runs"])

    def _note(self, event: Event) -> None:
        said = Transcript.said([event])
        if said and self._was_answered:
            self._says, self._was_answered = [], False
        self._says += said


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Play games by voice, NAO guessing and the person guessing by turns."""
    outcome, figures = Outcome(), []
    for number, role in zip(range(how_many), (BREAKER, MAKER) * how_many, strict=False):
        own = folder / str(number)
        own.mkdir()
        begun = time.monotonic()
        try:
            speaker = _game(role, seed + number, own, outcome)
        except AssertionError as error:
            outcome.check(False, f"{role}, seed {seed + number}: NAO was waited for in vain; last: {error}")
            continue
        outcome.check(speaker.is_found, f"{role}, seed {seed + number}: the word was not found")
        figures.append(f"{role} {speaker.answers} answers in {time.monotonic() - begun:.0f} s")
    outcome.figure = "; ".join(figures)
    return outcome


def _game(role: str, seed: int, folder: Path, outcome: Outcome) -> Speaker:
    lines, tried = mind.load_lines(), tried_words("", DEFAULT_LANGUAGE)
    secret = str(compat.draw_item(tried.words, seed, "secret"))
    person = (
        SimulatedPerson(secret, seed, lines)
        if role == BREAKER
        else Guesser(secret, seed, lines, index=tried, spells_all=True)
    )
    door = folder / "door"
    served = ServedPage(
        "-m", "attack.playing_page", str(folder), str(seed), str(door), role, environ={"PYTHONPATH": python_path()}
    )
    try:
        with (
            browsing(str(folder / "browser"), STILL, "--autoplay-policy=no-user-gesture-required") as browser,
            JoinedRobot(str(door)) as robot,
        ):
            microphone.put_into(browser)
            speaker = Speaker(browser, robot, person)
            browser.get(served.address + "?flat")
            press_microphone(browser)
            for fault in speaker.play():
                outcome.check(False, f"{role}, answer {speaker.answers}: {fault}")
            outcome.faults += complaints(browser)
            outcome.check(browser.execute_script("return testMicrophone.played.length"), f"{role}: NAO has no voice")
    finally:
        served.end()
    return speaker


def _cough() -> sound.Clip:
    return sound.clip(numpy.random.default_rng(5).standard_normal(4000) * numpy.linspace(6000, 100, 4000))


ATTACK = Attack(
    "voice page",
    "games by voice alone on a page in a browser, with coughs, silence and words too early",
    rounds,
    short=0,
    long=2,
)
