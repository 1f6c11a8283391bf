"""The simulated robot for programs, and the person in front of it.

A `Robot` is a world with simulated services. `RobotDriver` loads behaviours and advances the time. A `Person` speaks to
the robot, touches it and causes events of its sensors. `Ears` are the phrases and touches that the robot listens to.
"""

from __future__ import absolute_import, division, print_function

import difflib
from collections import namedtuple

from naosim import scripting, xar
from naosim.clock import Clock
from naosim.compat import NUMBER_TYPES, TEXTS, native, natively, quote
from naosim.errors import WrongUse
from naosim.lint import note_findings
from naosim.packages import find_behaviour_file
from naosim.player import Behaviour, list_left_open, note_error
from naosim.services import SERVICES, list_lacking, memory
from naosim.services.autonomous_life import ALAutonomousLife
from naosim.services.memory_keys import (
    DEVICE_PREFIX,
    EVENT_WRITERS,
    SPEECH_EVENTS,
    TOUCH_SENSOR_EVENTS,
    list_events,
    list_robot_keys,
)
from naosim.services.motion import ALMotion
from naosim.services.people import ARRIVAL_KEY, LEAVING_KEY, PEOPLE_KEY, ALPeoplePerception, parse_people
from naosim.services.sight import SIGHTING_EVENTS, ALFaceDetection, make_sighting
from naosim.services.speech import ALSpeechRecognition
from naosim.services.touch import ALTouch
from naosim.world import Faults, Trace, World

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterable, Protocol, Sequence, TypeVar

    from naosim.world import RobotMemory, RobotService

    Driver = TypeVar("Driver", bound="RobotDriver")

    class SpeechEngine(Protocol):
        """A service that listens to phrases: the recogniser, the dialogs, or Autonomous Life."""

        @property
        def vocabulary(self):  # type: () -> Sequence[str]
            """The phrases that it listens to."""

        @property
        def spotting(self):  # type: () -> bool
            """Whether it finds a phrase inside a longer sentence."""

        def hear_phrase(self, sentence, confidence):  # type: (str, float) -> bool
            """Take in a phrase; return whether it was understood."""

# Listening and waiting.

#: The open speech engine or None, its phrases, whether it spots words, and the touch events with subscribers.
Ears = namedtuple("Ears", "engine vocabulary spotting touch")

#: The speech engines by precedence; Autonomous Life listens to trigger sentences only if no program listens.
_ENGINES = ("ALSpeechRecognition", "ALDialog", "ALAutonomousLife")
TOUCH_EVENTS = TOUCH_SENSOR_EVENTS + ("TouchChanged",)

#: Virtual seconds: a robot that only listens to touch waits for a person if nothing is due within this time.
_IDLE_S = 1.0
#: Virtual seconds: it also waits after listening or routine for this time, because a periodic task can always be due.
_MAX_LISTENING_S = 5.0
_MAX_NAMED = 10  # events that a message lists


def _list_ears(world):  # type: (World) -> Ears
    touch = tuple(event for event in TOUCH_EVENTS if world.memory.is_heard(event))
    name, engine = _open_engine(world)
    if engine is None:
        return Ears(None, (), False, touch)
    return Ears(name, tuple(engine.vocabulary), engine.spotting, touch)


def describe_awaited(world):  # type: (World) -> str
    """Return a description of the robot's wait: for an answer, a touch, other events of ALMemory, or nothing."""
    now = _list_ears(world)
    if now.engine is not None:
        return "it waits for an answer: see --say"
    if now.touch:
        return "it waits for a touch: see --touch %s" % now.touch[0]
    events = world.memory.list_heard_events()
    more = ", ..." if len(events) > _MAX_NAMED else ""
    return "it waits for: %s%s" % (", ".join(events[:_MAX_NAMED]), more) if events else "no event is left"


