"""The table at which a person and NAO sit: NAO's words on the screen, the person's lines to NAO's ears."""

import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from jotto_behaviour import resources
from jotto_behaviour.notebook import Notebook
from jotto_desk import places

from ..rehearsal.transcript import Transcript
from .typed_answers import Typed, misfit, parts, understand, understood

WELCOME = """NAO guesses your word, or you guess NAO's. Type what you would say, then Enter ([b]2[/b] is fine).
Enter alone: you stay silent. [b]touch front[/b], [b]touch back[/b]: you touch NAO's head. [b]?[/b]: what it knows.
"""


class GameTable:
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
            kept = self._show(self.robot.pause().events) and not self.forgets and self._is_kept()
            if not ended:
                self.screen.print(f"\n({self._farewell(kept)})", style="dim")
        for failure in self._failures(behaviour):
            self.screen.print(f"(Something went wrong in NAO: {failure})", style="red", markup=False)

    def _is_kept(self) -> bool:
        return bool(Notebook(str(places.data_folder())).unfinished())

    def _failures(self, behaviour: Any) -> list[str]:
        return list(behaviour.failures)

    def _farewell(self, kept: bool) -> str:
        return "You left; NAO has saved the game." if kept else "You left."

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
        for event in events:
            if event.kind == "eyes":
                self.eyes = event.fields.get("colour", self.eyes)
            elif event.kind == "log" and event.fields["level"] == "warning":
                calm = False
                self.screen.print(f"({event.fields['text']})", style="yellow", markup=False)
            for text in self.transcript.said([event]):
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
