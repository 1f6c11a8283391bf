"""The rules of the project: types, style, Python 2.7, imports, size, words and paths."""

import ast
import importlib.util
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

#: Modules of NAOqi's SDK; boxes on the simulated robot can import them too.
SDK = {"almath", "motion", "vision_definitions"}

#: Folders with Python code, and the folders whose code also runs on Python 2.7.
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

LONGEST_MODULE, LONGEST_FUNCTION, MOST_MODULES, MOST_EXPORTS = 800, 80, 30, 40


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
    """Takes half a minute if mypy has no cache of an earlier run."""
    code, output = run("-m", "mypy")
    assert code == 0, output


def check_scripts(folder, scripts):
    """Return the exit code and the output of mypy for box scripts."""
    (folder / "mypy.ini").write_text(CONFIGURATION)
    for name, text in scripts.items():
        (folder / name).write_text(text)
    return run("-m", "mypy", "--config-file", str(folder / "mypy.ini"), str(folder))


def test_box_scripts_fit_their_boxes_and_naoqi(tmp_path):
    code, output = check_scripts(tmp_path, typed_scripts(ROOT))
    assert code == 0, output


def test_type_errors_in_box_scripts_are_found(tmp_path):
    script = typed_scripts(ROOT)["listen.py"]
    slips = {
        "self.BIND_PYTHON": "self.BIND_PYTHN",
        "self.onStopped": "self.onStoped",
        "self.getName()": "self.getName(1)",
        'ALProxy("ALFrameManager")': "ALProxy()",
        "import threading": "import threadin",
    }
    scripts = {f"slip_{number}.py": script.replace(*slip) for number, slip in enumerate(slips.items())}
    _, output = check_scripts(tmp_path, scripts)
    assert sorted({name for name in scripts if f"{name}:" in output}) == sorted(scripts), output


def test_the_stubs_match_the_modules(tmp_path):
    # Names that stubs cannot describe: libqi's classes have their own metaclass, its Session is a function, and a box's
    # class has its methods only on a robot.
    not_compared = r"""
qi\.[A-Z]\w*
qi\._Application(\.start)?
naoqi\.ALBehavior\..*
"""
    (tmp_path / "allowed").write_text(not_compared)
    command = ["-m", "mypy.stubtest", "--concise", "--ignore-missing-stub", "--allowlist", str(tmp_path / "allowed")]
    code, output = run(*command, "--mypy-config-file", "pyproject.toml", "qi", "naoqi", MYPYPATH="simulator")
    assert code == 0, output


def test_boxes_have_exactly_the_methods_of_the_stubs():
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
    # A box is also an ALModule; the simulated robot has only some of those methods.
    there = {name for name in dir(BoxBase) if not name.startswith("_")} - written["ALModule"]
    assert there == written["ALBehavior"] - {"__init__"}


def test_style():
    code, output = run("-m", "ruff", "check", "--output-format", "concise", ".")
    assert code == 0, output


def test_format():
    code, output = run("-m", "ruff", "format", "--check", ".")
    assert code == 0, output


