"""ALBasicAwareness: the robot notices people and sounds, and looks at a person.

Its inputs, and that it reads the people's places in ALMemory, were measured on NAOqi 2.1.4.13 and 2.8.7.4
(funwithagents/nao-sim, specs/_overview.md).
"""

from __future__ import absolute_import, division, print_function

from almath import Position3D
from naosim import kinematics
from naosim.compat import INTEGERS, NUMBER_TYPES
from naosim.services.autonomous_life import AutonomousAbility
from naosim.services.base import choice, declare, read_signals
from naosim.services.people import PERSON_KEY, POPULATION_UPDATED, VISIBLE_KEY
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Dict, List

    from naosim.compat import ALValue

_ENGAGEMENT_MODES = ["Unengaged", "SemiEngaged", "FullyEngaged"]
_TRACKING_MODES = ["Head", "BodyRotation", "WholeBody", "MoveContextually"]
_STIMULI = ["Sound", "Movement", "People", "Touch", "TabletTouch", "NavigationMotion"]
_TOUCHES = "TouchChanged"
_INPUTS = (POPULATION_UPDATED, "MovementDetection/MovementDetected", _TOUCHES)
_NO_PERSON = -1  # HumanTracked's number if no person is tracked (the maker's documentation)
_TURN_S = 1.0  # the time in which the head turns to a person: our guess
_MIN_TURN_RAD = 0.02  # the head turns no less: our guess
_PLACE_LENGTH = 3  # coordinates
_MAX_PARAMETERS, _MAX_PARAMETER_LENGTH = 100, 1000  # their number, and the characters of each value
_AWARENESS_PARAMETERS = {"LookStimulusSpeed": 0.6, "LookBackSpeed": 0.4}


def _has_touch(value):  # type: (ALValue) -> bool
    """Return whether TouchChanged tells of a touch, and not only of ends."""
    rows = value if isinstance(value, list) else []
    return any(isinstance(row, list) and row[1:2] == [True] for row in rows)


