"""The script of a running box: compiling it, calling its handlers, and the topic of a Dialog box.

`compile_project` compiles a project once for all robots. `PlayedBehaviour` is the interface that `naosim.player`
implements; it avoids an import cycle.
"""

from __future__ import absolute_import, division, print_function

import os
import re
import sys

from naosim import patches, topics, xar
from naosim.compat import INTEGERS, native, quote, reason
from naosim.compiler import compile_script
from naosim.errors import WrongUse
from naosim.scheduler import TaskEnded
from naosim.scripting import BoxBase, make_generated_class
from naosim.world import World, find_callback

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterable, Protocol, TypeVar

    from naosim.world import RobotService

    Numbered = TypeVar("Numbered", xar.Port, xar.Parameter)
    #: The end of a link: its kind, the id of its box, and its port or parameter.
    Route = tuple[int, int, xar.Port | xar.Parameter]

    class ResourceLocks(Protocol):
        """The locks of the resources that boxes need."""

        def take(self, box):  # type: (Any) -> bool
            """Wait for the resources of a box; return False if the time is up before."""

        def drop(self, box):  # type: (Any) -> None
            """Release the resources of a box."""

# Compiled projects.

TO_INPUT, _TO_PARAMETER, TO_OUTPUT = range(3)  # the kinds of a link's end


class CompiledDiagram(object):
    """A diagram: its compiled boxes, and the receivers of each emitting port in the order of the file."""

    __slots__ = ("boxes", "keyframe", "layer", "routes")

    def __init__(self, layer, keyframe, owner, rewrite):  # type: (int, xar.Keyframe, xar.Box, bool) -> None
        self.layer = layer
        self.keyframe = keyframe
        self.boxes = [CompiledBox(box, rewrite) for box in keyframe.diagram.boxes]
        self.routes = {}  # type: dict[tuple[int, int], list[Route]]
        by_id = {plan.box.id: plan for plan in reversed(self.boxes)}
        for link in keyframe.diagram.links:
            route = self._route(link, owner, by_id)
            if route is not None:
                self.routes.setdefault((link.emitter, link.output), []).append(route)

    def _route(self, link, owner, by_id):
        # type: (xar.Link, xar.Box, dict[int, CompiledBox]) -> Route | None
        """Return the kind, box id and port at the end of a link; None for a broken link, which the lint reports."""
        if link.receiver == 0:
            output = _find_by_id(owner.outputs, link.input)
            return None if output is None else (TO_OUTPUT, 0, output)
        plan = by_id.get(link.receiver)
        if plan is None:
            return None
        port = _find_by_id(plan.box.inputs, link.input)
        if port is not None:
            return (TO_INPUT, link.receiver, port)
        parameter = _find_by_id(plan.box.parameters, link.input)
        return None if parameter is None else (_TO_PARAMETER, link.receiver, parameter)


class CompiledBox(object):
    """A box: its description in the file, its compiled script, and tables for the player."""

    __slots__ = ("box", "code", "diagrams", "memory", "on_load", "outputs", "parameters", "stopped")

    def __init__(self, box, rewrite):  # type: (xar.Box, bool) -> None
        self.box = box
        self.code = compile_script(box.script, box.path, rewrite) if box.script else None
        self.outputs = {output.name: output for output in box.outputs}
        self.parameters = {parameter.name: parameter for parameter in box.parameters}
        self.memory = [port for port in box.inputs if port.nature == xar.ON_MEMORY]
        self.on_load = next((port for port in box.inputs if port.nature == xar.ON_LOAD), None)
        self.stopped = next((port for port in box.outputs if port.nature == xar.STOPPED), None)
        layers = box.timeline.layers if box.timeline is not None else ()
        frames = [(number, keyframe) for number, layer in enumerate(layers) for keyframe in layer.keyframes]
        self.diagrams = [CompiledDiagram(number, keyframe, box, rewrite) for number, keyframe in frames]


def compile_project(project, rewrite=False):  # type: (xar.Project, bool) -> CompiledBox
    """Return the compiled root box, compiling it once; raises ScriptRefused if a script does not compile."""
    if rewrite not in project.compiled:
        project.compiled[rewrite] = CompiledBox(project.root, rewrite)
    return project.compiled[rewrite]  # type: ignore[no-any-return]


def last_frame(model):  # type: (xar.Timeline) -> int
    """Return the last frame of a timeline: as declared, else the last key of a motion, else from size and keyframes."""
    if model.end >= model.start:
        return int(model.end)
    motion = [frame for curve in model.curves if not curve.mute for frame, _ in curve.keys]
    if motion:
        return int(max(motion))
    keyframes = [keyframe.index for layer in model.layers for keyframe in layer.keyframes]
    return int(max([model.start, model.size] + keyframes))


