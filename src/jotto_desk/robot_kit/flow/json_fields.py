"""Reading one JSON object strictly: every field named, typed and bounded, and none left over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import FlowRefused

LONGEST_TEXT = 500
MOST_ITEMS = 400
FARTHEST = 100_000
#: What fits the robot's 32 bits.
LARGEST = 2_147_483_647


class Fields:
    """One JSON object being read; `where` names it in messages."""

    def __init__(self, record: Any, where: str) -> None:
        if not isinstance(record, dict):
            raise FlowRefused(f"{where} is {_shown(record)}; write an object in curly braces there.")
        self._left: dict[str, Any] = dict(record)
        self._where = where

    def text(self, name: str, default: str | None = None) -> str:
        """Read a text of at most 500 characters without control characters other than a line break."""
        value = self._take(name, default)
        if not isinstance(value, str) or len(value) > LONGEST_TEXT or any(c < " " and c != "\n" for c in value):
            raise self._wrong(name, value, f"a text of at most {LONGEST_TEXT} characters")
        return value

    def one_of(self, name: str, choices: Mapping[str, int]) -> str:
        """One of the given names."""
        value = self._take(name, None)
        if not isinstance(value, str) or value not in choices:
            raise self._wrong(name, value, "one of " + ", ".join(choices))
        return value

    def whole(self, name: str) -> int:
        """Read a whole number between -100000 and 100000."""
        value = self._take(name, None)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > FARTHEST:
            raise self._wrong(name, value, f"a whole number from -{FARTHEST} to {FARTHEST}")
        return value

    def number(self, name: str) -> float | None:
        """Read a number, or None where the field is absent."""
        value = self._left.pop(name, None)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
            raise self._wrong(name, value, f"a number from -{LARGEST} to {LARGEST}")
        return value

    def truth(self, name: str) -> bool:
        """Read true or false; false where the field is absent."""
        value = self._take(name, False)
        if not isinstance(value, bool):
            raise self._wrong(name, value, "true or false")
        return value

    def value(self, name: str) -> bool | int | float | str:
        """Read true or false, a number or a text."""
        if isinstance(self._left.get(name), str):
            return self.text(name)
        value = self._take(name, None)
        if not isinstance(value, int | float) or not abs(value) <= LARGEST:
            raise self._wrong(name, value, "a text, a number, true or false")
        return value

    def items(self, name: str) -> list[Any]:
        """Read a list of at most 400 items; empty where the field is absent."""
        value = self._take(name, [])
        if not isinstance(value, list) or len(value) > MOST_ITEMS:
            raise self._wrong(name, value, f"a list of at most {MOST_ITEMS} items")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Read a list of texts."""
        return tuple(Fields({name: item}, self._where).text(name) for item in self.items(name))

    def done(self) -> None:
        """Refuse unknown fields, which are mostly misspelt ones."""
        for name in self._left:
            raise FlowRefused(f'{self._where} has a field "{name}" that means nothing here; correct or remove it.')

    def _take(self, name: str, default: Any) -> Any:
        value = self._left.pop(name, default)
        if value is None:
            raise FlowRefused(f'{self._where} has no field "{name}"; add it.')
        return value

    def _wrong(self, name: str, value: Any, wanted: str) -> FlowRefused:
        return FlowRefused(f'{self._where} has "{name}": {_shown(value)}; write {wanted}.')


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
