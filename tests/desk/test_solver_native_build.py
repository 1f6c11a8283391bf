"""The solver's C part is compiled whole or not at all; what is no such library is refused in one line, no crash."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import sanitized

from jotto_desk.solver import cores
from jotto_desk.solver.native import build

NAME = build.library_name()
VERSION_C = build.FOLDER / "version.c"


@pytest.fixture(scope="module")
def compiler():
    """Return the C compiler of this computer; CI has one."""
    try:
        return build.find_compiler(os.environ)
    except build.NotBuilt as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(str(reason))
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def good(compiler, tmp_path_factory):
    """Return the bytes of a library that answers its version."""
    made = tmp_path_factory.mktemp("good") / NAME
    build.build(made, os.environ, written(made.parent, version=cores.LIBRARY_VERSION))
    return made.read_bytes()


def written(folder, version=None, code=None):
    """Make a folder with a C file: a `jotto_core_version`, or any code."""
    folder.mkdir(exist_ok=True)
    code = f"int jotto_core_version(void);\nint jotto_core_version(void) {{ return {version}; }}\n" if version else code
    (folder / "one.c").write_text(code, encoding="ascii")
    return folder


def loaded(folder, environ=None):
    """Load the library; return the result and the remarks."""
    remarks = []
    return cores.load_library(environ or {}, remarks.append, folder), remarks


# Building


def test_the_sources_build_and_load(compiler, tmp_path):
    """Takes as long as compiling the whole C part does."""
    build.build(tmp_path / NAME, os.environ)
    core, remarks = loaded(tmp_path)
    assert (core.jotto_core_version(), remarks) == (cores.LIBRARY_VERSION, [])
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_the_sources_compile_without_a_warning(compiler):
    command = [*compiler, "-std=c11", "-Wall", "-Wextra", "-Wstrict-prototypes", "-fsyntax-only", *build.sources()]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (told.returncode, told.stderr) == (0, "")


def test_this_checkout_has_its_library(compiler):
    assert not build.is_stale(build.FOLDER / NAME), "older than its sources: `make native`"
    core, remarks = loaded(build.FOLDER)
    assert core is not None, remarks


@pytest.mark.parametrize(
    "environ, reason",
    [
        ({"CC": "false"}, "the C compiler 'false' failed with code 1"),
        ({"CC": "/nowhere/cc -m64"}, "the C compiler '/nowhere/cc -m64' is not there"),
        ({"CC": "'cc"}, "CC cannot be read (no closing quotation)"),
        ({"CFLAGS": "-include nowhere.h"}, "failed with code 1\n"),
        ({"PATH": "/nowhere"}, "there is no C compiler"),
        ({"JOTTO_NATIVE": "0"}, "JOTTO_NATIVE=0 is set"),
    ],
)
def test_what_cannot_be_built_is_told_and_leaves_the_old_library(compiler, tmp_path, environ, reason):
    (tmp_path / NAME).write_bytes(b"the old one")
    clean = {name: value for name, value in os.environ.items() if name not in {"CC", "CFLAGS", build.VARIABLE}}
    with pytest.raises(build.NotBuilt) as told:
        build.build(tmp_path / NAME, {**clean, **environ}, written(tmp_path / "sources", version=1))
    assert reason in str(told.value)
    assert (tmp_path / NAME).read_bytes() == b"the old one"
    assert sorted(path.name for path in tmp_path.iterdir()) == [NAME, "sources"]


@pytest.mark.parametrize("target", ["missing/" + NAME, "sources"])
def test_a_place_that_cannot_be_written(compiler, tmp_path, target):
    sources = written(tmp_path / "sources", version=1)
    with pytest.raises(build.NotBuilt):
        build.build(tmp_path / target, os.environ, sources)
    assert [path.name for path in tmp_path.rglob("*")] == ["sources", "one.c"]


def test_builds_at_once_do_not_break_each_other(compiler, tmp_path):
    folders = [written(tmp_path / str(version), version=version) for version in (1, 2, 3, 4)]
    with ThreadPoolExecutor(4) as crew:
        list(crew.map(lambda folder: build.build(tmp_path / NAME, os.environ, folder), folders))
    built = [path for path in tmp_path.iterdir() if path.is_file()]
    assert built == [tmp_path / NAME]
    core, remarks = loaded(tmp_path)
    assert core is not None or "is of version" in remarks[0]


@pytest.mark.parametrize("newer, stale", [(None, False), ("one.c", True), ("one.h", True), (NAME, False)])
def test_a_library_is_stale_when_a_source_is_newer(tmp_path, newer, stale):
    for name in ("one.c", "one.h", NAME):
        (tmp_path / name).touch()
    assert not build.is_stale(tmp_path / NAME, tmp_path)
    now = (tmp_path / NAME).stat().st_mtime
    if newer:
        os.utime(tmp_path / newer, (now + 60, now + 60))
    assert build.is_stale(tmp_path / NAME, tmp_path) is stale


def test_a_missing_library_is_stale(tmp_path):
    assert build.is_stale(tmp_path / NAME)


# The command, run in a folder of its own: it builds beside itself


def command(folder, *arguments, **environ):
    """Exit code, output and errors of `build.py` copied into a folder with its sources."""
    for path in (build.FOLDER / "build.py", VERSION_C):
        if not (folder / path.name).exists():
            shutil.copy(path, folder)
    told = subprocess.run(
        [sys.executable, "-I", str(folder / "build.py"), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environ},
        check=False,
        timeout=120,
    )
    return told.returncode, told.stdout, told.stderr


def test_the_command_builds_when_needed(compiler, tmp_path):
    code, said, errors = command(tmp_path, "--if-needed")
    assert (code, said.split(" in ")[0], errors) == (0, f"Built {NAME}", "")
    # A compiler that fails is not even asked.
    assert command(tmp_path, "--if-needed", CC="false") == (0, "", "")
    assert loaded(tmp_path)[0] is not None


@pytest.mark.parametrize("options, code", [([], 1), (["--if-needed"], 0)])
def test_the_command_without_a_compiler(tmp_path, options, code):
    sentence = "The solver will run on numpy, slower: the C compiler 'false' failed with code 1. Playing needs neither."
    assert command(tmp_path, *options, CC="false") == (code, "", sentence + "\n")
    assert not (tmp_path / NAME).exists()


# Loading


def test_a_missing_library_is_remarked(tmp_path):
    sentence = (
        f"The solver runs on numpy, slower, because '{NAME}' is not built; "
        "with a C compiler, `make native` makes it fast."
    )
    assert loaded(tmp_path) == (None, [sentence])


def test_turned_off_on_purpose_nothing_is_remarked(good, tmp_path):
    (tmp_path / NAME).write_bytes(good)
    assert loaded(tmp_path)[0] is not None
    assert loaded(tmp_path, {"JOTTO_NATIVE": "0"}) == (None, [])


@pytest.mark.parametrize(
    "code, reason",
    [
        (
            "int jotto_core_version(void);\nint jotto_core_version(void) { return 999; }\n",
            f"is of version 999 where {cores.LIBRARY_VERSION} is needed",
        ),
        ("int something_else(void);\nint something_else(void) { return 1; }\n", "is another library"),
    ],
)
def test_a_stale_or_foreign_library_is_refused(compiler, tmp_path, code, reason):
    build.build(tmp_path / NAME, os.environ, written(tmp_path, code=code))
    core, remarks = loaded(tmp_path)
    assert core is None and len(remarks) == 1
    assert reason in remarks[0] and "\n" not in remarks[0]


#: How a good library is spoiled.
SPOILED = {
    "empty": lambda good: b"",
    "text": lambda good: b"not a library at all\n" * 400,
    "a header alone": lambda good: good[:64],
    "a header and noise": lambda good: good[:64] + bytes(range(256)) * (len(good) // 256),
    "the last byte missing": lambda good: good[:-1],
    **{f"{eighths}/8 of it": lambda good, eighths=eighths: good[: len(good) * eighths // 8] for eighths in range(1, 8)},
    "another architecture": lambda good: good[:18] + b"\xf3\x00" + good[20:],
    "another width": lambda good: good[:4] + bytes([3 - good[4]]) + good[5:],
}
#: Loads in a process of its own, so that a crash there is seen here.
LOAD = """
import sys
from pathlib import Path
from jotto_desk.solver import cores
for folder in sys.argv[1:]:
    remarks = []
    print(cores.load_library({}, remarks.append, Path(folder)), len(remarks), *remarks)
