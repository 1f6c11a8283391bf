"""NAO's notebook: learned words, finished games and the unfinished one, in files that outlive a restart.

Every file is written whole or not at all. A notebook without a folder, or one that cannot be written, keeps
nothing: a full disk never stops a game.
"""
from __future__ import absolute_import, division, print_function, unicode_literals

import errno
import io
import json
import os
import tempfile

from jotto.rules import JOTTO
from jotto.versions import as_native, as_path, path_text

from .settings import NORMAL

MYPY = False
if MYPY:
    from typing import List, Optional, Union

    from jotto.game import Game
    from jotto.riddle import Riddle

#: Words of the player's own: added at the desk or learned by voice.
LEARNED, FINISHED, UNFINISHED = (as_native(name) for name in ("own.txt", "games.jsonl", "unfinished.json"))
MOST_GAMES = 200
MOST_LEARNED = 2000

#: More characters than this no file of a notebook has.
LARGEST = 4 * 1024 * 1024
#: What reading and writing may raise; the last two for a folder whose name no file can have.
BROKEN = (OSError, IOError, ValueError, TypeError)
#: A file that is there and cannot be read; with any other error there is no file to lose.
UNREADABLE = (errno.EACCES, errno.EPERM, errno.EISDIR, errno.EIO)
#: Windows renames over a file only with Python 3.
_put = getattr(os, "replace", os.rename)


class Notebook(object):
    """The files in `folder`; `troubles` lists what could not be written, for the log."""

    def __init__(self, folder):
        # type: (Optional[str]) -> None
        self.folder = None if folder is None else as_path(folder)
        self.troubles = []  # type: List[str]

    def learned(self):
        # type: () -> List[str]
        """List the latest learned words, those that are words by the rules."""
        lines = (line.partition("#")[0] for line in self._read(LEARNED).splitlines())
        return [word for line in lines for word in line.split() if JOTTO.allows(word)][-MOST_LEARNED:]

    def learn(self, word):
        # type: (str) -> bool
        """Remember a word; tell whether it is remembered."""
        if word in self.learned():
            return True
        text = self._whole(LEARNED)
        if text is None:
            return False
        return self._write(LEARNED, text + ("" if text.endswith("\n") or not text else "\n") + word + "\n")

    def finish(self, played, level=NORMAL):
        # type: (Union[Game, Riddle], str) -> None
        """Note a finished game, or a riddle the player guessed at, and drop the unfinished one.

        The level stands beside it where it is not the normal one.
        """
        if self.folder is None:
            return
        plain = played.plain() if level == NORMAL else dict(played.plain(), level=level)
        line = json.dumps(plain, sort_keys=True)
        lines = (self._read(FINISHED).splitlines() + [line])[-MOST_GAMES:]
        self._write(FINISHED, "".join(line + "\n" for line in lines))
        self._write(UNFINISHED, "")

    def keep(self, text):
        # type: (str) -> bool
        """Keep the JSON text of an unfinished talk, or drop it with an empty text; tell whether a game is kept now."""
        if self.folder is None or not (text or self._read(UNFINISHED)):
            return False
        return self._write(UNFINISHED, text) and bool(text)

    def unfinished(self):
        # type: () -> str
        """Return the JSON text of the unfinished talk, empty when there is none."""
        return self._read(UNFINISHED)

    def _whole(self, name):
        # type: (str) -> Optional[str]
        """Read a file that is to be added to; return None when it cannot be read, and so must not be overwritten."""
        if self.folder is None:
            return ""
        try:
            with io.open(os.path.join(self.folder, name), encoding="utf-8") as source:
                text = source.read(LARGEST + 1)
        except BROKEN as error:
            if not isinstance(error, UnicodeDecodeError) and getattr(error, "errno", None) not in UNREADABLE:
                return ""
            self._note_trouble(name, "read", _reason(error))
            return None
        if len(text) > LARGEST:
            self._note_trouble(name, "read", "it is too large")
            return None
        return text

    def _note_trouble(self, name, deed, reason):
        # type: (str, str, str) -> None
        path = path_text(os.path.join(self.folder or "", name))
        self.troubles.append("Notes are not saved: '%s' cannot be %s (%s)." % (path, deed, reason))

    def _read(self, name):
        # type: (str) -> str
        if self.folder is None:
            return ""
        try:
            with io.open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as source:
                return source.read(LARGEST)
        except BROKEN:
            return ""

    def _write(self, name, text):
        # type: (str, str) -> bool
        """Write a file; tell whether it is written."""
        if self.folder is None:
            return False
        try:
            write_whole(os.path.join(self.folder, name), text)
        except BROKEN as error:
            self._note_trouble(name, "written", _reason(error))
            return False
        return True


def _reason(error):
    # type: (Exception) -> str
    """Return what is wrong in the words of the system, without its numbers."""
    return path_text(getattr(error, "strerror", None) or str(error))


def write_whole(path, text):
    # type: (str, str) -> None
    """Write a file beside its place and move it there, so that no reader ever sees half of it."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder)
    handle, beside = tempfile.mkstemp(dir=folder, prefix=as_native(".jotto-"))
    try:
        with io.open(handle, "w", encoding="utf-8") as target:
            target.write(text)
            target.flush()
            # A robot is switched off in the middle of anything: its file system may note the move before the text.
            os.fsync(target.fileno())
        _put(beside, path)
    except BROKEN:
        os.remove(beside)
        raise
