"""Talks as values: `read_talks` reads a file into `Talk`s with their robots, their steps, and the places of these."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from naosim.compat import quote
from naosim.formats import read_bounded

from .format import ACTS, ANSWER, FILE, INTERRUPTION, STEP, TABLES, TALK, Seconds, TextPattern, read_fields
from .reader import Node, Place, WrongTalk, read_file

#: What a name of a file of talks ends with.
SUFFIX = ".talk.yaml"
_MAX_LINES_BYTES = 4 * 1024 * 1024  # of a file with NAO's lines
_MAX_TALKS = 2000  # in a file, with all rows of their examples
_MAX_STEPS = 1000  # of a talk
_MAX_FILES = 2000  # below a folder
_MAX_NAME = 200  # characters of a talk's name
_DEFAULT_TURNS = 40
#: The wordings of NAO's lines as regular expressions, by key.
Lines = Mapping[str, str]


class Check(NamedTuple):
    """What must be so, or must not, after an act; None for what is not checked."""

    place: Place
    says: list[TextPattern] | None = None
    line: list[TextPattern] | None = None
    does: list[TextPattern] | None = None
    lights: list[TextPattern] | None = None
    memory: dict[str, Node] | None = None
    listens: list[str] | None = None
    ended: bool | None = None


class Act(NamedTuple):
    """What the person does: a name of `format.ACTS` and its value; "" for nothing."""

    kind: str
    value: Any
    confidence: float = 0.9


class Interruption(NamedTuple):
    """What the person does while NAO still speaks, `after` seconds after the act; after 0 s, before it speaks."""

    place: Place
    after: float
    act: Act


class Goal(NamedTuple):
    """When the talk of a simulated person ends; without a check, at the end of the behaviour."""

    check: Check | None
    turns: int


class TalkStep(NamedTuple):
    """An act of the person and what NAO must do then."""

    place: Place
    act: Act
    check: Check
    forbidden: Check | None
    within: Seconds | None
    interruptions: list[Interruption]
    goal: Goal


class Rule(NamedTuple):
    """How a simulated person answers: if the check holds, one of the phrases or the touches."""

    check: Check
    said: list[str]
    touched: list[str]


class Setup(NamedTuple):
    """The robot, the behaviour, and the rules of a talk. Paths are absolute."""

    behaviour: Path
    name: str
    rewrite: bool
    imports: list[Path]
    robot: dict[str, Any]
    parameters: dict[str, Any]
    memory: dict[str, Any]
    answers: list[Rule]
    never: list[Check]
    end: list[Check]
    failures: str | bool
    leaks: bool

    @property
    def pythons(self) -> list[str]:
        """Return the Pythons that run the boxes: "3", "2.7" or both."""
        return list(self.robot.get("python", ["3"]))

    @property
    def seed(self) -> int:
        """Return the seed of the robot and of persons."""
        return int(self.robot.get("seed", 0))


class Talk(NamedTuple):
    """One talk; `repeat` is how often it runs, each time with the next seed."""

    name: str
    place: Place
    setup: Setup
    steps: list[TalkStep]
    repeat: int = 1


def read_talks(path: Path) -> list[Talk]:
    """Read the talks of a file; raises WrongTalk with a sentence and the place."""
    root = read_file(path)
    folder = path.absolute().parent
    known = {"here": Node(str(folder), root.place)}
    fields = read_fields(root.fill(known), FILE)
    reader = _TalkReader(folder, fields, _read_lines(root, folder, fields.get("lines", "")))
    rows = fields["talks"].value
    if not isinstance(rows, dict) or not rows:
        raise fields["talks"].place.refuse('"talks" is a mapping: write the name of each talk, a colon, and its steps.')
    places = fields["talks"].keys
    found: list[Talk] = []
    for name, node in rows.items():
        found += reader.read_talk(name, places[name], node)
        if len(found) > _MAX_TALKS:
            raise places[name].refuse(f"the file has more than {_MAX_TALKS} talks: split it into several files.")
    return found


class _TalkReader:
    """Reads the talks of one file; `fields` are those of the file."""

    def __init__(self, folder: Path, fields: dict[str, Any], lines: Lines | None) -> None:
        self._folder, self._file, self._lines = folder, fields, lines

    def read_talk(self, name: str, place: Place, node: Node) -> list[Talk]:
        """Return a talk, or one for each row of its examples."""
        if len(name) > _MAX_NAME:
            raise place.refuse(f"the name of a talk has at most {_MAX_NAME} characters: shorten it.")
        examples = node.value.get("examples") if isinstance(node.value, dict) else None
        if examples is None:
            node.check_names(())
            if not isinstance(node.value, dict):
                return [self._make_talk(name, place, {}, node)]
            return [self._read_row(name, place, node)]
        if not isinstance(examples.value, list) or not all(isinstance(row.value, dict) for row in examples.value):
            raise examples.place.refuse("examples are a list of mappings: write - {name: value} for each.")
        if len(examples.value) > _MAX_TALKS:
            raise examples.place.refuse(f"a talk has at most {_MAX_TALKS} examples: split it.")
        found = []
        for row in examples.value:
            for field, each in node.value.items():
                if field != "examples":
                    each.check_names(row.value)
            label = ", ".join(str(each.to_plain()) for each in row.value.values())[:_MAX_NAME]
            found.append(self._read_row(f"{name} [{label}]", row.place, node.fill(row.value)))
        return found

    def _read_row(self, name: str, place: Place, node: Node) -> Talk:
        fields = read_fields(node, TALK)
        return self._make_talk(name, place, fields, fields["steps"])

    def _make_talk(self, name: str, place: Place, fields: dict[str, Any], steps: Node) -> Talk:
        if not isinstance(steps.value, list) or not steps.value:
            raise steps.place.refuse("a talk is a list of steps: write - said: PHRASE and what NAO says then.")
        if len(steps.value) > _MAX_STEPS:
            raise steps.place.refuse(f"a talk has at most {_MAX_STEPS} steps: split it.")
        setup = self._make_setup(fields)
        return Talk(name, place, setup, [self._read_step(each) for each in steps.value], fields.get("repeat", 1))

    def _make_setup(self, fields: dict[str, Any]) -> Setup:
        file = self._file
        both: dict[str, Any] = {
            name: _merge(file.get(name, {}), fields.get(name, {}))
            for name in ("robot", "parameters", "memory", "allow")
        }
        answers = [self._read_rule(each) for each in (*fields.get("answers", ()), *file.get("answers", ()))]
        never = [self._read_check(each["never"], "not") for each in (file, fields) if "never" in each]
        return Setup(
            self._folder / file["behaviour"],
            file.get("name", ""),
            file.get("rewrite", True),
            [self._folder / each for each in file.get("imports", ())],
            both["robot"],
            both["parameters"],
            both["memory"],
            answers,
            never,
            [self._read_check(each["end"], "check") for each in (file, fields) if "end" in each],
            both["allow"].get("failures", False),
            both["allow"].get("leaks", False),
        )

    def _read_rule(self, node: Node) -> Rule:
        fields = read_fields(node, ANSWER)
        return Rule(self._make_check(fields, node.place), fields.get("said", []), fields.get("touched", []))

    def _read_step(self, node: Node) -> TalkStep:
        fields = read_fields(node, STEP)
        act = _choose_act(node, fields)
        for name, needed in (("confidence", ("said",)), ("goal", ("person",)), ("turns", ("person",))):
            if name in fields and act.kind not in needed:
                raise node.keys[name].refuse(f'"{name}" belongs to "{needed[0]}": write it in that step.')
        if "within" in fields and not any(name in fields for name in ("says", "line", "does", "lights")):
            raise node.keys["within"].refuse('"within" needs what NAO says, does or lights then: add "says".')
        return TalkStep(
            node.place,
            act,
            self._make_check(fields, node.place),
            self._read_check(fields["not"], "not") if "not" in fields else None,
            fields.get("within"),
            [_read_interruption(each) for each in fields.get("interrupted", ())],
            Goal(
                self._read_check(fields["goal"], "check") if "goal" in fields else None,
                fields.get("turns", _DEFAULT_TURNS),
            ),
        )

    def _read_check(self, node: Node, table: str) -> Check:
        fields = read_fields(node, TABLES[table])
        for name in node.keys if table == "not" else ():
            if not fields[name]:
                raise node.keys[name].refuse(f'"{name}" forbids nothing: write what must not happen.')
        return self._make_check(fields, node.place)

    def _make_check(self, fields: dict[str, Any], place: Place) -> Check:
        names = [name for name in Check._fields if name not in ("place", "line")]
        line = [self._find_line(key, where) for key, where in fields["line"]] if "line" in fields else None
        return Check(place=place, line=line, **{name: fields.get(name) for name in names})

    def _find_line(self, key: str, place: Place) -> TextPattern:
        if self._lines is None:
            raise place.refuse(f'the line {quote(key)} is in no file: name the file of NAO\'s lines by "lines".')
        if key not in self._lines:
            raise place.refuse(f'there is no line {quote(key)}: look it up in the file that "lines" names.')
        return TextPattern(f"line {key}", re.compile(self._lines[key]), place)


def _read_interruption(node: Node) -> Interruption:
    fields = read_fields(node, INTERRUPTION)
    acts = [Act(name, fields[name]) for name in ("said", "touched", "raised") if name in fields]
    if len(acts) != 1:
        raise node.place.refuse('an interruption is one act: write "said", "touched" or "raised".')
    return Interruption(node.place, fields["after"].seconds, acts[0])


def _choose_act(node: Node, fields: dict[str, Any]) -> Act:
    given = [name for name in ACTS if name in fields]
    if len(given) > 1:
        raise node.keys[given[1]].refuse(f'a step has one act, and "{given[0]}" is one: begin another step by -.')
    for name in ("started", "stopped"):
        if fields.get(name) is False:
            raise node.keys[name].refuse(f'"{name}" is always true: leave it out.')
    if not given:
        return Act("", None)
    if fields[given[0]] in ([], {}):
        raise node.keys[given[0]].refuse(f'"{given[0]}" is empty: write what the person does, or remove it.')
    return Act(given[0], fields[given[0]], fields.get("confidence", 0.9))


def _merge(first: Any, second: Any) -> Any:
    """Return mappings as one; where both have a mapping, as one again, else the second's value."""
    if not isinstance(first, dict) or not isinstance(second, dict):
        return second
    return {**first, **{key: _merge(first[key], each) if key in first else each for key, each in second.items()}}


