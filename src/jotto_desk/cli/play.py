"""`jotto play`: play with the simulated NAO in the terminal or on a page, or with a robot."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.console import Console

from jotto.words import WordList
from jotto_behaviour import memory, mind
from jotto_behaviour.files import Notebook
from jotto_behaviour.settings import DEFAULT_LANGUAGE, KEEP_LOG, LEVELS, is_certainty
from jotto_desk import files
from jotto_desk.cli import options, page_options, shell
from jotto_desk.cli.options import (
    LEVEL,
    Language,
    Model,
    PlayedList,
    Strategy,
    TreeFile,
    load_playable_list,
    role_option,
)
from jotto_desk.cli.page_options import PageOptions, page_errors
from jotto_desk.cli.shell import ADVANCED, GAME, OUTPUT, CommandLine, examples
from jotto_desk.errors import DeskError
from jotto_desk.history import Translated
from jotto_desk.play.page.texts import translate_into
from jotto_desk.play.table import GameTable, TranscriptHeader, write_transcript
from jotto_desk.play.terminal import GameScreen, is_typed, line_input
from jotto_desk.rehearsal.robots import (
    RobotAddress,
    behaviour_file,
    import_paths,
    open_far_robot,
    open_simulated_robot,
    renew_library,
    spoken_by_nao,
)
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY, check_model

if TYPE_CHECKING:
    from naosim_page.ears import Ears

    from jotto_desk.play.robot_tables import VoicedTable
    from naosim_live.hosting import HostedRobot

# Settings of speech recognition: confidence thresholds, and the log of heard phrases.

_GIVEN = re.compile(r"[0-9.]{1,8}")


def _ear_settings(certainty: str, keep_log: bool, hears: bool) -> dict[str, Any]:
    """Return the settings of --certainty and --keep-log; raises DeskError if they are wrong, or NAO does not listen."""
    for option, is_given in (("--certainty", bool(certainty)), ("--keep-log", keep_log)):
        if is_given and not hears:
            raise DeskError(f"{option} is for a game by voice: add --voice, or --robot URL.")
    found: dict[str, Any] = {KEEP_LOG: True} if keep_log else {}
    return found | ({"certainty": _certainty(certainty)} if certainty else {})


def _certainty(given: str) -> list[float]:
    """Return the two confidences of a text; raises DeskError.

    >>> _certainty("0.2,0.75")
    [0.2, 0.75]
    """
    parts = given.split(",")
    try:
        found = [float(part) for part in parts if _GIVEN.fullmatch(part)]
    except ValueError:
        found = []
    if len(parts) != 2 or not is_certainty(found):
        raise DeskError(
            f"{given[:40]!r} is no pair of confidences; write the one below which NAO asks again and the "
            "one below which it asks you to confirm, such as 0.2,0.75."
        )
    return found


# `jotto play --voice`.


class _VoiceChosen(NamedTuple):
    """A recogniser with its model, and a sound file to play instead of the microphone."""

    recogniser: str
    model: str
    file: Path | None

    def settings(self) -> dict[str, Any]:
        """Return NAO's settings for this recogniser: the confidence thresholds."""
        return {"certainty": list(VOICE_CERTAINTY)}

    @contextlib.contextmanager
    def table(self, robot: Any, screen: GameScreen, forgets: bool) -> Iterator[VoicedTable]:
        """Open recogniser and device for one game; raises DeskError if one of them cannot be used."""
        from jotto_desk.play.robot_tables import VoicedTable
        from naosim_live.voice import devices
        from naosim_live.voice.errors import VoiceError
        from naosim_live.voice.recogniser import recogniser

        try:
            ears = recogniser(self.recogniser, self.model)
            with contextlib.closing(devices.device(self.file)) as device:
                yield VoicedTable(robot, screen, forgets, ears, device)
        except VoiceError as error:
            raise DeskError(str(error)) from error

    def ears(self) -> Ears:
        """Return the speech recognition of a page; raises DeskError if the recogniser cannot be used."""
        from naosim_page.ears import Ears

        from naosim_live.voice.errors import VoiceError
        from naosim_live.voice.recogniser import recogniser

        try:
            recogniser(self.recogniser, self.model)
        except VoiceError as error:
            raise DeskError(str(error)) from error
        return Ears(self.recogniser, self.model)


#: The voice of a page without --voice: it has a microphone button if a recogniser is installed.
_NO_VOICE = _VoiceChosen("", "", None)


