"""ALAutonomousLife, the activities it starts, and the switches of the autonomous abilities.

An activity is a behaviour of an installed package that has a nature. A trigger sentence starts it.
"""

from __future__ import absolute_import, division, print_function

import re

from naosim.compat import native
from naosim.services.base import Service, choice, declare, no_effect, nothing, number_setting, overloads, switch
from naosim.services.packages import PackageManager
from naosim.services.system_packages import is_in_wizard
from naosim.world import World, call_guarded
from naosim.xar import is_language

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, List, Optional, Tuple

    from naosim.compat import ALValue
    from naosim.packages import Manifest

# ALAutonomousMoves.


@declare(
    nothing("startSmallDisplacements stopSmallDisplacements", "a simulated robot takes no small steps on the spot"),
    choice("BackgroundStrategy", "none", ["none", "backToNeutral"], "strategy", "the strategy: none or backToNeutral"),
    switch("ExpressiveListening", False, "NAO moves while it listens", ("set%sEnabled", "get%sEnabled")),
)
class ALAutonomousMoves(Service):
    """The older switches of background movements."""


# Switches of the autonomous abilities.

BODY_LANGUAGE_MODES = ["disabled", "random", "contextual"]


class _AutonomousSwitch(Service):
    """An autonomous ability that can be switched on and off."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._enabled = False

    def setEnabled(self, enabled):  # type: (bool) -> None
        """Switch the ability on or off."""
        self._enabled = self._flag(enabled, "setEnabled")
        self.world.trace.note("motion", method="%s.setEnabled" % self.name, duration=0.0, enabled=self._enabled)

    def isEnabled(self):  # type: () -> bool
        """Return whether the ability is on."""
        return self._enabled


class AutonomousAbility(_AutonomousSwitch):
    """An autonomous ability that also reports whether it works."""

    def isRunning(self):  # type: () -> bool
        """Return whether the ability works now: whenever it is on."""
        return self._enabled


class ALListeningMovement(AutonomousAbility):
    """Moves while NAO listens."""


class ALBackgroundMovement(AutonomousAbility):
    """Moves while NAO waits."""


class ALAutonomousBlinking(_AutonomousSwitch):
    """Blinks now and then."""


@declare(
    choice("Mode", "contextual", BODY_LANGUAGE_MODES[1:], "mode", "the kind of movements, random or contextual"),
    nothing("resetTagsToWords", "words that call for a gesture are not stored"),
)
class ALSpeakingMovement(AutonomousAbility):
    """Moves while NAO speaks."""

    def addTagsToWords(self, words):  # type: (ALValue) -> None
        """Accept and ignore words that call for a gesture."""


# Activities of installed packages and their trigger sentences.

_ACTIVITY_NATURES = ("interactive", "solitary")
_MAX_TRIGGER_SENTENCES = 1000  # further ones are ignored
_PUNCTUATION = re.compile(r"[\s,.;:!?]+")  # blanks and punctuation around words, which do not count


def _map_trigger_sentences(world):  # type: (World) -> Dict[str, str]
    """Map the trigger sentences in the robot's language to their activities.

    Only behaviours that a user may ask for have such sentences; the first package that has a sentence gets it.
    """
    found = {}  # type: Dict[str, str]
    for activity, row in _list_activities(world):
        if row["nature"] in _ACTIVITY_NATURES and row["userRequestable"]:
            for sentence in _get_texts(world, row["langToTriggerSentences"]):
                if len(found) < _MAX_TRIGGER_SENTENCES and _split_words(sentence):
                    found.setdefault(sentence, activity)
    return found


def _find_activity(world, sentence):  # type: (World, str) -> str
    """Return the activity that a sentence starts, "" when it starts none; case and punctuation do not matter."""
    said, sentences = _split_words(sentence), _map_trigger_sentences(world)
    return next((activity for each, activity in sentences.items() if _split_words(each) == said), "")


def _get_loading_response(world, activity):  # type: (World, str) -> Optional[str]
    """Return the robot's words while it loads an activity, None if its package has none."""
    for each, row in _list_activities(world):
        if each == activity:
            return next(iter(_get_texts(world, row["langToLoadingResponses"])), None)
    return None


def _split_words(sentence):  # type: (str) -> str
    """Return the words of a sentence as they are compared.

    >>> _split_words("Let us play, please!")
    'let us play please'
    """
    return _PUNCTUATION.sub(" ", native(sentence).lower()).strip()


