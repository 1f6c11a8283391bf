"""What `jotto rehearse --voice` was asked for, checked before the first game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_NAMES
from jotto_desk.errors import DeskError
from naosim_live.voice.names import ENGLISH_ALONE, PLAIN

if TYPE_CHECKING:
    from .spoken import VoiceSettings

#: The noise where none is named.
QUIET = "quiet"
#: Below the first NAO asks again, below the second it asks back.
CERTAINTY = (0.1, 0.7)


class VoiceWishes(NamedTuple):
    """The options as they were given."""

    voice: bool
    noise: str
    recogniser: str
    model: str
    save: str
    write_confusions: Path | None = None
    recordings: Path | None = None


def check_model(language: str, model: str, recogniser: str = PLAIN) -> None:
    """See that there is a model to hear a language with; raises DeskError."""
    if language in ("", DEFAULT_LANGUAGE):
        return
    if recogniser in ENGLISH_ALONE:
        raise DeskError(
            f"The recogniser {recogniser!r} hears {LANGUAGE_NAMES[DEFAULT_LANGUAGE]} alone here: use --recogniser vosk "
            f"--model DIR with a model for {LANGUAGE_NAMES[language]}, or leave --voice out."
        )
    if not model:
        raise DeskError(
            f"The recogniser that comes with the game hears {LANGUAGE_NAMES[DEFAULT_LANGUAGE]} alone: give the "
            "folder of a model "
            f"for {LANGUAGE_NAMES[language]} with --recogniser vosk --model DIR, or leave --voice out."
        )


def chosen(
    wishes: VoiceWishes, touch: bool, is_misheard: bool, is_far: bool, language: str = ""
) -> VoiceSettings | None:
    """Return how answers are spoken, None where they are not; raises DeskError for what does not go together."""
    if not wishes.voice:
        given = {
            "--noise": wishes.noise != QUIET,
            "--recogniser": wishes.recogniser != PLAIN,
            "--model": bool(wishes.model),
            "--save": bool(wishes.save),
            "--write-confusions": wishes.write_confusions is not None,
            "--recordings": wishes.recordings is not None,
        }
        for option in [name for name, is_given in given.items() if is_given]:
            raise DeskError(f"{option} is for spoken answers: add --voice.")
        return None
    for option, is_given in (("--touch", touch), ("--mishear", is_misheard), ("--robot", is_far)):
        if is_given:
            raise DeskError(f"--voice lets a real recogniser hear real sound, which {option} does not: leave one out.")
    check_model(language, wishes.model, wishes.recogniser)
    # The simulator and the recogniser are imported late, so that the other commands start at once.
    from naosim_live.voice import espeak, noise
    from naosim_live.voice.errors import VoiceError
    from naosim_live.voice.recogniser import recogniser
    from naosim_live.voice.recordings import Speakers

    from .spoken import VoiceSettings

    try:
        espeak.installed()
        recogniser(wishes.recogniser, wishes.model)
        if wishes.recordings is not None:
            Speakers(wishes.recordings)
        return VoiceSettings(
            noise.parse(wishes.noise),
            wishes.recogniser,
            wishes.model,
            wishes.save,
            language or DEFAULT_LANGUAGE,
            str(wishes.recordings or ""),
        )
    except VoiceError as error:
        raise DeskError(str(error)) from error
