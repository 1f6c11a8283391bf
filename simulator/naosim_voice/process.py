"""A recogniser in its own process: recognition never holds up the others, and its crash ends only itself.

The process takes orders: a letter, a length and the content. It writes one JSON object a line. The first one says
whether there is such a recogniser: {"ready": true} or {"error": "a sentence"}. Each later one has the number of its
vocabulary.
"""

import asyncio
import contextlib
import json
import os
import signal
import struct
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple

from . import recogniser

#: The folder with the packages of this project.
_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The orders.

#: Listen for a vocabulary, here is sound, listen no more.
_OPEN, _SOUND, _CLOSE = b"o", b"s", b"c"
_HEAD = struct.Struct("<cI")
#: Bytes of an order: the largest vocabulary with its longest phrases as JSON.
_MAX_ORDER_BYTES = 8 * 1024 * 1024


class Order(NamedTuple):
    """A message to the process."""

    kind: bytes
    content: bytes = b""


def _pack(order: Order) -> bytes:
    """Return an order as bytes.

    >>> _pack(Order(_SOUND, b"12"))
    b's\\x02\\x00\\x00\\x0012'
    """
    return _HEAD.pack(order.kind, len(order.content)) + order.content


def _read(source: BinaryIO) -> Order | None:
    """Return the next order; None at the end, and if no order has come.

    >>> import io
    >>> source = io.BytesIO(_pack(Order(_CLOSE)) + b"s")
    >>> _read(source), _read(source)
    (Order(kind=b'c', content=b''), None)
    """
    head = source.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, length = _HEAD.unpack(head)
    if length > _MAX_ORDER_BYTES:
        return None
    content = source.read(length)
    return Order(kind, content) if len(content) == length else None


# The side that feeds it, on an asyncio loop.

#: Real seconds for the process to read its model, and to end when its input has ended.
_STARTS_WITHIN, _ENDS_WITHIN = 60.0, 2.0
#: Bytes of sound that may wait for a recogniser that is slower than the sound: the rest is not heard.
_MOST_WAITING = 256 * 1024
#: Characters of a line of its process.
_LONGEST_LINE = 64 * 1024


class RecogniserApart:
    """Ears for one microphone; `tell(heard)` is called on the loop for each result with the current vocabulary.

    `gone` says in a sentence why it hears no more.
    """

    def __init__(self, tell: Callable[[recogniser.Heard], object]) -> None:
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

    async def start(self, name: str = recogniser.PLAIN) -> None:
        """Start the process with a recogniser by name; raises VoiceError with the recogniser's own sentence."""
        command = [sys.executable, "-m", __name__, name]
        self._process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": _FOLDER, "PYTHONIOENCODING": "utf-8"},
            limit=_LONGEST_LINE,
        )
        try:
            first = await asyncio.wait_for(self._line(), _STARTS_WITHIN)
        except asyncio.TimeoutError:
            first = {"error": f"The recogniser did not start within {_STARTS_WITHIN:g} seconds."}
        if first is None or "error" in first:
            await self.end()
            raise recogniser.VoiceError("The recogniser ended as it started." if first is None else str(first["error"]))
        self._reading = asyncio.create_task(self._read(), name="recogniser")

    def open(self, vocabulary: recogniser.Vocabulary) -> None:
        """Listen for a vocabulary from now on; raises VoiceError for a wrong one. Earlier sound gives no result."""
        wanted = recogniser.check_vocabulary(vocabulary)
        self._number += 1
        self._is_open = True
        self._write(
            Order(
                _OPEN,
                json.dumps(
                    {
                        "number": self._number,
                        "phrases": wanted.phrases,
                        "spotting": wanted.spotting,
                        "sensitivity": wanted.sensitivity,
                        "language": wanted.language,
                    }
                ).encode("ascii"),
            )
        )

    def feed(self, pcm: bytes) -> bool:
        """Take in sound; return whether it is heard: not while closed, nor by a recogniser that is too slow."""
        stdin = self._process and self._process.stdin
        if not self._is_open or not stdin or stdin.transport.get_write_buffer_size() > _MOST_WAITING:
            return False
        self._write(Order(_SOUND, pcm[: len(pcm) // recogniser.WIDTH * recogniser.WIDTH]))
        return True

    def close(self) -> None:
        """Stop listening; earlier speech gives no result."""
        if self._is_open:
            self._is_open = False
            self._number += 1
            self._write(Order(_CLOSE))

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
            stdin.write(_pack(order))

    async def _line(self) -> dict[str, Any] | None:
        assert self._process is not None and self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            line = await self._process.stdout.readline()
            found = json.loads(line) if line else None
            return found if isinstance(found, dict) else None
        return None

    async def _read(self) -> None:
        """Report the process's results, up to its end."""
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
            self._tell(recogniser.SpeechBegan(float(line["began"])))
        else:
            found = tuple(recogniser.Hypothesis(str(phrase), float(sure)) for phrase, sure in line["hypotheses"])
            self._tell(recogniser.Recognised(found, is_other_speech=bool(line["is_other_speech"])))


# The process.


class _RecogniserServer:
    """Does what orders say with one recogniser; `tell` gets the lines."""

    def __init__(self, ears: recogniser.Recogniser) -> None:
        self._ears = ears
        self._number = 0

    def take(self, order: Order) -> list[dict[str, Any]]:
        """Follow an order; return the messages about it."""
        if order.kind == _OPEN:
            return self._open(json.loads(order.content))
        if order.kind == _SOUND:
            return [self._pack_heard(heard) for heard in self._ears.feed(order.content)]
        self._ears.close()
        return []

    def _open(self, wanted: dict[str, Any]) -> list[dict[str, Any]]:
        self._number = wanted["number"]
        try:
            settings = wanted["spotting"], wanted["sensitivity"], wanted["language"]
            self._ears.open(recogniser.Vocabulary(tuple(wanted["phrases"]), *settings))
        except recogniser.VoiceError as error:
            self._ears.close()
            return [{"number": self._number, "error": str(error)}]
        return []

    def _pack_heard(self, heard: recogniser.Heard) -> dict[str, Any]:
        if isinstance(heard, recogniser.SpeechBegan):
            return {"number": self._number, "began": heard.at}
        return {
            "number": self._number,
            "hypotheses": [list(each) for each in heard.hypotheses],
            "is_other_speech": heard.is_other_speech,
        }


def _main(name: str, source: BinaryIO, tell: Any) -> None:
    """Serve one recogniser until the orders end."""
    try:
        server = _RecogniserServer(recogniser.open_recogniser(name))
    except recogniser.VoiceError as error:
        tell({"error": str(error)})
        return
    tell({"ready": True})
    while (order := _read(source)) is not None:
        for line in server.take(order):
            tell(line)


def _print(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    # Ctrl-C is for the process that started this one, whose end ends the orders.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _main(sys.argv[1], sys.stdin.buffer, _print)
