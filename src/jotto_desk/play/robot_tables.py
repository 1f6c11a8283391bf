"""Games with a robot on the network or a real one, and games by voice."""

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from jotto_behaviour.settings import DEFAULT_LANGUAGE, find_code
from jotto_desk.conversation.answers import MIDDLE, Typed, parse_typed_line, split_line
from jotto_desk.conversation.game_record import TOUCHES, load_lines
from jotto_desk.play.table import GameTable
from jotto_desk.play.terminal import EditedLines, GameScreen, PipedLines, TypedLines
from jotto_desk.rehearsal.game import choose_touches
from naosim_voice import sound, speaking
from naosim_voice.model import is_native
from naosim_voice.recogniser import (
    RATE,
    STOPS,
    WIDTH,
    Recognised,
    Recogniser,
    SpeechBegan,
    Vocabulary,
    is_stop,
    list_letters,
)

# Games with robots on the network, simulated or real.

ROBOT_WELCOME = """NAO guesses your word, or you guess NAO's. Speak when its eyes are blue, touch its head, or type.
[b]board[/b]: what is known so far. [b]?[/b]: what it understands. Ctrl-D: leave.
"""
#: The interval at which the thread that reads lines checks whether the game is over.
_POLL_INTERVAL_S = 0.2
#: That thread is given up after this number of intervals.
_MAX_POLLS = 5


class RemoteTable(GameTable):
    """A game with a robot that can be lost during the game: then this computer saves the game."""

    def _list_failures(self, behaviour: Any) -> list[str]:
        # A lost robot is reported already; its failures follow from that.
        return [] if self.robot.connection.lost else super()._list_failures(behaviour)

    def _say_farewell(self, kept: bool) -> str:
        if not self.robot.connection.lost:
            return super()._say_farewell(kept)
        if not self.forgets and self._is_kept():
            return self.texts("Your game is saved. Play again to continue it.")
        return self.texts("There was no game to save.")


class RealRobotTable(RemoteTable):
    """A game with a real NAO: in real time, with answers by voice, by touch or typed."""

    welcome = ROBOT_WELCOME

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._lines: deque[str | None] = deque()
        #: The typed phrase or sensor whose event has not come back from the robot yet.
        self._given = ""
        self._is_over = False
        self._is_interrupted = False

    def _take_turns(self) -> bool:
        reader = threading.Thread(target=self._collect_lines, name="jotto-lines", daemon=True)
        with self.typed.allow_printing():
            reader.start()
            try:
                return self._attend()
            finally:
                self._is_over = True
                for _ in range(_MAX_POLLS):
                    self.typed.interrupt()
                    reader.join(_POLL_INTERVAL_S)
                    if not reader.is_alive():
                        break

    def _attend(self) -> bool:
        """Take turns until the end; return whether NAO ended the game, and not the person."""
        robot = self.robot
        while True:
            pause = robot.attend(lambda: robot.has_new_events() or robot.behaviour.ended or self._may_answer())
            self._show(pause.events)
            if pause.ended:
                return True
            if robot.listens():
                self._show_end()
            if self._may_answer():
                line = self._lines.popleft()
                if self._is_interrupted:
                    raise KeyboardInterrupt
                if line is None:
                    return False
                self._take(line, pause.ears)

    def _collect_lines(self) -> None:
        """Collect lines; the end of the input ends the game only if it is a terminal or had a line."""
        try:
            has_typed = self._collect_edited() if isinstance(self.typed, EditedLines) else self._collect_plain()
        except KeyboardInterrupt:
            # Ctrl-C in the line editor: the game runs on the other thread.
            self._is_interrupted = has_typed = True
        if has_typed:
            self._lines.append(None)
        self.robot.clock.wake()

    def _collect_edited(self) -> bool:
        while not self._is_over:
            line = self.typed.line(self._prompt)
            if line is None:
                break
            self._collect(line.strip())
        return True

    def _collect_plain(self) -> bool:
        has_typed = False
        with contextlib.closing(TypedLines()) as lines:
            while not (self._is_over or lines.has_ended):
                for line in lines.take_lines(_POLL_INTERVAL_S):
                    has_typed = has_typed or bool(line)
                    self._collect(line)
            return has_typed or lines.is_terminal

    def _collect(self, line: str) -> None:
        if line:
            self._lines.append(line)
            self.robot.clock.wake()

    def _may_answer(self) -> bool:
        """Return whether there is a line that NAO listens for or that need not wait."""
        return bool(self._lines) and (self.robot.listens() or self._is_urgent(self._lines[0]))

    def _is_urgent(self, line: str | None) -> bool:
        """Return whether a line (None: the end of the input) need not wait until NAO listens."""
        if line is None:
            return self.typed.is_terminal
        return self._is_interrupted or self._name_command(line) in self._list_commands()

    def _take(self, line: str, ears: Any) -> None:
        """Carry out a line: as an answer that NAO hears, or as touches if NAO only feels touches."""
        if self._run_desk_command(line, ears):
            return
        state, lines = self._get_state(), load_lines(self.robot)
        known = ears.vocabulary or lines.list_phrases(
            ["yes", "no", "ready", "go on", "stop", *"012345", *lines.alphabet]
        )
        if self._warn_of_misfit(line, ears):
            return
        first, *rest = split_line(self._name_command(line), state, lines, known)
        self._lines.extendleft(reversed(rest))
        typed = parse_typed_line(first, state, lines, known)
        self._say(first)
        if typed.sensor:
            self._touch(typed.sensor)
        elif ears.engine is not None and typed.phrase is not None:
            self._given = typed.phrase
            self.robot.hear(typed.phrase, typed.confidence)
        elif typed.phrase is not None:
            stops = lines.find_meaning(typed.phrase, ["stop"])
            for sensor in [MIDDLE] if stops else choose_touches(typed.phrase, state, lines):
                self._touch(sensor)

    def _touch(self, sensor: str) -> None:
        self._given = sensor
        self.robot.touch(sensor)

    def _notice(self, text: str) -> None:
        self.screen.print_person(text, self.eyes)
        self.transcript.add_person(text)

    def _show(self, events: list[Any]) -> bool:
        """Show NAO's words, and the phrases and touches that it noticed."""
        for event in events:
            said = event.fields.get("phrase") if event.kind == "hear" else _find_touched_part(event)
            if said is None:
                continue
            if self._given in (said, event.fields.get("sensor")):
                self._given = ""
            elif event.kind == "hear":
                self._notice(f"{said} ({event.fields['confidence']:.2f})")
            else:
                self._notice(f"(touches {said})")
        return super()._show(events)


