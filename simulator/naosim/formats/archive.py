"""A `.pkg`, which is a zip archive, read and unpacked with limits: every archive is opened here. Knows no content."""

from __future__ import absolute_import, division, print_function

import contextlib
import errno
import io
import os
import struct
import tempfile
import zipfile
import zlib

from naosim.compat import native, quoted, unicoded
from naosim.errors import NotABehaviour

MYPY = False
if MYPY:
    from typing import Any, Iterator

MOST_FILES, LARGEST = 5000, 512 * 1024 * 1024
#: The most bytes that are read of an archive at once: its directory takes two hundred times its bytes in memory.
AT_ONCE = 2 * 1024 * 1024
LINK = 0o120000
PIECE = 1 << 16
#: The ways of packing that a robot's Python 2.7 reads. Others may ask for gigabytes before the first byte.
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: What Python's reader raises where a byte is wrong, besides its own error.
DAMAGED = (
    zipfile.BadZipfile,
    zipfile.LargeZipFile,
    struct.error,
    zlib.error,
    EOFError,
    LookupError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)


def unpacked(path, folder, most_files=MOST_FILES, largest=LARGEST):  # type: (str, str, int, int) -> str
    """Unpack an archive into a new folder below `folder` and return that folder; raises NotABehaviour."""
    name = os.path.basename(path)
    with _opened(path) as archive:
        target = tempfile.mkdtemp(prefix="package-", dir=folder)
        rows = [row for row in archive.infolist() if not row.filename.endswith("/")]
        _refuse(rows, name, most_files, largest)
        for row in rows:
            _write(archive, row, os.path.join(target, *native(row.filename).split("/")))
    return target


def content(path, name, largest):  # type: (str, str, int) -> bytes
    """Read one file of an archive; raises NotABehaviour where it is missing, damaged or larger than this."""
    with _opened(path) as archive:
        if name not in archive.namelist():
            raise NotABehaviour("it has no %s" % name)
        row = archive.getinfo(name)
        if row.file_size > largest:
            raise NotABehaviour("its %s is larger than %d kB" % (name, largest // 1024))
        return b"".join(_pieces(archive, row))


class _Bounded(io.FileIO):
    """A file of which little is read at once, whatever it says of itself."""

    def read(self, size=-1):  # type: (int | None) -> bytes
        """Read some bytes; raises EOFError for too many."""
        piece = io.FileIO.read(self, AT_ONCE + 1 if size is None or size < 0 else min(size, AT_ONCE + 1))
        if len(piece) > AT_ONCE:
            raise EOFError
        return piece


@contextlib.contextmanager
def _opened(path):  # type: (str) -> Iterator[Any]
    """Open an archive; whatever is wrong with it while it is read is raised as NotABehaviour."""
    try:
        with _Bounded(path, "rb") as file, zipfile.ZipFile(file) as archive:
            yield archive
    except NotABehaviour:
        raise
    except DAMAGED:
        raise _damaged(path)
    except (IOError, OSError) as error:
        if error.errno == errno.EINVAL:
            raise _damaged(path)
        raise NotABehaviour("cannot unpack %s: %s" % (native(path), native(error.strerror or error)))


def _damaged(path):  # type: (str) -> NotABehaviour
    return NotABehaviour("%s is no package: a .pkg is a zip archive without a password" % native(path))


def _refuse(rows, name, most_files, largest):  # type: (Any, str, int, int) -> None
    if len(rows) > most_files or sum(row.file_size for row in rows) > largest:
        raise NotABehaviour(
            "%s holds more than %d files or %d MB: no robot would install it" % (name, most_files, largest // 1048576)
        )
    for row in rows:
        parts = unicoded(row.filename).replace("\\", "/").split("/")
        is_link = (row.external_attr >> 16) & 0o170000 == LINK
        if is_link or any(part in ("", ".", "..") or ":" in part or "\0" in part for part in parts):
            raise NotABehaviour("%s holds %s, which leads out of the package" % (name, quoted(row.filename)))


def _write(archive, row, path):  # type: (Any, Any, str) -> None
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder)
    with io.open(path, "wb") as file:
        for piece in _pieces(archive, row):
            file.write(piece)


def _pieces(archive, row):  # type: (Any, Any) -> Iterator[bytes]
    """Unpack an entry piece by piece, never more than the archive's directory declares for it."""
    if row.compress_type not in PACKED:
        raise EOFError
    left = row.file_size
    with archive.open(row) as packed:
        while left > 0:
            piece = packed.read(min(left, PIECE))
            if not piece:
                break
            left -= len(piece)
            yield piece
        # Read on by one byte: the checksum is only tested at the end of an entry, and a longer entry is refused.
        if left > 0 or packed.read(1):
            raise EOFError
