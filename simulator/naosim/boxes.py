"""Running boxes, diagrams and timelines.

An output never calls its receiver: each signal goes through the clock's queue, as Aldebaran's own boxes require. When a
diagram is unloaded, its links are cut, and signals that are still queued are dropped.
"""

from __future__ import absolute_import, division, print_function

import math

from naosim import xar
from naosim.body import CONSTANT_CURVE, LINEAR_CURVE, Bezier, Smooth
from naosim.box_scripts import TO_INPUT, TO_OUTPUT, DialogTopic, ScriptedBox, last_frame, show_value
from naosim.compat import TEXTS, quote
from naosim.scripting import is_value_of_type

MYPY = False
if MYPY:
    from typing import Any, Iterator

    from naosim.box_scripts import CompiledBox, CompiledDiagram, PlayedBehaviour
    from naosim.scheduler import ScheduledCall
    from naosim.xar import Curve, Port

# Inputs that ALMemory feeds.


class _MemoryInputs(object):
    """The inputs of one box that ALMemory feeds while the content of the box is loaded."""

    __slots__ = ("_box", "_links")

    def __init__(self, box):  # type: (LiveBox) -> None
        self._box = box
        self._links = []  # type: list[tuple[str, int]]

    def link(self):  # type: () -> None
        """Subscribe each input to its key, unless that was done."""
        if not self._links:
            memory = self._box.behaviour.world.memory
            for port in self._box.plan.memory:
                self._links.append((port.key, memory.link(port.key, _MemoryInput(self._box, port))))

    def unlink(self):  # type: () -> None
        links, self._links = self._links, []
        for key, link in links:
            self._box.behaviour.world.memory.unlink(key, link)


class _MemoryInput(object):
    """The callback for one input that ALMemory feeds."""

    def __init__(self, box, port):  # type: (LiveBox, Port) -> None
        self._box = box
        self._port = port

    def __call__(self, value):  # type: (object) -> None
        if self._box.dialog is not None:
            self._box.dialog.receive(self._port, value)
        for diagram in self._box.diagrams:
            if diagram.is_loaded:
                diagram.emit(0, self._port.id, value)


# Timelines.

_HANDS = ("LHand", "RHand")
_MIN_FPS, _MAX_FPS = 1, 1000  # the range of a timeline's frames per second
_CURVE_KINDS = {"constant": CONSTANT_CURVE, "linear": LINEAR_CURVE}
_BEZIER_KIND = 3


