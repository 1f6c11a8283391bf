"""Services that scripts offer: any Python object under a service's name."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any, Callable


class PythonService(object):
    """A service whose methods are those of a script's object."""

    def __init__(self, name, made):  # type: (str, Any) -> None
        self.name = name
        self._made = made

    def remote(self, method):  # type: (str) -> Callable[..., Any]
        """Return the method of this name; raises the robot's RuntimeError when there is none or it is private."""
        found = None if method.startswith("_") else getattr(self._made, method, None)
        if not callable(found):
            raise RuntimeError("\t%s::%s\n\tCan't find method: %s" % (self.name, method, method))
        return found  # type: ignore[no-any-return]

    def call(self, method, args):  # type: (str, tuple[Any, ...]) -> Any
        """Call a method with positional arguments and return its result; raises RuntimeError for an unknown one."""
        return self.remote(method)(*args)

    def getMethodList(self):  # type: () -> list[str]
        """List the public methods."""
        return sorted(name for name in dir(self._made) if name[0] != "_" and callable(getattr(self._made, name)))
