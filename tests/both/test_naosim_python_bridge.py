"""ALPythonBridge: code given as text runs beside the box scripts, and what it makes is theirs."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w

IMPORTS = w.script("""
    def onInput_onStart(self):
        bridge = ALProxy("ALPythonBridge")
        folder = ALFrameManager.getBehaviorPath(self.behaviorId)
        bridge.evalFull("import sys; sys.path.append('%s')" % folder)
        bridge.evalFull("import wordbook")
        bridge.eval("from wordbook import GREETING as hello")
        self.onStopped()
    def onInput_onStop(self):
        pass
""")
SPEAKS = w.script("""
    hello = "not this one"
    def onInput_onStart(self):
        ALProxy("ALTextToSpeech").say(hello + wordbook.NAME)
        self.onStopped()
    def onInput_onStop(self):
        pass
""")


def test_modules_that_one_box_imports_by_text_are_there_for_the_others(robot, tmpdir):
    path = w.save(
        tmpdir,
        w.behaviour(
            [w.box("Load libs", IMPORTS), w.box("Speak", SPEAKS)],
            [
                ("self.onStart", "Load libs.onStart"),
                ("Load libs.onStopped", "Speak.onStart"),
                ("Speak.onStopped", "self.onStopped"),
            ],
        ),
    )
    tmpdir.join("behavior_1", "wordbook.py").write("GREETING = 'Hello, '\nNAME = 'Ann'\n")
    for _ in range(2):
        behaviour = robot.load(path)
        robot.start(behaviour)
        robot.advance()
        assert not behaviour.failures
    assert [event.fields["plain"] for event in robot.trace.of("say")] == ["Hello, Ann"] * 2


def asked(robot, *calls):
    """Let a box make calls of ALPythonBridge, and return the answers or what they raise."""
    asks = w.script(
        """
    def onInput_onStart(self):
        bridge, found = ALProxy("ALPythonBridge"), []
        for method, code in %r:
            try:
                found.append(bridge.call(method, code))
            except RuntimeError as error:
                found.append(str(error))
        ALMemory.insertData("found", found)
        self.onStopped()
    def onInput_onStop(self):
        pass
"""
        % (calls,)
    )
    behaviour = robot.load(
        w.behaviour([w.box("Asks", asks)], [("self.onStart", "Asks.onStart"), ("Asks.onStopped", "self.onStopped")])
    )
    robot.start(behaviour)
    robot.advance()
    assert not behaviour.failures
    return robot.memory.getData("found")


def test_code_keeps_what_it_makes_and_tells_what_it_finds(robot):
    assert asked(
        robot,
        ("eval", "n = 3\ndef twice(x):\n    return 2 * x"),
        ("evalReturn", "twice(n)"),
        ("evalFull", "n + 1"),
        ("evalFull", "n = 5"),
        ("evalReturn", "n"),
    ) == ["", 6, [4, "", "", ""], [None, "", "", ""], 5]


def test_code_that_fails_says_why(robot):
    by_eval, by_return, by_full, unread = asked(
        robot, ("eval", "1 / 0"), ("evalReturn", "1 / 0"), ("evalFull", "1 / 0"), ("eval", "if")
    )
    assert by_eval.startswith("\tALPythonBridge::eval\n\tZeroDivisionError: ")
    assert by_return.startswith("\tALPythonBridge::evalReturn\n\tZeroDivisionError: ")
    assert by_full[0] is None and by_full[1].startswith("ZeroDivisionError: ")
    assert "does not compile" in unread
    assert [event.fields["where"] for event in robot.trace.of("warning")] == ["ALPythonBridge.evalFull"]


def test_a_script_keeps_the_names_it_has_made_itself(robot):
    own = "hello = 'Mine'\n" + w.script("""
    def onInput_onStart(self):
        ALProxy("ALPythonBridge").eval("hello = 'Theirs'")
        ALProxy("ALTextToSpeech").say(hello)
        self.onStopped()
    def onInput_onStop(self):
        pass
""")
    behaviour = robot.load(
        w.behaviour([w.box("Own", own)], [("self.onStart", "Own.onStart"), ("Own.onStopped", "self.onStopped")])
    )
    robot.start(behaviour)
    robot.advance()
    assert [event.fields["plain"] for event in robot.trace.of("say")] == ["Mine"]
