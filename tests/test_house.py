"""The rules of the project, checked: types, style, the Python 2.7 line, imports, size, words and paths."""

import ast
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import layers
import prose
import pytest
from box_types import CONFIGURATION, typed_scripts
from interpreters import ROOT

from jotto_desk import cli
from naosim.scripting import BoxBase

#: What NAOqi's SDK has beside `naoqi`, and boxes on the simulated robot too.
SDK = {"almath", "motion", "vision_definitions"}
INTERNAL = {"jotto", "jotto_behaviour", "naosim", "naosim_live", "jotto_desk"} | SDK
#: Names the standard library had on Python 2.7 and what NAOqi puts beside a box script.
STDLIB = {*sys.stdlib_module_names, "thread", "Queue", "StringIO", "__builtin__", "urllib2", "urlparse"}
INJECTED = {"naoqi", "qi"}
THIRD_PARTY = object()

#: Folder, which of our packages its modules may import, and what else beside the standard library.
IMPORTS = [
    ("src/jotto", {"jotto"}, None),
    ("behaviour/jotto_behaviour", {"jotto", "jotto_behaviour"}, None),
    ("robot_boxes", {"jotto", "jotto_behaviour"}, INJECTED),
    ("simulator/naosim", {"naosim"} | SDK, None),
    ("simulator/naosim_live", {"naosim", "naosim_live"} | SDK, THIRD_PARTY),
    ("simulator/naoqi", set(), {"qi"}),
    *((f"simulator/{name}", set(), None) for name in sorted(SDK)),
    ("src/jotto_desk", {"jotto", "jotto_desk"}, THIRD_PARTY),
    ("src/jotto_desk/conversation", {"jotto", "jotto_behaviour", "jotto_desk"}, THIRD_PARTY),
    ("src/jotto_desk/page", {"jotto", "jotto_behaviour", "jotto_desk", "naosim_live"}, THIRD_PARTY),
    # Servers share the limits on their connections.
    ("src/jotto_desk/expert", {"jotto", "jotto_desk", "naosim_live"}, THIRD_PARTY),
    ("src/jotto_desk/games", {"jotto", "jotto_desk", "naosim_live"}, THIRD_PARTY),
    ("src/jotto_desk/cli", INTERNAL, THIRD_PARTY),
    ("src/jotto_desk/play", INTERNAL, THIRD_PARTY),
    ("src/jotto_desk/rehearsal", INTERNAL, THIRD_PARTY),
]
#: Folders with Python code of ours, and those of them that Python 2.7 reads.
CODE = ("src", "behaviour", "simulator", "robot_boxes")
BOTH_PYTHONS = (
    "src/jotto",
    "behaviour",
    "simulator/naosim",
    "simulator/naoqi",
    "simulator/almath",
    "simulator/motion",
    "simulator/vision_definitions",
    "robot_boxes",
)
#: The one module that may use names only one of the two Pythons has.
ASKS_WHICH_PYTHON = r"naosim/compat\.py$"
#: The engine has no clock, no global randomness, no threads, no network, and prints nothing.
NOT_IN_THE_ENGINE = {"time", "datetime", "random", "secrets", "threading", "socket", "urllib", "subprocess", "logging"}

#: What stubs cannot say: libqi's classes have a metaclass of their own, Session is a function there, and a box's class
#: has its methods on a robot alone.
NOT_COMPARED = r"""
qi\.[A-Z]\w*
qi\._Application(\.start)?
naoqi\.ALBehavior\..*
"""

LONGEST_MODULE, LONGEST_FUNCTION, MOST_MODULES = 800, 80, 30
#: Packages in which a class name means one thing.
DISTINCT = ("src/jotto", "src/jotto_desk", "behaviour/jotto_behaviour", "simulator/naosim", "simulator/naosim_live")
#: Modules and functions that are mostly a table.
TABLES: set[str] = set()
#: Paths of one person's computer; `nao` is the user on every robot.
MACHINE_PATHS = ("/" + "root/", "/" + "work/", "/" + "home/", "pyenv" + "/versions")
ROBOT_HOME = "/" + "home/nao/"


