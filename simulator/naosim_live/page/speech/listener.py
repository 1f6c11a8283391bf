"""One microphone's way to one robot: sound goes to a recogniser while NAO listens, what was heard goes to NAO."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from ...voice.errors import VoiceError
from ...voice.process.apart import RecogniserApart
from ...voice.recogniser import Heard, SpeechBegan, Vocabulary
from ..shown_robot import ShownRobot
from .sayings import Sayings

#: Real seconds after NAO's voice in which nothing is heard: rooms echo.
GUARD = 0.4
#: Real seconds for which a browser that plays NAO's voice is believed to be still at it, after NAO has ended.
_PLAYS_ON = 6.0
#: Real seconds between two looks at a robot on which nothing happens, and between two in any case.
_LOOKS_EVERY, _RESTS = 0.1, 0.02
ENGINE = "ALSpeechRecognition"
#: Engines that tell which language they listen for.
_TELLING = (ENGINE, "ALDialog")
FOREIGN = "NAO only understands spoken {language} here. Type or tap your answers."
#: What the engine's voice activity detector is set to where it cannot be asked.
_SENSITIVITY = 0.5


class Ears(Protocol):
    """A recogniser for one microphone."""

    @property
    def gone(self) -> str:
        """Say why it hears no more, "" while it does."""

    @property
    def pid(self) -> int:
        """Return the number of its process, 0 for none."""

    async def start(self, name: str = "pocketsphinx", model: str = "") -> None:
        """Get ready; raises VoiceError where that cannot be."""

    def open(self, vocabulary: Vocabulary) -> None:
        """Listen for a vocabulary from now on; raises VoiceError for a wrong one."""

    def feed(self, pcm: bytes) -> bool:
        """Take in sound; return whether it is heard."""

    def write(self, told: str) -> None:
        """Take in what the browser has written down itself."""

    def close(self) -> None:
        """Stop listening."""

    async def end(self) -> None:
        """Leave nothing behind."""


class Listener:
    """The ears of one microphone; `tell(listens)` is called when NAO begins or ends to listen.

    `heard` is what was heard last, `version` grows with it, and `trouble` says why nothing is heard at all.
    """

    def __init__(
        self,
        shown: ShownRobot,
        language: str = "",
        recogniser: Callable[[Callable[[Heard], object]], Ears] = RecogniserApart,
    ) -> None:
        """Listen for a robot's phrases, in the one language of the recogniser unless it is ""."""
        self.shown, self._language = shown, language
        self._asked: tuple[tuple[str, ...], bool] = (), True
        self._sayings = shown.model(Sayings)
        self.recogniser = recogniser(self._take)
        self._engine: str | None = None
        self._wanted: Vocabulary | None = None
        self._plays_until = self._quiet_at = 0.0
        self._acts: set[asyncio.Task[None]] = set()
        self.heard: Heard | None = None
        self.version = 0
        self.trouble = ""

    @property
    def listens(self) -> bool:
        """Tell whether what is said now is heard."""
        return self._wanted is not None

    def voice_begins(self) -> None:
        """Note that this browser's loudspeaker speaks for NAO."""
        self._plays_until = float("inf")

    def voice_ends(self) -> None:
        """Note that it has ended to."""
        if self._plays_until:
            self._plays_until, self._quiet_at = 0.0, time.monotonic() + GUARD

    def feed(self, pcm: bytes) -> bool:
        """Take in sound; return whether it is heard."""
        return self.listens and self.recogniser.feed(pcm)

    def write(self, told: str) -> None:
        """Take in what the browser has written down itself."""
        if self.listens:
            self.recogniser.write(told)

    async def run(self, tell: Callable[[bool], Awaitable[object]]) -> None:
        """Listen whenever NAO does, until the robot or the recogniser is gone."""
        seen = -1
        while not self.shown.gone and not self.recogniser.gone:
            before = self.listens
            await self._look()
            if self.listens != before or seen < 0:
                self.shown.tell()
                await tell(self.listens)
            seen = self.shown.changed
            await self.shown.change(_LOOKS_EVERY, seen)
            await asyncio.sleep(_RESTS)
        self.trouble = self.shown.gone or self.recogniser.gone
        self._wanted = None

    async def _look(self) -> None:
        """Open or close the recogniser as NAO's own is."""
        ears = await self.shown.ears()
        self._engine = ears["engine"]
        phrases = tuple(ears["vocabulary"])
        wanted = None
        if self._engine is not None and phrases and not self._is_spoken_over() and await self._knows(phrases):
            sensitivity = self._wanted.sensitivity if self._wanted is not None else await self._sensitivity()
            wanted = Vocabulary(phrases, bool(ears["spotting"]), sensitivity)
        if wanted == self._wanted:
            return
        self._wanted = None
        if wanted is None:
            self.recogniser.close()
            return
        try:
            self.recogniser.open(wanted)
        except VoiceError as error:
            self.trouble = str(error)
        else:
            self._wanted, self.trouble = wanted, ""
            if isinstance(self.heard, SpeechBegan):
                self.heard = None

    async def _knows(self, phrases: tuple[str, ...]) -> bool:
        """Tell whether phrases are in the recogniser's language, and say so where they are not."""
        if self._language and self._engine in _TELLING and phrases != self._asked[0]:
            told = await self.shown.call(self._engine, "getLanguage")
            self._asked = phrases, told == self._language
            if told != self._language:
                texts = self.shown.texts
                self.trouble = texts(FOREIGN, language=texts(self._language))
                self.shown.tell()
        return self._asked[1]

    async def _sensitivity(self) -> float:
        if self._engine != ENGINE:
            return _SENSITIVITY
        told = await self.shown.call(ENGINE, "getParameter", "Sensitivity")
        return min(max(float(told), 0.0), 1.0) if isinstance(told, int | float) else _SENSITIVITY

    def _is_spoken_over(self) -> bool:
        """Tell whether NAO, or its voice in this browser, speaks or has just spoken."""
        now = time.monotonic()
        if self._sayings.speaks:
            return True
        if self._plays_until == float("inf"):
            # NAO has ended: its voice should, too. A browser that does not say so is not waited for without end.
            self._plays_until = now + _PLAYS_ON
        return now < max(self._plays_until, self._quiet_at)

    def _take(self, heard: Heard) -> None:
        """Pass on what was heard, to the robot and to whoever looks."""
        if not self.listens:
            return
        self.heard = heard
        self.version += 1
        if isinstance(heard, SpeechBegan):
            self._act("begin_to_speak")
        elif heard.hypotheses or self._engine == ENGINE:
            self._act("speak", [[phrase, sure] for phrase, sure in heard.hypotheses])
        self.shown.tell()

    def _act(self, verb: str, *args: Any) -> None:
        # The loop itself keeps no task alive.
        act = asyncio.create_task(self._acted(verb, *args), name="heard")
        self._acts.add(act)
        act.add_done_callback(self._acts.discard)

    async def _acted(self, verb: str, *args: Any) -> None:
        try:
            await self.shown.person(verb, *args)
        except RuntimeError as error:
            self.trouble = str(error)