class Waiting(object):
    """The condition that ends a run: the robot waits for a person, or `is_over()` is true."""

    __slots__ = ("_idle_since", "_touch_since", "_world", "is_over")

    def __init__(self, world, is_over):  # type: (World, Callable[[], bool]) -> None
        self._world = world
        self.is_over = is_over
        self._touch_since = self._idle_since = None  # type: float | None

    def __call__(self):  # type: () -> bool
        if self.is_over():
            return True
        services = self._world.services
        if getattr(services.get("ALTextToSpeech"), "is_speaking", False):
            return False
        if getattr(services.get("ALDialog"), "is_answering", False):
            return False
        return _open_engine(self._world)[1] is not None or self._awaits_touch() or self._is_idle()

    def _awaits_touch(self):  # type: () -> bool
        is_heard = self._world.memory.is_heard
        if not any(is_heard(event) for event in TOUCH_EVENTS):
            return False
        clock = self._world.clock
        if self._touch_since is None:
            self._touch_since = clock.now()
        due = clock.next_due()
        return due is None or due - clock.now() >= _IDLE_S or clock.now() - self._touch_since >= _MAX_LISTENING_S

    def _is_idle(self):  # type: () -> bool
        """Return whether the robot has done nothing but its routine for a while."""
        clock = self._world.clock
        if not clock.does_routine():
            self._idle_since = None
            return False
        if self._idle_since is None:
            self._idle_since = clock.now()
        return clock.now() - self._idle_since >= _MAX_LISTENING_S


def _open_engine(world):  # type: (World) -> tuple[str | None, SpeechEngine | None]
    for name in _ENGINES:
        engine = world.services.get(name)  # type: Any
        if engine is not None and getattr(engine, "is_open", False) and (name == "ALDialog" or engine.vocabulary):
            return name, engine
    return None, None


# Events of the sensors, and the values of the devices behind them.

_MAX_KEY_LENGTH = 200  # letters of a key in ALMemory
_CHARGE_KEY = DEVICE_PREFIX + "Battery/Charge/Sensor/Value"
_ECHOES_M = (0.0, 10.0)  # the nearest and the farthest echo of the sonar, in metres
_NEAR_ECHO_M = 0.5  # metres; a nearer echo is an obstacle
_SONARS = {DEVICE_PREFIX + "US/%s/Sensor/Value" % side: side for side in ("Left", "Right")}
#: Events whose values remain until they change, for services that start later.
_SONAR_EVENTS = frozenset(event for event, writer in EVENT_WRITERS.items() if writer == "ALSonar")
_LASTING_EVENTS = _SONAR_EVENTS.union(SIGHTING_EVENTS)
_EVENT_LIMITS = {"SonarLeftDetected": _ECHOES_M, "SonarRightDetected": _ECHOES_M, "BatteryChargeChanged": (0, 100)}
_DEVICE_LIMITS = (
    ("Battery/Charge/", (0.0, 1.0)),
    ("US/", _ECHOES_M),
    ("/Sonar/", _ECHOES_M),
    ("/FSR/", (-50.0, 50.0)),
    ("", (-1e6, 1e6)),
)
#: The services by which programs change the parts of the body that these keys follow.
_WRITERS = {"angle": "ALMotion", "stiffness": "ALMotion", "wheel": "ALMotion", "light": "ALLeds"}


def _check_event(world, key, value):  # type: (World, object, object) -> tuple[str, object]
    """Return the key and the value of an event as they are stored; raises WrongUse if they are impossible."""
    key, value = natively(key), natively(value)
    if not isinstance(key, str) or not 0 < len(key) <= _MAX_KEY_LENGTH:
        raise WrongUse("the name of an event is a text of 1 to %d letters, not %s" % (_MAX_KEY_LENGTH, quote(key)))
    _check_key(world, key)
    try:
        if key == PEOPLE_KEY:
            parse_people(value)
            return key, value
        if key in SIGHTING_EVENTS:
            make_sighting(world, key, value)
        elif _find_touch_event(world, key):
            value = _check_limits(value, (0, 1), "1 (touched) or 0")
        elif key in _EVENT_LIMITS:
            value = _check_limits(value, _EVENT_LIMITS[key])
        elif key.startswith(DEVICE_PREFIX):
            value = float(_check_limits(value, next(limits for part, limits in _DEVICE_LIMITS if part in key)))
        else:
            check_signal_values(world, key, value)
        return key, memory.to_alvalue(value)
    except memory.NotAnALValue as error:
        raise WrongUse("%s cannot take %s: %s" % (quote(key), quote(value), error))
    except ValueError as error:
        raise WrongUse("%s cannot be %s: %s" % (quote(key), quote(value), error))


