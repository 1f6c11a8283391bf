"""ALAudioDevice: the loudness of the whole robot, and its microphones, which hear no sound."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service
from naosim.services.device.sound_stream import SoundStream

MYPY = False
if MYPY:
    from typing import Dict

    from naosim.world import World

PARAMETERS = {"outputSampleRate": 22050, "inputBufferSize": 16384}
#: Samples per second, and microphones.
FRONT, ALL_FOUR = (16000, 1), (48000, 4)


class Tones(Service):
    """A service that plays tones."""

    def playSine(self, frequency, gain, pan, duration):  # type: (int, int, int, float) -> None
        """Play a tone for so many seconds; the simulated robot records it and returns at once."""
        self._number(frequency, "playSine", 0, 20, 20000)
        self._number(gain, "playSine", 1, 0, 100)
        self._number(pan, "playSine", 2, -1, 1)
        seconds = self._number(duration, "playSine", 3, 0, 3600)
        self.world.trace.note("sound", path="", method="playSine", duration=seconds)


class ALAudioDevice(Tones, SoundStream):
    """The loudness of the whole robot, its loudspeakers and its microphones."""

    def __init__(self, world):  # type: (World) -> None
        SoundStream.__init__(self, world)
        self._volume, self._muted = 50, False
        self._parameters = dict(PARAMETERS)  # type: Dict[str, int]
        self._closed = {"Inputs": False, "Outputs": False}

    def getOutputVolume(self):  # type: () -> int
        """Return the loudness, 0 to 100."""
        return self._volume

    def setOutputVolume(self, volume):  # type: (int) -> None
        """Set the loudness, 0 to 100."""
        self._volume = int(self._number(volume, "setOutputVolume", 0, 0, 100))

    def isAudioOutMuted(self):  # type: () -> bool
        """Tell whether the loudspeakers are off."""
        return self._muted

    def muteAudioOut(self, muted):  # type: (bool) -> None
        """Switch the loudspeakers off or on."""
        self._muted = self._flag(muted, "muteAudioOut")

    def enableEnergyComputation(self):  # type: () -> None
        """Do nothing: the loudness at the microphones needs no measuring."""

    def disableEnergyComputation(self):  # type: () -> None
        """Do nothing: the loudness at the microphones needs no measuring."""

    def getFrontMicEnergy(self):  # type: () -> float
        """Return the loudness at the front microphone: silence."""
        return 0.0

    def getRearMicEnergy(self):  # type: () -> float
        """Return the loudness at the rear microphone: silence."""
        return 0.0

    def getLeftMicEnergy(self):  # type: () -> float
        """Return the loudness at the left microphone: silence."""
        return 0.0

    def getRightMicEnergy(self):  # type: () -> float
        """Return the loudness at the right microphone: silence."""
        return 0.0

    def setParameter(self, parameter, value):  # type: (str, int) -> None
        """Set outputSampleRate or inputBufferSize."""
        self._one_of(parameter, sorted(PARAMETERS), "setParameter", "parameter")
        self._parameters[parameter] = int(self._number(value, "setParameter", 1, 1, 1000000))

    def getParameter(self, parameter):  # type: (str) -> int
        """Return a parameter, -1 for an unknown one."""
        return self._parameters.get(self._text(parameter, "getParameter"), -1)

    def openAudioInputs(self):  # type: () -> None
        """Open the microphones."""
        self._closed["Inputs"] = False

    def closeAudioInputs(self):  # type: () -> None
        """Close the microphones."""
        self._closed["Inputs"] = True

    def isInputClosed(self):  # type: () -> bool
        """Tell whether the microphones are closed."""
        return self._closed["Inputs"]

    def openAudioOutputs(self):  # type: () -> None
        """Open the loudspeakers."""
        self._closed["Outputs"] = False

    def closeAudioOutputs(self):  # type: () -> None
        """Close the loudspeakers."""
        self._closed["Outputs"] = True

    def isOutputClosed(self):  # type: () -> bool
        """Tell whether the loudspeakers are closed."""
        return self._closed["Outputs"]

    def flushAudioOutputs(self):  # type: () -> None
        """Do nothing: no sound waits to be played."""

    def startMicrophonesRecording(self, path):  # type: (str) -> None
        """Begin to record: the front microphone into an .ogg file, all four into a .wav file."""
        method = "startMicrophonesRecording"
        rate, channels = ALL_FOUR if self._text(path, method).lower().endswith(".wav") else FRONT
        self._record(path, rate, channels, method)

    def stopMicrophonesRecording(self):  # type: () -> None
        """End the recording and write its file."""
        self._end("stopMicrophonesRecording")
