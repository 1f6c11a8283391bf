"""From sources to the Choregraphe project: the content of the files, and the same bytes every time."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from interpreters import ROOT
from kit_sources import FLOW, PREAMBLE, SCRIPTS, make_checkout, xar_of

from jotto_desk import robot_kit
from jotto_desk.robot_kit.sources import with_preamble
from naosim import lint, xar

PML = "choregraphe_project/small-talk.pml"


@pytest.fixture
def checkout(tmp_path):
    """Make the small project, built."""
    root = make_checkout(tmp_path)
    robot_kit.build(root, texts(root))
    return root


def texts(root):
    """Return the files made from the sources."""
    return robot_kit.generated(robot_kit.read_sources(root))


def test_a_second_build_writes_nothing(checkout):
    assert robot_kit.build(checkout, texts(checkout)) == []


def test_the_simulated_robot_reads_the_very_flow(checkout):
    project = xar.parse(str(checkout / "choregraphe_project/behavior_1/behavior.xar"))
    (diagram,) = xar.diagrams(project.root)
    assert [(box.name, box.id) for box in diagram.boxes] == [("Begin", 1), ("Ask", 2), ("Ask again", 3), ("Bye", 4)]
    assert [box.script for box in diagram.boxes] == [
        with_preamble(SCRIPTS[box.script], "preamble.py", PREAMBLE) for box in FLOW.boxes
    ]
    asked = diagram.boxes[1]
    assert [(port.name, port.id, port.nature) for port in asked.inputs] == [
        ("onLoad", 1, xar.ON_LOAD),
        ("onStart", 2, xar.ON_START),
        ("onStop", 3, xar.ON_STOP),
    ]
    assert [(port.name, port.id, port.nature) for port in asked.outputs] == [("yes", 4, 1), ("no", 5, 1)]
    assert [(one.name, one.id, one.value, one.low, one.high) for one in asked.parameters] == [("Wait (s)", 6, 8, 1, 60)]
    assert [tuple(link)[:4] for link in diagram.links][:2] == [(0, 2, 1, 2), (1, 4, 2, 2)]
    assert [finding for finding in lint.judge(project) if finding.severity == lint.ERROR] == []


def test_the_first_lines_are_those_choregraphe_looks_for(checkout):
    raw = (checkout / "choregraphe_project/behavior_1/behavior.xar").read_bytes()
    lines = raw.decode("utf-8").split("\n")
    assert lines[0] == '<?xml version="1.0" encoding="UTF-8" ?>'
    # As Choregraphe 2.1 writes it; the later namespace goes with a .pml of format 5.
    assert lines[1] == (
        '<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">'
    )
    assert 'format_version="4"' in (checkout / PML).read_text(encoding="utf-8")
    assert raw.endswith(b"</ChoregrapheProject>\n") and b"\r" not in raw


def test_every_child_stands_in_the_order_of_the_schema(checkout):
    order = ["bitmap", "script", "Input", "Output", "Parameter", "Timeline", "Resource"]
    tree = ElementTree.parse(checkout / "choregraphe_project/behavior_1/behavior.xar")
    for box in (element for element in tree.iter() if element.tag.endswith("}Box")):
        tags = [child.tag.rpartition("}")[2] for child in box]
        assert tags == sorted(tags, key=order.index)


def test_texts_survive_quoting(checkout):
    tree = ElementTree.parse(checkout / "choregraphe_project/behavior_1/behavior.xar")
    tooltips = {element.get("tooltip") for element in tree.iter()}
    assert {'The <answer> "yes" & more', "Asks.\nListens."} <= tooltips


def test_the_manifest_is_stamped_and_otherwise_left_alone(checkout):
    manifest = (checkout / "choregraphe_project/manifest.xml").read_text()
    assert '<package uuid="small-talk" version="1.2.3">' in manifest
    assert (
        manifest.replace("1.2.3", "0.0.1")
        == make_checkout(checkout / "again").joinpath("choregraphe_project/manifest.xml").read_text()
    )


def listed(root, pml=PML):
    """List every place a `.pml` names."""
    tree = ElementTree.parse(root / pml)
    return [element.get("src") for element in tree.iter() if element.get("src") and element.tag != "Path"]


@pytest.mark.parametrize("is_built_again", [False, True])
def test_the_project_file_of_a_staged_project_lists_what_the_robot_needs(checkout, is_built_again):
    robot_kit.stage(checkout)
    if is_built_again:
        assert robot_kit.build(checkout, texts(checkout)) == []
    tree = ElementTree.parse(checkout / PML)
    assert [element.get("src") for element in tree.iter("File")] == [
        "icon.png",
        "lib/jotto/__init__.py",
        "lib/jotto/rules.py",
        "lib/jotto_behaviour/__init__.py",
        "lib/jotto_behaviour/lines_en.json",
        "lib/wordlists/blocked.sha256",
        "lib/wordlists/en.tree",
        "lib/wordlists/en.tsv",
    ]
    assert [element.get("src") for element in tree.iter("Topic")] == ["small_answers/small_answers_enu.top"]


@pytest.mark.parametrize("is_staged", [False, True])
def test_everything_listed_is_there(checkout, is_staged):
    if is_staged:
        robot_kit.stage(checkout)
    assert [place for place in listed(checkout) if not (checkout / "choregraphe_project" / place).exists()] == []
    assert is_staged == ("lib/jotto/rules.py" in listed(checkout))


def test_choregraphe_misses_no_file_of_the_real_project():
    """In a fresh clone there is no lib; where somebody staged one, it is listed."""
    project = ROOT / "choregraphe_project"
    places = listed(project, "nao-jotto.pml")
    assert [place for place in places if not (project / place).exists()] == []
    assert (project / "lib").is_dir() == any(place.startswith("lib/") for place in places)


def test_a_project_file_saved_by_choregraphe_is_staged_too(checkout):
    """It keeps what the maker's program wrote, in its own form; a build writes ours again."""
    saved = (
        (checkout / PML)
        .read_text()
        .replace('format_version="4"', 'format_version="5"')
        .replace(
            '        <File name="icon" src="icon.png" />\n',
            '  <File name="old" src="lib/jotto/old.py"/>\r\n\t<File name="icon" src="icon.png" />\r\n',
        )
    )
    (checkout / PML).write_bytes(saved.encode())
    assert robot_kit.stage(checkout).listed == ("small-talk.pml",)
    text = (checkout / PML).read_bytes().decode()
    assert 'format_version="5"' in text and '\t<File name="icon" src="icon.png" />\r\n' in text
    assert "lib/jotto/rules.py" in text and "lib/jotto/old.py" not in text
    assert not robot_kit.stage(checkout)
    assert robot_kit.build(checkout, texts(checkout)) == [PML]


