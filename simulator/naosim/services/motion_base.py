"""ALRobotPosture, and two parts of ALMotion: the switches of the reflexes, and movements that reserve joints.

A movement waits for earlier movements of the same joints, and a program can kill it.
"""

from __future__ import absolute_import, division, print_function

from naosim.models import NAO, PEPPER
from naosim.scheduler import SimEvent
from naosim.services.base import Service, Setting, declare, number_setting, switch
from naosim.services.memory_keys import DEVICE_PREFIX, NO_ECHO_M, list_robot_keys
from naosim.services.system_packages import is_in_wizard
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterable, List, Sequence, Set, Tuple, Union

    from naosim.compat import ALValue

# ALRobotPosture.

POSTURE_FAMILIES = NAO.families  # those of every robot
#: The names that NAOqi 1 has for the families.
_POSES = """
    Standing Stand, Crouching Crouch, Sitting Sit, SittingOnGround Sit, SittingOnChair Sit, LyingBelly Belly,
    LyingBack Back
"""
_POSE_OF_FAMILY = dict(pair.split() for pair in _POSES.split(","))
_SAME_FAMILY_S = 1.0  # the duration of a change within a family at full speed
_OTHER_FAMILY_S = 3.0  # the duration of a change to another family at full speed


def get_pose_name(posture):  # type: (str) -> str
    """Return the name that NAOqi 1 has for a posture."""
    return _POSE_OF_FAMILY.get(POSTURE_FAMILIES.get(posture, ""), "Unknown")


def take_posture(world, posture):  # type: (World, str) -> None
    """Set the robot's posture, and raise the events of the changes."""
    before, world.posture = _list_posture_events(world.posture), posture
    for event, value in sorted(_list_posture_events(posture).items()):
        if value != before[event]:
            world.memory.raiseEvent(event, value)


def _list_posture_events(posture):  # type: (str) -> Dict[str, str]
    """Return the events that tell of a posture; the last is that of NAOqi 1."""
    family, pose = POSTURE_FAMILIES.get(posture, "Unknown"), get_pose_name(posture)
    return {"PostureChanged": posture, "PostureFamilyChanged": family, "robotPoseChanged": pose}


class ALRobotPosture(Service):
    """Changes the robot's posture, on which animations and walking depend."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        for event, value in _list_posture_events(world.posture).items():
            world.memory.insertData(event, value)

    def goToPosture(self, posture, speed):  # type: (str, float) -> bool
        """Go to a posture by a safe way and return whether it was reached."""
        return self._change_to(posture, speed, "goToPosture")

    def applyPosture(self, posture, speed):  # type: (str, float) -> bool
        """Set the joints of a posture without a safe way and return whether it was reached."""
        return self._change_to(posture, speed, "applyPosture")

    def getPosture(self):  # type: () -> str
        """Return the posture."""
        return str(self.world.posture)

    def getPostureFamily(self):  # type: () -> str
        """Return the family of the posture."""
        return POSTURE_FAMILIES.get(self.world.posture, "Unknown")

    def getPostureList(self):  # type: () -> List[str]
        """List the postures."""
        return sorted(self.world.body.model.families)

    def getPostureFamilyList(self):  # type: () -> List[str]
        """List the families."""
        return sorted(set(self.world.body.model.families.values()))

    def setMaxTryNumber(self, count):  # type: (int) -> None
        """Check and ignore the number of tries of a posture, -1 to 100."""
        self._number(count, "setMaxTryNumber", 0, -1, 100)

    def stopMove(self):  # type: () -> None
        """Stop changing the posture: the call that changes it returns False."""
        self.stopAll()
        self.world.trace.note("posture", method="stopMove", posture=self.getPosture(), duration=0.0)

    def _change_to(self, posture, speed, method):  # type: (str, float, str) -> bool
        model = self.world.body.model
        if self._text(posture, method) not in model.families:
            raise self._error(method, "Posture %s does not exist." % posture)
        fraction = self._number(speed, method, 1, 0.01, 1)
        if method == "goToPosture" and is_in_wizard(self.world):
            return False
        near = model.families[posture] == self.getPostureFamily()
        if not self.world.body.is_awake and method == "goToPosture":
            if self.world.naoqi == "2.1":
                # Seen on two NAO V5 (FIA Robotics, NAO robot notes); NAOqi's documentation lets the robot wake up.
                told = "A robot of NAOqi 2.1 stays as it is here while it rests, and answers False: call wakeUp first."
                self.world.warn("ALRobotPosture.goToPosture", told)
                return False
            self.world.body.stiffen_all(True)
        away = self.world.posture != posture
        seconds = (_SAME_FAMILY_S if near else _OTHER_FAMILY_S) / fraction if away else 0.1
        self.world.trace.note("posture", method=method, posture=posture, duration=round(seconds, 3))
        self.world.body.take(model.posture_angles(posture), seconds)
        if self._take_time(seconds):
            self.world.body.halt()
            return False
        take_posture(self.world, posture)
        return True


# Switches of the reflexes (ALMotion).

MOTION = "ALMotion"  # the name of the service, which its parts share
_SONAR_KEY = DEVICE_PREFIX + "Platform/%s/Sonar/Sensor/Value"  # Pepper's, of "Front" and "Back"
_EFFECTORS = ["Head", "LArm", "RArm"]  # that whole body balance controls
_DISTANCES_M = (0.0, 10.0)
_BREATH_LIMITS = {"Bpm": (5, 30), "Amplitude": (0, 1)}
#: The settings that are on when a robot starts: the reflexes, by NAOqi's documentation and as seen on a Pepper 1.8A
#: (labbgulab-lab/robot-hub, pepper.md).
_INITIAL_SWITCHES = """
    FallManagerBody PushRecoveryBody DiagnosisEffectBody SmartStiffnessBody MoveArmsLArm MoveArmsRArm
    ExternalCollisionProtectionAll ExternalCollisionProtectionMove ExternalCollisionProtectionArms
    ExternalCollisionProtectionLArm ExternalCollisionProtectionRArm
    CollisionProtectionArms CollisionProtectionLArm CollisionProtectionRArm
