"""Compares a robot with the rows of the table: `Runner(session, library).run(facts)` yields an `Outcome` for each."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import wait
from typing import Any, NamedTuple

import qiwire
from naosim.errors import NaosimError
from naosim_robots.far.connection import read_robot_words
from naosim_robots.futures import python_future
from qiwire.futures import Strand

from .patterns import WrongPattern
from .table import ABSENT, MARKS, OTHERS, Fact, Robot, Step

HUMAN = "SimulatedHuman"
_NAO_SIM = "NaoSim"
#: The services that the maker's NAOqi for desktops lacks: funwithagents/nao-sim, specs/container/container.md, for 2.1
#: and 2.8; mfbergmann/PepperEvolution, docs/HANDOFF.md, for 2.5.
_DESKTOP_LACKS = frozenset(
    [
        "ALAudioDevice",
        "ALAudioRecorder",
        "ALBarcodeReader",
        "ALFaceDetection",
        "ALInfrared",
        "ALLandMarkDetection",
        "ALLaser",
        "ALPhotoCapture",
        "ALSoundLocalization",
        "ALSpeechRecognition",
        "ALSystem",
        "ALTabletService",
        "ALVideoRecorder",
    ]
)

#: The acts of a robot's owner, by the verb of the simulated person.
_DEEDS = {"hear": "say", "touch": "touch for a moment", "press": "touch and hold", "release": "let go of"}
_PLACES = {
    "FrontTactilTouched": "the front of its head",
    "MiddleTactilTouched": "the middle of its head",
    "RearTactilTouched": "the back of its head",
}

#: States of an outcome. The first three are compared with the fact, the others are not.
HOLDS, DIFFERS, MISSING, LEFT_OUT, DOES_NOT_APPLY = "holds", "differs", "missing", "left out", "does not apply"
COMPARED = (HOLDS, DIFFERS, MISSING)

_CALL_TIMEOUT_S = 10.0  # real seconds for an answer: a robot needs two to change its language
_EVENT_TIMEOUT_S = 5.0  # real seconds for an event
_PERSON_TIMEOUT_S = 20.0  # real seconds for the owner of a robot to do something
_PERSON_DEED_S = 1.0  # seconds in which a person's act ends
_GRACE_S = 0.3  # real seconds in which no other event can come
_ROW_TIMEOUT_S = 30.0  # real seconds for a row; after them no other step begins
#: The number of tries of a row if a call takes too long: computers and networks have slow moments.
_TRIES_FOR_TIME = 2
_MAX_EVENTS = 10_000
_MAX_TOLD = 600  # characters of a value that an outcome quotes


class UnknownRobot(NaosimError):
    """The robot does not report its kind."""


class RobotLost(NaosimError):
    """The robot went away while it was compared."""


class Outcome(NamedTuple):
    """The result of one row: its state, the step that decided, the real and the expected value."""

    fact: Fact
    state: str
    step: str = ""
    came: str = ""
    wanted: str = ""

    @property
    def counts(self) -> bool:
        """Return whether it was compared, and the sources agree about it."""
        return self.state in COMPARED and not self.fact.disputed


class _Differs(Exception):
    """A step came out differently."""

    def __init__(self, step: Step, came: str, wanted: str, state: str = DIFFERS, is_late: bool = False) -> None:
        super().__init__(came)
        self.step, self.came, self.wanted, self.state, self.is_late = step, came, wanted, state, is_late


class _Missing(Exception):
    """The robot has no such service; the text is its name."""


class _NoMethod(Exception):
    """The service has no such method, which is not an error of a call; the text names it."""


class _Event(NamedTuple):
    name: str
    value: Any

    def tell(self) -> str:
        return f"{self.name} {_quote(self.value)}"


class Runner:
    """Runs rows over a session of `library`, which is qiwire or libqi's `qi`, one row after the other.

    `marks` are the marks whose rows run, None for all on a simulated robot and none on others. `ask_owner` gets what
    the owner of a real robot has to do. `robot` is the body and version, if the robot does not say them itself; its
    services tell its place. Rows about services that no desktop has are not for a virtual robot. An event must come
    within `patience` real seconds.
    """

    def __init__(
        self,
        session: Any,
        library: Any = qiwire,
        marks: Collection[str] | None = None,
        robot: Robot | None = None,
        ask_owner: Callable[[str], object] = lambda _sentence: None,
        patience: float = _EVENT_TIMEOUT_S,
    ) -> None:
        self._session, self._ask_owner, self.patience = session, ask_owner, patience
        #: Libqi runs the callbacks of a program without an order: there, only the values are compared.
        self.is_in_order = library is qiwire
        self._objects: dict[str, Any] = {}
        names = {str(row["name"]) for row in self._await(session.services(_async=True))}
        self.is_simulated = HUMAN in names
        self.marks = frozenset(marks if marks is not None else MARKS if self.is_simulated else ())
        # Only robots have ALSystem; nao-sim adds its own service to the maker's NAOqi.
        place = "real" if "ALSystem" in names and _NAO_SIM not in names else "virtual"
        self.robot = (robot or self._identify(names))._replace(place=place)

    def run(self, facts: Iterable[Fact]) -> Iterator[Outcome]:
        """Yield the outcome of each row, rows for a fresh robot first; raises RobotLost."""
        for fact in sorted(facts, key=lambda fact: "fresh" not in fact.marks):
            outcome = self.run_row(fact)
            if not self._session.isConnected():
                raise RobotLost(f"The robot went away at the row {fact.id}: start it again, and leave the row out.")
            yield outcome

    def run_row(self, fact: Fact) -> Outcome:
        """Compare the robot with one row."""
        lacks_parts = self.robot.place == "virtual" and not _DESKTOP_LACKS.isdisjoint(fact.services)
        if lacks_parts or not fact.applies_to(self.robot):
            return Outcome(fact, DOES_NOT_APPLY)
        if not fact.marks <= self.marks:
            return Outcome(fact, LEFT_OUT)
        for _ in range(_TRIES_FOR_TIME):
            outcome, is_late = _Row(self, fact).run()
            if not is_late:
                break
        return outcome

    def _identify(self, names: set[str]) -> Robot:
        """Return the robot's description of itself; raises UnknownRobot."""
        said: dict[str, str] = {}
        for ask, service, method in (
            ("version", "ALSystem", "systemVersion"),
            ("version", "ALMemory", "version"),
            ("body", "ALRobotModel", "getRobotType"),
            ("body", "ALMotion", "getRobotConfig"),
        ):
            if not said.get(ask) and service in names:
                with contextlib.suppress(RuntimeError, TimeoutError, _Missing, _NoMethod):
                    said[ask] = str(self.call(service, method, []))
        model = said.get("body", "").lower()
        body = "Pepper" if "juliette" in model or "pepper" in model else "NAO" if "nao" in model else ""
        if not body or not said.get("version"):
            what = "its version" if body else "whether it is a NAO or a Pepper"
            raise UnknownRobot(f"The robot does not say {what}: give --naoqi VERSION --body NAO, or Pepper.")
        return Robot(body, said["version"])

    # The verbs of rows.

    def find(self, service: str) -> Any:
        """Return the object of a service; raises _Missing."""
        if service not in self._objects:
            try:
                self._objects[service] = self._await(self._session.service(service, _async=True))
            except RuntimeError:
                raise _Missing(service) from None
        return self._objects[service]

    def start_call(self, service: str, method: str, args: list[Any]) -> Any:
        """Return the future of a call; raises _Missing, or _NoMethod."""
        found = self.find(service)
        try:
            called = getattr(found, method)
        except AttributeError:
            raise _NoMethod(f"{service} has no method {method}") from None
        return python_future(called(*args, _async=True))

    def call(self, service: str, method: str, args: list[Any]) -> Any:
        """Return the result of a call; raises RuntimeError with the robot's words, TimeoutError, or as `start_call`."""
        return self._await(self.start_call(service, method, args))

    def has(self, name: str) -> bool:
        """Return whether there is a service, or a method, signal or property of one."""
        service, dot, member = name.partition(".")
        try:
            found = self.find(service)
        except _Missing:
            return False
        meta = found.metaObject() if dot else {}
        return not dot or any(
            member == row["name"] for kind in ("methods", "signals", "properties") for row in meta[kind].values()
        )

    def read_clock(self) -> float:
        """Return the seconds of the simulated robot's clock, or of this computer's."""
        if self.is_simulated:
            return float(self.call(HUMAN, "state", [])["seconds"])
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Wait, on the simulated robot in its own time."""
        if self.is_simulated:
            self.call(HUMAN, "stay_silent", [seconds])
        else:
            time.sleep(seconds)

    def act(self, verb: str, args: list[Any]) -> None:
        """Have the simulated person do something, or ask the robot's owner to."""
        if self.is_simulated:
            self.call(HUMAN, verb, args)
        else:
            self._ask_owner(f"{_DEEDS.get(verb, verb)} {', '.join(_PLACES.get(str(each), str(each)) for each in args)}")

    def connect(self, name: str, callback: Callable[..., None], strand: Strand) -> Callable[[], object]:
        """Connect to an event of ALMemory or to Service.signal; return what ends that."""
        service, dot, member = name.partition(".")
        if dot and "/" not in name:
            owner = self.find(service)
            signal = getattr(owner, member)
        else:
            owner = self.call("ALMemory", "subscriber", [name])
            signal = owner.signal
        options = {"strand": strand} if self.is_in_order else {}
        link = self._await(signal.connect(callback, _async=True, **options))
        # The owner lives until the connection ends.
        return lambda: (self._await(signal.disconnect(link, _async=True)), owner)

    def _await(self, future: Any) -> Any:
        """Return the value of a future; raises RuntimeError, or TimeoutError."""
        answer = python_future(future)
        # Python 3.10 has two errors with the name TimeoutError.
        if not wait([answer], _CALL_TIMEOUT_S).done:
            raise TimeoutError(f"no answer within {_CALL_TIMEOUT_S:g} seconds")
        return answer.result()


