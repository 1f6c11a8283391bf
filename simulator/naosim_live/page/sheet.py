"""The sheet that a browser gets: its panels in their places, each kept up to date by a task of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import cast

from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments

from naosim_live.hosting import RobotGone

from .panel import Panel, Rewinding, ShownT
from .shown import Shown

#: Real seconds between two looks of a panel that nothing happens on, and between two in any case.
_LOOKS_EVERY, _RESTS = 0.1, 0.02
#: The latest moment that an address names.
_LATEST = 1e7

log = logging.getLogger(__name__)


def build_sheet(shown: ShownT, makers: Sequence[Callable[[ShownT], Panel]]) -> None:
    """Fill the page of the browser that asks for it: as it is, or was at the moment that the address names."""
    # What is shown at another moment is of the same kind.
    shown = cast(ShownT, shown.at(_moment(ui.context.client.request.query_params.get("at", ""))))
    panels = [maker(shown) for maker in makers]
    sheet = ui.context.slot.parent
    alarm = ui.label().classes("alarm").props('role="alert"')
    for place in ("top", "stage"):
        _build_place(place, panels, shown)
    with ui.element("div").classes("beside"):
        _build_place("talk", panels, shown)
        if _build_place("aside", panels, shown):
            sheet.classes("sheet-wide")
    _build_place("tools", panels, shown)
    background_tasks.create(_warn(alarm, shown), name="alarm")


def _build_place(place: str, panels: Sequence[Panel], shown: Shown) -> bool:
    """Draw the panels that stand in a place, and return whether there are any."""
    here = [panel for panel in panels if panel.place == place]
    if here:
        with ui.element("div").classes(f"place place-{place}"):
            for number, panel in enumerate(here):
                _Section(panel, shown).build(place == "tools", number == 0)
    return bool(here)


def _moment(named: str) -> float | None:
    """Return the moment that an address names, in the robot's seconds, None for none."""
    try:
        moment = float(named)
    except ValueError:
        return None
    return moment if 0 <= moment < _LATEST else None


async def _warn(alarm: ui.label, shown: Shown) -> None:
    """Say that the robot has ended, until the browser is gone."""
    while not alarm.client.is_deleted and not shown.gone:
        await asyncio.sleep(_LOOKS_EVERY)
    if not alarm.is_deleted:
        alarm.set_text(shown.gone)


class _Section:
    """One panel with its heading; among the tools it is folded away until its heading is clicked."""

    def __init__(self, panel: Panel, shown: Shown) -> None:
        self._panel, self._shown = panel, shown
        self._is_open = True
        self._era = shown.era

    def build(self, folds: bool, is_first: bool) -> None:
        """Draw it, and keep it up to date while the browser is there."""
        heading = f"panel-{self._panel.title.lower().replace(' ', '-')}"
        section = ui.element("section").classes("panel").props(f'aria-labelledby="{heading}"')
        with section, ui.element("details" if folds else "div") as box:
            with ui.element("summary" if folds else "div"), ui.element("h2").props(f'id="{heading}"'):
                ui.label(self._shown.texts(self._panel.title))
            with ui.element("div").classes("panel-body") as body:
                self._panel.build()
        if folds:
            self._is_open = is_first
            box.props("open" if is_first else "")
            box.on("toggle", self._toggle, js_handler="(event) => emit(event.target.open)")
        background_tasks.create(self._keep(body), name=f"panel {self._panel.title}")

    def _toggle(self, event: GenericEventArguments) -> None:
        self._is_open = bool(event.args)

    def _rewind(self) -> None:
        """Have the panel begin anew if time has gone back."""
        if self._era != self._shown.era:
            self._era = self._shown.era
            if isinstance(self._panel, Rewinding):
                self._panel.rewind()

    async def _keep(self, body: ui.element) -> None:
        """Refresh the panel while it is open, until its browser is gone; one that fails is tried again later."""
        client, shown, seen = body.client, self._shown, -1
        while not client.is_deleted and not shown.gone:
            await shown.change(_LOOKS_EVERY, seen)
            seen = shown.changed
            if self._is_open and client.has_socket_connection:
                try:
                    with body:
                        self._rewind()
                        await self._panel.refresh()
                except RobotGone:
                    return
                except Exception:
                    if client.is_deleted:
                        return
                    log.exception("the panel %s failed", self._panel.title)
                    await asyncio.sleep(1.0)
            await asyncio.sleep(_RESTS)
