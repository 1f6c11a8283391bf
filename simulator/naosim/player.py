"""The player: builds the boxes of a behaviour and carries signals along the links, each through the clock's queue.

An output never calls the receiver: delivery is queued, as Aldebaran's own boxes need it. A link is cut when its diagram
is unloaded, so what is still under way then is dropped.
"""
from __future__ import absolute_import, division, print_function

import os
import sys

from naosim import xar
from naosim.clock import TaskEnded
from naosim.generated import BoxBase, generated_class, is_typed
from naosim.plan import TO_INPUT, TO_OUTPUT, plan
from naosim.pythons import INTEGERS, native, quoted, reason
from naosim.resources import Locks
from naosim.timeline import LiveTimeline, ScriptTimeline
from naosim.trace import failures

MYPY = False
if MYPY:
    from typing import Any, Iterator

    from naosim.plan import DiagramPlan, Plan
    from naosim.robot import Robot
    from naosim.xar import Port


class LiveDiagram(object):
    """One diagram of a running behaviour."""

    __slots__ = ("boxes", "is_loaded", "owner", "plan", "soon")

    def __init__(self, diagram, owner):
        # type: (DiagramPlan, LiveBox) -> None
        self.plan = diagram
        self.owner = owner
        self.is_loaded = False
        self.soon = owner.behaviour.robot.clock.soon
        self.boxes = {}  # type: dict[int, LiveBox]
        for child in diagram.boxes:
            self.boxes[child.box.id] = LiveBox(child, owner.behaviour, self)

    def load(self):
        # type: () -> None
        """Loads every box, in document order."""
        if not self.is_loaded:
            self.is_loaded = True
            for child in self.plan.boxes:
                self.boxes[child.box.id].load()

    def unload(self):
        # type: () -> None
        """Cuts the links, then unloads every box, in document order."""
        if self.is_loaded:
            self.is_loaded = False
            for child in self.plan.boxes:
                self.boxes[child.box.id].unload()

    def emit(self, box, port, value):
        # type: (int, int, Any) -> None
        """Queues one delivery for each link that leaves this port; box 0 is the owner."""
        for route in self.plan.routes.get((box, port), ()):
            self.soon(self._deliver, route, value)

    def _deliver(self, route, value):
        # type: (tuple[int, int, Any], Any) -> None
        if not self.is_loaded:
            return
        kind, box, port = route
        if kind == TO_INPUT:
            self.boxes[box].receive(port, value)
        elif kind == TO_OUTPUT:
            self.owner.fire(port, value)
        else:
            self.boxes[box].set_parameter(port.name, value)


