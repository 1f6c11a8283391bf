"""`jotto rehearse`: a simulated person plays with the simulated NAO."""

import os
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from jotto import compat
from jotto.rules import JOTTO
from jotto.strategies import Walk
from jotto.words import WordList, fold_word
from jotto_behaviour.mind import DEFAULT_STRATEGY, load_mind
from jotto_behaviour.riddle import MAKER
from jotto_behaviour.settings import DEFAULT_LANGUAGE, NORMAL
from jotto_desk import files
from jotto_desk.cli import options, shell
from jotto_desk.cli.shell import ADVANCED, GAME, OUTPUT, PERSON, CommandLine, Json, option, print_json
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal import game
from jotto_desk.rehearsal.batch import RobotChoice, play_all, sum_up_games
from jotto_desk.rehearsal.game import GameRecord, RehearsalSettings
from jotto_desk.rehearsal.robots import RobotAddress, list_spoken_languages, renew_library
from jotto_desk.rehearsal.voice import (
    QUIET_NOISE,
    VoiceWishes,
    choose_voice,
    describe_voices,
    tabulate_calibration,
    tabulate_understood,
)
from jotto_desk.terminal import Bar, Column, FittedTable, gather, make_console
from naosim_voice.names import PLAIN

# Output: the summary on the screen or as JSON, and the transcripts in a file.


class _Wanted(NamedTuple):
    """The output of a rehearsal: a whole single game, JSON, a file of transcripts, a file of confusions."""

    whole: bool
    as_json: bool
    transcripts: Path | None
    confusions: Path | None = None


def _tell_outcome(records: Sequence[GameRecord], outcome: dict[str, Any], wanted: _Wanted) -> None:
    """Print the summary, or the whole of a single game; write the wanted files."""
    if not wanted.as_json:
        _print(records, outcome, wanted.whole)
    else:
        if wanted.whole and records:
            outcome |= {"transcript": records[0].transcript.splitlines(), "attempts": records[0].attempts}
        print_json(outcome)
    if wanted.transcripts is not None:
        _write(wanted.transcripts, records, "game_seconds" in outcome)
    if wanted.confusions is not None:
        game.write_confusions(wanted.confusions, records, outcome)


def _write(file: Path, records: Sequence[GameRecord], is_timed: bool) -> None:
    """Write the transcript of every game under its word and, with `is_timed`, its times."""
    games = (f"# {one.secret}{': ' + _describe_time(one) if is_timed else ''}\n{one.transcript}" for one in records)
    files.write_whole(file, "\n\n".join(games) + "\n")


def _describe_time(record: GameRecord) -> str:
    """Return the seconds that a game took NAO and the person, as text."""
    robot, person = record.robot_seconds, record.person_seconds
    return f"{robot + person:.1f} s, NAO {robot:.1f} s, the person {person:.1f} s"


def _print(records: Sequence[GameRecord], outcome: dict[str, Any], whole: bool) -> None:
    console = make_console()
    if whole:
        console.print(records[0].transcript, markup=False)
        if "game_seconds" in outcome:
            console.print(f"     ({_describe_time(records[0])})", markup=False)
        for failure in records[0].failures:
            console.print(f"FAILED: {failure}", style="bold red", markup=False)
        return
    console.print(_tabulate_attempts(outcome))
    attempts = f", mean {outcome['mean']} attempts (the winning guess counted), at most {outcome['max']}"
    console.print(
        f"found {outcome['found']} of {outcome['games']}{attempts if outcome['found'] else ''}; {outcome['seconds']} s"
    )
    if "game_seconds" in outcome:
        console.print(_tabulate_times(outcome))
    if "voice" in outcome:
        console.print(tabulate_understood(outcome["voice"]))
        console.print(tabulate_calibration(outcome["voice"]))
        console.print(describe_voices(outcome["voice"]))
    for failed in outcome["failures"][:20]:
        console.print(f"FAILED {failed['secret']}: {'; '.join(failed['failures'])[:500]}", markup=False)


def _tabulate_attempts(outcome: dict[str, Any]) -> FittedTable:
    how = f"strategy {outcome['strategy']}" if "role" not in outcome else f"{outcome['scores']} scores checked"
    games = f"the first {outcome['games']} of {outcome['asked']}" if outcome["stopped"] else outcome["games"]
    title = f"{games} games on list {outcome['list']}, {how}, seed {outcome['seed']}"
    sheet = FittedTable(title, *map(Column, ("attempts", "games")), Column("", is_text=True))
    most = max(outcome["histogram"].values(), default=1)
    for number, count in outcome["histogram"].items():
        sheet.add(number, str(count), Bar(count / most))
    return sheet


