"""`jotto rehearse`: a simulated person plays with the simulated NAO."""

import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from jotto import chance, roster, treefile
from jotto.rules import JOTTO
from jotto.strategies import Walk
from jotto.wordlist import WordList
from jotto_behaviour import resources, trees
from jotto_behaviour.roles import BREAKER, MAKER
from jotto_desk import files, words
from jotto_desk.errors import DeskError

from .. import robot_connection
from ..robot_connection import robot_address
from ..shell import ADVANCED, GAME, OUTPUT, PERSON, choices, outputs
from ..shell.commands import CommandLine
from ..shell.shared import Json
from ..simulated_robot import renew_library
from .batch import RobotChoice, play_all, summary
from .game import GameRecord, RehearsalSettings
from .person import Trouble

MOST_GAMES = 100_000

app = CommandLine()
_EXAMPLES = """
Examples:

  jotto rehearse --secret ocean

  jotto rehearse --sample 200 --seed 3 --mishear 0.1

  jotto rehearse --all --strategy consistent --json

  jotto rehearse --sample 50 --python python2.7

  jotto rehearse --all --words mywords.txt --tree mywords.tree

  jotto rehearse --role maker --sample 300 --mishear 0.1

  jotto rehearse --sample 20 --robot tcp://127.0.0.1:9559
"""
ROLE = "NAO's role: breaker guesses the person's words; maker thinks of words, and the person guesses."
STRATEGIES = """How NAO guesses: tree (entropy where there is no tree for the list), entropy or consistent; belief is
tree, and NAO plays on when one of the answers may be wrong."""
TREE = "A tree file for the list; else the one beside it with the ending .tree, or the game's own."
Strategy = Annotated[str, choices.chosen(
    "--strategy", options=tuple(roster.STRATEGIES), what="strategy", help=STRATEGIES, panel=GAME)]
Words = Annotated[str, typer.Option(
    "--words", metavar="LIST", rich_help_panel=GAME, autocompletion=choices.word_lists,
    help="A word list: file, URL or name.")]
TreeFile = Annotated[str, typer.Option("--tree", metavar="FILE", rich_help_panel=ADVANCED, help=TREE)]
Without = Annotated[list[str] | None, typer.Option(
    "--without", metavar="SERVICE", rich_help_panel=ADVANCED, autocompletion=choices.services,
    help="A service the robot lacks.")]


@app.command(epilog=_EXAMPLES)
def rehearse(  # noqa: PLR0917
    secret: Annotated[str, typer.Option(
        metavar="WORD", rich_help_panel=GAME, help="Play one game with this word and print what is said.")] = "",
    all_words: Annotated[bool, typer.Option(
        "--all", rich_help_panel=GAME, help="Play every word of the list.")] = False,
    sample: Annotated[int, typer.Option(
        min=0, max=MOST_GAMES, rich_help_panel=GAME, help="Play this many words of the list.")] = 0,
    role: Annotated[str, choices.chosen(
        "--role", options=(BREAKER, MAKER), what="role", help=ROLE, panel=GAME)] = BREAKER,
    mishear: Annotated[float, typer.Option(
        min=0, max=0.9, rich_help_panel=PERSON, help="Chance that NAO hears another answer.")] = 0.0,
    silence: Annotated[float, typer.Option(
        min=0, max=0.9, rich_help_panel=PERSON, help="Chance of no answer.")] = 0.0,
    mistake: Annotated[float, typer.Option(
        min=0, max=0.9, rich_help_panel=PERSON, help="Chance of a wrong score.")] = 0.0,
    without: Without = None,
    touch: Annotated[bool, typer.Option(
        "--touch", rich_help_panel=PERSON, help="Answer by touching the head alone.")] = False,
    python: Annotated[str, typer.Option(
        metavar="PATH", rich_help_panel=ADVANCED, help="Run the behaviour in this interpreter.")] = "",
    behaviour: Annotated[str, typer.Option(
        metavar="FILE", rich_help_panel=ADVANCED, help="Another behavior.xar to play.")] = "",
    strategy: Strategy = resources.DEFAULT_STRATEGY,
    tree: TreeFile = "",
    word_list: Words = "",
    seed: Annotated[int, typer.Option(
        min=0, max=2**31 - 1, rich_help_panel=ADVANCED, help="The same seed plays the same games.")] = 1,
    jobs: Annotated[int, typer.Option(
        min=0, max=256, rich_help_panel=ADVANCED, help="Processes; 0 is one per core.")] = 0,
    transcripts: Annotated[Path | None, typer.Option(
        metavar="FILE", rich_help_panel=OUTPUT, help="Write every game's lines into this file.")] = None,
    as_json: Json = False,
    url: robot_connection.Url = "",
    user: robot_connection.User = "",
    password_file: robot_connection.PasswordFile = None,
    events: robot_connection.Events = "auto",
    patience: robot_connection.Patience = 60.0,
) -> None:
    """Let a simulated person play with the simulated NAO, by speech recognition."""
    outputs.ready(transcripts)
    choice = _robot_choice(python, without or (), behaviour, robot_address(url, user, password_file, events, patience))
    renew_library()
    with playable(word_list, tree) as (wordlist, path):
        strategy = _walked(path, strategy)
        secrets = _secrets(wordlist, secret, all_words, sample, seed, role)
        setting = RehearsalSettings(path, strategy, seed, "", Trouble(mishear, silence, mistake), touch, role)
        start = time.perf_counter()
        records = list(_shown(play_all(secrets, setting, choice, jobs or os.cpu_count() or 1), len(secrets)))
    outcome = summary(records, setting, wordlist.name) | {"seconds": round(time.perf_counter() - start, 1)}
    _tell(records, outcome, bool(secret), as_json)
    _write(transcripts, records)
    if outcome["failures"]:
        raise typer.Exit(1)


