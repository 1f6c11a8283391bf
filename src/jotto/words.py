"""Word lists: how words are spelled, lists that can be played with, and lists of words that NAO never says.

`fold_word` turns a word into the letters of the game. `parse_word_list` reads a `WordList` from the bytes of a text
file. `parse_block_list` reads a `BlockList`, which holds SHA-256 fingerprints instead of words.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib
import itertools
import re
import unicodedata
from collections import namedtuple

from jotto.compat import as_text, quote_value
from jotto.index import Index
from jotto.rules import LETTERS, MAX_WORD_LENGTH, RepeatedSymbol, Rules, UnknownSymbol, WordListError, WrongLength

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, Iterable, Iterator, List, Optional, Tuple, Union

# Spelling. A language is played with the letters that its word list names at the top, `# Letters: abcd...`, or a to z.
# A letter with an accent counts as the bare one unless it counts as a separate letter: French plays e for \u00e9,
# Spanish plays \u00f1.

#: Characters of a word with its accents as separate marks at most, as sorting n marks takes n * n steps.
_MAX_SPELLING_LENGTH = 4 * MAX_WORD_LENGTH

#: Ligatures are played as two letters, as in Motus: "c\u0153ur" is COEUR.
_LIGATURES = {"\u0153": "oe", "\u00e6": "ae", "\u00df": "ss"}
#: The remarks that a list begins with.
_TOP_REMARKS = re.compile("(?:[ \t]*#[^\n\r]*[\n\r]+|[ \t]*[\n\r]+)*")
_LETTERS_REMARK = re.compile("^[ \t]*#[ \t]*letters:[ \t]*(.*?)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_MAX_TOP_LENGTH = 4096


def fold_word(word, alphabet=""):  # type: (str, Iterable[str]) -> str
    r"""Return a word in the case of the alphabet (else small letters), without accents unless the alphabet has them.

    Text that is too long for a word is returned as it is.

    >>> str(fold_word("\u00c9tude"))
    'etude'
    """
    if len(word) > _MAX_SPELLING_LENGTH:
        return word
    if alphabet in ("", LETTERS):
        return word.lower() if _is_ascii(word) else _strip_accents(word)
    return "".join(_fold_letter(letter, alphabet) for letter in unicodedata.normalize("NFC", word))


def lower_letters(word):  # type: (str) -> str
    """Return a word in small letters with its accents, as people see and hear it."""
    if len(word) > _MAX_SPELLING_LENGTH:
        return word
    # Letter by letter, as Python 3 (unlike 2.7) writes the last sigma of a word differently.
    return "".join(letter.lower() for letter in unicodedata.normalize("NFC", word))


def capitalise_word(word):  # type: (str) -> str
    r"""Return a word in capitals, letter for letter: Python makes two letters of the German sharp s.

    >>> capitalise_word("stra\u00dfe") == "STRA\u1e9eE"
    True
    """
    return word.replace("\u00df", "\u1e9e").upper()


def parse_letters(text):  # type: (str) -> str
    """Return the letters that the remarks at the top of a list name, a to z where they name none.

    Raises `WordListError` if they are not an alphabet.
    """
    top = _TOP_REMARKS.match(text[:_MAX_TOP_LENGTH].lstrip("\ufeff"))
    named = _LETTERS_REMARK.search(top.group()) if top else None
    if named is None:
        return LETTERS
    letters = lower_letters(named.group(1))
    if not 2 <= len(letters) <= MAX_WORD_LENGTH or not letters.isalpha() or len(set(letters)) != len(letters):
        raise WordListError(
            "The letters %s of the list are not an alphabet; write each once, as in '# Letters: %s'."
            % (quote_value(named.group(1)), LETTERS)
        )
    return letters


def replace_letters(rules, letters):  # type: (Rules, str) -> Rules
    """Return the rules as they are played with these letters; those of codes and numbers stay as they are."""
    return rules._replace(alphabet=letters) if rules.alphabet == LETTERS != letters else rules


def _is_ascii(word):  # type: (str) -> bool
    try:
        word.encode("ascii")
    except UnicodeError:
        return False
    return True


def _fold_letter(letter, alphabet):  # type: (str, Iterable[str]) -> str
    for same in (letter, letter.lower(), letter.upper()):
        if same in alphabet:
            return same
    return _strip_accents(letter)


def _strip_accents(word):  # type: (str) -> str
    # Letter by letter, as in `lower_letters`.
    parts = (part.lower() for part in unicodedata.normalize("NFD", word) if not unicodedata.combining(part))
    return "".join(_LIGATURES.get(part, part) for part in parts)


# Word lists.

MAX_WORDS = 500000
MAX_LIST_BYTES = 20 * 1024 * 1024
#: Words of a file at most, as reading each takes microseconds.
MAX_ENTRIES = 1000000
_MAX_REFUSED_SAMPLES = 5
#: Reasons for refusing a word, in the order shown to people.
_REFUSAL_REASONS = {WrongLength: "wrong length", UnknownSymbol: "other characters", RepeatedSymbol: "repeated letters"}  # type: Dict[type, str]

_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
#: The control characters of Latin-1, which no text in that encoding has.
_NOT_LATIN = re.compile("[\x7f-\x9f]")
#: Patterns that find one line or entry at a time: the lists of `splitlines` and `split` take many times the file's
#: size. Groups are for a line with one word, and perhaps its commonness, as most lines of most lists are.
_IN_LINE = "[^\n\r\x0b\x0c\x85\u2028\u2029]"
_LINE = re.compile("([^\\s,;#]{1,64})(?:\t([0-9]{1,6}))?(?!%s)|%s+" % (_IN_LINE, _IN_LINE), re.UNICODE)
_PART = re.compile(r"[^\s,;]+", re.UNICODE)


class WordList(namedtuple("WordList", "name words bands letters accents")):
    """Words in list order; `bands` has the band of each word (10 is most common), or is None if unknown.

    `letters` are those the words are played with; `accents` maps words to their spelling with accents, if different.
    """

    __slots__ = ()

    def __new__(cls, name, words, bands, letters=LETTERS, accents=None):
        # type: (str, Tuple[Any, ...], Tuple[Optional[int], ...], str, Optional[Dict[str, str]]) -> WordList
        return super(WordList, cls).__new__(cls, name, words, bands, letters, accents or {})

    def adapt_rules(self, usual):  # type: (Rules) -> Rules
        """Return the rules as they are played with the letters of this list."""
        return replace_letters(usual, self.letters)

    def write_word(self, word):  # type: (Any) -> str
        """Return a word as people write it, with its accents."""
        return self.accents.get(word, word)  # type: ignore[no-any-return]

    @property
    def checksum(self):  # type: () -> str
        """Return the SHA-256 of the words, one per line: the list's identity, which its name does not change."""
        return hashlib.sha256("\n".join(self.words).encode("utf-8")).hexdigest()

    def build_index(self, rules):  # type: (Rules) -> Index
        """Make the bit sets of these words."""
        return Index(self.words, rules)

    def add_words(self, more):  # type: (Iterable[str]) -> WordList
        """Return the list with words added at the end, without those it has; how common they are is unknown."""
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


