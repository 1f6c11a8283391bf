"""What is wanted of a game: the word list, the strategy, the seed, the notebook's folder, NAO's role and language."""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

from jotto.compat import is_integer, text_type

MYPY = False
if MYPY:
    from typing import Any, Dict, Optional, Tuple

#: Seeds are smaller than this, as the box's parameter is.
MOST_SEED = 2**31
#: How hard a game is: see `jotto_behaviour.levels`.
EASY, NORMAL, HARD = "easy", "normal", "hard"
LEVELS = (EASY, NORMAL, HARD)
#: Settings that are text; others of these names are ignored.
TEXTS = ("words", "strategy", "folder", "role", "level", "language")
#: Those of them that are as the box has them where nothing is given.
AS_THE_BOX_SAYS = ("level", "language")
#: The setting by which the owner of a robot allows a log of what was heard.
KEEP_LOG = "keep-log"


class Settings(namedtuple("Settings", "words strategy seed folder role deaf level certainty language keeps_log")):
    """Settings of one game.

    `words` is the path of a list ("": NAO's own), `strategy` a name ("": the usual one), `seed` a number (0: one is
    drawn), `folder` the notebook's (None: nothing is kept), `role` one of `jotto_behaviour.roles` (None: NAO asks),
    `deaf` lists the services that have failed to listen in this game, `level` is one of `LEVELS` (any other: the
    normal one), `certainty` are the confidences below which NAO asks again, and asks back (None: the language's),
    `language` is the code of a language (None: the robot's own, and English once a game has begun), `keeps_log` tells
    whether what is heard is logged in the notebook's folder.
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
    ):  # type: (...) -> Settings
        return super(Settings, cls).__new__(
            cls, words, strategy, seed, folder, role, deaf, level, certainty, language, keeps_log
        )

    def overridden(self, given):  # type: (Dict[str, Any]) -> Settings
        """Take over the given settings that are of the right kind.

        >>> Settings(seed=7).overridden({"role": 5, "seed": 8}) == Settings(seed=8)
        True
        """
        changes = {}  # type: Dict[str, Any]
        changes.update((name, given[name]) for name in TEXTS if isinstance(given.get(name), text_type))
        for name in AS_THE_BOX_SAYS:
            if not changes.get(name):
                changes.pop(name, None)
        if is_integer(given.get("seed")) and 0 <= given["seed"] < MOST_SEED:
            changes["seed"] = given["seed"]
        if is_certainty(given.get("certainty")):
            changes["certainty"] = tuple(given["certainty"])
        if isinstance(given.get(KEEP_LOG), bool):
            changes["keeps_log"] = given[KEEP_LOG]
        settings = self._replace(**changes)
        return settings._replace(folder=settings.folder or None)

    @property
    def played_level(self):  # type: () -> str
        """Return the level that games with these settings have.

        >>> str(Settings(level="hard").played_level), str(Settings(level="odd").played_level)
        ('hard', 'normal')
        """
        return self.level if self.level in LEVELS else NORMAL

    def without(self, service):  # type: (str) -> Settings
        """Note a service that does not listen."""
        return self._replace(deaf=self.deaf + (service,))

    def plain(self):  # type: () -> Dict[str, Any]
        """Return the settings as a dict that JSON can hold; the last six only where there are any."""
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
        return plain


def is_certainty(given):  # type: (Any) -> bool
    """Tell whether a value is a pair of confidences, from 0 to 1 and in order.

    >>> is_certainty([0.3, 0.55]), is_certainty([0.9, 0.3]), is_certainty([True, "x"]), is_certainty(None)
    (True, False, False, False)
    """
    return (
        isinstance(given, (list, tuple))
        and len(given) == 2
        and all(isinstance(each, float) or is_integer(each) for each in given)
        and bool(0 <= given[0] <= given[1] <= 1)
    )


def from_plain(plain):  # type: (Dict[str, Any]) -> Settings
    """Read settings back; what is missing or of another kind is as in a new game."""
    deaf = plain.get("deaf")
    services = [name for name in deaf if isinstance(name, text_type)] if isinstance(deaf, list) else []
    return Settings(deaf=tuple(services)).overridden(plain)
