"""The replay of a recording for a page: the acts are repeated in virtual time, and the moments are remembered.

A watched recording has the events and looks themselves, so nothing runs.
"""

import json
from collections.abc import Sequence
from typing import Any

from naosim.clock import Clock
from naosim.errors import WrongUse
from naosim.json_server import LiveRequests, SpokenTexts
from naosim.recording import (
    LOOK,
    Diverged,
    Recording,
    file_checksum,
    is_watched,
    read_look,
    read_recorded_options,
    read_recording,
    replay_recording,
    run_robot_to,
)
from naosim.remote import DoesNotTravel, pack_value
from naosim.robot import Robot
from naosim.robot_requests import LIGHTS, ask_parts, list_running_boxes
from naosim.speech_texts import parse_speech
from naosim.world import Event, event_as_line, write_json_line
from naosim_page.figure import describe_frame, frame_changes
from naosim_page.page_requests import PageRequests

#: Seconds between two moments, and the number of moments of a long recording.
_MIN_STEP_S, _MAX_MOMENTS = 0.1, 1500
#: The longest recording.
_MAX_LENGTH_S = 2 * 3600.0
#: Events, and characters of all moments: a page has little memory.
_MAX_EVENTS, _MAX_CHARACTERS = 5000, 8 * 1024 * 1024
#: Characters of one event, and of one value of ALMemory.
_MAX_EVENT_LENGTH, _MAX_VALUE_LENGTH = 2000, 300
#: Phrases of the vocabulary.
_MAX_PHRASES = 100
#: The requests that a replay answers: those that only look.
_LOOKS = ("about", "box", "diagram", "drawing", "figure", "findings", "parameters", "said")


