"""The texts of the game's page in the languages of the game: a table each, from the English texts."""

from __future__ import annotations

import json
from pathlib import Path

from jotto_behaviour.settings import DEFAULT_LANGUAGE
from naosim_live.page.texts import ENGLISH, Texts

HERE = Path(__file__).parent


def page_texts(language: str) -> Texts:
    """Return the texts in a language; those of one that has no table are English.

    >>> page_texts("de")("Your answer"), page_texts("")("Your answer")
    ('Deine Antwort', 'Your answer')
    """
    path = HERE / f"texts_{language}.json"
    if language in ("", DEFAULT_LANGUAGE) or not path.is_file():
        return ENGLISH
    return Texts(language, json.loads(path.read_text(encoding="utf-8")))
