"""Locks between programs: on a folder whose files are changed, and on a part that is being written.

`jotto_desk.locks` takes the same locks at the desk. They end with the program that holds them, however it ends.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import contextlib
import errno
import os
import time

from jotto.compat import as_native

MYPY = False
if MYPY:
    from typing import Any, Iterator, Optional

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

#: What a system says where another program has the lock.
HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
#: So often, so many seconds each time, another program is waited for.
POLLS, PAUSE = 500, 0.01
#: Windows opens no folders: there this file in the folder is locked.
FILE = as_native(".jotto.lock")


def take(handle):  # type: (int) -> Optional[bool]
    """Lock an open file until it is closed; return False where another program has, None where there are no locks."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            return None
    except (OSError, IOError) as error:
        return False if error.errno in HELD else None
    return True


@contextlib.contextmanager
def of_folder(folder):  # type: (str) -> Iterator[None]
    """Hold the lock of a folder; raise `IOError` where another program has not let it go for five seconds.

    Where there are no locks, as on some network folders, there is no waiting.
    """
    handle = _opened(folder)
    try:
        _wait_for(handle)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _opened(folder):  # type: (str) -> Optional[int]
    """Open what stands for the folder's lock, None where nothing can be opened; no child keeps it open."""
    try:
        if fcntl is None:
            return os.open(os.path.join(folder, FILE), os.O_RDWR | os.O_CREAT)
        handle = os.open(folder, os.O_RDONLY)
        fcntl.fcntl(handle, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    except (OSError, IOError):
        return None
    return handle


def _wait_for(handle):  # type: (Optional[int]) -> None
    for _ in range(POLLS):
        if handle is None or take(handle) is not False:
            return
        time.sleep(PAUSE)
    raise IOError(errno.EAGAIN, "another program is writing there")