def _find_touched_part(event: Any) -> str | None:
    """Return the part of the head that was touched; None for another event."""
    if event.kind != "touch" or not event.fields.get("pressed"):
        return None
    return TOUCHES.get(event.fields["sensor"])


# `jotto play --voice`: games with loudspeaker and microphone, or a sound file.

#: After speaking, NAO does not listen for this time, because of the echo.
_SOUND_GUARD_S = 0.4
#: The longest time that NAO listens.
_MAX_WAIT_S = 60.0


class VoicedTable(GameTable):
    """A game of a person who speaks: the device plays NAO's words and records the answers."""

    def __init__(
        self, robot: Any, screen: GameScreen, forgets: bool, recogniser: Recogniser, device: sound.SoundDevice
    ) -> None:
        super().__init__(robot, screen, PipedLines(), forgets)
        self._recogniser = recogniser
        self._device = device
        self._has_told = False
        self._hears: list[tuple[str, float]] = []

    def _show(self, events: list[Any]) -> bool:
        """Show and play NAO's words; the device may hear meanwhile that NAO should stop."""
        calm = super()._show(events)
        said = [event.fields for event in events if event.kind == "say"]
        if said and speaking.is_installed():
            language = find_code(str(said[-1].get("language", ""))) or DEFAULT_LANGUAGE
            clip = speaking.speak(" ".join(fields["text"] for fields in said), language)
            self._device.play(clip, self._make_stop_test(language))
            self._recogniser.close()
            self._device.skip(_SOUND_GUARD_S)
        return calm

    def _make_stop_test(self, language: str) -> Callable[[bytes], bool]:
        """Return a function that tells of each sound whether the player has stopped NAO's sentence by it."""
        is_open = language != DEFAULT_LANGUAGE

        def is_stopped(pcm: bytes) -> bool:
            nonlocal is_open
            # Only a device with headphones listens meanwhile.
            if not is_open:
                self._recogniser.open(Vocabulary(STOPS))
                is_open = True
            return any(map(is_stop, self._recogniser.feed(pcm)))

        return is_stopped

    def _take_answer(self, ears: Any) -> Typed | None:
        """Listen for the next answer; return None at the end of the sound."""
        if not ears.vocabulary:
            # NAO only feels touches now, and this player cannot touch its head.
            return Typed()
        spoken = self.robot.world.services["ALSpeechRecognition"].getLanguage()
        language = find_code(spoken) or DEFAULT_LANGUAGE
        if not self._has_told and list_letters(ears.vocabulary) and not is_native(language):
            self._has_told = True
            told = self.texts(
                "NAO does not understand letters in this language: say alphabet words, or play on a page."
            )
            self.screen.remark(told)
        self._recogniser.open(Vocabulary(tuple(ears.vocabulary), ears.spotting, language=language))
        due = self.robot.clock.next_due()
        try:
            return self._listen(_MAX_WAIT_S if due is None else min(_MAX_WAIT_S, max(0.0, due - self.robot.now())))
        finally:
            self._recogniser.close()

    def _listen(self, seconds: float) -> Typed | None:
        """Listen until an answer, or for `seconds` seconds without speech; None at the end of the sound."""
        passed, speaks = 0.0, False
        while speaks or passed < seconds:
            block = self._device.read()
            if not block:
                return None
            passed += len(block) / WIDTH / RATE
            for event in self._recogniser.feed(block):
                # Talk that is not an answer was not for NAO: it continues listening.
                if isinstance(event, Recognised) and not event.is_other_speech:
                    return self._understood(event)
                speaks = isinstance(event, SpeechBegan)
        self.screen.print_person(self.texts("(silence)"), self.eyes)
        return Typed()

    def _understood(self, event: Recognised) -> Typed:
        """Show what was heard with its confidence, and return it as an answer."""
        self._hears = [(found.phrase, found.confidence) for found in event.hypotheses]
        phrase, confidence = self._hears[0] if self._hears else ("", 0.0)
        told = f"{phrase}  ({confidence:.0%})" if phrase else self.texts("(not understood)")
        self.screen.print_person(told, self.eyes)
        self.transcript.add_person(phrase or "(not understood)")
        self.robot.person.begin_to_speak()
        self.robot.wait(event.ended - event.began)
        return Typed(phrase, confidence)

    def _act(self, typed: Typed) -> Any:
        if typed.phrase is None:
            return self.robot.stay_silent()
        self.robot.person.speak(self._hears)
        return self.robot.advance()
