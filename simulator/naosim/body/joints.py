"""NAO's joints: their chains, their limits in radians, their greatest speeds and torques. Moves nothing."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import List

LIMITS = {
    "HeadYaw": (-2.0857, 2.0857),
    "HeadPitch": (-0.6720, 0.5149),
    "LShoulderPitch": (-2.0857, 2.0857),
    "LShoulderRoll": (-0.3142, 1.3265),
    "LElbowYaw": (-2.0857, 2.0857),
    "LElbowRoll": (-1.5446, -0.0349),
    "LWristYaw": (-1.8238, 1.8238),
    "LHand": (0.0, 1.0),
    "LHipYawPitch": (-1.1453, 0.7408),
    "LHipRoll": (-0.3794, 0.7904),
    "LHipPitch": (-1.5359, 0.4840),
    "LKneePitch": (-0.0923, 2.1125),
    "LAnklePitch": (-1.1894, 0.9227),
    "LAnkleRoll": (-0.3978, 0.7690),
    "RHipYawPitch": (-1.1453, 0.7408),
    "RHipRoll": (-0.7904, 0.3794),
    "RHipPitch": (-1.5359, 0.4840),
    "RKneePitch": (-0.1030, 2.1201),
    "RAnklePitch": (-1.1863, 0.9320),
    "RAnkleRoll": (-0.7690, 0.3978),
    "RShoulderPitch": (-2.0857, 2.0857),
    "RShoulderRoll": (-1.3265, 0.3142),
    "RElbowYaw": (-2.0857, 2.0857),
    "RElbowRoll": (0.0349, 1.5446),
    "RWristYaw": (-1.8238, 1.8238),
    "RHand": (0.0, 1.0),
}

HEAD = ["HeadYaw", "HeadPitch"]
LEFT_ARM = ["LShoulderPitch", "LShoulderRoll", "LElbowYaw", "LElbowRoll", "LWristYaw", "LHand"]
LEFT_LEG = ["LHipYawPitch", "LHipRoll", "LHipPitch", "LKneePitch", "LAnklePitch", "LAnkleRoll"]
RIGHT_LEG = ["R" + joint[1:] for joint in LEFT_LEG]
RIGHT_ARM = ["R" + joint[1:] for joint in LEFT_ARM]
BODY = HEAD + LEFT_ARM + LEFT_LEG + RIGHT_LEG + RIGHT_ARM
ACTUATORS = [joint for joint in BODY if not joint.endswith("Hand")]

CHAINS = {
    "Body": BODY,
    "JointActuators": BODY,
    "Joints": ACTUATORS,
    "BodyJoints": ACTUATORS,
    "Head": HEAD,
    "LArm": LEFT_ARM,
    "RArm": RIGHT_ARM,
    "Arms": LEFT_ARM + RIGHT_ARM,
    "LLeg": LEFT_LEG,
    "RLeg": RIGHT_LEG,
    "Legs": LEFT_LEG + RIGHT_LEG,
}

#: Radians a second at full speed, and Nm, of the motors that joints have (NAO H25 V5).
_MOTORS = {
    "HeadYaw": (8.26797, 1.547),
    "HeadPitch": (7.19407, 1.532),
    "ShoulderPitch": (8.26797, 1.329),
    "ShoulderRoll": (7.19407, 1.7835),
    "ElbowYaw": (8.26797, 1.547),
    "ElbowRoll": (7.19407, 1.532),
    "WristYaw": (24.6229, 0.4075),
    "Hand": (8.33, 0.292),
    "HipYawPitch": (4.16174, 3.348),
    "HipRoll": (4.16174, 3.348),
    "HipPitch": (6.40239, 3.023),
    "KneePitch": (6.40239, 3.023),
    "AnklePitch": (6.40239, 3.023),
    "AnkleRoll": (4.16174, 3.348),
}
SPEEDS = {joint: _MOTORS[joint if joint in HEAD else joint[1:]][0] for joint in BODY}
TORQUES = {joint: _MOTORS[joint if joint in HEAD else joint[1:]][1] for joint in BODY}
#: One motor moves both hips inwards and outwards; the left joint counts where they are told different things.
SHARED = {"RHipYawPitch": "LHipYawPitch"}


def joints_of(name):  # type: (str) -> List[str]
    """List the joints that a name stands for, none for an unknown name.

    >>> joints_of("Head")
    ['HeadYaw', 'HeadPitch']
    """
    if name in LIMITS:
        return [name]
    return list(CHAINS.get(name, ()))


def clamped(joint, angle):  # type: (str, float) -> float
    """Clamp an angle to the joint's limits, as the robot does."""
    low, high = LIMITS[joint]
    return min(max(angle, low), high)
