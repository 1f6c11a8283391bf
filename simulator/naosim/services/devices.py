"""LEDs and tablet: ALLeds, the DCM and ALTabletService.

The patterns that ALLeds plays on the lights come first. The DCM takes timed commands for lights. The tablet loads no
page; the trace has the address.
"""

from __future__ import absolute_import, division, print_function

import re

from naosim.body import (
    EAR_ANGLES,
    EYE_SIZE,
    LED_GROUPS,
    LIGHT_SIDES,
    BrightnessRamps,
    BrightnessSteps,
    Steady,
    find_light,
    get_brightness,
    get_brightnesses,
    get_light_groups,
    is_eye_name,
    is_short_name,
)
from naosim.services.base import Service, constant, declare, no_effect, nothing, number_setting, overloads, read_signals
from naosim.services.memory_keys import DEVICE_PREFIX, list_robot_keys
from naosim.world import PortableRandom, World

MYPY = False
if MYPY:
    from typing import Dict, Iterable, List, Optional, Set, Union

    from naosim.body import Lights, TimedCurve
    from naosim.compat import ALValue

# Patterns of ALLeds.

_BLINK_S = 0.1  # the duration of a random colour
_STRIPE_S = 0.5  # the duration of a colour of the rasta pattern
_MIN_ROTATION_STEP_S = 0.01  # the shortest time of each light while a light goes round
_RASTA_COLOURS = (0x00FF00, 0xFFFF00, 0xFF0000)


def _make_eye_rotation(colour, rotation, seconds):  # type: (int, float, float) -> Dict[str, TimedCurve]
    """Return the curves of a light that goes round both eyes every `rotation` seconds; then all have its colour."""
    size = EYE_SIZE
    step = max(rotation / size, _MIN_ROTATION_STEP_S)
    turns = [[colour if place == at else 0 for place in range(size)] for at in range(size)]
    return _make_eye_turns(turns, step, seconds, colour)


def _make_random_eyes(seed, seconds):  # type: (int, float) -> Dict[str, TimedCurve]
    """Return the curves of eyes whose colours change at random, and which end with the colour `seed`."""
    random = PortableRandom(seed)
    turns = [[int(random.random() * 0xFFFFFF) for _ in range(EYE_SIZE)] for _ in range(EYE_SIZE)]
    return _make_eye_turns(turns, _BLINK_S, seconds, seed)


def _make_rasta(seconds):  # type: (float) -> Dict[str, TimedCurve]
    """Return the curves of green, yellow and red that go round the eyes."""
    count = len(_RASTA_COLOURS)
    turns = [[_RASTA_COLOURS[(at + place) % count] for place in range(count)] for at in range(EYE_SIZE)]
    return _make_eye_turns(turns, _STRIPE_S, seconds, _RASTA_COLOURS[0])


