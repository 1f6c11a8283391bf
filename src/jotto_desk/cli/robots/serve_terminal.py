"""What a person at the terminal of `jotto robot serve` sees and types."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..typed_lines import LONGEST_LINE

if TYPE_CHECKING:
    from concurrent.futures import Future

    from naosim.world import Event
    from naosim_live.hosting import RobotClient

#: Real seconds for the robot to answer what was typed.
PATIENCE = 10.0
HELP = """\
  WORDS                       NAO hears them
  /touch SENSOR               touch a sensor, such as FrontTactilTouched
  /silent [SECONDS]           say nothing for so long, or until NAO's next time-out
  /start BEHAVIOUR  /stop     start a behaviour; stop all of them
  /list                       what is installed, what runs, what NAO listens to
  /help  /quit"""


class ServeScreen:
    """Output line by line, from any thread; `is_broken` once it is no longer read."""

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
        """Print a line at once."""
        with self._lock:
            try:
                if not self.is_broken:
                    print(line, flush=True)
            except (OSError, ValueError):
                self.is_broken = True


class TypedCommands:
    """The commands a person types."""

    def __init__(self, robot: RobotClient, screen: ServeScreen) -> None:
        self._robot, self._screen = robot, screen
        self.is_over = False
        self._commands: dict[str, Callable[[str], None]] = {
            "/touch": lambda sensor: self._ask(robot.person("touch", sensor)),
            "/silent": self._silent,
            "/start": lambda name: self._ask(robot.call("ALBehaviorManager", "startBehavior", [name])),
            "/stop": lambda _: self._ask(robot.call("ALBehaviorManager", "stopAllBehaviors", [])),
            "/list": lambda _: self._list(),
            "/help": lambda _: screen.say(HELP),
            "/quit": lambda _: self._quit(),
        }

    def heed(self, line: str) -> None:
        """Carry out one line: a command, or something NAO hears; what goes wrong is printed."""
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
            return answer.result(PATIENCE)
        except RuntimeError as error:
            self._screen.say(" ".join(str(error).split()))
        except TimeoutError:
            self._screen.say(f"NAO has not answered for {PATIENCE:g} seconds.")
        return None

    def _silent(self, text: str) -> None:
        try:
            seconds = float(text) if text else None
        except ValueError:
            seconds = -1.0
        if seconds is not None and not 0 <= seconds <= 3600:
            self._screen.say(f'"{text}" is no number of seconds from 0 to 3600.')
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

    def _quit(self) -> None:
        self.is_over = True
