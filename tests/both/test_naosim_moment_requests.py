# -*- coding: utf-8 -*-
"""Moments asked of a live server for a recording: what is seen, what changed in ALMemory, and whole diagrams."""

from __future__ import absolute_import, division, print_function

import json

import naosim_xar_writer as w
import pytest

from naosim import robot_requests

SPEAK = w.script("""
    def onInput_onStart(self):
        ALProxy("ALMemory").insertData("Told", [1, "two"])
        ALProxy("ALTextToSpeech").say("one two three")
        self.onStopped()
""")
BREAKS = w.script("""
    def onInput_onStart(self):
        raise ValueError("no")
""")


def nested():
    inner = w.box(
        "Inner",
        boxes=[w.box("Speak", SPEAK), w.box("Breaks", BREAKS)],
        links=[("self.onStart", "Speak.onStart"), ("Speak.onStopped", "Breaks.onStart")],
    )
    return w.behaviour([inner], [("root.onStart", "Inner.onStart")])


def test_a_moment_tells_how_the_robot_is(program):
    told = program.ask("moment", is_first=True)
    assert told["look"] == program.ask("look") and told["behaviour"] == {"id": "", "runs": False}
    assert told["ears"]["engine"] is None and told["speed"] == 1.0
    assert told["diagrams"]["live"] == {} and told["memory"]["devices"] == {}
    devices = program.ask("moment", has_devices=True)["memory"]["devices"]
    assert json.loads(devices["Device/SubDeviceList/Battery/Charge/Sensor/Value"]) > 0.5


def test_of_almemory_a_moment_tells_what_has_changed(program):
    program.robot.set("Gone", 1)
    first = program.ask("moment", is_first=True)["memory"]
    assert first["changed"]["Gone"] == "1"
    program.robot.set("New", ["<b>", 2.5])
    program.robot.memory.removeData("Gone")
    then = program.ask("moment")["memory"]
    assert then["gone"] == ["Gone"] and json.loads(then["changed"]["New"]) == ["<b>", 2.5]
    assert "Gone" not in then["changed"]
    assert program.ask("moment")["memory"]["changed"] == {}
    assert "New" in program.ask("moment", is_first=True)["memory"]["changed"]


def test_a_long_value_of_almemory_is_told_by_its_length(program):
    program.robot.set("Long", "x" * (robot_requests.MAX_MEMORY_VALUE_LENGTH + 1))
    program.robot.set("Deep", [[[[[[[[[[1]]]]]]]]]])
    changed = program.ask("moment", is_first=True)["memory"]["changed"]
    assert json.loads(changed["Long"]) == "<%d characters>" % (robot_requests.MAX_MEMORY_VALUE_LENGTH + 3)
    assert json.loads(changed["Deep"]) == [[[[[[[[[[1]]]]]]]]]]


def test_a_moment_tells_what_runs_in_every_diagram(program):
    behaviour = program.robot.load(nested())
    program.ask("moment", is_first=True)
    program.robot.start()
    program.robot.clock.run(up_to=0.5)
    told = program.ask("moment")["diagrams"]
    assert told["live"] == {behaviour.id: {"lit": ["", "1", "1__1"], "places": {"": [0], "1": [0]}, "cursors": {}}}
    assert told["latest"] == behaviour.id and told["known"] == [behaviour.id]
    assert [row[2:5] for row in told["signals"]] == [[behaviour.id, "", 0], [behaviour.id, "1", 0]]
    program.robot.clock.run(up_to=60.0)
    errors = program.ask("moment")["diagrams"]["errors"]
    assert [(row[0], row[1], row[4][:14]) for row in errors] == [
        ([behaviour.id], "root/Inner/Breaks", "ValueError: no")
    ]


def test_a_blueprint_has_every_diagram_and_every_box(program):
    behaviour = program.robot.load(nested())
    told = program.ask("blueprint", behaviour=behaviour.id)
    assert sorted(told["boxes"]) == ["", "1", "1__1", "1__2"]
    assert {(each["address"], each["place"]) for each in told["diagrams"] if each["boxes"]} == {("", 0), ("1", 0)}
    for each in told["diagrams"]:
        asked = program.ask("diagram", behaviour=behaviour.id, box=each["address"], place=each["place"])
        assert each == {name: asked[name] for name in each}
    box = program.ask("box", behaviour=behaviour.id, box="1__2")
    assert told["boxes"]["1__2"] == {name: box[name] for name in told["boxes"]["1__2"]}


def test_diagrams_that_are_too_large_are_refused(program, monkeypatch):
    behaviour = program.robot.load(nested())
    monkeypatch.setattr(robot_requests, "MAX_BLUEPRINT_BOXES", 3)
    with pytest.raises(RuntimeError, match="too large to be recorded"):
        program.ask("blueprint", behaviour=behaviour.id)