def test_nothing_needs_more_than_python_27():
    # Types are in comments, so only type checkers import `typing`; only they read stubs.
    options = ["--no-config-file", "--no-tips", "--backport", "typing", "-t=2.7-", "-t=3.10-", "-vv"]
    vermin = str(Path(sys.executable).with_name("vermin"))
    excluded = ["--exclude-regex", (r"naosim/compat\.py$"), "--exclude-regex", r"\.pyi$"]
    command = [vermin, *options, *excluded, *(str(ROOT / folder) for folder in BOTH_PYTHONS)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert answer.returncode == 0, answer.stdout
    assert "incompatible versions" not in answer.stdout, answer.stdout


def test_code_for_robots_needs_only_the_standard_library():
    # Modules of the standard library, with those that only Python 2.7 has.
    stdlib = {*sys.stdlib_module_names, "thread", "Queue", "StringIO", "__builtin__", "urllib2", "urlparse"}
    internal = {"jotto", "jotto_behaviour", "naosim", "naosim_live", "jotto_desk"} | SDK
    found = [
        f"{place(path, node)} imports {name}"
        for folder in BOTH_PYTHONS
        for path, tree in modules(folder)
        for node, name in imported(tree)
        if name not in internal | stdlib
        and not (folder in {"robot_boxes", "simulator/naoqi"} and name in {"naoqi", "qi"})
    ]
    assert not found, "\n" + "\n".join(found)


def imported(tree):
    """Yield each import of a module with its top-level package, also imports inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node, (node.module or "").partition(".")[0]


def test_import_contracts():
    program = str(Path(sys.executable).with_name("lint-imports"))
    answer = subprocess.run([program, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def packages():
    """Map the name of every package to its tree and the list in its `__all__`, None if it has none."""
    found = {}
    for folder in ("src", "behaviour", "simulator"):
        for path, tree in modules(folder):
            if path.name == "__init__.py":
                name = path.parent.relative_to(ROOT / folder).as_posix().replace("/", ".")
                lists = [
                    node.value for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign) and is_all(node)
                ]
                found[name] = ast.literal_eval(lists[0]) if lists else None
    return found


def is_all(node):
    """Return whether an assignment is that of `__all__`."""
    return "__all__" in [getattr(each, "id", "") for each in getattr(node, "targets", None) or [node.target]]


def test_packages_import_only_what_others_export():
    """`__all__` of a package lists the modules and names that code outside the package may import."""

    def imported_names(tree, package):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                origin = ".".join([*above, *filter(None, [node.module])])
                yield from (f"{origin}.{alias.name}" for alias in node.names)

    exported, used = packages(), defaultdict(set)
    for folder in ("src", "behaviour", "simulator"):
        for path, tree in modules(folder):
            name = ".".join(path.relative_to(ROOT / folder).with_suffix("").parts).removesuffix(".__init__")
            inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
            for target in imported_names(tree, inside):
                for package in exported:
                    if target.startswith(package + ".") and not f"{name}.".startswith(package + "."):
                        used[package].add(target[len(package) + 1 :].partition(".")[0])
    without = [name for name, names in exported.items() if names is None and name not in SDK]
    assert without == [], "these packages have no __all__"
    hidden = {name: used[name] - set(names) for name, names in exported.items() if names is not None}
    assert {name: sorted(names) for name, names in hidden.items() if names} == {}


def test_exported_names_exist_once_and_are_few():
    def is_module(name):
        return importlib.util.find_spec(name) is not None

    for package, names in packages().items():
        # While a behaviour runs, the simulated robot has its own `naoqi`.
        if names and package != "naoqi":
            assert len(names) <= MOST_EXPORTS and len(set(names)) == len(names), package
            module = importlib.import_module(package)
            assert [name for name in names if not hasattr(module, name) and not is_module(f"{package}.{name}")] == []


def test_the_picture_of_the_layers_is_drawn_from_the_table():
    assert layers.PICTURE.read_text(encoding="utf-8") == layers.picture()


def test_no_folder_has_too_many_modules():
    counts = Counter(place(path.parent) for folder in CODE for path, _ in modules(folder) if path.name != "__init__.py")
    assert {folder for folder, count in counts.items() if count > MOST_MODULES} == set()


# Folders in which every public class name is unique.
@pytest.mark.parametrize(
    "package", ("src/jotto", "src/jotto_desk", "behaviour/jotto_behaviour", "simulator/naosim", "simulator/naosim_live")
)
def test_public_class_names_are_unique(package):
    found = defaultdict(list)
    for path, tree in modules(package):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(place(path, node))
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_every_public_name_has_a_docstring():
    found = []
    for folder in CODE:
        for path, tree in modules(folder):
            if not ast.get_docstring(tree) and folder != "robot_boxes":
                found.append(f"{place(path)} has no docstring")
            found += [f"{place(path, node)} {node.name}" for node in public(tree) if not ast.get_docstring(node)]
    assert not found, "\n" + "\n".join(found)


#: Methods of script boxes that NAOqi calls; NAOqi's manual describes them.
HANDLERS = {"onLoad", "onUnload", "onError"}


def public(scope):
    """Yield the public classes and functions of a module or class, without nested functions."""
    for node in scope.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node
            yield from public(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            handler = node.name in HANDLERS or node.name.startswith("onInput_")
            if not node.name.startswith("_") and not handler:
                yield node


def test_modules_and_functions_have_a_maximum_length():
    found = []
    for folder in CODE:
        for path, tree in modules(folder):
            lines = path.read_text(encoding="utf-8").count("\n")
            if lines > LONGEST_MODULE:
                found.append(f"{place(path)} has {lines} lines")
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    lines = (node.end_lineno or node.lineno) - node.lineno + 1
                    if lines > LONGEST_FUNCTION:
                        found.append(f"{place(path, node)} {node.name} has {lines} lines")
    assert not found, "\n" + "\n".join(found)


def test_the_files_that_run_first_exist():
    names = re.findall(r'"((?:both/|desk/)?test_\w+\.py)"', (ROOT / "tests/conftest.py").read_text(encoding="utf-8"))
    assert names and [name for name in names if not (ROOT / "tests" / name).is_file()] == []


def test_box_scripts_are_ascii_without_future():
    for path, tree in modules("robot_boxes"):
        assert path.read_text(encoding="utf-8").isascii(), path
        assert "__future__" not in [name for _, name in imported(tree)], path


def read_text_files():
    """Yield the name and the text of every text file of the project."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    # An unpacked archive has no git; all its files belong to the project.
    names = answer.stdout.split("\0") if answer.returncode == 0 else list_unpacked()
    for name in sorted(filter(None, names)):
        raw = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b"\0"
        if b"\0" not in raw:
            yield name, raw.decode("utf-8")


def list_unpacked():
    """List every file of the project that is not hidden."""
    places = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
    return [path.as_posix() for path in places if not any(part.startswith((".", "__py")) for part in path.parts)]


def test_no_file_has_a_path_of_one_computer():
    # Parts of paths on one person's computer; `nao` is the user on every robot.
    machine_paths = ("/" + "root/", "/" + "work/", "/" + "home/", "pyenv" + "/versions")
    found = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name, text in read_text_files()
        for number, line in enumerate(text.splitlines(), start=1)
        if any(part in line.replace(("/" + "home/nao/"), "") for part in machine_paths)
    ]
    assert not found, "\n" + "\n".join(found)


def test_text_files_end_with_one_newline():
    found = [name for name, text in read_text_files() if text and (not text.endswith("\n") or text.endswith("\n\n"))]
    assert not found, "\n" + "\n".join(found)


def test_pages_and_comments_are_in_plain_english():
    assert prose.found_in_pages() + prose.found_in_code() == []


def test_a_word_to_avoid_would_be_found():
    found = prose.hits("page.md", prose.page_lines("NAO asks back.\n\n```\nIt stands on the page.\n```\n\nDo it anew."))
    assert [hit.place for hit in found] == ["page.md:1", "page.md:7"]


def test_the_readme_names_every_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in cli.COMMANDS if f"jotto {name}" not in readme] == []


def test_the_choregraphe_project_is_built_from_robot_boxes(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["robot", "check", "--root", str(ROOT)])
    assert ended.value.code == 0, capsys.readouterr().out
