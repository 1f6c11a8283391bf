"""The recogniser sherpa-onnx, with a model that the user has in a folder; nothing is downloaded.

A folder is as https://github.com/k2-fsa/sherpa-onnx/releases/tag/asr-models has it: Moonshine, Whisper, or a transducer
that is not streaming, told apart by their files.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import VoiceError
from ..recogniser import RATE
from ..sound import Clip
from .transcript import TranscribingRecogniser

#: Real seconds for a model to be read; a page waits 60 for both times that it is.
_READ_WITHIN = 40.0


class _Kind(NamedTuple):
    """A kind of model: the library's function, and by its arguments what the names of the files match."""

    function: str
    files: dict[str, str]


#: Whole numbers of eight bits come first where a model is there twice: they are faster.
_KINDS = (
    _Kind(
        "from_moonshine_v2",
        {"encoder": "encoder_model.ort", "decoder": "decoder_model_merged.ort", "tokens": "tokens.txt"},
    ),
    _Kind(
        "from_moonshine",
        {
            "preprocessor": "preprocess*.onnx",
            "encoder": "encode*.onnx",
            "uncached_decoder": "uncached_decode*.onnx",
            "cached_decoder": "cached_decode*.onnx",
            "tokens": "tokens.txt",
        },
    ),
    _Kind(
        "from_transducer",
        {"encoder": "encoder*.onnx", "decoder": "decoder*.onnx", "joiner": "joiner*.onnx", "tokens": "tokens.txt"},
    ),
    _Kind("from_whisper", {"encoder": "*encoder*.onnx", "decoder": "*decoder*.onnx", "tokens": "*tokens.txt"}),
)


def recogniser(model: str = "") -> TranscribingRecogniser:
    """Return a recogniser by sherpa-onnx; raises VoiceError where it or the folder of its model is missing."""
    try:
        import sherpa_onnx
    except ImportError as error:
        raise VoiceError(
            "The recogniser 'sherpa-onnx' is not installed: pip install 'nao-jotto[sherpa]', and get a model for it."
        ) from error
    if not model:
        raise VoiceError("The recogniser 'sherpa-onnx' needs a model: give its folder with --model DIR.")
    loaded = _loaded(sherpa_onnx, str(Path(model).resolve()))

    def transcribe(pcm: bytes, _phrases: Sequence[str]) -> str:
        stream = loaded.create_stream()
        stream.accept_waveform(RATE, Clip(pcm).floats())
        loaded.decode_stream(stream)
        return str(stream.result.text)

    return TranscribingRecogniser(transcribe)


def arguments(folder: Path) -> tuple[str, dict[str, str]]:
    """Return the library's function for the model in a folder, and its arguments; raises VoiceError for no model."""
    if not folder.is_dir():
        raise VoiceError(f"There is no folder {str(folder)!r} with a model of sherpa-onnx.")
    for kind in _KINDS:
        found = {
            name: sorted(folder.glob(pattern), key=lambda path: ("int8" not in path.name, path.name))
            for name, pattern in kind.files.items()
        }
        if all(found.values()):
            return kind.function, {name: str(paths[0]) for name, paths in found.items()}
    raise VoiceError(
        f"The folder {str(folder)!r} holds no model of sherpa-onnx that is known here: Moonshine, Whisper "
        "or a transducer that is not streaming, with its tokens.txt."
    )


@functools.lru_cache(maxsize=1)
def _loaded(library: Any, folder: str) -> Any:
    """Return the model in a folder; the library ends its process over a wrong one, so another one reads it first."""
    function, files = arguments(Path(folder))
    code = f"import sherpa_onnx\nsherpa_onnx.OfflineRecognizer.{function}(**{files!r})"
    try:
        tried = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            timeout=_READ_WITHIN,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        raise VoiceError(f"The model in {folder!r} was not read within {_READ_WITHIN:g} seconds.") from None
    if tried.returncode:
        reason = (tried.stderr.strip().splitlines() or ["it gave no reason"])[-1][:200].rstrip(".")
        raise VoiceError(f"sherpa-onnx cannot read the model in {folder!r}: {reason}.")
    return getattr(library.OfflineRecognizer, function)(**files)
