"""A game at the desk that a page shows: no robot, one game for all browsers that look at it. Knows no NiceGUI."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from jotto_desk.play.page.tables import CodeTable, GuessingTable, WordleTable
from naosim_live.page.shown import Shown

Found = TypeVar("Found")
TableT = TypeVar("TableT", bound=GuessingTable)


class ShownTable(Shown, Generic[TableT]):
    """A table as browsers see it; whatever takes long is worked out on another thread, one thing at a time."""

    def __init__(self, table: TableT) -> None:
        super().__init__()
        self.table = table
        self._thinking = asyncio.Lock()

    async def think(self, work: Callable[[], Found]) -> Found:
        """Return the result of some work, done on another thread."""
        async with self._thinking:
            return await asyncio.to_thread(work)

    def act(self, act: Callable[[], object]) -> None:
        """Do something at the table, and have the page drawn again."""
        act()
        self.tell()

    async def why_not(self, typed: str) -> str:
        """Return whether it can be this one, and if not, why not."""
        return await self.think(lambda: self.table.objections(typed))

    async def left(self) -> tuple[str, Sequence[str]]:
        """Return how many fit, and some of them in capitals."""
        return await self.think(self.table.left)


class ShownCodeTable(ShownTable[CodeTable]):
    """Mastermind as browsers see it."""

    async def begin(self) -> None:
        """Have the computer make its first guess, if that is still to come."""
        if self.table.is_first:
            await self.think(self.table.think)
            self.tell()

    async def answer(self, exact: int, misplaced: int) -> None:
        """Answer the computer's guess."""
        await self.think(lambda: self.table.answer(exact, misplaced))
        self.tell()


ShownWordleTable = ShownTable[WordleTable]
