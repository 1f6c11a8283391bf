"""The texts of the game's page in the languages of the game: a table for each, from the English texts."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_CODES
from jotto_desk.history import Translated, fill_english

HERE = Path(__file__).parent


@cache
def load_text_table(language: str) -> Mapping[str, str]:
    """Return the texts in a language by their English ones; an empty table for a language without one.

    >>> load_text_table("de")["Your answer"], len(load_text_table("en"))
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
    table = load_text_table(language)
    return lambda english, **words: fill_english(table.get(english, english), **words)


#: A word that is put into a text.
_WORD = re.compile(r"\{(\w+)\}")
#: The separators of two sentences, and of the parts of a list.
_END, _LISTED = re.compile(r"(?<=[.?!]) (?=[A-Z'])"), ", "
#: A number with signs for thousands or fractions, and those signs in other languages.
_NUMBER = re.compile(r"\d+([.,]\d+)+")
_SIGNS = {"de": str.maketrans(".,", ",."), "es": str.maketrans(".,", ",."), "fr": str.maketrans(".,", ",\u202f")}


@cache
def _compile_patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return patterns that find the texts with {words} in sentences, those with the most fixed letters first."""
    found = []
    for english, text in load_text_table(language).items():
        literal, *parts = _WORD.split(english)
        pattern, names = re.escape(literal), set[str]()
        for name, literal in zip(parts[::2], parts[1::2], strict=True):
            pattern += (f"(?P={name})" if name in names else f"(?P<{name}>.+?)") + re.escape(literal)
            names.add(name)
        if names:
            found.append((len(_WORD.sub("", english)), re.compile(pattern), text))
    return [(pattern, text) for _, pattern, text in sorted(found, key=lambda each: -each[0])]


def translate_said(said: str, language: str) -> str:
    """Translate a game's English sentences into a language one by one; unknown ones stay English.

    The games also run in a terminal, in English.

    >>> translate_said("Not yet: 1 in the right place, 2 in the wrong place. My guess is ROYG.", "de")
    'Noch nicht: 1 am richtigen Platz, 2 am falschen Platz. Ich rate ROYG.'
    """
    table = load_text_table(language)
    if not table or said in table:
        return table.get(said, said)
    if _NUMBER.fullmatch(said):
        return said.translate(_SIGNS[language])
    sentences = _END.split(said)
    if len(sentences) > 1:
        return " ".join(translate_said(sentence, language) for sentence in sentences)
    for pattern, text in _compile_patterns(language):
        match = pattern.fullmatch(said)
        if match:
            return text.format(**{name: translate_said(value, language) for name, value in match.groupdict().items()})
    return _LISTED.join(translate_said(part, language) for part in said.split(_LISTED)) if _LISTED in said else said
