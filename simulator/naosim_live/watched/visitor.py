"""One client's connection through the gate: greeted first, then bytes are passed on both ways."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import Protocol

from naosim_live.libqi_protocol import DamagedMessage, MessageCheck, MessageSplitter

from .relay import Relay
from .robot_calls import Caller, RobotCalls
from .subscribers import knows_identities

#: Real seconds for a client's greeting, for the directory's answer to it, which may just be started again, for the
#: client's first question after that, and for a client that does not read to read on.
GREETS_WITHIN, ANSWERED_WITHIN, ASKS_WITHIN, READS_WITHIN = 5.0, 20.0, 20.0, 30.0


class _Porter(Protocol):
    """What a visitor tells of itself, and the calls that are answered for it."""

    calls: RobotCalls | None

    def came(self, visitor: Visitor) -> None:
        """Take in a client that has just connected."""

    def greeted(self, visitor: Visitor) -> None:
        """Have a client that has greeted led to the directory when it is its turn."""

    def opened(self, visitor: Visitor) -> None:
        """Note that the directory has answered a client."""

    def went(self, visitor: Visitor) -> None:
        """Forget a client."""


class Visitor(asyncio.Protocol):
    """A client: held at the gate until its greeting is complete and answered by the directory."""

    def __init__(self, porter: _Porter) -> None:
        self._porter = porter
        self._loop = asyncio.get_running_loop()
        self._check, self._answers = MessageCheck(), MessageSplitter()
        self._held = b""
        self._client: asyncio.Transport | None = None
        self._directory: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._relay: Relay | None = None
        self._has_greeted = self._is_open = self._has_asked = self._has_identities = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the greeting, for a while."""
        assert isinstance(transport, asyncio.Transport)
        self._client = transport
        self._end_within(GREETS_WITHIN)
        self._porter.came(self)

    def data_received(self, data: bytes) -> None:
        """Pass on what the client says; a damaged message ends the connection."""
        try:
            self._check.feed(data)
        except DamagedMessage:
            self.end()
            return
        if self._is_open and self._directory is not None:
            if not self._has_asked:
                self._has_asked = True
                self._stop_timer()
            self._directory.write(data)
            self._relay_on()
            return
        self._held += data
        if self._check.greeting and not self._has_greeted and self._client is not None:
            self._has_greeted = True
            self._client.pause_reading()
            self._end_within(ANSWERED_WITHIN)
            self._porter.greeted(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the way to the directory too."""
        if self._relay is not None:
            return
        self._stop_timer()
        self._client = None
        if self._directory is not None:
            self._directory.close()
        self._porter.went(self)

    def pause_writing(self) -> None:
        """Take in no more of what the directory says until the client reads on; it may not take for ever."""
        self._end_within(READS_WITHIN)
        if self._directory is not None:
            self._directory.pause_reading()

    def resume_writing(self) -> None:
        """Go on."""
        self._stop_timer()
        if self._directory is not None:
            self._directory.resume_reading()

    async def lead(self, port: int) -> None:
        """Lead the client to the directory."""
        try:
            await self._loop.create_connection(lambda: _ToDirectory(self), "127.0.0.1", port)
        except OSError:
            self.end()

    def reached(self, directory: asyncio.Transport) -> None:
        """Greet the directory in the client's words; what else the client has said waits for the answer."""
        if self._client is None:
            directory.close()
            return
        self._directory = directory
        self._has_identities = knows_identities(self._held[: self._check.greeting])
        directory.write(self._held[: self._check.greeting])
        self._held = self._held[self._check.greeting :]

    def answered(self, data: bytes) -> None:
        """Pass on what the directory says; its first words are the answer to the greeting."""
        if self._client is None or self._directory is None:
            return
        try:
            for _message in self._answers.split(data):
                pass
        except DamagedMessage:
            self.end()
            return
        if not self._is_open:
            self._is_open = True
            self._end_within(ASKS_WITHIN)
            self._porter.opened(self)
            self._directory.write(self._held)
            self._held = b""
            self._client.resume_reading()
        self._client.write(data)

    def hold(self, is_held: bool) -> None:
        """Take in no more of what the client says while the directory does not read."""
        if self._client is not None and not self._client.is_closing():
            (self._client.pause_reading if is_held else self._client.resume_reading)()

    def left(self) -> None:
        """End the connection when the directory has ended it; what it said last is still sent."""
        if self._client is not None and self._relay is None:
            self._client.close()

    def end(self) -> None:
        """End the connection at once, both ways."""
        if self._relay is not None:
            self._relay.end()
            return
        for transport in (self._client, self._directory):
            if transport is not None:
                transport.abort()

    def _relay_on(self) -> None:
        """Have threads pass on the messages from now on, where none is under way and nothing waits to be sent."""
        client, directory, calls = self._client, self._directory, self._porter.calls
        if client is None or directory is None or calls is None:
            return
        is_between = self._check.is_between and self._answers.is_between
        if not is_between or any(way.is_closing() or way.get_write_buffer_size() for way in (client, directory)):
            return
        try:
            self._relay = Relay(
                client.get_extra_info("socket"),
                directory.get_extra_info("socket"),
                READS_WITHIN,
                partial(Caller, calls, self._has_identities),
                self._went,
            )
        except OSError:
            return
        self._stop_timer()
        # The relay has the connections from here on: what ends here are the loop's own handles.
        for way in (client, directory):
            way.abort()

    def _went(self) -> None:
        """Forget the client, on the loop's thread; one that is closed has forgotten all of them."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._porter.went, self)

    def _end_within(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self._loop.call_later(seconds, self.end)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _ToDirectory(asyncio.Protocol):
    """The other half: the gate's connection to the directory."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._visitor.reached(transport)

    def data_received(self, data: bytes) -> None:
        self._visitor.answered(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._visitor.left()

    def pause_writing(self) -> None:
        self._visitor.hold(True)

    def resume_writing(self) -> None:
        self._visitor.hold(False)
