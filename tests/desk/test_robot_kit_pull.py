"""Stories of edits to the project in Choregraphe, pulled back into the sources."""

import copy
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as some
from kit_sources import FLOW, PREAMBLE, SCRIPTS, Choregraphe, make_checkout, pull, xar_of

from jotto_desk import robot_kit
from jotto_desk.errors import DeskError
from jotto_desk.robot_kit.flow import End, FlowLink


@pytest.fixture
def checkout(tmp_path):
    return make_checkout(tmp_path)


@pytest.fixture
def editor(checkout):
    return Choregraphe(xar_of(checkout))


def pulled_flow(checkout, editor):
    """Return the flow after a pull that is written, and after which a build changes nothing."""
    changes = pull(checkout, editor.saved())
    robot_kit.pull.write_changes(checkout, changes)
    first = xar_of(checkout)
    assert xar_of(checkout) == first
    assert pull(checkout, first) == {}
    return robot_kit.sources.read_sources(checkout).flow


def test_saving_without_an_edit_changes_nothing(checkout, editor):
    for seed in range(5):
        assert pull(checkout, editor.saved(seed)) == {}
    # A wire drawn twice looks like one.
    editor.link(("Ask", "no"), ("Ask again", "onStart"))
    assert pull(checkout, editor.saved()) == {}


def test_a_moved_box_a_setting_and_a_tooltip(checkout, editor):
    editor.move("Ask", 250, -30)
    box = editor.box("Ask")
    box.set("tooltip", "Asks politely.")
    box.find("Parameter").set("value", "12")
    editor.box("Begin").find("Parameter").set("value", "merry")
    begin, asked = FLOW.boxes[:2]
    changed = (
        replace(begin, parameters=(replace(begin.parameters[0], value="merry"),)),
        replace(asked, x=250, y=-30, tooltip="Asks politely.", parameters=(replace(asked.parameters[0], value=12),)),
    )
    assert pulled_flow(checkout, editor) == replace(FLOW, boxes=(*changed, *FLOW.boxes[2:]))


def test_a_port_and_a_link(checkout, editor):
    output = editor.box("Ask").findall("Output")[0]
    editor.box("Ask").insert(5, type(output)("Output", {**output.attrib, "name": "maybe", "id": "77"}))
    # Twice: the two links look like one.
    for _ in range(2):
        editor.link(("Ask", "maybe"), ("Bye", "onStart"))
    flow = pulled_flow(checkout, editor)
    assert [port.name for port in flow.find_box("Ask").outputs] == ["maybe", "yes", "no"]
    assert flow.links == (*FLOW.links, FlowLink(End("Ask", "maybe"), End("Bye", "onStart")))


def test_edited_scripts(tmp_path):
    # Boxes, a text in their scripts and its replacement; the file that changes.
    script_edits = [
        (["Bye"], "pass", "self.done()", "bye.py"),
        (["Ask again"], "yes", "no", "ask.py"),
        (["Ask", "Ask again"], "yes", "no", "ask.py"),
        (["Begin"], "import os", "import os\nimport sys", "preamble.py"),
    ]
    for number, (boxes, old, new, file) in enumerate(script_edits):
        checkout = make_checkout(tmp_path / str(number))
        editor = Choregraphe(xar_of(checkout))
        for name in boxes:
            editor.edit(name, lambda text, old=old, new=new: text.replace(old, new))
        before = {**SCRIPTS, "preamble.py": PREAMBLE}[file]
        assert pull(checkout, editor.saved()) == {f"robot_boxes/{file}": before.replace(old, new)}
        assert pulled_flow(checkout, editor) == FLOW
    # A box without a preamble gets one at the next build.
    checkout = make_checkout(tmp_path / "bare")
    editor = Choregraphe(xar_of(checkout))
    editor.edit("Bye", lambda text: text[text.index("class MyClass") :])
    assert pull(checkout, editor.saved()) == {}


def test_new_boxes(checkout, editor):
    editor.add("Really?", like="Ask")
    editor.edit("Really?", lambda text: text.replace("yes", "no"))
    editor.link(("Ask again", "no"), ("Really?", "onStart"))
    editor.link(("Really?", "no"), ("Bye", "onStart"))
    flow = pulled_flow(checkout, editor)
    assert flow.boxes == (*FLOW.boxes, replace(FLOW.boxes[1], name="Really?", script="really.py"))
    assert (checkout / "robot_boxes/really.py").read_text() == SCRIPTS["ask.py"].replace("yes", "no")
    # A copy shares its script; a script under a name that is taken gets a number.
    editor.add("Ask a third time", like="Ask")
    editor.add("Ask!", like="Ask")
    editor.edit("Ask!", lambda text: text.replace("yes", "nay"))
    for name in ("Ask a third time", "Ask!"):
        editor.link(("Ask again", "no"), (name, "onStart"))
    flow = pulled_flow(checkout, editor)
    assert (flow.find_box("Ask a third time").script, flow.find_box("Ask!").script) == ("ask.py", "ask_2.py")


def test_renamed_and_deleted_boxes(checkout, editor):
    editor.rename("Bye", "Good-bye")
    flow = pulled_flow(checkout, editor)
    assert [box.name for box in flow.boxes] == ["Begin", "Ask", "Ask again", "Good-bye"]
    assert flow.find_box("Good-bye").script == "bye.py" and len(flow.links) == len(FLOW.links)
    editor.delete("Begin")
    editor.link(("root", "onStart"), ("Ask", "onStart"))
    flow = pulled_flow(checkout, editor)
    assert [box.name for box in flow.boxes] == ["Ask", "Ask again", "Good-bye"]
    assert not (checkout / "robot_boxes/begin.py").exists()


