"""The frame of every page that is sent: styles, heading, and the notice of a lost connection."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui
from nicegui.element import Element

_STYLE = Path(__file__).with_name("page.css")
#: A lost connection is said by NiceGUI's own notice, which screen readers are to read out.
HEAD = """<meta name="color-scheme" content="light dark">
<script>addEventListener("DOMContentLoaded", () => document.getElementById("popup")?.setAttribute("role", "alert"));
</script>"""


def build_frame(title: str) -> Element:
    """Begin the page for the browser that asks for it, and return its main part."""
    ui.add_css(_STYLE)
    ui.add_head_html(HEAD)
    ui.colors(primary="var(--accent)")
    # NiceGUI has put everything into a landmark of its own, a <main>.
    with ui.element("div").classes("sheet") as main, ui.element("h1").classes("sheet-title"):
        ui.label(title)
    return main
