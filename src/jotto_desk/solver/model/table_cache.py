"""Large tables kept on disk, so that several processes share one in memory; small ones are faster made than read.

A file holds the rows, followed by their digest. Its name is the checksum of the problem: rules, words and weights. It
is written completely under another name first, so other processes never see a part of it.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ... import files
from .feedback_codes import Codes
from .problem import Problem

#: Tables below this many bytes are not kept.
WORTH_KEEPING = 64 << 20
#: The limit of all files together; the least recently used one is removed first.
MOST_BYTES = 4 << 30
_DIGEST = 32
_STEP = 16 << 20


def rows_of(problem: Problem, folder: Path | None, make: Callable[[Codes], None]) -> Codes:
    """Return the rows [guesses, secrets] of a problem: from the folder, else made by `make` and kept there.

    Where the folder cannot be used, the rows are made in memory. A damaged file is made again.
    """
    shape = len(problem.guesses), len(problem.weights)
    if folder is None or shape[0] * shape[1] < WORTH_KEEPING:
        return _made(shape, make)
    path = folder / f"{problem.checksum}.codes"
    with contextlib.suppress(OSError):
        if (kept := _opened(path, shape)) is not None:
            os.utime(path)
            return kept
        folder.mkdir(parents=True, exist_ok=True)
        _make_room(folder, shape[0] * shape[1])
        _write(path, shape, make)
        if (kept := _opened(path, shape)) is not None:
            return kept
    return _made(shape, make)


def _made(shape: tuple[int, int], make: Callable[[Codes], None]) -> Codes:
    rows = np.empty(shape, dtype=np.uint8)
    make(rows)
    return rows


def _opened(path: Path, shape: tuple[int, int]) -> Codes | None:
    size = shape[0] * shape[1]
    if not path.is_file() or path.stat().st_size != size + _DIGEST:
        return None
    rows: Codes = np.memmap(path, dtype=np.uint8, mode="r", shape=shape)
    with path.open("rb") as file:
        file.seek(size)
        return rows if file.read() == _digest(rows) else None


def _digest(rows: Codes) -> bytes:
    flat = rows.reshape(-1)
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for begin in range(0, len(flat), _STEP):
        digest.update(flat[begin : begin + _STEP].data)
    return digest.digest()


def _write(path: Path, shape: tuple[int, int], make: Callable[[Codes], None]) -> None:
    with files.part_beside(path) as part:
        with part.open("wb") as file:
            # Space is reserved first: running out of it while a mapped page is written would kill the process.
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, shape[0] * shape[1])
            else:
                file.truncate(shape[0] * shape[1])
        rows: Codes = np.memmap(part, dtype=np.uint8, mode="r+", shape=shape)
        make(rows)
        end = _digest(rows)
        del rows
        with part.open("ab") as file:
            file.write(end)
        part.replace(path)


def _make_room(folder: Path, wanted: int) -> None:
    """Remove the least recently used tables, and unfinished files older than a day."""
    kept = sorted(folder.glob("*.codes"), key=lambda path: path.stat().st_mtime)
    size = sum(path.stat().st_size for path in kept) + wanted
    while kept and size > MOST_BYTES:
        oldest = kept.pop(0)
        size -= oldest.stat().st_size
        oldest.unlink(missing_ok=True)
    for part in folder.glob(".*.part"):
        if part.stat().st_mtime < folder.stat().st_mtime - 86_400:
            part.unlink(missing_ok=True)