"""
_OBSTACLES = "ExternalCollisionProtection"
#: The parts that a chain's switch of these reflexes stands for.
_PARTS_OF = {"All": ["Move", "Arms", "LArm", "RArm"], "Arms": ["LArm", "RArm"]}
_REFLEXES_OF_PARTS = (_OBSTACLES, "CollisionProtection")


def _reflex(name, what, has_chain=True, answer=None):  # type: (str, str, bool, ALValue) -> Setting
    """Declare the switch of a reflex, of one chain or of the whole body; the trace notes each change."""
    setting, taken, result = Setting(), "str, " if has_chain else "", "None" if answer is None else "bool"

    def set_enabled(service, chain, enabled):  # type: (Any, str, bool) -> ALValue
        service._switch(name, chain, enabled)
        return answer

    def get_enabled(service, chain):  # type: (Any, str) -> bool
        return bool(service._is_on(name, chain))

    def set_body_enabled(service, enabled):  # type: (ALValue, bool) -> ALValue
        return set_enabled(service, "Body", enabled)

    def get_body_enabled(service):  # type: (ALValue) -> bool
        return get_enabled(service, "Body")

    setter, getter = (set_enabled, get_enabled) if has_chain else (set_body_enabled, get_body_enabled)
    setting.add("set%sEnabled" % name, setter, "(%sbool) -> %s" % (taken, result), "Set whether %s." % what)
    setting.add("get%sEnabled" % name, getter, "(%s) -> bool" % taken.rstrip(", "), "Return whether %s." % what)
    return setting


@declare(
    number_setting(
        "OrthogonalSecurityDistance", 0.4, _DISTANCES_M, "the distance kept from obstacles ahead, in metres"
    ),
    number_setting(
        "TangentialSecurityDistance", 0.1, _DISTANCES_M, "the distance kept from obstacles to the side, in metres"
    ),
    _reflex("Breath", "a chain shows breathing"),
    _reflex("IdlePosture", "a chain goes back to its idle posture"),
    _reflex(_OBSTACLES, "the robot avoids obstacles"),
    _reflex("CollisionProtection", "the robot keeps its arms off its body", answer=True),
    _reflex("FallManager", "the robot protects itself when it falls", has_chain=False),
    _reflex("PushRecovery", "the robot keeps its balance when it is pushed", has_chain=False),
    _reflex("DiagnosisEffect", "the robot refuses movements when a motor fails", has_chain=False),
    _reflex("SmartStiffness", "motors rest when they are not needed", has_chain=False),
    switch("Notifications", True, "NAO speaks of its faults", ("setEnableNotifications", "areNotificationsEnabled")),
)
class Reflexes(Service):
    """The part of ALMotion that has the switches of the reflexes: they are remembered.

    Only Pepper's protection against collisions has an effect, on moveTo.
    """

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world, MOTION)
        self._model = world.body.model
        self._legs = self._model.feet + ["Legs"]
        self._switches = dict.fromkeys(_INITIAL_SWITCHES.split(), True)  # type: Dict[str, bool]
        self._breathing = {"Bpm": 12.0, "Amplitude": 1.0}
        self._balances = False

    def free_distance(self, side):  # type: (str) -> float
        """Return the free distance of a Pepper towards "Front" or "Back", in metres; infinite without an obstacle."""
        key = _SONAR_KEY % side
        if key not in list_robot_keys(self.world.robot_type, self.world.naoqi) or not self._is_on(_OBSTACLES, "Move"):
            return float("inf")
        echo = self._number(self.world.memory.getData(key), "moveTo")
        # 0 means no measurement, as on the maker's simulator.
        is_free = not echo or echo >= NO_ECHO_M
        return float("inf") if is_free else echo - self._kept["OrthogonalSecurityDistance"]

    def is_protected(self):  # type: () -> bool
        """Return whether the fall manager would protect the robot: it is enabled, and the motors are on."""
        return bool(self.world.body.is_awake and self._is_on("FallManager", "Body"))

    def isCollision(self, chain):  # type: (str) -> str
        """Return "none": the body never meets itself or anything else."""
        self._one_of(chain, self._model.body_parts, "isCollision", "chain")
        return "none"

    def setMoveArmsEnabled(self, left, right):  # type: (bool, bool) -> None
        """Set whether the left and the right arm swing while walking."""
        self._switch("MoveArms", "LArm", left)
        self._switch("MoveArms", "RArm", right)

    def getMoveArmsEnabled(self, chain):  # type: (str) -> bool
        """Return whether an arm swings while walking, or both for Arms."""
        arms = ["LArm", "RArm"] if chain == "Arms" else [chain]
        return all(self._is_on("MoveArms", arm) for arm in arms)

    setWalkArmsEnabled = setMoveArmsEnabled  # the old name

    def getWalkArmsEnabled(self):  # type: () -> ALValue
        """Return whether the left and the right arm swing while walking, as a list."""
        return [self.getMoveArmsEnabled("LArm"), self.getMoveArmsEnabled("RArm")]

    def setBreathConfig(self, config):  # type: (ALValue) -> None
        """Set NAO's breathing: pairs of Bpm (5 to 30) or Amplitude (0 to 1) and a value."""
        for pair in self._list(config, "setBreathConfig"):
            if len(self._list(pair, "setBreathConfig")) != 2:
                raise self._error("setBreathConfig", "A setting is a name and a value, not %.60r." % (pair,))
            name = self._one_of(pair[0], sorted(_BREATH_LIMITS), "setBreathConfig", "setting")
            self._breathing[name] = self._number(pair[1], "setBreathConfig", 1, *_BREATH_LIMITS[name])

    def getBreathConfig(self):  # type: () -> Any
        """Return NAO's breathing: pairs of a setting and its value."""
        return [[name, value] for name, value in sorted(self._breathing.items(), reverse=True)]

    def setMotionConfig(self, config):  # type: (ALValue) -> None
        """Accept and ignore pairs of a setting and its value."""
        self._list(config, "setMotionConfig")

    def wbEnable(self, enabled):  # type: (bool) -> None
        """Switch the whole-body balance on or off; a simulated robot falls only if a person pushes it."""
        self._balances = self._flag(enabled, "wbEnable")

    def wbFootState(self, state, leg):  # type: (str, str) -> None
        """Check and ignore the freedom of a foot: Fixed, Plane or Free, for LLeg, RLeg or Legs."""
        self._one_of(state, ["Fixed", "Plane", "Free"], "wbFootState", "state")
        self._one_of(leg, self._legs, "wbFootState", "leg")

    def wbEnableBalanceConstraint(self, enabled, leg):  # type: (bool, str) -> None
        """Check and ignore whether the weight has to stay above a leg."""
        self._flag(enabled, "wbEnableBalanceConstraint")
        self._one_of(leg, self._legs, "wbEnableBalanceConstraint", "leg")

    def wbGoToBalance(self, leg, seconds):  # type: (str, float) -> bool
        """Shift the weight above a leg and return when it is there; raise RuntimeError unless wbEnable came first."""
        self._one_of(leg, self._legs, "wbGoToBalance", "leg")
        if not self._balances:
            raise self._error("wbGoToBalance", "Whole body balance is not enabled.")
        time = self._number(seconds, "wbGoToBalance", 1, 0, 600)
        self.world.trace.note("motion", method="wbGoToBalance", duration=time, leg=leg)
        self._take_time(time)
        return True

    def wbEnableEffectorControl(self, effector, enabled):  # type: (str, bool) -> None
        """Check and ignore whether wbSetEffectorControl moves a hand or the head."""
        self._one_of(effector, _EFFECTORS, "wbEnableEffectorControl", "effector")
        self._flag(enabled, "wbEnableEffectorControl", 1)

    def wbSetEffectorControl(self, effector, target):  # type: (str, ALValue) -> None
        """Check and ignore where a hand or the head should be: a list of numbers."""
        self._one_of(effector, _EFFECTORS, "wbSetEffectorControl", "effector")
        for each in self._list(target, "wbSetEffectorControl", 1):
            self._number(each, "wbSetEffectorControl", 1)

    def wbEnableEffectorOptimization(self, effector, enabled):  # type: (str, bool) -> None
        """Check and ignore whether the control of a hand, a foot or the head is optimised."""
        self._one_of(effector, _EFFECTORS + self._model.feet, "wbEnableEffectorOptimization", "effector")
        self._flag(enabled, "wbEnableEffectorOptimization", 1)

    def _switch(self, what, chain, enabled):  # type: (str, str, bool) -> None
        method = "set%sEnabled" % what
        self._one_of(chain, self._model.body_parts, method, "chain")
        is_on = self._flag(enabled, method, 1)
        self.world.trace.note("motion", method=method, duration=0.0, chain=chain, enabled=is_on)
        if what == _OBSTACLES and len(self._model.feet) > 1:
            return  # On a NAO nothing changes: ros-naoqi/naoqi_bridge, pull request 60.
        for part in [chain] + (_PARTS_OF.get(chain, []) if what in _REFLEXES_OF_PARTS else []):
            self._switches[what + part] = is_on

    def _is_on(self, what, chain):  # type: (str, str) -> bool
        return self._switches.get(
            what + self._one_of(chain, self._model.body_parts, "get%sEnabled" % what, "chain"), False
        )


