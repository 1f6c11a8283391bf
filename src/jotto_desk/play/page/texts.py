"""The texts of the game's page in the languages of the game: a table for each, from the English texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_CODES
from jotto_desk.history import Translated, fill_english

HERE = Path(__file__).parent


@cache
def text_table(language: str) -> Mapping[str, str]:
    """Return the texts in a language by their English ones; an empty table for a language without one.

    >>> text_table("de")["Your answer"], len(text_table("en"))
    ('Deine Antwort', 0)
    """
    path = HERE / f"texts_{language}.json"
    if language == DEFAULT_LANGUAGE or language not in LANGUAGE_CODES or not path.is_file():
        return {}
    table: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return table


def translate_into(language: str) -> Translated:
    """Return the function that translates an English text and puts words in; a text without translation stays English.

    >>> translate_into("fr")("Your answer"), translate_into("")("Your answer")
    ('Ta r\u00e9ponse', 'Your answer')
    """
    table = text_table(language)
    return lambda english, **words: fill_english(table.get(english, english), **words)
