"""Timelines: a cursor that loads keyframes as it passes them, and joints that follow their curves meanwhile."""

from __future__ import absolute_import, division, print_function

import math

from naosim.body import joints
from naosim.body.curves import CONSTANT, LINEAR, Bezier, Smooth
from naosim.compat import TEXTS, quoted
from naosim.player.compiled import last_frame

MYPY = False
if MYPY:
    from typing import Any

    from naosim.formats.xar import Curve
    from naosim.kernel.clock import ScheduledCall
    from naosim.player.contracts import PlayedBox, PlayedDiagram

HANDS = ("LHand", "RHand")
FASTEST, SLOWEST = 1000, 1
KINDS = {"constant": CONSTANT, "linear": LINEAR}
BEZIER = 3


class LiveTimeline(object):
    """The time cursor of one box; its layers run in parallel, each with one keyframe active at a time."""

    def __init__(self, box):  # type: (PlayedBox) -> None
        self._box = box
        self._model = model = box.plan.box.timeline
        self._clock = box.behaviour.world.clock
        self.fps = model.fps  # type: float
        self.start = model.start  # type: int
        self.end = last_frame(model)
        self._frame = float(model.start)
        self._since = None  # type: float | None
        self._tick = None  # type: ScheduledCall | None
        self._active = {}  # type: dict[int, PlayedDiagram]

    def soon(self, move, *args):  # type: (Any, *Any) -> None
        """Schedule one of the calls below for right after the running handler has returned."""
        self._clock.soon_for(self._box, move, *args)

    def frame(self):  # type: () -> float
        """Return the frame at which the cursor stands."""
        if self._since is None:
            return self._frame
        passed = self._clock.now() - self._since  # type: float
        return min(self._frame + passed * self.fps, max(float(self.end), self._frame))

    @property
    def is_playing(self):  # type: () -> bool
        """Tell whether the cursor runs."""
        return self._since is not None

    def play(self):  # type: () -> None
        """Let the cursor run from where it stands."""
        if self._since is None and self._box.is_loaded:
            self._since = self._clock.now()
            self._box.changed()
            self._note_motion()
            self._move_joints()
            self._reach(self._frame)

    def pause(self):  # type: () -> None
        """Hold the cursor; what is loaded stays loaded."""
        was_playing = self._since is not None
        self._frame, self._since = self.frame(), None
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
        self._box.changed()
        if was_playing:
            self._box.behaviour.world.body.halt([curve.actuator for curve in self._moving()])

    def stop(self):  # type: () -> None
        """Unload everything and put the cursor back to the start."""
        self.pause()
        self._frame = float(self.start)
        active, self._active = self._active, {}
        for layer in sorted(active):
            active[layer].unload()

    def go_to(self, frame):  # type: (Any) -> None
        """Move the cursor to a frame or to the keyframe of this name; it goes on running if it ran."""
        was_playing = self._since is not None
        self.pause()
        self._frame = float(min(max(self.number(frame), self.start), self.end))
        if was_playing:
            self.play()
        elif self._box.is_loaded:
            self._enter(self._frame)

    def set_fps(self, fps):  # type: (float) -> None
        """Change the frames per second from here on; raises RuntimeError outside 1 to 1000."""
        if not SLOWEST <= fps <= FASTEST:
            raise RuntimeError("a timeline runs at %d to %d frames per second, not %r" % (SLOWEST, FASTEST, fps))
        was_playing = self._since is not None
        self.pause()
        self.fps = fps
        if was_playing:
            self._since = self._clock.now()
            self._move_joints()
            self._schedule_tick(self._frame)

    def number(self, frame):  # type: (Any) -> float
        """Return the number of a frame given as a number or as a keyframe's name; raises RuntimeError."""
        if not isinstance(frame, TEXTS):
            return float(frame)
        for diagram in self._box.diagrams:
            if diagram.plan.keyframe.name == frame:
                return float(diagram.plan.keyframe.index)
        raise RuntimeError("no keyframe of box %s is called %s" % (quoted(self._box.path), quoted(frame)))

    def _reach(self, frame):  # type: (float) -> None
        """Load what begins at this frame, then schedule the next frame at which something happens."""
        since = self._since
        self._enter(frame)
        if since is None or self._since != since:
            return  # A keyframe's onLoad moved the cursor.
        if frame >= self.end:
            self._finish()
        else:
            self._schedule_tick(frame)

    def _schedule_tick(self, frame):  # type: (float) -> None
        stops = [diagram.plan.keyframe.index for diagram in self._box.diagrams] + [self.end]
        following = min(stop for stop in stops if stop > frame) if frame < self.end else self.end
        following = min(following, self.end)
        delay = (following - frame) / float(self.fps)
        self._tick = self._clock.later_for(self._box, delay, self._arrive, following)

    def _arrive(self, frame):  # type: (float) -> None
        self._frame, self._since = float(frame), self._clock.now()
        self._reach(frame)

    def _finish(self):  # type: () -> None
        self._frame, self._since, self._tick = float(self.end), None, None
        self._box.changed()
        stopped = self._box.plan.stopped
        self._box.note("timeline", state="ended")
        if stopped is not None:
            self._box.fire(stopped, None)

    def _enter(self, frame):  # type: (float) -> None
        """Activate in each layer the last keyframe up to this frame, and send onLoad into its diagram."""
        wanted = {}  # type: dict[int, PlayedDiagram]
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
        """Record the motion as a whole, then what each joint does."""
        moves = []
        for curve in self._model.curves:
            keys = [key for key in curve.keys if key[0] >= self._frame]
            if keys and not curve.mute:
                times = [_short((frame - self._frame) / float(self.fps)) for frame, _ in keys]
                unit, factor = _unit(curve)
                values = [_short(value * factor) for _, value in keys]
                moves.append({"actuator": curve.actuator, "times": times, "values": values, "unit": unit})
        if moves:
            joints_moved = {move["actuator"] for move in moves}
            self._box.note(
                "timeline", state="moves", joints=len(joints_moved), duration=max(move["times"][-1] for move in moves)
            )
        for move in moves:
            self._box.note("motion", **move)

    def _moving(self):  # type: () -> list[Curve]
        return [curve for curve in self._model.curves if curve.actuator in joints.LIMITS and not curve.mute]

    def _move_joints(self):  # type: () -> None
        """Let the joints follow the rest of their curves, from the angles they have."""
        body = self._box.behaviour.world.body
        for curve in sorted(self._moving(), reverse=True):
            rest = [at for at, key in enumerate(curve.keys) if key[0] >= self._frame]
            if rest:
                body.move(curve.actuator, self._curve(curve, rest, body.angle(curve.actuator)))

    def _curve(self, curve, rest, start):  # type: (Curve, list[int], float) -> Any
        """Make a curve of the keys that are left, by their tangents if they have any."""
        factor, fps = _unit(curve)[1], float(self.fps)
        times = [(curve.keys[at][0] - self._frame) / fps for at in rest]
        angles = [curve.keys[at][1] * factor for at in rest]
        # A joint that is elsewhere when the curve begins needs a moment to get there.
        late = abs(angles[0] - start) / joints.SPEEDS[curve.actuator]
        times[0] = max(times[0], min([late] + [0.9 * time for time in times[1:2]]))
        if len(set(times)) < len(times) or sorted(times) != times or not any(any(curve.tangents[at]) for at in rest):
            keys = dict(zip(times, angles))
            return Smooth(start, sorted(keys), [keys[time] for time in sorted(keys)])
        shape = []
        for at, time, angle in zip(rest, times, angles):
            before, after = [tangent or ("", 0.0, 0.0) for tangent in curve.tangents[at]]
            shape.append(
                (
                    time,
                    angle,
                    (before[1] / fps, before[2] * factor),
                    (after[1] / fps, after[2] * factor),
                    KINDS.get(after[0], BEZIER),
                )
            )
        return Bezier(start, shape)


