"""Recording a robot while it runs, and a recording that answers a page instead of the robot."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from naosim.errors import WireError
from naosim.models import NAO
from naosim.remote import unpack_value
from naosim.robot_requests import LIGHTS, MAX_SPEED, error_counts, inner_address
from naosim.world import Event
from naosim_page.recording import Recording, StateCursor
from naosim_robots.hosting import RobotGone

State = dict[str, Any]
_Blueprints = Callable[[str], "dict[str, Any] | None"]


class _RecordedDiagrams:
    """Diagrams, boxes and signals at one moment: `blueprint` returns the diagrams that a behaviour had then."""

    def __init__(self, state: State, now: float, blueprint: _Blueprints) -> None:
        self._state, self._now, self._blueprint = state, now, blueprint

    def diagram(self, behaviour: str = "", box: str = "", place: int = 0) -> dict[str, Any]:
        """Return one diagram; raises RuntimeError."""
        behaviour = behaviour or self._state.get("latest", "")
        known = [[name, f"live/{name}" in self._state] for name in self._state.get("known", ())]
        blueprint = self._blueprint(behaviour)
        if blueprint is None:
            return {"behaviour": "", "behaviours": known}
        found = [each for each in blueprint["diagrams"] if each["address"] == box]
        if not found:
            raise _no_box(box)
        return {
            **found[max(0, min(place, len(found) - 1))],
            "behaviour": behaviour,
            "behaviours": known,
            "loads": self._state.get("loads", 0),
        }

    def box(self, behaviour: str = "", box: str = "") -> dict[str, Any]:
        """Return one box in full, with its parameters as the file has them; raises RuntimeError."""
        blueprint = self._blueprint(behaviour) or {"boxes": {}}
        if box not in blueprint["boxes"]:
            raise _no_box(box)
        found = blueprint["boxes"][box]
        errors = [
            [time, where, message, handled]
            for path, time, where, message, handled in self._errors(behaviour)
            if path == found["path"]
        ]
        return {**found, "errors": errors, "runs": box in self._live(behaviour)["lit"]}

    def signals(self, behaviour: str = "", box: str = "", place: int = 0, since: int = -1) -> dict[str, Any]:
        """Return the signals in a diagram since a position, and its running boxes."""
        state, live = self._state, self._live(behaviour)
        position = state.get("position", 0)
        cursor = live["cursors"].get(box)
        if since == position and cursor is None:
            return {"position": since}
        children = list(self._children(behaviour, box, place))
        return {
            "position": position,
            "now": self._now,
            "is_loaded": box in live["places"] or box in live["lit"],
            "behaviours": [name.partition("/")[2] for name in state if name.startswith("live/")],
            "latest": state.get("latest", ""),
            "loads": state.get("loads", 0),
            "runs": [number for number, address, _ in children if address in live["lit"]],
            "owner_runs": box in live["lit"],
            "errors": self._counts(behaviour, box, children),
            "signals": [
                [each[0], each[1], *each[5:]]
                for each in self._signals()
                if each[0] > since and each[2:5] == [behaviour, box, place]
            ],
            "active": live["places"].get(box, []),
            "timeline": cursor,
        }

    def _live(self, behaviour: str) -> dict[str, Any]:
        found: dict[str, Any] = self._state.get(f"live/{behaviour}", {"lit": [], "places": {}, "cursors": {}})
        return found

    def _children(self, behaviour: str, box: str, place: int) -> Iterator[tuple[int, str, str]]:
        """Yield number, address and path of the boxes of a diagram."""
        blueprint = self._blueprint(behaviour) or {"diagrams": [], "boxes": {}}
        for diagram in blueprint["diagrams"]:
            if diagram["address"] == box and diagram["place"] == place:
                for child in diagram["boxes"]:
                    address = inner_address(box, child["id"], place)
                    yield child["id"], address, blueprint["boxes"].get(address, {}).get("path", "")

    def _signals(self) -> list[list[Any]]:
        return sorted(value for name, value in self._state.items() if name.startswith("signal/"))

    def _errors(self, behaviour: str) -> Iterator[list[Any]]:
        for name, value in self._state.items():
            if name.startswith("error/") and behaviour in value[0]:
                yield value[1:]

    def _counts(self, behaviour: str, box: str, children: list[tuple[int, str, str]]) -> list[list[int]]:
        """Count the errors of each box with those inside it, and the owner's own as box 0."""
        owner = ((self._blueprint(behaviour) or {"boxes": {}})["boxes"].get(box) or {"path": ""})["path"]
        known = {path: number for number, _, path in children} | {owner: 0}
        return error_counts((path for path, *_ in self._errors(behaviour)), known)


