"""Answers that are really spoken: a simulated person's words as sound, in noise, through a real recogniser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jotto import compat
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_desk import files
from naosim_live.voice import noise, recogniser, sound
from naosim_live.voice.espeak import VoiceChoice, speak
from naosim_live.voice.noise import Noise
from naosim_live.voice.recogniser import Recognised, Recogniser, Vocabulary
from naosim_live.voice.recordings import Speakers

#: Ten persons: American and British, women and men, quick and slow, high and low.
PERSONS = (
    VoiceChoice("en-us", 160, 50),
    VoiceChoice("en-us+f2", 150, 60),
    VoiceChoice("en-us+m3", 170, 35),
    VoiceChoice("en-us+f4", 165, 70),
    VoiceChoice("en-us+m7", 140, 45),
    VoiceChoice("en-gb", 160, 50),
    VoiceChoice("en-gb+f3", 155, 55),
    VoiceChoice("en-gb-x-rp", 175, 40),
    VoiceChoice("en-gb-scotland", 150, 50),
    VoiceChoice("en-029", 150, 50),
)
#: Where nothing else is asked for.
QUIET_ROOM = Noise()
#: Sounds of failures that are kept at most.
MOST_SAVED = 200


@dataclass(frozen=True)
class VoiceSettings:
    """How persons are heard: the noise around them, the recogniser with its model, where failures are kept.

    People whose `recordings` are in a folder say what they can, and voices of espeak-ng the rest.
    """

    noise: Noise = QUIET_ROOM
    recogniser: str = "pocketsphinx"
    model: str = ""
    save: str = ""
    language: str = DEFAULT_LANGUAGE
    recordings: str = ""


def persons(language: str) -> tuple[VoiceChoice, ...]:
    """Return the persons who speak a language: those of other languages are as quick and as high as the English ones.

    >>> persons("fr")[1]
    VoiceChoice(name='fr+f2', speed=150, pitch=60)
    """
    if language == DEFAULT_LANGUAGE:
        return PERSONS
    return tuple(VoiceChoice(language + "".join(one.name.partition("+")[1:]), one.speed, one.pitch) for one in PERSONS)


@dataclass(frozen=True)
class HeardAnswer:
    """What became of one answer: the phrase and confidence that reach NAO, and how long it took to say and to hear.

    The phrase is "" for a refusal and None where nothing was noticed; `nearest` is what a grammar without doubts hears.
    `is_recorded` tells that a person said it, and no synthetic voice.
    """

    phrase: str | None
    confidence: float
    seconds: float
    nearest: str
    pcm: bytes
    is_recorded: bool = False


class AudibleAnswers:
    """One recogniser, and the persons who speak to it, one a game."""

    def __init__(self, settings: VoiceSettings, seed: int) -> None:
        self.settings = settings
        self._seed = seed
        self._recogniser: Recogniser | None = None
        self._heard_before = ""
        self._people = Speakers(Path(settings.recordings)) if settings.recordings else None

    def answer(self, text: str, vocabulary: Sequence[str], secret: str, turn: int) -> HeardAnswer:
        """Say an answer in the person's voice and hear it with a vocabulary; the same seed sounds the same."""
        said = self._people and self._people.say(
            text, lambda most, what: int(compat.draw_number(most, self._seed, secret, turn, what))
        )
        own = compat.draw_number(2**31, self._seed, secret, turn, "noise")
        room = noise.around(said or speak(text, self._voice(secret)), self.settings.noise, own)
        ears = self._ears(secret)
        ears.open(Vocabulary(tuple(vocabulary)))
        heard = [event for event in ears.feed(room.pcm) if isinstance(event, Recognised)]
        ears.close()
        if not heard:
            return HeardAnswer(None, 0.0, room.seconds, "", room.pcm, said is not None)
        # NAO's ears close at the first answer that it understands.
        first = next((event for event in heard if event.hypotheses), heard[0])
        phrase, confidence = first.hypotheses[0] if first.hypotheses else ("", 0.0)
        return HeardAnswer(phrase, confidence, first.ended, first.nearest, room.pcm, said is not None)

    def _voice(self, secret: str) -> VoiceChoice:
        """Return the voice of the person of this game."""
        voices = persons(self.settings.language)
        return voices[compat.draw_number(len(voices), self._seed, secret, "voice")]

    def _ears(self, secret: str) -> Recogniser:
        """Return the recogniser of this game: it knows the room of no other, so that their order changes nothing."""
        if self._recogniser is None or secret != self._heard_before:
            self._recogniser = recogniser.recogniser(self.settings.recogniser, self.settings.model)
            self._heard_before = secret
        return self._recogniser

    def keep(self, spoken: HeardAnswer, name: str) -> None:
        """Write the sound of a failure into the folder for them, where one is wanted and not too many are there."""
        if self.settings.save:
            folder = Path(self.settings.save)
            folder.mkdir(parents=True, exist_ok=True)
            if sum(1 for _ in folder.iterdir()) < MOST_SAVED:
                files.write_whole(folder / f"{name}.wav", sound.as_wave(sound.Clip(spoken.pcm)))
