"""List the languages of the game, one for each `lines_<code>.json` here, and tell which of them a robot speaks."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os
import re

from jotto.compat import as_native, as_text

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Pattern

    from .services import Services

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT = "en"
#: What stands for the robot's own language in the settings.
OWN = "robot"
_LINES = re.compile("lines_([a-z]{2,3})[.]json$")
_NAME, _ALPHABET = re.compile('"language": "([A-Za-z]+)"'), re.compile('"alphabet": "([^"]+)"')
#: Characters at the beginning of the lines, where the language's name and letters stand.
_HEAD = 400


def _codes():  # type: () -> List[str]
    """List the codes of the languages whose lines are there, the one that every robot begins with first."""
    found = [_LINES.match(as_text(name)) for name in os.listdir(HERE)]
    codes = {match.group(1) for match in found if match}
    return sorted(codes, key=lambda code: (code != DEFAULT, code))


#: Codes of languages (ISO 639), as in `lines_fr.json` and `fr.tsv`.
CODES = tuple(_codes())


def _head(code):  # type: (str) -> str
    with io.open(os.path.join(HERE, as_native("lines_%s.json" % code)), encoding="utf-8") as source:
        return source.read(_HEAD)


def _named(pattern, head, otherwise):  # type: (Pattern[str], str, str) -> str
    found = pattern.search(head)
    return found.group(1) if found else otherwise


_HEADS = {code: _head(code) for code in CODES}
#: The names NAOqi has for these languages, by their codes.
NAMES = {code: _named(_NAME, head, code) for code, head in _HEADS.items()}  # type: Dict[str, str]
#: The letters that these languages are played with, by their codes.
ALPHABETS = {code: _named(_ALPHABET, head, "") for code, head in _HEADS.items()}  # type: Dict[str, str]


def code_of(wanted):  # type: (str) -> Optional[str]
    """Return the code of a language given by its code or by NAOqi's name, None for one there are no lines for.

    >>> str(code_of("English")), str(code_of("EN")), code_of("Klingon") is None
    ('en', 'en', True)
    """
    sought = wanted.strip().lower()
    return next((code for code in CODES if sought in (code, NAMES[code].lower())), None)


def language_of(meaning):  # type: (str) -> str
    """Return the code of the language that a meaning such as "language fr" names."""
    return meaning.split()[1]


class RobotLanguages(object):
    """What a robot's voice speaks: asked anew every time, since a language can be installed or chosen meanwhile."""

    def __init__(self, services):  # type: (Services) -> None
        self._services = services

    def own(self):  # type: () -> str
        """Return NAOqi's name of the language that the robot speaks now, "" if it does not say."""
        return _text(self._services.attempt("ALTextToSpeech", "getLanguage"))

    def installed(self):  # type: () -> Optional[List[str]]
        """List the robot's languages by NAOqi's names; return None if it does not say."""
        names = self._services.attempt("ALTextToSpeech", "getAvailableLanguages")
        return [_text(name) for name in names] if isinstance(names, (list, tuple)) else None

    def speaks(self, code):  # type: (str) -> bool
        """Tell whether the robot speaks a language; one that does not list its languages is asked to try."""
        installed = self.installed()
        return installed is None or NAMES[code] in installed

    def usual(self):  # type: () -> str
        """Return the code of the language to play in unless another is wanted: the robot's own, else one it has."""
        own, installed = code_of(self.own()), self.installed() or []
        if own is not None:
            return own
        return next((code for code in CODES if NAMES[code] in installed), DEFAULT)


def _text(value):  # type: (Any) -> str
    try:
        return as_text(value) if value else ""
    except (UnicodeDecodeError, AttributeError):
        return ""
