"""ALAudioPlayer: sound files and how long they play. Plays no sound."""

from __future__ import absolute_import, division, print_function

import io
import os

from naosim.formats import NotASound, open_sound
from naosim.services.base import Service, overloads
from naosim.services.device.audio_device import Tones

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, List

    from naosim.world import World

UNKNOWN_LENGTH = 2.0  # seconds for a sound whose length is not in its header
SOUNDS = (".wav", ".ogg", ".mp3", ".aiff")
MOST = 50  # sounds at a time
SETS = {"Aldebaran": ["enu_ono_laugh_exclamative01", "enu_word_yeah", "bip_gentle", "bip_power_off"]}


class ALAudioPlayer(Tones):
    """Plays sound files, in silence, for as long as they last."""

    _hidden = frozenset()  # type: FrozenSet[str]

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._loaded = {}  # type: Dict[int, str]
        self._load_count = 0
        self._volume = 1.0

    @overloads("s", "s f f")
    def playFile(self, path, volume=1.0, pan=0.0):  # type: (str, float, float) -> None
        """Play a file and return at its end; raise RuntimeError when it does not exist."""
        self._play(self._checked(path, "playFile", volume, pan), False, "playFile")

    @overloads("s", "s f f")
    def playFileInLoop(self, path, volume=1.0, pan=0.0):  # type: (str, float, float) -> None
        """Play a file again and again until a program stops it."""
        self._play(self._checked(path, "playFileInLoop", volume, pan), True, "playFileInLoop")

    @overloads("s f", "s f f f")
    def playFileFromPosition(self, path, position, volume=1.0, pan=0.0):  # type: (str, float, float, float) -> None
        """Play a file from a position in seconds and return at its end."""
        self._number(position, "playFileFromPosition", 1, 0)
        self._play(self._checked(path, "playFileFromPosition", volume, pan), False, "playFileFromPosition")

    def loadFile(self, path):  # type: (str) -> int
        """Load a file and return its number."""
        self._load_count += 1
        self._loaded[self._load_count] = self._checked(path, "loadFile", 1.0, 0.0)
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
    def playSoundSetFile(self, *given):  # type: (*Any) -> None
        """Play a sound of a sound set: ([set,] file [, position, volume, pan, in a loop])."""
        method = "playSoundSetFile"
        names, rest = (given[:-4], given[-4:]) if len(given) > 4 else (given[:2], [])
        name = self._text(names[-1], method)
        if len(names) > 1:
            self._one_of(names[0], sorted(SETS), method, "sound set")
        if not any(name in sounds for sounds in SETS.values()):
            raise self._error(method, "No sound %r is installed." % name)
        for value, (low, high) in zip(rest[:-1], ((0, 3600), (0, 1), (-1, 1))):
            self._number(value, method, len(names), low, high)
        self._play(name, bool(rest) and self._flag(rest[-1], method, len(given) - 1), method)

    def playWebStream(self, url, volume, pan):  # type: (str, float, float) -> None
        """Play a stream, in silence, until a program stops it; nothing is fetched."""
        self._number(volume, "playWebStream", 1, 0, 1)
        self._number(pan, "playWebStream", 2, -1, 1)
        if not self._text(url, "playWebStream").startswith(("http://", "https://")):
            raise self._error("playWebStream", "%r is no address of a stream: it begins with http://." % url)
        self._play(url, True, "playWebStream")

    def loadSoundSet(self, sounds):  # type: (str) -> None
        """Check that a sound set is installed: all that are, are loaded."""
        self._one_of(sounds, sorted(SETS), "loadSoundSet", "sound set")

    def unloadSoundSet(self, sounds):  # type: (str) -> None
        """Check that a sound set is installed; it stays loaded."""
        self._one_of(sounds, sorted(SETS), "unloadSoundSet", "sound set")

    def getInstalledSoundSetsList(self):  # type: () -> List[str]
        """List the sound sets."""
        return sorted(SETS)

    def getLoadedSoundSetsList(self):  # type: () -> List[str]
        """List the sound sets that are loaded: all of them."""
        return sorted(SETS)

    def isSoundSetInstalled(self, sounds):  # type: (str) -> bool
        """Tell whether a sound set is installed."""
        return self._text(sounds, "isSoundSetInstalled") in SETS

    def isSoundSetFileInstalled(self, sounds, name):  # type: (str, str) -> bool
        """Tell whether a sound is in a set."""
        self._text(name, "isSoundSetFileInstalled", 1)
        return name in SETS.get(self._text(sounds, "isSoundSetFileInstalled"), [])

    def getSoundSetFileNames(self, sounds):  # type: (str) -> List[str]
        """List the sounds of a set."""
        return list(SETS[self._one_of(sounds, sorted(SETS), "getSoundSetFileNames", "sound set")])

    def stop(self, number):  # type: (int) -> None
        """Stop sounds; the number, that of `loadFile` or of a task, is ignored."""
        self._stop_sounds("stop")

    def stopAll(self):  # type: () -> None
        """Stop every sound."""
        self._stop_sounds("stopAll")

    def pause(self, number):  # type: (int) -> None
        """Stop sounds for good: a simulated sound cannot be resumed. The number is ignored."""
        self._stop_sounds("pause")

    def getFileLength(self, number):  # type: (int) -> float
        """Return how many seconds a loaded file plays."""
        return seconds_of(self._file(number, "getFileLength"))

    def getLoadedFilesIds(self):  # type: () -> List[str]
        """List the numbers of the loaded files, as texts."""
        return [str(number) for number in sorted(self._loaded)]

    def getLoadedFilesNames(self):  # type: () -> List[str]
        """List the paths of the loaded files."""
        return [path for _, path in sorted(self._loaded.items())]

    def getVolume(self, number):  # type: (int) -> float
        """Return the loudness of one sound, 0 to 1; a simulated robot has one loudness for all."""
        self._number(number, "getVolume")
        return self._volume

    def setVolume(self, number, volume):  # type: (int, float) -> None
        """Set the loudness of one sound, 0 to 1; a simulated robot has one loudness for all."""
        self._number(number, "setVolume")
        self._volume = self._number(volume, "setVolume", 1, 0, 1)

    def setPanorama(self, pan):  # type: (float) -> None
        """Check and ignore the place of the sound between the loudspeakers: -1 left, 1 right."""
        self._number(pan, "setPanorama", 0, -1, 1)

    def getMasterVolume(self):  # type: () -> float
        """Return the loudness, 0 to 1."""
        return self._volume

    def setMasterVolume(self, volume):  # type: (float) -> None
        """Set the loudness, 0 to 1."""
        self._volume = self._number(volume, "setMasterVolume", 0, 0, 1)

    def leftovers(self):  # type: () -> List[str]
        """List the sounds that play and the files that are loaded."""
        playing = ["%d sound(s) are still playing." % len(self._timed_calls)] if self._timed_calls else []
        return playing + ["The sound %r is still loaded." % path for _, path in sorted(self._loaded.items())]

    def _checked(self, path, method, volume, pan):  # type: (str, str, float, float) -> str
        self._number(volume, method, 1, 0, 1)
        self._number(pan, method, 2, -1, 1)
        path = self.world.file_path(self._text(path, method))
        if not os.path.isfile(path):
            raise self._error(method, "Unable to open file %s: it does not exist." % path)
        if not path.lower().endswith(SOUNDS):
            raise self._error(method, "Unable to open file %s: it is no %s file." % (path, ", ".join(SOUNDS)))
        return path

    def _file(self, number, method):  # type: (int, str) -> str
        if self._number(number, method) not in self._loaded:
            raise self._error(method, "No file was loaded under number %r." % (number,))
        return self._loaded[number]

    def _play(self, path, is_loop, method):  # type: (str, bool, str) -> None
        if len(self._timed_calls) >= MOST:
            raise self._error(method, "%d sounds are playing already." % MOST)
        seconds = None if is_loop else seconds_of(path)
        self.world.trace.note("sound", path=os.path.basename(path), method=method, duration=seconds)
        self._take_time(seconds)

    def _stop_sounds(self, method):  # type: (str) -> None
        self.world.trace.note("sound", path="", method=method, duration=0.0)
        Service.stopAll(self)


def seconds_of(path):  # type: (str) -> float
    """Read a sound's length from a WAV header, at most an hour; other files count as two seconds."""
    if not os.path.isfile(path):
        return UNKNOWN_LENGTH
    try:
        with io.open(path, "rb") as file, open_sound(file) as sound:
            return min(sound.getnframes() / sound.getframerate(), 3600.0)
    except NotASound:
        return UNKNOWN_LENGTH
