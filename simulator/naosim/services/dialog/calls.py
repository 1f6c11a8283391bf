"""The arguments of `^call(Service.method(...))` as values, and what a call returns as words."""

from __future__ import absolute_import, division, print_function

import ast

MYPY = False
if MYPY:
    from typing import Any

LONGEST = 2000  # characters of one argument
DEEPEST = 10  # brackets inside each other
WORDS = {"true": True, "false": False}


def value(text):  # type: (str) -> Any
    """Return the number, text, list or truth value that an argument writes; any other words are a text.

    >>> [value(text) for text in ("3", "0.5", "'two'", "[1, 2]", "true", "two words")]
    [3, 0.5, 'two', [1, 2], True, 'two words']
    """
    text = text.strip()
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    if len(text) > LONGEST or sum(text.count(sign) for sign in "([{") > DEEPEST:
        return text
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RuntimeError):
        return text
    return found if _is_plain(found) else text


def words(result):  # type: (Any) -> str
    """Return what a call returned as the words that a c rule understands."""
    if result is None:
        return ""
    if isinstance(result, (list, tuple)):
        return " ".join(words(each) for each in result)
    return str(result)


def _is_plain(found):  # type: (Any) -> bool
    if isinstance(found, list):
        return all(_is_plain(each) for each in found)
    return isinstance(found, (str, int, float))