def modules(folder):
    """Parse every module below a folder."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def place(path, node=None):
    """Format a position in a module."""
    where = path.relative_to(ROOT).as_posix()
    return where if node is None else f"{where}:{node.lineno}"


def run(*command, **environ):
    """Run a tool of the virtual environment; return its exit code and its output."""
    answer = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return answer.returncode, answer.stdout + answer.stderr


def test_types():
    """Takes seconds where mypy has no cache of an earlier run."""
    code, output = run("-m", "mypy")
    assert code == 0, output


def checked(folder, scripts):
    """Return what mypy reports about box scripts."""
    (folder / "mypy.ini").write_text(CONFIGURATION)
    for name, text in scripts.items():
        (folder / name).write_text(text)
    return run("-m", "mypy", "--config-file", str(folder / "mypy.ini"), str(folder))


def test_box_scripts_fit_their_boxes_and_naoqi(tmp_path):
    code, output = checked(tmp_path, typed_scripts(ROOT))
    assert code == 0, output


def test_slips_in_box_scripts_are_found(tmp_path):
    script = typed_scripts(ROOT)["listen.py"]
    slips = {
        "self.BIND_PYTHON": "self.BIND_PYTHN",
        "self.onStopped": "self.onStoped",
        "self.getName()": "self.getName(1)",
        'ALProxy("ALFrameManager")': "ALProxy()",
        "import threading": "import threadin",
    }
    scripts = {f"slip_{number}.py": script.replace(*slip) for number, slip in enumerate(slips.items())}
    _, output = checked(tmp_path, scripts)
    assert sorted({name for name in scripts if f"{name}:" in output}) == sorted(scripts), output


def test_the_stubs_say_what_is_there(tmp_path):
    (tmp_path / "allowed").write_text(NOT_COMPARED)
    command = ["-m", "mypy.stubtest", "--concise", "--ignore-missing-stub", "--allowlist", str(tmp_path / "allowed")]
    code, output = run(*command, "--mypy-config-file", "pyproject.toml", "qi", "naoqi", MYPYPATH="simulator")
    assert code == 0, output


def test_boxes_have_what_the_stubs_say_and_no_more():
    tree = ast.parse((ROOT / "simulator/naoqi/__init__.pyi").read_text(encoding="utf-8"))
    written = {
        scope.name: {
            getattr(node, "name", None) or node.target.id
            for node in scope.body
            if isinstance(node, ast.FunctionDef | ast.AnnAssign)
        }
        for scope in tree.body
        if isinstance(scope, ast.ClassDef)
    }
    # A box is a module as well; what that brings is seldom used and not all there.
    there = {name for name in dir(BoxBase) if not name.startswith("_")} - written["ALModule"]
    assert there == written["ALBehavior"] - {"__init__"}


def test_style():
    code, output = run("-m", "ruff", "check", "--output-format", "concise", ".")
    assert code == 0, output


def test_format():
    code, output = run("-m", "ruff", "format", "--check", ".")
    assert code == 0, output


@pytest.mark.parametrize("folder", BOTH_PYTHONS)
def test_nothing_needs_more_than_python_27(folder):
    # Types stand in comments, so `typing` is imported by type checkers alone.
    options = ["--no-config-file", "--no-tips", "--backport", "typing", "-t=2.7-", "-t=3.10-", "-vv"]
    vermin = str(Path(sys.executable).with_name("vermin"))
    # Stubs are read by type checkers alone.
    command = [vermin, *options, "--exclude-regex", ASKS_WHICH_PYTHON, "--exclude-regex", r"\.pyi$", str(ROOT / folder)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert answer.returncode == 0, answer.stdout
    assert "incompatible versions" not in answer.stdout, answer.stdout


@pytest.mark.parametrize("folder, ours, others", IMPORTS, ids=[row[0] for row in IMPORTS])
def test_who_imports_whom(folder, ours, others):
    inner = [row[0] for row in IMPORTS if row[0].startswith(folder + "/")]
    found = []
    for path, tree in modules(folder):
        if any(place(path).startswith(other + "/") for other in inner):
            continue
        for node, name in imported(tree):
            allowed = name in ours if name in INTERNAL else others is THIRD_PARTY or name in STDLIB | (others or set())
            if not allowed:
                found.append(f"{place(path, node)} imports {name}")
    assert not found, "\n" + "\n".join(found)


def imported(tree):
    """List the top-level packages a module imports, anywhere in the module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node, (node.module or "").partition(".")[0]


@pytest.fixture(scope="module")
def graph():
    """Every module of ours with the modules of ours that it imports, for types too."""
    return layers.imports(layers.modules())


@pytest.mark.parametrize("package", layers.LAYERS, ids=lambda package: package or "packages")
def test_every_room_imports_only_what_stands_below_it(package, graph):
    found = layers.misplaced(package, graph)
    assert not found, "\n" + "\n".join(found)


def test_no_modules_import_each_other_in_a_circle(graph):
    assert layers.circles(graph) == []


def test_a_circle_and_an_upward_import_would_be_found():
    """The two tests above see what they are there for."""
    trace, robot = "naosim.world", "naosim.robot"
    graph = {trace: {robot}, robot: {trace}, "naosim": set()}
    assert layers.circles(graph) == [["naosim.robot", "naosim.world"]]
    assert layers.misplaced("naosim", graph) == ["naosim.world imports naosim.robot, which stands no lower"]
    assert layers.misplaced("naosim", {"naosim.attic": set()}) == ["naosim.attic stands in no room of naosim"]