def test_edits_that_the_sources_cannot_hold_are_refused_whole(checkout):
    def set_attribute(tag, name, value):
        return lambda editor: (editor.box("Ask").find(tag) if tag else editor.box("Ask")).set(name, value)

    def empty_box(editor):
        editor.add("Empty", like="Ask")
        editor.edit("Empty", lambda text: "")

    def edit_two_ways(first, second, old, *new):
        def edit(editor):
            for name, text in zip((first, second), new, strict=True):
                editor.edit(name, lambda script, text=text: script.replace(old, text))

        return edit

    for edit, sentence in [
        (lambda editor: editor.root.find("Input").set("name", "onLoaded"), "the ports of the root box were changed"),
        (lambda editor: editor.root.find("Timeline").set("enable", "1"), 'box "root" is a timeline'),
        (set_attribute("", "plugin", "textedit_plugin"), 'box "Ask" is made by the editor textedit_plugin'),
        (lambda editor: editor.box("Ask").insert(0, type(editor.root)("dialogFile")), 'box "Ask" is a dialogue box'),
        (
            lambda editor: editor.box("Ask").append(copy.deepcopy(editor.root.find("Timeline"))),
            'box "Ask" contains its own diagram',
        ),
        (set_attribute("Parameter", "content_type", "5"), 'has content_type "5", which the kit cannot build'),
        (set_attribute("Parameter", "value", "800"), "is 800; choose a value from 1 to 60."),
        (set_attribute("Parameter", "name", "yes"), 'box "Ask" has two ports or parameters "yes"'),
        (set_attribute("Output", "type_size", "3"), '"yes", is an array'),
        (set_attribute("Output", "nature", "3"), 'has nature "3", which the kit cannot build'),
        (set_attribute("", "x", "9.5"), 'x of box "Ask" has "9.5" instead of a number'),
        (set_attribute("", "tooltip", "x" * 501), "has 501 characters; keep it at 500"),
        (lambda editor: editor.rename("Ask", "Begin"), 'two boxes are named "Begin"'),
        (lambda editor: editor.move("Ask", 10**7, 0), 'x of box "Ask" is 10000000; keep it between'),
        (lambda editor: editor.edit("Ask", lambda text: text + "\n\xe9"), "box scripts are plain ASCII"),
        (lambda editor: editor.edit("Ask", lambda text: text + "\nx = ("), "does not compile on Python 3"),
        (lambda editor: editor.delete("Bye"), 'nothing reaches "root.onStopped"'),
        (lambda editor: editor.add("New", like="Ask"), 'box "New" is never started'),
        (empty_box, 'the new box "Empty" has no script'),
        (lambda editor: editor.diagram.find("Link").set("indexofinput", "99"), "a link ends at port 99"),
        (lambda editor: editor.box("Ask again").find("Resource").set("timeout", "3"), 'takes the resource "Speech"'),
        (edit_two_ways("Ask", "Ask again", "yes", "no", "maybe"), "share ask.py and were edited differently"),
        (edit_two_ways("Begin", "Bye", "import os", "import re", ""), "share preamble.py and were edited differently"),
        (
            lambda editor: editor.edit("Begin", lambda text: text.replace("# ---- this box ----\n", "")),
            'box "Begin" has lost or moved one of its two marker lines',
        ),
    ]:
        editor = Choregraphe(xar_of(checkout))
        editor.move("Bye", 999, 999)
        edit(editor)
        with pytest.raises(robot_kit.flow.PullRefused) as refused:
            pull(checkout, editor.saved())
        assert sentence in str(refused.value), sentence


def test_if_one_file_cannot_be_written_none_is(checkout, editor):
    flow_place = "robot_boxes/flow.json"
    before = (checkout / flow_place).read_bytes()
    (checkout / "robot_boxes/in_the_way.py").mkdir()
    with pytest.raises(DeskError):
        robot_kit.pull.write_changes(checkout, {flow_place: "{}", "robot_boxes/in_the_way.py": "x"})
    assert (checkout / flow_place).read_bytes() == before


def test_the_report_names_every_change(checkout, editor):
    editor.move("Ask", 250, 100)
    editor.box("Bye").set("tooltip", "Ends well.")
    editor.edit("Begin", lambda text: text.replace("pass", "self.done()"))
    editor.link(("Ask", "no"), ("Bye", "onStart"))
    sources = robot_kit.sources.read_sources(checkout)
    report = robot_kit.pull.pull_report(sources, pull(checkout, editor.saved()))
    assert report[:3] == [
        'box "Ask" moves from 200, 100 to 250, 100',
        'box "Bye" has other tooltip',
        'link "Ask.no" -> "Bye.onStart" is new',
    ]
    assert "-        pass" in report and "+        self.done()" in report


@settings(max_examples=25, deadline=None)
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
    robot_kit.pull.write_changes(checkout, pull(checkout, editor.saved(seed)))

    flow = robot_kit.sources.read_sources(checkout).flow
    assert {box.name: (box.x, box.y) for box in flow.boxes} == {
        box.name: places.get(box.name, (box.x, box.y)) for box in FLOW.boxes
    }
    new = {FlowLink(End("Ask again", output), End(target, "onStop")) for output, target in links}
    assert flow.links[: len(FLOW.links)] == FLOW.links and {*flow.links[len(FLOW.links) :]} == new
    for name, remark in remarks.items():
        script = (checkout / "robot_boxes" / flow.find_box(name).script).read_text()
        assert script.rstrip().endswith(remark.rstrip())
    first = xar_of(checkout)
    assert xar_of(checkout) == first and pull(checkout, first) == {}
