"""Texts that NAO speaks: their words without the tags of NAOqi, the seconds they take, and the ranges of the tags.

The tag `\\rspd=80\\` sets the speed, `\\pau=500\\` makes a pause, `\\mrk=1\\` is a bookmark.
"""

from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

from naosim.compat import native, to_unicode, unescape

MYPY = False
if MYPY:
    from typing import Dict, List, Tuple

_LETTERS_PER_SECOND = 12.0  # of the voice at normal speed
MIN_SPEECH_S = 0.1  # the duration of a blank text
_TAG_PATTERN = re.compile(r"\\([^\\]*)\\")
_WORD_PATTERN = re.compile(r"\S+")
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
    "mrkpause": (0, 65535),
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

#: The tags with a number that a voice keeps for later texts, until `\\rst\\` (funwithagents/nao-sim, speech.md).
_HELD_TAGS = ("rspd", "vct")
_MARK_TAGS = ("mrk", "mrkpause")

#: A text as it is spoken: its words without tags, its seconds, its steps in order, the tags that hold after it, and a
#: sentence for each tag that no voice understands.
SpokenText = namedtuple("SpokenText", "plain seconds steps held mistakes")
#: A word or a bookmark: seconds since the text began, the word or the number, and its place in the text.
SpeechStep = namedtuple("SpeechStep", "after value position")


class _BadTag(ValueError):
    """A tag that no voice understands."""


def parse_speech(text, speed=100.0, held="", with_words=True):  # type: (str, float, str, bool) -> SpokenText
    """Return a text as it is spoken, with the tags in force from earlier texts; a tag with a mistake has no effect.

    The steps have words only `with_words`: finding their places takes most of the time.

    >>> said = parse_speech(r"One. \\pau=500\\ \\rspd=200\\ Two. \\mrk=3\\ ")
    >>> said.plain, said.seconds, said.held[1:-1], said.mistakes
    ('One. Two.', 1.0, 'rspd=200', [])
    >>> [(step.value, round(step.after, 2)) for step in said.steps]
    [('One.', 0.0), ('Two.', 0.83), (3, 1.0)]
    """
    after, rates = 0.0, {}  # type: Tuple[float, Dict[str, int]]
    steps, mistakes = [], []  # type: Tuple[List[SpeechStep], List[str]]
    pieces = _split_tags(held + text)
    for start, piece, tag in pieces:
        position, letter_s = start - len(held), 1e4 / (_LETTERS_PER_SECOND * speed * rates.get("rspd", 100))
        read = 0
        for word in _WORD_PATTERN.finditer(piece) if with_words else ():
            steps.append(SpeechStep(round(after + read * letter_s, 3), word.group(), position + word.start()))
            read += _count_characters(word.group()) + 1
        after += _count_characters(" ".join(piece.split())) * letter_s
        try:
            name, number = _check_tag(tag)
        except _BadTag as error:
            mistakes.append(error.args[0])
            continue
        if name == "pau":
            after += number / 1000.0
        elif name in _MARK_TAGS:
            steps.append(SpeechStep(round(after, 3), number, position + len(piece)))
        elif name in _HELD_TAGS:
            rates[name] = number
        elif name == "rst":
            rates.clear()
    kept = "".join("\\%s=%d\\" % pair for pair in sorted(rates.items()))
    plain = collapse_blanks(" ".join(piece for _, piece, _ in pieces))
    return SpokenText(plain, max(MIN_SPEECH_S, round(after, 3)), steps, kept, mistakes)


def _split_tags(text):  # type: (str) -> List[Tuple[int, str, str]]
    """Split a text into segments of words, each with its place and the tag that follows it; the last has none, ""."""
    pieces, start = [], 0  # type: Tuple[List[Tuple[int, str, str]], int]
    for found in _TAG_PATTERN.finditer(text):
        pieces.append((start, text[start : found.start()], found.group()))
        start = found.end()
    rest, stroke, after = text[start:].partition("\\")
    # A backslash without a partner is its own tag, with a mistake.
    return pieces + [(start, rest, stroke), (start + len(rest) + 1, after, "")][: 1 + len(stroke)]


def collapse_blanks(text):  # type: (str) -> str
    """Return a text with single blanks; the spaces that French has before "?" and inside its quotes stay.

    >>> collapse_blanks(" One   two ")
    'One two'
    """
    # As Unicode, because on 2.7 the second byte of "a" with a grave accent would count as a blank.
    return native(" ".join(_BLANKS.split(to_unicode(text))).strip(" "))


def _count_characters(word):  # type: (str) -> int
    return len(word.decode("utf-8", "replace")) if isinstance(word, bytes) else len(word)


def _check_tag(tag):  # type: (str) -> Tuple[str, int]
    """Return the name and the number of a tag, "" and 0 for none; raise _BadTag for one that no voice understands."""
    name, _, value = tag.strip("\\").partition("=")
    name = name.strip().lower()
    if not tag or (name == "rst" and not value):
        return name, 0
    if tag == "\\":
        raise _BadTag("A tag has no closing backslash.")
    if name in NUMBER_TAGS:
        low, high = NUMBER_TAGS[name]
        if not _NUMBER_PATTERN.match(value.strip()) or not low <= int(value) <= high:
            raise _BadTag("The value of the tag %.60s has to be a whole number from %d to %d." % (tag, low, high))
        return name, int(value)
    if name not in _WORD_TAGS:
        raise _BadTag("Unknown tag %.60s: use pau, rspd, vct, vol, mrk or rst." % tag)
    if _WORD_TAGS[name] and value.lower() not in _WORD_TAGS[name]:
        raise _BadTag("The value of the tag %.60s has to be one of %s." % (tag, ", ".join(_WORD_TAGS[name])))
    return name, 0
