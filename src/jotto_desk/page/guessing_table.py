"""A game at the desk that a page shows: no robot, one game for all browsers that look at it. Knows no NiceGUI."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from naosim_live.page.shown import Shown

from .board_view import BoardView

#: Codes or words that fit, named at most.
_MOST_NAMED = 60
Found = TypeVar("Found")


class GuessingTable(Shown):
    """A game with a board; whatever takes long is worked out on another thread, one thing at a time.

    `said` is the last sentence of the game to the player.
    """

    title = ""
    #: What is guessed, for one and for several.
    things = ("word", "words")

    def __init__(self) -> None:
        super().__init__()
        self.said = ""
        self._thinking = asyncio.Lock()

    def board(self) -> BoardView:
        """Return the board."""
        raise NotImplementedError

    def objections(self, typed: str) -> str:
        """Say whether it can be this one, and if not, why not."""
        raise NotImplementedError

    def fitting(self) -> Sequence[str] | None:
        """List what fits all answers; None where that cannot be worked out."""
        raise NotImplementedError

    async def why_not(self, typed: str) -> str:
        """Say the same as `objections` does, on another thread."""
        return await self._think(lambda: self.objections(typed))

    async def left(self) -> tuple[str, Sequence[str]]:
        """Say how many fit, and name some of them in capitals."""
        found = await self._think(self.fitting)
        if found is None:
            return "There are too many to count.", ()
        thing = self.things[len(found) != 1]
        fit = "fits" if len(found) == 1 else "fit"
        return f"{len(found):,} {thing} {fit}.", [one.upper() for one in found[:_MOST_NAMED]]

    async def _think(self, work: Callable[[], Found]) -> Found:
        async with self._thinking:
            return await asyncio.to_thread(work)

    def say(self, sentence: Any) -> None:
        """Say something to the player, and have the page drawn anew."""
        self.said = str(sentence)
        self.tell()
