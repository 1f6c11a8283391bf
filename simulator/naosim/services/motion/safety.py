"""Knows the part of ALMotion that keeps the robot safe and lifelike: switches that are remembered, no more."""
from __future__ import absolute_import, division, print_function

from naosim.services.base import Service

MYPY = False
if MYPY:
    from typing import Any, Dict

    from naosim.world.world import World

PARTS = ["Head", "LArm", "RArm", "LLeg", "RLeg", "Torso", "Legs", "Arms", "Body", "All", "Move"]
LEGS, EFFECTORS = ["LLeg", "RLeg", "Legs"], ["Head", "LArm", "RArm"]
BREATHING = {"Bpm": (5, 30), "Amplitude": (0, 1)}
#: What a robot has switched on when it starts.
ON = frozenset(["FallManagerBody", "PushRecoveryBody", "DiagnosisEffectBody", "SmartStiffnessBody", "MoveArmsLArm",
                "MoveArmsRArm"])


class Safety(Service):
    """Remembers what is switched on."""

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._switches = dict.fromkeys(ON, True)  # type: Dict[str, bool]
        self._breathing = {"Bpm": 12.0, "Amplitude": 1.0}
        self._notifies = True
        self._balances = False

    def setBreathEnabled(self, chain, enabled):
        # type: (str, bool) -> None
        """Lets a chain breathe or not."""
        self._switch("Breath", chain, enabled)

    def getBreathEnabled(self, chain):
        # type: (str) -> bool
        """Tells whether a chain breathes."""
        return self._switched("Breath", chain)

    def setIdlePostureEnabled(self, chain, enabled):
        # type: (str, bool) -> None
        """Lets a chain go back to its idle posture or not."""
        self._switch("IdlePosture", chain, enabled)

    def getIdlePostureEnabled(self, chain):
        # type: (str) -> bool
        """Tells whether a chain goes back to its idle posture."""
        return self._switched("IdlePosture", chain)

    def setExternalCollisionProtectionEnabled(self, chain, enabled):
        # type: (str, bool) -> None
        """Lets the robot avoid obstacles or not."""
        self._switch("ExternalCollisionProtection", chain, enabled)

    def getExternalCollisionProtectionEnabled(self, chain):
        # type: (str) -> bool
        """Tells whether the robot avoids obstacles."""
        return self._switched("ExternalCollisionProtection", chain)

    def setCollisionProtectionEnabled(self, chain, enabled):
        # type: (str, bool) -> bool
        """Lets the robot keep its arms off its body or not."""
        self._switch("CollisionProtection", chain, enabled)
        return True

    def getCollisionProtectionEnabled(self, chain):
        # type: (str) -> bool
        """Tells whether the robot keeps its arms off its body."""
        return self._switched("CollisionProtection", chain)

    def setFallManagerEnabled(self, enabled):
        # type: (bool) -> None
        """Lets the robot protect itself when it falls or not."""
        self._switch("FallManager", "Body", enabled)

    def getFallManagerEnabled(self):
        # type: () -> bool
        """Tells whether the robot protects itself when it falls."""
        return self._switched("FallManager", "Body")

    def setPushRecoveryEnabled(self, enabled):
        # type: (bool) -> None
        """Lets the robot keep its balance when it is pushed or not."""
        self._switch("PushRecovery", "Body", enabled)

    def getPushRecoveryEnabled(self):
        # type: () -> bool
        """Tells whether the robot keeps its balance when it is pushed."""
        return self._switched("PushRecovery", "Body")

    def setDiagnosisEffectEnabled(self, enabled):
        # type: (bool) -> None
        """Lets the robot refuse movements when a motor fails or not."""
        self._switch("DiagnosisEffect", "Body", enabled)

    def getDiagnosisEffectEnabled(self):
        # type: () -> bool
        """Tells whether the robot refuses movements when a motor fails."""
        return self._switched("DiagnosisEffect", "Body")

    def setSmartStiffnessEnabled(self, enabled):
        # type: (bool) -> None
        """Lets motors rest when they are not needed or not."""
        self._switch("SmartStiffness", "Body", enabled)

    def getSmartStiffnessEnabled(self):
        # type: () -> bool
        """Tells whether motors rest when they are not needed."""
        return self._switched("SmartStiffness", "Body")

    def setMoveArmsEnabled(self, left, right):
        # type: (bool, bool) -> None
        """Lets the arms swing while walking or not."""
        self._switch("MoveArms", "LArm", left)
        self._switch("MoveArms", "RArm", right)

    def getMoveArmsEnabled(self, chain):
        # type: (str) -> bool
        """Tells whether an arm, or both as Arms, swing while walking."""
        arms = ["LArm", "RArm"] if chain == "Arms" else [chain]
        return all(self._switched("MoveArms", arm) for arm in arms)

    def setWalkArmsEnabled(self, left, right):
        # type: (bool, bool) -> None
        """Is the old name of setMoveArmsEnabled."""
        self.setMoveArmsEnabled(left, right)

    def getWalkArmsEnabled(self):
        # type: () -> Any
        """Tells whether the left and the right arm swing while walking."""
        return [self.getMoveArmsEnabled("LArm"), self.getMoveArmsEnabled("RArm")]

    def setEnableNotifications(self, enabled):
        # type: (bool) -> None
        """Lets the robot speak of its troubles or not."""
        self._notifies = self._flag(enabled, "setEnableNotifications")

    def areNotificationsEnabled(self):
        # type: () -> bool
        """Tells whether the robot speaks of its troubles."""
        return self._notifies

    def setBreathConfig(self, config):
        # type: (Any) -> None
        """Sets how NAO breathes: pairs of Bpm (5 to 30) or Amplitude (0 to 1) and a value."""
        for pair in self._list(config, "setBreathConfig"):
            if len(self._list(pair, "setBreathConfig")) != 2:
                raise self._error("setBreathConfig", "A setting is a name and a value, not %.60r." % (pair,))
            name = self._one_of(pair[0], sorted(BREATHING), "setBreathConfig", "setting")
            self._breathing[name] = self._number(pair[1], "setBreathConfig", 1, *BREATHING[name])

    def getBreathConfig(self):
        # type: () -> Any
        """Tells how NAO breathes."""
        return [[name, value] for name, value in sorted(self._breathing.items(), reverse=True)]

    def setMotionConfig(self, config):
        # type: (Any) -> None
        """Accepts pairs of a setting and its value."""
        self._list(config, "setMotionConfig")

    def wbEnable(self, enabled):
        # type: (bool) -> None
        """Switches keeping the balance with the whole body; a simulated robot cannot fall."""
        self._balances = self._flag(enabled, "wbEnable")

    def wbFootState(self, state, leg):
        # type: (str, str) -> None
        """Says how a foot may move: Fixed, Plane or Free, for LLeg, RLeg or Legs."""
        self._one_of(state, ["Fixed", "Plane", "Free"], "wbFootState", "state")
        self._one_of(leg, LEGS, "wbFootState", "leg")

    def wbEnableBalanceConstraint(self, enabled, leg):
        # type: (bool, str) -> None
        """Says whether the weight has to stay above a leg."""
        self._flag(enabled, "wbEnableBalanceConstraint")
        self._one_of(leg, LEGS, "wbEnableBalanceConstraint", "leg")

    def wbGoToBalance(self, leg, seconds):
        # type: (str, float) -> bool
        """Shifts the weight above a leg and returns when it is there; RuntimeError unless wbEnable came first."""
        self._one_of(leg, LEGS, "wbGoToBalance", "leg")
        if not self._balances:
            raise self._error("wbGoToBalance", "Whole body balance is not enabled.")
        time = self._number(seconds, "wbGoToBalance", 1, 0, 600)
        self.world.trace.note("motion", method="wbGoToBalance", duration=time, leg=leg)
        self._linger(time)
        return True

    def wbEnableEffectorControl(self, effector, enabled):
        # type: (str, bool) -> None
        """Lets a hand, or the head, be led by wbSetEffectorControl or not."""
        self._one_of(effector, EFFECTORS, "wbEnableEffectorControl", "effector")
        self._flag(enabled, "wbEnableEffectorControl", 1)

    def wbSetEffectorControl(self, effector, target):
        # type: (str, Any) -> None
        """Leads a hand to a place, or turns the head: three numbers, which are checked and no more."""
        self._one_of(effector, EFFECTORS, "wbSetEffectorControl", "effector")
        for each in self._list(target, "wbSetEffectorControl", 1):
            self._number(each, "wbSetEffectorControl", 1)

    def wbEnableEffectorOptimization(self, effector, enabled):
        # type: (str, bool) -> None
        """Lets a hand, or the head, move better than it was told or not."""
        self._one_of(effector, EFFECTORS, "wbEnableEffectorOptimization", "effector")
        self._flag(enabled, "wbEnableEffectorOptimization", 1)

    def _switch(self, what, chain, enabled):
        # type: (str, str, bool) -> None
        method = "set%sEnabled" % what
        self._one_of(chain, PARTS, method, "chain")
        self._switches[what + chain] = self._flag(enabled, method, 1)
        self.world.trace.note("motion", method=method, duration=0.0, chain=chain, enabled=bool(enabled))

    def _switched(self, what, chain):
        # type: (str, str) -> bool
        return self._switches.get(what + self._one_of(chain, PARTS, "get%sEnabled" % what, "chain"), False)
