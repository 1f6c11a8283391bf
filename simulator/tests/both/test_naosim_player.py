"""The player: when boxes are loaded, how signals travel, and what counts as a failure."""

from __future__ import absolute_import, division, print_function

import sys

import naosim_xar_writer as w
import pytest
from robot_fixtures import list_fields

from naosim import BrokenBehaviour, Overrun, Robot, WrongUse

START, STOP = w.port("onStart", nature="onStart"), w.port("onStop", nature="onStop")
STOPPED = w.port("onStopped", nature="stopped")
PASS_ON = w.on_start("self.onStopped()") + "    def onInput_onStop(self):\n        pass\n"


def play(robot, content, **options):
    behaviour = robot.load(content, **options)
    robot.start(behaviour)
    robot.advance()
    return behaviour


def list_events(robot, *kinds):
    return [
        " ".join([event.kind] + [event.fields[key] for key in ("box", "port") if key in event.fields])
        for event in robot.trace.events
        if not kinds or event.kind in kinds
    ]


def test_everything_is_constructed_then_loaded_then_started_then_unloaded(robot):
    """A container loads its boxes when it is started and unloads them when it stops."""
    outer = w.box("Outer", boxes=[w.box("In", PASS_ON)], links=w.chain("In"))
    behaviour = play(robot, w.behaviour([w.box("A", PASS_ON), outer]))
    assert "; ".join(list_events(robot)) == (
        "load root; load root/A; load root/Outer; input root onStart; input root/A onStart; output root/A onStopped; "
        "input root/Outer onStart; load root/Outer/In; input root/Outer/In onStart; output root/Outer/In onStopped; "
        "output root/Outer onStopped; unload root/Outer/In; output root onStopped; unload root/A; unload root/Outer; "
        "unload root; end"
    )
    assert behaviour.ended
    assert behaviour.failures == robot.leaks() == []


def test_a_container_loads_its_boxes_while_it_runs(robot):
    outer = w.box("Outer", boxes=[w.box("Inner", w.script("    pass\n"))], links=[("self.onStart", "Inner.onStart")])
    links = [("root.onStart", "Both.onStart"), ("root.onStart", "Outer.onStart"), ("Both.onStopped", "Outer.onStop")]
    play(robot, w.behaviour([w.box("Both", PASS_ON), outer], links))
    assert list_events(robot, "unload", "output") == ["output root/Both onStopped", "unload root/Outer/Inner"]
    robot.forget()
    outer = w.box("Outer", w.on_start("[][0]"), boxes=[w.box("Inner", PASS_ON)], links=w.chain("Inner"))
    play(robot, w.behaviour([outer]))
    assert "load root/Outer/Inner" not in list_events(robot)


def test_an_event_input_reaches_the_inside_only_while_it_is_loaded(robot):
    inner, poke = w.box("Inner", w.on_start("pass")), w.port("poke")
    outer = w.box("Outer", inputs=[START, STOP, poke], boxes=[inner], links=[("self.poke", "Inner.onStart")])
    links = [("root.onStart", "Outer.poke"), ("A.onStopped", "Outer.onStart"), ("B.onStopped", "Outer.poke")]
    play(robot, w.behaviour([w.box("A", PASS_ON), w.box("B", PASS_ON), outer], w.chain("A", "B")[:2] + links))
    assert list_events(robot, "input").count("input root/Outer poke") == 2
    assert list_events(robot, "input").count("input root/Outer/Inner onStart") == 1


def test_what_a_stopped_behaviour_leaves_running_is_named_and_unwound(robot):
    """Its onUnload runs, and no stop input."""
    content = w.one_box(
        w.on_start("while True:\n    time.sleep(1)")
        + "    def onUnload(self):\n        self.logger.info('unloading')\n"
        + "    def onInput_onStop(self):\n        self.logger.info('stopping')\n"
    )
    robot.stop(play(robot, content))
    assert robot.leaks() == ["root/One.onInput_onStart is still running."]
    assert list_fields(robot) == ["unloading"]


@pytest.mark.parametrize("signature, called_with", [("self", "nothing"), ("self, p", "None"), ("self, p=5", "None")])
def test_a_handler_gets_the_value_only_if_it_takes_one(robot, signature, called_with):
    play(robot, w.one_box(w.on_start('self.logger.info(str(locals().get("p", "nothing")))', signature)))
    assert list_fields(robot) == [called_with]


