"""Stories of edits to the project in Choregraphe, pulled back into the sources."""

import copy
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from kit_sources import FLOW, PREAMBLE, SCRIPTS, Choregraphe, make_checkout, pull, xar_of

from jotto_desk import robot_kit
from jotto_desk.errors import DeskError
from jotto_desk.robot_kit.flow import End, FlowLink

FLOW_PLACE = "robot_boxes/flow.json"


@pytest.fixture
def checkout(tmp_path):
    """Make the small project."""
    return make_checkout(tmp_path)


@pytest.fixture
def editor(checkout):
    """Open the small project in Choregraphe."""
    return Choregraphe(xar_of(checkout))


def pulled_flow(checkout, editor):
    """Return the flow after a pull that is written, and after which a build changes nothing."""
    changes = pull(checkout, editor.saved())
    robot_kit.write_changes(checkout, changes)
    first = xar_of(checkout)
    assert xar_of(checkout) == first
    assert pull(checkout, first) == {}
    return robot_kit.read_sources(checkout).flow


@pytest.mark.parametrize("seed", range(5))
def test_saving_without_an_edit_changes_nothing(checkout, editor, seed):
    assert pull(checkout, editor.saved(seed)) == {}


def test_a_moved_box(checkout, editor):
    editor.move("Ask", 250, -30)
    flow = pulled_flow(checkout, editor)
    assert flow == replace(FLOW, boxes=(FLOW.boxes[0], replace(FLOW.boxes[1], x=250, y=-30), *FLOW.boxes[2:]))


def test_a_setting_and_a_tooltip(checkout, editor):
    box = editor.box("Ask")
    box.set("tooltip", "Asks politely.")
    box.find("Parameter").set("value", "12")
    editor.box("Begin").find("Parameter").set("value", "merry")
    flow = pulled_flow(checkout, editor)
    assert flow.box("Ask").tooltip == "Asks politely."
    assert (flow.box("Ask").parameters[0].value, flow.box("Begin").parameters[0].value) == (12, "merry")


def test_a_port_and_a_link(checkout, editor):
    output = editor.box("Ask").findall("Output")[0]
    editor.box("Ask").insert(5, type(output)("Output", {**output.attrib, "name": "maybe", "id": "77"}))
    editor.link(("Ask", "maybe"), ("Bye", "onStart"))
    flow = pulled_flow(checkout, editor)
    assert [port.name for port in flow.box("Ask").outputs] == ["maybe", "yes", "no"]
    assert flow.links == (*FLOW.links, FlowLink(End("Ask", "maybe"), End("Bye", "onStart")))


def test_an_edited_script_of_its_own(checkout, editor):
    editor.edit("Bye", lambda text: text.replace("pass", "self.done()"))
    changes = pull(checkout, editor.saved())
    assert changes == {"robot_boxes/bye.py": SCRIPTS["bye.py"].replace("pass", "self.done()")}
    assert pulled_flow(checkout, editor) == FLOW


def test_a_shared_script_edited_in_one_box(checkout, editor):
    editor.edit("Ask again", lambda text: text.replace("yes", "no"))
    assert pull(checkout, editor.saved()) == {"robot_boxes/ask.py": SCRIPTS["ask.py"].replace("yes", "no")}
    assert pulled_flow(checkout, editor) == FLOW


def test_a_shared_script_edited_alike_in_both_boxes(checkout, editor):
    for name in ("Ask", "Ask again"):
        editor.edit(name, lambda text: text.replace("yes", "no"))
    assert list(pull(checkout, editor.saved())) == ["robot_boxes/ask.py"]


def test_a_shared_script_edited_in_two_ways(checkout, editor):
    editor.edit("Ask", lambda text: text.replace("yes", "no"))
    editor.edit("Ask again", lambda text: text.replace("pass", "self.no()"))
    with pytest.raises(robot_kit.PullRefused, match=r'"Ask( again)?" and "Ask( again)?" share ask.py and were edited'):
        pull(checkout, editor.saved())


def test_the_preamble_edited_in_one_box(checkout, editor):
    editor.edit("Begin", lambda text: text.replace("import os", "import os\nimport sys"))
    assert pull(checkout, editor.saved()) == {"robot_boxes/preamble.py": PREAMBLE.replace("os", "os\nimport sys", 1)}
    assert pulled_flow(checkout, editor) == FLOW


def test_the_preamble_edited_in_two_ways(checkout, editor):
    editor.edit("Begin", lambda text: text.replace("import os", "import os\nimport sys"))
    editor.edit("Bye", lambda text: text.replace("import os", "import re"))
    with pytest.raises(robot_kit.PullRefused, match=r"share preamble.py and were edited differently"):
        pull(checkout, editor.saved())