# Movements that reserve joints (ALMotion).

if MYPY:
    Names = Union[str, List[str]]


class _MotionTask(object):
    """A movement under way, or one that waits until its joints are free."""

    def __init__(self, number, name, booked, event):  # type: (int, str, Iterable[str], SimEvent) -> None
        self.number, self.name, self.event = number, name, event
        self.joints = frozenset(booked)
        self.is_killed, self.waits = False, True

    def kill(self):  # type: () -> None
        """End the movement, or the waiting for it."""
        self.is_killed = True
        self.event.set()


class JointTasks(Service):
    """The part of ALMotion that numbers movements. A movement books its joints until it ends, and others wait."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world, MOTION)
        self._model = world.body.model
        self._tasks = []  # type: List[_MotionTask]
        self._tasks_made = 0
        self._postponed = {}  # type: Dict[str, Tuple[float, float]]

    def getTaskList(self):  # type: () -> ALValue
        """List the movements under way, each as its name and its number."""
        return [list(task) for task in self.list_tasks()]

    def list_tasks(self):  # type: () -> List[Tuple[str, int]]
        """List name and number of the movements under way."""
        return [(task.name, task.number) for task in self._tasks]

    def killTask(self, number):  # type: (int) -> bool
        """End a movement; its joints keep the angles they have reached. Return whether `number` was a movement."""
        wanted = int(self._number(number, "killTask"))
        found = [task for task in self._tasks if task.number == wanted]
        for task in found:
            task.kill()
        return bool(found)

    def killTasksUsingResources(self, names):  # type: (List[str]) -> None
        """End the movements of joints; they keep the angles they have reached."""
        chosen = self.list_joints(self._texts(names, "killTasksUsingResources"), "killTasksUsingResources")
        for task in self._list_users(chosen):
            task.kill()
        self.world.body.halt(chosen)

    def areResourcesAvailable(self, names):  # type: (List[str]) -> bool
        """Return whether no movement has booked any of some joints."""
        chosen = self.list_joints(self._texts(names, "areResourcesAvailable"), "areResourcesAvailable")
        return bool(chosen) and not self._list_users(chosen)

    def stopAll(self):  # type: () -> None
        """End every movement."""
        for task in list(self._tasks):
            task.kill()
        Service.stopAll(self)

    def leftovers(self):  # type: () -> List[str]
        """List movements that have not ended."""
        return ["ALMotion is still moving."] if self._tasks else []

    def end_all(self):  # type: () -> None
        """End every movement; the joints keep the angles they have reached, and angles set meanwhile are forgotten."""
        for task in list(self._tasks):
            task.kill()
        self._postponed.clear()
        self.world.body.halt()

    def take_angles(self, method, chosen, angles, seconds, **fields):
        # type: (str, Iterable[str], Dict[str, float], float, **object) -> None
        """Book joints, and let joints turn to angles within some seconds."""

        def start():  # type: () -> float
            self.world.body.take(angles, seconds)
            return seconds

        self.perform_movement(method, chosen, start, **fields)

    def perform_movement(self, method, chosen, start, **fields):
        # type: (str, Iterable[str], Callable[[], float], **object) -> bool
        """Book joints, call `start`, which returns the seconds it takes, and return whether they passed undisturbed."""
        self._tasks_made += 1
        motors = self._motors(chosen)
        task = _MotionTask(self._tasks_made, method, motors, SimEvent(self.world.clock))
        self._tasks.append(task)
        try:
            while not task.is_killed and self._must_wait(task):
                task.event = SimEvent(self.world.clock)
                self._take_time(None, task.event)
            if task.is_killed:
                return False
            task.waits = False
            seconds = start()
            self.world.trace.note("motion", method=method, duration=round(seconds, 3), **fields)
            task.event = SimEvent(self.world.clock)
            if self._take_time(seconds, task.event):
                self.world.body.halt(task.joints)
                return False
            return True
        finally:
            self._tasks.remove(task)
            self._free_joints(task)

    def _must_wait(self, task):  # type: (_MotionTask) -> bool
        """Return whether a movement that was ordered earlier has one of the joints."""
        return any(other.joints & task.joints for other in self._tasks[: self._tasks.index(task)])

    def _list_users(self, chosen):  # type: (Iterable[str]) -> List[_MotionTask]
        wanted = self._motors(chosen)
        return [task for task in self._tasks if task.joints & wanted]

    def _motors(self, joints):  # type: (Iterable[str]) -> Set[str]
        return {self._model.shared_motors.get(joint, joint) for joint in joints}

    def _free_joints(self, task):  # type: (_MotionTask) -> None
        """Let those continue that waited for the joints of a movement: other movements, then targets set meanwhile."""
        for other in self._tasks:
            if other.waits and other.joints & task.joints and not self._must_wait(other):
                other.event.set()
        for joint in sorted(task.joints & set(self._postponed)):
            if not self.is_booked(joint):
                self.world.body.turn(joint, *self._postponed.pop(joint))

    def is_booked(self, joint):  # type: (str) -> bool
        """Return whether a movement has booked a joint."""
        return bool(self._list_users([joint]))

    def aim_joint(self, joint, angle, fraction):  # type: (str, float, float) -> None
        """Turn a joint to an angle from now on, or as soon as the movement that has booked it ends."""
        if self.is_booked(joint):
            self._postponed[self._model.shared_motors.get(joint, joint)] = angle, fraction
        else:
            self.world.body.turn(joint, angle, fraction)

    def list_joints(self, names, method):  # type: (Names, str) -> List[str]
        """List the joints that names of joints and chains stand for; raise RuntimeError for another name."""
        chosen = []  # type: List[str]
        for name in as_list(names):
            found = self._model.joints_of(self._text(name, method))
            if not found:
                if name in NAO.limits or name in PEPPER.limits:
                    self.world.missing_joints.add(name)
                raise self._error(method, "%s is not a joint or a chain of this robot." % name)
            chosen += found
        return chosen

    def spread_values(self, names, values, method, kind="effectors"):  # type: (Sequence[object], object, str, str) -> List[object]
        """List one value for each name; a single value serves them all."""
        given = as_list(values)
        if len(given) == 1:
            given = given * len(names)
        if len(given) != len(names):
            raise self._error(method, "%d values were given for %d %s." % (len(given), len(names), kind))
        return given


def as_list(value):  # type: (ALValue) -> List[ALValue]
    """Return a list or tuple as a list, another value in a list."""
    return list(value) if isinstance(value, (list, tuple)) else [value]
