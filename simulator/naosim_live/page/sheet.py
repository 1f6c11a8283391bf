"""The sheet that a browser gets: its panels in their places, each kept up to date by a task of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from nicegui import Client, background_tasks, ui

from .panel import Panel, ShownT
from .shown import Shown

#: Real seconds between two looks of a panel that nothing happens on, and between two in any case.
LOOKS_EVERY, RESTS = 0.1, 0.02
STYLE = Path(__file__).with_name("page.css")
PLACES = ("stage", "talk", "tools")

log = logging.getLogger(__name__)


def build_sheet(shown: ShownT, makers: Sequence[Callable[[ShownT], Panel]], title: str) -> None:
    """Draw the page for the browser that asks for it."""
    ui.add_css(STYLE)
    ui.add_head_html('<meta name="color-scheme" content="light dark">')
    panels = [maker(shown) for maker in makers]
    with ui.element("main").classes("sheet"):
        with ui.element("h1").classes("sheet-title"):
            ui.label(title)
        for place in PLACES:
            with ui.element("div").classes(f"place place-{place}"):
                for panel in panels:
                    if panel.place == place:
                        _build(panel, shown)


def _build(panel: Panel, shown: Shown) -> None:
    """Draw one panel with its heading, and keep it up to date while the browser is there."""
    heading = f"panel-{panel.title.lower().replace(' ', '-')}"
    with ui.element("section").classes("panel").props(f'aria-labelledby="{heading}"') as section:
        with ui.element("h2").props(f'id="{heading}"'):
            ui.label(panel.title)
        with ui.element("div").classes("panel-body") as body:
            panel.build()
    background_tasks.create(_keep(section.client, body, panel, shown), name=f"panel {panel.title}")


async def _keep(client: Client, body: ui.element, panel: Panel, shown: Shown) -> None:
    """Refresh a panel until its browser is gone; one that fails is tried again a little later."""
    while not client.is_deleted:
        await shown.change(LOOKS_EVERY)
        if client.has_socket_connection:
            try:
                with body:
                    await panel.refresh()
            except Exception:
                if client.is_deleted:
                    return
                log.exception("the panel %s failed", panel.title)
                await asyncio.sleep(1.0)
        await asyncio.sleep(RESTS)