def test_the_topic_and_its_list(checkout):
    folder = checkout / "choregraphe_project/small_answers"
    assert (folder / "small_answers.dlg").read_text() == "multilanguage:small_answers\n  enu:small_answers_enu.top\n"
    assert (folder / "small_answers_enu.top").read_text().startswith("topic: ~small_answers()\nlanguage: enu\n")


def test_a_changed_file_is_shown_as_a_short_diff(checkout):
    path = checkout / PML
    path.write_text(path.read_text().replace("icon", "noci"))
    (difference,) = robot_kit.differences(checkout, texts(checkout))
    assert f"--- {PML}\n+++ {PML} as the sources say\n" in difference
    assert '\n-        <File name="noci" src="noci.png" />\n+        <File name="icon" src="icon.png" />' in difference


def test_a_missing_and_a_long_changed_file(checkout):
    (checkout / PML).unlink()
    path = checkout / "choregraphe_project/behavior_1/behavior.xar"
    path.write_text(path.read_text().replace("GeneratedClass", "X"))
    long, missing = robot_kit.differences(checkout, texts(checkout))
    assert missing == f"{PML} is missing"
    assert len(long.splitlines()) == 13 and "lines more" in long.splitlines()[-1]


def test_other_line_ends_differ_too(checkout):
    path = checkout / PML
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert robot_kit.differences(checkout, texts(checkout)) == [f"{PML} differs in its line ends or its last line only"]


def test_a_file_that_was_not_built_is_found(checkout):
    (checkout / "choregraphe_project/behavior_1/.notes").write_text("")
    robot_kit.stage(checkout)
    assert robot_kit.strangers(checkout, texts(checkout)) == ["choregraphe_project/behavior_1/.notes"]


def test_without_a_preamble_the_script_stands_alone(tmp_path):
    root = make_checkout(tmp_path, replace(FLOW, preamble=None))
    (root / "robot_boxes/preamble.py").unlink()
    assert b"<![CDATA[class MyClass(GeneratedClass):" in xar_of(root)


@pytest.mark.parametrize(
    "place, before, after, sentence",
    [
        ("choregraphe_project/manifest.xml", "behavior_1", "behavior_2", 'no <behaviorContent path="behavior_1">'),
        ("choregraphe_project/manifest.xml", "small-talk", "Small Talk", "manifest.xml has no uuid"),
        ("choregraphe_project/manifest.xml", "<package", "<parcel", "manifest.xml has no <package"),
        ("src/jotto/__init__.py", '"1.2.3"', '"next"', "has no line __version__"),
        ("robot_boxes/small_answers.top", "~small_answers", "~other", 'holds "topic: ~other()" where'),
        ("robot_boxes/small_answers.top", "language: enu", "", 'where "language: enu" is needed'),
    ],
)
def test_sources_that_do_not_fit_together(tmp_path, place, before, after, sentence):
    root = make_checkout(tmp_path)
    path = root / place
    path.write_text(path.read_text().replace(before, after))
    with pytest.raises(robot_kit.FlowRefused) as refused:
        texts(root)
    assert sentence in str(refused.value)


def test_a_source_that_is_not_utf8(tmp_path):
    root = make_checkout(tmp_path)
    (root / "robot_boxes/ask.py").write_bytes(b"x = 1\n# \xff\n")
    with pytest.raises(robot_kit.FlowRefused, match="line 2 is not UTF-8"):
        texts(root)
