# -*- coding: utf-8 -*-
"""The lint: a behaviour without faults has no findings, and each fault is found and named."""

from __future__ import absolute_import, division, print_function

import sys

import naosim_xar_writer as w
import pytest

from naosim import judge, parse

PASS_ON = w.on_start("self.onStopped()") + "    def onInput_onStop(self):\n        pass\n"
STOPPED, WORD = w.port("onStopped", nature="stopped"), w.port("word", "string", "punctual")


def findings(content, severity="error"):
    return [(each.rule, each.box, each.sentence) for each in judge(parse(content)) if each.severity == severity]


@pytest.mark.parametrize(
    "script, rule, sentence",
    [
        (w.on_start("self.onStopped()", "self, a, b"), "handler", "needs 2 arguments"),
        (w.on_start("self.onStoped()"), "output", "Line 5 calls self.onStoped()"),
        (w.on_start("self.getParameter('No')"), "parameter", 'asks for the parameter "No"'),
        (w.on_start("self.word()"), "output", 'fires the output "word" without a value'),
        (w.on_start("self.word(1, 2)"), "output", "with 2 values"),
        (w.on_start("self.c()\nself.onStopped()") + "    def onLoad(self):\n        self.c = len\n", None, ""),
        (w.on_start("self.aid()\nself.onStopped()") + "    def aid(self):\n        pass\n", None, ""),
        (w.on_start("self.getName()\nself.onStopped()", "self, p=None"), None, ""),
        (w.on_start("self.onStopped()", "self, a=1, b=2"), None, ""),
    ],
)
def test_scripts_against_their_ports(script, rule, sentence):
    found = findings(w.one_box(script, "A", outputs=[STOPPED, WORD]))
    assert [each[0] for each in found if each[0] != "end"] == [rule] * (rule is not None)
    assert rule is None or sentence in found[0][2]


@pytest.mark.parametrize(
    "old, new, rule, sentence",
    [
        (b'indexofoutput="4"', b'indexofoutput="7"', "link", 'comes from port 7, which is no output of box "A"'),
        (b'inputowner="1" indexofinput="2"', b'inputowner="1" indexofinput="1"', "link", "only its inside can see"),
        (b'inputowner="1"', b'inputowner="6"', "link", "names box 6"),
        (b'name="A" id="1"', b'name="A" id="0"', "ids", "it has to be above 0"),
        (b'tooltip="" id="3" />', b'tooltip="" id="2" />', "ports", "are not 1 to 4"),
        (b'<?xml version="1.0" encoding="UTF-8" ?>\n', b"", "head", "no XML declaration"),
    ],
)
def test_ids_ports_and_links(old, new, rule, sentence):
    found = findings(w.one_box(PASS_ON, "A").replace(old, new))
    assert [each for each in found if each[0] == rule and sentence in each[2]]


@pytest.mark.parametrize(
    "old, new, count",
    [
        (b"?>\n<", b"?> <", 0),
        (b"?>\n<", b"?><", 0),
        (b"?>\n<", b"?>\n\n<", 1),
        (b" xar_version", b"\n\nxar_version", 1),
        (b" xar_version", b"\nxar_version", 1),
    ],
)
def test_the_version_stands_in_the_first_two_lines(old, new, count):
    """Choregraphe's converter joins lines 1 and 2."""
    content = w.one_box(PASS_ON, "A").replace(old, new, 1)
    assert len([rule for rule, _, _ in findings(content) if rule == "head"]) == count


def test_two_boxes_with_one_id_and_two_ports_with_one_name():
    box = w.box("A", PASS_ON, outputs=[STOPPED, w.port("onStart")])
    content = w.behaviour([box, w.box("B", PASS_ON)], w.chain("A")).replace(b'name="B" id="2"', b'name="B" id="1"')
    assert {each[0] for each in findings(content)} == {"ids", "names"}


@pytest.mark.parametrize(
    "links, ends",
    [
        (w.chain("A"), True),
        (w.chain("A")[:1], False),
        (w.chain("A")[1:], False),
        (w.chain("Inside"), True),
        (w.chain("Dead end"), False),
    ],
)
def test_something_must_reach_the_end(links, ends):
    inner = [w.box("Inner", PASS_ON)]
    boxes = [w.box("A", PASS_ON), w.box("Inside", boxes=inner, links=w.chain("Inner"))]
    boxes.append(w.box("Dead end", boxes=inner, links=[("self.onStart", "Inner.onStart")]))
    assert ("end" not in [each[0] for each in findings(w.behaviour(boxes, links))]) is ends


def test_warnings_and_remarks():
    script = "import os\nos.getcwd()\n" + w.script(
        '    def onLoad(self):\n        while 1:\n            time.sleep(1)\n        return "Grüße"\n'
    )
    box = w.box("A", script, outputs=[STOPPED, WORD])
    content = w.behaviour([box], [])
    content = content if isinstance(content, bytes) else content.encode("utf-8")
    rules = {(each.severity, each.rule) for each in judge(parse(content)) if each.severity != "error"}
    remarks = {("remark", "top"), ("remark", "loop"), ("remark", "unused")}
    assert rules == remarks | {("warning", "coding"), ("warning", "handler")}
    (finding,) = findings(w.one_box(PASS_ON.replace("onInput_onStop", "onInput_go"), "A"), "warning")
    assert finding == ("uncalled", "root/A", 'Method onInput_go has no input "go", so nothing ever calls it.')


def test_a_script_of_the_other_python_gets_one_finding():
    other = w.one_box(w.on_start("print 'x'\nself.onStopped()"), "A")
    assert [rule for rule, _, _ in findings(other, "warning")] == (["syntax"] if sys.version_info[0] > 2 else [])
    ((_, _, sentence),) = [each for each in findings(w.one_box(w.script("    def x(self:\n"))) if each[0] == "syntax"]
    assert "line 4" in sentence
