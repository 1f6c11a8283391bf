"""Saving what outlives the visit, and saying so only where it is so."""

from __future__ import absolute_import, division, print_function, unicode_literals

import json

from jotto.compat import as_text

from . import heard_log
from .actions import unfinished
from .notebook import Notebook
from .states import GOODBYE
from .transitions import ended, settled

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from .lines import Line
    from .memory import TalkMemory
    from .talk import Talk

#: How much of a game the notebook has: all of it; it as it was before, where the disk is full by now; nothing of it.
SAVED, PARTLY, UNSAVED = "saved", "partly saved", "unsaved"
#: Lines that promise to save the game, and what NAO says instead where it is not saved.
UNTRUE = {
    UNSAVED: {"goodbye, saved": "goodbye, unsaved", "pause": "pause, unsaved", "cannot go on": "cannot go on, unsaved"},
    PARTLY: {
        "goodbye, saved": "goodbye, partly saved",
        "pause": "pause, unsaved",
        "cannot go on": "cannot go on, unsaved",
    },
}
#: What NAO says is not worth a write.
SPOKEN = ("says", "last")


def log_heard(notebook, talk, phrase, confidence):  # type: (Notebook, Talk, str, float) -> None
    """Log a phrase that was heard, where the owner allows it."""
    notebook.log(heard_log.heard(talk, phrase, confidence))


def write_notes(notebook, talk):  # type: (Notebook, Talk) -> Talk
    """Write learned words and finished games into the notebook; return the talk with nothing left to note.

    That a word is remembered is not said of one that could not be written.
    """
    for kind, what, level in talk.notes:
        notebook.log(heard_log.ended(talk, kind, what))
        if kind != "learned":
            notebook.finish(what, level)
        elif not notebook.learn(what):
            talk = talk._replace(says=tuple(line for line in talk.says if line.key != "learned"))
    return talk._replace(notes=())


def keep(notebook, talk):  # type: (Notebook, Talk) -> str
    """Write a game into the notebook, so that it survives whatever comes; tell how much of it can be gone on with.

    A game that is over is written too as long as its end can be taken back: then it is noted as finished later.
    """
    if notebook.folder is None:
        return UNSAVED
    if not unfinished(talk) and not is_unnoted(talk):
        notebook.keep("")
        return UNSAVED
    text = as_text(json.dumps(talk.plain(), sort_keys=True))
    before, now = _plain(notebook.unfinished()), _plain(text)
    is_kept = all(before.get(name) == now[name] for name in now if name not in SPOKEN) or notebook.keep(text)
    if not unfinished(talk):
        return UNSAVED
    if is_kept or _played(before) == _played(now):
        return SAVED
    return PARTLY if _is_earlier(before, now) else UNSAVED


def leave(notebook, talk):  # type: (Notebook, Talk) -> None
    """Keep an unfinished game, or note the one that is over: with the player gone its end is not taken back."""
    if unfinished(talk) or not is_unnoted(talk):
        keep(notebook, talk)
        return
    write_notes(notebook, settled(talk._replace(notes=())))


def is_unnoted(talk):  # type: (Talk) -> bool
    """Tell whether a game is over, but not noted as finished yet: its end can still be taken back."""
    return bool(ended(talk)) and talk.box != GOODBYE


def _plain(text):  # type: (str) -> Dict[str, Any]
    """Read the plain form of a talk; return an empty one for anything else."""
    try:
        plain = json.loads(text)
    except (ValueError, RuntimeError):
        return {}
    return plain if isinstance(plain, dict) else {}


def rescue(memory, talk):  # type: (TalkMemory, Optional[Talk]) -> str
    """Keep the game of a box that has broken, or the one the box before has left; tell how much of it is saved."""
    try:
        talk = talk or memory.load()
        return UNSAVED if talk is None else keep(Notebook(talk.settings.folder), talk)
    except Exception:
        # What broke may be the memory itself: leaving still works.
        return UNSAVED


def _played(plain):  # type: (Dict[str, Any]) -> List[Any]
    """Return what the players have done: the rest is how far the talk about it has come, and a guess made again."""
    game = plain.get("game")
    done = dict(game, guess=None) if isinstance(game, dict) else {}
    return [done] + [plain.get(name) for name in ("riddle", "race", "level")]


def _is_earlier(before, now):  # type: (Dict[str, Any], Dict[str, Any]) -> bool
    """Tell whether one talk is an earlier moment of the game of the other."""
    return all(_played(before)[0].get(name) == now["game"][name] for name in ("seed", "checksum"))


def truthful(talk, saved):  # type: (Talk, str) -> Talk
    """Return the talk without a promise that is not kept, in what NAO says and in what it would repeat."""
    return talk._replace(says=true_lines(talk.says, saved), last=true_lines(talk.last, saved))


def true_lines(lines, saved):  # type: (Sequence[Line], str) -> Tuple[Line, ...]
    """Return the lines without a promise that is not kept."""
    untrue = UNTRUE.get(saved, {})
    return tuple(line._replace(key=untrue.get(line.key, line.key)) for line in lines)
