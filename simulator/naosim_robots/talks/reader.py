"""YAML of strangers as nodes that know their line and column.

Only plain YAML is read: no anchors, no aliases, no tags and no key twice. A plain `yes`, `no` or `on` is a word, as in
YAML 1.2. Files are read by PyYAML, which is the extra `talk`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from naosim.compat import quote
from naosim.errors import NaosimError, install_command
from naosim.formats import read_bounded

#: Limits of a file, because talks come from others.
MAX_FILE_BYTES = 256 * 1024
_MAX_DEPTH = 12  # lists and mappings inside each other
_MAX_VALUES = 20_000
_MAX_KEY_LENGTH = 300  # characters
_MAX_DIGITS = 300  # of a number
_MAX_NUMBER = 1e300

#: The usual mistakes of YAML by a part of PyYAML's sentence, with sentences that say what to do.
_MISTAKES = {
    "but found '<block": "the indentation does not fit the lines above: begin in the same column as they do.",
    "but found '-'": "this list begins in another column than the one above: begin in the same one.",
    "'\\t'": "a tab cannot indent: use spaces.",
    "mapping values are not allowed": (_COLON := "this colon makes no sense here: put a text with a colon in quotes."),
    "but got ':'": _COLON,
    "but got '<stream end>'": "the file ends before a bracket or a brace is closed: close it.",
    "but got '['": (_QUOTES := "a text with this character needs quotes between braces or brackets."),
    "but got '{'": _QUOTES,
    "but got '?'": _QUOTES,
}
#: The name of an example's value in a text, which is not the name of a group in a regular expression.
_PLACEHOLDER = re.compile(r"(?<!\?P)<([\w ]+)>")
_CONSTANTS = {"null": None, "~": None, "": None, "true": True, "false": False}
_INTEGER, _FLOAT = re.compile(r"[-+]?\d+"), re.compile(r"[-+]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][-+]?\d+)?")


class WrongTalk(NaosimError):
    """A file of talks cannot be read; the message has its name, the line and the column."""


class Place(NamedTuple):
    """A place in a file; the first line and the first column are 1."""

    file: Path
    line: int
    column: int

    def refuse(self, sentence: str) -> WrongTalk:
        """Return the error for what is at this place."""
        return WrongTalk(f"{self.file}:{self.line}:{self.column}: {sentence}")


class Node(NamedTuple):
    """A value with its place: a text, number, flag or None, a list of nodes, or a dict of nodes by key.

    `keys` has the places of the keys of a dict.
    """

    value: Any
    place: Place
    keys: dict[str, Place] = {}

    def to_plain(self) -> Any:
        """Return the value without places."""
        if isinstance(self.value, list):
            return [each.to_plain() for each in self.value]
        if isinstance(self.value, dict):
            return {key: each.to_plain() for key, each in self.value.items()}
        return self.value

    def fill(self, values: dict[str, Node]) -> Node:
        """Return the node with `<name>` replaced by the values of these names."""
        if isinstance(self.value, list):
            return self._replace(value=[each.fill(values) for each in self.value])
        if isinstance(self.value, dict):
            return self._replace(value={key: each.fill(values) for key, each in self.value.items()})
        if not isinstance(self.value, str) or "<" not in self.value:
            return self
        for name, each in values.items():
            if self.value == f"<{name}>":
                return each._replace(place=self.place)
        return self._replace(value=_PLACEHOLDER.sub(lambda found: _write(values, found), self.value))

    def check_names(self, known: Collection[str]) -> None:
        """Raise WrongTalk for a `<name>` in a text that is none of the known names."""
        if isinstance(self.value, dict | list):
            for each in self.value.values() if isinstance(self.value, dict) else self.value:
                each.check_names(known)
        for name in _PLACEHOLDER.findall(self.value) if isinstance(self.value, str) else ():
            if name not in known:
                raise self.place.refuse(f"{quote(f'<{name}>')} has no value: write one in each row of the examples.")


def _write(values: dict[str, Node], found: re.Match[str]) -> str:
    return str(values[found[1]].to_plain()) if found[1] in values else found[0]


def read_file(path: Path) -> Node:
    """Read a file; raises WrongTalk, with the place if there is one."""
    content = read_bounded(str(path), MAX_FILE_BYTES, WrongTalk, "a file of talks")
    try:
        return read_text(content.decode("utf-8-sig"), path)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise WrongTalk(f"{path}:{line}: the text is not UTF-8: save the file as UTF-8.") from None


def read_text(text: str, path: Path) -> Node:
    """Read the text of a file; raises WrongTalk with the place."""
    yaml = _import_yaml(path)
    try:
        return _Composer(yaml, text, path).compose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        why = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
        place = Place(path, mark.line + 1, mark.column + 1) if mark else Place(path, 1, 1)
        for mistake, sentence in _MISTAKES.items():
            if mistake in why:
                raise place.refuse(sentence) from None
        raise place.refuse(f"this is not YAML ({why}): correct it, or put the text in quotes.") from None


def _import_yaml(path: Path) -> Any:
    try:
        import yaml
    except ImportError:
        raise WrongTalk(f"{path} is read by PyYAML, which is not installed: {install_command('talk')}") from None
    return yaml


class _Composer:
    """Makes nodes of PyYAML's events; each event is checked before the next one is made."""

    def __init__(self, yaml: Any, text: str, path: Path) -> None:
        # The pure reader in Python: its marks are exact, and it makes one event after the other.
        self._yaml, self._path = yaml, path
        self._events = yaml.parse(text, Loader=yaml.SafeLoader)
        self._left = _MAX_VALUES

    def compose(self) -> Node:
        """Return the root of the only document."""
        yaml, events = self._yaml, self._events
        next(events)  # the start of the stream
        first = next(events)
        if isinstance(first, yaml.StreamEndEvent):
            raise Place(self._path, 1, 1).refuse("the file is empty: write a behaviour and its talks.")
        root = self._make_node(next(events), 0)
        next(events)  # the end of the document
        more = next(events)
        if not isinstance(more, yaml.StreamEndEvent):
            raise self._locate(more).refuse("a second document begins here: write it into a file of its own.")
        return root

    def _make_node(self, event: Any, depth: int) -> Node:
        yaml, place = self._yaml, self._locate(event)
        self._check(event, place, depth)
        if isinstance(event, yaml.ScalarEvent):
            return Node(self._read_scalar(event, place), place)
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                items.append(self._make_node(event, depth + 1))
            return Node(items, place)
        return self._make_mapping(place, depth)

    def _make_mapping(self, place: Place, depth: int) -> Node:
        found: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        while not isinstance(event := next(self._events), self._yaml.MappingEndEvent):
            key = self._locate(event)
            self._check(event, key, depth)
            if not isinstance(event, self._yaml.ScalarEvent):
                raise key.refuse("a key is a text, not a list or a mapping: write a name before the colon.")
            name = event.value
            if len(name) > _MAX_KEY_LENGTH:
                raise key.refuse(f"this key has more than {_MAX_KEY_LENGTH} characters: shorten it.")
            if name in found:
                raise key.refuse(f"{quote(name)} is here twice, also in line {keys[name].line}: remove one.")
            keys[name] = key
            found[name] = self._make_node(next(self._events), depth + 1)
        return Node(found, place, keys)

    def _check(self, event: Any, place: Place, depth: int) -> None:
        """Refuse what hostile files are made of."""
        if isinstance(event, self._yaml.AliasEvent):
            raise place.refuse(f"the alias *{event.anchor[:60]} is not allowed in talks: write the value again.")
        if event.anchor is not None:
            raise place.refuse(f"the anchor &{event.anchor[:60]} is not allowed in talks: remove it.")
        if event.tag is not None and event.tag != "!":
            raise place.refuse(f"the tag {quote(event.tag[:60])} is not allowed in talks: remove it.")
        if depth > _MAX_DEPTH:
            raise place.refuse(f"this is nested more than {_MAX_DEPTH} deep: write it flatter.")
        self._left -= 1
        if self._left < 0:
            raise place.refuse(f"the file has more than {_MAX_VALUES} values: split it into several files.")

    def _read_scalar(self, event: Any, place: Place) -> Any:
        text = event.value
        if event.style is not None:
            return text
        if text.lower() in _CONSTANTS and text in (text.lower(), text.capitalize(), text.upper()):
            return _CONSTANTS[text.lower()]
        if _INTEGER.fullmatch(text) or _FLOAT.fullmatch(text):
            if len(text) > _MAX_DIGITS:
                raise place.refuse(f"this number has more than {_MAX_DIGITS} digits: shorten it.")
            number = int(text) if _INTEGER.fullmatch(text) else float(text)
            if abs(number) > _MAX_NUMBER:
                raise place.refuse("this number is too large: use one that a robot can have.")
            return number
        return text

    def _locate(self, event: Any) -> Place:
        return Place(self._path, event.start_mark.line + 1, event.start_mark.column + 1)
