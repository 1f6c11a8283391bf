"""Find NAO's lines in what NAO has said, in any language: for simulated players, and for checks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jotto_behaviour.lines import NUMBER_SIGN, PLACEHOLDER, Line, Lines, NumberForms

#: What may stand for a word that is put into a wording.
ANY_WORD = r"[\w-]+"


def renderings(lines: Lines, key: str, **words: Any) -> list[str]:
    """Return every way to say a line with these words.

    >>> from jotto_behaviour import mind
    >>> renderings(mind.load_lines(), "spell, shortly", number=3)
    ["What's letter three?"]
    """
    return [str(lines.speak(Line(key, words), 0, beat).text) for beat in range(len(lines.variants(key)))]


def is_said(lines: Lines, key: str, says: Sequence[str], **words: Any) -> bool:
    """Tell whether a line with these words is among what NAO has said."""
    heard = [text.lower() for text in says]
    return any(wanted.lower() in text for wanted in renderings(lines, key, **words) for text in heard)


def is_word_said(lines: Lines, word: str, says: Sequence[str]) -> bool:
    """Tell whether a word of a list is among what NAO has said, in whatever line."""
    written = re.compile(rf"\b{re.escape(lines.written(word))}\b", re.IGNORECASE)
    return any(written.search(text) for text in says)


def is_said_somehow(lines: Lines, key: str, says: Sequence[str], **words: str) -> bool:
    """Tell whether a line is among what NAO has said with these words in it; its other words are left open."""
    texts = [text.lower() for text in says]
    return any(
        pattern.search(text)
        for wording in lines.variants(key)
        for text in texts
        for pattern in [_pattern(wording.lower(), lines.forms, tuple(sorted(words.items())))]
    )


@lru_cache(maxsize=500)
def _pattern(wording: str, forms: NumberForms, words: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    pieces, end = [], 0
    for found in PLACEHOLDER.finditer(wording):
        pieces += [re.escape(wording[end : found.start()]), _group(found.group(1), found.group(2), forms, dict(words))]
        end = found.end()
    return re.compile("".join([*pieces, re.escape(wording[end:])]))


def _group(name: str, form: str | None, forms: NumberForms, words: dict[str, str]) -> str:
    if name in words:
        return re.escape(words[name].lower())
    if not form:
        return ANY_WORD
    ways = form.split("|") if "|" in form else [str(each).lower() for each in forms.tables[form]]
    return "(?:" + "|".join(re.escape(way).replace(re.escape(NUMBER_SIGN), ANY_WORD) for way in ways) + ")"
