"""The installed package alone, without the checkout, can play, rehearse and check its lists."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Unpack a wheel of this checkout, as pip would."""
    from hatchling import build

    folder = tmp_path_factory.mktemp("wheel")
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        wheel = build.build_wheel(str(folder))
    finally:
        os.chdir(before)
    with zipfile.ZipFile(folder / wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def jotto(installed, tmp_path, *arguments, typed=""):
    """Run the installed command line far from the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "XDG_DATA_HOME": str(tmp_path / "share"),
                   "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, "-m", "jotto_desk", *arguments], input=typed, capture_output=True, text=True,
                          cwd=tmp_path, env=environment, check=False, timeout=120)


def test_the_packages_come_from_the_wheel(installed, tmp_path):
    code = "import jotto, jotto_behaviour, jotto_desk, naosim, naosim_live as l; print(jotto.__file__, naosim.__file__)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True,
                           env={**os.environ, "PYTHONPATH": str(installed)}).stdout
    assert shown.count(str(installed)) == 2


def test_it_plays(installed, tmp_path):
    ended = jotto(installed, tmp_path, "play", "--seed", "2", typed="ready\nstop\nyes\n")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Shall I stop?" in ended.stdout and "I keep our game" in ended.stdout


def test_it_rehearses(installed, tmp_path):
    ended = jotto(installed, tmp_path, "rehearse", "--sample", "3", "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["found"] == 3


def test_it_checks_its_lists(installed, tmp_path):
    ended = jotto(installed, tmp_path, "words", "check")
    assert ended.returncode == 0, ended.stdout + ended.stderr
