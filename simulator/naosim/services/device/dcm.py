"""DCM: the timed commands to single devices that programs of NAOqi 1 send; only the lights and the time answer here."""

from __future__ import absolute_import, division, print_function

from naosim.body import BrightnessRamps
from naosim.services.base import Service
from naosim.services.device.led_names import SINGLE, SUFFIX

MYPY = False
if MYPY:
    from typing import Any, Dict, Iterable, List

    from naosim.world import World

PREFIX = "Device/SubDeviceList/"
UPDATES = ("ClearAll", "Merge", "ClearAfter", "ClearBefore")
LATEST = 2.0**31  # milliseconds of an offset
COMMAND, ALIAS, POINT = 3, 2, 2  # entries of a command, of an alias, and of one of its points


class DCM(Service):
    """Tells the time and keeps the last value of each device; a joint does not move by it: ALMotion holds it."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._aliases = {}  # type: Dict[str, List[str]]

    def getTime(self, offset):  # type: (int) -> int
        """Return the time in milliseconds, so many later."""
        return int(self.world.clock.now() * 1000 + self._number(offset, "getTime", 0, -LATEST, LATEST))

    def getPrefix(self):  # type: () -> Any
        """Return what the names of devices begin with in ALMemory."""
        return [PREFIX]

    def createAlias(self, alias):  # type: (Any) -> Any
        """Name several devices at once: [name, [device, ...]]."""
        parts = self._list(alias, "createAlias")
        if len(parts) != ALIAS:
            raise self._error("createAlias", "An alias is a name and a list of devices, not %.60r." % (alias,))
        name = self._text(parts[0], "createAlias")
        self._aliases[name] = self._texts(parts[1], "createAlias")
        return [name, list(self._aliases[name])]

    def set(self, command):  # type: (Any) -> None
        """Take a command: [device or alias, "ClearAll" or "Merge", [[value, time], ...]]."""
        parts = self._list(command, "set")
        if len(parts) != COMMAND:
            raise self._error("set", "A command is a device, a kind of update and values, not %.60r." % (command,))
        device = self._text(parts[0], "set")
        self._one_of(parts[1], UPDATES, "set", "update")
        points = [self._point(point) for point in self._list(parts[2], "set")]
        last = points[-1][0] if points else None
        for name in self._aliases.get(device, [device]):
            key = name if name.startswith(PREFIX) else PREFIX + name
            if last is not None and "/Led/" in key:
                self.world.memory.insertData(key, last)
            self.world.trace.note("call", service=self.name, method="set", args=[name, last])
        names = self._aliases.get(device, [device])
        self._shine([name[len(PREFIX) :] if name.startswith(PREFIX) else name for name in names], points)

    def _point(self, point):  # type: (Any) -> List[float]
        pair = [self._number(each, "set") for each in self._list(point, "set")[:POINT]]
        if len(pair) != POINT:
            raise self._error("set", "%.60r is not [value, time]." % (point,))
        return pair

    def _shine(self, devices, points):  # type: (Iterable[str], List[List[float]]) -> None
        """Let lights go through values, each reached at its time in milliseconds; at once for one that has passed."""
        lights, now = self.world.lights, self.world.clock.now()
        way = sorted((time / 1000 - now, min(max(value, 0.0), 1.0)) for value, time in points)
        for device in SINGLE.intersection(devices):
            light = device if device.endswith(SUFFIX) else device + SUFFIX
            passed = [value for seconds, value in way if seconds <= 0]
            if passed:
                lights.set(light, passed[-1])
            ahead = [point for point in way if point[0] > 0]
            if ahead:
                lights.follow(light, BrightnessRamps(lights.brightness(light), ahead))