def test_a_lost_marker_line(checkout, editor):
    editor.edit("Begin", lambda text: text.replace("# ---- this box ----\n", ""))
    with pytest.raises(robot_kit.PullRefused, match='box "Begin" has lost or moved one of its two marker lines'):
        pull(checkout, editor.saved())


def test_a_box_without_preamble_gets_one_at_the_next_build(checkout, editor):
    editor.edit("Bye", lambda text: text[text.index("class MyClass") :])
    assert pull(checkout, editor.saved()) == {}


def test_a_new_box_with_a_script_of_its_own(checkout, editor):
    editor.add("Really?", like="Ask")
    editor.edit("Really?", lambda text: text.replace("yes", "no"))
    editor.link(("Ask again", "no"), ("Really?", "onStart"))
    editor.link(("Really?", "no"), ("Bye", "onStart"))
    flow = pulled_flow(checkout, editor)
    assert flow.boxes == (*FLOW.boxes, replace(FLOW.boxes[1], name="Really?", script="really.py"))
    assert (checkout / "robot_boxes/really.py").read_text() == SCRIPTS["ask.py"].replace("yes", "no")


def test_a_copied_box_shares_its_script(checkout, editor):
    editor.add("Ask a third time", like="Ask")
    editor.link(("Ask again", "no"), ("Ask a third time", "onStart"))
    assert pulled_flow(checkout, editor).box("Ask a third time").script == "ask.py"


def test_a_new_box_whose_file_name_is_taken(checkout, editor):
    editor.add("Ask!", like="Ask")
    editor.edit("Ask!", lambda text: text.replace("yes", "no"))
    editor.link(("Ask again", "no"), ("Ask!", "onStart"))
    assert pulled_flow(checkout, editor).box("Ask!").script == "ask_2.py"


def test_a_renamed_box_keeps_script_and_links(checkout, editor):
    editor.rename("Bye", "Good-bye")
    flow = pulled_flow(checkout, editor)
    assert [box.name for box in flow.boxes] == ["Begin", "Ask", "Ask again", "Good-bye"]
    assert flow.box("Good-bye").script == "bye.py"
    assert len(flow.links) == len(FLOW.links)


def test_a_deleted_box_takes_its_links_and_its_script_along(checkout, editor):
    editor.delete("Begin")
    editor.link(("root", "onStart"), ("Ask", "onStart"))
    flow = pulled_flow(checkout, editor)
    assert [box.name for box in flow.boxes] == ["Ask", "Ask again", "Bye"]
    assert not (checkout / "robot_boxes/begin.py").exists()


def set_root_port(editor):
    editor.root.find("Input").set("name", "onLoaded")


def make_timeline(editor):
    editor.root.find("Timeline").set("enable", "1")


def set_plugin(editor):
    editor.box("Ask").set("plugin", "textedit_plugin")


def add_dialog(editor):
    editor.box("Ask").insert(0, type(editor.root)("dialogFile"))


def add_inner_diagram(editor):
    timeline = copy.deepcopy(editor.root.find("Timeline"))
    editor.box("Ask").append(timeline)


def set_attribute(tag, name, value):
    """Make an edit that sets one attribute of a child of the box Ask."""
    return lambda editor: editor.box("Ask").find(tag).set(name, value)


REFUSED = [
    (set_root_port, "the ports of the root box were changed"),
    (make_timeline, 'box "root" is a timeline'),
    (set_plugin, 'box "Ask" is made by the editor textedit_plugin'),
    (add_dialog, 'box "Ask" is a dialogue box'),
    (add_inner_diagram, 'box "Ask" holds a diagram of its own'),
    (set_attribute("Parameter", "content_type", "5"), 'has content_type "5", which the kit cannot build'),
    (set_attribute("Parameter", "value", "800"), "is 800; choose a value from 1 to 60."),
    (set_attribute("Parameter", "name", "yes"), 'box "Ask" has two ports or parameters "yes"'),
    (set_attribute("Output", "type_size", "3"), '"yes", is an array'),
    (set_attribute("Output", "nature", "3"), 'has nature "3", which the kit cannot build'),
    (lambda editor: editor.rename("Ask", "Begin"), 'two boxes are named "Begin"'),
    (lambda editor: editor.move("Ask", 10**7, 0), 'x of box "Ask" is 10000000; keep it between'),
    (lambda editor: editor.box("Ask").set("x", "9.5"), 'x of box "Ask" holds "9.5" where a number is needed'),
    (lambda editor: editor.box("Ask").set("tooltip", "x" * 501), "has 501 characters; keep it at 500"),
    (lambda editor: editor.edit("Ask", lambda text: text + "\n\xe9"), "box scripts are plain ASCII"),
    (lambda editor: editor.edit("Ask", lambda text: text + "\nx = ("), "does not compile on Python 3"),
    (lambda editor: editor.delete("Bye"), 'nothing reaches "root.onStopped"'),
    (lambda editor: editor.add("New", like="Ask"), 'box "New" is never started'),
    (lambda editor: editor.diagram.find("Link").set("indexofinput", "99"), "a link ends at port 99"),
    (lambda editor: editor.box("Ask again").find("Resource").set("timeout", "3"), 'takes the resource "Speech"'),
]


