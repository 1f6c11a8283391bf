"""The solver's C part is compiled whole or not at all; and a search is shared by threads."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import sanitized
from engine_words import WORDS
from hypothesis import given, settings, strategies as st
from programs import need_program

from jotto.rules import BULLS, JOTTO, MASTERMIND
from jotto_desk.solver import cores
from jotto_desk.solver.beam import Job, SearchOptions, StopSignal, plan_cost, run_job, thread_executor
from jotto_desk.solver.feedback_table import make_table
from jotto_desk.solver.native import build
from jotto_desk.solver.problem import count_turns, make_list_problem, make_symbol_problem
from jotto_desk.solver.search import search_tree

NAME = build.name_library()


@pytest.fixture(scope="module")
def compiler():
    need_program("cc")
    return build.find_compiler(os.environ)


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
    remarks = []
    return cores.load_library(environ or {}, remarks.append, folder), remarks


def test_the_sources_build_without_a_warning_and_load(compiler, tmp_path):
    # Without optimisation, which the library of this checkout has.
    strict = "-O0 -Wall -Wextra -Wstrict-prototypes -Werror"
    build.build(tmp_path / NAME, {**os.environ, "CFLAGS": strict})
    core, remarks = loaded(tmp_path)
    assert (core.jotto_core_version(), remarks) == (cores.LIBRARY_VERSION, [])
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    assert not build.is_stale(build.FOLDER / NAME), "older than its sources: `make native`"
    core, remarks = loaded(build.FOLDER)
    assert core is not None, remarks


@pytest.mark.parametrize(
    "environ, reason",
    [
        ({"CC": "false"}, "the C compiler 'false' failed with code 1"),
        ({"CC": "/nowhere/cc -m64"}, "the C compiler '/nowhere/cc -m64' is missing"),
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


def test_an_unusable_place_is_refused_and_builds_at_once_do_not_break_each_other(compiler, tmp_path):
    folders = [written(tmp_path / str(version), version=version) for version in (1, 2, 3, 4)]
    before = sorted(tmp_path.rglob("*"))
    for target in ("missing/" + NAME, "1"):
        with pytest.raises(build.NotBuilt):
            build.build(tmp_path / target, os.environ, folders[0])
    assert sorted(tmp_path.rglob("*")) == before
    with ThreadPoolExecutor(4) as crew:
        list(crew.map(lambda folder: build.build(tmp_path / NAME, os.environ, folder), folders))
    assert [path for path in tmp_path.iterdir() if path.is_file()] == [tmp_path / NAME]
    core, remarks = loaded(tmp_path)
    assert core is not None or "has version" in remarks[0]


def test_a_library_is_stale_if_it_is_missing_or_older_than_a_source(tmp_path):
    for name in ("one.c", "one.h", NAME):
        (tmp_path / name).touch()
    now = (tmp_path / NAME).stat().st_mtime
    for newer, stale in ((NAME, False), ("one.c", True), ("one.h", True)):
        for name in ("one.c", "one.h", NAME):
            later = now + 60 * (name == newer)
            os.utime(tmp_path / name, (later, later))
        assert build.is_stale(tmp_path / NAME, tmp_path) is stale, newer
    assert build.is_stale(tmp_path / "missing" / NAME)


def test_the_command_builds_if_needed_and_tells_that_there_is_no_compiler(compiler, tmp_path):
    # It builds next to itself, so it runs in a folder of its own.
    for path in (build.FOLDER / "build.py", build.FOLDER / "version.c"):
        shutil.copy(path, tmp_path)

    def command(*options, **environ):
        line, environ = [sys.executable, "-I", str(tmp_path / "build.py"), *options], {**os.environ, **environ}
        told = subprocess.run(line, capture_output=True, text=True, env=environ, check=False, timeout=120)
        return told.returncode, told.stdout, told.stderr

    sentence = "The solver will run on numpy, slower: the C compiler 'false' failed with code 1. Playing needs neither."
    assert command(CC="false") == (1, "", sentence + "\n")
    assert command("--if-needed", CC="false") == (0, "", sentence + "\n") and not (tmp_path / NAME).exists()
    # Most people only play.
    assert command("--if-needed", PATH="/nowhere") == (0, "", "")
    assert command(PATH="/nowhere") == (
        1,
        "",
        sentence.replace("the C compiler 'false' failed with code 1", "there is no C compiler") + "\n",
    )
    code, said, errors = command("--if-needed")
    assert (code, said.split(" in ")[0], errors) == (0, f"Built {NAME}", "")
    # A compiler that fails is not even asked.
    assert command("--if-needed", CC="false") == (0, "", "") and loaded(tmp_path)[0] is not None


def test_a_library_that_is_missing_a_folder_or_turned_off(good, tmp_path):
    sentence = f"The solver runs on numpy, slower, because '{NAME}' is not built; with a C compiler, `make native` "
    assert loaded(tmp_path) == (None, [sentence + "makes it fast."])
    (tmp_path / NAME).mkdir()
    core, (remark,) = loaded(tmp_path)
    assert core is None and "is a directory" in remark
    (tmp_path / NAME).rmdir()
    (tmp_path / NAME).write_bytes(good)
    assert loaded(tmp_path)[0] is not None and loaded(tmp_path, {"JOTTO_NATIVE": "0"}) == (None, [])


@pytest.mark.parametrize(
    "function, reason",
    [("jotto_core_version", f"has version 999, not {cores.LIBRARY_VERSION}"), ("something_else", "is another library")],
)
def test_a_stale_or_foreign_library_is_refused(compiler, tmp_path, function, reason):
    code = f"int {function}(void);\nint {function}(void) {{ return 999; }}\n"
    build.build(tmp_path / NAME, os.environ, written(tmp_path, code=code))
    core, (remark,) = loaded(tmp_path)
    assert core is None and reason in remark and "\n" not in remark


def test_a_library_with_sanitizers_is_loaded_if_their_runtime_came_first(compiler, tmp_path):
    """Anywhere else the runtime would end the process."""
    environ = sanitized.environment()
    flags = {**os.environ, "CFLAGS": " ".join(build.SANITIZERS)}
    build.build(tmp_path / NAME, flags, written(tmp_path / "sources", version=cores.LIBRARY_VERSION))
    core, (remark,) = loaded(tmp_path)
    assert core is None and "is built with sanitizers, for `make test SANITIZE=1`; with a C compiler," in remark
    code = (
        "from pathlib import Path\nfrom jotto_desk.solver import cores\n"
        f"print(cores.load_library({{}}, print, Path({str(tmp_path)!r})).jotto_core_version())"
    )
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.stdout, ended.stderr) == (f"{cores.LIBRARY_VERSION}\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="spoils the kind of file Linux loads")
def test_a_spoiled_library_is_refused_without_a_crash(good, tmp_path):
    spoiled = {
        "empty": b"",
        "text": b"not a library at all\n" * 400,
        "only a header": good[:64],
        "a header and noise": good[:64] + bytes(range(256)) * (len(good) // 256),
        "the last byte missing": good[:-1],
        **{f"{eighths}/8 of it": good[: len(good) * eighths // 8] for eighths in range(1, 8)},
        "another architecture": good[:18] + b"\xf3\x00" + good[20:],
        "another width": good[:4] + bytes([3 - good[4]]) + good[5:],
    }
    # In a process of its own, so that a crash there is seen here.
    code = [
        "import sys\nfrom pathlib import Path\nfrom jotto_desk.solver import cores\nfor folder in sys.argv[1:]:",
        "    remarks = []\n    core = cores.load_library({}, remarks.append, Path(folder))",
        "    print(core, len(remarks), *remarks)",
    ]
    for name, content in spoiled.items():
        (tmp_path / name.replace("/", ":")).mkdir()
        (tmp_path / name.replace("/", ":") / NAME).write_bytes(content)
    command = [sys.executable, "-c", "\n".join(code), *(str(tmp_path / name.replace("/", ":")) for name in spoiled)]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run(command, capture_output=True, text=True, check=False, env=environ, timeout=60)
    lines = dict(zip(spoiled, told.stdout.splitlines(), strict=True))
    assert (told.returncode, told.stderr) == (0, "")
    for kind, line in lines.items():
        assert line.startswith(f"None 1 The solver runs on numpy, slower, because '{NAME}' "), (kind, line)
    assert "is for another processor" in lines["another architecture"]


CORE = cores.choose_best_core()
GAMES = [
    make_list_problem(WORDS[::11], JOTTO),
    make_list_problem(WORDS[::4], JOTTO, weights=[9] * 30 + [2] * 82),
    make_symbol_problem(BULLS._replace(alphabet="012345")),
    make_symbol_problem(MASTERMIND._replace(length=3)),
]


def effort(**more):
    return SearchOptions(**{"width": 3, "memo_bytes": 1 << 22, "threads": 1, **more})


@pytest.mark.parametrize("problem", GAMES, ids=["words", "weighted", "bulls", "mastermind"])
def test_a_job_is_the_same_whole_or_by_parts_and_without_a_cost_if_stopped(problem):
    table, stop = make_table(problem, CORE.add_planes), StopSignal()
    searcher = CORE.search(table, 1, stop=stop.flag)
    whole = run_job(searcher, table, 60, Job(1, None, 1 << 40))
    parts = table.split(1, table.everything)
    done = list(thread_executor(searcher, table, 60, 2)(Job(1, code, 1 << 40) for code in parts))
    assert {one.job.code for one in done} == set(parts) and all(one.plan is not None for one in done)
    assert int(problem.weights.sum()) + sum(one.cost for one in done) == whole.cost
    assert plan_cost(whole.plan, table, table.everything, 60, 0) == whole.cost
    # Only a cost below the limit comes with a plan.
    assert run_job(searcher, table, 60, Job(1, None, whole.cost)).plan is None
    assert run_job(searcher, table, 60, Job(1, None, whole.cost + 1)).plan is not None
    stop.request()
    whole_game = Job(0, None, 1 << 40)
    assert run_job(CORE.search(table, 1, stop=stop.flag), table, 60, whole_game) == (whole_game, None, None)


def test_a_wish_to_stop_can_be_put_off_but_not_forgotten():
    stop = StopSignal()
    with stop.defer():
        stop.request()
        assert stop.requested and not stop.flag[0]
    assert stop.flag[0]
    with stop.defer():
        assert not stop.flag[0]
    stop.clear()
    assert not stop.requested and not stop.flag[0]


BEST = [search_tree(problem, CORE, effort()) for problem in GAMES]


@settings(max_examples=25)
@given(st.integers(0, len(GAMES) - 1), st.integers(0, 60), st.sampled_from([1, 2]))
def test_a_search_stopped_at_any_moment_is_sound(number, patience, threads):
    problem, best = GAMES[number], BEST[number]
    stop, told = StopSignal(), []

    def tell(state):
        told.append(state)
        if len(told) > patience:
            stop.request()

    found = search_tree(problem, CORE, effort(threads=threads), tell, stop=stop)
    table = found.table
    assert found.lower_bound <= best.cost <= found.cost
    assert plan_cost(found.plan, table, table.everything, 60, 0) == found.cost
    assert None not in count_turns(found.plan, problem)
    assert all(state.bound <= best.cost <= state.best for state in told)
    if not stop.requested:
        assert found.proven and found.cost == best.cost
