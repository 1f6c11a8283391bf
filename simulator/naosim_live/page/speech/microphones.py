"""All microphones of a page's server: so many recognisers at most, a ticket for each, and the door for their sound."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from importlib.util import find_spec

from ...voice.errors import VoiceError
from ...voice.names import ENGLISH_ALONE, LIBRARIES, OWN_LANGUAGE, best_installed
from ...voice.process.apart import RecogniserApart
from ..doors.asgi import App, Receive, Scope, Send
from ..shown_robot import ShownRobot
from . import sound_socket
from .browser_recogniser import BrowserRecogniser
from .listener import Listener

#: Recognisers at a time, a process of some 75 MB each, or 300 MB with Moonshine.
_MOST = max(4, 2 * (os.cpu_count() or 1))
#: Real seconds in which a ticket is used, and its bytes of chance.
_USED_WITHIN, _TICKET_BYTES = 20.0, 24

TOO_MANY = "{most} people are already speaking here. Type or tap your answers, and try the microphone again later."


class Microphones:
    """Listeners for browsers, each with a recogniser of its own."""

    def __init__(self, name: str = "", model: str = "", most: int = _MOST) -> None:
        """Listen by the recogniser of this name, with the folder of its model; by the best one here without a name."""
        self._name, self._model, self._most = name or best_installed(), model, most
        self._waiting: dict[str, Listener] = {}
        self._count = 0

    @property
    def missing(self) -> str:
        """Say in a sentence what has to be installed before NAO can hear, "" for nothing."""
        libraries, installed_by = LIBRARIES[self._name]
        if all(map(find_spec, libraries)):
            return ""
        return f"To speak with NAO, install {self._name}: pip install {installed_by}."

    async def admit(self, shown: ShownRobot, by_browser: bool = False) -> tuple[str, Listener]:
        """Make a listener and the ticket for its socket; raises VoiceError where it cannot be, or too many are.

        `by_browser` leaves it to the browser to write down what is said.
        """
        if self.missing:
            raise VoiceError(shown.texts(self.missing))
        if self._count >= self._most:
            raise VoiceError(shown.texts(TOO_MANY, most=self._most))
        self._count += 1
        is_english = by_browser or not self._model or self._name in ENGLISH_ALONE
        listener = Listener(
            shown, OWN_LANGUAGE if is_english else "", BrowserRecogniser if by_browser else RecogniserApart
        )
        try:
            await listener.recogniser.start(self._name, self._model)
        except BaseException:
            self._count -= 1
            raise
        ticket = secrets.token_urlsafe(_TICKET_BYTES)
        self._waiting[ticket] = listener
        asyncio.get_running_loop().call_later(_USED_WITHIN, self._expire, ticket)
        return ticket, listener

    async def serve(self, receive: Receive, send: Send) -> None:
        """Serve the socket of one microphone."""
        await receive()
        await send({"type": "websocket.accept"})
        listener = self._waiting.pop(await sound_socket.ticket(receive), None)
        if listener is None:
            with contextlib.suppress(RuntimeError, OSError):
                await send({"type": "websocket.close", "code": sound_socket.REFUSED})
            return
        listener.shown.microphones += 1
        try:
            await sound_socket.carry(listener, receive, send)
        finally:
            listener.shown.microphones -= 1
            await asyncio.shield(self._end(listener))

    async def close(self) -> None:
        """End what waits for its browser; sockets that are open end with the server."""
        waiting, self._waiting = list(self._waiting.values()), {}
        await asyncio.gather(*map(self._end, waiting))

    def _expire(self, ticket: str) -> None:
        listener = self._waiting.pop(ticket, None)
        if listener is not None:
            self._ending = asyncio.ensure_future(self._end(listener))

    async def _end(self, listener: Listener) -> None:
        self._count -= 1
        await listener.recogniser.end()


class SoundDoor:
    """An ASGI application in front of another one: sockets of microphones go to `microphones`."""

    def __init__(self, app: App, microphones: Microphones) -> None:
        self._app, self._microphones = app, microphones

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a microphone, or whatever else it is."""
        if scope["type"] == "websocket" and scope["path"] == sound_socket.PATH:
            await self._microphones.serve(receive, send)
        else:
            await self._app(scope, receive, send)
