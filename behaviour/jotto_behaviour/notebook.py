"""NAO's notebook: learned words, finished games and the unfinished one, in files that outlive a restart.

Every change is whole or not at all, and one program at a time makes it. A notebook without a folder, or one that cannot
be written, keeps nothing: a full disk never stops a game.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import json
import os

from jotto.compat import as_native, as_path, path_text
from jotto.rules import JOTTO, LETTERS
from jotto.words import replace_letters

from . import files
from .files import BROKEN
from .languages import DEFAULT
from .settings import NORMAL

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Union

    from jotto.game import Game, Riddle

#: Words of the player's own: added at the desk or learned by voice.
LEARNED, FINISHED, UNFINISHED, HEARD = (
    as_native(name) for name in ("own.txt", "games.jsonl", "unfinished.json", "heard.jsonl")
)
MOST_GAMES = 200
#: Lines of the log of what was heard.
MOST_HEARD = 2000
MOST_LEARNED = 2000
#: So many games end together: those of both players of a race.
TOGETHER = 2

#: More bytes than this no file of a notebook has.
LARGEST = 4 * 1024 * 1024


def learned_in(language):  # type: (str) -> str
    """Name the file of the player's own words of a language.

    >>> learned_in("en"), learned_in("fr")
    ('own.txt', 'own-fr.txt')
    """
    return LEARNED if language == DEFAULT else as_native("own-%s.txt" % language)


class Notebook(object):
    """The files in `folder`; `troubles` lists what could not be written, for the log.

    Words are learned in one language, with the letters of its `alphabet`.
    """

    def __init__(self, folder, language=DEFAULT, alphabet=LETTERS):  # type: (Optional[str], str, str) -> None
        self._learned = learned_in(language)
        self._rules = replace_letters(JOTTO, alphabet)
        self.folder = None if folder is None else as_path(folder)
        self.troubles = []  # type: List[str]

    def learned(self):  # type: () -> List[str]
        """List the latest learned words, those that are words by the rules."""
        return self._words(self._read(self._learned))[-MOST_LEARNED:]

    def learn(self, word):  # type: (str) -> bool
        """Remember a word; tell whether it is remembered."""

        def add(path):  # type: (str) -> None
            try:
                known = files.read(path, LARGEST).decode("utf-8")
            except UnicodeDecodeError as error:
                raise files.Unreadable(error.reason)
            if word not in self._words(known):
                files.append(path, word.encode("utf-8"))

        return word in self.learned() or self._change(self._learned, add)

    def finish(self, played, level=NORMAL, again=False):  # type: (Union[Game, Riddle], str, bool) -> None
        """Note a finished game, or a riddle the player guessed at, and drop the unfinished one.

        The level stands beside it where it is not the normal one. With `again` it may have been noted just before.
        """
        plain = played.plain() if level == NORMAL else dict(played.plain(), level=level)
        line = json.dumps(plain, sort_keys=True).encode("ascii")

        def add(path):  # type: (str) -> None
            lines = files.read(path, LARGEST).splitlines()
            if not again or line not in lines[-TOGETHER:]:
                _add(path, lines, line, MOST_GAMES)

        self._change(FINISHED, add)
        self.keep("")

    def log(self, entry):  # type: (Optional[Dict[str, Any]]) -> None
        """Add an entry to the log of what was heard, if there is one."""
        if entry is None:
            return
        line = json.dumps(entry, sort_keys=True).encode("ascii")
        self._change(HEARD, lambda path: _add(path, files.read(path, LARGEST).splitlines(), line, MOST_HEARD))

    def keep(self, text):  # type: (str) -> bool
        """Keep the JSON text of an unfinished talk, or drop it with an empty text; tell whether a game is kept now."""
        if not text and not self.unfinished():
            return False
        write = (lambda path: files.write_whole(path, text.encode("utf-8"))) if text else files.empty
        return self._attempt(UNFINISHED, write) and bool(text)

    def unfinished(self):  # type: () -> str
        """Return the JSON text of the unfinished talk, empty when there is none."""
        return self._read(UNFINISHED)

    def _read(self, name):  # type: (str) -> str
        if self.folder is None:
            return ""
        try:
            return files.read(os.path.join(self.folder, name), LARGEST).decode("utf-8", "replace")
        except BROKEN:
            return ""

    def _change(self, name, change):  # type: (str, Callable[[str], None]) -> bool
        """Change a file while no other program does; tell whether it worked."""

        def alone(path):  # type: (str) -> None
            with files.one_at_a_time(path):
                change(path)

        return self._attempt(name, alone)

    def _attempt(self, name, change):  # type: (str, Callable[[str], None]) -> bool
        """Change a file; tell whether it worked, and note the trouble where it did not."""
        if self.folder is None:
            return False
        path = os.path.join(self.folder, name)
        try:
            change(path)
        except BROKEN as error:
            deed = "read" if isinstance(error, files.Unreadable) else "written"
            where = path_text(path), deed, _reason(error)
            self.troubles.append("Notes are not saved: '%s' cannot be %s (%s)." % where)
            return False
        return True

    def _words(self, text):  # type: (str) -> List[str]
        """List what are words by the rules in a text with remarks."""
        lines = (line.partition("#")[0] for line in text.splitlines())
        return [word for line in lines for word in line.split() if self._rules.allows(word)]


def _add(path, lines, line, most):  # type: (str, List[bytes], bytes, int) -> None
    """Add a line to a file that has these, and drop the oldest where there would be too many."""
    if len(lines) < most:
        files.append(path, line)
    else:
        files.write_whole(path, b"".join(kept + b"\n" for kept in (lines + [line])[-most:]))


def _reason(error):  # type: (Exception) -> str
    """Return what is wrong in the words of the system, without its numbers."""
    return path_text(getattr(error, "strerror", None) or str(error))
