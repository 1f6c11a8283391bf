"""The services of a robot and their members, compared with those that our simulated robot serves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from naosim.packages import NAOQI_VERSIONS
from naosim.services import list_lacking
from naosim_robots.facts.table import Robot
from naosim_robots.serving.signatures import METHOD, MODULE, SIGNAL, methods, select_lacking, signals, table

#: Services that say nothing about NAOqi: libqi's own, and the simulated person.
_UNCOMPARED = frozenset(("ServiceDirectory", "SimulatedHuman"))
#: Members with smaller numbers are libqi's own.
_FIRST_MEMBER = 100
_NAOQI_KINDS = {"Pepper": "Juliette", "NAO": "Nao"}
_STRUCT_NAMES = re.compile(r"<[^<>]*>")

#: The signatures of a service's members, by name.
Members = dict[str, set[str]]


def list_expected(robot: Robot) -> dict[str, Members]:
    """Return the members that our table has for a robot's body and version, by service.

    An unknown version is taken for the newest older one, or for the oldest.
    """
    known = [name for name in NAOQI_VERSIONS if Robot("any", name, or_newer=True).covers(robot)]
    version = known[-1] if known else next(iter(NAOQI_VERSIONS))
    lacking, lacking_methods = list_lacking(_NAOQI_KINDS[robot.body], version)
    found: dict[str, Members] = {}
    for service in table().keys() - {MODULE} - lacking:
        members: Members = {}
        for row in methods(service):
            members.setdefault(row.name, set()).add(f"{METHOD} {row.name}{row.signature} -> {row.returns}")
        for name, signature in signals(service).items():
            members.setdefault(name, set()).add(f"{SIGNAL} {name}{signature}")
        lacks = select_lacking(service, lacking_methods)
        found[service] = {name: kinds for name, kinds in members.items() if _is_public(name) and name not in lacks}
    return found


def read_members(meta: dict[str, Any]) -> Members:
    """Return the public members in a libqi meta-object, without libqi's own."""
    found: Members = {}
    for name, signature in _list_members(meta):
        if _is_public(name):
            found.setdefault(name, set()).add(signature)
    return found


def _list_members(meta: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for number, row in dict(meta["methods"]).items():
        if number >= _FIRST_MEMBER:
            name, returns = row["name"], _drop_names(row["returnSignature"])
            yield name, f"{METHOD} {name}{_drop_names(row['parametersSignature'])} -> {returns}"
    for kind, field in ((SIGNAL, "signals"), ("property", "properties")):
        for number, row in dict(meta[field]).items():
            if number >= _FIRST_MEMBER:
                yield row["name"], f"{kind} {row['name']}{_drop_names(row['signature'])}"


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _drop_names(signature: str) -> str:
    """Return a signature without the names of its structures.

    >>> _drop_names("[(s(i)<A,n>)<B,s,a>]")
    '[(s(i))]'
    """
    while _STRUCT_NAMES.search(signature):
        signature = _STRUCT_NAMES.sub("", signature)
    return signature


def compare_services(found: dict[str, Members | None], robot: Robot) -> dict[str, Any]:
    """Return the differences between a robot's services and our table for a report; None if one does not answer."""
    expected = list_expected(robot)
    there = found.keys() - _UNCOMPARED
    named = {name for name in there - expected.keys() if re.match("AL[A-Z]", name)}
    members = {
        name: compared
        for name in sorted(there & expected.keys())
        if any((compared := _compare_members(found[name] or {}, expected[name])).values())
    }
    return {
        "count": len(there),
        "missing": sorted(expected.keys() - there),
        "additional": sorted(named),
        "unnamed": len(there - expected.keys() - named),
        "members": members,
    }


def _compare_members(found: Members, expected: Members) -> dict[str, Any]:
    return {
        "missing": sorted(expected.keys() - found.keys()),
        "additional": sorted(signature for name in found.keys() - expected.keys() for signature in found[name]),
        "differing": {
            name: {"robot": sorted(found[name]), "table": sorted(expected[name])}
            for name in sorted(found.keys() & expected.keys())
            if found[name] != expected[name]
        },
    }