class _Row:
    """One row while it runs."""

    def __init__(self, runner: Runner, fact: Fact) -> None:
        self._runner, self._fact = runner, fact
        self._names: dict[str, Any] = {}
        self._links: list[Callable[[], object]] = []
        self._after: list[Step] = []
        self._meanwhile: list[Any] = []
        self._events: deque[_Event] = deque()
        self._changed = threading.Condition()
        self._strand = Strand()
        self._skips = self._has_skipped = False
        self._patience = runner.patience

    def run(self) -> tuple[Outcome, bool]:
        """Return the outcome, and whether a call took too long."""
        end = time.monotonic() + _ROW_TIMEOUT_S
        outcome, is_late = Outcome(self._fact, HOLDS), False
        try:
            for step in self._fact.steps:
                if time.monotonic() > end:
                    raise _Differs(step, f"{_ROW_TIMEOUT_S:g} seconds have passed", step.text)
                self._run_step(step)
            self._check_rest()
        except _Differs as error:
            outcome = Outcome(self._fact, error.state, error.step.text, error.came, error.wanted)
            is_late = error.is_late
        finally:
            self._clean_up()
        return outcome, is_late

    def _run_step(self, step: Step) -> None:
        try:
            _STEPS[step.verb](self, step)
        except _Differs as error:
            if step.verb == "needs":
                error.state = DOES_NOT_APPLY
            raise
        except (_Missing, RuntimeError, AttributeError, TimeoutError, _NoMethod) as error:
            if step.verb == "needs":
                raise _Differs(step, "", step.text, DOES_NOT_APPLY) from None
            if not isinstance(error, _Missing):
                raise _Differs(step, read_robot_words(error), step.text) from None
            raise _Differs(step, f"there is no {error}", step.text, MISSING) from None

    def _note_for_later(self, step: Step) -> None:
        self._after.append(step)

    def _start_call(self, step: Step) -> None:
        self._meanwhile.append(self._runner.start_call(*self._read_call(step)))

    def _act(self, step: Step) -> None:
        _, verb, args = self._read_call(step)
        self._runner.act(verb, args)
        if not self._runner.is_simulated:
            self._patience = _PERSON_TIMEOUT_S

    def _check_presence(self, step: Step) -> None:
        there = self._runner.has(step.subject)
        if there != (step.verb == "has"):
            raise _Differs(step, f"it {'has' if there else 'lacks'} {step.subject}", step.text)

    def _wait(self, step: Step) -> None:
        self._runner.wait(float(step.subject))

    def _read_call(self, step: Step) -> tuple[str, str, list[Any]]:
        service, _, method = step.subject.partition(".")
        try:
            return service, method, [each.make_value(self._names) for each in step.arguments]
        except WrongPattern as error:
            raise RuntimeError(str(error)) from None

    def _call(self, step: Step) -> None:
        service, method, args = self._read_call(step)
        begin = self._runner.read_clock() if step.takes else 0.0
        error = ""
        try:
            value = self._runner.call(service, method, args)
        except RuntimeError as raised:
            error = value = read_robot_words(raised)
            if not step.is_error:
                raise
        if step.is_error and not error:
            raise _Differs(step, _quote(value), f"error {step.wanted.text if step.wanted else ''}")
        if step.stores:
            self._names[step.stores] = value
        wanted = step.wanted
        if wanted is not None:
            is_part = step.is_error and wanted.kind == "literal" and str(wanted.content) in error
            if not is_part and not wanted.fits(value, self._names):
                raise _Differs(step, _quote(value), f"{'error ' if step.is_error else ''}{wanted.text}")
        if step.takes:
            seconds = self._runner.read_clock() - begin
            least, most = step.takes
            if not least <= seconds <= most:
                raise _Differs(step, f"{seconds:.2f} s", f"{least:g} to {most:g} s", is_late=seconds > most)

    def _read_key(self, step: Step) -> None:
        assert step.wanted is not None
        try:
            value = self._runner.call("ALMemory", "getData", [step.subject])
        except RuntimeError as error:
            if step.wanted == ABSENT:
                return
            raise _Differs(step, read_robot_words(error), step.wanted.text) from None
        # NAOqi 2.8 gives null for a key that is not there.
        if step.wanted == ABSENT:
            if value is not None:
                raise _Differs(step, _quote(value), ABSENT.text)
        elif not step.wanted.fits(value, self._names):
            raise _Differs(step, _quote(value), step.wanted.text)

    # Events.

    def _watch(self, step: Step) -> None:
        for name in step.subject.split(","):
            self._watch_one(name.strip())

    def _watch_one(self, name: str) -> None:
        def note(*values: Any) -> None:
            with self._changed:
                if len(self._events) < _MAX_EVENTS:
                    value = values[0] if len(values) == 1 else list(values)
                    self._events.append(_Event(name, value))
                    self._changed.notify_all()

        self._links.append(self._runner.connect(name, note, self._strand))

    def _expect_event(self, step: Step) -> None:
        if step.wanted == OTHERS or step.wanted is None:
            self._skips = step.wanted == OTHERS
            return
        end = time.monotonic() + self._patience
        with self._changed:
            while True:
                found = self._find_event(step)
                if found is not None:
                    self._take(found)
                    return
                is_other = bool(self._events) and self._runner.is_in_order and not self._skips
                if is_other or (not self._changed.wait(max(0.0, end - time.monotonic())) and time.monotonic() >= end):
                    came = self._events[0].tell() if is_other else self._describe_silence()
                    raise _Differs(step, came, f"{step.subject} {step.wanted.text}")

    def _find_event(self, step: Step) -> int | None:
        assert step.wanted is not None
        has_order = self._runner.is_in_order and not self._skips
        for number, event in enumerate(itertools.islice(self._events, 1 if has_order else None)):
            if event.name == step.subject and step.wanted.fits(event.value, self._names):
                return number
        return None

    def _take(self, number: int) -> None:
        del self._events[number]
        self._has_skipped |= self._skips
        if self._skips and self._runner.is_in_order:
            for _ in range(number):
                self._events.popleft()
        self._skips = False

    def _describe_silence(self) -> str:
        rest = ", ".join(event.tell() for event in list(self._events)[:5])
        return f"nothing of it within {self._patience:g} seconds" + (f"; {rest}" if rest else "")

    def _check_rest(self) -> None:
        """Raise _Differs if more events come after the last step that awaits one."""
        awaited = [step for step in self._fact.steps if step.verb == "comes"]
        if not awaited or self._skips or (self._has_skipped and not self._runner.is_in_order):
            return
        with self._changed:
            self._changed.wait_for(lambda: self._events, _GRACE_S)
            if self._events:
                event = self._events[0]
                raise _Differs(awaited[-1], f"then {event.tell()}", "no other event")

    def _clean_up(self) -> None:
        """Undo the row's changes, also after a failure."""
        for end in self._links:
            with contextlib.suppress(Exception):
                end()
        for future in self._meanwhile:
            with contextlib.suppress(Exception):
                future.result(_CALL_TIMEOUT_S)
        for step in reversed(self._after):
            with contextlib.suppress(Exception):
                self._runner.call(*self._read_call(step))
        if any(step.verb == "person" for step in self._fact.steps):
            # A touch that has begun ends before the next row.
            with contextlib.suppress(Exception):
                self._runner.wait(_PERSON_DEED_S)


_STEPS: dict[str, Callable[[_Row, Step], None]] = {
    "needs": _Row._call,
    "call": _Row._call,
    "meanwhile": _Row._start_call,
    "after": _Row._note_for_later,
    "key": _Row._read_key,
    "has": _Row._check_presence,
    "lacks": _Row._check_presence,
    "watch": _Row._watch,
    "comes": _Row._expect_event,
    "person": _Row._act,
    "wait": _Row._wait,
}


def _quote(value: Any) -> str:
    """Return a value as the table writes it.

    >>> _quote([None, True, "yes", 0.10000000149])
    '[null, true, "yes", 0.1]'
    """
    if isinstance(value, str):
        text = '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    elif value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, float):
        text = repr(float(f"{value:.7g}"))
    elif isinstance(value, list | tuple):
        text = f"[{', '.join(map(_quote, value))}]"
    elif isinstance(value, dict):
        text = f"{{{', '.join(f'{_quote(key)}: {_quote(each)}' for key, each in value.items())}}}"
    else:
        text = repr(value)
    return text if len(text) <= _MAX_TOLD else f"{text[:_MAX_TOLD]}..."
