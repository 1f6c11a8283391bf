"""`jotto play`: a person plays with the simulated NAO in the terminal, or with a robot."""

import contextlib
import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from jotto.words import WordList
from jotto_behaviour import memory, mind
from jotto_behaviour.files import Notebook
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LEVELS
from jotto_desk import files
from jotto_desk.errors import DeskError
from jotto_desk.page.page_texts import page_texts
from naosim_live.page.texts import Texts
from naosim_live.voice.names import RECOGNISERS

from .. import page_options, robot_connection
from ..playable_list import playable
from ..rehearsal.options import LEVEL, Language, Model, Strategy, TreeFile, Without, Words
from ..role_option import role_option
from ..shell import ADVANCED, GAME, OUTPUT, choices, outputs
from ..shell.commands import CommandLine
from ..simulated_robot import renew_library, simulated_robot
from .ear_wishes import ear_settings
from .line_input import is_typed, line_input
from .page import play_on_page
from .screen import GameScreen
from .table import GameTable
from .transcript_file import TranscriptHeader, written
from .voice_choice import VoiceChosen, played_in, voice_choice

app = CommandLine()
_EXAMPLES = """
Examples:

  jotto play

  jotto play --words mywords.txt --strategy consistent

  jotto play --role i-guess --level easy

  jotto play --language fr    (or say "parlons français" when NAO asks who guesses)

  jotto play --transcript game.txt    (see it again: jotto replay game.txt)

  jotto play --voice   (microphone and loudspeaker)

  jotto play --page    (NAO in the browser; with --voice you speak with it there)

  jotto play --page --record game.jsonl    (see it again: jotto play --page --replay game.jsonl)

  jotto play --page --visitors 30 --host 0.0.0.0 --tls-cert class.pem --tls-key class.key

  jotto play --robot nao.local

  printf 'ready\\nno\\n1\\n2\\nstop\\nyes\\n' | jotto play --seed 1
"""
TRANSCRIPT = "Save the conversation for jotto replay, with squares to share at the end."
#: What was typed in earlier games, for the arrow keys.
HISTORY = "typed.txt"
ROLE = "nao-guesses: NAO guesses your word; i-guess: you guess NAO's; race: both. By default NAO asks."
Forget = Annotated[
    bool,
    typer.Option(
        "--forget", rich_help_panel=GAME, help="Start fresh: ignore an unfinished game, and don't save this one."
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        min=0, max=2**31 - 1, rich_help_panel=ADVANCED, help="The same seed plays the same game; 0 draws one."
    ),
]
TranscriptFile = Annotated[
    Path | None, typer.Option("--transcript", metavar="FILE", rich_help_panel=OUTPUT, help=TRANSCRIPT)
]
Voice = Annotated[
    bool,
    typer.Option(
        "--voice", rich_help_panel=GAME, help="Speak with NAO through microphone and loudspeaker, here or on the page."
    ),
]
SoundFile = Annotated[
    Path | None,
    typer.Option(
        "--sound-file",
        metavar="IN.wav",
        rich_help_panel=ADVANCED,
        help="With --voice: a recording of the player, instead of the microphone.",
    ),
]
RecogniserName = Annotated[
    str,
    choices.chosen(
        "--recogniser",
        options=tuple(RECOGNISERS),
        what="recogniser",
        panel=ADVANCED,
        help="Speech recogniser for --voice; default: moonshine if it is installed, else pocketsphinx.",
    ),
]
Certainty = Annotated[
    str,
    typer.Option(
        "--certainty",
        metavar="LOW,HIGH",
        rich_help_panel=ADVANCED,
        help="Confidences: below LOW NAO asks again, below HIGH it asks you to confirm; see jotto voice learn.",
    ),
]
KeepLog = Annotated[
    bool,
    typer.Option(
        "--keep-log",
        rich_help_panel=ADVANCED,
        help="Log each recognised phrase, its confidence and its question in NAO's notebook; no sound.",
    ),
]


@app.command(epilog=_EXAMPLES)
def play(
    word_list: Words = "",
    role: Annotated[str, role_option(ROLE, GAME)] = "",
    level: Annotated[str, choices.chosen("--level", options=LEVELS, what="level", help=LEVEL, panel=GAME)] = "",
    language: Language = "",
    strategy: Strategy = mind.DEFAULT_STRATEGY,
    forget: Forget = False,
    tree: TreeFile = "",
    seed: Seed = 0,
    without: Without = None,
    transcript: TranscriptFile = None,
    voice: Voice = False,
    sound_file: SoundFile = None,
    recogniser: RecogniserName = "",
    model: Model = "",
    certainty: Certainty = "",
    keep_log: KeepLog = False,
    page: page_options.Page = False,
    port: page_options.Port = page_options.PORT,
    visitors: page_options.Visitors = 1,
    host: page_options.Host = page_options.HOST,
    certificate: page_options.Certificate = None,
    key: page_options.Key = None,
    token: page_options.Token = "",
    insecure: page_options.Insecure = False,
    record: page_options.Record = None,
    replay: page_options.Replay = None,
    url: robot_connection.Url = "",
    user: robot_connection.User = "",
    password_file: robot_connection.PasswordFile = None,
    events: robot_connection.Events = "auto",
    patience: robot_connection.Patience = 60.0,
) -> None:
    """Play Jotto with a simulated NAO or a real one; either way the behaviour runs on this computer."""
    far = robot_connection.robot_address(url, user, password_file, events, patience)
    outputs.ready(transcript)
    renew_library()
    voiced = voice_choice(voice, sound_file, recogniser, model, far is not None, page, language)
    ears = ear_settings(certainty, keep_log, voice or far is not None)
    wanted = {
        "strategy": strategy,
        "seed": seed or secrets.randbelow(2**31 - 1) + 1,
        "role": role,
        "level": level,
        **({"language": language} if language else {}),
    }
    with playable(word_list, tree, language or DEFAULT_LANGUAGE) as (wordlist, path):
        settings = {
            **wanted,
            "words": path,
            "folder": "" if forget else str(files.data_folder()),
            **(voiced.settings() if voiced else {}),
            **ears,
        }
        asked = page_options.PageOptions(port, visitors, host, certificate, key, token, insecure, record, replay)
        if _is_on_page(page, asked, far, transcript):
            play_on_page(settings, without or (), forget, asked, draws_seeds=not seed, voiced=voiced)
            return
        _play_here(settings, wanted, wordlist, far, without or [], forget, transcript, voiced)


