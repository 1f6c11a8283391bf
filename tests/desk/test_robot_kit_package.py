"""The package a robot installs, and flow.json: the same every time, or refused with reasons."""

import errno
import io
import json
import os
import sys
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as some
from interpreters import ROOT, python27
from kit_sources import ASK_LINKS, FLOW, NO, SCRIPTS, WAIT, YES, make_checkout
from processes import process

from jotto_desk import robot_kit
from jotto_desk.errors import DeskError
from jotto_desk.robot_kit import packaging
from jotto_desk.robot_kit.flow import Box, End, Flow, FlowLink, Parameter, Port, check_flow
from jotto_desk.robot_kit.sources import check_scripts

MANIFEST = (ROOT / "choregraphe_project/manifest.xml").read_text(encoding="utf-8")
ICON = (ROOT / "choregraphe_project/icon.png").read_bytes()
#: What the small project's boxes import, so that its package is complete.
BEGIN = """import threading


class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onInput_onStart(self):
        from jotto.rules import RULES
        import jotto_behaviour
        self.done()

    def onInput_onStop(self):
        pass
"""


def built(root):
    robot_kit.project.build(root, robot_kit.project.generate_files(robot_kit.sources.read_sources(root)))
    return root


@pytest.fixture
def checkout(tmp_path):
    """Make the small project, with everything a package needs."""
    root = make_checkout(tmp_path / "checkout")
    (root / "choregraphe_project/manifest.xml").write_text(MANIFEST.replace("nao-jotto", "small-talk"))
    (root / "choregraphe_project/icon.png").write_bytes(ICON)
    (root / "robot_boxes/begin.py").write_text(BEGIN)
    return built(root)


def package(root, python=True, judge=lambda xar: []):
    python27_command = [python27()] if python else None
    return robot_kit.packaging.make_package(
        root, robot_kit.sources.read_sources(root, python27_command), python27_command, judge
    )


def test_the_content_of_a_package(checkout):
    made = package(checkout)
    assert (made.name, made.uuid, made.version) == ("jotto-1.2.3.pkg", "small-talk", "1.2.3")
    assert made.python.startswith("2.7.")
    assert made.unused == ()
    files = packaging.unzip_files(made.content)
    lib = "jotto/__init__.py jotto/rules.py jotto_behaviour/__init__.py jotto_behaviour/lines_en.json"
    lib += " wordlists/blocked.sha256 wordlists/en.tree wordlists/en.tsv"
    rest = "behavior_1/behavior.xar icon.png manifest.xml small_answers/small_answers.dlg "
    rest += "small_answers/small_answers_enu.top"
    assert sorted(files) == sorted([*(f"lib/{place}" for place in lib.split()), *rest.split()])
    assert made.files == {place: len(content) for place, content in files.items()}
    assert b'version="1.2.3"' in files["manifest.xml"]
    with zipfile.ZipFile(io.BytesIO(made.content)) as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted(files)
    assert {(entry.external_attr >> 16, entry.create_system, entry.compress_type) for entry in entries} == {
        (0o100644, 3, zipfile.ZIP_DEFLATED)
    }
    assert all(2000 <= entry.date_time[0] < 2020 for entry in entries)


def test_the_same_bytes_in_every_place_and_at_every_time(checkout, tmp_path):
    other = make_checkout(tmp_path / "other")
    for place in ("choregraphe_project/manifest.xml", "choregraphe_project/icon.png", "robot_boxes/begin.py"):
        (other / place).write_bytes((checkout / place).read_bytes())
    built(other)
    for path in other.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    assert package(other).content == package(checkout).content