@declare(
    choice("EngagementMode", "Unengaged", _ENGAGEMENT_MODES, "mode", "how easily NAO is distracted"),
    choice("TrackingMode", "Head", _TRACKING_MODES, "mode", "the part that NAO turns to a person"),
)
class ALBasicAwareness(AutonomousAbility):
    """Looks at the people in sight, and notices touches and movements, while it is on and not paused."""

    signals = read_signals("stimulusDetected(s) humanTracked(i) humanLost(b)")

    def __init__(self, world):  # type: (World) -> None
        AutonomousAbility.__init__(self, world)
        self._stimuli = dict.fromkeys(_STIMULI, True)  # type: Dict[str, bool]
        self._parameters = dict(_AWARENESS_PARAMETERS)  # type: Dict[str, object]
        self._is_paused = False
        self._tracked = _NO_PERSON
        self._turned_at = -_TURN_S

    def setEnabled(self, enabled):  # type: (bool) -> None
        """Switch the ability on or off: it is subscribed to its events while it is on."""
        AutonomousAbility.setEnabled(self, enabled)
        self.world.memory.hear_for(self, _INPUTS if self._enabled else ())
        if not self._enabled:
            self._tracked = _NO_PERSON

    def take_event(self, event, value):  # type: (str, ALValue) -> None
        """Notice a stimulus, and look at a person in sight; called by ALMemory."""
        if self._is_paused:
            return
        if event == POPULATION_UPDATED:
            if self._stimuli["People"]:
                self._follow(self._choose_person())
        elif value and (event != _TOUCHES or _has_touch(value)):
            self._stimulate("Touch" if event == _TOUCHES else "Movement")

    def setParameter(self, name, value):  # type: (str, ALValue) -> None
        """Set a speed of the head, 0 to 1; store other parameters, at most 100, each of limited length."""
        if self._text(name, "setParameter") in _AWARENESS_PARAMETERS:
            value = self._number(value, "setParameter", 1, 0, 1)
        elif name not in self._parameters and len(self._parameters) >= _MAX_PARAMETERS:
            raise self._error("setParameter", "There are %d parameters already." % _MAX_PARAMETERS)
        elif len(repr(value)) > _MAX_PARAMETER_LENGTH:
            raise self._error("setParameter", "The value has more than %d characters." % _MAX_PARAMETER_LENGTH)
        self._parameters[name] = value

    def getParameter(self, name):  # type: (str) -> ALValue
        """Return a parameter; raise RuntimeError for an unknown one."""
        return self._parameters[self._one_of(name, sorted(self._parameters), "getParameter", "parameter")]

    def resetAllParameters(self):  # type: () -> None
        """Set the parameters back to their first values."""
        self._parameters = dict(_AWARENESS_PARAMETERS)

    def triggerStimulus(self, position):  # type: (List[float]) -> int
        """Return -1: a simulated robot finds no person at a place."""
        self._list(position, "triggerStimulus")
        return -1

    def startAwareness(self):  # type: () -> None
        """Start looking at people and noises."""
        self.setEnabled(True)

    def stopAwareness(self):  # type: () -> None
        """Stop looking at people and noises."""
        self.setEnabled(False)

    def isAwarenessRunning(self):  # type: () -> bool
        """Return whether NAO looks at people and noises."""
        return self._enabled

    def resumeAwareness(self):  # type: () -> None
        """Resume looking."""
        self._is_paused = False

    def pauseAwareness(self):  # type: () -> None
        """Pause looking."""
        self._is_paused = True

    def isAwarenessPaused(self):  # type: () -> bool
        """Return whether looking is paused."""
        return self._is_paused

    def engagePerson(self, person):  # type: (int) -> bool
        """Look at a person; return False if this person is not in sight."""
        number = int(self._number(person, "engagePerson", 0))
        is_there = self._enabled and not self._is_paused and number in self._list_visible()
        if is_there:
            self._follow(number)
        return is_there

    def isStimulusDetectionEnabled(self, stimulus):  # type: (str) -> bool
        """Return whether NAO reacts to a stimulus."""
        return self._stimuli[self._one_of(stimulus, _STIMULI, "isStimulusDetectionEnabled", "stimulus")]

    def setStimulusDetectionEnabled(self, stimulus, enabled):  # type: (str, bool) -> None
        """Choose whether NAO reacts to a stimulus."""
        self._one_of(stimulus, _STIMULI, "setStimulusDetectionEnabled", "stimulus")
        self._stimuli[stimulus] = self._flag(enabled, "setStimulusDetectionEnabled", 1)

    def _list_visible(self):  # type: () -> List[int]
        """List the people in sight, by ALMemory: a program can write them there, and anything else."""
        found = self.world.memory.get_stored(VISIBLE_KEY)
        return [each for each in found if type(each) in INTEGERS] if isinstance(found, list) else []

    def _choose_person(self):  # type: () -> int
        visible = self._list_visible()
        return self._tracked if self._tracked in visible else visible[0] if visible else _NO_PERSON

    def _follow(self, number):  # type: (int) -> None
        """Track the person with this number, or no person, and raise the events of a change."""
        before, self._tracked = self._tracked, number
        if number != before:
            if number == _NO_PERSON:
                self._tell("HumanLost", before)
                self._emit("humanLost", True)
            elif before == _NO_PERSON:
                self._stimulate("People")
            self._tell("HumanTracked", number)
            self._emit("humanTracked", number)
        if number != _NO_PERSON and self.world.body.is_awake:
            self._turn_head(PERSON_KEY % number + "PositionInTorsoFrame")

    def _turn_head(self, key):  # type: (str) -> None
        """Turn the head to a place, unless it is turned there already or turns now."""
        place = self.world.memory.get_stored(key)
        if isinstance(place, list) and [type(each) in NUMBER_TYPES for each in place] == [True] * _PLACE_LENGTH:
            body = self.world.body
            angles = kinematics.head_angles_towards(body.model, Position3D(place), body.angles())
            away, now = max(abs(angles[joint] - body.angle(joint)) for joint in angles), self.world.clock.now()
            if away > _MIN_TURN_RAD and now - self._turned_at >= _TURN_S:
                self._turned_at = now
                self.world.trace.note("motion", method="%s.track" % self.name, duration=_TURN_S, place=place)
                body.take(angles, _TURN_S)

    def _stimulate(self, stimulus):  # type: (str) -> None
        if self._stimuli[stimulus]:
            self._tell("StimulusDetected", stimulus)
            self._emit("stimulusDetected", stimulus)

    def _tell(self, event, value):  # type: (str, ALValue) -> None
        self.world.memory.raiseEvent("%s/%s" % (self.name, event), value)
