"""The rules of the project: types, style, Python 2.7, imports, size, words, paths, and releases of packages."""

import ast
import functools
import importlib.util
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import layers
import prose
import pytest
import sessions
import stale_names
from interpreters import ROOT
from packaging.requirements import Requirement
from processes import process

import jotto
from jotto_desk import cli, robot_kit
from naosim.scripting import BoxBase
from naosim_page.bundle import HEARING, OF_SERVER

#: Modules of NAOqi's SDK; boxes on the simulated robot can import them too.
SDK = {"almath", "motion", "vision_definitions"}
#: Folders with Python code, and the folders whose code also runs on Python 2.7.
PACKAGES = ("src", "behaviour", "simulator")
ALSO_2 = ("src/jotto", "behaviour", "robot_boxes", *(f"simulator/{name}" for name in ("naosim", "naoqi", *sorted(SDK))))


#: The settings of both distributions, and the folders of their packages; `qi-stubs` has only types.
SETTINGS = {name: layers.read_settings(name)["tool"] for name in layers.PROJECTS}
FOLDERS = {
    name: [f"{name}/{folder}".lstrip("/") for folder in tool["hatch"]["build"]["targets"]["wheel"]["packages"]]
    for name, tool in SETTINGS.items()
}
OF_GAME, OF_NAOSIM = (
    {folder.rpartition("/")[2]: folder for folder in FOLDERS[name] if not folder.endswith("-stubs")}
    for name in layers.PROJECTS
)
NAMES = {**OF_GAME, **OF_NAOSIM}


@functools.cache
def modules(folder):
    return [(ROOT / name, tree) for name, tree in prose.parse_code(ROOT).items() if name.startswith(f"{folder}/")]


def place(path, node=None):
    where = path.relative_to(ROOT).as_posix()
    return where if node is None else f"{where}:{node.lineno}"


def output_of(tool, *options):
    """Run a tool of the virtual environment; return its exit code and its output."""
    answer = process(Path(sys.executable).with_name(tool), *options, cwd=ROOT, timeout=600)
    return answer.returncode, answer.stdout + answer.stderr


def test_no_list_of_packages_lacks_one():
    game, naosim = SETTINGS.values()
    (contracts, own) = ({each["id"]: each for each in tool["importlinter"]["contracts"]} for tool in (game, naosim))
    desk = {
        path.stem
        for path in (ROOT / "src/jotto_desk").iterdir()
        if path.name[0] not in "_." and path.name != "py.typed"
    }
    knows_robots = {"cli", "conversation", "play", "rehearsal", "shipped"}
    lists = {
        "import-linter": (game["importlinter"]["root_packages"], OF_GAME),
        "import-linter, naosim": (naosim["importlinter"]["root_packages"], OF_NAOSIM),
        "layers": ([name for layer in contracts["packages"]["layers"] for name in layer.split(" | ")], OF_GAME),
        "layers, naosim": ([name for layer in own["packages"]["layers"] for name in layer.split(" | ")], OF_NAOSIM),
        "circles": (contracts["no-circles"]["ancestors"], OF_GAME),
        "circles, naosim": (own["no-circles"]["ancestors"], OF_NAOSIM),
        "robots, for the desk": (contracts["no-robot"]["forbidden_modules"], {*OF_NAOSIM, "jotto_behaviour"}),
        "robots, for the conversation": (contracts["conversation"]["forbidden_modules"], OF_NAOSIM),
        "the desk without robots": (
            contracts["no-robot"]["source_modules"],
            {f"jotto_desk.{name}" for name in desk - knows_robots},
        ),
        "sorting of imports": (game["ruff"]["lint"]["isort"]["known-first-party"], NAMES),
        "coverage": (game["coverage"]["run"]["source_pkgs"], NAMES),
        "coverage, naosim": (naosim["coverage"]["run"]["source_pkgs"], OF_NAOSIM),
        "mypy": ([*game["mypy"]["mypy_path"]], {folder.partition("/")[0] for folder in NAMES.values()}),
    }
    assert {
        name: set(listed) ^ set(needed) for name, (listed, needed) in lists.items() if set(listed) ^ set(needed)
    } == {}
    assert set(game["mypy"]["mypy_path"]) <= set(game["mypy"]["files"])
    folders = [folder for each in FOLDERS.values() for folder in each]
    assert [folder for folder in folders if not (ROOT / folder / "py.typed").is_file()] == []


