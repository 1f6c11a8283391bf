"""The drawn NAO without a browser: its parts, its pose, the messages to a browser, and how often the robot is asked."""

import asyncio
import math
from xml.etree import ElementTree

import pytest

pytest.importorskip("nicegui")

from naosim import kinematics
from naosim.body import posture_angles
from naosim.robot_requests import JOINTS, LIGHTS
from naosim.services.memory import TOUCH_SENSOR_EVENTS
from naosim.services.motion_base import POSTURE_FAMILIES
from naosim.world import Event
from naosim_live.page.figure import body_feed
from naosim_live.page.figure.flat_drawing import flat_binding, flat_markup
from naosim_live.page.figure.lamps import lamps
from naosim_live.page.figure.pose import torso_pose
from naosim_live.page.figure.solids import solids
from naosim_live.page.figure.zones import ZONES


def seen(**changed):
    """Return what a robot's process answers to "look"."""
    angles = posture_angles("StandInit")
    look = {"seconds": 1.0, "angles": [angles[joint] for joint in JOINTS], "lights": "ff" * len(LIGHTS), "touched": []}
    life = {"is_awake": True, "is_speaking": False, "is_blinking": False, "breath": [0.0, 0.0]}
    return {**look, "posture": "StandInit", "place": [0.0, 0.0, 0.0], **life, **changed}


def test_every_light_and_sensor_is_drawn():
    drawn = [number for lamp in lamps() for number in lamp.lights if number >= 0]
    assert sorted(drawn) == list(range(len(LIGHTS))) and len({lamp.name for lamp in lamps()}) == len(lamps())
    assert {solid.zone for solid in solids()} - {""} == set(TOUCH_SENSOR_EVENTS) == set(ZONES)
    assert {solid.joint for solid in solids()} <= {*JOINTS, "Torso", "Pelvis"}
    flat = list(ElementTree.fromstring(flat_markup()).iter())
    assert {each.get("data-zone") for each in flat} - {None} == set(TOUCH_SENSOR_EVENTS)
    numbers = {str(number) for number in range(len(lamps()))}
    assert {each.get("data-lamp") for each in flat} - {None} == numbers and len(flat_binding()["lamps"]) == len(numbers)


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


@pytest.mark.parametrize(("moves", "looks"), [(0, 2), (4, 6)])
def test_a_resting_robot_is_asked_less_often_and_without_watchers_not_at_all(monkeypatch, moves, looks):
    monkeypatch.setattr(body_feed, "MOVING", 0.0)
    monkeypatch.setattr(body_feed, "RESTING", 3600.0)
    asked = []

    class Robot:
        async def ask(self, verb):
            asked.append(verb)
            return seen(place=[0.01 * min(len(asked), moves), 0.0, 0.0])

    async def watch():
        feed, told = body_feed.BodyFeed(), []
        feed.watch(Robot(), told.append)
        while feed.looks < max(moves, 1) + (moves > 0):
            await asyncio.sleep(0)
        feed.note(Event(0.0, "touch", {}))
        while feed.looks < looks:
            await asyncio.sleep(0)
        for _ in range(10):
            await asyncio.sleep(0)
        feed.task.cancel()
        assert asked == ["look"] * looks and len(told) == max(moves, 1)
        monkeypatch.setattr(body_feed, "RESTING", 0.0)
        monkeypatch.setattr(body_feed, "LEASE", 0.0)
        alone = body_feed.BodyFeed()
        alone.watch(Robot(), lambda frame: None)
        await asyncio.wait_for(alone.task, 10)
        assert alone.looks <= max(moves, 1)

    asyncio.run(watch())
