"""The process of a recogniser: frames come in, one JSON object a line goes out. `python -m` with name and model.

The first line says whether there is such a recogniser: {"ready": true} or {"error": "a sentence"}. Every later one has
the number of the vocabulary it is about.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import Any, BinaryIO

from ..errors import VoiceError
from ..recogniser import Heard, Recogniser, SpeechBegan, Vocabulary, recogniser
from . import frames
from .frames import Frame


class RecogniserServer:
    """Does what frames say with one recogniser; `tell` gets the lines."""

    def __init__(self, ears: Recogniser) -> None:
        self._ears = ears
        self._number = 0

    def take(self, frame: Frame) -> list[dict[str, Any]]:
        """Do what a frame says; return what there is to tell."""
        if frame.kind == frames.OPEN:
            return self._open(json.loads(frame.content))
        if frame.kind == frames.SOUND:
            return [self._told(heard) for heard in self._ears.feed(frame.content)]
        self._ears.close()
        return []

    def _open(self, wanted: dict[str, Any]) -> list[dict[str, Any]]:
        self._number = wanted["number"]
        try:
            self._ears.open(Vocabulary(tuple(wanted["phrases"]), wanted["spotting"], wanted["sensitivity"]))
        except VoiceError as error:
            self._ears.close()
            return [{"number": self._number, "error": str(error)}]
        return []

    def _told(self, heard: Heard) -> dict[str, Any]:
        if isinstance(heard, SpeechBegan):
            return {"number": self._number, "began": heard.at}
        return {"number": self._number, "hypotheses": [list(each) for each in heard.hypotheses]}


def main(name: str, model: str, source: BinaryIO, tell: Any) -> None:
    """Serve one recogniser until the frames end."""
    try:
        server = RecogniserServer(recogniser(name, model))
    except VoiceError as error:
        tell({"error": str(error)})
        return
    tell({"ready": True})
    while (frame := frames.read(source)) is not None:
        for line in server.take(frame):
            tell(line)


def _print(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    # Ctrl-C is for the process that has started this one, whose end ends the frames.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main(sys.argv[1], sys.argv[2], sys.stdin.buffer, _print)
