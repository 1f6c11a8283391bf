"""Knows ALAudioDevice: the loudness of the whole robot and its microphones, which hear no sound."""
from __future__ import absolute_import, division, print_function

from naosim.services.base import Service

MYPY = False
if MYPY:
    from typing import Dict

    from naosim.world.world import World

PARAMETERS = {"outputSampleRate": 22050, "inputBufferSize": 16384}


class ALAudioDevice(Service):
    """Knows the loudness of the whole robot."""

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._volume, self._muted = 50, False
        self._parameters = dict(PARAMETERS)  # type: Dict[str, int]
        self._closed = {"Inputs": False, "Outputs": False}

    def getOutputVolume(self):
        # type: () -> int
        """Tells the loudness, 0 to 100."""
        return self._volume

    def setOutputVolume(self, volume):
        # type: (int) -> None
        """Sets the loudness, 0 to 100."""
        self._volume = int(self._number(volume, "setOutputVolume", 0, 0, 100))

    def isAudioOutMuted(self):
        # type: () -> bool
        """Tells whether the loudspeakers are off."""
        return self._muted

    def muteAudioOut(self, muted):
        # type: (bool) -> None
        """Switches the loudspeakers off or on."""
        self._muted = self._flag(muted, "muteAudioOut")

    def playSine(self, frequency, gain, pan, duration):
        # type: (int, int, int, float) -> None
        """Plays a tone for so many seconds."""
        self._number(frequency, "playSine", 0, 20, 20000)
        self._number(gain, "playSine", 1, 0, 100)
        self._number(pan, "playSine", 2, -1, 1)
        seconds = self._number(duration, "playSine", 3, 0, 3600)
        self.world.trace.note("sound", path="", method="playSine", duration=seconds)

    def enableEnergyComputation(self):
        # type: () -> None
        """Starts measuring the loudness at the microphones."""

    def disableEnergyComputation(self):
        # type: () -> None
        """Stops measuring the loudness at the microphones."""

    def getFrontMicEnergy(self):
        # type: () -> float
        """Tells the loudness at the front microphone: silence."""
        return 0.0

    def getRearMicEnergy(self):
        # type: () -> float
        """Tells the loudness at the rear microphone: silence."""
        return 0.0

    def getLeftMicEnergy(self):
        # type: () -> float
        """Tells the loudness at the left microphone: silence."""
        return 0.0

    def getRightMicEnergy(self):
        # type: () -> float
        """Tells the loudness at the right microphone: silence."""
        return 0.0

    def setParameter(self, parameter, value):
        # type: (str, int) -> None
        """Sets outputSampleRate or inputBufferSize."""
        self._one_of(parameter, sorted(PARAMETERS), "setParameter", "parameter")
        self._parameters[parameter] = int(self._number(value, "setParameter", 1, 1, 1000000))

    def getParameter(self, parameter):
        # type: (str) -> int
        """Reads a parameter; -1 for an unknown one."""
        return self._parameters.get(self._text(parameter, "getParameter"), -1)

    def openAudioInputs(self):
        # type: () -> None
        """Opens the microphones."""
        self._closed["Inputs"] = False

    def closeAudioInputs(self):
        # type: () -> None
        """Closes the microphones."""
        self._closed["Inputs"] = True

    def isInputClosed(self):
        # type: () -> bool
        """Tells whether the microphones are closed."""
        return self._closed["Inputs"]

    def openAudioOutputs(self):
        # type: () -> None
        """Opens the loudspeakers."""
        self._closed["Outputs"] = False

    def closeAudioOutputs(self):
        # type: () -> None
        """Closes the loudspeakers."""
        self._closed["Outputs"] = True

    def isOutputClosed(self):
        # type: () -> bool
        """Tells whether the loudspeakers are closed."""
        return self._closed["Outputs"]

    def flushAudioOutputs(self):
        # type: () -> None
        """Drops what waits to be played: nothing."""

    def startMicrophonesRecording(self, path):
        # type: (str) -> None
        """Refuses: the microphones hear no sound to write."""
        reason = "The simulated robot hears no sound, so it cannot write %r." % self._text(
            path, "startMicrophonesRecording")
        raise self._error("startMicrophonesRecording", reason)

    def stopMicrophonesRecording(self):
        # type: () -> None
        """Ends a recording: there is none."""
