"""`jotto play`: play with the simulated NAO in the terminal or on a page, or with a robot."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from rich.console import Console

from jotto.words import WordList
from jotto_behaviour import memory, mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE, GIVEN, KEEP_LOG, TYPED, find_code, is_certainty
from jotto_desk import files
from jotto_desk.cli import options, shell
from jotto_desk.cli.shell import ADVANCED, GAME, OUTPUT, CommandLine, option
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.play.page.texts import translate_into
from jotto_desk.play.table import GameTable, TranscriptHeader, write_transcript
from jotto_desk.play.terminal import GameScreen, is_typed, open_line_input
from jotto_desk.rehearsal import robots
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY, check_spoken

if TYPE_CHECKING:
    from jotto_desk.play.robot_tables import VoicedTable
    from naosim_page.ears import Ears
    from naosim_robots.hosting import HostedRobot

# Speech recognition: its options, its settings, and `jotto play --voice`.

_CONFIDENCE = re.compile(r"[0-9.]{1,8}")
_advanced_option = partial(option, panel=ADVANCED)
#: NAO's settings for a recogniser of this computer: the confidence thresholds.
_VOICE_SETTINGS = {"certainty": list(VOICE_CERTAINTY)}


@dataclass(frozen=True)
class _Hearing:
    """The options for a game by voice."""

    voice: Annotated[
        bool, option("Speak with NAO through microphone and loudspeaker, here or on the page.", "--voice", panel=GAME)
    ] = False
    sound_file: Annotated[
        Path | None,
        _advanced_option("With --voice: a recording of the player, instead of the microphone.", metavar="IN.wav"),
    ] = None
    headphones: Annotated[
        bool,
        _advanced_option('With --voice: you hear NAO in headphones, so "NAO, stop" ends its sentence.', "--headphones"),
    ] = False
    recogniser: options.RecogniserName = ""
    certainty: Annotated[
        str,
        _advanced_option(
            "Confidences: below LOW NAO asks again, below HIGH it asks you to confirm; see jotto voice learn.",
            metavar="LOW,HIGH",
        ),
    ] = ""
    keep_log: Annotated[
        bool,
        _advanced_option(
            "Log each recognised phrase, its confidence and its question in NAO's notebook; no sound.", "--keep-log"
        ),
    ] = False

    def make_settings(self, is_far: bool) -> dict[str, Any]:
        """Return NAO's settings of these options; raises `DeskError` if they are wrong, or NAO does not listen."""
        given = [name for name, value in (("--certainty", self.certainty), ("--keep-log", self.keep_log)) if value]
        if given and not (self.voice or is_far):
            raise DeskError(f"{given[0]} is for a game by voice: add --voice, or --robot URL.")
        found: dict[str, Any] = {KEEP_LOG: True} if self.keep_log else {}
        return found | ({"certainty": _parse_certainty(self.certainty)} if self.certainty else {})

    def choose(self, is_far: bool, is_page: bool, language: str) -> _VoiceChosen | None:
        """Return how to play by voice, None for a typed game; raises `DeskError` for contradicting options."""
        if not self.voice:
            given = {"--sound-file": self.sound_file, "--headphones": self.headphones, "--recogniser": self.recogniser}
            for name in [name for name, value in given.items() if value]:
                raise DeskError(f"{name} is for a game by voice: add --voice.")
            return None
        if is_far:
            raise DeskError("--voice is for the simulated NAO: a robot at --robot URL has its own ears and voice.")
        if is_page and self.sound_file is not None:
            raise DeskError("--sound-file replaces the terminal's microphone: a page uses the browser's.")
        if self.sound_file is not None and self.headphones:
            raise DeskError("--headphones is for the microphone: leave it or --sound-file out.")
        if is_page and self.headphones:
            raise DeskError("--headphones is for a game in the terminal: a page removes NAO's voice by itself.")
        # The simulator is imported late, so that the other commands start fast.
        from naosim_voice.model import best_installed

        chosen = self.recogniser or best_installed()
        check_spoken(language, chosen)
        return _VoiceChosen(chosen, self.sound_file, self.headphones)


