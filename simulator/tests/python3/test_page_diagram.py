"""The diagram of the page without a browser: positions of boxes and links, and the text of the SVG, for any names."""

import itertools
import re
from xml.etree import ElementTree

import naosim_xar_writer as w
import pytest
from hypothesis import given, settings, strategies as st
from robot_fixtures import Program

from naosim.robot import Robot
from naosim_page.diagram import _sheet as drawn, _strip as strip, lay_out_told
from naosim_page.layout import END, START

IN, OUT = [2, "onStart", 1, "onStart"], [4, "onStopped", 1, "stopped"]


def box(number, x=0, y=0, name="Box", **more):
    place = {"id": number, "address": str(number), "name": name, "x": x, "y": y, "kind": "script", "opens": False}
    ports = {"inputs": [[1, "onLoad", 1, "onLoad"], IN], "outputs": [OUT], "parameters": []}
    return {**place, "tooltip": "", **ports, "findings": 0, **more}


def told(*boxes, links=(), **more):
    owner = box(0, name="root", inputs=[[1, "onLoad", 1, "onLoad"], IN, [3, "onStop", 1, "onStop"]])
    keyframes = [[1, "keyframe1", 0, len(boxes)]]
    shown = {"owner": owner, "boxes": list(boxes), "links": list(map(list, links)), "timeline": None}
    return {**shown, "keyframes": keyframes, "place": 0, **more}


def parse_svg(svg):
    # Characters that XML does not allow; a browser, which reads HTML, draws another one instead.
    return ElementTree.fromstring(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "?", svg))


def test_links_between_two_boxes_share_a_curve_with_a_label():
    ask = box(1, 100, 50, outputs=[OUT, [5, "yes", 1, ""], [6, "no", 1, ""]])
    count = box(3, 300, 250, inputs=[IN, [3, "onStop", 1, "onStop"]], parameters=[[7, "Speed"], [8, "Unused"]])
    links = [
        (0, 2, 1, 2),
        (1, 4, 2, 2),
        (1, 5, 3, 2),
        (1, 6, 3, 2),
        (1, 6, 3, 3),
        (1, 5, 3, 7),
        (3, 4, 0, 4),
        (1, 4, 9, 2),
    ]
    layout, routes = lay_out_told(told(ask, box(2, 300, 50), count, links=links))
    # A link to a missing box is not drawn, and the usual way through a box needs no name.
    assert [(wire.source, wire.target, wire.labels, wire.ends) for wire in layout.wires] == [
        (START, "1", (), "0:2:1:2"),
        ("1", "2", (), "1:4:2:2"),
        ("1", "3", ("yes", "no", "no \u2192 onStop", "yes \u2192 Speed"), "1:5:3:2 1:6:3:2 1:6:3:3 1:5:3:7"),
        ("3", END, (), "3:4:0:4"),
    ]
    assert [label is not None for _, label in routes] == [False, False, True, False]
    one, two, three = (layout.boxes[key].rect for key in "123")
    assert one.top == two.top and one.right < two.left and three.top > two.bottom


def parallel_xar(number, *, is_tall):
    """Return a behaviour in which `number` links lead from a menu to a panel, and as many back; others are around."""
    names = [f"station{at}Selected" for at in range(number)]
    places = [(20, 40), (40, 400) if is_tall else (240, 50), (160, 200), (300, 300)]
    menu, panel = (w.box(name, outputs=[w.port(each) for each in names]) for name in ("Menu", "Panel"))
    boxes = [menu, panel, w.box("Say"), w.box("Wait")]
    for each, (x, y) in zip(boxes, places, strict=True):
        each |= {"x": x, "y": y}
    inputs = [w.port("onStart", nature="onStart"), *(w.port(f"show{at}") for at in range(number))]
    boxes[0]["inputs"] = boxes[1]["inputs"] = inputs
    links = [
        (f"{one}.{name}", f"{other}.show{at}")
        for one, other in (("Menu", "Panel"), ("Panel", "Menu"))
        for at, name in enumerate(names)
    ]
    links += [("root.onStart", "Menu.onStart"), (f"Menu.{names[0]}", "Say.onStart"), ("Say.onStopped", "Wait.onStart")]
    return w.behaviour(boxes, [*links, ("Wait.onStopped", "root.onStopped"), (f"Panel.{names[0]}", "Wait.onStart")])


@pytest.mark.parametrize("number, is_tall, lines", [(1, True, 1), (2, False, 2), (7, True, 7), (20, False, 8)])
def test_labels_of_parallel_links_never_overlap(number, is_tall, lines):
    with Robot() as robot:
        robot.load(parallel_xar(number, is_tall=is_tall))
        shown = Program(robot).ask("diagram")
    layout, routes = lay_out_told(shown)
    labels = [label for found, label in routes if found.wire.labels]
    assert None not in labels and max(len(found.wire.lines) for found, _ in routes) == lines
    assert not [pair for pair in itertools.combinations(labels, 2) if pair[0].meets(pair[1])]
    covered = [rect for placed in layout.places().values() for rect in placed.rects()]
    assert not [label for label in labels for rect in covered if label.meets(rect)]
    # A label that is cut is whole in the title of its curve.
    svg = drawn(shown)
    assert svg.count("and 13 more") == 2 * (number == 20) and f"station{number - 1}Selected" in svg