class ScriptTimeline(object):
    """The timeline as scripts see it; the cursor moves right after the running handler has returned."""

    def __init__(self, live):  # type: (LiveTimeline) -> None
        self._live = live

    def play(self):  # type: () -> None
        """Let the cursor run."""
        self._live.soon(self._live.play)

    def pause(self):  # type: () -> None
        """Hold the cursor."""
        self._live.soon(self._live.pause)

    def stop(self):  # type: () -> None
        """Stop the cursor, unload everything and go back to the start."""
        self._live.soon(self._live.stop)

    def goTo(self, frame):  # type: (Any) -> None
        """Move the cursor to a frame number or to the keyframe of this name; raises RuntimeError for an unknown one."""
        self._live.soon(self._live.go_to, self._live.number(frame))

    def gotoAndPlay(self, frame):  # type: (Any) -> None
        """Move the cursor and let it run."""
        self.goTo(frame)
        self.play()

    def gotoAndStop(self, frame):  # type: (Any) -> None
        """Move the cursor and hold it there."""
        self.pause()
        self.goTo(frame)

    def getFPS(self):  # type: () -> float
        """Return the frames per second."""
        return self._live.fps

    def setFPS(self, fps):  # type: (float) -> None
        """Change the frames per second; raises RuntimeError outside 1 to 1000."""
        self._live.set_fps(fps)

    def getSize(self):  # type: () -> int
        """Return the number of frames from the start to the end."""
        return self._live.end - self._live.start + 1


def _unit(curve):  # type: (Curve) -> tuple[str, float]
    if curve.unit == 1 or (curve.unit < 0 and curve.actuator in HANDS):
        return "percent to fraction", 0.01
    return "degrees to radians", math.pi / 180


def _short(number):  # type: (float) -> float
    return float("%.6f" % number)
