"""A robot on the network: the options that commands share, and the connection with our behaviour loaded."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_NAMES
from jotto_desk import files
from jotto_desk.errors import DeskError

from .shell import ROBOT, choices
from .simulated_robot import behaviour_file

USER, PASSWORD = "JOTTO_ROBOT_USER", "JOTTO_ROBOT_PASSWORD"
LONGEST_PASSWORD = 4096
TRANSPORTS = ("auto", "signal", "module", "polling")
SETTINGS = "Jotto/Settings"

Url = Annotated[
    str,
    typer.Option(
        "--robot",
        metavar="URL",
        rich_help_panel=ROBOT,
        help="A robot, real or simulated: nao.local, 192.168.1.5:9559, tcp://127.0.0.1:9559.",
    ),
]
User = Annotated[
    str,
    typer.Option(
        "--user",
        metavar="NAME",
        envvar=USER,
        rich_help_panel=ROBOT,
        help="User name, if the robot asks for one (NAOqi 2.9).",
    ),
]
PasswordFile = Annotated[
    Path | None,
    typer.Option(
        "--password-file",
        metavar="FILE",
        rich_help_panel=ROBOT,
        help=f"A file with the user's password; default: the variable {PASSWORD}.",
    ),
]
Events = Annotated[
    str,
    choices.chosen(
        "--events",
        options=TRANSPORTS,
        what="way of events",
        panel=ROBOT,
        help="Way in which the robot's events arrive; auto finds one that works.",
    ),
]
Patience = Annotated[
    float,
    typer.Option(
        "--patience",
        metavar="SECONDS",
        min=1,
        max=3600,
        rich_help_panel=ROBOT,
        help="Seconds to wait if the robot is lost during a game.",
    ),
]


@dataclass(frozen=True)
class RobotAddress:
    """Where a robot is and how to get in."""

    url: str
    user: str = ""
    password: str = field(default="", repr=False)
    events: str = "auto"
    patience: float = 60.0


def robot_address(
    url: str, user: str = "", password_file: Path | None = None, events: str = "auto", patience: float = 60.0
) -> RobotAddress | None:
    """Put the options together; None without a robot. Raises `DeskError` for what contradicts itself."""
    if not url:
        if password_file is not None:
            raise DeskError("--password-file is for a robot: name it with --robot URL.")
        return None
    if events not in TRANSPORTS:
        raise DeskError(f"There are no events by '{events[:40]}'; use one of {', '.join(TRANSPORTS)}.")
    password = os.environ.get(PASSWORD, "")
    if password_file is not None:
        raw = files.read_bounded(password_file, LONGEST_PASSWORD, "password")
        password = (raw.decode("utf-8", "replace").splitlines() or [""])[0]
        if not user:
            raise DeskError("A password alone opens nothing: name the user with --user NAME.")
    return RobotAddress(url, user, password, events, patience)


@contextlib.contextmanager
def far_robot(
    far: RobotAddress,
    path: str = "",
    tell: Callable[[str], object] = lambda _sentence: None,
    simulated_only: bool = False,
    language: str = "",
) -> Iterator[tuple[Any, Any]]:
    """Open a robot far away with our behaviour loaded at the desk; what the robot lacks is told, or a `DeskError`."""
    robot: Any = None
    before: Any = None
    with refusing():
        # The simulator and libqi are imported late, so that the other commands start at once.
        from naosim_live.far.robot import FarRobot

        try:
            robot = FarRobot(far.url, far.user, far.password, far.events, patience=far.patience, tell=tell)
            if simulated_only and not robot.has_human:
                raise DeskError(
                    f"The robot at {robot.connection.address.url} is a real one, and a rehearsal needs a "
                    f"simulated one; play with 'jotto play --robot {far.url}'."
                )
            _mind_language(robot, tell, language)
            before = robot.get(SETTINGS)
            yield robot, robot.load(path or str(behaviour_file()))
        finally:
            if robot is not None:
                _leave(robot, before)


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """Turn what the robot's side refuses into a `DeskError`."""
    from naosim.errors import NaosimError

    try:
        yield
    except NaosimError as error:
        raise DeskError(str(error)) from error


def _leave(robot: Any, before: Any) -> None:
    """Give back the settings that hold at the desk alone: a behaviour on the robot itself would read them too."""
    with contextlib.suppress(RuntimeError):
        if not robot.connection.lost:
            robot.set(SETTINGS, before if isinstance(before, str) else "")
    robot.close()


def _played_in(robot: Any, spoken: Sequence[str], wanted: str) -> str:
    """Return NAOqi's name of the language that NAO will play in: the one wanted, else its own, else one it has."""
    own = ""
    with contextlib.suppress(RuntimeError):
        own = str(robot.connection.ask("ALTextToSpeech", "getLanguage"))
    return next(
        (name for name in (LANGUAGE_NAMES.get(wanted, ""), own) if name in spoken),
        spoken[0] if spoken else LANGUAGE_NAMES[DEFAULT_LANGUAGE],
    )


def _mind_language(robot: Any, tell: Callable[[str], object], wanted: str) -> None:
    """See that the robot speaks one of our languages; one that only does not understand it is typed to."""
    spoken = [name for name in LANGUAGE_NAMES.values() if name in robot.world.languages]
    if robot.world.languages and not spoken:
        raise DeskError(
            f"The robot at {robot.connection.address.url} does not speak {LANGUAGE_NAMES[DEFAULT_LANGUAGE]}, only "
            f"{', '.join(robot.world.languages)}; install the language on the robot, then play."
        )
    language = _played_in(robot, spoken, wanted)
    heard = robot.heard_languages()
    if heard and language not in heard:
        robot.be_deaf()
        tell(f"The robot understands no {language}, only {', '.join(heard)}: type your answers, or touch its head.")
    elif robot.is_deaf or "ALSpeechRecognition" not in robot.services:
        tell("This robot has no speech recogniser: type your answers, or touch its head.")
