"""Loudspeakers and microphones: ALAudioDevice, ALAudioPlayer and ALAudioRecorder.

No sound is played and the microphones hear silence, but everything takes as long as on a robot. Programs can record
files or have the sound sent to them piece by piece.
"""

from __future__ import absolute_import, division, print_function

import io
import os
import wave

from naosim.errors import NaosimError, WrongUse
from naosim.formats import NotASound, open_sound, write_whole
from naosim.scheduler import ScheduledCall, SimEvent
from naosim.services.base import Service, constant, declare, no_effect, nothing, number_setting, overloads, switch
from naosim.world import World, call_guarded, find_callback, is_outside

MYPY = False
if MYPY:
    from typing import Dict, FrozenSet, List, Optional, Tuple

    from naosim.clock import Clock
    from naosim.compat import ALValue

# Recordings of the microphones, which are silent WAV files.

_MICROPHONES = 4  # left, right, front, rear
_SAMPLE_BYTES = 2
_MICROPHONE_RATES_HZ = (8000, 48000)  # least and greatest samples a second
MAX_RECORDING_S = 60.0  # a longer recording keeps only its beginning
_RECORDING_ENDINGS = (".wav", ".ogg")
_WAV_HEADER_BYTES = 44  # bytes before the samples


class _Microphones(Service):
    """A service that records the microphones, which hear silence, into one file at a time."""

    def __init__(self, world, name=None):  # type: (World, Optional[str]) -> None
        Service.__init__(self, world, name)
        self._recording = None  # type: Optional[Tuple[str, int, int, float]]

    def leftovers(self):  # type: () -> List[str]
        """List the recording that was begun and never ended, so its file is missing."""
        return [] if self._recording is None else ["The recording %r was never stopped." % self._recording[0]]

    def _record(self, path, rate, channels, method):  # type: (str, int, int, str) -> None
        """Begin a recording; raise RuntimeError during another one, or for a path that cannot be a sound file."""
        if self._recording is not None:
            raise self._error(method, "Already recording %r." % self._recording[0])
        if not self._path(path, method).lower().endswith(_RECORDING_ENDINGS):
            endings = " or ".join(_RECORDING_ENDINGS)
            raise self._error(method, "Unable to record into %r: it is not a %s file." % (path, endings))
        if not self.world.prepare_folder(path):
            raise self._error(method, "Unable to record into %r: its folder does not exist." % path)
        self._recording = path, rate, channels, self.world.clock.now()

    def _end(self, method):  # type: (str) -> None
        """Write the file of a recording, if there is one; raise RuntimeError if it cannot be written."""
        if self._recording is None:
            return
        (path, rate, channels, begin), self._recording = self._recording, None
        seconds = self.world.clock.now() - begin
        if seconds > MAX_RECORDING_S:
            self.world.warn(self.name, "%s has only the first %d of %.1f seconds." % (path, MAX_RECORDING_S, seconds))
        elif not path.lower().endswith(".wav"):
            self.world.warn(self.name, "%s is a WAV file: the simulated robot writes no Ogg." % path)
        try:
            write_whole(self.world.file_path(path), make_silence(min(seconds, MAX_RECORDING_S), rate, channels))
        except NaosimError as error:
            raise self._error(method, str(error))
        self.world.trace.note("record", path=path, what="%.1f s of silence" % min(seconds, MAX_RECORDING_S))


class ALAudioRecorder(_Microphones):
    """Records from chosen microphones into a WAV file."""

    def startMicrophonesRecording(self, path, kind, rate, channels):  # type: (str, str, int, ALValue) -> None
        """Begin to record: a path, "wav" or "ogg", samples per second, and four flags: left, right, front, rear."""
        method = "startMicrophonesRecording"
        self._one_of(kind, ["wav", "ogg"], method, "type")
        flags = [self._flag(each, method, 3) for each in self._list(channels, method, 3)]
        if len(flags) != _MICROPHONES or not any(flags):
            reason = "Four flags are needed, one of them 1: for the left, right, front and rear microphone."
            raise self._error(method, reason)
        self._record(path, int(self._number(rate, method, 2, *_MICROPHONE_RATES_HZ)), sum(flags), method)

    def stopMicrophonesRecording(self):  # type: () -> None
        """End the recording and write its file."""
        self._end("stopMicrophonesRecording")


