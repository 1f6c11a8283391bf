"""ALAutonomousMoves: the older switches of what the robot does when it is idle."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service

MYPY = False
if MYPY:
    from naosim.world import World


class ALAutonomousMoves(Service):
    """The older switches of background movements."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._strategy = "none"
        self._expressive = False

    def startSmallDisplacements(self):  # type: () -> None
        """Do nothing: a simulated robot takes no small steps on the spot."""

    def stopSmallDisplacements(self):  # type: () -> None
        """Do nothing: there are no small steps on the spot to stop."""

    def setBackgroundStrategy(self, strategy):  # type: (str) -> None
        """Choose the strategy: `none` or `backToNeutral`."""
        self._strategy = self._one_of(strategy, ["none", "backToNeutral"], "setBackgroundStrategy", "strategy")

    def getBackgroundStrategy(self):  # type: () -> str
        """Return the strategy."""
        return self._strategy

    def setExpressiveListeningEnabled(self, enabled):  # type: (bool) -> None
        """Set whether NAO moves while it listens."""
        self._expressive = self._flag(enabled, "setExpressiveListeningEnabled")

    def getExpressiveListeningEnabled(self):  # type: () -> bool
        """Tell whether NAO moves while it listens."""
        return self._expressive
