"""The frames in which a recogniser's process is told things: a letter for what, the length, and the content."""

from __future__ import annotations

import struct
from typing import BinaryIO, NamedTuple

#: Listen for a vocabulary, here is sound, listen no more.
OPEN, SOUND, CLOSE = b"o", b"s", b"c"
HEAD = struct.Struct("<cI")
#: Bytes of a frame: the largest vocabulary with its longest phrases as JSON.
LONGEST = 8 * 1024 * 1024


class Frame(NamedTuple):
    """What the process is told."""

    kind: bytes
    content: bytes = b""


def packed(frame: Frame) -> bytes:
    """Return a frame as bytes.

    >>> packed(Frame(SOUND, b"12"))
    b's\\x02\\x00\\x00\\x0012'
    """
    return HEAD.pack(frame.kind, len(frame.content)) + frame.content


def read(source: BinaryIO) -> Frame | None:
    """Return the next frame; None at the end, and where no frame is.

    >>> import io
    >>> source = io.BytesIO(packed(Frame(CLOSE)) + b"s")
    >>> read(source), read(source)
    (Frame(kind=b'c', content=b''), None)
    """
    head = source.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, length = HEAD.unpack(head)
    if length > LONGEST:
        return None
    content = source.read(length)
    return Frame(kind, content) if len(content) == length else None