@pytest.mark.parametrize(
    "command",
    [
        "mypy",
        "ruff check --output-format concise .",
        "ruff format --check .",
        "lint-imports --no-cache",
        "lint-imports --no-cache --config simulator/pyproject.toml",
    ],
)
def test_types_style_and_imports(command):
    """Takes half a minute if mypy has no cache of an earlier run."""
    code, output = output_of(*command.split())
    assert code == 0, output


def test_box_scripts_fit_their_boxes_and_naoqi_and_type_errors_in_them_are_found(tmp_path):
    # The scripts carry no types, so untyped code is accepted; every name they use has to exist.
    configuration = """
[mypy]
strict = true
mypy_path = src:behaviour:simulator
disallow_untyped_defs = false
disallow_incomplete_defs = false
disallow_untyped_calls = false
strict_optional = false
# Modules that a script imports have their own settings and their own check.
follow_imports = silent

# The preamble leaves a note of its own on the package.
[mypy-jotto_behaviour]
follow_imports = skip
"""
    head = """from naoqi import ALBehavior, ALBroker, ALDocable, ALModule, ALProxy


class GeneratedClass(ALBehavior):
    def __init__(self, autoBind: bool = True) -> None: ...
"""

    def typed_scripts(root):
        """Map script names to what a type checker reads: outputs are those that all boxes with the script have."""
        sources = robot_kit.sources.read_sources(root)
        return {
            name: head + outputs(sources.flow, name) + "\n\n" + text
            for name, text in sources.assemble_scripts().items()
        }

    def outputs(flow, script):
        """Declare the outputs of the boxes that use a script, as methods."""
        shared = set.intersection(*({port.name for port in box.outputs} for box in flow.boxes if box.script == script))
        return "".join(f"    def {name}(self, p: object = None) -> None: ...\n" for name in sorted(shared))

    scripts = typed_scripts(ROOT)
    slips = {
        "self.BIND_PYTHON": "self.BIND_PYTHN",
        "self.onStopped": "self.onStoped",
        "self.getName()": "self.getName(1)",
        'ALProxy("ALFrameManager")': "ALProxy()",
        "import threading": "import threadin",
    }
    wrong = {f"slip_{number}.py": scripts["listen.py"].replace(*slip) for number, slip in enumerate(slips.items())}
    for name, text in {"mypy.ini": configuration, **scripts, **wrong}.items():
        (tmp_path / name).write_text(text)
    _, output = output_of("mypy", "--config-file", tmp_path / "mypy.ini", tmp_path)
    assert set(re.findall(r"(\w+\.py):\d+: error", output)) == set(wrong), output


def test_the_stubs_match_the_modules(tmp_path):
    # Names that stubs cannot describe: libqi's classes have their own metaclass, its Session is a function, a box's
    # class has its methods only on a robot, and the type of an ALProxy depends on the name of its service.
    allowed = "qi\\.[A-Z]\\w*\nqi\\._Application(\\.start)?\nnaoqi\\.ALBehavior\\..*\nnaoqi\\.ALProxy\\.__init__\n"
    (tmp_path / "allowed").write_text(allowed)
    options = ["--concise", "--ignore-missing-stub", "--allowlist", tmp_path / "allowed", "--mypy-config-file"]
    code, output = output_of("stubtest", *options, "pyproject.toml", "qi", "naoqi")
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


def test_nothing_needs_more_than_python_27():
    # Types are in comments, so only type checkers import `typing`; only they read stubs. Only one module may use names
    # that one of the two Pythons lacks.
    options = ["--no-config-file", "--no-tips", "--backport", "typing", "-t=2.7-", "-t=3.10-", "-vv"]
    left_out = ["--exclude-regex", r"naosim/(compat|stacks)\.py$", "--exclude-regex", r"\.pyi$"]
    code, output = output_of("vermin", *options, *left_out, *(ROOT / folder for folder in ALSO_2))
    assert code == 0 and "incompatible versions" not in output, output


def test_code_for_robots_needs_only_the_standard_library():
    ours = set(NAMES) - {"naoqi", "qiwire"}
    # The standard library, with what only Python 2.7 has of it.
    stdlib = {*sys.stdlib_module_names, "thread", "Queue", "StringIO", "__builtin__", "urllib2", "urlparse"}
    on_robots = {"robot_boxes": {"naoqi", "qi"}, "simulator/naoqi": {"naoqi", "qi", "qiwire"}}
    found = [
        f"{place(path)} imports {name}"
        for folder in ALSO_2
        for path, tree in modules(folder)
        for name in {target.partition(".")[0] for target in imported(tree)} - ours - stdlib
        if name not in on_robots.get(folder, ())
        # The threads of a web browser are made of Pyodide's promises.
        and not (path.name == "stacks.py" and name in {"js", "pyodide"})
    ]
    assert not found, "\n" + "\n".join(found)


