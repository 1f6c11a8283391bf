"""The drawn NAO and Pepper without a browser: their parts and their poses."""

import math
from xml.etree import ElementTree

import pytest
from interpreters import ROOT, load_script

from naosim.models import MODELS, NAO, PEPPER
from naosim.robot_requests import LIGHTS
from naosim_page.figure import describe_figure, lamps, solids, torso_pose


@pytest.mark.parametrize("robot_type", ["Nao", "Juliette"])
def test_every_sensor_of_the_robot_is_drawn_and_every_part_moves_with_one_of_its_joints(robot_type):
    model, figure = MODELS[robot_type], describe_figure(robot_type)
    assert {solid.zone for solid in solids(robot_type)} - {""} == set(model.touch_sensors) == set(figure["zones"])
    assert {solid.joint for solid in solids(robot_type)} <= {*model.body, "Torso", "Pelvis"}
    assert figure["order"] == model.body and {joint["name"] for joint in figure["joints"]} == set(model.body)
    names = {lamp.name for lamp in lamps(robot_type)}
    assert len(names) == len(lamps(robot_type)) and {"FaceLedLeft0", "LeftEarLed1"} <= names


def test_every_light_of_nao_is_drawn():
    drawn = [number for lamp in lamps() for number in lamp.lights if number >= 0]
    assert sorted(drawn) == list(range(len(LIGHTS)))


def test_pepper_is_drawn_as_high_as_it_is():
    angles = PEPPER.posture_angles("StandZero")
    x, y, z, *turned = torso_pose(angles, "StandZero", (0.5, -0.2, 0.0), "Juliette")
    assert (x, y, turned) == (0.49998, -0.2, [1.0, 0.0, 0.0, 0.0])
    tops = [
        z + PEPPER.part_transform(part.joint, angles).r3_c4 + part.place[2] + part.size[2]
        for part in solids("Juliette")
        if part.joint.startswith("Head") and part.shape == "ball"
    ]
    assert 1.18 < max(tops) < 1.23  # Pepper is 1.21 m high.


@pytest.mark.parametrize("posture", sorted(NAO.families))
def test_postures_are_on_the_floor(posture):
    angles = NAO.posture_angles(posture)
    x, y, z, *quaternion = torso_pose(angles, posture, (0.5, -0.2, 0.0))
    assert (abs(x - 0.5) < 0.05, abs(y + 0.2) < 0.05) == (True, True)
    assert math.hypot(*quaternion) == pytest.approx(1.0, abs=1e-4)
    w, i, j, k = quaternion
    up = (2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j))
    frames = [NAO.part_transform(leg, angles) for leg in ("LLeg", "RLeg")]
    soles = [z + up[0] * frame.r1_c4 + up[1] * frame.r2_c4 + up[2] * frame.r3_c4 for frame in frames]
    assert min(soles) > -0.02
    assert z > 0.05 if posture.startswith(("Sit", "Lying")) else min(soles) == pytest.approx(0.0, abs=1e-3)
    assert torso_pose(NAO.posture_angles("StandZero"), "StandZero", (0, 0, math.pi / 2))[3:] == [0.70711, 0, 0, 0.70711]


def test_the_flat_drawings_are_those_of_the_figure():
    """Draw them again with `make pictures`, or only these with `python docs/nao_drawings.py`."""
    drawings = load_script(ROOT / "docs/nao_drawings.py")
    for name, text in drawings.draw_all().items():
        assert (drawings.STATIC / name).read_text(encoding="utf-8") == text
        ElementTree.fromstring(text)
        assert text.count("<ellipse") > 20 and len(text) < 12_000
