"""The bytes of a tree file: whole, of this version, and unpacked within bounds.

A file holds, all numbers big-endian: the line `jotto tree 1`; three lengths of 4 bytes (certificate, body, number of
nodes); the certificate, a JSON object that says for which words and rules the tree is and how good it is; the body,
zlib over tables of one number per node; and the SHA-256 of all before. A table of numbers above 255 is kept byte by
byte, the high bytes of all first: that packs best.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib
import struct
import zlib

from .errors import TreeError
from .versions import as_native, quoted

MYPY = False
if MYPY:
    from typing import Iterable, List, Sequence, Tuple

VERSION = 1
MAGIC = b"jotto tree "
#: Files beyond these are refused: a tree of 500,000 words has fewer nodes.
MOST_BYTES = 8 * 1024 * 1024
MOST_CERTIFICATE = 256 * 1024
MOST_NODES = 1 << 20

_LENGTHS = struct.Struct(as_native(">III"))
_SEAL = 32


def sealed(text, tables, nodes):  # type: (bytes, Iterable[Tuple[Sequence[int], int]], int) -> bytes
    """Return the whole file: the certificate's text and the tables, each with the bytes of a number.

    Raises `TreeError` when it would be larger than `opened` reads.
    """
    body = zlib.compress(b"".join(_planes(numbers, width) for numbers, width in tables), 9)
    head = MAGIC + ("%d\n" % VERSION).encode("ascii") + _LENGTHS.pack(len(text), len(body), nodes)
    content = head + text + body
    content += hashlib.sha256(content).digest()
    opened(content)
    return content


def opened(content):  # type: (bytes) -> Tuple[bytes, bytes, int]
    """Split a file into the certificate's text, the packed body and the number of nodes.

    Raises `TreeError` when it is no tree file, of another version, cut off, damaged, or of absurd size.
    """
    if len(content) > MOST_BYTES:
        raise TreeError("The tree is larger than %d MB; make a smaller one." % (MOST_BYTES >> 20))
    line, _, _ = content[:64].partition(b"\n")
    if not line.startswith(MAGIC):
        raise TreeError("This is not a tree file; make one with 'jotto solve'.")
    if line != MAGIC + ("%d" % VERSION).encode("ascii"):
        raise TreeError(
            "The tree is of version %s; this game reads version %d." % (quoted(line[len(MAGIC) :]), VERSION)
        )
    head = len(line) + 1 + _LENGTHS.size
    if len(content) < head:
        raise TreeError("The tree file is cut off; get it again.")
    text, body, nodes = _LENGTHS.unpack(content[head - _LENGTHS.size : head])
    if text > MOST_CERTIFICATE or body > MOST_BYTES or not 0 < nodes <= MOST_NODES:
        raise TreeError("The tree has impossible sizes (%d, %d, %d); get it again." % (text, body, nodes))
    if len(content) != head + text + body + _SEAL:
        fault = "cut off" if len(content) < head + text + body + _SEAL else "longer than it says"
        raise TreeError("The tree file is %s; get it again." % fault)
    if hashlib.sha256(content[:-_SEAL]).digest() != content[-_SEAL:]:
        raise TreeError("The tree file is damaged (its checksum differs); get it again.")
    return content[head : head + text], content[head + text : -_SEAL], nodes


def unpacked(body, shapes):  # type: (bytes, Sequence[Tuple[int, int]]) -> List[Sequence[int]]
    """Unpack the tables, given how many numbers each has and the bytes of a number.

    Raises `TreeError` when the body is anything but these tables; no more is unpacked than they need.
    """
    size = sum(count * width for count, width in shapes)
    unpacking = zlib.decompressobj()
    try:
        # One byte more than there may be: a few bytes can unpack to gigabytes.
        raw = unpacking.decompress(body, size + 1)
    except zlib.error:
        raise TreeError("The nodes of the tree cannot be unpacked; get it again.")
    if len(raw) != size or unpacking.unconsumed_tail or unpacking.unused_data:
        raise TreeError("The tree does not have the number of nodes it says; get it again.")
    tables, place = [], 0
    for count, width in shapes:
        tables.append(_numbers(raw[place : place + count * width], width))
        place += count * width
    return tables


def width_of(below):  # type: (int) -> int
    """Return how many bytes the numbers below this take, 3 at most."""
    return 1 + (below > 1 << 8) + (below > 1 << 16)


def _planes(numbers, width):  # type: (Sequence[int], int) -> bytes
    return bytes(bytearray(number >> 8 * place & 255 for place in reversed(range(width)) for number in numbers))


def _numbers(raw, width):  # type: (bytes, int) -> Sequence[int]
    count = len(raw) // width
    numbers = bytearray(raw[:count])  # type: Sequence[int]
    for place in range(1, width):
        plane = bytearray(raw[place * count : (place + 1) * count])
        numbers = [number << 8 | byte for number, byte in zip(numbers, plane)]
    return numbers