def _make_ear_angle(degrees, seconds, stays):  # type: (float, float, bool) -> Dict[str, TimedCurve]
    """Return the curves of a light that goes along both ears up to an angle, where it stays on or goes off."""
    last = int((degrees * len(EAR_ANGLES) / 360.0 + 0.5) // 1) % len(EAR_ANGLES)
    step = max(seconds / (last + 1), _MIN_ROTATION_STEP_S)
    found = {}  # type: Dict[str, TimedCurve]
    for side in LIGHT_SIDES:
        for at in range(len(EAR_ANGLES)):
            for light in LED_GROUPS["%sEarLed%d" % (side, at + 1)]:
                values = [1.0 if place == at else 0.0 for place in range(last + 1)]
                found[light] = BrightnessSteps(values, step, seconds, 1.0 if stays and at == last else 0.0)
    return found


def _make_eye_turns(turns, step, seconds, end):  # type: (List[List[int]], float, float, int) -> Dict[str, TimedCurve]
    """Return the curves of lights that have the same colours one after another in both eyes."""
    found = {}  # type: Dict[str, TimedCurve]
    for at, colours in enumerate(turns):
        for light in LED_GROUPS["FaceLed%d" % at]:
            values = [get_brightness(colour, light) for colour in colours]
            found[light] = BrightnessSteps(values, step, seconds, get_brightness(end, light))
    return found


# ALLeds.

_COLOURS = "white FFFFFF, red FF0000, green 00FF00, blue 0000FF, yellow FFFF00, magenta FF00FF, cyan 00FFFF"
_COLOUR_NAMES = {name: int(value, 16) for name, value in map(str.split, _COLOURS.split(","))}


class ALLeds(Service):
    """Changes lights; a change blocks for its duration, as on the robot."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._known = get_light_groups(world.body.model)
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
        """Change the brightness, 0 to 1, in `duration` seconds."""
        self._brightness(group, intensity, self._seconds(duration, "fade", 2), "fade")

    def fadeListRGB(self, group, colours, times):  # type: (str, ALValue, ALValue) -> None
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
        """Set the brightness of a group, 0 to 1, immediately."""
        self._brightness(group, intensity, 0.0, "setIntensity")

    def getIntensity(self, group):  # type: (str) -> ALValue
        """Return the brightness of a group, 0 to 1."""
        return self._intensity.get(self._check(group, "getIntensity"), 0.0)

    def reset(self, group):  # type: (str) -> None
        """Reset a group to the colour it had when the robot woke up: white."""
        self._set_colour(self._check(group, "reset"), _COLOUR_NAMES["white"], 0.0, "reset")

    def rotateEyes(self, colour, rotation, duration):  # type: (int, float, float) -> None
        """Rotate a light round the eyes, once every `rotation` seconds, for `duration` seconds."""
        turn, shown = self._number(rotation, "rotateEyes", 1, 0), self._colour(colour)
        seconds = self._seconds(duration, "rotateEyes", 2)
        self._play("FaceLeds", shown, seconds, "rotateEyes", _make_eye_rotation(shown, turn, seconds))

    def randomEyes(self, duration):  # type: (float) -> None
        """Change the eyes at random for `duration` seconds."""
        colour = int(self.world.random.random() * 0xFFFFFF)
        seconds = self._seconds(duration, "randomEyes", 0)
        self._play("FaceLeds", colour, seconds, "randomEyes", _make_random_eyes(colour, seconds))

    def rasta(self, duration):  # type: (float) -> None
        """Play green, yellow and red on the eyes for `duration` seconds."""
        seconds = self._seconds(duration, "rasta", 0)
        self._play("FaceLeds", _COLOUR_NAMES["green"], seconds, "rasta", _make_rasta(seconds))

    def earLedsSetAngle(self, degrees, duration, leave_on):  # type: (int, float, bool) -> None
        """Show an angle in degrees on the ears."""
        angle, stays = self._number(degrees, "earLedsSetAngle", 0), self._flag(leave_on, "earLedsSetAngle", 2)
        seconds = self._seconds(duration, "earLedsSetAngle", 1)
        curves = _make_ear_angle(angle, seconds, stays)
        self._play("EarLeds", _COLOUR_NAMES["blue"], seconds, "earLedsSetAngle", curves)

    def createGroup(self, group, leds):  # type: (str, List[str]) -> None
        """Create a group of several lights; raise RuntimeError if NAO has a group of that name."""
        if self._text(group, "createGroup") in self._known or find_light(self.world.body.model, group):
            raise self._error("createGroup", "The group %s exists already." % group)
        self._groups[group] = [self._check(led, "createGroup") for led in self._texts(leds, "createGroup", 1)]

    def listLEDs(self):  # type: () -> List[str]
        """List the short names of the single lights."""
        return sorted(name for name in self._known if name[-1].isdigit())

    def listLED(self, name):  # type: (str) -> List[str]
        """List the lights that a name stands for."""
        return self._members(self._check(name, "listLED"))

    def listGroups(self):  # type: () -> List[str]
        """List the groups."""
        return sorted(name for name in self._known if not is_short_name(name)) + sorted(self._groups)

    def listGroup(self, group):  # type: (str) -> List[str]
        """List the lights of a group."""
        return self._members(self._check(group, "listGroup"))

    def _members(self, group):  # type: (str) -> List[str]
        """List the single lights of NAO's own names, and the members of a program's group as it gave them."""
        if group in self._groups or group in self._known:
            return list(self._groups[group] if group in self._groups else self._known[group])
        return [find_light(self.world.body.model, group)]

    def _check(self, group, method):  # type: (str, str) -> str
        is_group = self._text(group, method) in self._known or group in self._groups
        if not is_group and not find_light(self.world.body.model, group):
            raise self._error(method, "Unknown led or group: %s." % group)
        return group

    def _seconds(self, value, method, position):  # type: (ALValue, str, int) -> float
        return self._number(value, method, position, 0, 3600)

    def _colour(self, colour):  # type: (Union[str, int, float]) -> int
        if isinstance(colour, str):
            return _COLOUR_NAMES[self._one_of(colour, sorted(_COLOUR_NAMES), "fadeRGB", "colour")]
        return int(self._number(colour, "fadeRGB", 1, 0, 0xFFFFFFFF)) & 0xFFFFFF

    def _brightness(self, group, intensity, seconds, method):  # type: (str, float, float, str) -> None
        self._intensity[self._check(group, method)] = self._number(intensity, method, 1, 0, 1)
        shade = int(255 * intensity)
        self._set_colour(group, shade << 16 | shade << 8 | shade, seconds, method)

    def _set_colour(self, group, colour, seconds, method):  # type: (str, int, float, str) -> None
        """Let every light of a group fade to its part of a colour, and wait until it has."""
        shown, curves = self.world.lights, {}  # type: Lights, Dict[str, TimedCurve]
        wanted = get_brightnesses(colour, self._lights(group))
        if seconds > 0:
            curves = {light: Steady(shown.brightness(light), end, seconds) for light, end in wanted.items()}
        else:
            shown.set_all(wanted)
        self._play(group, colour, seconds, method, curves)

    def _play(self, group, colour, seconds, method, curves):  # type: (str, int, float, str, Dict[str, TimedCurve]) -> None
        """Let lights follow their curves, and wait for as long as these take."""
        kind = "eyes" if any(is_eye_name(each) for each in self._groups.get(group, [group])) else "leds"
        self.world.trace.note(kind, group=group, colour="#%06x" % colour, duration=seconds, method=method)
        for light, curve in curves.items():
            self.world.lights.follow(light, curve)
        self._take_time(seconds)

    def _lights(self, group):  # type: (str) -> Iterable[str]
        """List the single lights of a group; groups of programs can contain one another."""
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


# DCM.

_UPDATE_TYPES = ("ClearAll", "Merge", "ClearAfter", "ClearBefore")
_MAX_OFFSET_MS = 2.0**31
_COMMAND_LENGTH = 3  # device, update, points
_ALIAS_LENGTH = 2  # name, devices
_POINT_LENGTH = 2  # value, time


@declare(constant("getPrefix", [DEVICE_PREFIX], "Return the beginning of the devices' names in ALMemory.", "ALValue"))
class DCM(Service):
    """Returns the time and stores the last value of each device. It does not move joints, which obey ALMotion."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._aliases = {}  # type: Dict[str, List[str]]

    def getTime(self, offset):  # type: (int) -> int
        """Return the time `offset` milliseconds from now, in milliseconds."""
        return int(self.world.clock.now() * 1000 + self._number(offset, "getTime", 0, -_MAX_OFFSET_MS, _MAX_OFFSET_MS))

    def createAlias(self, alias):  # type: (ALValue) -> ALValue
        """Name several devices at the same time: [name, [device, ...]]."""
        parts = self._list(alias, "createAlias")
        if len(parts) != _ALIAS_LENGTH:
            raise self._error("createAlias", "An alias is a name and a list of devices, not %.60r." % (alias,))
        name = self._text(parts[0], "createAlias")
        self._aliases[name] = self._texts(parts[1], "createAlias")
        return [name, list(self._aliases[name])]

    def set(self, command):  # type: (ALValue) -> None
        """Take a command: [device or alias, "ClearAll" or "Merge", [[value, time], ...]]."""
        parts = self._list(command, "set")
        if len(parts) != _COMMAND_LENGTH:
            raise self._error("set", "A command is a device, a kind of update and values, not %.60r." % (command,))
        device = self._text(parts[0], "set")
        self._one_of(parts[1], _UPDATE_TYPES, "set", "update")
        points = [self._point(point) for point in self._list(parts[2], "set")]
        last = points[-1][0] if points else None
        keys = list_robot_keys(self.world.robot_type, self.world.naoqi)
        names = self._aliases.get(device, [device])
        for name in names:
            key = name if name.startswith(DEVICE_PREFIX) else DEVICE_PREFIX + name
            # The key of an actuator has the last value that was sent: documentation of NAOqi 2.1, DCM.
            if last is not None and "/Actuator/" in key and key in keys and keys[key].follows == "constant":
                self.world.memory.insertData(key, last)
            self.world.trace.note("call", service=self.name, method="set", args=[name, last])
        self._shine([name[len(DEVICE_PREFIX) :] if name.startswith(DEVICE_PREFIX) else name for name in names], points)

    def setAlias(self, command):  # type: (ALValue) -> None
        """Take a command for several devices, each with its own values: [alias, update, kind of times, [[values]]]."""
        parts = self._list(command, "setAlias")
        if len(parts) < _COMMAND_LENGTH:
            raise self._error("setAlias", "A command is an alias, a kind of update and values, not %.60r." % (command,))
        name = self._text(parts[0], "setAlias")
        self._one_of(parts[1], _UPDATE_TYPES, "setAlias", "update")
        rows = [self._list(row, "setAlias") for row in self._list(parts[-1], "setAlias")]
        self.world.trace.note("call", service=self.name, method="setAlias", args=[name, len(rows)])
        for device, row in zip(self._aliases.get(name, ()), rows):
            self._shine([device], [self._point(point) for point in row if isinstance(point, (list, tuple))])

    def _point(self, point):  # type: (ALValue) -> List[float]
        pair = [self._number(each, "set") for each in self._list(point, "set")[:_POINT_LENGTH]]
        if len(pair) != _POINT_LENGTH:
            raise self._error("set", "%.60r is not [value, time]." % (point,))
        return pair

    def _shine(self, devices, points):  # type: (Iterable[str], List[List[float]]) -> None
        """Let lights go through values, each reached at its time in milliseconds, or now if that has passed."""
        lights, now = self.world.lights, self.world.clock.now()
        way = sorted((time / 1000 - now, min(max(value, 0.0), 1.0)) for value, time in points)
        for light in {find_light(self.world.body.model, device) for device in devices} - {""}:
            passed = [value for seconds, value in way if seconds <= 0]
            if passed:
                lights.set(light, passed[-1])
            ahead = [point for point in way if point[0] > 0]
            if ahead:
                lights.follow(light, BrightnessRamps(lights.brightness(light), ahead))


# ALTabletService.

_ROBOT_ADDRESS = "198.18.0.1"  # the robot's address as its tablet sees it, on every Pepper
_PAGE_SCHEMES = ("http://", "https://", "file://")
_SCALE_METHODS = ("setOnTouchWebviewScaleFactor", "getOnTouchScaleFactor")
_TABLET_SIGNALS = """
    onTouch(ff) onTouchDown(ff) onTouchUp(ff) onTouchMove(ff) onTouchDownRatio(ffs) onLoadPageError(iss) onInputText(is)
    onJSEvent(s) onPageStarted() onPageFinished() onConsoleMessage(s) onWifiStatusChange(s) onImageLoaded()
    videoStarted() videoFinished() onApkInstalled(s) onSystemApkInstalled(s) onSystemApkInstallError(i)
"""


_TABLET_PAGE = re.compile(r"https?://(localhost|127\.)", re.IGNORECASE)


@declare(
    nothing("pauseGif resumeGif", "no image moves"),
    constant("robotIp", _ROBOT_ADDRESS, "Return the robot's address on its tablet."),
    constant("version", "3.3.24", "Return the tablet's own version: that of a Pepper 1.8A with NAOqi 2.5.10.7."),
    number_setting("Brightness", 1.0, (0, 1), "the brightness, 0 to 1", answer=True),
    number_setting(
        "ScaleFactor", 1.34, (0.01, 100), "the factor between places on the page and on the screen", _SCALE_METHODS
    ),
    nothing("enableWebviewTouch disableWebviewTouch", "touches come as events"),
    nothing("enableWifi disableWifi", "there is no network"),
    constant("getWifiStatus", "DISCONNECTED", 'Return the state of the network, always "DISCONNECTED".'),
    constant("getAvailableKeyboards", [], "List the keyboards: none.", "List[str]"),
    no_effect("forgetWifi(s)b disconnectWifi()b getWifiMacAddress()s", "There is no network"),
    no_effect("getVideoPosition()i getVideoLength()i", "A video ends immediately"),
    no_effect("setKeyboard(s)b setTabletLanguage(s)b", "No setting changes the tablet", True),
    no_effect("getLastVideoErrorLog()s getCurrentLifeActivity()s", "There is nothing to tell"),
    no_effect("postEventToApplication()v resetToDefaultValue()v", "No setting changes the tablet"),
)
class ALTabletService(Service):
    """The tablet of a Pepper, which no other robot has; no page is loaded and no script is run."""

    signals = read_signals(_TABLET_SIGNALS)

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._url, self._video = "", ""
        self._is_shown = False

    @overloads("", "s")
    def showWebview(self, url=None):  # type: (Optional[str]) -> bool
        """Show the web view, with the page `url` if given; return False without a page to show."""
        if url is not None:
            return self.loadUrl(url) and self.showWebview()
        self._is_shown = bool(self._url)
        return self._is_shown and self._note("showWebview", self._url)

    def hideWebview(self):  # type: () -> bool
        """Hide the web view; return False if it is not shown."""
        was_shown, self._is_shown = self._is_shown, False
        return was_shown and self._note("hideWebview", self._url)

    def cleanWebview(self):  # type: () -> None
        """Forget the page."""
        self._url, self._is_shown = "", False
        self._note("cleanWebview", "")

    def loadUrl(self, url):  # type: (str) -> bool
        """Load a page, and return False for one of the tablet itself; an address without http:// gets one."""
        self._url = self._text(url, "loadUrl").strip()
        if self._url and not self._url.startswith(_PAGE_SCHEMES):
            self._url = _PAGE_SCHEMES[0] + self._url
        # A Pepper's tablet said False for a page of localhost. It has no web server, as far as we know.
        if _TABLET_PAGE.match(self._url):
            self._url = ""
        return (
            bool(self._url) and self._note("loadUrl", self._url) and self._emit_all("onPageStarted", "onPageFinished")
        )

    def reloadPage(self, without_cache):  # type: (bool) -> None
        """Load the page again."""
        self._flag(without_cache, "reloadPage")
        if self._url:
            self.loadUrl(self._url)

    def loadApplication(self, name):  # type: (str) -> bool
        """Load the page of a package, by its uuid; whether it is installed is not looked at."""
        uuid = self._text(name, "loadApplication").strip("/")
        return self.loadUrl("%s%s/apps/%s/" % (_PAGE_SCHEMES[0], _ROBOT_ADDRESS, uuid))

    def executeJS(self, script):  # type: (str) -> None
        """Note a script; it is not run."""
        self._note("executeJS", self._text(script, "executeJS"))

    def preLoadImage(self, url):  # type: (str) -> bool
        """Return True: there is nothing to load before."""
        return bool(self._text(url, "preLoadImage"))

    def showImage(self, url):  # type: (str) -> bool
        """Show an image."""
        return bool(self._text(url, "showImage")) and self._note("showImage", url) and self._emit_all("onImageLoaded")

    showImageNoCache = showImage

    def hideImage(self):  # type: () -> None
        """Hide the image."""
        self._note("hideImage", "")

    def setBackgroundColor(self, colour):  # type: (str) -> bool
        """Change the background, written like "#ff0000"."""
        digits = self._text(colour, "setBackgroundColor")[1:]
        is_colour = colour[:1] == "#" and len(digits) == 6 and all(each in "0123456789abcdefABCDEF" for each in digits)
        return is_colour and self._note("setBackgroundColor", colour)

    def playVideo(self, url):  # type: (str) -> bool
        """Start a video, which ends immediately."""
        self._video = self._text(url, "playVideo")
        return bool(url) and self._note("playVideo", url) and self._emit_all("videoStarted", "videoFinished")

    def pauseVideo(self):  # type: () -> bool
        """Return whether there is a video to pause or to continue with."""
        return bool(self._video)

    resumeVideo = pauseVideo

    def stopVideo(self):  # type: () -> bool
        """End the video; return False if none exists."""
        was, self._video = self._video, ""
        return bool(was) and self._note("stopVideo", was)

    def showAlertView(self, radius, colour, delay):  # type: (float, str, int) -> None
        """Show an alert."""
        self._number(radius, "showAlertView")
        self._number(delay, "showAlertView", 2)
        self._note("showAlertView", self._text(colour, "showAlertView", 1))

    @overloads("s s s s", "s s s s s i")
    def showInputDialog(self, kind, title, ok, cancel, value="", limit=0):  # type: (str, str, str, str, str, int) -> None
        """Ask for a text; the event onInputText brings the answer."""
        for at, text in enumerate((kind, title, ok, cancel, value)):
            self._text(text, "showInputDialog", at)
        self._number(limit, "showInputDialog", 5)
        self._note("showInputDialog", title)

    @overloads("s s s", "s s s s i")
    def showInputTextDialog(self, title, ok, cancel, value="", limit=0):  # type: (str, str, str, str, int) -> None
        """Ask for a text; the event onInputText brings the answer."""
        self.showInputDialog("text", title, ok, cancel, value, limit)

    def hideDialog(self):  # type: () -> None
        """Hide the question for a text."""
        self._note("hideDialog", "")

    def hide(self):  # type: () -> None
        """Hide page and video."""
        self._is_shown, self._video = False, ""
        self._note("hide", "")

    def turnScreenOn(self, on):  # type: (bool) -> None
        """Switch the screen on or off."""
        self._note("turnScreenOn", str(self._flag(on, "turnScreenOn")))

    def wakeUp(self):  # type: () -> None
        """Wake the tablet."""
        self._note("wakeUp", "")

    def goToSleep(self):  # type: () -> None
        """Send the tablet to sleep."""
        self._note("goToSleep", "")

    def resetTablet(self):  # type: () -> None
        """Forget page and video."""
        self._url, self._video, self._is_shown = "", "", False

    def setVolume(self, volume):  # type: (int) -> bool
        """Check and ignore the loudness, 0 to 15."""
        self._number(volume, "setVolume", 0, 0, 15)
        return True

    def configureWifi(self, security, name, key):  # type: (str, str, str) -> bool
        """Return False: the tablet has no network."""
        for at, text in enumerate((security, name, key)):
            self._text(text, "configureWifi", at)
        return False

    def connectWifi(self, name):  # type: (str) -> bool
        """Return False: the tablet has no network."""
        self._text(name, "connectWifi")
        return False

    def _note(self, method, shown):  # type: (str, str) -> bool
        self.world.trace.note("tablet", method=method, shown=shown)
        return True

    def _emit_all(self, *events):  # type: (*str) -> bool
        for event in events:
            self._emit(event)
        return True