class _LiveTimeline(object):
    """The time cursor of one box: it loads keyframes as it passes them, and the joints follow their curves.

    The layers run in parallel, each with one active keyframe.
    """

    def __init__(self, box):  # type: (LiveBox) -> None
        self._box = box
        self._model = model = box.plan.box.timeline
        self._clock = box.behaviour.world.clock
        self.fps = model.fps  # type: float
        self.start = model.start  # type: int
        self.end = last_frame(model)
        self._frame = float(model.start)
        self._since = None  # type: float | None
        self._tick = None  # type: ScheduledCall | None
        self._active = {}  # type: dict[int, LiveDiagram]

    def call_soon(self, move, *args):  # type: (Any, *object) -> None
        """Schedule one of the calls below for when the running handler has returned."""
        self._clock.call_soon_for(self._box, move, *args)

    def frame(self):  # type: () -> float
        """Return the frame at the cursor, with its fraction."""
        if self._since is None:
            return self._frame
        passed = self._clock.now() - self._since  # type: float
        return min(self._frame + passed * self.fps, max(float(self.end), self._frame))

    @property
    def is_playing(self):  # type: () -> bool
        return self._since is not None

    def play(self):  # type: () -> None
        if self._since is None and self._box.is_loaded:
            self._since = self._clock.now()
            self._box.report_change()
            self._note_motion()
            self._move_joints()
            self._reach(self._frame)

    def pause(self):  # type: () -> None
        """Stop the cursor and the joints; the active keyframes stay loaded."""
        was_playing = self._since is not None
        self._frame, self._since = self.frame(), None
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
        self._box.report_change()
        if was_playing:
            self._box.behaviour.world.body.halt([curve.actuator for curve in self._list_known_curves()])

    def stop(self):  # type: () -> None
        """Stop the cursor, unload the keyframes and go back to the start."""
        self.pause()
        self._frame = float(self.start)
        active, self._active = self._active, {}
        for layer in sorted(active):
            active[layer].unload()

    def go_to(self, frame):  # type: (object) -> None
        """Move the cursor to a frame number or to the keyframe with this name; it keeps moving if it was."""
        was_playing = self._since is not None
        self.pause()
        self._frame = float(min(max(self.number(frame), self.start), self.end))
        if was_playing:
            self.play()
        elif self._box.is_loaded:
            self._enter(self._frame)

    def set_fps(self, fps):  # type: (float) -> None
        """Change the frames per second from now on; raises RuntimeError outside 1 to 1000."""
        if not _MIN_FPS <= fps <= _MAX_FPS:
            raise RuntimeError("a timeline runs at %d to %d frames per second, not %r" % (_MIN_FPS, _MAX_FPS, fps))
        was_playing = self._since is not None
        self.pause()
        self.fps = fps
        if was_playing:
            self._since = self._clock.now()
            self._move_joints()
            self._schedule_tick(self._frame)

    def number(self, frame):  # type: (Any) -> float
        """Return the number of a frame, given by number or keyframe's name; raises RuntimeError for unknown names."""
        if not isinstance(frame, TEXTS):
            return float(frame)
        for diagram in self._box.diagrams:
            if diagram.plan.keyframe.name == frame:
                return float(diagram.plan.keyframe.index)
        raise RuntimeError("no keyframe of box %s is called %s" % (quote(self._box.path), quote(frame)))

    def _reach(self, frame):  # type: (float) -> None
        """Load the keyframes at this frame, then schedule the next frame at which something happens."""
        since = self._since
        self._enter(frame)
        if since is None or self._since != since:
            return  # A keyframe's onLoad has moved the cursor.
        if frame >= self.end:
            self._finish()
        else:
            self._schedule_tick(frame)

    def _schedule_tick(self, frame):  # type: (float) -> None
        stops = [diagram.plan.keyframe.index for diagram in self._box.diagrams]
        following = min([stop for stop in stops if stop > frame] + [self.end])
        delay = (following - frame) / float(self.fps)
        self._tick = self._clock.call_later_for(self._box, delay, self._arrive, following)

    def _arrive(self, frame):  # type: (float) -> None
        self._frame, self._since = float(frame), self._clock.now()
        self._reach(frame)

    def _finish(self):  # type: () -> None
        self._frame, self._since, self._tick = float(self.end), None, None
        self._box.report_change()
        self._box.note("timeline", state="ended")
        self._box.fire_stopped()

    def _enter(self, frame):  # type: (float) -> None
        """Load the last keyframe up to this frame in each layer, unload the others, and send onLoad into new ones."""
        wanted = {}  # type: dict[int, LiveDiagram]
        for diagram in self._box.diagrams:
            if diagram.plan.keyframe.index <= frame:
                wanted[diagram.plan.layer] = diagram
        on_load = self._box.plan.on_load
        for layer in sorted(set(wanted) | set(self._active)):
            old, new = self._active.get(layer), wanted.get(layer)
            if old is new:
                continue
            if old is not None:
                del self._active[layer]
                old.unload()
            if new is not None:
                self._active[layer] = new
                new.load()
                if on_load is not None:
                    new.emit(0, on_load.id, None)

    def _note_motion(self):  # type: () -> None
        """Record the whole motion, then the motion of each joint."""
        moves = []
        for curve in self._model.curves:
            keys = [key for key in curve.keys if key[0] >= self._frame]
            if keys and not curve.mute:
                times = [_short((frame - self._frame) / float(self.fps)) for frame, _ in keys]
                unit, factor = _unit(curve)
                values = [_short(value * factor) for _, value in keys]
                moves.append({"actuator": curve.actuator, "times": times, "values": values, "unit": unit})
        if moves:
            count, duration = len({move["actuator"] for move in moves}), max(move["times"][-1] for move in moves)
            self._box.note("timeline", state="moves", joints=count, duration=duration)
        for move in moves:
            self._box.note("motion", **move)

    def _list_known_curves(self):  # type: () -> list[Curve]
        world = self._box.behaviour.world
        curves = [curve for curve in self._model.curves if not curve.mute]
        world.missing_joints.update(curve.actuator for curve in curves if curve.actuator not in world.body.model.limits)
        return [curve for curve in curves if curve.actuator in world.body.model.limits]

    def _move_joints(self):  # type: () -> None
        """Let the joints follow the rest of their curves, from their current angles."""
        body = self._box.behaviour.world.body
        for curve in sorted(self._list_known_curves(), reverse=True):
            rest = [at for at, key in enumerate(curve.keys) if key[0] >= self._frame]
            if rest:
                body.move(curve.actuator, self._curve(curve, rest, body.angle(curve.actuator)))

    def _curve(self, curve, rest, start):  # type: (Curve, list[int], float) -> Smooth | Bezier
        """Return the curve of a joint through its remaining keys, with their tangents if they have any."""
        factor, fps = _unit(curve)[1], float(self.fps)
        times = [(curve.keys[at][0] - self._frame) / fps for at in rest]
        angles = [curve.keys[at][1] * factor for at in rest]
        # A joint that is not at the start of the curve needs time to get there.
        late = abs(angles[0] - start) / self._box.behaviour.world.body.model.speeds[curve.actuator]
        times[0] = max(times[0], min([late] + [0.9 * time for time in times[1:2]]))
        if len(set(times)) < len(times) or sorted(times) != times or not any(any(curve.tangents[at]) for at in rest):
            keys = dict(zip(times, angles))
            return Smooth(start, sorted(keys), [keys[time] for time in sorted(keys)])
        shape = []
        for at, time, angle in zip(rest, times, angles):
            before, after = [tangent or ("", 0.0, 0.0) for tangent in curve.tangents[at]]
            handles = [(frames / fps, value * factor) for _, frames, value in (before, after)]
            shape.append((time, angle, handles[0], handles[1], _CURVE_KINDS.get(after[0], _BEZIER_KIND)))
        return Bezier(start, shape)


