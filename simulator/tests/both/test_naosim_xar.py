# -*- coding: utf-8 -*-
"""The parser: the model holds what the file holds, and an invalid file is refused in one sentence."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w
import pytest
from hypothesis import given, strategies as st

from naosim import BrokenBehaviour, NotABehaviour, formats, parse
from naosim.compat import native, to_unicode

GOOD = w.behaviour(
    [w.box("A", w.script("    pass\n"), parameters=[w.parameter("Count", 1, "8")])],
    [("root.onStart", "A.onStart"), ("A.onStopped", "root.onStopped")],
)


def test_a_file_and_its_folder_and_its_text_are_the_same(tmpdir):
    path = w.save(tmpdir, GOOD)
    assert parse(path).root == parse(GOOD).root == parse(str(tmpdir.join("behavior_1"))).root
    assert parse(path).path == path


def test_the_model():
    root = parse(GOOD).root
    assert (root.name, root.id, root.path) == ("root", -1, "root")
    assert [(port.name, port.id, port.nature) for port in root.inputs] == [
        ("onLoad", 1, 0),
        ("onStart", 2, 2),
        ("onStop", 3, 3),
    ]
    (diagram,) = [frame.diagram for layer in root.timeline.layers for frame in layer.keyframes]
    (child,) = diagram.boxes
    assert child.path == "root/A"
    assert [(each.name, each.id, each.value) for each in child.parameters] == [("Count", 5, 8)]
    assert [link[:4] for link in diagram.links] == [(0, 2, 1, 2), (1, 4, 0, 4)]


def test_an_older_file_with_everything_and_a_box_of_a_library():
    older = u"""<?xml version="1.0" encoding="UTF-8" ?>
<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">
  <Box name="root" id="-1" localization="8" tooltip="" x="0" y="0" robot="Nao" bitmap_expanded="0" plugin="">
    <bitmap>media/images/box/root.png</bitmap>
    <script language="4">
      <content>
        <![CDATA[

# two lines down
class MyClass(GeneratedClass):
    pass
]]>
      </content>
    </script>
    <pluginContent><text>Grüße</text></pluginContent>
    <Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1" />
    <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
    <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="3" />
    <Parameter name="Text" inherits_from_parent="0" content_type="5" value="Grüße&#x0A;an alle" default_value=""
        tooltip="" id="4" />
    <Parameter name="Colour" inherits_from_parent="1" content_type="3" value="red" default_value="red"
        custom_choice="1" tooltip="" id="5"><Choice value="red" /><Choice value="blue" /></Parameter>
    <Timeline enable="1" fps="10" start_frame="1" end_frame="-1" size="300" scale="1">
      <BehaviorLayer name="l" mute="0"><BehaviorKeyframe name="k" index="5"><Diagram scale="100">
        <Box name="Dialog" id="1" localization="8" tooltip="" x="0" y="0"><dialogFile>D/D.dlg</dialogFile>
          <script language="4"><content><![CDATA[]]></content></script>
          <Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1" />
          <Input name="Key" type="0" type_size="3" nature="4" stm_value_name="Some/Key" inner="1" tooltip="" id="2" />
        </Box>
      </Diagram></BehaviorKeyframe></BehaviorLayer>
      <ActuatorList model="nao"><ActuatorCurve name="value" actuator="LHand" recordable="0" mute="1" unit="1">
        <Key frame="3" value="50"><Tangent side="left" interpType="1" /></Key></ActuatorCurve></ActuatorList>
    </Timeline>
    <Resource name="Speech" type="Stop on demand" timeout="-1" />
  </Box>