def _no_box(address: str) -> RuntimeError:
    return RuntimeError(f"the recording has no box at {address!r}")


# Recording.

#: Seconds between two looks at a robot that moves, at one that rests, and at its devices.
_MOVING_S, _RESTING_S, _DEVICES_S = 0.1, 1.0, 5.0
#: Seconds until the next look after one that failed.
_RETRY_S = 1.0
#: Parts of a look that change all the time.
_TIMED = ("seconds",)
#: The event of a word that NAO begins to say; it is recorded as an event of this kind.
WORD_KEY, MEMORY = "ALTextToSpeech/CurrentWord", "memory"


class _Asked(Protocol):
    async def ask(self, verb: str, **fields: Any) -> Any:
        """Return the robot's answer; raises RuntimeError."""


class Recorder:
    """A recorder of one robot, while `run` runs."""

    def __init__(self, robot: _Asked, recording: Recording) -> None:
        self._robot, self.recording = robot, recording
        self._is_first = self._has_news = True
        self._loads = -1
        self._has_devices_at = 0.0

    def note(self, event: Event) -> None:
        """Keep an event."""
        self.recording.add_event(event)
        self._has_news = True

    async def run(self) -> None:
        """Look at the robot again and again, until it is gone."""
        rested = 0.0
        while True:
            began, has_moved, self._has_news = time.monotonic(), False, False
            try:
                has_moved = await self._look()
            except RobotGone:
                return
            except RuntimeError:
                await asyncio.sleep(_RETRY_S)
            rested = 0.0
            while rested < (_MOVING_S if has_moved else _RESTING_S) and not (self._has_news and rested >= _MOVING_S):
                await asyncio.sleep(_MOVING_S)
                rested = time.monotonic() - began

    async def _look(self) -> bool:
        has_devices = time.monotonic() - self._has_devices_at > _DEVICES_S
        told = await self._robot.ask("moment", is_first=self._is_first, has_devices=has_devices)
        self._is_first = False
        if has_devices:
            self._has_devices_at = time.monotonic()
        seconds = told["seconds"]
        if told["diagrams"]["loads"] != self._loads:
            await self._look_at_diagrams(seconds, told["diagrams"]["live"])
            self._loads = told["diagrams"]["loads"]
        values = _state_of(told)
        gone = [f"memory/{key}" for key in told["memory"]["gone"]]
        gone += [
            name
            for name in self.recording.state
            if name.startswith(("live/", "signal/", "error/")) and name not in values
        ]
        return self.recording.add_state(seconds, values, gone)

    async def _look_at_diagrams(self, seconds: float, behaviours: dict[str, Any]) -> None:
        for behaviour in behaviours:
            try:
                told = await self._robot.ask("blueprint", behaviour=behaviour)
            except RobotGone:
                raise
            except RuntimeError:
                continue  # It is too large, or gone again: then its diagram is not shown.
            self.recording.add_blueprint(seconds, behaviour, told)


def _state_of(told: dict[str, Any]) -> dict[str, Any]:
    """Return the state, by its names, that a live server tells of a moment."""
    diagrams, memory = told["diagrams"], told["memory"]
    values = {name: value for name, value in told["look"].items() if name not in _TIMED}
    values["angles"] = [round(angle, 4) for angle in values["angles"]]
    values.update({name: told[name] for name in ("speed", "behaviour", "ears")})
    values.update({name: diagrams[name] for name in ("position", "loads", "latest", "known")})
    values.update({f"live/{name}": each for name, each in diagrams["live"].items()})
    values.update({f"signal/{each[0]}": each for each in diagrams["signals"]})
    # The time of an error and its place tell it from all others.
    values.update({f"error/{each[2]:.6f} {each[1]}": each for each in diagrams["errors"]})
    values.update({f"memory/{key}": value for key, value in memory["changed"].items()})
    values.update({f"device/{key}": value for key, value in memory["devices"].items()})
    # What was told as tuples comes back from a file as lists.
    plain: dict[str, Any] = json.loads(json.dumps(values))
    return plain


# A recording on a page.

REFUSAL = "This is a recording. NAO can't hear or do anything here."
#: Events that a browser gets when it goes back, and seconds between two looks at a recording that goes on.
_MAX_EVENTS, _TICK_S = 2000, 0.05
#: What is seen of a robot of which nothing is recorded yet.
_NOTHING: dict[str, Any] = {
    "robot_type": "Nao",
    "angles": [0.0] * len(NAO.body),
    "lights": "00" * len(LIGHTS),
    "posture": "",
    "place": [0.0, 0.0, 0.0],
    "is_awake": False,
    "is_speaking": False,
    "touched": [],
    "breath": [0.0, 0.0],
    "is_blinking": False,
    "behaviour": {"id": "", "runs": False},
    "ears": {"engine": None, "vocabulary": [], "spotting": False, "touch": []},
}
_LOOK = (
    "robot_type",
    "angles",
    "lights",
    "posture",
    "place",
    "is_awake",
    "is_speaking",
    "touched",
    "breath",
    "is_blinking",
)