def _parse_certainty(given: str) -> list[float]:
    """Return the two confidences of a text; raises DeskError.

    >>> _parse_certainty("0.2,0.75")
    [0.2, 0.75]
    """
    parts = given.split(",")
    try:
        found = [float(part) for part in parts if _CONFIDENCE.fullmatch(part)]
    except ValueError:
        found = []
    if len(parts) != 2 or not is_certainty(found):
        raise DeskError(
            f"{given[:40]!r} is not a pair of confidences; write the one below which NAO asks again and the "
            "one below which it asks you to confirm, such as 0.2,0.75."
        )
    return found


class _VoiceChosen(NamedTuple):
    """A recogniser, a sound file to play instead of the microphone, and whether the player has headphones."""

    recogniser: str
    file: Path | None
    has_headphones: bool

    @contextlib.contextmanager
    def open_table(self, robot: Any, screen: GameScreen, forgets: bool) -> Iterator[VoicedTable]:
        """Open recogniser and device for one game; raises DeskError if one of them cannot be used."""
        from jotto_desk.play.robot_tables import VoicedTable
        from naosim_voice import sound
        from naosim_voice.recogniser import VoiceError, open_recogniser

        with as_desk_errors(VoiceError):
            ears = open_recogniser(self.recogniser)
            with contextlib.closing(sound.open_device(self.file, self.has_headphones)) as device:
                yield VoicedTable(robot, screen, forgets, ears, device)

    def open_ears(self) -> Ears:
        """Return the speech recognition of a page; raises DeskError if the recogniser cannot be used."""
        from naosim_page.ears import Ears
        from naosim_voice.recogniser import VoiceError, open_recogniser

        with as_desk_errors(VoiceError):
            open_recogniser(self.recogniser)
        return Ears(self.recogniser)


def _list_spoken_languages(language: str, is_voiced: bool) -> tuple[str, ...]:
    """Return the languages of a simulated NAO by NAOqi's names; with a recogniser only that recogniser's language.

    >>> _list_spoken_languages("de", False)[:2], _list_spoken_languages("en", True)
    (('German', 'English'), ('English',))
    """
    spoken = robots.list_spoken_languages(language)
    return spoken[:1] if is_voiced else spoken


# `jotto play --page`: NAO in its own process, and a server for its page.

_TITLE = "NAO plays Jotto"


def _play_on_page(
    settings: dict[str, Any], spoken: str, forget: bool, page: options.RecordedPageOptions, voiced: _VoiceChosen | None
) -> None:
    """Serve the page of a game until Ctrl-C; raises `DeskError`."""
    if page.replay is not None:
        _replay(page.replay, spoken, page)
        return
    with options.convert_page_errors(), contextlib.ExitStack() as stack:
        from jotto_desk.play.page import GamePage, RobotOverClient, SharedPage
        from jotto_desk.play.page.site import GAME_FILES, collect_worker_content
        from naosim_page.server import PageContent, serve_page

        access = page.open_access()
        ears = _choose_ears(voiced)
        settings = (_VOICE_SETTINGS if ears is not None else {}) | settings
        robot = stack.enter_context(_host_robot(settings | {TYPED: True}, spoken, forget, voiced))
        title, worker = translate_into(spoken)(_TITLE), collect_worker_content()
        views = SharedPage(GamePage(RobotOverClient(robot), settings))
        serve_page(
            robot,
            PageContent(title, "play", spoken, views, GAME_FILES, worker),
            access,
            starts=True,
            ears=ears,
            record=str(page.record or ""),
            source={"home": worker.behaviour},
        )


