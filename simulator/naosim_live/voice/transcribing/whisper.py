"""The recogniser faster-whisper, with a model that the user has in a folder; nothing is downloaded.

A folder is as https://huggingface.co/Systran has it: `model.bin`, `config.json`, `tokenizer.json` and a vocabulary.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import VoiceError
from ..sound import Clip
from .transcript import TranscribingRecogniser

#: Without this file the library would download one.
_FILES = ("model.bin", "tokenizer.json")
#: Phrases that are told to the model beforehand; of more it would forget the first ones.
_MOST_HINTS = 60
#: Answers are short: more tokens are a model that repeats itself.
_MOST_TOKENS = 24


def recogniser(model: str = "") -> TranscribingRecogniser:
    """Return a recogniser by faster-whisper; raises VoiceError where it or the folder of its model is missing."""
    try:
        import faster_whisper
    except ImportError as error:
        raise VoiceError(
            "The recogniser 'faster-whisper' is not installed: pip install 'nao-jotto[whisper]', and get "
            "a model for it."
        ) from error
    if not model:
        raise VoiceError("The recogniser 'faster-whisper' needs a model: give its folder with --model DIR.")
    loaded = _loaded(faster_whisper, str(Path(model).resolve()))

    def transcribe(pcm: bytes, phrases: Sequence[str]) -> str:
        hints = ", ".join(phrases) if len(phrases) <= _MOST_HINTS else None
        segments, _about = loaded.transcribe(
            Clip(pcm).floats(),
            language="en",
            beam_size=5,
            temperature=0.0,
            condition_on_previous_text=False,
            without_timestamps=True,
            hotwords=hints,
            max_new_tokens=_MOST_TOKENS,
        )
        return " ".join(segment.text for segment in segments)

    return TranscribingRecogniser(transcribe)


@functools.lru_cache(maxsize=1)
def _loaded(library: Any, folder: str) -> Any:
    """Return the model in a folder, which takes seconds; raises VoiceError for one that is none."""
    if not Path(folder).is_dir():
        raise VoiceError(f"There is no folder {folder!r} with a model of faster-whisper.")
    for name in _FILES:
        if not (Path(folder) / name).is_file():
            raise VoiceError(f"The folder {folder!r} holds no model of faster-whisper: it lacks {name}.")
    try:
        return library.WhisperModel(folder, device="cpu", compute_type="int8", local_files_only=True)
    except Exception as error:
        # The libraries below raise bare Exceptions.
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")
        raise VoiceError(f"faster-whisper cannot read the model in {folder!r}: {reason}.") from error