def _robot_choice(python: str, without: Iterable[str], behaviour: str,
                  far: robot_connection.RobotAddress | None) -> RobotChoice:
    """Put together where games are played; a robot far away is as it is."""
    if far is not None and (python or without):
        raise DeskError("--python and --without are for the simulated robot at the desk, not for one at --robot URL.")
    return RobotChoice(python, tuple(without), behaviour, far)


def _tell(records: list[GameRecord], outcome: dict[str, Any], whole: bool, as_json: bool) -> None:
    """Print the outcome, and of a single game all of it."""
    if not as_json:
        _print(records, outcome, whole)
        return
    if whole:
        outcome |= {"transcript": records[0].transcript.splitlines(), "attempts": records[0].attempts}
    typer.echo(json.dumps(outcome))


def _write(transcripts: Path | None, records: list[GameRecord]) -> None:
    """Write what was said in every game, where that is wanted."""
    if transcripts is not None:
        files.write_whole(transcripts, "\n\n".join(f"# {one.secret}\n{one.transcript}" for one in records) + "\n")


@contextlib.contextmanager
def playable(source: str, tree: str = "") -> Iterator[tuple[WordList, str]]:
    """Load a list for a game: the words, and the path of a file of them for the robot (empty for the robot's own).

    A tree given, or lying beside the list, lies beside that file. Raises `DeskError` for what cannot be read.
    """
    wordlist = words.load(source, JOTTO) if source else words.default_list(JOTTO)
    plain = words.default_list(JOTTO, own=False)
    walked = files.read_bounded(tree, treefile.MOST_BYTES, "tree file") if tree else _beside(source)
    if wordlist.checksum == plain.checksum and walked is None:
        yield wordlist, ""
        return
    with tempfile.TemporaryDirectory(prefix="jotto-") as folder:
        path = Path(folder) / (Path(wordlist.name).stem[:60] + ".tsv")
        files.write_whole(path, "".join(f"{word}\t{band}\n" if band else f"{word}\n"
                                        for word, band in zip(wordlist.words, wordlist.bands, strict=True)))
        if walked is not None:
            files.write_whole(trees.beside(str(path)), walked)
        yield wordlist, str(path)


def _beside(source: str) -> bytes | None:
    """Read the tree beside a list that is a file, one byte more than a tree may have; None where there is none."""
    if not source or source in words.names() or not Path(source).is_file():
        return None
    place = Path(trees.beside(source))
    with contextlib.suppress(OSError):
        if place.is_file():
            with place.open("rb") as file:
                return file.read(treefile.MOST_BYTES + 1)
    return None


def _walked(path: str, strategy: str) -> str:
    """Name the strategy that is really played: a walk without a tree is entropy; say why a tree is not used."""
    mind = resources.mind(path, strategy, ())
    for remark in mind.remarks:
        print(remark, file=sys.stderr)
    if isinstance(mind.strategy, Walk) and mind.strategy.tree is None:
        return mind.strategy.otherwise.name
    return strategy


def _secrets(  # noqa: PLR0917
    wordlist: WordList, secret: str, all_words: bool, sample: int, seed: int, role: str
) -> list[str]:
    """Choose the person's words; where NAO thinks of the words, number the games."""
    if role == MAKER:
        if secret or all_words or not sample:
            raise DeskError("NAO chooses its words itself with --role maker; say how many games: --sample N.")
        return [str(number) for number in range(1, sample + 1)]
    if bool(secret) + all_words + bool(sample) != 1:
        raise DeskError("Say what to play: --secret WORD, --all, or --sample N (one of them).")
    if secret:
        from jotto.wordlist import fold

        JOTTO.check(fold(secret))
        return [fold(secret)]
    return list(wordlist.words) if all_words else chance.sample(wordlist.words, sample, seed, "secrets")


def _shown(records: Iterable[GameRecord], total: int) -> Iterator[GameRecord]:
    """Show a progress bar on the terminal while games are played."""
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=total < 20) as progress:
        task = progress.add_task("playing", total=total)
        for record in records:
            progress.advance(task)
            yield record


def _print(records: list[GameRecord], outcome: dict[str, Any], whole: bool) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if whole:
        console.print(records[0].transcript, markup=False)
        for failure in records[0].failures:
            console.print(f"FAILED: {failure}", style="bold red", markup=False)
        return
    how = f"strategy {outcome['strategy']}" if "role" not in outcome else f"{outcome['scores']} scores checked"
    table = Table(title=f"{outcome['games']} games on list {outcome['list']}, {how}, seed {outcome['seed']}")
    table.add_column("attempts", justify="right")
    table.add_column("games", justify="right")
    table.add_column("")
    most = max(outcome["histogram"].values(), default=1)
    for number, count in outcome["histogram"].items():
        table.add_row(number, str(count), "█" * max(1, round(40 * count / most)))
    console.print(table)
    attempts = f", mean {outcome['mean']} attempts (the winning guess counted), at most {outcome['max']}"
    console.print(f"found {outcome['found']} of {outcome['games']}{attempts if outcome['found'] else ''}; "
                  f"{outcome['seconds']} s")
    for failed in outcome["failures"][:20]:
        console.print(f"FAILED {failed['secret']}: {'; '.join(failed['failures'])[:500]}", markup=False)
