"""Word lists: reading any text file of words into one that can be played with."""
from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib
import re
import unicodedata
from collections import namedtuple

from .errors import JottoError, RepeatedSymbol, UnknownSymbol, WordListError, WrongLength
from .index import Index
from .rules import LETTERS
from .versions import as_text

MYPY = False
if MYPY:
    from typing import Dict, Iterable, List, Optional, Tuple, Union

    from .rules import Rules

MOST_WORDS = 500000
MOST_BYTES = 20 * 1024 * 1024
SAMPLES = 5
#: What a word is refused for, in the order shown to people.
REASONS = {
    WrongLength: "wrong length", UnknownSymbol: "other characters", RepeatedSymbol: "repeated letters",
}  # type: Dict[type, str]

_LIGATURES = {"\u0153": "oe", "\u00e6": "ae", "\u00df": "ss"}
_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class WordList(namedtuple("WordList", "name words bands")):
    """Words in list order; `bands` says how common each is (10 is most common) or None where nothing is known."""

    __slots__ = ()

    @property
    def checksum(self):
        # type: () -> str
        """Return the SHA-256 of the words, one per line: the list's identity, which its name does not change."""
        return hashlib.sha256("\n".join(self.words).encode("utf-8")).hexdigest()

    def indexed(self, rules):
        # type: (Rules) -> Index
        """Make the bit sets of these words."""
        return Index(self.words, rules)

    def joined(self, more):
        # type: (Iterable[str]) -> WordList
        """Add words at the end, without those already there; their commonness is not known."""
        known = set(self.words)
        new = []  # type: List[str]
        for word in more:
            if word not in known:
                known.add(word)
                new.append(word)
        return WordList(self.name, self.words + tuple(new), self.bands + (None,) * len(new))


class RefusedWords(namedtuple("RefusedWords", "count samples")):
    """How many words were refused for one reason, and the first few of them."""

    __slots__ = ()


#: A list as read: the words kept, the refused by reason, the number of words met more than once.
ParsedList = namedtuple("ParsedList", "wordlist refused duplicates")


def fold(word, alphabet=""):
    # type: (str, Iterable[str]) -> str
    r"""Return a word the case of the alphabet (else small letters), without accents unless the alphabet has them.

    >>> str(fold("\u00c9tude"))
    'etude'
    """
    if alphabet in ("", LETTERS) and _is_ascii(word):
        return word.lower()
    return "".join(_fold_letter(letter, alphabet) for letter in unicodedata.normalize("NFC", word))


def _is_ascii(word):
    # type: (str) -> bool
    try:
        word.encode("ascii")
    except UnicodeError:
        return False
    return True


def _fold_letter(letter, alphabet):
    # type: (str, Iterable[str]) -> str
    for same in (letter, letter.lower(), letter.upper()):
        if same in alphabet:
            return same
    bare = unicodedata.normalize("NFD", letter.lower())
    return "".join(_LIGATURES.get(part, part) for part in bare if not unicodedata.combining(part))


def parse(content, rules, name):
    # type: (Union[bytes, str], Rules, str) -> ParsedList
    """Read a list of words, one or several per line, `#` for remarks, a number after a tab for the commonness.

    Capitals and accents are folded, repeated lines dropped, words the rules forbid are refused and counted.
    Raises `WordListError` when it is no text, too large, or leaves fewer than two words.
    """
    name = as_text(name)
    words = []  # type: List[str]
    bands = {}  # type: Dict[str, Optional[int]]
    refused = {}  # type: Dict[str, RefusedWords]
    duplicates = 0
    for raw, band in _entries(_decode(content, name), rules):
        word = fold(raw, rules.alphabet)
        try:
            rules.check(word)
        except JottoError as error:
            reason = REASONS.get(type(error), "not a word")
            count, samples = refused.get(reason, (0, ()))
            refused[reason] = RefusedWords(count + 1, samples + (raw[:40],) if count < SAMPLES else samples)
            continue
        if word in bands:
            duplicates += 1
            continue
        words.append(word)
        bands[word] = band
        if len(words) > MOST_WORDS:
            raise WordListError("The list '%s' has more than %d words; give a shorter one." % (name, MOST_WORDS))
    _demand_enough(words, refused, name, rules)
    wordlist = WordList(name, tuple(words), tuple(bands[word] for word in words))
    return ParsedList(wordlist, refused, duplicates)


def _decode(content, name):
    # type: (Union[bytes, str], str) -> str
    if len(content) > MOST_BYTES:
        raise WordListError("The list '%s' is larger than %d MB; give a shorter one." % (name, MOST_BYTES >> 20))
    try:
        text = as_text(content)
    except UnicodeDecodeError:
        # Old files in the encoding of Western Europe; its control characters mean that it is no text at all.
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        text = re.sub("[\x7f-\x9f]", "\x00", text)
    if _NOT_TEXT.search(text):
        raise WordListError("The list '%s' is not plain text; save it as UTF-8 text with one word per line." % name)
    return text[1:] if text.startswith("\ufeff") else text


def _entries(text, rules):
    # type: (str, Rules) -> Iterable[Tuple[str, Optional[int]]]
    for line in text.splitlines():
        parts = line.partition("#")[0].replace(",", " ").replace(";", " ").split()
        if len(parts) == 2 and parts[1].isdecimal() and not rules.allows(parts[1]):
            yield parts[0], int(parts[1][:6])
        else:
            for part in parts:
                yield part, None


def _demand_enough(words, refused, name, rules):
    # type: (List[str], Dict[str, RefusedWords], str, Rules) -> None
    if len(words) > 1:
        return
    counts = ", ".join("%d %s" % (refused[reason].count, reason) for reason in sorted(refused))
    found = "only one word ('%s')" % words[0] if words else "no word"
    wanted = "%d letters%s" % (rules.length, "" if rules.repeats else ", all different")
    raise WordListError("The list '%s' has %s to play with%s; it takes two or more of %s."
                        % (name, found, " (refused: %s)" % counts if counts else "", wanted))
