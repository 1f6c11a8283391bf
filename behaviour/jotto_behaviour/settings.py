"""Settings of a game, the languages that NAO may play in, and access to the services of the robot.

A language is one file `lines_<code>.json` in this folder. `RobotLanguages` says which of them the robot's voice
speaks.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os
import re
from collections import namedtuple

from jotto.compat import as_native, as_text, is_integer, text_type

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Pattern, Tuple

# NAO's services, found when first used; a missing service is None.


class Services(object):
    """Finds services through `proxy`, the `ALProxy` of the box, and remembers them; None for a missing one."""

    def __init__(self, proxy):  # type: (Callable[[str], Any]) -> None
        self._proxy = proxy
        self._found = {}  # type: Dict[str, Any]

    def find(self, name):  # type: (str) -> Any
        """Return the service, or None on a robot without it."""
        if name not in self._found:
            try:
                self._found[name] = self._proxy(as_native(name))
            except RuntimeError:
                self._found[name] = None
        return self._found[name]

    def lose(self, name):  # type: (str) -> None
        """Forget a service that does not work."""
        self._found[name] = None

    def attempt(self, name, method, *arguments):  # type: (str, str, *Any) -> Any
        """Call a service that the game does not need; return None if it is missing or fails."""
        service = self.find(name)
        if service is None:
            return None
        try:
            return getattr(service, method)(*arguments)
        except RuntimeError:
            return None


# The languages of the game: one for each `lines_<code>.json` in this folder.

LINES_FOLDER = os.path.dirname(os.path.abspath(__file__))
DEFAULT_LANGUAGE = "en"
#: The setting for the robot's own language.
ROBOT_LANGUAGE = "robot"
_LINES_FILE = re.compile("lines_([a-z]{2,3})[.]json$")
_NAME_FIELD = re.compile('"language": "([A-Za-z]+)"')
_ALPHABET_FIELD = re.compile('"alphabet": "([^"]+)"')
#: Characters at the beginning of a file of lines that have the language's name and letters.
_HEAD_BYTES = 400


def _list_codes():  # type: () -> List[str]
    """List the codes of the languages that have lines, the default language first."""
    found = [_LINES_FILE.match(as_text(name)) for name in os.listdir(LINES_FOLDER)]
    codes = {match.group(1) for match in found if match}
    return sorted(codes, key=lambda code: (code != DEFAULT_LANGUAGE, code))


#: Codes of languages (ISO 639), as in `lines_fr.json` and `fr.tsv`.
LANGUAGE_CODES = tuple(_list_codes())


def _read_head(code):  # type: (str) -> str
    with io.open(os.path.join(LINES_FOLDER, as_native("lines_%s.json" % code)), encoding="utf-8") as source:
        return source.read(_HEAD_BYTES)


def _find_field(pattern, head, otherwise):  # type: (Pattern[str], str, str) -> str
    found = pattern.search(head)
    return found.group(1) if found else otherwise


_HEADS = {code: _read_head(code) for code in LANGUAGE_CODES}
#: NAOqi's names of these languages, by code.
LANGUAGE_NAMES = {code: _find_field(_NAME_FIELD, head, code) for code, head in _HEADS.items()}  # type: Dict[str, str]
#: The letters of these languages, by code.
ALPHABETS = {code: _find_field(_ALPHABET_FIELD, head, "") for code, head in _HEADS.items()}  # type: Dict[str, str]


def find_code(wanted):  # type: (str) -> Optional[str]
    """Return the code of a language given by its code or by NAOqi's name; None if it has no lines.

    >>> str(find_code("English")), str(find_code("EN")), find_code("Klingon") is None
    ('en', 'en', True)
    """
    sought = wanted.strip().lower()
    return next((code for code in LANGUAGE_CODES if sought in (code, LANGUAGE_NAMES[code].lower())), None)


def get_meant_code(meaning):  # type: (str) -> str
    """Return the code of the language that a meaning such as "language fr" names."""
    return meaning.split()[1]


class RobotLanguages(object):
    """The languages of a robot's voice. Every call asks the robot, since they may change."""

    def __init__(self, services):  # type: (Services) -> None
        self._services = services

    def get_own(self):  # type: () -> str
        """Return NAOqi's name of the language that the robot speaks now, "" if it does not say."""
        return _text(self._services.attempt("ALTextToSpeech", "getLanguage"))

    def list_installed(self):  # type: () -> Optional[List[str]]
        """List the robot's languages by NAOqi's names; return None if it does not say."""
        names = self._services.attempt("ALTextToSpeech", "getAvailableLanguages")
        return [_text(name) for name in names] if isinstance(names, (list, tuple)) else None

    def speaks(self, code):  # type: (str) -> bool
        """Return whether the robot speaks a language; True if the robot does not list its languages."""
        installed = self.list_installed()
        return installed is None or LANGUAGE_NAMES[code] in installed

    def choose_usual(self):  # type: () -> str
        """Return the code of the usual language: the robot's own, else one that it speaks."""
        own, installed = find_code(self.get_own()), self.list_installed() or []
        if own is not None:
            return own
        return next((code for code in LANGUAGE_CODES if LANGUAGE_NAMES[code] in installed), DEFAULT_LANGUAGE)


