"""The drawn NAO without a browser: its parts and its pose."""

import math

import pytest
from naosim_page.figure import ZONES, lamps, solids, torso_pose

from naosim import kinematics
from naosim.body import posture_angles
from naosim.robot_requests import JOINTS, LIGHTS
from naosim.services.memory import TOUCH_SENSOR_EVENTS
from naosim.services.motion_base import POSTURE_FAMILIES


def test_every_light_and_sensor_is_drawn():
    drawn = [number for lamp in lamps() for number in lamp.lights if number >= 0]
    assert sorted(drawn) == list(range(len(LIGHTS))) and len({lamp.name for lamp in lamps()}) == len(lamps())
    assert {solid.zone for solid in solids()} - {""} == set(TOUCH_SENSOR_EVENTS) == set(ZONES)
    assert {solid.joint for solid in solids()} <= {*JOINTS, "Torso", "Pelvis"}


@pytest.mark.parametrize("posture", sorted(POSTURE_FAMILIES))
def test_postures_are_on_the_floor(posture):
    angles = posture_angles(posture)
    x, y, z, *quaternion = torso_pose(angles, posture, (0.5, -0.2, 0.0))
    assert (abs(x - 0.5) < 0.05, abs(y + 0.2) < 0.05) == (True, True)
    assert math.hypot(*quaternion) == pytest.approx(1.0, abs=1e-4)
    w, i, j, k = quaternion
    up = (2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j))
    frames = [kinematics.part_transform(leg, angles) for leg in ("LLeg", "RLeg")]
    soles = [z + up[0] * frame.r1_c4 + up[1] * frame.r2_c4 + up[2] * frame.r3_c4 for frame in frames]
    assert min(soles) > -0.02
    assert z > 0.05 if posture.startswith(("Sit", "Lying")) else min(soles) == pytest.approx(0.0, abs=1e-3)
    assert torso_pose(posture_angles("StandZero"), "StandZero", (0, 0, math.pi / 2))[3:] == [0.70711, 0, 0, 0.70711]