def test_an_output_of_many_boxes_to_one_becomes_a_tag():
    asks = [box(at, 200 * at, outputs=[[4, "broken", 1, ""]]) for at in range(1, 5)]
    svg = drawn(told(*asks, box(9, 200, 300, name="Bye"), links=[(at, 4, 9, 2) for at in range(1, 5)]))
    assert svg.count(">broken<") == 4 and svg.count(">\u2192 broken<") == 1 and "diagram-link" not in svg


def test_overlapping_boxes_are_moved_apart():
    def laid(*boxes):
        layout, _ = lay_out_told(told(*boxes))
        rects = [placed.rect for placed in layout.boxes.values()]
        assert not [pair for pair in itertools.combinations(rects, 2) if pair[0].meets(pair[1])]
        return rects

    assert len({rect.top for rect in laid(box(1, 0, 0), box(2, 80, 0), box(3, 160, 0))}) == 1
    laid(*(box(number) for number in range(1, 9)))
    rows = [box(number, 200 * number, 100 * (number % 3)) for number in range(1, 20)]
    laid(*rows, box(20, 205, 110))


def test_a_crowd_is_drawn_at_once():
    crowd = [box(at, 37 * at % 500, 91 * at % 400) for at in range(1, 300)]
    layout, routes = lay_out_told(told(*crowd, links=[(at, 4, at * 7 % 299 + 1, 2) for at in range(1, 300)]))
    assert len(routes) == len(layout.wires) > 200


def test_screen_readers_read_the_name_of_every_box():
    boxes = box(1, name="Say"), box(2, 200, kind="timeline", opens=True, findings=2)
    svg = parse_svg(drawn(told(*boxes, links=[(1, 4, 2, 2)])))
    buttons = [each for each in svg.iter() if each.get("role") == "button"]
    assert [each.get("aria-label") for each in buttons] == ["Say, script box", "Box, timeline box"]
    # Tab stops at one box; the arrow keys lead to the others.
    assert [each.get("tabindex") for each in buttons] == ["0", "-1"]
    assert [each.get("data-opens") for each in buttons] == ["0", "1"]


def timeline(**more):
    curves = [["HeadYaw", False, [1, 51]], ["RHand", True, []]]
    found = {"fps": 25, "start": 1, "end": 101, "layers": ["arms", "talk"], "curves": curves, "left_out": 0, **more}
    rows = [[1, "begin", 0, 1], [51, "middle", 0, 2], [26, "beside", 1, 1]]
    return told(box(1), keyframes=rows, timeline=found)


def test_the_strip_has_a_button_for_each_keyframe_and_a_row_for_each_joint():
    svg = parse_svg(strip(timeline()))
    buttons = [each for each in svg.iter() if each.get("role") == "button"]
    assert [each.get("aria-label") for each in buttons] == [
        "Keyframe begin at frame 1, 1 box",
        "Keyframe middle at frame 51, 2 boxes",
        "Keyframe beside at frame 26, 1 box",
    ]
    assert [each.get("aria-pressed") for each in buttons] == ["true", "false", "false"]
    said = ["".join(each.itertext()) for each in svg.iter() if each.tag.endswith("text")]
    assert {"arms", "talk", "HeadYaw", "RHand", "0 s", "4 s"} <= set(said)
    assert strip(told(box(1))) == ""
    for more in ({"end": 1}, {"end": 2**31, "fps": 1}, {"end": -5}, {"fps": 1000, "end": 10**6}):
        assert len(strip(timeline(**more))) < 60_000


def test_names_in_a_file_are_escaped():
    attack = "<script>alert(1)</script>\"'&><img src=x onerror=alert(2)>"
    row = box(1, name=attack, tooltip=attack, kind=attack, inputs=[[2, attack, 1, "onStart"]])
    frames = timeline(layers=[attack], curves=[[attack, False, [3]]])
    frames["keyframes"][0][1] = attack
    sheet = {**told(row, links=[(0, 2, 1, 2)]), "owner": box(0, name=attack, inputs=[[2, attack, 0, ""]])}
    assert "&lt;script&gt;" in drawn(sheet)
    for svg in (drawn(sheet), strip(frames)):
        assert "<script" not in svg and "<img" not in svg
        inside = parse_svg(svg)
        tags = {each.tag.rpartition("}")[2] for each in inside.iter()}
        assert tags <= {"svg", "g", "path", "rect", "circle", "text", "title"}
        assert not [name for each in inside.iter() for name in each.attrib if name.startswith("on")]


@settings(max_examples=25)
@given(st.data())
def test_any_diagram_has_a_maximum_size(data):
    texts, number, far = st.text(max_size=80), st.integers(-1, 9), st.integers(-(10**5), 10**5)
    ports = st.lists(st.tuples(st.integers(1, 9), texts, number, texts).map(list), max_size=4)
    rows = data.draw(st.lists(st.tuples(texts, far, far, ports, ports), max_size=8))
    links = data.draw(st.lists(st.tuples(*[st.integers(0, 9)] * 4), max_size=12))
    boxes = [box(place, x, y, name, inputs=i, outputs=o) for place, (name, x, y, i, o) in enumerate(rows, 1)]
    parse_svg(drawn(told(*boxes, links=links)))
    layout, _ = lay_out_told(told(*boxes, links=links))
    assert layout.width < 25_000 and layout.height < 25_000
    rects = [placed.rect for placed in layout.boxes.values()]
    assert all(0 <= rect.left < rect.right <= layout.width and rect.top >= 0 for rect in rects)
