"""`jotto play`: a person plays with the simulated NAO in the terminal, or with a robot."""

import json
import secrets
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from jotto import roster
from jotto_behaviour import resources
from jotto_behaviour.roles import BREAKER, MAKER, RACE, ROLES
from jotto_desk import places
from jotto_desk.errors import DeskError

from . import reach
from .rehearsal.stage import renew_library, simulated
from .rehearsal.transcript import Transcript
from .rehearse import STRATEGIES, TREE, playable
from .typed import Typed, misfit, parts, understand, understood

app = typer.Typer(add_completion=False)
_EXAMPLES = """
Examples:

  jotto play

  jotto play --words mywords.txt --strategy consistent

  jotto play --role maker

  jotto play --robot nao.local

  printf 'ready\\nno\\n1\\n2\\nstop\\nyes\\n' | jotto play --seed 1
"""
ROLE = "NAO's role: breaker guesses your word, maker thinks of one for you, race: both. NAO asks when it is not given."
WELCOME = """NAO guesses your word, or you guess NAO's. Type what you would say, then Enter ([b]2[/b] is fine).
Enter alone: you stay silent. [b]touch front[/b], [b]touch back[/b]: you touch NAO's head. [b]?[/b]: what it knows.
"""


@app.command(epilog=_EXAMPLES)
def play(  # noqa: PLR0917
    word_list: Annotated[str, typer.Option("--words", help="A word list: file, URL or name.")] = "",
    strategy: Annotated[str, typer.Option(help=STRATEGIES)] = resources.DEFAULT_STRATEGY,
    tree: Annotated[str, typer.Option(metavar="FILE", help=TREE)] = "",
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="The same seed plays the same; 0 draws one.")] = 0,
    without: Annotated[list[str] | None, typer.Option(help="A service the robot lacks.")] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Do not take up an unfinished game, and keep none.")] = False,
    role: Annotated[str, typer.Option(help=ROLE)] = "",
    url: reach.Url = "",
    user: reach.User = "",
    password_file: reach.PasswordFile = None,
    events: reach.Events = "auto",
    patience: reach.Patience = 60.0,
) -> None:
    """Play Jotto with a simulated NAO, or with a robot: it is the very same behaviour, run here."""
    roster.named(strategy)
    if role and role not in ROLES:
        raise DeskError(f"There is no role '{role}' to play; NAO is the {BREAKER} or the {MAKER}, or you {RACE} it.")
    far = reach.reach(url, user, password_file, events, patience)
    if far is not None and without:
        raise DeskError("--without takes services from the simulated robot at the desk, not from one at --robot URL.")
    renew_library()
    screen = Console(highlight=False, soft_wrap=True)
    settings = {"strategy": strategy, "seed": seed or secrets.randbelow(2**31 - 1) + 1,
                "folder": "" if forget else str(places.data_folder())}
    with playable(word_list, tree) as (_, path), _robot(far, without or (), screen) as (robot, behaviour):
        robot.set("Jotto/Settings", json.dumps({"words": path, "role": role, **settings}))
        if forget:
            robot.set("Jotto/Game", "")
        alive = sys.stdin is not None and sys.stdin.isatty()
        try:
            _table(robot, far)(robot, screen, alive, forget).play(behaviour)
        finally:
            if forget:
                robot.set("Jotto/Game", "")


def _robot(far: reach.Reach | None, without: Sequence[str], screen: Console) -> AbstractContextManager[Any]:
    """Open the robot to play with."""
    if far is None:
        return simulated(without=without)
    return reach.linked(far, tell=lambda text: screen.print(f"({text})", style="dim", markup=False))


def _table(robot: Any, far: reach.Reach | None) -> Any:
    """Choose the table: a robot far away may be lost, and with a real one time is real."""
    if far is None:
        return Table
    from .live import FarTable, LiveTable

    return FarTable if robot.has_human else LiveTable