def test_what_runs_in_a_browser_needs_only_the_standard_library_and_the_simulator():
    runs = [tree for path, tree in modules("simulator/naosim_page") if path.stem not in OF_SERVER]
    needed = {target.partition(".")[0] for tree in runs for target in imported(tree)}
    assert needed <= {*sys.stdlib_module_names, "naosim", "naosim_page", "almath"}


def test_speech_recognition_in_a_browser_has_the_modules_that_it_imports():
    voice = [ROOT / "simulator" / "naosim_voice" / name for name in HEARING]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in voice if path.suffix == ".py"]
    needed = {target for tree in trees for target in imported(tree, "naosim_voice")}
    own = {name.split(".")[1] for name in needed if name.startswith("naosim_voice.")}
    assert own <= {path.stem for path in voice}
    # The desktop's network needs two libraries, and only there it is used.
    others = {name.partition(".")[0] for name in needed} - {"naosim", "naosim_voice", "numpy", "onnxruntime"}
    assert others <= {*sys.stdlib_module_names}


@functools.cache
def imported(tree, package=None):
    """List the dotted names that a module imports, in functions too; relative ones if its `package` is given."""
    found = []
    for node in prose.nodes(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and (package or not node.level):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*above, *filter(None, [node.module])])
            found += [f"{origin}.{alias.name}" for alias in node.names]
    return found


@functools.cache
def packages():
    """Map the name of every package to the list in its `__all__`, None if it has none."""
    found = {}
    for folder in PACKAGES:
        for path, tree in modules(folder):
            if path.name == "__init__.py":
                name = path.parent.relative_to(ROOT / folder).as_posix().replace("/", ".")
                assigned = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
                lists = [node.value for node in assigned if "__all__" in ast.unparse(node).partition("=")[0]]
                found[name] = ast.literal_eval(lists[0]) if lists else None
    return found


def test_packages_import_only_what_others_export():
    """`__all__` of a package lists the modules and names that code outside the package may import."""
    exported, used = packages(), defaultdict(set)
    for folder in PACKAGES:
        for path, tree in modules(folder):
            name = ".".join(path.relative_to(ROOT / folder).with_suffix("").parts).removesuffix(".__init__")
            inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
            for target in imported(tree, inside):
                parts = target.split(".")
                for package, rest in ((".".join(parts[:at]), parts[at]) for at in range(1, len(parts))):
                    if package in exported and not f"{name}.".startswith(package + "."):
                        used[package].add(rest)
    without = [name for name, names in exported.items() if names is None and name not in SDK]
    assert without == [], "these packages have no __all__"
    hidden = {name: used[name] - set(names) for name, names in exported.items() if names is not None}
    assert {name: sorted(names) for name, names in hidden.items() if names} == {}


def test_exported_names_exist_once_and_are_few():
    for package, names in packages().items():
        # While a behaviour runs, the simulated robot has its own `naoqi`.
        if names and package != "naoqi":
            assert len(names) <= 40 and len(set(names)) == len(names), package
            module = importlib.import_module(package)
            gone = [name for name in names if not hasattr(module, name)]
            assert [name for name in gone if not importlib.util.find_spec(f"{package}.{name}")] == []


def test_the_picture_of_the_layers_is_drawn_from_the_table():
    assert layers.PICTURE.read_text(encoding="utf-8") == layers.picture()


