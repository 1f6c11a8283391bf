"""The simulated NAO of a test, which the pytest fixture `nao` gives.

`Nao` has the acts of a person with the robot. NAO's sentences are a list; its memory is a dict.
"""

import re
from collections.abc import Iterator, MutableMapping, Sequence
from pathlib import Path
from typing import Any, SupportsIndex, overload

from naosim.cli import Transcript
from naosim.clock import Clock, PreemptiveClock
from naosim.errors import NaosimError, WrongUse
from naosim.packages import parse_naoqi_version, parse_robot_model
from naosim.player import Behaviour
from naosim.recording import Recorder, load_recording, read_recorded_options, replay_recording
from naosim.robot import Pause, Robot
from naosim.services import SERVICES
from naosim.world import Event, Faults
from naosim.xar import LANGUAGE_CODES

# The observations of a test.


class _Observations(list[str]):
    """Events in order; the error for a missing index says their number."""

    def __init__(self, items: Sequence[str], nothing: str) -> None:
        super().__init__(items)
        self._nothing = nothing

    @overload
    def __getitem__(self, index: SupportsIndex) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> str | list[str]:
        try:
            return super().__getitem__(index)
        except IndexError:
            said = f"only {len(self)} times: {list(self)}" if self else "not at all"
            raise IndexError(f"{self._nothing} {said}") from None