def _find_by_id(ports, number):  # type: (Iterable[Numbered], int) -> Numbered | None
    return next((port for port in ports if port.id == number), None)


# The object of a box script, its handlers and their errors.


class PlayedBehaviour(object):
    """A running behaviour, as its boxes, their scripts and their Dialog topics use it."""

    world = None  # type: World  # type: ignore[assignment]
    id = folder = package = relative = ""  # its id, its folder, the id of its package, and its folder inside that
    locks = None  # type: ResourceLocks  # type: ignore[assignment]
    dialogs = None  # type: AnsweredByHand  # type: ignore[assignment]
    times_stopped = 0  # the number of times that its root has fired onStopped
    box = names = translate = finish = None  # type: Any  # methods; see naosim.player.Behaviour


_ROBOT_MODULES = ("almathswig", "inaoqi")  # modules in C++ that only a robot has
_BOX_SLOTS = "behaviour instance is_based name namespace parent path plan under_way values"


class ScriptedBox(object):
    """A box with its script and parameters; `LiveBox` adds the signals."""

    __slots__ = _BOX_SLOTS.split()

    def __init__(self, plan, behaviour, parent):  # type: (CompiledBox, PlayedBehaviour, ScriptedBox | None) -> None
        self.plan = plan
        self.behaviour = behaviour
        self.parent = parent
        self.path = plan.box.path
        self.name = ""
        self.is_based = False  # whether the script has called GeneratedClass.__init__, as every script must
        self.under_way = 0
        self.instance = None  # type: object
        self.namespace = {}  # type: dict[str, object]  # the global names of the script
        self.values = {name: parameter.value for name, parameter in plan.parameters.items()}

    def build(self):  # type: () -> None
        """Run the script and construct its object; if the script fails, the box has no handlers, as on the robot."""
        base = make_generated_class(self)
        self.instance = None
        if self.plan.code is not None:
            try:
                self.instance = self._create_instance(base)
            except TaskEnded:
                raise
            except BaseException as error:
                self.fail("__init__", self._describe_error(error))
        if self.instance is None:
            self.instance = base()
        self.behaviour.world.modules[self.name] = self.instance

    def call(self, handler, value=None):  # type: (str, object) -> bool
        """Call a handler of the script, if it has one; return False if the handler raised."""
        method = self.handler(handler)
        if method is None:
            return True
        self.under_way += 1
        self.report_change()
        try:
            if _takes_value(method):
                method(value)
            else:
                method()
        except (TaskEnded, KeyboardInterrupt):
            raise
        except BaseException as error:
            self._handle_failure(handler, error)
            return False
        finally:
            self.under_way -= 1
            self.report_change()
        return True

    def handler(self, name):  # type: (str) -> Callable[..., object] | None
        """Return a handler of the script, None if it lacks one; a property that raises is a failure of the box."""
        return find_callback(self.behaviour.world, self.instance, name, is_optional=True)

    def report_change(self):  # type: () -> None
        """Notify the observers that the box has begun or ended something."""
        for observer in self.behaviour.world.observers:
            observer.notice_change(self)

    def parameter(self, name):  # type: (str) -> object
        """Return the value of a parameter, its own or an inherited one; raises RuntimeError for unknown names."""
        if name not in self.values:
            raise RuntimeError("box %s has no parameter %s" % (quote(self.path), quote(name)))
        box, found = self, self  # type: ScriptedBox | None, ScriptedBox
        while box is not None:
            if name in box.values:
                found = box
                if not box.plan.parameters[name].inherits:
                    break
            box = box.parent
        return found.values[name]

    def set_parameter(self, name, value):  # type: (str, object) -> None
        """Set a parameter to a value, converted to its type; raises RuntimeError if that is impossible."""
        if name not in self.values:
            raise RuntimeError("box %s has no parameter %s" % (quote(self.path), quote(name)))
        self.values[name] = _convert_value(self.plan.parameters[name], value)
        self.note("parameter", name=name, value=self.values[name])

    def note(self, kind, **fields):  # type: (str, **object) -> None
        """Record an event of this box."""
        self.behaviour.world.trace.note(kind, box=self.path, **fields)

    def fail(self, what, message, handled=False):  # type: (str, str, bool) -> None
        """Record a failure of this box; `handled` if the script has an onError."""
        where = "%s.%s" % (self.path, what)
        self.behaviour.world.trace.note("error", box=self.path, where=where, message=message, handled=handled)

    def _warn_late_signal(self, port):  # type: (xar.Port) -> None
        """Warn of a lost signal of an unloaded box."""
        said = "the output was fired while the box was not loaded"
        self.behaviour.world.warn("%s.%s" % (self.path, port.name), said, box=self.path)

    def _create_instance(self, base):  # type: (type) -> object
        self.namespace = names = self.behaviour.names()
        names.update(self.behaviour.world.shared_names)
        names["GeneratedClass"] = base
        exec(self.plan.code or "", names)
        patches.replace_datetime(names)
        made = names.get("MyClass")
        if made is None:
            raise NameError("the script defines no class MyClass")
        if not (isinstance(made, type) and issubclass(made, BoxBase)):
            raise TypeError("MyClass does not inherit from GeneratedClass")
        instance = made()
        if not self.is_based:
            self.fail("__init__", "GeneratedClass.__init__(self) is never called")
        return instance

    def _handle_failure(self, handler, error):  # type: (str, BaseException) -> None
        """Record an error of a handler and call the script's onError with it."""
        on_error = self.handler("onError")
        self.fail(handler, self._describe_error(error), callable(on_error))
        if callable(on_error) and handler != "onError":
            try:
                on_error("%s:%s" % (self.plan.box.name, reason(error)))
            except TaskEnded:
                raise
            except BaseException as second:
                self.fail("onError", self._describe_error(second))

    def _describe_error(self, error):  # type: (BaseException) -> str
        """Return an error's message with the line of the script."""
        traceback, line = sys.exc_info()[2], None
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self.path:
                line = traceback.tb_lineno
            traceback = traceback.tb_next
        said = reason(error)
        missing = next((name for name in _ROBOT_MODULES if isinstance(error, ImportError) and name in said), None)
        if missing is not None:
            said = "the simulated robot lacks the robot's module %s: put a small one next to the behaviour" % missing
        return said if line is None else "%s (line %d of the script)" % (said, line)


