"""The solver's C core compiled with other options: once for the same sources and options, and kept in `.cache`."""

import hashlib
import os
from pathlib import Path

from filelock import FileLock
from interpreters import ROOT

from jotto_desk.solver.native import build

CACHE = ROOT / ".cache" / "native"


def variant(flags: str = "") -> Path:
    """Return the folder of a library made with these CFLAGS; raises `NotBuilt`."""
    folder = CACHE / fingerprint(flags)
    folder.mkdir(parents=True, exist_ok=True)
    # Several workers may ask at once.
    with FileLock(folder / "lock", timeout=build.COMPILE_TIMEOUT):
        if not (folder / build.library_name()).is_file():
            build.build(folder / build.library_name(), {**os.environ, "CFLAGS": flags})
    return folder


def fingerprint(flags: str) -> str:
    """Return a name for all that the library is made of: sources, the way it is built, compiler and options."""
    made_from = [*build.sources(), *sorted(build.FOLDER.glob("*.h")), Path(build.__file__)]
    words = [*build.find_compiler(os.environ), flags, *(path.name for path in made_from)]
    whole = "\0".join(words).encode() + b"".join(path.read_bytes() for path in made_from)
    return hashlib.sha256(whole).hexdigest()[:16]
