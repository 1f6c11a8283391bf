"""One rehearsed game: the robot runs the behaviour, the person answers through its ears."""

import json
import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from jotto import compat
from jotto_behaviour.lines import Lines
from jotto_behaviour.riddle import BREAKER
from jotto_behaviour.settings import DEFAULT_LANGUAGE, NORMAL
from jotto_behaviour.states import NUMBERS, PAIRS, SPELL, STATES
from jotto_desk.conversation.said_lines import is_said_somehow

from .claims import ONE_SLIP, false_claims
from .person import COUNTS, HONEST, PersonAnswer, PersonView, SimulatedPerson, Trouble
from .spoken import AudibleAnswers, VoiceSettings
from .timing import GameTime
from .transcript import TOUCHES, Transcript
from .understanding import AnswerFollower, Understanding
from .voice_settings import CERTAINTY

#: A conversation longer than this leads nowhere.
MOST_ANSWERS = 400
#: How often in a row a paused game is taken up again without another guess. A slow or silent person may well be left
#: more often in a whole game, and comes back each time.
MOST_RESTARTS = 5
#: Questions that leave the game where it is.
IN_BETWEEN = ("asking back", "stopping", "giving up", "paused")


@dataclass(frozen=True)
class RehearsalSettings:
    """What every game of a rehearsal shares."""

    words: str = ""
    strategy: str = "entropy"
    seed: int = 1
    folder: str = ""
    trouble: Trouble = HONEST
    touch_only: bool = False
    #: Who NAO is: `breaker` guesses the person's word, `maker` thinks of one.
    role: str = BREAKER
    #: How long the person takes to answer each question, in simulated seconds.
    answer_seconds: float = 0.0
    #: One of `jotto_behaviour.settings.LEVELS`.
    level: str = NORMAL
    #: The code of the language wanted, empty for the robot's own.
    language: str = ""
    #: How answers are spoken and heard; None where NAO is told what was said.
    voice: VoiceSettings | None = None

    @property
    def code(self) -> str:
        """Return the code of the language played in: the simulated robot's own is English."""
        return self.language or DEFAULT_LANGUAGE


@dataclass
class GameRecord:
    """How one game went."""

    secret: str
    found: bool = False
    over: bool = False
    attempts: int = 0
    answers: int = 0
    slips: int = 0
    slip_named: bool = False
    restarts: int = 0
    scores: int = 0
    hints: int = 0
    #: See `GameTime`, which says what counts as whose.
    robot_seconds: float = 0.0
    person_seconds: float = 0.0
    failures: list[str] = field(default_factory=list)
    transcript: str = ""
    #: How well spoken answers were understood.
    understood: Understanding | None = None


