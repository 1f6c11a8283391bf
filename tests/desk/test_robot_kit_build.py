"""From sources to the Choregraphe project and its lib, the diagram of the flow, and the jotto robot command."""

import shutil
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from interpreters import ROOT
from kit_sources import FLOW, PREAMBLE, SCRIPTS, Choregraphe, make_checkout, xar_of

from jotto_desk import robot_kit
from jotto_desk.robot_kit.diagram import lay_out_flow as lay_out
from jotto_desk.robot_kit.flow import Box, End, Flow, FlowLink, Port
from jotto_desk.robot_kit.sources import add_preamble, read_sources
from naosim import lint, xar
from naosim_page.layout import END, NAME_SIZE, START, Curve, Point, route

PML = "choregraphe_project/small-talk.pml"
XAR = "choregraphe_project/behavior_1/behavior.xar"
LIBRARY = ["jotto/__init__.py", "jotto/rules.py", "jotto_behaviour/__init__.py", "jotto_behaviour/lines_en.json"]
LIBRARY += ["wordlists/blocked.sha256", "wordlists/en.tree", "wordlists/en.tsv"]


@pytest.fixture
def checkout(tmp_path):
    """Make the small project, built, with files that no robot needs."""
    root = make_checkout(tmp_path / "checkout")
    for place in ("__pycache__/rules.cpython-311.pyc", "tests/test_rules.py"):
        path = root / "src/jotto" / place
        path.parent.mkdir()
        path.write_bytes(b"")
    assert robot_kit.project.build(root, texts(root))
    return root


def texts(root):
    return robot_kit.project.generate_files(robot_kit.sources.read_sources(root))