def write_silence(world, path, seconds, rate):  # type: (World, str, float, int) -> None
    """Write silence of one channel: a WAV file, or for another ending its samples; raises NaosimError if it cannot."""
    if not world.prepare_folder(path):
        raise WrongUse("Unable to write %r: its folder does not exist." % path)
    sound = make_silence(min(seconds, MAX_RECORDING_S), rate, 1)
    write_whole(world.file_path(path), sound if path.lower().endswith(".wav") else sound[_WAV_HEADER_BYTES:])
    world.trace.note("record", path=path, what="%.1f s of silence" % min(seconds, MAX_RECORDING_S))


def make_silence(seconds, rate, channels):  # type: (float, int, int) -> bytes
    """Return a WAV file of silence."""
    content = io.BytesIO()
    sound = wave.open(content, "wb")  # noqa: SIM115 (2.7 has no context manager for it)
    sound.setnchannels(channels)
    sound.setsampwidth(_SAMPLE_BYTES)
    sound.setframerate(rate)
    sound.writeframes(b"\0" * (int(seconds * rate) * channels * _SAMPLE_BYTES))
    sound.close()
    return content.getvalue()


# Sound for modules: silence of the microphones, piece by piece.

SOUND_METHOD = "processRemote"  # the method of a module that gets the sound
#: The duration of a piece of sound: as documented, 170 ms, or as recorded on a Pepper with NAOqi 2.5.10.7, 85 ms
#: (mfbergmann/PepperEvolution, docs/HANDOFF.md). Both are whole numbers of samples at 48,000 Hz.
_PIECE_S, _PEPPER_PIECE_S = 8192 / 48000.0, 4096 / 48000.0
_ALL_CHANNELS = 0  # the number that stands for all four microphones
_DEFAULT_FORMAT = (48000, _MICROPHONES)  # samples a second, channels
#: The formats for modules: samples a second, and the numbers of channels. The documentation and nao-sim have one
#: channel for 16,000 Hz; drivers for Pepper, and a recording of a robot, have all four, too.
_MODULE_FORMATS = {16000: (0, 1, 2, 3, 4), 48000: (_ALL_CHANNELS,)}


def _make_piece(samples):  # type: (int) -> ALValue
    """Return a piece of silence as scripts get bytes: a `str` on Python 2.7, a `bytearray` on 3.

    >>> len(_make_piece(2720))
    5440
    """
    sound = b"\0" * (samples * _SAMPLE_BYTES)
    return sound if isinstance(sound, str) else bytearray(sound)


# ALAudioDevice.

_DEVICE_PARAMETERS = {"outputSampleRate": 22050, "inputBufferSize": 16384}
_FRONT_FORMAT = (16000, 1)  # samples a second and channels of a recording of the front microphone
_ALL_MICROPHONES_FORMAT = (48000, 4)  # the same for a recording of all microphones


class _Tones(Service):
    """A service that plays tones."""

    def playSine(self, frequency, gain, pan, duration):  # type: (int, int, int, float) -> None
        """Play a tone for `duration` seconds; the simulated robot records it and returns immediately."""
        self._number(frequency, "playSine", 0, 20, 20000)
        self._number(gain, "playSine", 1, 0, 100)
        self._number(pan, "playSine", 2, -1, 1)
        seconds = self._number(duration, "playSine", 3, 0, 3600)
        self.world.trace.note("sound", path="", method="playSine", duration=seconds)


