"""Boxes and diagrams that run: signals travel along the links, each through the clock's queue.

An output never calls its receiver directly: delivery is queued, as Aldebaran's own boxes require. The links of a
diagram are cut when it is unloaded; signals that are still queued then are dropped.
"""

from __future__ import absolute_import, division, print_function

from naosim.compat import quoted
from naosim.formats import xar
from naosim.player.compiled import TO_INPUT, TO_OUTPUT
from naosim.player.contracts import PlayedBehaviour, PlayedDiagram
from naosim.player.dialog_box import DialogTopic
from naosim.player.memory_inputs import MemoryInputs
from naosim.player.scripted_box import ScriptedBox, shown
from naosim.player.timeline import LiveTimeline, ScriptTimeline
from naosim.scripting.generated_class import is_typed, is_usual

MYPY = False
if MYPY:
    from typing import Any, Iterator

    from naosim.formats.xar import Port
    from naosim.player.compiled import CompiledBox, CompiledDiagram


class LiveDiagram(PlayedDiagram):
    """One diagram of a running behaviour."""

    __slots__ = ("boxes", "is_loaded", "observers", "owner", "plan", "soon_for")

    def __init__(self, diagram, owner):  # type: (CompiledDiagram, LiveBox) -> None
        self.plan = diagram
        self.owner = owner
        self.is_loaded = False
        self.soon_for = owner.behaviour.world.clock.soon_for
        self.observers = owner.behaviour.world.observers
        self.boxes = {}  # type: dict[int, LiveBox]
        for child in diagram.boxes:
            self.boxes[child.box.id] = LiveBox(child, owner.behaviour, self)

    def load(self):  # type: () -> None
        """Load every box, in document order."""
        if not self.is_loaded:
            self.is_loaded = True
            for child in self.plan.boxes:
                self.boxes[child.box.id].load()

    def unload(self):  # type: () -> None
        """Cut the links, then unload every box, in document order."""
        if self.is_loaded:
            self.is_loaded = False
            for child in self.plan.boxes:
                self.boxes[child.box.id].unload()

    def emit(self, box, port, value):  # type: (int, int, Any) -> None
        """Queue one delivery for each link that leaves this port; box 0 is the owner."""
        for route in self.plan.routes.get((box, port), ()):
            self.soon_for(self, self._deliver, route, value)
            for observer in self.observers:
                observer.signalled(self, box, port, route, value)

    def _deliver(self, route, value):  # type: (tuple[int, int, Any], Any) -> None
        if not self.is_loaded:
            return
        kind, box, port = route
        if kind == TO_INPUT:
            self.boxes[box].receive(port, value)
        elif kind == TO_OUTPUT:
            self.owner.fire(port, value)
        else:
            self.boxes[box].set_parameter(port.name, value)


