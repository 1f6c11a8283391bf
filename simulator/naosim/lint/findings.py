"""The lint: checks of a behaviour's diagram, box scripts and Dialog boxes without running it.

`judge` lists the findings. When a robot loads a behaviour, `note_findings` records the errors and refuses a broken
structure.
"""

from __future__ import absolute_import, division, print_function

import ast
import os
import re
from collections import Counter, namedtuple

from naosim import compiler, topics, xar
from naosim.compat import PY2, native, quote
from naosim.errors import BrokenBehaviour
from naosim.lint import migration
from naosim.qichat import BadTopic
from naosim.scripting import BoxBase
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Iterable, Iterator, TypeVar

    Value = TypeVar("Value")

    _Row = tuple[str, str, str, str]

# The check of a box script against the ports and parameters of its box.

_HANDLER_PREFIX = "onInput_"
#: The rule about a handler without an input: an error only on a strict robot, because stock boxes have such handlers.
_UNCALLED = "uncalled"
_CODING = re.compile(r"coding[:=]\s*[-\w.]+")
_NOT_ASCII = re.compile("[^\\x00-\\x7f]")
#: The kinds of statements allowed at the top level of a script.
_DECLARATIONS = ("Import", "ImportFrom", "ClassDef", "FunctionDef", "Assign", "If", "Try", "TryExcept", "Pass")
#: Methods that the robot calls if a script defines them.
_CALLED_BY_ROBOT = frozenset(["onLoad", "onUnload", "onError", "onResourceLost", "onResourceError", "onResource"])


def _judge_script(box, linked):  # type: (xar.Box, set[int]) -> Iterator[_Row]
    """Yield the findings about a box's script; `linked` has the ids of the inputs that get signals."""
    has_coding = any(line.startswith("#") and _CODING.search(line) for line in box.script.split("\n")[:2])
    if _NOT_ASCII.search(box.script) and not has_coding:
        yield WARNING, "coding", box.path, 'The script is not ASCII and has no coding line: 2.7 misreads u"...".'
    try:
        tree = compiler.parse_script(box.script, box.path)  # type: ast.Module | None
    except (SyntaxError, ValueError) as error:
        tree = _modern_tree(box)
        said = compiler.describe_compile_error(error, box.script) if tree is not None else _newer_error(box)
        yield ERROR if tree is None else WARNING, "syntax", box.path, said + "."
    if tree is None:
        return
    made = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "MyClass"]
    if not made:
        yield ERROR, "class", box.path, "The script defines no class MyClass."
        return
    for row in _Script(box, made[-1], linked, tree).findings():
        yield row
    for node in tree.body:
        is_text = isinstance(node, ast.Expr) and _literal(node.value) is not None
        if type(node).__name__ not in _DECLARATIONS and not is_text:
            yield REMARK, "top", box.path, "Line %d acts at loading time; move it into onLoad." % node.lineno


def _modern_tree(box):  # type: (xar.Box) -> ast.Module | None
    """Return the syntax tree of a script after rewriting it as Python 3; None if it still does not compile."""
    try:
        return compiler.parse_script(compiler.rewrite_as_python3(box.script), box.path)
    except (SyntaxError, ValueError):
        return None


def _newer_error(box):  # type: (xar.Box) -> str
    """Return why a script does not compile even after rewriting it as Python 3, which is its real fault."""
    script = box.script if PY2 else compiler.rewrite_as_python3(box.script)
    try:
        compiler.parse_script(script, box.path)
    except (SyntaxError, ValueError) as error:
        return compiler.describe_compile_error(error, script)
    return "The script does not compile"


