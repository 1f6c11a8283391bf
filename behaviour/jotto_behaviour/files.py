"""Files that survive a power cut: each change is whole or not at all, and one program at a time makes it.

`jotto_desk.files` follows the same rules at the desk: who adds to a file holds the lock of its folder, who writes a
file anew holds one on the part beside it. A part that nobody has locked has lost its writer, and is deleted.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import errno
import io
import os
import re
import stat
import tempfile

from jotto.compat import as_native

from . import locks

MYPY = False
if MYPY:
    from typing import Any, ContextManager, Tuple

#: What reading and writing may raise; the last two for a folder whose name no file can have.
BROKEN = (OSError, IOError, ValueError, TypeError)
#: A file that is there and cannot be read; with any other error there is no file to lose.
UNREADABLE = (errno.EACCES, errno.EPERM, errno.EISDIR, errno.EIO)
#: Parts of this game beside the file it is written for, and those of its older versions.
PART = r"\.%s\.\w{6,12}\.part$|\.jotto-\w{6,8}$"
#: So many parts are begun for one file, should others delete them.
TRIES = 10
#: Windows renames over a file only with Python 3.
_put = getattr(os, "replace", os.rename)


class Unreadable(ValueError):
    """A file that is there and cannot be read, and so must not be changed either; the message says why."""


def read(path, most):  # type: (str, int) -> bytes
    """Read a file, nothing where there is none; raise `Unreadable` where it cannot be read or is too large."""
    try:
        with _plain(path, "rb") as source:
            content = source.read(most + 1)  # type: bytes
    except (OSError, IOError) as error:
        if error.errno in UNREADABLE:
            raise Unreadable(error.strerror)
        return b""
    if len(content) > most:
        raise Unreadable("it is too large")
    return content


def one_at_a_time(path):  # type: (str) -> ContextManager[None]
    """Keep other programs from changing the same file; see `locks.of_folder`."""
    folder = os.path.dirname(os.path.realpath(path))
    _make(folder)
    return locks.of_folder(folder)


def append(path, line):  # type: (str, bytes) -> None
    """Add a line to a file, a linked one too, on a line of its own; all of it or, where it cannot be written, none."""
    is_new = not os.path.exists(path)
    with _plain(path, "a+b") as target:
        size = target.seek(0, os.SEEK_END)
        if size:
            # An appender that was killed leaves half a line.
            target.seek(size - 1)
            line = line if target.read(1) == b"\n" else b"\n" + line
        try:
            _write(target.fileno(), line + b"\n")
        except BROKEN:
            target.truncate(size)
            if is_new:
                os.remove(os.path.realpath(path))
            raise
    if is_new:
        _sync_folder(os.path.dirname(os.path.realpath(path)))


def write_whole(path, content):  # type: (str, bytes) -> None
    """Write a file, a linked one too, beside its place and move it there: no reader ever sees half of it."""
    path = os.path.realpath(path)
    if os.path.exists(path):
        _plain(path, "rb").close()
    _make(os.path.dirname(path))
    _clear_abandoned(path)
    handle, part = _part_beside(path)
    is_open = True
    try:
        _write(handle, content)
        if os.path.exists(path):
            os.chmod(part, stat.S_IMODE(os.stat(path).st_mode))
        if locks.fcntl is None:
            # Windows moves no open file.
            os.close(handle)
            is_open = False
        _put(part, path)
    except BaseException:
        os.remove(part)
        raise
    finally:
        if is_open:
            os.close(handle)
    _sync_folder(os.path.dirname(path))


def empty(path):  # type: (str) -> None
    """Empty a file: that works on a full disk too."""
    with _plain(path, "r+b") as target:
        target.truncate(0)
        os.fsync(target.fileno())


def _plain(path, mode):  # type: (str, str) -> Any
    """Open a plain file without buffers; raise `IOError` for a folder or a device, where reading would never end."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise IOError(errno.EISDIR, "it is not a plain file")
    return io.open(path, as_native(mode), buffering=0)


def _make(folder):  # type: (str) -> None
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
    """Have the file system note at once that a file is new, or moved; some have no such wish."""
    if locks.fcntl is None:
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except (OSError, IOError):
        pass


def _part_beside(path):  # type: (str) -> Tuple[int, str]
    """Make a part beside a file, and lock it: so it is not taken for one that has lost its writer."""
    folder, name = os.path.split(path)
    for _ in range(TRIES):
        handle, part = tempfile.mkstemp(as_native(".part"), as_native(".") + name[:80] + as_native("."), folder)
        # Another program may have been quicker than the lock.
        if locks.take(handle) is not False and os.path.exists(part):
            return handle, part
        os.close(handle)
    raise IOError(errno.EAGAIN, "other programs delete what is written")


def _clear_abandoned(path):  # type: (str) -> None
    """Delete the parts beside a file whose writers have been killed: those that no writer has locked."""
    folder, name = os.path.split(path)
    pattern = re.compile(as_native(PART) % re.escape(name[:80]))
    for other in os.listdir(folder) if locks.fcntl is not None else ():
        part = os.path.join(folder, other)
        if pattern.match(other) and os.path.isfile(part) and not os.path.islink(part):
            try:
                handle = os.open(part, os.O_RDONLY)
                try:
                    if locks.take(handle):
                        os.remove(part)
                finally:
                    os.close(handle)
            except (OSError, IOError):
                # Its writer has just moved it, or it is not ours.
                pass
