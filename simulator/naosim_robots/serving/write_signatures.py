"""`python -m naosim_robots.serving.write_signatures`: writes the table of signatures from the services' type comments.

`str` becomes `s`, `int` `i`, `float` `f`, `bool` `b`, `None` `v`, `List[str]` `[s]`; what NAOqi passes as an ALValue
(`Any`, nested lists, maps) becomes `m`.
"""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from naosim.robot import Robot
from naosim.services import SERVICES
from naosim.services.base import COMMON_METHODS, Service, split_signature

from .signatures import DYNAMIC, METHOD, MODULE, SERVICE, SIGNAL, TABLE, VOID, Method

_HEADER = "# service, kind, name, parameters, result; written by python -m naosim_robots.serving.write_signatures\n"
_PLAIN = {"str": "s", "int": "i", "float": "f", "bool": "b", "None": VOID}


def table_text() -> str:
    """Return the whole table as text, one row per overload and per signal."""
    rows = []
    with Robot() as robot:
        for name in (MODULE, *sorted(SERVICES)):
            # Each version of NAOqi lacks some services.
            service = Service(robot.world, name) if name == MODULE else SERVICES[name](robot.world)
            assert isinstance(service, Service)
            rows.append((name, SERVICE, "", "", ""))
            for row in list_declared(service):
                if name == MODULE or not is_common(service, row.name):
                    rows.append((name, METHOD, row.name, " ".join(row.parameters), row.returns))
            signals = sorted(service.signals.items())
            rows += [(name, SIGNAL, each, " ".join(split_signature(kind)), VOID) for each, kind in signals]
    return _HEADER + "".join("\t".join(row) + "\n" for row in rows)


def is_common(service: Service, method: str) -> bool:
    """Return whether a service's method is the common one of every module."""
    return method in COMMON_METHODS and getattr(type(service), method) is getattr(Service, method)


def list_declared(service: Service) -> Iterator[Method]:
    """Yield the methods that a service has in some version, by name and number of parameters; private ones last."""
    for name in [*service.list_methods(), *sorted(service.private_methods)]:
        method = getattr(service, name)
        if inspect.ismethod(method):
            yield from _overloads(name, method.__func__)


def signature_of(node: ast.expr | None) -> str:
    """Return the signature of a type in a type comment.

    >>> [signature_of(ast.parse(text, mode="eval").body) for text in ("str", "List[float]", "List[List[str]]", "Any")]
    ['s', '[f]', 'm', 'm']
    """
    if isinstance(node, ast.Constant) and node.value is None:
        return VOID
    if isinstance(node, ast.Name):
        return _PLAIN.get(node.id, DYNAMIC)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        inner = signature_of(node.slice)
        if node.value.id == "Optional":
            return inner
        if node.value.id in {"List", "Sequence"} and inner in _PLAIN.values():
            return f"[{inner}]"
    return DYNAMIC


def _overloads(name: str, function: Any) -> Iterator[Method]:
    """Yield one row per number of arguments, or the method's declaration (`naosim.services.base.overloads`)."""
    code = function.__code__
    # A declared setting (`naosim.services.base.declare`) has its type comment with it.
    comment = getattr(function, "type_comment", None) or _comments(code.co_filename).get(code.co_firstlineno, "")
    parameters, returns = _read(comment)
    if hasattr(function, "overloads"):
        yield from (Method(name, tuple(each.split()), returns) for each in function.overloads)
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
    """Return the type comments of a source file's functions, by the line of the function."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"), type_comments=True)
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {
        min([node.lineno, *(one.lineno for one in node.decorator_list)]): node.type_comment or "" for node in functions
    }


if __name__ == "__main__":
    Path(str(TABLE)).write_text(table_text(), encoding="utf-8")
