"""Readers of general file formats, with limits on size: behaviour files, XML, zip archives, pictures and WAV sounds.

A damaged file raises one error with a sentence for people. `write_whole` writes a file atomically.
"""

from __future__ import absolute_import, division, print_function

import contextlib
import errno
import io
import os
import re
import shutil
import struct
import tarfile
import tempfile
import wave
import zipfile
import zlib
from collections import namedtuple
from xml.parsers import expat

from naosim.compat import native, quote, reason, to_unicode
from naosim.errors import NaosimError, NotABehaviour, WrongUse

MYPY = False
if MYPY:
    from typing import IO, Any, Iterator

# Numbers in files.

_MAX_DIGITS = 20  # digits of an integer: converting far more takes long, and no number in a Choregraphe file has more


def parse_integer(text):  # type: (str) -> int
    """Convert a text to an integer; raises ValueError if it is not one or has more than 20 digits.

    >>> parse_integer("8")
    8
    """
    if len(text) > _MAX_DIGITS:
        raise ValueError(text[:_MAX_DIGITS])
    return int(text)


def parse_finite(text):  # type: (str) -> float
    """Convert a text to a finite number; raises ValueError for any other text, "inf" and "nan".

    >>> parse_finite("0.5")
    0.5
    """
    number = float(text)
    if number != number or number in (float("inf"), float("-inf")):  # noqa: PLR0124
        raise ValueError(text)
    return number


# The bytes of a file.


