"""`jotto replay`: play a transcript again with the simulated NAO, or show a saved game guess by guess."""

import contextlib
import json
import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from jotto_behaviour import memory
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk.addresses import hide_login
from jotto_desk.cli.options import PlayedList, TreeFile, load_playable_list
from jotto_desk.cli.shell import CommandLine, option
from jotto_desk.cli.stats import find_game, load_finished_games
from jotto_desk.conversation.answers import SENSORS, Typed
from jotto_desk.errors import DeskError
from jotto_desk.history import BREAKER, MAKER, RACE, USUAL_LEVEL, GuessBoard, KeptGame, describe_game, share_game
from jotto_desk.play import terminal
from jotto_desk.play.table import GameTable, RecordedGame, read_transcript
from jotto_desk.rehearsal.robots import list_spoken_languages, open_simulated_robot, renew_library

app = CommandLine()
_GAME = "A transcript of jotto play --transcript, or the number of a saved game; default: the last saved game."
_PLAYED = {MAKER: "you guessed NAO's word", BREAKER: "NAO guessed your word", RACE: "a race with NAO"}
#: Most differing sentences that are shown.
_MOST_SHOWN = 3
#: Lines of the player in a transcript of a real robot: a phrase with its confidence, and a touch.
_HEARD = re.compile(r"(.+) \(([01]\.\d\d)\)")
_TOUCHED = re.compile(r"\(touches (front|middle|back)\)")


@app.declare(
    "jotto replay                     (the last game, guess by guess)",
    "jotto replay 3                   (numbers: jotto stats --games)",
    "jotto replay 3 --share",
    "jotto play --transcript game.txt; jotto replay game.txt",
)
def replay(
    game: Annotated[str, typer.Argument(metavar="[FILE|NUMBER]", help=_GAME, show_default=False)] = "",
    as_squares: Annotated[bool, option("Print a saved game's squares, to share.", "--share")] = False,
    word_list: PlayedList = "",
    tree: TreeFile = "",
) -> None:
    """Replay a transcript with the simulated NAO of today, or show a saved game turn by turn.

    Each turn of a saved game shows its guess, its score and the letters that it settles.
    Exit code 1 if NAO says anything different from the transcript.
    """
    console = Console(highlight=False)
    screen = terminal.GameScreen(console, wraps=console.is_terminal or terminal.is_typed())
    if not game or re.fullmatch(r"\d{1,6}", game):
        games = load_finished_games()
        one = find_game(games, int(game) if game else len(games))
        if as_squares:
            print(share_game(one))
        else:
            _show_steps(one, int(game) if game else len(games), screen)
        return
    if as_squares:
        raise DeskError(f"--share needs a saved game; the squares of '{game[:200]}' are at its end.")
    recorded = read_transcript(game)
    table = _play(recorded, word_list, tree, screen)
    if _print_differences(recorded, table, screen):
        raise typer.Exit(1)


def _show_steps(one: KeptGame, number: int, screen: terminal.GameScreen) -> None:
    """Show the changes of each turn on the board; on a terminal, Enter shows the next turn."""
    level = "" if one.level == USUAL_LEVEL else f" ({one.level})"
    screen.remark(f"Game {number}: {_PLAYED[one.role]}{level}", "bold")
    rounds = list(
        zip_longest(*(_list_changed_lines(board, screen.console.encoding) for board in one.boards), fillvalue=[])
    )
    with terminal.open_line_input(screen.console, None) as typed:
        for place, turns in enumerate(rounds):
            if place and typed.is_terminal:
                if place == 1:
                    screen.remark("(Press Enter for the next guess, Ctrl-D to leave.)")
                if typed.line(screen.make_next_prompt) is None:
                    return
            for board, lines in zip(one.boards, turns, strict=True):
                # In a race the turns of the two sides alternate.
                has_title = bool(lines) and (not place or len(turns) > 1)
                screen.block([*[(Text(board.title, style="bold"), terminal.EMPTY_LINE)] * has_title, *lines])
    screen.remark(describe_game(one), "")