def _takes_value(method):  # type: (object) -> bool
    """Return whether a handler gets the value: NAOqi passes it if there is one argument, even with a default."""
    code = getattr(method, "__code__", None)
    if code is None:
        return False
    return bool(code.co_argcount == (1 if getattr(method, "__self__", None) is None else 2))


def show_value(value):  # type: (object) -> str
    """Return a value and its type for a message."""
    return "%s %s" % (type(value).__name__, quote(value)[:80])


def _convert_value(parameter, value):  # type: (xar.Parameter, Any) -> object
    try:
        if parameter.type == xar.BOOL:
            return bool(int(value))
        if parameter.type == xar.INT:
            return int(value)
        if parameter.type == xar.DOUBLE:
            return float(value)
    except (OverflowError, TypeError, ValueError):
        raise RuntimeError("the parameter %s cannot take %s" % (quote(parameter.name), show_value(value)))
    return native(value) if not isinstance(value, (bool, float) + INTEGERS) else str(value)


# Dialog boxes.

_EMPTY_TOPIC = "topic: ~%s()\nlanguage: %s\n"  # the QiChat of a topic without rules


class AnsweredByHand(object):
    """The Dialog boxes of a behaviour whose outputs a test or a person fires, by path, with or without "root/".

    They run an empty topic. So a behaviour can be tested even if the topic is missing or cannot be read.
    """

    def __init__(self, paths=()):  # type: (Iterable[str]) -> None
        self.paths = tuple(sorted({_bare_topic(path) for path in paths}))

    def answers(self, box):  # type: (ScriptedBox) -> bool
        """Return whether this box is answered by hand."""
        return _bare_topic(box.path) in self.paths

    def is_open(self, behaviour, path):  # type: (PlayedBehaviour, str) -> bool
        """Return whether the box with this path waits for an answer; raises WrongUse if it is not answered by hand."""
        dialog = self._box(behaviour, path).dialog
        return dialog is not None and dialog.is_running

    def answer(self, behaviour, path, output, value):  # type: (PlayedBehaviour, str, str, object) -> None
        """Schedule the firing of an output; raises WrongUse if the box does not run or the output does not fit."""
        box, shown = self._box(behaviour, path), quote(_bare_topic(path))
        port = box.plan.outputs.get(native(output))
        if port is None:
            known = ", ".join(sorted(box.plan.outputs))
            raise WrongUse("the Dialog box %s has no output %s: it has %s" % (shown, quote(output), known))
        if not self.is_open(behaviour, path):
            raise WrongUse("the Dialog box %s is not running" % shown)
        try:
            value = _convert_to_port(port, value)
        except (TypeError, ValueError):
            raise WrongUse("the output %s of %s is a number, not %s" % (quote(output), shown, quote(value)))
        world = behaviour.world
        world.trace.note("dialog", box=box.path, output=port.name, value=value)
        world.clock.call_soon_for(box, box.fire, port, value)

    def _box(self, behaviour, path):  # type: (PlayedBehaviour, str) -> Any
        box, shown = behaviour.box("root/" + _bare_topic(path)), quote(_bare_topic(path))
        if box.dialog is None:
            raise WrongUse("%s is not a Dialog box" % shown)
        if not self.answers(box):
            advice = "name it in `dialogs` when it is loaded"
            raise WrongUse("the Dialog box %s is answered by its topic: %s" % (shown, advice))
        return box