def _tabulate_times(outcome: dict[str, Any]) -> FittedTable:
    """Return the table of game times on the robot's clock."""
    took = f"; {outcome['answer_seconds']:g} s for an answer" if outcome["answer_seconds"] else ""
    columns = (Column("", is_text=True, folds=True), *map(Column, ("median", "p90", "share")))
    sheet = FittedTable(f"simulated seconds of a game{took}", *columns)
    person = outcome["person_share"]
    for name, key, share in (
        ("NAO speaks, thinks, moves, opens its ears", "robot_seconds", 1 - person),
        ("the person answers", "person_seconds", person),
        ("the whole game", "game_seconds", 1.0),
    ):
        sheet.add(name, f"{outcome[key]['median']:.1f}", f"{outcome[key]['p90']:.1f}", f"{share:.0%}")
    return sheet


# The command.

app = CommandLine()


_ROLE = "nao-guesses: NAO guesses the person's word; i-guess: the person guesses NAO's."
_MOST_GAMES = 100_000
#: Slowest simulated answer, in seconds: NAO reminds after 8 s, and pauses the game after three reminders.
_LONGEST_ANSWER = 20.0
_game_option, _person_option = partial(option, panel=GAME), partial(option, panel=PERSON)
_setting_option, _output_option = partial(option, panel=ADVANCED), partial(option, panel=OUTPUT)


@dataclass(frozen=True)
class _Games:
    """The options that choose the games."""

    secret: Annotated[str, _game_option("Play one game with this word and print what is said.", metavar="WORD")] = ""
    all_words: Annotated[bool, _game_option("Play every word of the list.", "--all")] = False
    sample: Annotated[int, _game_option("Play this many words of the list.", min=0, max=_MOST_GAMES)] = 0
    role: Annotated[str, options.role_option(_ROLE, GAME, options.REHEARSED_ROLES)] = options.NAO_GUESSES


@dataclass(frozen=True)
class _Trouble:
    """The options for a person who is heard wrongly, is silent or makes mistakes."""

    mishear: Annotated[
        str,
        _person_option(
            "Chance that NAO hears a wrong answer; or measured confusions: quiet, babble:20, babble:10, or a file of "
            "--write-confusions.",
            metavar="RATE|FILE",
        ),
    ] = "0"
    silence: Annotated[float, _person_option("Chance of no answer.", min=0, max=0.9)] = 0.0
    mistake: Annotated[float, _person_option("Chance of a wrong score.", min=0, max=0.9)] = 0.0


@dataclass(frozen=True)
class _Voice:
    """The options for spoken answers."""

    voice: Annotated[
        bool, _person_option("Answer by sound: ten voices of espeak-ng, heard by a real recogniser.", "--voice")
    ] = False
    noise: options.Noise = QUIET_NOISE
    recogniser: options.RecogniserName = PLAIN
    save: Annotated[str, _output_option("With --voice: save the sounds that were not understood.", metavar="DIR")] = ""
    write_confusions: Annotated[
        Path | None,
        _output_option(
            "With --voice: write which phrases were heard for which, for --mishear FILE and jotto voice check.",
            metavar="FILE",
        ),
    ] = None
    recordings: Annotated[
        Path | None,
        _person_option(
            "With --voice: play recordings of people, one folder per phrase; espeak-ng says the other phrases.",
            metavar="DIR",
        ),
    ] = None


