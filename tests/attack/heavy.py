"""Small files that unpack, or are read, to gigabytes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from pathlib import Path

PIECE = 1 << 20  # bytes of one piece of a bomb when it is unpacked
_LOCAL, _CENTRAL, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


def deflated(size: int, letters: bytes = b" ") -> bytes:
    """Return `size` bytes of these letters, packed; equal pieces are packed once, so that gigabytes cost nothing."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    piece = packing.compress(letters * (PIECE // len(letters))) + packing.flush(zlib.Z_FULL_FLUSH)
    return piece * (size // PIECE) + zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS).flush()


def gzipped(size: int, letters: bytes = b"ocean\n") -> bytes:
    """Return `size` bytes of these letters as gzip; its wrong checksum is noticed only at its end."""
    return b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + deflated(size, letters) + bytes(8)


def archive(path: Path, entries: Iterable[tuple[str, bytes, int]]) -> Path:
    """Write a zip: for each entry its name, its packed bytes, and the size it says it has."""
    directory, count = bytearray(), 0
    with path.open("wb") as file:
        for name, packed, size in entries:
            raw = name.encode()
            fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0x21, 0, len(packed), size, len(raw), 0)
            directory += _CENTRAL + b"\x14\0" + fields + struct.pack("<HHHII", 0, 0, 0, 0, file.tell()) + raw
            file.write(_LOCAL + fields + raw + packed)
            count = min(count + 1, 0xFFFF)
        start = file.tell()
        file.write(directory)
        file.write(_END + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), start, 0))
    return path
