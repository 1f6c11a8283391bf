"""Knows ALAudioPlayer: sound files and how long they play. Knows no sound."""
from __future__ import absolute_import, division, print_function

import os
import struct

from naosim.services.base import Service, overloads
from naosim.services.device.audio_device import ALAudioDevice

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, List

    from naosim.world.world import World

__all__ = ["ALAudioDevice", "ALAudioPlayer", "seconds_of"]

UNKNOWN_LENGTH = 2.0  # seconds for a sound whose length is not in its header
SOUNDS = (".wav", ".ogg", ".mp3", ".aiff")
MOST = 50  # sounds at a time
SETS = {"Aldebaran": ["enu_ono_laugh_exclamative01", "enu_word_yeah", "bip_gentle", "bip_power_off"]}


class ALAudioPlayer(Service):
    """Plays sound files for as long as they last."""

    _hidden = frozenset()  # type: FrozenSet[str]

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._loaded = {}  # type: Dict[int, str]
        self._made = 0
        self._volume = 1.0

    @overloads("s", "s f f")
    def playFile(self, path, volume=1.0, pan=0.0):
        # type: (str, float, float) -> None
        """Plays a file and returns at its end; RuntimeError when it does not exist."""
        self._sound(self._checked(path, "playFile", volume, pan), False, "playFile")

    @overloads("s", "s f f")
    def playFileInLoop(self, path, volume=1.0, pan=0.0):
        # type: (str, float, float) -> None
        """Plays a file again and again until somebody stops it."""
        self._sound(self._checked(path, "playFileInLoop", volume, pan), True, "playFileInLoop")

    @overloads("s f", "s f f f")
    def playFileFromPosition(self, path, position, volume=1.0, pan=0.0):
        # type: (str, float, float, float) -> None
        """Plays a file from a position in seconds."""
        self._number(position, "playFileFromPosition", 1, 0)
        self._sound(self._checked(path, "playFileFromPosition", volume, pan), False, "playFileFromPosition")

    def loadFile(self, path):
        # type: (str) -> int
        """Makes a file ready and tells its number."""
        self._made += 1
        self._loaded[self._made] = self._checked(path, "loadFile", 1.0, 0.0)
        return self._made

    def unloadFile(self, number):
        # type: (int) -> None
        """Forgets a file made ready."""
        self._file(number, "unloadFile")
        del self._loaded[number]

    def unloadAllFiles(self):
        # type: () -> None
        """Forgets every file made ready."""
        self._loaded.clear()

    @overloads("i", "i f f")
    def play(self, number, volume=1.0, pan=0.0):
        # type: (int, float, float) -> None
        """Plays a file made ready."""
        self._sound(self._file(number, "play"), False, "play")

    @overloads("i", "i f f")
    def playInLoop(self, number, volume=1.0, pan=0.0):
        # type: (int, float, float) -> None
        """Plays a file made ready again and again."""
        self._sound(self._file(number, "playInLoop"), True, "playInLoop")

    @overloads("s", "s s", "s f f f b", "s s f f f b")
    def playSoundSetFile(self, *given):
        # type: (*Any) -> None
        """Plays a sound of a sound set: ([set,] file [, position, volume, pan, again and again])."""
        method = "playSoundSetFile"
        names, rest = (given[:-4], given[-4:]) if len(given) > 4 else (given[:2], [])
        name = self._text(names[-1], method)
        if len(names) > 1:
            self._one_of(names[0], sorted(SETS), method, "sound set")
        if not any(name in sounds for sounds in SETS.values()):
            raise self._error(method, "No sound %r is installed." % name)
        for value, (low, high) in zip(rest[:-1], ((0, 3600), (0, 1), (-1, 1))):
            self._number(value, method, len(names), low, high)
        self._sound(name, bool(rest) and self._flag(rest[-1], method, len(given) - 1), method)

    def getInstalledSoundSetsList(self):
        # type: () -> List[str]
        """Lists the sound sets."""
        return sorted(SETS)

    def getLoadedSoundSetsList(self):
        # type: () -> List[str]
        """Lists the sound sets that are ready: all of them."""
        return sorted(SETS)

    def isSoundSetInstalled(self, sounds):
        # type: (str) -> bool
        """Tells whether a sound set is installed."""
        return self._text(sounds, "isSoundSetInstalled") in SETS

    def isSoundSetFileInstalled(self, sounds, name):
        # type: (str, str) -> bool
        """Tells whether a sound is in a set."""
        self._text(name, "isSoundSetFileInstalled", 1)
        return name in SETS.get(self._text(sounds, "isSoundSetFileInstalled"), [])

    def getSoundSetFileNames(self, sounds):
        # type: (str) -> List[str]
        """Lists the sounds of a set."""
        return list(SETS[self._one_of(sounds, sorted(SETS), "getSoundSetFileNames", "sound set")])

    def stop(self, number):
        # type: (int) -> None
        """Stops one sound, by the number `loadFile` gave or that of its task."""
        self._silence("stop")

    def stopAll(self):
        # type: () -> None
        """Stops every sound."""
        self._silence("stopAll")

    def pause(self, number):
        # type: (int) -> None
        """Stops a sound for good: a simulated sound does not go on from its middle."""
        self._silence("pause")

    def getFileLength(self, number):
        # type: (int) -> float
        """Tells how long a file made ready plays."""
        return seconds_of(self._file(number, "getFileLength"))

    def getLoadedFilesIds(self):
        # type: () -> List[str]
        """Lists the numbers of the files made ready, as texts."""
        return [str(number) for number in sorted(self._loaded)]

    def getLoadedFilesNames(self):
        # type: () -> List[str]
        """Lists the files made ready."""
        return [path for _, path in sorted(self._loaded.items())]

    def getVolume(self, number):
        # type: (int) -> float
        """Tells the loudness of one sound, 0 to 1."""
        self._number(number, "getVolume")
        return self._volume

    def setVolume(self, number, volume):
        # type: (int, float) -> None
        """Sets the loudness of one sound, 0 to 1; a simulated robot has one loudness for all."""
        self._number(number, "setVolume")
        self._volume = self._number(volume, "setVolume", 1, 0, 1)

    def setPanorama(self, pan):
        # type: (float) -> None
        """Moves the sound between the loudspeakers: -1 left, 1 right."""
        self._number(pan, "setPanorama", 0, -1, 1)

    def getMasterVolume(self):
        # type: () -> float
        """Tells the loudness, 0 to 1."""
        return self._volume

    def setMasterVolume(self, volume):
        # type: (float) -> None
        """Sets the loudness, 0 to 1."""
        self._volume = self._number(volume, "setMasterVolume", 0, 0, 1)

    def leftovers(self):
        # type: () -> List[str]
        """Lists sounds that play and files made ready."""
        playing = ["%d sound(s) are still playing." % len(self._lingering)] if self._lingering else []
        return playing + ["The sound %r is still loaded." % path for _, path in sorted(self._loaded.items())]

    def _checked(self, path, method, volume, pan):
        # type: (str, str, float, float) -> str
        self._number(volume, method, 1, 0, 1)
        self._number(pan, method, 2, -1, 1)
        if not os.path.isfile(self._text(path, method)):
            raise self._error(method, "Unable to open file %s: it does not exist." % path)
        if not path.lower().endswith(SOUNDS):
            raise self._error(method, "Unable to open file %s: it is no %s file." % (path, ", ".join(SOUNDS)))
        return path

    def _file(self, number, method):
        # type: (int, str) -> str
        if self._number(number, method) not in self._loaded:
            raise self._error(method, "No file was loaded under number %r." % (number,))
        return self._loaded[number]

    def _sound(self, path, is_loop, method):
        # type: (str, bool, str) -> None
        if len(self._lingering) >= MOST:
            raise self._error(method, "%d sounds are playing already." % MOST)
        seconds = None if is_loop else seconds_of(path)
        self.world.trace.note("sound", path=os.path.basename(path), method=method, duration=seconds)
        self._linger(seconds)

    def _silence(self, method):
        # type: (str) -> None
        self.world.trace.note("sound", path="", method=method, duration=0.0)
        Service.stopAll(self)


def seconds_of(path):
    # type: (str) -> float
    """Reads a sound's length from a WAV header; other files count as two seconds."""
    if not path.lower().endswith(".wav") or not os.path.isfile(path):
        return UNKNOWN_LENGTH
    with open(path, "rb") as sound:
        head = sound.read(44)
    if len(head) < 44 or head[:4] != b"RIFF" or head[36:40] != b"data":
        return UNKNOWN_LENGTH
    rate, size = struct.unpack("<I", head[28:32])[0], struct.unpack("<I", head[40:44])[0]
    return min(size / float(rate), 3600.0) if rate else UNKNOWN_LENGTH