# The lines of a behaviour, by key.


def _read_lines(root: Node, folder: Path, name: str) -> Lines | None:
    """Return the wordings of lines by key as regular expressions; None without a file. Raises WrongTalk."""
    if not name:
        return None
    place, path = root.value["lines"].place, folder / name
    try:
        found = json.loads(read_bounded(str(path), _MAX_LINES_BYTES, WrongTalk, "a JSON file"))
    except WrongTalk as error:
        raise place.refuse(f"{error}.") from None
    except (ValueError, RecursionError):
        raise place.refuse(f"the lines in {quote(name)} are not JSON: name a JSON file.") from None
    found = found.get("lines", found) if isinstance(found, dict) else found
    if not isinstance(found, dict):
        raise place.refuse(f"{quote(name)} has no lines: it must map keys to texts.")
    return {key: _write_regex(_list_wordings(value)) for key, value in found.items()}


def _list_wordings(value: Any) -> list[str]:
    value = value.get("say") if isinstance(value, dict) else value
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]


def _write_regex(wordings: Iterable[str]) -> str:
    """Return a regular expression for wordings; what is in {braces} stands for any words.

    >>> _write_regex(["Is it {guess}?", "Hi"])
    '(?:Is\\\\ it\\\\ .*?\\\\?|Hi)'
    """
    pieces = [re.split(r"\{[^{}]+\}", " ".join(text.split())) for text in wordings]
    return f"(?:{'|'.join('.*?'.join(map(re.escape, piece)) for piece in pieces) or '(?!)'})"


def find_files(places: Iterable[Path]) -> list[Path]:
    """Return files as they are, and the files of talks below folders; raises WrongTalk for a folder without any."""
    return list(itertools.chain.from_iterable(map(_list_files, places)))


def list_below(folder: Path, suffix: str) -> list[Path]:
    """Return the files below a folder with an end of the name, but none of hidden folders and of node_modules.

    Raises WrongTalk for over 2,000 files.
    """
    found = [each for each in sorted(folder.rglob(f"*{suffix}")) if not _is_hidden(each.relative_to(folder))]
    if len(found) > _MAX_FILES:
        raise WrongTalk(f"{folder} has more than {_MAX_FILES} files with names in {suffix}: name a smaller folder.")
    return found


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") or part == "node_modules" for part in path.parts)


def _list_files(place: Path) -> list[Path]:
    if not place.is_dir():
        return [place]
    found = list_below(place, SUFFIX)
    if not found:
        raise WrongTalk(f"{place} has no file whose name ends with {SUFFIX}: name a file.")
    return found
