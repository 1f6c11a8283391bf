"""The player: running behaviours, the resources that their boxes take, and the check of what they leave open.

A `Behaviour` loads, starts and stops one project. `InstalledBehaviour` is the class of those in
installed packages, found by `resolve_name`. `list_left_open` lists subscriptions and scheduled calls that behaviours
did not end.
"""

from __future__ import absolute_import, division, print_function

import os

from naosim import packages, scripting, xar
from naosim.box_scripts import TO_INPUT, TO_OUTPUT, AnsweredByHand, PlayedBehaviour, compile_project
from naosim.boxes import LiveBox, LiveDiagram
from naosim.clock import Clock
from naosim.compat import PY2, native, quote, reason
from naosim.compiler import OLD_NAMES
from naosim.errors import WrongUse
from naosim.lint import note_findings
from naosim.scheduler import ScheduledCall, SimEvent
from naosim.world import World, list_failures, name_callback

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterable, Iterator

# Resources, such as Speech, which boxes take while they run.

_STOP_ON_DEMAND = "Stop on demand"


class _ResourceLocks(object):
    """The resources and the boxes that hold them; the boxes inside a holder share its resources."""

    def __init__(self, clock):  # type: (Clock) -> None
        self._clock = clock
        self._holders = {}  # type: dict[str, LiveBox]
        self._freed = {}  # type: dict[str, SimEvent]

    def take(self, box):  # type: (LiveBox) -> bool
        """Take all resources of the box, waiting up to their time-outs; take none and return False if one is busy."""
        for resource in box.plan.box.resources:
            if not self._take(box, resource):
                self.drop(box)
                return False
        return True

    def drop(self, box):  # type: (LiveBox) -> None
        for name in [name for name, holder in self._holders.items() if holder is box]:
            self.give_back(box, name)

    def give_back(self, box, name):  # type: (LiveBox, str) -> None
        if self._holders.get(name) is box:
            del self._holders[name]
            self._freed.pop(name, SimEvent(self._clock)).set()

    def _take(self, box, resource):  # type: (LiveBox, xar.Resource) -> bool
        name = resource.name
        end = None if resource.timeout < 0 else self._clock.now() + resource.timeout
        while name in self._holders and not box.is_inside(self._holders[name]):
            holder = self._holders[name]
            if any(held.name == name and held.type == _STOP_ON_DEMAND for held in holder.plan.box.resources):
                holder.lose(name)
                self.give_back(holder, name)
                continue
            left = None if end is None else end - self._clock.now()
            freed = self._freed.setdefault(name, SimEvent(self._clock))
            if (left is not None and left <= 0) or not self._clock.wait(freed, left):
                return False
        self._holders.setdefault(name, box)
        return True


# Running behaviours.

_MAX_NAMED = 20  # parameters that an error message lists
_MAX_KEPT_PROJECTS = 16  # parsed behaviours that a robot keeps for programs that show its diagrams


