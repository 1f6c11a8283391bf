"""The diagram of the page without a browser: positions of boxes and links, and the text of the SVG, for any names."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naosim_live.page.diagram.drawing import drawn
from naosim_live.page.diagram.layout import WIDTH, lay_out, wrapped
from naosim_live.page.diagram.strip import strip

ATTACK = "<script>alert(1)</script>\"'&><img src=x onerror=alert(2)>"
IN, OUT = [2, "onStart", 1, "onStart"], [4, "onStopped", 1, "stopped"]
#: Characters that XML does not allow; a browser, which reads HTML, draws another one instead.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def box(number, x=0, y=0, name="Box", **more):
    return {
        "id": number,
        "address": str(number),
        "name": name,
        "x": x,
        "y": y,
        "kind": "script",
        "opens": False,
        "tooltip": "",
        "inputs": [[1, "onLoad", 1, "onLoad"], IN],
        "outputs": [OUT],
        "parameters": [],
        "findings": 0,
        **more,
    }


def told(*boxes, links=(), **more):
    owner = box(0, name="root", inputs=[[1, "onLoad", 1, "onLoad"], IN, [3, "onStop", 1, "onStop"]])
    return {
        "owner": owner,
        "boxes": list(boxes),
        "links": [list(link) for link in links],
        "timeline": None,
        "keyframes": [[1, "keyframe1", 0, len(boxes)]],
        "place": 0,
        **more,
    }


def parsed(svg):
    return ElementTree.fromstring(CONTROLS.sub("?", svg))


def test_boxes_and_links_have_their_places_in_choregraphe():
    sheet = lay_out(
        told(
            box(1, 100, 50),
            box(2, 300, 50),
            box(3, 300, 250),
            links=[(0, 2, 1, 2), (1, 4, 2, 2), (2, 4, 3, 2), (3, 4, 0, 4), (3, 4, 0, 4), (1, 4, 9, 2)],
        )
    )
    one, two, three = sheet.boxes
    assert (two.x - one.x, two.y - one.y, three.y - two.y) == (200, 0, 200)
    # Each pair of ends is drawn once, and a link to a missing box is not drawn.
    assert [link.ends for link in sheet.links] == [(0, 2, 1, 2), (1, 4, 2, 2), (2, 4, 3, 2), (3, 4, 0, 4)]
    (out,) = [port for port in one.ports if port.side == "out"]
    (into,) = [port for port in two.ports if port.side == "in"]
    assert sheet.links[1].path.startswith(f"M{out.x:g} {out.y:g}C")
    assert sheet.links[1].path.endswith(f"{into.x:g} {into.y:g}")
    assert {port.name for port in sheet.ports} == {"onLoad", "onStart", "onStop", "onStopped"}


def covered(sheet):
    """Count the pairs of boxes that overlap."""
    return sum(
        abs(one.x - other.x) < WIDTH and one.y < other.y + other.height and other.y < one.y + one.height
        for at, one in enumerate(sheet.boxes)
        for other in sheet.boxes[:at]
    )


def test_overlapping_boxes_are_moved_apart():
    sheet = lay_out(told(box(1, 0, 0), box(2, 80, 0), box(3, 160, 0)))
    assert covered(sheet) == 0 and {each.y for each in sheet.boxes} == {sheet.boxes[0].y}
    assert covered(lay_out(told(*(box(number) for number in range(1, 9))))) == 0
    # Two boxes that overlap do not move the others.
    rows = [box(number, 200 * number, 100 * (number % 3)) for number in range(1, 20)]
    places = [(each.x, each.y) for each in lay_out(told(*rows)).boxes]
    sheet = lay_out(told(*rows, box(20, 205, 110)))
    assert covered(sheet) == 0 and [(each.x, each.y) for each in sheet.boxes[:-1]] == places


def test_a_link_into_a_parameter_ends_below_the_box():
    fed = box(2, 300, 0, parameters=[[7, "Speed"], [8, "Unused"]])
    sheet = lay_out(told(box(1), fed, links=[(1, 4, 2, 7)]))
    (port,) = [port for port in sheet.boxes[1].ports if port.side == "parameter"]
    assert (port.name, port.y) == ("Speed", sheet.boxes[1].y + sheet.boxes[1].height)
    assert len(sheet.links) == 1


def test_screen_readers_read_the_name_of_every_box():
    svg = parsed(
        drawn(
            lay_out(
                told(box(1, name="Say"), box(2, 200, kind="timeline", opens=True, findings=2), links=[(1, 4, 2, 2)])
            )
        )
    )
    boxes = [each for each in svg.iter() if each.get("role") == "button"]
    assert [each.get("aria-label") for each in boxes] == ["Say, script box", "Box, timeline box"]
    # Tab stops at one box; the arrow keys lead to the others.
    assert [each.get("tabindex") for each in boxes] == ["0", "-1"]
    assert [each.get("data-opens") for each in boxes] == ["0", "1"]


def timeline(**more):
    found = {
        "fps": 25,
        "start": 1,
        "end": 101,
        "layers": ["arms", "talk"],
        "curves": [["HeadYaw", False, [1, 51]], ["RHand", True, []]],
        "left_out": 0,
    }
    found.update(more)
    rows = [[1, "begin", 0, 1], [51, "middle", 0, 2], [26, "beside", 1, 1]]
    return told(box(1), keyframes=rows, timeline=found)


def test_the_strip_has_a_button_for_each_keyframe_and_a_row_for_each_joint():
    svg = parsed(strip(timeline()))
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


@pytest.mark.parametrize("more", [{"end": 1}, {"end": 2**31, "fps": 1}, {"end": -5}, {"fps": 1000, "end": 10**6}])
def test_strips_have_a_maximum_length(more):
    assert len(strip(timeline(**more))) < 60_000


def test_names_in_a_file_are_escaped():
    row = box(1, name=ATTACK, tooltip=ATTACK, kind=ATTACK, inputs=[[2, ATTACK, 1, "onStart"]])
    frames = timeline(layers=[ATTACK], curves=[[ATTACK, False, [3]]])
    frames["keyframes"][0][1] = ATTACK
    sheet = lay_out({**told(row), "owner": box(0, name=ATTACK, outputs=[[4, ATTACK, 0, ""]])})
    for svg in (drawn(sheet), strip(frames)):
        assert "<script" not in svg and "<img" not in svg
        inside = parsed(svg)
        tags = {each.tag.rpartition("}")[2] for each in inside.iter()}
        assert tags <= {"svg", "g", "path", "rect", "circle", "text", "title"}
        assert not [name for each in inside.iter() for name in each.attrib if name.startswith("on")]


TEXTS = st.text(max_size=80)
PORTS = st.lists(st.tuples(st.integers(1, 9), TEXTS, st.integers(-1, 9), TEXTS).map(list), max_size=4)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(TEXTS, st.integers(-(10**5), 10**5), st.integers(-(10**5), 10**5), PORTS, PORTS), max_size=8),
    st.lists(st.tuples(*[st.integers(0, 9)] * 4), max_size=12),
)
def test_any_diagram_has_a_maximum_size(rows, links):
    boxes = [
        box(number, x, y, name, inputs=inputs, outputs=outputs)
        for number, (name, x, y, inputs, outputs) in enumerate(rows, 1)
    ]
    sheet = lay_out(told(*boxes, links=links))
    parsed(drawn(sheet))
    assert sheet.width < 25_000 and sheet.height < 25_000
    assert all(0 <= each.x <= sheet.width and 0 <= each.y <= sheet.height for each in sheet.boxes)


@pytest.mark.parametrize(
    "name, lines",
    [
        ("Say", ("Say",)),
        ("", ("",)),
        ("Say the score", ("Say the score",)),
        ("Think of a word to guess", ("Think of a word", "to guess")),
        ("Extraordinarilylongname", ("Extraordinaril…",)),
        ("a b c d e f g h i j k l m n o p q r s t", ("a b c d e f g h", "i j k l m n o…")),
    ],
)
def test_long_names_are_broken_into_lines(name, lines):
    assert wrapped(name) == lines
