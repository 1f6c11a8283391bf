"""Knows the services by which NAO lives a life of its own: its state and the switches of its autonomous abilities."""
from __future__ import absolute_import, division, print_function

from .service import Service

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet

    from naosim.robot import Robot

STATES = ["solitary", "interactive", "disabled", "safeguard"]
ABILITIES = ["AutonomousBlinking", "BackgroundMovement", "BasicAwareness", "ListeningMovement", "SpeakingMovement"]
BODY_LANGUAGE = ["disabled", "random", "contextual"]


class ALAutonomousLife(Service):
    """Knows in which state of life the robot is."""

    _hidden = frozenset()  # type: FrozenSet[str]

    def __init__(self, robot):
        # type: (Robot) -> None
        Service.__init__(self, robot)
        self._state = "disabled"
        self._abilities = dict.fromkeys(ABILITIES, False)  # type: Dict[str, bool]

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
        self.robot.memory.raiseEvent("AutonomousLife/State", state)

    def focusedActivity(self):
        # type: () -> str
        """Tells the activity that has the focus, none on this robot."""
        return ""

    def switchFocus(self, activity, flags=0):
        # type: (str, int) -> None
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


class Ability(Service):
    """An autonomous ability that can be switched on and off."""

    def __init__(self, robot):
        # type: (Robot) -> None
        Service.__init__(self, robot)
        self._enabled = False

    def setEnabled(self, enabled):
        # type: (bool) -> None
        """Switches the ability."""
        self._enabled = self._flag(enabled, "setEnabled")
        self.robot.trace.note("motion", method="%s.setEnabled" % self.name, duration=0.0, enabled=self._enabled)

    def isEnabled(self):
        # type: () -> bool
        """Tells whether the ability is on."""
        return self._enabled

    def isRunning(self):
        # type: () -> bool
        """Tells whether the ability works now."""
        return self._enabled


class ALListeningMovement(Ability):
    """Moves while NAO listens."""


class ALBackgroundMovement(Ability):
    """Moves while NAO waits."""


class ALAutonomousBlinking(Ability):
    """Blinks now and then."""


class ALSpeakingMovement(Ability):
    """Moves while NAO speaks."""

    def __init__(self, robot):
        # type: (Robot) -> None
        Ability.__init__(self, robot)
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

    def __init__(self, robot):
        # type: (Robot) -> None
        Ability.__init__(self, robot)
        self._modes = {"setEngagementMode": "Unengaged", "setTrackingMode": "Head"}

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

    def pauseAwareness(self):
        # type: () -> None
        """Stops looking for a while."""

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
        known = ["Sound", "Movement", "People", "Touch", "TabletTouch", "NavigationMotion"]
        self._one_of(stimulus, known, "setStimulusDetectionEnabled", "stimulus")
        self._flag(enabled, "setStimulusDetectionEnabled", 1)


class ALAutonomousMoves(Service):
    """Knows the older switches of background movements."""

    def __init__(self, robot):
        # type: (Robot) -> None
        Service.__init__(self, robot)
        self._strategy = "none"
        self._expressive = False

    def setBackgroundStrategy(self, strategy):
        # type: (str) -> None
        """Chooses `none` or `backToNeutral`."""
        self._strategy = self._one_of(strategy, ["none", "backToNeutral"], "setBackgroundStrategy", "strategy")

    def getBackgroundStrategy(self):
        # type: () -> str
        """Tells the strategy."""
        return self._strategy

    def setExpressiveListeningEnabled(self, enabled):
        # type: (bool) -> None
        """Lets NAO move while it listens or not."""
        self._expressive = self._flag(enabled, "setExpressiveListeningEnabled")

    def getExpressiveListeningEnabled(self):
        # type: () -> bool
        """Tells whether NAO moves while it listens."""
        return self._expressive
