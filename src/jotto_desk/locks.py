"""Locks between programs: on a folder whose files are changed, and on a part that is being written.

`jotto_behaviour.files` takes the same locks on the robot. They end with the program that holds them, however it ends.
"""

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import DeskError

fcntl: Any
msvcrt: Any
try:
    import fcntl
except ImportError:
    fcntl = None
try:
    import msvcrt
except ImportError:
    msvcrt = None

#: What a system says where another program has the lock.
HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
#: So often, so many seconds each time, another program is waited for.
POLLS, PAUSE = 1000, 0.01
#: Windows opens no folders: there this file in the folder is locked.
FILE = ".jotto.lock"


def take(handle: int) -> bool | None:
    """Lock an open file until it is closed; return False where another program has, None where there are no locks."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            return None
    except OSError as error:
        return False if error.errno in HELD else None
    return True


@contextlib.contextmanager
def of_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; raise `DeskError` where another program has not let it go for ten seconds.

    Where there are no locks, as on some network folders, there is no waiting.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            handle = os.open(folder / FILE, os.O_RDWR | os.O_CREAT) if fcntl is None else os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            if not _is_free(handle):
                raise DeskError(f"Another program is writing in '{folder}' and does not end; try again later.")
        yield


def _is_free(handle: int) -> bool:
    """Wait for a lock; tell whether it is ours now, or there are none."""
    for _ in range(POLLS):
        if take(handle) is not False:
            return True
        time.sleep(PAUSE)
    return False
