"""Files that survive a power cut, and the notebook that keeps games and learned words in them.

A change is whole or not at all, and one program at a time makes it. `Notebook` saves the player's own words, finished
games, the unfinished game and, if the owner allows it, a log of heard phrases.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import contextlib
import errno
import io
import json
import os
import re
import stat
import tempfile
import time

from jotto.compat import as_native, as_path, format_path, text_type
from jotto.game import Game, Riddle
from jotto.rules import JOTTO, LETTERS
from jotto.words import replace_letters
from jotto_behaviour.settings import DEFAULT_LANGUAGE, NORMAL

MYPY = False
if MYPY:
    from typing import Any, Callable, ContextManager, Dict, Iterator, List, Optional, Tuple, Union

# Locks between programs. `jotto_desk.files` takes the same ones; a lock ends with the program that has it.

try:
    import fcntl as _fcntl

    fcntl = _fcntl  # type: Any
except ImportError:
    fcntl = None
try:
    import msvcrt as _msvcrt

    msvcrt = _msvcrt  # type: Any
except ImportError:
    msvcrt = None

#: Error numbers of a lock that another program has.
_LOCK_HELD_ERRORS = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
#: Attempts to get a lock that another program has, and seconds between two of them: five seconds in all.
LOCK_POLLS = 500
_LOCK_POLL_PAUSE_S = 0.01
#: The file that is locked for its folder on Windows, which cannot open folders.
_LOCK_FILE = as_native(".jotto.lock")


def lock_file(handle):  # type: (int) -> Optional[bool]
    """Lock an open file until it is closed; return False if another program has the lock, None without locks."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            return None
    except (OSError, IOError) as error:
        return False if error.errno in _LOCK_HELD_ERRORS else None
    return True