def _replay(file: Path, language: str, page: options.RecordedPageOptions) -> None:
    """Serve the page of a recorded game until Ctrl-C; raises `DeskError`."""
    with options.convert_page_errors():
        from jotto_desk.play.page.site import GAME_FILES, collect_worker_content
        from naosim_page.recording import read_acts
        from naosim_page.server import PageContent, serve_page

        access, recording = page.open_access(), read_acts(str(file))
        content = PageContent(_TITLE, language=language, game=GAME_FILES, worker=collect_worker_content())
        serve_page(None, content, access, recording=recording)


def _choose_ears(voiced: _VoiceChosen | None) -> Ears | None:
    """Return the page's speech recognition, which tells players if it lacks their language; None if none exists."""
    from naosim_page.ears import Ears

    ears = Ears() if voiced is None else voiced.open_ears()
    return None if ears.missing else ears


@contextlib.contextmanager
def _host_robot(
    settings: dict[str, Any], spoken: str, forget: bool, voiced: _VoiceChosen | None
) -> Iterator[HostedRobot]:
    """Open a robot in its own process, with the game loaded; raises NaosimError."""
    from naosim_page.command import RECORDING_ROBOT, load_behaviour
    from naosim_robots.hosting import HostedRobot

    languages = _list_spoken_languages(spoken, voiced is not None)
    with HostedRobot(languages=languages, import_paths=robots.list_import_paths(), module=RECORDING_ROBOT) as robot:
        _store(robot, memory.SETTINGS_KEY, json.dumps(settings))
        if forget:
            _store(robot, memory.GAME_KEY, "")
        load_behaviour(robot, str(robots.find_behaviour_file()))
        yield robot


def _store(robot: Any, key: str, value: str) -> None:
    with as_desk_errors(RuntimeError):
        robot.call("ALMemory", "insertData", [key, value]).result()


# The command, and the game in the terminal.

app = CommandLine()
_TRANSCRIPT = "Save the conversation for jotto replay, with squares to share at the end."
#: The file with the lines typed in earlier games, for the arrow keys.
_HISTORY = "typed.txt"
_ROLE = "nao-guesses: NAO guesses your word; i-guess: you guess NAO's; race: both. By default NAO asks."


