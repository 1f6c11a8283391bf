"""Runs a talk on a robot: `run_talk` returns an outcome with the difference, the transcript and the recording."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

from naosim.errors import NaosimError, WrongUse
from naosim.recording import Recorder
from naosim.robot import Ears, Pause, Robot, RobotDriver
from naosim.world import Event, Faults
from naosim_robots.child import find_python27
from naosim_robots.far.robot import FarRobot
from naosim_robots.hosting import RemoteRobot
from naosim_robots.testing import list_troubles

from .checking import Difference, Moment, check_end, check_forbidden, check_moment, holds, write_transcript
from .persons import Deed, Person
from .reader import Place
from .talk import Act, Interruption, Setup, Talk, TalkStep

_MAX_RUN_S = 600.0  # virtual seconds that a robot acts by itself, as in the fixture `nao`
_MOST_TEXTS = 20  # troubles of an end that one sentence lists


class TalkOutcome(NamedTuple):
    """The result of one run: the difference that ended it, None if all was as wanted; the transcript; the recording.

    `seconds` is the robot's time. A recording is None if the robot is in another process or far away.
    """

    talk: Talk
    robot: str
    seed: int
    difference: Difference | None
    transcript: list[str]
    seconds: float
    recording: list[str] | None = None

    @property
    def report(self) -> str:
        """Return the sentence and the transcript for people; "" if all was as wanted."""
        return "\n".join([str(self.difference), *self.transcript]) if self.difference is not None else ""


#: What opens a robot for a setup and a seed.
Opener = Callable[[Setup, int], contextlib.AbstractContextManager[Any]]


@contextlib.contextmanager
def open_here(setup: Setup, seed: int) -> Iterator[Robot]:
    """Open a simulated robot in this process."""
    options, faults = _list_options(setup, seed), Faults()
    faults.plan(options.pop("faults"))
    paths = [str(each) for each in setup.imports if str(each) not in sys.path]
    sys.path[:0] = paths
    try:
        with Robot(faults=faults, **options) as robot:
            yield robot
    finally:
        sys.path[:] = [each for each in sys.path if each not in paths]


def open_on_python(python: str) -> Opener:
    """Return what opens a simulated robot on another interpreter, such as Python 2.7."""
    return lambda setup, seed: RemoteRobot(python, import_paths=setup.imports, **_list_options(setup, seed))


def choose_opener(python: str) -> Opener:
    """Return what opens a simulated robot here on Python "3", or on "2.7"; raises WrongUse if 2.7 is missing."""
    if python == "3":
        return open_here
    found = find_python27(os.environ)
    if found is None:
        raise WrongUse("a talk needs Python 2.7, which is missing: install it, or name it by NAOSIM_PYTHON27.")
    return open_on_python(found)


def open_far(url: str, **login: Any) -> Opener:
    """Return what opens a robot at an address: its boxes run here, its services are those of the robot."""
    return lambda setup, seed: FarRobot(url, seed=seed, **login)


def _list_options(setup: Setup, seed: int) -> dict[str, Any]:
    robot = setup.robot
    return {
        "without": robot.get("without", []),
        "faults": dict(robot.get("faults", {})),
        "seed": seed,
        "posture": robot.get("posture", "Stand"),
        "languages": robot.get("language", ["English"]),
        "robot_type": robot.get("body", "Nao"),
        "naoqi": robot.get("naoqi", "2.8"),
        "strict": robot.get("strict", False),
    }


def run_talk(talk: Talk, open_robot: Opener = open_here, name: str = "", offset: int = 0) -> TalkOutcome:
    """Run a talk once, with its seed plus `offset`; `name` is what the outcome calls the robot.

    Raises NaosimError if the robot cannot be reached.
    """
    seed = talk.setup.seed + offset
    with open_robot(talk.setup, seed) as robot:
        run = _Run(talk, robot, seed)
        difference = run.run()
        transcript, recording = write_transcript(run.events, difference), run.list_recording()
        return TalkOutcome(talk, name, seed, difference, transcript, robot.now(), recording)


def repeat_talk(talk: Talk, open_robot: Opener = open_here, name: str = "") -> Iterator[TalkOutcome]:
    """Run a talk as often as it says, each time with the next seed."""
    for offset in range(talk.repeat):
        yield run_talk(talk, open_robot, name, offset)


class _Run:
    """One run of a talk."""

    def __init__(self, talk: Talk, robot: Any, seed: int) -> None:
        self._talk, self._robot, self._seed = talk, robot, seed
        self._setup = talk.setup
        self.events: list[Event] = []
        self._pause = Pause([], Ears(None, (), False, ()), False)
        #: The first event, and the time, of the reaction to the last act.
        self._first, self._act_time = 0, 0.0
        self._recorder: Recorder | None = None
        self._behaviour: Any = None

    def run(self) -> Difference | None:
        """Load the behaviour and run the steps; return the difference that ended them, or what was wrong at the end."""
        steps = self._talk.steps
        try:
            self._load()
            if steps[0].act.kind != "started":
                self._do(self._robot.start)
                self._check_never()
            for step in steps:
                self._take_step(step)
            return self._finish()
        except (NaosimError, RuntimeError) as error:
            # A real robot must not go on by itself.
            with contextlib.suppress(NaosimError, RuntimeError):
                self._robot.stop()
            return error if isinstance(error, Difference) else Difference(self._talk.place, str(error))

    def _load(self) -> None:
        robot, setup = self._robot, self._setup
        # Python 2.7 runs scripts for Python 2 as they are.
        rewrite = setup.rewrite and not isinstance(robot, RemoteRobot)
        self._behaviour = robot.load(str(setup.behaviour), rewrite, parameters=setup.parameters, behaviour=setup.name)
        if isinstance(robot, Robot):
            self._recorder = Recorder(robot, **_list_recorded(setup, self._seed))
        for key, value in setup.memory.items():
            robot.set(key, _store(value))

    def list_recording(self) -> list[str] | None:
        """Return the lines of the recording; None if none exists."""
        if self._recorder is None:
            return None
        self._recorder.close()
        with contextlib.suppress(WrongUse):
            return self._recorder.lines()
        return None

    # Steps.

    def _take_step(self, step: TalkStep) -> None:
        if step.act.kind == "person":
            self._let_person_talk(step)
        elif step.act.kind:
            *before, last = self._list_calls(step.act, step.place)
            for call in before:
                self._do(call)
                self._check_never()
            self._do(last, [(each.after, partial(self._interrupt, each)) for each in step.interruptions])
            self._check_never()
        moment = self._look()
        if step.forbidden is not None:
            check_forbidden(step.forbidden, moment)
        check_moment(step.check, moment, step.within)

    def _interrupt(self, interruption: Interruption) -> None:
        robot, act = self._robot, interruption.act
        kinds = Counter(event.kind for event in self.events)
        if interruption.after and kinds["say"] <= kinds["said"]:
            raise Difference(
                interruption.place, f"NAO does not speak {interruption.after:g} s after the act: change it."
            )
        if act.kind == "raised":
            for key, value in act.value.items():
                robot.event(key, value)
            return
        for each in act.value:
            (robot.touch if act.kind == "touched" else robot.hear)(each)

    def _list_calls(self, act: Act, place: Place) -> list[Callable[[], object]]:
        """Return the calls of an act; after each NAO acts until it waits."""
        robot = self._robot
        if act.kind == "said":
            return [partial(self._say, phrase, act.confidence, place) for phrase in act.value]
        if act.kind == "raised":
            return [partial(robot.event, key, value) for key, value in act.value.items()]
        if act.kind == "stored":
            return [partial(robot.set, key, _store(value)) for key, value in act.value.items()]
        if act.kind in ("started", "stopped"):
            return [robot.start if act.kind == "started" else robot.stop]
        call = robot.touch if act.kind == "touched" else robot.stay_silent
        return [partial(call, each) for each in act.value]

    def _say(self, phrase: str, confidence: float, place: Place) -> None:
        ears = self._robot.ears()
        if ears.engine is None:
            others = f"; it waits for {', '.join(ears.touch)}" if ears.touch else ""
            raise Difference(place, f'nobody hears "{phrase}": the robot does not listen{others}.', f"hears {phrase}")
        self._robot.hear(phrase, confidence)

    def _do(self, call: Callable[[], object], later: Sequence[tuple[float, Callable[[], object]]] = ()) -> None:
        """Do an act, and later ones while NAO still acts; its reaction is what happens until it waits again."""
        robot = self._robot
        self._first, self._act_time = len(self.events), robot.now()
        result = call()
        for seconds, call_later in later:
            self._take(robot.advance(max(0.0, self._act_time + seconds - robot.now())))
            call_later()
        self._take(result if isinstance(result, Pause) else robot.advance(_MAX_RUN_S))

    def _take(self, pause: Pause) -> None:
        # A robot with a trace has all events; touches of a far robot are not in its pauses.
        is_driver = isinstance(self._robot, RobotDriver)
        self.events += self._robot.trace.list_since(len(self.events)) if is_driver else pause.events
        self._pause = pause

    def _look(self) -> Moment:
        pause = self._pause
        return Moment(self.events[self._first :], self._first, self._act_time, pause.ears, pause.ended, self._robot.get)

    def _check_never(self) -> None:
        for check in self._setup.never:
            check_forbidden(check, self._look())

    # Persons.

    def _let_person_talk(self, step: TalkStep) -> None:
        kinds = step.act.value
        kind = kinds[self._seed % len(kinds)]
        person = Person(kind, self._setup.answers, self._seed)
        for _ in range(step.goal.turns):
            moment = self._look()
            if self._has_reached(step, moment):
                return
            if moment.has_ended:
                break
            self._do_deeds(person.answer(moment))
        if not self._has_reached(step, self._look()):
            wanted = step.goal.check
            place = step.place if wanted is None else wanted.place
            why = "the behaviour ended before" if self._look().has_ended else f"not after {step.goal.turns} answers"
            raise Difference(
                place, f"the {kind} person with the seed {self._seed} did not reach the goal: {why}.", "goal"
            )

    def _has_reached(self, step: TalkStep, moment: Moment) -> bool:
        return moment.has_ended if step.goal.check is None else holds(step.goal.check, moment)

    def _do_deeds(self, deeds: list[Deed]) -> None:
        while deeds and not self._pause.ended:
            later = list(takewhile(lambda deed: deed.after is not None, deeds[1:]))
            self._do(self._make_call(deeds[0]), [(each.after or 0.0, self._make_call(each)) for each in later])
            self._check_never()
            deeds = deeds[1 + len(later) :]

    def _make_call(self, deed: Deed) -> Callable[[], object]:
        robot = self._robot
        if deed.sensor:
            return partial(robot.touch, deed.sensor)
        return robot.stay_silent if deed.phrase is None else partial(robot.hear, deed.phrase, deed.confidence)

    # The end.

    def _finish(self) -> Difference | None:
        """Stop a behaviour that still runs; return what it did wrong or left behind, as the fixture `nao` does."""
        setup, robot = self._setup, self._robot
        if not self._pause.ended:
            robot.stop()
        self._take(robot.advance(0.0))
        everything = self._look()._replace(events=self.events, first=0, act_time=0.0)
        for check in setup.end:
            check_end(check, everything)
        allowed = re.compile("" if setup.failures is True else setup.failures) if setup.failures else None
        troubles = list_troubles(self._behaviour.failures, allowed, [] if setup.leaks else robot.leaks())
        if not troubles:
            return None
        return Difference(self._talk.place, "\n".join(troubles[:_MOST_TEXTS]))


def _store(value: Any) -> Any:
    """Return a value for ALMemory, which has no mappings: they are stored as JSON text."""
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else value


def _list_recorded(setup: Setup, seed: int) -> dict[str, Any]:
    options = _list_options(setup, seed)
    kept = {name: options[name] for name in ("without", "seed", "languages", "robot_type", "naoqi")}
    return {**kept, "rewrite": setup.rewrite, "parameters": setup.parameters, "behaviour": setup.name}
