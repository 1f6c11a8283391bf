"""What people do on a page: an act that the robot refuses is answered with its sentence."""

from __future__ import annotations

import math
from collections.abc import Awaitable
from typing import Any

from nicegui import ui

#: Letters of a sentence that is shown.
_LONGEST_SENTENCE = 300


async def acted(doing: Awaitable[Any]) -> Any:
    """Wait for an act, and return its result; show why there is none, and return None."""
    try:
        return await doing
    except RuntimeError as error:
        refuse(str(error))
        return None


def refuse(sentence: str) -> None:
    """Show why something is not done."""
    ui.notify(" ".join(sentence.split())[:_LONGEST_SENTENCE], type="warning", position="top")


def number(told: Any, low: float, high: float) -> float:
    """Return a number that a browser told within its limits, the lowest for what is none.

    >>> number(3, 0, 2), number("x", 0, 2), number(float("nan"), 0, 2)
    (2, 0, 0)
    """
    if isinstance(told, bool) or not isinstance(told, int | float) or math.isnan(told):
        return low
    return min(max(told, low), high)
