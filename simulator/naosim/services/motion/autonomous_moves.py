"""Knows ALAutonomousMoves: the older switches of what a robot does when nobody asks anything of it."""
from __future__ import absolute_import, division, print_function

from naosim.services.base import Service

MYPY = False
if MYPY:
    from naosim.world.world import World


class ALAutonomousMoves(Service):
    """Knows the older switches of background movements."""

    def __init__(self, world):
        # type: (World) -> None
        Service.__init__(self, world)
        self._strategy = "none"
        self._expressive = False

    def startSmallDisplacements(self):
        # type: () -> None
        """Starts small steps on the spot, which a simulated robot does not take."""

    def stopSmallDisplacements(self):
        # type: () -> None
        """Stops small steps on the spot."""

    def setBackgroundStrategy(self, strategy):
        # type: (str) -> None
        """Chooses `none` or `backToNeutral`."""
        self._strategy = self._one_of(strategy, ["none", "backToNeutral"], "setBackgroundStrategy", "strategy")

    def getBackgroundStrategy(self):
        # type: () -> str
        """Tells the strategy."""
        return self._strategy

    def setExpressiveListeningEnabled(self, enabled):
        # type: (bool) -> None
        """Lets NAO move while it listens or not."""
        self._expressive = self._flag(enabled, "setExpressiveListeningEnabled")

    def getExpressiveListeningEnabled(self):
        # type: () -> bool
        """Tells whether NAO moves while it listens."""
        return self._expressive
