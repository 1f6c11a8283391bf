"""Recordings of the microphones: WAV files of silence, as long as the recording took."""

from __future__ import absolute_import, division, print_function

import io
import os
import wave

from naosim.errors import NaosimError, WrongUse
from naosim.formats import write_whole
from naosim.services.base import Service

MYPY = False
if MYPY:
    from typing import Any, List, Optional, Tuple

    from naosim.world import World

#: The four microphones: left, right, front, rear.
MICROPHONES = 4
SAMPLE = 2  # bytes
RATES = (8000, 48000)
#: Seconds in one file; a longer recording keeps its beginning.
LONGEST = 60.0
ENDINGS = (".wav", ".ogg")
WAV_HEAD = 44  # bytes before the samples


class Microphones(Service):
    """A service that writes what the microphones hear, which is silence, into one file at a time."""

    def __init__(self, world, name=None):  # type: (World, Optional[str]) -> None
        Service.__init__(self, world, name)
        self._recording = None  # type: Optional[Tuple[str, int, int, float]]

    def leftovers(self):  # type: () -> List[str]
        """List the recording that was begun and never ended, so that there is no file."""
        return [] if self._recording is None else ["The recording %r was never stopped." % self._recording[0]]

    def _record(self, path, rate, channels, method):  # type: (Any, int, int, str) -> None
        """Begin a recording; raise RuntimeError when there is one, or for a place where no sound file can be."""
        if self._recording is not None:
            raise self._error(method, "%r is being recorded already." % self._recording[0])
        if not self._text(path, method).lower().endswith(ENDINGS):
            raise self._error(method, "Unable to record into %r: it is no %s file." % (path, " or ".join(ENDINGS)))
        if not has_folder(self.world, path):
            raise self._error(method, "Unable to record into %r: its folder does not exist." % path)
        self._recording = path, rate, channels, self.world.clock.now()

    def _end(self, method):  # type: (str) -> None
        """Write the file of a recording, if there is one; raise RuntimeError when it cannot be written."""
        if self._recording is None:
            return
        (path, rate, channels, begin), self._recording = self._recording, None
        seconds = self.world.clock.now() - begin
        if seconds > LONGEST:
            self.world.warn(self.name, "%s holds the first %d of %.1f seconds." % (path, LONGEST, seconds))
        elif not path.lower().endswith(".wav"):
            self.world.warn(self.name, "%s is a WAV file: the simulated robot writes no Ogg." % path)
        try:
            write_whole(self.world.file_path(path), silence(min(seconds, LONGEST), rate, channels))
        except NaosimError as error:
            raise self._error(method, str(error))
        self.world.trace.note("record", path=path, what="%.1f s of silence" % min(seconds, LONGEST))


class ALAudioRecorder(Microphones):
    """Records from chosen microphones into a WAV file."""

    def startMicrophonesRecording(self, path, kind, rate, channels):  # type: (str, str, int, Any) -> None
        """Begin to record: a path, "wav" or "ogg", samples per second, and four flags: left, right, front, rear."""
        method = "startMicrophonesRecording"
        self._one_of(kind, ["wav", "ogg"], method, "type")
        flags = [self._flag(each, method, 3) for each in self._list(channels, method, 3)]
        if len(flags) != MICROPHONES or not any(flags):
            reason = "Four flags are needed, one of them 1: for the left, right, front and rear microphone."
            raise self._error(method, reason)
        self._record(path, int(self._number(rate, method, 2, *RATES)), sum(flags), method)

    def stopMicrophonesRecording(self):  # type: () -> None
        """End the recording and write its file."""
        self._end("stopMicrophonesRecording")


def has_folder(world, path):  # type: (World, str) -> bool
    """Tell whether there is a folder for a file of the robot; one in its own home is made."""
    place = world.file_path(path)
    folder = os.path.dirname(place)
    if place != path and not os.path.isdir(folder):
        os.makedirs(folder)
    return os.path.isabs(path) and os.path.isdir(folder)


def write_silence(world, path, seconds, rate):  # type: (World, str, float, int) -> None
    """Write silence of one channel: a WAV file, or for another ending its samples; raises NaosimError if it cannot."""
    if not has_folder(world, path):
        raise WrongUse("Unable to write %r: its folder does not exist." % path)
    sound = silence(min(seconds, LONGEST), rate, 1)
    write_whole(world.file_path(path), sound if path.lower().endswith(".wav") else sound[WAV_HEAD:])
    world.trace.note("record", path=path, what="%.1f s of silence" % min(seconds, LONGEST))


def silence(seconds, rate, channels):  # type: (float, int, int) -> bytes
    """Return a WAV file of silence."""
    content = io.BytesIO()
    sound = wave.open(content, "wb")  # noqa: SIM115 (2.7 has no context manager for it)
    sound.setnchannels(channels)
    sound.setsampwidth(SAMPLE)
    sound.setframerate(rate)
    sound.writeframes(b"\0" * (int(seconds * rate) * channels * SAMPLE))
    sound.close()
    return content.getvalue()
