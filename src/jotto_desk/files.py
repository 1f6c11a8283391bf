"""Files at the desk: written whole or not at all, read up to a bound."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from .errors import DeskError


def write_whole(path: str | os.PathLike[str], content: str | bytes, mode: int | None = None) -> Path:
    """Write a file so that a reader sees the old content or the new, never a part; missing folders are made.

    Text becomes UTF-8 with its line ends as they are. The file keeps its mode, unless one is given. Raises `DeskError`
    when it cannot be written, or when a folder or a device stands in its place.
    """
    target = _target(path)
    raw = content.encode("utf-8") if isinstance(content, str) else content
    part = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(part, raw, target, mode)
    except OSError as error:
        raise DeskError(f"'{path}' cannot be written ({_why(error)}); choose another place.") from error
    return target


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raise `DeskError` where `write_whole` could not begin to write, before there is anything to write.

    Nothing stays behind; a full disk is only met later.
    """
    target = _target(path)
    folder = next(place for place in target.parents if os.path.lexists(place))
    part = folder / f".{target.name[:80]}.{secrets.token_hex(6)}.part"
    try:
        with part.open("xb"):
            pass
        part.unlink()
    except OSError as error:
        raise DeskError(f"'{path}' cannot be written ({_why(error)}); choose another place.") from error


def _target(path: str | os.PathLike[str]) -> Path:
    try:
        target = Path(os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise DeskError(f"'{path}' cannot be written ({_why(error)}); choose another place.") from error
    # A device would be replaced by a plain file, for everybody.
    if os.path.exists(target) and not os.path.isfile(target):
        kind = "a folder" if os.path.isdir(target) else "not a plain file"
        raise DeskError(f"'{path}' cannot be written (it is {kind}); choose another place.")
    return target


def _write(part: Path, raw: bytes, target: Path, mode: int | None) -> None:
    try:
        with part.open("xb") as file:
            if mode is not None:
                part.chmod(mode)
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if mode is None and target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


@contextlib.contextmanager
def one_at_a_time(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other processes that change the same file waiting, so that none overwrites what another has just added.

    Where a lock cannot be had, as on some network folders, there is no waiting.
    """
    target = Path(os.path.realpath(path))
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            target.parent.mkdir(parents=True, exist_ok=True)
            # The folder itself is locked: a lock file would be one more thing to lie about.
            folder = os.open(target.parent, os.O_RDONLY)
            stack.callback(os.close, folder)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield


def read_bounded(path: str | os.PathLike[str], most: int, what: str = "file") -> bytes:
    """Read a plain file of at most `most` bytes.

    Raises `DeskError` when it is missing, a folder, a device, not readable or too large.
    """
    where = Path(path)
    try:
        if where.is_dir():
            raise DeskError(f"'{path}' is a folder; name a {what}.")
        if where.exists() and not where.is_file():
            raise DeskError(f"'{path}' is not a plain file; name a {what}.")
        with where.open("rb") as file:
            content = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise DeskError(f"The {what} '{path}' cannot be read ({_why(error)}); check the name.") from error
    if len(content) > most:
        raise DeskError(f"The {what} '{path}' is larger than {size(most)}; give a smaller one.")
    return content


def size(count: int) -> str:
    """Say a number of bytes: `20 MB`, `3 kB`, `12 bytes`."""
    for unit, width in (("MB", 1 << 20), ("kB", 1 << 10)):
        if count >= width:
            return f"{count // width} {unit}"
    return f"{count} bytes"


def _why(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error).lower()
