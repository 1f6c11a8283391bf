"""The names of the recognisers, for those who offer them and import none."""

from __future__ import annotations

from importlib.util import find_spec

#: By name: the module here and what makes one.
RECOGNISERS = {
    "pocketsphinx": ("sphinx", "SphinxRecogniser"),
    "moonshine": ("moonshine.recogniser", "MoonshineRecogniser"),
    "vosk": ("vosk", "VoskRecogniser"),
    "sherpa-onnx": ("transcribing.sherpa", "recogniser"),
    "faster-whisper": ("transcribing.whisper", "recogniser"),
}
#: The one that hears people best, and the one where that is not installed.
_BEST, PLAIN = "moonshine", "pocketsphinx"
#: NAOqi's name of the language that is heard where no folder of a model is given.
OWN_LANGUAGE = "English"
#: Recognisers that understand English alone: they compare sounds by an English dictionary.
ENGLISH_ALONE = ("moonshine", "sherpa-onnx", "faster-whisper")
#: By name: the libraries that the recogniser needs, and what installs them.
LIBRARIES = {
    "pocketsphinx": (("pocketsphinx",), "'nao-jotto[voice]'"),
    "moonshine": (("onnxruntime", "pocketsphinx"), "'nao-jotto[moonshine]'"),
    "vosk": (("vosk",), "'nao-jotto[vosk]'"),
    "sherpa-onnx": (("sherpa_onnx", "pocketsphinx"), "'nao-jotto[sherpa]'"),
    "faster-whisper": (("faster_whisper", "pocketsphinx"), "'nao-jotto[whisper]'"),
}


def wanted(name: str, model: str) -> str:
    """Return the recogniser of a name; without one, of a model's folder or of what is installed."""
    return name or (PLAIN if model else best_installed())


def best_installed() -> str:
    """Return the name of the recogniser that hears people best, of those that are here with a model of their own."""
    # The other recognisers need not know where this one's model is.
    from .moonshine.network import installed

    return _BEST if all(map(find_spec, LIBRARIES[_BEST][0])) and installed() else PLAIN
