"""The names of the recognisers, for those who offer them and import none."""

from __future__ import annotations

#: By name: the module here and what makes one.
RECOGNISERS = {"pocketsphinx": ("sphinx", "SphinxRecogniser"), "vosk": ("vosk", "VoskRecogniser"),
               "sherpa-onnx": ("transcribing.sherpa", "recogniser"),
               "faster-whisper": ("transcribing.whisper", "recogniser")}
#: NAOqi's name of the language that is heard where no folder of a model is given.
OWN_LANGUAGE = "English"
#: Recognisers that understand English alone: they compare sounds by an English dictionary.
ENGLISH_ALONE = ("sherpa-onnx", "faster-whisper")
#: By name: the library that the recogniser needs, and what installs it.
LIBRARIES = {"pocketsphinx": ("pocketsphinx", "'nao-jotto[voice]'"), "vosk": ("vosk", "'nao-jotto[vosk]'"),
             "sherpa-onnx": ("sherpa_onnx", "'nao-jotto[sherpa]'"),
             "faster-whisper": ("faster_whisper", "'nao-jotto[whisper]'")}
