"""Speech recognition for a page: a browser sends sound through a web socket, and NAO hears the phrases in it.

The server sends {"ready": true}, or closes the socket with a sentence. Then it sends {"listens": true or false}; while
that is true, the browser sends sound as 16-bit PCM at 16 kHz. A browser that cancels echo does so while "stops" is
true, too: "NAO, stop" then ends NAO's sentence. "trouble" says why NAO does not hear, with "{language}" for the
language that NAO speaks.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from importlib.util import find_spec
from typing import Any

from naosim.errors import install_command
from naosim.remote import pack_value
from naosim_page.access import Message, Receive, Send
from naosim_page.relay import Relay
from naosim_voice import recogniser
from naosim_voice.model import best_installed, is_native, list_languages
from naosim_voice.process import RecogniserApart

#: Recognisers at a time: each is a process of about 75 MB, or 300 MB with Moonshine.
_MAX_RECOGNISERS = max(4, 2 * (os.cpu_count() or 1))
#: Seconds between two looks at NAO's vocabulary.
_LOOK_INTERVAL_S = 0.1
#: Bytes of a block of sound.
MAX_BLOCK_BYTES = 16 * 1024
#: Sound per second and in one burst, in bytes: clocks of sound cards are not exact.
_BYTES_PER_S, MAX_BYTES_AT_ONCE = 1.1 * recogniser.RATE * recogniser.WIDTH, 3.0 * recogniser.RATE * recogniser.WIDTH
#: Seconds for which NAO listens to a microphone of which it gets less than a second of sound.
_MAX_SILENCE_S = 20.0
#: WebSocket's codes: refused, a message is too large or no sound, the end.
_REFUSED, _TOO_LARGE, _ENDED = 1008, 1009, 1000
#: Bytes of the reason with which a web socket is closed.
_MAX_REASON_BYTES = 120
ENGINE = "ALSpeechRecognition"
_ENGLISH = "en"
#: Engines that report the language for which they listen.
_TELLING = (ENGINE, "ALDialog")
#: The voice activity detector's setting of an engine that does not report it.
_SENSITIVITY = 0.5
FOREIGN = "NAO does not understand spoken {language} here. Type or tap your answers."
SPELLED = "NAO does not understand letters in {language} here. Type or tap your guess."
SILENT = "No sound came from this microphone. Press it again to speak with NAO."
TOO_MANY = "Too many people are speaking here. Type or tap your answers, and try again later."


class Ears:
    """The microphones of all browsers at one robot."""

    def __init__(
        self, name: str = "", most: int = _MAX_RECOGNISERS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Use the recogniser of this name, by default the best one that is installed; `clock` returns seconds."""
        self._name, self._most, self._clock = name or best_installed(), most, clock
        self._count = 0

    @property
    def missing(self) -> str:
        """The sentence that says what to install before NAO can hear; empty if all is installed."""
        kind = recogniser.RECOGNISERS[self._name]
        if all(map(find_spec, kind.libraries)):
            return ""
        return f"To speak with NAO, install {self._name}: {install_command(kind.extra)}"

    async def serve(self, relay: Relay, receive: Receive, send: Send) -> None:
        """Serve the socket of one microphone until it ends."""
        await receive()
        await send({"type": "websocket.accept"})
        try:
            code, reason = await self._listen(relay, receive, send)
        except recogniser.VoiceError as error:
            code, reason = _REFUSED, str(error)
        with contextlib.suppress(RuntimeError, OSError):
            await send({"type": "websocket.close", "code": code, "reason": _shorten(reason)})

    async def _listen(self, relay: Relay, receive: Receive, send: Send) -> tuple[int, str]:
        if self.missing:
            raise recogniser.VoiceError(self.missing)
        if self._count >= self._most:
            raise recogniser.VoiceError(TOO_MANY)
        listener = Listener(relay, list_languages(self._name), self._clock)
        self._count += 1
        try:
            await listener.recogniser.start(self._name)
            await send(_text({"ready": True}))
            return await _carry(listener, receive, send)
        finally:
            self._count -= 1
            await asyncio.shield(listener.recogniser.end())


