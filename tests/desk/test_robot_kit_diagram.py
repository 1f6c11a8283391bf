"""The diagram of the flow: well-formed, the same every time, and legible."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from interpreters import ROOT
from kit_sources import FLOW

from jotto_desk import robot_kit
from jotto_desk.robot_kit.diagram import END, START, Curve, Point, lay_out, route
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


SHIPPED = robot_kit.read_flow((ROOT / "robot_boxes/flow.json").read_text(encoding="utf-8"))
FLOWS = {"small": FLOW, "star": star(10), "shipped": SHIPPED}


@pytest.fixture(scope="module", params=FLOWS)
def flow(request):
    """Provide one flow after the other."""
    return FLOWS[request.param]


@pytest.fixture(scope="module")
def drawn(flow):
    """Return the flow's layout and its routes."""
    layout = lay_out(flow)
    return layout, route(layout)


def test_well_formed_named_and_the_same_twice(flow):
    """Takes seconds for our own diagram: its links are routed twice."""
    text = robot_kit.diagram_text(flow)
    assert text == robot_kit.diagram_text(flow)
    svg = ElementTree.fromstring(text)
    texts = [element.text for element in svg.iter() if element.tag.endswith("}text")]
    assert {box.name for box in flow.boxes} <= {*texts}
    assert svg.find("{*}title").text and svg.find("{*}desc").text
    assert "prefers-color-scheme:dark" in text


def test_legible_at_900_pixels(drawn):
    layout, _ = drawn
    smallest = 10.0
    assert smallest * 900 / max(layout.width, 900) >= 8


def test_no_box_stands_on_another(drawn):
    layout, _ = drawn
    rects = [placed.rect for placed in layout.places().values()]
    assert not [one for one in rects for other in rects if one is not other and one.meets(other)]


def test_every_tag_stands_inside_its_box(drawn):
    layout, _ = drawn
    for placed in layout.boxes.values():
        for _, rect in placed.tags:
            assert placed.rect.left <= rect.left and rect.right <= placed.rect.right
            assert placed.rect.top <= rect.top and rect.bottom <= placed.rect.bottom


def test_every_label_is_there_and_on_no_box_and_no_other_label(drawn):
    layout, routes = drawn
    assert [found.wire.label for found, label in routes if found.wire.label and label is None] == []
    labels = [label for _, label in routes if label is not None]
    assert not [label for label in labels for placed in layout.places().values() if label.meets(placed.rect)]
    assert not [one for one in labels for other in labels if one is not other and one.meets(other)]


def test_no_wire_runs_through_a_box(drawn):
    layout, routes = drawn
    for found, _ in routes:
        for name, placed in layout.places().items():
            own = name in (found.wire.source, found.wire.target)
            inside = [point for point in found.curve.fine_points if placed.rect.grown(-2 if own else -0.5).holds(point)]
            assert not inside, (found.wire, name)


def test_every_link_is_drawn_tagged_or_in_the_legend(flow, drawn):
    layout, routes = drawn
    exits = {*layout.exits, *layout.common}
    wires = {(found.wire.source, found.wire.target) for found, _ in routes}
    for link in flow.links:
        ends = (
            (START if link.emitter.box == "root" else link.emitter.box),
            (END if link.receiver.box == "root" else link.receiver.box),
        )
        assert ends in wires or (link.emitter.port, link.receiver.box) in exits, link


def test_exits_that_many_boxes_share_become_tags():
    layout = lay_out(star(10))
    assert [(exit.output, exit.target) for exit in layout.exits] == [("giveUp", "Learn")]
    assert [(exit.output, exit.target) for exit in layout.common] == [("stop", "Bye")]
    assert [len(placed.tags) for placed in layout.boxes.values()] == [0, 1] * 5 + [0, 0]


def test_several_outputs_to_one_box_share_a_wire():
    (wire,) = [wire for wire in lay_out(FLOW).wires if wire.source == "Ask again"]
    assert wire.label == "yes, no"


def test_a_link_to_another_input_says_so():
    stop = FlowLink(End("Ask", "no"), End("Ask again", "onStop"))
    boxes = [replace(box, inputs=(*box.inputs, Port("onStop", "bang", "onStop"))) for box in FLOW.boxes]
    flow = replace(FLOW, boxes=tuple(boxes), links=(*FLOW.links, stop))
    assert "no, no \u2192 onStop" in [wire.label for wire in lay_out(flow).wires]


def test_a_box_may_lead_to_itself():
    again = FlowLink(End("Ask", "no"), End("Ask", "onStart"))
    flow = replace(FLOW, links=(*FLOW.links, again))
    routes = {found.wire.source: found for found, _ in route(lay_out(flow)) if found.wire.source == found.wire.target}
    assert list(routes) == ["Ask"]


@pytest.mark.parametrize("end, crossings", [(Point(10, 10), 1), (Point(10, 0), 0)])
def test_crossings(end, crossings):
    start, other_start, other_end = Point(0, 0), Point(0, 10), Point(10.5, 0.3)
    one = Curve(start, start, end, end)
    other = Curve(other_start, other_start, other_end, other_end)
    assert one.crossings(other) == crossings