def _get_texts(world, by_language):  # type: (World, Dict[str, List[str]]) -> List[str]
    language = world.language()
    return [native(text) for code in sorted(by_language) if is_language(code, language) for text in by_language[code]]


def _list_activities(world):  # type: (World) -> List[Tuple[str, Manifest]]
    packages = world.find(PackageManager)
    return [
        ("%s/%s" % (each["uuid"], row["path"] or "."), row)
        for each in (packages.packages() if packages is not None else [])
        for row in each["behaviors"]
    ]


# ALAutonomousLife.

_STATES = ["solitary", "interactive", "disabled", "safeguard"]
#: The sentence of a Pepper of 2.5.5.5 whose wizard was open: jsk-ros-pkg/jsk_robot, issue 926.
_WIZARD_ERROR = "Calls to the setState method are not currently allowed. Did you finish the getting started wizard?"
_SOLITARY_ERROR = (
    "The state interactive cannot be changed to solitary by a program: it is "
    "solitary when the activity ends, or after the state disabled."
)
_ABILITIES = ["AutonomousBlinking", "BackgroundMovement", "BasicAwareness", "ListeningMovement", "SpeakingMovement"]
_SAFEGUARDS = ["RobotPushed", "RobotMoved", "RobotFell", "CriticalDiagnosis", "CriticalTemperature"]
#: The flags of switchFocus: the activity that had the focus is stopped, or also started again afterwards.
_STOP_CURRENT = 0
_STOP_AND_STACK_CURRENT = 1
_MAX_STACKED = 100  # activities that wait for the focus
_MAX_REMEMBERED = 1000  # entries of each history
_MIN_TRIGGER_CONFIDENCE = 0.5  # the least confidence with which a trigger sentence counts, as for ALDialog


_LAUNCHPAD_METHODS = """
    getFocusContext(s)m getActivityContextPermissionViolations(s)[s] getActivityStatistics()m
    getAutonomousActivityStatistics()m startMonitoringLaunchpadConditions()v stopMonitoringLaunchpadConditions()v
    isMonitoringLaunchpadConditions()b setLaunchpadPluginEnabled(sb)v getEnabledLaunchpadPlugins()[s]
    getLaunchpadPluginsForGroup(s)[s]
"""