class Behaviour(PlayedBehaviour):
    """One behaviour on one robot: it can be loaded, started, stopped and loaded again.

    `location` is its folder, the id of its package, the folder inside the package, and its id; None: see `_location`.
    """

    def __init__(self, world, project, rewrite=False, parameters=None, dialogs=(), location=None):
        # type: (World, xar.Project, bool, dict[str, object] | None, Iterable[str], tuple[str, str, str, str] | None) -> None
        self.world = world
        self.project = project
        self.dialogs = AnsweredByHand(dialogs)
        self.locks = _ResourceLocks(world.clock)
        found = _location(project, world.folder)
        self.folder, self.package, self.relative, self.id = location or found
        self.times_stopped = 0
        self.is_loaded = self.ended = self.interrupted = False
        self.rewrite = rewrite
        self._translations = project.translations
        if self._translations is not None:
            self._translations.prepare(world.languages)
        self._plan = compile_project(project, rewrite)
        self._parameters = dict(parameters or {})
        self._errors_before = len(world.trace.errors)
        self._names = None  # type: dict[str, object] | None
        self.root = LiveBox(self._plan, self, None)
        for name in sorted(self._parameters):
            if not list(self._find_boxes_with(name)):
                raise WrongUse(_no_parameter(name, self.root))

    @property
    def failures(self):  # type: () -> list[str]
        """List the failures on the robot since the behaviour was made, one sentence each."""
        return list_failures(self.world.trace.errors[self._errors_before :])

    def names(self):  # type: () -> dict[str, object]
        """Return the names that a script has without an import, as a new dict."""
        if self._names is None:
            self._names = dict(scripting.list_script_names(self.world), **(OLD_NAMES if self.rewrite else {}))
        return dict(self._names)

    def load(self):  # type: () -> None
        """Construct every box, then load the root and its diagram; must run as a task."""
        self.times_stopped = 0
        self.ended, self.interrupted, self.is_loaded = False, False, True
        self.root = LiveBox(self._plan, self, None)
        self._announce()
        for box in self.root.family():
            box.build()
        for name, value in sorted(self._parameters.items()):
            for box, own in self._find_boxes_with(name):
                box.set_parameter(own, value)
        self.root.load()
        if self.root.timeline is None:
            self.root.enter()

    def start(self):  # type: () -> None
        """Stimulate the root's onStart, and load a stopped behaviour again before; must run as a task."""
        if not self.is_loaded:
            self.load()
        for port in self._plan.box.inputs:
            if port.nature == xar.ON_START:
                self.root.receive(port, None)

    def finish(self):  # type: () -> None
        """Unload everything after the root's onStopped and record the end; must run as a task."""
        if self.is_loaded:
            self.unload()
            self.ended = True
            self.world.trace.note("end", behaviour=self.id)

    def unload(self):  # type: () -> None
        """Unload the root and remove the modules of the boxes; must run as a task."""
        if self.is_loaded:
            self.is_loaded = False
            self.root.unload()
            for box in self.root.family():
                self.world.modules.pop(box.name, None)
            if self.world.behaviours.get(self.id) is self:
                del self.world.behaviours[self.id]
            for observer in self.world.observers:
                observer.notice_unload(self)

    def interrupt(self):  # type: () -> None
        """Stop the behaviour at any point, as a user does; must run as a task."""
        if self.is_loaded:
            self.interrupted = True
            self.finish()

    def exit(self):  # type: () -> None
        """Stop the behaviour for a script, as soon as the running handler has returned."""
        self.world.clock.call_soon_for(self, self.interrupt)

    def forget(self):  # type: () -> None
        """Count failures from the start of the trace, after the robot has dropped its events."""
        self._errors_before = 0

    def box(self, path):  # type: (str) -> LiveBox
        """Return the box with this path, such as "root/Say"; raises WrongUse if none exists."""
        for box in self.root.family():
            if box.path == path:
                return box
        raise WrongUse("the behaviour has no box %s" % quote(path))

    def stimulate(self, path, port, value=None):  # type: (str, str, object) -> None
        """Schedule a signal to an input or output of a box; raises WrongUse for unknown names."""
        box = self.box(path)
        for ports, call in ((box.plan.box.outputs, box.fire), (box.plan.box.inputs, box.receive)):
            for own in ports:
                if own.name == port:
                    self.world.clock.call_soon_for(box, call, own, value)
                    return
        raise WrongUse("box %s has no port %s" % (quote(path), quote(port)))

    def answer(self, path, output, value=None):  # type: (str, str, object) -> None
        """Fire an output of a Dialog box, as a person's answer would.

        `path` can omit "root/". Raises WrongUse if the box is not among the `dialogs` of `Robot.load` or does not run.
        """
        self.dialogs.answer(self, path, output, value)

    def translate(self, path, parameter, text):  # type: (str, str, str) -> str
        """Translate the text of a box's parameter into the robot's language, if the package has a translation."""
        if self._translations is None or not text:
            return text
        place = "behavior.xar:/%s" % path.partition("/")[2]
        context = place if self.relative == "." else "%s/%s" % (self.relative, place)
        found = self._translations.translate(self.world.language(), context.replace("\\", "/"), text, parameter)
        return native(found)

    def leaks(self):  # type: () -> list[str]
        """List the boxes that are still loaded, and a root that did not stop exactly once, one sentence each."""
        found = ["Box %s is still loaded." % quote(box.path) for box in self.root.family() if box.is_loaded]
        if self.times_stopped != 1 and not self.interrupted:
            found.append("The root fired onStopped %d times instead of once." % self.times_stopped)
        return found

    def _announce(self):  # type: () -> None
        """Register the behaviour with the world and notify the observers."""
        world = self.world
        world.behaviours[self.id] = self
        world.projects.pop(self.id, None)
        world.projects[self.id] = self.project
        if len(world.projects) > _MAX_KEPT_PROJECTS:
            world.projects.popitem(last=False)
        for observer in world.observers:
            observer.notice_load(self)

    def _find_boxes_with(self, name):  # type: (str) -> Iterator[tuple[LiveBox, str]]
        """Yield the boxes that have a parameter, with its name in the box.

        It is given as "box path.name", "box name.name" or, in every box that has it, "name".
        """
        for box in self.root.family():
            for own in box.plan.parameters:
                if name in (own, "%s.%s" % (box.path, own), "%s.%s" % (box.plan.box.name, own)):
                    yield box, own


