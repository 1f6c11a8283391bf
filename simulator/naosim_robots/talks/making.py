"""`naosim talk RECORDING BEHAVIOUR`: makes a file of talks of a recording, a person's acts or a robot's events.

The talk has what the person did and what NAO said: `make_talk` returns it as YAML that the other modules read.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from naosim.compat import quote
from naosim.errors import WrongUse
from naosim.formats import write_whole
from naosim.models import NAO, PEPPER
from naosim.recording import LOOK, Recording, is_watched, load_recording, read_recorded_options
from naosim.speech_texts import parse_speech
from naosim_robots.far.watching import NAME

from .format import TIME_OUT
from .reader import MAX_FILE_BYTES

_DESCRIPTION = "Makes a talk of a recording: what the person did, and what NAO said then."
_EPILOG = "Read the talk before you use it: write a text that varies, such as a joke, as a /pattern/."
#: The confidence of a phrase whose step gives none.
_USUAL_CONFIDENCE = 0.9
#: A robot that speaks again after this time without an act of the person has waited for an answer in vain, in seconds.
_WAITS_S = 6.0
#: Events of two signals can arrive in the wrong order if they are at most this far apart, in seconds.
_TOGETHER_S = 0.05
_SENSORS = {*NAO.touch_sensors, *PEPPER.touch_sensors}
_BODIES = {"Juliette": "Pepper"}
#: What a watched recording can have before the robot or the person does something.
_BEFORE = (LOOK, "set", "life", "log")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_/]*")

Step = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit status, 0; raises NaosimError for a wrong file."""
    parser = argparse.ArgumentParser(prog="naosim talk", description=_DESCRIPTION, epilog=_EPILOG)
    recording = "a file of naosim --record, of a page, or of a robot that was recorded"
    parser.add_argument("recording", type=Path, metavar="RECORDING", help=recording)
    parser.add_argument(
        "behaviour", type=Path, metavar="BEHAVIOUR", help="the behaviour that ran, such as behavior.xar"
    )
    to = "the new file, whose name ends with .talk.yaml (default: the recording's name, in this folder)"
    parser.add_argument("--to", type=Path, metavar="FILE", help=to)
    options = parser.parse_args(arguments)
    path = options.to or Path(options.recording.name.partition(".")[0] + ".talk.yaml")
    if not path.name.endswith(".talk.yaml"):
        raise WrongUse(f"{quote(str(path))} is not a name for talks: let it end with .talk.yaml.")
    if path.exists():
        raise WrongUse(f"'{path}' is there already: give the name of a new file with --to.")
    if not options.behaviour.exists():
        raise WrongUse(f"there is no behaviour {quote(str(options.behaviour))}: give its path.")
    behaviour = os.path.relpath(options.behaviour.resolve(), path.resolve().parent)
    text = make_talk(load_recording(str(options.recording)), Path(behaviour).as_posix(), path.name.partition(".")[0])
    write_whole(str(path), text.encode("utf-8"))
    print(f"Wrote {path}; run it: naosim --talk {path}")
    return 0


def make_talk(recording: Recording, behaviour: str, name: str) -> str:
    """Return a file with one talk of this name; raises WrongUse if the recording has nothing for a talk."""
    options = read_recorded_options(recording.header)
    steps = _Steps()
    (_add_events if is_watched(recording.header) else _add_acts)(steps, recording.acts)
    if not any(steps.steps):
        raise WrongUse("nobody speaks in this recording, and nobody does anything: make a longer one.")
    lines = [f"behaviour: {_write(behaviour)}"]
    if options.get("behaviour"):
        lines.append(f"name: {_write(options['behaviour'])}")
    robot = _list_robot(options)
    lines += [f"robot: {_write(robot)}"] if robot else []
    if options.get("parameters"):
        lines.append(f"parameters: {_write(options['parameters'])}")
    lines += [f"memory: {_write(steps.memory)}"] if steps.memory else []
    lines += ["talks:", f"  {_write(name)}:", *steps.list_lines()]
    text = "\n".join(lines) + "\n"
    if len(text.encode("utf-8")) > MAX_FILE_BYTES:
        raise WrongUse(f"the talk would have more than {MAX_FILE_BYTES // 1024} kB: make a shorter recording.")
    return text


def _list_robot(options: dict[str, Any]) -> dict[str, Any]:
    """Return what a talk says about the robot; nothing of what is usual."""
    kind = options.get("robot_type", "Nao")
    languages = options.get("languages") or ["English"]
    told = {
        "body": _BODIES.get(kind, kind),
        "naoqi": options.get("naoqi", "2.8"),
        "language": languages,
        "seed": options.get("seed", 0),
        "without": options.get("without", []),
    }
    usual = {"body": "Nao", "naoqi": "2.8", "language": ["English"], "seed": 0, "without": []}
    return {field: value for field, value in told.items() if value != usual[field]}


