"""The fields of a request: each has one of some types, or the request is refused in a sentence."""

from __future__ import absolute_import, division, print_function

from naosim.compat import TEXTS, native, quoted
from naosim.errors import WireError

MYPY = False
if MYPY:
    from typing import Any


def field(request, key, kinds, default):  # type: (dict[str, Any], str, tuple[type, ...], Any) -> Any
    """Return a field of one of these types, the default when it is missing; raises WireError for another type."""
    value = request.get(key, default)
    if not isinstance(value, kinds):
        raise WireError("%s is %s" % (quoted(key), quoted(value)))
    return value


def text(request, key, default=None):  # type: (dict[str, Any], str, str | None) -> str
    """Return a field that is a text; raises WireError."""
    return native(field(request, key, TEXTS, default))