@declare(
    number_setting("OutputVolume", 50, (0, 100), "the loudness, 0 to 100"),
    switch("Muted", False, "the loudspeakers are off", ("muteAudioOut", "isAudioOutMuted")),
    nothing("enableEnergyComputation disableEnergyComputation", "the microphones hear silence"),
    constant("isInputMuted", False, "Return False: the microphones hear."),
    constant("getFrontMicEnergy", 0.0, "Return the loudness at the front microphone: silence."),
    constant("getRearMicEnergy", 0.0, "Return the loudness at the rear microphone: silence."),
    constant("getLeftMicEnergy", 0.0, "Return the loudness at the left microphone: silence."),
    constant("getRightMicEnergy", 0.0, "Return the loudness at the right microphone: silence."),
    nothing("flushAudioOutputs", "no sound waits to be played"),
    no_effect("sendRemoteBufferToOutput(im)b", "The sound is not played", True),
    no_effect("setFileAsInput(s)v", "The microphones hear silence"),
)
class ALAudioDevice(_Tones, _Microphones):
    """The loudness of the whole robot, its loudspeakers and its microphones; modules get their sound: silence."""

    def __init__(self, world):  # type: (World) -> None
        _Microphones.__init__(self, world)
        self._piece_s = _PEPPER_PIECE_S if world.robot_type == "Juliette" else _PIECE_S
        self._wanted = {}  # type: Dict[str, Tuple[int, int]]
        self._next = {}  # type: Dict[str, ScheduledCall]
        self._parameters = dict(_DEVICE_PARAMETERS)  # type: Dict[str, int]
        self._closed = {"Inputs": False, "Outputs": False}

    @overloads("s i i i", "s i m i i")
    def setClientPreferences(self, name, rate, channels, deinterleaved, stamped=0):
        # type: (str, int, ALValue, int, int) -> None
        """Choose the sound for a module: samples a second, and the microphone, 0 for all four, 1 left to 4 rear.

        A list of flags chooses microphones, too. Whether samples are next to each other makes no difference in silence.
        NAOqi 2.5 raises RuntimeError for a module that it does not know, as recorded on a Pepper 1.8
        (aldebaran/libqi-python, issue 17); Peppers of 2.4 did not.
        """
        method = "setClientPreferences"
        if self.world.naoqi == "2.5" and self._text(name, method) not in self.world.modules:
            raise RuntimeError("\tALProxy::ALProxy\n\tCan't find service: %s" % name)
        chosen = int(self._number(rate, method, 1))
        self._number(deinterleaved, method, 3, 0, 1)
        self._number(stamped, method, 4, 0, 1)
        if isinstance(channels, (list, tuple)):
            count = sum(self._flag(each, method, 2) for each in channels[:_MICROPHONES]) or _MICROPHONES
            is_offered = chosen in _MODULE_FORMATS
        else:
            count = 1 if self._number(channels, method, 2, _ALL_CHANNELS, _MICROPHONES) else _MICROPHONES
            is_offered = channels in _MODULE_FORMATS.get(chosen, ())
        if not is_offered:
            reason = "%d Hz and the channels %s are not offered: 16000 Hz is, and 48000 Hz with all channels (0)."
            raise self._error(method, reason % (chosen, channels))
        self._wanted[self._text(name, method)] = chosen, count

    def subscribe(self, name):  # type: (str) -> None
        """Send sound to a module's `processRemote(channels, samples, time, bytes)` until it unsubscribes."""
        made = self.world.modules.get(self._text(name, "subscribe"))
        if made is None:
            raise self._error("subscribe", "Can't find service: %s" % name)
        if not callable(getattr(made, SOUND_METHOD, None)):
            raise self._error("subscribe", "Module %s has no bound method %s." % (name, SOUND_METHOD))
        self._end_stream(name)
        self._next[name] = self.world.clock.call_later(self._piece_s, self._send, name)

    def unsubscribe(self, name):  # type: (str) -> None
        """Send no more sound to a module; raise RuntimeError if it gets none."""
        if self._text(name, "unsubscribe") not in self._next:
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)
        self._end_stream(name)

    def setParameter(self, parameter, value):  # type: (str, int) -> None
        """Set outputSampleRate or inputBufferSize."""
        self._one_of(parameter, sorted(_DEVICE_PARAMETERS), "setParameter", "parameter")
        self._parameters[parameter] = int(self._number(value, "setParameter", 1, 1, 1000000))

    def getParameter(self, parameter):  # type: (str) -> int
        """Return a parameter; for an unknown one -1, or on NAOqi 2.8 raise RuntimeError, as recorded on a NAO6."""
        if self._text(parameter, "getParameter") not in self._parameters and self.world.naoqi == "2.8":
            raise self._error("getParameter", "Parameter %r is not supported." % parameter)
        return self._parameters.get(parameter, -1)

    def openAudioInputs(self):  # type: () -> None
        """Open the microphones."""
        self._closed["Inputs"] = False

    def closeAudioInputs(self):  # type: () -> None
        """Close the microphones."""
        self._closed["Inputs"] = True

    def isInputClosed(self):  # type: () -> bool
        """Return whether the microphones are closed."""
        return self._closed["Inputs"]

    def openAudioOutputs(self):  # type: () -> None
        """Open the loudspeakers."""
        self._closed["Outputs"] = False

    def closeAudioOutputs(self):  # type: () -> None
        """Close the loudspeakers."""
        self._closed["Outputs"] = True

    def isOutputClosed(self):  # type: () -> bool
        """Return whether the loudspeakers are closed."""
        return self._closed["Outputs"]

    def startMicrophonesRecording(self, path):  # type: (str) -> None
        """Begin to record: the front microphone into an .ogg file, all four into a .wav file."""
        method = "startMicrophonesRecording"
        rate, channels = _ALL_MICROPHONES_FORMAT if self._path(path, method).lower().endswith(".wav") else _FRONT_FORMAT
        self._record(path, rate, channels, method)

    def stopMicrophonesRecording(self):  # type: () -> None
        """End the recording and write its file."""
        self._end("stopMicrophonesRecording")

    def leftovers(self):  # type: () -> List[str]
        """List the recording under way, and the behaviour's modules that still get sound."""
        own = [name for name in sorted(self._next) if not is_outside(self.world.modules.get(name))]
        told = ["Module %r is still subscribed to %s." % (name, self.name) for name in own]
        return _Microphones.leftovers(self) + told

    def _send(self, name):  # type: (str) -> None
        """Send a piece to a module and schedule the next one, unless the module has left."""
        made = self.world.modules.get(name)
        if made is None:
            del self._next[name]
            return
        rate, channels = self._wanted.get(name, _DEFAULT_FORMAT)
        samples, sent, now = int(rate * self._piece_s + 0.01), self._next[name], self.world.clock.now()
        stamp = [int(now), int(now % 1 * 1e6)]
        callback = find_callback(self.world, made, SOUND_METHOD)
        if callback is not None:
            call_guarded(self.world, callback, channels, samples, stamp, _make_piece(samples * channels))
        if self._next.get(name) is sent:
            self._next[name] = self.world.clock.call_later(self._piece_s, self._send, name)

    def _end_stream(self, name):  # type: (str) -> None
        if name in self._next:
            self._next.pop(name).cancel()