class _Script(object):
    """The names that a script's MyClass defines or assigns, and the checks of the calls that the robot can reach.

    Scripts of Choregraphe's library have methods for inputs that many boxes do not have, and that nothing calls.
    """

    def __init__(self, box, made, linked, tree):  # type: (xar.Box, ast.ClassDef, set[int], ast.Module) -> None
        self._box = box
        self._linked = {port.name for port in box.inputs if port.id in linked}
        self._made = made
        self._methods = {node.name: node for node in made.body if isinstance(node, ast.FunctionDef)}
        self._names = set(self._methods) | set(dir(BoxBase)) | _CALLED_BY_ROBOT
        # All nodes of each part of the class: to walk through a syntax tree is most of the work.
        self._nodes = {part: list(ast.walk(part)) for part in ast.iter_child_nodes(made)}
        inside = [node for nodes in self._nodes.values() for node in nodes]
        for node in inside:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_self(node.value):
                self._names.add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._names.add(node.id)
        named = {node.id for node in inside if isinstance(node, ast.Name)}
        self._is_open = len(made.bases) > 1 or not named.isdisjoint(("setattr", "__getattr__"))
        self._reached = self._list_reached(tree)

    def findings(self):  # type: () -> Iterator[_Row]
        for row in self._handlers():
            yield row
        for name in [each for each in self._methods if each in self._reached]:
            nodes = self._nodes[self._methods[name]]
            caught = _find_caught_nodes(nodes)
            for node in nodes:
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_self(node.func.value):
                    rule, said = self._call(node, node.func.attr)
                    if said:
                        severity = WARNING if node in caught else ERROR
                        yield severity, rule, self._box.path, "Line %d %s" % (node.lineno, said)
                elif isinstance(node, ast.While) and _sleeps(node):
                    yield (
                        REMARK,
                        "loop",
                        self._box.path,
                        "Line %d sleeps in a loop, which holds a thread." % node.lineno,
                    )

    def _list_reached(self, tree):  # type: (ast.Module) -> set[str]
        """Return the methods that the robot can call, or that a method which it can call names in any way."""
        reached = {_HANDLER_PREFIX + name for name in self._linked} | _CALLED_BY_ROBOT | {"__init__"}
        waiting = [node for node in tree.body if node is not self._made]
        waiting += [node for node in self._made.body if not isinstance(node, ast.FunctionDef)]
        waiting += [self._methods[name] for name in reached & set(self._methods)]
        while waiting:
            part = waiting.pop()
            for node in self._nodes.get(part) or ast.walk(part):
                name = node.attr if isinstance(node, ast.Attribute) else _literal(node)
                if name in self._methods and name not in reached:
                    reached.add(name)
                    waiting.append(self._methods[name])
        return reached

    def _handlers(self):  # type: () -> Iterator[_Row]
        inputs, path = {port.name for port in self._box.inputs}, self._box.path
        for method in sorted(name for name in self._methods if name.startswith(_HANDLER_PREFIX)):
            name = method[len(_HANDLER_PREFIX) :]
            if name not in inputs and method not in self._reached:
                said = "Method %s has no input %s, so nothing ever calls it." % (method, quote(name))
                yield WARNING, _UNCALLED, path, said
            taken = self._methods[method].args
            needed = len(taken.args) - len(taken.defaults)
            if needed > (2 if len(taken.args) == 2 else 1) and method in self._reached:
                said = "Method %s needs %d arguments; the robot gives one at most." % (method, needed - 1)
                yield ERROR, "handler", path, said
        if self._box.timeline is not None or self._is_open:
            return
        for port in self._box.inputs:
            method = _HANDLER_PREFIX + port.name
            is_handled = method in self._names or port.name not in self._linked
            if port.nature in (xar.ON_EVENT, xar.ON_START) and not is_handled:
                said = "Input %s has no method %s: its signals do nothing." % (quote(port.name), method)
                yield WARNING, "handler", path, said

    def _call(self, node, name):  # type: (ast.Call, str) -> tuple[str, str]
        """Return the rule that a call breaks and the effect of the call, "" if it is fine."""
        outputs = {port.name: port for port in self._box.outputs}
        if name == "getParameter" and node.args:
            wanted = _literal(node.args[0])
            if wanted is not None and wanted not in [each.name for each in self._box.parameters]:
                return "parameter", "asks for the parameter %s, which the box lacks." % quote(wanted)
        elif name in outputs and name not in self._methods:
            count = len(node.args)
            if outputs[name].type != xar.BANG and count == 0 and not node.keywords and not _has_star(node):
                return "output", "fires the output %s without a value." % quote(name)
            if count > 1:
                return "output", "fires the output %s with %d values." % (quote(name), count)
        elif name not in self._names and not self._is_open:
            return "output", "calls self.%s(), which is neither an output nor a method." % name
        return "", ""


def _find_caught_nodes(nodes):  # type: (Iterable[ast.AST]) -> set[ast.AST]
    """Return the nodes of a method inside `try` or `except`: if they fail, or only after a failure, it continues."""
    tries = [node for node in nodes if getattr(node, "handlers", None)]
    return {inner for each in tries for inner in ast.walk(each)}