def check_signal_values(world, key, value):  # type: (World, str, object) -> None
    """Raise WrongUse if the event of a service's signal has another number of values than the signal."""
    types = world.memory.signal_types(key)
    if types is None:
        return
    if len(types) > 1:
        fits, wanted = isinstance(value, list) and len(value) == len(types), "%d values, in a list" % len(types)
    elif types:
        fits, wanted = not isinstance(value, list) or types[0][0] in _LIST_TYPES, "one value"
    else:
        fits, wanted = value in (None, []), "no value, so give null"
    if not fits:
        raise WrongUse("%s has %s, not %s" % (quote(key), wanted, quote(value)))


_LIST_TYPES = "[(m"  # the first letters of signatures for values that can be lists


def _can_be_noticed(world, key):  # type: (World, str) -> bool
    """Return whether the robot notices this event now: the service that raises it, if any, runs."""
    writer = world.services.get(EVENT_WRITERS.get(key, ""))
    return writer is None or key in SPEECH_EVENTS or bool(getattr(writer, "is_running", False))


def _is_awaited(world, key):  # type: (World, str) -> bool
    """Return whether an event has subscribers, or the service that raises it runs."""
    if world.memory.is_heard(key):
        return True
    return EVENT_WRITERS.get(key, "") in world.services and _can_be_noticed(world, key)


def _raise_event(world, key, value):  # type: (World, str, Any) -> None
    """Cause an event after `_check_event`: set the devices behind it, and raise it if the robot notices it."""
    if key == PEOPLE_KEY:
        world.people = parse_people(value)
        value = sorted(world.people)
    value = make_sighting(world, key, value) if key in SIGHTING_EVENTS else value
    is_noticed, perception = _can_be_noticed(world, key), world.find(ALPeoplePerception)
    world.trace.note("event", key=key, value=value, noticed=is_noticed)
    if key in _LASTING_EVENTS:
        world.sights[key] = value
    if key.startswith(DEVICE_PREFIX):
        _set_device(world, key, value)
    elif key == PEOPLE_KEY and perception is not None:
        if not is_noticed:
            # With Autonomous Life, ALBasicAwareness runs ALPeoplePerception: boxes read the key without subscribing.
            world.memory.insertData(key, value)
        perception.take_people()
    elif is_noticed:
        world.memory.raiseEvent(key, value)
        faces = world.find(ALFaceDetection)
        if key == "FaceDetected" and faces is not None:
            faces.recognise_later()
    if key in (ARRIVAL_KEY, LEAVING_KEY) and perception is not None:
        perception.notice(key, value)
    if key == "BatteryChargeChanged":
        world.memory.insertData(_CHARGE_KEY, value / 100.0)
    elif key in ("SonarLeftDetected", "SonarRightDetected"):
        side = "Left" if "Left" in key else "Right"
        world.memory.insertData(DEVICE_PREFIX + "US/%s/Sensor/Value" % side, float(value))


#: The postures of a NAO that falls to a side; documentation of the fall manager has also left and right.
_FALLS = {"front": "LyingBelly", "back": "LyingBack"}


def _push_over(world, posture):  # type: (World, str) -> None
    """Let a standing robot fall.

    If Autonomous Life is on, it is safeguard until the robot lies (documentation of NAOqi 2.8); that the robot then
    stands up is our guess of what the maker's package fall-recovery does.
    """
    motion, life = world.find(ALMotion), world.find(ALAutonomousLife)
    stands = world.body.model.families.get(world.posture) == "Standing"
    if motion is None or motion.is_falling or not stands:
        return
    guard = life if motion.reflexes.is_protected() and life is not None and life.meet_emergency("RobotFell") else None
    motion.fall_over(posture)
    if guard is not None and guard.getState() == "safeguard":
        guard.setState("solitary")
        motion.wakeUp()


