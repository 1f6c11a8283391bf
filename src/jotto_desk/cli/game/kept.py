"""The games NAO's notebook keeps at the desk, for the commands that look back at them."""

from rich.console import Console

from jotto_desk import files
from jotto_desk.conversation import finished
from jotto_desk.errors import DeskError
from jotto_desk.history import KeptGame

NONE_YET = "No finished game is kept yet; play one to its end with: jotto play"


def finished_games() -> list[KeptGame]:
    """Read the games, the oldest first, and say how many lines cannot be read; raises `DeskError`."""
    path = finished.place(files.data_folder())
    kept = finished.read(path)
    if kept.damaged:
        lines = "1 line" if kept.damaged == 1 else f"{kept.damaged} lines"
        Console(stderr=True, highlight=False).print(
            f"{lines} of '{path.name}' cannot be read as a game and {'is' if kept.damaged == 1 else 'are'} left out: "
            f"see {path.parent}",
            markup=False,
        )
    return kept.games


def numbered(games: list[KeptGame], number: int) -> KeptGame:
    """Find a game by its number, the oldest kept being 1; raises `DeskError` where there is none."""
    if not games:
        raise DeskError(NONE_YET)
    if not 1 <= number <= len(games):
        saved = "1 game is" if len(games) == 1 else f"{len(games)} games are"
        raise DeskError(f"There is no game {number}; {saved} saved: see jotto stats --games")
    return games[number - 1]
