"""The player: when boxes are loaded, how signals travel, and what counts as a failure."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest

from naosim import BrokenBehaviour, Overrun, Robot, WrongUse

START, STOP = w.port("onStart", nature="onStart"), w.port("onStop", nature="onStop")
STOPPED = w.port("onStopped", nature="stopped")
PASS_ON = w.script("""
    def onInput_onStart(self):
        self.onStopped()
    def onInput_onStop(self):
        pass
""")
THROUGH = [("self.onStart", "Inner.onStart"), ("Inner.onStopped", "self.onStopped")]
SAY_TEXT = w.script("""
    def onLoad(self):
        self.tts = ALProxy("ALTextToSpeech")
        self.bIsRunning = False
    def onUnload(self):
        import time
        while self.bIsRunning:
            time.sleep(0.2)
    def onInput_onStart(self, p):
        self.bIsRunning = True
        try:
            self.tts.say(str(p))
        finally:
            self.onStopped()
            import time
            time.sleep(0.3)
            self.bIsRunning = False
    def onInput_onStop(self):
        self.onUnload()
""")
TEXT_EDIT = w.script("    def onInput_onStart(self):\n        self.output('Hello')\n")


def play(robot, content, **options):
    behaviour = robot.load(content, **options)
    robot.start(behaviour)
    robot.advance()
    return behaviour


def traced(robot, *kinds):
    rows = [(event.kind, event.fields) for event in robot.trace.events]
    return [
        " ".join([kind, fields.get("box", "")] + [fields[key] for key in ("port",) if key in fields]).strip()
        for kind, fields in rows
        if not kinds or kind in kinds
    ]


def one_box(script, **more):
    return w.behaviour(
        [w.box("Only", w.script(script), **more)],
        [("root.onStart", "Only.onStart"), ("Only.onStopped", "root.onStopped")],
    )


def test_everything_is_constructed_then_loaded_then_started_then_unloaded(robot):
    behaviour = play(
        robot,
        w.behaviour(
            [w.box("A", PASS_ON), w.box("B", PASS_ON)],
            [("root.onStart", "A.onStart"), ("A.onStopped", "B.onStart"), ("B.onStopped", "root.onStopped")],
        ),
    )
    assert traced(robot) == [
        "load root",
        "load root/A",
        "load root/B",
        "input root onStart",
        "input root/A onStart",
        "output root/A onStopped",
        "input root/B onStart",
        "output root/B onStopped",
        "output root onStopped",
        "unload root/A",
        "unload root/B",
        "unload root",
        "end",
    ]
    assert behaviour.ended
    assert behaviour.failures == robot.leaks() == []


def test_a_container_loads_its_boxes_when_it_is_started_and_unloads_them_when_it_stops(robot):
    inner = w.box("Inner", PASS_ON)
    outer = w.box("Outer", boxes=[inner], links=THROUGH)
    links = [
        ("root.onStart", "First.onStart"),
        ("First.onStopped", "Outer.onStart"),
        ("Outer.onStopped", "root.onStopped"),
    ]
    play(robot, w.behaviour([w.box("First", PASS_ON), outer], links))
    seen = traced(robot)
    assert seen.index("load root/Outer/Inner") == seen.index("input root/Outer onStart") + 1
    assert seen.index("unload root/Outer/Inner") < seen.index("output root onStopped")


def test_the_stop_input_unloads_the_content_and_fires_nothing(robot):
    inner = w.box("Inner", w.script("    pass\n"), inputs=[START])
    outer = w.box("Outer", boxes=[inner], links=[("self.onStart", "Inner.onStart")])
    play(
        robot,
        w.behaviour(
            [w.box("Both", PASS_ON), outer],
            [("root.onStart", "Both.onStart"), ("root.onStart", "Outer.onStart"), ("Both.onStopped", "Outer.onStop")],
        ),
    )
    assert traced(robot, "unload", "output") == ["output root/Both onStopped", "unload root/Outer/Inner"]


def test_an_event_input_reaches_the_inside_only_while_it_is_loaded(robot):
    poke = w.port("poke")
    inner = w.box("Inner", w.script("    def onInput_onStart(self):\n        pass\n"), inputs=[START])
    outer = w.box("Outer", inputs=[START, STOP, poke], boxes=[inner], links=[("self.poke", "Inner.onStart")])
    content = w.behaviour(
        [w.box("A", PASS_ON), w.box("B", PASS_ON), outer],
        [
            ("root.onStart", "Outer.poke"),
            ("root.onStart", "A.onStart"),
            ("A.onStopped", "Outer.onStart"),
            ("A.onStopped", "B.onStart"),
            ("B.onStopped", "Outer.poke"),
        ],
    )
    play(robot, content)
    assert traced(robot, "input").count("input root/Outer poke") == 2
    assert traced(robot, "input").count("input root/Outer/Inner onStart") == 1


def test_a_posted_say_can_be_waited_for_and_stopped(robot):
    behaviour = play(
        robot,
        one_box("""
    def onLoad(self):
        self.tts = self.session().service("ALTextToSpeech")
    def onInput_onStart(self):
        first = self.tts.pCall("say", "A sentence of some length.")
        self.logger.info("timed out %s", self.tts.wait(first, 500))
        self.tts.stop(first)
        self.tts.wait(first)
        second = ALProxy("ALTextToSpeech").post.say("Done.")
        self.logger.info("timed out %s", self.tts.wait(second, 0))
        self.onStopped()