def _list_changed_lines(board: GuessBoard, encoding: str) -> list[list[terminal.Line]]:
    """Return the lines that each turn changed on a board."""
    return [list(terminal.draw_board_changes(before, after, encoding)) for before, after in pairwise(board.steps())]


class _RecordedLines(terminal.PipedLines):
    """The player's lines of a transcript."""

    def __init__(self, lines: list[str]) -> None:
        self._left = iter(lines)

    def line(self, prompt: terminal.Prompt) -> str | None:
        return next(self._left, None)


class _ReplayTable(GameTable):
    """The table of a transcript."""

    def _split_line(self, line: str, ears: Any) -> list[str]:
        return [line] if _parse_noticed(line) else super()._split_line(line, ears)

    def _understand(self, text: str, ears: Any) -> Typed:
        return _parse_noticed(text) or super()._understand(text, ears)

    def _say_farewell(self, kept: bool) -> str:
        return "The transcript ends here."


def _parse_noticed(line: str) -> Typed | None:
    """Read a phrase or a touch of a real robot; return None for a typed line."""
    heard, touched = _HEARD.fullmatch(line), _TOUCHED.fullmatch(line)
    if heard is not None:
        return Typed(heard.group(1), float(heard.group(2)))
    return None if touched is None else Typed(sensor=SENSORS[touched.group(1)])


def _play(recorded: RecordedGame, word_list: str, tree: str, screen: terminal.GameScreen) -> _ReplayTable:
    """Play with the settings and the lines of a transcript; raises `DeskError`."""
    renew_library()
    header = recorded.header
    language = str(header.settings.get("language") or DEFAULT_LANGUAGE)
    with (
        _write_list(header.words, header.checksum, word_list, tree, language) as path,
        open_simulated_robot(without=header.without, languages=list_spoken_languages(language)) as (robot, behaviour),
    ):
        robot.set(memory.SETTINGS_KEY, json.dumps({**header.settings, "words": path, "folder": ""}))
        robot.set(memory.GAME_KEY, header.unfinished)
        table = _ReplayTable(robot, screen, _RecordedLines(recorded.typed), True)
        table.play(behaviour)
        robot.set(memory.GAME_KEY, "")
    return table


@contextlib.contextmanager
def _write_list(name: str, checksum: str, word_list: str, tree: str, language: str) -> Iterator[str]:
    """Yield the path of a game's list: the named one, or the usual one with or without the user's own words."""
    for source in [word_list] if word_list else ["", language]:
        with load_playable_list(source, tree, language) as (found, path):
            if found.checksum == checksum:
                yield path
                return
    which = f"'{hide_login(word_list)}'" if word_list else "the usual one"
    raise DeskError(
        f"The transcript's list of words is '{name[:80]}', which is not {which} as it is now; name it with "
        "--words LIST."
    )


def _print_differences(recorded: RecordedGame, table: _ReplayTable, screen: terminal.GameScreen) -> bool:
    """Compare NAO's sentences with the transcript and print the differences; return whether there are any."""
    before = [text for who, text in recorded.said if who == "NAO"]
    now = [line.removeprefix("NAO  ") for line in table.transcript.lines if line.startswith("NAO  ")]
    pairs = enumerate(zip_longest(before, now, fillvalue=""), start=1)
    differing = [(number, then, today) for number, (then, today) in pairs if then != today]
    screen.print_blank()
    if not differing:
        screen.remark(f"NAO said the same {len(now)} sentences as in the transcript.", "")
    for number, then, today in differing[:_MOST_SHOWN]:
        screen.remark(f"Sentence {number} of NAO differs:", "yellow")
        screen.remark(f"in the transcript: {then or '(nothing)'}", "")
        screen.remark(f"             now: {today or '(nothing)'}", "")
    if len(differing) > _MOST_SHOWN:
        screen.remark(f"{len(differing)} sentences differ in all.", "yellow")
    return bool(differing)