def test_the_picture_of_the_layers_is_drawn_from_the_table():
    assert layers.PICTURE.read_text(encoding="utf-8") == layers.picture()


def test_no_folder_holds_more_modules_than_a_reader_can_survey():
    counts = Counter(place(path.parent) for folder in CODE for path, _ in modules(folder) if path.name != "__init__.py")
    assert {folder for folder, count in counts.items() if count > MOST_MODULES} == set()


@pytest.mark.parametrize("package", DISTINCT)
def test_no_public_class_name_stands_twice(package):
    found = defaultdict(list)
    for path, tree in modules(package):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(place(path, node))
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_the_engine_has_no_clock_no_chance_and_no_voice():
    found = []
    for path, tree in modules("src/jotto"):
        found += [f"{place(path, node)} imports {name}" for node, name in imported(tree) if name in NOT_IN_THE_ENGINE]
        calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        found += [f"{place(path, name)} prints" for name in calls if isinstance(name, ast.Name) and name.id == "print"]
    assert not found, "\n" + "\n".join(found)


def test_every_public_name_has_a_docstring():
    found = []
    for folder in CODE:
        for path, tree in modules(folder):
            if not ast.get_docstring(tree) and folder != "robot_boxes":
                found.append(f"{place(path)} has no docstring")
            found += [f"{place(path, node)} {node.name}" for node in public(tree) if not ast.get_docstring(node)]
    assert not found, "\n" + "\n".join(found)


#: The methods of script boxes that NAOqi calls; its manual describes them.
HANDLERS = {"onLoad", "onUnload", "onError"}


def public(scope):
    """List the public classes and functions of a module or class; nested functions are private."""
    for node in scope.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node
            yield from public(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            handler = node.name in HANDLERS or node.name.startswith("onInput_")
            if not node.name.startswith("_") and not handler:
                yield node


def test_modules_and_functions_are_short():
    found = []
    for folder in CODE:
        for path, tree in modules(folder):
            lines = path.read_text(encoding="utf-8").count("\n")
            if lines > LONGEST_MODULE and place(path) not in TABLES:
                found.append(f"{place(path)} has {lines} lines")
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    lines = (node.end_lineno or node.lineno) - node.lineno + 1
                    if lines > LONGEST_FUNCTION and f"{place(path)}:{node.name}" not in TABLES:
                        found.append(f"{place(path, node)} {node.name} has {lines} lines")
    assert not found, "\n" + "\n".join(found)


def test_the_lists_of_exceptions_are_needed():
    missing = [name for name in TABLES if not (ROOT / name.partition(":")[0]).is_file()]
    assert missing == []


def test_the_files_that_are_begun_with_are_there():
    names = re.findall(r'"((?:both/|desk/)?test_\w+\.py)"', (ROOT / "tests/conftest.py").read_text(encoding="utf-8"))
    assert names and [name for name in names if not (ROOT / "tests" / name).is_file()] == []


def test_box_scripts_are_ascii_without_future():
    for path, tree in modules("robot_boxes"):
        assert path.read_text(encoding="utf-8").isascii(), path
        assert "__future__" not in [name for _, name in imported(tree)], path


def committed():
    """List every text file that belongs to the project."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    # An unpacked archive has no git, and nothing beside the project's own files.
    names = answer.stdout.split("\0") if answer.returncode == 0 else unpacked()
    for name in sorted(filter(None, names)):
        raw = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b"\0"
        if b"\0" not in raw:
            yield name, raw.decode("utf-8")


def unpacked():
    """List every file below the project that is not hidden."""
    places = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
    return [path.as_posix() for path in places if not any(part.startswith((".", "__py")) for part in path.parts)]


def test_no_file_names_a_persons_computer():
    found = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name, text in committed()
        for number, line in enumerate(text.splitlines(), start=1)
        if any(part in line.replace(ROBOT_HOME, "") for part in MACHINE_PATHS)
    ]
    assert not found, "\n" + "\n".join(found)


def test_text_files_end_with_one_newline():
    found = [name for name, text in committed() if text and (not text.endswith("\n") or text.endswith("\n\n"))]
    assert not found, "\n" + "\n".join(found)


def test_pages_are_in_plain_english():
    assert prose.found_in_pages() == []


def test_a_word_to_avoid_would_be_found():
    found = prose.hits("page.md", prose.page_lines("NAO asks back.\n\n```\nIt stands on the page.\n```\n\nDo it anew."))
    assert [hit.place for hit in found] == ["page.md:1", "page.md:7"]


def test_the_readme_names_every_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in cli.COMMANDS if f"jotto {name}" not in readme] == []


def test_the_choregraphe_project_is_what_robot_boxes_says(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["robot", "check", "--root", str(ROOT)])
    assert ended.value.code == 0, capsys.readouterr().out
