"""Rehearsed games: the robot runs the behaviour, a simulated person answers through its speech recogniser.

In a `Rehearsal` NAO guesses; in a `RiddleRehearsal` NAO thinks of the word, and everything it says about it is checked.
"""

import json
import os
import statistics
import traceback
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from jotto import compat
from jotto.feedback import score_places_slowly
from jotto.index import Index
from jotto.rules import JOTTO
from jotto_behaviour import hearing, mind, states
from jotto_behaviour.lines import Lines
from jotto_behaviour.riddle import BREAKER
from jotto_behaviour.settings import DEFAULT_LANGUAGE, NORMAL, TYPED
from jotto_desk import files
from jotto_desk.conversation import confidence
from jotto_desk.conversation.game_record import TOUCHES, Transcript, is_said, is_said_somehow, is_word_said
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.person import (
    COUNTS,
    HONEST,
    ONE_SLIP,
    AudibleAnswers,
    Guesser,
    PersonAnswer,
    PersonView,
    SimulatedPerson,
    Trouble,
    VoiceSettings,
    list_false_claims,
)
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY, AnswerFollower, Understanding

# Simulated time.


class _Timed(Protocol):
    """A robot with a clock."""

    def now(self) -> float:
        """Return the simulated seconds since the robot was made."""


class GameTime:
    """The simulated seconds of one game, divided between NAO and the person.

    A game lasts from the start of the behaviour to its end, with welcome and good-bye. A game that is paused and
    continued lasts as long as all its parts.

    * The **person's** seconds are those in which NAO listens or waits for touches. They are the time to answer
      (`--answer-seconds`), a tenth of a second for each touch of the head, and the time of a silence, until NAO stops
      waiting.
    * **NAO's** seconds are all others, in which it speaks, moves, starts to listen, and reminds the person.

    Computing takes the robot no simulated time, and NAO hears a phrase immediately, as speech recognition reports it
    at its end.
    """

    def __init__(self, robot: _Timed) -> None:
        self._robot = robot
        self._start = robot.now()
        self._person = 0.0

    @contextmanager
    def of_the_person(self) -> Iterator[None]:
        """Count the time inside the `with` block as the person's."""
        before = self._robot.now()
        try:
            yield
        finally:
            self._person += self._robot.now() - before

    def seconds(self) -> tuple[float, float]:
        """Return NAO's and the person's seconds so far, rounded to microseconds."""
        person = round(self._person, 6)
        return round(self._robot.now() - self._start - person, 6), person


