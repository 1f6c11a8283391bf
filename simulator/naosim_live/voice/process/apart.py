"""A recogniser in a process of its own, fed and heard on an asyncio loop which it never holds up."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from typing import Any

from naosim.remote import make_child_environment

from ..errors import VoiceError
from ..recogniser import WIDTH, Heard, Hypothesis, Recognised, SpeechBegan, Vocabulary, checked
from . import orders
from .orders import Order

#: Real seconds for the process to read its model, and to end when its input has ended.
_STARTS_WITHIN, _ENDS_WITHIN = 60.0, 2.0
#: Bytes of sound that may wait for a recogniser that is slower than the sound: the rest is not heard.
_MOST_WAITING = 256 * 1024
#: Characters of a line of its process.
_LONGEST_LINE = 64 * 1024


class RecogniserApart:
    """Ears for one microphone; `tell(heard)` is called on the loop for what is heard of the vocabulary of the moment.

    `gone` says in a sentence why it hears no more.
    """

    def __init__(self, tell: Callable[[Heard], object]) -> None:
        self._tell = tell
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._number = 0
        self._is_open = False
        self.gone = ""

    @property
    def pid(self) -> int:
        """Return the number of the process, 0 for none."""
        return 0 if self._process is None else self._process.pid

    async def start(self, name: str = "pocketsphinx", model: str = "") -> None:
        """Start the process with a recogniser by its name; raises VoiceError with the recogniser's own sentence."""
        command = [sys.executable, "-m", f"{__package__}.child", name, model]
        self._process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=make_child_environment(),
            limit=_LONGEST_LINE,
        )
        try:
            first = await asyncio.wait_for(self._line(), _STARTS_WITHIN)
        except asyncio.TimeoutError:
            first = {"error": f"The recogniser did not start within {_STARTS_WITHIN:g} seconds."}
        if first is None or "error" in first:
            await self.end()
            raise VoiceError("The recogniser ended as it began." if first is None else str(first["error"]))
        self._reading = asyncio.create_task(self._read(), name="recogniser")

    def open(self, vocabulary: Vocabulary) -> None:
        """Listen for a vocabulary from now on; raises VoiceError for a wrong one. What came before is not told."""
        wanted = checked(vocabulary)
        self._number += 1
        self._is_open = True
        self._write(
            Order(
                orders.OPEN,
                json.dumps(
                    {
                        "number": self._number,
                        "phrases": wanted.phrases,
                        "spotting": wanted.spotting,
                        "sensitivity": wanted.sensitivity,
                    }
                ).encode("ascii"),
            )
        )

    def feed(self, pcm: bytes) -> bool:
        """Take in sound; return whether it is heard: not while closed, nor by a recogniser that lags behind."""
        stdin = self._process and self._process.stdin
        if not self._is_open or not stdin or stdin.transport.get_write_buffer_size() > _MOST_WAITING:
            return False
        self._write(Order(orders.SOUND, pcm[: len(pcm) // WIDTH * WIDTH]))
        return True

    def close(self) -> None:
        """Stop listening; nothing is told any more of what was said before."""
        if self._is_open:
            self._is_open = False
            self._number += 1
            self._write(Order(orders.CLOSE))

    async def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        self._is_open = False
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        if self._reading is not None:
            self._reading.cancel()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(process.wait(), _ENDS_WITHIN)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    def _write(self, order: Order) -> None:
        stdin = self._process and self._process.stdin
        if stdin and not stdin.is_closing():
            stdin.write(orders.packed(order))

    async def _line(self) -> dict[str, Any] | None:
        assert self._process is not None and self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            line = await self._process.stdout.readline()
            found = json.loads(line) if line else None
            return found if isinstance(found, dict) else None
        return None

    async def _read(self) -> None:
        """Tell what the process hears, up to its end."""
        while (line := await self._line()) is not None:
            if line.get("number") == self._number and self._is_open:
                self._take_in(line)
        self._is_open = False
        self.gone = self.gone or "Speech recognition stopped. Press the microphone again."

    def _take_in(self, line: dict[str, Any]) -> None:
        if "error" in line:
            self._is_open = False
            self.gone = str(line["error"])
        elif "began" in line:
            self._tell(SpeechBegan(float(line["began"])))
        else:
            found = tuple(Hypothesis(str(phrase), float(sure)) for phrase, sure in line["hypotheses"])
            self._tell(Recognised(found))
