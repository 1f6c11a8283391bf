"""A text with NAO's tags, in parts to be spoken one after the other: tags are obeyed or left out, never read aloud."""

from __future__ import annotations

import re
from typing import NamedTuple

from naosim.services.speech import NUMBER_TAGS

_TAG = re.compile(r"\\([a-zA-Z]+)(?:=([^\\]*))?\\")
NUMBER = re.compile(r"[0-9]{1,6}")
#: Tags with an effect here, each with the range that the robot takes.
_LIMITS = {name: NUMBER_TAGS[name] for name in ("pau", "rspd", "vct", "vol")}
#: A robot starts with these, and `\\rst\\` brings them back.
SPEED, _PITCH, VOLUME = 100, 100, 80
#: What animated speech puts between words: ^start(animation), ^wait(...), ^mode(disabled).
_GESTURE = re.compile(r"\^(?:[a-zA-Z]+\([^)]*\)|[a-zA-Z]+)")


class Part(NamedTuple):
    """Words to be spoken at a speed, a pitch and a volume (percent), or a pause in seconds where there are none."""

    words: str
    pause: float = 0.0
    speed: int = SPEED
    pitch: int = _PITCH
    volume: int = VOLUME


def parts(text: str) -> list[Part]:
    r"""Split a text at its tags.

    >>> [(part.words, part.pause, part.speed) for part in parts(r"One. \pau=500\ \rspd=80\ Two.")]
    [('One.', 0.0, 100), ('', 0.5, 100), ('Two.', 0.0, 80)]
    >>> [part.words for part in parts(r"\style=joyful\ Hello \mrk=3\ ^start(wave) you\unknown=1\.")]
    ['Hello', 'you', '.']
    """
    found: list[Part] = []
    state, start, text = Part(""), 0, _GESTURE.sub(" ", text)
    for tag in _TAG.finditer(text):
        found += _spoken(text[start : tag.start()], state)
        start = tag.end()
        name, value = tag.group(1).lower(), (tag.group(2) or "").strip()
        if name == "rst":
            state = Part("")
        number = _number(name, value)
        if number is None:
            continue
        if name == "pau":
            found.append(state._replace(pause=number / 1000))
        else:
            state = _changed(state, name, number)
    return found + _spoken(text[start:], state)


def _changed(state: Part, name: str, number: int) -> Part:
    if name == "rspd":
        return state._replace(speed=number)
    return state._replace(pitch=number) if name == "vct" else state._replace(volume=number)


def _spoken(text: str, state: Part) -> list[Part]:
    """Return a stretch of words as a part; a lone backslash is no word."""
    words = " ".join(text.replace("\\", " ").split())
    return [state._replace(words=words)] if words else []


def _number(name: str, value: str) -> int | None:
    """Return the value of a tag with an effect, within its range; None for any other tag."""
    if name not in _LIMITS or not NUMBER.fullmatch(value):
        return None
    low, high = _LIMITS[name]
    return min(max(int(value), low), high)