@pytest.mark.parametrize("edit, sentence", REFUSED)
def test_what_the_sources_cannot_hold_is_refused_whole(checkout, editor, edit, sentence):
    editor.move("Bye", 999, 999)
    edit(editor)
    with pytest.raises(robot_kit.PullRefused) as refused:
        pull(checkout, editor.saved())
    assert sentence in str(refused.value)


def test_an_empty_new_box_is_refused(checkout, editor):
    editor.add("Empty", like="Ask")
    editor.edit("Empty", lambda text: "")
    with pytest.raises(robot_kit.PullRefused, match='the new box "Empty" has no script'):
        pull(checkout, editor.saved())


def test_where_one_file_cannot_be_written_none_is(checkout, editor):
    before = (checkout / FLOW_PLACE).read_bytes()
    (checkout / "robot_boxes/in_the_way.py").mkdir()
    with pytest.raises(DeskError):
        robot_kit.write_changes(checkout, {FLOW_PLACE: "{}", "robot_boxes/in_the_way.py": "x"})
    assert (checkout / FLOW_PLACE).read_bytes() == before


def test_the_report_names_every_change(checkout, editor):
    editor.move("Ask", 250, 100)
    editor.box("Bye").set("tooltip", "Ends well.")
    editor.edit("Begin", lambda text: text.replace("pass", "self.done()"))
    editor.link(("Ask", "no"), ("Bye", "onStart"))
    sources = robot_kit.read_sources(checkout)
    report = robot_kit.pull_report(sources, pull(checkout, editor.saved()))
    assert report[:3] == [
        'box "Ask" moves from 200, 100 to 250, 100',
        'box "Bye" has other tooltip',
        'link "Ask.no" -> "Bye.onStart" is new',
    ]
    assert "-        pass" in report and "+        self.done()" in report


@settings(max_examples=40, deadline=None)
@given(
    some.dictionaries(
        some.sampled_from([box.name for box in FLOW.boxes]),
        some.tuples(some.integers(-500, 2000), some.integers(-500, 2000)),
    ),
    some.dictionaries(some.sampled_from(["Begin", "Ask", "Bye"]), some.text("abc #\n", max_size=12)),
    some.sets(some.tuples(some.sampled_from(["yes", "no"]), some.sampled_from(["Ask", "Bye"])), max_size=3),
    some.integers(0, 10**6),
)
def test_any_moves_remarks_and_links_come_back(tmp_path_factory, places, texts, links, seed):
    checkout = make_checkout(tmp_path_factory.mktemp("pull"))
    editor = Choregraphe(xar_of(checkout))
    for name, place in places.items():
        editor.move(name, *place)
    remarks = {name: "".join(f"\n# {line}" for line in text.split("\n")) for name, text in texts.items()}
    for name, remark in remarks.items():
        editor.edit(name, lambda text, remark=remark: text.rstrip() + remark)
    for output, target in links:
        editor.link(("Ask again", output), (target, "onStop"))
    robot_kit.write_changes(checkout, pull(checkout, editor.saved(seed)))

    flow = robot_kit.read_sources(checkout).flow
    assert {box.name: (box.x, box.y) for box in flow.boxes} == {
        box.name: places.get(box.name, (box.x, box.y)) for box in FLOW.boxes
    }
    new = {FlowLink(End("Ask again", output), End(target, "onStop")) for output, target in links}
    assert flow.links[: len(FLOW.links)] == FLOW.links and {*flow.links[len(FLOW.links) :]} == new
    for name, remark in remarks.items():
        script = (checkout / "robot_boxes" / flow.box(name).script).read_text()
        assert script.rstrip().endswith(remark.rstrip())
    first = xar_of(checkout)
    assert xar_of(checkout) == first and pull(checkout, first) == {}


def test_a_link_drawn_twice_is_taken_once(checkout, editor):
    editor.link(("Ask", "no"), ("Ask again", "onStart"))
    assert pull(checkout, editor.saved()) == {}
