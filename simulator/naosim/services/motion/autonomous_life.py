"""The services of autonomous life: the state of life and the switches of the autonomous abilities."""
from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, overloads
from naosim.services.motion.autonomous_moves import ALAutonomousMoves

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, List

    from naosim.world.world import World

__all__ = ["BODY_LANGUAGE", "ALAutonomousBlinking", "ALAutonomousLife", "ALAutonomousMoves", "ALBackgroundMovement",
           "ALBasicAwareness", "ALListeningMovement", "ALSpeakingMovement"]

STATES = ["solitary", "interactive", "disabled", "safeguard"]
ABILITIES = ["AutonomousBlinking", "BackgroundMovement", "BasicAwareness", "ListeningMovement", "SpeakingMovement"]
SAFEGUARDS = ["RobotPushed", "RobotMoved", "RobotFell", "CriticalDiagnosis", "CriticalTemperature"]
STIMULI = ["Sound", "Movement", "People", "Touch", "TabletTouch", "NavigationMotion"]
BODY_LANGUAGE = ["disabled", "random", "contextual"]


class ALAutonomousLife(Service):
    """The robot's state of life and its autonomous abilities."""

    _hidden = frozenset()  # type: FrozenSet[str]

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._state = "disabled"
        self._abilities = dict.fromkeys(ABILITIES, False)  # type: Dict[str, bool]
        self._safeguards = dict.fromkeys(SAFEGUARDS, True)  # type: Dict[str, bool]
        self._offset = 0.0

    def getState(self):
        # type: () -> str
        """Return the state."""
        return self._state

    def setState(self, state):
        # type: (str) -> None
        """Change the state and raise AutonomousLife/State; refuse `safeguard`, which no program may set."""
        self._one_of(state, STATES, "setState", "state")
        if state == "safeguard":
            raise self._error("setState", "The state safeguard cannot be set by a program.")
        self._state = state
        self.world.memory.raiseEvent("AutonomousLife/State", state)

    def focusedActivity(self):
        # type: () -> str
        """Return "": no activity has the focus on this robot."""
        return ""

    @overloads("s", "s i", "s i m")
    def switchFocus(self, activity, flags=0, parameters=None):
        # type: (str, int, Any) -> None
        """Refuse: no activities are installed."""
        raise self._error("switchFocus", "Activity %s is not installed." % self._text(activity, "switchFocus"))

    def stopFocus(self):
        # type: () -> None
        """Do nothing: no activity has the focus."""

    def stopAll(self):
        # type: () -> None
        """Do nothing: no activities are installed."""

    def getAutonomousAbilityEnabled(self, ability):
        # type: (str) -> bool
        """Tell whether an autonomous ability is on."""
        return self._abilities[self._one_of(ability, ABILITIES, "getAutonomousAbilityEnabled", "ability")]

    def setAutonomousAbilityEnabled(self, ability, enabled):
        # type: (str, bool) -> None
        """Switch an autonomous ability on or off."""
        self._one_of(ability, ABILITIES, "setAutonomousAbilityEnabled", "ability")
        self._abilities[ability] = self._flag(enabled, "setAutonomousAbilityEnabled", 1)

    def getAutonomousAbilitiesStatus(self):
        # type: () -> List[Any]
        """List the autonomous abilities: name, whether it is on, whether it works now."""
        return [[name, enabled, enabled] for name, enabled in sorted(self._abilities.items())]

    def getActivityNature(self, activity):
        # type: (str) -> str
        """Refuse: no activities are installed."""
        raise self._error("getActivityNature", "Activity %s is not installed." % (
            self._text(activity, "getActivityNature")))

    @overloads("", "i")
    def getFocusHistory(self, depth=0):
        # type: (int) -> List[Any]
        """List the activities that had the focus: none."""
        self._number(depth, "getFocusHistory", 0, 0)
        return []

    def getLifeTime(self):
        # type: () -> int
        """Return for how many seconds the robot has been on."""
        return int(self.world.clock.now())

    def setSafeguardEnabled(self, name, enabled):
        # type: (str, bool) -> None
        """Switch a safeguard on or off: a reason for which the robot leaves an activity for its own safety."""
        self._one_of(name, SAFEGUARDS, "setSafeguardEnabled", "safeguard")
        self._safeguards[name] = self._flag(enabled, "setSafeguardEnabled", 1)

    def isSafeguardEnabled(self, name):
        # type: (str) -> bool
        """Tell whether a safeguard is on."""
        return self._safeguards[self._one_of(name, SAFEGUARDS, "isSafeguardEnabled", "safeguard")]

    def setRobotOffsetFromFloor(self, metres):
        # type: (float) -> None
        """Set how high the robot stands above the floor, in metres."""
        self._offset = self._number(metres, "setRobotOffsetFromFloor", 0, 0, 100)

    def getRobotOffsetFromFloor(self):
        # type: () -> float
        """Return how high the robot stands above the floor, in metres."""
        return self._offset


