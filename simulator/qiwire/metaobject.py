"""The members of an object: `MetaObject`, the types and decorators of libqi's module, and the choice of methods."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from .limits import BadValue
from .values import encode_value, get_dynamic_signature, split_tuple

_METHOD = (
    "(Issss[(ss)<MetaMethodParameter,name,description>]s)"
    "<MetaMethod,uid,returnSignature,name,parametersSignature,description,parameters,returnDescription>"
)
#: The signature of a meta-object.
META_OBJECT_SIGNATURE = (
    f"({{I{_METHOD}}}{{I(Iss)<MetaSignal,uid,name,signature>}}{{I(Iss)<MetaProperty,uid,name,signature>}}s)"
    "<MetaObject,methods,signals,properties,description>"
)
_SUM = "(fff)<MinMaxSum,minValue,maxValue,cumulatedValue>"
_TRACE = (
    "((IiIm(ll)<timeval,tv_sec,tv_usec>llII)"
    "<EventTrace,id,kind,slotId,arguments,timestamp,userUsTime,systemUsTime,callerContext,calleeContext>)"
)
#: The arguments of a method that takes any.
ANY_ARGUMENTS = "m"


class MetaMethod(NamedTuple):
    """A method: its name, its arguments' signature in parentheses (`m` for any), and its result's signature."""

    name: str
    parameters: str
    returns: str = "m"
    description: str = ""


#: The methods that libqi lists for every object, by number.
_COMMON_METHODS = {
    0: MetaMethod("registerEvent", "(IIL)", "L"),
    1: MetaMethod("unregisterEvent", "(IIL)", "v"),
    2: MetaMethod("metaObject", "(I)", META_OBJECT_SIGNATURE),
    3: MetaMethod("terminate", "(I)", "v"),
    5: MetaMethod("property", "(m)", "m"),
    6: MetaMethod("setProperty", "(mm)", "v"),
    7: MetaMethod("properties", "()", "[s]"),
    8: MetaMethod("registerEventWithSignature", "(IILs)", "L"),
    80: MetaMethod("isStatsEnabled", "()", "b"),
    81: MetaMethod("enableStats", "(b)", "v"),
    82: MetaMethod("stats", "()", f"{{I(I{_SUM}{_SUM}{_SUM})<MethodStatistics,count,wall,user,system>}}"),
    83: MetaMethod("clearStats", "()", "v"),
    84: MetaMethod("isTraceEnabled", "()", "b"),
    85: MetaMethod("enableTrace", "(b)", "v"),
}
_COMMON_SIGNALS = {86: ("traceObject", _TRACE)}


class MetaObject:
    """The methods, signals and properties of an object, by number; a property has a signal with the same number."""

    def __init__(
        self,
        methods: dict[int, MetaMethod],
        signals: dict[int, tuple[str, str]] | None = None,
        properties: dict[int, tuple[str, str]] | None = None,
        description: str = "",
    ) -> None:
        self.methods, self.signals, self.properties = methods, signals or {}, properties or {}
        self.description = description
        self.signal_numbers = {name: number for number, (name, _) in self.signals.items()}
        self.property_numbers = {name: number for number, (name, _) in self.properties.items()}
        self._overloads: dict[str, list[int]] = {}
        for number, method in methods.items():
            self._overloads.setdefault(method.name, []).append(number)

    @classmethod
    def from_value(cls, value: Any) -> MetaObject:
        """Make a meta-object of a value from libqi; raises BadValue for other values."""
        try:
            return cls(
                {
                    number: MetaMethod(*_read_texts(row, _METHOD_FIELDS))
                    for number, row in _list_members(value["methods"])
                },
                {number: _read_texts(row, _SIGNAL_FIELDS) for number, row in _list_members(value["signals"])},
                {number: _read_texts(row, _SIGNAL_FIELDS) for number, row in _list_members(value["properties"])},
                *_read_texts(value, ("description",)),
            )
        except (TypeError, KeyError, AttributeError):
            raise BadValue("not a meta-object") from None

    def to_value(self) -> dict[str, Any]:
        """Return it as a dict, as libqi's module shows it."""
        return {
            "methods": {
                number: {
                    "uid": number,
                    "returnSignature": method.returns,
                    "name": method.name,
                    "parametersSignature": method.parameters,
                    "description": method.description,
                    "parameters": [],
                    "returnDescription": "",
                }
                for number, method in self.methods.items()
            },
            "signals": _rows(self.signals),
            "properties": _rows(self.properties),
            "description": self.description,
        }

    def with_common(self) -> MetaObject:
        """Return it with the methods and the signal that every object has."""
        return MetaObject(
            {**_COMMON_METHODS, **self.methods}, {**_COMMON_SIGNALS, **self.signals}, self.properties, self.description
        )

    @cached_property
    def encoded(self) -> bytes:
        """Return it as it is sent."""
        return encode_value(META_OBJECT_SIGNATURE, self.to_value())

    def names(self) -> set[str]:
        """Return the names of the methods."""
        return set(self._overloads)

    def choose(self, name: str, args: Sequence[Any]) -> int:
        """Return the number of the method that fits best; raises RuntimeError with libqi's words."""
        given = "".join(get_dynamic_signature(each) for each in args)
        numbers = self._overloads.get(name)
        if numbers is None:
            raise RuntimeError(f"Can't find method: {name} (resolved to '({given})')")
        fitting = []
        for number in numbers:
            signature = self.methods[number].parameters
            if signature == ANY_ARGUMENTS:
                fitting.append((0.5, number))
                continue
            wanted = split_tuple(signature)
            if len(wanted) == len(args):
                fitting.append((sum(_fit(each, value) for each, value in zip(wanted, args, strict=True)), number))
        if not fitting:
            candidates = "".join(f"\n  {name}::{self.methods[number].parameters} (1)" for number in numbers)
            raise RuntimeError(
                f"Arguments types did not match for {name} (resolved to '({given})'):\n  Candidate:{candidates}\n"
            )
        return max(fitting, key=lambda each: (each[0], -each[1]))[1]