class LiveBox(object):
    """One box of a running behaviour."""

    __slots__ = ("_memory_links", "_values", "behaviour", "diagrams", "home", "instance", "is_based", "is_leaving",
                 "is_loaded", "name", "parent", "path", "plan", "timeline")

    def __init__(self, box, behaviour, home):
        # type: (Plan, Behaviour, LiveDiagram | None) -> None
        self.plan = box
        self.behaviour = behaviour
        self.home = home
        self.parent = home.owner if home is not None else None  # type: LiveBox | None
        self.path = box.box.path
        self.name = _module_name(self)
        self.is_loaded = self.is_leaving = self.is_based = False
        self._values = {name: parameter.value for name, parameter in box.parameters.items()}
        self._memory_links = []  # type: list[tuple[str, int]]
        self.instance = None  # type: Any
        self.diagrams = [LiveDiagram(diagram, self) for diagram in box.diagrams]
        has_timeline = box.box.timeline is not None and box.box.timeline.enabled
        self.timeline = LiveTimeline(self) if has_timeline else None

    def family(self):
        # type: () -> Iterator[LiveBox]
        """The box and every box inside it, as in the file."""
        yield self
        for diagram in self.diagrams:
            for child in diagram.plan.boxes:
                for box in diagram.boxes[child.box.id].family():
                    yield box

    def is_inside(self, other):
        # type: (LiveBox) -> bool
        """Whether this is the other box or lies in it."""
        box = self  # type: LiveBox | None
        while box is not None and box is not other:
            box = box.parent
        return box is not None

    def build(self):
        # type: () -> None
        """Runs the script and makes the object; a script that fails leaves a plain box behind, as on the robot."""
        base = generated_class(self)
        self.instance = None
        if self.plan.code is not None:
            try:
                self.instance = self._scripted(base)
            except TaskEnded:
                raise
            except BaseException as error:
                self.fail("__init__", self._described(error))
        if self.instance is None:
            self.instance = base()
        self.behaviour.robot.modules[self.name] = self.instance

    def load(self):
        # type: () -> None
        """Loads the box: its onLoad runs."""
        self.is_loaded = True
        self.note("load")
        self.call("onLoad")

    def unload(self):
        # type: () -> None
        """Unloads the box: its onUnload runs, then its content goes."""
        if not self.is_loaded or self.is_leaving:
            return
        self.is_leaving = True
        self.call("onUnload")
        self.leave()
        self.behaviour.locks.drop(self)
        self.is_loaded = self.is_leaving = False
        self.note("unload")

    def enter(self):
        # type: () -> None
        """Loads the content: the diagram, or the timeline and its cursor."""
        if self.plan.memory and not self._memory_links:
            self._listen()
        if self.timeline is not None:
            self.timeline.play()
        else:
            for diagram in self.diagrams:
                diagram.load()

    def leave(self):
        # type: () -> None
        """Unloads the content."""
        links, self._memory_links = self._memory_links, []
        for key, link in links:
            self.behaviour.robot.memory.unlink(key, link)
        if self.timeline is not None:
            self.timeline.stop()
        for diagram in self.diagrams:
            diagram.unload()

    def receive(self, port, value):
        # type: (Port, Any) -> None
        """Takes in a signal: handler first, then the content is loaded, forwarded to or unloaded."""
        if port.type == xar.BANG:
            value = None
        self.behaviour.robot.trace.note("input", box=self.path, port=port.name, value=value)
        if port.nature == xar.ON_START and self.plan.box.resources and not self.behaviour.locks.take(self):
            self._refused_resource()
            return
        if not self.call("onInput_" + port.name, value) or not self.is_loaded or self.is_leaving:
            return
        if port.nature == xar.ON_STOP:
            self.leave()
            self.behaviour.locks.drop(self)
            return
        if port.nature == xar.ON_START:
            self.enter()
        for diagram in self.diagrams:
            if diagram.is_loaded:
                diagram.emit(0, port.id, value)

    def fire(self, port, value):
        # type: (Port, Any) -> None
        """Sends a signal out; an output of nature stopped unloads the content first."""
        if not self.is_loaded:
            self.fail(port.name, "the output was fired while the box was not loaded")
            return
        if self.is_leaving:
            return
        robot = self.behaviour.robot
        robot.trace.note("output", box=self.path, port=port.name, value=value)
        if port.nature == xar.STOPPED:
            if self.home is None:
                self.behaviour.times_stopped += 1
            if self.diagrams or self.timeline is not None or self.home is None:
                robot.clock.soon(self._stop_and_emit, port, value)
                return
            if self.plan.box.resources:
                self.behaviour.locks.drop(self)
        if self.home is not None:
            self.home.emit(self.plan.box.id, port.id, value)

    def fire_checked(self, port, value):
        # type: (Port, Any) -> None
        """Sends a script's value out; a value of the wrong type goes through, as on the robot, and fails the run."""
        if not is_typed(port, value):
            self.fail(port.name, "the output is declared %s and was fired with %s" % (
                xar.TYPE_NAMES[port.type] if port.size < 2 else "%d values" % port.size, _shown(value)))
        self.fire(port, value)

    def fire_by_name(self, name, value):
        # type: (str, Any) -> None
        """Sends a signal out through the output of this name; raises RuntimeError when there is none."""
        port = self.plan.outputs.get(name)
        if port is None:
            raise RuntimeError("box %s has no output %s" % (quoted(self.path), quoted(name)))
        self.fire(port, value)

    def call(self, handler, value=None):
        # type: (str, Any) -> bool
        """Calls a handler of the script, if there is one; False when it raised."""
        method = getattr(self.instance, handler, None)
        if method is None:
            return True
        try:
            if _takes_value(method):
                method(value)
            else:
                method()
        except (TaskEnded, KeyboardInterrupt):
            raise
        except BaseException as error:
            self._failed(handler, error)
            return False
        return True

    def parameter(self, name):
        # type: (str) -> Any
        """The value of a parameter, an ancestor's of the same name where it inherits; raises RuntimeError."""
        box = self  # type: LiveBox | None
        if name not in self._values:
            raise RuntimeError("box %s has no parameter %s" % (quoted(self.path), quoted(name)))
        found = self
        while box is not None:
            if name in box._values:
                found = box
                if not box.plan.parameters[name].inherits:
                    break
            box = box.parent
        return found._values[name]

    def set_parameter(self, name, value):
        # type: (str, Any) -> None
        """Stores a value in a parameter, converted to its type; raises RuntimeError for one that does not fit."""
        parameter = self.plan.parameters.get(name)
        if parameter is None:
            raise RuntimeError("box %s has no parameter %s" % (quoted(self.path), quoted(name)))
        self._values[name] = _converted(parameter, value)
        self.note("parameter", name=name, value=self._values[name])

    def lose(self, resource):
        # type: (str) -> None
        """Is told that another box demanded a resource of this one."""
        if hasattr(self.instance, "onResourceLost"):
            self.call("onResourceLost", resource)
            self.leave()
        elif self.plan.stopped is not None:
            self.fire(self.plan.stopped, None)

    def script_timeline(self):
        # type: () -> ScriptTimeline | None
        """The timeline of this box, for scripts."""
        return ScriptTimeline(self.timeline) if self.timeline is not None else None

    def parent_timeline(self):
        # type: () -> ScriptTimeline | None
        """The timeline of the nearest enclosing box that has one, for scripts."""
        box = self.parent
        while box is not None and box.timeline is None:
            box = box.parent
        return box.script_timeline() if box is not None else None

    def note(self, kind, **fields):
        # type: (str, **Any) -> None
        """Records an event of this box."""
        self.behaviour.robot.trace.note(kind, box=self.path, **fields)

    def fail(self, what, message, handled=False):
        # type: (str, str, bool) -> None
        """Records a failure of this box."""
        where = "%s.%s" % (self.path, what)
        self.behaviour.robot.trace.note("error", box=self.path, where=where, message=message, handled=handled)

    def _scripted(self, base):
        # type: (type) -> Any
        names = self.behaviour.robot.names()
        names["GeneratedClass"] = base
        exec(self.plan.code or "", names)
        made = names.get("MyClass")
        if made is None:
            raise NameError("the script defines no class MyClass")
        if not (isinstance(made, type) and issubclass(made, BoxBase)):
            raise TypeError("MyClass does not inherit from GeneratedClass")
        instance = made()
        if not self.is_based:
            self.fail("__init__", "GeneratedClass.__init__(self) is never called")
        return instance

    def _failed(self, handler, error):
        # type: (str, BaseException) -> None
        """The robot's rule: what has an onError is told, everything else turns red."""
        on_error = getattr(self.instance, "onError", None)
        self.fail(handler, self._described(error), callable(on_error))
        if callable(on_error) and handler != "onError":
            try:
                on_error("%s:%s" % (self.plan.box.name, reason(error)))
            except TaskEnded:
                raise
            except BaseException as second:
                self.fail("onError", self._described(second))

    def _described(self, error):
        # type: (BaseException) -> str
        """What the error says and where in the script it happened."""
        traceback, line = sys.exc_info()[2], None
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self.path:
                line = traceback.tb_lineno
            traceback = traceback.tb_next
        said = reason(error)
        return said if line is None else "%s (line %d of the script)" % (said, line)

    def _refused_resource(self):
        # type: () -> None
        if hasattr(self.instance, "onResourceError"):
            self.call("onResourceError")
        elif self.plan.stopped is not None:
            self.fire(self.plan.stopped, None)

    def _stop_and_emit(self, port, value):
        # type: (Port, Any) -> None
        self.leave()
        self.behaviour.locks.drop(self)
        if self.home is None:
            self.behaviour.finish()
        elif self.is_loaded and not self.is_leaving:
            self.home.emit(self.plan.box.id, port.id, value)

    def _listen(self):
        # type: () -> None
        memory = self.behaviour.robot.memory
        for port in self.plan.memory:
            self._memory_links.append((port.key, memory.link(port.key, _Ear(self, port.id))))


