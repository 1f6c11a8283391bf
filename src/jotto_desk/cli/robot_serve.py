"""`jotto robot serve`: a simulated NAO for programs that speak libqi and for the user at the terminal."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any

from jotto_behaviour import memory
from jotto_behaviour.settings import TYPED
from jotto_desk import files
from jotto_desk.cli.options import Interpreter, Missing, OpenPort, PageAddress, RecordedPageOptions, convert_page_errors
from jotto_desk.cli.shell import PAGE, option
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.play.terminal import LONGEST_LINE, TypedLines
from naosim_robots.child import end_child, find_python27, start_child

if TYPE_CHECKING:
    from concurrent.futures import Future

    from naosim.world import Event
    from naosim_robots.hosting import RobotClient
    from naosim_robots.serving import RobotServer

# The terminal.

#: Longest wait for the robot's answer to a typed line, in real seconds.
_COMMAND_TIMEOUT_S = 10.0
_HELP = """\
  WORDS                       NAO hears them
  /touch SENSOR               touch a sensor, such as FrontTactilTouched
  /silent [SECONDS]           say nothing for so long, or until NAO's next time-out
  /start BEHAVIOUR  /stop     start a behaviour; stop all of them
  /list                       what is installed, what runs, what NAO listens to
  /help  /quit"""


class _ServeScreen:
    """Output line by line, from any thread; `is_broken` after its reader has ended."""

    def __init__(self) -> None:
        from naosim.cli import Transcript

        self._transcript = Transcript()
        self._lock = Lock()
        self.is_broken = False

    def show(self, event: Event) -> None:
        """Print an event that a person in the room would notice."""
        for line in self._transcript.lines(event):
            self.say(line)

    def say(self, line: str) -> None:
        with self._lock:
            try:
                if not self.is_broken:
                    print(line, flush=True)
            except (OSError, ValueError):
                self.is_broken = True


class _TypedCommands:
    """The commands a person types."""

    def __init__(self, robot: RobotClient, screen: _ServeScreen) -> None:
        self._robot, self._screen = robot, screen
        self.is_over = False
        self._commands: dict[str, Callable[[str], None]] = {
            "/touch": lambda sensor: self._ask(robot.person("touch", sensor)),
            "/silent": self._stay_silent,
            "/start": lambda name: self._ask(robot.call("ALBehaviorManager", "startBehavior", [name])),
            "/stop": lambda _: self._ask(robot.call("ALBehaviorManager", "stopAllBehaviors", [])),
            "/list": lambda _: self._list(),
            "/help": lambda _: screen.say(_HELP),
            "/quit": lambda _: setattr(self, "is_over", True),
        }

    def run_line(self, line: str) -> None:
        """Carry out one line, a command or something that NAO hears; print errors."""
        if not line or self.is_over:
            return
        if len(line) > LONGEST_LINE:
            self._screen.say(f"That is too long: NAO listens to {LONGEST_LINE} characters at most.")
            return
        verb, _, rest = line.partition(" ")
        if not line.startswith("/"):
            self._ask(self._robot.person("hear", line))
        elif verb in self._commands:
            self._commands[verb](rest.strip())
        else:
            self._screen.say(f'There is no command "{verb}": type /help.')

    def _ask(self, answer: Future[Any]) -> Any:
        """Wait for the robot's answer, and print why there is none."""
        try:
            return answer.result(_COMMAND_TIMEOUT_S)
        except RuntimeError as error:
            self._screen.say(" ".join(str(error).split()))
        except TimeoutError:
            self._screen.say(f"NAO has not answered for {_COMMAND_TIMEOUT_S:g} seconds.")
        return None

    def _stay_silent(self, text: str) -> None:
        try:
            seconds = float(text) if text else None
        except ValueError:
            seconds = -1.0
        if seconds is not None and not 0 <= seconds <= 3600:
            self._screen.say(f'"{text}" is not a number of seconds from 0 to 3600.')
            return
        # Time passes while other lines are read.
        self._robot.person("stay_silent", seconds)

    def _list(self) -> None:
        for title, method in (("installed", "getInstalledBehaviors"), ("running", "getRunningBehaviors")):
            names = self._ask(self._robot.call("ALBehaviorManager", method, [])) or []
            own = [name for name in names if not name.startswith("animations/")]
            stock = f" and {len(names) - len(own)} animations" if len(own) < len(names) else ""
            self._screen.say(f"{title}: {', '.join(own) or 'no behaviour'}{stock}")
        ears = self._ask(self._robot.person("ears")) or {}
        expected = ", ".join(ears.get("vocabulary") or []) or ("anything" if ears.get("engine") else "nothing")
        self._screen.say(f"listening to: {expected}")
        if ears.get("touch"):
            self._screen.say(f"feeling: {', '.join(ears['touch'])}")


