"""Knows a closed list of phrases and which of them a sentence contains. Knows no service."""
from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import List, Optional, Sequence

NOISE = "<...>"


def understood(sentence, phrases, spotting):
    # type: (str, Sequence[str], bool) -> Optional[str]
    """Gives the phrase a recogniser reports for a sentence, decorated when it is spotting, or None.

    >>> understood("Yes", ["yes", "no"], False)
    'yes'
    >>> understood("well yes of course", ["yes", "of course not"], True)
    '<...> yes <...>'
    >>> understood("well yes", ["yes"], False) is None
    True
    """
    words = sentence.lower().split()
    split = [(phrase.lower().split(), phrase) for phrase in phrases]
    exact = next((phrase for sought, phrase in split if sought == words), None)
    if not spotting:
        return exact
    inside = [(-len(sought), place) for place, (sought, _) in enumerate(split) if contains(words, sought)]
    return decorated(phrases[min(inside)[1]]) if inside else None


def decorated(phrase):
    # type: (str) -> str
    """Writes a spotted phrase the way the robot does."""
    return "%s %s %s" % (NOISE, phrase, NOISE)


def contains(words, sought):
    # type: (List[str], List[str]) -> bool
    """Tells whether some words stand in a sentence next to each other, in order."""
    return any(words[at:at + len(sought)] == sought for at in range(len(words) - len(sought) + 1))
