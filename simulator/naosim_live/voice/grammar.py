"""Phrases as a grammar in JSGF, the Java Speech Grammar Format, for recognisers that take one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: Words that make no other answer of a phrase.
LIGHT = frozenset(["a", "am", "and", "i", "i'm", "it's", "please", "the"])
_HEADER = "#JSGF V1.0;\ngrammar {name};\n"


def alternatives(name: str, phrases: Iterable[Sequence[str]]) -> str:
    """Write a grammar that accepts exactly one of some phrases, each a list of words.

    >>> print(alternatives("answers", [["yes"], ["go", "back"]]).splitlines()[-1])
    public <answers> = yes | go back;
    """
    return f"{_HEADER.format(name=name)}public <{name}> = {' | '.join(' '.join(words) for words in phrases)};\n"


def weighty(words: str) -> tuple[str, ...]:
    """Return the words that tell an answer from others: "two one" and "two and one" are the same.

    >>> weighty("two and one"), weighty("i am")
    (('two', 'one'), ('i', 'am'))
    """
    found = tuple(word for word in words.split() if word not in LIGHT)
    return found or tuple(words.split())
