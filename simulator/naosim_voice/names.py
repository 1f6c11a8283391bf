"""The names of the recognisers and languages, for those who offer them and load none."""

from typing import NamedTuple


class _Kind(NamedTuple):
    """The module and the class of a recogniser, the libraries that it needs, and the extra that installs them."""

    module: str
    kind: str
    libraries: tuple[str, ...]
    extra: str


RECOGNISERS = {
    "moonshine": _Kind("moonshine_recogniser", "MoonshineRecogniser", ("onnxruntime", "numpy"), "voice"),
    "pocketsphinx": _Kind("sphinx", "SphinxRecogniser", ("pocketsphinx", "numpy"), "voice"),
}
BEST, PLAIN = RECOGNISERS
#: By code: NAOqi's names of the languages in which people are understood well enough. Except in English, NAO believes
#: only what both recognisers hear.
LANGUAGES = {"en": "English", "es": "Spanish"}
#: The languages that NAO understands by a network of their own, which a user brings.
BROUGHT_LANGUAGES = {"de": "German", "es": "Spanish", "fr": "French"}
