"""The panel of speech: a microphone for NAO's ears, a loudspeaker for its voice, and what was heard how surely."""

from __future__ import annotations

from typing import Any

from nicegui import background_tasks, ui

from ...voice import espeak
from ...voice.errors import VoiceError
from ...voice.recogniser import SpeechBegan
from ..live_robot import LiveRobot
from ..shown_robot import ShownRobot
from ..texts import Texts
from . import voice
from .elements import STYLE, LoudspeakerElement, MicrophoneElement
from .listener import Listener
from .microphones import Microphones
from .sayings import Saying, Sayings

_VOICE = "ALTextToSpeech"
LISTENS, SPEAKS, DEAF = "NAO is listening. Speak now!", "NAO is speaking.", "NAO isn't listening right now."
PREPARES, HEARS = "Getting NAO's ears ready \u2026", "NAO hears you \u2026"
UNKNOWN = "NAO heard you, but didn't understand. Say one of the answers on this page."
VOICELESS = "This browser has no voice. To hear NAO, install espeak-ng: apt install espeak-ng."
RECORDING = "A recording can't hear you."


class SpeechPanel:
    """Speech between one robot and the person at one browser."""

    title, place = "By voice", "talk"

    def __init__(self, shown: ShownRobot, microphones: Microphones) -> None:
        self._shown, self._microphones = shown, microphones
        self._sayings = shown.model(Sayings)
        self._listener: Listener | None = None
        self._version = self._wishes = 0
        self._is_wanted = self._is_on = self._is_asked = False
        self._begun = self._sayings.last.number
        self._hushed = self._begun
        self._trouble = ""

    def build(self) -> None:
        """Draw the buttons, and a line each for the state and for what was heard."""
        ui.add_css(STYLE)
        texts = self._shown.texts
        self._missing = texts(RECORDING if not isinstance(self._shown, LiveRobot) else self._microphones.missing)
        with MicrophoneElement(not self._missing, texts, self._hire, self._dismiss) as self._microphone:
            self._loudspeaker = LoudspeakerElement(texts, self._turn, self._quiet)
        self._state = ui.label(self._missing).classes("speech-state").props('role="status"')
        self._heard = ui.label().classes("speech-heard").props('role="log"')

    async def refresh(self) -> None:
        """Speak what NAO says, fall silent when it does, and tell whether it listens."""
        self._follow(self._sayings.last)
        listener = self._listener
        if listener is not None and listener.version != self._version:
            self._version = listener.version
            self._heard.set_text(_heard(listener, self._shown.texts))
        state = self._shown.texts(self._state_now())
        if self._state.text != state:
            self._state.set_text(state)

    def _state_now(self) -> str:
        listener = self._listener
        if self._trouble or listener is None:
            return self._trouble or (PREPARES if self._is_wanted else self._missing)
        if listener.trouble:
            return listener.trouble
        if listener.listens:
            return HEARS if isinstance(listener.heard, SpeechBegan) else LISTENS
        return SPEAKS if self._sayings.speaks else DEAF

    # Ears

    async def _hire(self, by_browser: bool) -> None:
        """Get a recogniser for the microphone that is open; it is asked for once."""
        if self._is_wanted or not isinstance(self._shown, LiveRobot):
            return
        self._is_wanted, self._trouble = True, ""
        self._wishes += 1
        wish = self._wishes
        self._loudspeaker.turn_on()
        try:
            ticket, listener = await self._microphones.admit(self._shown, by_browser)
        except VoiceError as error:
            if wish == self._wishes:
                self._microphone.refuse(str(error))
            return
        # Drop the ticket if the microphone was turned off, or asked for again, in the meantime: it expires unused.
        if self._is_wanted and wish == self._wishes:
            self._listener, self._version = listener, listener.version
            self._microphone.connect(ticket)

    def _dismiss(self) -> None:
        """Leave the recogniser, which ends with its socket."""
        self._is_wanted, self._listener = False, None
        self._heard.set_text("")

    # Voice

    def _turn(self, is_on: bool) -> None:
        self._is_on, self._trouble = is_on, ""
        self._begun = self._hushed = self._sayings.last.number
        if not is_on:
            self._quiet()

    def _quiet(self) -> None:
        if self._listener is not None:
            self._listener.voice_ends()

    def _follow(self, saying: Saying) -> None:
        """Begin what NAO has begun to say, and break off what it has broken off."""
        if not self._is_on:
            return
        if saying.number != self._begun:
            self._begun = saying.number
            # Time that is faster than real has no voice.
            if not saying.is_over and self._shown.speed == 1.0:
                if self._listener is not None:
                    self._listener.voice_begins()
                background_tasks.create(self._say(saying), name="voice")
        is_broken = saying.is_over and not saying.is_whole
        if (is_broken or self._shown.speed != 1.0 or self._shown.gone) and self._hushed != saying.number:
            self._hushed = saying.number
            self._loudspeaker.hush()
            self._quiet()

    async def _say(self, saying: Saying) -> None:
        language = voice.language(saying)
        if language in self._loudspeaker.languages:
            self._loudspeaker.speak(saying.number, language, voice.parts(saying), voice.allowed(saying))
            return
        if not espeak.is_installed():
            self._trouble = VOICELESS
            self._quiet()
            return
        try:
            wave, volume = await voice.spoken(saying), await self._volume()
        except (VoiceError, RuntimeError) as error:
            self._trouble = str(error)
            self._quiet()
            return
        if not saying.is_over and self._is_on:
            self._loudspeaker.play(saying.number, wave, volume)
        else:
            self._quiet()

    async def _volume(self) -> float:
        told: Any = await self._shown.call(_VOICE, "getVolume") if isinstance(self._shown, LiveRobot) else 1.0
        return min(max(float(told), 0.0), 1.0) if isinstance(told, int | float) else 1.0


def _heard(listener: Listener, texts: Texts) -> str:
    """Say what was heard, and how surely."""
    heard = listener.heard
    if heard is None or isinstance(heard, SpeechBegan):
        return ""
    if not heard.hypotheses:
        return texts(UNKNOWN)
    best = heard.hypotheses[0]
    return texts("Heard: {phrase} ({sure})", phrase=best.phrase, sure=f"{best.confidence:.0%}")
