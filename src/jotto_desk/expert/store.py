"""What survives a restart: games and the posted knowledge base, in one SQLite file, with atomic writes."""

import json
import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

from .. import places
from ..errors import DeskError

VERSION = 1
_TABLES = ("CREATE TABLE IF NOT EXISTS kept (kind TEXT, name TEXT, value TEXT NOT NULL, PRIMARY KEY (kind, name))",
           f"PRAGMA user_version = {VERSION}")


def usual_file() -> Path:
    """Name the file used where none is given."""
    return places.data_folder() / "expert.sqlite"


class Store:
    """Values by kind and name, on disk; in memory alone where `path` is empty. One process at a time; any thread."""

    def __init__(self, path: str | os.PathLike[str] = "") -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        try:
            if self.path:
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(self.path or ":memory:", check_same_thread=False, isolation_level=None,
                                         timeout=1)
            self._open()
        except (OSError, sqlite3.Error) as error:
            raise DeskError(f"The games cannot be kept in '{self.path}' ({_why(error)}); name another file with "
                            "--state.") from error

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
        with self._lock:
            rows = self._base.execute("SELECT name, value FROM kept WHERE kind = ? ORDER BY rowid", (kind,)).fetchall()
        return {name: json.loads(value) for name, value in rows}

    def keep(self, kind: str, name: str, value: Any) -> None:
        """Write a value in place of the one before."""
        line = ("INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value",
                (kind, name, json.dumps(value)))
        self._write(*line)

    def forget(self, kind: str, name: str) -> None:
        """Remove a value, if it is there."""
        self._write("DELETE FROM kept WHERE kind = ? AND name = ?", (kind, name))

    def _write(self, line: str, values: tuple[str, ...]) -> None:
        with self._lock:
            try:
                self._base.execute(line, values)
            except sqlite3.Error as error:
                raise DeskError(f"This could not be kept in '{Path(self.path).name}' ({_why(error)}); nothing was "
                                "changed.") from error

    def close(self) -> None:
        """Let the file go."""
        with self._lock:
            self._base.close()


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return "another program has it open" if "locked" in str(error) else str(error).lower()