class Replay:
    """A recording that is repeated on a robot of virtual time; `told` is for the page.

    `told` has the events, the moments, and a note, which is "" if the robot did what is in the recording. A moment has
    the seconds, the number of events so far, the changes of the frame and of ALMemory, the running boxes of each
    behaviour, and the robot's vocabulary. A watched recording needs no file. Raises NotARecording, NotABehaviour or
    WrongUse.
    """

    def __init__(self, file: str, behaviour: str, lines: Sequence[str]) -> None:
        recording = read_recording(lines)
        options = read_recorded_options(recording.header)
        length = recording.acts[-1]["time"] if recording.acts else 0.0
        watched = is_watched(recording.header)
        if length > _MAX_LENGTH_S and not watched:
            raise WrongUse(f"the recording is longer than {_MAX_LENGTH_S / 3600:g} hours")
        self._step = max(_MIN_STEP_S, length / _MAX_MOMENTS)
        self._characters = 0
        self._events: list[dict[str, Any]] = []
        self._moments: list[dict[str, Any]] = []
        self._frame: dict[str, Any] = {}
        self._before: dict[str, Any] = {}
        self._rests = False
        self._values: dict[str, Any] = {}
        self.robot = Robot(
            seed=options.get("seed", 0),
            without=options.get("without", ()),
            languages=options.get("languages") or ("English",),
            robot_type=options.get("robot_type", "Nao"),
            naoqi=options.get("naoqi", "2.8"),
            clock=Clock(),
        )
        spoken = SpokenTexts(self.robot)
        self._requests = LiveRequests(self.robot, lambda _message: None, spoken, [PageRequests])
        try:
            note = self._show(recording) if watched else self._repeat(recording, options, file, behaviour)
        except BaseException:
            self.close()
            raise
        seconds = length if watched else self.robot.now()
        self.told = {"events": self._events, "moments": self._moments, "note": note, "length": seconds}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer a request that only looks, by the robot's last state."""
        if request.get("do") not in _LOOKS:
            return {"id": request.get("id"), "error": "a recording can only be looked at"}
        return self._requests.answer(request)

    def close(self) -> None:
        """Close the robot."""
        self.robot.close()

    def _repeat(self, recording: Recording, options: dict[str, Any], file: str, behaviour: str) -> str:
        """Repeat the acts and remember the moments; return the note."""
        self.robot.trace.listeners.append(self._note)
        loaded = self.robot.load(
            file,
            options.get("rewrite", False),
            options.get("parameters"),
            behaviour or options.get("behaviour", ""),
            options.get("dialogs", ()),
        )
        changed = recording.header.get("checksum") != file_checksum(loaded.project.path)
        note = "The behaviour has changed since it was recorded." if changed else ""
        try:
            replay_recording(self.robot, recording, self._run_to)
        except Diverged as error:
            note = str(error)
        self._look(is_last=True)
        return note

    def _show(self, recording: Recording) -> str:
        """Remember the moments of a watched recording; return the note."""
        seen = ask_parts(self._requests.parts, "look", {})
        sizes = {"angles": len(seen["angles"]), "lights": 2 * len(LIGHTS)}
        touched: list[str] = []
        stored: dict[str, str] = {}
        said_until = 0.0
        nothing: dict[str, Any] = {"live": {}, "ears": {"engine": None, "vocabulary": []}}

        def remember(seconds: float) -> None:
            frame = describe_frame({**seen, "touched": touched, "is_speaking": seconds < said_until})
            self._remember(seconds, frame, stored.copy(), [], nothing, is_last=True)
            stored.clear()

        for number, row in enumerate(recording.acts, 1):
            fields = {name: value for name, value in row.items() if name not in ("time", "kind")}
            if row["kind"] == LOOK:
                seen |= {name: value for name, value in read_look(row).items() if _has_size(value, sizes.get(name))}
            elif row["kind"] == "set":
                stored[row["key"]] = _write_value(row["value"])
            else:
                self._note(Event(row["time"], row["kind"], fields))
            if row["kind"] == "touch":
                touched = [each for each in touched if each != row["sensor"]] + [row["sensor"]] * row["pressed"]
            elif row["kind"] == "say":
                said_until = row["time"] + parse_speech(row["text"]).seconds
            last = self._moments[-1]["seconds"] if self._moments else -self._step
            if number == len(recording.acts) or recording.acts[number]["time"] - last >= self._step:
                remember(row["time"])
        if self._moments:
            return ""
        remember(0.0)
        return "Nothing was recorded."

    def _run_to(self, robot: Robot, time: float) -> None:
        self._rests = False  # The person has done something.
        while True:
            due = robot.now() + self._step
            if self._rests:  # Nothing changes before the next call.
                next_due = robot.clock.next_due()
                due = time if next_due is None else max(due, next_due)
            due = min(time, due)
            run_robot_to(robot, due)
            self._look()
            if due >= time:
                return

    def _look(self, is_last: bool = False) -> None:
        """Remember this moment, if it is the last or something has changed since the one before."""
        robot, before = self.robot, self._values
        frame = describe_frame(ask_parts(self._requests.parts, "look", {}))
        values = self._values = robot.memory.copy_values()
        # A value that was set again is another object.
        changed = {key: _write_value(value) for key, value in values.items() if before.get(key, values) is not value}
        memory = {key: text for key, text in changed.items() if len(text) <= _MAX_VALUE_LENGTH}
        ears = {"engine": robot.ears().engine, "vocabulary": list(robot.ears().vocabulary)[:_MAX_PHRASES]}
        live = {name: list_running_boxes(behaviour.root) for name, behaviour in robot.world.behaviours.items()}
        state = {"live": live, "ears": ears}
        gone = [key for key in before if key not in values]
        self._rests = not self._remember(robot.now(), frame, memory, gone, state, is_last)

    def _remember(
        self,
        seconds: float,
        frame: dict[str, Any],
        memory: dict[str, str],
        gone: list[str],
        state: dict[str, Any],
        is_last: bool,
    ) -> bool:
        """Remember a moment, if it is the last or differs from the one before; return whether it differs."""
        new = {
            "seconds": seconds,
            "events": len(self._events),
            "frame": frame_changes(frame, self._frame),
            "memory": memory,
            "gone": gone,
            **frame_changes(state, self._before),
        }
        is_same = bool(self._moments) and self._moments[-1]["events"] == new["events"] and len(new) == 5
        is_same = is_same and not (new["frame"] or memory or gone)
        if (not is_same or is_last) and self._characters <= _MAX_CHARACTERS:
            self._frame, self._before = frame, state
            self._characters += len(json.dumps(new))
            self._moments.append(new)
        return not is_same

    def _note(self, event: Event) -> None:
        if len(self._events) >= _MAX_EVENTS:
            return
        line = event_as_line(event)
        fields = json.loads(line) if len(line) <= _MAX_EVENT_LENGTH else {"text": line[:_MAX_EVENT_LENGTH]}
        fields = {key: value for key, value in fields.items() if key not in ("time", "kind")}
        self._events.append({"time": event.time, "kind": event.kind, "fields": fields})


def _has_size(value: Any, size: int | None) -> bool:
    return size is None or len(value) == size


def _write_value(value: Any) -> str:
    """Return a value of ALMemory as JSON; for an object, its type."""
    try:
        return write_json_line(pack_value(value))
    except DoesNotTravel:
        return write_json_line(f"<{type(value).__name__}>")
