"""Texts in the language of a game, by their English ones: what is passed where another language may be shown."""

from collections.abc import Callable

#: Returns the text for an English one, with words put in; `naosim_live.page.texts.Texts` is one.
Translated = Callable[..., str]


def in_english(text: str, **words: object) -> str:
    """Return an English text with words put in.

    >>> in_english("{count} words", count=2), in_english("none")
    ('2 words', 'none')
    """
    return text.format(**words)
