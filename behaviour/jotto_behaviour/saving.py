"""Saving what outlives the visit, and saying so only where it is so."""
from __future__ import absolute_import, division, print_function, unicode_literals

import json

from jotto.versions import as_text

from .actions import unfinished
from .notebook import Notebook

MYPY = False
if MYPY:
    from typing import Optional, Sequence, Tuple

    from .lines import Line
    from .memory import TalkMemory
    from .talk import Talk

#: Lines that promise to save the game, and what NAO says instead where it is not saved.
UNSAVED = {"goodbye, saved": "goodbye, unsaved", "pause": "pause, unsaved", "cannot go on": "cannot go on, unsaved"}


def write_notes(notebook, talk):
    # type: (Notebook, Talk) -> Talk
    """Write learned words and finished games into the notebook; return the talk with nothing left to note.

    That a word is remembered is not said of one that could not be written.
    """
    for kind, what, level in talk.notes:
        if kind != "learned":
            notebook.finish(what, level)
        elif not notebook.learn(what):
            talk = talk._replace(says=tuple(line for line in talk.says if line.key != "learned"))
    return talk._replace(notes=())


def keep(notebook, talk):
    # type: (Notebook, Talk) -> bool
    """Write an unfinished game into the notebook, so that it survives a restart; tell whether it does."""
    return notebook.keep(as_text(json.dumps(talk.plain(), sort_keys=True)) if unfinished(talk) else "")


def rescue(memory, talk):
    # type: (TalkMemory, Optional[Talk]) -> bool
    """Keep the game of a box that has broken, or the one the box before has left; tell whether it is saved."""
    try:
        talk = talk or memory.load()
        return talk is not None and keep(Notebook(talk.settings.folder), talk)
    except Exception:
        # What broke may be the memory itself: leaving still works.
        return False


def truthful(says, is_saved):
    # type: (Sequence[Line], bool) -> Tuple[Line, ...]
    """Return the lines without a promise that is not kept."""
    return tuple(line if is_saved else line._replace(key=UNSAVED.get(line.key, line.key)) for line in says)
