"""Sound on this computer: samples, WAV files, and another rate of samples."""

from __future__ import annotations

import io
import wave
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import VoiceError
from .recogniser import RATE, WIDTH

if TYPE_CHECKING:
    import numpy

    Samples = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

#: Longer sound files are refused.
MOST_SECONDS = 600
LOUDEST, SMALLEST = 32767, -32768


class Clip(NamedTuple):
    """16-bit PCM, mono, at a number of samples a second."""

    pcm: bytes
    rate: int = RATE

    @property
    def seconds(self) -> float:
        """Return how long it sounds."""
        return len(self.pcm) / WIDTH / self.rate

    def at(self, rate: int = RATE) -> Clip:
        """Return the same sound at another rate, without what that rate cannot hold."""
        if rate == self.rate or not self.pcm:
            return Clip(self.pcm, rate)
        import numpy

        samples = self.samples()
        count = max(1, round(len(samples) * rate / self.rate))
        spectrum = numpy.fft.rfft(samples)
        kept = numpy.zeros(count // 2 + 1, dtype=complex)
        shared = min(len(kept), len(spectrum))
        kept[:shared] = spectrum[:shared]
        return clip(numpy.fft.irfft(kept, count) * (count / len(samples)), rate)

    def floats(self) -> Any:
        """Return the sound as numbers from -1 to 1, of 32 bits, as neural recognisers want it."""
        return (self.samples() / -SMALLEST).astype("float32")

    def samples(self) -> Samples:
        """Return the sound as numbers."""
        import numpy

        return numpy.frombuffer(self.pcm, dtype="<i2").astype(float)


def clip(samples: Samples, rate: int = RATE) -> Clip:
    """Make sound of numbers; what is too loud is cut off."""
    import numpy

    return Clip(numpy.clip(samples, -LOUDEST, LOUDEST).astype("<i2").tobytes(), rate)


def silence(seconds: float, rate: int = RATE) -> bytes:
    """Return PCM without a sound."""
    return bytes(WIDTH * round(seconds * rate))


def as_wave(sound: Clip) -> bytes:
    """Return the content of a WAV file."""
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(WIDTH)
        file.setframerate(sound.rate)
        file.writeframes(sound.pcm)
    return content.getvalue()


def from_wave(content: bytes, name: str = "the sound") -> Clip:
    """Read a WAV file of 16 bits and one or two channels; raises VoiceError for any other file."""
    try:
        with wave.open(io.BytesIO(content), "rb") as file:
            channels, width, rate = file.getnchannels(), file.getsampwidth(), file.getframerate()
            if width != WIDTH or channels not in (1, 2) or not 8000 <= rate <= 96_000:
                raise VoiceError(f"{name!r} has {channels} channels of {8 * width} bits at {rate} samples a second; "
                                 "WAV files of 16 bits with one or two channels are read.")
            pcm = file.readframes(min(file.getnframes(), rate * MOST_SECONDS + 1))
    except (wave.Error, EOFError) as error:
        raise VoiceError(f"{name!r} is no WAV file.") from error
    # A file written to a pipe says that it is endless; what is there counts.
    sound = Clip(pcm[:len(pcm) // (WIDTH * channels) * WIDTH * channels], rate * channels)
    if sound.seconds > MOST_SECONDS:
        raise VoiceError(f"{name!r} is longer than {MOST_SECONDS // 60} minutes.")
    if channels == 1:
        return sound
    return clip(sound.samples().reshape(-1, 2).mean(axis=1), rate)


def read(path: Path) -> Clip:
    """Read a WAV file at the rate that recognisers take; raises VoiceError for one that cannot be used."""
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise VoiceError(f"The sound file '{path}' cannot be read ({reason}).") from error
    return from_wave(content, str(path)).at(RATE)
