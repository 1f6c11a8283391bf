"""Unpacking of a `.pkg`, which is a zip archive, with limits. Knows nothing of its content."""
from __future__ import absolute_import, division, print_function

import io
import os
import tempfile
import zipfile
import zlib

from naosim.compat import native, quoted, unicoded
from naosim.errors import NotABehaviour

MYPY = False
if MYPY:
    from typing import Any

MOST_FILES, LARGEST = 5000, 512 * 1024 * 1024
LINK = 0o120000


def unpacked(path, folder, most_files=MOST_FILES, largest=LARGEST):
    # type: (str, str, int, int) -> str
    """Unpack an archive into a new folder below `folder` and return that folder; raises NotABehaviour."""
    name = os.path.basename(path)
    try:
        target = tempfile.mkdtemp(prefix="package-", dir=folder)
        with zipfile.ZipFile(path) as archive:
            rows = [row for row in archive.infolist() if not row.filename.endswith("/")]
            _refuse(rows, name, most_files, largest)
            for row in rows:
                _write(archive, row, os.path.join(target, *native(row.filename).split("/")))
    except (zipfile.BadZipfile, zipfile.LargeZipFile, EOFError, NotImplementedError, RuntimeError,
            zlib.error):
        raise NotABehaviour("%s is no package: a .pkg is a zip archive without a password" % native(path))
    except (IOError, OSError) as error:
        raise NotABehaviour("cannot unpack %s: %s" % (native(path), native(error.strerror or error)))
    return target


def _refuse(rows, name, most_files, largest):
    # type: (Any, str, int, int) -> None
    if len(rows) > most_files or sum(row.file_size for row in rows) > largest:
        raise NotABehaviour("%s holds more than %d files or %d MB: no robot would install it" % (
            name, most_files, largest // 1048576))
    for row in rows:
        parts = unicoded(row.filename).replace(u"\\", u"/").split(u"/")
        is_link = (row.external_attr >> 16) & 0o170000 == LINK
        if is_link or any(part in (u"", u".", u"..") or u":" in part or u"\0" in part for part in parts):
            raise NotABehaviour("%s holds %s, which leads out of the package" % (name, quoted(row.filename)))


def _write(archive, row, path):
    # type: (Any, Any, str) -> None
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder)
    left = row.file_size
    with archive.open(row) as packed, io.open(path, "wb") as file:
        # Never write more than the archive's directory declares for the entry.
        while left > 0:
            piece = packed.read(min(left, 1 << 20))
            if not piece:
                break
            left -= len(piece)
            file.write(piece)
        # Read on by one byte: the checksum is only tested at the end of an entry, and a longer entry is refused.
        if left > 0 or packed.read(1):
            raise EOFError
