"""Where the conversation stands: a value, and its versioned plain form."""
from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

from jotto import game as games
from jotto.errors import FutureVersion, SavedGameError
from jotto.versions import is_integer, text_type

from .lines import Line
from .states import STATES

MYPY = False
if MYPY:
    from typing import Any, Dict, Optional, Tuple

    from jotto.game import Game

    from .states import State

VERSION = 1

#: Field by field: the game; the state's name; the state a question in between goes back to (None: none is asked);
#: the count of letters in place already told; the meaning NAO asked back (None: none); silences and misses since the
#: last understood answer; the turn being corrected and the turns found right; letters spelled so far; number of
#: answers understood so far; words still possible (None: not counted); lines to say now; lines said last; what to
#: note in files; settings.
_Talk = namedtuple("_Talk", [
    "game", "state", "beneath", "exact", "doubt", "silences", "misses", "fixing", "cleared", "spelled", "beat", "left",
    "says", "last", "notes", "settings"])


class Talk(_Talk):
    """One moment of the conversation."""

    __slots__ = ()

    @property
    def place(self):
        # type: () -> State
        """The state now."""
        return STATES[self.state]

    @property
    def box(self):
        # type: () -> str
        """The diagram's box this moment belongs to."""
        box = STATES[self.state].box or STATES[self.beneath].box  # type: str
        return box

    @property
    def listens(self):
        # type: () -> bool
        """Whether it is the player's turn to speak."""
        return self.place.touch is not None

    @property
    def subject(self):
        # type: () -> Optional[str]
        """The guess that is talked about: the one being corrected, or the open one."""
        if self.fixing is not None:
            guess = self.game.turns[self.fixing].guess  # type: Optional[str]
            return guess
        open_guess = self.game.guess  # type: Optional[str]
        return open_guess

    def say(self, key, **words):
        # type: (str, Any) -> Talk
        """Add a line to what NAO says now."""
        return self._replace(says=self.says + (Line(key, words),))

    def note(self, kind, what):
        # type: (str, Any) -> Talk
        """Add something to write into the notebook."""
        return self._replace(notes=self.notes + ((kind, what),))

    def plain(self):
        # type: () -> Dict[str, Any]
        """Give the talk as a versioned dict that JSON can hold; what is to be noted is noted by then."""
        plain = dict(zip(self._fields, self))
        del plain["notes"]
        plain.update(version=VERSION, game=self.game.plain(), cleared=list(self.cleared),
                     says=[list(line) for line in self.says], last=[list(line) for line in self.last])
        return plain


def new(game, settings):
    # type: (Game, Dict[str, Any]) -> Talk
    """A conversation that has not begun."""
    return Talk(game, "ready", None, None, None, 0, 0, None, (), "", 0, None, (), (), (), settings)


def from_plain(plain):
    # type: (Any) -> Talk
    """Read a talk back; raises `FutureVersion` or `SavedGameError`."""
    if not isinstance(plain, dict) or not is_integer(plain.get("version")):
        raise SavedGameError("These are no notes of a game: %.60r." % (plain,))
    if plain["version"] != VERSION:
        raise FutureVersion("These notes are of version %s; this is version %d." % (plain["version"], VERSION))
    try:
        talk = _read(plain)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, FutureVersion):
            raise
        raise SavedGameError("These notes are damaged (%s)." % (error,))
    if not _sound(talk):
        raise SavedGameError("These notes do not fit together.")
    return talk


def _read(plain):
    # type: (Dict[str, Any]) -> Talk
    fields = {name: plain[name] for name in Talk._fields if name != "notes"}
    fields.update(game=games.from_plain(plain["game"]), cleared=tuple(plain["cleared"]), notes=(),
                  says=tuple(Line(*line) for line in plain["says"]), last=tuple(Line(*line) for line in plain["last"]))
    return Talk(**fields)


def _sound(talk):
    # type: (Talk) -> bool
    counts = (talk.silences, talk.misses, talk.beat)
    turns = range(len(talk.game.turns))
    return bool(
        talk.state in STATES
        and (talk.beneath in STATES and STATES[talk.beneath].box if talk.place.box == "" else talk.beneath is None)
        and talk.exact in (None, 0, 1, 2, 3, 4)
        and all(is_integer(count) and 0 <= count < 10 ** 6 for count in counts)
        and (talk.fixing is None or talk.fixing in turns) and all(turn in turns for turn in talk.cleared)
        and isinstance(talk.spelled, text_type) and len(talk.spelled) <= talk.game.rules.length
        and isinstance(talk.settings, dict) and _can_ask(talk))


def _can_ask(talk):
    # type: (Talk) -> bool
    """Whether the state has what its questions name."""
    about = talk.beneath or talk.state
    if about in ("word", "exact", "misplaced"):
        return talk.subject is not None and (about != "misplaced" or talk.exact is not None)
    return about not in ("doubtful", "scored") or talk.fixing is not None or about == "scored"