def _find_touch_event(world, key):  # type: (World, str) -> str
    """Return the touch event of a key, which is the event or its device; "" for other keys."""
    if key in world.body.model.touch_sensors:
        return key
    found = list_robot_keys(world.robot_type, world.naoqi).get(key)
    return str(found.value) if found is not None and found.follows == "touch" else ""


def _set_device(world, key, value):  # type: (World, str, float) -> None
    """Set the value of a device, and raise the event that it causes."""
    world.memory.insertData(key, value)
    if key == _CHARGE_KEY:
        world.memory.raiseEvent("BatteryChargeChanged", int(100 * value + 0.5))
    elif key in _SONARS:
        for kind, is_so in (("Detected", value <= _NEAR_ECHO_M), ("NothingDetected", value > _NEAR_ECHO_M)):
            event = "Sonar%s%s" % (_SONARS[key], kind)
            world.sights.pop(event, None)
            if is_so:
                world.sights[event] = value
                if _can_be_noticed(world, event):
                    world.memory.raiseEvent(event, value)


def _check_key(world, key):  # type: (World, str) -> None
    """Raise WrongUse for an unknown device, a key that follows the body, and a name that is nearly that of an event."""
    if key in list_events() or world.memory.is_heard(key):
        return
    if key.startswith("Device/"):
        known = list_robot_keys(world.robot_type, world.naoqi)
        if key not in known or not key.startswith(DEVICE_PREFIX):
            raise WrongUse("the robot has no device %s%s" % (quote(key), _instead(_find_near_device(key, known))))
        if known[key].follows in _WRITERS:
            raise WrongUse("%s follows the body: change it by %s" % (quote(key), _WRITERS[known[key].follows]))
        return
    near = difflib.get_close_matches(key, sorted(list_events()), 1, 0.88)
    if near and key not in world.memory.getEventList():
        raise WrongUse("the robot has no event %s%s" % (quote(key), _instead(near)))


def _find_near_device(key, known):  # type: (str, Iterable[str]) -> list[str]
    """Find the key of a device that is nearly this one: its first part first, because there are thousands of keys."""
    depth = DEVICE_PREFIX.count("/")
    devices = [name for name in known if name.startswith(DEVICE_PREFIX)]
    parts = sorted({name.split("/")[depth] for name in devices})
    near = difflib.get_close_matches("".join(key.split("/")[depth : depth + 1]), parts, 1, 0.6)
    devices = [name for name in devices if name.split("/")[depth] in near]
    return difflib.get_close_matches(key, devices, 1, 0.6)


def _instead(near):  # type: (list[str]) -> str
    return ": do you mean %s?" % quote(near[0]) if near else ""


def _check_limits(value, limits, what=""):  # type: (object, tuple[float, float], str) -> Any
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, NUMBER_TYPES) or not limits[0] <= value <= limits[1]:
        raise ValueError("it is %s" % (what or "a number from %g to %g" % limits))
    return value


# The person.

_RECOGNISER = "ALSpeechRecognition"
_PRESS_S = 0.1  # seconds that a tap presses a sensor
#: The acts of a person's page by the services and methods that it calls, with the names of the arguments.
_ACTS_BY_CALLS = {
    ("ALMemory", "insertData"): ("set", ("key", "value")),
    ("ALMemory", "raiseEvent"): ("raise", ("key", "value")),
    ("ALTextToSpeech", "stopAll"): ("hush", ()),
}  # type: dict[tuple[object, object], tuple[str, tuple[str, ...]]]


