"""Every place where the player or a service calls a script: an error there is a failure of its box, not of the run."""

from __future__ import absolute_import, division, print_function

import re

import naosim_xar_writer as w
import pytest
from robot_fixtures import read_sections

#: Callbacks that raise in unusual ways: an error without a text, and objects that know no name.
BEFORE = """
import qi, threading
class Mute(Exception):
    def __str__(self):
        raise ValueError("no text")
class Nameless(object):
    def __getattr__(self, name):
        raise KeyError(name)
    def __call__(self, *values):
        raise Mute()
class Secretive(object):
    def __repr__(self):
        raise Mute()
def fail(*values):
    raise ValueError("on purpose")
run_async = getattr(qi, "async")
class Module(ALModule):
    told = fail
"""


def make_box(code="pass", more="", **parts):
    """Return a box whose script runs a line at its start and has the indented members of `more`."""
    return w.box("A", BEFORE + w.script("    def onInput_onStart(self):\n        %s\n%s" % (code, more)), **parts)


def link_boxes(output, first, second):
    """Return a behaviour in which a box fires an output with a value, which is linked to the other box."""
    fires = make_box("self.out(%s)" % output, outputs=[w.port("out", "dynamic")])
    starts = [("root.onStart", name + ".onStart") for name in ("B", "A")]
    return w.behaviour([fires, second], starts + [("A.out", first)])


def list_rows():
    """Yield the name, the behaviour and the sentences of each row of script_failures.txt."""
    for row in read_sections("script_failures.txt"):
        name, code, more, sentences = re.match(r"(.*)\n(.*)\n((?: .*\n)*)((?:! .*\n?)*)", row).groups()
        yield name, w.behaviour([make_box(code, more)]), re.findall("(?m)^! (.*)$", sentences)


NUMBER = w.box("B", parameters=[w.parameter("number", 1, 0)])
DIALOG = w.box("B", inputs=[w.port("onStart", nature="onStart"), w.port("said", "dynamic")], dialog="none.dlg")
START = [("root.onStart", "A.onStart")]
FAILING_INIT = """class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        ALProxy('ALMemory').subscribeToEvent('FrontTactilTouched', self.getName(), 'onTouched')
        1 / 0
    def onTouched(self, *_): pass
"""


@pytest.mark.parametrize(
    "name, content, sentences",
    list(list_rows())
    + [
        (
            "an event after __init__ has failed",
            w.behaviour([w.box("A", FAILING_INIT)], START),
            ["root/A.__init__: ZeroDivisionError", "root/A.onTouched: AttributeError: 'GeneratedClass' object has no"],
        ),
        (
            "resources of a box",
            w.behaviour([make_box("self.waitResourcesCallback(fail)", resources=[("Speech", "Lock", 1)])]),
            ["fail: ValueError: on purpose"],
        ),
        (
            "a parameter",
            link_boxes("'many'", "B.number", NUMBER),
            ['root/B.number: RuntimeError: the parameter "number" cannot take str "many"'],
        ),
        (
            "an infinite parameter",
            link_boxes("float('inf')", "B.number", NUMBER),
            ['root/B.number: RuntimeError: the parameter "number" cannot take float inf'],
        ),
        (
            "an output without its value",
            w.behaviour([make_box("self.word()", outputs=[w.port("word", "string", "punctual")])], START),
            ["root/A.onInput_onStart: TypeError"],
        ),
        ("an input of a dialog", link_boxes("Secretive()", "B.said", DIALOG), ["root/B.onInput_said: Mute"]),
        ("a value without a text", link_boxes("Secretive()", "B.onStart", w.box("B")), []),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_an_error_is_a_failure_of_its_box(robot, name, content, sentences):
    behaviour = robot.load(content, rewrite=True, dialogs=["B"] if DIALOG["dialog"] in str(content) else [])
    robot.start(behaviour)
    robot.wait(1)
    robot.event("FrontTactilTouched", 1.0)
    robot.advance(5)
    robot.stop(behaviour)
    failures = " ".join(behaviour.failures)
    assert [sentence for sentence in sentences if sentence not in failures] == [], failures
    assert len(set(behaviour.failures)) == len(sentences), failures
    # The robot still works.
    robot.start(robot.load(w.only("ALProxy('ALTextToSpeech').say('still here')")))
    robot.advance(5)
    assert [event.fields["text"] for event in robot.trace.of("say")] == ["still here"]
