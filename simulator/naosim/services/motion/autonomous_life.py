"""Knows the services by which NAO lives a life of its own: its state and the switches of its autonomous abilities."""
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
    """Knows in which state of life the robot is."""

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
        """Tells the state."""
        return self._state

    def setState(self, state):
        # type: (str) -> None
        """Changes the state and raises AutonomousLife/State; `safeguard` cannot be asked for."""
        self._one_of(state, STATES, "setState", "state")
        if state == "safeguard":
            raise self._error("setState", "The state safeguard cannot be set by a program.")
        self._state = state
        self.world.memory.raiseEvent("AutonomousLife/State", state)

    def focusedActivity(self):
        # type: () -> str
        """Tells the activity that has the focus, none on this robot."""
        return ""

    @overloads("s", "s i", "s i m")
    def switchFocus(self, activity, flags=0, parameters=None):
        # type: (str, int, Any) -> None
        """Refuses: no activities are installed."""
        raise self._error("switchFocus", "Activity %s is not installed." % self._text(activity, "switchFocus"))

    def stopFocus(self):
        # type: () -> None
        """Stops the activity that has the focus."""

    def stopAll(self):
        # type: () -> None
        """Stops all activities."""

    def getAutonomousAbilityEnabled(self, ability):
        # type: (str) -> bool
        """Tells whether an autonomous ability is on."""
        return self._abilities[self._one_of(ability, ABILITIES, "getAutonomousAbilityEnabled", "ability")]

    def setAutonomousAbilityEnabled(self, ability, enabled):
        # type: (str, bool) -> None
        """Switches an autonomous ability."""
        self._one_of(ability, ABILITIES, "setAutonomousAbilityEnabled", "ability")
        self._abilities[ability] = self._flag(enabled, "setAutonomousAbilityEnabled", 1)


    def getAutonomousAbilitiesStatus(self):
        # type: () -> List[Any]
        """Lists the autonomous abilities: name, whether it is on, whether it works now."""
        return [[name, enabled, enabled] for name, enabled in sorted(self._abilities.items())]

    def getActivityNature(self, activity):
        # type: (str) -> str
        """Refuses: no activities are installed."""
        raise self._error("getActivityNature", "Activity %s is not installed." % (
            self._text(activity, "getActivityNature")))

    @overloads("", "i")
    def getFocusHistory(self, depth=0):
        # type: (int) -> List[Any]
        """Lists the activities that had the focus: none."""
        self._number(depth, "getFocusHistory", 0, 0)
        return []

    def getLifeTime(self):
        # type: () -> int
        """Tells for how many seconds the robot has lived."""
        return int(self.world.clock.now())

    def setSafeguardEnabled(self, name, enabled):
        # type: (str, bool) -> None
        """Switches what makes the robot leave an activity for its own safety."""
        self._one_of(name, SAFEGUARDS, "setSafeguardEnabled", "safeguard")
        self._safeguards[name] = self._flag(enabled, "setSafeguardEnabled", 1)

    def isSafeguardEnabled(self, name):
        # type: (str) -> bool
        """Tells whether a safeguard is on."""
        return self._safeguards[self._one_of(name, SAFEGUARDS, "isSafeguardEnabled", "safeguard")]

    def setRobotOffsetFromFloor(self, metres):
        # type: (float) -> None
        """Says how high the robot stands above the floor."""
        self._offset = self._number(metres, "setRobotOffsetFromFloor", 0, 0, 100)

    def getRobotOffsetFromFloor(self):
        # type: () -> float
        """Tells how high the robot stands above the floor, in metres."""
        return self._offset


class Switch(Service):
    """An autonomous ability that can be switched on and off."""

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._enabled = False

    def setEnabled(self, enabled):
        # type: (bool) -> None
        """Switches the ability."""
        self._enabled = self._flag(enabled, "setEnabled")
        self.world.trace.note("motion", method="%s.setEnabled" % self.name, duration=0.0, enabled=self._enabled)

    def isEnabled(self):
        # type: () -> bool
        """Tells whether the ability is on."""
        return self._enabled


class Ability(Switch):
    """An autonomous ability that also tells whether it works."""

    def isRunning(self):
        # type: () -> bool
        """Tells whether the ability works now."""
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
        """Chooses random or contextual movements."""
        self._mode = self._one_of(mode, BODY_LANGUAGE[1:], "setMode", "mode")

    def getMode(self):
        # type: () -> str
        """Tells the way of moving."""
        return self._mode

    def addTagsToWords(self, words):
        # type: (Any) -> None
        """Accepts words that call for a gesture."""

    def resetTagsToWords(self):
        # type: () -> None
        """Forgets the words that call for a gesture."""


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
        """Starts looking."""
        self.setEnabled(True)

    def stopAwareness(self):
        # type: () -> None
        """Stops looking."""
        self.setEnabled(False)

    def isAwarenessRunning(self):
        # type: () -> bool
        """Tells whether NAO looks at people and noises."""
        return self._enabled

    def resumeAwareness(self):
        # type: () -> None
        """Goes on looking."""
        self._is_paused = False

    def pauseAwareness(self):
        # type: () -> None
        """Stops looking for a while."""
        self._is_paused = True

    def isAwarenessPaused(self):
        # type: () -> bool
        """Tells whether looking is stopped for a while."""
        return self._is_paused

    def getEngagementMode(self):
        # type: () -> str
        """Tells how easily NAO is distracted."""
        return self._modes["setEngagementMode"]

    def getTrackingMode(self):
        # type: () -> str
        """Tells what NAO turns."""
        return self._modes["setTrackingMode"]

    def engagePerson(self, person):
        # type: (int) -> bool
        """Turns to a person: nobody is in sight, so it gives False."""
        self._number(person, "engagePerson", 0)
        return False

    def isStimulusDetectionEnabled(self, stimulus):
        # type: (str) -> bool
        """Tells whether NAO reacts to a stimulus."""
        return self._stimuli[self._one_of(stimulus, STIMULI, "isStimulusDetectionEnabled", "stimulus")]

    def setEngagementMode(self, mode):
        # type: (str) -> None
        """Chooses how easily NAO is distracted."""
        known = ["Unengaged", "SemiEngaged", "FullyEngaged"]
        self._modes["setEngagementMode"] = self._one_of(mode, known, "setEngagementMode", "mode")

    def setTrackingMode(self, mode):
        # type: (str) -> None
        """Chooses what NAO turns."""
        known = ["Head", "BodyRotation", "WholeBody", "MoveContextually"]
        self._modes["setTrackingMode"] = self._one_of(mode, known, "setTrackingMode", "mode")

    def setStimulusDetectionEnabled(self, stimulus, enabled):
        # type: (str, bool) -> None
        """Chooses what NAO reacts to."""
        self._one_of(stimulus, STIMULI, "setStimulusDetectionEnabled", "stimulus")
        self._stimuli[stimulus] = self._flag(enabled, "setStimulusDetectionEnabled", 1)