class Rehearsal:
    """Games with one robot and one behaviour, one after the other."""

    def __init__(self, robot: Any, behaviour: Any, setting: RehearsalSettings, lines: Lines) -> None:
        self.robot = robot
        self.behaviour = behaviour
        self.setting = setting
        self.lines = lines
        self.time = GameTime(robot)
        self.spoken = None if setting.voice is None else AudibleAnswers(setting.voice, setting.seed)
        self.follower = AnswerFollower(lines, CERTAINTY)
        #: Tells of errors that are the end of all games.
        self.is_lost: Callable[[Exception], bool] = lambda error: False
        #: The seed of the game that is over; None while the person's game goes on.
        self._ended: int | None = None

    def play(self, secret: str) -> GameRecord:
        """Play one game with `secret` to its end and look what is left behind."""
        person = self._person(secret)
        record, transcript = GameRecord(secret), Transcript(self.setting.code)
        self.time, self._ended, self.follower = GameTime(self.robot), None, AnswerFollower(self.lines, CERTAINTY)
        try:
            self._play(person, record, transcript)
        except Exception as error:
            if self.is_lost(error):
                raise
            record.failures.append(_sentence(error))
        record.robot_seconds, record.person_seconds = self.time.seconds()
        record.slips, record.transcript = person.slips, str(transcript)
        record.understood = self.follower.end() if self.spoken else None
        return record

    def _play(self, person: SimulatedPerson, record: GameRecord, transcript: Transcript) -> None:
        """Play to the end, however often the game is paused."""
        setting = self.setting
        self.robot.set(
            "Jotto/Settings",
            json.dumps(
                {
                    "words": setting.words,
                    "strategy": setting.strategy,
                    "folder": setting.folder,
                    "role": setting.role,
                    **({"language": setting.language} if setting.language else {}),
                    "level": setting.level,
                    "certainty": self._certainty(),
                    "seed": compat.draw_number(2**31 - 1, setting.seed, "game", record.secret) + 1,
                },
                sort_keys=True,
            ),
        )
        self.robot.set("Jotto/Game", "")
        vain, guesses = 0, "0"
        while True:
            self._run(person, record, transcript)
            record.failures += self.robot.leaks(self.behaviour)
            if record.over or record.failures:
                break
            before, guesses = guesses, self._get("Jotto/Attempts")
            vain = vain + 1 if guesses == before else 0
            if vain > MOST_RESTARTS:
                record.failures.append("the game was paused again and again")
                break
            record.restarts += 1
            transcript.remark("the behaviour is started again")
        self.robot.forget()

    def _certainty(self) -> tuple[float, float] | None:
        """Return the bounds for believing that belong to the ears; None for those of a robot's."""
        measured = self.setting.trouble.measured
        if self.setting.voice is not None:
            return CERTAINTY
        return None if measured is None else measured.certainty

    def _person(self, secret: str) -> SimulatedPerson:
        """Make the simulated person who plays this game with NAO."""
        return SimulatedPerson(secret, self.setting.seed, self.lines, self.setting.trouble)

    def _run(self, person: SimulatedPerson, record: GameRecord, transcript: Transcript) -> None:
        """Run the behaviour from its start to its end."""
        self.robot.start(self.behaviour)
        pause = self.robot.advance()
        says: list[str] = []
        has_thought = not self.setting.answer_seconds
        while not pause.ended and record.answers < MOST_ANSWERS:
            guess = self._get("Jotto/Guess")
            says = transcript.nao(pause.events) or says
            if pause.ears.engine is None and not pause.ears.touch:
                record.failures += [*self.behaviour.failures, "NAO neither listens nor goes on"]
                self.robot.stop(self.behaviour)
                return
            view = PersonView(
                self._get("Jotto/State"), guess, self._get("Jotto/Score"), says, tuple(pause.ears.vocabulary)
            )
            self._look(record, view)
            self._note_end(person, record, view)
            late = None if has_thought else self._think()
            has_thought = late is not None or not self.setting.answer_seconds
            pause = late or self._answer(person, record, view, transcript)
        transcript.nao(pause.events)
        if not pause.ended:
            record.failures.append(f"no end after {MOST_ANSWERS} answers")
            self.robot.stop(self.behaviour)
        record.failures += self.behaviour.failures

    def _look(self, record: GameRecord, view: PersonView) -> None:
        """Look at what NAO has just done, before the person answers."""

    def _note_end(self, person: SimulatedPerson, record: GameRecord, view: PersonView) -> None:
        """Note whether the game is over and how it ended; another one, that NAO misheard a wish for, does not count."""
        is_over = view.state == "again"
        if view.state in IN_BETWEEN or not (is_over or self._ended is not None):
            return
        game = json.loads(self._get("Jotto/Game"))["game"]
        self._ended = game["seed"] if self._ended is None else self._ended
        is_another = game["seed"] != self._ended
        if is_over and not record.over and not is_another:
            if not self.setting.touch_only:
                record.failures += false_claims(game, view.says, person.last, self.lines)
            self._sum_up(record, view)
            record.slip_named = record.slip_named or is_said_somehow(self.lines, ONE_SLIP, view.says)
        record.over = is_over or is_another

    def _think(self) -> Any:
        """Let the person think; return what NAO has done meanwhile if it did not wait, else None.

        An answer that takes longer than NAO waits is given when NAO listens next after those seconds.
        """
        due, events = self.robot.now() + self.setting.answer_seconds, []
        while True:
            with self.time.of_the_person():
                self.robot.wait(due - self.robot.now())
            pause = self.robot.advance()
            events += pause.events
            if pause.ended or self.robot.now() >= due:
                return pause._replace(events=events) if events else None

    def _answer(self, person: SimulatedPerson, record: GameRecord, view: PersonView, transcript: Transcript) -> Any:
        record.answers += 1
        answer = person.answer(view)
        if answer.phrase is None:
            transcript.person("(silence)")
            with self.time.of_the_person():
                self.robot.wait()
            return self.robot.advance()
        if self.setting.touch_only:
            return self._touch(answer, view, transcript)
        if self.spoken is not None:
            return self._speak(answer, person, view, transcript)
        heard = f'   [heard: "{answer.phrase}", {answer.confidence:.2f}]' if answer.phrase != answer.meant else ""
        transcript.person(answer.meant + heard)
        self.robot.hear(answer.phrase, answer.confidence)
        return self.robot.advance()

    def _speak(self, answer: PersonAnswer, person: SimulatedPerson, view: PersonView, transcript: Transcript) -> Any:
        """Give the answer as sound; NAO hears what the recogniser makes of it, when the sound is over."""
        assert self.spoken is not None
        spoken = self.spoken.answer(answer.meant, view.vocabulary, person.secret, person.turn)
        person.last = PersonAnswer(spoken.phrase, spoken.confidence, answer.meant)
        self.follower.counts.recorded += spoken.is_recorded
        talk = json.loads(self._get("Jotto/Game"))
        if self.follower.note(
            view.state,
            view.guess,
            answer.meant,
            (spoken.phrase, spoken.confidence),
            spoken.nearest,
            talk["doubt"][0] if talk["doubt"] else "",
            is_missed=talk["misses"] > 0,
        ):
            self.spoken.keep(spoken, f"{person.secret}-{person.turn}-{'-'.join(answer.meant.split())}")
        if spoken.phrase is None:
            transcript.person(f"{answer.meant}   [not noticed]")
            with self.time.of_the_person():
                self.robot.wait()
            return self.robot.advance()
        transcript.person(f'{answer.meant}   [heard: "{spoken.phrase}", {spoken.confidence:.2f}]')
        with self.time.of_the_person():
            self.robot.wait(spoken.seconds)
        self.robot.hear(spoken.phrase, spoken.confidence)
        return self.robot.advance()

    def _sum_up(self, record: GameRecord, view: PersonView) -> None:
        """Note how the game ended."""
        record.found = view.guess == record.secret
        record.attempts = int(self._get("Jotto/Attempts"))

    def _touch(self, answer: PersonAnswer, view: PersonView, transcript: Transcript) -> Any:
        """Give the answer with the head alone."""
        sensors = touches(answer.meant, view.state, self.lines)
        transcript.person("touches the head: " + ", ".join(TOUCHES[sensor] for sensor in sensors))
        pause = None
        for sensor in sensors:
            with self.time.of_the_person():
                self.robot.touch(sensor)
            pause = self.robot.advance()
        return pause

    def _get(self, key: str) -> str:
        return str(self.robot.get(key))


def _sentence(error: Exception) -> str:
    """Say what went wrong, and where in the code."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}, line {place.lineno})"


def touches(phrase: str, state: str, lines: Lines) -> list[str]:
    """Say with the head what a phrase says: front for yes, back for no, taps for numbers and letters.

    Without a voice "I made a mistake" is not to be had; the person answers no.
    """
    front, rear = "FrontTactilTouched", "RearTactilTouched"
    number = lines.meaning(phrase, [*NUMBERS, *PAIRS]) if state in COUNTS else None
    if number is not None:
        # Of both numbers the head takes the first; NAO asks for the other then.
        return [front] * int(number.split()[0]) + [rear]
    letter = lines.meaning(phrase, list(lines.letters)) if _spells(state) else None
    if letter is not None:
        return [front] * (lines.alphabet.index(letter) + 1) + [rear]
    return [front] if lines.meaning(phrase, ["yes", "ready", "go on", "you guess"]) else [rear]


def _spells(state: str) -> bool:
    """Tell whether taps mean letters in a state, which may be one only onlookers know."""
    return state in STATES and STATES[state].touch == SPELL