"""),
    )
    assert behaviour.ended
    assert [event.fields["whole"] for event in robot.trace.of("said")] == [False, True]
    assert [event.fields["text"] for event in robot.trace.of("log")] == ["timed out True", "timed out False"]


def test_a_never_ending_loop_is_named_as_a_leak_and_unwound_at_the_end():
    with Robot() as robot:
        behaviour = play(
            robot,
            w.behaviour(
                [
                    w.box(
                        "Blink",
                        w.script("""
    def onInput_onStart(self):
        while True:
            time.sleep(1)
"""),
                    )
                ],
                [("root.onStart", "Blink.onStart")],
            ),
        )
        robot.stop(behaviour)
        assert robot.leaks() == ["root/Blink.onInput_onStart is still running."]


def test_a_handler_gets_the_value_only_if_it_takes_one():
    for signature, called_with in [("self", "nothing"), ("self, p", "None"), ("self, p=5", "None")]:
        with Robot() as robot:
            play(
                robot,
                one_box(
                    """
    def onInput_onStart(%s):
        self.logger.info(str(locals().get("p", "nothing")))
"""
                    % signature
                ),
            )
            assert [event.fields["text"] for event in robot.trace.of("log")] == [called_with], signature


def test_a_parameter_is_typed_inherited_and_set_by_a_link(robot):
    show = w.script("""
    def onInput_onStart(self):
        self.logger.info(repr([self.getParameter(n) for n in ("Flag", "Count", "Share", "Text")]))
        self.onStopped()
