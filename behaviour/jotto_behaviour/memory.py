"""The ALMemory adapter: the conversation as one versioned JSON value with one writer, and keys for onlookers."""

from __future__ import absolute_import, division, print_function, unicode_literals

import json

from jotto.compat import as_native, as_text, is_integer, text_type
from jotto.rules import SavedGameError

from . import talk as talks

MYPY = False
if MYPY:
    from typing import Any, Dict, Optional

    from .talk import Talk

GAME = as_native("Jotto/Game")
SETTINGS = as_native("Jotto/Settings")
#: Seconds that a question waits for its answer at least, as who shows it to a person has it: reading takes longer.
PATIENCE = as_native("Jotto/Patience")
MOST_PATIENCE_S = 600.0
#: The original article's keys, for tablets and debuggers; written here, never read.
ATTEMPTS, GUESS, SCORE, STATE, LEFT = (
    as_native("Jotto/" + key) for key in ("Attempts", "Guess", "Score", "State", "CandidatesLeft")
)
#: What onlookers see as state while NAO asks whether it heard right.
ASKING_BACK = "asking back"
#: Longer values are no notes of ours.
LONGEST = 100000


class TalkMemory(object):
    """Loads and saves the talk through an ALMemory service."""

    def __init__(self, almemory):  # type: (Any) -> None
        self._almemory = almemory
        self._shown = {}  # type: Dict[str, Any]

    def load(self):  # type: () -> Optional[Talk]
        """Load the talk, None when there is none; raises `SavedGameError` or `FutureVersion` when it is unreadable."""
        # Another box may have written the keys since this one did.
        self._shown.clear()
        text = self._text(GAME)
        return read(text) if text else None

    def save(self, talk):  # type: (Talk) -> None
        """Save the talk, and the keys that onlookers read."""
        text = json.dumps(talk.plain(), sort_keys=True)
        self._almemory.insertData(GAME, as_native(text))
        game = talk.played
        turn = -1 if talk.fixing is None else talk.fixing
        score = "%d %d" % game.turns[turn].feedback if game.turns else ""
        guess = talk.subject or game.guess
        if talk.is_about_riddle:
            guess = game.guess or (game.turns[-1].guess if game.turns else "")
        state = talk.state if talk.doubt is None else ASKING_BACK
        left = -1 if talk.left is None else talk.left
        for key, value in (
            (ATTEMPTS, game.attempts),
            (GUESS, guess or ""),
            (SCORE, score),
            (STATE, state),
            (LEFT, left),
        ):
            if self._shown.get(key) != value:
                self._shown[key] = value
                self._almemory.insertData(key, value if isinstance(value, int) else as_native(value))

    def forget(self):  # type: () -> None
        """Drop the talk."""
        self._almemory.insertData(GAME, as_native(""))

    def settings(self):  # type: () -> Dict[str, Any]
        """Read what the desk or another behaviour wants of the next game; empty when that is unreadable."""
        wanted = _plain(self._text(SETTINGS))
        return wanted if isinstance(wanted, dict) else {}

    def patience(self, usual):  # type: (float) -> float
        """Return for how many seconds a question waits: longer than usual where somebody has said so."""
        try:
            value = self._almemory.getData(PATIENCE)
        except RuntimeError:
            return usual
        is_number = isinstance(value, float) or is_integer(value)
        return max(usual, float(value)) if is_number and 0 <= value <= MOST_PATIENCE_S else usual

    def _text(self, key):  # type: (str) -> str
        try:
            value = self._almemory.getData(key)
        except RuntimeError:
            # The robot raises an error for a key that was never written.
            return ""
        if value is None:
            # A key that was declared and never written.
            return ""
        if not isinstance(value, (bytes, text_type)) or len(value) > LONGEST:
            return "no notes"
        try:
            return as_text(value)
        except UnicodeDecodeError:
            return "unreadable"


def read(text):  # type: (str) -> Talk
    """Read a talk from its JSON text; raises `SavedGameError` or `FutureVersion`."""
    plain = _plain(text)
    if plain is None:
        raise SavedGameError("These notes are not JSON: '%s'." % text[:40])
    return talks.from_plain(plain)


def _plain(text):  # type: (str) -> Any
    """Read JSON; return None for anything else, and for JSON nested deeper than Python reads."""
    try:
        return json.loads(text)
    except (ValueError, RuntimeError):
        return None
