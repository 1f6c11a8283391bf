"""The methods of the simulated services as libqi names them: type comments read as signatures, one row per overload.

`str` becomes `s`, `int` `i`, `float` `f`, `bool` `b`, `None` `v`, `List[str]` `[s]`; what NAOqi passes as an ALValue
(`Any`, nested lists, maps) becomes `m`.
"""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from naosim.services import SERVICES
from naosim.services.base import LOCAL, Service
from naosim.services.sensing.extractors import Extractor

DYNAMIC, VOID, OBJECT = "m", "v", "o"
#: The signature of a signal with one value of any type.
ANYTHING = f"({DYNAMIC})"
PLAIN = {"str": "s", "int": "i", "float": "f", "bool": "b", "None": VOID}


class Method(NamedTuple):
    """One overload of a method: its name, one signature per parameter, and what it returns."""

    name: str
    parameters: tuple[str, ...]
    returns: str

    @property
    def signature(self) -> str:
        """The parameters as libqi's metaObject shows them.

        >>> Method("say", ("s", "s"), "v").signature
        '(ss)'
        """
        return f"({''.join(self.parameters)})"


@cache
def methods(service: str) -> tuple[Method, ...]:
    """The methods that a service of the simulated robot offers to programs, by name and number of parameters."""
    kind = service_class(service)
    hidden = LOCAL | kind._hidden
    names = [name for name in dir(kind) if "_" not in name and name not in hidden]
    found = [(name, getattr(kind, name)) for name in names]
    return tuple(row for name, function in found if inspect.isfunction(function) for row in _overloads(name, function))


def signals(service: str) -> dict[str, str]:
    """The signals that a service has of its own, with their signatures: one dynamic value where none is declared."""
    declared: Any = service_class(service).signals
    return dict(declared) if isinstance(declared, dict) else dict.fromkeys(declared, ANYTHING)


def service_class(service: str) -> type[Service]:
    """The class behind a service; those that only count their subscribers share one."""
    made = SERVICES[service]
    return made if isinstance(made, type) else Extractor


def signature_of(node: ast.expr | None) -> str:
    """The signature of a type as it stands in a type comment.

    >>> [signature_of(ast.parse(text, mode="eval").body) for text in ("str", "List[float]", "List[List[str]]", "Any")]
    ['s', '[f]', 'm', 'm']
    """
    if isinstance(node, ast.Constant) and node.value is None:
        return VOID
    if isinstance(node, ast.Name):
        return PLAIN.get(node.id, DYNAMIC)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        inner = signature_of(node.slice)
        if node.value.id == "Optional":
            return inner
        if node.value.id in {"List", "Sequence"} and inner in PLAIN.values():
            return f"[{inner}]"
    return DYNAMIC


def _overloads(name: str, function: Any) -> Iterator[Method]:
    """One row per number of arguments, or what the method itself declares (`naosim.services.base.overloads`)."""
    code = function.__code__
    parameters, returns = _read(_comments(code.co_filename).get(code.co_firstlineno, ""))
    if hasattr(function, "overloads"):
        yield from (Method(name, tuple(declared.split()), returns) for declared in function.overloads)
        return
    most = code.co_argcount - 1
    parameters = (parameters + [DYNAMIC] * most)[:most]
    for count in range(most - len(function.__defaults__ or ()), most + 1):
        yield Method(name, tuple(parameters[:count]), returns)


def _read(comment: str) -> tuple[list[str], str]:
    if not comment:
        return [], DYNAMIC
    kind = ast.parse(comment, mode="func_type")
    returns = signature_of(kind.returns)
    if isinstance(kind.returns, ast.Subscript) and getattr(kind.returns.value, "id", "") == "Optional":
        returns = DYNAMIC
    return [signature_of(each) for each in kind.argtypes], returns


@cache
def _comments(path: str) -> dict[int, str]:
    """The type comments of a source file's functions, by the line of the function."""
    try:
        tree = ast.parse(Path(path).read_text(encoding="utf-8"), type_comments=True)
    except OSError:
        return {}
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {min([node.lineno, *(one.lineno for one in node.decorator_list)]): node.type_comment or ""
            for node in functions}
