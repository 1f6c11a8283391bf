"""The script side of a box: making its object, calling its handlers, and handling what they raise."""

from __future__ import absolute_import, division, print_function

import sys

from naosim.compat import INTEGERS, native, quoted, reason
from naosim.formats import xar
from naosim.kernel.clock import TaskEnded
from naosim.player.contracts import PlayedBox
from naosim.scripting import datetime_api
from naosim.scripting.generated_class import BoxBase, generated_class

MYPY = False
if MYPY:
    from typing import Any

    from naosim.player.compiled import CompiledBox
    from naosim.player.contracts import PlayedBehaviour

#: Modules written in C++ that only a robot has.
ROBOT_ONLY = ("almathswig", "inaoqi")


class ScriptedBox(PlayedBox):
    """A box with its script and its parameters; `LiveBox` adds the signals."""

    __slots__ = (
        "behaviour",
        "instance",
        "is_based",
        "name",
        "namespace",
        "parent",
        "path",
        "plan",
        "under_way",
        "values",
    )

    def __init__(self, plan, behaviour, parent):  # type: (CompiledBox, PlayedBehaviour, Any) -> None
        self.plan = plan
        self.behaviour = behaviour
        self.parent = parent  # type: Any
        self.path = plan.box.path
        self.name = ""
        self.is_based = False
        self.under_way = 0
        self.instance = None  # type: Any
        #: The global names of the script.
        self.namespace = {}  # type: dict[str, Any]
        self.values = {name: parameter.value for name, parameter in plan.parameters.items()}

    def build(self):  # type: () -> None
        """Run the script and make its object; if the script fails, the box has no handlers, as on the robot."""
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
        self.behaviour.world.modules[self.name] = self.instance

    def call(self, handler, value=None):  # type: (str, Any) -> bool
        """Call a handler of the script, if there is one; return False when it raised."""
        method = getattr(self.instance, handler, None)
        if method is None:
            return True
        self.under_way += 1
        self.changed()
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
        finally:
            self.under_way -= 1
            self.changed()
        return True

    def changed(self):  # type: () -> None
        """Tell the observers that the box has begun or ended something."""
        for observer in self.behaviour.world.observers:
            observer.changed(self)

    def parameter(self, name):  # type: (str) -> Any
        """Return the value of a parameter, or of an ancestor's of the same name if it inherits; raises RuntimeError."""
        box = self  # type: Any
        if name not in self.values:
            raise RuntimeError("box %s has no parameter %s" % (quoted(self.path), quoted(name)))
        found = self
        while box is not None:
            if name in box.values:
                found = box
                if not box.plan.parameters[name].inherits:
                    break
            box = box.parent
        return found.values[name]

    def set_parameter(self, name, value):  # type: (str, Any) -> None
        """Store a value in a parameter, converted to its type; raises RuntimeError for one that does not fit."""
        parameter = self.plan.parameters.get(name)
        if parameter is None:
            raise RuntimeError("box %s has no parameter %s" % (quoted(self.path), quoted(name)))
        self.values[name] = _converted(parameter, value)
        self.note("parameter", name=name, value=self.values[name])

    def note(self, kind, **fields):  # type: (str, **Any) -> None
        """Record an event of this box."""
        self.behaviour.world.trace.note(kind, box=self.path, **fields)

    def fail(self, what, message, handled=False):  # type: (str, str, bool) -> None
        """Record a failure of this box; `handled` when its onError deals with it."""
        where = "%s.%s" % (self.path, what)
        self.behaviour.world.trace.note("error", box=self.path, where=where, message=message, handled=handled)

    def _fired_late(self, port):  # type: (xar.Port) -> None
        """Record a signal of a box that is unloaded, which is lost; usual for a handler cut off, as in Move To."""
        said = "the output was fired while the box was not loaded"
        if self.under_way:
            self.behaviour.world.warn("%s.%s" % (self.path, port.name), said, box=self.path)
        else:
            self.fail(port.name, said)

    def _scripted(self, base):  # type: (type) -> Any
        self.namespace = names = self.behaviour.names()
        names.update(self.behaviour.world.shared_names)
        names["GeneratedClass"] = base
        exec(self.plan.code or "", names)
        datetime_api.replace(names)
        made = names.get("MyClass")
        if made is None:
            raise NameError("the script defines no class MyClass")
        if not (isinstance(made, type) and issubclass(made, BoxBase)):
            raise TypeError("MyClass does not inherit from GeneratedClass")
        instance = made()
        if not self.is_based:
            self.fail("__init__", "GeneratedClass.__init__(self) is never called")
        return instance

    def _failed(self, handler, error):  # type: (str, BaseException) -> None
        """Record an error of a handler and pass it to the box's onError; a box without one turns red on the robot."""
        on_error = getattr(self.instance, "onError", None)
        self.fail(handler, self._described(error), callable(on_error))
        if callable(on_error) and handler != "onError":
            try:
                on_error("%s:%s" % (self.plan.box.name, reason(error)))
            except TaskEnded:
                raise
            except BaseException as second:
                self.fail("onError", self._described(second))

    def _described(self, error):  # type: (BaseException) -> str
        """Describe an error and the line of the script in which it happened."""
        traceback, line = sys.exc_info()[2], None
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self.path:
                line = traceback.tb_lineno
            traceback = traceback.tb_next
        said = reason(error)
        missing = next((name for name in ROBOT_ONLY if isinstance(error, ImportError) and name in said), None)
        if missing is not None:
            said = "the simulated robot lacks the robot's module %s: put a small one beside the behaviour" % missing
        return said if line is None else "%s (line %d of the script)" % (said, line)


def _takes_value(method):  # type: (Any) -> bool
    """Tell whether a handler gets the value: NAOqi passes it to one with exactly one argument, even with a default."""
    code = getattr(method, "__code__", None)
    if code is None:
        return False
    return bool(code.co_argcount == (1 if getattr(method, "__self__", None) is None else 2))


def shown(value):  # type: (Any) -> str
    """Describe a value and its type for a message."""
    return "%s %s" % (type(value).__name__, quoted(value)[:80])


def _converted(parameter, value):  # type: (xar.Parameter, Any) -> Any
    try:
        if parameter.type == xar.BOOL:
            return bool(int(value))
        if parameter.type == xar.INT:
            return int(value)
        if parameter.type == xar.DOUBLE:
            return float(value)
    except (TypeError, ValueError):
        raise RuntimeError("the parameter %s cannot take %s" % (quoted(parameter.name), shown(value)))
    return native(value) if not isinstance(value, (bool, float) + INTEGERS) else str(value)