def _is_self(node):  # type: (object) -> bool
    return isinstance(node, ast.Name) and node.id == "self"


def _has_star(node):  # type: (Any) -> bool
    return getattr(node, "starargs", None) is not None or any(type(each).__name__ == "Starred" for each in node.args)


def _literal(node):  # type: (Any) -> str | None
    """Return the text of a string literal in a syntax tree of Python 2 or 3; None for other nodes."""
    kind = type(node).__name__
    if kind == "Str":
        return node.s  # type: ignore[no-any-return]
    if kind == "Constant" and isinstance(node.value, str):
        return node.value
    return None


def _sleeps(loop):  # type: (ast.While) -> bool
    calls = [node.func for node in ast.walk(loop) if isinstance(node, ast.Call)]
    return any(getattr(each, "attr", getattr(each, "id", "")) == "sleep" for each in calls)


# The check of a Dialog box.


def _judge_dialog(box, folder):  # type: (xar.Box, str) -> Iterator[_Row]
    """Yield the findings about the `.dlg` file and the topics of a Dialog box; `folder` is the behaviour's."""
    place = os.path.join(folder, native(box.dialog))
    try:
        listed = list(topics.list_topic_files(place))
    except RuntimeError as error:
        yield ERROR, "dialog", box.path, "The Dialog box %s." % error
        return
    if not listed:
        yield ERROR, "dialog", box.path, "%s lists no topic in a language that NAO speaks." % quote(box.dialog)
    for language, path in listed:
        name = os.path.basename(path)
        if not os.path.isfile(path):
            # Only the robot's current language is loaded.
            missing = WARNING if any(os.path.isfile(other) for _, other in listed) else ERROR
            yield missing, "dialog", box.path, "The topic file %s for %s is listed and is not there." % (name, language)
            continue
        try:
            topics.parse_topic(topics.read_topic_file(path), topics.make_include_reader(os.path.dirname(path)))
        except BadTopic as error:
            yield ERROR, "dialog", box.path, "The topic file %s cannot be read: %s." % (name, error)


# The check of a behaviour.

#: A finding: its severity, the rule, the path of the box, and a sentence.
Finding = namedtuple("Finding", "severity rule box sentence")
ERROR, WARNING, REMARK = "error", "warning", "remark"  # severities

_STRUCTURE_RULES = ("ids", "ports", "link")  # rules whose errors prevent loading the behaviour


def judge(project):  # type: (xar.Project) -> list[Finding]
    """List all findings in the order of the file, computed once for each project."""
    if project.findings is None:
        found, linked = list(_file(project)) + list(_root(project.root, project.kind)), _map_linked_inputs(project)
        for box in project.boxes():
            found += _box(box)
            for number, diagram in enumerate(xar.diagrams(box)):
                found += _diagram(box, diagram, number)
            found += _judge_script(box, linked[box.path]) if box.script else []
            if box.dialog is not None and project.path is not None:
                found += _judge_dialog(box, os.path.dirname(project.path))
        found += _check_end(project.root)
        project.findings = [Finding(*row) for row in found]
    return list(project.findings)


def judge_for_target(project):  # type: (xar.Project) -> list[Finding]
    """List the changes that a behaviour needs for NAOqi 2.8."""
    found = []
    if migration.has_old_namespace(project.head):
        found.append(Finding(WARNING, "target", "root", migration.OLD_NAMESPACE_SENTENCE))
    for box in project.boxes():
        for line, said, is_made in migration.list_changes(box.script):
            by = "a rule can change it" if is_made else "change it by hand"
            found.append(Finding(WARNING, "target", box.path, "Line %d: %s (%s)." % (line, said, by)))
    return found


def _map_linked_inputs(project):  # type: (xar.Project) -> dict[str, set[int]]
    """Return the ids of the inputs of each box, by its path, that get signals; all inputs of the root do."""
    found = {box.path: set() for box in project.boxes()}  # type: dict[str, set[int]]
    found[project.root.path] |= {port.id for port in project.root.inputs}
    for box in project.boxes():
        for diagram in xar.diagrams(box):
            paths = {child.id: child.path for child in diagram.boxes}
            for link in diagram.links:
                if link.receiver in paths:
                    found[paths[link.receiver]].add(link.input)
    return found


