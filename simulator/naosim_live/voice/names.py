"""The names of the recognisers, for those who offer them and import none."""

from __future__ import annotations

#: By name: the module here and its class.
RECOGNISERS = {"pocketsphinx": ("sphinx", "SphinxRecogniser"), "vosk": ("vosk", "VoskRecogniser")}
#: NAOqi's name of the language that is heard where no folder of a model is given.
OWN_LANGUAGE = "English"
#: By name: the library that the recogniser needs.
LIBRARIES = {"pocketsphinx": "pocketsphinx", "vosk": "vosk"}
