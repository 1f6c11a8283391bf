"""What `jotto play --voice` was asked for, checked before the game, and the table it leads to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk.errors import DeskError

from ..rehearsal.voice_settings import CERTAINTY, check_model
from ..simulated_robot import spoken_by_nao
from .screen import GameScreen

if TYPE_CHECKING:
    from naosim_live.page.speech.microphones import Microphones

    from .voiced_game import VoicedTable


class VoiceChosen(NamedTuple):
    """A recogniser with its model, and a sound file in place of the microphone."""

    recogniser: str
    model: str
    file: Path | None

    def settings(self) -> dict[str, Any]:
        """Return what NAO must know of the recogniser: from which confidences on it believes."""
        return {"certainty": list(CERTAINTY)}

    @contextlib.contextmanager
    def table(self, robot: Any, screen: GameScreen, forgets: bool) -> Iterator[VoicedTable]:
        """Open recogniser and device for one game; raises DeskError for what cannot be used."""
        from naosim_live.voice import devices
        from naosim_live.voice.errors import VoiceError
        from naosim_live.voice.recogniser import recogniser

        from .voiced_game import VoicedTable

        try:
            ears = recogniser(self.recogniser, self.model)
            with contextlib.closing(devices.device(self.file)) as device:
                yield VoicedTable(robot, screen, forgets, ears, device)
        except VoiceError as error:
            raise DeskError(str(error)) from error

    def microphones(self) -> Microphones:
        """Return the ears of a page; raises DeskError where the recogniser cannot be used."""
        from naosim_live.page.speech.microphones import Microphones
        from naosim_live.voice.errors import VoiceError
        from naosim_live.voice.recogniser import recogniser

        try:
            recogniser(self.recogniser, self.model)
        except VoiceError as error:
            raise DeskError(str(error)) from error
        return Microphones(self.recogniser, self.model)


#: How a page hears that was not asked to: the button is there where the recogniser is.
UNASKED = VoiceChosen("", "", None)


def played_in(language: str, voiced: VoiceChosen | None) -> tuple[str, ...]:
    """Return the languages of a simulated NAO, by NAOqi's names; ears for one language are offered no other.

    >>> played_in("de", None)[:2], played_in("", UNASKED)
    (('German', 'English'), ('English',))
    """
    spoken = spoken_by_nao(language or DEFAULT_LANGUAGE)
    return spoken if voiced is None else spoken[:1]


def voice_choice(
    voice: bool, file: Path | None, recogniser: str, model: str, is_far: bool, is_page: bool, language: str = ""
) -> VoiceChosen | None:
    """Return how to play by voice, None for a game that is typed; raises DeskError for what does not go together."""
    if not voice:
        given = {"--sound-file": file is not None, "--recogniser": bool(recogniser), "--model": bool(model)}
        for option in [name for name, is_given in given.items() if is_given]:
            raise DeskError(f"{option} is for a game by voice: add --voice.")
        return None
    if is_far:
        raise DeskError("--voice is for the simulated NAO: a robot at --robot URL has ears and a voice of its own.")
    if is_page and file is not None:
        raise DeskError("--sound-file stands for the microphone of the terminal: a page hears the browser's.")
    # The simulator is imported late, so that the other commands start at once.
    from naosim_live.voice.names import PLAIN, wanted

    check_model(language, model, recogniser or PLAIN)
    return VoiceChosen(wanted(recogniser, model), model, file)
