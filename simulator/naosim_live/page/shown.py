"""What a page shows, as far as every page knows it: something that changes, and may come to an end."""

from __future__ import annotations

import asyncio

import anyio

from .texts import ENGLISH, Texts


class Shown:
    """Something that changes while browsers look at it; used on one asyncio loop, from `open` on.

    `changed` grows with every change, `era` whenever time goes back, and `gone` says in a sentence why there will be no
    more. `texts` are those of its page.
    """

    texts: Texts = ENGLISH

    def __init__(self) -> None:
        self.changed = 0
        self.gone = ""
        self.era = 0
        self._change = asyncio.Event()

    async def open(self) -> None:
        """Begin to change."""

    def at(self, moment: float | None) -> Shown:
        """Return what one browser sees, who may ask for an earlier moment: the same, where none is kept."""
        del moment
        return self

    async def change(self, within: float, seen: int) -> None:
        """Wait until `changed` is no longer what was seen of it, so many seconds at most."""
        if self.changed != seen:
            return
        # Before Python 3.12 asyncio's `wait_for` loses a cancel that comes together with the change.
        with anyio.move_on_after(within):
            await self._change.wait()

    def tell(self) -> None:
        """Wake everything that waits for a change."""
        self.changed += 1
        change, self._change = self._change, asyncio.Event()
        change.set()
