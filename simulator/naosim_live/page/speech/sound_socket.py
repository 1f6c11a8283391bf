"""The socket of one microphone: a ticket first, then sound as 16-bit PCM, bounded in size and in rate.

A browser that writes down itself what is said sends text instead of sound.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time

import anyio

from ...voice.recogniser import RATE, WIDTH
from ..doors.asgi import Message, Receive, Send
from .listener import Listener

#: Where microphones send their sound.
PATH = "/_ears"
#: Characters of the ticket, real seconds for it to come, and bytes of a block of sound.
_LONGEST_TICKET, _TICKET_WITHIN, LONGEST_BLOCK = 64, 10.0, 16 * 1024
#: Characters of a text, and how many bytes of sound it counts for: ten texts a second are too many.
LONGEST_TEXT, _TEXT_COSTS = 4096, 3200
#: Sound that may come in a second, and at once, in bytes: clocks of sound cards are not quite true.
_MOST_A_SECOND, MOST_AT_ONCE = 1.1 * RATE * WIDTH, 3.0 * RATE * WIDTH
#: Codes of web sockets: a refusal, a message too large, the end of what it was for.
REFUSED, _TOO_LARGE, _ENDED = 1008, 1009, 1000


class SoundRate:
    """How much sound has come of late; more than real time makes is not taken in."""

    def __init__(self) -> None:
        self._left, self._at = MOST_AT_ONCE, time.monotonic()

    def takes(self, size: int) -> bool:
        """Tell whether so many bytes may be taken in now."""
        now = time.monotonic()
        self._left = min(MOST_AT_ONCE, self._left + (now - self._at) * _MOST_A_SECOND)
        self._at = now
        if size > self._left:
            return False
        self._left -= size
        return True


async def ticket(receive: Receive) -> str:
    """Return the ticket that a new socket brings, "" where it brings none."""
    with anyio.move_on_after(_TICKET_WITHIN):
        message = await receive()
        found = message.get("text") if message["type"] == "websocket.receive" else None
        return found if isinstance(found, str) and len(found) <= _LONGEST_TICKET else ""
    return ""


async def carry(listener: Listener, receive: Receive, send: Send) -> None:
    """Carry sound to a listener until either side ends; tell the browser when NAO listens."""

    async def tell(listens: bool) -> None:
        await send({"type": "websocket.send", "text": json.dumps({"listens": listens})})

    running = asyncio.create_task(listener.run(tell), name="listener")
    taking = asyncio.create_task(_take(listener, receive), name="microphone")
    try:
        await asyncio.wait((running, taking), return_when=asyncio.FIRST_COMPLETED)
        code = taking.result() if taking.done() else _ENDED
        if code is not None:
            with contextlib.suppress(RuntimeError, OSError):
                await send({"type": "websocket.close", "code": code})
    finally:
        for task in (running, taking):
            task.cancel()
        await asyncio.gather(running, taking, return_exceptions=True)


async def _take(listener: Listener, receive: Receive) -> int | None:
    """Take in sound; return the code with which the socket is closed, None when the browser has closed it."""
    rate = SoundRate()
    while True:
        message: Message = await receive()
        if message["type"] != "websocket.receive":
            return None
        block, text = message.get("bytes") or b"", message.get("text") or ""
        if len(block) > LONGEST_BLOCK or len(text) > LONGEST_TEXT:
            return _TOO_LARGE
        if block and rate.takes(len(block)):
            listener.feed(block)
        elif text and rate.takes(_TEXT_COSTS):
            listener.write(text)
