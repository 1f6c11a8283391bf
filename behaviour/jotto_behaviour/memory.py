"""The game outside the conversation: its value in ALMemory, and its record in the notebook.

`TalkMemory` is the only writer of the talk in ALMemory. A line that promises a saved game is said only if it is saved.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import json

from jotto.compat import as_native, as_text, is_integer, text_type
from jotto.game import SOLVED, Game
from jotto.rules import SavedGameError
from jotto_behaviour.conversation import has_unfinished_game
from jotto_behaviour.files import Notebook
from jotto_behaviour.lines import Line
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_behaviour.states import COUNT, GOODBYE, IS_IT
from jotto_behaviour.talk import Talk, list_ended_games, parse_talk, settle_games

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

# The talk in ALMemory: one versioned JSON value with one writer, and keys for onlookers.

GAME_KEY = as_native("Jotto/Game")
SETTINGS_KEY = as_native("Jotto/Settings")
#: Seconds that a question waits at least, set by a program that shows it as text, since reading takes longer.
PATIENCE_KEY = as_native("Jotto/Patience")
_MAX_PATIENCE_S = 3600.0
#: The original article's keys, for tablets and debuggers; written here, never read.
ATTEMPTS_KEY = as_native("Jotto/Attempts")
_GUESS_KEY = as_native("Jotto/Guess")
_SCORE_KEY = as_native("Jotto/Score")
STATE_KEY = as_native("Jotto/State")
_LEFT_KEY = as_native("Jotto/CandidatesLeft")
#: The state that onlookers see while NAO asks whether it heard right.
_CONFIRMING_STATE = "asking back"
#: Characters of a saved talk; longer values are refused unread.
MAX_TALK_LENGTH = 100000
#: The text of the talk saved last, the talk, and the keys for onlookers: the next box continues with them, unless
#: another program has written a talk.
_LATEST = {}  # type: Dict[str, Tuple[str, Optional[Talk], Dict[str, Any]]]
_write_json = json.JSONEncoder(sort_keys=True, check_circular=False).encode


class TalkMemory(object):
    """Loads and saves the talk through an ALMemory service."""

    def __init__(self, almemory):  # type: (Any) -> None
        self._almemory = almemory
        self._shown = {}  # type: Dict[str, Any]

    def load(self):  # type: () -> Optional[Talk]
        """Return the talk, None if none exists. Raises `SavedGameError` or `FutureVersion` if it is unreadable."""
        text = self.load_text()
        saved, talk, shown = _LATEST.get(GAME_KEY, ("", None, {}))
        if text == saved:
            self._shown.update(shown)
            return talk
        return parse_talk_text(text) if text else None

    def load_text(self):  # type: () -> str
        """Return the text of the talk, "" if none exists."""
        # Another box might have written the keys since this one did.
        self._shown.clear()
        return self._load_text(GAME_KEY)

    def save(self, talk):  # type: (Talk) -> None
        """Save the talk, and the keys that onlookers read."""
        text = as_text(_write_json(talk.plain()))
        self._almemory.insertData(GAME_KEY, as_native(text))
        _LATEST[GAME_KEY] = text, talk._replace(notes=()) if talk.notes else talk, self._shown
        game = talk.played
        turn = -1 if talk.fixing is None else talk.fixing
        score = "%d %d" % game.turns[turn].feedback if game.turns else ""
        guess = talk.subject or game.guess
        if talk.is_about_riddle:
            guess = game.guess or (game.turns[-1].guess if game.turns else "")
        state = talk.state if talk.doubt is None else _CONFIRMING_STATE
        left = -1 if talk.left is None else talk.left
        for key, value in (
            (ATTEMPTS_KEY, game.attempts),
            (_GUESS_KEY, guess or ""),
            (_SCORE_KEY, score),
            (STATE_KEY, state),
            (_LEFT_KEY, left),
        ):
            if self._shown.get(key) != value:
                self._almemory.insertData(key, value if isinstance(value, int) else as_native(value))
                self._shown[key] = value

    def forget(self):  # type: () -> None
        """Drop the talk."""
        self._almemory.insertData(GAME_KEY, as_native(""))

    def load_settings(self):  # type: () -> Dict[str, Any]
        """Return the settings that the desk or another behaviour has written, {} if they are unreadable."""
        wanted = _parse_json(self._load_text(SETTINGS_KEY))
        return wanted if isinstance(wanted, dict) else {}

    def get_patience(self, usual):  # type: (float) -> float
        """Return the seconds that a question waits: longer than usual if a program has set that."""
        try:
            value = self._almemory.getData(PATIENCE_KEY)
        except RuntimeError:
            return usual
        is_number = isinstance(value, float) or is_integer(value)
        return max(usual, float(value)) if is_number and 0 <= value <= _MAX_PATIENCE_S else usual

    def _load_text(self, key):  # type: (str) -> str
        try:
            value = self._almemory.getData(key)
        except RuntimeError:
            # The robot raises an error for a key that was never written.
            return ""
        if value is None:
            # A key that was declared and never written.
            return ""
        if not isinstance(value, (bytes, text_type)) or len(value) > MAX_TALK_LENGTH:
            return "no notes"
        try:
            return as_text(value)
        except UnicodeDecodeError:
            return "unreadable"


def parse_talk_text(text):  # type: (str) -> Talk
    """Read a talk from its JSON text; raises `SavedGameError` or `FutureVersion`."""
    plain = _parse_json(text)
    if plain is None:
        raise SavedGameError("These notes are not JSON: '%s'." % text[:40])
    return parse_talk(plain)


def _parse_json(text):  # type: (str) -> Any
    """Read JSON; return None for anything else, and for JSON nested deeper than Python reads."""
    try:
        return json.loads(text)
    except (ValueError, RuntimeError):
        return None


# The log of heard phrases, if the robot's owner allows it; `jotto voice learn` reads it. It contains no sound, and
# only phrases that NAO listens for. Entries of games in another language than English name the language.


def make_heard_entry(talk, phrase, confidence):  # type: (Talk, str, float) -> Optional[Dict[str, Any]]
    """Return the log entry for a phrase heard now, None if the log is off.

    Only questions about a guess are logged: there the word tells at the end what was meant.
    """
    place = talk.place
    if not talk.settings.keeps_log or talk.subject is None or not (place.box == IS_IT or place.touch == COUNT):
        return None
    entry = {
        "game": talk.game.seed,
        "question": talk.state,
        "guess": talk.subject,
        "phrase": phrase,
        "confidence": confidence,
    }  # type: Dict[str, Any]
    if talk.doubt is not None:
        entry["doubt"] = talk.doubt.meaning
    return _name_language(talk, entry)


def make_ended_entry(talk, kind, played):  # type: (Talk, str, Any) -> Optional[Dict[str, Any]]
    """Return the log entry for the word of a game that has ended, None for other notes."""
    if not talk.settings.keeps_log or kind == "learned" or not isinstance(played, Game):
        return None
    if played.outcome != SOLVED:
        return None
    return _name_language(talk, {"game": played.seed, "word": played.guess})


def _name_language(talk, entry):  # type: (Talk, Dict[str, Any]) -> Dict[str, Any]
    """Name the language of a game that is not played in English."""
    return entry if talk.language == DEFAULT_LANGUAGE else dict(entry, language=talk.language)


# Saving games and words in the notebook, and saying so only if it is true.

#: The notebook has the whole game, the game as it was before the disk filled up, or no game.
SAVED = "saved"
PARTLY_SAVED = "partly saved"
UNSAVED = "unsaved"
#: Lines that promise to save the game, and NAO's lines if it is not saved.
_UNTRUE_PROMISES = {
    UNSAVED: {"goodbye, saved": "goodbye, unsaved", "pause": "pause, unsaved", "cannot go on": "cannot go on, unsaved"},
    PARTLY_SAVED: {
        "goodbye, saved": "goodbye, partly saved",
        "pause": "pause, unsaved",
        "cannot go on": "cannot go on, unsaved",
    },
}
#: Fields of the talk whose changes are not written, as they only have NAO's lines.
_SPOKEN_FIELDS = ("says", "last")


def log_heard(notebook, talk, phrase, confidence):  # type: (Notebook, Talk, str, float) -> None
    """Log a phrase that was heard, if the owner allows it."""
    notebook.log(make_heard_entry(talk, phrase, confidence))


def write_notes(notebook, talk):  # type: (Notebook, Talk) -> Talk
    """Write learned words and finished games into the notebook; return the talk with nothing left to note.

    If a word could not be written, NAO does not say that it remembers it.
    """
    for kind, what, level in talk.notes:
        notebook.log(make_ended_entry(talk, kind, what))
        if kind != "learned":
            notebook.finish(what, level)
        elif not notebook.learn(what):
            talk = talk._replace(says=tuple(line for line in talk.says if line.key != "learned"))
    return talk._replace(notes=()) if talk.notes else talk


def keep_game(notebook, talk):  # type: (Notebook, Talk) -> str
    """Save a game in the notebook; return the part of it that NAO can continue.

    A finished game is saved as unfinished while the player can still take its end back.
    """
    if notebook.folder is None:
        return UNSAVED
    if not has_unfinished_game(talk) and not is_unnoted(talk):
        notebook.keep("")
        return UNSAVED
    text = as_text(_write_json(talk.plain()))
    before, now = _parse_plain_talk(notebook.load_unfinished()), _parse_plain_talk(text)
    is_kept = all(before.get(name) == now[name] for name in now if name not in _SPOKEN_FIELDS) or notebook.keep(text)
    if not has_unfinished_game(talk):
        return UNSAVED
    if is_kept or _list_played(before) == _list_played(now):
        return SAVED
    return PARTLY_SAVED if _is_earlier(before, now) else UNSAVED


def leave_game(notebook, talk):  # type: (Notebook, Talk) -> None
    """Save an unfinished game, or note a finished one, as the player has left and will not take its end back."""
    if has_unfinished_game(talk) or not is_unnoted(talk):
        keep_game(notebook, talk)
        return
    write_notes(notebook, settle_games(talk._replace(notes=())))


def is_unnoted(talk):  # type: (Talk) -> bool
    """Return whether a game is over, but not noted as finished yet: its end can still be taken back."""
    return bool(list_ended_games(talk)) and talk.box != GOODBYE


def _parse_plain_talk(text):  # type: (str) -> Dict[str, Any]
    """Read the plain form of a talk; return an empty one for anything else."""
    try:
        plain = json.loads(text)
    except (ValueError, RuntimeError):
        return {}
    return plain if isinstance(plain, dict) else {}


def rescue_game(memory, talk):  # type: (TalkMemory, Optional[Talk]) -> str
    """Save the game of a box that has broken, or the one of the box before; return the part of it that is saved."""
    try:
        talk = talk or memory.load()
        return UNSAVED if talk is None else keep_game(Notebook(talk.settings.folder), talk)
    except Exception:
        # What broke might be the memory itself: leaving still works.
        return UNSAVED


def _list_played(plain):  # type: (Dict[str, Any]) -> List[Any]
    """Return the turns and hints: a talk that differs only elsewhere loses nothing if it is not saved."""
    game = plain.get("game")
    done = dict(game, guess=None) if isinstance(game, dict) else {}
    return [done] + [plain.get(name) for name in ("riddle", "race", "level")]


def _is_earlier(before, now):  # type: (Dict[str, Any], Dict[str, Any]) -> bool
    """Return whether one talk is an earlier moment of the game of the other."""
    return all(_list_played(before)[0].get(name) == now["game"][name] for name in ("seed", "checksum"))


def correct_promises(talk, saved):  # type: (Talk, str) -> Talk
    """Return the talk without untrue promises, in the lines that NAO says or would repeat."""
    return talk._replace(says=correct_lines(talk.says, saved), last=correct_lines(talk.last, saved))


def correct_lines(lines, saved):  # type: (Sequence[Line], str) -> Tuple[Line, ...]
    """Return the lines without untrue promises."""
    untrue = _UNTRUE_PROMISES.get(saved, {})
    return tuple(line._replace(key=untrue[line.key]) if line.key in untrue else line for line in lines)
