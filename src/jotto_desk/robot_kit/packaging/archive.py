"""A package as bytes: the same content gives the same bytes, and no robot takes old byte code for a changed file."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from datetime import datetime, timedelta

#: A plain file that everybody may read, made on a Unix.
MODE, UNIX = 0o100644, 3
#: Dates lie in 20 years that are over, so that no clock finds a file of the future.
FIRST_DAY, STEPS = datetime(2000, 1, 1), 20 * 365 * 24 * 1800


def packed(files: Mapping[str, bytes]) -> bytes:
    """Zip these files by place: sorted, one mode, one compression, dates that follow from the content."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for place, content in sorted(files.items()):
            entry = zipfile.ZipInfo(place, content_date(content))
            entry.external_attr, entry.create_system = MODE << 16, UNIX
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return whole.getvalue()


def content_date(content: bytes) -> tuple[int, int, int, int, int, int]:
    """Return the date a file gets: the same for the same content, another one for other content.

    Python 2.7 keeps byte code whose note of the source's date agrees with the source, whichever came later. A fixed
    date would make the byte code of the package before fit the files of the next one.

    >>> content_date(b"x = 1") == content_date(b"x = 1"), content_date(b"x = 1") == content_date(b"x = 2")
    (True, False)
    """
    number = int.from_bytes(hashlib.sha256(content).digest()[:8], "big") % STEPS
    day = FIRST_DAY + timedelta(seconds=2 * number)
    return (day.year, day.month, day.day, day.hour, day.minute, day.second)


def unpacked(content: bytes) -> dict[str, bytes]:
    """Return the files of a zip by place, folders left out; raises `zipfile.BadZipFile` for anything else."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist() if not entry.is_dir()}
