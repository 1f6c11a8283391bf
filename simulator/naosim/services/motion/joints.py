"""NAO's joints, their chains and their limits in radians."""
from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import List

LIMITS = {
    "HeadYaw": (-2.0857, 2.0857), "HeadPitch": (-0.6720, 0.5149),
    "LShoulderPitch": (-2.0857, 2.0857), "LShoulderRoll": (-0.3142, 1.3265), "LElbowYaw": (-2.0857, 2.0857),
    "LElbowRoll": (-1.5446, -0.0349), "LWristYaw": (-1.8238, 1.8238), "LHand": (0.0, 1.0),
    "LHipYawPitch": (-1.1453, 0.7408), "LHipRoll": (-0.3794, 0.7904), "LHipPitch": (-1.5359, 0.4840),
    "LKneePitch": (-0.0923, 2.1125), "LAnklePitch": (-1.1894, 0.9227), "LAnkleRoll": (-0.3978, 0.7690),
    "RHipYawPitch": (-1.1453, 0.7408), "RHipRoll": (-0.7904, 0.3794), "RHipPitch": (-1.5359, 0.4840),
    "RKneePitch": (-0.1030, 2.1201), "RAnklePitch": (-1.1863, 0.9320), "RAnkleRoll": (-0.7690, 0.3978),
    "RShoulderPitch": (-2.0857, 2.0857), "RShoulderRoll": (-1.3265, 0.3142), "RElbowYaw": (-2.0857, 2.0857),
    "RElbowRoll": (0.0349, 1.5446), "RWristYaw": (-1.8238, 1.8238), "RHand": (0.0, 1.0),
}

HEAD = ["HeadYaw", "HeadPitch"]
LEFT_ARM = ["LShoulderPitch", "LShoulderRoll", "LElbowYaw", "LElbowRoll", "LWristYaw", "LHand"]
LEFT_LEG = ["LHipYawPitch", "LHipRoll", "LHipPitch", "LKneePitch", "LAnklePitch", "LAnkleRoll"]
RIGHT_LEG = ["R" + joint[1:] for joint in LEFT_LEG]
RIGHT_ARM = ["R" + joint[1:] for joint in LEFT_ARM]
BODY = HEAD + LEFT_ARM + LEFT_LEG + RIGHT_LEG + RIGHT_ARM
ACTUATORS = [joint for joint in BODY if not joint.endswith("Hand")]

CHAINS = {
    "Body": BODY, "JointActuators": BODY, "Joints": ACTUATORS, "BodyJoints": ACTUATORS, "Head": HEAD,
    "LArm": LEFT_ARM, "RArm": RIGHT_ARM, "Arms": LEFT_ARM + RIGHT_ARM,
    "LLeg": LEFT_LEG, "RLeg": RIGHT_LEG, "Legs": LEFT_LEG + RIGHT_LEG,
}


def joints_of(name):
    # type: (str) -> List[str]
    """List the joints that a name stands for, none for an unknown name.

    >>> joints_of("Head")
    ['HeadYaw', 'HeadPitch']
    """
    if name in LIMITS:
        return [name]
    return list(CHAINS.get(name, ()))


def clamped(joint, angle):
    # type: (str, float) -> float
    """Clamp an angle to the joint's limits, as the robot does."""
    low, high = LIMITS[joint]
    return min(max(angle, low), high)
