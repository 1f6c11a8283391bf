"""The player: a behaviour that runs on a robot, the behaviours of installed packages, and the checks at their end.

A `Behaviour` is one project, loaded, started, and ended or stopped. `Installed` finds behaviours by name, `Locks` are
the resources that boxes take, and `list_left_open` finds what a behaviour leaves open.
"""

from __future__ import absolute_import, division, print_function

import os

from naosim import packages, scripting, xar
from naosim.box_scripts import TO_INPUT, AnsweredByHand, PlayedBehaviour, PlayedBox, compile_project
from naosim.boxes import LiveBox, LiveDiagram
from naosim.compat import PY2, native, quoted
from naosim.compiler import OLD_NAMES
from naosim.errors import WrongUse
from naosim.lint import note_findings
from naosim.scheduler import SimEvent
from naosim.world import list_failures, name_callback
from naosim.xar import Translations

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterable, Iterator

    from naosim.clock import Clock, ScheduledCall
    from naosim.packages import Package, Place
    from naosim.world import World
    from naosim.xar import Resource

# --- Resources: the locks that boxes take while they run, such as Speech. Reads no diagram.

_STOP_ON_DEMAND = "Stop on demand"


class _ResourceLocks(object):
    """The holder of each resource; boxes inside a holder share what it holds."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._holders = {}  # type: dict[str, PlayedBox]
        self._freed = {}  # type: dict[str, SimEvent]

    def take(self, box):  # type: (PlayedBox) -> bool
        """Take all resources of the box, waiting as long as each allows; if one stays busy, hold none, return False."""
        for resource in box.plan.box.resources:
            if not self._take(box, resource):
                self.drop(box)
                return False
        return True

    def drop(self, box):  # type: (PlayedBox) -> None
        """Release every resource that the box holds."""
        for name in [name for name, holder in self._holders.items() if holder is box]:
            self.give_back(box, name)

    def give_back(self, box, name):  # type: (PlayedBox, str) -> None
        """Release one resource, if the box holds it."""
        if self._holders.get(name) is box:
            del self._holders[name]
            self._freed.pop(name, SimEvent(self._clock)).set()

    def is_free(self, name):  # type: (str) -> bool
        """Tell whether no box holds the resource."""
        return name not in self._holders

    def _take(self, box, resource):  # type: (PlayedBox, Resource) -> bool
        name = resource.name
        end = None if resource.timeout < 0 else self._clock.now() + resource.timeout
        while name in self._holders and not box.is_inside(self._holders[name]):
            holder = self._holders[name]
            if _stops_on_demand(holder, name):
                holder.lose(name)
                self.give_back(holder, name)
                continue
            left = None if end is None else end - self._clock.now()
            freed = self._freed.setdefault(name, SimEvent(self._clock))
            if (left is not None and left <= 0) or not self._clock.wait(freed, left):
                return False
        self._holders.setdefault(name, box)
        return True


def _stops_on_demand(holder, name):  # type: (PlayedBox, str) -> bool
    return any(held.name == name and held.type == _STOP_ON_DEMAND for held in holder.plan.box.resources)


# --- The running behaviour: one project on one robot, loaded, started, and ended or stopped.

#: More parameters are not named in a sentence.
_MAX_NAMED = 20
#: Behaviours whose files a robot keeps at hand for those who look at it.
_MAX_KEPT_PROJECTS = 16


class Behaviour(PlayedBehaviour):
    """One behaviour on one robot, which can be loaded, started, ended or stopped, and loaded again.

    `location` is folder, package, folder relative to the package, and id; otherwise they follow from the file's path.
    """

    def __init__(self, world, project, rewrite=False, parameters=None, dialogs=(), location=None):
        # type: (World, xar.Project, bool, dict[str, Any] | None, Iterable[str], tuple[str, str, str, str] | None) -> None
        self.world = world
        self.project = project
        self.dialogs = AnsweredByHand(dialogs)
        self.locks = _ResourceLocks(world.clock)
        found = _location(project, world.folder)
        self.folder, self.package, self.relative, self.id = location or found
        self.times_stopped = 0
        self.is_loaded = self.ended = self.interrupted = False
        self.rewrite = rewrite
        self._translations = project.package[1] if project.package else None
        if self._translations is not None:
            self._translations.prepare(world.languages)
        self._plan = compile_project(project, rewrite)
        self._parameters = dict(parameters or {})
        self._errors_before = len(world.trace.errors)
        self._names = None  # type: dict[str, Any] | None
        self.root = LiveBox(self._plan, self, None)
        for name in sorted(self._parameters):
            if not list(self._having(name)):
                raise WrongUse(_no_parameter(name, self.root))

    @property
    def failures(self):  # type: () -> list[str]
        """List what has gone wrong on the robot since the behaviour was made, one sentence each."""
        return list_failures(self.world.trace.errors[self._errors_before :])

    def names(self):  # type: () -> dict[str, Any]
        """Return a new dict of the names that a script has without an import, one for each script."""
        if self._names is None:
            self._names = dict(scripting.list_script_names(self.world), **(OLD_NAMES if self.rewrite else {}))
        return dict(self._names)

    def load(self):  # type: () -> None
        """Construct every box, then load the root and its diagram; has to run as a task."""
        self.times_stopped = 0
        self.ended, self.interrupted, self.is_loaded = False, False, True
        self.root = LiveBox(self._plan, self, None)
        self._announce()
        for box in self.root.family():
            box.build()
        for name, value in sorted(self._parameters.items()):
            self._set(name, value)
        self.root.load()
        if self.root.timeline is None:
            self.root.enter()

    def start(self):  # type: () -> None
        """Stimulate the root's onStart, after loading a stopped behaviour again; has to run as a task."""
        if not self.is_loaded:
            self.load()
        for port in self._plan.box.inputs:
            if port.nature == xar.ON_START:
                self.root.receive(port, None)

    def finish(self):  # type: () -> None
        """Unload everything after the root's onStopped and record the end; has to run as a task."""
        if self.is_loaded:
            self.unload()
            self.ended = True
            self.world.trace.note("end", behaviour=self.id)

    def unload(self):  # type: () -> None
        """Unload the root and withdraw the modules of the boxes; has to run as a task."""
        if self.is_loaded:
            self.is_loaded = False
            self.root.unload()
            for box in self.root.family():
                self.world.modules.pop(box.name, None)
            if self.world.behaviours.get(self.id) is self:
                del self.world.behaviours[self.id]
            for observer in self.world.observers:
                observer.unloaded(self)

    def interrupt(self):  # type: () -> None
        """End the behaviour at any point, as a user does; has to run as a task."""
        if self.is_loaded:
            self.interrupted = True
            self.finish()

    def exit(self):  # type: () -> None
        """Schedule the end of the behaviour, as a script asks for it, for right after its handler has returned."""
        self.world.clock.soon_for(self, self.interrupt)

    def forget(self):  # type: () -> None
        """Start counting failures anew, once the robot has dropped its events."""
        self._errors_before = 0

    def box(self, path):  # type: (str) -> LiveBox
        """Return the box with this path, such as "root/Say"; raises WrongUse when there is none."""
        for box in self.root.family():
            if box.path == path:
                return box
        raise WrongUse("the behaviour has no box %s" % quoted(path))

    def stimulate(self, path, port, value=None):  # type: (str, str, Any) -> None
        """Fire an output or stimulate an input of a box, queued like any signal; raises WrongUse for unknown names."""
        box = self.box(path)
        for own in box.plan.box.outputs:
            if own.name == port:
                self.world.clock.soon_for(box, box.fire, own, value)
                return
        for own in box.plan.box.inputs:
            if own.name == port:
                self.world.clock.soon_for(box, box.receive, own, value)
                return
        raise WrongUse("box %s has no port %s" % (quoted(path), quoted(port)))

    def answer(self, path, output, value=None):  # type: (str, str, Any) -> None
        """Fire an output of a Dialog box that is answered by hand, as a person's answer would; raises WrongUse.

        The box is named by its path, with or without "root/", and has to be among the `dialogs` of `Robot.load`.
        """
        self.dialogs.answer(self, path, output, value)

    def translated(self, path, parameter, text):  # type: (str, str, str) -> str
        """Translate the text of a box's parameter into the robot's language, if the package has a translation."""
        if self._translations is None or not text:
            return text
        place = "behavior.xar:/%s" % path.partition("/")[2]
        context = place if self.relative == "." else "%s/%s" % (self.relative, place)
        found = self._translations.translated(self.world.language(), context.replace("\\", "/"), text, parameter)
        return native(found)

    def leaks(self):  # type: () -> list[str]
        """List the boxes that are still loaded, and a root that did not stop exactly once, one sentence each."""
        found = ["Box %s is still loaded." % quoted(box.path) for box in self.root.family() if box.is_loaded]
        if self.times_stopped != 1 and not self.interrupted:
            found.append("The root fired onStopped %d times instead of once." % self.times_stopped)
        return found

    def _announce(self):  # type: () -> None
        """Have the behaviour found by those who look at the robot, and tell the observers."""
        world = self.world
        world.behaviours[self.id] = self
        world.projects.pop(self.id, None)
        world.projects[self.id] = self.project
        if len(world.projects) > _MAX_KEPT_PROJECTS:
            world.projects.popitem(last=False)
        for observer in world.observers:
            observer.loaded(self)

    def _set(self, name, value):  # type: (str, Any) -> None
        """Set a parameter given as "box path.name", "box name.name" or, in every box that has it, "name"."""
        for box, own in self._having(name):
            box.set_parameter(own, value)

    def _having(self, name):  # type: (str) -> Iterator[tuple[LiveBox, str]]
        """Find the boxes that have a parameter of this name, with its own name in each."""
        for box in self.root.family():
            for own in box.plan.parameters:
                if name in (own, "%s.%s" % (box.path, own), "%s.%s" % (box.plan.box.name, own)):
                    yield box, own