class _Ear(object):
    """What ALMemory calls for one ALMemory input."""

    def __init__(self, box, port):
        # type: (LiveBox, int) -> None
        self._box = box
        self._port = port

    def __call__(self, value):
        # type: (Any) -> None
        for diagram in self._box.diagrams:
            if diagram.is_loaded:
                diagram.emit(0, self._port, value)


class Behaviour(object):
    """One behaviour on one robot: loaded, started, ended or stopped, and loaded again."""

    def __init__(self, robot, project, rewrite=False, parameters=None):
        # type: (Robot, xar.Project, bool, dict[str, Any] | None) -> None
        self.robot = robot
        self.project = project
        self.locks = Locks(robot.clock)
        self.folder, self.package, self.relative, self.id = _places(project, robot.folder)
        self.times_stopped = 0
        self.is_loaded = self.ended = self.interrupted = False
        self._plan = plan(project, rewrite)
        self._parameters = dict(parameters or {})
        self._errors_before = len(robot.trace.errors)
        self.root = LiveBox(self._plan, self, None)

    @property
    def failures(self):
        # type: () -> list[str]
        """What went wrong since the behaviour was loaded first, one sentence each."""
        return failures(self.robot.trace.errors[self._errors_before:])

    def load(self):
        # type: () -> None
        """Constructs every box, then loads the root and its diagram; runs as a task."""
        self.times_stopped = 0
        self.ended, self.interrupted, self.is_loaded = False, False, True
        self.root = LiveBox(self._plan, self, None)
        for box in self.root.family():
            box.build()
        for name, value in sorted(self._parameters.items()):
            self._set(name, value)
        self.root.load()
        if self.root.timeline is None:
            self.root.enter()

    def start(self):
        # type: () -> None
        """Stimulates the root's onStart; a behaviour that was stopped is loaded again first; runs as a task."""
        if not self.is_loaded:
            self.load()
        for port in self._plan.box.inputs:
            if port.nature == xar.ON_START:
                self.root.receive(port, None)

    def finish(self):
        # type: () -> None
        """Unloads everything after the root's onStopped; runs as a task."""
        self.unload()
        self.ended = True
        self.robot.trace.note("end", behaviour=self.id)

    def unload(self):
        # type: () -> None
        """Unloads the root and forgets the boxes, as when a user stops the behaviour; runs as a task."""
        if self.is_loaded:
            self.is_loaded = False
            self.root.unload()
            for box in self.root.family():
                self.robot.modules.pop(box.name, None)

    def interrupt(self):
        # type: () -> None
        """Ends the behaviour in the middle, as a user does; runs as a task."""
        if self.is_loaded:
            self.interrupted = True
            self.finish()

    def exit(self):
        # type: () -> None
        """Stops the behaviour from inside, right after the handler returns."""
        self.robot.clock.soon(self.interrupt)

    def leaks(self):
        # type: () -> list[str]
        """Boxes still loaded, and a root that did not stop exactly once."""
        found = ["Box %s is still loaded." % quoted(box.path) for box in self.root.family() if box.is_loaded]
        if self.times_stopped != 1 and not self.interrupted:
            found.append("The root fired onStopped %d times instead of once." % self.times_stopped)
        return found

    def _set(self, name, value):
        # type: (str, Any) -> None
        """Sets a parameter given as "box path.name" or, in every box that has it, as "name"."""
        for box in self.root.family():
            for own in box.plan.parameters:
                if name in (own, "%s.%s" % (box.path, own), "%s.%s" % (box.plan.box.name, own)):
                    box.set_parameter(own, value)


