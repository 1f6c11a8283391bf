"""What `jotto play --voice` was asked for, checked before the game, and the table it leads to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jotto_desk.errors import DeskError

from ..rehearsal.voice_settings import CERTAINTY, PLAIN, check_model
from .screen import GameScreen

if TYPE_CHECKING:
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


def voice_choice(voice: bool, file: Path | None, recogniser: str, model: str,  # noqa: PLR0917
                 elsewhere: bool, language: str = "") -> VoiceChosen | None:
    """Return how to play by voice, None for a game that is typed; raises DeskError for what does not go together."""
    if not voice:
        given = {"--sound-file": file is not None, "--recogniser": recogniser != PLAIN, "--model": bool(model)}
        for option in [name for name, is_given in given.items() if is_given]:
            raise DeskError(f"{option} is for a game by voice: add --voice.")
        return None
    if elsewhere:
        raise DeskError("--voice is for the terminal: a robot at --robot URL has ears of its own, and --page none yet.")
    check_model(language, model)
    return VoiceChosen(recogniser, model, file)