def test_a_changed_file_gets_another_date_so_that_no_old_byte_code_runs(checkout, tmp_path):
    """Two packages of the same version, unpacked over each other with their dates, byte code of the first kept."""

    def dates(content):
        with zipfile.ZipFile(io.BytesIO(content)) as made:
            return {entry.filename: entry.date_time for entry in made.infolist()}

    target, before = tmp_path / "robot", {}
    for rules in ("RULES = 5\n", "RULES = 6\n"):
        (checkout / "src/jotto/rules.py").write_text(rules)
        content = package(checkout).content
        changed = {place for place, date in before.items() if dates(content)[place] != date}
        assert changed == ({"lib/jotto/rules.py"} if before else set())
        before = dates(content)
        for place, (*day, hour, minute, second) in dates(content).items():
            path = target / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(packaging.unzip_files(content)[place])
            # Any fixed rule from date to time will do.
            stamp = ((day[0] - 2000) * 372 + day[1] * 31 + day[2]) * 86400 + hour * 3600 + minute * 60 + second
            os.utime(path, (stamp, stamp))
        code = f"import sys; sys.path.insert(0, {str(target / 'lib')!r}); from jotto import rules; print(rules.RULES)"
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        assert process(python27(), "-E", "-c", code, env=environ).stdout == rules.rpartition(" ")[2]
        assert (target / "lib/jotto/rules.pyc").is_file()
    # Different content gets different dates.
    found = {packaging.derive_date(str(number).encode()) for number in range(2000)}
    assert len(found) == 2000


def test_qipkg_accepts_the_real_package(tmp_path):
    """Takes seconds: the maker's own tool looks at the real package."""
    made = package(ROOT)
    target = tmp_path / made.name
    target.write_bytes(made.content)
    qipkg = Path(sys.executable).with_name("qipkg")
    finished = process(qipkg, "validate-package", target)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "satisfies default package requirements" in finished.stdout
    # It has 459,237 bytes.
    assert len(made.content) < 465_000
    assert not [place for place in made.files if place.endswith((".pyc", ".md", ".typed")) or "test" in place]


def refusal(root, **options):
    """Return why there is no package, one finding a line."""
    with pytest.raises(robot_kit.flow.KitError) as refused:
        package(root, **options)
    return str(refused.value)


def test_a_project_that_differs_from_its_sources_is_refused(checkout):
    (checkout / "robot_boxes/begin.py").write_text(BEGIN + "# newer\n")
    said = refusal(checkout)
    assert "does not match robot_boxes; run 'jotto robot build'" in said
    assert "choregraphe_project/behavior_1/behavior.xar" in said


def test_modules_that_the_robot_cannot_run_are_named(checkout):
    # The text of a module, and what is wrong with it; "" if a robot can run it.
    no_numpy = "jotto/rules.py, line 1 imports numpy, which the robot does not have; put it into lib."
    gone = "imports jotto.gone, which the robot does not have"
    for source, finding in [
        ("import numpy\n", no_numpy),
        ("import typing\n", "jotto/rules.py, line 1 imports typing, which the robot does not have; put it into lib."),
        ("from . import nowhere\nfrom .gone import x\n", f"jotto/rules.py, line 2 {gone}"),
        ("def f():\n    import jotto.gone\n", f"jotto/rules.py, line 2 {gone}"),
        ("try:\n    import numpy\nexcept ImportError:\n    raise ImportError('no numpy')\n", "imports numpy"),
        ("f'{1}'\n", "jotto/rules.py does not compile on Python 2.7."),
        ("def f(*, a):\n    pass\n", "jotto/rules.py does not compile on Python 2.7."),
        ("x = 'é'\n", "jotto/rules.py does not compile on Python 2.7."),
        ("print 'x'\n", "jotto/rules.py does not compile on Python 2.7."),
        ("try:\n    import numpy\nexcept ImportError:\n    numpy = None\n", ""),
        ("MYPY = False\nif MYPY:\n    from typing import Any\n", ""),
        ("from __future__ import absolute_import\nimport Queue, qi\nimport json, threading\n", ""),
        ("from jotto import rules\nimport jotto_behaviour\n", ""),
        ("# coding: utf-8\nx = 'é'\n", ""),
    ]:
        (checkout / "src/jotto/rules.py").write_text(source, encoding="utf-8")
        if finding:
            assert finding in refusal(checkout), source
        else:
            assert package(checkout).python.startswith("2.7"), source
    # Without Python 2.7, this Python checks the modules.
    (checkout / "src/jotto/rules.py").write_text("import Queue, json\nRULES = 5\n")
    assert package(checkout, python=False).python == ".".join(map(str, sys.version_info[:3]))
    (checkout / "src/jotto/rules.py").write_text("import numpy\n")
    assert no_numpy in refusal(checkout, python=False)


def test_box_scripts_are_checked_too(checkout):
    (checkout / "robot_boxes/bye.py").write_text("import requests\n" + BEGIN)
    built(checkout)
    assert "bye.py, line " in refusal(checkout) and "imports requests" in refusal(checkout)


