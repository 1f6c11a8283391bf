"""Finding and loading the shared library the C sources were built into."""

import ctypes
import os
import struct
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from jotto_desk.places import checkout

from .build import FOLDER, VARIABLE, library_name

#: The version in version.c; both change together whenever the arguments of a function do.
VERSION = 3
#: What every library built with AddressSanitizer calls.
SANITIZED = b"__asan_init"


class _Refused(Exception):
    """The reason why a file is not the library, in a few words."""


def load(
    environ: Mapping[str, str] = os.environ,
    remark: Callable[[str], None] = lambda sentence: None,
    folder: Path = FOLDER,
) -> ctypes.CDLL | None:
    """Load the C library; None where it is missing, turned off by JOTTO_NATIVE=0, damaged, foreign or outdated.

    `remark` then gets one line with the reason and the remedy; nothing where the library was turned off.
    """
    if environ.get(VARIABLE) == "0":
        return None
    path = folder / library_name()
    try:
        return _open(path)
    except _Refused as reason:
        again = "make native" if checkout() else "python -m jotto_desk.solver.native.build"
        remark(
            f"The solver runs on numpy, slower, because '{path.name}' {reason}; with a C compiler, `{again}` makes "
            "it fast."
        )
        return None


def _open(path: Path) -> ctypes.CDLL:
    if not path.exists():
        raise _Refused("is not built")
    try:
        _require_fitting(path)
        _require_runtime(path)
        library = ctypes.CDLL(str(path))
        version = library.jotto_core_version
    except OSError as error:
        raise _Refused(f"cannot be loaded ({_why(error, path)})") from error
    except AttributeError as error:
        raise _Refused("is another library") from error
    version.argtypes, version.restype = [], ctypes.c_int
    if version() != VERSION:
        raise _Refused(f"is of version {version()} where {VERSION} is needed")
    return library


def _require_runtime(path: Path) -> None:
    """Refuse a library with sanitizers where their runtime did not come first: loading it would end the process."""
    if SANITIZED in path.read_bytes() and not hasattr(ctypes.CDLL(None), SANITIZED.decode()):
        raise _Refused("is built with sanitizers, for `make test SANITIZE=1`")


def _require_fitting(path: Path) -> None:
    """Refuse a truncated ELF file: mapping one into memory kills the process instead of raising.

    The table of sections stands at the end, and the header says where that is. Also refuses one for another processor,
    as a folder shared between computers may hold: the loader would call it missing.
    """
    header = _elf_header(path)
    if not header:
        return
    wide, order = header[4] == 2, "<" if header[5] == 1 else ">"
    (start,) = struct.unpack_from(order + ("Q" if wide else "I"), header, 40 if wide else 32)
    size, count = struct.unpack_from(order + "HH", header, 58 if wide else 46)
    if path.stat().st_size < start + size * count:
        raise _Refused("is cut off")
    ours = _elf_header(Path(sys.executable)) or header
    if ours[18:20] != header[18:20]:
        raise _Refused("is for another processor")


def _elf_header(path: Path) -> bytes:
    """Read the first 64 bytes of an ELF file; empty for any other file."""
    with path.open("rb") as file:
        header = file.read(64)
    return header if len(header) == 64 and header.startswith(b"\x7fELF") else b""


def _why(error: OSError, path: Path) -> str:
    # The loader's message begins with the path; only its first line is for people.
    return error.strerror.lower() if error.strerror else str(error).replace(f"{path}: ", "").split("\n")[0]
