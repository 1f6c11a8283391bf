"""The running behaviour: one project on one robot, loaded, started, and ended or stopped."""

from __future__ import absolute_import, division, print_function

import os

from naosim.compat import native, quoted
from naosim.errors import WrongUse
from naosim.formats import project as projects
from naosim.formats import xar
from naosim.formats.translations import Translations
from naosim.player.box import LiveBox
from naosim.player.compiled import compiled_root
from naosim.player.contracts import PlayedBehaviour
from naosim.player.dialog_box import AnsweredByHand
from naosim.player.resource_locks import Locks
from naosim.scripting import modules
from naosim.scripting.old_names import OLD_NAMES
from naosim.world.trace import failures

MYPY = False
if MYPY:
    from typing import Any, Iterable, Iterator

    from naosim.world.world import World

#: More parameters are not named in a sentence.
MOST_NAMED = 20
#: Behaviours whose files a robot keeps at hand for those who look at it.
MOST_PROJECTS = 16


class Behaviour(PlayedBehaviour):
    """One behaviour on one robot, which can be loaded, started, ended or stopped, and loaded again.

    `location` is folder, package, folder relative to the package, and id; otherwise they follow from the file's path.
    """

    def __init__(self, world, project, rewrite=False, parameters=None, dialogs=(), location=None):
        # type: (World, xar.Project, bool, dict[str, Any] | None, Iterable[str], tuple[str, str, str, str] | None) -> None
        self.world = world
        self.project = project
        self.dialogs = AnsweredByHand(dialogs)
        self.locks = Locks(world.clock)
        found = _location(project, world.folder)
        self.folder, self.package, self.relative, self.id = location or found
        self.times_stopped = 0
        self.is_loaded = self.ended = self.interrupted = False
        self.rewrite = rewrite
        self._translations = project.package[1] if project.package else None
        if self._translations is not None:
            self._translations.prepare(world.languages)
        self._plan = compiled_root(project, rewrite)
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
        return failures(self.world.trace.errors[self._errors_before :])

    def names(self):  # type: () -> dict[str, Any]
        """Return the names a script finds without import, in a new dict for every script."""
        if self._names is None:
            self._names = dict(modules.names(self.world), **(OLD_NAMES if self.rewrite else {}))
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
        if len(world.projects) > MOST_PROJECTS:
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
    more = ", ..." if len(known) > MOST_NAMED else ""
    there = "there are %s%s" % (", ".join(known[:MOST_NAMED]), more) if known else "this behaviour has no parameters"
    return "no box has a parameter %s: %s" % (quoted(name), there)


def _location(project, package_folder):  # type: (xar.Project, str | None) -> tuple[str, str, str, str]
    """Return the behaviour's folder, the package's id, that folder relative to the package, and the behaviour's id."""
    if project.path is None:
        return native(package_folder or os.getcwd()), "package", "behavior_1", "package/behavior_1"
    path = project.path if os.path.isdir(project.path) else os.path.dirname(project.path)
    folder = os.path.abspath(path)
    found = _package(project)
    if package_folder:
        root = os.path.abspath(package_folder)
    else:
        root = os.path.dirname(folder) if found is None else os.path.abspath(found.folder)
    relative = os.path.relpath(folder, root)
    package = (found.uuid if found is not None and not package_folder else os.path.basename(root)) or "package"
    return native(folder), native(package), native(relative), native("%s/%s" % (package, relative))


def _package(project):  # type: (xar.Project) -> projects.Package | None
    """Find the package around a behaviour, once per project however many robots run it; None without one."""
    if project.package is None:
        path = project.path or ""
        found = projects.around(os.path.join(path, projects.XAR) if os.path.isdir(path) else path)
        project.package = (found, Translations(found) if found is not None and found.translations else None)
    return project.package[0]  # type: ignore[no-any-return]
