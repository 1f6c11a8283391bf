"""The installed package plays, rehearses, checks its lists and makes the robot's package without a checkout.

A wheel made with a C compiler contains the solver's C part, and is only for that kind of platform.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pages
import pytest
import readme_shells

from jotto_desk import robot_kit
from jotto_desk.cli import robot
from jotto_desk.solver.cores import LIBRARY_VERSION
from jotto_desk.solver.native import build

ROOT = Path(__file__).resolve().parents[2]
NATIVE = "jotto_desk/solver/native/"
LIBRARY = NATIVE + build.library_name()
#: Runs one of hatchling's entry points, which need no network.
MAKE = "import sys, hatchling.build as h; print(getattr(h, 'build_' + sys.argv[1])(sys.argv[2]))"


def made(kind, folder, root=ROOT, **environ):
    """Make a wheel, editable or sdist of a checkout; return it and the output."""
    finished = subprocess.run(
        [sys.executable, "-c", MAKE, kind, str(folder)],
        cwd=root,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    return folder / finished.stdout.split("\n")[-2], finished.stderr


def names(wheel):
    """List the files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def put(wheel, site):
    """Install a wheel into a folder, offline."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    subprocess.run([*pip, "--no-index", "--no-deps", "--target", str(site), str(wheel)], check=True, timeout=120)
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
    environment = {
        **os.environ,
        "PYTHONPATH": str(site),
        "XDG_DATA_HOME": str(tmp_path / "share"),
        "COLUMNS": "200",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        [sys.executable, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
        timeout=120,
    )


def jotto(site, tmp_path, *arguments, typed=""):
    """Run the installed command line."""
    return python(site, tmp_path, "-m", "jotto_desk", *arguments, typed=typed)


def test_it_plays_rehearses_and_checks_its_lists(installed, tmp_path):
    code = "import jotto, jotto_behaviour, jotto_desk, naosim, naosim_live as l; print(jotto.__file__, naosim.__file__)"
    assert python(installed, tmp_path, "-c", code).stdout.count(str(installed)) == 2
    ended = jotto(installed, tmp_path, "play", "--seed", "2", typed="ready\nstop\nyes\n")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Do you want to stop?" in ended.stdout and "I'll save our game" in ended.stdout
    ended = jotto(installed, tmp_path, "rehearse", "--sample", "3", "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["found"] == 3
    ended = jotto(installed, tmp_path, "words", "check")
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_readmes_commands_run_with_the_wheel(installed, tmp_path):
    """Takes seconds: each command runs as it is printed, far from the checkout. A robot's commands run in the clone."""
    # pytest without the plugins that are installed here and that a reader has not.
    plainly = "-p no:cacheprovider -p no:xdist -p no:randomly -p no:schemathesis -p no:anyio"
    readme_shells.write_programs(tmp_path / "bin", sys.executable)
    path = f"{tmp_path / 'bin'}:{pages.PLAIN['PATH']}"
    for heading, session in readme_shells.sessions().items():
        for _, line, output in session if heading != "nao-jotto" else ():
            if readme_shells.runs_installed(line):
                readme_shells.typed(
                    "", line, output, tmp_path, PATH=path, PYTHONPATH=str(installed), PYTEST_ADDOPTS=plainly
                )


# The robot's project.

PROJECT = "choregraphe_project"


