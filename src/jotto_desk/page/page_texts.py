"""The texts of the game's page as the panels use them."""

from __future__ import annotations

from jotto_desk.play.page.texts import text_table
from naosim_live.page.texts import ENGLISH, Texts


def page_texts(language: str) -> Texts:
    """Return the texts in a language; those of one that has no table are English.

    >>> page_texts("de")("Your answer"), page_texts("")("Your answer")
    ('Deine Antwort', 'Your answer')
    """
    table = text_table(language)
    return Texts(language, table) if table else ENGLISH
