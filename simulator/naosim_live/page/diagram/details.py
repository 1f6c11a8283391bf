"""What a person asks of one box: its parameters, resources, script and errors. Every text is set as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from nicegui import ui

from .drawing import KINDS


def build_details(told: dict[str, Any], open_box: Callable[[], object] | None, close: Callable[[], object]) -> None:
    """Draw the details of a box inside the slot that is open; `open_box` leads to its diagram, if it has one."""
    with ui.element("div").classes("diagram-bar"):
        with ui.element("h3").classes("diagram-trail"):
            ui.label(told["name"] or "root")
        if open_box is not None:
            ui.button("Open", on_click=open_box).props(
                'no-caps outline padding="2px 8px" aria-label="Open the diagram of the box"'
            )
        ui.button("Close", on_click=close).props(
            'no-caps flat padding="2px 8px" aria-label="Close the details of the box"'
        )
    ui.label(f"{KINDS.get(told['kind'], 'box')}, {told['path']}").classes("diagram-note")
    if told["tooltip"]:
        ui.label(told["tooltip"])
    _errors(told)
    _parameters(told["parameters"])
    _list("Resources", (f"{name}: {kind}{_waits(timeout)}" for name, kind, timeout in told["resources"]))
    _list("Dialog", [told["dialog"]] if told["dialog"] else [])
    if told["script"]:
        _script(told)


def _errors(told: dict[str, Any]) -> None:
    lines = [
        f"{time:.1f} s, {where}: {message}{' (handled by onError)' if handled else ''}"
        for time, where, message, handled in told["errors"]
    ]
    _list("Errors", lines, "diagram-error")
    _list("What the lint says", (f"{severity}: {sentence}" for severity, _, sentence in told["lint"]))


def _parameters(rows: Iterable[dict[str, Any]]) -> None:
    rows = list(rows)
    if not rows:
        return
    _heading("Parameters")
    with ui.element("table"), ui.element("tbody"):
        for row in rows:
            with ui.element("tr"):
                with ui.element("th").props('scope="row"'):
                    ui.label(row["name"])
                with ui.element("td"):
                    ui.label(_value(row["value"]))
                with ui.element("td").classes("diagram-note"):
                    ui.label(row["type"] + (", from the box around it" if row["inherits"] else ""))


def _script(told: dict[str, Any]) -> None:
    _heading("Script")
    with ui.element("pre").classes("diagram-script").props('tabindex="0" role="region" aria-label="Script"'):
        ui.label(told["script"])
    if told["is_cut"]:
        ui.label("The rest of the script is not shown.").classes("diagram-note")


def _list(heading: str, lines: Iterable[str], style: str = "") -> None:
    lines = list(lines)
    if lines:
        _heading(heading)
        with ui.element("ul").classes(style):
            for line in lines:
                with ui.element("li"):
                    ui.label(line)


def _heading(text: str) -> None:
    with ui.element("h4"):
        ui.label(text)


def _value(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _waits(timeout: int) -> str:
    return ", waits until it is free" if timeout < 0 else f", waits {timeout} s" if timeout else ""