def _no_parameter(name, root):  # type: (str, LiveBox) -> str
    """Return the message that no box has a parameter, with those that exist."""
    known = sorted({"%s.%s" % (box.plan.box.name, own) for box in root.family() for own in box.plan.parameters})
    more = ", ..." if len(known) > _MAX_NAMED else ""
    there = "there are %s%s" % (", ".join(known[:_MAX_NAMED]), more) if known else "this behaviour has no parameters"
    return "no box has a parameter %s: %s" % (quote(name), there)


def _location(project, package_folder):  # type: (xar.Project, str | None) -> tuple[str, str, str, str]
    """Return the folder, package id, folder inside the package, and id of a behaviour, from its file's path."""
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
    """Find the package around a behaviour, once for all robots that share the project; None if none exists."""
    if not project.is_placed:
        path = project.path or ""
        file = os.path.join(path, packages.BEHAVIOUR_FILE) if os.path.isdir(path) else path
        project.place_in(packages.find_package_around(file))
    return project.package  # type: ignore[no-any-return]


# The check of the things that behaviours leave open.


def list_left_open(world):  # type: (World) -> list[str]
    """List open subscriptions, scheduled calls and added entries of sys.path, one sentence each."""
    found = []  # type: list[str]
    for name in sorted(world.services):
        found += getattr(world.services[name], "leftovers", list)()
    found += [left for left in map(_describe_leftover, world.clock.pending()) if left is not None]
    return found + world.interpreter.leaks()


def _describe_leftover(scheduled):  # type: (ScheduledCall) -> str | None
    """Return a sentence about a call that is still due or running; None for a call of the robot itself."""
    if scheduled.owner is None:
        return None
    name = _name_call(scheduled.owner, scheduled.args)
    return "%s is still %s." % (name, "running" if scheduled.state == "running" else "due")


def note_error(world, scheduled, error):  # type: (World, ScheduledCall, BaseException) -> None
    """Record the error that ended a scheduled call as a failure of its box, callback or behaviour."""
    where = _name_call(scheduled.owner, scheduled.args)
    world.trace.note("error", where=where, message=reason(error), handled=False)


def _name_call(owner, args):  # type: (object, tuple[Any, ...]) -> str
    if isinstance(owner, LiveDiagram) and args:
        kind, box, port = args[0]
        path = owner.owner.path if kind == TO_OUTPUT else owner.boxes[box].path
        return "%s.%s%s" % (path, "onInput_" if kind == TO_INPUT else "", port.name)
    if isinstance(owner, LiveBox):
        return str(owner.path)
    return owner.id if isinstance(owner, PlayedBehaviour) else name_callback(owner)


# Behaviours of installed packages.

_SETTLING_S = 0.5  # virtual seconds from the end of the last behaviour to the check of the things that it left open
_MAX_LEAKS = 1000  # leaks that are stored for reports


class AmbiguousName(Exception):
    """Several behaviours have this name."""


