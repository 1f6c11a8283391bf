"""The diagram of the page without a browser: positions of boxes and links, and the text of the SVG, for any names."""

import itertools
import re
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st
from naosim_page.diagram import _WIDTH as WIDTH
from naosim_page.diagram import _drawn as drawn
from naosim_page.diagram import _lay_out as lay_out
from naosim_page.diagram import _strip as strip
from naosim_page.diagram import _wrapped as wrapped

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


def parsed(svg):
    # Characters that XML does not allow; a browser, which reads HTML, draws another one instead.
    return ElementTree.fromstring(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "?", svg))


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
    # A link into a parameter ends below the box.
    fed = lay_out(told(box(1), box(2, 300, parameters=[[7, "Speed"], [8, "Unused"]]), links=[(1, 4, 2, 7)]))
    (port,) = [port for port in fed.boxes[1].ports if port.side == "parameter"]
    assert (port.name, port.y) == ("Speed", fed.boxes[1].y + fed.boxes[1].height)
    assert wrapped("Think of a word to guess") == ("Think of a word", "to guess")
    assert wrapped("a b c d e f g h i j k l m n o p q r s t") == ("a b c d e f g h", "i j k l m n o…")


def test_overlapping_boxes_are_moved_apart():
    def laid(*boxes):
        sheet = lay_out(told(*boxes))
        for one, other in itertools.combinations(sheet.boxes, 2):
            assert abs(one.x - other.x) >= WIDTH or one.y >= other.y + other.height or other.y >= one.y + one.height
        return [(each.x, each.y) for each in sheet.boxes]

    assert len({y for _, y in laid(box(1, 0, 0), box(2, 80, 0), box(3, 160, 0))}) == 1
    laid(*(box(number) for number in range(1, 9)))
    # Two boxes that overlap do not move the others.
    rows = [box(number, 200 * number, 100 * (number % 3)) for number in range(1, 20)]
    assert laid(*rows, box(20, 205, 110))[:-1] == laid(*rows)


def test_screen_readers_read_the_name_of_every_box():
    boxes = box(1, name="Say"), box(2, 200, kind="timeline", opens=True, findings=2)
    svg = parsed(drawn(lay_out(told(*boxes, links=[(1, 4, 2, 2)]))))
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
    for more in ({"end": 1}, {"end": 2**31, "fps": 1}, {"end": -5}, {"fps": 1000, "end": 10**6}):
        assert len(strip(timeline(**more))) < 60_000


def test_names_in_a_file_are_escaped():
    attack = "<script>alert(1)</script>\"'&><img src=x onerror=alert(2)>"
    row = box(1, name=attack, tooltip=attack, kind=attack, inputs=[[2, attack, 1, "onStart"]])
    frames = timeline(layers=[attack], curves=[[attack, False, [3]]])
    frames["keyframes"][0][1] = attack
    sheet = lay_out({**told(row), "owner": box(0, name=attack, outputs=[[4, attack, 0, ""]])})
    for svg in (drawn(sheet), strip(frames)):
        assert "<script" not in svg and "<img" not in svg
        inside = parsed(svg)
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
    sheet = lay_out(told(*boxes, links=links))
    parsed(drawn(sheet))
    assert sheet.width < 25_000 and sheet.height < 25_000
    assert all(0 <= each.x <= sheet.width and 0 <= each.y <= sheet.height for each in sheet.boxes)
