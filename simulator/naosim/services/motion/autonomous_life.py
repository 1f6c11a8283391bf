"""The switches of the autonomous abilities: what NAO does of its own while it is idle, listens or speaks."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service
from naosim.services.motion.autonomous_moves import ALAutonomousMoves

MYPY = False
if MYPY:
    from typing import Any, Dict

    from naosim.world import World

__all__ = [
    "BODY_LANGUAGE",
    "ALAutonomousBlinking",
    "ALAutonomousMoves",
    "ALBackgroundMovement",
    "ALBasicAwareness",
    "ALListeningMovement",
    "ALSpeakingMovement",
]

STIMULI = ["Sound", "Movement", "People", "Touch", "TabletTouch", "NavigationMotion"]
BODY_LANGUAGE = ["disabled", "random", "contextual"]


class Switch(Service):
    """An autonomous ability that can be switched on and off."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._enabled = False

    def setEnabled(self, enabled):  # type: (bool) -> None
        """Switch the ability on or off."""
        self._enabled = self._flag(enabled, "setEnabled")
        self.world.trace.note("motion", method="%s.setEnabled" % self.name, duration=0.0, enabled=self._enabled)

    def isEnabled(self):  # type: () -> bool
        """Tell whether the ability is on."""
        return self._enabled


class Ability(Switch):
    """An autonomous ability that also reports whether it works."""

    def isRunning(self):  # type: () -> bool
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

    def __init__(self, world):  # type: (World) -> None
        Ability.__init__(self, world)
        self._mode = "contextual"

    def setMode(self, mode):  # type: (str) -> None
        """Choose random or contextual movements."""
        self._mode = self._one_of(mode, BODY_LANGUAGE[1:], "setMode", "mode")

    def getMode(self):  # type: () -> str
        """Return the kind of movements, random or contextual."""
        return self._mode

    def addTagsToWords(self, words):  # type: (Any) -> None
        """Accept and ignore words that call for a gesture."""

    def resetTagsToWords(self):  # type: () -> None
        """Do nothing: words that call for a gesture are not kept."""


class ALBasicAwareness(Ability):
    """Looks at people and noises."""

    def __init__(self, world):  # type: (World) -> None
        Ability.__init__(self, world)
        self._modes = {"setEngagementMode": "Unengaged", "setTrackingMode": "Head"}
        self._stimuli = dict.fromkeys(STIMULI, True)  # type: Dict[str, bool]
        self._is_paused = False

    def startAwareness(self):  # type: () -> None
        """Start looking at people and noises."""
        self.setEnabled(True)

    def stopAwareness(self):  # type: () -> None
        """Stop looking at people and noises."""
        self.setEnabled(False)

    def isAwarenessRunning(self):  # type: () -> bool
        """Tell whether NAO looks at people and noises."""
        return self._enabled

    def resumeAwareness(self):  # type: () -> None
        """Resume looking."""
        self._is_paused = False

    def pauseAwareness(self):  # type: () -> None
        """Pause looking."""
        self._is_paused = True

    def isAwarenessPaused(self):  # type: () -> bool
        """Tell whether looking is paused."""
        return self._is_paused

    def getEngagementMode(self):  # type: () -> str
        """Return how easily NAO is distracted."""
        return self._modes["setEngagementMode"]

    def getTrackingMode(self):  # type: () -> str
        """Return what NAO turns to a person."""
        return self._modes["setTrackingMode"]

    def engagePerson(self, person):  # type: (int) -> bool
        """Return False: no person is in sight to turn to."""
        self._number(person, "engagePerson", 0)
        return False

    def isStimulusDetectionEnabled(self, stimulus):  # type: (str) -> bool
        """Tell whether NAO reacts to a stimulus."""
        return self._stimuli[self._one_of(stimulus, STIMULI, "isStimulusDetectionEnabled", "stimulus")]

    def setEngagementMode(self, mode):  # type: (str) -> None
        """Choose how easily NAO is distracted."""
        known = ["Unengaged", "SemiEngaged", "FullyEngaged"]
        self._modes["setEngagementMode"] = self._one_of(mode, known, "setEngagementMode", "mode")

    def setTrackingMode(self, mode):  # type: (str) -> None
        """Choose what NAO turns to a person."""
        known = ["Head", "BodyRotation", "WholeBody", "MoveContextually"]
        self._modes["setTrackingMode"] = self._one_of(mode, known, "setTrackingMode", "mode")

    def setStimulusDetectionEnabled(self, stimulus, enabled):  # type: (str, bool) -> None
        """Choose whether NAO reacts to a stimulus."""
        self._one_of(stimulus, STIMULI, "setStimulusDetectionEnabled", "stimulus")
        self._stimuli[stimulus] = self._flag(enabled, "setStimulusDetectionEnabled", 1)