class Table:
    """The table at which a person and NAO sit: NAO's words go to the screen, lines come from the person."""

    welcome = WELCOME

    def __init__(self, robot: Any, screen: Console, alive: bool, forgets: bool) -> None:
        self.robot = robot
        self.screen = screen
        self.alive = alive
        self.forgets = forgets
        self.eyes = "#ffffff"
        self.heard: list[str] = []
        self.transcript = Transcript()

    def play(self, behaviour: Any) -> None:
        """Play until NAO or the person ends it."""
        if self.alive:
            self.screen.print(self.welcome)
        self.robot.start(behaviour)
        ended = False
        try:
            ended = self._talk()
        finally:
            # However it ends, NAO is stopped as on a robot, and keeps the game.
            self.robot.stop(behaviour)
            kept = self._show(self.robot.pause().events) and not self.forgets
            if not ended:
                self.screen.print(f"\n({self._farewell(kept)})", style="dim")
        for failure in self._failures(behaviour):
            self.screen.print(f"(Something went wrong in NAO: {failure})", style="red", markup=False)

    def _failures(self, behaviour: Any) -> list[str]:
        return list(behaviour.failures)

    def _farewell(self, kept: bool) -> str:
        return "You left; NAO keeps the game." if kept else "You left."

    def _talk(self) -> bool:
        """Take turns until NAO ends it (True) or the person does."""
        pause = self.robot.advance()
        while True:
            self._show(pause.events)
            if pause.ended:
                return True
            typed = self._next(pause.ears)
            if typed is None:
                return False
            pause = self._act(typed)

    def _show(self, events: list[Any]) -> bool:
        """Show what NAO says and what it warns of; False when it warned."""
        calm = True
        guess = str(self.robot.get("Jotto/Guess"))
        for event in events:
            if event.kind == "eyes":
                self.eyes = event.fields.get("colour", self.eyes)
            elif event.kind == "log" and event.fields["level"] == "warning":
                calm = False
                self.screen.print(f"({event.fields['text']})", style="yellow", markup=False)
            for text in self.transcript.said([event], guess):
                self.screen.print(Text("● ", style=self.eyes) + Text("NAO  ", style="bold") + Text(text))
        return calm

    def _next(self, ears: Any) -> Typed | None:
        """Take the next thing the person does: from a line typed earlier, or from a new line."""
        while not self.heard:
            line = self._line()
            if line is None:
                return None
            if line.strip() == "?":
                self._tell_vocabulary(ears)
                continue
            if not self._is_misfit(line, ears):
                self.heard = list(parts(line, self._state(), resources.lines(), ears.vocabulary))
        return understand(self.heard.pop(0), self._state(), resources.lines(), ears.vocabulary)

    def _state(self) -> str:
        return str(self.robot.get("Jotto/State"))

    def _is_misfit(self, line: str, ears: Any) -> bool:
        """Tell the person, before NAO hears it, that no guess has so many letters."""
        wrong = misfit(line, self._state(), ears.vocabulary)
        if wrong:
            self.screen.print(f"({wrong})", style="yellow", markup=False)
        return bool(wrong)

    def _tell_vocabulary(self, ears: Any) -> None:
        known = understood(self._state(), resources.lines(), ears.vocabulary)
        self.screen.print(f"NAO understands: {known}", style="dim", markup=False)

    def _line(self) -> str | None:
        try:
            if self.alive:
                return self.screen.input(self._you())
            line = sys.stdin.readline() if sys.stdin is not None else ""
        except EOFError:
            return None
        if line:
            self._echo(line.rstrip("\n"))
        return line.rstrip("\n") if line else None

    def _you(self) -> Text:
        return Text("● ", style=self.eyes) + Text("you  ", style="bold green")

    def _heard(self, text: str) -> None:
        self.screen.print(self._you() + Text(text[:200]))

    def _echo(self, line: str) -> None:
        """Show what was typed, where no terminal has done so."""
        if not self.alive:
            self._heard(line)

    def _act(self, typed: Typed) -> Any:
        if typed.sensor:
            self.robot.touch(typed.sensor)
            return self.robot.advance()
        if typed.phrase is None:
            return self.robot.stay_silent()
        self.robot.hear(typed.phrase, typed.confidence)
        return self.robot.advance()
