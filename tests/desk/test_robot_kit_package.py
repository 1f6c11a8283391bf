"""The package a robot installs: complete, lean, the same bytes every time, and refused with reasons."""

import errno
import io
import os
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest
from command_line import process
from interpreters import ROOT, python27
from kit_sources import make_checkout

from jotto_desk import robot_kit
from jotto_desk.errors import DeskError
from jotto_desk.robot_kit import packaging

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
    """Write what the sources give."""
    robot_kit.project.build(root, robot_kit.project.generated(robot_kit.sources.read_sources(root)))
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
    """Make the package of a checkout."""
    python27_command = [python27()] if python else None
    return robot_kit.packaging.package(
        root, robot_kit.sources.read_sources(root, python27_command), python27_command, judge
    )


def test_the_content_of_a_package(checkout):
    made = package(checkout)
    assert (made.name, made.uuid, made.version) == ("jotto-1.2.3.pkg", "small-talk", "1.2.3")
    assert made.python.startswith("2.7.")
    assert made.unused == ()
    files = packaging.unpacked(made.content)
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
            path.write_bytes(packaging.unpacked(content)[place])
            # Any fixed rule from date to time will do.
            stamp = ((day[0] - 2000) * 372 + day[1] * 31 + day[2]) * 86400 + hour * 3600 + minute * 60 + second
            os.utime(path, (stamp, stamp))
        code = f"import sys; sys.path.insert(0, {str(target / 'lib')!r}); from jotto import rules; print(rules.RULES)"
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        assert process(python27(), "-E", "-c", code, env=environ).stdout == rules.rpartition(" ")[2]
        assert (target / "lib/jotto/rules.pyc").is_file()
    # Different content gets different dates.
    found = {packaging.content_date(str(number).encode()) for number in range(2000)}
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
    assert len(made.content) < 450_000
    assert not [place for place in made.files if place.endswith((".pyc", ".md", ".typed")) or "test" in place]


def refusal(root, **options):
    """Return why there is no package, one finding a line."""
    with pytest.raises(robot_kit.flow.KitError) as refused:
        package(root, **options)
    return str(refused.value)


def test_a_project_that_differs_from_its_sources_is_refused(checkout):
    (checkout / "robot_boxes/begin.py").write_text(BEGIN + "# newer\n")
    said = refusal(checkout)
    assert "is not what robot_boxes says; run 'jotto robot build'" in said
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
        (
            "let's play Jotto",
            "let us play a long and winding game of words now",
            "no sentence of at most 5 plain words",
        ),
        ("let's play Jotto", "play, Jotto; 5", 'behavior_1: "play, Jotto; 5" is no sentence of at most 5 plain words'),
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
    assert "icon.png is no PNG" in refusal(checkout)


def test_a_full_disk_is_one_sentence_and_leaves_nothing(checkout, tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))

    def full(*_arguments, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(zipfile.ZipFile, "write", full)
    with pytest.raises(DeskError, match=r"cannot be put together \(No space left on device\)") as said:
        package(checkout)
    assert "\n" not in str(said.value)
    assert list(scratch.iterdir()) == []


def test_without_qibuild_one_line_says_so(checkout, monkeypatch):
    monkeypatch.setitem(sys.modules, "qipkg", None)
    monkeypatch.setitem(sys.modules, "qipkg.builder", None)
    with pytest.raises(DeskError) as said:
        package(checkout)
    assert str(said.value) == "Making a package needs qibuild: pip install 'nao-jotto[package]'."