def content(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def listed(root, pml=PML):
    tree = ElementTree.parse(root / pml)
    return [element.get("src") for element in tree.iter() if element.get("src") and element.tag != "Path"]


def test_the_simulated_robot_reads_the_same_flow(checkout):
    project = xar.parse(str(checkout / XAR))
    (diagram,) = xar.diagrams(project.root)
    assert [(box.name, box.id) for box in diagram.boxes] == [("Begin", 1), ("Ask", 2), ("Ask again", 3), ("Bye", 4)]
    assert [box.script for box in diagram.boxes] == [
        add_preamble(SCRIPTS[box.script], "preamble.py", PREAMBLE) for box in FLOW.boxes
    ]
    asked = diagram.boxes[1]
    ports = [("onLoad", 1, xar.ON_LOAD), ("onStart", 2, xar.ON_START), ("onStop", 3, xar.ON_STOP)]
    assert [(port.name, port.id, port.nature) for port in asked.inputs] == ports
    assert [(port.name, port.id, port.nature) for port in asked.outputs] == [("yes", 4, 1), ("no", 5, 1)]
    assert [(one.name, one.id, one.value, one.low, one.high) for one in asked.parameters] == [("Wait (s)", 6, 8, 1, 60)]
    assert [tuple(link)[:4] for link in diagram.links][:2] == [(0, 2, 1, 2), (1, 4, 2, 2)]
    assert [finding for finding in lint.judge(project) if finding.severity == lint.ERROR] == []


def test_the_files_are_in_the_form_that_choregraphe_expects(checkout):
    raw = (checkout / XAR).read_bytes()
    lines = raw.decode("utf-8").split("\n")
    assert lines[0] == '<?xml version="1.0" encoding="UTF-8" ?>'
    # As Choregraphe 2.1 writes it; the later namespace goes with a .pml of format 5.
    assert lines[1] == (
        '<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">'
    )
    assert 'format_version="4"' in (checkout / PML).read_text(encoding="utf-8")
    assert raw.endswith(b"</ChoregrapheProject>\n") and b"\r" not in raw
    # Children in the order of the schema, and texts that survive quoting.
    order = ["bitmap", "script", "Input", "Output", "Parameter", "Timeline", "Resource"]
    tree = ElementTree.parse(checkout / XAR)
    for box in (element for element in tree.iter() if element.tag.endswith("}Box")):
        tags = [child.tag.rpartition("}")[2] for child in box]
        assert tags == sorted(tags, key=order.index)
    assert {'The <answer> "yes" & more', "Asks.\nListens."} <= {element.get("tooltip") for element in tree.iter()}
    # Only the version of the manifest changes.
    manifest = (checkout / "choregraphe_project/manifest.xml").read_text()
    assert '<package uuid="small-talk" version="1.2.3">' in manifest
    again = make_checkout(checkout / "again") / "choregraphe_project/manifest.xml"
    assert manifest.replace("1.2.3", "0.0.1") == again.read_text()
    folder = checkout / "choregraphe_project/small_answers"
    assert (folder / "small_answers.dlg").read_text() == "multilanguage:small_answers\n  enu:small_answers_enu.top\n"
    assert (folder / "small_answers_enu.top").read_text().startswith("topic: ~small_answers()\nlanguage: enu\n")


def test_scripts_without_a_preamble(tmp_path):
    root = make_checkout(tmp_path, replace(FLOW, preamble=None))
    (root / "robot_boxes/preamble.py").unlink()
    assert b"<![CDATA[class MyClass(GeneratedClass):" in xar_of(root)


def test_differences_between_project_and_sources(checkout):
    assert (
        robot_kit.project.build(checkout, texts(checkout))
        == []
        == robot_kit.project.describe_differences(checkout, texts(checkout))
    )
    pml, before = checkout / PML, (checkout / PML).read_bytes()
    pml.write_bytes(before.replace(b"icon", b"noci"))
    (difference,) = robot_kit.project.describe_differences(checkout, texts(checkout))
    assert f"--- {PML}\n+++ {PML} as the sources say\n" in difference
    assert '\n-        <File name="noci" src="noci.png" />\n+        <File name="icon" src="icon.png" />' in difference
    pml.write_bytes(before.replace(b"\n", b"\r\n"))
    assert robot_kit.project.describe_differences(checkout, texts(checkout)) == [
        f"{PML} differs in its line ends or its last line only"
    ]
    pml.unlink()
    (checkout / XAR).write_text((checkout / XAR).read_text().replace("GeneratedClass", "X"))
    long, missing = robot_kit.project.describe_differences(checkout, texts(checkout))
    assert missing == f"{PML} is missing"
    assert len(long.splitlines()) == 13 and "lines more" in long.splitlines()[-1]
    (checkout / "choregraphe_project/behavior_1/.notes").write_text("")
    robot_kit.project.stage(checkout)
    assert robot_kit.project.list_unknown_files(checkout, texts(checkout)) == ["choregraphe_project/behavior_1/.notes"]


def test_sources_that_do_not_fit_together(tmp_path):
    manifest, topic = "choregraphe_project/manifest.xml", "robot_boxes/small_answers.top"
    for number, (place, before, after, sentence) in enumerate(
        (
            (manifest, b"behavior_1", b"behavior_2", 'no <behaviorContent path="behavior_1">'),
            (manifest, b"small-talk", b"Small Talk", "manifest.xml has no uuid"),
            (manifest, b"<package", b"<parcel", "manifest.xml has no <package"),
            ("src/jotto/__init__.py", b'"1.2.3"', b'"next"', "has no line __version__"),
            (topic, b"~small_answers", b"~other", 'has "topic: ~other()" instead of'),
            (topic, b"language: enu", b"", 'instead of "language: enu"'),
            ("robot_boxes/ask.py", b"\n", b"\n# \xff\n", "line 2 is not UTF-8"),
        )
    ):
        path = make_checkout(tmp_path / str(number)) / place
        path.write_bytes(path.read_bytes().replace(before, after))
        with pytest.raises(robot_kit.flow.FlowRefused) as refused:
            texts(tmp_path / str(number))
        assert sentence in str(refused.value)


def test_staging_matches_lib_to_the_checkout_and_lists_it(checkout):
    staged = robot_kit.project.Staged(added=tuple(LIBRARY), changed=(), removed=(), listed=("small-talk.pml",))
    before, lib = content(checkout), checkout / robot_kit.sources.LIBRARY
    assert "lib/jotto/rules.py" not in listed(checkout)
    assert robot_kit.project.stage(checkout) == staged and sorted(content(lib)) == LIBRARY
    tree = ElementTree.parse(checkout / PML)
    assert [element.get("src") for element in tree.iter("File")] == ["icon.png", *(f"lib/{one}" for one in LIBRARY)]
    assert [element.get("src") for element in tree.iter("Topic")] == ["small_answers/small_answers_enu.top"]
    assert all((checkout / "choregraphe_project" / place).exists() for place in listed(checkout))
    number = lib.stat().st_ino
    assert not robot_kit.project.stage(checkout) and robot_kit.project.build(checkout, texts(checkout)) == []
    assert lib.stat().st_ino == number
    (checkout / "src/jotto/rules.py").write_text("RULES = 6\n")
    (checkout / "src/jotto/game.py").write_text("")
    (lib / "jotto/old.py").write_text("")
    (lib / "jotto/__pycache__").mkdir()
    (lib / "jotto/__pycache__/rules.pyc").write_bytes(b"")
    assert robot_kit.project.is_stale(checkout)
    assert robot_kit.project.stage(checkout) == robot_kit.project.Staged(
        ("jotto/game.py",), ("jotto/rules.py",), ("jotto/old.py",), ("small-talk.pml",)
    )
    assert sorted(content(lib)) == sorted([*LIBRARY, "jotto/game.py"]) and not robot_kit.project.is_stale(checkout)
    (checkout / "src/jotto/game.py").unlink()
    (checkout / "src/jotto/rules.py").write_text("RULES = 5\n")
    assert robot_kit.project.unstage(checkout) and content(checkout) == before
    assert not lib.exists() and not robot_kit.project.unstage(checkout)


def test_every_tree_that_a_robot_can_draw_is_in_its_library():
    held = robot_kit.sources.list_library(ROOT)
    trees = [path.name for code in ("de", "es", "fr") for path in (ROOT / "wordlists").glob(f"{code}*.tree")]
    assert len(trees) >= 21 and [name for name in trees if f"wordlists/{name}" not in held] == []


def test_refresh_changes_only_an_existing_lib(checkout):
    assert not robot_kit.project.refresh(checkout) and not (checkout / robot_kit.sources.LIBRARY).exists()
    robot_kit.project.stage(checkout)
    assert not robot_kit.project.refresh(checkout)
    (checkout / "wordlists/en.tsv").write_text("opera\t10\n")
    (checkout / "src/jotto/game.py").write_text("")
    assert robot_kit.project.refresh(checkout)
    assert (checkout / robot_kit.sources.LIBRARY / "wordlists/en.tsv").read_text() == "opera\t10\n"
    assert "lib/jotto/game.py" in (checkout / PML).read_text()
    assert robot_kit.project.build(checkout, texts(checkout)) == []


def test_choregraphe_misses_no_file_of_the_real_project():
    """In a fresh clone there is no lib; a lib that somebody staged is listed."""
    project = ROOT / "choregraphe_project"
    places = listed(project, "nao-jotto.pml")
    assert [place for place in places if not (project / place).exists()] == []
    assert (project / "lib").is_dir() == any(place.startswith("lib/") for place in places)


def test_a_project_file_saved_by_choregraphe_keeps_its_form(checkout):
    """A build writes ours again."""
    saved = (checkout / PML).read_text().replace('format_version="4"', 'format_version="5"')
    old, icon = '<File name="old" src="lib/jotto/old.py"/>', '<File name="icon" src="icon.png" />'
    saved = saved.replace(f"        {icon}\n", f"  {old}\r\n\t{icon}\r\n")
    (checkout / PML).write_bytes(saved.encode())
    assert robot_kit.project.stage(checkout).listed == ("small-talk.pml",)
    text = (checkout / PML).read_bytes().decode()
    assert 'format_version="5"' in text and '\t<File name="icon" src="icon.png" />\r\n' in text
    assert "lib/jotto/rules.py" in text and "lib/jotto/old.py" not in text
    assert not robot_kit.project.stage(checkout)
    assert robot_kit.project.build(checkout, texts(checkout)) == [PML]


def test_a_copy_of_the_project_with_its_lib(checkout, tmp_path):
    target, lib = tmp_path / "robot", [f"lib/{place}" for place in LIBRARY]
    project = sorted(content(checkout / "choregraphe_project"))
    assert robot_kit.project.stage_to(checkout, target)
    assert sorted(content(target)) == sorted([*lib, *project]) and not (checkout / robot_kit.sources.LIBRARY).exists()
    assert all(f'src="{place}"' in (target / "small-talk.pml").read_text() for place in lib)
    assert not robot_kit.project.stage_to(checkout, target)
    # An earlier copy is renewed from the sources, not from a lib that is out of date.
    robot_kit.project.stage(checkout)
    (checkout / "src/jotto/rules.py").write_text("RULES = 6\n")
    (target / "notes.txt").write_text("")
    changed = robot_kit.project.stage_to(checkout, target)
    assert (changed.changed, changed.removed) == (("lib/jotto/rules.py",), ("notes.txt",))
    assert (target / "lib/jotto/rules.py").read_text() == "RULES = 6\n"
    mine, file = tmp_path / "mine", tmp_path / "file"
    mine.mkdir()
    for path in (mine / "letter.txt", file):
        path.write_text("dear")
    for target, sentence in (
        (mine, "has other files; name a folder that is absent"),
        (file / "robot", "cannot be written"),
        (checkout / "choregraphe_project", "is inside the project"),
        (checkout / "choregraphe_project/copy", "is inside the project"),
    ):
        with pytest.raises(robot_kit.flow.StageRefused, match=sentence):
            robot_kit.project.stage_to(checkout, target)
    assert sorted(content(mine)) == ["letter.txt"]


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


SHIPPED = robot_kit.flow.parse_flow((ROOT / "robot_boxes/flow.json").read_text(encoding="utf-8"))
FLOWS = {"small": FLOW, "star": star(10), "shipped": SHIPPED}


@pytest.mark.parametrize("flow", FLOWS.values(), ids=FLOWS)
def test_a_diagram_is_complete_and_legible(flow):
    def inside(rect, other):
        return (
            other.left <= rect.left
            and rect.right <= other.right
            and other.top <= rect.top
            and rect.bottom <= other.bottom
        )

    layout = lay_out(flow)
    routes, boxes = route(layout), layout.places()
    # All letters have at least 10 pixels in a picture that is 900 pixels wide.
    assert NAME_SIZE * 900 / max(layout.width, 900) >= 10
    rects = [placed.rect for placed in boxes.values()]
    labels = [label for found, label in routes if found.wire.labels]
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
    text = robot_kit.diagram.draw_diagram(FLOW)
    assert text == robot_kit.diagram.draw_diagram(FLOW) and "prefers-color-scheme:dark" in text
    svg = ElementTree.fromstring(text)
    texts = [element.text for element in svg.iter() if element.tag.endswith("}text")]
    assert {box.name for box in FLOW.boxes} <= {*texts}
    assert svg.find("{*}title").text and svg.find("{*}desc").text
    # The same on every computer, and twice in one process.
    assert robot_kit.diagram.draw_diagram(SHIPPED) == (ROOT / "docs/diagram.svg").read_text(encoding="utf-8")


def test_exits_that_many_boxes_share_become_tags_and_outputs_to_one_box_share_a_wire():
    layout = lay_out(star(10))
    assert [(exit.output, exit.target) for exit in layout.exits] == [("giveUp", "Learn")]
    assert [(exit.output, exit.target) for exit in layout.common] == [("stop", "Bye")]
    assert [len(placed.tags) for placed in layout.boxes.values()] == [0, 1] * 5 + [0, 0]
    (wire,) = [wire for wire in lay_out(FLOW).wires if wire.source == "Ask again"]
    assert wire.labels == ("yes", "no")
    # A link to another input says so, and a box may lead to itself.
    more = [FlowLink(End("Ask", "no"), End("Ask again", "onStop")), FlowLink(End("Ask", "no"), End("Ask", "onStart"))]
    boxes = [replace(box, inputs=(*box.inputs, Port("onStop", "bang", "onStop"))) for box in FLOW.boxes]
    layout = lay_out(replace(FLOW, boxes=tuple(boxes), links=(*FLOW.links, *more)))
    assert ("no", "no \u2192 onStop") in [wire.labels for wire in layout.wires]
    wires = [found.wire for found, _ in route(layout)]
    assert [wire.source for wire in wires if wire.source == wire.target] == ["Ask"]


def test_crossings_of_curves():
    start, other_start, other_end = Point(0, 0), Point(0, 10), Point(10.5, 0.3)
    other = Curve(other_start, other_start, other_end, other_end)
    for end, crossings in ((Point(10, 10), 1), (Point(10, 0), 0)):
        assert Curve(start, start, end, end).crossings(other) == crossings


@pytest.fixture
def small_checkout(tmp_path):
    return make_checkout(tmp_path / "checkout")


@pytest.fixture
def jotto(small_checkout, cli):
    return lambda *arguments: cli("robot", *arguments, "--root", small_checkout)


def test_build_and_check(jotto, small_checkout):
    xar = "choregraphe_project/behavior_1/behavior.xar"
    code, out, _ = jotto("check")
    assert code == 1 and f"{xar} is missing\n" in out
    assert "Run 'jotto robot build', after 'jotto robot pull' where the project was edited" in out
    code, out, _ = jotto("build")
    assert code == 0
    assert out.splitlines() == [
        f"Wrote {place}."
        for place in (
            xar,
            "choregraphe_project/small-talk.pml",
            "choregraphe_project/manifest.xml",
            "choregraphe_project/small_answers/small_answers.dlg",
            "choregraphe_project/small_answers/small_answers_enu.top",
            "docs/diagram.svg",
        )
    ]
    assert jotto("build") == (0, "Everything is built already; nothing was written.\n", "")
    assert jotto("picture", "--out", "flow.svg") == (0, "Wrote flow.svg.\n", "")
    assert (small_checkout.parent / "flow.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert jotto("check") == (0, "The Choregraphe project is what robot_boxes says, and in order.\n", "")
    stranger = small_checkout / "choregraphe_project/notes.txt"
    stranger.write_text("")
    assert jotto("check") == (1, "choregraphe_project/notes.txt does not belong there; move it out.\n", "")
    stranger.unlink()
    script = small_checkout / "robot_boxes/bye.py"
    script.write_text(script.read_text().replace("self.done()", "self.finished()"))
    jotto("build")
    code, out, _ = jotto("check")
    assert code == 1 and "finished" in out


def test_stage_refresh_and_remove(jotto, small_checkout, tmp_path):
    jotto("build")
    assert jotto("stage")[1].endswith("listed lib in small-talk.pml\nchoregraphe_project/lib is ready.\n")
    assert jotto("check")[0] == 0
    assert jotto("stage") == (0, "choregraphe_project/lib was ready; nothing was written.\n", "")
    (small_checkout / "src/jotto/rules.py").write_text("RULES = 6\n")
    assert "Refreshed choregraphe_project/lib.\n" in jotto("build")[1]
    assert jotto("stage", "--remove") == (0, "Removed choregraphe_project/lib.\n", "")
    assert jotto("stage", "--remove") == (0, "There is no choregraphe_project/lib; nothing was removed.\n", "")
    assert jotto("build")[1] == "Everything is built already; nothing was written.\n"
    code, _, err = jotto("stage", "--remove", "--to", tmp_path / "robot")
    assert code == 2 and "delete a copy of it" in err and not (tmp_path / "robot").exists()
    code, out, _ = jotto("stage", "--to", tmp_path / "robot")
    assert code == 0 and out.endswith(f"{tmp_path / 'robot'} is ready.\n")
    assert (tmp_path / "robot/lib/jotto/rules.py").is_file()
    # A lib that a person deletes is missing in the project file.
    jotto("stage")
    shutil.rmtree(small_checkout / "choregraphe_project/lib")
    code, out, _ = jotto("check")
    assert code == 1 and "small-talk.pml as the sources say" in out and "Run 'jotto robot build'" in out
    assert jotto("build")[1] == "Wrote choregraphe_project/small-talk.pml.\n"


def test_pull_in_two_steps(jotto, small_checkout, tmp_path):
    jotto("build")
    editor = Choregraphe(xar_of(small_checkout))
    editor.move("Ask", 250, 120)
    (tmp_path / "edited.xar").write_bytes(editor.saved())
    code, out, _ = jotto("pull", "--dry-run", "--xar", tmp_path / "edited.xar")
    assert (code, out) == (0, 'box "Ask" moves from 200, 100 to 250, 120\n')
    assert read_sources(small_checkout).flow == FLOW
    code, out, _ = jotto("pull", "--xar", tmp_path / "edited.xar")
    assert code == 0 and out.endswith("Wrote robot_boxes/flow.json; now run 'jotto robot build'.\n")
    assert jotto("check")[0] == 1
    jotto("build")
    assert jotto("check")[0] == 0
    assert jotto("pull")[1].startswith("Nothing differs between ")


def test_wrong_files_and_folders(cli, small_checkout, tmp_path):
    editor = Choregraphe(xar_of(small_checkout))
    editor.delete("Bye")
    for content, sentence in (
        (editor.saved(), 'nothing reaches "root.onStopped"'),
        (b"", "is empty"),
        (b"<a/>", "starts with <a>"),
        (b"PK", "zip archive"),
        (b"<!DOCTYPE a><a/>", "document type"),
    ):
        (tmp_path / "edited.xar").write_bytes(content)
        code, _, err = cli("robot", "pull", "--xar", "edited.xar", "--root", small_checkout)
        assert code == 2 and sentence in err
    assert read_sources(small_checkout).flow == FLOW
    assert "gone.xar" in cli.refusal("robot", "pull", "--xar", "gone.xar", "--root", small_checkout)
    said = cli.refusal("robot", "build", "--root", tmp_path)
    assert "has no folder robot_boxes; name the project's checkout with --root DIR." in said
