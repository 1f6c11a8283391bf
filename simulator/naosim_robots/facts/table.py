"""The table of facts, read from the files in the folder `table`: robots' observed behaviour, and steps to repeat it.

`read_facts` reads the table; README.md in that folder explains the form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from naosim.compat import quote
from naosim.errors import NaosimError

from .patterns import Pattern, WrongPattern, parse_pattern, parse_patterns

FOLDER = Path(__file__).with_name("table")

#: The source of a fact, by the letter in the table.
KINDS = {"R": "recorded on a robot", "V": "recorded on the maker's virtual robot", "D": "documented by the maker"}
#: The needs of rows: marked rows are left out on a robot that is not simulated, unless they are asked for.
MARKS = ("fresh", "installs", "moves", "person", "speaks")
_FIELDS = ("on", "marks", "kind", "source", "disputed")
_HEAD = re.compile(r"=== ([a-z0-9]+(?:-[a-z0-9]+)*): (.+)")
_ROBOT = re.compile(r"(?:(virtual|real) )?(NAO|Pepper|any)(?: (\d+(?:\.\d+)*)(\+)?)?")
_CALL = re.compile(r"(\w+)\.(\w+)\((.*)")
_TAKES = re.compile(r"takes (\d+(?:\.\d+)?) to (\d+(?:\.\d+)?) s")
_WAIT = re.compile(r"(\d+(?:\.\d+)?) s")
_MAX_WAIT_S = 10.0
#: The pattern for a key that must be absent.
ABSENT = Pattern("absent", None, "absent")
#: The pattern for other events that can come before the next one.
OTHERS = Pattern("rest", None, "...")


class WrongTable(NaosimError):
    """A file of the table is not in the form; the message has the file and the line."""


class Robot(NamedTuple):
    """A robot, or the robots of a row: body NAO, Pepper or any, version or its first numbers, and whether it is real.

    `or_newer` is for rows: this version and all after it. An empty version or place means any.
    """

    body: str
    version: str = ""
    place: str = ""
    or_newer: bool = False

    def covers(self, robot: Robot) -> bool:
        """Return whether a row for this robot is for that one.

        >>> Robot("NAO", "2.1").covers(Robot("NAO", "2.1.4.13", "real")), Robot("any", "2.5", "", True).covers(
        ...     Robot("NAO", "2.8.7.4", "real")
        ... )
        (True, True)
        """
        if self.body not in ("any", robot.body) or self.place not in ("", robot.place):
            return False
        asked, there = _split_version(self.version), _split_version(robot.version)
        return there >= asked if self.or_newer else there[: len(asked)] == asked

    def __str__(self) -> str:
        version = f" {self.version}{'+' if self.or_newer else ''}" if self.version else ""
        return f"{self.place} {self.body}{version}".strip()


class Step(NamedTuple):
    """One line of a row: its verb, the name or method that it is about, arguments, and the expected result.

    `takes` is the least and the most seconds. Verbs: needs, call, meanwhile, after, key, has, lacks, watch, comes,
    person and wait.
    """

    verb: str
    subject: str
    text: str
    arguments: tuple[Pattern, ...] = ()
    wanted: Pattern | None = None
    is_error: bool = False
    takes: tuple[float, float] | None = None
    stores: str = ""


class Fact(NamedTuple):
    """One row of the table; its subject is the first line of its file."""

    id: str
    title: str
    robots: tuple[Robot, ...]
    kind: str
    source: str
    steps: tuple[Step, ...]
    marks: frozenset[str] = frozenset()
    disputed: str = ""
    subject: str = ""

    @property
    def services(self) -> frozenset[str]:
        """Return the services that the robot needs for this row."""
        needing = [step.subject for step in self.steps if step.verb in ("call", "meanwhile", "after", "has")]
        return frozenset(subject.partition(".")[0] for subject in needing)

    def applies_to(self, robot: Robot) -> bool:
        """Return whether the row is for this robot."""
        return any(each.covers(robot) for each in self.robots)


def read_facts(folder: Path = FOLDER) -> list[Fact]:
    """Read all files of a table, in the order of their names; raises WrongTable."""
    facts: list[Fact] = []
    for file in sorted(folder.glob("*.txt")):
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise WrongTable(f"{file} cannot be read: {error}.") from None
        facts.extend(read_text(text, file.name))
    for name, count in Counter(fact.id for fact in facts).items():
        if count > 1:
            raise WrongTable(f"There are {count} rows with the name {name}: each needs its own.")
    return facts


def read_text(text: str, file: str = "text") -> Iterator[Fact]:
    """Yield the rows in the text of a file; raises WrongTable."""
    row: list[tuple[int, str]] = []
    subject = text.partition("\n")[0].removeprefix("# ").rstrip(".")
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("==="):
            if row:
                yield _read_row(row, file)._replace(subject=subject)
            row = [(number, line)]
        elif not row:
            raise WrongTable(f"{file}:{number}: a row begins with '=== name: what the robot does', not {quote(line)}.")
        elif line[0] == " ":
            row[-1] = (row[-1][0], f"{row[-1][1]} {line.strip()}")
        else:
            row.append((number, line.strip()))
    if row:
        yield _read_row(row, file)._replace(subject=subject)


def _read_row(lines: list[tuple[int, str]], file: str) -> Fact:
    head = _HEAD.fullmatch(lines[0][1])
    if head is None:
        raise WrongTable(f"{file}:{lines[0][0]}: write '=== some-name: what the robot does', not {quote(lines[0][1])}.")
    fields: dict[str, str] = {}
    steps: list[Step] = []
    for number, line in lines[1:]:
        name, colon, value = line.partition(": ")
        try:
            if colon and name in _FIELDS:
                fields[name] = value.strip()
            else:
                steps.append(_read_step(line))
        except WrongPattern as error:
            raise WrongTable(f"{file}:{number}: {error}.") from None
    try:
        return _make_fact(head[1], head[2], fields, tuple(steps))
    except WrongPattern as error:
        raise WrongTable(f"{file}:{lines[0][0]}: {error}.") from None


def _make_fact(name: str, title: str, fields: dict[str, str], steps: tuple[Step, ...]) -> Fact:
    for field in ("on", "kind", "source"):
        if not fields.get(field):
            raise WrongPattern(f"the row {name} lacks the line '{field}: ...'")
    if fields["kind"] not in KINDS:
        raise WrongPattern(f"the kind {quote(fields['kind'])} is not one of {', '.join(KINDS)}")
    marks = frozenset(filter(None, re.split(r"[ ,]+", fields.get("marks", ""))))
    if not marks <= set(MARKS):
        raise WrongPattern(f"{', '.join(sorted(marks - set(MARKS)))} is not one of the marks {', '.join(MARKS)}")
    checks = [step for step in steps if step.verb != "needs"]
    if not any(step.wanted or step.takes or step.verb in ("has", "lacks", "comes") for step in checks):
        raise WrongPattern(f"the row {name} compares nothing, so it cannot fail")
    _check_names(steps)
    robots = tuple(_read_robot(each.strip()) for each in fields["on"].split(","))
    return Fact(name, title, robots, fields["kind"], fields["source"], steps, marks, fields.get("disputed", ""))


def _check_names(steps: tuple[Step, ...]) -> None:
    """Raise WrongPattern for a name that a step needs and no step before it gives."""
    known: set[str] = set()
    for step in steps:
        needed = set().union(*(each.list_names() for each in step.arguments))
        given: set[str] = set()
        if step.wanted is not None:
            given, needed = step.wanted.list_names(), needed | step.wanted.list_names(is_needed=True)
        if not needed <= known:
            raise WrongPattern(f"{', '.join(sorted(needed - known))} has no value yet in {quote(step.text)}")
        known |= given | ({step.stores} if step.stores else set())


def _read_robot(text: str) -> Robot:
    found = _ROBOT.fullmatch(text)
    if found is None:
        raise WrongPattern(f"{quote(text)} is not a robot: write NAO, NAO 2.1, Pepper 2.5, any 2.5+ or virtual NAO 2.8")
    return Robot(found[2], found[3] or "", found[1] or "", bool(found[4]))


def _read_step(line: str) -> Step:
    stores = ""
    named = re.match(r"(\$\w+) = (?=\w+\.\w+\()", line)
    if named is not None:
        stores = named[1]
    said = line[named.end() :] if named is not None else line
    verb, _, rest = said.partition(" ")
    if verb in ("meanwhile", "after", "needs"):
        return _read_call(verb, rest, line)
    if _CALL.match(said):
        return _read_call("call", said, line)._replace(stores=stores)
    if verb == "person":
        return _read_call(verb, f"SimulatedHuman.{rest}", line)
    if verb == "key" and " -> " in rest:
        key, _, wanted = rest.partition(" -> ")
        return Step(verb, key.strip(), line, wanted=ABSENT if wanted.strip() == "absent" else parse_pattern(wanted))
    if verb in ("has", "lacks") and re.fullmatch(r"\w+(\.\w+)?", rest):
        return Step(verb, rest, line)
    if verb == "watch" and rest:
        return Step(verb, rest, line)
    if verb == "comes" and rest in ("...", "nothing"):
        return Step(verb, "", line, wanted=OTHERS if rest == "..." else None)
    if verb == "comes" and " " in rest:
        name, _, wanted = rest.partition(" ")
        return Step(verb, name, line, wanted=parse_pattern(wanted))
    waits = _WAIT.fullmatch(rest) if verb == "wait" else None
    if waits is not None and float(waits[1]) <= _MAX_WAIT_S:
        return Step(verb, waits[1], line)
    raise WrongPattern(f"{quote(line)} is not a step: see README.md in the folder of the table")


def _read_call(verb: str, text: str, line: str) -> Step:
    found = _CALL.fullmatch(text)
    if found is None:
        raise WrongPattern(f"{quote(line)} is not a call: write Service.method(arguments)")
    arguments: list[Pattern] = []
    rest = found[3].strip()
    if not rest.startswith(")"):
        arguments, rest = parse_patterns(rest)
    if not rest.startswith(")"):
        raise WrongPattern(f"a closing parenthesis is missing in {quote(line)}")
    step = Step(verb, f"{found[1]}.{found[2]}", line, tuple(arguments))
    rest = rest[1:].strip()
    if rest.startswith("-> "):
        rest = rest[3:].strip()
        if rest.split(" ")[0] == "error":
            step, rest = step._replace(is_error=True), rest[5:].strip()
        if rest and not rest.startswith("takes "):
            wanted, rest = parse_patterns(rest, 1)
            step = step._replace(wanted=wanted[0])
        elif step.is_error:
            step = step._replace(wanted=Pattern("kind", "any", "any error"))
    if rest:
        takes = _TAKES.fullmatch(rest)
        if takes is None:
            raise WrongPattern(f"{quote(rest)} is unexpected in {quote(line)}")
        step = step._replace(takes=(float(takes[1]), float(takes[2])))
    return step


def _split_version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))
