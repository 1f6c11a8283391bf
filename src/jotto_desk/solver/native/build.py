"""Compiling the C sources of this folder into one shared library: `python -m jotto_desk.solver.native.build`.

It needs only the standard library, not the rest of this project: `hatch_build.py` runs this file before the
project is installed.
"""

import argparse
import os
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
#: With this variable set to 0, the library is neither built nor loaded.
VARIABLE = "JOTTO_NATIVE"
#: Compilers tried in this order unless CC names another.
_COMPILERS = ("cc", "gcc", "clang")
#: No `-march`: the library can run on another computer, so the sources choose their instructions at run time.
_FLAGS = ("-O3", "-std=c11", "-fPIC", "-fno-math-errno")
#: What AddressSanitizer and UndefinedBehaviorSanitizer need: the first fault ends the process and says where it was.
SANITIZERS = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
#: Seconds one call of the compiler can take.
COMPILE_TIMEOUT = 300


class NotBuilt(Exception):
    """The reason why there is no library, in one line; the compiler's messages can follow."""


class NoCompiler(NotBuilt):
    """This computer has no C compiler."""


def name_library() -> str:
    """Return the library's file name on this platform, such as `_core.so`."""
    return "_core" + {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")


def list_sources(folder: Path = FOLDER) -> list[Path]:
    """List the C files of a folder, sorted."""
    return sorted(folder.glob("*.c"))


def is_stale(library: Path, folder: Path = FOLDER) -> bool:
    """Return whether the library is missing or older than a source, a header or the way it is built."""
    if not library.is_file():
        return True
    made_from = [*list_sources(folder), *folder.glob("*.h"), Path(__file__)]
    return library.stat().st_mtime_ns < max(path.stat().st_mtime_ns for path in made_from)


def find_compiler(environ: Mapping[str, str]) -> list[str]:
    """Find the compiler, as the start of a command: CC, else the first of cc, gcc and clang on PATH.

    Raises `NotBuilt` if no compiler exists, or if JOTTO_NATIVE is 0.
    """
    if environ.get(VARIABLE) == "0":
        raise NotBuilt(f"{VARIABLE}=0 is set")
    for command in [_words(environ, "CC")] if environ.get("CC") else [[name] for name in _COMPILERS]:
        if command and shutil.which(command[0], path=environ.get("PATH")):
            return command
    if environ.get("CC"):
        raise NotBuilt(f"the C compiler '{environ['CC']}' is missing")
    raise NoCompiler("there is no C compiler")


def build(library: Path, environ: Mapping[str, str], folder: Path = FOLDER) -> None:
    """Compile a folder's C files, as many at the same time as there are cores, and install the library atomically.

    CC names another compiler and CFLAGS adds to its options. Raises `NotBuilt`.
    """
    compiler = [*find_compiler(environ), *_FLAGS, *_words(environ, "CFLAGS")]
    part = library.with_name(f".{library.name}.{secrets.token_hex(6)}.part")
    try:
        with tempfile.TemporaryDirectory(prefix="jotto-") as scratch:
            objects = {source: str(Path(scratch, source.stem + ".o")) for source in list_sources(folder)}
            calls = [[*compiler, "-c", source.name, "-o", made] for source, made in objects.items()]
            with ThreadPoolExecutor(os.cpu_count()) as crew:
                list(crew.map(lambda call: _run(call, folder, environ), calls))
            _run([*compiler, "-shared", *objects.values(), "-lm", "-o", str(part.absolute())], folder, environ)
            part.replace(library)
    except OSError as error:
        raise NotBuilt(f"'{library}' cannot be written ({(error.strerror or str(error)).lower()})") from error
    finally:
        part.unlink(missing_ok=True)


def _words(environ: Mapping[str, str], variable: str) -> list[str]:
    try:
        return shlex.split(environ.get(variable, ""))
    except ValueError as error:
        raise NotBuilt(f"{variable} cannot be read ({str(error).lower()})") from error


def _run(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> None:
    try:
        ended = subprocess.run(
            command,
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=COMPILE_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotBuilt(f"the C compiler '{command[0]}' took longer than {COMPILE_TIMEOUT} s") from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise NotBuilt(f"the C compiler '{command[0]}' does not run ({why})") from error
    if ended.returncode:
        said = "\n".join(ended.stderr.splitlines()[:20])
        raise NotBuilt(f"the C compiler '{command[0]}' failed with code {ended.returncode}\n{said}".rstrip())


def describe_absence(reason: object) -> str:
    """Say why the solver has no C library, and that the rest works without it."""
    first, *rest = str(reason).split("\n")
    return "\n".join([f"The solver will run on numpy, slower: {first}. Playing needs neither.", *rest])


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the library next to its sources; return 1 when that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m jotto_desk.solver.native.build", description="Compile the solver's C part."
    )
    parser.add_argument("--if-needed", action="store_true", help="only when out of date, and if there is a compiler")
    parser.add_argument("--sanitize", action="store_true", help="with AddressSanitizer, for `make test SANITIZE=1`")
    options = parser.parse_args(arguments)
    environ = dict(os.environ)
    if options.sanitize:
        environ["CFLAGS"] = " ".join([environ.get("CFLAGS", ""), *SANITIZERS])
    library = FOLDER / name_library()
    if options.if_needed and not is_stale(library):
        return 0
    started = time.monotonic()
    try:
        build(library, environ)
    except NotBuilt as reason:
        # Most people only play; the solver itself tells people who solve.
        if not (options.if_needed and isinstance(reason, NoCompiler)):
            print(describe_absence(reason), file=sys.stderr)
        return 0 if options.if_needed else 1
    print(f"Built {library.name} in {time.monotonic() - started:.1f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