def _text(value):  # type: (Any) -> str
    try:
        return as_text(value) if value else ""
    except (UnicodeDecodeError, AttributeError):
        return ""


# The settings of a game.

#: Seeds are smaller than this, like the box's parameter.
_MAX_SEED = 2**31
#: The levels of a game.
EASY = "easy"
NORMAL = "normal"
HARD = "hard"
LEVELS = (EASY, NORMAL, HARD)
#: Settings that are text; values of another type are ignored.
_TEXT_FIELDS = ("words", "strategy", "folder", "role", "level", "language")
#: Those of them whose empty value means the box's own parameter.
_BOX_FIELDS = ("level", "language")
#: The setting by which the owner of a robot allows a log of heard phrases.
KEEP_LOG = "keep-log"
#: The setting of a simulated robot whose player types or taps.
TYPED = "typed"
#: The setting that names the settings which the player has chosen for this game, among `GIVEN_FIELDS`: NAO continues
#: only a game that has them.
GIVEN = "given"
GIVEN_FIELDS = ("language", "role", "level", "seed")


class Settings(
    namedtuple("Settings", "words strategy seed folder role deaf level certainty language keeps_log is_typed given")
):
    """Settings of one game.

    `words` is the path of a list ("": NAO's own), `strategy` a name ("": the usual one), `seed` a number (0: one is
    drawn), `folder` the notebook's (None: NAO saves no game), `role` one of `ROLES` in `jotto_behaviour.riddle` (None:
    NAO asks). `deaf` lists the services that have failed to listen in this game, `level` is one of `LEVELS` (any other:
    the normal one). `certainty` has two confidences: below the first NAO asks again, below the second it confirms
    (None: the language's). `language` is the code of a language (None: the robot's own, and English once a game has
    begun). `keeps_log` is whether NAO logs what it hears in the notebook's folder. `is_typed` is whether the player of
    a simulated robot types or taps, so that NAO hears each answer exactly. `given` has the names of the settings that
    the player has chosen for this game.
    """

    __slots__ = ()

    def __new__(
        cls,
        words="",  # type: str
        strategy="",  # type: str
        seed=0,  # type: int
        folder=None,  # type: Optional[str]
        role=None,  # type: Optional[str]
        deaf=(),  # type: Tuple[str, ...]
        level=None,  # type: Optional[str]
        certainty=None,  # type: Optional[Tuple[float, float]]
        language=None,  # type: Optional[str]
        keeps_log=False,  # type: bool
        is_typed=False,  # type: bool
        given=(),  # type: Tuple[str, ...]
    ):  # type: (...) -> Settings
        return super(Settings, cls).__new__(
            cls, words, strategy, seed, folder, role, deaf, level, certainty, language, keeps_log, is_typed, given
        )

    def overridden(self, given):  # type: (Dict[str, Any]) -> Settings
        """Return these settings with the given ones of the right type.

        >>> Settings(seed=7).overridden({"role": 5, "seed": 8}) == Settings(seed=8)
        True
        """
        changes = {}  # type: Dict[str, Any]
        changes.update((name, given[name]) for name in _TEXT_FIELDS if isinstance(given.get(name), text_type))
        for name in _BOX_FIELDS:
            if not changes.get(name):
                changes.pop(name, None)
        if is_integer(given.get("seed")) and 0 <= given["seed"] < _MAX_SEED:
            changes["seed"] = given["seed"]
        if is_certainty(given.get("certainty")):
            changes["certainty"] = tuple(given["certainty"])
        if isinstance(given.get(KEEP_LOG), bool):
            changes["keeps_log"] = given[KEEP_LOG]
        if isinstance(given.get(TYPED), bool):
            changes["is_typed"] = given[TYPED]
        if isinstance(given.get(GIVEN), list):
            changes["given"] = tuple(name for name in GIVEN_FIELDS if name in given[GIVEN])
        settings = self._replace(**changes)
        return settings._replace(folder=settings.folder or None)

    @property
    def played_level(self):  # type: () -> str
        """Return the level that games with these settings have.

        >>> str(Settings(level="hard").played_level), str(Settings(level="odd").played_level)
        ('hard', 'normal')
        """
        return self.level if self.level in LEVELS else NORMAL

    @property
    def is_unmeasured(self):  # type: () -> bool
        """Return whether NAO hears through a recogniser whose confidences nobody measured, such as a robot's own.

        >>> Settings().is_unmeasured, Settings(certainty=(0.1, 0.7)).is_unmeasured
        (True, False)
        """
        return self.certainty is None and not self.is_typed

    @property
    def is_spoken(self):  # type: () -> bool
        """Return whether NAO hears the player through a recogniser, which may miss words."""
        return self.certainty is not None or not self.is_typed

    def speaking(self, code):  # type: (str) -> Settings
        """Return the settings with another language, which the player has chosen by voice."""
        return self._replace(language=code, given=tuple(name for name in self.given if name != "language"))

    def drop_service(self, service):  # type: (str) -> Settings
        """Note a service that does not listen."""
        return self._replace(deaf=self.deaf + (service,))

    def plain(self):  # type: () -> Dict[str, Any]
        """Return the settings as a dict that JSON can hold; the last eight only if they are set."""
        plain = {"words": self.words, "strategy": self.strategy, "seed": self.seed, "folder": self.folder}  # type: Dict[str, Any]
        if self.role is not None:
            plain["role"] = self.role
        if self.deaf:
            plain["deaf"] = list(self.deaf)
        if self.level is not None:
            plain["level"] = self.level
        if self.certainty is not None:
            plain["certainty"] = list(self.certainty)
        if self.language is not None:
            plain["language"] = self.language
        if self.keeps_log:
            plain[KEEP_LOG] = True
        if self.is_typed:
            plain[TYPED] = True
        if self.given:
            plain[GIVEN] = list(self.given)
        return plain


def is_certainty(given):  # type: (Any) -> bool
    """Return whether a value is a pair of confidences, from 0 to 1 and in order.

    >>> is_certainty([0.3, 0.55]), is_certainty([0.9, 0.3]), is_certainty([True, "x"]), is_certainty(None)
    (True, False, False, False)
    """
    return (
        isinstance(given, (list, tuple))
        and len(given) == 2
        and all(isinstance(each, float) or is_integer(each) for each in given)
        and bool(0 <= given[0] <= given[1] <= 1)
    )


def parse_settings(plain):  # type: (Dict[str, Any]) -> Settings
    """Return settings from their plain form; missing values, and values of another type, are as in a new game."""
    deaf = plain.get("deaf")
    services = [name for name in deaf if isinstance(name, text_type)] if isinstance(deaf, list) else []
    return Settings(deaf=tuple(services)).overridden(plain)