# ALAudioPlayer.

_UNKNOWN_LENGTH_S = 2.0  # seconds for a sound whose length is not in its header
_STOCK_SOUNDS = "/usr/share/naoqi/wav/"  # the folder of the robot's own sounds; all of them are there
_SOUND_ENDINGS = (".wav", ".ogg", ".mp3", ".aiff")
_MAX_SOUNDS = 50  # that play at the same time
_SOUND_SETS = {"Aldebaran": ["enu_ono_laugh_exclamative01", "enu_word_yeah", "bip_gentle", "bip_power_off"]}


@declare(
    number_setting("MasterVolume", 1.0, (0, 1), "the loudness, 0 to 1"),
    constant("getInstalledSoundSetsList", sorted(_SOUND_SETS), "List the sound sets.", "List[str]"),
    constant("getLoadedSoundSetsList", sorted(_SOUND_SETS), "List the loaded sound sets: all of them.", "List[str]"),
)
class ALAudioPlayer(_Tones):
    """Plays sound files, in silence, for as long as they last."""

    _hidden = frozenset()  # type: FrozenSet[str]

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._loaded = {}  # type: Dict[int, str]
        self._load_count = 0
        self._sounds = []  # type: List[_Sound]

    @overloads("s", "s f f")
    def playFile(self, path, volume=1.0, pan=0.0):  # type: (str, float, float) -> None
        """Play a file and return at its end; raise RuntimeError if it does not exist."""
        self._play(self._check_file(path, "playFile", volume, pan), False, "playFile")

    @overloads("s", "s f f")
    def playFileInLoop(self, path, volume=1.0, pan=0.0):  # type: (str, float, float) -> None
        """Play a file again and again until a program stops it."""
        self._play(self._check_file(path, "playFileInLoop", volume, pan), True, "playFileInLoop")

    @overloads("s f", "s f f f")
    def playFileFromPosition(self, path, position, volume=1.0, pan=0.0):  # type: (str, float, float, float) -> None
        """Play a file from a position in seconds and return at its end."""
        begin = self._number(position, "playFileFromPosition", 1, 0)
        self._play(self._check_file(path, "playFileFromPosition", volume, pan), False, "playFileFromPosition", begin)

    def getCurrentPosition(self, number):  # type: (int) -> float
        """Return the seconds played of the sound that began last, 0 in silence; the number is ignored."""
        self._number(number, "getCurrentPosition")
        return float(self._sounds[-1].position(self.world.clock.now())) if self._sounds else 0.0

    def goTo(self, number, position):  # type: (int, float) -> None
        """Continue the sound that began last at a position in seconds; the number of its task is ignored."""
        self._number(number, "goTo")
        place = self._number(position, "goTo", 1, 0)
        if self._sounds:
            self._sounds[-1].move(place, self.world.clock.now())

    def loadFile(self, path):  # type: (str) -> int
        """Load a file and return its number."""
        self._load_count += 1
        self._loaded[self._load_count] = self._check_file(path, "loadFile", 1.0, 0.0)
        return self._load_count

    def unloadFile(self, number):  # type: (int) -> None
        """Unload a file; raise RuntimeError for an unknown number."""
        self._file(number, "unloadFile")
        del self._loaded[number]

    def unloadAllFiles(self):  # type: () -> None
        """Unload every file."""
        self._loaded.clear()

    @overloads("i", "i f f")
    def play(self, number, volume=1.0, pan=0.0):  # type: (int, float, float) -> None
        """Play a loaded file and return at its end."""
        self._play(self._file(number, "play"), False, "play")

    @overloads("i", "i f f")
    def playInLoop(self, number, volume=1.0, pan=0.0):  # type: (int, float, float) -> None
        """Play a loaded file again and again until a program stops it."""
        self._play(self._file(number, "playInLoop"), True, "playInLoop")

    @overloads("s", "s s", "s f f f b", "s s f f f b")
    def playSoundSetFile(self, *given):  # type: (*ALValue) -> None
        """Play a sound of a sound set: ([set,] file [, position, volume, pan, in a loop])."""
        method = "playSoundSetFile"
        names, rest = (given[:-4], given[-4:]) if len(given) > 4 else (given[:2], [])
        name = self._text(names[-1], method)
        if len(names) > 1:
            self._one_of(names[0], sorted(_SOUND_SETS), method, "sound set")
        if not any(name in sounds for sounds in _SOUND_SETS.values()):
            # A robot has more sounds than its documentation names.
            said = "The sound %s is not known, and lasts as long as others." % name
            self.world.warn("%s.%s" % (self.name, method), said)
        for value, (low, high) in zip(rest[:-1], ((0, 3600), (0, 1), (-1, 1))):
            self._number(value, method, len(names), low, high)
        self._play(name, bool(rest) and self._flag(rest[-1], method, len(given) - 1), method)

    def playWebStream(self, url, volume, pan):  # type: (str, float, float) -> None
        """Play a stream, in silence, until a program stops it; the stream is not fetched."""
        self._number(volume, "playWebStream", 1, 0, 1)
        self._number(pan, "playWebStream", 2, -1, 1)
        if not self._text(url, "playWebStream").startswith(("http://", "https://")):
            raise self._error("playWebStream", "%r is not an address of a stream: it begins with http://." % url)
        self._play(url, True, "playWebStream")

    def loadSoundSet(self, sounds):  # type: (str) -> None
        """Check that a sound set is installed: all that are, are loaded."""
        self._one_of(sounds, sorted(_SOUND_SETS), "loadSoundSet", "sound set")

    def unloadSoundSet(self, sounds):  # type: (str) -> None
        """Check that a sound set is installed; it stays loaded."""
        self._one_of(sounds, sorted(_SOUND_SETS), "unloadSoundSet", "sound set")

    def isSoundSetLoaded(self, sounds):  # type: (str) -> bool
        """Return whether a sound set is loaded: all that are installed, are."""
        return self._text(sounds, "isSoundSetLoaded") in _SOUND_SETS

    def isSoundSetInstalled(self, sounds):  # type: (str) -> bool
        """Return whether a sound set is installed."""
        return self._text(sounds, "isSoundSetInstalled") in _SOUND_SETS

    def isSoundSetFileInstalled(self, sounds, name):  # type: (str, str) -> bool
        """Return whether a sound is in a set."""
        self._text(name, "isSoundSetFileInstalled", 1)
        return name in _SOUND_SETS.get(self._text(sounds, "isSoundSetFileInstalled"), [])

    def getSoundSetFileNames(self, sounds):  # type: (str) -> List[str]
        """List the sounds of a set."""
        return list(_SOUND_SETS[self._one_of(sounds, sorted(_SOUND_SETS), "getSoundSetFileNames", "sound set")])

    def stop(self, number):  # type: (int) -> None
        """Stop sounds; the number, that of `loadFile` or of a task, is ignored."""
        self._stop_sounds("stop")

    def stopAll(self):  # type: () -> None
        """Stop every sound."""
        self._stop_sounds("stopAll")

    def pause(self, number):  # type: (int) -> None
        """Stop sounds; a simulated sound cannot be resumed. The number is ignored."""
        self._stop_sounds("pause")

    def getFileLength(self, number):  # type: (int) -> float
        """Return the duration of a loaded file in seconds."""
        return _read_length(self._file(number, "getFileLength"))

    def getLoadedFilesIds(self):  # type: () -> List[str]
        """List the numbers of the loaded files, as texts."""
        return [str(number) for number in sorted(self._loaded)]

    def getLoadedFilesNames(self):  # type: () -> List[str]
        """List the paths of the loaded files."""
        return [path for _, path in sorted(self._loaded.items())]

    def getVolume(self, number):  # type: (int) -> float
        """Return the loudness of one sound, 0 to 1; a simulated robot has one loudness for all."""
        self._number(number, "getVolume")
        return float(self._kept["MasterVolume"])

    def setVolume(self, number, volume):  # type: (int, float) -> None
        """Set the loudness of one sound, 0 to 1; a simulated robot has one loudness for all."""
        self._number(number, "setVolume")
        self._kept["MasterVolume"] = self._number(volume, "setVolume", 1, 0, 1)

    def setPanorama(self, pan):  # type: (float) -> None
        """Check and ignore the place of the sound between the loudspeakers: -1 left, 1 right."""
        self._number(pan, "setPanorama", 0, -1, 1)

    def leftovers(self):  # type: () -> List[str]
        """List the sounds that play and the files that are loaded."""
        playing = ["%d sound(s) are still playing." % len(self._timed_calls)] if self._timed_calls else []
        return playing + ["The sound %r is still loaded." % path for _, path in sorted(self._loaded.items())]

    def _check_file(self, path, method, volume, pan):  # type: (str, str, float, float) -> str
        self._number(volume, method, 1, 0, 1)
        self._number(pan, method, 2, -1, 1)
        path = self.world.file_path(self._path(path, method))
        if not os.path.isfile(path) and not path.startswith(_STOCK_SOUNDS):
            raise self._error(method, "Unable to open file %s: it does not exist." % path)
        if not path.lower().endswith(_SOUND_ENDINGS):
            raise self._error(
                method, "Unable to open file %s: it is not a %s file." % (path, ", ".join(_SOUND_ENDINGS))
            )
        return path

    def _file(self, number, method):  # type: (int, str) -> str
        if self._number(number, method) not in self._loaded:
            raise self._error(method, "No file was loaded under number %r." % (number,))
        return self._loaded[number]

    def _play(self, path, is_loop, method, begin=0.0):  # type: (str, bool, str, float) -> None
        if len(self._timed_calls) >= _MAX_SOUNDS:
            raise self._error(method, "%d sounds are playing already." % _MAX_SOUNDS)
        seconds = None if is_loop else _read_length(path)
        self.world.trace.note("sound", path=os.path.basename(path), method=method, duration=seconds)
        sound = _Sound(self.world.clock, begin)
        self._sounds.append(sound)
        try:
            while self._take_time(None if seconds is None else max(0.0, seconds - sound.begin), sound.moved):
                if not sound.goes_on():
                    break
        finally:
            self._sounds.remove(sound)

    def _stop_sounds(self, method):  # type: (str) -> None
        self.world.trace.note("sound", path="", method=method, duration=0.0)
        Service.stopAll(self)