def parse_word_list(content, rules, name):  # type: (Union[bytes, str], Rules, str) -> ParsedList
    """Read a list of words, one or several per line, `#` for remarks, a number after a tab for the commonness.

    Capitals and accents are folded, repeated lines dropped, words the rules forbid are refused and counted. Letters
    that the list names (`parse_letters`) take the place of a to z.
    Raises `WordListError` when it is not a text, too large, or leaves fewer than two words.
    """
    name, text = as_text(name), _decode_list(content, as_text(name))
    rules = replace_letters(rules, parse_letters(text))
    words, accents = [], {}  # type: List[str], Dict[str, str]
    bands = {}  # type: Dict[str, Optional[int]]
    refused = {}  # type: Dict[str, RefusedWords]
    duplicates = 0
    for number, (raw, band) in enumerate(_iterate_entries(text, rules)):
        if number >= MAX_ENTRIES:
            raise _refuse_many_words(name, MAX_ENTRIES)
        word = fold_word(raw, rules.alphabet)
        fault = rules.fault(word)
        if fault is not None:
            reason = _REFUSAL_REASONS.get(fault, "not a word")
            count, samples = refused.get(reason, (0, ()))
            refused[reason] = RefusedWords(
                count + 1, samples + (raw[:40],) if count < _MAX_REFUSED_SAMPLES else samples
            )
            continue
        if word in bands:
            duplicates += 1
            continue
        words.append(word)
        bands[word] = band
        shown = word if raw == word else lower_letters(raw)
        if shown != word:
            accents[word] = shown
        if len(words) > MAX_WORDS:
            raise _refuse_many_words(name, MAX_WORDS)
    _require_two_words(words, refused, name, rules)
    wordlist = WordList(name, tuple(words), tuple(bands[word] for word in words), rules.alphabet, accents)
    return ParsedList(wordlist, refused, duplicates)


def _refuse_many_words(name, most):  # type: (str, int) -> WordListError
    return WordListError("The list '%s' has more than %d words; give a shorter one." % (name, most))


def _decode_list(content, name):  # type: (Union[bytes, str], str) -> str
    if len(content) > MAX_LIST_BYTES:
        raise WordListError("The list '%s' is larger than %d MB; give a shorter one." % (name, MAX_LIST_BYTES >> 20))
    wrong = _NOT_TEXT
    try:
        text = as_text(content)
    except UnicodeDecodeError:
        # An old file in Latin-1; control characters mean that it is not text.
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        wrong = _NOT_LATIN if _NOT_LATIN.search(text) else _NOT_TEXT
    if wrong.search(text):
        raise WordListError("The list '%s' is not plain text; save it as UTF-8 text with one word per line." % name)
    return text[1:] if text.startswith("\ufeff") else text


