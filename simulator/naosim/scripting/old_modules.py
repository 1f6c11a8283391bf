"""Modules beside a behaviour that are written for Python 2: rewritten when they are imported, as box scripts are."""

from __future__ import absolute_import, division, print_function

import os
import re

from naosim.compat import PY2, SourceLoader, decoded_source, import_machinery
from naosim.errors import ScriptRefused
from naosim.kernel.clock import here
from naosim.scripting.compiler import compiled
from naosim.scripting.old_names import OLD_NAMES

MYPY = False
if MYPY:
    from typing import Any

_IMPORT = re.compile(
    r"^([ \t]*)import[ \t]+(\w+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*\w+(?:[ \t]+as[ \t]+\w+)?)*)"
    r"(?=[ \t]*(?:[;#\r\n]|$))",
    re.M,
)
_FROM = re.compile(r"^([ \t]*from[ \t]+)(\w+)(?=[ \t]+import\b)", re.M)
#: With this a module of Python 2 has imports as Python 3.
_ABSOLUTE = re.compile(r"^from[ \t]+__future__[ \t]+import\b.*\babsolute_import\b", re.M)


class OldModules(object):
    """A finder for `sys.meta_path`: it finds what a rewritten behaviour imports from its own folders."""

    @staticmethod
    def find_spec(name, path=None, target=None):  # type: (str, Any, Any) -> Any
        """Find a module of the running behaviour, whose loader rewrites it; None for all others."""
        clock = here()
        world = clock.host if clock is not None else None
        if world is None or not world.rewrites:
            return None
        found = import_machinery.PathFinder.find_spec(name, path, target)
        loader = found.loader if found is not None else None  # type: Any
        if type(loader) is not SourceLoader or not world.interpreter.owns(loader.path):
            return None
        found.loader = Rewriting(loader.name, loader.path)
        return found


class Rewriting(SourceLoader):  # type: ignore[misc]
    """A loader that compiles a module as Python 3 once it is rewritten, and gives it Python 2's built-in functions."""

    def get_code(self, fullname):  # type: (str) -> Any
        """Compile the module; raises SyntaxError when it is no Python 3 even then."""
        source = decoded_source(self.get_data(self.path))
        in_package = "." in fullname or self.is_package(fullname)
        try:
            return compiled(related(source, self.path) if in_package else source, self.path, rewrite=True)
        except ScriptRefused:
            return compile(source, self.path, "exec")

    def exec_module(self, module):  # type: (Any) -> None
        """Run the module."""
        vars(module).update(OLD_NAMES)
        SourceLoader.exec_module(self, module)


#: None on Python 2.7, where nothing is rewritten.
FINDER = None if PY2 else OldModules()


def related(source, path):  # type: (str, str) -> str
    """Rewrite the imports of modules beside this one in its package, which Python 2 finds without a dot."""
    folder = os.path.dirname(path)
    beside = {
        os.path.splitext(name)[0]
        for name in os.listdir(folder)
        if name.endswith(".py") or os.path.isfile(os.path.join(folder, name, "__init__.py"))
    }
    if _ABSOLUTE.search(source):
        return source

    def dotted(found):  # type: (Any) -> str
        parts = [part.strip() for part in found.group(2).split(",")]
        return str(found.group(1)) + "; ".join(
            ("from . import " if part.split()[0] in beside else "import ") + part for part in parts
        )

    def one(found):  # type: (Any) -> str
        return "%s%s%s" % (found.group(1), "." * (found.group(2) in beside), found.group(2))

    return _FROM.sub(one, _IMPORT.sub(dotted, source))