def test_modules_that_nothing_imports_are_named(checkout):
    (checkout / "src/jotto/idle.py").write_text("")
    (checkout / "src/jotto/rules.py").write_text("from . import used\n")
    (checkout / "src/jotto/used.py").write_text("")
    built(checkout)
    assert package(checkout).unused == ("jotto/idle.py",)


def test_the_behaviour_is_checked(checkout):
    seen = []

    def judge(xar):
        seen.append(xar.name)
        return ["behavior.xar: root: A link leads nowhere."]

    assert refusal(checkout, judge=judge).endswith("  - behavior.xar: root: A link leads nowhere.")
    assert seen == ["behavior.xar"]


def test_wrong_manifests_and_icons_are_refused(checkout):
    path = checkout / "choregraphe_project/manifest.xml"
    right = path.read_text()
    # A text in the manifest, its replacement, and what is wrong then.
    for old, new, said in [
        ("let's play Jotto", "play a long and winding game of words now", "not a sentence of at most 5 plain"),
        (
            "let's play Jotto",
            "play, Jotto; 5",
            'behavior_1: "play, Jotto; 5" is not a sentence of at most 5 plain words',
        ),
        ('<sentence lang="en_US">Just', '<sentence lang="it_IT">Just', "is in it_IT, which supportedLanguages lacks"),
        (
            "<language>es_ES</language>\n  </supported",
            "<language>es_ES</language>\n<language>it_IT</language>\n</supported",
            "behavior_1 has no triggerSentences in it_IT; write one.",
        ),
        ('<robotRequirement model="NAO" />', "<robotRequirement />", "A robot requirement has no model defined."),
        ('<naoqiRequirement minVersion="2.1" />', "", "NAOqi requirements are missing."),
        (
            '<name lang="es_ES">Jotto</name>\n  </names>\n  <descriptions>',
            "</names>\n<descriptions>",
            "is not defined for",
        ),
    ]:
        assert old in right
        path.write_text(right.replace(old, new, 1))
        assert said in refusal(checkout), said
    path.write_text(right)
    (checkout / "choregraphe_project/icon.png").write_bytes(b"GIF89a")
    assert "icon.png is not a PNG" in refusal(checkout)


