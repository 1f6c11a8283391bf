"""The names of the recognisers, for those who offer them and import none."""

from __future__ import annotations

#: By name: the module here and its class.
RECOGNISERS = {"pocketsphinx": ("sphinx", "SphinxRecogniser"), "vosk": ("vosk", "VoskRecogniser")}
#: By name: the library that the recogniser needs.
LIBRARIES = {"pocketsphinx": "pocketsphinx", "vosk": "vosk"}
