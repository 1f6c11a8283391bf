"""flow.json: what is read, what is written, and what is refused with which sentence."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, strategies as some
from kit_sources import ASK_LINKS, FLOW, NO, SCRIPTS, WAIT, YES, make_checkout

from jotto_desk import robot_kit
from jotto_desk.robot_kit.flow import Box, End, Flow, FlowLink, Parameter, Port, flow_findings
from jotto_desk.robot_kit.sources import script_findings

TEXT = some.text(some.characters(exclude_categories=("Cs", "Cc")), max_size=20)
NAME = some.text("abcdefghij (?)", min_size=1, max_size=8)


def ports(natures):
    """Make a port."""
    types = some.sampled_from(["bang", "string", "number", "dynamic"])
    return some.builds(Port, NAME, types, some.sampled_from(natures), TEXT)


PARAMETERS = some.one_of(
    some.builds(Parameter, NAME, some.just("string"), TEXT, TEXT, choices=some.lists(TEXT, max_size=3).map(tuple)),
    some.builds(Parameter, NAME, some.just("bool"), some.booleans(), TEXT),
    some.builds(Parameter, NAME, some.just("int"), some.integers(-9, 9), TEXT, some.just(-9), some.just(9)),
    some.builds(Parameter, NAME, some.just("double"), some.floats(-2, 2), TEXT, some.just(-2.0), some.just(2.0)),
)
BOXES = some.builds(
    Box,
    NAME,
    some.just("ask.py"),
    TEXT,
    some.integers(-900, 900),
    some.integers(-900, 900),
    some.lists(ports(["event", "onStart", "onStop"]), max_size=3).map(tuple),
    some.lists(ports(["stopped", "punctual"]), max_size=3).map(tuple),
    some.lists(PARAMETERS, max_size=2).map(tuple),
    some.lists(TEXT, max_size=2).map(tuple),
)
ENDS = some.builds(End, NAME, some.text("xyz", min_size=1, max_size=4))
FLOWS = some.builds(
    Flow,
    some.just("behavior_1"),
    some.sampled_from([None, "preamble.py"]),
    some.lists(BOXES, max_size=4).map(tuple),
    some.lists(some.builds(FlowLink, ENDS, ENDS), max_size=5).map(tuple),
)


@given(FLOWS)
def test_what_is_written_is_read_back(flow):
    assert robot_kit.flow.read_flow(robot_kit.flow.flow_text(flow)) == flow


@given(some.recursive(some.none() | some.booleans() | some.integers() | TEXT, some.lists, max_leaves=6))
def test_other_json_is_refused_with_a_sentence(value):
    with pytest.raises(robot_kit.flow.FlowRefused):
        robot_kit.flow.read_flow(json.dumps(value))


def test_refused_json():
    def linked(link):
        record = json.loads(robot_kit.flow.flow_text(FLOW))
        return json.dumps({**record, "links": [link]})

    def changed(**fields):
        record = json.loads(robot_kit.flow.flow_text(FLOW))
        record["boxes"][0].update(fields)
        return json.dumps(record)

    for text, sentence in [
        ("{", "flow.json is not JSON"),
        ("[" * 100_000, "flow.json is not JSON"),
        ("{}", 'flow.json has no field "behaviour"; add it.'),
        (changed(x="left"), 'box "Begin" has "x": \'left\'; write a whole number'),
        (changed(x=True), 'box "Begin" has "x": True; write a whole number'),
        (changed(x=10**9), 'box "Begin" has "x": 1000000000; write a whole number'),
        (changed(toltip="?"), 'box "Begin" has a field "toltip" that means nothing here'),
        (changed(outputs=[{"name": "a", "type": "bong", "nature": "stopped"}]), "write one of dynamic, bang"),
        (changed(outputs=7), 'box "Begin" has "outputs": 7; write a list'),
        (changed(parameters=[{"name": "a", "type": "int", "value": None}]), 'has no field "value"'),
        (changed(parameters=[{"name": "a", "type": "int", "value": 1, "max": "x"}]), "write a number"),
        (changed(tooltip="x" * 501), "write a text of at most 500 characters"),
        (changed(tooltip="\x07"), "write a text of at most 500 characters"),
        (" " * 1_000_001, "flow.json has 1000001 characters"),
        *(
            (linked(link), "a link ")
            for link in ("Begin.done", ["a.b"], ["a.b", 7], ["nodot", "a.b"], [".b", "a.b"], ["a.", "a.b"])
        ),
    ]:
        with pytest.raises(robot_kit.flow.FlowRefused) as refused:
            robot_kit.flow.read_flow(text)
        assert sentence in str(refused.value), text[:100]


def with_box(number, **fields):
    """Make the small flow with one box changed."""
    boxes = list(FLOW.boxes)
    boxes[number] = replace(boxes[number], **fields)
    return replace(FLOW, boxes=tuple(boxes))


def test_refused_flows():
    def with_parameter(**fields):
        return with_box(1, parameters=(replace(WAIT, **fields),))

    def with_link(emitter, receiver):
        return replace(FLOW, links=(*FLOW.links, FlowLink(End(*emitter), End(*receiver))))

    assert flow_findings(FLOW) == [] and script_findings(SCRIPTS) == []
    for flow, sentence in [
        (replace(FLOW, behaviour="../x"), 'the behaviour is named "../x"'),
        (replace(FLOW, preamble="../x.py"), 'the preamble is named "../x.py"'),
        (replace(FLOW, boxes=(), links=()), "there are no boxes; add at least one."),
        (with_box(1, name="Begin"), 'two boxes are named "Begin"; rename one of them.'),
        (with_box(1, name="root"), 'a box is named "root"'),
        (with_box(1, script="../x.py"), 'box "Ask" has the script "../x.py"'),
        (with_box(1, outputs=(YES, NO, YES)), 'box "Ask" has two ports or parameters "yes"; rename one of them.'),
        (with_box(1, outputs=(YES, NO, Port("a.b", "bang", "stopped"))), 'box "Ask" has a port or parameter "a.b"'),
        (
            with_box(1, outputs=(YES, NO, Port("onLoad", "bang", "stopped"))),
            'box "Ask" has a port or parameter "onLoad"',
        ),
        (with_parameter(value="8"), 'parameter "Wait (s)" of box "Ask" is \'8\'; write a whole number.'),
        (with_parameter(value=True), 'parameter "Wait (s)" of box "Ask" is True; write a whole number.'),
        (with_parameter(value=61), "is 61; choose a value from 1 to 60."),
        (with_parameter(minimum=None), 'lacks a range; write "min" and "max".'),
        (with_parameter(choices=("1",)), 'is int; only a string can have "choices".'),
        (with_parameter(type="bool", value=True), 'is bool; remove its "min" and "max".'),
        (
            with_box(0, parameters=(Parameter("Mood", "string", "sad", choices=("calm", "merry")),)),
            "is 'sad'; choose one of calm, merry.",
        ),
        (
            with_link(("Beginn", "done"), ("Bye", "onStart")),
            'the link "Beginn.done" -> "Bye.onStart" names the box "Beginn", which does not exist',
        ),
        (
            with_link(("Ask", "maybe"), ("Bye", "onStart")),
            'names "maybe", but box "Ask" has no such output; choose from: yes, no.',
        ),
        (with_link(("Ask", "onStart"), ("Bye", "onStart")), 'names "onStart", but box "Ask" has no such output'),
        (with_link(("Ask", "yes"), ("Bye", "done")), 'box "Bye" has no such input or parameter; choose from: onStart'),
        (with_link(("root", "onStopped"), ("Bye", "onStart")), "the root box has no such output"),
        (with_link(("Ask", "yes"), ("root", "onStart")), "the root box has no such input or parameter"),
        (with_link(("Ask", "yes"), ("Bye", "onStart")), 'the link ["Ask.yes" -> "Bye.onStart"] stands there twice'),
        (replace(FLOW, links=FLOW.links[:-1]), 'nothing reaches "root.onStopped"'),
        (replace(FLOW, links=FLOW.links[1:]), 'box "Begin" is never started'),
        (
            replace(FLOW, links=(FlowLink(End("root", "onStop"), End("Begin", "onStart")), *FLOW.links[1:])),
            'box "Begin" is never started',
        ),
        (replace(FLOW, links=ASK_LINKS), 'box "Ask again" is never started'),
    ]:
        assert sentence in "\n".join(flow_findings(flow)), sentence


def test_a_link_to_a_parameter_is_allowed_and_starts_no_box():
    flow = with_box(0, outputs=(*FLOW.boxes[0].outputs, Port("seconds", "number", "punctual")))
    start = FlowLink(End("root", "onStart"), End("Begin", "onStart"))
    set_parameter = FlowLink(End("Begin", "seconds"), End("Ask", "Wait (s)"))
    assert flow_findings(replace(flow, links=(*flow.links, set_parameter))) == []
    findings = flow_findings(replace(flow, links=(start, set_parameter)))
    assert 'box "Ask" is never started; link an output' in "\n".join(findings)


def test_refused_scripts():
    for script, sentence in (
        ("x = (\n", "say.py does not compile on Python 3"),
        ("print 'x'\n", "say.py does not compile on Python 3"),
        ("x = 1\ny = '\xe9'\n", "say.py, line 2 holds '\xe9'; box scripts are plain ASCII."),
        ("x = a[b[0]]>1\n", 'say.py, line 1 holds "]]>"'),
        ("# ---- this box ----\n", "say.py, line 1 is one of the kit's own marker lines"),
        ("x = 1\0\n", "say.py, line 1 holds '\\x00'"),
        ("#" * 100_001, "say.py has 100001 characters"),
    ):
        assert sentence in "\n".join(script_findings({"say.py": script})), sentence


def test_all_findings_come_at_once(tmp_path):
    make_checkout(tmp_path, with_box(1, name="Begin"))
    (tmp_path / "robot_boxes/bye.py").unlink()
    (tmp_path / "robot_boxes/left_over.py").write_text("")
    with pytest.raises(robot_kit.flow.FlowRefused) as refused:
        robot_kit.sources.read_sources(tmp_path)
    text = str(refused.value)
    assert 'two boxes are named "Begin"' in text
    assert '"Bye" needs the script bye.py, which is not in robot_boxes' in text
    assert "no box uses robot_boxes/left_over.py" in text
