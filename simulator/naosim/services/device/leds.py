"""ALLeds: the groups of lights, their colours and how long a change takes."""

from __future__ import absolute_import, division, print_function

from naosim.body import Steady
from naosim.services.base import Service, overloads
from naosim.services.device import led_patterns
from naosim.services.device.led_names import GROUPS, SINGLE, SUFFIX, is_eye, part_of

MYPY = False
if MYPY:
    from typing import Any, Dict, Iterable, List, Optional, Set, Tuple, Union

    from naosim.world import World

COLOURS = {
    "white": 0xFFFFFF,
    "red": 0xFF0000,
    "green": 0x00FF00,
    "blue": 0x0000FF,
    "yellow": 0xFFFF00,
    "magenta": 0xFF00FF,
    "cyan": 0x00FFFF,
}


class ALLeds(Service):
    """Changes lights; a change blocks for its duration, as on the robot."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._groups = {}  # type: Dict[str, List[str]]
        self._intensity = {}  # type: Dict[str, float]

    @overloads("s s f", "s i f", "s f f f f")
    def fadeRGB(self, group, colour, second, third=None, fourth=None):
        # type: (str, Union[str, int], float, Optional[float], Optional[float]) -> None
        """Change a colour: (group, "blue" or 0xRRGGBB, seconds) or (group, red, green, blue, seconds)."""
        self._check(group, "fadeRGB")
        if third is None:
            self._set_colour(group, self._colour(colour), self._seconds(second, "fadeRGB", 2), "fadeRGB")
            return
        parts = (colour, second, third)
        red, green, blue = (int(255 * self._number(part, "fadeRGB", at + 1, 0, 1)) for at, part in enumerate(parts))
        self._set_colour(group, red << 16 | green << 8 | blue, self._seconds(fourth, "fadeRGB", 4), "fadeRGB")

    def fade(self, group, intensity, duration):  # type: (str, float, float) -> None
        """Change the brightness, 0 to 1, in so many seconds."""
        self._brightness(group, intensity, self._seconds(duration, "fade", 2), "fade")

    def fadeListRGB(self, group, colours, times):  # type: (str, Any, Any) -> None
        """Go through several colours, each reached at its time in seconds."""
        self._check(group, "fadeListRGB")
        colours = self._list(colours, "fadeListRGB", 1)
        ends = [self._seconds(time, "fadeListRGB", 2) for time in self._list(times, "fadeListRGB", 2)]
        if len(colours) != len(ends) or ends != sorted(ends):
            raise self._error("fadeListRGB", "%d colours do not go with the times %r." % (len(colours), ends))
        for colour, start, end in zip(colours, [0.0] + ends, ends):
            self._set_colour(group, self._colour(colour), end - start, "fadeListRGB")

    def on(self, group):  # type: (str) -> None
        """Switch a group on."""
        self._brightness(group, 1.0, 0.0, "on")

    def off(self, group):  # type: (str) -> None
        """Switch a group off."""
        self._brightness(group, 0.0, 0.0, "off")

    def setIntensity(self, group, intensity):  # type: (str, float) -> None
        """Set the brightness of a group, 0 to 1, at once."""
        self._brightness(group, intensity, 0.0, "setIntensity")

    def getIntensity(self, group):  # type: (str) -> Any
        """Return the brightness of a group, 0 to 1."""
        return self._intensity.get(self._check(group, "getIntensity"), 0.0)

    def reset(self, group):  # type: (str) -> None
        """Reset a group to the colour it had when the robot woke up: white."""
        self._set_colour(self._check(group, "reset"), COLOURS["white"], 0.0, "reset")

    def rotateEyes(self, colour, rotation, duration):  # type: (int, float, float) -> None
        """Rotate a light round the eyes, once every `rotation` seconds, for `duration` seconds."""
        turn, shown = self._number(rotation, "rotateEyes", 1, 0), self._colour(colour)
        seconds = self._seconds(duration, "rotateEyes", 2)
        self._play("FaceLeds", shown, seconds, "rotateEyes", led_patterns.round_the_eyes(shown, turn, seconds))

    def randomEyes(self, duration):  # type: (float) -> None
        """Change the eyes at random for so many seconds."""
        colour = int(self.world.random.random() * 0xFFFFFF)
        seconds = self._seconds(duration, "randomEyes", 0)
        self._play("FaceLeds", colour, seconds, "randomEyes", led_patterns.random_eyes(colour, seconds))

    def rasta(self, duration):  # type: (float) -> None
        """Play green, yellow and red on the eyes for so many seconds."""
        seconds = self._seconds(duration, "rasta", 0)
        self._play("FaceLeds", COLOURS["green"], seconds, "rasta", led_patterns.rasta(seconds))

    def earLedsSetAngle(self, degrees, duration, leave_on):  # type: (int, float, bool) -> None
        """Show an angle in degrees on the ears."""
        angle, stays = self._number(degrees, "earLedsSetAngle", 0), self._flag(leave_on, "earLedsSetAngle", 2)
        seconds = self._seconds(duration, "earLedsSetAngle", 1)
        curves = led_patterns.angle_on_the_ears(angle, seconds, stays)
        self._play("EarLeds", COLOURS["blue"], seconds, "earLedsSetAngle", curves)

    def createGroup(self, group, leds):  # type: (str, List[str]) -> None
        """Create a group of several lights; raise RuntimeError when NAO has a group of that name."""
        if self._text(group, "createGroup") in GROUPS or group in SINGLE:
            raise self._error("createGroup", "The group %s exists already." % group)
        self._groups[group] = [self._check(led, "createGroup") for led in self._texts(leds, "createGroup", 1)]

    def listLEDs(self):  # type: () -> List[str]
        """List the short names of the single lights."""
        return sorted(name for name in GROUPS if name[-1].isdigit())

    def listLED(self, name):  # type: (str) -> List[str]
        """List the lights that a name stands for."""
        return self._members(self._check(name, "listLED"))

    def listGroups(self):  # type: () -> List[str]
        """List the groups."""
        return sorted(GROUPS) + sorted(self._groups)

    def listGroup(self, group):  # type: (str) -> List[str]
        """List the lights of a group."""
        return self._members(self._check(group, "listGroup"))

    def _members(self, group):  # type: (str) -> List[str]
        """List the single lights of NAO's own names, and the members of a program's group as it gave them."""
        if group in SINGLE:
            return [group if group.endswith(SUFFIX) else group + SUFFIX]
        return list(self._groups[group] if group in self._groups else GROUPS[group])

    def _check(self, group, method):  # type: (str, str) -> str
        if self._text(group, method) not in GROUPS and group not in self._groups and group not in SINGLE:
            raise self._error(method, "Unknown led or group: %s." % group)
        return group

    def _seconds(self, value, method, position):  # type: (Any, str, int) -> float
        return self._number(value, method, position, 0, 3600)

    def _colour(self, colour):  # type: (Union[str, int, float]) -> int
        if isinstance(colour, str):
            return COLOURS[self._one_of(colour, sorted(COLOURS), "fadeRGB", "colour")]
        return int(self._number(colour, "fadeRGB", 1, 0, 0xFFFFFFFF)) & 0xFFFFFF

    def _brightness(self, group, intensity, seconds, method):  # type: (str, float, float, str) -> None
        self._intensity[self._check(group, method)] = self._number(intensity, method, 1, 0, 1)
        shade = int(255 * intensity)
        self._set_colour(group, shade << 16 | shade << 8 | shade, seconds, method)

    def _set_colour(self, group, colour, seconds, method):  # type: (str, int, float, str) -> None
        """Let every light of a group fade to its part of a colour, and wait until it has."""
        shown, curves = self.world.lights, {}
        for light in self._lights(group):
            if seconds > 0:
                curves[light] = Steady(shown.brightness(light), part_of(colour, light), seconds)
            else:
                shown.set(light, part_of(colour, light))
        self._play(group, colour, seconds, method, curves)

    def _play(self, group, colour, seconds, method, curves):  # type: (str, int, float, str, Dict[str, Any]) -> None
        """Let lights follow their curves, and wait for as long as these take."""
        kind = "eyes" if any(is_eye(each) for each in self._groups.get(group, [group])) else "leds"
        self.world.trace.note(kind, group=group, colour="#%06x" % colour, duration=seconds, method=method)
        for light, curve in curves.items():
            self.world.lights.follow(light, curve)
        self._take_time(seconds)

    def _lights(self, group):  # type: (str) -> Iterable[str]
        """List the single lights of a group; those of a program's own may lie in one another."""
        if group not in self._groups:
            return self._members(group)
        found, seen, left = {}, set(), [group]  # type: Dict[str, None], Set[str], List[str]
        while left:
            name = left.pop()
            if name in seen:
                continue
            seen.add(name)
            if name in self._groups:
                left.extend(self._members(name))
            else:
                found.update(dict.fromkeys(self._members(name)))
        return found
