"""Files at the desk: written whole or not at all, changed by one program at a time, read up to a bound.

`jotto_behaviour.files` follows the same rules on the robot.
"""

import contextlib
import errno
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from . import locks
from .errors import DeskError

#: The parts beside a file, of its writers here and in NAO's notebook.
PART = r"\.%s\.\w{6,12}\.part"
#: So many parts are begun for one file, should others delete them.
TRIES = 10


def write_whole(path: str | os.PathLike[str], content: str | bytes, mode: int | None = None) -> Path:
    """Write a file so that a reader sees the old content or the new, never a part; missing folders are made.

    Text becomes UTF-8 with its line ends as they are. The file keeps its mode, unless one is given. Raises `DeskError`
    when it cannot be written, or when a folder or a device stands in its place.
    """
    target = _target(path)
    raw = content.encode("utf-8") if isinstance(content, str) else content
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(raw, target, mode)
    except OSError as error:
        raise DeskError(f"'{path}' cannot be written ({_why(error)}); choose another place.") from error
    return target


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raise `DeskError` where `write_whole` could not begin to write, before there is anything to write.

    Nothing stays behind; a full disk is only met later.
    """
    target = _target(path)
    folder = next(place for place in target.parents if os.path.lexists(place))
    part = _part_name(target, folder)
    try:
        with part.open("xb"):
            pass
        # Another program may have taken it for that of a killed writer.
        part.unlink(missing_ok=True)
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


@contextlib.contextmanager
def part_beside(target: Path) -> Iterator[Path]:
    """Make a part beside a file, to be moved into its place; it is deleted where it is not. Raises `OSError`.

    It is locked meanwhile: the parts beside it that nobody has locked have lost their writers, and are deleted.
    """
    _clear_abandoned(target)
    part, handle = _new_part(target)
    try:
        if locks.fcntl is None:
            # Windows moves no open file.
            os.close(handle)
        yield part
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
        if locks.fcntl is not None:
            os.close(handle)


def _new_part(target: Path) -> tuple[Path, int]:
    for _ in range(TRIES):
        part = _part_name(target)
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        # Another program may have been quicker than the lock.
        if locks.fcntl is None or (locks.take(handle) is not False and part.exists()):
            return part, handle
        os.close(handle)
    raise OSError(errno.EAGAIN, "other programs delete what is written")


def _part_name(target: Path, folder: Path | None = None) -> Path:
    return (folder or target.parent) / f".{target.name[:80]}.{secrets.token_hex(6)}.part"


def _clear_abandoned(target: Path) -> None:
    pattern = re.compile(PART % re.escape(target.name[:80]))
    for name in os.listdir(target.parent) if locks.fcntl is not None else ():
        part = target.parent / name
        if pattern.fullmatch(name) and part.is_file() and not part.is_symlink():
            # Its writer may just have moved it.
            with contextlib.suppress(OSError), part.open("rb") as file:
                if locks.take(file.fileno()):
                    part.unlink()


def _write(raw: bytes, target: Path, mode: int | None) -> None:
    with part_beside(target) as part:
        with part.open("wb") as file:
            if mode is not None:
                part.chmod(mode)
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if mode is None and target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)


@contextlib.contextmanager
def one_at_a_time(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other processes that change the same file waiting, so that none overwrites what another has just added.

    Raises `DeskError` where one of them does not end. NAO's notebook waits in the same line.
    """
    folder = Path(os.path.realpath(path)).parent
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    with locks.of_folder(folder):
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