def test_the_robots_commands_work_without_a_checkout(installed, tmp_path):
    """Takes seconds: each command once, and the package is the one a checkout gives."""
    # Runs `jotto robot` for each of the commands given, in one process; prints their exit codes and last lines.
    commands = """
import contextlib, io, json, sys
from jotto_desk import cli

ended = []
for command in sys.argv[1:]:
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            cli.main(["robot", *command.split()])
    except SystemExit as end:
        ended.append([end.code, said.getvalue().splitlines()[-1]])
print(json.dumps(ended))
"""
    wanted = {
        "check": "The Choregraphe project is what robot_boxes says, and in order.",
        "build": "This is the installed project; 'jotto robot stage --to DIR' makes a copy to open in Choregraphe.",
        "picture": "Wrote diagram.svg.",
        "stage": f"{PROJECT} is ready.",
        "package": "Checked: scripts and imports (Python 2.7",
        "examples": "Wrote qi_client.py.",
        "pull --xar choregraphe_project/behavior_1/behavior.xar": (
            "Nothing differs between choregraphe_project/behavior_1/behavior.xar and robot_boxes."
        ),
    }
    ended = python(installed, tmp_path, "-c", commands, *wanted)
    assert (ended.returncode, ended.stderr) == (0, "")
    for (code, line), wish in zip(json.loads(ended.stdout), wanted.values(), strict=True):
        assert code == 0 and line.startswith(wish)
    assert (tmp_path / "diagram.svg").read_bytes() == (ROOT / "docs/diagram.svg").read_bytes()
    robot_kit.stage_to(ROOT, tmp_path / "of the checkout")
    assert content(tmp_path / PROJECT) == content(tmp_path / "of the checkout")
    assert (tmp_path / "jotto-0.1.0.pkg").read_bytes() == robot.make_package(ROOT).content
    assert {path.name for path in tmp_path.iterdir()} == {
        PROJECT,
        "of the checkout",
        "diagram.svg",
        "jotto-0.1.0.pkg",
        "greeting",
        "naoqi_client.py",
        "qi_client.py",
    }


def content(folder):
    """Return the bytes of every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_nothing_is_written_into_an_installed_package(installed, tmp_path):
    jotto(installed, tmp_path, "robot", "stage")
    xar = tmp_path / PROJECT / "behavior_1" / "behavior.xar"
    xar.write_bytes(xar.read_bytes().replace(b'name="Good-bye" id="', b'name="Farewell" id="'))
    before = content(installed / "jotto_desk" / "shipped")
    dry = jotto(installed, tmp_path, "robot", "pull", "--dry-run", "--xar", xar)
    assert dry.returncode == 0 and "Farewell" in dry.stdout
    wet = jotto(installed, tmp_path, "robot", "pull", "--xar", xar)
    assert wet.returncode == 2 and "There is no checkout whose robot_boxes could take this" in wet.stderr
    assert jotto(installed, tmp_path, "robot", "stage", "--remove").returncode == 2
    assert content(installed / "jotto_desk" / "shipped") == before


def test_an_example_that_was_changed_is_kept(installed, tmp_path):
    (tmp_path / "qi_client.py").write_text("mine\n")
    ended = jotto(installed, tmp_path, "robot", "examples")
    assert ended.returncode == 2 and "'qi_client.py' is there and differs" in ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["qi_client.py"]
    assert jotto(installed, tmp_path, "robot", "examples", "--to", "new").returncode == 0
    assert content(tmp_path / "new") == {name: (ROOT / "docs" / name).read_bytes() for name in robot.NAMES}


# The files of wheel and archive, and the solver's C part.


def test_wheel_and_archive_contain_the_project_as_it_is_committed(wheel, unpacked):
    """Whether or not somebody staged its lib; the next test stages one."""

    def of_project(names, prefix):
        return sorted(name.removeprefix(prefix) for name in names if name.startswith(prefix) and not name.endswith("/"))

    committed = sorted(place for place in content(ROOT / PROJECT) if not place.startswith("lib/"))
    assert of_project(names(wheel), f"jotto_desk/shipped/{PROJECT}/") == committed
    assert sorted(content(unpacked / PROJECT)) == committed
    # A package index refuses a plain linux tag.
    tag = wheel.name.rpartition("-py3-none-")[2].removesuffix(".whl")
    assert tag == "any" or not tag.startswith("linux_"), wheel.name


def test_a_staged_lib_is_not_packed(unpacked, tmp_path):
    """Takes seconds: wheel and archive of a tree with a lib; the wheel, by request, without the C part."""
    root = tmp_path / "staged"
    shutil.copytree(unpacked, root)
    pml = root / PROJECT / "nao-jotto.pml"
    before = pml.read_bytes()
    robot_kit.stage(root)
    assert pml.read_bytes() != before
    wheel, said = made("wheel", tmp_path, root=root, JOTTO_NATIVE="0")
    assert is_plain(wheel, said, "JOTTO_NATIVE=0 is set")
    archive, _ = made("sdist", tmp_path, root=root)
    with zipfile.ZipFile(wheel) as opened:
        assert opened.read(f"jotto_desk/shipped/{PROJECT}/nao-jotto.pml") == before
        assert not [name for name in opened.namelist() if f"{PROJECT}/lib" in name]
    with tarfile.open(archive) as tar:
        packed = tar.extractfile(f"{archive.name.removesuffix('.tar.gz')}/{PROJECT}/nao-jotto.pml")
        assert packed is not None and packed.read() == before
        assert len([name for name in tar.getnames() if name.endswith("nao-jotto.pml")]) == 1


def is_plain(wheel, said, reason):
    """Return whether a wheel has no C part, and whether its making said why."""
    sentence = f"The solver will run on numpy, slower: {reason}. Playing needs neither."
    return wheel.name.endswith("-py3-none-any.whl") and LIBRARY not in names(wheel) and sentence in said


@pytest.mark.skipif(
    sys.platform != "linux" or platform.libc_ver()[0] != "glibc", reason="manylinux is for Linux with glibc"
)
def test_the_tag_names_the_linuxes_that_the_library_runs_on():
    # Runs the packaging hook's rule on the strings of libraries, with options for the compiler.
    tags = """
