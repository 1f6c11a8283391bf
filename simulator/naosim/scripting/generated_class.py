"""GeneratedClass, the base class of every box script on the robot; it passes all calls on to the box object."""

from __future__ import absolute_import, division, print_function

from naosim.compat import TEXTS, quoted
from naosim.scripting.box_logger import BoxLogger
from naosim.scripting.session import shared_session

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.scripting.box_contract import BoxContract


class _BoxId(object):
    """The `id` of a box, its module name, as a stock box reads it; a script may set one of its own."""

    def __get__(self, instance, _owner):  # type: (Any, Any) -> Any
        return self if instance is None else instance._naosim_box.name


class BoxBase(object):
    """Everything that a box script may call on itself, apart from its outputs."""

    _naosim_box = None  # type: Any
    id = _BoxId()

    def __init__(self, autoBind=True):  # type: (object) -> None
        self._naosim_box.is_based = True

    @property
    def logger(self):  # type: () -> BoxLogger
        """Return the logger of this box."""
        return BoxLogger(self._naosim_box)

    @property
    def behaviorId(self):  # type: () -> str
        """Return the id of the behaviour, for ALFrameManager."""
        return self._naosim_box.behaviour.id  # type: ignore[no-any-return]

    @property
    def boxName(self):  # type: () -> str
        """Return the name in the diagram."""
        return self._naosim_box.plan.box.name  # type: ignore[no-any-return]

    @property
    def parentId(self):  # type: () -> str
        """Return the module name of the enclosing box, "" for the root."""
        parent = self._naosim_box.parent
        return parent.name if parent is not None else ""

    @property
    def parentBoxName(self):  # type: () -> str
        """Return the name of the enclosing box, "" for the root."""
        parent = self._naosim_box.parent
        return parent.plan.box.name if parent is not None else ""

    def getName(self):  # type: () -> str
        """Return the unique module name of this box."""
        return self._naosim_box.name  # type: ignore[no-any-return]

    def getParameter(self, name):  # type: (str) -> Any
        """Return the value of a parameter; raises RuntimeError for an unknown name."""
        return self._naosim_box.parameter(name)

    def setParameter(self, name, value):  # type: (str, Any) -> None
        """Change a parameter for as long as the behaviour is loaded."""
        self._naosim_box.set_parameter(name, value)

    def log(self, message):  # type: (Any) -> None
        """Log something that happens: the old name of `logger.info`."""
        self.logger.info(message)

    def session(self):  # type: () -> Any
        """Return the qi session of the robot."""
        return shared_session(self._naosim_box.behaviour.world)

    def packageUid(self):  # type: () -> str
        """Return the id of the package that holds this behaviour."""
        return self._naosim_box.behaviour.package  # type: ignore[no-any-return]

    def behaviorAbsolutePath(self):  # type: () -> str
        """Return the folder of the behaviour."""
        return self._naosim_box.behaviour.folder  # type: ignore[no-any-return]

    def behaviorRelativePath(self):  # type: () -> str
        """Return the folder of the behaviour relative to the package."""
        return self._naosim_box.behaviour.relative  # type: ignore[no-any-return]

    def BIND_PYTHON(self, module, method, nargs=-1):  # type: (str, str, int) -> None
        """Allow ALMemory to call a method of this box; raises RuntimeError when there is none."""
        if not callable(getattr(self, method, None)):
            raise RuntimeError("BIND_PYTHON: box %s has no method %s" % (quoted(self.getName()), quoted(method)))

    def getTimeline(self):  # type: () -> Any
        """Return the timeline of this box, None when it has none."""
        return self._naosim_box.script_timeline()

    def getParentTimeline(self):  # type: () -> Any
        """Return the timeline that this box lies in, None when it lies in none."""
        return self._naosim_box.parent_timeline()

    def playTimeline(self):  # type: () -> None
        """Let the box's timeline run."""
        self._timeline(self.getTimeline()).play()

    def stopTimeline(self):  # type: () -> None
        """Hold the box's timeline."""
        self._timeline(self.getTimeline()).pause()

    def gotoAndPlay(self, frame):  # type: (Any) -> None
        """Move the box's time cursor and let it run."""
        self._timeline(self.getTimeline()).gotoAndPlay(frame)

    def gotoAndStop(self, frame):  # type: (Any) -> None
        """Move the box's time cursor and hold it."""
        self._timeline(self.getTimeline()).gotoAndStop(frame)

    def playTimelineParent(self):  # type: () -> None
        """Let the parent's timeline run."""
        self._timeline(self.getParentTimeline()).play()

    def stopTimelineParent(self):  # type: () -> None
        """Hold the parent's timeline."""
        self._timeline(self.getParentTimeline()).pause()

    def gotoAndPlayParent(self, frame):  # type: (Any) -> None
        """Move the parent's time cursor and let it run."""
        self._timeline(self.getParentTimeline()).gotoAndPlay(frame)

    def gotoAndStopParent(self, frame):  # type: (Any) -> None
        """Move the parent's time cursor and hold it."""
        self._timeline(self.getParentTimeline()).gotoAndStop(frame)

    def exitBehavior(self):  # type: () -> None
        """Stop the whole behaviour."""
        self._naosim_box.behaviour.exit()

    def exitBehaviorParent(self):  # type: () -> None
        """Stop the timeline that this box lies in, and the whole behaviour where it lies in none."""
        timeline = self.getParentTimeline()
        if timeline is None:
            self.exitBehavior()
        else:
            timeline.stop()

    def releaseResource(self):  # type: () -> None
        """Release the resources of this box."""
        self._naosim_box.behaviour.locks.drop(self._naosim_box)

    def waitResources(self):  # type: () -> bool
        """Wait for the resources of this box and take them; return False when the time is up first."""
        return self._naosim_box.behaviour.locks.take(self._naosim_box)  # type: ignore[no-any-return]

    def waitResourcesCallback(self, callback):  # type: (Callable[[], object]) -> None
        """Have a callback called once the resources of this box are taken; it is not when the time is up first."""
        box = self._naosim_box
        box.behaviour.world.clock.soon_for(callback, lambda: box.behaviour.locks.take(box) and callback())

    def waitResourceFree(self):  # type: () -> bool
        """Wait for the resources and release them at once; return False when the time is up first."""
        taken = self.waitResources()
        self.releaseResource()
        return taken

    def stimulateIO(self, name, value=None):  # type: (str, Any) -> None
        """Fire an output by name."""
        self._naosim_box.fire_by_name(name, value)

    @classmethod
    def getModule(cls, name):  # type: (str) -> Any
        """Return the object of a box or another module of a script by its name, None when there is none."""
        return cls._naosim_box.behaviour.world.modules.get(name)

    def exit(self):  # type: () -> None
        """Do nothing: the player withdraws the module of a box when the behaviour is unloaded."""

    def _timeline(self, timeline):  # type: (Any) -> Any
        if timeline is None:
            raise RuntimeError("box %s has no timeline" % quoted(self.getName()))
        return timeline