def _iterate_entries(text, rules):  # type: (str, Rules) -> Iterator[Tuple[str, Optional[int]]]
    for line in _LINE.finditer(text):
        word, band = line.groups()
        if word is not None and (band is None or len(band) != rules.length):
            yield word, None if band is None else int(band)
            continue
        start, end = line.span()
        remark = text.find("#", start, end)
        parts = (_cut_entry(text, part.span()) for part in _PART.finditer(text, start, end if remark < 0 else remark))
        first = list(itertools.islice(parts, 3))
        if len(first) == 2 and first[1].isdecimal() and not rules.allows(first[1]):
            yield first[0], int(first[1][:6])
        else:
            for word in itertools.chain(first, parts):
                yield word, None


def _cut_entry(text, span):  # type: (str, Tuple[int, int]) -> str
    """Return a part of a text, cut where it gets too long for a word."""
    start, end = span
    return text[start : min(end, start + _MAX_SPELLING_LENGTH + 1)]


def _require_two_words(words, refused, name, rules):  # type: (List[str], Dict[str, RefusedWords], str, Rules) -> None
    if len(words) > 1:
        return
    counts = ", ".join("%d %s" % (refused[reason].count, reason) for reason in sorted(refused))
    found = "only one word ('%s')" % words[0] if words else "no word"
    wanted = "%d letters%s" % (rules.length, "" if rules.repeats else ", all different")
    raise WordListError(
        "The list '%s' has %s to play with%s; a game needs two or more of %s."
        % (name, found, " (refused: %s)" % counts if counts else "", wanted)
    )


# Words that NAO never says: SHA-256 fingerprints of whole words, so that the project does not show them.

MIN_BLOCKED_LENGTH = 2
MAX_BLOCKED_LENGTH = 32
MAX_BLOCK_LIST_BYTES = 8 * 1024 * 1024

#: A word: letters, with accents as part of the letter or as separate marks after it.
_SPOKEN_WORD = re.compile("(?:[^\\W\\d_]|[\u0300-\u036f])+", re.UNICODE)
_FINGERPRINT = re.compile("[0-9a-f]{64}$")


class BlockList(namedtuple("BlockList", "hashes letters")):
    """A frozen set of fingerprints, and the letters of their language, each of which counts as a letter.

    >>> rude = BlockList(frozenset([hash_blocked_word("drat")]))
    >>> rude.blocks("Drat"), rude.blocks("hydrate")
    (True, False)
    >>> str(rude.clean("Oh DRAT, hydrate!", "beep"))
    'Oh beep, hydrate!'
    """

    __slots__ = ()

    def __new__(cls, hashes, letters=LETTERS):  # type: (FrozenSet[str], str) -> BlockList
        return super(BlockList, cls).__new__(cls, hashes, letters)

    def blocks(self, word):  # type: (str) -> bool
        """Return whether a single word is blocked, ignoring case and accents."""
        return (
            bool(self.hashes)
            and MIN_BLOCKED_LENGTH <= len(word) <= MAX_BLOCKED_LENGTH
            and hash_blocked_word(word, self.letters) in self.hashes
        )

    def clean(self, text, instead):  # type: (str, str) -> str
        """Return a text with `instead` for every blocked word."""
        return _SPOKEN_WORD.sub(lambda found: instead if self.blocks(found.group()) else found.group(), as_text(text))

    def add_fingerprints(self, more):  # type: (Iterable[str]) -> BlockList
        """Add fingerprints."""
        return self._replace(hashes=self.hashes.union(more))

    def format_text(self):  # type: () -> str
        """Return the text for `parse_block_list`: letters other than a to z, then sorted fingerprints, one per line."""
        head = "" if self.letters == LETTERS else "# Letters: %s\n" % self.letters
        return head + "".join(line + "\n" for line in sorted(self.hashes))


EMPTY_BLOCK_LIST = BlockList(frozenset())


#: Fingerprints in memory, of the words that a game repeats.
_HASHES = {}  # type: Dict[Tuple[str, str], str]
_MAX_HASHES = 4096


def hash_blocked_word(word, letters=LETTERS):  # type: (str, str) -> str
    """Return the SHA-256 in hex of a word without its case, and without the accents that these letters lack."""
    found = _HASHES.get((word, letters))
    if found is None:
        if len(_HASHES) >= _MAX_HASHES:
            _HASHES.clear()
        digest = hashlib.sha256(fold_word(as_text(word), letters).encode("utf-8")).hexdigest()
        found = _HASHES[word, letters] = as_text(digest)
    return found


def parse_block_list(content):  # type: (Union[bytes, str]) -> BlockList
    """Read a block list: one fingerprint per line, empty lines and `#` remarks left out.

    Raises `WordListError` for any other line.
    """
    if len(content) > MAX_BLOCK_LIST_BYTES:
        raise WordListError("The block list is larger than %d MB; give a shorter one." % (MAX_BLOCK_LIST_BYTES >> 20))
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
    hashes = set()
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.partition("#")[0].strip()
        if entry and not _FINGERPRINT.match(entry):
            raise WordListError(
                "Line %d of the block list, '%s', is not a SHA-256 in hex; add words with "
                "'jotto words add --block WORD'." % (number, entry[:20])
            )
        if entry:
            hashes.add(entry)
    return BlockList(frozenset(hashes), parse_letters(text))