def _compute_spread(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median and the 90th percentile (interpolated).

    >>> _compute_spread([90.0, 100.0, 95.0])
    {'median': 95.0, 'p90': 99.0}
    >>> _compute_spread([90.0])
    {'median': 90.0, 'p90': 90.0}
    """
    p90 = statistics.quantiles(seconds, n=10, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
    return {"median": round(statistics.median(seconds), 3), "p90": round(p90, 3)}


def sum_up_times(games: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Sum up the seconds of NAO and of the person: medians, 90th percentiles, and the person's share.

    >>> sum_up_times([(90.0, 30.0), (60.0, 20.0)])["game_seconds"]
    {'median': 100.0, 'p90': 116.0}
    >>> sum_up_times([(90.0, 30.0), (60.0, 20.0)])["person_share"]
    0.25
    """
    if not games:
        return {}
    robot, person, whole = zip(*((one, other, one + other) for one, other in games), strict=True)
    share = sum(person) / sum(whole) if sum(whole) else 0.0
    return {
        "robot_seconds": _compute_spread(robot),
        "person_seconds": _compute_spread(person),
        "game_seconds": _compute_spread(whole),
        "person_share": round(share, 4),
    }


# Games in which NAO guesses.

#: A game with more answers counts as endless.
_MOST_ANSWERS = 400
#: The most restarts of a paused game between two guesses.
_MOST_RESTARTS = 5
#: Questions that do not change the game.
_IN_BETWEEN = ("asking back", "stopping", "giving up", "paused")


@dataclass(frozen=True)
class RehearsalSettings:
    """The settings of all games of a rehearsal."""

    words: str = ""
    strategy: str = "entropy"
    seed: int = 1
    folder: str = ""
    trouble: Trouble = HONEST
    touch_only: bool = False
    #: NAO's role: `breaker` guesses the person's word, `maker` thinks of one.
    role: str = BREAKER
    #: The person's simulated seconds for each answer.
    answer_seconds: float = 0.0
    #: One of `jotto_behaviour.settings.LEVELS`.
    level: str = NORMAL
    #: The code of the language; "" for the robot's own.
    language: str = ""
    #: The settings for spoken answers; None if answers go to NAO as text.
    voice: VoiceSettings | None = None

    @property
    def code(self) -> str:
        """Return the code of the language of the game; the simulated robot's own is English."""
        return self.language or DEFAULT_LANGUAGE


@dataclass
class GameRecord:
    """The result of one game."""

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
    #: See `GameTime`.
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
        self.follower = self._follow()
        #: Returns whether an error ends all games.
        self.is_lost: Callable[[Exception], bool] = lambda error: False
        #: The seed of the game that is over; None during the game.
        self._ended: int | None = None

    def _follow(self) -> AnswerFollower:
        """Return what follows the spoken answers of the next game."""
        words: Container[str] = frozenset()
        if self.spoken is not None:
            known = mind.load_mind(self.setting.words, self.setting.strategy, (), self.setting.code)
            found = hearing.list_sayable_words(states.list_meanings("your guess"), known, self.lines)
            words = found.words if found else words
        return AnswerFollower(self.lines, VOICE_CERTAINTY, words)

    def play(self, secret: str) -> GameRecord:
        """Play one game with `secret` to its end and return its record, with all failures."""
        person = self._make_person(secret)
        record, transcript = GameRecord(secret), Transcript(self.setting.code)
        self.time, self._ended, self.follower = GameTime(self.robot), None, self._follow()
        try:
            self._play(person, record, transcript)
        except Exception as error:
            if self.is_lost(error):
                raise
            record.failures.append(_describe_error(error))
        record.robot_seconds, record.person_seconds = self.time.seconds()
        record.slips, record.transcript = person.slips, str(transcript)
        record.understood = self.follower.end() if self.spoken else None
        return record

    def _play(self, person: SimulatedPerson, record: GameRecord, transcript: Transcript) -> None:
        """Play to the end, and restart the behaviour if the game is paused."""
        setting = self.setting
        settings = {name: getattr(setting, name) for name in ("words", "strategy", "folder", "role", "level")}
        settings |= {"certainty": self._choose_certainty(), TYPED: True}
        settings["seed"] = compat.draw_number(2**31 - 1, setting.seed, "game", record.secret) + 1
        settings |= {"language": setting.language} if setting.language else {}
        self.robot.set("Jotto/Settings", json.dumps(settings, sort_keys=True))
        self.robot.set("Jotto/Game", "")
        vain, guesses = 0, "0"
        while True:
            self._run(person, record, transcript)
            record.failures += self.robot.leaks(self.behaviour)
            if record.over or record.failures:
                break
            before, guesses = guesses, self._get("Jotto/Attempts")
            vain = vain + 1 if guesses == before else 0
            if vain > _MOST_RESTARTS:
                record.failures.append("the game was paused again and again")
                break
            record.restarts += 1
            transcript.remark("the behaviour is started again")
        self.robot.forget()

    def _choose_certainty(self) -> tuple[float, float] | None:
        """Return the thresholds of the confidence for this kind of recognition; None for a robot's own thresholds."""
        measured = self.setting.trouble.measured
        if self.setting.voice is not None:
            return VOICE_CERTAINTY
        return None if measured is None else measured.certainty

    def _make_person(self, secret: str) -> SimulatedPerson:
        return SimulatedPerson(secret, self.setting.seed, self.lines, self.setting.trouble)

    def _run(self, person: SimulatedPerson, record: GameRecord, transcript: Transcript) -> None:
        """Run the behaviour once, from its start to its end."""
        self.robot.start(self.behaviour)
        pause = self.robot.advance()
        says: list[str] = []
        has_thought = not self.setting.answer_seconds
        while not pause.ended and record.answers < _MOST_ANSWERS:
            guess = self._get("Jotto/Guess")
            says = transcript.add_nao(pause.events) or says
            if pause.ears.engine is None and not pause.ears.touch:
                record.failures += [*self.behaviour.failures, "NAO neither listens nor continues"]
                self.robot.stop(self.behaviour)
                return
            state, score = self._get("Jotto/State"), self._get("Jotto/Score")
            view = PersonView(state, guess, score, says, tuple(pause.ears.vocabulary))
            self._look(record, view)
            self._note_end(person, record, view)
            late = None if has_thought else self._think()
            has_thought = late is not None or not self.setting.answer_seconds
            pause = late or self._answer(person, record, view, transcript)
        transcript.add_nao(pause.events)
        if not pause.ended:
            record.failures.append(f"no end after {_MOST_ANSWERS} answers")
            self.robot.stop(self.behaviour)
        record.failures += self.behaviour.failures

    def _look(self, record: GameRecord, view: PersonView) -> None:
        """Check what NAO has done, before the person answers."""

    def _note_end(self, person: SimulatedPerson, record: GameRecord, view: PersonView) -> None:
        """Note whether the game is over and its result; a second game, which NAO misheard, does not count."""
        is_over = view.state == "again"
        if view.state in _IN_BETWEEN or not (is_over or self._ended is not None):
            return
        game = json.loads(self._get("Jotto/Game"))["game"]
        self._ended = game["seed"] if self._ended is None else self._ended
        is_another = game["seed"] != self._ended
        if is_over and not record.over and not is_another:
            if not self.setting.touch_only:
                record.failures += list_false_claims(game, view.says, person.last, self.lines)
            self._sum_up(record, view)
            record.slip_named = record.slip_named or is_said_somehow(self.lines, ONE_SLIP, view.says)
        record.over = is_over or is_another

    def _think(self) -> Any:
        """Let the person think; return what NAO did meanwhile if it did not wait so long, else None.

        The person answers when NAO listens for the first time after `answer_seconds`.
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
            transcript.add_person("(silence)")
            with self.time.of_the_person():
                self.robot.wait()
            return self.robot.advance()
        if self.setting.touch_only:
            return self._touch(answer, view, transcript)
        if self.spoken is not None and person.prefers_touch(answer.meant, view):
            self.follower.note_touch()
            return self._touch(answer, view, transcript)
        if self.spoken is not None:
            return self._speak(answer, person, view, transcript)
        heard = f'   [heard: "{answer.phrase}", {answer.confidence:.2f}]' if answer.phrase != answer.meant else ""
        transcript.add_person(answer.meant + heard)
        self.robot.hear(answer.phrase, answer.confidence)
        return self.robot.advance()

    def _speak(self, answer: PersonAnswer, person: SimulatedPerson, view: PersonView, transcript: Transcript) -> Any:
        """Give the answer as sound; NAO hears the recogniser's result at the end of the sound."""
        assert self.spoken is not None
        text = " ".join(answer.meant) if person.is_guess(answer.meant, view) else answer.meant
        spoken = self.spoken.answer(text, view.vocabulary, person.secret, person.turn)
        person.last = PersonAnswer(spoken.phrase, spoken.confidence, answer.meant)
        self.follower.counts.recorded += spoken.is_recorded
        talk = json.loads(self._get("Jotto/Game"))
        heard, doubted = (spoken.phrase, spoken.confidence), talk["doubt"][0] if talk["doubt"] else ""
        asked = (view.state, view.guess, answer.meant)
        if self.follower.note(*asked, heard, spoken.nearest, doubted, is_missed=talk["misses"] > 0):
            self.spoken.keep(spoken, f"{person.secret}-{person.turn}-{'-'.join(answer.meant.split())}")
        if spoken.phrase is None:
            transcript.add_person(f"{answer.meant}   [not noticed]")
            with self.time.of_the_person():
                self.robot.wait()
            return self.robot.advance()
        transcript.add_person(f'{answer.meant}   [heard: "{spoken.phrase}", {spoken.confidence:.2f}]')
        with self.time.of_the_person():
            self.robot.wait(spoken.seconds)
        self.robot.hear(spoken.phrase, spoken.confidence)
        return self.robot.advance()

    def _sum_up(self, record: GameRecord, view: PersonView) -> None:
        record.found = view.guess == record.secret
        record.attempts = int(self._get("Jotto/Attempts"))

    def _touch(self, answer: PersonAnswer, view: PersonView, transcript: Transcript) -> Any:
        sensors = choose_touches(answer.meant, view.state, self.lines)
        transcript.add_person("touches the head: " + ", ".join(TOUCHES[sensor] for sensor in sensors))
        pause = None
        for sensor in sensors:
            with self.time.of_the_person():
                self.robot.touch(sensor)
            pause = self.robot.advance()
        return pause

    def _get(self, key: str) -> str:
        return str(self.robot.get(key))


def _describe_error(error: Exception) -> str:
    """Return an error as a sentence with its place in the code."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}, line {place.lineno})"


def choose_touches(phrase: str, state: str, lines: Lines) -> list[str]:
    """Return the sensors to touch for a phrase: front for yes, back for no, taps for numbers and letters.

    There is no touch for "I made a mistake"; the person answers no.
    """
    front, rear = "FrontTactilTouched", "RearTactilTouched"
    number = lines.find_meaning(phrase, [*states.NUMBERS, *states.PAIRS]) if state in COUNTS else None
    if number is not None:
        # Only the first of two numbers can be tapped; then NAO asks for the other.
        return [front] * int(number.split()[0]) + [rear]
    # The state can be missing from the table.
    is_spelled = state in states.STATES and states.STATES[state].touch == states.SPELL
    letter = lines.find_meaning(phrase, list(lines.letters)) if is_spelled else None
    if letter is not None:
        return [front] * (lines.alphabet.index(letter) + 1) + [rear]
    return [front] if lines.find_meaning(phrase, ["yes", "ready", "go on", "you guess"]) else [rear]


# Games in which NAO thinks of the word.


class RiddleRehearsal(Rehearsal):
    """Games in which the person guesses; failures are wrong scores, guesses counted twice or never, and wrong ends."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._turns: list[Any] = []
        self._expected = ""
        self._game = 0
        self._is_over = False
        self._is_race = False

    def _make_person(self, secret: str) -> SimulatedPerson:
        setting = self.setting
        self._turns, self._expected, self._game, self._is_over = [], "", 0, False
        tried = index_tried_words(setting.words, setting.code)
        # Moonshine understands a word that is spelled in one breath; otherwise every letter is an answer.
        is_fluent = setting.voice is not None and setting.voice.may_spell
        spells = setting.touch_only or (setting.voice is not None and not is_fluent)
        return Guesser(
            secret, setting.seed, self.lines, setting.trouble, index=tried, spells_all=spells, is_fluent=is_fluent
        )

    def _look(self, record: GameRecord, view: PersonView) -> None:
        talk = json.loads(self._get("Jotto/Game"))
        riddle, self._is_race = talk["riddle"], talk["race"]
        if riddle is None:
            return
        record.secret, record.hints = riddle["secret"], riddle["hints"]
        if riddle["game"]["seed"] != self._game:
            # The first game, or another one after a yes that NAO misheard.
            self._turns, self._expected, self._game, self._is_over = [], "", riddle["game"]["seed"], False
        solved = riddle["game"]["outcome"] == "solved"
        turns = riddle["game"]["turns"] + ([[riddle["secret"], [JOTTO.length, 0]]] if solved else [])
        record.failures += self._list_complaints(turns, record, view)
        self._turns, self._expected = turns, ""

    def _list_complaints(self, turns: list[Any], record: GameRecord, view: PersonView) -> list[str]:
        """Return the errors in the turns of NAO's memory, and in NAO's words about the last guess."""
        before, found = self._turns, []
        shorter, longer = sorted([before, turns], key=len)
        if longer[: len(shorter)] != shorter or len(longer) - len(shorter) > 1:
            found.append(f"from the guesses {before} NAO went to {turns}")
        guesses = [guess for guess, _ in turns]
        if len(set(guesses)) < len(guesses):
            found.append(f"a guess counts twice: {guesses}")
        if self._expected and self._expected not in guesses:
            found.append(f"{self._expected} was heard and does not count")
        if len(turns) > len(before):
            record.scores += 1
            found += _find_wrong_score(turns[-1], record.secret, view, self.lines, self._is_race)
        return found

    def _answer(self, person: SimulatedPerson, record: GameRecord, view: PersonView, transcript: Any) -> Any:
        pause = super()._answer(person, record, view, transcript)
        in_doubt = view.state == "asking back"
        # A request to confirm can be about another question, and "ready" is a word, too.
        if "your guess" in (view.state, person.before if in_doubt else ""):
            self._expect(person.last, in_doubt)
        return pause

    def _expect(self, answer: PersonAnswer | None, in_doubt: bool) -> None:
        """Note the word that NAO has heard with enough confidence, and must count."""
        known = mind.load_mind(self.setting.words, self.setting.strategy, (), self.setting.code)
        wanted = states.list_meanings("your guess", in_doubt)
        words = hearing.list_sayable_words(wanted, known, self.lines)
        if answer is not None and answer.phrase is not None and words is not None:
            certainty = self._choose_certainty()
            said = (answer.phrase, answer.confidence)
            heard = hearing.understand_phrase(*said, wanted, self.lines, words.words, certainty)
            is_word = heard.meaning == states.ANY_WORD and heard.certainty == hearing.SURE
            # With thresholds of a recogniser, NAO asks to confirm some words that it would believe with a robot's.
            needed = 0.0 if certainty is None else hearing.get_needed_confidence(states.ANY_WORD, certainty)
            is_believed = answer.confidence >= needed
            self._expected = heard.phrase if is_word and is_believed else ""

    def _sum_up(self, record: GameRecord, view: PersonView) -> None:
        riddle = json.loads(self._get("Jotto/Game"))["riddle"]
        if self._is_over or riddle is None:
            return
        self._is_over = True
        solved, attempts = riddle["game"]["outcome"] == "solved", len(self._turns)
        record.found, record.attempts = solved, attempts
        words = {"guess": record.secret, "attempts": attempts}
        if solved and attempts > 1 and not is_said(self.lines, "well guessed", view.says, **words):
            record.failures.append(f"{attempts} guesses count, and NAO said {view.says}")
        if not is_word_said(self.lines, record.secret, view.says):
            record.failures.append(f"the word was {record.secret}, and NAO said {view.says}")


def _find_wrong_score(turn: Any, secret: str, view: PersonView, lines: Lines, is_race: bool = False) -> list[str]:
    """Return the errors in the score of a guess: in NAO's turns, in ALMemory, and in NAO's words.

    In a race, ALMemory already has NAO's next guess.
    """
    guess, feedback = turn[0], tuple(turn[1])
    true = tuple(score_places_slowly(guess, secret))
    found = [] if feedback == true else [f"{guess} scores {true} for {secret}, and NAO noted {feedback}"]
    if guess == secret:
        return found
    if not is_race and (view.guess, view.score) != (guess, "{} {}".format(*true)):
        found.append(f"{guess} scores {true}, and onlookers see {view.guess} with {view.score}")
    keys = ["your score" if sum(true) else "your score, none"]
    keys += ["your score, four"] if true == (JOTTO.length - 1, 0) else []
    if not any(is_said(lines, key, view.says, guess=guess, exact=true[0], misplaced=true[1]) for key in keys):
        found.append(f"{guess} scores {true}, and NAO said {view.says}")
    return found


@cache
def index_tried_words(words: str, language: str) -> Index:
    """Return the index of the words that the person guesses: those that NAO knows and says."""
    known = mind.load_mind(words, "consistent", (), language)
    return Index(known.index.list_words(known.sayable), known.rules)


# Mishearing.

#: The highest rate at which NAO mishears; with a higher one, games do not end.
_MAX_MISHEAR_RATE = 0.9


def make_trouble(mishear: str, silence: float, mistake: float) -> Trouble:
    """Return the trouble in a game; `mishear` is a rate, a measured noise, or the name of a file of confusions.

    Raises DeskError if it is something else.

    >>> make_trouble("0.1", 0.0, 0.0).mishear
    0.1
    """
    if mishear in confidence.MEASURED:
        return Trouble(0.0, silence, mistake, confidence.load_measured(mishear))
    try:
        rate = float(mishear)
    except ValueError:
        if not Path(mishear).exists():
            raise DeskError(
                f"--mishear {mishear!r} is neither a rate from 0 to {_MAX_MISHEAR_RATE:g}, nor a measured "
                f"one ({', '.join(confidence.MEASURED)}), nor a file of confusions; "
                "jotto rehearse --voice --write-confusions FILE makes one."
            ) from None
        return Trouble(0.0, silence, mistake, confidence.read_confusions(Path(mishear)))
    if not 0 <= rate <= _MAX_MISHEAR_RATE:
        raise DeskError(f"The rate {mishear!r} of --mishear is not from 0 to {_MAX_MISHEAR_RATE:g}.")
    return Trouble(rate, silence, mistake)


def write_confusions(path: Path, records: Iterable[GameRecord], outcome: dict[str, Any]) -> None:
    """Write the confusions of spoken games into a file, with their source; no file if nobody spoke."""
    counts = confidence.add_counts(record.understood.heard for record in records if record.understood is not None)
    if not counts:
        return
    voice = outcome["voice"]
    source = (
        f"jotto rehearse --voice: {outcome['games']} games on list {outcome['list']}, seed {outcome['seed']}, "
        f"noise {voice['noise']}, {voice['recogniser']}, {counts.total()} sayings, {voice['recorded']:.0%} "
        "of them recordings of people, the others by ten voices of espeak-ng, which are not people"
    )
    files.write_whole(path, confidence.Confusions(source, VOICE_CERTAINTY, counts).format_text())