def generated_class(box):  # type: (BoxContract) -> type
    """Make the GeneratedClass of one box: its outputs as methods on top of what every box has."""
    members = {"_naosim_box": box}  # type: dict[str, Any]
    for port in box.plan.box.outputs:
        members[port.name] = output = _bang(box, port) if port.type == 1 else _output(box, port)
        output.__name__ = port.name
    return type("GeneratedClass", (BoxBase,), members)


def _bang(box, port):  # type: (BoxContract, Any) -> Callable[..., None]
    def output(self, p=None):  # type: (Any, Any) -> None
        box.behaviour.world.clock.poll()
        box.fire(port, None)

    return output


def _output(box, port):  # type: (BoxContract, Any) -> Callable[..., None]
    def output(self, p):  # type: (Any, Any) -> None
        box.behaviour.world.clock.poll()
        box.fire_checked(port, p)

    return output


def is_typed(port, value):  # type: (Any, Any) -> bool
    """Tell whether a value fits the type that an output declares."""
    if port.size > 1:
        return isinstance(value, (list, tuple)) and len(value) == port.size
    if port.type == 3:
        return isinstance(value, str)
    if port.type == 2:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return not isinstance(value, TEXTS) or isinstance(value, str)


def is_usual(port, value):  # type: (Any, Any) -> bool
    """Tell whether stock boxes send a value of the wrong type like this: "3" as a number, or one value for several."""
    if port.size > 1:
        return not isinstance(value, (list, tuple))
    if port.type != 2 or not isinstance(value, str):
        return False
    try:
        float(value)
    except ValueError:
        return False
    return True
