"""Names that the code no longer has: constants and functions that nothing uses, and names in backticks that are gone.

`python tests/stale_names.py` lists them.
"""

import ast
import builtins
import functools
import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from prose import CODE, ROOT, nodes, parse_code

#: Modules of NAOqi's SDK: other people's scripts use their names.
SDK = ("simulator/almath/", "simulator/motion/", "simulator/vision_definitions/", "simulator/naoqi/")
#: Names that others call: pytest's hooks, and the classes of NAOqi's services, which `SERVICES` collects.
CALLED = re.compile(r"pytest_\w+|AL[A-Z]\w+|__\w+__")
#: Blocks of the homework "Mastermind", which others write, and the hook of naosim, which hatchling finds.
KEPT = {"keep_different", "count_occurrences", "LibrariesHook"}
#: Examples, patterns of names, and functions of asyncio.
NO_NAMES = {"rryg", "name_0", "no_es", "_do_VERB", "wrap_future", "wait_for"}
#: Files whose words are names, too: other languages, settings and data.
SOURCES = {".js", ".mjs", ".c", ".h", ".toml", ".pyi", ".css", ".html", ".xar", ".ipynb"}
#: Files with words of people; keys and words with a capital or an underscore inside are names.
DATA = {".json", ".tsv", ".txt", ".yml", ".tree"}
_NAME = re.compile(r"\b\w+(?=\"?:)|\b[A-Za-z]+(?:_|[a-z][A-Z])\w*")
#: Folders that only tests and readers need.
ASIDE = ("tests", "simulator/tests", "benchmarks")


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


@functools.cache
def _other_words(root: Path) -> frozenset[str]:
    """Return the words of files that are not Python, and of the names of files."""
    found = set()
    for folder in (*CODE, *ASIDE, "docs", "notebooks"):
        for path in (root / folder).rglob("*"):
            if "node_modules" not in path.parts and path.suffix in SOURCES | DATA:
                text = path.read_text(encoding="utf-8", errors="replace")
                found |= {path.stem} | (_words(text) if path.suffix in SOURCES else set(_NAME.findall(text)))
    for name in ("pyproject.toml", "Makefile", "hatch_build.py", ".ci/run"):
        found |= _words((root / name).read_text(encoding="utf-8"))
    return frozenset(found)


def _used(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module reads, imports or writes in strings."""
    docstrings = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
    for node in nodes(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name.rpartition(".")[2]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield from _words(node.value)


def _defined(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the lines and names of a module's classes, functions and constants; decorators use what is below them."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.decorator_list:
            yield node.lineno, node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                # The names of a whole enumeration belong together.
                names = [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]
                yield from ((node.lineno, name) for name in names)


def unused_names() -> list[str]:
    """List the names at the top of a module that no package, box script or page uses."""
    used = {name for tree in parse_code(ROOT).values() for name in _used(tree)} | _other_words(ROOT)
    return [
        f"{place}:{line} {name}"
        for place, tree in parse_code(ROOT).items()
        if not place.startswith(SDK)
        for line, name in _defined(tree)
        if name not in used and not CALLED.fullmatch(name) and name not in KEPT and name != "_"
    ]


def _known(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a reader of another module can look up: not the variables inside functions."""
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield from _words(node.name)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not re.search(r"\s", node.value):
            yield from _words(node.value)
    for _, name in _defined(tree):
        yield name
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
                    yield inner.target.id
                elif isinstance(inner, ast.Assign):
                    yield from (each.id for each in ast.walk(inner) if isinstance(each, ast.Name))


def gone_names() -> list[str]:
    """List the names in backticks that neither their module nor another one has."""
    everywhere = {name for tree in parse_code(ROOT).values() for name in _known(tree)} | _other_words(ROOT)
    for folder in ASIDE:
        for path in (ROOT / folder).rglob("*.py"):
            everywhere |= {path.stem, *re.findall(r"(?m)^(?:def |class )?(\w+)", path.read_text(encoding="utf-8"))}
    everywhere |= {*dir(builtins), *keyword.kwlist, *NO_NAMES}
    found = []
    for place, tree in parse_code(ROOT).items():
        own = set(_used(tree)) | {node.id for node in nodes(tree) if isinstance(node, ast.Name)}
        for line, text in enumerate((ROOT / place).read_text(encoding="utf-8").splitlines(), start=1):
            for quoted in re.findall(r"`([A-Za-z_][\w.]*)(?:\(.*\))?`", text):
                first, *rest = quoted.split(".")
                names = [] if rest and first in sys.stdlib_module_names else [first, *rest]
                gone = [name for name in names if name not in own and name not in everywhere]
                found += [f"{place}:{line} `{quoted}`"] if gone else []
    return found


if __name__ == "__main__":
    every = [*unused_names(), *gone_names()]
    print("\n".join(every))
    sys.exit(bool(every))
