"""What a recogniser's process is told: orders of a letter for what, the length, and the content."""

from __future__ import annotations

import struct
from typing import BinaryIO, NamedTuple

#: Listen for a vocabulary, here is sound, listen no more.
OPEN, SOUND, CLOSE = b"o", b"s", b"c"
HEAD = struct.Struct("<cI")
#: Bytes of an order: the largest vocabulary with its longest phrases as JSON.
_LONGEST = 8 * 1024 * 1024


class Order(NamedTuple):
    """What the process is told."""

    kind: bytes
    content: bytes = b""


def packed(order: Order) -> bytes:
    """Return an order as bytes.

    >>> packed(Order(SOUND, b"12"))
    b's\\x02\\x00\\x00\\x0012'
    """
    return HEAD.pack(order.kind, len(order.content)) + order.content


def read(source: BinaryIO) -> Order | None:
    """Return the next order; None at the end, and where there is none.

    >>> import io
    >>> source = io.BytesIO(packed(Order(CLOSE)) + b"s")
    >>> read(source), read(source)
    (Order(kind=b'c', content=b''), None)
    """
    head = source.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, length = HEAD.unpack(head)
    if length > _LONGEST:
        return None
    content = source.read(length)
    return Order(kind, content) if len(content) == length else None
