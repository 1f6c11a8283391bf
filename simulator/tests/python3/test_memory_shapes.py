"""The shapes of ALMemory's values in the table of first values, as patterns of the table of facts."""

import pytest

from naosim.robot import Robot
from naosim.services.memory_keys import list_robot_keys
from naosim_robots.facts.patterns import parse_pattern


@pytest.mark.parametrize(("robot_type", "naoqi"), [("Nao", "2.1"), ("Nao", "2.8"), ("Juliette", "2.5")])
def test_every_value_of_a_fresh_robot_has_the_shape_of_its_row(robot_type, naoqi):
    with Robot(robot_type=robot_type, naoqi=naoqi) as robot:
        keys, memory = list_robot_keys(robot_type, naoqi), robot.memory
        for key in memory.getDataListName():
            pattern = parse_pattern(keys[key].shape)
            assert pattern.fits(memory.getData(key), {}), (key, keys[key].shape, memory.getData(key))


@pytest.mark.parametrize(
    ("key", "fitting", "other"),
    [
        ("TouchChanged", [["Head", True, [1]], ["Head/Touch/Front", True, [1]]], [["Head"]]),
        ("TouchChanged", [["Head", False], ["Head/Touch/Front", False]], ["Head"]),
        ("ALTextToSpeech/Status", [1, "done"], ["done", 1]),
        ("ALMotion/MoveFailed", ["Internal stop", 0, None], ["Internal stop"]),
        ("DCM/Time", 1500, 1.5),
    ],
)
def test_shapes_tell_values_apart(key, fitting, other):
    pattern = parse_pattern(list_robot_keys("Nao", "2.8")[key].shape)
    assert pattern.fits(fitting, {}) and not pattern.fits(other, {})
