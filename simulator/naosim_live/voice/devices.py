"""Where sound comes from and goes to: a microphone with a loudspeaker, or a sound file in a microphone's place."""

import queue
from pathlib import Path
from typing import Any, Protocol

from . import sound
from .recogniser import RATE, WIDTH, VoiceError
from .sound import Clip

#: Seconds of sound read at a time, and how many of them may wait.
_BLOCK, _MOST_WAITING = 0.06, 200
_BLOCK_BYTES = int(RATE * _BLOCK) * WIDTH
#: Real seconds without a block of a microphone that is connected.
SILENT_FOR = 5.0


class SoundDevice(Protocol):
    """Ears and a mouth: 16-bit PCM at `RATE`, mono."""

    def read(self) -> bytes:
        """Return the next sound; b"" when there will be no more."""

    def skip(self, seconds: float) -> None:
        """Pass over what was heard up to now, and in the next seconds."""

    def play(self, clip: Clip) -> None:
        """Play a sound to its end; nothing of it is heard."""

    def close(self) -> None:
        """Give the device back."""


class _SoundFile:
    """A sound file in place of a microphone: it stands still while NAO speaks. What is played is not heard."""

    def __init__(self, path: Path) -> None:
        self._pcm = sound.read(path).pcm
        self._at = 0

    def read(self) -> bytes:
        """Return the next sound; b"" at the file's end."""
        block = self._pcm[self._at : self._at + _BLOCK_BYTES]
        self._at += len(block)
        return block

    def skip(self, seconds: float) -> None:
        """Pass over nothing: the file waits for NAO."""

    def play(self, clip: Clip) -> None:
        """Play nothing."""

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


class Microphone:
    """The computer's microphone and loudspeaker; raises VoiceError where it has none."""

    def __init__(self) -> None:
        self._library = _module()
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
        """Return the next sound; b"" when the microphone is gone."""
        try:
            return self._waiting.get(timeout=SILENT_FOR)
        except queue.Empty:
            return b""

    def skip(self, seconds: float) -> None:
        """Pass over what was heard up to now, and in the next seconds."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
        for _ in range(round(seconds / _BLOCK)):
            self.read()

    def play(self, clip: Clip) -> None:
        """Play a sound to its end."""
        try:
            with self._library.RawOutputStream(samplerate=clip.rate, channels=1, dtype="int16") as stream:
                stream.write(clip.pcm)
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


def device(file: Path | None) -> SoundDevice:
    """Open a sound file or, without one, the microphone; raises VoiceError for what cannot be used."""
    return Microphone() if file is None else _SoundFile(file)


def _module() -> Any:
    try:
        import sounddevice
    except ImportError as error:
        raise VoiceError("The microphone needs sounddevice: pip install 'nao-jotto[voice]'.") from error
    except OSError as error:
        raise VoiceError(
            "There is no sound system here: the library PortAudio is missing (apt install "
            "libportaudio2), or give --sound-file IN.wav."
        ) from error
    return sounddevice


def _sentence(error: Exception) -> str:
    return f"{str(error).strip().splitlines()[0].rstrip('.') or type(error).__name__}."
