"""The gate: the port that clients connect to. It bounds what reaches libqi, which has no bounds of its own.

libqi answers each greeting on two threads of its event loop, of which the first waits for the second. With as many
greetings at once as it has threads, all of them wait, for ever. So only a few clients greet at a time here, and those
that do not greet, or send what is no message, never reach libqi.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections import deque

from naosim.errors import NaosimError
from naosim_live.libqi_protocol import Address, explain_refusal

from .robot_calls import RobotCalls
from .visitor import Visitor

#: Clients at once, those of them that have not greeted yet, those that the directory is just greeting, and those that
#: come in a second; the others wait.
MOST_VISITORS, MOST_SILENT, MOST_GREETING, _MOST_A_SECOND = 200, 64, 4, 200
#: Connections that the system keeps waiting, and real seconds until a port without resources is tried again.
_BACKLOG, _TRIES_AGAIN_AFTER = 128, 0.1
_ENDS_WITHIN, _ROUNDS = 2.0, 3


class Gate:
    """Listens at an address on a thread of its own; clients that have greeted are led to the directory behind it."""

    def __init__(self, address: Address) -> None:
        """Listen, and let clients wait until there is a directory; raises NaosimError."""
        self._listener = _listening(address)
        self.port: int = self._listener.getsockname()[1]
        self._loop = asyncio.new_event_loop()
        self._directory: int | None = None
        self.calls: RobotCalls | None = None
        self._visitors: dict[Visitor, None] = {}
        self._silent: dict[Visitor, None] = {}
        self._waiting: deque[Visitor] = deque()
        self._greeting: dict[Visitor, asyncio.Task[None]] = {}
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="naosim-gate", daemon=True)
        self._thread.start()

    def lead_to(self, port: int | None, calls: RobotCalls | None = None) -> None:
        """Lead clients to the directory at this port of this computer, or let them wait where there is None.

        The calls are those that are answered here.
        """

        def change() -> None:
            self._directory, self.calls = port, calls
            self._lead_on()

        self._loop.call_soon_threadsafe(change)

    def close(self) -> None:
        """End every connection."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(_ENDS_WITHIN)

    # What visitors tell.

    def came(self, visitor: Visitor) -> None:
        """Take in a client; of too many silent ones, the one that has been silent for longest goes."""
        self._visitors[visitor] = self._silent[visitor] = None
        if len(self._silent) > MOST_SILENT:
            next(iter(self._silent)).end()

    def greeted(self, visitor: Visitor) -> None:
        """Lead a client that has greeted to the directory, when it is its turn."""
        self._silent.pop(visitor, None)
        self._waiting.append(visitor)
        self._lead_on()

    def opened(self, visitor: Visitor) -> None:
        """Note that a client is through."""
        self._greeting.pop(visitor, None)
        self._lead_on()

    def went(self, visitor: Visitor) -> None:
        """Forget a client."""
        self._visitors.pop(visitor, None)
        self._silent.pop(visitor, None)
        with contextlib.suppress(ValueError):
            self._waiting.remove(visitor)
        self.opened(visitor)

    def _lead_on(self) -> None:
        while self._directory is not None and self._waiting and len(self._greeting) < MOST_GREETING:
            visitor = self._waiting.popleft()
            self._greeting[visitor] = self._loop.create_task(visitor.lead(self._directory))

    def _run(self) -> None:
        with contextlib.closing(self._loop), self._listener:
            asyncio.set_event_loop(self._loop)
            self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        """Serve until the gate is closed, then end every connection."""
        admitting = self._loop.create_task(self._admit())
        await self._closing.wait()
        tasks = [admitting, *self._greeting.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for visitor in list(self._visitors):
            visitor.end()
        # The loop carries out the ends of connections in its next rounds.
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)

    async def _admit(self) -> None:
        """Accept clients, so many a second."""
        while True:
            try:
                connection, _ = await self._loop.sock_accept(self._listener)
            except OSError:
                await asyncio.sleep(_TRIES_AGAIN_AFTER)
                continue
            if len(self._visitors) >= MOST_VISITORS:
                connection.close()
            else:
                await self._loop.connect_accepted_socket(lambda: Visitor(self), connection)
            await asyncio.sleep(1 / _MOST_A_SECOND)


def _listening(address: Address) -> socket.socket:
    listener = None
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(_BACKLOG)
        listener.setblocking(False)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise NaosimError(explain_refusal(address, error.errno)) from None
    return listener
