"""`python -m naosim_robots.serving.write_types`: writes the types of NAOqi's services for type checkers and editors.

They are stubs, which nothing imports at run time, with a class for each service of the table of signatures. The
parameters have the names of the simulated service's.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import naosim
from naosim.robot import Robot
from naosim.services import SERVICES
from naosim.services.base import COMMON_METHODS, split_signature

from .signatures import VOID, Method, methods, signals, table

if TYPE_CHECKING:
    from naosim.world import RobotService

#: The stubs, next to the simulator's packages.
STUBS = Path(naosim.__file__).parent.parent / "naoqi_services-stubs" / "__init__.pyi"

_HEADER = '''"""Types of NAOqi's services for `qi`, `qiwire` and `naoqi`.

`python -m naosim_robots.serving.write_types` writes them. A method returns a future if `_async` is True, but ALProxy
ignores named arguments.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeAlias, overload

from naoqi import ALBroker, ALProxy
from qi import Future, Signal
from typing_extensions import Self, TypeVar

#: A value between robot and script: None, bool, int, float, str, bytes, or a list or dict of these.
ALValue: TypeAlias = Any
#: The class of futures, `qi.Future` or `qiwire.Future`.
F = TypeVar("F", default=Future)

class Service(Generic[F]):
    """The methods of every object of libqi and of every module of NAOqi."""

    def call(self, method: str, /, *arguments: ALValue, _async: bool = False) -> ALValue: ...
    def metaObject(self) -> dict[str, Any]: ...
    def isValid(self) -> bool: ...
    def pCall(self, method: str, /, *arguments: ALValue) -> int: ...
    def wait(self, number: int, timeout: int = 0) -> bool: ...
    def isRunning(self, number: int, /) -> bool: ...
    def stop(self, number: int, /) -> None: ...
{common}

class _Proxy(ALProxy, Service):
    __getattr__: None  # type: ignore[assignment, misc]  # an unknown method is an error
    def call(self, method: str, /, *args: ALValue) -> ALValue: ...  # type: ignore[override]
'''
_BY_NAME = '''
class ServiceFinder(Generic[F]):
    """A session; it knows the types of NAOqi's services by name."""

{finds}
    @overload
    def service(self, name: str, *, _async: Literal[False] = False) -> Any: ...
    @overload
    def service(self, name: str, *, _async: bool) -> F: ...

class ProxyFinder:
    """The base class of ALProxy; it knows the types of NAOqi's services by name."""

{makes}
    @overload
    def __new__(cls, name: str | ALBroker, *where: str | int | ALBroker) -> Self: ...
'''
_FIND = """    @overload
    def service(self, name: Literal["{0}"], *, _async: Literal[False] = False) -> {0}[F]: ..."""
_MAKE = """    @overload
    def __new__(cls, name: Literal["{0}"], *where: str | int | ALBroker) -> _{0}: ..."""
_FUTURE = "    @overload\n    def {}(self, *arguments: ALValue, _async: bool) -> F: ..."
_PLAIN = {"b": "bool", "s": "str", "f": "float", "r": "bytes", **dict.fromkeys("iIlL", "int")}
#: Signatures of which each takes all values of those before it.
_BREADTH = "bifm"
#: The methods of every module, without the methods for a task, which the header has.
_COMMON = COMMON_METHODS - {"pCall", "wait", "isRunning", "stop"}
#: The methods of every module for a task, if a service has others of these names; ALProxy's methods hide both.
_TASK_METHODS = {"isRunning": [Method("isRunning", ("i",), "b")], "stop": [Method("stop", ("i",), VOID)]}


def types_text() -> str:
    """Return the stubs as text."""
    names = [name for name in sorted(SERVICES) if not name.startswith("_")]
    with Robot() as robot:
        parts = [_HEADER.format(common="\n".join(_method_lines(robot.services["DCM"], _COMMON)))]
        for name in names:
            own = {method.name for method in table()[name].methods}
            service = SERVICES[name](robot.world)  # each version of NAOqi lacks some
            parts.append(f"class {name}(Service[F]):")
            parts += [f"    {signal}: Signal" for signal in signals(name)]
            parts += _method_lines(service, own) or ["    ..."] * (not signals(name))
            hides = own & {*_TASK_METHODS}
            parts.append(f"class _{name}(_Proxy, {name}): ...{'  # type: ignore[misc]' * bool(hides)}\n")
    by_name = {key: "\n".join(map(row.format, names)) for key, row in (("finds", _FIND), ("makes", _MAKE))}
    return "\n".join(parts) + _BY_NAME.format(**by_name)


def _method_lines(service: RobotService, chosen: AbstractSet[str]) -> list[str]:
    """Return the chosen methods of a service, each overload and the form that returns a future."""
    lines = []
    for method, rows in groupby(methods(service.name), lambda row: row.name):
        if method in chosen:
            code = getattr(service, method).__code__
            # The narrower of two forms comes first, because type checkers take the first that fits.
            ordered = sorted(
                [*rows, *_TASK_METHODS.get(method, ())],
                key=lambda row: [_BREADTH.find(kind) for kind in row.parameters],
            )
            forms = [_form(row, code.co_varnames[1 : code.co_argcount]) for row in ordered]
            lines += [f"    @overload\n{form}" for form in dict.fromkeys(forms)] + [_FUTURE.format(method)]
    return lines


def _form(row: Method, names: tuple[str, ...]) -> str:
    known = [*names, *(f"a{number}" for number in range(len(names) + 1, len(row.parameters) + 1))]
    listed = [f"{name}: {_argument_type(kind)}" for name, kind in zip(known, row.parameters, strict=False)]
    returns = "None" if row.returns == VOID else _result_type(row.returns)
    return f"    def {row.name}({', '.join(['self', *listed, '/'])}) -> {returns}: ..."


def _argument_type(signature: str) -> str:
    """Return the type of an argument, as general as a robot takes it: tuples for lists, 0 and 1 for flags.

    >>> _argument_type("[s]"), _argument_type("b"), _argument_type("{s[f]}")
    ('Sequence[str]', 'bool | int', 'Mapping[str, Sequence[float]]')
    """
    text = _result_type(signature).replace("list[", "Sequence[").replace("dict[", "Mapping[")
    return text.replace("bool", "bool | int")


def _result_type(signature: str) -> str:
    """Return the type of a result.

    >>> _result_type("{s[f]}"), _result_type("m")
    ('dict[str, list[float]]', 'ALValue')
    """
    if signature[0] in "[{":
        kinds = ", ".join(_result_type(kind) for kind in split_signature(signature))
        return f"{'list' if signature[0] == '[' else 'dict'}[{kinds}]"
    return _PLAIN.get(signature, "ALValue")


if __name__ == "__main__":
    STUBS.write_text(types_text(), encoding="utf-8")
