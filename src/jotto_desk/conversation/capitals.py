"""Guesses and secrets in capitals, in what NAO says."""

import re
from collections.abc import Iterator
from functools import cache

from jotto import words
from jotto_behaviour import mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_behaviour.states import STATES, list_meanings

#: What stands for a guess or a secret in a wording, and what stands for something else at its ends.
_WORD = re.compile(r"\{(?:guess|word|phrase)\}", re.IGNORECASE)
_OTHER_ENDS = re.compile(r"^\{(?!guess|word|phrase)[^}]+\}|\{(?!guess|word|phrase)[^}]+\}$", re.IGNORECASE)
#: A guess as it is written: in other languages with accents, and in four signs where two letters are written as one.
_ENGLISH, _ACCENTED = "[A-Za-z]{5}", r"(?:[^\W\d_]{5}|(?=\w*[\u0153\u00e6])[^\W\d_]{4})"


def capitals(text: str, language: str = DEFAULT_LANGUAGE) -> str:
    """Write in capitals what stands in NAO's lines for a guess or a secret, and no other word that is spelled alike.

    >>> capitals("Okay, not that. How many letters of place are in the right place?")
    'Okay, not that. How many letters of PLACE are in the right place?'
    """
    spans = {
        found.span(name): name
        for literal, pattern in _wordings(language)
        if literal in text
        for found in pattern.finditer(text)
        for name in pattern.groupindex
    }
    for (start, end), name in spans.items():
        word = text[start:end]
        if not (name.startswith("phrase") and word.lower() in _phrases(language)):
            text = text[:start] + words.capitalise_word(word) + text[end:]
    return text


@cache
def _phrases(language: str) -> frozenset[str]:
    """Return what NAO listens for besides words of the list: asked back, "three" is no guess."""
    wanted = {meaning for name, state in STATES.items() if state.listens for meaning in list_meanings(name, True)}
    return frozenset(phrase.lower() for phrase in mind.load_lines(language).phrases(wanted))


@cache
def _wordings(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the wordings that hold a guess or a secret: their longest piece of plain text, and a pattern."""
    lines = mind.load_lines(language)
    word = _ENGLISH if language == DEFAULT_LANGUAGE else _ACCENTED
    keys = lines.keys()
    wordings = (wording for key in keys for wording in lines.variants(key))
    return tuple(_pattern(_OTHER_ENDS.sub("", wording), word) for wording in wordings if _WORD.search(wording))


def _pattern(wording: str, word: str) -> tuple[str, re.Pattern[str]]:
    pieces = re.split(r"(\{[^}]+\})", wording)
    return max(pieces[::2], key=len).strip(), re.compile("".join(_translated(pieces, word)))


def _translated(pieces: list[str], word: str) -> Iterator[str]:
    for number, piece in enumerate(pieces):
        if _WORD.match(piece):
            yield rf"\b(?P<{piece[1:-1].lower()}{number}>{word})\b"
        else:
            yield ".*?" if piece.startswith("{") else re.escape(piece)