# The command.

#: Limits of --speed, times real time.
_FASTEST = 1000.0
_SLOWEST = 0.01
#: Largest package that is installed, in bytes.
MAX_PACKAGE_BYTES = 64 * 1024 * 1024
#: Longest wait for the robot to install a package, in real seconds.
_END_TIMEOUT_S = 60.0
#: Real seconds between two checks that the robot still runs.
_TICK = 1.0

EXAMPLES = (
    "jotto robot serve",
    "jotto robot serve --speed 10 --install dist/jotto.pkg",
    "jotto robot serve --page --record serve.jsonl",
    "jotto robot serve --listen tcp://127.0.0.1:0 --without ALSpeechRecognition",
)
_NAO_PORT = 9559
_NOT_A_ROBOTS = ", where a robot has 2.7"


def serve(
    listen: Annotated[
        str, option("NAO's address, for programs; port 0 is any free port.", metavar="URL")
    ] = f"tcp://127.0.0.1:{_NAO_PORT}",
    insecure: OpenPort = False,
    speed: Annotated[float, option("Speed as a multiple of real time.", min=_SLOWEST, max=_FASTEST)] = 1.0,
    without: Missing = None,
    robot_type: Annotated[str, option("Type of robot: Nao, Pepper or Romeo.", metavar="TYPE")] = "Nao",
    naoqi: Annotated[str, option("Its NAOqi: 2.1 or 2.5 (NAO V5, Pepper), 2.8 (NAO6).", metavar="VERSION")] = "2.8",
    python: Interpreter = "",
    language: Annotated[
        list[str] | None, option("A language that NAO speaks; default: English.", metavar="LANGUAGE")
    ] = None,
    install: Annotated[list[Path] | None, option("Install a package.", metavar="FILE.pkg")] = None,
    *,
    address: PageAddress,
    record: Annotated[Path | None, option("With --page: save NAO's events.", panel=PAGE, metavar="FILE")] = None,
) -> None:
    """Run a simulated NAO: programs reach it over libqi, and you speak to it by typing."""
    shown = _check_page_options(RecordedPageOptions(**vars(address), insecure=insecure, record=record))
    interpreter = python or find_python27(os.environ) or ""
    options: dict[str, Any] = {"listen": listen, "insecure": insecure, "speed": speed}
    options |= {"robot_type": robot_type, "naoqi": naoqi}
    packages = [_package(path) for path in install or []]
    with contextlib.ExitStack() as stack:
        stack.enter_context(end_politely())
        # The robot's interpreter starts while this one imports the simulator.
        options["child"] = stack.enter_context(_start_interpreter(interpreter))
        options |= {"without": _services(without or []), "languages": _choose_languages(language or [])}
        screen = _ServeScreen()
        server = stack.enter_context(_serve_robot(interpreter, options))
        server.robot.watch(screen.show)
        screen.say(f"NAO listens at {server.url}")
        version = server.robot.python_version
        screen.say(f"It runs behaviours on Python {version}{'' if version.startswith('2.7') else _NOT_A_ROBOTS}.")
        if insecure:
            screen.say("Anyone who can reach this port can do anything with it.")
        for path in packages:
            _install(server, path, screen)
        if shown:
            _show(server, screen, shown)
        else:
            screen.say("Type what NAO should hear, or /help.")
            _converse(server, screen)