def _file(project):  # type: (xar.Project) -> Iterator[_Row]
    # Choregraphe's converter searches for the version in the first two lines.
    lines = project.head.splitlines()
    if not lines or not lines[0].lstrip(b"\xef\xbb\xbf").startswith(b"<?xml"):
        yield WARNING, "head", "root", "Line 1 of the file is no XML declaration: Choregraphe's converter refuses it."
    elif b"xar_version" not in b"".join(lines[:2]):
        yield WARNING, "head", "root", "Lines 1 and 2 of the file lack xar_version: Choregraphe's converter refuses it."


def _root(root, kind):  # type: (xar.Box, str) -> Iterator[_Row]
    if kind != "ChoregrapheProject":
        return
    if root.name != "root" or root.id != -1:
        said = 'The root box is called %s with id %d instead of "root" with -1.' % (quote(root.name), root.id)
        yield WARNING, "root", root.path, said
    if not any(port.nature == xar.ON_START for port in root.inputs):
        yield ERROR, "root", root.path, "The root has no onStart input, so the behaviour cannot start."
    if not any(port.nature == xar.STOPPED for port in root.outputs):
        yield WARNING, "root", root.path, "The root has no output of nature stopped, so the behaviour never ends."


def _box(box):  # type: (xar.Box) -> Iterator[_Row]
    ports = box.inputs + box.outputs + box.parameters
    if [port.id for port in ports] != list(range(1, len(ports) + 1)):
        severity = ERROR if len({port.id for port in ports}) < len(ports) else WARNING
        yield severity, "ports", box.path, "The ids of inputs, outputs and parameters are not 1 to %d." % len(ports)
    first = box.inputs[0] if box.inputs else None
    if first is None or first.nature != xar.ON_LOAD:
        yield ERROR, "ports", box.path, "The first input is not onLoad."
    for name in _duplicates(port.name for port in box.inputs + box.outputs):
        yield WARNING, "names", box.path, "Two ports are called %s." % quote(name)
    for port in box.inputs:
        if port.nature not in range(5):
            yield ERROR, "ports", box.path, "Input %s has the unknown nature %d." % (quote(port.name), port.nature)
        if port.nature == xar.ON_MEMORY and not port.key:
            yield WARNING, "ports", box.path, "ALMemory input %s names no key." % quote(port.name)
    for each in box.parameters:
        is_ranged = each.type in (xar.INT, xar.DOUBLE) and None not in (each.low, each.high)
        if is_ranged and not each.low <= each.value <= each.high:
            said = "Parameter %s is %s, outside %s to %s." % (quote(each.name), each.value, each.low, each.high)
            yield WARNING, "parameter", box.path, said


def _diagram(owner, diagram, number):  # type: (xar.Box, xar.Diagram, int) -> Iterator[_Row]
    place = owner.path if not number else "%s, keyframe %d" % (owner.path, number + 1)
    for child in diagram.boxes:
        if child.id <= 0:
            yield ERROR, "ids", child.path, "The box id is %d; it must be above 0." % child.id
    for identifier in _duplicates(child.id for child in diagram.boxes):
        yield ERROR, "ids", place, "Two boxes have the id %s." % identifier
    boxes = {child.id: child for child in diagram.boxes}
    for link in diagram.links:
        why = _link_error(link, owner, boxes)
        if why:
            yield ERROR, "link", place, "The link in line %d %s." % (link.line, why)
    emitting = {(link.emitter, link.output) for link in diagram.links}
    receiving = {link.receiver for link in diagram.links}
    for child in diagram.boxes:
        for output in child.outputs:
            if (child.id, output.id) not in emitting:
                yield REMARK, "unused", child.path, "Output %s leads nowhere." % quote(output.name)
        listens = any(port.nature == xar.ON_MEMORY for port in child.inputs)
        if child.id not in receiving and not listens and len(child.inputs) > 1:
            yield REMARK, "unused", child.path, "No link leads to this box."


def _link_error(link, owner, boxes):  # type: (xar.Link, xar.Box, dict[int, xar.Box]) -> str | None
    """Return why a link is broken, as the end of a sentence; None if it is not."""
    for number in (link.emitter, link.receiver):
        if number and number not in boxes:
            return "names box %d, which is not in the diagram" % number
    source = owner.inputs if not link.emitter else boxes[link.emitter].outputs
    if link.output not in [port.id for port in source]:
        side = "input of the owner" if not link.emitter else "output of box %s" % quote(boxes[link.emitter].name)
        return "comes from port %d, which is not an %s" % (link.output, side)
    if not link.receiver:
        if link.input not in [port.id for port in owner.outputs]:
            return "leads to port %d, which is not an output of the owner" % link.input
        return None
    box = boxes[link.receiver]
    natures = {port.id: port.nature for port in box.inputs}
    if natures.get(link.input) in (xar.ON_LOAD, xar.ON_MEMORY):
        return "leads into input %d of box %s, which only its inside can see" % (link.input, quote(box.name))
    if link.input not in natures and link.input not in [each.id for each in box.parameters]:
        return "leads to port %d, which is neither an input nor a parameter of box %s" % (link.input, quote(box.name))
    return None