def _no_parameter(name, root):  # type: (str, LiveBox) -> str
    """Say that no box has a parameter, and which there are."""
    known = sorted({"%s.%s" % (box.plan.box.name, own) for box in root.family() for own in box.plan.parameters})
    more = ", ..." if len(known) > _MAX_NAMED else ""
    there = "there are %s%s" % (", ".join(known[:_MAX_NAMED]), more) if known else "this behaviour has no parameters"
    return "no box has a parameter %s: %s" % (quoted(name), there)


def _location(project, package_folder):  # type: (xar.Project, str | None) -> tuple[str, str, str, str]
    """Return the behaviour's folder, the package's id, that folder relative to the package, and the behaviour's id."""
    if project.path is None:
        return native(package_folder or os.getcwd()), "package", "behavior_1", "package/behavior_1"
    path = project.path if os.path.isdir(project.path) else os.path.dirname(project.path)
    folder = os.path.abspath(path)
    found = _read_package_of(project)
    if package_folder:
        root = os.path.abspath(package_folder)
    else:
        root = os.path.dirname(folder) if found is None else os.path.abspath(found.folder)
    relative = os.path.relpath(folder, root)
    package = (found.uuid if found is not None and not package_folder else os.path.basename(root)) or "package"
    return native(folder), native(package), native(relative), native("%s/%s" % (package, relative))


