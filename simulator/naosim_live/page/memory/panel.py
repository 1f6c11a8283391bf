"""The panel of ALMemory: its keys, searched and watched, with their values as they change."""

from __future__ import annotations

import json
import time
from typing import Any

from nicegui import ui
from nicegui.element import Element

from ..acts import acted, refuse
from ..shown_robot import ShownRobot

#: Rows of the table, letters of a value, of a key, and of what is typed.
_MOST_ROWS, _LONGEST_VALUE, _LONGEST_KEY, _LONGEST_TYPED = 60, 200, 200, 2000
#: Real seconds between two looks at the values, and at the list of keys.
_LOOKS_EVERY, _LISTS_EVERY = 0.25, 2.0
#: What is shown before anybody searches: the robot has hundreds of keys of its devices.
_DEVICES = "Device/"


class _KeyTable(Element, component="keys.js"):
    """Keys with their values; a click on the star of a key watches it."""

    def put(self, rows: list[list[Any]]) -> None:
        """Show these rows: key, value, whether it is watched, and whether it has just changed."""
        self.run_method("put", rows)


class MemoryPanel:
    """The memory of one robot, for one browser."""

    title, place = "Memory", "tools"

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self._watched: list[str] = []
        self._keys: list[str] = []
        self._values: dict[str, str] = {}
        self._rows: list[list[Any]] = []
        self._looked = self._listed = 0.0

    def build(self) -> None:
        """Draw the search, the table and the fields to set a value."""
        self._search = ui.input("Search keys", on_change=self._search_anew).props(
            f"outlined dense clearable maxlength={_LONGEST_KEY}"
        )
        self._table = _KeyTable()
        self._table.on("watch", self._watch)
        self._count = ui.label().classes("faint")
        with ui.element("div").classes("controls"):
            self._key = ui.input("Key").props(f"outlined dense maxlength={_LONGEST_KEY}").classes("grow")
            self._value = (
                ui.input("Value, as JSON or text").props(f"outlined dense maxlength={_LONGEST_TYPED}").classes("grow")
            )
            ui.button("Set", on_click=lambda: self._store("insertData")).props("no-caps outline")
            ui.button("Raise event", on_click=lambda: self._store("raiseEvent")).props("no-caps outline")

    async def refresh(self) -> None:
        """Look at the values some times a second, and at the list of keys now and then."""
        now = time.monotonic()
        if now - self._looked < _LOOKS_EVERY:
            return
        self._looked = now
        if now - self._listed > _LISTS_EVERY:
            self._listed = now
            self._keys = await self._shown.call("ALMemory", "getDataListName")
        keys = self._wanted()
        values = await self._shown.call("ALMemory", "getListData", keys)
        self._show(keys, [_value_text(value) for value in values])

    def _wanted(self) -> list[str]:
        """List the keys to show: those watched, then those that fit the search."""
        sought = str(self._search.value or "").lower()
        fitting = [
            key
            for key in self._keys
            if key not in self._watched and (sought in key.lower() if sought else not key.startswith(_DEVICES))
        ]
        shown = (self._watched + fitting)[:_MOST_ROWS]
        self._count.set_text(
            f"{len(self._watched) + len(fitting)} of {len(self._keys)} keys match; showing {len(shown)}."
        )
        return shown

    def _show(self, keys: list[str], values: list[str]) -> None:
        before = self._values
        self._values = dict(zip(keys, values, strict=False))
        rows = [
            [key[:_LONGEST_KEY], value, key in self._watched, key in before and before[key] != value]
            for key, value in self._values.items()
        ]
        if rows != self._rows:
            self._rows = rows
            self._table.put(rows)

    def _search_anew(self) -> None:
        self._listed = self._looked = 0.0

    def _watch(self, event: Any) -> None:
        key = str(event.args)[:_LONGEST_KEY]
        if key in self._watched:
            self._watched.remove(key)
        elif len(self._watched) < _MOST_ROWS // 2:
            self._watched.append(key)
        self._looked = 0.0

    async def _store(self, method: str) -> None:
        key = str(self._key.value or "").strip()[:_LONGEST_KEY]
        if not key:
            refuse("Name the key first.")
            return
        await acted(self._shown.call("ALMemory", method, key, _typed_value(str(self._value.value or ""))))
        self._search_anew()


def _typed_value(text: str) -> Any:
    """Return the value that was typed: JSON, or else the text itself.

    >>> _typed_value("[1, true]"), _typed_value("hello"), _typed_value('"3"')
    ([1, True], 'hello', '3')
    """
    try:
        return json.loads(text[:_LONGEST_TYPED])
    except (ValueError, RecursionError):
        return text[:_LONGEST_TYPED]


def _value_text(value: Any) -> str:
    """Write a value on one line, shortened; bytes by their number.

    >>> _value_text({"a": b"xx"})
    '{"a": "<2 bytes>"}'
    """
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    text = json.dumps(value, ensure_ascii=False, default=_value_text)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
