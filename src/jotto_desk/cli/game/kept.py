"""The games NAO's notebook keeps at the desk, for the commands that look back at them."""

from rich.console import Console

from jotto_behaviour import notebook
from jotto_desk import files, places
from jotto_desk.errors import DeskError
from jotto_desk.history import kept_games
from jotto_desk.history.kept_games import BREAKER, MAKER, RACE, KeptGame

NONE_YET = "No finished game is kept yet; play one to its end with: jotto play"
#: What each role is to the person.
NAMES = {MAKER: "You guess NAO's word", BREAKER: "NAO guesses your word", RACE: "Races with NAO"}


def finished_games() -> list[KeptGame]:
    """Read the games, the oldest first, and say how many lines cannot be read; raises `DeskError`."""
    path = places.data_folder() / notebook.FINISHED
    if not path.exists():
        return []
    content = files.read_bounded(path, notebook.LARGEST, "list of games")
    kept = kept_games.read(content.decode("utf-8", "replace"))
    if kept.damaged:
        lines = "1 line" if kept.damaged == 1 else f"{kept.damaged} lines"
        Console(stderr=True, highlight=False).print(
            f"{lines} of '{path.name}' cannot be read as a game and {'is' if kept.damaged == 1 else 'are'} left out: "
            f"see {path.parent}", markup=False)
    return kept.games


def numbered(games: list[KeptGame], number: int) -> KeptGame:
    """Find a game by its number, the oldest kept being 1; raises `DeskError` where there is none."""
    if not games:
        raise DeskError(NONE_YET)
    if not 1 <= number <= len(games):
        raise DeskError(f"There is no game {number}; {len(games)} are kept, numbered from 1: see jotto stats --games")
    return games[number - 1]
