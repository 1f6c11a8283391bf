"""The English list: built from one pinned package of SCOWL, the same bytes every time."""

import re
from pathlib import Path

from jotto.words import BlockList

from .debian import DebianPackage, unpacked

PACKAGE, VERSION = "scowl", "2020.12.07-2"
SHA256 = "de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718"
FILE_NAME = DebianPackage(PACKAGE, VERSION, SHA256).file_name
BANDS = (10, 20, 35, 40, 50)
VARIETIES = ("english", "american")
FOLDER = "./usr/share/dict/scowl"
HEADER = (
    "# English words of five letters, the commonest first: word, tab, size of the smallest SCOWL list that has it.\n"
    "# Made by 'jotto words build'. Sources, licences and checksums: SOURCES.md\n"
)
_FIVE = re.compile("[a-z]{5}")
#: Words of any length.
PLAIN = re.compile("[a-z]+")


def build(package: bytes, blocked: BlockList) -> str:
    """Write the English list from the package's bytes, blocked words left out.

    Raises `DeskError` when the package is another than the pinned one.
    """
    check(package)
    bands = words_by_band(package)
    order = sorted((band, word) for word, band in bands.items() if not blocked.blocks(word))
    return HEADER + "".join(f"{word}\t{band}\n" for band, word in order)


def check(package: bytes) -> None:
    """Raise `DeskError` for another package than the pinned one."""
    DebianPackage(PACKAGE, VERSION, SHA256).check(package)


def words_by_band(package: bytes, form: re.Pattern[str] = _FIVE) -> dict[str, int]:
    """Give each plain word of this form in the package, five letters if not given, the smallest size it occurs in."""
    places = [(band, f"{FOLDER}/{variety}-words.{band}") for band in BANDS for variety in VARIETIES]
    texts = unpacked(package, {place for _, place in places})
    bands: dict[str, int] = {}
    for band, place in places:
        for line in texts[place].decode("latin-1").splitlines():
            if form.fullmatch(line):
                bands.setdefault(line, band)
    return bands


def package(file: Path | None, cache: Path | None = None) -> bytes:
    """Get the package: see `DebianPackage.get`."""
    return DebianPackage(PACKAGE, VERSION, SHA256).get(file, cache)
