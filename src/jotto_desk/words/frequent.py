"""Lists of languages: the frequent words that a spelling dictionary accepts, the same bytes every time."""

import gzip
import hashlib
import importlib
import io
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from jotto.rules import WORDLE
from jotto.words import BlockList, fold_word, lower_word, replace_letters

from ..errors import DeskError
from .debian import unpacked
from .recipes import BANDS, INFLECTED, WELL_KNOWN, Recipe, head

_MOST_UNPACKED = 128 << 20
INSTALL = "pip install 'nao-jotto[words]'"
#: A spelling of a word counts for its commonness when it is at most this much rarer than the most frequent one.
_AS_FREQUENT = 1.0


@dataclass(frozen=True)
class Spelling:
    """One way to write a word, how frequent it is (Zipf) and whether it stands in the dictionary, uninflected."""

    written: str
    zipf: float
    plain: bool

    @property
    def band(self) -> int:
        """Return how common it is, as lists say it."""
        band = next(band for band, least in BANDS.items() if self.zipf >= least)
        return band if self.plain else max(band, 40 if self.zipf >= WELL_KNOWN else 50)


def build(recipe: Recipe, frequencies: bytes, package: bytes, left_out: Iterable[str], blocked: BlockList) -> str:
    """Write the list of a language; words left out are as they are written, blocked ones are missing, too.

    Raises `DeskError` for other sources than the pinned ones, and where spylls is not installed.
    """
    recipe.dictionary.check(package)
    frequent, absent = _frequent(recipe, frequencies), frozenset(left_out)
    hunspell, found = _Hunspell(recipe, package), dict[str, list[Spelling]]()
    rules = replace_letters(WORDLE, recipe.letters)
    for written, zipf in _spelled(frequent, recipe.letters):
        word = fold_word(written, recipe.letters)
        if not rules.allows(word) or written in absent or blocked.blocks(word):
            continue
        plain = hunspell.is_plain(written)
        if plain is not None and (plain or zipf >= INFLECTED):
            found.setdefault(word, []).append(Spelling(written, zipf, plain))
    rows = sorted((_band(spellings), word, _most(spellings).written) for word, spellings in found.items())
    return head(recipe) + "".join(f"{written}\t{band}\n" for band, _, written in rows)


def frequencies(recipe: Recipe) -> bytes:
    """Read wordfreq's file of a language; raises `DeskError` where wordfreq is missing, or has no such file."""
    try:
        return (resources.files("wordfreq") / "data" / recipe.frequencies[0]).read_bytes()
    except (ImportError, OSError) as error:
        raise DeskError(
            f"Frequencies need the file '{recipe.frequencies[0]}' of wordfreq; install it with: {INSTALL}"
        ) from error


def pinned(name: str) -> dict[str, str]:
    """Pin a file of the wordfreq that is installed, for a recipe; its SHA-256 is empty where there is none."""
    try:
        content = (resources.files("wordfreq") / "data" / name).read_bytes()
    except (ImportError, OSError):
        return {"file": name, "sha256": ""}
    return {"file": name, "sha256": hashlib.sha256(content).hexdigest()}


def _most(spellings: list[Spelling]) -> Spelling:
    return max(spellings, key=lambda spelling: (spelling.zipf, spelling.plain, spelling.written))


def _band(spellings: list[Spelling]) -> int:
    most = _most(spellings).zipf
    return min(spelling.band for spelling in spellings if spelling.zipf > most - _AS_FREQUENT)


def _frequent(recipe: Recipe, content: bytes) -> dict[str, float]:
    """Read how frequent words are: a list of words for every hundredth of a power of ten, behind a head."""
    found = hashlib.sha256(content).hexdigest()
    if found != recipe.frequencies[1]:
        raise DeskError(
            f"The frequencies have the SHA-256 '{found}', not the '{recipe.frequencies[1]}' of "
            f"{recipe.frequencies[0]}; get the version of wordfreq that is pinned."
        )
    msgpack = _imported("msgpack")
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        rows = msgpack.unpackb(file.read(_MOST_UNPACKED), raw=False)[1:]
    least = min(BANDS.values())
    return {
        lower_word(word): round(9 - number / 100, 2)
        for number, words in reversed(list(enumerate(rows)))
        for word in words
        if 9 - number / 100 >= least
    }


def _spelled(frequent: Mapping[str, float], letters: str) -> Iterator[tuple[str, float]]:
    """Yield words and frequencies; where there is a sharp s, with it too: wordfreq counts it as ss."""
    for written, zipf in frequent.items():
        yield written, zipf
        if "ß" in letters and "ss" in written:
            yield written.replace("ss", "ß"), zipf


class _Hunspell:
    """A dictionary of hunspell, asked for words and their inflected forms; of compounds it has no say."""

    def __init__(self, recipe: Recipe, package: bytes) -> None:
        ends = (".aff", ".dic")
        texts = unpacked(package, {f"./{recipe.place}{end}" for end in ends})
        with tempfile.TemporaryDirectory(prefix="jotto-") as folder:
            for end in ends:
                Path(folder, f"words{end}").write_bytes(texts[f"./{recipe.place}{end}"])
            with warnings.catch_warnings():
                # spylls leaves the files to Python to close.
                warnings.simplefilter("ignore", ResourceWarning)
                dictionary = _imported("spylls.hunspell").Dictionary.from_files(str(Path(folder, "words")))
        self._lookup = dictionary.lookuper
        self._stems = {entry.stem for entry in dictionary.dic.words}
        self._nouns_in_capitals = recipe.nouns_in_capitals

    def is_plain(self, word: str) -> bool | None:
        """Tell whether a word stands in the dictionary as it is; None for one that is not accepted at all."""
        accepted = [
            form
            for form in self._ways(word)
            if any(self._lookup.good_forms(form, capitalization=False, compound_forms=False))
        ]
        return any(form in self._stems for form in accepted) if accepted else None

    def _ways(self, word: str) -> Iterator[str]:
        yield word
        if self._nouns_in_capitals:
            yield word[:1].upper() + word[1:]


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise DeskError(f"Building this list needs {name}; install it with: {INSTALL}") from error
