"""Waiting for something at most so long, in a way that always ends when the one who waits is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

Result = TypeVar("Result")


async def within(seconds: float, awaited: Awaitable[Result]) -> Result:
    """Return what is awaited; cancel it after so many seconds, and raise asyncio.TimeoutError.

    `asyncio.wait_for` of Python 3.10 and 3.11 returns instead of being cancelled when what it waits for is done in the
    same turn of the loop: a task that waits again and again then never ends, and a server with it.
    """
    doing = asyncio.ensure_future(awaited)
    try:
        await asyncio.wait([doing], timeout=seconds)
        if not doing.done():
            raise asyncio.TimeoutError
        return doing.result()
    finally:
        if not doing.cancel() and not doing.cancelled():
            doing.exception()  # Seen, also if nobody waits for it any more.