async def _carry(listener: Listener, receive: Receive, send: Send) -> tuple[int, str]:
    """Carry sound to a listener until either side ends; return the code and the reason of the end."""
    running = asyncio.create_task(listener.run(lambda told: send(_text(told))), name="listener")
    taking = asyncio.create_task(_take(listener, receive), name="microphone")
    try:
        await asyncio.wait((running, taking), return_when=asyncio.FIRST_COMPLETED)
        return (taking.result(), "") if taking.done() else (_ENDED, listener.trouble)
    finally:
        for task in (running, taking):
            task.cancel()
        await asyncio.gather(running, taking, return_exceptions=True)


async def _take(listener: Listener, receive: Receive) -> int:
    """Take in sound; return the code with which the socket is closed."""
    rate = SoundRate()
    while True:
        message: Message = await receive()
        if message["type"] != "websocket.receive":
            return _ENDED
        block = message.get("bytes") or b""
        if len(block) > MAX_BLOCK_BYTES or message.get("text"):
            return _TOO_LARGE
        if block and rate.takes(len(block)):
            listener.feed(block)


class SoundRate:
    """The amount of recent sound; more than real time makes is dropped."""

    def __init__(self) -> None:
        self._left, self._at = MAX_BYTES_AT_ONCE, time.monotonic()

    def takes(self, size: int) -> bool:
        """Return whether `size` bytes can be taken in now."""
        now = time.monotonic()
        self._left = min(MAX_BYTES_AT_ONCE, self._left + (now - self._at) * _BYTES_PER_S)
        self._at = now
        if size > self._left:
            return False
        self._left -= size
        return True


