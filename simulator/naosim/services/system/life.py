"""ALAutonomousLife: the state of life, and the one activity that has the focus."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, overloads
from naosim.services.system import activities
from naosim.world import call_guarded

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, List, Tuple

    from naosim.world import World

STATES = ["solitary", "interactive", "disabled", "safeguard"]
ABILITIES = ["AutonomousBlinking", "BackgroundMovement", "BasicAwareness", "ListeningMovement", "SpeakingMovement"]
SAFEGUARDS = ["RobotPushed", "RobotMoved", "RobotFell", "CriticalDiagnosis", "CriticalTemperature"]
#: The flags of switchFocus: the activity that had the focus is stopped, or also started again afterwards.
STOP_CURRENT, STOP_AND_STACK_CURRENT = 0, 1
MOST_STACKED, MOST_REMEMBERED = 100, 1000
#: The least confidence with which a trigger sentence counts, as for ALDialog.
SURE = 0.5


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
        self._abilities = dict.fromkeys(ABILITIES, False)  # type: Dict[str, bool]
        self._safeguards = dict.fromkeys(SAFEGUARDS, True)  # type: Dict[str, bool]
        self._offset = 0.0

    # The state.

    def getState(self):  # type: () -> str
        """Return the state."""
        return self._state

    def setState(self, state):  # type: (str) -> None
        """Change the state and raise AutonomousLife/State; "disabled" also stops the activity.

        A program can set neither `safeguard` nor, from `interactive`, `solitary`: that state comes with the end of
        the activity.
        """
        self._one_of(state, STATES, "setState", "state")
        if state == "safeguard":
            raise self._error("setState", "The state safeguard cannot be set by a program.")
        if (self._state, state) == ("interactive", "solitary"):
            raise self._error(
                "setState",
                "The state interactive cannot be changed to solitary by a program: it is "
                "solitary when the activity ends, or after the state disabled.",
            )
        if state == "disabled":
            self.stopAll()
        self._enter(state)

    @overloads("", "i")
    def getStateHistory(self, depth=MOST_REMEMBERED):  # type: (int) -> List[Any]
        """List the last states, each with the second in which it began, the oldest first."""
        return self._last(self._state_history, depth, "getStateHistory")

    # The focus.

    def focusedActivity(self):  # type: () -> str
        """Return the activity that has the focus, "" when none has."""
        return self._focused

    @overloads("s", "s i", "s i m")
    def switchFocus(self, activity, flags=STOP_CURRENT, parameters=None):  # type: (str, int, Any) -> None
        """Stop the activity that has the focus and start another; return when it is started.

        The state becomes the new activity's nature. With the flag 1, the one that was stopped is started again when
        the new one ends. Raises RuntimeError while life is disabled, and for what is no activity.
        """
        self._text(activity, "switchFocus")
        if flags not in (STOP_CURRENT, STOP_AND_STACK_CURRENT):
            raise self._error("switchFocus", "Unknown flags: %.20r. Known: 0, 1." % (flags,))
        if self._state not in ("solitary", "interactive"):
            raise self._error("switchFocus", "Autonomous Life is %s: no activity can be started." % self._state)
        found, nature = self._activity(activity, "switchFocus")
        if found == self._focused:
            return
        if self._focused and flags == STOP_AND_STACK_CURRENT:
            self._stack.append(self._focused)
            del self._stack[:-MOST_STACKED]
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
        """Return the nature of an activity, "interactive" or "solitary"; raise RuntimeError for what is none."""
        return self._activity(self._text(activity, "getActivityNature"), "getActivityNature")[1]

    @overloads("", "i")
    def getFocusHistory(self, depth=MOST_REMEMBERED):  # type: (int) -> List[Any]
        """List the last activities that had the focus, each with the second in which it got it, the oldest first."""
        return self._last(self._focus_history, depth, "getFocusHistory")

    def getLifeTime(self):  # type: () -> int
        """Return for how many seconds the robot has been on."""
        return int(self.world.clock.now())

    # What a person says to a robot that lives.

    @property
    def is_open(self):  # type: () -> bool
        """Tell whether the robot listens to trigger sentences: it lives, and no activity has the focus."""
        return self._state in ("solitary", "interactive") and not self._focused

    @property
    def vocabulary(self):  # type: () -> Tuple[str, ...]
        """List the trigger sentences of the installed activities."""
        return tuple(sorted(activities.sentences(self.world)))

    @property
    def spotting(self):  # type: () -> bool
        """Return False: a trigger sentence is said as it is."""
        return False

    def heard(self, sentence, confidence):  # type: (str, float) -> bool
        """Start the activity that a sentence stands for; return False when there is none."""
        activity = activities.started_by(self.world, sentence) if self.is_open and confidence >= SURE else ""
        if not activity:
            return False
        response = activities.loading_response(self.world, activity)
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
            self.world.clock.soon(call_guarded, self.world, self._resume, found)
            return
        self._focus("")
        if self._state == "interactive":
            self._enter("solitary")

    # Autonomous abilities and safeguards.

    def getAutonomousAbilityEnabled(self, ability):  # type: (str) -> bool
        """Tell whether an autonomous ability is on, or "All" are."""
        return all(self._abilities[name] for name in self._chosen(ability, "getAutonomousAbilityEnabled"))

    def setAutonomousAbilityEnabled(self, ability, enabled):  # type: (str, bool) -> None
        """Switch an autonomous ability, or "All", on or off."""
        for name in self._chosen(ability, "setAutonomousAbilityEnabled"):
            self._abilities[name] = self._flag(enabled, "setAutonomousAbilityEnabled", 1)

    def getAutonomousAbilitiesStatus(self):  # type: () -> List[Any]
        """List the autonomous abilities: name, whether it is on, whether it works now."""
        return [[name, enabled, enabled] for name, enabled in sorted(self._abilities.items())]

    def setSafeguardEnabled(self, name, enabled):  # type: (str, bool) -> None
        """Switch a safeguard on or off: a reason for which the robot leaves an activity for its own safety."""
        self._one_of(name, SAFEGUARDS, "setSafeguardEnabled", "safeguard")
        self._safeguards[name] = self._flag(enabled, "setSafeguardEnabled", 1)

    def isSafeguardEnabled(self, name):  # type: (str) -> bool
        """Tell whether a safeguard is on."""
        return self._safeguards[self._one_of(name, SAFEGUARDS, "isSafeguardEnabled", "safeguard")]

    def setRobotOffsetFromFloor(self, metres):  # type: (float) -> None
        """Set how high the robot stands above the floor, in metres."""
        self._offset = self._number(metres, "setRobotOffsetFromFloor", 0, 0, 100)

    def getRobotOffsetFromFloor(self):  # type: () -> float
        """Return how high the robot stands above the floor, in metres."""
        return self._offset

    def _activity(self, name, method):  # type: (str, str) -> Tuple[str, str]
        """Return the id and the nature of an activity; raise RuntimeError for what is none."""
        manager = self._manager(method)
        found = manager.resolveBehaviorName(name)
        if not found:
            raise self._error(method, "Activity %s is not installed." % name)
        nature = manager.getBehaviorNature(found)
        if nature not in activities.NATURES:
            raise self._error(
                method, "Behavior %s is no activity: its nature is %r, not interactive or solitary." % (name, nature)
            )
        return found, nature

    def _manager(self, method):  # type: (str) -> Any
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
        self._state = state
        self._remember(self._state_history, state)
        self.world.trace.note("life", state=state, activity=self._focused)
        self._raise("State", state)

    def _remember(self, history, what):  # type: (List[Tuple[str, int]], str) -> None
        history.append((what, self.getLifeTime()))
        del history[:-MOST_REMEMBERED]

    def _chosen(self, ability, method):  # type: (str, str) -> List[str]
        return ABILITIES if self._one_of(ability, ABILITIES + ["All"], method, "ability") == "All" else [ability]

    def _last(self, history, depth, method):  # type: (List[Tuple[str, int]], int, str) -> List[Any]
        count = int(self._number(depth, method, 0, 0))
        return [list(row) for row in history[-count:]] if count else []

    def _raise(self, event, value):  # type: (str, str) -> None
        self.world.memory.raiseEvent("AutonomousLife/%s" % event, value)