def _read_package_of(project):  # type: (xar.Project) -> packages.Package | None
    """Find the package around a behaviour, once per project however many robots run it; None without one."""
    if project.package is None:
        path = project.path or ""
        file = os.path.join(path, packages.BEHAVIOUR_FILE) if os.path.isdir(path) else path
        found = packages.find_package_around(file)
        project.package = (found, Translations(found) if found is not None and found.translations else None)
    return project.package[0]  # type: ignore[no-any-return]


# --- The leak check: subscriptions, scheduled calls and entries of sys.path left open when a behaviour is over.


def list_left_open(world):  # type: (World) -> list[str]
    """List what is left open outside the boxes of any one behaviour, one sentence each."""
    found = []  # type: list[str]
    for name in sorted(world.services):
        found += getattr(world.services[name], "leftovers", list)()
    found += [left for left in map(_left_over, world.clock.pending()) if left is not None]
    return found + world.interpreter.leaks()


def _left_over(scheduled):  # type: (ScheduledCall) -> str | None
    """Say in one sentence that a scheduled call is still due or running; return None for a call of the robot's own."""
    if scheduled.owner is None:
        return None
    if isinstance(scheduled.owner, LiveDiagram) and scheduled.args:
        name = _receiver(scheduled.owner, scheduled.args[0])
    else:
        name = _name_box(scheduled.owner)
    return "%s is still %s." % (name, "running" if scheduled.state == "running" else "due")


