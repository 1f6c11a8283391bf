"""`jotto play --voice`: NAO speaks through the loudspeaker and hears through the microphone, or a sound file."""

from __future__ import annotations

from typing import Any

from jotto_behaviour.settings import DEFAULT_LANGUAGE, find_code
from jotto_desk.conversation.typed_answers import Typed
from naosim_live.voice import devices, espeak
from naosim_live.voice.recogniser import RATE, WIDTH, Recognised, Recogniser, SpeechBegan, Vocabulary

from .line_input import PipedLines
from .screen import GameScreen
from .table import GameTable

#: Seconds after NAO has spoken in which it does not listen: rooms echo.
GUARD = 0.4
#: Seconds NAO listens where it would wait without end.
LONGEST_WAIT = 60.0


class VoicedTable(GameTable):
    """The table of a person who speaks: what NAO says is played, what the device hears goes to NAO's recogniser."""

    def __init__(
        self, robot: Any, screen: GameScreen, forgets: bool, recogniser: Recogniser, device: devices.SoundDevice
    ) -> None:
        super().__init__(robot, screen, PipedLines(), forgets)
        self._recogniser = recogniser
        self._device = device
        self._hears: list[tuple[str, float]] = []

    def _show(self, events: list[Any]) -> bool:
        """Show what NAO says, and say it; while it speaks it does not listen."""
        calm = super()._show(events)
        said = [event.fields for event in events if event.kind == "say"]
        if said and espeak.is_installed():
            voice = espeak.naos(find_code(str(said[-1].get("language", ""))) or DEFAULT_LANGUAGE)
            self._device.play(espeak.speak(" ".join(fields["text"] for fields in said), voice))
            self._device.skip(GUARD)
        return calm

    def _next(self, ears: Any) -> Typed | None:
        """Listen for the person's next answer; None when there is no more sound."""
        if not ears.vocabulary:
            # NAO feels touches alone, and there is no head here.
            return Typed()
        self._recogniser.open(Vocabulary(tuple(ears.vocabulary), ears.spotting))
        try:
            return self._listen(self._patience())
        finally:
            self._recogniser.close()

    def _listen(self, seconds: float) -> Typed | None:
        """Feed sound until something was said or the time is over; who has begun may end."""
        passed, speaks = 0.0, False
        while speaks or passed < seconds:
            block = self._device.read()
            if not block:
                return None
            passed += len(block) / WIDTH / RATE
            for event in self._recogniser.feed(block):
                if isinstance(event, Recognised):
                    return self._understood(event)
                speaks = isinstance(event, SpeechBegan)
        self._say_nothing()
        return Typed()

    def _understood(self, event: Recognised) -> Typed:
        """Show what was heard, and how surely, and pass it to NAO's recogniser."""
        self._hears = [(found.phrase, found.confidence) for found in event.hypotheses]
        phrase, confidence = self._hears[0] if self._hears else ("", 0.0)
        told = f"{phrase}  ({confidence:.0%})" if phrase else self.texts("(not understood)")
        self.screen.you(told, self.eyes)
        self.transcript.person(phrase or "(not understood)")
        self.robot.begin_to_speak()
        self.robot.wait(event.ended - event.began)
        return Typed(phrase, confidence)

    def _say_nothing(self) -> None:
        self.screen.you(self.texts("(silence)"), self.eyes)

    def _act(self, typed: Typed) -> Any:
        if typed.phrase is None:
            return self.robot.stay_silent()
        self.robot.speak(self._hears)
        return self.robot.advance()

    def _patience(self) -> float:
        """Return the seconds after which NAO waits no longer."""
        due = self.robot.clock.next_due()
        return LONGEST_WAIT if due is None else min(LONGEST_WAIT, max(0.0, due - self.robot.now()))
