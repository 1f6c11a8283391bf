"""What behaviours may change in the interpreter: sys.path and sys.modules. Knows nothing of robots.

A robot has an interpreter of its own, but runs in that of the program around it. So what its behaviours change holds
while its clock runs, and not in between: a script that puts other modules of the same names in place, as every project
with a `lib` does, leaves the program its own.
"""

from __future__ import absolute_import, division, print_function

import os
import sys

from naosim.compat import allocate_lock, quoted

MYPY = False
if MYPY:
    from typing import Any


class _Turn(object):
    """The robots whose clocks run: the first to start is the `owner`, the others share its interpreter until all end.

    `path` and `modules` are those of the program around them.
    """

    def __init__(self):  # type: () -> None
        self.lock = allocate_lock()
        self.running = 0
        self.owner = None  # type: Interpreter | None
        self.path = []  # type: list[str]
        self.modules = {}  # type: dict[str, Any]


TURN = _Turn()


class Interpreter(object):
    """The sys.path and sys.modules as a robot's behaviours see them, entered while its clock runs.

    `folders` holds the folders of the behaviours, by behaviour id.
    """

    def __init__(self, folders):  # type: (dict[str, str]) -> None
        self._folders = folders
        self.forget()

    def forget(self):  # type: () -> None
        """Drop what behaviours have changed."""
        self._front = []  # type: list[str]
        self._back = []  # type: list[str]
        #: The top-level packages that are the robot's own, and all their modules.
        self._packages = set()  # type: set[str]
        self._modules = {}  # type: dict[str, Any]

    def owns(self, path):  # type: (str) -> bool
        """Tell whether a file lies beside the behaviours, or in a folder that they have put on sys.path."""
        return _is_below(os.path.abspath(path), self._roots(_added(TURN.path)))

    def leaks(self):  # type: () -> list[str]
        """List the entries of sys.path that behaviours left behind, one sentence each."""
        with TURN.lock:
            left = self._front + self._back if TURN.owner is None else _added(TURN.path)
        return ["sys.path still holds %s." % quoted(entry) for entry in left]

    def __enter__(self):  # type: () -> Interpreter
        with TURN.lock:
            TURN.running += 1
            if TURN.running == 1:
                TURN.owner, TURN.path, TURN.modules = self, list(sys.path), dict(sys.modules)
                self._put_in_place()
        return self

    def __exit__(self, *_error):  # type: (*Any) -> None
        with TURN.lock:
            TURN.running -= 1
            if TURN.running == 0 and TURN.owner is not None:
                TURN.owner._take_away()
                TURN.owner, TURN.path, TURN.modules = None, [], {}

    def _roots(self, added):  # type: (list[str]) -> list[str]
        """List the folders whose modules are the behaviours' own."""
        return [os.path.dirname(folder) for folder in self._folders.values()] + added

    def _put_in_place(self):  # type: () -> None
        if self._front or self._back:
            sys.path[:] = self._front + sys.path + self._back
        for name in [name for name in sys.modules if _package(name) in self._packages] if self._packages else ():
            del sys.modules[name]
        sys.modules.update(self._modules)

    def _take_away(self):  # type: () -> None
        """Note what the behaviours have changed, and restore what the program around them had."""
        added = _added(TURN.path)
        self.forget()
        # Compared in one go, for this is nearly always so, and robots are run very often.
        if sys.modules != TURN.modules:
            self._packages = _own_packages(self._roots(added))
            self._modules = {
                name: module for name, module in list(sys.modules.items()) if _package(name) in self._packages
            }
            for name in self._modules:
                del sys.modules[name]
            sys.modules.update(
                (name, module) for name, module in TURN.modules.items() if _package(name) in self._packages
            )
        if sys.path != TURN.path:
            first = min([sys.path.index(entry) for entry in TURN.path if entry in sys.path] or [0])
            self._front, self._back = sys.path[:first], [entry for entry in sys.path[first:] if entry in added]
            sys.path[:] = TURN.path


def _added(path):  # type: (list[str]) -> list[str]
    return [entry for entry in sys.path if entry not in path]


def _own_packages(roots):  # type: (list[str]) -> set[str]
    """Name the top-level packages of which a module was replaced or removed, or that came from below these folders."""
    found = {_package(name) for name, module in TURN.modules.items() if sys.modules.get(name, TURN) is not module}
    return found | {
        _package(name)
        for name, module in list(sys.modules.items())
        if name not in TURN.modules and _lies_in(module, roots)
    }


def _package(name):  # type: (str) -> str
    return name.partition(".")[0]


def _lies_in(module, roots):  # type: (Any, list[str]) -> bool
    place = getattr(module, "__file__", None)
    if not place:
        return False
    return _is_below(os.path.abspath(place), roots)


def _is_below(place, roots):  # type: (str, list[str]) -> bool
    return any(place.startswith(os.path.join(root, "")) for root in roots)
