"""The buttons of the recording that every page of a robot has: to go to another moment, and to save it."""

from __future__ import annotations

import asyncio
import json
import math

from nicegui import ui

from ..recording import recording_file
from ..recording.recording import Recording
from ..texts import ENGLISH, Texts

FILE = "nao-recording.jsonl"
#: Whoever goes to another moment keeps the rest of the address.
_GO = "const page = new URL(location.href); page.searchParams.%s; location.assign(page.href);"


def go_to(moment: float) -> None:
    """Have the browser show the page as it was at a moment, in hundredths of a second and never before it."""
    ui.run_javascript(_GO % f'set("at", {json.dumps(f"{math.ceil(moment * 100) / 100:.2f}")})')


def go_to_now() -> None:
    """Have the browser show the page as it is."""
    ui.run_javascript(_GO % 'delete("at")')


def build_save(recording: Recording, texts: Texts = ENGLISH) -> None:
    """Draw the button that saves the recording up to now as a file."""

    async def save() -> None:
        found = await asyncio.to_thread(recording_file.content, recording.copy())
        ui.download.content(found, FILE, "application/jsonl")

    ui.button(texts("Save recording"), on_click=save).props("no-caps outline")


def extent(recording: Recording, texts: Texts = ENGLISH) -> str:
    """Say which moments a recording holds."""
    first = "" if recording.is_whole else " " + texts("The start was too long to keep.")
    return (
        texts(
            "This is a recording, from {begins} s to {ends} s.",
            begins=f"{recording.begins:.1f}",
            ends=f"{recording.ends:.1f}",
        )
        + first
    )
