"""Games with robots on the network, which may be lost, and with real ones: the person stands there, or types."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from typing import Any

from jotto_desk.conversation.game_record import lines_of
from jotto_desk.conversation.typed_answers import MIDDLE, parts, understand

from ..rehearsal.game import touches
from ..rehearsal.transcript import TOUCHES
from ..typed_lines import TypedLines
from .line_input import EditedLines
from .table import GameTable

WELCOME = """NAO guesses your word, or you guess NAO's. Speak when its eyes are blue, touch its head, or type.
[b]board[/b]: what is known so far. [b]?[/b]: what it understands. Ctrl-D: leave.
"""
#: Seconds between two looks at whether the game is over, for the thread that reads what is typed.
LOOK = 0.2
#: So many looks that thread gets to end by itself.
MOST_LOOKS = 5


class RemoteTable(GameTable):
    """The table with a robot that may be lost in mid-game: then the desk keeps the game."""

    def _failures(self, behaviour: Any) -> list[str]:
        # What failed because the robot was gone is one thing, and said already.
        return [] if self.robot.connection.lost else super()._failures(behaviour)

    def _farewell(self, kept: bool) -> str:
        if not self.robot.connection.lost:
            return super()._farewell(kept)
        if not self.forgets and self._is_kept():
            return self.texts("The game is kept: play again, and NAO takes it up.")
        return self.texts("There was no game to keep.")


class RealRobotTable(RemoteTable):
    """The table at which a person and a real NAO sit: time is real, and answers come by voice, by touch or typed."""

    welcome = WELCOME

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._lines: deque[str | None] = deque()
        #: What was typed for NAO and is not yet noticed: a phrase, or a sensor.
        self._given = ""
        self._is_over = False
        self._is_interrupted = False

    def _talk(self) -> bool:
        reader = threading.Thread(target=self._read, name="jotto-lines", daemon=True)
        with self.typed.printing_meanwhile():
            reader.start()
            try:
                return self._attend()
            finally:
                self._is_over = True
                for _ in range(MOST_LOOKS):
                    self.typed.interrupt()
                    reader.join(LOOK)
                    if not reader.is_alive():
                        break

    def _attend(self) -> bool:
        """Take turns with NAO until it ends the game (True) or the person does."""
        while True:
            pause = self.robot.attend(self._has_something)
            self._show(pause.events)
            if pause.ended:
                return True
            if pause.ears.engine is not None or pause.ears.touch:
                self._show_end()
            if self._may_answer():
                line = self._lines.popleft()
                if self._is_interrupted:
                    raise KeyboardInterrupt
                if line is None:
                    return False
                self._take(line, pause.ears)

    def _read(self) -> None:
        """Collect lines; the end of the input ends the game only if a line was typed, or could have been."""
        try:
            has_typed = self._read_edited() if isinstance(self.typed, EditedLines) else self._read_plain()
        except KeyboardInterrupt:
            # The key was pressed in the line editor; the game is on the other thread.
            self._is_interrupted = has_typed = True
        if has_typed:
            self._lines.append(None)
        self.robot.clock.wake()

    def _read_edited(self) -> bool:
        while not self._is_over:
            line = self.typed.line(self._prompt)
            if line is None:
                break
            self._collect(line.strip())
        return True

    def _read_plain(self) -> bool:
        has_typed = False
        with contextlib.closing(TypedLines()) as lines:
            while not (self._is_over or lines.has_ended):
                for line in lines.read(LOOK):
                    has_typed = has_typed or bool(line)
                    self._collect(line)
            return has_typed or lines.is_terminal

    def _collect(self, line: str) -> None:
        if line:
            self._lines.append(line)
            self.robot.clock.wake()

    def _has_something(self) -> bool:
        return self.robot.has_new_events() or self.robot.behaviour.ended or self._may_answer()

    def _may_answer(self) -> bool:
        """Tell whether a line and NAO both wait; the end of the input on a terminal counts at once."""
        return bool(self._lines) and (self.robot.listens() or self._is_urgent(self._lines[0]))

    def _is_urgent(self, line: str | None) -> bool:
        """Tell whether something typed need not wait until NAO listens."""
        if line is None:
            return self.typed.is_terminal
        return self._is_interrupted or line.lower() in self._commands()

    def _take(self, line: str, ears: Any) -> None:
        """Do what was typed: an answer as if NAO had heard it, or as touches where NAO only feels."""
        if self._is_for_the_desk(line, ears):
            return
        state, lines = self._state(), lines_of(self.robot)
        known = ears.vocabulary or lines.phrases(["yes", "no", "ready", "go on", "stop", *"012345", *lines.alphabet])
        if self._is_misfit(line, ears):
            return
        first, *rest = parts(line, state, lines, known)
        self._lines.extendleft(reversed(rest))
        typed = understand(first, state, lines, known)
        self._say(first)
        if typed.sensor:
            self._touch(typed.sensor)
        elif ears.engine is not None and typed.phrase is not None:
            self._given = typed.phrase
            self.robot.hear(typed.phrase, typed.confidence)
        elif typed.phrase is not None:
            stops = lines.meaning(typed.phrase, ["stop"])
            for sensor in [MIDDLE] if stops else touches(typed.phrase, state, lines):
                self._touch(sensor)

    def _touch(self, sensor: str) -> None:
        self._given = sensor
        self.robot.touch(sensor)

    def _notice(self, text: str) -> None:
        """Show and note what NAO heard or felt of the person who stands before it."""
        self.screen.you(text, self.eyes)
        self.transcript.person(text)

    def _show(self, events: list[Any]) -> bool:
        """Show what NAO says, and what it has heard or felt."""
        for event in events:
            said = event.fields.get("phrase") if event.kind == "hear" else _touched(event)
            if said is None:
                continue
            if self._given in (said, event.fields.get("sensor")):
                self._given = ""
            elif event.kind == "hear":
                self._notice(f"{said} ({event.fields['confidence']:.2f})")
            else:
                self._notice(f"(touches {said})")
        return super()._show(events)


def _touched(event: Any) -> str | None:
    """Name the part of the head that was touched."""
    if event.kind != "touch" or not event.fields.get("pressed"):
        return None
    return TOUCHES.get(event.fields["sensor"])
