"""Behaviours of installed packages: found by name, run beside others, and checked for leftovers after the last end."""

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

#: Virtual seconds after the end of the last behaviour; what is still open then counts as left behind.
SETTLED = 0.5
MOST_LEAKS = 1000
#: How the ids begin of what Choregraphe runs by its green button, which stands for the loaded project here.
UPLOADED = ".lastUploadedChoregrapheBehavior/"


class Ambiguous(Exception):
    """The name fits several behaviours."""


class Installed(Behaviour):
    """A behaviour of an installed package; at its end `on_end(behaviour)` is called, then the event `done` is set."""

    def __init__(self, world, package, place, on_end):
        # type: (World, Package, Place, Callable[[Installed], None]) -> None
        project = xar.parse(place.file)
        # The behaviour loaded by the driver decides whether scripts are rewritten; without one, Python 3 rewrites them.
        rewrite = not PY2 if world.rewrites is None else world.rewrites
        location = (
            native(os.path.dirname(place.file)),
            native(package.uuid),
            native(place.name),
            "%s/%s" % (package.uuid, place.name),
        )
        Behaviour.__init__(self, world, project, rewrite, location=location)
        note_findings(world, project)
        self.done = SimEvent(world.clock)
        self._on_end = on_end
        self._since = world.clock.now()

    @property
    def failures(self):  # type: () -> list[str]
        """List what has gone wrong on the robot since the behaviour was made, one sentence each."""
        return failures([event for event in self.world.trace.errors if event.time >= self._since])

    def finish(self):  # type: () -> None
        """Unload everything, call `on_end` and set `done`; has to run as a task."""
        if self.is_loaded:
            Behaviour.finish(self)
            self._on_end(self)
            self.done.set()


def places(world):  # type: (World) -> dict[str, tuple[Package, Place]]
    """Map the ids of installed behaviours (uuid, slash, folder in the package or ".") to their package and place."""
    return {
        "%s/%s" % (uuid, place.name): (package, place)
        for uuid, package in world.packages.items()
        for place in package.behaviours
    }


def resolved(world, name):  # type: (World, str) -> str
    """Return the id of the behaviour that a name stands for, "" for none; raises Ambiguous.

    The name is an id, the uuid of a package with one behaviour or with one in its own folder, or the folder of a
    behaviour in its package.
    """
    known = places(world)
    name = name.strip("/")
    if name.startswith(UPLOADED) and world.last_uploaded:
        name = world.last_uploaded + "/" + name[len(UPLOADED) :]
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
    """The check of what behaviours leave behind, made when none of them runs any more."""

    def __init__(self, world, is_busy):  # type: (World, Callable[[], bool]) -> None
        self.noted = []  # type: list[str]
        self._world = world
        self._is_busy = is_busy
        self._before = set()  # type: set[str]
        self._ended = []  # type: list[str]
        self._due = None  # type: Any

    def begin(self):  # type: () -> None
        """Prepare for the start of a behaviour: what is already left open will not be counted against it."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        elif not self._is_busy():
            self._before = set(left_open(self._world))

    def end(self, behaviour):  # type: (Installed) -> None
        """Check the boxes of a behaviour that has ended; schedule the rest of the check if no other one runs."""
        self._note(behaviour.id, behaviour.leaks())
        self._ended.append(behaviour.id)
        if not self._is_busy():
            self._due = self._world.clock.later(SETTLED, self._judge)

    def _judge(self):  # type: () -> None
        self._due = None
        ended, self._ended = self._ended, []
        self._note(
            " or ".join(sorted(set(ended))), [leak for leak in left_open(self._world) if leak not in self._before]
        )

    def _note(self, who, leaks):  # type: (str, list[str]) -> None
        for leak in leaks:
            self._world.trace.note("leak", behaviour=who, text=leak)
            if len(self.noted) < MOST_LEAKS:
                self.noted.append("%s: %s" % (who, leak))