class Person(object):
    """The acts of a person with a robot; each act is scheduled and happens when the clock runs next.

    Each act calls the `listeners` with its name and its fields before it is scheduled.
    """

    def __init__(self, world):  # type: (World) -> None
        self.world = world
        self.listeners = []  # type: list[Callable[[str, dict[str, object]], object]]

    def announce(self, act, **fields):  # type: (str, **object) -> None
        """Call the listeners with the act that follows."""
        for listener in self.listeners:
            listener(act, fields)

    def announce_call(self, service, method, args):  # type: (object, object, Sequence[object]) -> None
        """Announce the act that a call from the person's page is, if it is one."""
        act, names = _ACTS_BY_CALLS.get((service, method), ("", ()))
        if act and len(args) == len(names) and (not args or isinstance(args[0], TEXTS)):
            self.announce(act, **dict(zip(names, args)))

    def ears(self):  # type: () -> Ears
        """Return the phrases and touches that the robot listens to now."""
        return _list_ears(self.world)

    def hear(self, phrase, confidence=0.9):  # type: (str, float) -> None
        """Say a phrase to the speech engine that is open now."""
        self.announce("hear", phrase=native(phrase), confidence=confidence)
        phrase = self.world.faults.distort_phrase(native(phrase))
        name, engine = _open_engine(self.world)
        self.world.trace.note("hear", phrase=phrase, confidence=confidence, engine=name)
        if engine is not None:
            self.world.clock.call_soon(engine.hear_phrase, phrase, confidence)

    def begin_to_speak(self):  # type: () -> None
        """Let the recogniser notice that the person speaks; call `speak` when the phrase is known."""
        engine = self.world.find(ALSpeechRecognition)
        if engine is not None:
            self.world.clock.call_soon(engine.speech_began)

    def speak(self, hypotheses):  # type: (Sequence[tuple[str, float]]) -> None
        """Give the recogniser the result for real sound: phrases with confidences, the best first; [] if it rejects it.

        If another engine listens, it gets the best phrase.
        """
        best, confidence = hypotheses[0] if hypotheses else ("", 0.0)
        if self.ears().engine != _RECOGNISER:
            self.hear(best, confidence)
            return
        self.announce("hear", phrase=native(best), confidence=confidence)
        self.world.trace.note("hear", phrase=native(best), confidence=confidence, engine=_RECOGNISER)
        found = [(native(phrase), sure) for phrase, sure in hypotheses]
        self.world.clock.call_soon(self.world.need(ALSpeechRecognition).speech_ended, found)

    def touch(self, sensor):  # type: (str) -> None
        """Press a sensor and release it 0.1 s later; raises WrongUse for unknown sensors."""
        sensor = self._check_sensor(sensor)
        self.announce("touch", sensor=sensor)
        self._schedule_touch(sensor, True)
        self.world.clock.call_later(_PRESS_S, self._schedule_touch, sensor, False)

    def press(self, sensor):  # type: (str) -> None
        """Press a sensor; raises WrongUse for unknown sensors."""
        self._press(sensor, 1.0)

    def release(self, sensor):  # type: (str) -> None
        """Release a sensor; raises WrongUse for unknown sensors."""
        self._press(sensor, 0.0)

    def push(self, direction="front"):  # type: (str) -> None
        """Push a standing NAO so that it falls to the "front" or the "back"; one that does not stand stays as it is.

        Raises WrongUse for another direction, and for a Pepper.
        """
        direction = native(direction)
        if direction not in _FALLS:
            raise WrongUse("a robot falls to the front or the back, not to %s" % quote(direction))
        if _FALLS[direction] not in self.world.body.model.families:
            raise WrongUse("only a simulated NAO can be pushed over, not a Pepper")
        self.announce("push", direction=direction)
        self.world.trace.note("push", direction=direction)
        self.world.clock.call_soon(_push_over, self.world, _FALLS[direction])

    def event(self, key, value):  # type: (str, object) -> None
        """Cause an event of the sensors, or set a device; raises WrongUse for an impossible key or value."""
        key, value = _check_event(self.world, key, value)
        self.announce("event", key=key, value=value)
        touched = _find_touch_event(self.world, key)
        if touched:
            self._schedule_touch(touched, bool(value))
        else:
            self.world.clock.call_soon(_raise_event, self.world, key, value)

    def _press(self, sensor, value):  # type: (str, float) -> None
        sensor = self._check_sensor(sensor)
        self.announce("event", key=sensor, value=value)
        self._schedule_touch(sensor, bool(value))

    def _check_sensor(self, sensor):  # type: (str) -> str
        sensor, sensors = native(sensor), self.world.body.model.touch_sensors
        if sensor not in sensors:
            raise WrongUse("the robot has no sensor %s: use one of %s" % (quote(sensor), ", ".join(sensors)))
        return sensor

    def _schedule_touch(self, sensor, pressed):  # type: (str, bool) -> None
        self.world.clock.call_soon(self._set_touched, sensor, pressed)

    def _set_touched(self, sensor, pressed):  # type: (str, bool) -> None
        """Let ALTouch press or release a sensor; without that service, only raise the event."""
        touch = self.world.find(ALTouch)
        if touch is not None:
            (touch.press if pressed else touch.release)(sensor)
        else:
            self.world.trace.note("touch", sensor=sensor, pressed=pressed)
            self.world.memory.raiseEvent(sensor, 1.0 if pressed else 0.0)