class InstalledBehaviour(Behaviour):
    """A behaviour of an installed package; at its end it calls `on_end(behaviour)`, then sets the event `done`."""

    def __init__(self, world, package, place, on_end):
        # type: (World, packages.Package, packages.Place, Callable[[InstalledBehaviour], None]) -> None
        project = xar.parse(place.file)
        # The behaviour loaded by the driver decides whether scripts are rewritten; without one, Python 3 rewrites them.
        rewrite = not PY2 if world.rewrites is None else world.rewrites
        folder, identifier = native(os.path.dirname(place.file)), "%s/%s" % (package.uuid, place.name)
        location = (folder, native(package.uuid), native(place.name), identifier)
        Behaviour.__init__(self, world, project, rewrite, location=location)
        note_findings(world, project)
        self.done = SimEvent(world.clock)
        self._on_end = on_end
        self._since = world.clock.now()

    @property
    def failures(self):  # type: () -> list[str]
        """List the failures on the robot since the behaviour was made, one sentence each."""
        return list_failures([event for event in self.world.trace.errors if event.time >= self._since])

    def finish(self):  # type: () -> None
        """Unload everything, call `on_end` and set `done`; must run as a task."""
        if self.is_loaded:
            Behaviour.finish(self)
            self._on_end(self)
            self.done.set()


def map_behaviours(world):  # type: (World) -> dict[str, tuple[packages.Package, packages.Place]]
    """Map the ids of installed behaviours, such as "uuid/folder", to their packages and places."""
    rows = [(uuid, package, place) for uuid, package in world.packages.items() for place in package.behaviours]
    return {packages.name_behaviour(uuid, place.name): (package, place) for uuid, package, place in rows}


def resolve_name(world, name):  # type: (World, str) -> str
    """Return the id of the behaviour with this name, "" if none exists; raises AmbiguousName if there are several.

    A name is an id, the folder of a behaviour in its package, or the uuid of a package that has one behaviour or one in
    its top folder.
    """
    known = map_behaviours(world)
    name = name.strip("/")
    uploaded = packages.UPLOADED_PACKAGE
    if name.startswith(uploaded + "/") and world.last_uploaded and uploaded not in world.packages:
        name = world.last_uploaded + name[len(uploaded) :]
    name = name[:-2] if name.endswith("/.") else name
    if name in known:
        return name
    if name in world.packages:
        own = [each for each in known if each.startswith(name + "/")]
    else:
        own = [each for each, (_, place) in known.items() if place.name == name]
    if len(own) > 1:
        raise AmbiguousName("%s is the name of several behaviors: %s" % (name, ", ".join(sorted(own)[:10])))
    return own[0] if own else ""


class EndWatch(object):
    """The check of the things that behaviours leave open, after the last of them has ended."""

    def __init__(self, world, is_busy):  # type: (World, Callable[[], bool]) -> None
        self.noted = []  # type: list[str]
        self._world = world
        self._is_busy = is_busy
        self._before = set()  # type: set[str]
        self._ended = []  # type: list[str]
        self._due = None  # type: Any

    def begin(self):  # type: () -> None
        """Note the things already open before a behaviour starts."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        elif not self._is_busy():
            self._before = set(list_left_open(self._world))

    def end(self, behaviour):  # type: (InstalledBehaviour) -> None
        """Check the boxes of a behaviour that has ended; schedule the other checks if no behaviour runs."""
        self._note(behaviour.id, behaviour.leaks())
        self._ended.append(behaviour.id)
        if not self._is_busy():
            self._due = self._world.clock.call_later(_SETTLING_S, self._judge)

    def _judge(self):  # type: () -> None
        self._due = None
        ended, self._ended = self._ended, []
        left = [leak for leak in list_left_open(self._world) if leak not in self._before]
        self._note(" or ".join(sorted(set(ended))), left)

    def _note(self, who, leaks):  # type: (str, list[str]) -> None
        for leak in leaks:
            self._world.trace.note("leak", behaviour=who, text=leak)
            if len(self.noted) < _MAX_LEAKS:
                self.noted.append("%s: %s" % (who, leak))