def _check_end(root):  # type: (xar.Box) -> Iterator[_Row]
    """Yield a warning if no signal can reach the root's onStopped, so that the behaviour never ends."""
    wanted = {port.id for port in root.outputs if port.nature == xar.STOPPED}
    if not wanted or any("exitBehavior" in box.script for box in xar.walk(root)):
        return
    entered = {port.id for port in root.inputs if port.nature in (xar.ON_START, xar.ON_LOAD, xar.ON_MEMORY)}
    if not wanted & _list_fired(root, entered):
        yield (
            WARNING,
            "end",
            root.path,
            "No box that can be reached fires the root's onStopped: the behaviour never ends.",
        )


def _list_fired(box, entered):  # type: (xar.Box, set[int]) -> set[int]
    """Return the outputs that a box can fire after these inputs; a script can fire every output that it names."""
    fired = {port.id for port in box.outputs if port.name in box.script or box.dialog is not None}
    timeline = box.timeline
    if timeline is None:
        return fired
    if timeline.enabled:
        fired |= {port.id for port in box.outputs if port.nature == xar.STOPPED}
    inside = entered | {port.id for port in box.inputs if port.nature in (xar.ON_LOAD, xar.ON_MEMORY)}
    for diagram in xar.diagrams(box):
        fired |= _list_carried(diagram, inside)
    return fired


def _list_carried(diagram, sources):  # type: (xar.Diagram, set[int]) -> set[int]
    """Return the outputs of the owner that signals from these inputs can reach through one diagram."""
    boxes = {child.id: child for child in diagram.boxes}
    live = {(0, port) for port in sources}
    reached = {child.id: set() for child in diagram.boxes if _acts_alone(child)}  # type: dict[int, set[int]]
    for number in reached:
        live |= {(number, port) for port in _list_fired(boxes[number], set())}
    waiting = True
    while waiting:
        waiting = False
        for link in diagram.links:
            if (link.emitter, link.output) in live and link.receiver in boxes:
                entered = reached.setdefault(link.receiver, set())
                if link.input not in entered:
                    entered.add(link.input)
                    live |= {(link.receiver, port) for port in _list_fired(boxes[link.receiver], entered)}
                    waiting = True
    return {link.input for link in diagram.links if not link.receiver and (link.emitter, link.output) in live}


def _acts_alone(box):  # type: (xar.Box) -> bool
    """Return whether a box can fire without an input, because it acts when it is loaded or on an event."""
    if any(port.nature == xar.ON_MEMORY for port in box.inputs):
        return True
    return "def onLoad" in box.script and any(word in box.script for word in ("subscribe", "connect", "Timer", "Task"))


def _duplicates(values):  # type: (Iterable[Value]) -> Iterator[Value]
    seen = Counter()  # type: Counter[Value]
    for value in values:
        seen[value] += 1
        if seen[value] == 2:
            yield value


# Loading a behaviour.


def note_findings(world, project):  # type: (World, xar.Project) -> None
    """Record the errors of the lint; raises BrokenBehaviour for broken ids, ports and links."""
    found = judge(project)
    errors = [finding for finding in found if finding.severity == "error"]
    broken = [finding for finding in errors if finding.rule in _STRUCTURE_RULES]
    if broken:
        more = " (and %d more)" % (len(broken) - 1) if len(broken) > 1 else ""
        said = "%s: box %s: %s%s" % (project.name, quote(broken[0].box), broken[0].sentence, more)
        raise BrokenBehaviour(said)
    for finding in errors + [finding for finding in found if world.is_strict and finding.rule == _UNCALLED]:
        world.trace.note("lint", box=finding.box, rule=finding.rule, text=finding.sentence)
        if finding.rule in ("handler", _UNCALLED):
            world.trace.note("error", where=finding.box, message=finding.sentence, handled=False)