class _MemoryView(MutableMapping[str, Any]):
    """ALMemory as a dict."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot

    def __getitem__(self, key: str) -> Any:
        try:
            return self._robot.memory.getData(key)
        except RuntimeError:
            raise KeyError(f"ALMemory has no {key!r}") from None

    def __setitem__(self, key: str, value: Any) -> None:
        self._robot.set(key, value)

    def __delitem__(self, key: str) -> None:
        try:
            self._robot.memory.removeData(key)
        except RuntimeError:
            raise KeyError(f"ALMemory has no {key!r}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._robot.memory.getDataListName())

    def __len__(self) -> int:
        return len(self._robot.memory.getDataListName())


# The fixture `nao`.

_MAX_TRANSCRIPT_LINES = 40  # of a report
_MAX_RUN_S = 600.0  # virtual seconds that a robot acts by itself


class Nao:
    """A simulated NAO in virtual time: a minute of silence takes no time at all.

    Every verb lets the robot act until it waits for a person again, its behaviour has ended or ten minutes have passed,
    and raises a sentence as `naosim.NaosimError` for an impossible act, such as speaking to a deaf robot.
    """

    def __init__(
        self,
        folder: Path | str = ".",
        *,
        seed: int = 0,
        language: str | Sequence[str] = "English",
        without: str | Sequence[str] = (),
        posture: str = "Stand",
        threads: bool = False,
        camera: Path | str = "",
        robot_type: str = "Nao",
        naoqi: str = "2.8",
    ) -> None:
        self._folder = Path(folder)
        self._faults = Faults()
        self._missing = _list_names(without)
        self._languages = _list_names(language)
        self._seed, self._posture, self._threads = seed, posture, threads
        self._camera = str(self._folder / camera) if camera else None
        self._robot_type, self._naoqi = parse_robot_model(robot_type), parse_naoqi_version(naoqi)
        self._robot: Robot | None = None
        self._behaviour: Behaviour | None = None
        self._recorder: Recorder | None = None
        self._leaks_allowed = self._is_finished = False
        self._failures_allowed: re.Pattern[str] | None = None
        for name in self._languages:
            if name not in LANGUAGE_CODES:
                raise WrongUse(f'the robot does not speak "{name}": use one of {", ".join(sorted(LANGUAGE_CODES))}')
        self._check_services(self._missing)

    # Before the behaviour runs.

    def without(self, *services: str) -> None:
        """Take services away, such as "ALSpeechRecognition"; only before `run`."""
        self._check_services(services)
        if self._robot is not None:
            raise WrongUse("the robot is awake already: call without first")
        self._missing += services

    def failing(self, service: str, method: str, sentence: str = "the robot is broken", times: int = -1) -> None:
        """Have calls of a service's method raise RuntimeError(sentence): the next `times` calls, or all."""
        self._check_services((service,))
        self._faults.fail(service, method, sentence, times)

    def mishear(self, phrase: str, understood: str) -> None:
        """Have the robot understand something else whenever this phrase is said."""
        self._faults.mishear[phrase] = understood

    def allow_leaks(self, allowed: bool = True) -> None:
        """Let the test pass although the behaviour leaves subscriptions, timers or boxes open."""
        self._leaks_allowed = allowed

    def allow_failures(self, allowed: bool | str = True) -> None:
        """Let the test pass although handlers of the behaviour raised or logged an error.

        A regular expression allows only the failures in whose sentences it is found; raises WrongUse for a wrong one.
        """
        try:
            self._failures_allowed = re.compile(allowed if isinstance(allowed, str) else "") if allowed else None
        except re.error as error:
            raise WrongUse(f'"{allowed}" is not a regular expression ({error}): correct the pattern') from error

    # The acts of a person.

    def run(
        self,
        path: Path | str,
        *,
        behaviour: str = "",
        parameters: dict[str, Any] | None = None,
        rewrite: bool = True,
        dialogs: Sequence[str] = (),
    ) -> None:
        """Load and start a behaviour, and let it act.

        `path` is a behavior.xar, a project or a package, seen from the test's folder; `behaviour` names one of several,
        `parameters` sets "Name" or "Box.Name", `dialogs` are the Dialog boxes that `dialog` answers. Scripts for
        Python 2 are turned into Python 3 unless `rewrite` is False.
        """
        self._load(path, behaviour, parameters or {}, rewrite, dialogs)
        self.robot.start()
        self.robot.advance(_MAX_RUN_S)

    def hear(self, phrase: str, confidence: float = 0.9) -> Pause:
        """Say something to the robot; raise WrongUse if it does not listen."""
        ears = self.robot.ears()
        if ears.engine is None:
            others = f"; it waits for {', '.join(ears.touch)}" if ears.touch else ""
            raise WrongUse(f'nobody hears "{phrase}": the robot does not listen{others}')
        self.robot.hear(phrase, confidence)
        return self.robot.advance(_MAX_RUN_S)

    def touch(self, sensor: str) -> Pause:
        """Press a sensor, named by its event such as "FrontTactilTouched", and let go."""
        self.robot.touch(sensor)
        return self.robot.advance(_MAX_RUN_S)

    def push(self, direction: str = "front") -> Pause:
        """Push a standing NAO so that it falls to the "front" or the "back"."""
        self.robot.person.push(direction)
        return self.robot.advance(_MAX_RUN_S)

    def event(self, key: str, value: Any) -> Pause:
        """Let its sensors notice something, such as ("FaceDetected", "Ann") or ("SonarLeftDetected", 0.3).

        A name stands for a face or picture, a number for a landmark, True for something unknown, [] for nothing. What
        is in sight is noticed when the behaviour looks for it. A key of a device is set. Raises WrongUse for an
        impossible key or value.
        """
        self.robot.event(key, value)
        return self.robot.advance(_MAX_RUN_S)

    def stay_silent(self, seconds: float | None = None) -> Pause:
        """Say nothing for `seconds` seconds, or until the next time-out of the behaviour."""
        return self.robot.stay_silent(seconds)

    def dialog(self, box: str, output: str, value: Any = None) -> Pause:
        """Fire an output of a Dialog box that was named to `run`, as its topic would."""
        self._get_running().answer(box, output, value)
        return self.robot.advance(_MAX_RUN_S)

    def stop(self) -> None:
        """Stop the behaviour as a user does in Choregraphe."""
        self._get_running()
        self.robot.stop()

    def replay(self, path: Path | str, recording: Path | str) -> bool:
        """Repeat the acts of a recording (`python -m naosim --record`) with a behaviour, on the robot of the recording.

        Return False when other events came of it; raises `naosim.recording.Diverged` at the first act that no
        longer fits.
        """
        if self._robot is not None:
            raise WrongUse("the robot is awake already: call replay first")
        found = load_recording(str(self._folder / recording))
        options = read_recorded_options(found.header)
        self._seed, self._threads = options.get("seed", 0), options.get("threads", False)
        self._missing = tuple(options.get("without", ()))
        self._camera = options.get("camera") or None
        self._robot_type, self._naoqi = options.get("robot_type", "Nao"), options.get("naoqi", "2.8")
        self._languages = tuple(options.get("languages", ("English",)))
        behaviour, parameters = options.get("behaviour", ""), options.get("parameters", {})
        self._load(path, behaviour, parameters, options.get("rewrite", True), options.get("dialogs", ()))
        return replay_recording(self.robot, found)

    # The robot's words and acts.

    @property
    def robot(self) -> Robot:
        """Return the simulated robot, for methods that this class lacks."""
        if self._robot is None:
            clock: Clock | None = PreemptiveClock() if self._threads else None
            self._robot = Robot(
                self._missing,
                self._faults,
                self._seed,
                self._posture,
                self._languages,
                clock=clock,
                camera=self._camera,
                robot_type=self._robot_type,
                naoqi=self._naoqi,
            )
        return self._robot

    @property
    def memory(self) -> _MemoryView:
        """Return ALMemory as a dict: `nao.memory["Game/Score"]`."""
        return _MemoryView(self.robot)

    @property
    def said(self) -> _Observations:
        """Return the texts the robot said, without their tags."""
        return _Observations(
            [str(fields.get("plain") or fields["text"]) for fields in self._list_events("say")], "NAO spoke"
        )

    @property
    def eyes(self) -> _Observations:
        """Return the colours its eyes took, such as "#ff0000"."""
        return _Observations(
            [str(fields.get("colour")) for fields in self._list_events("eyes")], "NAO changed its eyes"
        )

    @property
    def leds(self) -> _Observations:
        """Return the other lights it changed, as "group colour"."""
        seen = [f"{fields.get('group')} {fields.get('colour')}" for fields in self._list_events("leds")]
        return _Observations(seen, "NAO changed other lights")

    @property
    def postures(self) -> _Observations:
        """Return the postures it took."""
        return _Observations([str(fields["posture"]) for fields in self._list_events("posture")], "NAO took a posture")

    @property
    def listens_for(self) -> list[str]:
        """Return the phrases it listens for at the moment."""
        return list(self.robot.ears().vocabulary)

    @property
    def time(self) -> float:
        """Return the seconds since the robot woke."""
        return float(self.robot.clock.now())

    @property
    def ended(self) -> bool:
        """Return whether the behaviour has ended."""
        return self._behaviour is not None and self._behaviour.ended

    @property
    def failures(self) -> list[str]:
        """List the failures inside the behaviour, one sentence each."""
        return [] if self._behaviour is None else self._behaviour.failures

    @property
    def leaks(self) -> list[str]:
        """List the leaks at this moment, one sentence each."""
        return [] if self._behaviour is None else self.robot.leaks()

    @property
    def events(self) -> list[Event]:
        """Return everything that happened, as `naosim.Event`s."""
        return list(self.robot.trace.events)

    def transcript(self, most: int = _MAX_TRANSCRIPT_LINES) -> str:
        """Return the last lines of the transcript."""
        events = [] if self._robot is None else self._robot.trace.events
        transcript = Transcript()
        lines = [line for event in events for line in transcript.lines(event)] + transcript.rest()
        left_out = [f"... {len(lines) - most} lines before"] if len(lines) > most else []
        return "\n".join(left_out + lines[-most:])

    def write_recording(self, path: Path | str) -> None:
        """Save the acts of the test, for `replay` or `python -m naosim --replay`."""
        if self._recorder is None:
            raise WrongUse("there is nothing to record: call run first")
        self._recorder.write(str(self._folder / path))

    # The end.

    def finish(self) -> list[str]:
        """Stop the behaviour; list failures and leaks that are not allowed, one sentence each."""
        if self._behaviour is None or self._is_finished:
            return []
        self._is_finished = True
        try:
            if not self._behaviour.ended:
                self.robot.stop()
        except NaosimError as error:
            return [str(error)]
        return list_troubles(self.failures, self._failures_allowed, [] if self._leaks_allowed else self.leaks)

    def close(self) -> None:
        """Switch the robot off."""
        if self._robot is not None:
            self._robot.close()

    def _load(
        self, path: Path | str, behaviour: str, parameters: dict[str, Any], rewrite: bool, dialogs: Sequence[str]
    ) -> None:
        if self._recorder is not None:
            self._recorder.close()
        self._behaviour = self.robot.load(str(self._folder / path), rewrite, parameters, behaviour, dialogs)
        self._recorder = Recorder(
            self.robot,
            seed=self._seed,
            without=list(self._missing),
            languages=list(self._languages),
            rewrite=rewrite,
            parameters=parameters,
            behaviour=behaviour,
            dialogs=list(dialogs),
            threads=self._threads,
            camera=self._camera or "",
            robot_type=self._robot_type,
            naoqi=self._naoqi,
        )

    def _list_events(self, kind: str) -> list[dict[str, Any]]:
        return [event.fields for event in self.robot.trace.of(kind)]

    def _get_running(self) -> Behaviour:
        if self._behaviour is None:
            raise WrongUse("no behaviour runs: call run first")
        return self._behaviour

    @staticmethod
    def _check_services(names: Sequence[str]) -> None:
        for name in names:
            if name not in SERVICES:
                raise WrongUse(f'the robot has no service "{name}"; look up its name in naosim.services')


def list_troubles(failures: Sequence[str], allowed: re.Pattern[str] | None, leaks: Sequence[str]) -> list[str]:
    """List the failures that no pattern allows, and what a behaviour left behind, one sentence each."""
    troubles = [f"failure: {each}" for each in failures if allowed is None or not allowed.search(each)]
    return troubles + [f"left behind: {each}" for each in leaks]


def _list_names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