def test_folders_modules_and_functions_are_small_and_every_public_name_has_a_docstring():
    def public(scope):
        """Yield the public classes and functions of a module or class, but not what NAOqi calls in a box."""
        for node in scope.body:
            name = getattr(node, "name", "_")
            if not name.startswith(("_", "onInput_")) and name not in ("onLoad", "onUnload", "onError"):
                yield node
                yield from public(node) if isinstance(node, ast.ClassDef) else ()

    found, counts = [], Counter()
    for folder in (*PACKAGES, "robot_boxes"):
        for path, tree in modules(folder):
            counts[place(path.parent)] += path.name != "__init__.py"
            lines = path.read_text(encoding="utf-8").count("\n")
            if lines > 800:
                found.append(f"{place(path)} has {lines} lines")
            for node in prose.nodes(tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno - node.lineno >= 80:
                    found.append(f"{place(path, node)} {node.name} has more than 80 lines")
            names = [node for node in public(tree) if not ast.get_docstring(node)]
            found += [f"{place(path, node)} {node.name} has no docstring" for node in names]
            if not ast.get_docstring(tree) and folder != "robot_boxes":
                found.append(f"{place(path)} has no docstring")
    found += [f"{folder} has {count} modules" for folder, count in counts.items() if count > 30]
    assert not found, "\n" + "\n".join(found)


def test_the_simulated_robot_has_types():
    texts = [path.read_text(encoding="utf-8") for path, _ in modules("simulator/naosim")]
    untyped, lines = (sum(len(re.findall(part, text)) for text in texts) for part in (r"\bAny\b", "\n"))
    assert untyped <= 0.015 * lines, f"{untyped} times Any in {lines} lines"


@pytest.mark.parametrize("package", sorted(NAMES.values()))
def test_public_class_names_are_unique(package):
    found = defaultdict(list)
    for path, tree in modules(package):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(place(path, node))
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def list_chains(trees):
    """Return the longest chain of bases of each class in `trees`, by module name, without those of libraries."""
    elsewhere, bases = {}, {}
    for module, tree in trees.items():
        name = module.removesuffix(".__init__")
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                above = module.split(".")[: -node.level] if node.level else []
                origin = ".".join([*above, *filter(None, [node.module])])
                elsewhere |= {f"{name}.{alias.asname or alias.name}": f"{origin}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                elsewhere |= {f"{name}.{alias.asname or alias.name}": alias.name for alias in node.names}
            elif isinstance(node, ast.ClassDef):
                bases[f"{name}.{node.name}"] = [f"{name}.{ast.unparse(base).partition('[')[0]}" for base in node.bases]

    def find(name):
        """Return the full name of what a module calls by this name, such as `module.alias.Class`."""
        parts = name.split(".")
        heads = [".".join(parts[:end]) for end in range(1, len(parts) + 1)]
        moved = next((head for head in heads if elsewhere.get(head, head) != head), None)
        return find(elsewhere[moved] + name[len(moved) :]) if moved else name

    @functools.cache
    def follow(name):
        longest = max((follow(find(base)) for base in bases.get(name, ())), key=len, default=())
        return (name, *longest) if name in bases else ()

    return [follow(name) for name in bases]


def test_no_chain_of_base_classes_is_deeper_than_four():
    """Count the project's own classes; those of Python, of libraries and of NAOqi's SDK are not counted."""
    # More classes on top of each other cannot be read in one place: make parts of them instead (`self.walk`).
    deepest = 4
    chains = list_chains(
        {
            ".".join(path.relative_to(ROOT / folder).with_suffix("").parts): tree
            for folder in PACKAGES
            for path, tree in modules(folder)
        }
    )
    deep = [" < ".join(chain) for chain in chains if len(chain) > deepest]
    assert len(chains) > 500 and not deep, "\n" + "\n".join(deep)


def test_a_deep_chain_would_be_found():
    low = "class A(Exception): pass\nclass B(A): pass"
    high = "import ours\nfrom . import low as base\nclass C(ours.B): pass\nclass D(base.B): pass\nclass E(D, C): pass"
    texts = {"ours.__init__": "from .low import B", "ours.low": low, "ours.high": high}
    longest = max(list_chains({name: ast.parse(text) for name, text in texts.items()}), key=len)
    assert longest == ("ours.high.E", "ours.high.D", "ours.low.B", "ours.low.A")


def test_the_files_that_run_first_exist():
    tests = {path.name for folder in ("tests", "simulator/tests") for path in (ROOT / folder).rglob("test_*.py")}
    assert {*sessions.LONGEST, *sessions.ONE_BY_ONE} <= tests


def test_naosim_knows_no_game():
    """Nothing of it, tests included, imports or names the game; its licence names the holders of the copyright."""
    listed = process("git", "ls-files", "simulator", cwd=ROOT).stdout.splitlines()
    paths = [ROOT / name for name in listed] or [path for path in (ROOT / "simulator").rglob("*") if path.is_file()]
    texts = {place(path): path.read_bytes() for path in paths if path.is_file() and path.name != "LICENSE"}
    assert len(texts) > 300 and [name for name, text in texts.items() if b"jotto" in text.lower()] == []


def test_box_scripts_are_ascii_without_future():
    for path, tree in modules("robot_boxes"):
        assert path.read_text(encoding="utf-8").isascii() and "__future__" not in str(imported(tree)), path


def test_no_text_file_has_a_path_of_one_computer_and_each_ends_with_one_newline():
    answer = process("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    # An unpacked archive has no git; all its files that are not hidden belong to the project.
    below = [path.relative_to(ROOT) for path in ROOT.rglob("*")] if answer.returncode else []
    names = [path.as_posix() for path in below if not any(part.startswith((".", "__py")) for part in path.parts)]
    # `nao` is the user on every robot.
    machine = re.compile("/" + "root/|/" + "work/|/" + "home/(?!nao/)|pyenv" + "/versions")
    found = []
    for name in sorted(filter(None, names or answer.stdout.split("\0"))):
        raw = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b"\0"
        if b"\0" in raw:
            continue
        text = raw.decode("utf-8")
        if text and (not text.endswith("\n") or text.endswith("\n\n")):
            found.append(f"{name} does not end with one newline")
        if machine.search(text):
            lines = enumerate(text.splitlines(), start=1)
            found += [f"{name}:{number}: {line.strip()[:80]}" for number, line in lines if machine.search(line)]
    assert not found, "\n" + "\n".join(found)


def test_pages_and_comments_are_in_plain_english():
    assert prose.found_in_pages() + prose.found_in_code() == []


def test_no_name_is_unused_or_gone():
    """Takes seconds: it reads every module."""
    assert stale_names.unused_names() + stale_names.gone_names() == []


def test_a_name_that_is_unused_or_gone_would_be_found(tmp_path, monkeypatch):
    (tmp_path / "src").mkdir()
    for name in ("pyproject.toml", "Makefile", "hatch_build.py", ".ci/run"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    text = '"""See `kept`, `lost` and `lost.kept`."""\n\nLEFT, kept = 1, 2\nprint(kept)\n'
    (tmp_path / "src" / "one.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(stale_names, "ROOT", tmp_path)
    assert stale_names.unused_names() == ["src/one.py:3 LEFT"]
    assert stale_names.gone_names() == ["src/one.py:1 `lost`", "src/one.py:1 `lost.kept`"]


def test_a_word_to_avoid_would_be_found():
    found = prose.hits("page.md", prose.page_lines("NAO asks back.\n\n```\nIt stands on the page.\n```\n\nDo it anew."))
    assert [hit.place for hit in found] == ["page.md:1", "page.md:7"]
    found = prose.hits("set.c", prose.c_comment_lines("/* Sets. */\nint anew; /* Sorted\n * anew. */\n"))
    assert [hit.place for hit in found] == ["set.c:3"]


def test_the_readme_names_every_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in cli.COMMANDS if f"jotto {name}" not in readme] == []


def test_the_choregraphe_project_is_built_from_robot_boxes(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["robot", "check", "--root", str(ROOT)])
    assert ended.value.code == 0, capsys.readouterr().out


def test_both_distributions_have_the_same_version_and_the_game_takes_this_naosim():
    game, naosim = (layers.read_settings(name)["project"] for name in layers.PROJECTS)
    (needed,) = [each for each in map(Requirement, game["dependencies"]) if each.name == "naosim"]
    assert jotto.__version__ == naosim["version"]
    assert needed.specifier.contains(naosim["version"])


@pytest.fixture(scope="module")
def required():
    """List what both distributions and the tools for developers require in some version."""
    listed = []
    for name in layers.PROJECTS:
        settings = layers.read_settings(name)
        project = settings["project"]
        for lines in (
            project["dependencies"],
            *project["optional-dependencies"].values(),
            *settings["dependency-groups"].values(),
        ):
            listed += [Requirement(line) for line in lines if isinstance(line, str)]
    return [each for each in listed if each.specifier]


def test_no_release_with_a_known_vulnerability_is_admitted(required):
    """fastapi up to 0.132 takes no starlette without one."""
    # The last release with a known vulnerability, as far as was known in November 2026.
    vulnerable = """requests 2.32.5, fastapi 0.132.0, starlette 1.3.0, virtualenv 20.21.1, filelock 3.20.2, nltk 3.9.4,
    jupyterlab 4.6.1, dask 2025.12.0, pytest 9.0.2"""
    for name, version in map(str.split, vulnerable.split(",")):
        admitting = [str(each) for each in required if each.name == name and each.specifier.contains(version)]
        pinned = re.findall(rf"(?m)^{name}==([\w.]+)", (ROOT / "constraints.txt").read_text(encoding="ascii"))
        assert admitting == [] and version not in pinned, (name, version)
    assert len(required) > 40