@declare(
    number_setting("RobotOffsetFromFloor", 0.0, (0, 100), "the height of the robot above the floor, in metres"),
    no_effect(_LAUNCHPAD_METHODS, "Activities start by a call or a sentence, not by conditions"),
)
class ALAutonomousLife(Service):
    """The robot's state of life, the activity that has the focus, and the autonomous abilities."""

    _hidden = frozenset()  # type: FrozenSet[str]

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._state = "disabled"
        self._focused = ""
        self._stack = []  # type: List[str]
        self._focus_history = []  # type: List[Tuple[str, int]]
        self._state_history = []  # type: List[Tuple[str, int]]
        self._abilities = dict.fromkeys(_ABILITIES, False)  # type: Dict[str, bool]
        self._safeguards = dict.fromkeys(_SAFEGUARDS, True)  # type: Dict[str, bool]

    # The state.

    def getState(self):  # type: () -> str
        """Return the state."""
        return self._state

    def setState(self, state):  # type: (str) -> None
        """Change the state and raise AutonomousLife/State; "disabled" and "safeguard" also stop the activity.

        A program cannot set, from `interactive`, `solitary`: that state comes with the end of the activity. Nor does
        `safeguard` follow `disabled`.
        """
        self._one_of(state, _STATES, "setState", "state")
        if is_in_wizard(self.world):
            raise RuntimeError("\tAutonomousLife::setState\n\t" + _WIZARD_ERROR)
        if (self._state, state) == ("disabled", "safeguard"):
            raise self._error("setState", "Autonomous Life is disabled: it cannot be safeguard.")
        if (self._state, state) == ("interactive", "solitary"):
            raise self._error("setState", _SOLITARY_ERROR)
        if state in ("disabled", "safeguard"):
            self.stopAll()
        self._enter(state)

    @overloads("", "i")
    def getStateHistory(self, depth=_MAX_REMEMBERED):  # type: (int) -> List[ALValue]
        """List the last states, each with the second in which it began, the oldest first."""
        return self._last(self._state_history, depth, "getStateHistory")

    # The focus.

    def focusedActivity(self):  # type: () -> str
        """Return the activity that has the focus, or ""."""
        return self._focused

    @overloads("s", "s i", "s i m")
    def switchFocus(self, activity, flags=_STOP_CURRENT, parameters=None):  # type: (str, int, ALValue) -> None
        """Stop the activity that has the focus and start another; return when it is started.

        The state becomes the new activity's nature. With the flag 1, the one that was stopped is started again when
        the new one ends. Raises RuntimeError while life is disabled, and for other behaviours.
        """
        self._text(activity, "switchFocus")
        if flags not in (_STOP_CURRENT, _STOP_AND_STACK_CURRENT):
            raise self._error("switchFocus", "Unknown flags: %.20r. Known: 0, 1." % (flags,))
        if self._state not in ("solitary", "interactive"):
            raise self._error("switchFocus", "Autonomous Life is %s: no activity can be started." % self._state)
        found, nature = self._activity(activity, "switchFocus")
        if found == self._focused:
            return
        if self._focused and flags == _STOP_AND_STACK_CURRENT:
            self._stack.append(self._focused)
            del self._stack[:-_MAX_STACKED]
        self._raise("NextActivity", found)
        self._leave()
        self._start(found, nature)

    def stopFocus(self):  # type: () -> None
        """Stop the activity that has the focus; the one stacked last is then started again."""
        if self._focused:
            self._manager("stopFocus").stopBehavior(self._focused)

    def stopAll(self):  # type: () -> None
        """Stop the activity that has the focus, and forget those that are stacked."""
        del self._stack[:]
        self.stopFocus()

    def getActivityNature(self, activity):  # type: (str) -> str
        """Return the nature of an activity, "interactive" or "solitary"; raise RuntimeError for other behaviours."""
        return self._activity(self._text(activity, "getActivityNature"), "getActivityNature")[1]

    @overloads("", "i")
    def getFocusHistory(self, depth=_MAX_REMEMBERED):  # type: (int) -> List[ALValue]
        """List the last activities that had the focus, each with the second in which it got it, the oldest first."""
        return self._last(self._focus_history, depth, "getFocusHistory")

    def getLifeTime(self):  # type: () -> int
        """Return the seconds since the robot was switched on."""
        return int(self.world.clock.now())

    # A person's words to a robot that lives.

    @property
    def is_open(self):  # type: () -> bool
        """Return whether the robot listens to trigger sentences: it lives, and no activity has the focus."""
        return self._state in ("solitary", "interactive") and not self._focused

    @property
    def vocabulary(self):  # type: () -> Tuple[str, ...]
        """List the trigger sentences of the installed activities."""
        return tuple(sorted(_map_trigger_sentences(self.world)))

    @property
    def spotting(self):  # type: () -> bool
        """Return False: a trigger sentence is said as it is."""
        return False

    def hear_phrase(self, sentence, confidence):  # type: (str, float) -> bool
        """Start the activity that a sentence stands for; return False if none exists."""
        is_sure = self.is_open and confidence >= _MIN_TRIGGER_CONFIDENCE
        activity = _find_activity(self.world, sentence) if is_sure else ""
        if not activity:
            return False
        response = _get_loading_response(self.world, activity)
        voice = self.world.services.get("ALTextToSpeech")
        if self._state == "interactive" and response is not None and voice is not None:
            # In the state solitary a robot loads an activity without a word.
            call_guarded(self.world, voice.call, "say", [response])
        call_guarded(self.world, self.call, "switchFocus", [activity])
        return True

    def behavior_ended(self, behavior):  # type: (str) -> None
        """Take the focus from an activity that has ended; the one stacked last gets it, else the robot is solitary."""
        if behavior != self._focused:
            return
        self._focused = ""
        self._raise("CompletedActivity", behavior)
        if self._stack:
            found = self._stack.pop()
            self._raise("NextActivity", found)
            self.world.clock.call_soon(call_guarded, self.world, self._resume, found)
            return
        self._focus("")
        if self._state == "interactive":
            self._enter("solitary")

    # Autonomous abilities and safeguards.

    def meet_emergency(self, safeguard):  # type: (str) -> bool
        """Become safeguard, which stops the activity; return False if life is disabled or ignores this safeguard."""
        is_met = self._state != "disabled" and self._safeguards[safeguard]
        if is_met:
            self.setState("safeguard")
        return is_met

    def getAutonomousAbilityEnabled(self, ability):  # type: (str) -> bool
        """Return whether an ability is on; for "All", whether every one is."""
        return all(self._abilities[name] for name in self._list_abilities(ability, "getAutonomousAbilityEnabled"))

    def setAutonomousAbilityEnabled(self, ability, enabled):  # type: (str, bool) -> None
        """Switch an autonomous ability, or "All", on or off."""
        for name in self._list_abilities(ability, "setAutonomousAbilityEnabled"):
            self._abilities[name] = self._flag(enabled, "setAutonomousAbilityEnabled", 1)

    def getAutonomousAbilitiesStatus(self):  # type: () -> List[ALValue]
        """List the autonomous abilities: name, whether it is on, whether it works now."""
        return [[name, enabled, enabled] for name, enabled in sorted(self._abilities.items())]

    def setSafeguardEnabled(self, name, enabled):  # type: (str, bool) -> None
        """Switch a safeguard on or off: a reason for which the robot leaves an activity for its own safety."""
        self._one_of(name, _SAFEGUARDS, "setSafeguardEnabled", "safeguard")
        self._safeguards[name] = self._flag(enabled, "setSafeguardEnabled", 1)

    def isSafeguardEnabled(self, name):  # type: (str) -> bool
        """Return whether a safeguard is on."""
        return self._safeguards[self._one_of(name, _SAFEGUARDS, "isSafeguardEnabled", "safeguard")]

    def _activity(self, name, method):  # type: (str, str) -> Tuple[str, str]
        """Return the id and the nature of an activity; raise RuntimeError for other behaviours."""
        manager = self._manager(method)
        found = manager.resolveBehaviorName(name)
        if not found:
            raise self._error(method, "Activity %s is not installed." % name)
        nature = manager.getBehaviorNature(found)
        if nature not in _ACTIVITY_NATURES:
            reason = "Behavior %s is not an activity: its nature is %r, not interactive or solitary." % (name, nature)
            raise self._error(method, reason)
        return found, nature

    def _manager(self, method):  # type: (str) -> Any
        """Return ALBehaviorManager, whose module imports this one."""
        manager = self.world.services.get("ALBehaviorManager")
        if manager is None:
            raise self._error(method, "Can't find service: ALBehaviorManager")
        return manager

    def _leave(self):  # type: () -> None
        """Stop the activity that has the focus, which another one is about to get."""
        left, self._focused = self._focused, ""
        if left:
            self._manager("switchFocus").stopBehavior(left)
            self._raise("CompletedActivity", left)

    def _start(self, found, nature):  # type: (str, str) -> None
        """Give an activity the focus in the state of its nature, and start it."""
        manager = self._manager("switchFocus")
        if found in manager.getRunningBehaviors():
            # It was started as a mere behaviour.
            manager.stopBehavior(found)
        if nature != self._state:
            self._enter(nature)
        self._focus(found)
        try:
            manager.startBehavior(found)
        except BaseException:
            self.behavior_ended(found)
            raise

    def _resume(self, found):  # type: (str) -> None
        """Start the activity that was stacked, unless life was disabled or another one got the focus meanwhile."""
        if self.is_open:
            self._start(*self._activity(found, "switchFocus"))

    def _focus(self, activity):  # type: (str) -> None
        self._focused = activity
        if activity:
            self._remember(self._focus_history, activity)
        self.world.trace.note("life", state=self._state, activity=activity)
        self._raise("FocusedActivity", activity)

    def _enter(self, state):  # type: (str) -> None
        if self._state == "disabled" and state != "disabled":
            self._protect_moves()
        self._state = state
        self._remember(self._state_history, state)
        self.world.trace.note("life", state=state, activity=self._focused)
        self._raise("State", state)

    def _protect_moves(self):  # type: () -> None
        """Switch on the protection against collisions, as a Pepper does (jsk-ros-pkg/jsk_robot, issue 547)."""
        motion = self.world.services.get("ALMotion")
        if motion is not None and not motion.call("getExternalCollisionProtectionEnabled", ["Move"]):
            motion.call("setExternalCollisionProtectionEnabled", ["Move", True])

    def _remember(self, history, what):  # type: (List[Tuple[str, int]], str) -> None
        history.append((what, self.getLifeTime()))
        del history[:-_MAX_REMEMBERED]

    def _list_abilities(self, ability, method):  # type: (str, str) -> List[str]
        return _ABILITIES if self._one_of(ability, _ABILITIES + ["All"], method, "ability") == "All" else [ability]

    def _last(self, history, depth, method):  # type: (List[Tuple[str, int]], int, str) -> List[ALValue]
        count = int(self._number(depth, method, 0, 0))
        return [list(row) for row in history[-count:]] if count else []

    def _raise(self, event, value):  # type: (str, str) -> None
        self.world.memory.raiseEvent("AutonomousLife/%s" % event, value)
