"""The methods and signals of the simulated services as libqi names them: a table with one row per overload.

The table has the methods of every module (ALModule) once.

`signatures.tsv` is written by `python -m naosim_robots.serving.write_signatures` and read once. Its signatures are
libqi's: `s` is a string, `i` an integer, `f` a float, `b` a boolean, `v` nothing, `[s]` a list of strings, and `m` a
value of any type (NAOqi's ALValue).
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

DYNAMIC, VOID, OBJECT = "m", "v", "o"
#: The signature of a signal with one value of any type.
ANYTHING = f"({DYNAMIC})"

TABLE = files(__package__) / "signatures.tsv"
SERVICE, METHOD, SIGNAL = "service", "method", "signal"
#: The service in the table that stands for the methods of every module.
MODULE = "ALModule"
#: The methods that return an object over libqi; type comments and `signatures.tsv` have no word for that.
_RETURNING_OBJECTS = frozenset((("ALMemory", "subscriber"), ("ALExpressionWatcher", "add")))


class Method(NamedTuple):
    """One overload of a method: its name, one signature per parameter, and the signature of its result."""

    name: str
    parameters: tuple[str, ...]
    returns: str

    @property
    def signature(self) -> str:
        """Return the parameters as libqi's metaObject shows them.

        >>> Method("say", ("s", "s"), "v").signature
        '(ss)'
        """
        return f"({''.join(self.parameters)})"


class _Signatures(NamedTuple):
    """The members of one service for programs."""

    methods: tuple[Method, ...]
    signals: dict[str, str]


@cache
def table() -> dict[str, _Signatures]:
    """Load the signatures of every service, by name."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    found: dict[str, _Signatures] = {}
    for service, kind, name, parameters, returns in rows:
        known = found.setdefault(service, _Signatures((), {}))
        if kind == METHOD:
            is_object = (service, name) in _RETURNING_OBJECTS
            row = Method(name, tuple(parameters.split()), OBJECT if is_object else returns)
            found[service] = known._replace(methods=(*known.methods, row))
        elif kind == SIGNAL:
            known.signals[name] = f"({parameters.replace(' ', '')})"
    return found


def methods(service: str) -> tuple[Method, ...]:
    """Return the methods that a service offers to programs: those of every module, then its own by name and overload.

    A service that is not a module lacks those of every module (`naosim.services.list_lacking`).
    """
    own = table()[service].methods
    names = {row.name for row in own}
    return (*(row for row in table()[MODULE].methods if row.name not in names), *own)


def signals(service: str) -> dict[str, str]:
    """Return the signatures of a service's own signals, by name."""
    return table()[service].signals if service in table() else {}


def select_lacking(service: str, lacking: Iterable[str]) -> set[str]:
    """Return the names of the methods that a service lacks, from the methods ("service.method") that a robot lacks."""
    return {name for owner, _, name in (each.partition(".") for each in lacking) if owner == service}