def _list_spoken_languages(language: str, voiced: _VoiceChosen | None) -> tuple[str, ...]:
    """Return the languages of a simulated NAO by NAOqi's names; with a recogniser only that recogniser's language.

    >>> _list_spoken_languages("de", None)[:2], _list_spoken_languages("", _NO_VOICE)
    (('German', 'English'), ('English',))
    """
    spoken = spoken_by_nao(language or DEFAULT_LANGUAGE)
    return spoken if voiced is None else spoken[:1]


def _choose_voice_table(
    voice: bool, file: Path | None, recogniser: str, model: str, is_far: bool, is_page: bool, language: str = ""
) -> _VoiceChosen | None:
    """Return how to play by voice, None for a typed game; raises DeskError for options that contradict each other."""
    if not voice:
        given = {"--sound-file": file is not None, "--recogniser": bool(recogniser), "--model": bool(model)}
        for option in [name for name, is_given in given.items() if is_given]:
            raise DeskError(f"{option} is for a game by voice: add --voice.")
        return None
    if is_far:
        raise DeskError("--voice is for the simulated NAO: a robot at --robot URL has ears and a voice of its own.")
    if is_page and file is not None:
        raise DeskError("--sound-file stands for the microphone of the terminal: a page hears the browser's.")
    # The simulator is imported late, so that the other commands start at once.
    from naosim_live.voice.names import PLAIN, wanted

    check_model(language, model, recogniser or PLAIN)
    return _VoiceChosen(wanted(recogniser, model), model, file)


# `jotto play --page`: NAO in a process of its own, and a server for its page.

_TITLE = "NAO plays Jotto"


def _play_on_page(settings: dict[str, Any], forget: bool, page: PageOptions, voiced: _VoiceChosen | None) -> None:
    """Serve the page of a game until Ctrl-C; raises `DeskError`."""
    if page.replay is not None:
        _replay(page.replay, settings, page)
        return
    with page_errors(), contextlib.ExitStack() as stack:
        from naosim_page.recording import Recording
        from naosim_page.recording_file import keep_recording
        from naosim_page.server import serve_page
        from naosim_page.site import find_libraries

        from jotto_desk.play.page import GamePage, RobotOverClient, SharedPage
        from jotto_desk.play.page.site import VIEWS, worker_content

        access, libraries = page.access(), find_libraries()
        language = settings.get("language", "")
        ears = _choose_ears(voiced, language)
        settings = (_NO_VOICE.settings() if ears is not None else {}) | settings
        robot = stack.enter_context(_hosted(settings, forget, voiced))
        title = translate_into(language)(_TITLE)
        recording = Recording(title)
        stack.enter_context(keep_recording(recording, str(page.record or "")))
        serve_page(
            robot,
            libraries=libraries,
            game=SharedPage(GamePage(RobotOverClient(robot), settings)),
            views=VIEWS,
            content=worker_content(),
            start="play",
            language=language or DEFAULT_LANGUAGE,
            starts=True,
            port=page.port,
            title=title,
            access=access,
            ears=ears,
            recording=recording if page.record else None,
        )


def _replay(file: Path, settings: dict[str, Any], page: PageOptions) -> None:
    """Serve the page of a recorded game until Ctrl-C; raises `DeskError`."""
    with page_errors():
        from naosim_page.recording_file import load_recording
        from naosim_page.server import serve_page
        from naosim_page.site import find_libraries

        from jotto_desk.play.page import GamePage, RecordedRobot, SharedPage
        from jotto_desk.play.page.site import VIEWS, worker_content

        access, recording = page.access(), load_recording(str(file))
        shown = {"words": settings["words"], "folder": ""}
        serve_page(
            None,
            libraries=find_libraries(),
            show_recorded=lambda place: SharedPage(GamePage(RecordedRobot(place), shown)),
            views=VIEWS,
            content=worker_content(),
            start="play",
            language=settings.get("language", ""),
            port=page.port,
            title=recording.title,
            access=access,
            recording=recording,
        )


def _choose_ears(voiced: _VoiceChosen | None, language: str) -> Ears | None:
    """Return the page's speech recognition; None if there is none. Without --voice it only understands English."""
    from naosim_page.ears import Ears

    ears = Ears() if voiced is None else voiced.ears()
    return None if ears.missing or (voiced is None and language not in ("", DEFAULT_LANGUAGE)) else ears