class Switch(Service):
    """An autonomous ability that can be switched on and off."""

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._enabled = False

    def setEnabled(self, enabled):
        # type: (bool) -> None
        """Switch the ability on or off."""
        self._enabled = self._flag(enabled, "setEnabled")
        self.world.trace.note("motion", method="%s.setEnabled" % self.name, duration=0.0, enabled=self._enabled)

    def isEnabled(self):
        # type: () -> bool
        """Tell whether the ability is on."""
        return self._enabled


class Ability(Switch):
    """An autonomous ability that also reports whether it works."""

    def isRunning(self):
        # type: () -> bool
        """Tell whether the ability works now: whenever it is on."""
        return self._enabled


class ALListeningMovement(Ability):
    """Moves while NAO listens."""


class ALBackgroundMovement(Ability):
    """Moves while NAO waits."""


class ALAutonomousBlinking(Switch):
    """Blinks now and then."""


class ALSpeakingMovement(Ability):
    """Moves while NAO speaks."""

    def __init__(self, world):
        # type: (World) -> None
        Ability.__init__(self, world)
        self._mode = "contextual"

    def setMode(self, mode):
        # type: (str) -> None
        """Choose random or contextual movements."""
        self._mode = self._one_of(mode, BODY_LANGUAGE[1:], "setMode", "mode")

    def getMode(self):
        # type: () -> str
        """Return the kind of movements, random or contextual."""
        return self._mode

    def addTagsToWords(self, words):
        # type: (Any) -> None
        """Accept and ignore words that call for a gesture."""

    def resetTagsToWords(self):
        # type: () -> None
        """Do nothing: words that call for a gesture are not kept."""


class ALBasicAwareness(Ability):
    """Looks at people and noises."""

    def __init__(self, world):
        # type: (World) -> None
        Ability.__init__(self, world)
        self._modes = {"setEngagementMode": "Unengaged", "setTrackingMode": "Head"}
        self._stimuli = dict.fromkeys(STIMULI, True)  # type: Dict[str, bool]
        self._is_paused = False

    def startAwareness(self):
        # type: () -> None
        """Start looking at people and noises."""
        self.setEnabled(True)

    def stopAwareness(self):
        # type: () -> None
        """Stop looking at people and noises."""
        self.setEnabled(False)

    def isAwarenessRunning(self):
        # type: () -> bool
        """Tell whether NAO looks at people and noises."""
        return self._enabled

    def resumeAwareness(self):
        # type: () -> None
        """Resume looking."""
        self._is_paused = False

    def pauseAwareness(self):
        # type: () -> None
        """Pause looking."""
        self._is_paused = True

    def isAwarenessPaused(self):
        # type: () -> bool
        """Tell whether looking is paused."""
        return self._is_paused

    def getEngagementMode(self):
        # type: () -> str
        """Return how easily NAO is distracted."""
        return self._modes["setEngagementMode"]

    def getTrackingMode(self):
        # type: () -> str
        """Return what NAO turns to a person."""
        return self._modes["setTrackingMode"]

    def engagePerson(self, person):
        # type: (int) -> bool
        """Return False: no person is in sight to turn to."""
        self._number(person, "engagePerson", 0)
        return False

    def isStimulusDetectionEnabled(self, stimulus):
        # type: (str) -> bool
        """Tell whether NAO reacts to a stimulus."""
        return self._stimuli[self._one_of(stimulus, STIMULI, "isStimulusDetectionEnabled", "stimulus")]

    def setEngagementMode(self, mode):
        # type: (str) -> None
        """Choose how easily NAO is distracted."""
        known = ["Unengaged", "SemiEngaged", "FullyEngaged"]
        self._modes["setEngagementMode"] = self._one_of(mode, known, "setEngagementMode", "mode")

    def setTrackingMode(self, mode):
        # type: (str) -> None
        """Choose what NAO turns to a person."""
        known = ["Head", "BodyRotation", "WholeBody", "MoveContextually"]
        self._modes["setTrackingMode"] = self._one_of(mode, known, "setTrackingMode", "mode")

    def setStimulusDetectionEnabled(self, stimulus, enabled):
        # type: (str, bool) -> None
        """Choose whether NAO reacts to a stimulus."""
        self._one_of(stimulus, STIMULI, "setStimulusDetectionEnabled", "stimulus")
        self._stimuli[stimulus] = self._flag(enabled, "setStimulusDetectionEnabled", 1)
