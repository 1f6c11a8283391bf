"""What is wanted of a game: the word list, the strategy, the seed, the notebook's folder and NAO's role."""
from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

from jotto.versions import is_integer, text_type

MYPY = False
if MYPY:
    from typing import Any, Dict, Optional, Tuple

#: Seeds are smaller than this, as the box's parameter is.
MOST_SEED = 2 ** 31
#: Settings that are text; others of these names are ignored.
TEXTS = ("words", "strategy", "folder", "role")


class Settings(namedtuple("Settings", "words strategy seed folder role deaf")):
    """Settings of one game.

    `words` is the path of a list ("": NAO's own), `strategy` a name ("": the usual one), `seed` a number (0: one is
    drawn), `folder` the notebook's (None: nothing is kept), `role` one of `jotto_behaviour.roles` (None: NAO asks),
    `deaf` lists the services that have failed to listen in this game.
    """

    __slots__ = ()

    def __new__(  # noqa: PLR0917
        cls,
        words="",  # type: str
        strategy="",  # type: str
        seed=0,  # type: int
        folder=None,  # type: Optional[str]
        role=None,  # type: Optional[str]
        deaf=()  # type: Tuple[str, ...]
    ):
        # type: (...) -> Settings
        return super(Settings, cls).__new__(cls, words, strategy, seed, folder, role, deaf)

    def overridden(self, given):
        # type: (Dict[str, Any]) -> Settings
        """Take over the given settings that are of the right kind.

        >>> Settings(seed=7).overridden({"role": 5, "seed": 8}) == Settings(seed=8)
        True
        """
        changes = {}  # type: Dict[str, Any]
        changes.update((name, given[name]) for name in TEXTS if isinstance(given.get(name), text_type))
        if is_integer(given.get("seed")) and 0 <= given["seed"] < MOST_SEED:
            changes["seed"] = given["seed"]
        settings = self._replace(**changes)
        return settings._replace(folder=settings.folder or None)

    def without(self, service):
        # type: (str) -> Settings
        """Note a service that does not listen."""
        return self._replace(deaf=self.deaf + (service,))

    def plain(self):
        # type: () -> Dict[str, Any]
        """Return the settings as a dict that JSON can hold; `role` and `deaf` only where there are any."""
        plain = {"words": self.words, "strategy": self.strategy, "seed": self.seed,
                 "folder": self.folder}  # type: Dict[str, Any]
        if self.role is not None:
            plain["role"] = self.role
        if self.deaf:
            plain["deaf"] = list(self.deaf)
        return plain


def from_plain(plain):
    # type: (Dict[str, Any]) -> Settings
    """Read settings back; what is missing or of another kind is as in a new game."""
    deaf = plain.get("deaf")
    services = [name for name in deaf if isinstance(name, text_type)] if isinstance(deaf, list) else []
    return Settings(deaf=tuple(services)).overridden(plain)
