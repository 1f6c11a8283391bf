"""`jotto rehearse`: a simulated person plays with the simulated NAO."""

import os
import sys
import time
from collections.abc import Iterable
from typing import Any

import typer

from jotto import compat
from jotto.rules import JOTTO
from jotto.strategies import Walk
from jotto.words import WordList, fold_word
from jotto_behaviour import mind as resources
from jotto_behaviour.riddle import MAKER
from jotto_behaviour.settings import DEFAULT_LANGUAGE, NORMAL
from jotto_desk.errors import DeskError
from naosim_live.voice.names import PLAIN

from .. import robot_connection
from ..playable_list import playable
from ..robot_connection import robot_address
from ..role_option import NAO_GUESSES
from ..shell import outputs, progress
from ..shell.commands import CommandLine
from ..shell.shared import Json
from ..simulated_robot import renew_library, spoken_by_nao
from ..termination import gathered
from . import mishearing, report, voice_settings
from . import options as given
from .batch import RobotChoice, summary
from .game import GameRecord, RehearsalSettings
from .processes import play_all
from .voice_settings import QUIET, VoiceWishes

app = CommandLine()
_EXAMPLES = """
Examples:

  jotto rehearse --secret ocean

  jotto rehearse --sample 200 --seed 3 --mishear 0.1

  jotto rehearse --all --strategy consistent --json

  jotto rehearse --sample 50 --python python2.7

  jotto rehearse --all --words mywords.txt --tree mywords.tree

  jotto rehearse --role i-guess --sample 300 --mishear 0.1

  jotto rehearse --all --level easy

  jotto rehearse --language fr --sample 50 --mishear 0.1

  jotto rehearse --sample 100 --voice --noise babble:10

  jotto rehearse --sample 100 --voice --write-confusions ears.json

  jotto rehearse --all --mishear ears.json

  jotto rehearse --sample 20 --robot tcp://127.0.0.1:9559
"""


@app.command(epilog=_EXAMPLES)
def rehearse(
    secret: given.Secret = "",
    all_words: given.All = False,
    sample: given.Sample = 0,
    role: given.Role = NAO_GUESSES,
    level: given.Level = NORMAL,
    language: given.Language = "",
    mishear: given.Mishear = "0",
    silence: given.Silence = 0.0,
    mistake: given.Mistake = 0.0,
    without: given.Without = None,
    answer_seconds: given.AnswerSeconds = 0.0,
    voice: given.Voice = False,
    noise: given.NoiseAround = QUIET,
    recogniser: given.RecogniserName = PLAIN,
    model: given.Model = "",
    save: given.Save = "",
    write_confusions: given.WriteConfusions = None,
    recordings: given.Recordings = None,
    touch: given.Touch = False,
    python: given.Python = "",
    behaviour: given.BehaviourFile = "",
    strategy: given.Strategy = resources.DEFAULT_STRATEGY,
    tree: given.TreeFile = "",
    word_list: given.Words = "",
    seed: given.Seed = 1,
    jobs: given.Jobs = 0,
    transcripts: given.Transcripts = None,
    as_json: Json = False,
    url: robot_connection.Url = "",
    user: robot_connection.User = "",
    password_file: robot_connection.PasswordFile = None,
    events: robot_connection.Events = "auto",
    patience: robot_connection.Patience = 60.0,
) -> None:
    """Let a simulated person play with the simulated NAO, by speech recognition."""
    outputs.ready(transcripts, write_confusions)
    far = robot_address(url, user, password_file, events, patience)
    trouble = mishearing.trouble(mishear, silence, mistake)
    voiced = voice_settings.chosen(
        VoiceWishes(voice, noise, recogniser, model, save, write_confusions, recordings),
        touch,
        trouble.is_misheard,
        far is not None,
        language,
    )
    choice = _robot_choice(python, without or (), behaviour, far, answer_seconds, spoken_by_nao(language))
    with playable(word_list, tree, language or DEFAULT_LANGUAGE) as (wordlist, path):
        setting = RehearsalSettings(
            path,
            _walked(path, strategy, language),
            seed,
            "",
            trouble,
            touch,
            role,
            answer_seconds,
            level,
            language,
            voiced,
        )
        secrets = _secrets(wordlist, secret, all_words, sample, seed, role)
        _rehearse(
            secrets,
            setting,
            choice,
            jobs,
            wordlist.name,
            report.Wanted(bool(secret), as_json, transcripts, write_confusions),
        )


def _rehearse(
    secrets: list[str],
    setting: RehearsalSettings,
    choice: RobotChoice,
    jobs: int,
    list_name: str,
    wanted: report.Wanted,
) -> None:
    """Play the games and tell what came of them."""
    start = time.perf_counter()
    played = play_all(secrets, setting, choice, jobs or os.cpu_count() or 1)
    records, end = gathered(progress.shown("playing", played, len(secrets), 2 if setting.voice else 20))
    outcome = summary(records, setting, list_name, is_timed=choice.far is None, asked=len(secrets))
    outcome["seconds"] = round(time.perf_counter() - start, 1)
    _tell(records, outcome, end, wanted)


def _tell(records: list[GameRecord], outcome: dict[str, Any], end: BaseException | None, wanted: report.Wanted) -> None:
    """Tell what came of the games, also of those before an early end, which is raised then."""
    if records or wanted.as_json:
        report.tell(records, outcome, wanted)
    if end is not None:
        raise end
    if outcome["failures"]:
        raise typer.Exit(1)


def _robot_choice(
    python: str,
    without: Iterable[str],
    behaviour: str,
    far: robot_connection.RobotAddress | None,
    answer_seconds: float,
    languages: tuple[str, ...],
) -> RobotChoice:
    """Put together where games are played, and renew what the simulated robot runs; a robot far away is as it is."""
    if far is not None and (python or without):
        raise DeskError("--python and --without are for the simulated robot at the desk, not for one at --robot URL.")
    if far is not None and answer_seconds:
        raise DeskError(
            "--answer-seconds counts on the clock of the simulated robot at the desk, and the robot at "
            "--robot URL has its own; leave one of them out."
        )
    renew_library()
    return RobotChoice(python, tuple(without), behaviour, far, languages)


def _walked(path: str, strategy: str, language: str) -> str:
    """Name the strategy that is really played: a walk without a tree is entropy; say why a tree is not used."""
    mind = resources.load_mind(path, strategy, (), language or DEFAULT_LANGUAGE)
    for remark in mind.remarks:
        print(remark, file=sys.stderr)
    if isinstance(mind.strategy, Walk) and mind.strategy.tree is None:
        return mind.strategy.otherwise.name
    return strategy


def _secrets(wordlist: WordList, secret: str, all_words: bool, sample: int, seed: int, role: str) -> list[str]:
    """Choose the person's words; where NAO thinks of the words, number the games."""
    if role == MAKER:
        if secret or all_words or not sample:
            raise DeskError("NAO chooses its words itself with --role i-guess; say how many games: --sample N.")
        return [str(number) for number in range(1, sample + 1)]
    if bool(secret) + all_words + bool(sample) != 1:
        raise DeskError("Say what to play: --secret WORD, --all, or --sample N (one of them).")
    if secret:
        folded = fold_word(secret, wordlist.letters)
        wordlist.rules(JOTTO).check(folded)
        return [folded]
    return list(wordlist.words) if all_words else compat.draw_items(wordlist.words, sample, seed, "secrets")