@contextlib.contextmanager
def _hosted(settings: dict[str, Any], forget: bool, voiced: _VoiceChosen | None) -> Iterator[HostedRobot]:
    """Open a robot in a process of its own, with the game loaded; raises NaosimError."""
    from naosim_page.command import load_behaviour

    from naosim_live.hosting import HostedRobot

    languages = _list_spoken_languages(settings.get("language", ""), voiced)
    with HostedRobot(languages=languages, import_paths=import_paths()) as robot:
        _store(robot, memory.SETTINGS_KEY, json.dumps(settings))
        if forget:
            _store(robot, memory.GAME_KEY, "")
        load_behaviour(robot, str(behaviour_file()))
        yield robot


def _store(robot: Any, key: str, value: str) -> None:
    """Store a text in the robot's memory."""
    try:
        robot.call("ALMemory", "insertData", [key, value]).result()
    except RuntimeError as error:
        raise DeskError(str(error)) from error


# The command, and the game in the terminal.

app = CommandLine()
_EXAMPLES = examples(
    "jotto play",
    "jotto play --words mywords.txt --strategy consistent",
    "jotto play --role i-guess --level easy",
    'jotto play --language fr    (or say "parlons français" when NAO asks who guesses)',
    "jotto play --transcript game.txt    (see it again: jotto replay game.txt)",
    "jotto play --voice   (microphone and loudspeaker)",
    "jotto play --page    (NAO in the browser; with --voice you speak with it there)",
    "jotto play --page --record game.jsonl    (see it again: jotto play --page --replay game.jsonl)",
    "jotto play --robot nao.local",
    "printf 'ready\\nno\\n1\\n2\\nstop\\nyes\\n' | jotto play --seed 1",
)
_TRANSCRIPT = "Save the conversation for jotto replay, with squares to share at the end."
#: The file with the lines typed in earlier games, for the arrow keys.
_HISTORY = "typed.txt"
_ROLE = "nao-guesses: NAO guesses your word; i-guess: you guess NAO's; race: both. By default NAO asks."
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
_TranscriptFile = Annotated[
    Path | None, typer.Option("--transcript", metavar="FILE", rich_help_panel=OUTPUT, help=_TRANSCRIPT)
]
Voice = Annotated[
    bool,
    typer.Option(
        "--voice", rich_help_panel=GAME, help="Speak with NAO through microphone and loudspeaker, here or on the page."
    ),
]
_SoundFile = Annotated[
    Path | None,
    typer.Option(
        "--sound-file",
        metavar="IN.wav",
        rich_help_panel=ADVANCED,
        help="With --voice: a recording of the player, instead of the microphone.",
    ),
]
_Certainty = Annotated[
    str,
    typer.Option(
        "--certainty",
        metavar="LOW,HIGH",
        rich_help_panel=ADVANCED,
        help="Confidences: below LOW NAO asks again, below HIGH it asks you to confirm; see jotto voice learn.",
    ),
]
_KeepLog = Annotated[
    bool,
    typer.Option(
        "--keep-log",
        rich_help_panel=ADVANCED,
        help="Log each recognised phrase, its confidence and its question in NAO's notebook; no sound.",
    ),
]


@app.command(epilog=_EXAMPLES)
def play(
    word_list: PlayedList = "",
    role: Annotated[str, role_option(_ROLE, GAME)] = "",
    level: Annotated[str, shell.choice_option("--level", options=LEVELS, what="level", help=LEVEL, panel=GAME)] = "",
    language: Language = "",
    strategy: Strategy = mind.DEFAULT_STRATEGY,
    forget: Forget = False,
    tree: TreeFile = "",
    seed: Seed = 0,
    transcript: _TranscriptFile = None,
    voice: Voice = False,
    sound_file: _SoundFile = None,
    recogniser: options.RecogniserName = "",
    model: Model = "",
    certainty: _Certainty = "",
    keep_log: _KeepLog = False,
    page: page_options.Page = False,
    port: page_options.Port = page_options.PORT,
    host: page_options.Host = page_options.HOST,
    certificate: page_options.Certificate = None,
    key: page_options.Key = None,
    token: page_options.Token = "",
    insecure: page_options.Insecure = False,
    record: page_options.Record = None,
    replay: page_options.Replay = None,
    url: options.Url = "",
    user: options.User = "",
    password_file: options.PasswordFile = None,
    patience: options.Patience = 60.0,
) -> None:
    """Play Jotto with a simulated NAO or a real one; either way the behaviour runs on this computer."""
    far = options.robot_address(url, user, password_file, patience)
    shell.check_outputs(transcript)
    renew_library()
    voiced = _choose_voice_table(voice, sound_file, recogniser, model, far is not None, page, language)
    ears = _ear_settings(certainty, keep_log, voice or far is not None)
    wanted = {
        "strategy": strategy,
        "seed": seed or secrets.randbelow(2**31 - 1) + 1,
        "role": role,
        "level": level,
        **({"language": language} if language else {}),
    }
    with load_playable_list(word_list, tree, language or DEFAULT_LANGUAGE) as (wordlist, path):
        settings = {
            **wanted,
            "words": path,
            "folder": "" if forget else str(files.data_folder()),
            **(voiced.settings() if voiced else {}),
            **ears,
        }
        asked = page_options.PageOptions(port, host, certificate, key, token, insecure, record, replay)
        if _is_on_page(page, asked, far, transcript):
            _play_on_page(settings, forget, asked, voiced)
            return
        _play_here(settings, wanted, wordlist, far, forget, transcript, voiced)


