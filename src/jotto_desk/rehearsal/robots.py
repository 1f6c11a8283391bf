"""Robots with our behaviour for whole games: a simulated NAO, or a robot on the network."""

import contextlib
import functools
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_NAMES
from jotto_desk import files
from jotto_desk.errors import DeskError, as_desk_errors

_BEHAVIOUR = "behavior_1/behavior.xar"


def find_behaviour_file() -> Path:
    """Return the path of the behaviour that a robot runs."""
    return files.find_shipped_path("choregraphe_project") / _BEHAVIOUR


def renew_library() -> None:
    """Update a staged `lib`, as the boxes use it instead of the sources."""
    root = files.find_checkout()
    if root is not None and (root / "choregraphe_project" / "lib").is_dir():
        from jotto_desk.robot_kit import project

        if project.refresh(root):
            print("choregraphe_project/lib was behind the sources and is renewed.", file=sys.stderr)


@contextlib.contextmanager
def open_simulated_robot(
    python: str = "", without: Sequence[str] = (), seed: int = 0, path: str = "", languages: Sequence[str] = ()
) -> Iterator[tuple[Any, Any]]:
    """Open a simulated robot with the behaviour; `python` names another interpreter for it.

    `languages` are NAOqi's names of the robot's languages, its own first; by default only English. Raises `DeskError`
    if the behaviour or the interpreter cannot be used.
    """
    from naosim.errors import NaosimError
    from naosim.robot import Robot

    check_services(without)
    source = path or str(find_behaviour_file())
    if not os.path.exists(source):
        raise DeskError(f"There is no behaviour '{source}'; name a behavior.xar, or the folder of one.")
    spoken: dict[str, Any] = {"languages": list(languages)} if languages else {}
    with as_desk_errors(NaosimError):
        robot: Any
        if python:
            from naosim_robots.hosting import RemoteRobot

            command = find_interpreter(python)
            robot = RemoteRobot(
                command, import_paths=list_import_paths(), without=without, seed=seed, strict=True, **spoken
            )
        else:
            robot = Robot(without=without, seed=seed, strict=True, **spoken)
        with contextlib.closing(robot):
            yield robot, robot.load(source if python else _parse_behaviour(source, os.path.getmtime(source)))


def list_spoken_languages(language: str) -> tuple[str, ...]:
    """Return the languages for a simulated NAO that plays in `language`: this one, then the others of the game.

    >>> list_spoken_languages("fr")[:2], list_spoken_languages("")
    (('French', 'English'), ())
    """
    if not language:
        return ()
    return (LANGUAGE_NAMES[language], *(name for code, name in LANGUAGE_NAMES.items() if code != language))


def check_services(without: Sequence[str]) -> None:
    """Check that the simulated robot can lack these services; raises `DeskError`."""
    from naosim.services import SERVICES

    unknown = sorted(set(without) - set(SERVICES) | set(without) & {"ALMemory"})
    if unknown:
        raise DeskError(
            f"The simulated robot has no service '{unknown[0]}' to leave out; it has, for example, ALSpeechRecognition."
        )


@functools.lru_cache(maxsize=2)
def _parse_behaviour(source: str, _changed: float) -> Any:
    """Parse a behaviour once, as a rehearsal opens many robots with it."""
    from naosim import xar

    return xar.parse(source)


def find_interpreter(name: str) -> str:
    """Return the path of the Python `name`, which can be a path or a name on PATH; raises `DeskError`."""
    from naosim_robots.child import ask_python_version, find_python27

    found = shutil.which(name)
    if found is not None and ask_python_version(found):
        return found
    # pyenv has a `python2.7` on PATH that does not run unless this version is selected.
    found = find_python27(os.environ) if name in ("python2.7", "python2") else None
    if found is None:
        raise DeskError(f"There is no Python that runs at '{name}'; give the path of an interpreter.")
    return found


def list_import_paths() -> list[str]:
    """Return the folders from which another interpreter can import the robot's packages."""
    import jotto
    import jotto_behaviour
    import naosim

    roots = [str(Path(str(package.__file__)).resolve().parents[1]) for package in (jotto, jotto_behaviour, naosim)]
    return list(dict.fromkeys(roots))


_SETTINGS = "Jotto/Settings"


@dataclass(frozen=True)
class RobotAddress:
    """The address of a robot, the login, and how to connect."""

    url: str
    user: str = ""
    password: str = field(default="", repr=False)
    patience: float = 60.0


@contextlib.contextmanager
def open_far_robot(
    far: RobotAddress,
    path: str = "",
    tell: Callable[[str], object] = lambda _sentence: None,
    simulated_only: bool = False,
    language: str = "",
) -> Iterator[tuple[Any, Any]]:
    """Open a robot on the network, with our behaviour running on this computer.

    `tell` gets a sentence about everything that the robot lacks. Raises `DeskError` if it cannot play.
    """
    robot: Any = None
    before: Any = None
    with convert_robot_errors():
        # The simulator and libqi are imported late, so that the other commands start fast.
        from naosim_robots.far.robot import FarRobot

        try:
            robot = FarRobot(far.url, far.user, far.password, patience=far.patience, tell=tell)
            if simulated_only and not robot.has_human:
                raise DeskError(
                    f"The robot at {robot.connection.address.url} is a real one, and a rehearsal needs a "
                    f"simulated one; play with 'jotto play --robot {far.url}'."
                )
            _check_language(robot, tell, language)
            before = robot.get(_SETTINGS)
            yield robot, robot.load(path or str(find_behaviour_file()))
        finally:
            if robot is not None:
                _leave(robot, before)


@contextlib.contextmanager
def convert_robot_errors() -> Iterator[None]:
    """Turn errors of the robot into a `DeskError`."""
    from naosim.errors import NaosimError

    with as_desk_errors(NaosimError):
        yield


def _leave(robot: Any, before: Any) -> None:
    """Restore the settings in the robot's memory, which a behaviour on the robot would read, and close the robot."""
    with contextlib.suppress(RuntimeError):
        if not robot.connection.lost:
            robot.set(_SETTINGS, before if isinstance(before, str) else "")
    robot.close()


def _choose_language(robot: Any, spoken: Sequence[str], wanted: str) -> str:
    """Return NAOqi's name of the language to play in: the requested one, else the robot's current one, else any."""
    own = ""
    with contextlib.suppress(RuntimeError):
        own = str(robot.connection.ask("ALTextToSpeech", "getLanguage"))
    usable = [name for name in (LANGUAGE_NAMES.get(wanted, ""), own) if name in spoken]
    return [*usable, *spoken, LANGUAGE_NAMES[DEFAULT_LANGUAGE]][0]


def _check_language(robot: Any, tell: Callable[[str], object], wanted: str) -> None:
    """Raise `DeskError` if the robot speaks no language of the game; tell the player to type if it understands none."""
    spoken = [name for name in LANGUAGE_NAMES.values() if name in robot.world.languages]
    if robot.world.languages and not spoken:
        raise DeskError(
            f"The robot at {robot.connection.address.url} does not speak {LANGUAGE_NAMES[DEFAULT_LANGUAGE]}, only "
            f"{', '.join(robot.world.languages)}; install the language on the robot, then play."
        )
    language = _choose_language(robot, spoken, wanted)
    heard = robot.list_languages()
    if heard and language not in heard:
        robot.be_deaf()
        tell(f"The robot understands no {language}, only {', '.join(heard)}: type your answers, or touch its head.")
    elif robot.is_deaf or "ALSpeechRecognition" not in robot.services:
        tell("This robot has no speech recogniser: type your answers, or touch its head.")