"""


def test_a_library_with_sanitizers_is_loaded_where_their_runtime_came_first(compiler, tmp_path):
    """Anywhere else the runtime would end the process."""
    try:
        environ = sanitized.environment()
        flags = {**os.environ, "CFLAGS": " ".join(build.SANITIZERS)}
        build.build(tmp_path / NAME, flags, written(tmp_path / "sources", version=cores.LIBRARY_VERSION))
    except build.NotBuilt as reason:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(reason))
    core, (remark,) = loaded(tmp_path)
    assert core is None and "is built with sanitizers, for `make test SANITIZE=1`; with a C compiler," in remark
    code = (
        f"from pathlib import Path\nfrom jotto_desk.solver import cores\n"
        f"print(cores.load_library({{}}, print, Path({str(tmp_path)!r})).jotto_core_version())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.stdout, ended.stderr) == (f"{cores.LIBRARY_VERSION}\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="spoils the kind of file Linux loads")
def test_a_spoiled_library_is_refused_without_a_crash(good, tmp_path):
    for number, spoil in enumerate(SPOILED.values()):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / NAME).write_bytes(spoil(good))
    folders = [str(tmp_path / str(number)) for number in range(len(SPOILED))]
    told = subprocess.run(
        [sys.executable, "-c", LOAD, *folders],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=60,
    )
    assert (told.returncode, told.stderr) == (0, "")
    lines = dict(zip(SPOILED, told.stdout.splitlines()))
    assert len(lines) == len(SPOILED)
    for kind, line in lines.items():
        assert line.startswith(f"None 1 The solver runs on numpy, slower, because '{NAME}' "), (kind, line)
    assert "is for another processor" in lines["another architecture"]


def test_a_folder_in_its_place_is_refused(tmp_path):
    (tmp_path / NAME).mkdir()
    core, (remark,) = loaded(tmp_path)
    assert core is None and "is a directory" in remark