def read_bounded(path, most_bytes, refused, kind):  # type: (str, int, type[NaosimError], str) -> bytes
    """Read a plain file; raises `refused` with a sentence that says to name a file of this `kind`."""
    name = native(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise refused("%s is not a plain file: name %s" % (name, kind))
        with io.open(path, "rb") as file:
            content = file.read(most_bytes + 1)
    except (IOError, OSError) as error:
        raise refused("cannot read %s: %s" % (name, native(error.strerror or error)))
    except (TypeError, ValueError):
        raise refused("%s is not a path: it contains a zero byte" % quote(path))
    if len(content) > most_bytes:
        raise refused(_describe_size(name, most_bytes, kind))
    return content


def _describe_size(name, most_bytes, kind):  # type: (str, int, str) -> str
    size = "%d MB" % (most_bytes >> 20) if most_bytes >= 1 << 20 else "%d kB" % (most_bytes >> 10)
    return "%s is larger than %s: name %s that is smaller" % (name, size, kind)


# The bytes of a `.xar` file.

_MAX_FILE_BYTES = 16 * 1024 * 1024  # bytes of a behaviour or a picture; Choregraphe writes no behaviour of this size
_MAX_SOURCE_PATH_LENGTH = 4096  # bytes of a path; longer ones are content


def is_content(source):  # type: (object) -> bool
    """Return whether a value is the content of a file and not its path; on 2.7 both are `str`."""
    if not isinstance(source, bytes) or len(source) > _MAX_SOURCE_PATH_LENGTH:
        return isinstance(source, bytes)
    return source.lstrip()[:1] == b"<" or b"\n" in source or b"\0" in source


def read_behaviour_file(path):  # type: (str) -> bytes
    """Read a behaviour's file, given its path or its folder; raises NotABehaviour if that is impossible."""
    if os.path.isdir(path):
        path = os.path.join(path, "behavior.xar")
    return read_bounded(path, _MAX_FILE_BYTES, NotABehaviour, "a behavior.xar")


def refuse_other_files(content, name):  # type: (bytes, str) -> None
    """Raise NotABehaviour, with advice, if the content of the file `name` is too large or not XML."""
    if len(content) > _MAX_FILE_BYTES:
        raise NotABehaviour(_describe_size(name, _MAX_FILE_BYTES, "a behavior.xar"))
    start = content[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        raise NotABehaviour("%s is empty" % name)
    if start.startswith(b"PK"):
        raise NotABehaviour("%s is a zip archive: unpack it and give the behavior.xar inside" % name)
    if not start.startswith(b"<") and b"<\x00" not in start and b"\x00<" not in start:
        raise NotABehaviour("%s is not an XML file: give the behavior.xar of a Choregraphe project" % name)


# Files that are written atomically.


def write_whole(path, content):  # type: (str, bytes) -> None
    """Write a file atomically, so that no reader sees a part of it; raises WrongUse if it cannot be written."""
    part = "%s.%d.part" % (path, os.getpid())
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise WrongUse("cannot write %s: it is not a plain file" % native(path))
        _clear_abandoned(path)
        with io.open(part, "wb") as file:
            file.write(content)
        getattr(os, "replace", os.rename)(part, path)
    except (IOError, OSError) as error:
        if os.path.exists(part):
            os.remove(part)
        raise WrongUse("cannot write %s: %s" % (native(path), native(error.strerror or error)))


def _clear_abandoned(path):  # type: (str) -> None
    """Delete the part files of this file that ended processes have left."""
    folder, name = os.path.split(path)
    for part in os.listdir(folder or ".") if os.name == "posix" else ():
        found = re.match(re.escape(name) + r"\.([1-9][0-9]{0,8})\.part$", part)
        if found is not None and not _runs(int(found.group(1))):
            os.remove(os.path.join(folder, part))


def _runs(number):  # type: (int) -> bool
    """Return whether a process with this number runs."""
    try:
        os.kill(number, 0)
    except OSError as error:
        return error.errno != errno.ESRCH
    return True


# XML as a tree with line numbers.

_MAX_XML_DEPTH = 400  # elements inside each other; deeper trees exceed Python's recursion limit
#: Elements of one file: each takes some hundred bytes of memory, but only four bytes of the file.
MAX_XML_ELEMENTS = 300000
_XML_PIECE_BYTES = 1 << 16  # bytes of one step of parsing
_MAX_TAG_BYTES = 1 << 20  # bytes of one tag: expat reports its attributes only when it is complete


class Element(object):
    """An element: its tag without namespace, attributes, text, children, line, and the line where its text begins."""

    __slots__ = ("attributes", "children", "line", "tag", "text", "text_line")

    def __init__(self, tag, attributes, line):  # type: (str, dict[str, str], int) -> None
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.children = []  # type: list[Element]
        self.text = ""
        self.text_line = line

    def all(self, tag):  # type: (str) -> list[Element]
        """List the direct children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag):  # type: (str) -> Element | None
        """Return the first direct child with this tag, None if none exists."""
        return next((child for child in self.children if child.tag == tag), None)


class _XmlReader(object):
    """The builder of the tree; it refuses document types, so that no entity can expand."""

    def __init__(self, name):  # type: (str) -> None
        self.name = name
        self.top = None  # type: Element | None
        self._open = []  # type: list[Element]
        self._texts = []  # type: list[list[Any]]
        #: For each open element, whether its text is only white space so far.
        self._blank = []  # type: list[bool]
        self._left = MAX_XML_ELEMENTS
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartCdataSectionHandler = self._cdata
        parser.StartDoctypeDeclHandler = self._doctype

    def read(self, content):  # type: (bytes) -> Element
        """Parse the content and return its root element; raises NotABehaviour if it is damaged or too large."""
        try:
            for start in range(0, len(content), _XML_PIECE_BYTES):
                self._parser.Parse(content[start : start + _XML_PIECE_BYTES], False)
                if start - self._parser.CurrentByteIndex > _MAX_TAG_BYTES:
                    raise self._unusual("has a tag of more than %d kB" % (_MAX_TAG_BYTES // 1024))
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            broken = "in line %d (%s)" % (error.lineno, expat.ErrorString(error.code))
            raise NotABehaviour("%s is broken %s: save it again in Choregraphe" % (self.name, broken))
        except (LookupError, ValueError) as error:
            broken = "near line %d (%s)" % (self._parser.CurrentLineNumber, reason(error))
            raise NotABehaviour("%s is broken %s: save it again in Choregraphe" % (self.name, broken))
        finally:
            self._release()
        assert self.top is not None, "expat accepts no file without an element"
        return self.top

    def _release(self):  # type: () -> None
        """Break the reference cycle of parser and reader, which would hold the tree until a garbage collection."""
        self._line = 0
        self._parser = None  # type: ignore[assignment]

    def _start(self, tag, attributes):  # type: (str, dict[str, str]) -> None
        if len(self._open) >= _MAX_XML_DEPTH:
            raise self._unusual("nests more than %d elements" % _MAX_XML_DEPTH)
        self._left -= 1
        if self._left < 0:
            raise self._unusual("has more than %d elements" % MAX_XML_ELEMENTS)
        plain = {native(_local_tag(key)): native(value) for key, value in attributes.items()}
        element = Element(native(_local_tag(tag)), plain, self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.top = element
        self._open.append(element)
        self._texts.append([])
        self._blank.append(True)

    def _end(self, _tag):  # type: (str) -> None
        self._blank.pop()
        self._open.pop().text = native("".join(self._texts.pop()))

    def _characters(self, text):  # type: (str) -> None
        self._texts[-1].append(text)
        self._blank[-1] = self._blank[-1] and not text.strip()

    def _cdata(self):  # type: () -> None
        if self._blank[-1]:
            # Ignore the white space before the section: it would shift the line numbers of the script.
            self._texts[-1][:] = []
            self._open[-1].text_line = self._parser.CurrentLineNumber

    def _doctype(self, name, *_rest):  # type: (str, *object) -> None
        declares = "declares a document type (%s)" % native(name)
        raise NotABehaviour("%s %s, which no Choregraphe file does" % (self.name, declares))

    def _unusual(self, what):  # type: (str) -> NotABehaviour
        return NotABehaviour("%s %s; the files of Choregraphe do not" % (self.name, what))


def _local_tag(name):  # type: (str) -> str
    return name.rpartition(":")[2]


def read_xml(content, name):  # type: (bytes, str) -> Element
    """Parse XML into a tree; raises NotABehaviour with the file's name and the line if it is not well formed.

    >>> read_xml(b"<a><b c='1'>text</b></a>", "x.xar").children[0].text == "text"
    True
    """
    return _XmlReader(name).read(content)


# Zip archives, such as a `.pkg`.

_MAX_ARCHIVE_FILES = 5000  # files of one package; no robot has room for more
_MAX_UNPACKED_BYTES = 512 * 1024 * 1024  # bytes of all files of a package; no robot has room for more
#: Bytes of an archive that are read whole: `zipfile` needs 200 times the size of its directory in memory.
_MAX_READ_BYTES = 2 * 1024 * 1024
_MAX_ARCHIVE_DEPTH = 30  # folders in each other; the operating systems have their own limits
#: The bits for the kind of a file in the upper half of a zip entry's attributes, and two kinds: plain files and links.
_KIND_BITS, _FILE_MODE, _LINK_MODE = 0o170000, 0o100000, 0o120000
_ARCHIVE_PIECE_BYTES = 1 << 16  # bytes of an entry that are unpacked in one step
#: The compressions that a robot's Python 2.7 reads. Others can need gigabytes before the first byte.
_READABLE_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: The errors that `zipfile` raises for damaged archives.
_ZIP_ERRORS = (zipfile.BadZipfile, zipfile.LargeZipFile, struct.error, zlib.error)
_DAMAGE_ERRORS = _ZIP_ERRORS + (EOFError, LookupError, NotImplementedError, OverflowError, RuntimeError, ValueError)


def unpack_archive(path, folder, most_files=_MAX_ARCHIVE_FILES, largest=_MAX_UNPACKED_BYTES):  # type: (str, str, int, int) -> str
    """Unpack an archive into a new folder inside `folder` and return its path.

    Raises NotABehaviour if the archive is damaged, too large, or has a path that leads out of the new folder.
    """
    name = os.path.basename(path)
    with _open_archive(path) as archive:
        target = tempfile.mkdtemp(prefix="package-", dir=folder)
        rows = [row for row in archive.infolist() if not row.filename.endswith("/")]
        _refuse_archive(rows, name, most_files, largest)
        for row in rows:
            _write_entry(archive, row, os.path.join(target, *native(row.filename).split("/")))
    return target


def has_file_mode(path, place):  # type: (str, str) -> bool
    """Return whether a file of an archive has the mode bits of a regular file, or is not there.

    Raises NotABehaviour if the archive is damaged.
    """
    with _open_archive(path) as archive:
        modes = [row.external_attr >> 16 for row in archive.infolist() if native(row.filename) == place]
    return all(mode & _KIND_BITS == _FILE_MODE for mode in modes)


_AR_MAGIC, _AR_HEAD_BYTES = b"!<arch>\n", 60  # the beginning of an `ar` archive, and of each of its files
_GZIP_BITS = 31  # the argument of zlib's functions that makes them read gzip
_MAX_HEADER_BYTES = 64 * 1024  # bytes before a file of a tar archive, in which `tarfile` finds its name
_MAX_TAR_NAME_LENGTH = 4096  # bytes of a name and of the name that it links to; no system has longer paths
#: Headers with which newer archives describe files. Reading them can take minutes, and Choregraphe 1 wrote none.
_PAX_TYPES = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)


def unpack_crg(path, folder):  # type: (str, str) -> str
    """Unpack a `.crg`, the package of Choregraphe 1, into a new folder inside `folder` and return its path.

    It is a Debian package: an `ar` archive with data.tar.gz. Raises NotABehaviour if it is damaged or too large.
    """
    name = native(os.path.basename(path))
    # The folder's name becomes the behaviour's.
    target = os.path.join(tempfile.mkdtemp(prefix="package-", dir=folder), os.path.splitext(name)[0])
    os.mkdir(target)
    try:
        with io.open(path, "rb") as file:
            _find_ar_data(file)
            unpacked = _Unpacked(file)
            with tarfile.open(fileobj=unpacked, mode="r|", tarinfo=_PlainHeader) as archive:  # type: ignore[call-overload]
                _write_tar(archive, unpacked, name, target)
    except (EOFError, IOError, OSError, ValueError, tarfile.TarError, zlib.error) as error:
        raise NotABehaviour("%s is a damaged package of Choregraphe 1 (%s)" % (name, native(error)))
    return target


def _find_ar_data(file):  # type: (Any) -> None
    """Move to the content of data.tar.gz in an `ar` archive; raises ValueError if none exists."""
    if file.read(len(_AR_MAGIC)) != _AR_MAGIC:
        raise ValueError("its first bytes are wrong")
    head = file.read(_AR_HEAD_BYTES)
    while len(head) == _AR_HEAD_BYTES and not head.startswith(b"data.tar"):
        size = int(head[48:58])
        if size < 0:
            raise ValueError("a file in it has %d bytes" % size)
        file.seek(size + size % 2, os.SEEK_CUR)
        head = file.read(_AR_HEAD_BYTES)
    if len(head) < _AR_HEAD_BYTES:
        raise ValueError("it has no data.tar.gz")


class _Unpacked(object):
    """The unpacked content of a gzip file, for `tarfile`; `left` is the number of bytes that can be read."""

    def __init__(self, file):  # type: (Any) -> None
        self._file, self._unpacking = file, zlib.decompressobj(_GZIP_BITS)
        self.left = _MAX_HEADER_BYTES

    def read(self, size):  # type: (int) -> bytes
        """Read 1 to `size` bytes, none at the end; raises ValueError if that is more than `left`."""
        piece = b""
        while not piece and not self._unpacking.unused_data:
            packed = self._unpacking.unconsumed_tail or self._file.read(_ARCHIVE_PIECE_BYTES)
            if not packed:
                break
            piece = self._unpacking.decompress(packed, size)
        self.left -= len(piece)
        if self.left < 0:
            raise ValueError("the header of one of its files has more than %d kB" % (_MAX_HEADER_BYTES // 1024))
        return piece


class _PlainHeader(tarfile.TarInfo):
    """A header of a tar archive, without the kinds that take long to read."""

    def _proc_member(self, archive):  # type: (object) -> object
        """Take a header; raises ValueError for a PAX header and a negative size.

        `tarfile` lets subclasses replace this method. Newer versions do not call `tarfile.TarInfo.frombuf`.
        """
        if self.type in _PAX_TYPES or self.size < 0:
            raise ValueError("it has a header that Choregraphe 1 does not write")
        return super(_PlainHeader, self)._proc_member(archive)  # type: ignore[misc]


def _write_tar(archive, unpacked, name, target):  # type: (Any, _Unpacked, str, str) -> None
    """Write the plain files of an archive; raises NotABehaviour for too much or a path that leads out of the folder."""
    count = size = 0
    for row in archive:
        count, size = count + 1, size + row.size
        is_long = len(row.name + row.linkname) > _MAX_TAR_NAME_LENGTH
        if is_long or count > _MAX_ARCHIVE_FILES or size > _MAX_UNPACKED_BYTES:
            raise ValueError("it is too large")
        unpacked.left = row.size + _MAX_HEADER_BYTES
        parts = [part for part in native(row.name).split("/") if part not in ("", ".")]
        if row.isfile() and parts:
            _refuse_path(parts, name, row.name)
            place = os.path.join(target, *parts)
            if not os.path.isdir(os.path.dirname(place)):
                os.makedirs(os.path.dirname(place))
            with io.open(place, "wb") as out:
                shutil.copyfileobj(archive.extractfile(row), out, _ARCHIVE_PIECE_BYTES)


def read_archived_file(path, name, largest):  # type: (str, str, int) -> bytes
    """Read one file of an archive; raises NotABehaviour if it is missing, damaged or larger than `largest` bytes."""
    with _open_archive(path) as archive:
        if name not in archive.namelist():
            raise NotABehaviour("it has no %s" % name)
        row = archive.getinfo(name)
        if row.file_size > largest:
            raise NotABehaviour("its %s is larger than %d kB" % (name, largest // 1024))
        return b"".join(_entry_pieces(archive, row))


class _Bounded(io.FileIO):
    """A file that refuses large reads, which a damaged directory of an archive can cause."""

    def read(self, size=-1):  # type: (int | None) -> bytes
        """Read bytes; raises EOFError for more than 2 MiB."""
        limit = _MAX_READ_BYTES + 1
        piece = io.FileIO.read(self, limit if size is None or size < 0 else min(size, limit))
        if len(piece) >= limit:
            raise EOFError
        return piece


@contextlib.contextmanager
def _open_archive(path):  # type: (str) -> Iterator[Any]
    """Open an archive; raises NotABehaviour if it is damaged, also if that is found while reading."""
    try:
        with _Bounded(path, "rb") as file, zipfile.ZipFile(file) as archive:
            yield archive
    except NotABehaviour:
        raise
    except _DAMAGE_ERRORS:
        raise _make_archive_error(path)
    except (IOError, OSError) as error:
        if error.errno == errno.EINVAL:
            raise _make_archive_error(path)
        raise NotABehaviour("cannot unpack %s: %s" % (native(path), native(error.strerror or error)))


def _make_archive_error(path):  # type: (str) -> NotABehaviour
    return NotABehaviour("%s is not a package: a .pkg is a zip archive without a password" % native(path))


def _refuse_archive(rows, name, most_files, largest):  # type: (Any, str, int, int) -> None
    if len(rows) > most_files or sum(row.file_size for row in rows) > largest:
        limits = "%d files or %d MB" % (most_files, largest // 1048576)
        raise NotABehaviour("%s contains more than %s: a robot would not install it" % (name, limits))
    for row in rows:
        if (row.external_attr >> 16) & _KIND_BITS == _LINK_MODE:
            raise _leads_out(name, row.filename)
        _refuse_path(to_unicode(row.filename).replace("\\", "/").split("/"), name, row.filename)


def _refuse_path(parts, name, shown):  # type: (Any, str, str) -> None
    """Raise NotABehaviour for the path of a file in the archive `name` that leads out of it or is too deep."""
    if any(part in ("", ".", "..") or ":" in part or "\0" in part for part in parts):
        raise _leads_out(name, shown)
    if len(parts) > _MAX_ARCHIVE_DEPTH:
        raise NotABehaviour("%s contains a file in more than %d folders" % (name, _MAX_ARCHIVE_DEPTH))


def _leads_out(name, shown):  # type: (str, str) -> NotABehaviour
    return NotABehaviour("%s has %s, which leads out of the package" % (name, quote(shown)))


def _write_entry(archive, row, path):  # type: (object, object, str) -> None
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder)
    with io.open(path, "wb") as file:
        for piece in _entry_pieces(archive, row):
            file.write(piece)


def _entry_pieces(archive, row):  # type: (Any, Any) -> Iterator[bytes]
    """Yield the content of an entry; raises EOFError if it is not as long as the archive's directory says."""
    if row.compress_type not in _READABLE_COMPRESSIONS:
        raise EOFError
    left = row.file_size
    with archive.open(row) as packed:
        while left > 0:
            piece = packed.read(min(left, _ARCHIVE_PIECE_BYTES))
            if not piece:
                break
            left -= len(piece)
            yield piece
            # Reading beyond the end checks the checksum and finds an entry that is too long.
        if left > 0 or packed.read(1):
            raise EOFError


# Pictures: PNG without interlacing, PPM and PGM.

#: A picture: its size in pixels, and three bytes (red, green, blue) for each pixel, row by row.
Picture = namedtuple("Picture", "width height rgb")

_MAX_PIXELS = 4096 * 2304  # pixels of one picture: eight times the pixels of the robot's cameras
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SAMPLES_PER_PIXEL = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # samples of a pixel, by PNG's colour type
_PALETTE_COLOUR = 3
PICTURE_ENDINGS = (".png", ".ppm", ".pgm")
_PNM_BLANK = b"(?:\\s+|#[^\n]*\n)+"
_PNM_HEADER = re.compile(b"P([56])" + _PNM_BLANK + b"(\\d{1,5})" + _PNM_BLANK + b"(\\d{1,5})" + _PNM_BLANK + b"255\\s")


class NotAPicture(WrongUse):
    """The file is not a picture that can be read."""


def load_picture(path):  # type: (str) -> Picture
    """Load a picture from a file; raises NotAPicture if that is impossible."""
    return read_picture(read_bounded(path, _MAX_FILE_BYTES, NotAPicture, "a picture"), native(path))


def read_picture(content, name="the picture"):  # type: (bytes, str) -> Picture
    """Read a picture from bytes; raises NotAPicture if it is damaged, too large or in another format."""
    try:
        if content.startswith(PNG_SIGNATURE):
            return _read_png(content)
        found = _PNM_HEADER.match(content)
        if found is None:
            raise ValueError("it is not a PNG, PPM or PGM: save it as PNG")
        return _read_pnm(content[found.end() :], *map(int, found.groups()))
    except (ValueError, IndexError, struct.error, zlib.error) as error:
        raise NotAPicture("cannot read %s: %s" % (name, native(error)))


def encode_png(picture):  # type: (Picture) -> bytes
    """Encode a picture as PNG.

    >>> read_picture(encode_png(Picture(2, 1, b"abcdef"))) == Picture(2, 1, b"abcdef")
    True
    """
    stride = 3 * picture.width
    rows = b"".join(b"\0" + picture.rgb[at : at + stride] for at in range(0, len(picture.rgb), stride))
    head = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b"")]
    return PNG_SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)
        for kind, data in parts
    )


