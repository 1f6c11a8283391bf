"""The package a robot installs: complete, lean, the same bytes every time, and refused with reasons."""

import errno
import io
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest
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
    robot_kit.build(root, robot_kit.generated(robot_kit.read_sources(root)))
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
    return robot_kit.package(root, robot_kit.read_sources(root, python27_command), python27_command, judge)


def test_what_is_in_it(checkout):
    made = package(checkout)
    assert (made.name, made.uuid, made.version) == ("jotto-1.2.3.pkg", "small-talk", "1.2.3")
    assert made.python.startswith("2.7.")
    assert made.unused == ()
    files = packaging.unpacked(made.content)
    assert sorted(files) == [
        "behavior_1/behavior.xar",
        "icon.png",
        "lib/jotto/__init__.py",
        "lib/jotto/rules.py",
        "lib/jotto_behaviour/__init__.py",
        "lib/jotto_behaviour/lines_en.json",
        "lib/wordlists/blocked.sha256",
        "lib/wordlists/en.tree",
        "lib/wordlists/en.tsv",
        "manifest.xml",
        "small_answers/small_answers.dlg",
        "small_answers/small_answers_enu.top",
    ]
    assert made.files == {place: len(content) for place, content in files.items()}
    assert b'version="1.2.3"' in files["manifest.xml"]


def test_the_same_bytes_wherever_and_whenever(checkout, tmp_path):
    other = make_checkout(tmp_path / "other")
    for place in ("choregraphe_project/manifest.xml", "choregraphe_project/icon.png", "robot_boxes/begin.py"):
        (other / place).write_bytes((checkout / place).read_bytes())
    built(other)
    for path in other.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    assert package(other).content == package(checkout).content


def test_every_entry_is_plain(checkout):
    with zipfile.ZipFile(io.BytesIO(package(checkout).content)) as made:
        entries = made.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {(entry.external_attr >> 16, entry.create_system, entry.compress_type) for entry in entries} == {
        (0o100644, 3, zipfile.ZIP_DEFLATED)
    }
    assert not [entry for entry in entries if entry.is_dir() or entry.filename.endswith((".pyc", ".typed"))]
    assert all(2000 <= entry.date_time[0] < 2020 for entry in entries)


def dates(content):
    """List the date of every entry."""
    with zipfile.ZipFile(io.BytesIO(content)) as made:
        return {entry.filename: entry.date_time for entry in made.infolist()}


def test_a_changed_file_gets_another_date_and_the_others_keep_theirs(checkout):
    before = dates(package(checkout).content)
    (checkout / "src/jotto/rules.py").write_text("RULES = 6\n")
    after = dates(package(checkout).content)
    assert {place for place in before if before[place] != after[place]} == {"lib/jotto/rules.py"}


def test_the_robots_python_runs_no_stale_byte_code(checkout, tmp_path):
    """Two packages of the same version, unpacked over each other with their dates, byte code of the first kept."""
    target = tmp_path / "robot"
    for rules in ("RULES = 5\n", "RULES = 6\n"):
        (checkout / "src/jotto/rules.py").write_text(rules)
        content = package(checkout).content
        for place, (*day, hour, minute, second) in dates(content).items():
            path = target / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(packaging.unpacked(content)[place])
            # Any fixed rule from date to time will do.
            stamp = ((day[0] - 2000) * 372 + day[1] * 31 + day[2]) * 86400 + hour * 3600 + minute * 60 + second
            os.utime(path, (stamp, stamp))
        code = f"import sys; sys.path.insert(0, {str(target / 'lib')!r}); from jotto import rules; print(rules.RULES)"
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        ran = subprocess.run(
            [python27(), "-E", "-c", code], capture_output=True, text=True, check=True, env=environ, timeout=60
        )
        assert ran.stdout == rules.rpartition(" ")[2]
        assert (target / "lib/jotto/rules.pyc").is_file()


