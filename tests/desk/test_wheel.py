"""The installed package plays, rehearses, checks its lists and makes the robot's package without a checkout.

A wheel made with a C compiler contains the solver's C part, and is only for that kind of platform.
"""

import json
import os
import platform
import shlex
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pages
import pytest
import readme_shells
from processes import process
from programs import find_command, need_program
from wheels import made, names, pip

from jotto_desk import robot_kit
from jotto_desk.cli import robot
from jotto_desk.solver.cores import LIBRARY_VERSION
from jotto_desk.solver.native import build

ROOT = Path(__file__).resolve().parents[2]
NATIVE = "jotto_desk/solver/native/"
LIBRARY = NATIVE + build.name_library()
PROJECT = "choregraphe_project"
#: Runs `jotto` with each line of the standard input, in one process; prints exit codes, outputs and errors.
COMMANDS = """
import contextlib, io, json, shlex, sys
from jotto_desk import cli

ended = []
for command in sys.stdin.read().splitlines():
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            cli.main(shlex.split(command))
    except SystemExit as end:
        ended.append([end.code, out.getvalue(), err.getvalue()])
print(json.dumps(ended))
"""


def put(site, *wheels):
    """Install wheels into a folder; what is imported there is compiled then, once."""
    pip("install", "--no-deps", "--no-compile", "--target", site, *wheels)
    return site


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Unpack the archive of the sources: no git there, and nothing built."""
    folder = tmp_path_factory.mktemp("sdist")
    archive, _ = made("sdist", folder, ROOT)
    with tarfile.open(archive) as tar:
        # Python 3.10 and 3.11 have filters from some bug fix release on.
        tar.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return next(path for path in folder.iterdir() if path.is_dir())


@pytest.fixture(scope="module")
def wheel(unpacked, tmp_path_factory):
    """Make a wheel from that archive, as a release does; takes seconds, once for all tests.

    The C part is compiled without optimisation, in a third of the time.
    """
    return made("wheel", tmp_path_factory.mktemp("wheel"), unpacked, CFLAGS="-O0")[0]


@pytest.fixture(scope="module")
def wheel_of_naosim(unpacked, tmp_path_factory):
    """Make the wheel of naosim from that archive; test_distribution.py tests it."""
    return made("wheel", tmp_path_factory.mktemp("naosim"), unpacked / "simulator", NAOSIM_PAGE="0")[0]


@pytest.fixture(scope="module")
def installed(wheel, wheel_of_naosim, tmp_path_factory):
    """Provide those wheels, installed."""
    return put(tmp_path_factory.mktemp("site"), wheel_of_naosim, wheel)


@pytest.fixture
def compiler():
    """Skip the test unless this computer has a C compiler."""
    need_program("cc")


def python(site, tmp_path, code, typed=""):
    """Run Python with the installed package, far from the checkout; return its output."""
    own = {"PYTHONPATH": site, "XDG_DATA_HOME": tmp_path / "share", "COLUMNS": 200, "PYTHONDONTWRITEBYTECODE": ""}
    environ = {**os.environ, **{name: str(value) for name, value in own.items()}}
    ended = process(sys.executable, "-c", code, input=typed, cwd=tmp_path, env=environ)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def jotto(site, tmp_path, *commands):
    """Run commands of the installed package; return their exit codes, outputs and errors."""
    return json.loads(python(site, tmp_path, COMMANDS, "\n".join(commands)))


def test_it_plays_rehearses_and_checks_its_lists(installed, tmp_path):
    code = (
        "import jotto, jotto_behaviour, naosim, naosim_robots; print(jotto.__file__, naosim.__file__, file=sys.stderr)"
        "; from jotto_desk import cli; cli.main(['play', '--seed', '2'])"
    )
    code = "import sys; sys.stderr = sys.stdout; " + code
    shown = python(installed, tmp_path, code, "ready\nstop\nyes\n")
    assert shown.count(str(installed)) == 2
    assert "Do you want to stop?" in shown and "I'll save our game" in shown
    (code, out, err), checked = jotto(installed, tmp_path, "rehearse --sample 3 --json", "words check")
    assert (code, json.loads(out)["found"], err, checked[0]) == (0, 3, "", 0), checked


def test_a_missing_library_is_installed_from_the_same_wheel(installed, wheel, tmp_path):
    """Takes seconds: pip reads the command of the message, but installs nothing."""
    program = "import sys; sys.modules.update(qipkg=None); from jotto_desk.cli import main; main(['robot', 'package'])"
    command = process(sys.executable, "-c", program, cwd=tmp_path, env={**os.environ, "PYTHONPATH": installed}).stderr
    assert command.endswith(f"; install it with: pip install 'nao-jotto[package] @ {wheel.as_uri()}'\n")
    asked = ("install", "--dry-run", "--no-deps", "--ignore-installed", shlex.split(command)[-1])
    assert "Would install nao-jotto-" in pip(*asked)


def test_the_readmes_commands_run_with_the_wheel(installed, tmp_path):
    """Takes seconds: the first command runs in a shell, far from the checkout, the others in one process.

    A new user types the blocks that are left out here.
    """
    sessions = [rows for heading, rows in readme_shells.sessions().items() if heading not in readme_shells.NEW_USER]
    lines = {line: output for rows in sessions for _, line, output in rows if line.startswith("jotto ")}
    assert {line.split()[1] for line in lines} > {"play", "solve", "expert"}
    readme_shells.write_programs(tmp_path / "bin", sys.executable)
    path = f"{tmp_path / 'bin'}:{pages.PLAIN['PATH']}"
    first, *others = lines
    readme_shells.typed("", first, lines[first], tmp_path, PATH=path, PYTHONPATH=str(installed))
    for line, (code, out, err) in zip(
        others, jotto(installed, tmp_path, *(line.removeprefix("jotto ") for line in others)), strict=True
    ):
        assert code in (0, None) and "Traceback" not in err, (line, out, err)
        assert not lines[line] or pages.fits(lines[line], out), (line, out)


def content(folder):
    """Return the bytes of every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_robots_commands_work_without_a_checkout(installed, tmp_path):
    """Takes seconds: each command once, and the package is the one a checkout gives."""
    xar = f"{PROJECT}/behavior_1/behavior.xar"
    wanted = {
        "check": "The Choregraphe project is what robot_boxes says, and in order.",
        "build": "This is the installed project; 'jotto robot stage --to DIR' makes a copy to open in Choregraphe.",
        "picture": "Wrote diagram.svg.",
        "stage": f"{PROJECT} is ready.",
        "package": f"Checked: scripts and imports (Python {'2.7.' if find_command('python2.7') else '3.'}",
        "examples my-nao": "Wrote my-nao/qi_client.py.",
        f"pull --xar {xar}": f"Nothing differs between {xar} and robot_boxes.",
    }
    ended = jotto(installed, tmp_path, *(f"robot {command}" for command in wanted))
    for (code, out, _), wish in zip(ended, wanted.values(), strict=True):
        assert code == 0 and out.splitlines()[-1].startswith(wish)
    assert (tmp_path / "diagram.svg").read_bytes() == (ROOT / "docs/diagram.svg").read_bytes()
    robot_kit.project.stage_to(ROOT, tmp_path / "of the checkout")
    assert content(tmp_path / PROJECT) == content(tmp_path / "of the checkout")
    assert (tmp_path / "jotto-0.1.0.pkg").read_bytes() == robot.make_package(ROOT).content
    there = {path.name for path in tmp_path.iterdir()} - {PROJECT, "of the checkout"}
    assert there == {"diagram.svg", "jotto-0.1.0.pkg", "my-nao"}