# Driving a robot.

#: The result of `advance`: the events since the last pause, the Ears, and whether the behaviour has ended.
Pause = namedtuple("Pause", "events ears ended")

MAX_ADVANCE_S = 3600.0  # the default limit of `advance`, in virtual seconds
_MAX_UNLOAD_S = 120.0  # the limit of loading or stopping a behaviour, in virtual seconds


class RobotDriver(object):
    """The robot of a `world` and its `person`, for a program outside the clock's tasks."""

    def __init__(self, world, person):  # type: (World, Person) -> None
        self.world = world
        self.world.clock.host = world
        self.world.clock.on_error = lambda scheduled, error: note_error(world, scheduled, error)
        self.person = person
        self.behaviour = None  # type: Behaviour | None
        self._shown = 0

    def __enter__(self):  # type: (Driver) -> Driver
        return self

    def __exit__(self, *_error):  # type: (*object) -> None
        self.close()

    # Parts of the world, by the names that tests and programs use.

    clock = property(lambda self: self.world.clock)  # type: Clock  # type: ignore[assignment]
    trace = property(lambda self: self.world.trace)  # type: Trace  # type: ignore[assignment]
    faults = property(lambda self: self.world.faults)  # type: Faults  # type: ignore[assignment]

    @property
    def memory(self):  # type: () -> RobotMemory
        """Return ALMemory."""
        return self.world.memory

    @property
    def services(self):  # type: () -> dict[str, RobotService]
        """Return the services by name."""
        return self.world.services

    def service(self, name):  # type: (str) -> RobotService
        """Return the service with this name; raises the robot's RuntimeError if none exists."""
        return self.world.service(name)

    def now(self):  # type: () -> float
        """Return the seconds since the robot was made."""
        return self.world.clock.now()

    def load(self, source, rewrite=False, parameters=None, behaviour="", dialogs=()):
        # type: (object, bool, dict[str, object] | None, str, Iterable[str]) -> Behaviour
        """Read a behaviour (path, bytes or project), load its boxes, and return it; raises NaosimError if that fails.

        `behaviour` names one of several in a package. `dialogs` are the Dialog boxes that are answered by hand.
        A loaded behaviour is stopped first. Errors that the lint finds are recorded; broken ids, ports and links raise.
        """
        loaded = self.read(source, rewrite, parameters, behaviour, dialogs)
        if self.behaviour is not None and self.behaviour.is_loaded:
            self.stop()
        self.take_on(loaded)
        self._do(loaded, loaded.load)
        return loaded

    def read(self, source, rewrite=False, parameters=None, behaviour="", dialogs=()):
        # type: (object, bool, dict[str, object] | None, str, Iterable[str]) -> Behaviour
        """Read a behaviour as `load` does, without loading its boxes; raises NaosimError if that fails."""
        project = xar.parse(find_behaviour_file(source, behaviour, self.world.writable_folder))
        loaded = Behaviour(self.world, project, rewrite, parameters, dialogs)
        note_findings(self.world, project)
        return loaded

    def take_on(self, loaded):  # type: (Behaviour) -> None
        """Make this behaviour the default of `start` and `stop`."""
        self.behaviour = loaded
        self.world.rewrites = loaded.rewrite
        package = loaded.project.package
        if package is not None:
            # Behaviours can also run the others of the project, as if it were installed as a package.
            self.world.packages[package.uuid] = package
            self.world.last_uploaded = package.uuid
        self.world.behaviour_folders[loaded.id] = loaded.folder

    def start(self, behaviour=None):  # type: (Behaviour | None) -> None
        """Schedule the behaviour's start; `advance` then runs it."""
        self.person.announce("start")
        behaviour = behaviour or self._current()
        clock, stop_at = self.world.clock, self.world.faults.stop_at
        clock.call_soon_for(behaviour, behaviour.start)
        if stop_at is not None and stop_at >= clock.now():
            clock.call_later_for(behaviour, stop_at - clock.now(), behaviour.interrupt)

    def advance(self, seconds=MAX_ADVANCE_S, awaited=""):  # type: (float, str) -> Pause
        """Run until the behaviour has ended, the robot waits for a person, no call is left or the time is up.

        The run also ends when the robot would notice the event `awaited`.
        """
        waiting = Waiting(self.world, self.is_over)
        with scripting.run_as_robot(self.world):
            self.world.clock.run(lambda: waiting() or self.awaits(awaited), seconds)
        return self.pause()

    def is_over(self):  # type: () -> bool
        """Return whether the loaded behaviour has ended."""
        return self.behaviour is not None and self.behaviour.ended

    def ears(self):  # type: () -> Ears
        """Return the phrases and touches that the robot listens to now."""
        return self.person.ears()

    def hear(self, phrase, confidence=0.9):  # type: (str, float) -> None
        """Say a phrase to the speech engine that is open; the robot hears it during the next `advance`."""
        self.person.hear(phrase, confidence)

    def touch(self, sensor):  # type: (str) -> None
        """Touch a sensor, named by its event, and run the clock to its release; raises WrongUse for unknown sensors."""
        self.person.touch(sensor)
        with scripting.run_as_robot(self.world):
            self.world.clock.run(seconds=_PRESS_S)

    def event(self, key, value):  # type: (str, object) -> None
        """Cause an event of the sensors during the next `advance`, such as ("FaceDetected", True).

        The key of a device, such as "Device/SubDeviceList/US/Left/Sensor/Value", is set and raises the events that it
        causes. Raises WrongUse for an impossible key or value.
        """
        self.person.event(key, value)

    def awaits(self, key):  # type: (str) -> bool
        """Return whether a behaviour or service waits for this event."""
        return bool(key) and _is_awaited(self.world, key)

    def stay_silent(self, seconds=None):  # type: (float | None) -> Pause
        """Let time pass until the next time-out, or for `seconds` seconds, then advance."""
        clock = self.world.clock
        self._pass_until(clock.next_due() if seconds is None else clock.now() + seconds)
        return self.advance()

    def wait(self, seconds=None):  # type: (float | None) -> None
        """Let time pass until the next time-out, at most `seconds` seconds; call `advance` to let the robot react."""
        clock = self.world.clock
        due, ends = clock.next_due(), None if seconds is None else clock.now() + seconds
        self._pass_until(due if ends is None or (due is not None and due < ends) else ends)

    def _pass_until(self, due):  # type: (float | None) -> None
        self.person.announce("silence", due=self.world.clock.now() if due is None else due)
        if due is not None:
            with scripting.run_as_robot(self.world):
                self.world.clock.run(up_to=due)

    def stop(self, behaviour=None):  # type: (Behaviour | None) -> None
        """Stop a behaviour as Choregraphe does: unload everything, without stimulating an onStop input."""
        self.person.announce("stop")
        behaviour = behaviour or self._current()
        self._do(behaviour, behaviour.interrupt)

    def leaks(self, behaviour=None):  # type: (Behaviour | None) -> list[str]
        """List subscriptions, timers, contexts, tasks and boxes that a behaviour left open, one sentence each."""
        return (behaviour or self._current()).leaks() + self.list_left_open()

    def list_left_open(self):  # type: () -> list[str]
        """List what all behaviours left open, except loaded boxes."""
        return list_left_open(self.world)

    def get(self, key):  # type: (str) -> object
        """Return the value of a key in ALMemory, None if none exists."""
        try:
            return self.world.memory.getData(native(key))
        except RuntimeError:
            return None

    def set(self, key, value):  # type: (str, object) -> None
        """Set the value of a key in ALMemory."""
        self.person.announce("set", key=native(key), value=value)
        self.world.memory.insertData(native(key), value)

    def pause(self):  # type: () -> Pause
        """Return the events since the last pause, the Ears, and whether the behaviour has ended."""
        # First, because the thread of a far robot can record events and end the behaviour at any time.
        has_ended = self.behaviour is None or self.behaviour.ended
        events = self.world.trace.list_since(self._shown)
        self._shown += len(events)
        return Pause(events, self.ears(), has_ended)

    def has_new_events(self):  # type: () -> bool
        """Return whether there are events since the last `pause`."""
        return len(self.world.trace.events) > self._shown

    def forget(self):  # type: () -> None
        """Drop the recorded events, for programs that run one robot thousands of times."""
        del self.world.trace.events[:], self.world.trace.errors[:]
        self._shown = 0
        if self.behaviour is not None:
            self.behaviour.forget()

    def close(self):  # type: () -> None
        """End every task, forget the modules of behaviours and remove temporary files."""
        with scripting.run_as_robot(self.world):
            self.world.clock.close()
        self.world.close()

    def _current(self):  # type: () -> Behaviour
        if self.behaviour is None:
            raise WrongUse("no behaviour is loaded: call load first")
        return self.behaviour

    def _do(self, behaviour, call):  # type: (Behaviour, Callable[[], object]) -> None
        """Run a call as a task of the behaviour until it has returned."""
        done = []  # type: list[bool]

        def task():  # type: () -> None
            call()
            done.append(True)

        self.world.clock.call_soon_for(behaviour, task)
        with scripting.run_as_robot(self.world):
            self.world.clock.run(lambda: done, _MAX_UNLOAD_S)


