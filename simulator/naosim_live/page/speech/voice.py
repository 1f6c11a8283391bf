"""NAO's voice for one browser: as sound that fits the time NAO takes, where the browser has no voice of its own."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

from naosim.services.speech import LOCALE_OF_LANGUAGE

from ...voice import espeak, sound, speech_text
from .listener import GUARD
from .sayings import Saying

#: Characters of a text that is spoken.
_LONGEST = 1000
#: Samples a second of the sound, and how much slower and faster than usual a text is spoken to fit its time.
RATE, _SLOWEST, _FASTEST = 22_050, 0.7, 1.7
#: Seconds of a voice that ends early enough for NAO's ears to open in time.
_LEAST = 0.3


def language(saying: Saying) -> str:
    """Return the language of a text as browsers name it.

    >>> language(Saying(1, "Hallo", "Hallo", 1.0, "German"))
    'de'
    """
    return LOCALE_OF_LANGUAGE.get(saying.language, LOCALE_OF_LANGUAGE["English"]).partition("_")[0]


def allowed(saying: Saying) -> float:
    """Return the seconds in which a text is spoken, so that no word of it sounds while NAO listens."""
    return max(_LEAST, saying.seconds - GUARD)


def parts(saying: Saying) -> list[dict[str, Any]]:
    """List words and pauses of a text for a browser's own voice, without tags.

    >>> [part["words"] or part["pause"] for part in parts(Saying(1, r"One. \\\\pau=500\\\\ Two.", "", 2.0, ""))]
    ['One.', 0.5, 'Two.']
    """
    return [part._asdict() for part in speech_text.parts(_bounded(saying))]


async def spoken(saying: Saying) -> str:
    """Return a text as the content of a WAV file in base64; raises VoiceError where nothing can speak."""
    return await asyncio.to_thread(_spoken, saying)


def _spoken(saying: Saying) -> str:
    voice = espeak.naos(language(saying))
    clip = espeak.speak(_bounded(saying), voice, RATE)
    haste = min(max(clip.seconds / allowed(saying), _SLOWEST), _FASTEST)
    if haste > 1 or haste < (1 + _SLOWEST) / 2:
        clip = espeak.speak(_bounded(saying), voice._replace(speed=round(voice.speed * haste)), RATE)
    return base64.b64encode(sound.as_wave(clip)).decode("ascii")


def _bounded(saying: Saying) -> str:
    """Return a text that is not too long to be spoken; a cut through a tag would have it read aloud."""
    return saying.text if len(saying.text) <= _LONGEST else saying.plain[:_LONGEST]