""")
    parameters = [
        w.parameter("Flag", 0, "1"),
        w.parameter("Count", 1, "7", inherits=True),
        w.parameter("Share", 2, "0.5"),
        w.parameter("Text", 5, "hi", inherits=True),
    ]
    inner = w.box("Show", show, parameters=parameters)
    outer = w.box(
        "Outer",
        parameters=[w.parameter("Count", 1, "3"), w.parameter("Other", 1, "1")],
        boxes=[inner],
        links=[("self.onStart", "Show.onStart"), ("Show.onStopped", "self.onStopped")],
    )
    number = w.box(
        "Number",
        w.script("    def onInput_onStart(self):\n        self.n(9)\n        self.onStopped()\n"),
        outputs=[STOPPED, w.port("n", "number", "punctual")],
    )
    behaviour = play(
        robot,
        w.behaviour(
            [number, outer],
            [
                ("root.onStart", "Number.onStart"),
                ("Number.n", "Outer.Count"),
                ("Number.onStopped", "Outer.onStart"),
                ("Outer.onStopped", "root.onStopped"),
            ],
        ),
    )
    assert [event.fields["text"] for event in robot.trace.of("log")] == ["[True, 9, 0.5, 'hi']"]
    assert behaviour.failures == []


def test_parameters_can_be_given_when_loading(robot):
    script = "    def onInput_onStart(self):\n        self.logger.info(self.getParameter('Text'))\n"
    content = one_box(script, parameters=[w.parameter("Text", 3, "a")])
    play(robot, content, parameters={"Only.Text": "b"})
    assert [event.fields["text"] for event in robot.trace.of("log")] == ["b"]


def test_a_memory_input_is_heard_while_its_diagram_is_loaded(robot):
    note = w.box(
        "Note",
        w.script("    def onInput_onStart(self, p):\n        self.logger.info('got %s' % p)\n"),
        inputs=[w.port("onStart", "dynamic", "onStart")],
    )
    ear = w.box(
        "Ear",
        inputs=[START, STOP, w.port("Game/Move", "dynamic", "memory", "Game/Move")],
        boxes=[note],
        links=[("self.Game/Move", "Note.onStart")],
    )
    play(robot, w.behaviour([ear], [("root.onStart", "Ear.onStart")]))
    robot.memory.raiseEvent("Game/Move", 3)
    robot.advance()
    robot.stop()
    robot.memory.raiseEvent("Game/Move", 4)
    robot.advance()
    assert [event.fields["text"] for event in robot.trace.of("log")] == ["got 3"]
    assert robot.leaks() == []


FAILURES = [
    ("        [][0]", "IndexError: list index out of range (line 5 of the script)"),
    ("        self.getParameter('Nothing')", 'has no parameter "Nothing"'),
    ("        ALProxy('ALNothing')", "Can't find service: ALNothing"),
    ("        ALProxy('ALTextToSpeech').sing('la')", "Can't find method: sing"),
    ("        self.noSuchOutput()", "noSuchOutput"),
    ("        self.logger.error('bad luck')", "log: bad luck"),
    ("        self.word(5)", "declared string and was fired with int 5"),
    ("        self.word()", "TypeError"),
    ("        raise SystemExit(1)", "SystemExit: 1"),
    ("        import threading as t; t.Timer(1, lambda: [][0]).start(); time.sleep(2)", "IndexError"),
    ("        qi.runAsync(lambda: {}['x'], delay=1000); time.sleep(1)", "KeyError"),
    ("        ALProxy('ALMemory').post.getData('No/Such/Key'); time.sleep(1)", "Data not found: No/Such/Key"),
]


def test_a_failure_of_a_script_is_recorded_and_the_robot_goes_on():
    for line, sentence in FAILURES:
        with Robot() as robot:
            content = one_box(
                "    def onInput_onStart(self):\n%s\n" % line, outputs=[STOPPED, w.port("word", "string", "punctual")]
            )
            behaviour = play(robot, content)
            assert len(behaviour.failures) == 1, line
            assert sentence in behaviour.failures[0], line


def test_an_output_called_onError_gets_every_exception_and_then_it_is_no_failure(robot):
    broken = w.box(
        "Broken",
        w.script("    def onInput_onStart(self):\n        raise ValueError('no luck')\n"),
        outputs=[STOPPED, w.port("onError", "string", "punctual")],
    )
    log = "    def onInput_onStart(self, p):\n        self.logger.info(p)\n        self.onStopped()\n"
    show = w.box("Show", w.script(log), inputs=[w.port("onStart", "string", "onStart")])
    behaviour = play(
        robot,
        w.behaviour(
            [broken, show],
            [
                ("root.onStart", "Broken.onStart"),
                ("Broken.onError", "Show.onStart"),
                ("Show.onStopped", "root.onStopped"),
            ],
        ),
    )
    assert [event.fields["text"] for event in robot.trace.of("log")] == ["Broken:ValueError: no luck"]
    assert behaviour.failures == []
    assert [event.fields["handled"] for event in robot.trace.of("error")] == [True]


def test_a_failing_handler_does_not_load_what_is_inside(robot):
    fail = w.script("    def onInput_onStart(self):\n        [][0]\n")
    outer = w.box("Outer", fail, boxes=[w.box("Inner", PASS_ON)], links=[("self.onStart", "Inner.onStart")])
    play(robot, w.behaviour([outer], [("root.onStart", "Outer.onStart")]))
    assert "load root/Outer/Inner" not in traced(robot)


LATE = """
    def onInput_onStart(self):
        import threading
        threading.Timer(5, self.onStopped).start()