</ChoregrapheProject>
"""
    root = parse(older.encode("utf-8")).root
    assert root.script.startswith("# two lines down")
    assert root.script.endswith("pass\n")
    assert (root.script_line, older.split("\n")[root.script_line - 1]) == (9, "# two lines down")
    assert [parameter.value for parameter in root.parameters] == [native(u"Grüße\nan alle"), "red"]
    assert root.parameters[1].choices == ("red", "blue")
    timeline = root.timeline
    assert (timeline.enabled, timeline.fps, timeline.end, timeline.size) == (True, 10, -1, 300)
    assert [(curve.actuator, curve.mute, curve.keys) for curve in timeline.curves] == [("LHand", True, ((3, 50.0),))]
    dialog = timeline.layers[0].keyframes[0].diagram.boxes[0]
    assert (dialog.dialog, dialog.inputs[1].key, dialog.inputs[1].size) == ("D/D.dlg", "Some/Key", 3)
    assert root.resources[0][:] == ("Speech", "Stop on demand", -1)
    text = older.replace(
        'ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd"', "ChoregrapheBox"
    ).replace("/ChoregrapheProject", "/ChoregrapheBox")
    assert parse(text.encode("utf-8")).kind == "ChoregrapheBox"


@pytest.mark.parametrize(
    "content, sentence",
    [
        (b"", "is empty"),
        (b" \n ", "is empty"),
        (b"PK\x03\x04zip", "is a zip archive"),
        (b"\x89PNG\r\n", "is not an XML file"),
        (b"hello", "is not an XML file"),
        (GOOD[:400], "is broken in line"),
        (b"<html></html>", "starts with <html>"),
        (GOOD.replace(b'xar_version="3"', b'xar_version="2"'), 'has xar_version "2"'),
        (GOOD.replace(b'xar_version="3"', b'xar_version="3" format_version="4"'), "has format_version 4"),
        (b'<ChoregrapheProject xar_version="3"></ChoregrapheProject>', "has 0 root boxes"),
        (GOOD.replace(b"<ChoregrapheProject", b'<!DOCTYPE x [<!ENTITY a "b">]><ChoregrapheProject'), "document type"),
        (b"<a>" * 500, "nests more than"),
        (GOOD.replace(b'name="A"', b'name="\xe5"'), "is broken"),
        (GOOD.replace(b"UTF-8", b"latin-99"), "is broken"),
        (GOOD.replace(b'name="A"', b'name="' + b"A" * 1200000 + b'"'), "a tag of more than 1024 kB"),
        (GOOD.replace(b'name="A"', b'name="' + b"A" * 2000 + b'"'), "more than 2000 letters"),
    ],
    ids=lambda value: str(len(value)),
)
def test_a_file_that_is_no_behaviour_is_refused_in_one_sentence(tmpdir, content, sentence):
    check_refusal(tmpdir, content, sentence)


def test_a_file_that_is_too_large_is_refused_in_one_sentence(tmpdir):
    check_refusal(tmpdir, b"<a>" + b" " * 34000000, "is larger than")


def check_refusal(tmpdir, content, sentence):
    """Check that a file with this content is refused in a sentence that names it."""
    path = w.save(tmpdir, content)
    with pytest.raises(NotABehaviour) as caught:
        parse(path)
    assert str(caught.value).startswith("behavior.xar") or path in str(caught.value)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_many_elements_are_refused_and_many_sections_are_read_once(monkeypatch):
    monkeypatch.setattr(formats, "MAX_XML_ELEMENTS", 20)
    with pytest.raises(NotABehaviour) as caught:
        parse(b"<a>" + b"<a/>" * 20 + b"</a>")
    assert "more than 20 elements" in str(caught.value)
    monkeypatch.undo()
    sections = b"<![CDATA[ ]]>" * 50000
    assert parse(GOOD.replace(b"<![CDATA[", sections + b"<![CDATA[", 1)).root.name == "root"


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        (b'id="5"', b'id="five"', 'id is "five" instead of a whole number'),
        (b'content_type="1"', b'content_type="9"', "unknown content_type 9"),
        (b'value="8"', b'value="eight"', 'parameter "Count" with the value "eight"'),
        (b'indexofinput="2"', b'indexofinput=""', "indexofinput is"),
        (b'id="5"', b'id="99999999999"', "beyond 32 bits"),
        (b'id="5"', b'id="' + b"9" * 900000 + b'"', "instead of a whole number"),
        (b"    pass\n", b"    pass\n" * 20000, "a script of more than 120 kB"),
        (b'value="8"', b'value="' + b"9" * 900000 + b'"', 'with the value "999'),
    ],
    ids=lambda value: str(len(value)),
)
def test_a_contradiction_is_refused_with_file_box_and_line(old, new, sentence):
    with pytest.raises(BrokenBehaviour) as caught:
        parse(GOOD.replace(old, new))
    assert sentence in str(caught.value) and 'box "root' in str(caught.value)
    assert str(caught.value).startswith("behavior.xar, line ")


TEXTS = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FFF, blacklist_categories=("Cs", "Cn", "Cc")),
    min_size=1,
    max_size=8,
)
NAMES = st.lists(TEXTS, min_size=1, max_size=5, unique=True)


@given(names=NAMES, kinds=st.lists(st.sampled_from(sorted(w.TYPES)), min_size=5, max_size=5), data=st.data())
def test_ports_and_links_come_back_as_they_were_written(names, kinds, data):
    names = [name.replace(".", "_") for name in names]
    if len(set(names)) < len(names) or "onLoad" in names:
        return
    outputs = [w.port(to_unicode(name), kind, "punctual") for name, kind in zip(names, kinds)]
    inputs = [w.port(u"in " + to_unicode(name), kind, "event") for name, kind in zip(names, kinds)]
    boxes = [w.box(u"box%d" % number, inputs=inputs, outputs=outputs) for number in range(3)]
    ends = st.tuples(st.integers(0, 2), st.integers(0, len(names) - 1))
    wanted = data.draw(st.lists(st.tuples(ends, ends), max_size=6))
    links = [(u"box%d.%s" % (b, names[p]), u"box%d.in %s" % (d, names[q])) for (b, p), (d, q) in wanted]
    content = w.behaviour(boxes, links)
    content = content if isinstance(content, bytes) else content.encode("utf-8")
    diagram = parse(content).root.timeline.layers[0].keyframes[0].diagram
    for box in diagram.boxes:
        assert [(port.name, port.type) for port in box.outputs] == [
            (native(name), w.TYPES[kind]) for name, kind in zip(names, kinds)
        ]
        assert [port.name for port in box.inputs] == ["onLoad"] + [native(u"in " + to_unicode(name)) for name in names]
    named = [
        (diagram.boxes[link.emitter - 1].outputs, link.output, diagram.boxes[link.receiver - 1].inputs, link.input)
        for link in diagram.links
    ]
    assert [
        ([port.name for port in outs if port.id == out], [port.name for port in ins if port.id == into])
        for outs, out, ins, into in named
    ] == [([native(names[p])], [native(u"in " + to_unicode(names[q]))]) for (_, p), (_, q) in wanted]




@given(st.binary(max_size=60), st.integers(0, len(GOOD)))
def test_a_damaged_file_is_read_or_refused_and_nothing_else(noise, at):
    try:
        parse(GOOD[:at] + noise + GOOD[at + len(noise) :])
    except (NotABehaviour, BrokenBehaviour) as refusal:
        assert "\n" not in str(refusal)