def test_qipkg_accepts_the_whole_game(tmp_path):
    """Takes seconds: the maker's own tool looks at the real package."""
    made = package(ROOT)
    target = tmp_path / made.name
    target.write_bytes(made.content)
    qipkg = Path(sys.executable).with_name("qipkg")
    finished = subprocess.run(
        [qipkg, "validate-package", str(target)], capture_output=True, text=True, check=False, timeout=120
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "satisfies default package requirements" in finished.stdout
    assert len(made.content) < 450_000
    assert not [place for place in made.files if place.endswith((".pyc", ".md", ".typed")) or "test" in place]


def refusal(root, **options):
    """Return why there is no package, one finding a line."""
    with pytest.raises(robot_kit.KitError) as refused:
        package(root, **options)
    return str(refused.value)


def test_a_project_that_is_not_built(checkout):
    (checkout / "robot_boxes/begin.py").write_text(BEGIN + "# newer\n")
    said = refusal(checkout)
    assert "is not what robot_boxes says; run 'jotto robot build'" in said
    assert "choregraphe_project/behavior_1/behavior.xar" in said


@pytest.mark.parametrize(
    "source, finding",
    [
        ("import numpy\n", "jotto/rules.py, line 1 imports numpy, which the robot does not have; put it into lib."),
        ("import typing\n", "jotto/rules.py, line 1 imports typing, which the robot does not have; put it into lib."),
        ("from . import nowhere\nfrom .gone import x\n", "jotto/rules.py, line 2 imports jotto.gone, which the robot"),
        (
            "def f():\n    import jotto.gone\n",
            "jotto/rules.py, line 2 imports jotto.gone, which the robot does not have",
        ),
        ("f'{1}'\n", "jotto/rules.py does not compile on Python 2.7."),
        ("def f(*, a):\n    pass\n", "jotto/rules.py does not compile on Python 2.7."),
        ("x = 'é'\n", "jotto/rules.py does not compile on Python 2.7."),
        ("print 'x'\n", "jotto/rules.py does not compile on Python 2.7."),
    ],
)
def test_sources_the_robot_cannot_run(checkout, source, finding):
    (checkout / "src/jotto/rules.py").write_text(source, encoding="utf-8")
    assert finding in refusal(checkout)


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n",
        "MYPY = False\nif MYPY:\n    from typing import Any\n",
        "from __future__ import absolute_import\nimport Queue, qi\nimport json, threading\n",
        "from jotto import rules\nimport jotto_behaviour\n",
        "# coding: utf-8\nx = 'é'\n",
    ],
)
def test_sources_the_robot_can_run(checkout, source):
    (checkout / "src/jotto/rules.py").write_text(source, encoding="utf-8")
    assert package(checkout).python.startswith("2.7")


def test_an_import_that_only_fails_in_other_words_is_needed(checkout):
    (checkout / "src/jotto/rules.py").write_text(
        "try:\n    import numpy\nexcept ImportError:\n    raise ImportError('no numpy')\n"
    )
    assert "imports numpy" in refusal(checkout)


def test_box_scripts_are_judged_too(checkout):
    (checkout / "robot_boxes/bye.py").write_text("import requests\n" + BEGIN)
    built(checkout)
    assert "bye.py, line " in refusal(checkout) and "imports requests" in refusal(checkout)


def test_without_the_robots_python_this_one_judges_and_says_so(checkout):
    (checkout / "src/jotto/rules.py").write_text("import Queue, json\nRULES = 5\n")
    made = package(checkout, python=False)
    assert made.python == ".".join(map(str, sys.version_info[:3]))
    (checkout / "src/jotto/rules.py").write_text("import numpy\n")
    assert "imports numpy" in refusal(checkout, python=False)


def test_what_nothing_imports_is_named(checkout):
    (checkout / "src/jotto/idle.py").write_text("")
    (checkout / "src/jotto/rules.py").write_text("from . import used\n")
    (checkout / "src/jotto/used.py").write_text("")
    built(checkout)
    assert package(checkout).unused == ("jotto/idle.py",)


def test_links_and_ports_are_judged(checkout):
    seen = []

    def judge(xar):
        seen.append(xar.name)
        return ["behavior.xar: root: A link leads nowhere."]

    assert refusal(checkout, judge=judge).endswith("  - behavior.xar: root: A link leads nowhere.")
    assert seen == ["behavior.xar"]


@pytest.mark.parametrize(
    "old, new, said",
    [
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
    ],
)
def test_a_manifest_a_robot_would_stumble_over(checkout, old, new, said):
    path = checkout / "choregraphe_project/manifest.xml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    assert said in refusal(checkout)


def test_an_icon_that_is_none(checkout):
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


def test_names_of_modules():
    assert [packaging.module_name(place) for place in ("a/__init__.py", "a/b/__init__.py", "a/b.py", "c.py")] == [
        "a",
        "a.b",
        "a.b",
        "c",
    ]


def test_dates_spread():
    found = {packaging.content_date(str(number).encode()) for number in range(2000)}
    assert len(found) == 2000
    assert all(re.fullmatch(r"\d{1,2}", str(part)) for date in found for part in date[1:])