"""


def test_an_output_of_an_unloaded_box_is_a_failure(robot):
    late = w.box("Late", w.script(LATE))
    behaviour = play(
        robot,
        w.behaviour(
            [late, w.box("Now", PASS_ON)],
            [("root.onStart", "Late.onStart"), ("root.onStart", "Now.onStart"), ("Now.onStopped", "root.onStopped")],
        ),
    )
    assert robot.leaks() == ["root/Late.onStopped is still due."]
    robot.stay_silent()
    assert behaviour.failures == ["root/Late.onStopped: the output was fired while the box was not loaded"]


def test_a_script_that_makes_no_box_is_a_failure_at_loading():
    for script, sentence in [
        ("import no_such_module\nclass MyClass(GeneratedClass):\n    pass\n", "no_such_module"),
        ("class MyClass(GeneratedClass):\n    def __init__(self):\n        pass\n", "is never called"),
        ("class MyClass(object):\n    pass\n", "does not inherit"),
        ("x = 1\n", "defines no class MyClass"),
    ]:
        with Robot() as robot:
            behaviour = robot.load(w.behaviour([w.box("Bad", script)], []))
            assert len(behaviour.failures) == 1, script
            assert sentence in behaviour.failures[0], script


def test_the_base_constructor_takes_one_more_argument_or_none():
    for arguments in ["self", "self, False", "self, True"]:
        with Robot() as robot:
            script = w.script("    pass\n").replace("__init__(self)\n", "__init__(%s)\n" % arguments)
            assert "GeneratedClass.__init__(%s)" % arguments in script, arguments
            assert robot.load(w.behaviour([w.box("Good", script)], [])).failures == [], arguments


def test_a_behaviour_that_ended_can_be_started_again_and_memory_stays(robot):
    behaviour = robot.load(
        one_box("""
    def onInput_onStart(self):
        memory = ALProxy("ALMemory")
        try:
            count = memory.getData("Count")
        except RuntimeError:
            count = 0
        memory.insertData("Count", count + 1)
        self.onStopped()
""")
    )
    for _ in range(3):
        robot.start(behaviour)
        assert robot.advance().ended
    assert robot.get("Count") == 3
    assert robot.leaks() == behaviour.failures == []


def test_what_is_past_can_be_forgotten(robot):
    behaviour = play(robot, one_box("    def onInput_onStart(self):\n        self.onStopped()\n        [][0]\n"))
    assert len(behaviour.failures) == 1
    robot.forget()
    assert behaviour.failures == robot.trace.events == []
    robot.start(behaviour)
    assert robot.advance().events[0].kind == "load"
    assert len(behaviour.failures) == 1


def test_loading_another_behaviour_stops_the_one_before(robot):
    first = play(robot, w.behaviour([w.box("First", boxes=[])], [("root.onStart", "First.onStart")]))
    second = play(robot, one_box("    def onInput_onStart(self):\n        self.onStopped()\n"))
    assert (first.ended, second.ended) == (True, True)
    assert robot.leaks(first) == robot.leaks(second) == []


def test_stopping_unloads_without_any_stop_input(robot):
    behaviour = play(
        robot,
        one_box("""
    def onUnload(self):
        self.logger.info("unloading")
    def onInput_onStart(self):
        pass
    def onInput_onStop(self):
        self.logger.info("stopping")
