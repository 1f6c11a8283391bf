"""Two rows of numbers: how many are in the right place, and how many in the wrong one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from nicegui.element import Element

from jotto.rules import Rules
from naosim_live.page.texts import ENGLISH, Texts

from .drawing import tagged

IN_PLACE, ELSEWHERE = "In the right place", "In the wrong place"


def draw_numbers(name: str, most: int, press: Callable[[int], Any], texts: Texts = ENGLISH) -> list[Element]:
    """Draw the numbers from 0 to `most` as a row of buttons."""
    buttons: list[Element] = []
    name = texts(name)
    with tagged("div", classes="taps number-row", role="group", aria_label=name):
        tagged("span", name, "taps-name", aria_hidden="true")
        for number in range(most + 1):
            button = tagged("button", str(number), "tap", type="button", aria_label=f"{name}: {number}")
            button.on("click", lambda _event, number=number: press(number))
            buttons.append(button)
    return buttons


class ScorePad:
    """The two rows; `say(exact, misplaced)` is called once both are chosen, or all are in place."""

    def __init__(self, rules: Rules, say: Callable[[int, int], Any], texts: Texts = ENGLISH) -> None:
        self._length, self._say, self._texts = rules.length, say, texts
        self._possible = set(rules.possible())
        self._chosen: dict[str, int] = {}
        self._rows: dict[str, list[Element]] = {}

    def build(self) -> None:
        """Draw it."""
        self._chosen = {}
        self._rows = {
            name: draw_numbers(name, self._length, functools.partial(self._choose, name), self._texts)
            for name in (IN_PLACE, ELSEWHERE)
        }

    def _choose(self, name: str, number: int) -> Any:
        self._chosen[name] = number
        exact, misplaced = self._chosen.get(IN_PLACE), self._chosen.get(ELSEWHERE)
        is_whole = exact is not None and (misplaced is not None or exact == self._length)
        if is_whole:
            self._chosen = {}
        self._mark()
        return self._say(exact or 0, misplaced or 0) if is_whole else None

    def _mark(self) -> None:
        """Show which number is chosen, and which others go with it."""
        for name, buttons in self._rows.items():
            other = self._chosen.get(ELSEWHERE if name == IN_PLACE else IN_PLACE)
            for number, button in enumerate(buttons):
                pair = (number, other) if name == IN_PLACE else (other, number)
                button.props["aria-pressed"] = "true" if self._chosen.get(name) == number else "false"
                button.props["disabled"] = other is not None and pair not in self._possible
