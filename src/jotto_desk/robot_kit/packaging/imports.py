"""The imports of a package's Python files, and whether the robot will find them. Nothing is run."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

#: Modules NAOqi puts on the path of its own Python.
ROBOT_MODULES = {"naoqi", "qi", "motion", "allog", "almath", "vision_definitions"}
#: Standard modules under names only Python 2 had, for a desk without a Python 2.7 to ask.
OLD_MODULES = {"__builtin__", "ConfigParser", "Queue", "StringIO", "cPickle", "cStringIO", "thread", "urllib2"}
#: Conditions that hold for type checkers alone.
NEVER = {"MYPY", "TYPE_CHECKING"}
SECONDS = 60
#: The line without which Python 2.7 reads no file that is not ASCII.
CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")

#: Run by Python 2.7: which of the files it refuses, and which of the modules it has.
ASK_27 = """
import imp, json, platform, sys
files, names = json.loads(sys.stdin.read())
refused, there = {}, []
for name, text in files.items():
    try:
        compile(text.encode("utf-8"), name.encode("ascii", "replace"), "exec", 0, True)
    except (SyntaxError, TypeError) as error:
        refused[name] = "%s, line %s" % (getattr(error, "msg", error), getattr(error, "lineno", "?"))
for name in names:
    try:
        imp.find_module(name.encode("ascii"))
    except ImportError:
        continue
    there.append(name)
sys.stdout.write(json.dumps([platform.python_version(), refused, there]))
"""


@dataclass(frozen=True)
class WantedImport:
    """One import: file and line it stands in, the dotted name it needs; `may_fail` where the file is ready for that."""

    place: str
    line: int
    name: str
    may_fail: bool


@dataclass(frozen=True)
class ImportReading:
    """What a Python found in the files: its own version, sentences about what is wrong, and what nothing imports."""

    python: str
    findings: tuple[str, ...]
    unused: tuple[str, ...]


def read(library: Mapping[str, str], scripts: Mapping[str, str], python27: Sequence[str] | None) -> ImportReading:
    """Judge the modules of a lib (place below it -> text) and the box scripts by the robot's Python, or by this one.

    Sentences name a file that does not compile and an import that neither lib nor the robot has.
    """
    texts = {**library, **scripts}
    modules = {module_name(place): place for place in library}
    trees, refused = _parsed(texts)
    wanted = [one for place, tree in trees.items() for one in _imports(tree, place, place in library)]
    outside = sorted({one.name.partition(".")[0] for one in wanted} - {name.partition(".")[0] for name in modules})
    version, refused_by_27, standard = _asked(texts, outside, python27)
    findings = [
        f"{place} does not compile on Python {version} ({why}); correct it."
        for place, why in sorted({**refused, **refused_by_27}.items())
    ]
    findings += [
        f"{one.place}, line {one.line} imports {one.name}, which the robot does not have; put it into lib."
        for one in wanted
        if not one.may_fail and not _is_there(one.name, modules, standard)
    ]
    return ImportReading(version, tuple(findings), _unused(modules, wanted, scripts))


def module_name(place: str) -> str:
    """Return the dotted name of a file in lib.

    >>> module_name("jotto/__init__.py"), module_name("jotto/rules.py")
    ('jotto', 'jotto.rules')
    """
    return place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _parsed(texts: Mapping[str, str]) -> tuple[dict[str, ast.Module], dict[str, str]]:
    trees, refused = {}, {}
    for place, text in texts.items():
        if not text.isascii() and not any(map(CODING.match, text.split("\n")[:2])):
            refused[place] = "not ASCII, and no coding line says what else"
        try:
            trees[place] = ast.parse(text, place)
        except (SyntaxError, ValueError) as error:
            refused[place] = f"{getattr(error, 'msg', error)}, line {getattr(error, 'lineno', '?')}"
    return trees, refused


def _asked(
    texts: Mapping[str, str], names: Sequence[str], python27: Sequence[str] | None
) -> tuple[str, dict[str, str], set[str]]:
    """Return the version of the Python that checked, what it refuses, and the standard modules it has."""
    if not python27:
        return ".".join(map(str, sys.version_info[:3])), {}, set(sys.stdlib_module_names) | OLD_MODULES
    command = [*python27, "-E", "-s", "-S", "-c", ASK_27]
    question = json.dumps([dict(texts), list(names)]).encode("ascii")
    # From a folder without modules: the current one stands first on the path.
    answer = subprocess.run(command, input=question, stdout=subprocess.PIPE, timeout=SECONDS, check=True, cwd="/")
    version, refused, there = json.loads(answer.stdout)
    return version, refused, set(there)


def _imports(tree: ast.Module, place: str, is_in_lib: bool) -> Iterator[WantedImport]:
    """Every import that can run; a name taken from a package counts as a module where lib has one of that name."""
    package = module_name(place).split(".") if is_in_lib else []
    if is_in_lib and not place.endswith("/__init__.py"):
        package = package[:-1]
    for node, may_fail in _reachable(tree.body, False):
        if isinstance(node, ast.Import):
            yield from (WantedImport(place, node.lineno, alias.name, may_fail) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield WantedImport(place, node.lineno, name, may_fail)
            # Whether these are modules or names inside one, only the lib can tell.
            yield from (WantedImport(place, node.lineno, f"{name}.{alias.name}", True) for alias in node.names)


def _reachable(nodes: Iterable[ast.AST], may_fail: bool) -> Iterator[tuple[ast.AST, bool]]:
    for node in nodes:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id in NEVER:
            yield from _reachable(node.orelse, may_fail)
            continue
        yield node, may_fail
        if isinstance(node, ast.Try):
            yield from _reachable(node.body, may_fail or any(map(_forgives, node.handlers)))
            yield from _reachable([*node.handlers, *node.orelse, *node.finalbody], may_fail)
        else:
            yield from _reachable(ast.iter_child_nodes(node), may_fail)


def _forgives(handler: ast.ExceptHandler) -> bool:
    """Tell whether a missing module is caught, and not only to say it in other words."""
    caught = "ImportError" if handler.type is None else ast.unparse(handler.type)
    again = any(isinstance(node, ast.Raise) for node in ast.walk(handler))
    return not again and any(name in caught for name in ("ImportError", "ModuleNotFoundError", "Exception"))


def _is_there(name: str, modules: Mapping[str, str], standard: set[str]) -> bool:
    first = name.partition(".")[0]
    return name in modules or (first not in modules and first in standard | ROBOT_MODULES)


def _unused(modules: Mapping[str, str], wanted: Sequence[WantedImport], scripts: Mapping[str, str]) -> tuple[str, ...]:
    """List the places in lib that no script imports, however indirectly."""
    reached: set[str] = set()
    waiting = list(scripts)
    while waiting:
        place = waiting.pop()
        for one in wanted:
            parts = one.name.split(".") if one.place == place else []
            for end in range(1, len(parts) + 1):
                found = modules.get(".".join(parts[:end]))
                if found and found not in reached:
                    reached.add(found)
                    waiting.append(found)
    return tuple(sorted(set(modules.values()) - reached))
