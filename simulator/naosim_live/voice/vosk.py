"""The recogniser Vosk, with a model that the user has in a folder; nothing is downloaded."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .endpoints import Stretch
from .errors import VoiceError
from .listening import StretchRecogniser
from .recogniser import RATE, Hypothesis, Recognised

#: Vosk's word for what is none of its grammar.
_UNKNOWN = "[unk]"


class VoskRecogniser(StretchRecogniser):
    """Recognises phrases with Vosk; raises VoiceError where it or the folder of its model is missing."""

    def __init__(self, model: str = "") -> None:
        super().__init__()
        vosk = _module()
        if not model:
            raise VoiceError("The recogniser 'vosk' needs a model: give its folder with --model DIR.")
        if not Path(model).is_dir():
            raise VoiceError(f"There is no folder {model!r} with a model of Vosk.")
        self._model = _loaded(vosk, model)
        self._make = vosk.KaldiRecognizer
        self._recogniser: Any = None
        self._phrases: dict[str, str] = {}

    def _learn(self, phrases: tuple[str, ...]) -> None:
        self._phrases = {plain(phrase): phrase for phrase in reversed(phrases)}
        self._recogniser = self._make(self._model, RATE, json.dumps([*self._phrases, _UNKNOWN]))
        self._recogniser.SetWords(True)

    def _judge(self, stretch: Stretch) -> Recognised:
        self._recogniser.Reset()
        self._recogniser.AcceptWaveform(stretch.pcm)
        words = json.loads(self._recogniser.FinalResult()).get("result", [])
        nearest, confidence = judged(words, self._phrases)
        hypotheses = (Hypothesis(nearest, confidence),) if nearest and confidence > 0 else ()
        return Recognised(hypotheses, stretch.began, stretch.ended, nearest)


@functools.lru_cache(maxsize=1)
def _loaded(vosk: Any, folder: str) -> Any:
    """Return the model in a folder: large ones take many seconds, and recognisers can share it."""
    vosk.SetLogLevel(-1)
    try:
        return vosk.Model(folder)
    except Exception as error:
        # The library raises a bare Exception.
        raise VoiceError(f"The folder {folder!r} holds no model of Vosk.") from error


def judged(words: Sequence[dict[str, Any]], phrases: dict[str, str]) -> tuple[str, float]:
    """Return the phrase that Vosk's words are, and the least confidence of any; "" for words that are no phrase.

    >>> judged([{"word": "go", "conf": 1.0}, {"word": "back", "conf": 0.7}], {"go back": "Go back"})
    ('Go back', 0.7)
    >>> judged([{"word": "[unk]", "conf": 1.0}], {"go back": "Go back"})
    ('', 0.0)
    """
    phrase = phrases.get(" ".join(word["word"] for word in words), "")
    return phrase, round(min((float(word["conf"]) for word in words), default=0.0), 3) if phrase else 0.0


def plain(phrase: str) -> str:
    """Write a phrase as Vosk's models do: small letters, no punctuation.

    >>> plain("That's right, HAL!")
    "that's right hal"
    """
    return " ".join(word.strip('.,;:!?"()') for word in phrase.lower().replace("\u2019", "'").split())


def _module() -> Any:
    try:
        import vosk
    except ImportError as error:
        raise VoiceError(
            "The recogniser 'vosk' is not installed: pip install 'nao-jotto[vosk]', and get a model for it."
        ) from error
    return vosk
