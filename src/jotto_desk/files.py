"""Files at the desk: their folders, and reading and writing them safely.

`write_whole` writes a file completely or not at all. A lock keeps other programs from changing a file at the same time,
and `read_bounded` refuses files that are too large. `shipped_path` finds what comes with the game."""

import contextlib
import errno
import os
import re
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jotto_desk.errors import DeskError

# --- Locks between programs: on a folder whose files are changed, and on a part that is being written.
#
# `jotto_behaviour.files` takes the same locks on the robot. They end with the program that holds them, however it ends.

fcntl: Any
msvcrt: Any
try:
    import fcntl
except ImportError:
    fcntl = None
try:
    import msvcrt
except ImportError:
    msvcrt = None

#: What a system says where another program has the lock.
_LOCKED_ERRNOS = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
#: So often, so many seconds each time, another program is waited for.
LOCK_POLLS, _LOCK_PAUSE_S = 1000, 0.01
#: Windows opens no folders: there this file in the folder is locked.
_LOCK_FILE = ".jotto.lock"


def take_lock(handle: int) -> bool | None:
    """Lock an open file until it is closed; return False where another program has, None where there are no locks."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            return None
    except OSError as error:
        return False if error.errno in _LOCKED_ERRNOS else None
    return True


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; raise `DeskError` where another program has not let it go for ten seconds.

    Where there are no locks, as on some network folders, there is no waiting.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            handle = (
                os.open(folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT) if fcntl is None else os.open(folder, os.O_RDONLY)
            )
            stack.callback(os.close, handle)
            if not _is_free(handle):
                raise DeskError(f"Another program is writing in '{folder}' and does not end; try again later.")
        yield


def _is_free(handle: int) -> bool:
    """Wait for a lock; tell whether it is ours now, or there are none."""
    for _ in range(LOCK_POLLS):
        if take_lock(handle) is not False:
            return True
        time.sleep(_LOCK_PAUSE_S)
    return False


# --- Files at the desk: written whole or not at all, changed by one program at a time, read up to a bound.
#
# `jotto_behaviour.files` follows the same rules on the robot.

#: The parts beside a file, of its writers here and in NAO's notebook.
_PART_PATTERN = r"\.%s\.\w{6,12}\.part"
#: So many parts are begun for one file, should others delete them.
_MAX_PART_TRIES = 10


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
        if fcntl is None:
            # Windows moves no open file.
            os.close(handle)
        yield part
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
        if fcntl is not None:
            os.close(handle)


def _new_part(target: Path) -> tuple[Path, int]:
    for _ in range(_MAX_PART_TRIES):
        part = _part_name(target)
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        # Another program may have been quicker than the lock.
        if fcntl is None or (take_lock(handle) is not False and part.exists()):
            return part, handle
        os.close(handle)
    raise OSError(errno.EAGAIN, "other programs delete what is written")


def _part_name(target: Path, folder: Path | None = None) -> Path:
    return (folder or target.parent) / f".{target.name[:80]}.{secrets.token_hex(6)}.part"


def _clear_abandoned(target: Path) -> None:
    pattern = re.compile(_PART_PATTERN % re.escape(target.name[:80]))
    for name in os.listdir(target.parent) if fcntl is not None else ():
        part = target.parent / name
        if pattern.fullmatch(name) and part.is_file() and not part.is_symlink():
            # Its writer may just have moved it.
            with contextlib.suppress(OSError), part.open("rb") as file:
                if take_lock(file.fileno()):
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
def lock_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other processes that change the same file waiting, so that none overwrites what another has just added.

    Raises `DeskError` where one of them does not end. NAO's notebook waits in the same line.
    """
    folder = Path(os.path.realpath(path)).parent
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder):
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
        raise DeskError(f"The {what} '{path}' is larger than {format_size(most)}; give a smaller one.")
    return content


def format_size(count: int) -> str:
    """Say a number of bytes: `20 MB`, `3 kB`, `12 bytes`."""
    for unit, width in (("MB", 1 << 20), ("kB", 1 << 10)):
        if count >= width:
            return f"{count // width} {unit}"
    return f"{count} bytes"


def _why(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error).lower()


# --- Paths: the files that come with the game, and the folders of the person who plays.

_APP_NAME = "nao-jotto"
_HERE = Path(__file__).resolve().parent


def checkout_folder() -> Path | None:
    """Find the project folder these modules run from; None for an installed package."""
    root = _HERE.parents[1]
    return root if (root / "pyproject.toml").is_file() and (root / "wordlists").is_dir() else None


def shipped_path(name: str) -> Path:
    """Find a file or folder that comes with the game, such as `wordlists`: in the package first, then in the checkout.

    Raises `DeskError` when it is in neither.
    """
    root = checkout_folder()
    for base in (_HERE / "shipped", *([root] if root else [])):
        if (base / name).exists():
            return base / name
    raise DeskError(f"'{name}', which comes with the game, is not there; install nao-jotto again.")


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Name the folder for what a person keeps: own words, games; it may not exist yet."""
    return _personal(environ, "XDG_DATA_HOME", ".local/share", "data")


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Name the folder for what can be fetched or computed again; it may not exist yet."""
    return _personal(environ, "XDG_CACHE_HOME", ".cache", "cache")


def _personal(environ: Mapping[str, str], variable: str, usual: str, kind: str) -> Path:
    # The XDG rule: a relative path in the variable counts as not set.
    named = environ.get(variable, "")
    if os.path.isabs(named):
        return Path(named) / _APP_NAME
    if sys.platform == "win32" and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / _APP_NAME / kind
    home = environ.get("HOME") or os.path.expanduser("~")
    if not os.path.isabs(home):
        raise DeskError(f"There is no home folder to keep {kind} in; set {variable} to a folder.")
    return Path(home) / usual / _APP_NAME
