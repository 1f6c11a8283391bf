"""Values and patterns of the table of facts: `["", -3.0]`, `0 to 100`, `[text, ...]`, `/^2[.]/ or null`.

`parse_pattern` reads one; `Pattern.fits` compares a value with it, `Pattern.make_value` makes an argument of it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from naosim.compat import quote


def is_number(value: Any) -> bool:
    """Return whether a value is a number, and not a bool."""
    return isinstance(value, int | float) and not isinstance(value, bool)


#: Words that stand for all values of a kind.
_KINDS: dict[str, Callable[[Any], bool]] = {
    "any": lambda value: True,
    "bool": lambda value: isinstance(value, bool),
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "float": lambda value: isinstance(value, float),
    "number": is_number,
    "text": lambda value: isinstance(value, str),
    "bytes": lambda value: isinstance(value, bytes | bytearray),
    "list": lambda value: isinstance(value, list | tuple),
    "map": lambda value: isinstance(value, dict),
}
_CONSTANTS = {"null": None, "true": True, "false": False}
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<regex>/(?:[^/\\]|\\.)+/)|(?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"""
    r"""|(?P<word>\$?[A-Za-z_]\w*)|(?P<dots>\.\.\.)|(?P<sign>[][{}(),:]))"""
)
#: NAOqi's numbers have 32 bits, so that 0.1 comes as 0.10000000149.
_RELATIVE_ERROR = 1e-6
_MAX_DOTS = 2  # "..." in a list: each multiplies the time of a comparison
_MAX_DEPTH = 20  # lists inside lists


class WrongPattern(ValueError):
    """The text is not a pattern; the message quotes the place."""


class Pattern(NamedTuple):
    """A pattern: its kind, its parts, and the text it was read from.

    Kinds: literal, range, near, regex, kind, name, list, map, either; "repeat" and "rest" only in a list.
    """

    kind: str
    content: Any
    text: str = ""

    def fits(self, value: Any, names: dict[str, Any]) -> bool:
        """Return whether a value fits; a name in `names` stands for its value, a new name is added with the value."""
        found = dict(names)
        if not _fits(self, value, found):
            return False
        names.update(found)
        return True

    def make_value(self, names: dict[str, Any]) -> Any:
        """Return the pattern's value, with the values of names; raises WrongPattern if several values fit it."""
        if self.kind == "literal":
            return self.content
        if self.kind == "name" and self.content in names:
            return names[self.content]
        if self.kind == "list":
            return [each.make_value(names) for each in self.content]
        if self.kind == "map":
            return {key: each.make_value(names) for key, each in self.content.items()}
        raise WrongPattern(f"{self.text or self.content} is not a value")

    def list_names(self, is_needed: bool = False) -> set[str]:
        """Return the names that get a value from it, or those that need one before."""
        if self.kind == "name":
            return set() if is_needed else {self.content}
        inside = self.content.values() if self.kind == "map" else self.content
        if self.kind == "near":
            return self.content[0].list_names() if is_needed else set()
        if self.kind in ("list", "map", "either"):
            return set().union(*(each.list_names(is_needed) for each in inside))
        return self.content.list_names(is_needed) if self.kind == "repeat" else set()


def parse_pattern(text: str) -> Pattern:
    """Read a pattern; raises WrongPattern.

    >>> parse_pattern('[["Head", true, [1]], ...]').fits([["Head", True, [1]], 2], {})
    True
    >>> parse_pattern("0 to 100").fits(100.5, {}), parse_pattern("1").fits(1.0, {}), parse_pattern("1").fits(True, {})
    (False, False, False)
    >>> parse_pattern("[text...]").fits(["a", "b"], {}), parse_pattern("[$task, $task]").fits([1, 2], {})
    (True, False)
    """
    found, rest = parse_patterns(text, 1)
    if rest:
        raise WrongPattern(f"{quote(rest)} is unexpected after a pattern")
    return found[0]


