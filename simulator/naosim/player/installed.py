"""Behaviours of the packages on a robot: found by name, run beside others, and judged when the last of them is over."""
from __future__ import absolute_import, division, print_function

import os

from naosim.compat import PY2, native
from naosim.formats import xar
from naosim.kernel.sim_event import SimEvent
from naosim.lint.admission import note_findings
from naosim.player.behaviour import Behaviour
from naosim.player.leftovers import left_open
from naosim.world.trace import failures

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.formats.project import Package, Place
    from naosim.world.world import World

#: Seconds after the end of the last behaviour at which what is left of it counts as left behind.
SETTLED = 0.5
MOST_LEAKS = 1000


class Ambiguous(Exception):
    """A name fits several behaviours."""


class Installed(Behaviour):
    """A behaviour of a package on the robot; `done` opens at its end, `on_end(behaviour)` is called before."""

    def __init__(self, world, package, place, on_end):
        # type: (World, Package, Place, Callable[[Installed], None]) -> None
        project = xar.parse(place.file)
        # The behaviour loaded by hand decides whether scripts are rewritten; without one, Python 3 has to.
        rewrite = not PY2 if world.rewrites is None else world.rewrites
        Behaviour.__init__(self, world, project, rewrite)
        note_findings(world, project)
        self.folder, self.package = native(os.path.dirname(place.file)), native(package.uuid)
        self.relative, self.id = native(place.name), "%s/%s" % (package.uuid, place.name)
        self.done = SimEvent(world.clock)
        self._on_end = on_end
        self._since = world.clock.now()

    @property
    def failures(self):
        # type: () -> list[str]
        """What went wrong on the robot since the behaviour was made, one sentence each."""
        return failures([event for event in self.world.trace.errors if event.time >= self._since])

    def finish(self):
        # type: () -> None
        """Unloads everything and tells who started it; runs as a task."""
        if self.is_loaded:
            Behaviour.finish(self)
            self._on_end(self)
            self.done.set()


def places(world):
    # type: (World) -> dict[str, tuple[Package, Place]]
    """Every behaviour of the packages on a robot, by its id: uuid, a slash and its folder in the package or "."."""
    return {"%s/%s" % (uuid, place.name): (package, place)
            for uuid, package in world.packages.items() for place in package.behaviours}


def resolved(world, name):
    # type: (World, str) -> str
    """The id of the behaviour that a name means, "" for none; raises Ambiguous.

    The name is the id, the uuid of a package with one behaviour or one of its own, or a behaviour's folder alone.
    """
    known = places(world)
    name = name.strip("/")
    if name in known:
        return name
    if name in world.packages:
        own = [each for each in known if each.startswith(name + "/")]
        own = [each for each in own if each == name + "/."] or own
    else:
        own = [each for each, (_, place) in known.items() if place.name == name]
    if len(own) > 1:
        raise Ambiguous("%s is the name of several behaviors: %s" % (name, ", ".join(sorted(own)[:10])))
    return own[0] if own else ""


class Watch(object):
    """Finds out what behaviours leave behind, once none of them runs any more."""

    def __init__(self, world, is_busy):
        # type: (World, Callable[[], bool]) -> None
        self.noted = []  # type: list[str]
        self._world = world
        self._is_busy = is_busy
        self._before = set()  # type: set[str]
        self._ended = []  # type: list[str]
        self._due = None  # type: Any

    def begin(self):
        # type: () -> None
        """Is told that a behaviour starts; what is left open before is not its doing."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        elif not self._is_busy():
            self._before = set(left_open(self._world))

    def end(self, behaviour):
        # type: (Installed) -> None
        """Is told that a behaviour is over: its boxes are judged now, the rest when all is calm."""
        self._note(behaviour.id, behaviour.leaks())
        self._ended.append(behaviour.id)
        if not self._is_busy():
            self._due = self._world.clock.later(SETTLED, self._judge)

    def _judge(self):
        # type: () -> None
        self._due = None
        ended, self._ended = self._ended, []
        self._note(" or ".join(sorted(set(ended))), [
            leak for leak in left_open(self._world) if leak not in self._before])

    def _note(self, who, leaks):
        # type: (str, list[str]) -> None
        for leak in leaks:
            self._world.trace.note("leak", behaviour=who, text=leak)
            if len(self.noted) < MOST_LEAKS:
                self.noted.append("%s: %s" % (who, leak))
