"""A field to wonder in: could it be this one, and if not, why not?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui

from naosim_live.page.texts import ENGLISH, Texts

from .drawing import tagged

#: Characters of what somebody wonders about.
_LONGEST = 30
EMPTY = "Type one, or click one."


class WonderField:
    """The field, a button and the answer; clicks elsewhere ask as well."""

    def __init__(self, answer: Callable[[str], Awaitable[str]], texts: Texts = ENGLISH) -> None:
        self._answer, self._texts = answer, texts

    def build(self) -> None:
        """Draw it."""
        with tagged("div", classes="spell"):
            self._field = (
                ui.input(self._texts("Could it be …?"))
                .classes("spell-field")
                .props(
                    f'maxlength={_LONGEST} autocomplete="off" autocapitalize="off" spellcheck="false" outlined dense'
                )
            )
            self._field.on("keydown.enter", self._ask_typed)
            tagged("button", self._texts("Why not?"), "tap tap-small", type="button").on("click", self._ask_typed)
        self._said = tagged("p", classes="game-status", role="status")

    async def ask(self, word: str) -> None:
        """Answer whether it could be this one."""
        word = word.strip()[:_LONGEST]
        self._said.set_text(await self._answer(word) if word else self._texts(EMPTY))

    async def _ask_typed(self) -> None:
        await self.ask(str(self._field.value or ""))