_METHOD_FIELDS = ("name", "parametersSignature", "returnSignature", "description")
_SIGNAL_FIELDS = ("name", "signature")


def _list_members(rows: dict[int, Any]) -> Iterable[tuple[int, Any]]:
    """Return the members of an object with their numbers; raises BadValue."""
    if not all(isinstance(number, int) for number in rows):
        raise BadValue("a member without a number")
    return rows.items()


def _read_texts(row: dict[str, Any], fields: tuple[str, ...]) -> Any:
    """Return the texts of a member; raises BadValue for other values."""
    found = tuple(row[field] for field in fields)
    if not all(isinstance(each, str) for each in found):
        raise BadValue("a member whose name or signature is not a text")
    return found


def _rows(named: dict[int, tuple[str, str]]) -> dict[int, dict[str, Any]]:
    return {
        number: {"uid": number, "name": name, "signature": signature} for number, (name, signature) in named.items()
    }


def _fit(signature: str, value: Any) -> float:
    """Return the fit of a value to a signature: 1 as it is, less if it must be converted, 0 if it does not fit."""
    kind = get_dynamic_signature(value)
    if signature[:1] in "m+":
        return 0.8
    groups: tuple[tuple[str, str], ...] = (("b", "b"), ("l", "cCwWiIlL"), ("d", "fd"), ("s", "s"), ("r", "r"))
    for own, exact in groups:
        if kind == own and signature in exact:
            return 1.0
    if kind in "lbd" and signature in "bcCwWiIlLfd":
        return 0.6
    if kind in "sr" and signature in "sr":
        return 0.4
    pairs = {"[": "[(", "{": "{(", "(": "(["}
    return 0.9 if signature[:1] in pairs.get(kind[:1], kind) else 0.0


# The types of libqi's module, each with its signature.


class _Type:
    signature = ""

    def __init__(self, *_inner: Any) -> None:
        """Make a type; a list, a map, a tuple and an optional value have their own."""


def _plain_type(name: str, signature: str) -> type[_Type]:
    return type(name, (_Type,), {"signature": signature, "__module__": "qiwire"})


