"""Recording a robot as it lives: its events as they come, and its state as often as it changes."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from naosim.world import Event
from naosim_live.hosting import RobotGone

from ..recording.recording import Recording
from ..shown_robot import ShownRobot

#: Real seconds between two looks at a robot that moves, at one to which nothing happens, and at its devices.
MOVING, RESTING, _DEVICES_EVERY = 0.1, 1.0, 5.0
#: Real seconds before the next look after one that failed.
_TRIES_AFTER = 1.0
#: What is in a look but does not change the state.
_TIMED = ("seconds",)


class Recorder:
    """A recorder of one robot, from `run` on."""

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self.recording = Recording()
        self._is_first = True
        self._loads = -1
        self._has_devices_at = 0.0
        self._looking = asyncio.Lock()

    def note(self, event: Event) -> None:
        """Keep an event."""
        self.recording.add_event(event)

    async def run(self) -> None:
        """Look at the robot again and again, until it is gone."""
        has_moved = False
        while not self._shown.gone:
            began, seen = time.monotonic(), self._shown.changed
            try:
                has_moved = await self.look()
            except RobotGone:
                return
            except RuntimeError:
                await asyncio.sleep(_TRIES_AFTER)
            if not has_moved:
                await self._shown.change(RESTING, seen)
            await asyncio.sleep(max(0.0, began + MOVING - time.monotonic()))

    async def look(self) -> bool:
        """Record the present moment; return whether anything has changed. Raises RuntimeError."""
        # The robot tells what has changed since it was asked before, so one look comes after the other.
        async with self._looking:
            return await self._look()

    async def _look(self) -> bool:
        has_devices = time.monotonic() - self._has_devices_at > _DEVICES_EVERY
        told = await self._shown.ask("moment", is_first=self._is_first, has_devices=has_devices)
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
                told = await self._shown.ask("blueprint", behaviour=behaviour)
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