def parse_patterns(text: str, most: int = 0) -> tuple[list[Pattern], str]:
    """Read patterns with commas between them, at most `most` if it is not 0; return them and the rest of the text."""
    reader = _Reader(text)
    found = [reader.read_either()]
    while len(found) != most and reader.takes(","):
        found.append(reader.read_either())
    return found, text[reader.place :].strip()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self._depth = 0

    def takes(self, sign: str) -> bool:
        """Return whether the next token is this one, and go past it."""
        found = _TOKEN.match(self.text, self.place)
        if found is None or found[0].strip() != sign:
            return False
        self.place = found.end()
        return True

    def read_either(self) -> Pattern:
        start = self.place
        choices = [self._read_near()]
        while self.takes("or"):
            choices.append(self._read_near())
        text = self.text[start : self.place].strip()
        return choices[0]._replace(text=text) if len(choices) == 1 else Pattern("either", choices, text)

    def _read_near(self) -> Pattern:
        found = self._read_one()
        if not self.takes("within"):
            return found
        tolerance = self._read_one()
        if found.kind not in ("literal", "name", "list") or not _KINDS["number"](tolerance.content):
            raise WrongPattern("'within' needs a value, a name or a list before it and a number after it")
        return Pattern("near", (found, float(tolerance.content)))

    def _read_one(self) -> Pattern:
        found = _TOKEN.match(self.text, self.place)
        if found is None:
            raise WrongPattern(f"a value is missing before {quote(self.text[self.place :].strip() or 'the end')}")
        start, self.place = self.place, found.end()
        try:
            return self._read_token(str(found.lastgroup), found[0].strip(), start)
        except (json.JSONDecodeError, re.error) as error:
            raise WrongPattern(f"{quote(found[0].strip()[:60])} cannot be read: {error}") from None

    def _read_token(self, group: str, token: str, start: int) -> Pattern:
        if group == "number":
            low = json.loads(token)
            if not self.takes("to"):
                return Pattern("literal", low)
            high = self._read_one()
            if high.kind != "literal" or not _KINDS["number"](high.content):
                raise WrongPattern("a number is missing after 'to'")
            return Pattern("range", (low, high.content))
        if group == "text":
            return Pattern("literal", json.loads(token))
        if group == "regex":
            return Pattern("regex", re.compile(token[1:-1].replace("\\/", "/")))
        if group == "word":
            if token in _CONSTANTS:
                return Pattern("literal", _CONSTANTS[token])
            if token in _KINDS or token[0] == "$":
                return Pattern("kind" if token in _KINDS else "name", token)
            raise WrongPattern(
                f"{quote(token)} is not a word of patterns: use {', '.join(_KINDS)}, or a name like $task"
            )
        if token in "[{" and self._depth < _MAX_DEPTH:
            self._depth += 1
            made = self._read_list() if token == "[" else self._read_map()
            self._depth -= 1
            return made
        raise WrongPattern(f"{quote(self.text[start:].strip()[:60])} is not a value")

    def _read_list(self) -> Pattern:
        items: list[Pattern] = []
        while not self.takes("]"):
            if items and not self.takes(","):
                raise WrongPattern(f"a comma or ] is missing in {quote(self.text)}")
            if self.takes("..."):
                items.append(Pattern("rest", None))
                continue
            item = self.read_either()
            items.append(Pattern("repeat", item) if self.takes("...") else item)
        if sum(item.kind in ("rest", "repeat") for item in items) > _MAX_DOTS:
            raise WrongPattern(f"a list has more than {_MAX_DOTS} times '...' in {quote(self.text)}")
        return Pattern("list", items)

    def _read_map(self) -> Pattern:
        items: dict[str, Pattern] = {}
        while not self.takes("}"):
            if items and not self.takes(","):
                raise WrongPattern(f"a comma or }} is missing in {quote(self.text)}")
            if self.takes("..."):
                items["..."] = Pattern("rest", None)
                continue
            key = self._read_one()
            if key.kind != "literal" or not self.takes(":"):
                raise WrongPattern(f"a map has texts, colons and values: {quote(self.text)}")
            items[str(key.content)] = self.read_either()
        return Pattern("map", items)


def _fits(pattern: Pattern, value: Any, names: dict[str, Any]) -> bool:
    kind, content = pattern.kind, pattern.content
    if kind == "literal":
        return _are_equal(content, value)
    if kind == "kind":
        return _KINDS[content](value)
    if kind == "range":
        return _KINDS["number"](value) and content[0] <= value <= content[1]
    if kind == "regex":
        return isinstance(value, str) and content.search(value) is not None
    if kind == "name":
        return _are_equal(names.setdefault(content, value), value)
    if kind == "near":
        return _are_near(content[0].make_value(names), value, content[1])
    if kind == "list":
        return isinstance(value, list | tuple) and _fit_items(content, value, names)
    if kind == "map":
        wanted = {key: each for key, each in content.items() if each.kind != "rest"}
        if not isinstance(value, dict) or not set(wanted) <= set(value) or len(wanted) == len(content) < len(value):
            return False
        return all(_fits(each, value[key], names) for key, each in wanted.items())
    return any(each.fits(value, names) for each in content)


def _fit_items(patterns: list[Pattern], values: Sequence[Any], names: dict[str, Any], begin: int = 0) -> bool:
    """Return whether the values, beginning with number `begin`, fit the patterns."""
    if not patterns:
        return begin == len(values)
    first, rest = patterns[0], patterns[1:]
    if first.kind not in ("rest", "repeat"):
        is_fitting = begin < len(values) and _fits(first, values[begin], names)
        return is_fitting and _fit_items(rest, values, names, begin + 1)
    for at in range(begin, len(values) + 1):
        tried = dict(names)
        if _fit_items(rest, values, tried, at):
            names.update(tried)
            return True
        if at < len(values) and first.kind == "repeat" and not _fits(first.content, values[at], names):
            return False
    return False


def _are_near(wanted: Any, value: Any, tolerance: float) -> bool:
    if isinstance(wanted, list | tuple) and isinstance(value, list | tuple):
        pairs = zip(wanted, value, strict=False)
        return len(wanted) == len(value) and all(_are_near(*pair, tolerance) for pair in pairs)
    return is_number(wanted) and is_number(value) and bool(abs(wanted - value) <= tolerance)


def _are_equal(wanted: Any, value: Any) -> bool:
    """Return whether values are equal and of the same type: 1, 1.0 and True are three values."""
    if isinstance(wanted, float) and isinstance(value, float):
        return math.isclose(wanted, value, rel_tol=_RELATIVE_ERROR, abs_tol=_RELATIVE_ERROR)
    if isinstance(wanted, list | tuple) and isinstance(value, list | tuple):
        return len(wanted) == len(value) and all(map(_are_equal, wanted, value))
    return type(wanted) is type(value) and bool(wanted == value)