def test_a_full_disk_is_one_sentence_and_leaves_nothing(checkout, tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))

    def full(*_arguments, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(zipfile.ZipFile, "write", full)
    with pytest.raises(DeskError, match=r"cannot be assembled \(No space left on device\)") as said:
        package(checkout)
    assert "\n" not in str(said.value)
    assert list(scratch.iterdir()) == []


def test_without_qibuild_one_line_says_so(checkout, monkeypatch):
    monkeypatch.setitem(sys.modules, "qipkg", None)
    monkeypatch.setitem(sys.modules, "qipkg.builder", None)
    with pytest.raises(DeskError) as said:
        package(checkout)
    assert (str(said.value), said.value.extra) == ("Making a package needs qibuild", "package")


TEXT = some.text(some.characters(exclude_categories=("Cs", "Cc")), max_size=20)
NAME = some.text("abcdefghij (?)", min_size=1, max_size=8)


def ports(natures):
    types = some.sampled_from(["bang", "string", "number", "dynamic"])
    return some.builds(Port, NAME, types, some.sampled_from(natures), TEXT)


PARAMETERS = some.one_of(
    some.builds(Parameter, NAME, some.just("string"), TEXT, TEXT, choices=some.lists(TEXT, max_size=3).map(tuple)),
    some.builds(Parameter, NAME, some.just("bool"), some.booleans(), TEXT),
    some.builds(Parameter, NAME, some.just("int"), some.integers(-9, 9), TEXT, some.just(-9), some.just(9)),
    some.builds(Parameter, NAME, some.just("double"), some.floats(-2, 2), TEXT, some.just(-2.0), some.just(2.0)),
)
BOXES = some.builds(
    Box,
    NAME,
    some.just("ask.py"),
    TEXT,
    some.integers(-900, 900),
    some.integers(-900, 900),
    some.lists(ports(["event", "onStart", "onStop"]), max_size=3).map(tuple),
    some.lists(ports(["stopped", "punctual"]), max_size=3).map(tuple),
    some.lists(PARAMETERS, max_size=2).map(tuple),
    some.lists(TEXT, max_size=2).map(tuple),
)
ENDS = some.builds(End, NAME, some.text("xyz", min_size=1, max_size=4))
FLOWS = some.builds(
    Flow,
    some.just("behavior_1"),
    some.sampled_from([None, "preamble.py"]),
    some.lists(BOXES, max_size=4).map(tuple),
    some.lists(some.builds(FlowLink, ENDS, ENDS), max_size=5).map(tuple),
)


@given(FLOWS)
def test_what_is_written_is_read_back(flow):
    assert robot_kit.flow.parse_flow(robot_kit.flow.format_flow(flow)) == flow


@given(some.recursive(some.none() | some.booleans() | some.integers() | TEXT, some.lists, max_leaves=6))
def test_other_json_is_refused_with_a_sentence(value):
    with pytest.raises(robot_kit.flow.FlowRefused):
        robot_kit.flow.parse_flow(json.dumps(value))


def test_refused_json():
    def linked(link):
        record = json.loads(robot_kit.flow.format_flow(FLOW))
        return json.dumps({**record, "links": [link]})

    def changed(**fields):
        record = json.loads(robot_kit.flow.format_flow(FLOW))
        record["boxes"][0].update(fields)
        return json.dumps(record)

    for text, sentence in [
        ("{", "flow.json is not JSON"),
        ("[" * 100_000, "flow.json is not JSON"),
        ("{}", 'flow.json has no field "behaviour"; add it.'),
        (changed(x="left"), 'box "Begin" has "x": \'left\'; write a whole number'),
        (changed(x=True), 'box "Begin" has "x": True; write a whole number'),
        (changed(x=10**9), 'box "Begin" has "x": 1000000000; write a whole number'),
        (changed(toltip="?"), 'box "Begin" has a field "toltip" that has no meaning in this file'),
        (changed(outputs=[{"name": "a", "type": "bong", "nature": "stopped"}]), "write one of dynamic, bang"),
        (changed(outputs=7), 'box "Begin" has "outputs": 7; write a list'),
        (changed(parameters=[{"name": "a", "type": "int", "value": None}]), 'has no field "value"'),
        (changed(parameters=[{"name": "a", "type": "int", "value": 1, "max": "x"}]), "write a number"),
        (changed(tooltip="x" * 501), "write a text of at most 500 characters"),
        (changed(tooltip="\x07"), "write a text of at most 500 characters"),
        (" " * 1_000_001, "flow.json has 1000001 characters"),
        *(
            (linked(link), "a link ")
            for link in ("Begin.done", ["a.b"], ["a.b", 7], ["nodot", "a.b"], [".b", "a.b"], ["a.", "a.b"])
        ),
    ]:
        with pytest.raises(robot_kit.flow.FlowRefused) as refused:
            robot_kit.flow.parse_flow(text)
        assert sentence in str(refused.value), text[:100]


def with_box(number, **fields):
    boxes = list(FLOW.boxes)
    boxes[number] = replace(boxes[number], **fields)
    return replace(FLOW, boxes=tuple(boxes))


def test_refused_flows():
    def with_parameter(**fields):
        return with_box(1, parameters=(replace(WAIT, **fields),))

    def with_link(emitter, receiver):
        return replace(FLOW, links=(*FLOW.links, FlowLink(End(*emitter), End(*receiver))))

    mood, start = Parameter("Mood", "string", "sad", choices=("calm", "merry")), ("Bye", "onStart")
    stopped = FlowLink(End("root", "onStop"), End("Begin", "onStart"))
    assert check_flow(FLOW) == [] and check_scripts(SCRIPTS) == []
    for flow, sentence in [
        (replace(FLOW, behaviour="../x"), 'the behaviour is named "../x"'),
        (replace(FLOW, preamble="../x.py"), 'the preamble is named "../x.py"'),
        (replace(FLOW, boxes=(), links=()), "there are no boxes; add at least one."),
        (with_box(1, name="Begin"), 'two boxes are named "Begin"; rename one of them.'),
        (with_box(1, name="root"), 'a box is named "root"'),
        (with_box(1, script="../x.py"), 'box "Ask" has the script "../x.py"'),
        (with_box(1, outputs=(YES, NO, YES)), 'box "Ask" has two ports or parameters "yes"; rename one of them.'),
        (with_box(1, outputs=(YES, NO, Port("a.b", "bang", "stopped"))), 'box "Ask" has a port or parameter "a.b"'),
        (with_box(1, outputs=(YES, NO, Port("onLoad", "bang", "stopped"))), '"Ask" has a port or parameter "onLoad"'),
        (with_parameter(value="8"), 'parameter "Wait (s)" of box "Ask" is \'8\'; write a whole number.'),
        (with_parameter(value=True), 'parameter "Wait (s)" of box "Ask" is True; write a whole number.'),
        (with_parameter(value=61), "is 61; choose a value from 1 to 60."),
        (with_parameter(minimum=None), 'lacks a range; write "min" and "max".'),
        (with_parameter(choices=("1",)), 'is int; only a string can have "choices".'),
        (with_parameter(type="bool", value=True), 'is bool; remove its "min" and "max".'),
        (with_box(0, parameters=(mood,)), "is 'sad'; choose one of calm, merry."),
        (with_link(("Beginn", "done"), start), '"Beginn.done" -> "Bye.onStart" names the box "Beginn", which does not'),
        (with_link(("Ask", "maybe"), start), 'names "maybe", but box "Ask" has no such output; choose from: yes, no.'),
        (with_link(("Ask", "onStart"), start), 'names "onStart", but box "Ask" has no such output'),
        (with_link(("Ask", "yes"), ("Bye", "done")), 'box "Bye" has no such input or parameter; choose from: onStart'),
        (with_link(("root", "onStopped"), start), "the root box has no such output"),
        (with_link(("Ask", "yes"), ("root", "onStart")), "the root box has no such input or parameter"),
        (with_link(("Ask", "yes"), start), 'the link ["Ask.yes" -> "Bye.onStart"] is listed twice'),
        (replace(FLOW, links=FLOW.links[:-1]), 'nothing reaches "root.onStopped"'),
        (replace(FLOW, links=FLOW.links[1:]), 'box "Begin" is never started'),
        (replace(FLOW, links=(stopped, *FLOW.links[1:])), 'box "Begin" is never started'),
        (replace(FLOW, links=ASK_LINKS), 'box "Ask again" is never started'),
    ]:
        assert sentence in "\n".join(check_flow(flow)), sentence


def test_a_link_to_a_parameter_is_allowed_and_starts_no_box():
    flow = with_box(0, outputs=(*FLOW.boxes[0].outputs, Port("seconds", "number", "punctual")))
    start = FlowLink(End("root", "onStart"), End("Begin", "onStart"))
    set_parameter = FlowLink(End("Begin", "seconds"), End("Ask", "Wait (s)"))
    assert check_flow(replace(flow, links=(*flow.links, set_parameter))) == []
    findings = check_flow(replace(flow, links=(start, set_parameter)))
    assert 'box "Ask" is never started; link an output' in "\n".join(findings)


def test_refused_scripts():
    for script, sentence in (
        ("x = (\n", "say.py does not compile on Python 3"),
        ("print 'x'\n", "say.py does not compile on Python 3"),
        ("x = 1\ny = '\xe9'\n", "say.py, line 2 has '\xe9'; box scripts are plain ASCII."),
        ("x = a[b[0]]>1\n", 'say.py, line 1 has "]]>"'),
        ("# ---- this box ----\n", "say.py, line 1 is one of the kit's own marker lines"),
        ("x = 1\0\n", "say.py, line 1 has '\\x00'"),
        ("#" * 100_001, "say.py has 100001 characters"),
    ):
        assert sentence in "\n".join(check_scripts({"say.py": script})), sentence


def test_all_findings_come_at_once(tmp_path):
    make_checkout(tmp_path, with_box(1, name="Begin"))
    (tmp_path / "robot_boxes/bye.py").unlink()
    (tmp_path / "robot_boxes/left_over.py").write_text("")
    with pytest.raises(robot_kit.flow.FlowRefused) as refused:
        robot_kit.sources.read_sources(tmp_path)
    text = str(refused.value)
    assert 'two boxes are named "Begin"' in text
    assert '"Bye" needs the script bye.py, which is not in robot_boxes' in text
    assert "no box uses robot_boxes/left_over.py" in text