# The simulated robot.


class Robot(RobotDriver):
    """A simulated robot and its person.

    Besides NAOqi's methods, a service has `remote(method)` and `call(method, args)` for scripts, and `leftovers()` for
    the check of things left open. The robot also uses `is_open`, `vocabulary`, `spotting` and `hear_phrase` of
    ALSpeechRecognition and ALDialog, `is_speaking` of ALTextToSpeech, `is_heard(event)` of ALMemory,
    and `press` and `release` of ALTouch.

    >>> robot = Robot(without=["ALSpeechRecognition"])
    >>> robot.set("Game/Round", 3)
    >>> robot.get("Game/Round"), robot.get("Game/Score")
    (3, None)
    >>> robot.close()
    """

    def __init__(
        self,
        without=(),
        faults=None,
        seed=0,
        posture="Stand",
        languages=("English",),
        real_time=False,
        folder=None,
        speed=1.0,
        home=None,
        robot_type="Nao",
        clock=None,
        strict=False,
        camera=None,
        naoqi="2.8",
    ):
        # type: (Iterable[str], Faults | None, int, str, Iterable[str], bool, str | None, float, str | None, str, Clock | None, bool, str | None, str) -> None
        clock = clock or Clock(real_time, speed)
        world = World(clock, faults, seed, posture, languages, folder, home, robot_type, camera=camera, naoqi=naoqi)
        world.is_strict = bool(strict)
        RobotDriver.__init__(self, world, Person(world))
        alone = memory.ALMemory(world)
        world.install(alone, {})
        world.lacking, world.lacking_methods = list_lacking(world.robot_type, world.naoqi)
        lost = world.faults.without.union(native(name) for name in without) | world.lacking
        for name in sorted(set(SERVICES) - lost):
            world.services[name] = alone if name == "ALMemory" else SERVICES[name](world)
