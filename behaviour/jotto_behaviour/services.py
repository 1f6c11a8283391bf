"""NAO's services, found when first used; a missing one is a normal value."""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto.compat import as_native

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict


class Services(object):
    """Finds services through `proxy`, the `ALProxy` of the box, and remembers them; None for a missing one."""

    def __init__(self, proxy):  # type: (Callable[[str], Any]) -> None
        self._proxy = proxy
        self._found = {}  # type: Dict[str, Any]

    def find(self, name):  # type: (str) -> Any
        """Return the service, or None on a robot without it."""
        if name not in self._found:
            try:
                self._found[name] = self._proxy(as_native(name))
            except RuntimeError:
                self._found[name] = None
        return self._found[name]

    def lose(self, name):  # type: (str) -> None
        """Go on without a service that does not work."""
        self._found[name] = None

    def attempt(self, name, method, *arguments):  # type: (str, str, *Any) -> Any
        """Call a service that the game can do without; return None when it is missing or refuses."""
        service = self.find(name)
        if service is None:
            return None
        try:
            return getattr(service, method)(*arguments)
        except RuntimeError:
            return None
