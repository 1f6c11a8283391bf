"""The recogniser in a web worker: its network runs in JavaScript, and it answers messages of the page as JSON."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from .moonshine import PhraseRecogniser, prepare
from .phrases import BEGIN, Tokens
from .recogniser import STOPS, Heard, SpeechBegan, Vocabulary, is_stop


class _Written(Protocol):
    """What JavaScript returns for some beginnings of texts: typed arrays, as Python sees them.

    `odds` has the natural logarithms of the probabilities of all tokens, a row after another in single precision;
    `likeliest` has the likeliest token of each row as 32-bit numbers. `kept` is the network's state for the rows.
    """

    odds: Any
    likeliest: Any
    kept: Any


class Runtime(Protocol):
    """The network in JavaScript (`hearing/network.js`); both methods return promises of a `_Written`."""

    def listen(self, samples: Any, token: int) -> Any:
        """Listen to samples in single precision, and write the first token."""

    def write(self, kept: Any, rows: Any, tokens: Any) -> Any:
        """Continue some rows, each with one more token; rows and tokens are 32-bit numbers."""


class PostedNetwork:
    """A model of Moonshine that JavaScript runs; `wait` waits for a promise and returns its value."""

    def __init__(self, runtime: Runtime, tokens: bytes, wait: Callable[[Any], Any]) -> None:
        self.tokens = Tokens(tokens)
        self.runtime, self._wait = runtime, wait

    def begin(self, pcm: bytes) -> PostedWriting:
        """Listen to 16-bit PCM at 16 kHz; return a writing of one row without text."""
        return self.read(self.runtime.listen(prepare(pcm), BEGIN))

    def read(self, promise: Any) -> PostedWriting:
        """Wait for what JavaScript writes."""
        written: _Written = self._wait(promise)
        odds, likeliest = array("f"), array("i")
        odds.frombytes(written.odds.to_bytes())
        likeliest.frombytes(written.likeliest.to_bytes())
        return PostedWriting(self, odds, likeliest, written.kept)


class PostedWriting(NamedTuple):
    """Some beginnings of texts for one sound, one in each row."""

    network: PostedNetwork
    all_odds: array[float]
    all_likeliest: array[int]
    kept: Any

    def odds(self, row: int, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural logarithms of the probabilities of some next tokens."""
        first = row * len(self.network.tokens)
        return [self.all_odds[first + token] for token in tokens]

    def likeliest(self, row: int) -> int:
        """Return the likeliest next token."""
        return self.all_likeliest[row]

    def extend(self, rows: Sequence[int], tokens: Sequence[int]) -> PostedWriting:
        """Continue some of the beginnings, each with one more token."""
        network = self.network
        return network.read(network.runtime.write(self.kept, array("i", rows), array("i", tokens)))


class PostedRecogniser:
    """A recogniser whose vocabulary comes as JSON, and whose events leave as JSON."""

    def __init__(self, runtime: Runtime, tokens: Any, wait: Callable[[Any], Any]) -> None:
        """Use the model whose `tokenizer.bin` is the Uint8Array `tokens`; `wait` waits for a promise."""
        self._recogniser = PhraseRecogniser(PostedNetwork(runtime, tokens.to_bytes(), wait))

    def open(self, vocabulary: str) -> None:
        """Listen for `{"phrases": [...], "spotting": ..., "sensitivity": ...}`; raises VoiceError for a wrong one.

        Without phrases it listens for those that end NAO's sentence.
        """
        wanted = json.loads(vocabulary)
        phrases = tuple(wanted["phrases"]) or STOPS
        self._recogniser.open(Vocabulary(phrases, bool(wanted["spotting"]), float(wanted["sensitivity"])))

    def feed(self, pcm: Any) -> str:
        """Take in the next sound; return a list of the phrases heard by its end, each as from `_describe`."""
        return json.dumps([_describe(heard) for heard in self._recogniser.feed(pcm.to_bytes())])

    def close(self) -> None:
        """Stop listening, and drop unfinished speech."""
        self._recogniser.close()

    def forget_room(self) -> None:
        """Forget the sound of the room: the microphone was off."""
        self._recogniser.forget_room()


def _describe(heard: Heard) -> dict[str, Any]:
    """Return the fields of an event: `began`, or `hypotheses` as pairs, `isOther` for other speech, and `isStop`."""
    if isinstance(heard, SpeechBegan):
        return {"began": heard.at}
    return {
        "hypotheses": [list(each) for each in heard.hypotheses],
        "isOther": heard.is_other_speech,
        "isStop": is_stop(heard),
    }