class RecordedPlace:
    """One browser's place in a recording; at a speed of 0 it stays there.

    It answers a browser's requests as the robot would have; `memory` may be called from any thread.
    """

    def __init__(self, recording: Recording, report: Callable[[Event], object], rewind: Callable[[], object]) -> None:
        """Call `report` with the events up to the place, and `rewind` before it gets them again from the start."""
        self._recording, self._report, self._rewind = recording, report, rewind
        self._cursor = StateCursor(recording)
        self._speed = 0.0
        self._at = (recording.begins, time.monotonic())
        self._noted = 0
        self._reports = False
        self._cursor.move(recording.begins)

    def watch(self) -> None:
        """Report the events up to now, and further ones as they come."""
        self._reports = True
        self._go_on()

    async def run(self) -> None:
        """Let the recording go on."""
        while True:
            await asyncio.sleep(_TICK_S)
            if self._speed:
                self._go_on()
                if self._now() >= self._recording.ends:
                    self._set_speed(0.0)

    async def ask(self, verb: str, **fields: Any) -> Any:
        """Answer a request about the moment; raises RuntimeError for one that would change anything."""
        now = self._now()
        if verb == "look":
            return {"seconds": now, **{name: self._value(name) for name in _LOOK}}
        if verb in {"behaviour", "ears"}:
            return self._value(verb)
        if verb in {"diagram", "box", "signals"}:
            diagrams = _RecordedDiagrams(self._cursor.state, now, lambda name: self._recording.blueprint(name, now))
            return getattr(diagrams, verb)(**fields)
        if verb == "call":
            return self._call(str(fields.get("method")), fields.get("args", []))
        if verb in {"pace", "step", "seek"}:
            return self._pace(verb, fields)
        raise RuntimeError(REFUSAL)

    def memory(self, key: str) -> Any:
        """Return a value of ALMemory at the moment; None if there was none."""
        state = self._cursor.state
        text = state.get(f"memory/{key}", state.get(f"device/{key}"))
        return None if text is None else unpack_value(json.loads(text), bytes)

    def runs(self) -> bool:
        """Return whether the behaviour ran at the moment."""
        return bool(self._value("behaviour")["runs"])

    def _pace(self, verb: str, fields: dict[str, Any]) -> dict[str, Any]:
        if verb == "pace" and "speed" in fields:
            self._set_speed(_read_number(fields["speed"], "speed", 0.0, MAX_SPEED))
        elif verb == "seek":
            self._seek(_read_number(fields.get("seconds"), "seconds", 0.0, 1e7))
        elif verb == "step":
            before, after = self._recording.neighbours(self._now())
            self._set_speed(0.0)
            self._seek(before if fields.get("back") is True else after)
        extent = {"begins": self._recording.begins, "ends": self._recording.ends}
        return {"speed": self._speed, "seconds": self._now(), **extent}

    def _now(self) -> float:
        moment, at = self._at
        return min(moment + (time.monotonic() - at) * self._speed, self._recording.ends)

    def _seek(self, moment: float) -> None:
        before = self._now()
        self._at = (min(max(moment, self._recording.begins), self._recording.ends), time.monotonic())
        if self._at[0] < before:
            self._noted = 0
            if self._reports:
                self._rewind()
        self._go_on()

    def _set_speed(self, speed: float) -> None:
        self._at = (self._now(), time.monotonic())
        self._speed = speed

    def _go_on(self) -> None:
        now = self._now()
        self._cursor.move(now)
        if self._reports:
            first, self._noted = self._noted, self._recording.index_after(now)
            for event in self._recording.events(max(first, self._noted - _MAX_EVENTS), self._noted):
                self._report(event)

    def _call(self, method: str, args: list[Any]) -> Any:
        if method == "getDataListName":
            names = (name.partition("/") for name in self._cursor.state)
            return sorted(key for kind, _, key in names if kind in ("memory", "device"))
        if method == "getListData" and args and isinstance(args[0], list):
            return [self.memory(str(key)) for key in args[0]]
        raise RuntimeError(REFUSAL)

    def _value(self, name: str) -> Any:
        return self._cursor.state.get(name, _NOTHING[name])


def _read_number(value: Any, name: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise WireError(f"{name} must be a number from {low:g} to {high:g}")
    return float(value)