Void, Bool, String, Dynamic, Object, Buffer = (
    _plain_type(name, signature)
    for name, signature in (
        ("Void", "v"),
        ("Bool", "b"),
        ("String", "s"),
        ("Dynamic", "m"),
        ("Object", "o"),
        ("Buffer", "r"),
    )
)
Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64 = (
    _plain_type(f"{'' if kind.islower() else 'U'}Int{bits}", kind)
    for bits, kinds in ((8, "cC"), (16, "wW"), (32, "iI"), (64, "lL"))
    for kind in kinds
)
Float, Double = _plain_type("Float", "f"), _plain_type("Double", "d")


class AnyArguments(_Type):
    """Any number of arguments of any type."""

    signature = ANY_ARGUMENTS


class List(_Type):
    """A list whose items have the same type."""

    def __init__(self, elementType: Any) -> None:
        self.signature = f"[{read_type(elementType)}]"


class Map(_Type):
    """A map."""

    def __init__(self, keyType: Any, elementType: Any) -> None:
        self.signature = f"{{{read_type(keyType)}{read_type(elementType)}}}"


class Struct(_Type):
    """A tuple with a type for each field."""

    def __init__(self, fields: Iterable[Any]) -> None:
        self.signature = f"({''.join(read_type(each) for each in fields)})"


class Optional(_Type):
    """A value that can be None."""

    def __init__(self, valueType: Any) -> None:
        self.signature = f"+{read_type(valueType)}"


_PYTHON_TYPES = {str: "s", int: "i", bool: "b", float: "f", None: "v", list: "[m]", dict: "{mm}", object: "m"}


def read_type(kind: Any) -> str:
    """Return the signature of a type of this module or of Python; a string is a signature already."""
    if isinstance(kind, str):
        return kind
    signature = getattr(kind, "signature", None) or _PYTHON_TYPES.get(kind)
    if signature is None:
        raise TypeError(f"{kind!r} is not a type of libqi")
    return str(signature)


# Decorators.

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])
_Kind = TypeVar("_Kind", bound=type)


class bind:
    """Give a method the types of its result and its parameters, and another name."""

    def __init__(self, returnType: Any = None, paramsType: Any = None, methodName: str | None = None) -> None:
        self._returns = None if returnType is None else read_type(returnType)
        self._parameters = None
        if isinstance(paramsType, list | tuple):
            self._parameters = f"({''.join(read_type(each) for each in paramsType)})"
        elif paramsType is not None:
            self._parameters = read_type(paramsType)
        self._name = methodName

    def __call__(self, function: _Decorated) -> _Decorated:
        function.__dict__.update(
            __qi_name__=self._name, __qi_signature__=self._parameters, __qi_return_signature__=self._returns
        )
        return function


def nobind(function: _Decorated) -> _Decorated:
    """Hide a method from clients."""
    function.__dict__["__qi_signature__"] = "DONOTBIND"
    return function


def multiThreaded() -> Callable[[_Kind], _Kind]:
    """Let calls of an object's methods run at the same time."""
    return _mark_threading("multi")


def singleThreaded() -> Callable[[_Kind], _Kind]:
    """Let calls of an object's methods run one after the other, as they do without a decorator."""
    return _mark_threading("single")


def _mark_threading(how: str) -> Callable[[_Kind], _Kind]:
    def mark(kind: _Kind) -> _Kind:
        kind.__qi_threading__ = how  # type: ignore[attr-defined]
        return kind

    return mark


def describe_method(name: str, function: Any) -> MetaMethod | None:
    """Return the libqi method of a bound Python method, None for a hidden one."""
    given = getattr(function, "__qi_signature__", None)
    if given == "DONOTBIND":
        return None
    if given is None:
        try:
            parameters = inspect.signature(function).parameters.values()
        except (ValueError, TypeError):
            return None
        given = "(" + "m" * len(parameters) + ")"
        if any(each.kind is each.VAR_POSITIONAL for each in parameters):
            given = ANY_ARGUMENTS
    return MetaMethod(
        getattr(function, "__qi_name__", None) or name,
        given,
        getattr(function, "__qi_return_signature__", None) or "m",
        inspect.getdoc(function) or "",
    )
