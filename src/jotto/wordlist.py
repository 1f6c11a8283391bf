"""Word lists: reading any text file of words into one that can be played with."""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib
import itertools
import re
from collections import namedtuple

from .errors import RepeatedSymbol, UnknownSymbol, WordListError, WrongLength
from .index import Index
from .rules import LETTERS
from .spelling import LONGEST_WORD, fold, letters_named, small, with_letters
from .versions import as_text

MYPY = False
if MYPY:
    from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

    from .rules import Rules

MOST_WORDS = 500000
MOST_BYTES = 20 * 1024 * 1024
#: Words that are looked at, kept or refused: every one costs microseconds.
MOST_ENTRIES = 1000000
SAMPLES = 5
#: What a word is refused for, in the order shown to people.
REASONS = {WrongLength: "wrong length", UnknownSymbol: "other characters", RepeatedSymbol: "repeated letters"}  # type: Dict[type, str]

_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
#: The control characters of Latin-1, which no text in that encoding has.
_NOT_LATIN = re.compile("[\x7f-\x9f]")
#: What `splitlines` and `split` find, one at a time: a list of millions of short texts takes many times their bytes.
_LINE = re.compile("[^\n\r\x0b\x0c\x85\u2028\u2029]+")
_PART = re.compile(r"[^\s,;]+", re.UNICODE)


class WordList(namedtuple("WordList", "name words bands letters accents")):
    """Words in list order; `bands` says how common each is (10 is most common) or None where nothing is known.

    `letters` are those the words are played with, `accents` are words as they are written where that is otherwise.
    """

    __slots__ = ()

    def __new__(cls, name, words, bands, letters=LETTERS, accents=None):
        # type: (str, Tuple[Any, ...], Tuple[Optional[int], ...], str, Optional[Dict[str, str]]) -> WordList
        return super(WordList, cls).__new__(cls, name, words, bands, letters, accents or {})

    def rules(self, usual):  # type: (Rules) -> Rules
        """Return the rules as they are played with the letters of this list."""
        return with_letters(usual, self.letters)

    def written(self, word):  # type: (Any) -> str
        """Return a word as people write it, with its accents."""
        return self.accents.get(word, word)  # type: ignore[no-any-return]

    @property
    def checksum(self):  # type: () -> str
        """Return the SHA-256 of the words, one per line: the list's identity, which its name does not change."""
        return hashlib.sha256("\n".join(self.words).encode("utf-8")).hexdigest()

    def indexed(self, rules):  # type: (Rules) -> Index
        """Make the bit sets of these words."""
        return Index(self.words, rules)

    def joined(self, more):  # type: (Iterable[str]) -> WordList
        """Add words at the end, without those already there; their commonness is not known."""
        known = set(self.words)
        new = []  # type: List[str]
        for word in more:
            if word not in known:
                known.add(word)
                new.append(word)
        return self._replace(words=self.words + tuple(new), bands=self.bands + (None,) * len(new))


class RefusedWords(namedtuple("RefusedWords", "count samples")):
    """How many words were refused for one reason, and the first few of them."""

    __slots__ = ()


#: A list as read: the words kept, the refused by reason, the number of words met more than once.
ParsedList = namedtuple("ParsedList", "wordlist refused duplicates")


def parse(content, rules, name):  # type: (Union[bytes, str], Rules, str) -> ParsedList
    """Read a list of words, one or several per line, `#` for remarks, a number after a tab for the commonness.

    Capitals and accents are folded, repeated lines dropped, words the rules forbid are refused and counted. Letters
    that the list names (`jotto.spelling`) take the place of a to z.
    Raises `WordListError` when it is no text, too large, or leaves fewer than two words.
    """
    name, text = as_text(name), _decode(content, as_text(name))
    rules = with_letters(rules, letters_named(text))
    words, accents = [], {}  # type: List[str], Dict[str, str]
    bands = {}  # type: Dict[str, Optional[int]]
    refused = {}  # type: Dict[str, RefusedWords]
    duplicates = 0
    for number, (raw, band) in enumerate(_entries(text, rules)):
        if number >= MOST_ENTRIES:
            raise _too_many(name, MOST_ENTRIES)
        word = fold(raw, rules.alphabet)
        fault = rules.fault(word)
        if fault is not None:
            reason = REASONS.get(fault, "not a word")
            count, samples = refused.get(reason, (0, ()))
            refused[reason] = RefusedWords(count + 1, samples + (raw[:40],) if count < SAMPLES else samples)
            continue
        if word in bands:
            duplicates += 1
            continue
        words.append(word)
        bands[word] = band
        shown = word if raw == word else small(raw)
        if shown != word:
            accents[word] = shown
        if len(words) > MOST_WORDS:
            raise _too_many(name, MOST_WORDS)
    _demand_enough(words, refused, name, rules)
    wordlist = WordList(name, tuple(words), tuple(bands[word] for word in words), rules.alphabet, accents)
    return ParsedList(wordlist, refused, duplicates)


def _too_many(name, most):  # type: (str, int) -> WordListError
    return WordListError("The list '%s' has more than %d words; give a shorter one." % (name, most))


def _decode(content, name):  # type: (Union[bytes, str], str) -> str
    if len(content) > MOST_BYTES:
        raise WordListError("The list '%s' is larger than %d MB; give a shorter one." % (name, MOST_BYTES >> 20))
    wrong = _NOT_TEXT
    try:
        text = as_text(content)
    except UnicodeDecodeError:
        # Old files in the encoding of Western Europe; its control characters mean that it is no text at all.
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        wrong = _NOT_LATIN if _NOT_LATIN.search(text) else _NOT_TEXT
    if wrong.search(text):
        raise WordListError("The list '%s' is not plain text; save it as UTF-8 text with one word per line." % name)
    return text[1:] if text.startswith("\ufeff") else text


def _entries(text, rules):  # type: (str, Rules) -> Iterator[Tuple[str, Optional[int]]]
    for line in _LINE.finditer(text):
        start, end = line.span()
        remark = text.find("#", start, end)
        parts = (_cut(text, part.span()) for part in _PART.finditer(text, start, end if remark < 0 else remark))
        first = list(itertools.islice(parts, 3))
        if len(first) == 2 and first[1].isdecimal() and not rules.allows(first[1]):
            yield first[0], int(first[1][:6])
        else:
            for word in itertools.chain(first, parts):
                yield word, None


def _cut(text, span):  # type: (str, Tuple[int, int]) -> str
    """Copy a part of a text, up to where it is too long for a word."""
    start, end = span
    return text[start : min(end, start + LONGEST_WORD + 1)]


def _demand_enough(words, refused, name, rules):  # type: (List[str], Dict[str, RefusedWords], str, Rules) -> None
    if len(words) > 1:
        return
    counts = ", ".join("%d %s" % (refused[reason].count, reason) for reason in sorted(refused))
    found = "only one word ('%s')" % words[0] if words else "no word"
    wanted = "%d letters%s" % (rules.length, "" if rules.repeats else ", all different")
    raise WordListError(
        "The list '%s' has %s to play with%s; it takes two or more of %s."
        % (name, found, " (refused: %s)" % counts if counts else "", wanted)
    )
