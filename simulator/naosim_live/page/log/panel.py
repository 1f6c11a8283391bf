"""The panel of the log: the trace, filtered by kind and by words, and saved as a file."""

from __future__ import annotations

from typing import Any

from nicegui import ui
from nicegui.element import Element

from naosim.world import Event

from ..latest_events import MOST_EVENTS
from ..shown_robot import ShownRobot
from .lines import GROUPS, INSIDE, group_of, passes, saved, text_of

#: Lines on the page; the file has all that are kept.
_MOST_LINES, _LONGEST_SOUGHT = 300, 100


class _LogLines(Element, component="lines.js"):
    """Lines of the log, drawn by the browser."""

    def __init__(self) -> None:
        super().__init__()
        self._props["most"] = _MOST_LINES

    def put(self, lines: list[list[Any]], anew: bool) -> None:
        """Add lines of time, group and text, or show these alone."""
        self.run_method("put", lines, anew)


class LogPanel:
    """The log of one robot, for one browser."""

    title, place = "Log", "tools"

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self._position = 0
        self._filter: tuple[set[str], str] = (set(), "")
        self._is_new = True

    def build(self) -> None:
        """Draw the filter and the lines."""
        with ui.element("div").classes("controls"):
            self._groups = (
                ui.select([*GROUPS, INSIDE], multiple=True, label="Only", on_change=self._anew)
                .props("outlined dense use-chips clearable")
                .classes("choice")
            )
            self._sought = ui.input("With the words", on_change=self._anew).props(
                f"outlined dense clearable maxlength={_LONGEST_SOUGHT}"
            )
            ui.button("Save", on_click=self._save).props('no-caps outline aria-label="Save the log as a file"')
        self._lines = _LogLines()

    def rewind(self) -> None:
        """Show the events up to another moment."""
        self._anew()

    async def refresh(self) -> None:
        """Add what has happened since, or show all anew for another filter."""
        anew, self._is_new = self._is_new, False
        if anew:
            self._position = 0
            self._filter = set(self._groups.value or ()), str(self._sought.value or "")[:_LONGEST_SOUGHT]
        self._position, events = self._shown.events(self._position)
        lines = [[event.time, group_of(event), text] for event, text in self._passing(events)]
        if lines or anew:
            self._lines.put(lines[-_MOST_LINES:], anew)

    def _passing(self, events: list[Event]) -> list[tuple[Event, str]]:
        worded = ((event, text_of(event)) for event in events)
        return [(event, text) for event, text in worded if passes(event, text, *self._filter)]

    def _anew(self) -> None:
        self._is_new = True

    def _save(self) -> None:
        events = self._shown.events(0)[1][-MOST_EVENTS:]
        ui.download.content(saved([event for event, _ in self._passing(events)]), "nao-log.jsonl")