class DialogTopic(object):
    """The topic of one Dialog box, which is active in ALDialog while the box runs.

    An input is an event of the topic, such as `u:(e:onStart)`, and `$output=value` fires the output with that name.
    Their keys in ALMemory begin with the box's name, so that two boxes do not get each other's signals.
    """

    def __init__(self, box):  # type: (ScriptedBox) -> None
        self._box = box
        self._world = box.behaviour.world
        self._topic = None  # type: str | None
        self._links = []  # type: list[tuple[str, int]]

    @property
    def is_running(self):  # type: () -> bool
        """Return whether the topic is active."""
        return self._topic is not None

    def start(self):  # type: () -> None
        """Load and activate the topic; a missing service, file or topic fails the run."""
        if self._topic is not None:
            return
        try:
            engine = self._world.service("ALDialog")
            by_hand = self._box.behaviour.dialogs.answers(self._box)
            self._topic = (
                self._load_empty_topic(engine) if by_hand else str(engine.call("loadTopic", [self._topic_file(engine)]))
            )
            for name in sorted({port.name for port in self._box.plan.box.inputs} | set(self._box.plan.outputs)):
                engine.call("setVariablePath", [self._topic, name, self._key(name)])
            engine.call("activateTopic", [self._topic])
            engine.call("subscribe", [self._box.name])
        except RuntimeError as error:
            self._box.fail("dialog", reason(error))
            return
        for name in sorted(self._box.plan.outputs):
            key = self._key(name)
            self._links.append((key, self._world.memory.link(key, _OutputVariable(self._box, name))))

    def receive(self, port, value):  # type: (xar.Port, object) -> None
        """Raise the event of an input, if the topic is active."""
        if self._topic is not None:
            self._world.memory.raiseEvent(self._key(port.name), 1 if value is None else value)

    def _key(self, name):  # type: (str) -> str
        """Return the key in ALMemory for an input or output."""
        return "%s/%s" % (self._box.name, name)

    def stop(self):  # type: () -> None
        """Unload the topic and end the subscription and the memory links."""
        topic, self._topic = self._topic, None
        links, self._links = self._links, []
        for key, link in links:
            self._world.memory.unlink(key, link)
        if topic is None:
            return
        engine = self._world.service("ALDialog")
        for method, argument in (("unsubscribe", self._box.name), ("deactivateTopic", topic), ("unloadTopic", topic)):
            try:
                engine.call(method, [argument])
            except RuntimeError as error:
                self._box.fail("dialog", reason(error))

    def _load_empty_topic(self, engine):  # type: (RobotService) -> str
        """Load a topic without rules, so that the robot listens, and return its name."""
        name = re.sub(r"[^\w\-]", "_", self._box.name)
        return str(engine.call("loadTopicContent", [_EMPTY_TOPIC % (name, engine.call("getLanguage", ()))]))

    def _topic_file(self, engine):  # type: (RobotService) -> str
        """Return the topic file in the dialog's language; raises RuntimeError if the `.dlg` is missing or has none."""
        place = os.path.join(self._box.behaviour.folder, native(self._box.plan.box.dialog))
        spoken = engine.call("getLanguage", ())
        for language, path in topics.list_topic_files(place):
            if language == spoken:
                return path
        raise RuntimeError("%s has no topic for %s" % (quote(place), spoken))


class _OutputVariable(object):
    """The callback that fires an output with the value that the topic has assigned."""

    def __init__(self, box, name):  # type: (Any, str) -> None
        self._box = box
        self._name = name

    def __call__(self, value):  # type: (object) -> None
        port = self._box.plan.outputs[self._name]
        self._box.fire(port, _convert_to_port(port, value))


def _convert_to_port(port, value):  # type: (xar.Port, Any) -> object
    """Convert a value to the type of an output; raises ValueError or TypeError if it is not the number needed."""
    if port.type == xar.BANG:
        return None
    if port.type == xar.NUMBER:
        return float(value)
    return native(value) if port.type == xar.STRING else value


def _bare_topic(path):  # type: (str) -> str
    path = native(path).strip("/")
    return path[len("root/") :] if path.startswith("root/") else path
