"""Files at the desk: their folders, and reading and writing them safely.

`write_whole` writes a file completely or not at all. `lock_file` keeps other programs from changing a file at the same
time. `read_bounded` refuses files that are too large. `find_shipped_path` finds the files that come with the game.
NAO's notebook (`jotto_behaviour.files`) has the locks, so that the desk and NAO wait for each other.
"""

import contextlib
import errno
import os
import re
import secrets
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from jotto_behaviour import files as notebook
from jotto_desk.errors import DeskError

#: The names of part files next to a file: those that `write_whole` makes, here and in NAO's notebook.
_PART_PATTERN = r"\.%s\.\w{6,12}\.part"
#: Most part files that are begun for one file, if other programs delete them.
_MAX_PART_TRIES = 10


def write_whole(path: str | os.PathLike[str], content: str | bytes, mode: int | None = None) -> Path:
    """Write a file so that a reader sees the old content or the new, never a part; make missing folders.

    Text becomes UTF-8 with its line ends as they are. The file keeps its mode unless `mode` is given. Raises
    `DeskError` if it cannot be written, or if it is a folder or a device.
    """
    target = _resolve_target(path)
    raw = content.encode("utf-8") if isinstance(content, str) else content
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open_part(target) as part:
            with part.open("wb") as file:
                if mode is not None:
                    part.chmod(mode)
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            if mode is None and target.exists():
                part.chmod(target.stat().st_mode & 0o7777)
            part.replace(target)
    except OSError as error:
        raise _explain_write_error(path, error) from error
    return target


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raise `DeskError` if `write_whole` could not begin to write, before there is anything to write.

    It leaves no file and does not notice a full disk.
    """
    target = _resolve_target(path)
    folder = next(place for place in target.parents if os.path.lexists(place))
    part = _name_part(target, folder)
    try:
        with part.open("xb"):
            pass
        # Another program might have deleted it, because its writer seemed to be killed.
        part.unlink(missing_ok=True)
    except OSError as error:
        raise _explain_write_error(path, error) from error


def _resolve_target(path: str | os.PathLike[str]) -> Path:
    try:
        target = Path(os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise _explain_write_error(path, error) from error
    # Writing would replace a device by a plain file, for everybody.
    if os.path.exists(target) and not os.path.isfile(target):
        kind = "a folder" if os.path.isdir(target) else "not a plain file"
        raise DeskError(f"'{path}' cannot be written (it is {kind}); choose another place.")
    return target


def _explain_write_error(path: str | os.PathLike[str], error: Exception) -> DeskError:
    return DeskError(f"'{path}' cannot be written ({_why(error)}); choose another place.")


@contextlib.contextmanager
def open_part(target: Path) -> Iterator[Path]:
    """Make a part file next to a file, to be moved into its place; delete it if it is not moved. Raises `OSError`.

    It is locked meanwhile. A part file without a lock has lost its writer, and is deleted.
    """
    _clear_abandoned(target)
    part, handle = _open_new_part(target)
    try:
        if notebook.fcntl is None:
            # Windows moves no open file.
            os.close(handle)
        yield part
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
        if notebook.fcntl is not None:
            os.close(handle)


def _open_new_part(target: Path) -> tuple[Path, int]:
    for _ in range(_MAX_PART_TRIES):
        part = _name_part(target)
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        # Another program might have deleted it before it was locked.
        if notebook.fcntl is None or (notebook.lock_file(handle) is not False and part.exists()):
            return part, handle
        os.close(handle)
    raise OSError(errno.EAGAIN, "other programs delete what is written")


def _name_part(target: Path, folder: Path | None = None) -> Path:
    return (folder or target.parent) / f".{target.name[:80]}.{secrets.token_hex(6)}.part"


def _clear_abandoned(target: Path) -> None:
    pattern = re.compile(_PART_PATTERN % re.escape(target.name[:80]))
    for name in os.listdir(target.parent) if notebook.fcntl is not None else ():
        part = target.parent / name
        if pattern.fullmatch(name) and part.is_file() and not part.is_symlink():
            # Its writer may just have moved it.
            with contextlib.suppress(OSError), part.open("rb") as file:
                if notebook.lock_file(file.fileno()):
                    part.unlink()


@contextlib.contextmanager
def lock_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other programs, NAO's notebook too, from changing a file, so that no change is lost.

    Raises `DeskError` if another program holds the lock for seconds.
    """
    folder = Path(os.path.realpath(path)).parent
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(notebook.lock_folder(str(folder)))
        except OSError as error:
            raise DeskError(f"Another program is writing in '{folder}' and does not end; try again later.") from error
        yield


def read_bounded(path: str | os.PathLike[str], most: int, what: str = "file") -> bytes:
    """Read a plain file of at most `most` bytes; raises `DeskError` if it is something else, or not readable."""
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
    """Return a number of bytes as text: `20 MB`, `3 kB`, `12 bytes`."""
    for unit, width in (("MB", 1 << 20), ("kB", 1 << 10)):
        if count >= width:
            return f"{count // width} {unit}"
    return f"{count} bytes"


def _why(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error).lower()


# Paths.

_APP_NAME = "nao-jotto"
_HERE = Path(__file__).resolve().parent


def find_checkout() -> Path | None:
    """Return the project folder that these modules run from; None for an installed package."""
    root = _HERE.parents[1]
    return root if (root / "pyproject.toml").is_file() and (root / "wordlists").is_dir() else None


def find_shipped_path(name: str) -> Path:
    """Return a file or folder that comes with the game, such as `wordlists`: of the package, else of the checkout.

    Raises `DeskError` if neither has it.
    """
    root = find_checkout()
    for base in (_HERE / "shipped", *([root] if root else [])):
        if (base / name).exists():
            return base / name
    raise DeskError(f"'{name}', which comes with the game, is missing; install nao-jotto again.")


def find_data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for the user's own words and games, even if it does not exist yet."""
    return _find_personal_folder(environ, "XDG_DATA_HOME", ".local/share", "data")


def find_cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for files that can be fetched or computed again, even if it does not exist yet."""
    return _find_personal_folder(environ, "XDG_CACHE_HOME", ".cache", "cache")


def _find_personal_folder(environ: Mapping[str, str], variable: str, usual: str, kind: str) -> Path:
    # The XDG rule: a relative path in the variable counts as not set.
    named = environ.get(variable, "")
    if os.path.isabs(named):
        return Path(named) / _APP_NAME
    if sys.platform == "win32" and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / _APP_NAME / kind
    home = environ.get("HOME") or os.path.expanduser("~")
    if not os.path.isabs(home):
        raise DeskError(f"There is no home folder in which to save {kind}; set {variable} to a folder.")
    return Path(home) / usual / _APP_NAME
