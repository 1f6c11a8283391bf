"""The lint of one box script against the ports and parameters of its box, made from its syntax tree."""

from __future__ import absolute_import, division, print_function

import ast
import re

from naosim.compat import quoted
from naosim.formats import xar
from naosim.scripting import compiler
from naosim.scripting.generated_class import BoxBase

MYPY = False
if MYPY:
    from typing import Any, Iterator

    Row = tuple[str, str, str, str]

ERROR, WARNING, REMARK = "error", "warning", "remark"
HANDLER = "onInput_"
#: The rule for a handler without an input: stock boxes have some.
UNCALLED = "uncalled"
_CODING = re.compile(r"coding[:=]\s*[-\w.]+")
#: Statements that may stand at the top of a script, and methods the robot calls though the box base lacks them.
_DECLARATIONS = ("Import", "ImportFrom", "ClassDef", "FunctionDef", "Assign", "If", "Try", "TryExcept", "Pass")
_CALLED_BY_ROBOT = frozenset(["onLoad", "onUnload", "onError", "onResourceLost", "onResourceError", "onResource"])


def judge(box):  # type: (xar.Box) -> Iterator[Row]
    """Iterate over the findings about one box's script: severity, rule, box path and sentence."""
    if not box.script:
        return
    if any(ord(each) > 127 for each in box.script) and not _has_coding(box.script):
        yield WARNING, "coding", box.path, 'The script is not ASCII and has no coding line: 2.7 misreads u"...".'
    try:
        tree = compiler.tree(box.script, box.path)
    except (SyntaxError, ValueError) as error:
        tree = _modern_tree(box)
        severity = ERROR if tree is None else WARNING
        yield severity, "syntax", box.path, compiler.complaint(error, box.script) + "."
    if tree is None:
        return
    made = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "MyClass"]
    if not made:
        yield ERROR, "class", box.path, "The script defines no class MyClass."
        return
    for row in _Script(box, made[-1]).findings():
        yield row
    for node in tree.body:
        if type(node).__name__ not in _DECLARATIONS and not _is_text(node):
            yield REMARK, "top", box.path, "Line %d acts at loading time; move it into onLoad." % node.lineno


def _modern_tree(box):  # type: (xar.Box) -> Any
    """Return the syntax tree of a Python 2 script rewritten as Python 3, None when that does not compile."""
    try:
        return compiler.tree(compiler.modernised(box.script), box.path)
    except (SyntaxError, ValueError):
        return None


def _has_coding(script):  # type: (str) -> bool
    return any(line.startswith("#") and _CODING.search(line) for line in script.split("\n")[:2])


class _Script(object):
    """The names that one MyClass defines and assigns, and the checks of what it calls."""

    def __init__(self, box, made):  # type: (xar.Box, ast.ClassDef) -> None
        self._box = box
        self._made = made
        self._methods = {node.name: node for node in made.body if isinstance(node, ast.FunctionDef)}
        self._names = set(self._methods) | set(dir(BoxBase)) | _CALLED_BY_ROBOT
        for node in ast.walk(made):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_self(node.value):
                self._names.add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._names.add(node.id)
        self._is_open = len(made.bases) > 1 or any(
            isinstance(node, ast.Name) and node.id in ("setattr", "__getattr__") for node in ast.walk(made)
        )

    def findings(self):  # type: () -> Iterator[Row]
        """Iterate over all findings about the class."""
        for row in self._handlers():
            yield row
        for node in ast.walk(self._made):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_self(node.func.value):
                for row in self._call(node, node.func.attr):
                    yield row
            elif isinstance(node, ast.While) and _sleeps(node):
                yield REMARK, "loop", self._box.path, "Line %d sleeps in a loop, which holds a thread." % node.lineno

    def _handlers(self):  # type: () -> Iterator[Row]
        inputs = {port.name: port for port in self._box.inputs}
        for name in sorted(self._methods):
            if not name.startswith(HANDLER):
                continue
            if name[len(HANDLER) :] not in inputs:
                yield (
                    WARNING,
                    UNCALLED,
                    self._box.path,
                    "Method %s has no input %s, so nothing ever calls it." % (name, quoted(name[len(HANDLER) :])),
                )
            taken = self._methods[name].args
            needed = len(taken.args) - len(taken.defaults)
            if needed > (2 if len(taken.args) == 2 else 1):
                yield (
                    ERROR,
                    "handler",
                    self._box.path,
                    "Method %s needs %d arguments; the robot gives one at most." % (name, needed - 1),
                )
        if self._box.timeline is not None or self._is_open:
            return
        for port in self._box.inputs:
            if port.nature in (xar.ON_EVENT, xar.ON_START) and HANDLER + port.name not in self._names:
                yield (
                    WARNING,
                    "handler",
                    self._box.path,
                    "Input %s has no method %s%s: its signals do nothing." % (quoted(port.name), HANDLER, port.name),
                )

    def _call(self, node, name):  # type: (ast.Call, str) -> Iterator[Row]
        outputs = {port.name: port for port in self._box.outputs}
        if name == "getParameter" and node.args:
            wanted = _literal(node.args[0])
            if wanted is not None and wanted not in [each.name for each in self._box.parameters]:
                yield (
                    ERROR,
                    "parameter",
                    self._box.path,
                    "Line %d asks for the parameter %s, which the box lacks." % (node.lineno, quoted(wanted)),
                )
        elif name in outputs and name not in self._methods:
            port = outputs[name]
            count = len(node.args)
            if port.type != xar.BANG and count == 0 and not node.keywords and not _has_star(node):
                yield (
                    ERROR,
                    "output",
                    self._box.path,
                    "Line %d fires the output %s without a value." % (node.lineno, quoted(name)),
                )
            elif count > 1:
                yield (
                    ERROR,
                    "output",
                    self._box.path,
                    "Line %d fires the output %s with %d values." % (node.lineno, quoted(name), count),
                )
        elif name not in self._names and not self._is_open:
            yield (
                ERROR,
                "output",
                self._box.path,
                "Line %d calls self.%s(), which is no output and no method." % (node.lineno, name),
            )


def _is_self(node):  # type: (Any) -> bool
    return isinstance(node, ast.Name) and node.id == "self"


def _has_star(node):  # type: (Any) -> bool
    return getattr(node, "starargs", None) is not None or any(type(each).__name__ == "Starred" for each in node.args)


def _is_text(node):  # type: (Any) -> bool
    return isinstance(node, ast.Expr) and _literal(node.value) is not None


def _literal(node):  # type: (Any) -> str | None
    """Return the text of a string literal in a syntax tree of either Python, None for any other node."""
    kind = type(node).__name__
    if kind == "Str":
        return node.s  # type: ignore[no-any-return]
    if kind == "Constant" and isinstance(node.value, str):
        return node.value
    return None


def _sleeps(loop):  # type: (ast.While) -> bool
    for node in ast.walk(loop):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name == "sleep":
                return True
    return False