def _play_here(
    settings: dict[str, Any],
    wanted: dict[str, Any],
    wordlist: WordList,
    far: robot_connection.RobotAddress | None,
    lacking: list[str],
    forget: bool,
    transcript: Path | None,
    voiced: VoiceChosen | None,
) -> None:
    """Play in the terminal; raises `DeskError`."""
    folder, language = Path(settings["folder"]) if settings["folder"] else None, str(wanted.get("language", ""))
    screen = _screen(page_texts(language))
    with _robot(far, lacking, screen, language, voiced) as (robot, behaviour), _settled(robot, settings, forget):
        header = TranscriptHeader(wanted, wordlist.name, wordlist.checksum, _unfinished(robot, folder), lacking)
        with _seated(robot, far, screen, forget, folder, voiced) as table, _writing(transcript, header, table):
            table.play(behaviour)


@contextlib.contextmanager
def _seated(
    robot: Any,
    far: robot_connection.RobotAddress | None,
    screen: GameScreen,
    forget: bool,
    folder: Path | None,
    voiced: VoiceChosen | None,
) -> Iterator[GameTable]:
    """Open the table to play at: by voice, or by lines that are typed."""
    if voiced is not None:
        with voiced.table(robot, screen, forget) as table:
            yield table
    else:
        with line_input(screen.console, folder and folder / HISTORY) as lines:
            yield _table(robot, far)(robot, screen, lines, forget)


def _screen(texts: Texts) -> GameScreen:
    console = Console(highlight=False)
    return GameScreen(console, console.is_terminal or is_typed(), texts)


@contextlib.contextmanager
def _settled(robot: Any, settings: dict[str, Any], forget: bool) -> Iterator[None]:
    """Tell the robot the settings, and see that it keeps no game which is to be forgotten."""
    robot.set(memory.SETTINGS_KEY, json.dumps(settings))
    if forget:
        robot.set(memory.GAME_KEY, "")
    try:
        yield
    finally:
        if forget:
            robot.set(memory.GAME_KEY, "")


def _is_on_page(
    page: bool, asked: page_options.PageOptions, far: robot_connection.RobotAddress | None, transcript: Path | None
) -> bool:
    """Tell whether the game is on a page; refuse what does not go with that, or only goes with it, as `DeskError`."""
    asked.check(page)
    if not page:
        return False
    if far is not None:
        raise DeskError("--page shows the simulated NAO at the desk: leave --robot out.")
    if transcript is not None:
        raise DeskError("A page writes no transcript: leave --transcript out.")
    return True


def _unfinished(robot: Any, folder: Path | None) -> str:
    """Return the unfinished game that NAO goes on with, as it is written down; empty when there is none."""
    notebook = Notebook(None if folder is None else str(folder))
    return str(robot.get(memory.GAME_KEY) or "") or notebook.unfinished()


@contextlib.contextmanager
def _writing(path: Path | None, header: TranscriptHeader, table: GameTable) -> Iterator[None]:
    """Write the transcript of the game played meanwhile, however it ends."""
    try:
        yield
    finally:
        if path is not None:
            files.write_whole(path, written(header, table.transcript, table.finished.all()))
            said = table.texts("The transcript is in '{path}'.", path=path)
            table.screen.remark(f"({said})")


def _robot(
    far: robot_connection.RobotAddress | None,
    without: Sequence[str],
    screen: GameScreen,
    language: str,
    voiced: VoiceChosen | None,
) -> AbstractContextManager[Any]:
    """Open the robot to play with; raises `DeskError`."""
    if far is None:
        return simulated_robot(without=without, languages=played_in(language, voiced))
    if without:
        raise DeskError("--without takes services from the simulated robot at the desk, not from one at --robot URL.")
    return robot_connection.far_robot(far, tell=lambda text: screen.remark(f"({text})"), language=language)


def _table(robot: Any, far: robot_connection.RobotAddress | None) -> Any:
    """Choose the table: a robot far away may be lost, and with a real one time is real."""
    if far is None:
        return GameTable
    from .remote_game import RealRobotTable, RemoteTable

    return RemoteTable if robot.has_human else RealRobotTable
