"""Sound on this computer: samples, WAV files, another rate of samples, a microphone and a loudspeaker."""

from __future__ import annotations

import io
import math
import queue
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Protocol

from naosim.errors import install_command
from naosim.formats import NotASound, open_sound

from .recogniser import RATE, WIDTH, VoiceError

if TYPE_CHECKING:
    import numpy

    Samples = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

#: Longer sound files are refused, unless only their beginning is wanted.
_MOST_SECONDS = 600
#: Seconds that are computed at a time, and more of the sound before and after them, so that no seam can be heard.
#: Sixteen bits become 64 on the way.
PIECE, _MARGIN = 20, 1
#: Rates of files that are read.
_RATES = (8000, 96_000)
_LOUDEST, _SMALLEST = 32767, -32768


class Clip(NamedTuple):
    """16-bit PCM, mono, at a number of samples a second."""

    pcm: bytes
    rate: int = RATE

    @property
    def seconds(self) -> float:
        """Return its duration in seconds."""
        return len(self.pcm) / WIDTH / self.rate

    def at(self, rate: int = RATE) -> Clip:
        """Return the same sound at another rate, without what that rate cannot hold."""
        if rate == self.rate or not self.pcm:
            return Clip(self.pcm, rate)
        return Clip(b"".join(self._pieces_at(rate)), rate)

    def between(self, start: float, end: float) -> Clip:
        """Return the sound from one second to another."""
        return Clip(self.pcm[WIDTH * int(start * self.rate) : WIDTH * int(end * self.rate)], self.rate)

    def _pieces_at(self, rate: int) -> Iterator[bytes]:
        for start in range(0, math.ceil(self.seconds), PIECE):
            before = min(start, _MARGIN)
            piece = self.between(start - before, start + PIECE + _MARGIN)._whole_at(rate)
            yield piece.between(before, before + PIECE).pcm

    def _whole_at(self, rate: int) -> Clip:
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
        return (self.samples() / -_SMALLEST).astype("float32")

    def samples(self) -> Samples:
        """Return the sound as numbers."""
        import numpy

        return numpy.frombuffer(self.pcm, dtype="<i2").astype(float)


def clip(samples: Samples, rate: int = RATE) -> Clip:
    """Make sound of numbers; larger numbers are cut to the greatest loudness."""
    import numpy

    return Clip(numpy.clip(samples, -_LOUDEST, _LOUDEST).astype("<i2").tobytes(), rate)


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


def from_wave(file: IO[bytes], name: str = "the sound", most: float | None = None) -> Clip:
    """Read a WAV file of 16 bits and one or two channels: its first `most` seconds, or all of it, up to ten minutes.

    Raises VoiceError for any other file.
    """
    try:
        with open_sound(file) as source:
            channels, width, rate = source.getnchannels(), source.getsampwidth(), source.getframerate()
            if width != WIDTH or channels not in (1, 2) or not _RATES[0] <= rate <= _RATES[1]:
                counted = f"{channels} channel" if channels == 1 else f"{channels} channels"
                raise VoiceError(
                    f"{name!r} has {8 * width} bits, {counted} and {rate} samples a second; WAV files need "
                    f"{8 * WIDTH} bits, one or two channels, and {_RATES[0]} to {_RATES[1]} samples a second."
                )
            # One sample more than can be there says that the file is too long.
            left = min(source.getnframes(), rate * _MOST_SECONDS + 1 if most is None else int(rate * most))
            # A buffer takes half the memory that joining the pieces takes.
            content = io.BytesIO()
            content.writelines(_mono(pcm, channels) for pcm in _pieces(source, left))
    except NotASound as error:
        raise VoiceError(f"{name!r} cannot be used: {error}.") from error
    sound = Clip(content.getvalue(), rate)
    if sound.seconds > _MOST_SECONDS:
        raise VoiceError(f"{name!r} is longer than {_MOST_SECONDS // 60} minutes.")
    return sound


def read(path: Path, most: float | None = None) -> Clip:
    """Read a WAV file, or its first `most` seconds, at the rate that recognisers take.

    Raises VoiceError for one that cannot be used.
    """
    try:
        if path.exists() and not path.is_file():
            raise VoiceError(f"'{path}' is not a plain file; name a WAV file.")
        with path.open("rb") as file:
            return from_wave(file, str(path), most).at(RATE)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise VoiceError(f"The sound file '{path}' cannot be read ({reason}).") from error


def _pieces(source: wave.Wave_read, left: int) -> Iterator[bytes]:
    """Yield so many frames, or those that are there: a file written to a pipe says that it is endless."""
    while left > 0 and (pcm := source.readframes(min(left, source.getframerate() * PIECE))):
        left -= len(pcm) // (WIDTH * source.getnchannels())
        yield pcm