class _Sound(object):
    """A sound that plays: `begin` is the position in seconds where it began or continued, `moved` ends the waiting."""

    def __init__(self, clock, begin):  # type: (Clock, float) -> None
        self._clock, self._is_moved = clock, False
        self._since = clock.now()  # type: float
        self.begin, self.moved = begin, SimEvent(clock)

    def position(self, now):  # type: (float) -> float
        """Return the position in seconds."""
        return self.begin + now - self._since

    def move(self, position, now):  # type: (float, float) -> None
        """Continue at another position."""
        self.begin, self._since, self._is_moved = position, now, True
        self.moved.set()

    def goes_on(self):  # type: () -> bool
        """Return whether the waiting ended because the sound was moved; then it can be waited for again."""
        was_moved, self._is_moved = self._is_moved, False
        self.moved = SimEvent(self._clock)
        return was_moved


def _read_length(path):  # type: (str) -> float
    """Read a sound's length from a WAV header, at most an hour; other files count as two seconds."""
    if not os.path.isfile(path):
        return _UNKNOWN_LENGTH_S
    try:
        with io.open(path, "rb") as file, open_sound(file) as sound:
            return min(sound.getnframes() / sound.getframerate(), 3600.0)
    except NotASound:
        return _UNKNOWN_LENGTH_S
