"""Pictures in files: PNG without interlacing, and PPM and PGM, read into rows of red, green and blue."""

from __future__ import absolute_import, division, print_function

import io
import os
import re
import struct
import zlib
from collections import namedtuple

from naosim.compat import native, quoted
from naosim.errors import WrongUse
from naosim.formats.source import LARGEST_FILE

MYPY = False
if MYPY:
    from typing import Iterator

#: A picture: its size in pixels, and three bytes for each, row by row.
Picture = namedtuple("Picture", "width height rgb")

MOST_PIXELS = 4096 * 2304
SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Samples of a pixel, by the number that PNG has for its kind of colour.
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
PALETTE = 3
ENDINGS = (".png", ".ppm", ".pgm")
_PNM_BLANK = b"(?:\\s+|#[^\n]*\n)+"
_PNM = re.compile(b"P([56])" + _PNM_BLANK + b"(\\d{1,5})" + _PNM_BLANK + b"(\\d{1,5})" + _PNM_BLANK + b"255\\s")


class NotAPicture(WrongUse):
    """The file is no picture that can be read here."""


def load(path):  # type: (str) -> Picture
    """Load the picture in a file; raises NotAPicture with a sentence for people."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise NotAPicture("%s is no plain file: name a picture" % native(path))
        with io.open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (IOError, OSError) as error:
        raise NotAPicture("cannot read %s: %s" % (native(path), native(error.strerror or error)))
    except (TypeError, ValueError):
        raise NotAPicture("%s is no path: it holds a zero byte" % quoted(path))
    if len(content) > LARGEST_FILE:
        raise NotAPicture("%s is larger than %d MB: take a smaller picture" % (native(path), LARGEST_FILE // 1048576))
    return read(content, native(path))


def read(content, name="the picture"):  # type: (bytes, str) -> Picture
    """Read a picture from bytes; raises NotAPicture."""
    try:
        if content.startswith(SIGNATURE):
            return _png(content)
        found = _PNM.match(content)
        if found is None:
            raise ValueError("it is no PNG, PPM or PGM: save it as PNG")
        return _pnm(content[found.end() :], *map(int, found.groups()))
    except (ValueError, IndexError, struct.error, zlib.error) as error:
        raise NotAPicture("cannot read %s: %s" % (name, native(error)))


def png(picture):  # type: (Picture) -> bytes
    """Return a picture as the bytes of a PNG.

    >>> read(png(Picture(2, 1, b"abcdef"))) == Picture(2, 1, b"abcdef")
    True
    """
    stride = 3 * picture.width
    rows = b"".join(b"\0" + picture.rgb[at : at + stride] for at in range(0, len(picture.rgb), stride))
    head = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b"")]
    return SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)
        for kind, data in parts
    )


def _sized(width, height):  # type: (int, int) -> None
    if not width or not height or width * height > MOST_PIXELS:
        raise ValueError("its size is %d x %d, and at most %d pixels are read" % (width, height, MOST_PIXELS))


def _pnm(data, kind, width, height):  # type: (bytes, int, int, int) -> Picture
    _sized(width, height)
    size = width * height * (3 if kind == 6 else 1)
    if len(data) < size:
        raise ValueError("it is cut off")
    rows = bytearray(data[:size])
    return Picture(width, height, bytes(rows if kind == 6 else _grey(rows)))


def _png(content):  # type: (bytes) -> Picture
    parts = {}  # type: dict[bytes, bytes]
    for kind, data in _chunks(content):
        parts[kind] = parts.get(kind, b"") + data
    width, height, depth, colour, packing, filtering, interlacing = struct.unpack(">IIBBBBB", parts.get(b"IHDR", b""))
    _sized(width, height)
    if (
        colour not in SAMPLES
        or packing
        or filtering
        or interlacing
        or depth not in {1, 2, 4, 8}
        or (depth < 8 and colour not in {0, PALETTE})
    ):
        raise ValueError("save it as a PNG of 8 bits a colour without interlacing")
    samples = SAMPLES[colour]
    stride = (width * samples * depth + 7) // 8
    raw = bytearray(zlib.decompressobj().decompress(parts.get(b"IDAT", b""), (stride + 1) * height))
    if len(raw) < (stride + 1) * height:
        raise ValueError("it is cut off")
    rows = bytearray()
    for row in _unfiltered(raw, stride, height, max(1, samples * depth // 8)):
        rows += row if depth == 8 else _spread(row, depth, width, colour != PALETTE)
    return Picture(width, height, bytes(_coloured(rows, colour, bytearray(parts.get(b"PLTE", b"")))))


def _chunks(content):  # type: (bytes) -> Iterator[tuple[bytes, bytes]]
    """Yield the kind and the data of each part of a PNG up to its end; a damaged part raises ValueError."""
    at = len(SIGNATURE)
    while at + 8 <= len(content):
        size, kind = struct.unpack(">I4s", content[at : at + 8])
        data, end = content[at + 8 : at + 8 + size], content[at + 8 + size : at + 12 + size]
        if len(end) < 4:
            break
        if struct.unpack(">I", end)[0] != zlib.crc32(kind + data) & 0xFFFFFFFF:
            raise ValueError("it is damaged")
        if kind == b"IEND":
            return
        yield kind, data
        at += 12 + size
    raise ValueError("it is cut off")


def _unfiltered(raw, stride, height, back):  # type: (bytearray, int, int, int) -> Iterator[bytearray]
    """Yield the rows of a PNG as they were before its filters; `back` is how many bytes a pixel takes."""
    above = bytearray(stride)
    for number in range(height):
        start = number * (stride + 1)
        kind, row = raw[start], raw[start + 1 : start + 1 + stride]
        if kind > 4:
            raise ValueError("it is damaged")
        if kind == 2:
            row = bytearray([(here + up) & 255 for here, up in zip(row, above)])
        elif kind:
            _unfilter(kind, row, above, back)
        yield row
        above = row


def _unfilter(kind, row, above, back):  # type: (int, bytearray, bytearray, int) -> None
    """Undo, in place, a filter that looks at what lies before: 1 that, 3 the mean with above, 4 Paeth's choice."""
    for at in range(len(row)):
        left, up, corner = (row[at - back], above[at], above[at - back]) if at >= back else (0, above[at], 0)
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            near = left + up - corner
            ways = abs(near - left), abs(near - up), abs(near - corner)
            guess = (left, up, corner)[ways.index(min(ways))]
        row[at] = (row[at] + guess) & 255


