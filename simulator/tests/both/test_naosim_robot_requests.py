"""The requests of a page: diagrams and moments."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest
from robot_fixtures import Program

from naosim import Robot
from naosim.compat import natively

# Diagrams asked of a live server: boxes and links, signals as they travel, what runs, errors, and one box in full.

PASS_ON = w.script("""
    def onInput_onStart(self):
        self.onStopped()
""")
WAIT = w.script("""
    def onInput_onStart(self):
        ALProxy("ALTextToSpeech").say(self.getParameter("Text"))
        self.onStopped()
""")
def speaking(name="Speak"):
    return w.box(name, WAIT, parameters=[w.parameter("Text", 3, "one two three")], resources=[("Speech", "Lock", 0)])


def test_a_diagram_is_told_as_it_is_drawn(program):
    inner = w.box(
        "Inner",
        boxes=[w.box("Deep", PASS_ON)],
        links=[("self.onStart", "Deep.onStart"), ("Deep.onStopped", "self.onStopped")],
    )
    program.robot.load(w.sequence(w.box("A", PASS_ON), inner).replace(b'x="0" y="0"', b'x="80" y="-12"'))
    told = program.ask("diagram")
    assert [(box["id"], box["address"], box["name"], box["kind"], box["opens"]) for box in told["boxes"]] == [
        (1, "1", "A", "script", False),
        (2, "2", "Inner", "diagram", True),
    ]
    assert (told["boxes"][0]["x"], told["boxes"][0]["y"]) == (80, -12)
    assert told["boxes"][0]["inputs"] == [
        [1, "onLoad", 1, "onLoad"],
        [2, "onStart", 1, "onStart"],
        [3, "onStop", 1, "onStop"],
    ]
    assert told["links"] == [[0, 2, 1, 2], [1, 4, 2, 2], [2, 4, 0, 4]]
    assert told["behaviours"] == [[told["behaviour"], True]]
    below = program.ask("diagram", behaviour=told["behaviour"], box="2")
    assert below["trail"] == [["", "root", 0], ["2", "Inner", 0]]
    assert [box["address"] for box in below["boxes"]] == ["2__1"]


def test_signals_and_running_boxes_are_told_as_they_come(program):
    robot = program.robot
    robot.load(w.sequence(w.box("A", PASS_ON), speaking()))
    behaviour = program.ask("diagram")["behaviour"]
    before = program.ask("signals", behaviour=behaviour)
    assert (before["runs"], before["signals"], before["is_loaded"]) == ([], [], True)
    robot.start()
    robot.clock.run(seconds=0.1)
    meanwhile = program.ask("signals", behaviour=behaviour, since=before["position"])
    assert meanwhile["runs"] == [2] and meanwhile["owner_runs"]
    assert [signal[2:6] for signal in meanwhile["signals"]] == [[0, 2, 1, 2], [1, 4, 2, 2]]
    # Nothing new: the position alone.
    assert program.ask("signals", behaviour=behaviour, since=meanwhile["position"]) == {
        "position": meanwhile["position"]
    }
    robot.advance()
    after = program.ask("signals", behaviour=behaviour, since=meanwhile["position"])
    assert (after["runs"], after["is_loaded"], after["behaviours"]) == ([], False, [])
    assert [signal[2:6] for signal in after["signals"]] == [[2, 4, 0, 4]]
    # What has ended can still be looked at.
    assert program.ask("diagram")["behaviours"] == [[behaviour, False]]


def run_ticking(program, lines):
    """Play a box that fires its output tick in some lines, and return the behaviour's signals."""
    outputs = [w.port("onStopped", nature="stopped"), w.port("tick", "dynamic", "punctual")]
    script = w.script("    def onInput_onStart(self):\n" + lines + "        self.onStopped()\n")
    links = [("root.onStart", "A.onStart"), ("A.tick", "A.onStop"), ("A.onStopped", "root.onStopped")]
    program.robot.load(w.behaviour([w.box("A", script, outputs=outputs)], links))
    behaviour = program.ask("diagram")["behaviour"]
    program.robot.start()
    assert program.robot.advance().ended
    return program.ask("signals", behaviour=behaviour)["signals"]


def test_at_most_500_signals_are_kept_and_100_told(program):
    signals = run_ticking(program, "        for number in range(2000):\n            self.tick('<b>' * 1000)\n")
    assert len(signals) == 100 and signals[-1][2:6] == [1, 4, 0, 4]
    assert signals[0][6] == '"%s"' % ("<b>" * 1000)[:80]
    assert len(program.requests.parts[-1]._log._signals) == 500


def test_a_value_that_cannot_be_written_down_fails_nobody(program):
    lines = """
        class Odd(list):
            def __len__(self):
                raise ValueError("never")
        for value in (Odd(), [1, 2], u"\\u00fc", 2.5, b"\\xff", {}, object()):
            self.tick(value)
"""
    told = [signal[6] for signal in run_ticking(program, lines)]
    assert told[:3] == ["", "Odd", "list of 2"] and told[4] == "2.5" and told[6:8] == ["dict of 0", "object"]


