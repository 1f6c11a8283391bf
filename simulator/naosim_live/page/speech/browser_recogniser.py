"""The browser's own recogniser as NAO's ears: it writes down what was said, and the phrase that this is gets to NAO.

A browser sends the voice to a company for that, so it is used only where somebody has switched it on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from ...voice.errors import VoiceError
from ...voice.recogniser import Heard, SpeechBegan, Vocabulary, checked
from ...voice.transcribing.transcript import WrittenPhrases

#: Transcripts of one saying that are looked at, and characters of each.
_MOST_TEXTS, _LONGEST_TEXT = 5, 300


class BrowserRecogniser:
    """Ears that a browser has; `tell(heard)` is called for what is heard of the vocabulary of the moment."""

    #: It is no process.
    pid = 0

    def __init__(self, tell: Callable[[Heard], object]) -> None:
        self._tell = tell
        #: Why it hears no more; what else is wrong its browser says.
        self.gone = ""
        self._number = 0
        self._phrases: asyncio.Task[WrittenPhrases] | None = None
        self._acts: set[asyncio.Task[None]] = set()

    async def start(self, name: str = "", model: str = "") -> None:
        """Need nothing: the browser is ready."""

    def open(self, vocabulary: Vocabulary) -> None:
        """Listen for a vocabulary from now on; what came before is not told."""
        wanted = checked(vocabulary)
        self.close()
        # Thousands of words take a moment.
        self._phrases = asyncio.create_task(asyncio.to_thread(WrittenPhrases, wanted), name="phrases")

    def feed(self, pcm: bytes) -> bool:
        """Hear no sound: the browser keeps it."""
        return False

    def write(self, told: str) -> None:
        """Take in what the browser has written down: {"began": true}, or {"written": ["a text", ...]}."""
        content = _read(told)
        if self._phrases is None or not isinstance(content, dict):
            return
        texts = content.get("written")
        # One at a time: a browser may not keep the computer busy.
        if isinstance(texts, list) and not self._acts:
            known = [text[:_LONGEST_TEXT] for text in texts[:_MOST_TEXTS] if isinstance(text, str)]
            # The loop itself keeps no task alive.
            act = asyncio.create_task(self._recognise(known, self._phrases, self._number), name="written")
            self._acts.add(act)
            act.add_done_callback(self._acts.discard)
        elif content.get("began") is True:
            self._tell(SpeechBegan(0.0))

    def close(self) -> None:
        """Stop listening; nothing is told any more of what was said before."""
        self._number += 1
        for task in (*self._acts, *((self._phrases,) if self._phrases is not None else ())):
            task.cancel()
        self._phrases = None

    async def end(self) -> None:
        """Leave nothing behind."""
        self.close()

    async def _recognise(self, texts: list[str], phrases: asyncio.Task[WrittenPhrases], number: int) -> None:
        try:
            known = await phrases
            heard = await asyncio.to_thread(known.recognised, texts)
        except VoiceError as error:
            self.gone = str(error)
            return
        if number == self._number:
            self._tell(heard)


def _read(told: str) -> Any:
    try:
        return json.loads(told)
    except (ValueError, RecursionError):
        return None