def _mono(pcm: bytes, channels: int) -> bytes:
    """Return one channel, the mean of two; an incomplete last frame is dropped."""
    whole = Clip(pcm[: len(pcm) // (WIDTH * channels) * WIDTH * channels])
    return whole.pcm if channels == 1 else clip(whole.samples().reshape(-1, 2).mean(axis=1)).pcm


# Where sound comes from and goes to: a microphone with a loudspeaker, or a sound file in a microphone's place.

#: Seconds of sound read at a time, and the most blocks that can wait.
_BLOCK, _MOST_WAITING = 0.06, 200
_BLOCK_BYTES = int(RATE * _BLOCK) * WIDTH
#: Real seconds without a block of a microphone that is connected.
_SILENT_FOR = 5.0


class SoundDevice(Protocol):
    """Ears and a mouth: 16-bit PCM at `RATE`, mono."""

    def read(self) -> bytes:
        """Return the next sound; b"" when there will be no more."""

    def skip(self, seconds: float) -> None:
        """Pass over what was heard up to now, and in the next seconds."""

    def play(self, clip: Clip, is_over: Callable[[bytes], bool]) -> None:
        """Play a sound to its end; with headphones, until `is_over` says so of what is heard meanwhile."""

    def close(self) -> None:
        """Give the device back."""


class _SoundFile:
    """A sound file instead of a microphone: it pauses while NAO speaks. Played sounds are not heard."""

    def __init__(self, path: Path) -> None:
        self._pcm = read(path).pcm
        self._at = 0

    def read(self) -> bytes:
        """Return the next sound; b"" at the file's end."""
        block = self._pcm[self._at : self._at + _BLOCK_BYTES]
        self._at += len(block)
        return block

    def skip(self, seconds: float) -> None:
        """Pass over nothing: the file waits for NAO."""

    def play(self, clip: Clip, is_over: Callable[[bytes], bool]) -> None:
        """Play nothing."""

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


class Microphone:
    """The computer's microphone and loudspeaker; raises VoiceError if one is missing."""

    def __init__(self, has_headphones: bool = False) -> None:
        self._library, self._has_headphones = _import_sounddevice(), has_headphones
        self._waiting: queue.Queue[bytes] = queue.Queue(_MOST_WAITING)
        try:
            self._stream = self._library.RawInputStream(
                samplerate=RATE, channels=1, dtype="int16", blocksize=_BLOCK_BYTES // WIDTH, callback=self._take
            )
            self._stream.start()
        except Exception as error:
            # PortAudio's errors share no base class.
            raise VoiceError(f"The microphone cannot be used: {_sentence(error)}") from error

    def read(self) -> bytes:
        """Return the next sound; b"" when the microphone fails."""
        try:
            return self._waiting.get(timeout=_SILENT_FOR)
        except queue.Empty:
            return b""

    def skip(self, seconds: float) -> None:
        """Pass over what was heard up to now, and in the next seconds."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
        for _ in range(round(seconds / _BLOCK)):
            self.read()

    def play(self, clip: Clip, is_over: Callable[[bytes], bool]) -> None:
        """Play a sound to its end; with headphones, until `is_over` says so of what is heard meanwhile."""
        self.skip(0.0)
        size = int(clip.rate * _BLOCK) * WIDTH
        try:
            with self._library.RawOutputStream(samplerate=clip.rate, channels=1, dtype="int16") as stream:
                for at in range(0, len(clip.pcm), size):
                    stream.write(clip.pcm[at : at + size])
                    while self._has_headphones and not self._waiting.empty():
                        if is_over(self._waiting.get_nowait()):
                            stream.abort()
                            return
        except VoiceError:
            raise
        except Exception as error:
            raise VoiceError(f"The loudspeaker cannot be used: {_sentence(error)}") from error

    def close(self) -> None:
        """Give the microphone back."""
        self._stream.close()

    def _take(self, block: Any, _frames: int, _time: Any, _status: Any) -> None:
        """Keep a block, on the thread of the sound system; the oldest goes when nobody reads."""
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait(bytes(block))


def open_device(file: Path | None, has_headphones: bool = False) -> SoundDevice:
    """Open a sound file or, without one, the microphone; raises VoiceError if it cannot be used."""
    return Microphone(has_headphones) if file is None else _SoundFile(file)


def _import_sounddevice() -> Any:
    try:
        import sounddevice
    except ImportError as error:
        raise VoiceError(f"The microphone needs sounddevice: {install_command('voice')}") from error
    except OSError as error:
        raise VoiceError(
            "There is no sound system here: the library PortAudio is missing (apt install "
            "libportaudio2), or give --sound-file IN.wav."
        ) from error
    return sounddevice


def _sentence(error: Exception) -> str:
    return f"{str(error).strip().splitlines()[0].rstrip('.') or type(error).__name__}."