class LiveBox(ScriptedBox):
    """One box of a running behaviour."""

    __slots__ = ("_inputs", "diagrams", "dialog", "home", "is_leaving", "is_loaded", "is_started", "timeline")

    def __init__(self, box, behaviour, home):  # type: (CompiledBox, PlayedBehaviour, LiveDiagram | None) -> None
        ScriptedBox.__init__(self, box, behaviour, home.owner if home is not None else None)
        self.home = home
        self.name = _module_name(self)
        self.is_loaded = self.is_leaving = self.is_started = False
        self._inputs = MemoryInputs(self)
        self.diagrams = [LiveDiagram(diagram, self) for diagram in box.diagrams]
        has_timeline = box.box.timeline is not None and box.box.timeline.enabled
        self.timeline = LiveTimeline(self) if has_timeline else None
        self.dialog = DialogTopic(self) if box.box.dialog is not None else None

    def family(self):  # type: () -> Iterator[LiveBox]
        """Iterate over the box and every box inside it, in document order."""
        yield self
        for diagram in self.diagrams:
            for child in diagram.plan.boxes:
                for box in diagram.boxes[child.box.id].family():
                    yield box

    def is_inside(self, other):  # type: (Any) -> bool
        """Tell whether this is the other box or lies in it."""
        box = self  # type: LiveBox | None
        while box is not None and box is not other:
            box = box.parent
        return box is not None

    def parameter(self, name):  # type: (str) -> Any
        """Return the value of a parameter; a translatable text is given in the language that the robot speaks."""
        value = ScriptedBox.parameter(self, name)
        if self.plan.parameters[name].type == xar.LOCALIZED:
            return self.behaviour.translated(self.path, name, value)
        return value

    def load(self):  # type: () -> None
        """Load the box by running its onLoad."""
        self.is_loaded = True
        self.note("load")
        self.call("onLoad")

    def unload(self):  # type: () -> None
        """Unload the box: run its onUnload, then unload its content."""
        if not self.is_loaded or self.is_leaving:
            return
        self.is_leaving = True
        self.call("onUnload")
        self.leave()
        self.behaviour.locks.drop(self)
        self.is_loaded = self.is_leaving = False
        self.note("unload")

    def enter(self):  # type: () -> None
        """Load the content: start the dialog and the timeline, or load the diagram where there is no timeline."""
        if self.plan.memory:
            self._inputs.link()
        if self.dialog is not None:
            self.dialog.start()
        if self.timeline is not None:
            self.timeline.play()
        else:
            for diagram in self.diagrams:
                diagram.load()

    def leave(self):  # type: () -> None
        """Unload the content: memory links, dialog, timeline and diagrams."""
        self._started(False)
        self._inputs.unlink()
        if self.dialog is not None:
            self.dialog.stop()
        if self.timeline is not None:
            self.timeline.stop()
        for diagram in self.diagrams:
            diagram.unload()

    def receive(self, port, value):  # type: (Port, Any) -> None
        """Receive a signal: call the handler, then load or unload the content or pass the signal on to it."""
        if port.type == xar.BANG:
            value = None
        self.behaviour.world.trace.note("input", box=self.path, port=port.name, value=value)
        if port.nature == xar.ON_START and self.plan.box.resources and not self.behaviour.locks.take(self):
            self._refused_resource()
            return
        if port.nature == xar.ON_START:
            self._started(True)
        if not self.call("onInput_" + port.name, value) or not self.is_loaded or self.is_leaving:
            if port.nature == xar.ON_START:
                self._started(False)
            return
        if port.nature == xar.ON_STOP:
            self.leave()
            self.behaviour.locks.drop(self)
            return
        if port.nature == xar.ON_START:
            self.enter()
        if self.dialog is not None:
            self.dialog.receive(port, value)
        for diagram in self.diagrams:
            if diagram.is_loaded:
                diagram.emit(0, port.id, value)

    def fire(self, port, value):  # type: (Port, Any) -> None
        """Send a signal out; an output of nature stopped unloads the content first."""
        if not self.is_loaded:
            self._fired_late(port)
            return
        if self.is_leaving:
            return
        world = self.behaviour.world
        world.trace.note("output", box=self.path, port=port.name, value=value)
        if port.nature == xar.STOPPED:
            self._started(False)
            if self.home is None:
                self.behaviour.times_stopped += 1
            if self.diagrams or self.timeline or self.dialog or self.home is None:
                world.clock.soon_for(self, self._stop_and_emit, port, value)
                return
            if self.plan.box.resources:
                self.behaviour.locks.drop(self)
        if self.home is not None:
            self.home.emit(self.plan.box.id, port.id, value)

    def fire_checked(self, port, value):  # type: (Port, Any) -> None
        """Send a script's value out; one of the wrong type is sent too, as on the robot, but fails the run.

        What stock boxes send, such as the text "3" on an output for numbers, is only warned of.
        """
        if not is_typed(port, value):
            said = "the output is declared %s and was fired with %s" % (
                xar.TYPE_NAMES[port.type] if port.size < 2 else "%d values" % port.size,
                shown(value),
            )
            if is_usual(port, value):
                self.behaviour.world.warn("%s.%s" % (self.path, port.name), said, box=self.path)
            else:
                self.fail(port.name, said)
        self.fire(port, value)

    def fire_by_name(self, name, value):  # type: (str, Any) -> None
        """Send a signal out through the output of this name; raises RuntimeError when there is none."""
        port = self.plan.outputs.get(name)
        if port is None:
            raise RuntimeError("box %s has no output %s" % (quoted(self.path), quoted(name)))
        self.fire(port, value)

    def lose(self, resource):  # type: (str) -> None
        """Give up a resource that another box demands: call onResourceLost, or fire the output of nature stopped."""
        if hasattr(self.instance, "onResourceLost"):
            self.call("onResourceLost", resource)
            self.leave()
        elif self.plan.stopped is not None:
            self.fire(self.plan.stopped, None)

    def script_timeline(self):  # type: () -> ScriptTimeline | None
        """Return the timeline of this box for scripts, None when it has none."""
        return ScriptTimeline(self.timeline) if self.timeline is not None else None

    def parent_timeline(self):  # type: () -> ScriptTimeline | None
        """Return the timeline of the nearest enclosing box that has one, for scripts; None when none has."""
        box = self.parent
        while box is not None and box.timeline is None:
            box = box.parent
        return box.script_timeline() if box is not None else None

    def _refused_resource(self):  # type: () -> None
        if hasattr(self.instance, "onResourceError"):
            self.call("onResourceError")
        elif self.plan.stopped is not None:
            self.fire(self.plan.stopped, None)

    def _stop_and_emit(self, port, value):  # type: (Port, Any) -> None
        self.leave()
        self.behaviour.locks.drop(self)
        if self.home is None:
            self.behaviour.finish()
        elif self.is_loaded and not self.is_leaving:
            self.home.emit(self.plan.box.id, port.id, value)

    def _started(self, is_started):  # type: (bool) -> None
        """Note whether the box has been started and has not stopped yet."""
        if is_started or self.is_started:
            self.is_started = is_started
            self.changed()


def _module_name(box):  # type: (LiveBox) -> str
    if box.home is None or box.parent is None:
        return "ALFrameManager__%s__root" % box.behaviour.id.replace("/", "_")
    keyframe = box.parent.plan.diagrams.index(box.home.plan)
    return "%s__%d%s" % (box.parent.name, box.plan.box.id, "k%d" % keyframe if keyframe else "")