class _ScriptTimeline(object):
    """The timeline for scripts; the cursor moves when the running handler has returned."""

    def __init__(self, live):  # type: (_LiveTimeline) -> None
        self._live = live

    def play(self):  # type: () -> None
        self._live.call_soon(self._live.play)

    def pause(self):  # type: () -> None
        self._live.call_soon(self._live.pause)

    def stop(self):  # type: () -> None
        self._live.call_soon(self._live.stop)

    def goTo(self, frame):  # type: (object) -> None
        """Move the cursor to a frame, given by number or keyframe's name; raises RuntimeError for unknown names."""
        self._live.call_soon(self._live.go_to, self._live.number(frame))

    def gotoAndPlay(self, frame):  # type: (object) -> None
        self.goTo(frame)
        self.play()

    def gotoAndStop(self, frame):  # type: (object) -> None
        self.pause()
        self.goTo(frame)

    def getFPS(self):  # type: () -> float
        return self._live.fps

    def setFPS(self, fps):  # type: (float) -> None
        """Change the frames per second; raises RuntimeError outside 1 to 1000."""
        self._live.set_fps(fps)

    def getSize(self):  # type: () -> int
        return self._live.end - self._live.start + 1


def _unit(curve):  # type: (Curve) -> tuple[str, float]
    if curve.unit == 1 or (curve.unit < 0 and curve.actuator in _HANDS):
        return "percent to fraction", 0.01
    return "degrees to radians", math.pi / 180


def _short(number):  # type: (float) -> float
    return float("%.6f" % number)


# Boxes and diagrams.


