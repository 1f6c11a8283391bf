"""How words sound, as phones: from a pronouncing dictionary, and by plain rules for words that it lacks."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from .recogniser import VoiceError, plain_words

#: Letters of English to phones of the CMU dictionary, the longest match first; good for names and rare words.
RULES = {
    "tion": "SH AH N",
    "sion": "ZH AH N",
    "ough": "AO",
    "augh": "AO",
    "eigh": "EY",
    "igh": "AY",
    "tch": "CH",
    "sch": "SH",
    "dge": "JH",
    "ear": "IH R",
    "oor": "AO R",
    "our": "AO R",
    "air": "EH R",
    "are": "EH R",
    "ch": "CH",
    "sh": "SH",
    "th": "TH",
    "ph": "F",
    "wh": "W",
    "gh": "G",
    "kn": "N",
    "wr": "R",
    "ck": "K",
    "ng": "NG",
    "qu": "K W",
    "ee": "IY",
    "ea": "IY",
    "ai": "EY",
    "ay": "EY",
    "oa": "OW",
    "ow": "OW",
    "oo": "UW",
    "ou": "AW",
    "oi": "OY",
    "oy": "OY",
    "au": "AO",
    "aw": "AO",
    "ew": "UW",
    "ie": "IY",
    "ei": "IY",
    "ey": "IY",
    "er": "ER",
    "ir": "ER",
    "ur": "ER",
    "ar": "AA R",
    "or": "AO R",
    "ce": "S",
    "ci": "S IH",
    "cy": "S IY",
    "ge": "JH",
    "a": "AE",
    "b": "B",
    "c": "K",
    "d": "D",
    "e": "EH",
    "f": "F",
    "g": "G",
    "h": "HH",
    "i": "IH",
    "j": "JH",
    "k": "K",
    "l": "L",
    "m": "M",
    "n": "N",
    "o": "AA",
    "p": "P",
    "q": "K",
    "r": "R",
    "s": "S",
    "t": "T",
    "u": "AH",
    "v": "V",
    "w": "W",
    "x": "K S",
    "y": "IY",
    "z": "Z",
}
#: A vowel before one consonant and a silent e at the end says its name.
_LONG = {"a": "EY", "e": "IY", "i": "AY", "o": "OW", "u": "UW"}
_SILENT_E = re.compile(r"([aeiou])([bcdfgjklmnpqstvwxz])e$")
_DOUBLED = re.compile(r"([bcdfghjklmnpqrstvwxz])\1")
#: How the names of vowels begin.
_VOWELS = tuple("AEIOU")
#: Vowels that sound otherwise in England than in America; the u of "two" is said far in front in Scotland.
_ENGLISH = {"ER": ("AH",), "OW": ("AH", "UW"), "UW": ("IY",)}
WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*'?")
LONGEST_WORD = 40
#: Words that are not looked up again: pocketsphinx keeps some bytes for ever for each time it is asked.
MOST_KEPT = 10_000


class Pronunciations:
    """Words with their phones; `look_up` returns those of the dictionary as text, or None."""

    def __init__(self, look_up: Callable[[str], str | None]) -> None:
        self._look_up = lru_cache(MOST_KEPT)(look_up)

    def words(self, phrase: str) -> list[str]:
        """Split a phrase into words that can be sounded; raises VoiceError for what is none.

        >>> Pronunciations(lambda word: None).words("That's right, HAL!")
        ["that's", 'right', 'hal']
        """
        words = list(map(str.lower, plain_words(phrase)))
        for word in words:
            if len(word) > LONGEST_WORD or not WORD.fullmatch(word):
                raise VoiceError(
                    f"The word {word[:LONGEST_WORD]!r} cannot be listened for: it is not written in the "
                    "letters of English."
                )
        if not words:
            raise VoiceError(f"The phrase {phrase!r} holds no word.")
        return words

    def phones(self, word: str) -> tuple[str, ...]:
        """Return how a word sounds: as in the dictionary, else in its parts, else by the rules."""
        known = self._look_up(word)
        if known is not None:
            return tuple(known.split())
        parts = re.split("['-]", word)
        if len(parts) > 1:
            return tuple(phone for part in parts if part for phone in self.phones(part))
        return _sounded(word)

    def is_known(self, word: str) -> bool:
        """Tell whether the dictionary has a word."""
        return self._look_up(word) is not None

    def of(self, phrase: str) -> tuple[str, ...]:
        """Return how a whole phrase sounds."""
        return tuple(phone for word in self.words(phrase) for phone in self.phones(word))


def variant(phones: tuple[str, ...]) -> tuple[str, ...]:
    """Return how a word sounds in most of England: no r but before vowels, and the o of "no" begins like "a".

    >>> " ".join(variant(("F", "AO", "R"))), " ".join(variant(("Z", "IH", "R", "OW")))
    ('F AO', 'Z IH R AH UW')
    """
    kept = [
        phone for phone, after in zip(phones, (*phones[1:], ""), strict=True) if phone != "R" or after[:1] in _VOWELS
    ]
    return tuple(part for phone in kept for part in _ENGLISH.get(phone, (phone,)))


def _sounded(word: str) -> tuple[str, ...]:
    """Return how an unknown word may sound, by rules of English spelling.

    >>> " ".join(_sounded("jotto")), " ".join(_sounded("blape"))
    ('JH AA T AA', 'B L EY P')
    """
    long = _SILENT_E.search(word)
    if long:
        start, end = _sounded(word[: long.start()]) if long.start() else (), long.group(2)
        return (*start, _LONG[long.group(1)], *RULES["ce" if end == "c" else "ge" if end == "g" else end].split())
    word, phones, at = _DOUBLED.sub(r"\1", word), [], 0
    while at < len(word):
        piece = next(word[at : at + size] for size in (4, 3, 2, 1) if word[at : at + size] in RULES)
        phones += RULES[piece].split()
        at += len(piece)
    return tuple(phones)


def distance(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Count the phones to change, add or leave out to come from one sound to another.

    >>> distance(("N", "OW"), ("G", "OW"))
    1
    """
    row = list(range(len(other) + 1))
    for number, phone in enumerate(one, 1):
        above, row[0] = row[0], number
        for place, another in enumerate(other, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (phone != another))
    return row[-1]
