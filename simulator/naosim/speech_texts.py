"""Texts that NAO speaks: their words without the tags of NAOqi, the seconds they take, and the ranges of the tags."""

from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

from naosim.compat import native, to_unicode, unescape

MYPY = False
if MYPY:
    from typing import List, Optional, Tuple

_LETTERS_PER_SECOND = 12.0  # of the voice at normal speed
MIN_SPEECH_S = 0.1  # how long a blank text takes
_TAG_PATTERN = re.compile(r"\\([^\\]*)\\")
_NUMBER_PATTERN = re.compile(r"[0-9]{1,9}\Z")
#: Blanks that count as one space: not the spaces that French has before "?" and inside its quotes.
_BLANKS = re.compile(unescape(r"[^\\S\u00a0\u202f]+"), re.UNICODE)
#: The tags with a number, each with its least and greatest value.
NUMBER_TAGS = {
    "pau": (0, 65535),
    "rspd": (50, 400),
    "vct": (50, 200),
    "vol": (0, 100),
    "mrk": (0, 65535),
    "rmw": (0, 1),
    "spell": (0, 65535),
    "wait": (0, 9),
}
_WORD_TAGS = {
    "readmode": ("sent", "char", "word"),
    "tn": ("spell", "normal", "address", "sms", "name"),
    "bound": ("w", "s", "n"),
    "emph": ("0", "1", "2"),
    "style": ("neutral", "joyful", "didactic"),
    "eos": ("0", "1"),
    "audio": (),
    "pron": (),
}

SpokenText = namedtuple("SpokenText", "plain seconds")


class BadTag(ValueError):
    """A text holds a tag that no voice understands; the robot would read it aloud."""


def parse_speech(text, speed=100.0):  # type: (str, float) -> SpokenText
    """Return the words a person hears, without tags, and the seconds they take; raise BadTag for a wrong tag.

    >>> parse_speech(r"One. \\pau=500\\ Two.") == SpokenText("One. Two.", 1.167)
    True
    """
    pieces = _time_segments(text, speed)
    plain = collapse_blanks(" ".join(piece for piece, _, _, _ in pieces))
    return SpokenText(plain, max(MIN_SPEECH_S, round(sum(seconds + pause for _, _, seconds, pause in pieces), 3)))


def collapse_blanks(text):  # type: (str) -> str
    """Return a text with single blanks; the spaces that French has before "?" and inside its quotes stay.

    >>> collapse_blanks(" One   two ")
    'One two'
    """
    # As Unicode, because on 2.7 the second byte of "a" with a grave accent would count as a blank.
    return native(" ".join(_BLANKS.split(to_unicode(text))).strip(" "))


def time_words(text, speed=100.0):  # type: (str, float) -> List[Tuple[str, float]]
    """List the words a person hears, each with the seconds from the beginning of the text to its own.

    >>> [(word, round(seconds, 2)) for word, seconds in time_words(r"Is it \\pau=500\\ OCEAN?")]
    [('Is', 0.0), ('it', 0.25), ('OCEAN?', 0.92)]
    """
    found = []  # type: List[Tuple[str, float]]
    for piece, begun, seconds, _ in _time_segments(text, speed):
        letters, read = max(1, _count_characters(piece)), 0
        for word in piece.split():
            found.append((word, begun + seconds * read / letters))
            read += _count_characters(word) + 1
    return found


def _time_segments(text, speed):  # type: (str, float) -> List[Tuple[str, float, float, float]]
    """Split a text into stretches of words, with the seconds when each begins, that it takes and of the pause after."""
    timed, begun, rate = [], 0.0, 100.0  # type: Tuple[List[Tuple[str, float, float, float]], float, float]
    for piece, tag in _split_tags(text):
        seconds, pause = _count_characters(piece) / (_LETTERS_PER_SECOND * speed / 100.0 * rate / 100.0), 0.0
        if tag is not None:
            name, number = _check_tag(tag)
            pause = number / 1000.0 if name == "pau" else 0.0
            rate = number if name == "rspd" else 100.0 if name == "rst" else rate
        timed.append((piece, begun, seconds, pause))
        begun += seconds + pause
    return timed


def _split_tags(text):  # type: (str) -> List[Tuple[str, Optional[str]]]
    """Split a text into stretches of words, each with the tag that follows it."""
    pieces, start = [], 0  # type: Tuple[List[Tuple[str, Optional[str]]], int]
    for found in _TAG_PATTERN.finditer(text):
        pieces.append((text[start : found.start()], found.group(1)))
        start = found.end()
    if "\\" in text[start:]:
        raise BadTag("The tag in %.60r has no closing backslash." % text[start:])
    return pieces + [(text[start:], None)]


def _count_characters(piece):  # type: (str) -> int
    words = " ".join(piece.split())
    return len(words.decode("utf-8", "replace")) if isinstance(words, bytes) else len(words)


def _check_tag(tag):  # type: (str) -> Tuple[str, float]
    name, _, value = tag.partition("=")
    name = name.strip().lower()
    if name == "rst" and not value:
        return name, 0.0
    if name in NUMBER_TAGS:
        return name, _check_number(tag, value, *NUMBER_TAGS[name])
    if name not in _WORD_TAGS:
        raise BadTag("Unknown tag \\%s\\: use pau, rspd, vct, vol, mrk or rst." % tag)
    if _WORD_TAGS[name] and value.lower() not in _WORD_TAGS[name]:
        raise BadTag("The value of the tag \\%s\\ has to be one of %s." % (tag, ", ".join(_WORD_TAGS[name])))
    return name, 0.0


def _check_number(tag, value, low, high):  # type: (str, str, int, int) -> float
    if not _NUMBER_PATTERN.match(value.strip()) or not low <= int(value) <= high:
        raise BadTag("The value of the tag \\%s\\ has to be a whole number from %d to %d." % (tag, low, high))
    return float(value)