class LiveDiagram(object):
    """One diagram of a running behaviour."""

    __slots__ = ("boxes", "call_soon_for", "is_loaded", "observers", "owner", "plan")

    def __init__(self, diagram, owner):  # type: (CompiledDiagram, LiveBox) -> None
        self.plan = diagram
        self.owner = owner
        self.is_loaded = False
        self.call_soon_for = owner.behaviour.world.clock.call_soon_for
        self.observers = owner.behaviour.world.observers
        self.boxes = {child.box.id: LiveBox(child, owner.behaviour, self) for child in diagram.boxes}

    def load(self):  # type: () -> None
        """Load every box, in the order of the file."""
        if not self.is_loaded:
            self.is_loaded = True
            for child in self.plan.boxes:
                self.boxes[child.box.id].load()

    def unload(self):  # type: () -> None
        """Cut the links, then unload every box, in the order of the file."""
        if self.is_loaded:
            self.is_loaded = False
            for child in self.plan.boxes:
                self.boxes[child.box.id].unload()

    def emit(self, box, port, value):  # type: (int, int, object) -> None
        """Queue a delivery for each link from this port; box 0 is the owner."""
        for route in self.plan.routes.get((box, port), ()):
            self.call_soon_for(self, self._deliver, route, value)
            for observer in self.observers:
                observer.notice_signal(self, box, port, route, value)

    def _deliver(self, route, value):  # type: (tuple[int, int, Any], object) -> None
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
        self._inputs = _MemoryInputs(self)
        self.diagrams = [LiveDiagram(diagram, self) for diagram in box.diagrams]
        has_timeline = box.box.timeline is not None and box.box.timeline.enabled
        self.timeline = _LiveTimeline(self) if has_timeline else None
        self.dialog = DialogTopic(self) if box.box.dialog is not None else None

    def family(self):  # type: () -> Iterator[LiveBox]
        """Iterate over the box and every box inside it, in the order of the file."""
        yield self
        for diagram in self.diagrams:
            for child in diagram.plan.boxes:
                for box in diagram.boxes[child.box.id].family():
                    yield box

    def is_inside(self, other):  # type: (object) -> bool
        """Return whether this is the other box or is inside it."""
        box = self  # type: ScriptedBox | None
        while box is not None and box is not other:
            box = box.parent
        return box is not None

    def parameter(self, name):  # type: (str) -> object
        """Return the value of a parameter; a translatable text is in the robot's current language."""
        value = ScriptedBox.parameter(self, name)
        if self.plan.parameters[name].type == xar.LOCALIZED:
            return self.behaviour.translate(self.path, name, value)
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
        """Load the content: start the dialog and the timeline, or load the diagram if there is no timeline."""
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
        self._set_started(False)
        self._inputs.unlink()
        if self.dialog is not None:
            self.dialog.stop()
        if self.timeline is not None:
            self.timeline.stop()
        for diagram in self.diagrams:
            diagram.unload()

    def receive(self, port, value):  # type: (Port, object) -> None
        """Receive a signal: call the handler, then load or unload the content, or send the signal into it."""
        if port.type == xar.BANG:
            value = None
        self.behaviour.world.trace.note("input", box=self.path, port=port.name, value=value)
        if port.nature == xar.ON_START and self.plan.box.resources and not self.behaviour.locks.take(self):
            if self.handler("onResourceError") is not None:
                self.call("onResourceError")
            else:
                self.fire_stopped()
            return
        if port.nature == xar.ON_START:
            self._set_started(True)
        if not self.call("onInput_" + port.name, value) or not self.is_loaded or self.is_leaving:
            if port.nature == xar.ON_START:
                self._set_started(False)
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

    def fire(self, port, value):  # type: (Port, object) -> None
        """Fire an output; one of nature stopped unloads the content first."""
        if not self.is_loaded:
            self._warn_late_signal(port)
            return
        if self.is_leaving:
            return
        world = self.behaviour.world
        world.trace.note("output", box=self.path, port=port.name, value=value)
        if port.nature == xar.STOPPED:
            self._set_started(False)
            if self.home is None:
                self.behaviour.times_stopped += 1
            if self.diagrams or self.timeline or self.dialog or self.home is None:
                world.clock.call_soon_for(self, self._stop_and_emit, port, value)
                return
            if self.plan.box.resources:
                self.behaviour.locks.drop(self)
        if self.home is not None:
            self.home.emit(self.plan.box.id, port.id, value)

    def fire_checked(self, port, value):  # type: (Port, object) -> None
        """Fire an output for a script; a value of the wrong type is sent, as on the robot, with a warning."""
        if not is_value_of_type(port, value):
            kind = xar.TYPE_NAMES[port.type] if port.size < 2 else "%d values" % port.size
            said = "the output is declared %s and was fired with %s" % (kind, show_value(value))
            self.behaviour.world.warn("%s.%s" % (self.path, port.name), said, box=self.path)
        self.fire(port, value)

    def fire_by_name(self, name, value):  # type: (str, object) -> None
        """Fire the output with this name; raises RuntimeError if none exists."""
        port = self.plan.outputs.get(name)
        if port is None:
            raise RuntimeError("box %s has no output %s" % (quote(self.path), quote(name)))
        self.fire(port, value)

    def lose(self, resource):  # type: (str) -> None
        """Give a resource to another box: call onResourceLost, or fire the output of nature stopped."""
        if self.handler("onResourceLost") is not None:
            self.call("onResourceLost", resource)
            self.leave()
        else:
            self.fire_stopped()

    def script_timeline(self):  # type: () -> _ScriptTimeline | None
        """Return the timeline of this box for scripts, None if it lacks one."""
        return _ScriptTimeline(self.timeline) if self.timeline is not None else None

    def parent_timeline(self):  # type: () -> _ScriptTimeline | None
        """Return the timeline of the nearest enclosing box that has one, for scripts; else None."""
        home = self.home
        while home is not None and home.owner.timeline is None:
            home = home.owner.home
        return home.owner.script_timeline() if home is not None else None

    def fire_stopped(self):  # type: () -> None
        """Fire the output of nature stopped, if the box has one."""
        if self.plan.stopped is not None:
            self.fire(self.plan.stopped, None)

    def _stop_and_emit(self, port, value):  # type: (Port, object) -> None
        self.leave()
        self.behaviour.locks.drop(self)
        if self.home is None:
            self.behaviour.finish()
        elif self.is_loaded and not self.is_leaving:
            self.home.emit(self.plan.box.id, port.id, value)

    def _set_started(self, is_started):  # type: (bool) -> None
        """Set whether the box has started and not stopped, and notify the observers."""
        if is_started or self.is_started:
            self.is_started = is_started
            self.report_change()


def _module_name(box):  # type: (LiveBox) -> str
    if box.home is None or box.parent is None:
        return "ALFrameManager__%s__root" % box.behaviour.id.replace("/", "_")
    keyframe = box.parent.plan.diagrams.index(box.home.plan)
    return "%s__%d%s" % (box.parent.name, box.plan.box.id, "k%d" % keyframe if keyframe else "")