@app.declare(
    "jotto rehearse --secret ocean",
    "jotto rehearse --sample 200 --seed 3 --mishear 0.1",
    "jotto rehearse --all --strategy consistent --json",
    "jotto rehearse --sample 50 --python python2.7",
    "jotto rehearse --all --words mywords.txt --tree mywords.tree",
    "jotto rehearse --role i-guess --sample 300 --mishear 0.1",
    "jotto rehearse --all --level easy",
    "jotto rehearse --language fr --sample 50 --mishear 0.1",
    "jotto rehearse --sample 100 --voice --noise babble:10",
    "jotto rehearse --sample 100 --voice --write-confusions ears.json",
    "jotto rehearse --all --mishear ears.json",
    "jotto rehearse --sample 20 --robot tcp://127.0.0.1:9559",
)
def rehearse(
    *,
    games: _Games,
    level: options.Level = NORMAL,
    language: options.Language = "",
    person: _Trouble,
    without: options.Missing = None,
    answer_seconds: Annotated[
        float,
        _person_option(
            "Simulated seconds that the person takes for each answer.", metavar="S", min=0, max=_LONGEST_ANSWER
        ),
    ] = 0.0,
    spoken: _Voice,
    touch: Annotated[bool, _person_option("Answer only by touching the head.", "--touch")] = False,
    python: options.Interpreter = "",
    behaviour: Annotated[str, _setting_option("Play another behavior.xar.", metavar="FILE")] = "",
    strategy: options.Strategy = DEFAULT_STRATEGY,
    tree: options.TreeFile = "",
    word_list: options.PlayedList = "",
    seed: options.Seed = 1,
    cluster: options.ClusterOptions,
    jobs: Annotated[int, _setting_option("Processes; 0 is one per core.", min=0, max=256)] = 0,
    transcripts: Annotated[
        Path | None, _output_option("Write the conversation of every game to this file.", metavar="FILE")
    ] = None,
    as_json: Json = False,
    url: options.Url = "",
    patience: options.Patience = 60.0,
) -> None:
    """Let a simulated person play with the simulated NAO, by speech recognition."""
    shell.check_outputs(transcripts, spoken.write_confusions)
    far = options.robot_address(url, patience=patience)
    trouble = game.make_trouble(**vars(person))
    wishes, is_far = VoiceWishes(**vars(spoken)), far is not None
    voiced = choose_voice(wishes, touch, trouble.is_misheard, is_far, language)
    choice = _robot_choice(python, without or (), behaviour, far, answer_seconds, list_spoken_languages(language))
    with options.load_playable_list(word_list, tree, language or DEFAULT_LANGUAGE) as (wordlist, path):
        walked, role = _choose_strategy(path, strategy, language), games.role
        setting = RehearsalSettings(
            path, walked, seed, "", trouble, touch, role, answer_seconds, level, language, voiced
        )
        wanted = _Wanted(bool(games.secret), as_json, transcripts, spoken.write_confusions)
        secrets = _choose_secrets(wordlist, games, seed)
        local = {"--robot": url, "--behaviour": behaviour, "--python": python, "--voice": voiced, "--jobs": jobs}
        if cluster.cluster and any(local.values()):
            mine = next(name for name, value in local.items() if value)
            raise DeskError(f"{mine} is for this computer, and with --cluster others play; leave one of them out.")
        start = time.perf_counter()
        with cluster.open_cluster() as workers:
            played = play_all(secrets, setting, choice, workers or jobs or os.cpu_count() or 1)
            records, end = gather(shell.show_progress("playing", played, len(secrets), 2 if setting.voice else 20))
        outcome = sum_up_games(records, setting, wordlist.name, is_timed=far is None, asked=len(secrets))
        outcome["seconds"] = round(time.perf_counter() - start, 1)
        _tell(records, outcome, end, wanted)


def _tell(records: list[GameRecord], outcome: dict[str, Any], end: BaseException | None, wanted: _Wanted) -> None:
    """Print the results, also of the games before an early end; then raise that end."""
    if records or wanted.as_json:
        _tell_outcome(records, outcome, wanted)
    if end is not None:
        raise end
    if outcome["failures"]:
        raise typer.Exit(1)


def _robot_choice(
    python: str,
    without: Iterable[str],
    behaviour: str,
    far: RobotAddress | None,
    answer_seconds: float,
    languages: tuple[str, ...],
) -> RobotChoice:
    """Return the robot to play on; update the library that a simulated one runs. Raises `DeskError`."""
    if far is not None and (python or without):
        raise DeskError("--python and --without are for the simulated robot, not for one at --robot URL.")
    if far is not None and answer_seconds:
        raise DeskError(
            "--answer-seconds counts on the clock of the simulated robot of this computer, and the robot at "
            "--robot URL has its own; leave one of them out."
        )
    renew_library()
    return RobotChoice(python, tuple(without), behaviour, far, languages)


def _choose_strategy(path: str, strategy: str, language: str) -> str:
    """Return the strategy that is really played (entropy if no tree fits), and print why a tree is not used."""
    mind = load_mind(path, strategy, (), language or DEFAULT_LANGUAGE)
    for remark in mind.remarks:
        print(remark, file=sys.stderr)
    if isinstance(mind.strategy, Walk) and mind.strategy.tree is None:
        return mind.strategy.otherwise.name
    return strategy


def _choose_secrets(wordlist: WordList, games: _Games, seed: int) -> list[str]:
    """Return the person's words; if NAO chooses the words, the numbers of the games. Raises `DeskError`."""
    if games.role == MAKER:
        if games.secret or games.all_words or not games.sample:
            raise DeskError("With --role i-guess, NAO chooses the words; give the number of games: --sample N.")
        return [str(number) for number in range(1, games.sample + 1)]
    if bool(games.secret) + games.all_words + bool(games.sample) != 1:
        raise DeskError("Choose what to play with one of --secret WORD, --all and --sample N.")
    if games.secret:
        folded = fold_word(games.secret, wordlist.letters)
        wordlist.adapt_rules(JOTTO).check(folded)
        return [folded]
    return list(wordlist.words) if games.all_words else compat.draw_items(wordlist.words, games.sample, seed, "secrets")
