"""Where the conversation stands: a value, and its versioned plain form."""
from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

from jotto import game as games
from jotto import riddle as riddles
from jotto.errors import FutureVersion, SavedGameError
from jotto.rules import JOTTO
from jotto.versions import is_integer, quoted, text_type

from .lines import Line
from .states import ANY_WORD, LETTERS, RIDDLING, STATES, meanings

MYPY = False
if MYPY:
    from typing import Any, Dict, Optional, Tuple

    from jotto.game import Game
    from jotto.riddle import Riddle

    from .states import TalkState

VERSION = 2

#: Field by field: the game NAO guesses in; the riddle the player guesses at (None: there is none); whether both guess
#: by turns; the state's name; the state a question in between goes back to (None: none is asked);
#: the count of letters in place already told; the meaning NAO asked back (None: none); silences and misses since the
#: last understood answer; the turn being corrected and the turns found right; letters spelled so far; number of
#: answers understood so far; words still possible (None: not counted); lines to say now; lines said last; what to
#: note in files; settings.
_Talk = namedtuple("_Talk", [
    "game", "riddle", "race", "state", "beneath", "exact", "doubt", "silences", "misses", "fixing", "cleared",
    "spelled", "beat", "left", "says", "last", "notes", "settings"])


class Talk(_Talk):
    """One moment of the conversation."""

    __slots__ = ()

    @property
    def place(self):
        # type: () -> TalkState
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

    @property
    def riddling(self):
        # type: () -> bool
        """Whether this moment is about the word NAO thinks of."""
        if self.riddle is None:
            return False
        return not self.race or (self.beneath or self.state) in RIDDLING or bool(self.riddle.is_solved)

    @property
    def played(self):
        # type: () -> Game
        """The game this moment is about: NAO's, or the player's."""
        game = self.riddle.game if self.riddling else self.game  # type: Game
        return game

    @property
    def riddle_is_open(self):
        # type: () -> bool
        """Whether there is a word of NAO's to be found."""
        return self.riddle is not None and self.riddle.game.outcome is None

    @property
    def variety(self):
        # type: () -> int
        """A number that goes on from question to question: wordings go round with it."""
        asked = 0 if self.riddle is None else self.riddle.game.attempts + self.riddle.hints
        return int(self.game.attempts + self.misses + asked)

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
                     riddle=None if self.riddle is None else self.riddle.plain(),
                     says=[list(line) for line in self.says], last=[list(line) for line in self.last])
        return plain


def new(game, settings):
    # type: (Game, Dict[str, Any]) -> Talk
    """A conversation that has not begun."""
    return Talk(game, None, False, "ready", None, None, None, 0, 0, None, (), "", 0, None, (), (), (), settings)


def from_plain(plain):
    # type: (Any) -> Talk
    """Read a talk back; raises `FutureVersion` or `SavedGameError`."""
    if not isinstance(plain, dict) or not is_integer(plain.get("version")) or plain["version"] < 1:
        raise SavedGameError("These are no notes of a game: %s." % quoted(plain))
    if plain["version"] > VERSION:
        raise FutureVersion("These notes are of version %s; this is version %d." % (quoted(plain["version"]), VERSION))
    if plain["version"] == 1:
        # NAO alone guessed then.
        plain = dict(plain, riddle=None, race=False)
    try:
        talk = _read(plain)
        sound = _sound(talk) and _fits(talk)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, FutureVersion):
            raise
        raise SavedGameError("These notes are damaged (%s)." % quoted("%s" % error))
    if not sound:
        raise SavedGameError("These notes do not fit together.")
    return talk


def _read(plain):
    # type: (Dict[str, Any]) -> Talk
    fields = {name: plain[name] for name in Talk._fields if name != "notes"}
    riddle = None if plain["riddle"] is None else riddles.from_plain(plain["riddle"])
    fields.update(game=games.from_plain(plain["game"]), riddle=riddle, cleared=tuple(plain["cleared"]), notes=(),
                  says=tuple(Line(*line) for line in plain["says"]),
                  last=tuple(Line(*line) for line in plain["last"]))
    return Talk(**fields)


def _sound(talk):
    # type: (Talk) -> bool
    """Whether every field is what it must be, whatever the others are."""
    counts = (talk.silences, talk.misses, talk.beat, 0 if talk.left is None else talk.left)
    turns = range(len(talk.game.turns))
    return bool(
        talk.game.rules == JOTTO and talk.state in STATES
        and (talk.beneath is None or STATES[talk.beneath].touch)
        and (talk.exact is None or (is_integer(talk.exact) and 0 <= talk.exact < talk.game.rules.length))
        and all(is_integer(count) and 0 <= count < 10 ** 6 for count in counts)
        and all(is_integer(turn) and turn in turns for turn in talk.cleared)
        and (talk.fixing is None or (is_integer(talk.fixing) and talk.fixing in turns))
        and isinstance(talk.spelled, text_type) and len(talk.spelled) <= talk.game.rules.length
        and all(letter in LETTERS for letter in talk.spelled)
        and isinstance(talk.race, bool) and (talk.riddle is None or _is_riddle(talk.riddle))
        and isinstance(talk.settings, dict) and all(map(_is_line, talk.says + talk.last)))


def _is_riddle(riddle):
    # type: (Riddle) -> bool
    """Whether it is a riddle of ours: a guess is answered at once, so none is open, and the last one solves it."""
    last = riddle.secret if riddle.is_solved else None
    return bool(riddle.game.rules == JOTTO and riddle.game.guess == last)


def _is_line(line):
    # type: (Line) -> bool
    return isinstance(line.key, text_type) and isinstance(line.words, dict)


def _fits(talk):
    # type: (Talk) -> bool
    """Whether the state has what its questions name and its moves need."""
    about = talk.beneath or talk.state
    playing, open_guess = talk.game.outcome is None, talk.game.guess is not None
    needs = {
        "word": playing and open_guess and talk.fixing is None,
        "exact": playing and talk.subject is not None,
        "misplaced": playing and talk.subject is not None and talk.exact is not None,
        "doubtful": playing and talk.fixing is not None,
        "guess": playing and not open_guess,
        "scored": playing and bool(talk.game.turns),
        "solved": talk.game.outcome == games.SOLVED,
        "spell": len(talk.spelled) < talk.game.rules.length,
        "spelled": len(talk.spelled) == talk.game.rules.length,
        "riddle": not talk.riddle_is_open,
        "your guess": talk.riddle_is_open and len(talk.spelled) < talk.game.rules.length,
        "your word?": talk.riddle_is_open and len(talk.spelled) == talk.game.rules.length,
        "judged": talk.riddle is not None and talk.riddle.game.attempts > 0,
        "guessed": talk.riddle is not None and talk.riddle.is_solved,
    }
    return bool(
        needs.get(about, True) and (talk.place.box == "") == (talk.beneath is not None)
        and (talk.beneath is None or STATES[talk.beneath].box)
        and (talk.doubt is None or _is_doubt(talk)))


def _is_doubt(talk):
    # type: (Talk) -> bool
    meaning, phrase = talk.doubt
    return (isinstance(talk.doubt, list) and meaning in meanings(talk.state) and isinstance(phrase, text_type)
            and talk.listens and (meaning != ANY_WORD or JOTTO.allows(phrase)))
