"""What people do on a page: an act that the robot refuses is answered with its sentence."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from nicegui import ui

#: Letters of a sentence that is shown.
LONGEST_SENTENCE = 300


async def acted(doing: Awaitable[Any]) -> Any:
    """Wait for an act, and return its result; show why there is none, and return None."""
    try:
        return await doing
    except RuntimeError as error:
        refuse(str(error))
        return None


def refuse(sentence: str) -> None:
    """Show why something is not done."""
    ui.notify(" ".join(sentence.split())[:LONGEST_SENTENCE], type="warning", position="top")
