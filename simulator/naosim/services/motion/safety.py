"""The part of ALMotion that keeps the robot safe and lifelike: switches that are only remembered."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service

MYPY = False
if MYPY:
    from typing import Any, Dict

    from naosim.world import World

PARTS = ["Head", "LArm", "RArm", "LLeg", "RLeg", "Torso", "Legs", "Arms", "Body", "All", "Move"]
LEGS, EFFECTORS = ["LLeg", "RLeg", "Legs"], ["Head", "LArm", "RArm"]
NEAR = (0.0, 10.0)  # metres
BREATHING = {"Bpm": (5, 30), "Amplitude": (0, 1)}
#: What a robot has switched on when it starts.
ON = frozenset(
    ["FallManagerBody", "PushRecoveryBody", "DiagnosisEffectBody", "SmartStiffnessBody", "MoveArmsLArm", "MoveArmsRArm"]
)


class Safety(Service):
    """The switches of the robot's reflexes: they are remembered and have no effect."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._switches = dict.fromkeys(ON, True)  # type: Dict[str, bool]
        self._breathing = {"Bpm": 12.0, "Amplitude": 1.0}
        self._near = {"Orthogonal": 0.4, "Tangential": 0.1}
        self._notifies = True
        self._balances = False

    def setBreathEnabled(self, chain, enabled):  # type: (str, bool) -> None
        """Set whether a chain shows breathing."""
        self._switch("Breath", chain, enabled)

    def getBreathEnabled(self, chain):  # type: (str) -> bool
        """Tell whether a chain shows breathing."""
        return self._is_on("Breath", chain)

    def setIdlePostureEnabled(self, chain, enabled):  # type: (str, bool) -> None
        """Set whether a chain goes back to its idle posture."""
        self._switch("IdlePosture", chain, enabled)

    def getIdlePostureEnabled(self, chain):  # type: (str) -> bool
        """Tell whether a chain goes back to its idle posture."""
        return self._is_on("IdlePosture", chain)

    def setExternalCollisionProtectionEnabled(self, chain, enabled):  # type: (str, bool) -> None
        """Set whether the robot avoids obstacles."""
        self._switch("ExternalCollisionProtection", chain, enabled)

    def getExternalCollisionProtectionEnabled(self, chain):  # type: (str) -> bool
        """Tell whether the robot avoids obstacles."""
        return self._is_on("ExternalCollisionProtection", chain)

    def setCollisionProtectionEnabled(self, chain, enabled):  # type: (str, bool) -> bool
        """Set whether the robot keeps its arms off its body, and return True."""
        self._switch("CollisionProtection", chain, enabled)
        return True

    def getCollisionProtectionEnabled(self, chain):  # type: (str) -> bool
        """Tell whether the robot keeps its arms off its body."""
        return self._is_on("CollisionProtection", chain)

    def isCollision(self, chain):  # type: (str) -> str
        """Return "none": the body never meets itself or anything else."""
        self._one_of(chain, PARTS, "isCollision", "chain")
        return "none"

    def setOrthogonalSecurityDistance(self, metres):  # type: (float) -> None
        """Set how near to an obstacle ahead the robot walks; none is ever met."""
        self._near["Orthogonal"] = self._number(metres, "setOrthogonalSecurityDistance", 0, *NEAR)

    def getOrthogonalSecurityDistance(self):  # type: () -> float
        """Return how near to an obstacle ahead the robot walks, in metres."""
        return self._near["Orthogonal"]

    def setTangentialSecurityDistance(self, metres):  # type: (float) -> None
        """Set how near to an obstacle beside it the robot walks; none is ever met."""
        self._near["Tangential"] = self._number(metres, "setTangentialSecurityDistance", 0, *NEAR)

    def getTangentialSecurityDistance(self):  # type: () -> float
        """Return how near to an obstacle beside it the robot walks, in metres."""
        return self._near["Tangential"]

    def setFallManagerEnabled(self, enabled):  # type: (bool) -> None
        """Set whether the robot protects itself when it falls."""
        self._switch("FallManager", "Body", enabled)

    def getFallManagerEnabled(self):  # type: () -> bool
        """Tell whether the robot protects itself when it falls."""
        return self._is_on("FallManager", "Body")

    def setPushRecoveryEnabled(self, enabled):  # type: (bool) -> None
        """Set whether the robot keeps its balance when it is pushed."""
        self._switch("PushRecovery", "Body", enabled)

    def getPushRecoveryEnabled(self):  # type: () -> bool
        """Tell whether the robot keeps its balance when it is pushed."""
        return self._is_on("PushRecovery", "Body")

    def setDiagnosisEffectEnabled(self, enabled):  # type: (bool) -> None
        """Set whether the robot refuses movements when a motor fails."""
        self._switch("DiagnosisEffect", "Body", enabled)

    def getDiagnosisEffectEnabled(self):  # type: () -> bool
        """Tell whether the robot refuses movements when a motor fails."""
        return self._is_on("DiagnosisEffect", "Body")

    def setSmartStiffnessEnabled(self, enabled):  # type: (bool) -> None
        """Set whether motors rest when they are not needed."""
        self._switch("SmartStiffness", "Body", enabled)

    def getSmartStiffnessEnabled(self):  # type: () -> bool
        """Tell whether motors rest when they are not needed."""
        return self._is_on("SmartStiffness", "Body")

    def setMoveArmsEnabled(self, left, right):  # type: (bool, bool) -> None
        """Set whether the left and the right arm swing while walking."""
        self._switch("MoveArms", "LArm", left)
        self._switch("MoveArms", "RArm", right)

    def getMoveArmsEnabled(self, chain):  # type: (str) -> bool
        """Tell whether an arm swings while walking, or both for Arms."""
        arms = ["LArm", "RArm"] if chain == "Arms" else [chain]
        return all(self._is_on("MoveArms", arm) for arm in arms)

    def setWalkArmsEnabled(self, left, right):  # type: (bool, bool) -> None
        """Set whether the arms swing while walking: the old name of setMoveArmsEnabled."""
        self.setMoveArmsEnabled(left, right)

    def getWalkArmsEnabled(self):  # type: () -> Any
        """Tell whether the left and the right arm swing while walking, as a list."""
        return [self.getMoveArmsEnabled("LArm"), self.getMoveArmsEnabled("RArm")]

    def setEnableNotifications(self, enabled):  # type: (bool) -> None
        """Set whether the robot speaks of its faults."""
        self._notifies = self._flag(enabled, "setEnableNotifications")

    def areNotificationsEnabled(self):  # type: () -> bool
        """Tell whether the robot speaks of its faults."""
        return self._notifies

    def setBreathConfig(self, config):  # type: (Any) -> None
        """Set how NAO breathes: pairs of Bpm (5 to 30) or Amplitude (0 to 1) and a value."""
        for pair in self._list(config, "setBreathConfig"):
            if len(self._list(pair, "setBreathConfig")) != 2:
                raise self._error("setBreathConfig", "A setting is a name and a value, not %.60r." % (pair,))
            name = self._one_of(pair[0], sorted(BREATHING), "setBreathConfig", "setting")
            self._breathing[name] = self._number(pair[1], "setBreathConfig", 1, *BREATHING[name])

    def getBreathConfig(self):  # type: () -> Any
        """Return how NAO breathes: pairs of a setting and its value."""
        return [[name, value] for name, value in sorted(self._breathing.items(), reverse=True)]

    def setMotionConfig(self, config):  # type: (Any) -> None
        """Accept and ignore pairs of a setting and its value."""
        self._list(config, "setMotionConfig")

    def wbEnable(self, enabled):  # type: (bool) -> None
        """Switch keeping the balance with the whole body on or off; a simulated robot cannot fall."""
        self._balances = self._flag(enabled, "wbEnable")

    def wbFootState(self, state, leg):  # type: (str, str) -> None
        """Check and ignore how a foot may move: Fixed, Plane or Free, for LLeg, RLeg or Legs."""
        self._one_of(state, ["Fixed", "Plane", "Free"], "wbFootState", "state")
        self._one_of(leg, LEGS, "wbFootState", "leg")

    def wbEnableBalanceConstraint(self, enabled, leg):  # type: (bool, str) -> None
        """Check and ignore whether the weight has to stay above a leg."""
        self._flag(enabled, "wbEnableBalanceConstraint")
        self._one_of(leg, LEGS, "wbEnableBalanceConstraint", "leg")

    def wbGoToBalance(self, leg, seconds):  # type: (str, float) -> bool
        """Shift the weight above a leg and return when it is there; raise RuntimeError unless wbEnable came first."""
        self._one_of(leg, LEGS, "wbGoToBalance", "leg")
        if not self._balances:
            raise self._error("wbGoToBalance", "Whole body balance is not enabled.")
        time = self._number(seconds, "wbGoToBalance", 1, 0, 600)
        self.world.trace.note("motion", method="wbGoToBalance", duration=time, leg=leg)
        self._take_time(time)
        return True

    def wbEnableEffectorControl(self, effector, enabled):  # type: (str, bool) -> None
        """Check and ignore whether wbSetEffectorControl moves a hand or the head."""
        self._one_of(effector, EFFECTORS, "wbEnableEffectorControl", "effector")
        self._flag(enabled, "wbEnableEffectorControl", 1)

    def wbSetEffectorControl(self, effector, target):  # type: (str, Any) -> None
        """Check and ignore where a hand or the head should be: a list of numbers."""
        self._one_of(effector, EFFECTORS, "wbSetEffectorControl", "effector")
        for each in self._list(target, "wbSetEffectorControl", 1):
            self._number(each, "wbSetEffectorControl", 1)

    def wbEnableEffectorOptimization(self, effector, enabled):  # type: (str, bool) -> None
        """Check and ignore whether the control of a hand, a foot or the head is optimised."""
        self._one_of(effector, EFFECTORS + LEGS[:2], "wbEnableEffectorOptimization", "effector")
        self._flag(enabled, "wbEnableEffectorOptimization", 1)

    def _switch(self, what, chain, enabled):  # type: (str, str, bool) -> None
        method = "set%sEnabled" % what
        self._one_of(chain, PARTS, method, "chain")
        self._switches[what + chain] = self._flag(enabled, method, 1)
        self.world.trace.note("motion", method=method, duration=0.0, chain=chain, enabled=bool(enabled))

    def _is_on(self, what, chain):  # type: (str, str) -> bool
        return self._switches.get(what + self._one_of(chain, PARTS, "get%sEnabled" % what, "chain"), False)