def test_nothing_is_written_into_an_installed_package_or_over_a_changed_example(installed, tmp_path):
    jotto(installed, tmp_path, "robot stage")
    xar = tmp_path / PROJECT / "behavior_1" / "behavior.xar"
    xar.write_bytes(xar.read_bytes().replace(b'name="Good-bye" id="', b'name="Farewell" id="'))
    (tmp_path / "qi_client.py").write_text("mine\n")
    before, mine = content(installed / "jotto_desk" / "shipped"), content(tmp_path)
    pull = f"robot pull --xar '{xar}'"
    dry, wet, removed, examples = jotto(
        installed, tmp_path, f"{pull} --dry-run", pull, "robot stage --remove", "robot examples ."
    )
    assert dry[0] == 0 and "Farewell" in dry[1]
    assert wet[0] == 2 and "There is no checkout to write this into" in wet[2]
    assert removed[0] == 2
    assert examples[0] == 2 and "'qi_client.py' exists already and differs" in examples[2] and content(tmp_path) == mine
    assert jotto(installed, tmp_path, "robot examples new")[0][0] == 0
    assert content(tmp_path / "new") == {name: (ROOT / "docs" / name).read_bytes() for name in robot.NAMES}
    assert content(installed / "jotto_desk" / "shipped") == before


def test_wheel_and_archive_contain_the_project_as_it_is_committed(wheel, unpacked):
    """Whether or not somebody staged its lib; the next test stages one."""
    committed = sorted(place for place in content(ROOT / PROJECT) if not place.startswith("lib/"))
    head = f"jotto_desk/shipped/{PROJECT}/"
    assert sorted(name.removeprefix(head) for name in names(wheel) if name.startswith(head)) == committed
    assert sorted(content(unpacked / PROJECT)) == committed
    # A package index refuses a plain linux tag.
    tag = wheel.name.rpartition("-py3-none-")[2].removesuffix(".whl")
    assert tag == "any" or not tag.startswith("linux_"), wheel.name
    assert wheel.stat().st_size < 2_000_000