def _check_page_options(asked: RecordedPageOptions) -> RecordedPageOptions | None:
    """Return the checked options of a page, before the robot starts; None without a page. Raises `DeskError`."""
    if not asked.page and (asked.host, asked.port) != (PageAddress.host, PageAddress.port):
        own = asked.port if asked.port != PageAddress.port else _NAO_PORT
        raise DeskError(
            f"--host and --port are for a page: NAO's address is --listen tcp://{asked.host}:{own}, or --page, too."
        )
    # Here --insecure opens the robot's own port, with or without a page; with TLS files the page stays closed.
    replace(asked, insecure=False).check()
    if not asked.page:
        return None
    asked = replace(asked, insecure=asked.insecure and asked.certificate is None)
    with convert_page_errors():
        asked.open_access()
    return asked


def _show(server: RobotServer, screen: _ServeScreen, page: RecordedPageOptions) -> None:
    """Show the robot on a page until Ctrl-C."""
    with convert_page_errors():
        from naosim_page.ears import Ears
        from naosim_page.server import serve_page

        access, record = page.open_access(), str(page.record or "")
        serve_page(server.robot, access=access, tell=screen.say, ears=Ears(), record=record)


def _converse(server: RobotServer, screen: _ServeScreen) -> None:
    """Carry out typed lines until /quit, the end of the terminal, or the end of the reader of the output."""
    from naosim_robots.hosting import RobotGone

    conversation = _TypedCommands(server.robot, screen)
    with contextlib.closing(TypedLines()) as lines:
        while not (screen.is_broken or conversation.is_over):
            for line in lines.take_lines(_TICK):
                conversation.run_line(line)
            if lines.has_ended and lines.is_terminal:
                return
            error = server.robot.person("ears").exception(_END_TIMEOUT_S)
            # A robot that is busy says so and continues.
            if isinstance(error, RobotGone):
                raise DeskError(str(error))


@contextlib.contextmanager
def _start_interpreter(python: str) -> Iterator[subprocess.Popen[bytes] | None]:
    """Start the robot's interpreter, and end it at the end at the latest; give None if that is impossible."""
    try:
        child = start_child(python)
    except (OSError, ValueError):
        # The robot says why.
        yield None
        return
    try:
        yield child
    finally:
        end_child(child)


@contextlib.contextmanager
def _serve_robot(python: str, options: dict[str, Any]) -> Iterator[RobotServer]:
    # The simulator is imported late, so that the other commands start fast.
    from naosim.errors import NaosimError
    from naosim_robots.serving import serve_robot

    with as_desk_errors(NaosimError), serve_robot(python, **options) as server:
        # For a game that is installed here: its player types.
        settings = [memory.SETTINGS_KEY, json.dumps({TYPED: True})]
        server.robot.call("ALMemory", "insertData", settings).result(_END_TIMEOUT_S)
        yield server


@contextlib.contextmanager
def end_politely() -> Iterator[None]:
    """Turn SIGTERM and the closing of the terminal into an orderly end; a second signal does not disturb it."""
    # Windows has no SIGHUP.
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def end(*_signal: object) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        raise SystemExit(0)

    before = {number: signal.signal(number, end) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _install(server: RobotServer, path: Path, screen: _ServeScreen) -> None:
    try:
        server.robot.call("PackageManager", "install", [str(path.resolve())]).result(_END_TIMEOUT_S)
    except RuntimeError as error:
        raise DeskError(f"NAO does not install '{path}': {str(error).strip()}") from error
    except TimeoutError:
        raise DeskError(f"NAO did not install '{path}' within {_END_TIMEOUT_S:g} seconds.") from None
    screen.say(f"Installed {path}.")


def _package(path: Path) -> Path:
    if not path.is_file():
        raise DeskError(f"There is no package '{path}'; 'jotto robot package' makes one.")
    files.read_bounded(path, MAX_PACKAGE_BYTES, "package")
    return path


def _services(names: list[str]) -> list[str]:
    from naosim.services import SERVICES

    for name in names:
        if name not in SERVICES:
            raise DeskError(f"NAO has no service '{name}'; it has {', '.join(sorted(SERVICES))}.")
    if "ALMemory" in names:
        raise DeskError("NAO needs ALMemory: the other services report through it.")
    return names


def _choose_languages(names: list[str]) -> list[str]:
    from naosim.services.voice import LANGUAGES

    for name in names:
        if name not in LANGUAGES:
            raise DeskError(f"NAO does not speak '{name}'; it speaks {', '.join(LANGUAGES)}.")
    return names or ["English"]
