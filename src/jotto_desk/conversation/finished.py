"""The finished games that NAO's notebook keeps in a folder of the desk."""

from pathlib import Path

from jotto_behaviour import files as notebook
from jotto_desk import files, history
from jotto_desk.history import KeptGames


def place(folder: Path) -> Path:
    """Return the file with the finished games of a folder, which may not be there yet."""
    return folder / notebook.FINISHED_FILE


def read(path: Path) -> KeptGames:
    """Read the games, the oldest first; none where there is no file. Raises `DeskError` for one that is unreadable."""
    if not path.exists():
        return KeptGames([], 0)
    return history.read_kept_games(
        files.read_bounded(path, notebook.MAX_NOTEBOOK_BYTES, "list of games").decode("utf-8", "replace")
    )