def test_errors_stand_on_the_box_that_made_them_and_on_those_around_it(program):
    breaks = w.script("""
    def onInput_onStart(self):
        raise ValueError("<script>alert(1)</script>")
""")
    inner = w.box(
        "Inner",
        boxes=[w.box("Deep/er", breaks), w.box("Fine", PASS_ON)],
        links=[("self.onStart", "Deep/er.onStart"), ("self.onStart", "Fine.onStart")],
    )
    program.robot.load(w.sequence(inner, w.box("B", PASS_ON)))
    program.robot.start()
    program.robot.advance()
    # The first question comes after the error.
    behaviour = program.ask("diagram")["behaviour"]
    assert program.ask("signals", behaviour=behaviour)["errors"] == [[1, 1]]
    assert program.ask("signals", behaviour=behaviour, box="1")["errors"] == [[1, 1]]
    ((_, where, message, handled),) = program.ask("box", behaviour=behaviour, box="1__1")["errors"]
    assert (where, handled) == ("root/Inner/Deep/er.onInput_onStart", False)
    assert message.startswith("ValueError: <script>alert(1)</script> (line ")
    assert program.ask("box", behaviour=behaviour, box="1__2")["errors"] == []


def test_a_box_in_full_has_script_parameters_resources_and_what_the_lint_says(program):
    silent = w.box("Silent", PASS_ON, inputs=[w.port("onStart", nature="onStart"), w.port("more")])
    program.robot.load(
        w.behaviour([speaking(), silent], w.chain("Speak", "Silent") + [("root.onStart", "Silent.more")]),
        parameters={"Text": u"gr\u00fcn".encode("utf-8") if str is bytes else u"gr\u00fcn"},
    )
    behaviour = program.ask("diagram")["behaviour"]
    told = program.ask("box", behaviour=behaviour, box="1")
    assert told["script"] == WAIT.strip() + "\n" and not told["is_cut"]
    assert told["parameters"] == [
        {"name": "Text", "type": "string", "inherits": False, "default": "", "value": natively(u"gr\u00fcn")}
    ]
    assert told["resources"] == [["Speech", "Lock", 0]]
    assert "more" in str(program.ask("box", behaviour=behaviour, box="2")["lint"])


def test_a_timeline_has_keyframes_joints_and_a_cursor(program):
    def frame(index, name):
        return index, [w.box(name, PASS_ON)], [("self.onLoad", name + ".onStart")]

    dance = w.box(
        "Dance",
        layers=[[frame(1, "one"), frame(26, "two")], [frame(11, "beside")]],
        curves=[("HeadYaw", [(1, 0), (51, 90)])],
        timeline={"fps": 10, "end_frame": 51},
    )
    robot = program.robot
    robot.load(w.sequence(dance))
    behaviour = program.ask("diagram")["behaviour"]
    told = program.ask("diagram", behaviour=behaviour, box="1", place=1)
    assert told["keyframes"] == [[1, "keyframe1", 0, 1], [26, "keyframe26", 0, 1], [11, "keyframe11", 1, 1]]
    assert told["timeline"] == {
        "fps": 10,
        "start": 1,
        "end": 51,
        "layers": ["layer", "layer"],
        "curves": [["HeadYaw", False, [1, 51]]],
        "left_out": 0,
    }
    assert [box["address"] for box in told["boxes"]] == ["1__1k1"]
    robot.start()
    robot.clock.run(seconds=3)
    state = program.ask("signals", behaviour=behaviour, box="1")
    frame, is_playing, fps = state["timeline"]
    assert (round(frame, 3), is_playing, fps) == (31.0, True, 10)
    assert state["active"] == [1, 2]
    # While the cursor moves, every answer says where it is.
    assert program.ask("signals", behaviour=behaviour, box="1", since=state["position"])["timeline"]


def test_what_is_not_there_is_a_sentence(program):
    for fields, sentence in [
        ({"box": "7"}, 'the behaviour has no box at "7"'),
        ({"box": "1__x"}, '"1__x" is not an address of a box'),
        ({"box": "1" * 30}, "is not an address of a box"),
        ({"box": "1k9__1"}, "the behaviour has no box at"),
        ({"behaviour": "other/one"}, 'no behaviour "other/one" was loaded recently'),
        ({"box": 3}, '"box" is 3'),
        ({"place": "x"}, '"place" is "x"'),
    ]:
        program.robot.load(w.sequence(w.box("A", PASS_ON)))
        asked = dict({"behaviour": program.ask("diagram")["behaviour"]}, **fields)
        for verb in ("diagram", "signals", "box") if "place" not in fields else ("diagram", "signals"):
            with pytest.raises(RuntimeError) as error:
                program.ask(verb, **asked)
            assert sentence in str(error.value)


@pytest.mark.only_python_3
def test_a_large_diagram_is_cut_and_a_robot_without_a_behaviour_has_none(program):
    assert program.ask("diagram") == {"behaviour": "", "behaviours": []}
    count = 320
    boxes = [w.box("B%d" % number, PASS_ON) for number in range(count)]
    program.robot.load(w.behaviour(boxes, [("root.onStart", "B%d.onStart" % (n % count)) for n in range(1100)]))
    told = program.ask("diagram")
    assert len(told["boxes"]) == 300 and len(told["links"]) == 1000
    assert told["left_out"] == [20, 100]


def test_the_trace_is_the_same_whether_somebody_watches_or_not():
    traces = []
    for is_watched in (False, True):
        robot = Robot()
        if is_watched:
            Program(robot).ask("diagram")
        robot.load(w.sequence(w.box("A", PASS_ON), speaking()))
        robot.start()
        robot.advance()
        traces.append(list(robot.trace.events))
        robot.close()
    assert traces[0] == traces[1]
