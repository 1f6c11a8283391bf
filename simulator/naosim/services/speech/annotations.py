"""The annotations of an animated text, `^start(...)` and its kind."""

from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

from naosim.services.speech.speech_text import single_spaced

MYPY = False
if MYPY:
    from typing import List

PATHS = ("start", "wait", "run", "stop")
SOUNDS = ("startSound", "waitSound", "runSound", "stopSound")
TAGS = ("startTag", "waitTag", "runTag", "stopTag")
MODES = ("disabled", "random", "contextual")
CALLS = ("call", "pCall")
NAMES = PATHS + SOUNDS + TAGS + CALLS + ("mode",)
MARK = re.compile(r"\^([A-Za-z]+)\s*\(((?:[^()]|\([^()]*\))*)\)|\$([A-Za-z_][\w/]*)\s*=\s*(\"[^\"]*\"|[^\s]+)")
MOST = 500

#: One stretch of an animated text: the words, then the annotation that follows them (None at the end).
Stretch = namedtuple("Stretch", "words name value")


class BadAnnotation(ValueError):
    """A text has an annotation that ALAnimatedSpeech does not know or cannot read."""


def stretches(text):  # type: (str) -> List[Stretch]
    """Split a text at its annotations; an event `$key=value` has the name "$" and the value (key, value).

    >>> stretches("^start(a/b) Hi ^wait(a/b)") == [
    ...     Stretch("", "start", "a/b"), Stretch(" Hi ", "wait", "a/b"), Stretch("", None, "")]
    True
    """
    cut, start = [], 0
    for found in MARK.finditer(text):
        words = text[start : found.start()]
        if found.group(1):
            cut.append(Stretch(_plain(words), _known(found.group(1)), found.group(2).strip()))
        else:
            cut.append(Stretch(_plain(words), "$", (found.group(3), found.group(4).strip('"'))))
        start = found.end()
    if len(cut) > MOST:
        raise BadAnnotation("%d annotations are too many for one text, at most %d are read." % (len(cut), MOST))
    return cut + [Stretch(_plain(text[start:]), None, "")]


def without(text):  # type: (str) -> str
    """Return the words of a text without its annotations.

    >>> without("^start(animations/Stand/Gestures/Hey_1) Hello ^mode(disabled) you")
    'Hello you'
    """
    return single_spaced("".join(stretch.words for stretch in stretches(text)))


def _known(name):  # type: (str) -> str
    if name not in NAMES:
        raise BadAnnotation("Unknown annotation ^%s: use one of ^%s." % (name, ", ^".join(NAMES)))
    return name


def _plain(words):  # type: (str) -> str
    if "^" in words:
        at = words.index("^")
        raise BadAnnotation("The annotation %r is not closed or has no parentheses." % words[at : at + 40])
    return words
