"""Every strategy by its name."""

from __future__ import absolute_import, division, print_function, unicode_literals

from .belief import Belief
from .errors import JottoError
from .strategies import Consistent, Entropy, Walk
from .versions import quoted, text_type

MYPY = False
if MYPY:
    from typing import Any, Dict

    from .strategies import Strategy

STRATEGIES = {kind.name: kind for kind in (Belief, Consistent, Entropy, Walk)}  # type: Dict[str, Any]


class UnknownStrategy(JottoError):
    """A strategy that does not exist."""


def named(name):  # type: (str) -> Strategy
    """Find a strategy by its name; a walk has no tree yet. Raises `UnknownStrategy`."""
    if not isinstance(name, (text_type, bytes)) or name not in STRATEGIES:
        raise UnknownStrategy(
            "There is no strategy %s; choose one of: %s." % (quoted(name), ", ".join(sorted(STRATEGIES)))
        )
    strategy = STRATEGIES[name]()  # type: Strategy
    return strategy
