"""`jotto stats`: statistics of the games in NAO's notebook, by role and level."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console
from rich.text import Text

from jotto.words import capitalise_word
from jotto_desk import files, history
from jotto_desk.cli import options
from jotto_desk.cli.shell import OUTPUT, CommandLine, Json, choice_option, option, print_json
from jotto_desk.conversation import game_record
from jotto_desk.errors import DeskError
from jotto_desk.play.terminal import IN_PLACE, GameScreen

# The saved games, which `jotto replay` also shows.

_NONE_YET = "No finished game is saved yet; play one to its end with: jotto play"


def load_finished_games() -> list[history.KeptGame]:
    """Return the saved games, the oldest first; print the number of unreadable lines. Raises `DeskError`."""
    path = game_record.find_file(files.find_data_folder())
    kept = game_record.read_games(path)
    if kept.damaged:
        lines, are = ("1 line", "is") if kept.damaged == 1 else (f"{kept.damaged} lines", "are")
        said = f"{lines} of '{path.name}' cannot be read as a game and {are} left out: see {path.parent}"
        Console(stderr=True, highlight=False).print(said, markup=False)
    return kept.games


def find_game(games: list[history.KeptGame], number: int) -> history.KeptGame:
    """Return a game by its number; the oldest is 1. Raises `DeskError` if none exists."""
    if not games:
        raise DeskError(_NONE_YET)
    if not 1 <= number <= len(games):
        saved = "1 game is" if len(games) == 1 else f"{len(games)} games are"
        raise DeskError(f"There is no game {number}; {saved} saved: see jotto stats --games")
    return games[number - 1]


# The command.

app = CommandLine()
_ROLE = "Only games in which NAO guessed, you guessed, or both."
_LEVEL = "Only games of this level."
#: Width of the longest bar, and of the texts next to a bar, in cells.
_LONGEST_BAR = 40
_BESIDE_BAR = 12


@app.declare(
    "jotto stats",
    "jotto stats --role i-guess --picture games.svg",
    "jotto stats --games              (see one again: jotto replay 3)",
    "jotto stats --json",
)
def stats(
    role: Annotated[str, options.role_option(_ROLE)] = "",
    level: Annotated[str, choice_option("--level", history.LEVELS, _LEVEL)] = "",
    listed: Annotated[bool, option("List the games, each with its number.", "--games")] = False,
    picture: Annotated[Path | None, option("Draw the guesses (svg, png).", panel=OUTPUT, metavar="FILE.svg")] = None,
    as_json: Json = False,
) -> None:
    """Show statistics of your games with NAO: number, average, best and streaks, by role and level.

    NAO saves your last 200 finished games, except those played with --forget.
    """
    if picture is not None:
        options.require_picture(picture, "matplotlib", "numpy")
    games = list(enumerate(load_finished_games(), start=1))
    chosen = [(number, one) for number, one in games if role in ("", one.role) and level in ("", one.level)]
    groups = history.group_by_role_and_level([one for _, one in chosen])
    if picture is not None and groups:
        from jotto_desk import plots

        plots.draw_statistics(groups, history.ROLE_NAMES, picture)
    if as_json:
        print_json(_convert_to_json(chosen, groups, listed))
        return
    console = Console(highlight=False)
    screen = GameScreen(console, wraps=console.is_terminal)
    if not chosen:
        screen.remark(_NONE_YET if not games else f"None of the {len(games)} games kept is of that kind.", "")
    elif listed:
        _list(chosen, screen)
    else:
        _print(groups, screen, console.width if console.is_terminal else _BESIDE_BAR + _LONGEST_BAR)


def _convert_to_json(
    chosen: Sequence[tuple[int, history.KeptGame]], groups: Sequence[history.GroupStatistics], listed: bool
) -> dict[str, Any]:
    plain: dict[str, Any] = {"games": len(chosen), "groups": [group.plain() for group in groups]}
    if listed:
        plain["list"] = []
    for number, one in chosen if listed else ():
        row = {"number": number, "role": one.role, "level": one.level, "word": one.word, "found": one.is_found}
        plain["list"].append(row | {"guesses": one.counted.attempts, "hints": one.hints})
    return plain


def _list(chosen: Sequence[tuple[int, history.KeptGame]], screen: GameScreen) -> None:
    for number, one in chosen:
        head = Text.assemble((f"{number:3} ", "dim"), (f"{capitalise_word(one.word) or '?????':5}  ", "bold"))
        screen.print_line(head, Text(history.describe_game(one)))


def _print(groups: Sequence[history.GroupStatistics], screen: GameScreen, width: int) -> None:
    levels = {group.level for group in groups}
    for place, group in enumerate(groups):
        if place:
            screen.print_blank()
        level = f", {group.level}" if levels != {history.USUAL_LEVEL} else ""
        screen.print_line(Text(), Text(f"{history.ROLE_NAMES[group.role]}{level}", style="bold"))
        for sentence in history.describe_group(group):
            screen.print_line(Text("  "), Text(sentence))
        most = max(group.distribution.values(), default=1)
        longest = max(1, min(_LONGEST_BAR, width - _BESIDE_BAR))
        for number, count in group.distribution.items():
            bar = Text("\u2588" * max(1, round(longest * count / most)), style=IN_PLACE)
            screen.print_line(Text(f"  {number:3}  "), Text.assemble(bar, f" {count}"))