import json, sys
import hatch_build
print([hatch_build._platform(library.encode(), {"CFLAGS": flags}) for library, flags in json.loads(sys.argv[1])])
"""
    cases = {
        ("\0libc.so.6\0GLIBC_2.14\0GLIBC_2.2.5\0", ""): "manylinux_2_17",
        ("\0libm.so.6\0libc.so.6\0GLIBC_2.29\0GLIBC_2.2.5\0", "-O2 -fno-math-errno"): "manylinux_2_29",
        ("\0libc.so.6\0GLIBC_2.14\0", "-O2 -march=native"): "linux",
        ("\0libgomp.so.1\0libc.so.6\0GLIBC_2.14\0", ""): "linux",
        ("\0libc.so.6\0GLIBC_2.14\0GLIBC_ABI_DT_RELR\0", ""): "linux",
    }
    command = [sys.executable, "-c", tags, json.dumps(list(cases))]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.strip() == str([f"{tag}_{platform.machine()}" for tag in cases.values()])


LOAD = """
from jotto_desk.solver.cores import load_library
core = load_library(remark=print)
print("version", core and core.jotto_core_version())
"""


def test_with_a_compiler_the_wheel_contains_the_library(compiler, wheel, installed, tmp_path):
    assert wheel.name.rpartition("-py3-none-")[2] not in {"", "any.whl"}
    inside = {name.removeprefix(NATIVE) for name in names(wheel) if name.startswith(NATIVE)}
    sources = {path.name for path in (ROOT / "src" / NATIVE).iterdir() if path.suffix in {".c", ".h", ".py"}}
    assert inside == sources | {build.library_name()}
    assert python(installed, tmp_path, "-c", LOAD).stdout == f"version {LIBRARY_VERSION}\n"


def test_without_a_compiler_the_wheel_is_plain_and_plays(tmp_path):
    """Takes seconds: a wheel is made, installed and played with."""
    wheel, said = made("wheel", tmp_path, CC="false")
    assert is_plain(wheel, said, "the C compiler 'false' failed with code 1")
    site = put(wheel, tmp_path / "site")
    ended = jotto(site, tmp_path, "rehearse", "--secret", "ocean", "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["found"] == 1
    assert "is not built; with a C compiler, `python -m " in python(site, tmp_path, "-c", LOAD).stdout


def test_the_archive_of_the_sources_builds_without_git(compiler, wheel, unpacked, tmp_path):
    """Takes seconds: three builds, the second with the library next to its sources."""
    root = shutil.copytree(unpacked, tmp_path / "archive")
    assert not (root / "src" / LIBRARY).exists()
    again, _ = made("wheel", tmp_path, root=root, CFLAGS="-O0")
    assert (again.name, sorted(names(again))) == (wheel.name, sorted(names(wheel)))
    editable, _ = made("editable", tmp_path, root=root, CFLAGS="-O0")
    assert (root / "src" / LIBRARY).is_file() and LIBRARY not in names(editable)
    # No wheel includes that library: it may be of another day or computer.
    plain, _ = made("wheel", tmp_path, root=root, JOTTO_NATIVE="0")
    assert LIBRARY not in names(plain)