def _spread(row, depth, width, scaled):  # type: (bytearray, int, int, bool) -> bytearray
    """Give each sample of a row a byte of its own, scaled to 0 to 255 for greys."""
    most, factor = (1 << depth) - 1, 255 // ((1 << depth) - 1) if scaled else 1
    shifts = range(8 - depth, -1, -depth)
    return bytearray([((byte >> shift) & most) * factor for byte in row for shift in shifts][:width])


def _grey(greys):  # type: (bytearray) -> bytearray
    rgb = bytearray(3 * len(greys))
    rgb[0::3] = rgb[1::3] = rgb[2::3] = greys
    return rgb


def _coloured(rows, colour, palette):  # type: (bytearray, int, bytearray) -> bytearray
    """Turn the samples of all rows into red, green and blue; what is transparent keeps its colour."""
    if colour == PALETTE:
        colours = [palette[at : at + 3] for at in range(0, len(palette) - 2, 3)]
        rgb = bytearray(3 * len(rows))
        for at in range(3):
            rgb[at::3] = bytearray([colours[index][at] for index in rows])
        return rgb
    samples = SAMPLES[colour]
    if samples < 3:
        return _grey(rows[0::samples])
    if samples == 3:
        return rows
    rgb = bytearray(len(rows) // 4 * 3)
    for at in range(3):
        rgb[at::3] = rows[at::4]
    return rgb