class _Steps:
    """The steps of a talk that grow with the recording; `memory` has values from before the start."""

    def __init__(self) -> None:
        self.steps: list[Step] = [{}]
        self.memory: dict[str, Any] = {}
        self._remarks: dict[int, list[str]] = {}

    def act(self, **act: Any) -> None:
        """Begin a step with an act of the person."""
        self.steps.append(act)

    def says(self, texts: Iterable[str]) -> None:
        """Add what NAO says in the present step."""
        for text in texts:
            plain = " ".join(text.split())
            if NAME in plain:
                plain = f"/{'.+'.join(re.escape(part) for part in plain.split(NAME))}/"
            elif plain.startswith("/") and plain.endswith("/"):
                plain = f"/{re.escape(plain)}/"
            self.steps[-1].setdefault("says", []).append(plain)

    def remark(self, text: str) -> None:
        """Add a comment below the present step."""
        self._remarks.setdefault(len(self.steps) - 1, []).append(text)

    def list_lines(self) -> list[str]:
        """Return the steps as lines of YAML."""
        lines = []
        for number, step in enumerate(self.steps):
            if step:
                # A list of one is written as its item.
                said = step.get("says", ())
                shown = {**step, "says": said[0]} if len(said) == 1 else step
                lines.append(f"    - {_write(shown)}")
            lines += [f"    # {text}" for text in self._remarks.get(number, ())]
        return lines


def _write(value: Any) -> str:
    """Return a value as YAML in one line: JSON with plain keys."""
    if isinstance(value, dict):
        fields = (f"{key if _PLAIN.fullmatch(key) else _write(key)}: {_write(each)}" for key, each in value.items())
        return "{" + ", ".join(fields) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_write, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _add_acts(steps: _Steps, acts: Sequence[dict[str, Any]]) -> None:
    """Add the acts of a recording of `naosim.recording`, each with NAO's words before it."""
    has_started = False
    for act in acts:
        steps.says(act["said"])
        kind = act["act"]
        if kind == "set" and not has_started:
            steps.memory[act["key"]] = act["value"]
        elif kind == "start" and not has_started:
            has_started = True
        elif kind == "end":
            if act["ended"] and steps.steps[-1]:
                steps.steps[-1]["ended"] = True
        elif kind in _ACTS:
            _ACTS[kind](steps, act)
        else:
            steps.remark(f"Left out, because talks do not have it: {kind}.")


def _add_events(steps: _Steps, events: Sequence[dict[str, Any]]) -> None:
    """Add the events of a watched recording, from the start of the first behaviour to its end.

    Without a start, because the boxes ran on another computer, all events are added. `memory` gets the values of
    ALMemory from before; of later ones nobody knows whether the behaviour stored them.
    """
    started = next((at for at, event in enumerate(events) if event["kind"] == "start"), None)
    name = None if started is None else events[started]["behaviour"]
    first = started or next((at for at, event in enumerate(events) if event["kind"] not in _BEFORE), 0)
    steps.memory.update((event["key"], event["value"]) for event in events[:first] if event["kind"] == "set")
    quiet_at = None
    for event in _put_words_first(events[first:]):
        kind, time = event["kind"], event["time"]
        if kind == "say":
            if quiet_at is not None and time - quiet_at > _WAITS_S:
                steps.act(silence=TIME_OUT)
            said = parse_speech(event["text"])
            steps.says([said.plain])
            quiet_at = time + said.seconds
        elif kind == "hear" and event["engine"]:
            _hear(steps, event["phrase"], event["confidence"])
        elif kind == "touch" and event["pressed"]:
            _touch(steps, event["sensor"])
        elif kind == "event":
            steps.act(raised={event["key"]: event["value"]})
        elif kind == "end" and event["behaviour"] == name:
            steps.steps[-1]["ended"] = True
            return
        if kind not in (LOOK, "say"):
            quiet_at = None if quiet_at is None else max(quiet_at, time)


def _put_words_first(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Move a word before a sentence that came together with it: NAO cannot answer so fast, and libqi keeps no order."""
    ordered: list[dict[str, Any]] = []
    for event in events:
        at = len(ordered)
        if event["kind"] == "hear":
            while at and ordered[at - 1]["kind"] == "say" and event["time"] - ordered[at - 1]["time"] <= _TOGETHER_S:
                at -= 1
        ordered.insert(at, event)
    return ordered


def _hear(steps: _Steps, phrase: str, confidence: float) -> None:
    more = {} if abs(confidence - _USUAL_CONFIDENCE) < 0.005 else {"confidence": round(min(max(confidence, 0), 1), 2)}
    steps.act(said=phrase, **more)


def _touch(steps: _Steps, sensor: str) -> None:
    if sensor in _SENSORS:
        steps.act(touched=sensor)
    else:
        steps.remark(f"Left out, because no robot has this sensor: {json.dumps(sensor[:40])}.")


#: The step for each act of a recording.
_ACTS: dict[str, Callable[[_Steps, dict[str, Any]], None]] = {
    "start": lambda steps, _act: steps.act(started=True),
    "stop": lambda steps, _act: steps.act(stopped=True),
    "hear": lambda steps, act: _hear(steps, act["phrase"], act["confidence"]),
    "touch": lambda steps, act: _touch(steps, act["sensor"]),
    "event": lambda steps, act: steps.act(raised={act["key"]: act["value"]}),
    "raise": lambda steps, act: steps.act(raised={act["key"]: act["value"]}),
    "set": lambda steps, act: steps.act(stored={act["key"]: act["value"]}),
    "silence": lambda steps, act: steps.act(silence=round(act["seconds"], 3)),
}