def test_a_parameter_is_typed_inherited_set_by_a_link_or_given_when_loading(robot):
    show = w.on_start("""
        self.logger.info(repr([self.getParameter(n) for n in ("Flag", "Count", "Share", "Text", "Given")]))
        self.onStopped()
    """)
    rows = [("Flag", 0, "1"), ("Count", 1, "7", True), ("Share", 2, "0.5"), ("Text", 5, "hi", True), ("Given", 3, "a")]
    inner = w.box("Show", show, parameters=[w.parameter(*row) for row in rows])
    parameters = [w.parameter("Count", 1, "3"), w.parameter("Other", 1, "1")]
    outer = w.box("Outer", parameters=parameters, boxes=[inner], links=w.chain("Show"))
    outputs = [STOPPED, w.port("n", "number", "punctual")]
    number = w.box("Number", w.on_start("self.n(9)\nself.onStopped()"), outputs=outputs)
    content = w.behaviour([number, outer], [("Number.n", "Outer.Count")] + w.chain("Number", "Outer"))
    behaviour = play(robot, content, parameters={"Show.Given": "b"})
    assert list_fields(robot) == ["[True, 9, 0.5, 'hi', 'b']"]
    assert behaviour.failures == []


def test_a_memory_input_is_heard_while_its_diagram_is_loaded(robot):
    inputs = [w.port("onStart", "dynamic", "onStart")]
    note = w.box("Note", w.on_start("self.logger.info('got %s' % p)", "self, p"), inputs=inputs)
    inputs = [START, STOP, w.port("Game/Move", "dynamic", "memory", "Game/Move")]
    ear = w.box("Ear", inputs=inputs, boxes=[note], links=[("self.Game/Move", "Note.onStart")])
    play(robot, w.behaviour([ear], [("root.onStart", "Ear.onStart")]))
    robot.memory.raiseEvent("Game/Move", 3)
    robot.advance()
    robot.stop()
    robot.memory.raiseEvent("Game/Move", 4)
    robot.advance()
    assert list_fields(robot) == ["got 3"]
    assert robot.leaks() == []


def test_an_output_called_onError_gets_every_exception_and_then_it_is_no_failure(robot):
    outputs = [STOPPED, w.port("onError", "string", "punctual")]
    broken = w.box("Broken", w.on_start("raise ValueError('no luck')"), outputs=outputs)
    log = w.on_start("self.logger.info(p)\nself.onStopped()", "self, p")
    show = w.box("Show", log, inputs=[w.port("onStart", "string", "onStart")])
    links = [
        ("root.onStart", "Broken.onStart"),
        ("Broken.onError", "Show.onStart"),
        ("Show.onStopped", "root.onStopped"),
    ]
    behaviour = play(robot, w.behaviour([broken, show], links))
    assert list_fields(robot) == ["Broken:ValueError: no luck"]
    assert behaviour.failures == []
    assert [event.fields["handled"] for event in robot.trace.of("error")] == [True]


def test_an_output_of_an_unloaded_box_is_a_failure(robot):
    late = w.box("Late", w.on_start("import threading\nthreading.Timer(5, self.onStopped).start()"))
    content = w.behaviour([late, w.box("Now", PASS_ON)], [("root.onStart", "Late.onStart")] + w.chain("Now"))
    behaviour = play(robot, content)
    assert robot.leaks() == ["root/Late.onStopped is still due."]
    robot.stay_silent()
    assert behaviour.failures == []
    (warning,) = robot.trace.of("warning")
    assert warning.fields["message"] == "the output was fired while the box was not loaded"


@pytest.mark.parametrize(
    "script, sentence",
    [
        ("import no_such_module\nclass MyClass(GeneratedClass):\n    pass\n", "no_such_module"),
        ("class MyClass(GeneratedClass):\n    def __init__(self):\n        pass\n", "is never called"),
        ("class MyClass(object):\n    pass\n", "does not inherit"),
        ("x = 1\n", "defines no class MyClass"),
        (w.script("    pass").replace("t__(self)\n", "t__(self, False)\n"), None),
        (w.script("    pass").replace("t__(self)\n", "t__(self, True)\n"), None),
    ],
)
def test_a_script_that_makes_no_box_is_a_failure_at_loading(robot, script, sentence):
    failures = robot.load(w.behaviour([w.box("Bad", script)], [])).failures
    assert len(failures) == (sentence is not None)
    assert all(sentence in failure for failure in failures)


def test_a_behaviour_can_be_started_again_and_memory_stays_but_its_past_is_forgotten(robot):
    script = """
        memory = ALProxy("ALMemory")
        memory.insertData("Count", memory.getData("Count") + 1)
        self.onStopped()
        [][0]
    """
    robot.set("Count", 0)
    behaviour = robot.load(w.one_box(w.on_start(script)))
    for count in (1, 2, 3):
        robot.start(behaviour)
        assert robot.advance().ended
        assert (robot.get("Count"), robot.trace.events[0].kind, len(behaviour.failures)) == (count, "load", 1)
        robot.forget()
        assert behaviour.failures == robot.trace.events == robot.leaks() == []


