"""What survives a restart: games and the posted knowledge base, in one SQLite file, with atomic writes."""

import json
import logging
import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

from .. import places
from ..errors import DeskError

_LOG = logging.getLogger(__name__)
VERSION = 1
_TABLES = (
    "CREATE TABLE IF NOT EXISTS kept (kind TEXT, name TEXT, value TEXT NOT NULL, PRIMARY KEY (kind, name))",
    f"PRAGMA user_version = {VERSION}",
)


def usual_file() -> Path:
    """Name the file used where none is given."""
    return places.data_folder() / "expert.sqlite"


class NotKept(DeskError):
    """What should be kept cannot be written; nothing was changed."""


class Store:
    """Values by kind and name, on disk; in memory alone where `path` is empty. One process at a time; any thread."""

    def __init__(self, path: str | os.PathLike[str] = "") -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._trouble = ""
        try:
            if self.path:
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(
                self.path or ":memory:", check_same_thread=False, isolation_level=None, timeout=1
            )
            self._open()
            self._file = self._there()
        except (OSError, ValueError, sqlite3.Error) as error:
            raise DeskError(
                f"The games cannot be kept in '{self.path}' ({_why(error)}); name another file with --state."
            ) from error

    def _open(self) -> None:
        try:
            # Two services on one file would each overwrite what the other knows.
            self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._base.execute("BEGIN EXCLUSIVE")
            found = self._base.execute("PRAGMA user_version").fetchone()[0]
            if found > VERSION:
                raise sqlite3.DatabaseError(f"it was written by version {found} of this program; this is {VERSION}")
            for line in _TABLES:
                self._base.execute(line)
            self._base.execute("COMMIT")
        except sqlite3.Error:
            self._base.close()
            raise

    def all(self, kind: str) -> dict[str, Any]:
        """Return the values of a kind by name, in the order they came."""
        try:
            with self._lock:
                line = "SELECT name, value FROM kept WHERE kind = ? ORDER BY rowid"
                rows = self._base.execute(line, (kind,)).fetchall()
            return {name: json.loads(value) for name, value in rows}
        except (sqlite3.Error, TypeError, ValueError, RecursionError) as error:
            raise DeskError(
                f"What is kept in '{self.path}' cannot be read ({_why(error)}); name another file with "
                "--state, or remove it."
            ) from error

    def keep(self, kind: str, name: str, value: Any) -> None:
        """Write a value in place of the one before."""
        line = (
            "INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value",
            (kind, name, json.dumps(value)),
        )
        self._write(*line)

    def forget(self, kind: str, name: str) -> None:
        """Remove a value, if it is there."""
        self._write("DELETE FROM kept WHERE kind = ? AND name = ?", (kind, name))

    def _write(self, line: str, values: tuple[str, ...]) -> None:
        with self._lock:
            try:
                # SQLite would go on writing to a file that nobody finds any more.
                if self._there() != self._file:
                    raise sqlite3.OperationalError("the file was removed or replaced")
                self._base.execute(line, values)
            except (OSError, sqlite3.Error) as error:
                found = NotKept(
                    f"This could not be kept in '{Path(self.path).name}' ({_why(error)}); nothing was changed."
                )
                self._say(str(found))
                raise found from error
            self._say("")

    def _there(self) -> tuple[int, int]:
        found = os.stat(self.path) if self.path else None
        return (found.st_dev, found.st_ino) if found else (0, 0)

    def _say(self, trouble: str) -> None:
        """Tell trouble in the log when it begins, and when it is over."""
        if trouble != self._trouble:
            _LOG.warning("%s", trouble or "Changes are kept again.")
        self._trouble = trouble

    def close(self) -> None:
        """Let the file go."""
        with self._lock:
            self._base.close()


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return "another program has it open" if "locked" in str(error) else str(error).lower()