def _module_name(box):
    # type: (LiveBox) -> str
    if box.home is None or box.parent is None:
        return "ALFrameManager__%s__root" % box.behaviour.id.replace("/", "_")
    keyframe = box.parent.plan.diagrams.index(box.home.plan)
    return "%s__%d%s" % (box.parent.name, box.plan.box.id, "k%d" % keyframe if keyframe else "")


def _takes_value(method):
    # type: (Any) -> bool
    """NAOqi's rule: a handler with exactly one argument beside self gets the value, a default counts too."""
    code = getattr(method, "__code__", None)
    if code is None:
        return False
    return bool(code.co_argcount == (1 if getattr(method, "__self__", None) is None else 2))


def _shown(value):
    # type: (Any) -> str
    return "%s %s" % (type(value).__name__, quoted(value)[:80])


def _converted(parameter, value):
    # type: (xar.Parameter, Any) -> Any
    try:
        if parameter.type == xar.BOOL:
            return bool(int(value))
        if parameter.type == xar.INT:
            return int(value)
        if parameter.type == xar.DOUBLE:
            return float(value)
    except (TypeError, ValueError):
        raise RuntimeError("the parameter %s cannot take %s" % (quoted(parameter.name), _shown(value)))
    return native(value) if not isinstance(value, (bool, float) + INTEGERS) else str(value)


def _places(project, package_folder):
    # type: (xar.Project, str | None) -> tuple[str, str, str, str]
    """Folder of the behaviour, package id, folder seen from the package, and behaviour id."""
    if project.path is None:
        return native(package_folder or os.getcwd()), "package", "behavior_1", "package/behavior_1"
    path = project.path if os.path.isdir(project.path) else os.path.dirname(project.path)
    folder = os.path.abspath(path)
    root = os.path.abspath(package_folder) if package_folder else os.path.dirname(folder)
    relative = os.path.relpath(folder, root)
    package = os.path.basename(root) or "package"
    return native(folder), native(package), native(relative), native("%s/%s" % (package, relative))
