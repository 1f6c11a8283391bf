"""The texts of a page in the language of those who look at it: a table from the English ones, passed in."""

from __future__ import annotations

from collections.abc import Mapping


class Texts:
    """What a page says: the `table` of texts by their English ones; a text that it lacks stays English.

    `language` is the page's, as in HTML.

    >>> Texts("fr", {"{count} words": "{count} mots"})("{count} words", count=3), Texts()("Say")
    ('3 mots', 'Say')
    """

    def __init__(self, language: str = "en-US", table: Mapping[str, str] | None = None) -> None:
        self.language = language
        self.table = table or {}

    def __call__(self, english: str, **words: object) -> str:
        """Return a text, with words put in."""
        text = self.table.get(english, english)
        return text.format(**words) if words else text


ENGLISH = Texts()