def test_loading_another_behaviour_stops_the_one_before(robot):
    first = play(robot, w.behaviour([w.box("First", boxes=[])]))
    second = play(robot, w.one_box(PASS_ON))
    assert (first.ended, second.ended) == (True, True)
    assert robot.leaks(first) == robot.leaks(second) == []


def test_a_resource_is_waited_for_or_refused(robot):
    holder = w.on_start("time.sleep(2)\nself.onStopped()")
    names = [("Holds", 0), ("Waits", -1), ("Gives up", 0)]
    boxes = [w.box(name, holder, resources=[("Speech", "Lock", timeout)]) for name, timeout in names]
    play(robot, w.behaviour(boxes, [("root.onStart", name + ".onStart") for name, _ in names]))
    stops = [(event.fields["box"], event.time) for event in robot.trace.of("output")]
    assert stops == [("root/Gives up", 0.0), ("root/Holds", 2.0), ("root/Waits", 4.0)]


def test_a_box_may_be_stimulated_by_hand(robot):
    behaviour = play(robot, w.behaviour([w.box("Dialog")], [("Dialog.onStopped", "root.onStopped")]))
    behaviour.stimulate("root/Dialog", "onStopped")
    assert robot.advance().ended
    with pytest.raises(WrongUse):
        behaviour.stimulate("root/Dialog", "nothing")


@pytest.mark.only_python_3
def test_a_link_to_nowhere_is_refused_and_a_circle_of_links_is_an_overrun(robot):
    content = w.behaviour([w.box("A", PASS_ON)], [("root.onStart", "A.onStart"), ("A.onStopped", "A.onStart")])
    with pytest.raises(BrokenBehaviour, match="leads to port 9"):
        robot.load(content.replace(b'indexofinput="2" outputowner="0"', b'indexofinput="9" outputowner="0"'))
    with pytest.raises(Overrun):
        play(robot, content)


def test_modules_and_paths_are_the_robots_own(tmpdir, monkeypatch):
    """A project brings a package that the program has too: each goes on with its own, and imports more of its own."""
    for place in ("program", "robot"):
        package = tmpdir.mkdir(place).mkdir("game_of_both")
        for name in ("__init__", "early", "late"):
            package.join(name + ".py").write("PLACE = %r\n" % (place + " " + name))
    tmpdir.join("robot", "game_of_both", "only_here.py").write("PLACE = 'robot only'\n")
    monkeypatch.syspath_prepend(str(tmpdir.join("program")))
    from game_of_both import early

    script = """
        import sys
        sys.path.insert(0, %r)
        for name in ("game_of_both", "game_of_both.early"):
            del sys.modules[name]
        from game_of_both import early, only_here
        self.logger.info(early.PLACE + ", " + only_here.PLACE)
        time.sleep(5)
        from game_of_both import late
        import game_of_both
        self.logger.info(late.PLACE + ", " + game_of_both.PLACE)
        self.onStopped()
    """ % str(tmpdir.join("robot"))
    with Robot() as robot, Robot() as other:
        behaviour = robot.load(w.one_box(w.on_start(script)))
        robot.start(behaviour)
        for running in (robot, other):
            running.advance(seconds=1)
            from game_of_both import late

            assert (early.PLACE, late.PLACE) == ("program early", "program late")
            assert sys.modules["game_of_both.early"] is early
            assert "game_of_both.only_here" not in sys.modules and str(tmpdir.join("robot")) not in sys.path
        assert other.list_left_open() == []
        robot.advance()
        assert list_fields(robot) == ["robot early, robot only", "robot late, robot __init__"]
        assert robot.leaks(behaviour) == ['sys.path still contains "%s".' % tmpdir.join("robot")]
    for name in [name for name in sys.modules if name.startswith("game_of_both")]:
        del sys.modules[name]


def test_two_robots_in_turn_or_side_by_side_do_not_see_each_other():
    script = """
        import sys
        ALProxy("ALMemory").insertData("Seen", ALProxy("ALMemory").getDataList("Own"))
        sys.path.insert(0, "/left/behind")
        time.sleep(5)
        self.onStopped()
    """
    with Robot() as first, Robot() as second:
        for robot, key in ((first, "Own/1"), (second, "Own/2")):
            robot.set(key, 1)
            robot.start(robot.load(w.one_box(w.on_start(script))))
        first.advance(seconds=1)
        second.advance()
        first.advance()
        assert (first.get("Seen"), second.get("Seen")) == (["Own/1"], ["Own/2"])
        assert any("/left/behind" in leak for leak in first.leaks())
    assert "/left/behind" not in sys.path
    assert "naoqi" not in sys.modules
