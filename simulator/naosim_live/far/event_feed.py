"""The events of a far robot, by the first transport that works with it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from naosim.compat import quoted
from naosim.errors import NaosimError

from .connection import ONE_CALL, Connection
from .event_transports import TRANSPORTS, Deliver


class EventFeed:
    """Events of ALMemory by the first transport that works; `deliver(event, value)` is called on any thread.

    `wanted` is auto or one of TRANSPORTS; `tell` is called with a sentence when a transport does not work.
    """

    def __init__(
        self,
        connection: Connection,
        deliver: Deliver,
        wanted: str = "auto",
        tell: Callable[[str], object] = lambda _sentence: None,
    ) -> None:
        if wanted != "auto" and wanted not in TRANSPORTS:
            raise NaosimError(f"There is no transport {quoted(wanted[:40])}: use auto, {', '.join(TRANSPORTS)}.")
        self._connection = connection
        self._tell = tell
        self._guard = threading.RLock()
        names = list(TRANSPORTS) if wanted == "auto" else [wanted]
        self._transports = [(name, TRANSPORTS[name](connection, deliver)) for name in names]
        self._open: set[str] = set()
        connection.on_back.append(self._restore)

    @property
    def transport(self) -> str:
        """Return the name of the transport in use."""
        return self._transports[0][0]

    @property
    def is_open(self) -> bool:
        """Return whether any event is listened to."""
        return bool(self._open)

    def open(self, event: str) -> None:
        """Have an event delivered from now on; raises RuntimeError when no transport can."""
        while True:
            try:
                with self._guard:
                    self._open_now(event)
                    self._open.add(event)
                return
            except RuntimeError as error:
                self._await_robot(error)

    def close(self, event: str) -> None:
        """End the delivery of an event; a robot that refuses or is gone has ended it already."""
        with self._guard:
            if event in self._open:
                self._open.discard(event)
                with contextlib.suppress(RuntimeError, KeyError):
                    self._transports[0][1].close(event)

    def end(self) -> None:
        """End every delivery and every transport."""
        with self._guard:
            for event in sorted(self._open):
                self.close(event)
            for _, transport in self._transports:
                transport.end()

    def _open_now(self, event: str) -> None:
        while True:
            name, transport = self._transports[0]
            try:
                transport.open(event)
                return
            except RuntimeError as error:
                if self._connection.is_loss(error) or len(self._transports) == 1:
                    raise
                refusal = str(error).strip().splitlines()[-1][:100]
            self._change(name, refusal)

    def _change(self, name: str, refusal: str) -> None:
        """Change to the next transport, with everything that is open."""
        transport = self._transports.pop(0)[1]
        self._tell(f"The robot does not tell events by {name} ({refusal}); going on by {self.transport}.")
        for event in self._open:
            with contextlib.suppress(RuntimeError, KeyError):
                transport.close(event)
        transport.end()
        for event in sorted(self._open):
            self._open_now(event)

    def _await_robot(self, error: RuntimeError) -> None:
        """Wait for a robot that went away; raises the error for one that refuses, or does not come back."""
        if not self._connection.is_loss(error) or not self._connection.is_back(self._connection.patience + ONE_CALL):
            raise error

    def _restore(self) -> None:
        with self._guard:
            for _, transport in self._transports:
                transport.forget()
            for event in sorted(self._open):
                self._open_now(event)