def _check_size(width, height):  # type: (int, int) -> None
    if not width or not height or width * height > _MAX_PIXELS:
        raise ValueError("its size is %d x %d, and at most %d pixels are read" % (width, height, _MAX_PIXELS))


def _read_pnm(data, kind, width, height):  # type: (bytes, int, int, int) -> Picture
    _check_size(width, height)
    size = width * height * (3 if kind == 6 else 1)
    if len(data) < size:
        raise ValueError("it is cut off")
    rows = bytearray(data[:size])
    return Picture(width, height, bytes(rows if kind == 6 else _grey(rows)))


def _read_png(content):  # type: (bytes) -> Picture
    parts = {}  # type: dict[bytes, bytes]
    for kind, data in _png_chunks(content):
        parts[kind] = parts.get(kind, b"") + data
    width, height, depth, colour, packing, filtering, interlacing = struct.unpack(">IIBBBBB", parts.get(b"IHDR", b""))
    _check_size(width, height)
    depths = {1, 2, 4, 8} if colour in {0, _PALETTE_COLOUR} else {8}
    if colour not in _SAMPLES_PER_PIXEL or packing or filtering or interlacing or depth not in depths:
        raise ValueError("save it as a PNG of 8 bits a colour without interlacing")
    samples = _SAMPLES_PER_PIXEL[colour]
    stride = (width * samples * depth + 7) // 8
    raw = bytearray(zlib.decompressobj().decompress(parts.get(b"IDAT", b""), (stride + 1) * height))
    if len(raw) < (stride + 1) * height:
        raise ValueError("it is cut off")
    rows = bytearray()
    for row in _unfilter_rows(raw, stride, height, max(1, samples * depth // 8)):
        rows += row if depth == 8 else _spread(row, depth, width, colour != _PALETTE_COLOUR)
    return Picture(width, height, bytes(_convert_colours(rows, colour, bytearray(parts.get(b"PLTE", b"")))))


def _png_chunks(content):  # type: (bytes) -> Iterator[tuple[bytes, bytes]]
    """Yield the type and the data of each chunk of a PNG; raises ValueError for a damaged one."""
    at = len(PNG_SIGNATURE)
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


def _unfilter_rows(raw, stride, height, back):  # type: (bytearray, int, int, int) -> Iterator[bytearray]
    """Yield the rows of a PNG without its filters; a pixel takes `back` bytes."""
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
    """Undo filter 1 (left), 3 (mean of left and above) or 4 (Paeth) of a row in place."""
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
    """Unpack the samples of a row to one byte each, for greys scaled to 0..255."""
    most, factor = (1 << depth) - 1, 255 // ((1 << depth) - 1) if scaled else 1
    shifts = range(8 - depth, -1, -depth)
    return bytearray([((byte >> shift) & most) * factor for byte in row for shift in shifts][:width])


def _grey(greys):  # type: (bytearray) -> bytearray
    rgb = bytearray(3 * len(greys))
    rgb[0::3] = rgb[1::3] = rgb[2::3] = greys
    return rgb


def _convert_colours(rows, colour, palette):  # type: (bytearray, int, bytearray) -> bytearray
    """Convert the samples of all rows to red, green and blue; ignore transparency."""
    if colour == _PALETTE_COLOUR:
        colours = [palette[at : at + 3] for at in range(0, len(palette) - 2, 3)]
        rgb = bytearray(3 * len(rows))
        for at in range(3):
            rgb[at::3] = bytearray([colours[index][at] for index in rows])
        return rgb
    samples = _SAMPLES_PER_PIXEL[colour]
    if samples < 3:
        return _grey(rows[0::samples])
    if samples == 3:
        return rows
    rgb = bytearray(len(rows) // 4 * 3)
    for at in range(3):
        rgb[at::3] = rows[at::4]
    return rgb


# WAV files.

#: The errors that `wave` raises for damaged files, and the error of a division by a sample rate of zero.
_WAV_ERRORS = (wave.Error, EOFError, RuntimeError, struct.error, ZeroDivisionError)


class NotASound(NaosimError):
    """The file is not a WAV file, or it is damaged."""


@contextlib.contextmanager
def open_sound(file):  # type: (IO[bytes]) -> Iterator[wave.Wave_read]
    """Open a WAV file; raises NotASound if it is damaged, also if that is found while reading."""
    try:
        with contextlib.closing(wave.open(file, "rb")) as sound:
            yield sound
    except _WAV_ERRORS as error:
        raise NotASound("it is not a WAV file, or it is damaged (%s)" % (str(error) or "it ends too soon"))
