# -*- coding: utf-8 -*-
"""The lint: a behaviour without faults has no findings, and each fault is found and named."""

from __future__ import absolute_import, division, print_function

import sys

import naosim_xar_writer as w

from naosim import judge, parse

PASS_ON = """
    def onInput_onStart(self):
        self.onStopped()
    def onInput_onStop(self):
        pass
"""
LINKS = [("root.onStart", "A.onStart"), ("A.onStopped", "root.onStopped")]
STOPPED, WORD = w.port("onStopped", nature="stopped"), w.port("word", "string", "punctual")


def findings(content, severity="error"):
    return [(each.rule, each.box, each.sentence) for each in judge(parse(content)) if each.severity == severity]


def one(body=PASS_ON, links=LINKS, **more):
    return w.behaviour([w.box("A", w.script(body), **more)], links)


def test_findings_come_with_severity_box_and_sentence():
    (finding,) = [
        each
        for each in judge(parse(one("    def onInput_go(self):\n        self.onStopped()\n")))
        if each.rule == "uncalled"
    ]
    assert finding == (
        "warning",
        "uncalled",
        "root/A",
        'Method onInput_go has no input "go", so nothing ever calls it.',
    )


SCRIPTS = [
    ("    def onInput_onStart(self, a, b):\n        self.onStopped()\n", "handler", "needs 2 arguments"),
    ("    def onInput_onStart(self):\n        self.onStoped()\n", "output", "Line 5 calls self.onStoped()"),
    ("    def onInput_onStart(self):\n        self.getParameter('No')\n", "parameter", 'asks for the parameter "No"'),
    ("    def onInput_onStart(self):\n        self.word()\n", "output", 'fires the output "word" without a value'),
    ("    def onInput_onStart(self):\n        self.word(1, 2)\n", "output", "with 2 values"),
]


def test_scripts_against_their_ports():
    for body, rule, sentence in SCRIPTS:
        found = findings(one(body, outputs=[STOPPED, WORD]))
        assert [each[0] for each in found if each[0] != "end"] == [rule], body
        assert sentence in found[0][2], body


def test_what_is_fine_is_not_blamed():
    for body in [
        "    def aid(self):\n        pass\n"
        "    def onInput_onStart(self):\n        self.aid()\n        self.onStopped()\n",
        "    def onLoad(self):\n        self.call = len\n    def onInput_onStart(self):\n"
        "        self.call('x')\n        self.onStopped()\n",
        "    def onInput_onStart(self, p=None):\n        self.getName()\n        self.onStopped()\n",
        "    def onInput_onStart(self, a=1, b=2):\n        self.onStopped()\n",
    ]:
        assert findings(one(body)) == [], body


DAMAGED = [
    (b'indexofoutput="4"', b'indexofoutput="7"', "link", 'comes from port 7, which is no output of box "A"'),
    (b'inputowner="1" indexofinput="2"', b'inputowner="1" indexofinput="1"', "link", "only its inside can see"),
    (b'inputowner="1"', b'inputowner="6"', "link", "names box 6"),
    (b'name="A" id="1"', b'name="A" id="0"', "ids", "it has to be above 0"),
    (b'tooltip="" id="3" />', b'tooltip="" id="2" />', "ports", "are not 1 to 4"),
    (b'<?xml version="1.0" encoding="UTF-8" ?>\n', b"", "head", "no XML declaration"),
]


def test_ids_ports_and_links():
    for old, new, rule, sentence in DAMAGED:
        found = findings(one().replace(old, new))
        assert rule in [each[0] for each in found], old
        assert [each for each in found if each[0] == rule and sentence in each[2]], old


def test_the_version_stands_in_the_first_two_lines():
    """Choregraphe's converter joins lines 1 and 2."""
    for old, new, count in [
        (b"?>\n<", b"?> <", 0),
        (b"?>\n<", b"?><", 0),
        (b"?>\n<", b"?>\n\n<", 1),
        (b" xar_version", b"\n\nxar_version", 1),
        (b" xar_version", b"\nxar_version", 1),
    ]:
        assert len([rule for rule, _, _ in findings(one().replace(old, new, 1)) if rule == "head"]) == count, old


def test_two_boxes_with_one_id_and_two_ports_with_one_name():
    box = w.box("A", w.script(PASS_ON), outputs=[STOPPED, w.port("onStart")])
    content = w.behaviour([box, w.box("B", w.script(PASS_ON))], LINKS).replace(b'name="B" id="2"', b'name="B" id="1"')
    assert {each[0] for each in findings(content)} == {"ids", "names"}


def test_something_must_reach_the_end():
    for links, ends in [
        (LINKS, True),
        (LINKS[:1], False),
        (LINKS[1:], False),
        ([("root.onStart", "Inside.onStart"), ("Inside.onStopped", "root.onStopped")], True),
        ([("root.onStart", "Dead end.onStart"), ("Dead end.onStopped", "root.onStopped")], False),
    ]:
        inner = w.box("Inner", w.script(PASS_ON))
        through = [("self.onStart", "Inner.onStart"), ("Inner.onStopped", "self.onStopped")]
        boxes = [
            w.box("A", w.script(PASS_ON)),
            w.box("Inside", boxes=[inner], links=through),
            w.box("Dead end", boxes=[inner], links=[("self.onStart", "Inner.onStart")]),
        ]
        assert ("end" not in [each[0] for each in findings(w.behaviour(boxes, links))]) is ends, links


def test_warnings_and_remarks():
    script = u"import os\nos.getcwd()\n" + w.script(
        u'    def onLoad(self):\n        while 1:\n            time.sleep(1)\n        return "Grüße"\n'
    )
    box = w.box("A", script, outputs=[STOPPED, WORD])
    content = w.behaviour([box], [])
    content = content if isinstance(content, bytes) else content.encode("utf-8")
    rules = {(each.severity, each.rule) for each in judge(parse(content)) if each.severity != "error"}
    assert rules == {
        ("warning", "coding"),
        ("warning", "handler"),
        ("remark", "top"),
        ("remark", "loop"),
        ("remark", "unused"),
    }


def test_a_script_of_the_other_python_gets_one_finding():
    content = one("    def onInput_onStart(self):\n        print 'x'\n        self.onStopped()\n")
    found = [each for each in judge(parse(content)) if each.rule == "syntax"]
    assert [each.severity for each in found] == (["warning"] if sys.version_info[0] > 2 else [])
    broken = [each for each in judge(parse(one("    def x(self:\n"))) if each.rule == "syntax"]
    assert [each.severity for each in broken] == ["error"]
    assert "line 4" in broken[0].sentence