"""),
    )
    robot.stop(behaviour)
    assert [event.fields["text"] for event in robot.trace.of("log")] == ["unloading"]
    assert robot.leaks() == []


def test_a_resource_is_waited_for_or_refused(robot):
    holder = w.script("    def onInput_onStart(self):\n        time.sleep(2)\n        self.onStopped()\n")
    links = [("root.onStart", "Holds.onStart"), ("root.onStart", "Waits.onStart"), ("root.onStart", "Gives up.onStart")]
    play(
        robot,
        w.behaviour(
            [
                w.box("Holds", holder, resources=[("Speech", "Lock", 0)]),
                w.box("Waits", holder, resources=[("Speech", "Lock", -1)]),
                w.box("Gives up", holder, resources=[("Speech", "Lock", 0)]),
            ],
            links,
        ),
    )
    stops = [(event.fields["box"], event.time) for event in robot.trace.of("output")]
    assert stops == [("root/Gives up", 0.0), ("root/Holds", 2.0), ("root/Waits", 4.0)]


def test_a_box_may_be_stimulated_by_hand(robot):
    content = w.behaviour([w.box("Dialog", outputs=[STOPPED])], [("Dialog.onStopped", "root.onStopped")])
    behaviour = play(robot, content)
    behaviour.stimulate("root/Dialog", "onStopped")
    assert robot.advance().ended
    with pytest.raises(WrongUse):
        behaviour.stimulate("root/Dialog", "nothing")


def test_a_link_to_nowhere_is_refused(robot):
    content = w.behaviour([w.box("A", PASS_ON)], [("root.onStart", "A.onStart")])
    with pytest.raises(BrokenBehaviour) as caught:
        robot.load(content.replace(b'indexofinput="2" outputowner="0"', b'indexofinput="9" outputowner="0"'))
    assert "leads to port 9" in str(caught.value)


def test_a_circle_of_links_is_an_overrun(robot):
    links = [("root.onStart", "A.onStart"), ("A.onStopped", "A.onStart")]
    behaviour = robot.load(w.behaviour([w.box("A", PASS_ON)], links))
    robot.start(behaviour)
    with pytest.raises(Overrun):
        robot.advance()


def test_modules_and_paths_are_the_robots_own(tmpdir, monkeypatch):
    """A project brings a package that the program has too: each goes on with its own, and imports more of its own."""
    import sys

    for place in ("program", "robot"):
        package = tmpdir.mkdir(place).mkdir("game_of_both")
        for name in ("__init__", "early", "late"):
            package.join(name + ".py").write("PLACE = %r\n" % (place + " " + name))
    tmpdir.join("robot", "game_of_both", "only_here.py").write("PLACE = 'robot only'\n")
    monkeypatch.syspath_prepend(str(tmpdir.join("program")))
    from game_of_both import early

    script = """
    def onInput_onStart(self):
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
        behaviour = robot.load(one_box(script))
        robot.start(behaviour)
        for running in (robot, other):
            running.advance(seconds=1)
            from game_of_both import late

            assert (early.PLACE, late.PLACE, sys.modules["game_of_both.early"]) == (
                "program early",
                "program late",
                early,
            )
            assert "game_of_both.only_here" not in sys.modules and str(tmpdir.join("robot")) not in sys.path
        assert other.left_open() == []
        robot.advance()
        texts = [event.fields["text"] for event in robot.trace.events if event.kind == "log"]
        assert texts == ["robot early, robot only", "robot late, robot __init__"]
        assert robot.leaks(behaviour) == ['sys.path still holds "%s".' % tmpdir.join("robot")]
    for name in [name for name in sys.modules if name.startswith("game_of_both")]:
        del sys.modules[name]


def test_two_robots_in_turn_or_side_by_side_do_not_see_each_other():
    script = """
    def onInput_onStart(self):
        import sys
        ALProxy("ALMemory").insertData("Seen", ALProxy("ALMemory").getDataList("Own"))
        sys.path.insert(0, "/left/behind")
        time.sleep(5)
        self.onStopped()
"""
    import sys

    with Robot() as first, Robot() as second:
        for robot, key in ((first, "Own/1"), (second, "Own/2")):
            robot.set(key, 1)
            robot.start(robot.load(one_box(script)))
        first.advance(seconds=1)
        second.advance()
        first.advance()
        assert (first.get("Seen"), second.get("Seen")) == (["Own/1"], ["Own/2"])
        assert any("/left/behind" in leak for leak in first.leaks())
    assert "/left/behind" not in sys.path
    assert "naoqi" not in sys.modules
