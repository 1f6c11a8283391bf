"""The diagram of the flow: well-formed, the same every time, and legible."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from interpreters import ROOT
from kit_sources import FLOW
from naosim_page.layout import END, START, Curve, Point, route

from jotto_desk import robot_kit
from jotto_desk.robot_kit.diagram import lay_out_flow as lay_out
from jotto_desk.robot_kit.flow import Box, End, Flow, FlowLink, Port

IN = (Port("onStart", "bang", "onStart"),)


def star(count):
    """Make a row of boxes that each go on to the next; all stop at the last, and give up at the one before."""
    names = [f"Step {number}" for number in range(count)] + ["Learn", "Bye"]
    outputs = tuple(Port(name, "bang", "stopped") for name in ("next", "stop", "giveUp"))
    boxes = [Box(name, "say.py" if name == "Bye" else "ask.py", "", 0, 0, IN, outputs) for name in names]
    boxes = [replace(box, x=150 * (at % 5), y=170 * (at // 5)) for at, box in enumerate(boxes)]
    links = [
        FlowLink(End("root", "onStart"), End(names[0], "onStart")),
        FlowLink(End("Bye", "next"), End("root", "onStopped")),
    ]
    for at, name in enumerate(names[:-2]):
        links.append(FlowLink(End(name, "next"), End(names[at + 1], "onStart")))
        links.append(FlowLink(End(name, "stop"), End("Bye", "onStart")))
        links += [FlowLink(End(name, "giveUp"), End("Learn", "onStart"))] if at % 2 else []
    return Flow("behavior_1", None, tuple(boxes), tuple(links))


SHIPPED = robot_kit.flow.read_flow((ROOT / "robot_boxes/flow.json").read_text(encoding="utf-8"))
FLOWS = {"small": FLOW, "star": star(10), "shipped": SHIPPED}


@pytest.mark.parametrize("flow", FLOWS.values(), ids=FLOWS)
def test_a_diagram_is_complete_and_legible(flow):
    """Takes seconds for our own diagram: its links are routed twice."""

    def inside(rect, other):
        return (
            other.left <= rect.left
            and rect.right <= other.right
            and other.top <= rect.top
            and rect.bottom <= other.bottom
        )

    layout = lay_out(flow)
    routes, boxes = route(layout), layout.places()
    # The smallest letters, of 10 units, have at least 8 pixels in a picture that is 900 pixels wide.
    assert 10 * 900 / max(layout.width, 900) >= 8
    rects = [placed.rect for placed in boxes.values()]
    labels = [label for found, label in routes if found.wire.label]
    assert None not in labels
    for group in (rects, labels):
        assert not [one for one in group for other in group if one is not other and one.meets(other)]
    assert not [label for label in labels for rect in rects if label.meets(rect)]
    assert all(inside(tag, placed.rect) for placed in layout.boxes.values() for _, tag in placed.tags)
    for found, _ in routes:
        for name, placed in boxes.items():
            rect = placed.rect.grown(-2 if name in (found.wire.source, found.wire.target) else -0.5)
            assert not any(map(rect.holds, found.curve.fine_points)), (found.wire, name)
    exits = {*layout.exits, *layout.common}
    wires = {(found.wire.source, found.wire.target) for found, _ in routes}
    for link in flow.links:
        source = START if link.emitter.box == "root" else link.emitter.box
        target = END if link.receiver.box == "root" else link.receiver.box
        assert (source, target) in wires or (link.emitter.port, target) in exits, link


def test_the_svg_is_well_formed_and_the_same_twice():
    text = robot_kit.diagram.diagram_text(FLOW)
    assert text == robot_kit.diagram.diagram_text(FLOW) and "prefers-color-scheme:dark" in text
    svg = ElementTree.fromstring(text)
    texts = [element.text for element in svg.iter() if element.tag.endswith("}text")]
    assert {box.name for box in FLOW.boxes} <= {*texts}
    assert svg.find("{*}title").text and svg.find("{*}desc").text
    # The same on every computer, and twice in one process.
    assert robot_kit.diagram.diagram_text(SHIPPED) == (ROOT / "docs/diagram.svg").read_text(encoding="utf-8")


def test_exits_that_many_boxes_share_become_tags_and_outputs_to_one_box_share_a_wire():
    layout = lay_out(star(10))
    assert [(exit.output, exit.target) for exit in layout.exits] == [("giveUp", "Learn")]
    assert [(exit.output, exit.target) for exit in layout.common] == [("stop", "Bye")]
    assert [len(placed.tags) for placed in layout.boxes.values()] == [0, 1] * 5 + [0, 0]
    (wire,) = [wire for wire in lay_out(FLOW).wires if wire.source == "Ask again"]
    assert wire.label == "yes, no"
    # A link to another input says so, and a box may lead to itself.
    more = [FlowLink(End("Ask", "no"), End("Ask again", "onStop")), FlowLink(End("Ask", "no"), End("Ask", "onStart"))]
    boxes = [replace(box, inputs=(*box.inputs, Port("onStop", "bang", "onStop"))) for box in FLOW.boxes]
    layout = lay_out(replace(FLOW, boxes=tuple(boxes), links=(*FLOW.links, *more)))
    assert "no, no \u2192 onStop" in [wire.label for wire in layout.wires]
    wires = [found.wire for found, _ in route(layout)]
    assert [wire.source for wire in wires if wire.source == wire.target] == ["Ask"]


def test_crossings_of_curves():
    start, other_start, other_end = Point(0, 0), Point(0, 10), Point(10.5, 0.3)
    other = Curve(other_start, other_start, other_end, other_end)
    for end, crossings in ((Point(10, 10), 1), (Point(10, 0), 0)):
        assert Curve(start, start, end, end).crossings(other) == crossings