def _receiver(diagram, route):  # type: (LiveDiagram, Any) -> str
    kind, box, port = route
    if kind != TO_INPUT:
        return "%s.%s" % (diagram.owner.path, port.name)
    return "%s.onInput_%s" % (diagram.boxes[box].path, port.name)


def _name_box(owner):  # type: (Any) -> str
    if isinstance(owner, PlayedBox):
        return owner.path
    if isinstance(owner, PlayedBehaviour):
        return owner.id
    return name_callback(owner)


# --- Behaviours of installed packages: found by name, run beside others, and checked for leftovers after the last end.

#: Virtual seconds after the end of the last behaviour; what is still open then counts as left behind.
_SETTLING_S = 0.5
_MAX_LEAKS = 1000
#: How the ids begin of what Choregraphe runs by its green button, which stands for the loaded project here.
_UPLOADED_PREFIX = ".lastUploadedChoregrapheBehavior/"


class AmbiguousName(Exception):
    """The name fits several behaviours."""


class InstalledBehaviours(Behaviour):
    """A behaviour of an installed package; at its end `on_end(behaviour)` is called, then the event `done` is set."""

    def __init__(self, world, package, place, on_end):
        # type: (World, Package, Place, Callable[[InstalledBehaviours], None]) -> None
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
        return list_failures([event for event in self.world.trace.errors if event.time >= self._since])

    def finish(self):  # type: () -> None
        """Unload everything, call `on_end` and set `done`; has to run as a task."""
        if self.is_loaded:
            Behaviour.finish(self)
            self._on_end(self)
            self.done.set()


def list_places(world):  # type: (World) -> dict[str, tuple[Package, Place]]
    """Map the ids of installed behaviours (uuid, slash, folder in the package or ".") to their package and place."""
    return {
        "%s/%s" % (uuid, place.name): (package, place)
        for uuid, package in world.packages.items()
        for place in package.behaviours
    }


def resolve_name(world, name):  # type: (World, str) -> str
    """Return the id of the behaviour that a name stands for, "" for none; raises Ambiguous.

    The name is an id, the uuid of a package with one behaviour or with one in its own folder, or the folder of a
    behaviour in its package.
    """
    known = list_places(world)
    name = name.strip("/")
    if name.startswith(_UPLOADED_PREFIX) and world.last_uploaded:
        name = world.last_uploaded + "/" + name[len(_UPLOADED_PREFIX) :]
    if name in known:
        return name
    if name in world.packages:
        own = [each for each in known if each.startswith(name + "/")]
        own = [each for each in own if each == name + "/."] or own
    else:
        own = [each for each, (_, place) in known.items() if place.name == name]
    if len(own) > 1:
        raise AmbiguousName("%s is the name of several behaviors: %s" % (name, ", ".join(sorted(own)[:10])))
    return own[0] if own else ""


class EndWatch(object):
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
            self._before = set(list_left_open(self._world))

    def end(self, behaviour):  # type: (InstalledBehaviours) -> None
        """Check the boxes of a behaviour that has ended; schedule the rest of the check if no other one runs."""
        self._note(behaviour.id, behaviour.leaks())
        self._ended.append(behaviour.id)
        if not self._is_busy():
            self._due = self._world.clock.later(_SETTLING_S, self._judge)

    def _judge(self):  # type: () -> None
        self._due = None
        ended, self._ended = self._ended, []
        self._note(
            " or ".join(sorted(set(ended))), [leak for leak in list_left_open(self._world) if leak not in self._before]
        )

    def _note(self, who, leaks):  # type: (str, list[str]) -> None
        for leak in leaks:
            self._world.trace.note("leak", behaviour=who, text=leak)
            if len(self.noted) < _MAX_LEAKS:
                self.noted.append("%s: %s" % (who, leak))
