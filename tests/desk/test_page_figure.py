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
from naosim_live.page.figure.flat import flat_pose
from naosim_live.page.figure.flat_drawing import flat_binding, flat_markup
from naosim_live.page.figure.frame import Frame
from naosim_live.page.figure.lamps import lamps
from naosim_live.page.figure.pose import torso_pose
from naosim_live.page.figure.solids import solids
from naosim_live.page.figure.zones import ZONES


def seen(**changed):
    """Return what a robot's process answers to "look"."""
    angles = posture_angles("StandInit")
    return {
        "seconds": 1.0,
        "angles": [angles[joint] for joint in JOINTS],
        "lights": "ff" * len(LIGHTS),
        "touched": [],
        "posture": "StandInit",
        "place": [0.0, 0.0, 0.0],
        "is_awake": True,
        "is_speaking": False,
        "is_blinking": False,
        "breath": [0.0, 0.0],
        **changed,
    }


def test_every_light_is_drawn_once():
    drawn = [number for lamp in lamps() for number in lamp.lights if number >= 0]
    assert sorted(drawn) == list(range(len(LIGHTS)))
    assert len({lamp.name for lamp in lamps()}) == len(lamps())


def test_every_sensor_has_a_zone_on_both_drawings():
    assert {solid.zone for solid in solids()} - {""} == set(TOUCH_SENSOR_EVENTS) == set(ZONES)
    drawing = ElementTree.fromstring(flat_markup())
    assert {each.get("data-zone") for each in drawing.iter()} - {None} == set(TOUCH_SENSOR_EVENTS)


def test_solids_hang_on_existing_joints():
    assert {solid.joint for solid in solids()} <= {*JOINTS, "Torso", "Pelvis"}
    assert all(min(solid.size) > 0 for solid in solids())


def test_postures_are_on_the_floor():
    for posture in sorted(POSTURE_FAMILIES):
        angles = posture_angles(posture)
        x, y, z, *quaternion = torso_pose(angles, posture, (0.5, -0.2, 0.0))
        assert (abs(x - 0.5) < 0.05, abs(y + 0.2) < 0.05) == (True, True)
        assert math.hypot(*quaternion) == pytest.approx(1.0, abs=1e-4)
        soles = [_height(kinematics.part_transform(leg, angles), quaternion, z) for leg in ("LLeg", "RLeg")]
        assert min(soles) > -0.02
        assert z > 0.05 if posture.startswith(("Sit", "Lying")) else min(soles) == pytest.approx(0.0, abs=1e-3)


def _height(frame, quaternion, z):
    """Return the height of the origin of a frame if the torso is at height `z` and turned by `quaternion`."""
    w, i, j, k = quaternion
    up = (2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j))
    return z + sum(part * place for part, place in zip(up, (frame.r1_c4, frame.r2_c4, frame.r3_c4)))


def test_a_turned_robot_is_drawn_turned():
    assert torso_pose(posture_angles("StandZero"), "StandZero", (0, 0, math.pi / 2))[3:] == [0.70711, 0, 0, 0.70711]


def test_a_browser_gets_only_changes():
    first = Frame.of(seen())
    assert set(first.changes(None)) == set(Frame._fields)
    assert first.changes(first) == {}
    raised = Frame.of(seen(touched=["ChestButtonPressed"], lights="00" * len(LIGHTS)))
    assert set(raised.changes(first)) == {"touched", "lights"}


def test_the_flat_robot_moves_with_the_joints():
    down, angles = posture_angles("StandZero"), posture_angles("StandZero")
    angles.update(LShoulderPitch=-1.5, HeadYaw=1.0)
    rest, raised = flat_pose(down, "StandZero"), flat_pose(angles, "StandZero")
    assert raised["lines"]["LHand"][1] < rest["lines"]["LHand"][1] - 50
    assert raised["lines"]["RHand"] == rest["lines"]["RHand"]
    assert raised["head"][2] > rest["head"][2] == 0
    drawn = {each.get("data-part") for each in ElementTree.fromstring(flat_markup()).iter()}
    assert drawn - {None} == {*rest["lines"], *rest["marks"], "trunk", "head", "face"}


def test_the_flat_drawing_has_every_lamp():
    drawn = {each.get("data-lamp") for each in ElementTree.fromstring(flat_markup()).iter()} - {None}
    assert (
        drawn
        == {str(number) for number in range(len(flat_binding()["lamps"]))}
        == {str(number) for number in range(len(lamps()))}
    )


class Looked:
    """A robot that counts the requests to look, and moves until the request number `moves`."""

    def __init__(self, moves=0):
        self.looks = 0
        self._moves = moves

    async def ask(self, verb):
        assert verb == "look"
        self.looks += 1
        return seen(place=[0.01 * min(self.looks, self._moves), 0.0, 0.0])


@pytest.mark.parametrize("moves, looks", [(0, 2), (4, 6)])
def test_a_resting_robot_is_asked_less_often(monkeypatch, moves, looks):
    monkeypatch.setattr(body_feed, "MOVING", 0.0)
    monkeypatch.setattr(body_feed, "RESTING", 3600.0)

    async def watch():
        robot, feed, told = Looked(moves), body_feed.BodyFeed(), []
        feed.watch(robot, told.append)
        while feed.looks < max(moves, 1) + (moves > 0):
            await asyncio.sleep(0)
        feed.note(Event(0.0, "touch", {}))
        while feed.looks < looks:
            await asyncio.sleep(0)
        for _ in range(10):
            await asyncio.sleep(0)
        feed.task.cancel()
        return robot.looks, len(told)

    assert asyncio.run(watch()) == (looks, max(moves, 1))


def test_a_robot_without_watchers_is_not_asked(monkeypatch):
    monkeypatch.setattr(body_feed, "RESTING", 0.0)
    monkeypatch.setattr(body_feed, "LEASE", 0.0)

    async def watch():
        feed = body_feed.BodyFeed()
        feed.watch(Looked(), lambda frame: None)
        await asyncio.wait_for(feed.task, 10)
        return feed.looks

    assert asyncio.run(watch()) == 1