class Silence:
    """The time for which NAO has listened to a microphone without a second of its sound."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._at, self._seconds, self._bytes = clock(), 0.0, 0

    def end(self, size: int) -> None:
        """Count bytes of sound; a second of it ends the silence."""
        self._bytes += size
        if self._bytes >= recogniser.RATE * recogniser.WIDTH:
            self._seconds, self._bytes = 0.0, 0

    def lasts_too_long(self, listens: bool) -> bool:
        """Return whether there was too little sound, after NAO has listened since the last call, or has not."""
        now = self._clock()
        self._seconds += now - self._at if listens else 0.0
        self._at = now
        return self._seconds > _MAX_SILENCE_S


class Listener:
    """One microphone's way to the robot: the recogniser listens while NAO does."""

    def __init__(
        self, relay: Relay, languages: Mapping[str, str] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Listen for the robot's phrases in these languages, NAOqi's names by their codes; None: all is English."""
        self._relay, self._languages = relay, languages
        self._silence = Silence(clock)
        self.recogniser = RecogniserApart(self._take)
        #: The reason why NAO does not hear something.
        self.trouble = ""
        #: NAOqi's name of the language that NAO speaks.
        self._language = ""
        #: The phrases whose language is known, and the code of a language that is understood.
        self._asked: tuple[tuple[str, ...], str | None] = (), _ENGLISH
        self._engine: str | None = None
        self._wanted: recogniser.Vocabulary | None = None
        self._acts: set[asyncio.Task[None]] = set()

    @property
    def listens(self) -> bool:
        """Return whether NAO listens to this microphone now."""
        return self._wanted is not None and not self.stops

    @property
    def stops(self) -> bool:
        """Return whether NAO speaks, and hears only that it should stop."""
        return self._wanted is not None and self._wanted.phrases == recogniser.STOPS

    def feed(self, pcm: bytes) -> bool:
        """Take in sound; return whether it is heard."""
        self._silence.end(len(pcm))
        return self._wanted is not None and self.recogniser.feed(pcm)

    async def run(self, tell: Callable[[dict[str, Any]], Awaitable[object]]) -> None:
        """Listen whenever NAO does, until the robot or the recogniser ends or the microphone is silent."""
        told: dict[str, Any] = {}
        while not self._relay.gone and not self.recogniser.gone:
            await self._look()
            state = {"listens": self.listens, "stops": self.stops, "trouble": self.trouble, "language": self._language}
            if state != told:
                told = state
                await tell(state)
            if self._silence.lasts_too_long(self.listens):
                self.trouble = SILENT
                break
            await asyncio.sleep(_LOOK_INTERVAL_S)
        self.trouble = self._relay.gone or self.recogniser.gone or self.trouble
        self._wanted = None

    async def _look(self) -> None:
        """Open or close the recogniser like NAO's own."""
        ears = await self._relay.ask_shared("ears")
        self._engine = ears["engine"]
        phrases = tuple(ears["vocabulary"])
        wanted = None
        if self._relay.is_speaking:
            wanted = recogniser.Vocabulary(recogniser.STOPS) if self._asked[1] == _ENGLISH else None
        elif self._engine is not None and phrases:
            wanted = await self._want(phrases, bool(ears["spotting"]))
        if wanted == self._wanted:
            return
        self._wanted = None
        if wanted is None:
            self.recogniser.close()
            return
        try:
            self.recogniser.open(wanted)
        except recogniser.VoiceError as error:
            self.trouble = str(error)
        else:
            self._wanted = wanted
            has_letters = recogniser.list_letters(wanted.phrases)
            self.trouble = SPELLED if has_letters and not is_native(wanted.language) else ""

    async def _want(self, phrases: tuple[str, ...], spotting: bool) -> recogniser.Vocabulary | None:
        """Return the vocabulary to listen for; None if its language is not understood."""
        language = await self._find_language(phrases)
        if language is None:
            return None
        sensitivity = self._wanted.sensitivity if self._wanted and self.listens else await self._ask_sensitivity()
        return recogniser.Vocabulary(phrases, spotting, sensitivity, language)

    async def _find_language(self, phrases: tuple[str, ...]) -> str | None:
        """Return the code of the phrases' language; None if it is not understood, which `trouble` says then."""
        if self._languages is not None and self._engine in _TELLING and phrases != self._asked[0]:
            self._language = str(await self._call(str(self._engine), "getLanguage"))
            codes = [code for code, name in self._languages.items() if name == self._language]
            self._asked = phrases, codes[0] if codes else None
            if not codes:
                self.trouble = FOREIGN
        return self._asked[1]

    async def _ask_sensitivity(self) -> float:
        if self._engine != ENGINE:
            return _SENSITIVITY
        told = await self._call(ENGINE, "getParameter", "Sensitivity")
        return min(max(float(told), 0.0), 1.0) if isinstance(told, int | float) else _SENSITIVITY

    async def _call(self, service: str, method: str, *args: Any) -> Any:
        return await self._relay.ask("call", service=service, method=method, args=pack_value(list(args)))

    def _take(self, heard: recogniser.Heard) -> None:
        """Pass on a recogniser's result to the robot."""
        if self.stops and self._relay.is_speaking and recogniser.is_stop(heard):
            self._act("call", service="ALTextToSpeech", method="stopAll", args=[])
        if not self.listens:
            return
        if isinstance(heard, recogniser.SpeechBegan):
            self._act("begin_to_speak")
        elif heard.hypotheses or (self._engine == ENGINE and not heard.is_other_speech):
            self._act("speak", hypotheses=[[phrase, sure] for phrase, sure in heard.hypotheses])

    def _act(self, verb: str, **fields: Any) -> None:
        # The loop itself keeps no task alive.
        act = asyncio.create_task(self._ask(verb, fields), name="heard")
        self._acts.add(act)
        act.add_done_callback(self._acts.discard)

    async def _ask(self, verb: str, fields: dict[str, Any]) -> None:
        try:
            await self._relay.ask(verb, **fields)
        except RuntimeError as error:
            self.trouble = str(error)


def _text(told: dict[str, Any]) -> Message:
    return {"type": "websocket.send", "text": json.dumps(told)}


def _shorten(reason: str) -> str:
    return reason.encode()[:_MAX_REASON_BYTES].decode("utf-8", "ignore")
