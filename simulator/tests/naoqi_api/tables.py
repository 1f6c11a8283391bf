"""The tables of the real API, compared with a served robot; independent of the simulated services."""

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent
FIELDS = "kind\tname\tparameters\treturns\tsure\tversions"
#: Tables that others extend: no robot has a service of that name.
BASES = ("ALModule", "ALExtractor", "ALSwitchedExtractor", "ALCameraExtractor")
SURE = ("documented", "seen", "called", "inferred")


class Member(NamedTuple):
    """One overload of a method, or a signal or property: `parameters` is "(ss)", of a property its type."""

    kind: str
    name: str
    parameters: str
    returns: str = ""

    def __str__(self):
        return f"{self.name}{self.parameters}{self.returns}"


class Row(NamedTuple):
    """A member as a table has it, with the table it stands in."""

    table: str
    member: Member
    sure: str
    versions: str


class Outcome(NamedTuple):
    """The outcome for one service: members of ours and rows of the table."""

    service: str
    equal: list
    tolerated: list
    differing: list
    unknown: list
    missing: list
    unlisted: list


def services():
    return sorted(
        path.stem for path in FOLDER.glob("*.tsv") if path.stem not in (*BASES, "differences", "documented", "missing")
    )


def lines(path):
    """Read the rows of a TSV file without its comments and its head."""
    text = path.read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")][1:]


def rows(table):
    """List every member of a service, those of the tables it extends included."""
    found = []
    for kind, name, parameters, returns, sure, versions in lines(FOLDER / f"{table}.tsv"):
        if kind == "extends":
            found += rows(name)
        else:
            found.append(Row(table, Member(kind, name, parameters, returns), sure, versions))
    return found


def documented():
    """Read the methods that the documentation describes, by service."""
    return {service: names.split() for service, names in lines(FOLDER / "documented.tsv")}


def differences():
    """Read the known differences: (service, kind, name, parameters) and the reason."""
    return {tuple(row[:4]): row[4] for row in lines(FOLDER / "differences.tsv")}


def missing():
    """Read the members that are left out on purpose: (table, kind, name, parameters) and the reason."""
    return {tuple(row[:4]): row[4] for row in lines(FOLDER / "missing.tsv")}


def parts(signature):
    """Split a tuple signature into the signatures of the parameters.

    >>> parts("(s[(si)]m)")
    ('s', '[(si)]', 'm')
    """
    found, depth, part = [], 0, ""
    for letter in signature[1:-1]:
        part += letter
        depth += (letter in "([{") - (letter in ")]}")
        if not depth:
            found.append(part)
            part = ""
    return tuple(found)


def plain(signature):
    """Return a signature without the names of its structs.

    >>> plain("[(bs)<Process,running,name>]")
    '[(bs)]'
    """
    while "<" in signature:
        signature = re.sub(r"<[^<>]*>", "", signature)
    return signature


def served(meta):
    """List the members of a metaObject without those libqi gives every object."""
    own = [
        one
        for group in ("methods", "signals", "properties")
        for one in meta[group].values()
        if one["uid"] >= 100  # Those below are what libqi itself gives every object.
    ]
    found = []
    for one in own:
        if "parametersSignature" in one:
            returns = plain(one["returnSignature"])
            found.append(Member("method", one["name"], plain(one["parametersSignature"]), returns))
        else:
            kind = "signal" if one["signature"].startswith("(") else "property"
            found.append(Member(kind, one["name"], plain(one["signature"])))
    return found


def covers(ours, real):
    """Return whether calls that fit the real overload fit ours: the same number, each of the same type or dynamic."""
    if (ours.kind, ours.name) != (real.kind, real.name):
        return False
    mine, theirs = parts(ours.parameters), parts(real.parameters)
    return len(mine) == len(theirs) and all(one in {other, "m"} for one, other in zip(mine, theirs))


def compare(service, members):
    """Compare the served members with the table; what is neither equal nor listed is `differing` or `unknown`."""
    table, listed = rows(service), differences()
    outcome = Outcome(service, [], [], [], [], [], [])
    real = {row.member for row in table}
    names = {(row.member.kind, row.member.name) for row in table}
    for member in members:
        keys = [(owner, *member[:3]) for owner in (service, "*")]
        if member in real:
            outcome.equal.append(member)
        elif any(key in listed for key in keys):
            outcome.tolerated.append(member)
        else:
            (outcome.differing if member[:2] in names else outcome.unknown).append(member)
    _missing(outcome, table, members)
    return outcome


def _missing(outcome, table, members):
    listed = missing()
    for row in table:
        if not any(covers(member, row.member) for member in members):
            known = (row.table, *row.member[:3]) in listed
            (outcome.missing if known else outcome.unlisted).append(row)


def stale(outcomes):
    """List known differences that no longer occur, and listed gaps that no service of the simulated robot has."""
    tolerated = {(owner, *member[:3]) for one in outcomes for member in one.tolerated for owner in (one.service, "*")}
    gaps = {(row.table, *row.member[:3]) for one in outcomes for row in one.missing}
    return [key for key in differences() if key not in tolerated] + [key for key in missing() if key not in gaps]
