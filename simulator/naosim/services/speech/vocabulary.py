"""Which phrase of a closed list a sentence contains."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import List, Optional, Sequence

NOISE = "<...>"


def understood(sentence, phrases, spotting):  # type: (str, Sequence[str], bool) -> Optional[str]
    """Return the phrase a recogniser reports for a sentence, or None; with word spotting, as the robot writes it.

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


def decorated(phrase):  # type: (str) -> str
    """Return a spotted phrase as the robot writes it."""
    return "%s %s %s" % (NOISE, phrase, NOISE)


def contains(words, sought):  # type: (List[str], List[str]) -> bool
    """Tell whether some words stand in a sentence next to each other, in order."""
    return any(words[at : at + len(sought)] == sought for at in range(len(words) - len(sought) + 1))
