"""The shapes of ALMemory's values in the table of first values, as patterns of the table of facts."""

import pytest

from naosim.robot import Robot
from naosim.services.memory_keys import ROWS, list_row_keys
from naosim_robots.facts.patterns import parse_pattern


@pytest.mark.parametrize(("robot_type", "naoqi"), [("Nao", "2.1"), ("Nao", "2.8"), ("Juliette", "2.5")])
def test_every_value_of_a_fresh_robot_has_the_shape_of_its_row(robot_type, naoqi):
    with Robot(robot_type=robot_type, naoqi=naoqi) as robot:
        memory, checked = robot.memory, set()
        for row in ROWS:
            pattern = parse_pattern(row.shape)
            for key in list_row_keys(row, robot_type, naoqi) if row.first != "-" else ():
                assert pattern.fits(memory.getData(key), {}), (key, row.shape, memory.getData(key))
                checked.add(key)
        assert checked == set(memory.getDataListName())


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
    pattern = parse_pattern(next(row.shape for row in ROWS if row.key == key))
    assert pattern.fits(fitting, {}) and not pattern.fits(other, {})