def is_plain(wheel, said, reason):
    """Return whether a wheel has no C part, and whether its making said why."""
    sentence = f"The solver will run on numpy, slower: {reason}. Playing needs neither."
    return wheel.name.endswith("-py3-none-any.whl") and LIBRARY not in names(wheel) and sentence in said


LOAD = """
from jotto_desk.solver.cores import load_library
core = load_library(remark=print)
print("version", core and core.jotto_core_version())
"""


def test_a_staged_lib_is_not_packed_and_without_a_compiler_the_wheel_is_plain_and_plays(
    unpacked, wheel_of_naosim, tmp_path
):
    """Takes seconds: wheel and archive of a tree with a lib; the wheel is installed and played with."""
    root = shutil.copytree(unpacked, tmp_path / "staged")
    pml = root / PROJECT / "nao-jotto.pml"
    before = pml.read_bytes()
    robot_kit.project.stage(root)
    assert pml.read_bytes() != before
    wheel, said = made("wheel", tmp_path, root, CC="false")
    assert is_plain(wheel, said, "the C compiler 'false' failed with code 1")
    archive, _ = made("sdist", tmp_path, root)
    with zipfile.ZipFile(wheel) as opened:
        assert opened.read(f"jotto_desk/shipped/{PROJECT}/nao-jotto.pml") == before
        assert not [name for name in opened.namelist() if f"{PROJECT}/lib" in name]
    with tarfile.open(archive) as tar:
        packed = tar.extractfile(f"{archive.name.removesuffix('.tar.gz')}/{PROJECT}/nao-jotto.pml")
        assert packed is not None and packed.read() == before
        assert len([name for name in tar.getnames() if name.endswith("nao-jotto.pml")]) == 1
    site = put(tmp_path / "site", wheel_of_naosim, wheel)
    [(code, out, err)] = jotto(site, tmp_path, "rehearse --secret ocean --json")
    assert (code, err, json.loads(out)["found"]) == (0, "", 1)
    assert "is not built; with a C compiler, `python -m " in python(site, tmp_path, LOAD)


@pytest.mark.skipif(
    sys.platform != "linux" or platform.libc_ver()[0] != "glibc", reason="manylinux is for Linux with glibc"
)
def test_the_tag_names_the_linuxes_that_the_library_runs_on():
    cases = {
        ("\0libc.so.6\0GLIBC_2.14\0GLIBC_2.2.5\0", ""): "manylinux_2_17",
        ("\0libm.so.6\0libc.so.6\0GLIBC_2.29\0GLIBC_2.2.5\0", "-O2 -fno-math-errno"): "manylinux_2_29",
        ("\0libc.so.6\0GLIBC_2.14\0", "-O2 -march=native"): "linux",
        ("\0libgomp.so.1\0libc.so.6\0GLIBC_2.14\0", ""): "linux",
        ("\0libc.so.6\0GLIBC_2.14\0GLIBC_ABI_DT_RELR\0", ""): "linux",
    }
    code = (
        "import json, sys, hatch_build\ncases = json.loads(sys.argv[1])\n"
        "print([hatch_build._platform(library.encode(), {'CFLAGS': flags}) for library, flags in cases])"
    )
    ended = process(sys.executable, "-c", code, json.dumps(list(cases)), cwd=ROOT)
    assert ended.stdout.strip() == str([f"{tag}_{platform.machine()}" for tag in cases.values()]), ended.stderr


def test_with_a_compiler_the_wheel_contains_the_library(compiler, wheel, unpacked, installed, tmp_path):
    """Takes seconds: two more builds, the second with the library next to its sources."""
    assert wheel.name.rpartition("-py3-none-")[2] not in {"", "any.whl"}
    inside = {name.removeprefix(NATIVE) for name in names(wheel) if name.startswith(NATIVE)}
    sources = {path.name for path in (ROOT / "src" / NATIVE).iterdir() if path.suffix in {".c", ".h", ".py"}}
    assert inside == sources | {build.name_library()}
    assert python(installed, tmp_path, LOAD) == f"version {LIBRARY_VERSION}\n"
    root = shutil.copytree(unpacked, tmp_path / "archive")
    assert not (root / "src" / LIBRARY).exists()
    editable, _ = made("editable", tmp_path, root, CFLAGS="-O0")
    assert (root / "src" / LIBRARY).is_file() and LIBRARY not in names(editable)
    # No wheel includes that library: it may be of another day or computer.
    plain, said = made("wheel", tmp_path, root, JOTTO_NATIVE="0")
    assert is_plain(plain, said, "JOTTO_NATIVE=0 is set")
