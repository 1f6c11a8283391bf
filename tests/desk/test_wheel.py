"""The installed package alone, without the checkout, can play, rehearse and check its lists.

A wheel made where there is a compiler carries the solver's C part and is for that platform alone.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from jotto_desk.solver.native import build
from jotto_desk.solver.native.library import VERSION

ROOT = Path(__file__).resolve().parents[2]
NATIVE = "jotto_desk/solver/native/"
LIBRARY = NATIVE + build.library_name()
#: Runs one of hatchling's entry points, which need no network.
MAKE = "import sys, hatchling.build as h; print(getattr(h, 'build_' + sys.argv[1])(sys.argv[2]))"


def made(kind, folder, root=ROOT, **environ):
    """Make a wheel, editable or sdist of a checkout; return it and the output."""
    finished = subprocess.run([sys.executable, "-c", MAKE, kind, str(folder)], cwd=root, env={**os.environ, **environ},
                          capture_output=True, text=True, check=False, timeout=300)
    assert finished.returncode == 0, finished.stderr
    return folder / finished.stdout.split("\n")[-2], finished.stderr


def names(wheel):
    """List the files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def put(wheel, site):
    """Install a wheel into a folder, offline."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    options = ["--no-index", "--no-deps", "--no-compile", "--target", str(site)]
    subprocess.run([*pip, *options, str(wheel)], check=True, timeout=120)
    return site


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Make a wheel as this computer does; takes seconds, once for all tests."""
    return made("wheel", tmp_path_factory.mktemp("wheel"))[0]


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Provide that wheel, installed."""
    return put(wheel, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Unpack the archive of the sources: no git there, and nothing built."""
    folder = tmp_path_factory.mktemp("sdist")
    archive, _ = made("sdist", folder)
    with tarfile.open(archive) as tar:
        # Python 3.10 and 3.11 have filters from some bug fix release on.
        tar.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return next(path for path in folder.iterdir() if path.is_dir())


@pytest.fixture
def compiler():
    """Skip the test unless this computer has a C compiler; CI has one."""
    try:
        build.find_compiler(os.environ)
    except build.NotBuilt as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(str(reason))
        pytest.skip(str(reason))


def python(site, tmp_path, *arguments, typed=""):
    """Run Python with the installed package, far from the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(site), "XDG_DATA_HOME": str(tmp_path / "share"),
                   "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *arguments], input=typed, capture_output=True, text=True,
                          cwd=tmp_path, env=environment, check=False, timeout=120)


def jotto(site, tmp_path, *arguments, typed=""):
    """Run the installed command line."""
    return python(site, tmp_path, "-m", "jotto_desk", *arguments, typed=typed)


def test_the_packages_come_from_the_wheel(installed, tmp_path):
    code = "import jotto, jotto_behaviour, jotto_desk, naosim, naosim_live as l; print(jotto.__file__, naosim.__file__)"
    assert python(installed, tmp_path, "-c", code).stdout.count(str(installed)) == 2


def test_it_plays(installed, tmp_path):
    ended = jotto(installed, tmp_path, "play", "--seed", "2", typed="ready\nstop\nyes\n")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Shall I stop?" in ended.stdout and "I'll keep our game" in ended.stdout


def test_it_rehearses(installed, tmp_path):
    ended = jotto(installed, tmp_path, "rehearse", "--sample", "3", "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["found"] == 3


def test_it_checks_its_lists(installed, tmp_path):
    ended = jotto(installed, tmp_path, "words", "check")
    assert ended.returncode == 0, ended.stdout + ended.stderr


# The solver's C part

LOAD = """
from jotto_desk.solver.native.library import load
core = load(remark=print)
print("version", core and core.jotto_core_version())
"""


def test_with_a_compiler_the_wheel_carries_the_library(compiler, wheel, installed, tmp_path):
    assert wheel.name.rpartition("-py3-none-")[2] not in {"", "any.whl"}
    inside = {name.removeprefix(NATIVE) for name in names(wheel) if name.startswith(NATIVE)}
    sources = {path.name for path in (ROOT / "src" / NATIVE).iterdir() if path.suffix in {".c", ".h", ".py"}}
    assert inside == sources | {build.library_name()}
    assert python(installed, tmp_path, "-c", LOAD).stdout == f"version {VERSION}\n"


@pytest.mark.parametrize("environ, reason", [
    ({"CC": "false"}, "the C compiler 'false' failed with code 1"),
    ({"JOTTO_NATIVE": "0"}, "JOTTO_NATIVE=0 is set"),
])
def test_without_a_compiler_the_wheel_is_plain_and_plays(tmp_path, environ, reason):
    """Takes seconds: each reason to have no C part makes a wheel that is installed and plays."""
    plain, said = made("wheel", tmp_path, **environ)
    assert plain.name.endswith("-py3-none-any.whl")
    assert LIBRARY not in names(plain)
    assert f"The solver will run on numpy, slower: {reason}. Playing needs neither." in said
    site = put(plain, tmp_path / "site")
    ended = jotto(site, tmp_path, "rehearse", "--secret", "ocean", "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["found"] == 1
    assert "is not built; with a C compiler, `python -m " in python(site, tmp_path, "-c", LOAD).stdout


def test_the_archive_of_the_sources_builds_alike(compiler, wheel, unpacked, tmp_path):
    """Takes seconds: what is uploaded must build without git."""
    assert not (unpacked / "src" / LIBRARY).exists()
    again, _ = made("wheel", tmp_path, root=unpacked)
    assert (again.name, sorted(names(again))) == (wheel.name, sorted(names(wheel)))


def test_an_editable_install_has_the_library_beside_its_sources(compiler, unpacked, tmp_path):
    """Takes seconds: two builds from the archive, in a copy of it."""
    unpacked = shutil.copytree(unpacked, tmp_path / "archive")
    editable, _ = made("editable", tmp_path, root=unpacked)
    assert (unpacked / "src" / LIBRARY).is_file()
    assert LIBRARY not in names(editable)
    # No wheel includes it: it may be of another day or computer.
    plain, _ = made("wheel", tmp_path, root=unpacked, JOTTO_NATIVE="0")
    assert LIBRARY not in names(plain)
