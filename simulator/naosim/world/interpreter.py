"""What behaviours may change in the interpreter: sys.path and sys.modules. Knows nothing of robots."""
from __future__ import absolute_import, division, print_function

import os
import sys

from naosim.compat import quoted

MYPY = False
if MYPY:
    from typing import Any


class Interpreter(object):
    """The sys.path and sys.modules before a robot's behaviours ran, to be restored after them."""

    def __init__(self):
        # type: () -> None
        self._path = list(sys.path)
        self._modules = dict(sys.modules)

    def leaks(self):
        # type: () -> list[str]
        """List the entries of sys.path that behaviours left behind, one sentence each."""
        return ["sys.path still holds %s." % quoted(entry) for entry in sys.path if entry not in self._path]

    def restore(self, folders):
        # type: (list[str]) -> None
        """Restore sys.path and replaced modules, and drop the modules that came with behaviours in these folders."""
        roots = [os.path.dirname(folder) for folder in folders]
        roots += [entry for entry in sys.path if entry not in self._path]
        sys.path[:] = self._path
        for name, module in list(sys.modules.items()):
            if name not in self._modules and _lies_in(module, roots):
                del sys.modules[name]
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module


def _lies_in(module, roots):
    # type: (Any, list[str]) -> bool
    place = getattr(module, "__file__", None)
    if not place:
        return False
    place = os.path.abspath(place)
    return any(place.startswith(os.path.join(root, "")) for root in roots)
