"""The process of a recogniser: orders come in, one JSON object a line goes out. `python -m` with name and model.

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
from . import orders
from .orders import Order


class _RecogniserServer:
    """Does what orders say with one recogniser; `tell` gets the lines."""

    def __init__(self, ears: Recogniser) -> None:
        self._ears = ears
        self._number = 0

    def take(self, order: Order) -> list[dict[str, Any]]:
        """Do what an order says; return what there is to tell."""
        if order.kind == orders.OPEN:
            return self._open(json.loads(order.content))
        if order.kind == orders.SOUND:
            return [self._told(heard) for heard in self._ears.feed(order.content)]
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
    """Serve one recogniser until the orders end."""
    try:
        server = _RecogniserServer(recogniser(name, model))
    except VoiceError as error:
        tell({"error": str(error)})
        return
    tell({"ready": True})
    while (order := orders.read(source)) is not None:
        for line in server.take(order):
            tell(line)


def _print(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    # Ctrl-C is for the process that has started this one, whose end ends the orders.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main(sys.argv[1], sys.argv[2], sys.stdin.buffer, _print)