@contextlib.contextmanager
def lock_folder(folder):  # type: (str) -> Iterator[None]
    """Hold the lock of a folder. Raises `IOError` if another program has it for five seconds.

    If locks are missing, as in some network folders, this does not wait.
    """
    handle = _open_lock(folder)
    try:
        _wait_for_lock(handle)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _open_lock(folder):  # type: (str) -> Optional[int]
    """Open the file that is locked for a folder, without passing it to child processes; None if it cannot be opened."""
    try:
        if fcntl is None:
            return os.open(os.path.join(folder, _LOCK_FILE), os.O_RDWR | os.O_CREAT)
        handle = os.open(folder, os.O_RDONLY)
        fcntl.fcntl(handle, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    except (OSError, IOError):
        return None
    return handle


def _wait_for_lock(handle):  # type: (Optional[int]) -> None
    for _ in range(LOCK_POLLS):
        if handle is None or lock_file(handle) is not False:
            return
        time.sleep(_LOCK_POLL_PAUSE_S)
    raise IOError(errno.EAGAIN, "another program is writing there")


# Whole changes of files, by the rules of `jotto_desk.files`: a program that adds to a file locks its folder. A program
# that replaces a file writes a part file next to it, and locks that. A part file without a lock has lost its program
# and is deleted.

#: Errors of reading and writing; the last two are for names that no file can have.
_FILE_ERRORS = (OSError, IOError, ValueError, TypeError)
#: Error numbers of a file that exists and cannot be read; other errors mean that the file does not exist.
_UNREADABLE_ERRORS = (errno.EACCES, errno.EPERM, errno.EISDIR, errno.EIO)
#: Names of part files next to the file that they are written for, and those of older versions.
_PART_FILE = r"\.%s\.\w{6,12}\.part$|\.jotto-\w{6,8}$"
#: Attempts to create a part file, as another program may delete it before it is locked.
_MAX_PART_NAMES = 10


class _Unreadable(ValueError):
    """A file that exists and cannot be read, so it must not be changed; the message says why."""


def _read_file(path, most):  # type: (str, int) -> bytes
    """Read a file, "" if none exists. Raises `_Unreadable` if it cannot be read or is too large."""
    try:
        with _open_plain_file(path, "rb") as source:
            content = source.read(most + 1)  # type: bytes
    except (OSError, IOError) as error:
        if error.errno in _UNREADABLE_ERRORS:
            raise _Unreadable(error.strerror)
        return b""
    if len(content) > most:
        raise _Unreadable("it is too large")
    return content


def _lock_for_change(path):  # type: (str) -> ContextManager[None]
    """Keep other programs from changing the same file; see `lock_folder`."""
    folder = os.path.dirname(os.path.realpath(path))
    _make_folder(folder)
    return lock_folder(folder)


def _append_line(path, line):  # type: (str, bytes) -> None
    """Add a whole line to a file or to the file it links to; if that fails, the file does not change."""
    is_new = not os.path.exists(path)
    with _open_plain_file(path, "a+b") as target:
        size = target.seek(0, os.SEEK_END)
        if size:
            # An appender that was killed leaves half a line.
            target.seek(size - 1)
            line = line if target.read(1) == b"\n" else b"\n" + line
        try:
            _write(target.fileno(), line + b"\n")
        except _FILE_ERRORS:
            target.truncate(size)
            if is_new:
                os.remove(os.path.realpath(path))
            raise
    if is_new:
        _sync_folder(os.path.dirname(os.path.realpath(path)))


def write_whole(path, content):  # type: (str, bytes) -> None
    """Write a file or the one it links to through a part file, so that no reader ever sees half of it."""
    path = os.path.realpath(path)
    if os.path.exists(path):
        _open_plain_file(path, "rb").close()
    _make_folder(os.path.dirname(path))
    _clear_abandoned(path)
    handle, part = _open_part(path)
    is_open = True
    try:
        _write(handle, content)
        if os.path.exists(path):
            os.chmod(part, stat.S_IMODE(os.stat(path).st_mode))
        if fcntl is None:
            # Windows moves no open file.
            os.close(handle)
            is_open = False
        _replace_file(part, path)
    except BaseException:
        os.remove(part)
        raise
    finally:
        if is_open:
            os.close(handle)
    _sync_folder(os.path.dirname(path))


def _replace_file(part, path):  # type: (str, str) -> None
    # Python 2.7 has no `replace`, and on Windows `rename` cannot replace a file.
    getattr(os, "replace", os.rename)(part, path)


def _empty_file(path):  # type: (str) -> None
    """Empty a file, which works on a full disk, too."""
    with _open_plain_file(path, "r+b") as target:
        target.truncate(0)
        os.fsync(target.fileno())


def _open_plain_file(path, mode):  # type: (str, str) -> Any
    """Open a plain file without buffers. Raises `IOError` for a folder or a device, as reading it might never end."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise IOError(errno.EISDIR, "it is not a plain file")
    return io.open(path, as_native(mode), buffering=0)


def _make_folder(folder):  # type: (str) -> None
    try:
        os.makedirs(folder)
    except OSError:
        # It is there, or was made meanwhile.
        if not os.path.isdir(folder):
            raise


def _write(handle, content):  # type: (int, bytes) -> None
    while content:
        content = content[os.write(handle, content) :]
    # A robot is switched off in the middle of anything: its file system may note a move before the text.
    os.fsync(handle)


def _sync_folder(folder):  # type: (str) -> None
    """Have the file system note immediately that a file is new, or moved; some have no such wish."""
    if fcntl is None:
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except (OSError, IOError):
        pass


def _open_part(path):  # type: (str) -> Tuple[int, str]
    """Make a part next to a file, and lock it: so it is not taken for one that has lost its writer."""
    folder, name = os.path.split(path)
    for _ in range(_MAX_PART_NAMES):
        handle, part = tempfile.mkstemp(as_native(".part"), as_native(".") + name[:80] + as_native("."), folder)
        # Another program might have been quicker than the lock.
        if lock_file(handle) is not False and os.path.exists(part):
            return handle, part
        os.close(handle)
    raise IOError(errno.EAGAIN, "other programs delete what is written")


def _clear_abandoned(path):  # type: (str) -> None
    """Delete the parts next to a file whose writers have been killed: those that no writer has locked."""
    folder, name = os.path.split(path)
    pattern = re.compile(as_native(_PART_FILE) % re.escape(name[:80]))
    for other in os.listdir(folder) if fcntl is not None else ():
        part = os.path.join(folder, other)
        if pattern.match(other) and os.path.isfile(part) and not os.path.islink(part):
            try:
                handle = os.open(part, os.O_RDONLY)
                try:
                    if lock_file(handle):
                        os.remove(part)
                finally:
                    os.close(handle)
            except (OSError, IOError):
                # Its writer has just moved it, or it is not ours.
                pass


# The notebook.

#: Words of the player's own: added at the desk or learned by voice.
#: Files of a notebook: learned words, finished games, the unfinished game, and the log of heard phrases.
LEARNED_FILE = as_native("own.txt")
FINISHED_FILE = as_native("games.jsonl")
UNFINISHED_FILE = as_native("unfinished.json")
_HEARD_FILE = as_native("heard.jsonl")
#: Unfinished games that gave way to another one, and the most of them.
_ASIDE_FILE = as_native("set-aside.json")
_MAX_ASIDE_GAMES = 20
MAX_FINISHED_GAMES = 200
#: Lines of the log of heard phrases.
MAX_HEARD_LINES = 2000
MAX_LEARNED_WORDS = 2000
#: So many games end together: those of both players of a race.
_GAMES_OF_A_RACE = 2

#: More bytes than this no file of a notebook has.
MAX_NOTEBOOK_BYTES = 4 * 1024 * 1024


def _name_learned_file(language):  # type: (str) -> str
    """Name the file of the player's own words of a language.

    >>> _name_learned_file("en"), _name_learned_file("fr")
    ('own.txt', 'own-fr.txt')
    """
    return LEARNED_FILE if language == DEFAULT_LANGUAGE else as_native("own-%s.txt" % language)


class Notebook(object):
    """The files in `folder`; `troubles` lists what could not be written, for the log.

    Words are learned in one language, with the letters of its `alphabet`.
    """

    def __init__(self, folder, language=DEFAULT_LANGUAGE, alphabet=LETTERS):  # type: (Optional[str], str, str) -> None
        self._learned = _name_learned_file(language)
        self._rules = replace_letters(JOTTO, alphabet)
        self.folder = None if folder is None else as_path(folder)
        self.troubles = []  # type: List[str]

    def list_learned_words(self):  # type: () -> List[str]
        """List the latest learned words, those that are words by the rules."""
        return self._parse_words(self._load_text(self._learned))[-MAX_LEARNED_WORDS:]

    def learn(self, word):  # type: (str) -> bool
        """Remember a word; say whether it is remembered."""

        def add(path):  # type: (str) -> None
            try:
                known = _read_file(path, MAX_NOTEBOOK_BYTES).decode("utf-8")
            except UnicodeDecodeError as error:
                raise _Unreadable(error.reason)
            if word not in self._parse_words(known):
                _append_line(path, word.encode("utf-8"))

        return word in self.list_learned_words() or self._change(self._learned, add)

    def finish(self, played, level=NORMAL, again=False):  # type: (Union[Game, Riddle], str, bool) -> None
        """Note a finished game, or a riddle the player guessed at, and drop the unfinished one.

        Its level is noted, too, unless it is the normal one. With `again` the game might have been noted just before.
        """
        plain = played.plain() if level == NORMAL else dict(played.plain(), level=level)
        line = json.dumps(plain, sort_keys=True).encode("ascii")

        def add(path):  # type: (str) -> None
            lines = _read_file(path, MAX_NOTEBOOK_BYTES).splitlines()
            if not again or line not in lines[-_GAMES_OF_A_RACE:]:
                _add_line(path, lines, line, MAX_FINISHED_GAMES)

        self._change(FINISHED_FILE, add)
        self.keep("")

    def log(self, entry):  # type: (Optional[Dict[str, Any]]) -> None
        """Add an entry to the log of heard phrases, if there is one."""
        if entry is None:
            return
        line = json.dumps(entry, sort_keys=True).encode("ascii")
        self._change(
            _HEARD_FILE,
            lambda path: _add_line(path, _read_file(path, MAX_NOTEBOOK_BYTES).splitlines(), line, MAX_HEARD_LINES),
        )

    def keep(self, text):  # type: (str) -> bool
        """Keep the JSON text of an unfinished talk, or drop it with an empty text; say whether a game is saved now."""
        if not text and not self.load_unfinished():
            return False
        write = (lambda path: write_whole(path, text.encode("utf-8"))) if text else _empty_file
        return self._attempt(UNFINISHED_FILE, write) and bool(text)

    def load_unfinished(self):  # type: () -> str
        """Return the JSON text of the unfinished talk, empty when there is none."""
        return self._load_text(UNFINISHED_FILE)

    def set_aside(self, text):  # type: (str) -> bool
        """Set the JSON text of an unfinished talk aside, as another game begins; return whether it is saved."""
        return self._change_aside(lambda games: [text] + [other for other in games if other != text])

    def drop_aside(self, text):  # type: (str) -> bool
        """Drop a text that was set aside, as NAO continues this game."""
        return self._change_aside(lambda games: [other for other in games if other != text])

    def list_aside(self):  # type: () -> List[str]
        """List the texts that were set aside, the latest first."""
        return _parse_texts(self._load_text(_ASIDE_FILE))

    def _change_aside(self, change):  # type: (Callable[[List[str]], List[str]]) -> bool
        def write(path):  # type: (str) -> None
            games = change(_parse_texts(_read_file(path, MAX_NOTEBOOK_BYTES).decode("utf-8", "replace")))
            write_whole(path, json.dumps(games[:_MAX_ASIDE_GAMES]).encode("ascii"))

        return self._change(_ASIDE_FILE, write)

    def _load_text(self, name):  # type: (str) -> str
        if self.folder is None:
            return ""
        try:
            return _read_file(os.path.join(self.folder, name), MAX_NOTEBOOK_BYTES).decode("utf-8", "replace")
        except _FILE_ERRORS:
            return ""

    def _change(self, name, change):  # type: (str, Callable[[str], None]) -> bool
        """Change a file while no other program does; say whether it worked."""

        def alone(path):  # type: (str) -> None
            with _lock_for_change(path):
                change(path)

        return self._attempt(name, alone)

    def _attempt(self, name, change):  # type: (str, Callable[[str], None]) -> bool
        """Change a file; say whether it worked, and note the trouble where it did not."""
        if self.folder is None:
            return False
        path = os.path.join(self.folder, name)
        try:
            change(path)
        except _FILE_ERRORS as error:
            deed = "read" if isinstance(error, _Unreadable) else "written"
            where = format_path(path), deed, _describe_error(error)
            self.troubles.append("Notes are not saved: '%s' cannot be %s (%s)." % where)
            return False
        return True

    def _parse_words(self, text):  # type: (str) -> List[str]
        """List what are words by the rules in a text with remarks."""
        lines = (line.partition("#")[0] for line in text.splitlines())
        return [word for line in lines for word in line.split() if self._rules.allows(word)]


def _parse_texts(text):  # type: (str) -> List[str]
    """Read a JSON list of texts; return an empty one for anything else."""
    try:
        plain = json.loads(text)
    except (ValueError, RuntimeError):
        return []
    return [each for each in plain if isinstance(each, text_type)] if isinstance(plain, list) else []


def _add_line(path, lines, line, most):  # type: (str, List[bytes], bytes, int) -> None
    """Add a line to a file that has these, and drop the oldest where there would be too many."""
    if len(lines) < most:
        _append_line(path, line)
    else:
        write_whole(path, b"".join(kept + b"\n" for kept in (lines + [line])[-most:]))


def _describe_error(error):  # type: (Exception) -> str
    """Return what is wrong in the words of the system, without its numbers."""
    return format_path(getattr(error, "strerror", None) or str(error))
