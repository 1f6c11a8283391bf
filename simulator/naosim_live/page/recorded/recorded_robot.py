"""A robot as it was: a recording that answers what panels ask, at any of its moments, and goes on by itself."""

from __future__ import annotations

import json
import time
from typing import Any

from naosim.remote import unpack_value
from naosim.robot_requests import JOINTS, LIGHTS
from naosim.world import Event

from ..latest_events import MOST_EVENTS
from ..recording.recording import Recording
from ..recording.state_cursor import StateCursor
from ..shown_robot import EventModel, ShownRobot
from ..texts import ENGLISH, Texts
from .recorded_diagrams import RecordedDiagrams

REFUSAL = "This is a recording. NAO can't hear or do anything here."
#: Events of ALMemory, which models note and the log does not show.
_MEMORY = "memory"
#: What is seen of a robot of which nothing was recorded yet.
_NOTHING: dict[str, Any] = {
    "angles": [0.0] * len(JOINTS),
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
_LOOK = ("angles", "lights", "posture", "place", "is_awake", "is_speaking", "touched", "breath", "is_blinking")


class RecordedRobot(ShownRobot):
    """One browser's place in a recording; at a speed of 0 it stays there."""

    def __init__(
        self, recording: Recording, moment: float | None = None, is_live: bool = False, texts: Texts = ENGLISH
    ) -> None:
        super().__init__(recording)
        self.is_live, self.texts = is_live, texts
        self.speed = 0.0
        self._cursor = StateCursor(recording)
        self._noted = 0
        self._at = (0.0, time.monotonic())
        self.seek(recording.begins if moment is None else moment)

    def at(self, moment: float | None) -> RecordedRobot:
        """Return a place of its own in the recording for one browser."""
        return RecordedRobot(self.recording, moment, self.is_live, self.texts)

    def now(self) -> float:
        """Return the moment that is shown, in the robot's seconds."""
        moment, at = self._at
        return min(moment + (time.monotonic() - at) * self.speed, self.recording.ends)

    def seek(self, moment: float) -> None:
        """Go to a moment: the nearest one that was recorded."""
        before = self.now()
        self._at = (min(max(moment, self.recording.begins), self.recording.ends), time.monotonic())
        if self._at[0] < before:
            self._go_back()
        self._go_on()

    async def change(self, within: float, seen: int) -> None:
        """Wait for the next change, and let the recording go on."""
        await super().change(within, seen)
        if self.speed:
            self._go_on()
            if self.now() >= self.recording.ends:
                await self.set_speed(0.0)

    async def set_speed(self, speed: float | None = None) -> None:
        """Let the recording go on so many times faster, at 0 not at all."""
        if speed is not None and speed != self.speed:
            self._at = (self.now(), time.monotonic())
            self.speed = speed
            self.tell()

    async def step(self) -> None:
        """Stop at the next event."""
        self.step_by(1)

    def step_by(self, direction: int) -> None:
        """Stop at the event before (-1) or after (1) the moment that is shown."""
        before, after = self.recording.neighbours(self.now())
        self.speed = 0.0
        self.seek(after if direction > 0 else before)
        self.tell()

    async def ask(self, verb: str, **fields: Any) -> Any:
        """Answer a request about the moment; raises RuntimeError for what would change anything."""
        if verb == "look":
            return {"seconds": self.now(), **{name: self._value(name) for name in _LOOK}}
        if verb == "behaviour":
            return self._value("behaviour")
        if verb in {"diagram", "box", "signals"}:
            now = self.now()
            diagrams = RecordedDiagrams(
                self._cursor.state, now, lambda behaviour: self.recording.blueprint(behaviour, now)
            )
            return getattr(diagrams, verb)(**fields)
        raise RuntimeError(self.texts(REFUSAL))

    async def person(self, verb: str, *args: Any) -> Any:
        """Return what NAO listened to; raises RuntimeError for what a person does."""
        if verb == "ears":
            return await self.ears()
        raise RuntimeError(self.texts(REFUSAL))

    async def call(self, service: str, method: str, *args: Any) -> Any:
        """Read ALMemory as it was; raises RuntimeError for any other call."""
        if service == "ALMemory" and method == "getDataListName":
            return sorted(
                {name.partition("/")[2] for name in self._cursor.state if name.startswith(("memory/", "device/"))}
            )
        if service == "ALMemory" and method == "getListData":
            return [self._memory(key) for key in args[0]]
        if service == "ALMemory" and method == "getData":
            return self._memory(args[0])
        raise RuntimeError(self.texts(REFUSAL))

    def remember(self, event: Event) -> None:
        """Note nothing: what was asked of the robot then is in the recording."""

    async def ears(self) -> dict[str, Any]:
        """Return what NAO listened to."""
        found: dict[str, Any] = self._value("ears")
        return found

    def _value(self, name: str) -> Any:
        return self._cursor.state.get(name, _NOTHING[name])

    def _memory(self, key: str) -> Any:
        state = self._cursor.state
        text = state.get(f"memory/{key}", state.get(f"device/{key}"))
        return None if text is None else unpack_value(json.loads(text), bytes)

    def _acquaint(self, model: EventModel) -> None:
        for event in self.recording.events(self._noted - MOST_EVENTS, self._noted):
            model.note(event)

    def _go_back(self) -> None:
        """Forget all events: panels begin anew with the models that they ask for."""
        self._events.clear()
        self._models.clear()
        self._noted = 0
        self.era += 1

    def _go_on(self) -> None:
        """Take in what has happened up to now."""
        now, recording = self.now(), self.recording
        first, last = self._noted, recording.index_after(now)
        self._noted = last
        for event in recording.events(max(first, last - MOST_EVENTS), last):
            if event.kind != _MEMORY:
                self._events.add(event)
            for model in self._models.values():
                model.note(event)
        if self._cursor.move(now) or last != first:
            self.tell()
