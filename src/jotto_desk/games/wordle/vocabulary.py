"""The words a helper knows and how frequent they are: from our list, from NLTK's corpora, or from wordfreq."""

import os
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from jotto.compat import as_text
from jotto.rules import WORDLE, Rules
from jotto.words import BlockList, WordList, fold_word

from ... import places
from ... import words as lists
from ...errors import DeskError, meant
from ...words import recipes
from ...words.lists import Remark
from ...words.recipes import DEFAULT

OURS, NLTK, WORDFREQ = "list", "nltk", "wordfreq"
SOURCES = (OURS, NLTK, WORDFREQ)
CORPORA = ("brown", "webtext", "gutenberg")
INSTALL = "pip install 'nao-jotto[words]'"
#: How much likelier a word of a SCOWL band is as an answer; words of no known band count as the rarest.
BAND_COUNTS = {10: 16.0, 20: 8.0, 35: 3.0, 40: 1.0, 50: 0.5}
_PLAIN, _WORD_OR_SIGNS = re.compile("[A-Za-z]+"), re.compile(r"\w+|[^\w\s]+")


@dataclass(frozen=True)
class Vocabulary:
    """Words, the most frequent first, with a count each; `unit` says what is counted.

    Words `unspoken` may be the answer, but are neither asked nor shown.
    """

    name: str
    counts: dict[str, float]
    unit: str
    unspoken: frozenset[str] = frozenset()

    @property
    def words(self) -> tuple[str, ...]:
        """All words, the most frequent first."""
        return tuple(self.counts)

    @property
    def spoken(self) -> tuple[str, ...]:
        """The words that may be asked and shown, the most frequent first."""
        return tuple(word for word in self.counts if word not in self.unspoken)


def load(
    source: str,
    word_list: str = "",
    rules: Rules = WORDLE,
    *,
    corpora: Iterable[str] = CORPORA,
    remark: Remark = lists.to_stderr,
    with_blocked: bool = False,
) -> Vocabulary:
    """Return the words of a source; a `word_list` keeps to its own words, with the counts of the source.

    Words of the block list stay in, unspoken; `with_blocked` speaks them too.
    Raises `DeskError` for a source there is not, and where NLTK, its corpora or wordfreq are missing.
    """
    if source not in SOURCES:
        raise DeskError(
            f"There is no source of frequencies '{source}'; choose one of: {', '.join(SOURCES)}."
            f"{meant(source, SOURCES)}"
        )
    blocked = BlockList(frozenset()) if with_blocked else lists.block_list()
    listed = _listed(word_list or DEFAULT, rules, remark) if word_list or source == OURS else None
    if source == OURS and listed is not None:
        least = min(BAND_COUNTS.values())
        # A list that does not say how common its words are has them all alike.
        counts = {word: BAND_COUNTS.get(band, least) for word, band in zip(listed.words, listed.bands, strict=True)}
        return _sorted(listed.name, counts, "weight by how common", blocked)
    if source == NLTK:
        counts, unit = _nltk_counts(rules, tuple(corpora)), f"times in {', '.join(corpora)}"
    else:
        counts, unit = _wordfreq_counts(rules), "per million words"
    if listed is not None:
        counts = {word: counts.get(word, 0.0) for word in listed.words}
    return _sorted(listed.name if listed else source, counts, unit, blocked)


def unfit_for_children(name: str) -> frozenset[str]:
    """Return the words that are never drawn as secrets from a list of the game; none for any other list."""
    if name not in lists.names():
        return frozenset()
    path = places.shipped("wordlists") / f"{name}-late.txt"
    return frozenset(fold_word(word, WORDLE.alphabet) for word in recipes.words_in(path))


def _listed(word_list: str, rules: Rules, remark: Remark) -> WordList:
    """Read a list with every word of it."""
    found: WordList = lists.read(lists.find(word_list, remark), rules, BlockList(frozenset()), remark).wordlist
    return found


def _sorted(name: str, counts: dict[str, float], unit: str, blocked: BlockList) -> Vocabulary:
    unspoken = frozenset(word for word in counts if blocked.blocks(word))
    return Vocabulary(name, dict(sorted(counts.items(), key=lambda pair: -pair[1])), unit, unspoken)


def _words_of(reader: Any, file: str) -> list[str]:
    """Cut one text of a corpus into words, as its reader does."""
    text = as_text(reader.raw(file))
    if hasattr(reader, "tagged_words"):
        cut = (token.rpartition("/") for token in text.split())
        return [word if slash else tag for word, slash, tag in cut]
    return _WORD_OR_SIGNS.findall(text)


def corpus_words(name: str) -> list[str]:
    """Read all words of one of NLTK's corpora through its reader.

    Raises `DeskError` where NLTK or the corpus is missing, with the command that gets it.
    """
    try:
        import nltk
    except ImportError as error:
        raise DeskError(f"Frequencies from NLTK need nltk; install it with: {INSTALL}") from error
    reader: Any = getattr(nltk.corpus, name)
    try:
        # Its `words()` gives the same, line by line, in many times as long.
        return [word for file in reader.fileids() for word in _words_of(reader, file)]
    except LookupError as error:
        raise DeskError(
            f"NLTK's corpus '{name}' is not there; get it with: python -m nltk.downloader {name} "
            "(or set NLTK_DATA to the folder that has it)."
        ) from error
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        where = os.environ.get("NLTK_DATA", "NLTK's folder")
        raise DeskError(
            f"NLTK's corpus '{name}' in '{where}' cannot be read; get it again with: python -m nltk.downloader {name}"
        ) from error


def corpus_counts(name: str, rules: Rules = WORDLE, read: Callable[[str], list[str]] = corpus_words) -> Counter[str]:
    """Count the words of a corpus that the rules allow, whatever their case; only plain letters count."""
    found = Counter(word.lower() for word in read(name) if len(word) == rules.length and _PLAIN.fullmatch(word))
    return Counter({word: count for word, count in found.items() if rules.allows(word)})


def _nltk_counts(rules: Rules, corpora: tuple[str, ...]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for name in corpora:
        if name not in CORPORA:
            raise DeskError(
                f"There is no corpus '{name}' here; choose from: {', '.join(CORPORA)}.{meant(name, CORPORA)}"
            )
        counts.update(corpus_counts(name, rules))
    return {word: float(count) for word, count in counts.items()}


def _wordfreq_counts(rules: Rules) -> dict[str, float]:
    try:
        import wordfreq
    except ImportError as error:
        raise DeskError(f"Frequencies from wordfreq need wordfreq; install it with: {INSTALL}") from error
    known: dict[str, float] = wordfreq.get_frequency_dict("en", wordlist="small")
    return {
        word: round(share * 1e6, 3) for word, share in known.items() if len(word) == rules.length and rules.allows(word)
    }