@app.declare(
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
def play(
    word_list: options.PlayedList = "",
    role: Annotated[str, options.role_option(_ROLE, GAME)] = "",
    level: options.Level = "",
    language: options.Language = "",
    strategy: options.Strategy = mind.DEFAULT_STRATEGY,
    forget: Annotated[
        bool, option("Start fresh: ignore an unfinished game, and don't save this one.", "--forget", panel=GAME)
    ] = False,
    tree: options.TreeFile = "",
    seed: Annotated[int, shell.seed_option(panel=ADVANCED)] = 0,
    transcript: Annotated[Path | None, option(_TRANSCRIPT, panel=OUTPUT, metavar="FILE")] = None,
    *,
    hearing: _Hearing,
    page: options.RecordedPageOptions,
    url: options.Url = "",
    user: options.User = "",
    password_file: options.PasswordFile = None,
    patience: options.Patience = 60.0,
) -> None:
    """Play Jotto with a simulated NAO or a real one; either way the behaviour runs on this computer."""
    far = options.robot_address(url, user, password_file, patience)
    shell.check_outputs(transcript)
    robots.renew_library()
    voiced = hearing.choose(far is not None, page.page, language)
    ears = hearing.make_settings(far is not None)
    chosen = {"language": language, "role": role, "level": level, "seed": seed}
    given = [name for name, value in chosen.items() if value]
    wanted = {"strategy": strategy, "seed": shell.draw_seed(seed), "role": role, "level": level}
    wanted |= ({"language": language} if language else {}) | ({GIVEN: given} if given else {})
    spoken = language
    if not language and far is None:
        spoken = DEFAULT_LANGUAGE if word_list or tree or voiced else _find_computer_language()
    with options.load_playable_list(word_list, tree, spoken or DEFAULT_LANGUAGE) as (wordlist, path):
        settings = {**wanted, "words": path, "folder": "" if forget else str(files.find_data_folder())}
        settings |= (_VOICE_SETTINGS if voiced else {}) | ears
        if _is_on_page(page, far, transcript):
            _play_on_page(settings, spoken, forget, page, voiced)
        else:
            _play_here(settings, wanted, spoken, wordlist, far, forget, transcript, voiced)


def _find_computer_language() -> str:
    """Return the code of the language that this computer speaks with its user; English if the game lacks it."""
    set_ones = [os.environ.get(name, "") for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")]
    return find_code(next(filter(None, set_ones), "")[:2]) or DEFAULT_LANGUAGE


def _play_here(
    settings: dict[str, Any],
    wanted: dict[str, Any],
    spoken: str,
    wordlist: WordList,
    far: robots.RobotAddress | None,
    forget: bool,
    transcript: Path | None,
    voiced: _VoiceChosen | None,
) -> None:
    folder = Path(settings["folder"]) if settings["folder"] else None
    console = Console(highlight=False)
    screen = GameScreen(console, console.is_terminal or is_typed(), translate_into(spoken))
    with _robot(far, screen, spoken, voiced) as (robot, behaviour), contextlib.ExitStack() as stack:
        # A real robot hears the player; a simulated one gets the player's typed answers.
        typed = {TYPED: far is None or robot.has_human}
        wanted |= typed
        stack.enter_context(_store_settings(robot, settings | typed, forget))
        if voiced is not None:
            table: GameTable = stack.enter_context(voiced.open_table(robot, screen, forget))
        else:
            lines = stack.enter_context(open_line_input(screen.console, folder and folder / _HISTORY))
            table = _choose_table(robot, far)(robot, screen, lines, forget)
        try:
            table.play(behaviour)
        finally:
            if transcript is not None:
                # The robot that plays it again speaks the language that this one began with.
                replayed = wanted | ({"language": table.language} if table.language else {})
                header = TranscriptHeader(replayed, wordlist.name, wordlist.checksum, table.unfinished, [])
                files.write_whole(transcript, write_transcript(header, table.transcript, table.finished.list_games()))
                said = table.texts("The transcript is in '{path}'.", path=transcript)
                screen.remark(f"({said})")


@contextlib.contextmanager
def _store_settings(robot: Any, settings: dict[str, Any], forget: bool) -> Iterator[None]:
    """Store the settings on the robot; with `forget`, remove its saved game before and after."""
    robot.set(memory.SETTINGS_KEY, json.dumps(settings))
    if forget:
        robot.set(memory.GAME_KEY, "")
    try:
        yield
    finally:
        if forget:
            robot.set(memory.GAME_KEY, "")


def _is_on_page(page: options.RecordedPageOptions, far: robots.RobotAddress | None, transcript: Path | None) -> bool:
    """Return whether the game is on a page; raises `DeskError` for options that do not fit."""
    page.check()
    if page.replay is not None and page.record is not None:
        raise DeskError("--replay only shows a recording: leave --record out.")
    if not page.page:
        return False
    if far is not None:
        raise DeskError("--page shows the simulated NAO on this computer: leave --robot out.")
    if transcript is not None:
        raise DeskError("A page writes no transcript: leave --transcript out.")
    return True


def _robot(
    far: robots.RobotAddress | None, screen: GameScreen, language: str, voiced: _VoiceChosen | None
) -> AbstractContextManager[Any]:
    """Return the robot to play with; raises `DeskError`."""
    if far is None:
        return robots.open_simulated_robot(languages=_list_spoken_languages(language, voiced is not None))
    return robots.open_far_robot(far, tell=lambda text: screen.remark(f"({text})"), language=language)


def _choose_table(robot: Any, far: robots.RobotAddress | None) -> Any:
    """Return the class of the table: a robot on the network can be lost, and a real one has real time."""
    if far is None:
        return GameTable
    from jotto_desk.play.robot_tables import RealRobotTable, RemoteTable

    return RemoteTable if robot.has_human else RealRobotTable