def _play_here(
    settings: dict[str, Any],
    wanted: dict[str, Any],
    wordlist: WordList,
    far: RobotAddress | None,
    forget: bool,
    transcript: Path | None,
    voiced: _VoiceChosen | None,
) -> None:
    """Play in the terminal; raises `DeskError`."""
    folder, language = Path(settings["folder"]) if settings["folder"] else None, str(wanted.get("language", ""))
    screen = _screen(translate_into(language))
    with _robot(far, screen, language, voiced) as (robot, behaviour), _settled(robot, settings, forget):
        header = TranscriptHeader(wanted, wordlist.name, wordlist.checksum, _unfinished(robot, folder), [])
        with _seated(robot, far, screen, forget, folder, voiced) as table, _writing(transcript, header, table):
            table.play(behaviour)


@contextlib.contextmanager
def _seated(
    robot: Any,
    far: RobotAddress | None,
    screen: GameScreen,
    forget: bool,
    folder: Path | None,
    voiced: _VoiceChosen | None,
) -> Iterator[GameTable]:
    """Open the table of a game by voice or by typed lines."""
    if voiced is not None:
        with voiced.table(robot, screen, forget) as table:
            yield table
    else:
        with line_input(screen.console, folder and folder / _HISTORY) as lines:
            yield _table(robot, far)(robot, screen, lines, forget)


def _screen(texts: Translated) -> GameScreen:
    console = Console(highlight=False)
    return GameScreen(console, console.is_terminal or is_typed(), texts)


@contextlib.contextmanager
def _settled(robot: Any, settings: dict[str, Any], forget: bool) -> Iterator[None]:
    """Store the settings on the robot; with `forget`, remove its saved game before and after."""
    robot.set(memory.SETTINGS_KEY, json.dumps(settings))
    if forget:
        robot.set(memory.GAME_KEY, "")
    try:
        yield
    finally:
        if forget:
            robot.set(memory.GAME_KEY, "")


def _is_on_page(page: bool, asked: page_options.PageOptions, far: RobotAddress | None, transcript: Path | None) -> bool:
    """Return whether the game is on a page; raises `DeskError` for options that do not fit."""
    asked.check(page)
    if not page:
        return False
    if far is not None:
        raise DeskError("--page shows the simulated NAO at the desk: leave --robot out.")
    if transcript is not None:
        raise DeskError("A page writes no transcript: leave --transcript out.")
    return True


def _unfinished(robot: Any, folder: Path | None) -> str:
    """Return the unfinished game that NAO continues, as it is saved; "" if there is none."""
    notebook = Notebook(None if folder is None else str(folder))
    return str(robot.get(memory.GAME_KEY) or "") or notebook.unfinished()


@contextlib.contextmanager
def _writing(path: Path | None, header: TranscriptHeader, table: GameTable) -> Iterator[None]:
    """Write the transcript at the end of a game, also after an error."""
    try:
        yield
    finally:
        if path is not None:
            files.write_whole(path, write_transcript(header, table.transcript, table.finished.all()))
            said = table.texts("The transcript is in '{path}'.", path=path)
            table.screen.remark(f"({said})")


def _robot(
    far: RobotAddress | None, screen: GameScreen, language: str, voiced: _VoiceChosen | None
) -> AbstractContextManager[Any]:
    """Return the robot to play with; raises `DeskError`."""
    if far is None:
        return open_simulated_robot(languages=_list_spoken_languages(language, voiced))
    return open_far_robot(far, tell=lambda text: screen.remark(f"({text})"), language=language)


def _table(robot: Any, far: RobotAddress | None) -> Any:
    """Return the class of the table: a robot on the network may be lost, and a real one has real time."""
    if far is None:
        return GameTable
    from jotto_desk.play.robot_tables import RealRobotTable, RemoteTable

    return RemoteTable if robot.has_human else RealRobotTable
