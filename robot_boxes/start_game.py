import random
import threading


class MyClass(GeneratedClass):
    """Starts a game: word list, strategy, and the game that was not finished."""

    def __init__(self):
        GeneratedClass.__init__(self, False)
        self.controller = None

    def onLoad(self):
        self.root = jotto_root(self)
        from jotto_behaviour.start_controller import StartController

        self.controller = StartController(self, ALProxy, threading.Timer, self.root, self.drawSeed)

    def onUnload(self):
        controller, self.controller = self.controller, None
        if controller:
            controller.close()
            jotto_leave(self.root)

    def onInput_onStart(self):
        if self.controller is None:
            self.onLoad()
        self.controller.begin()

    def onInput_onStop(self):
        self.onUnload()
        self.onStopped()

    def drawSeed(self):
        """Draw the seed of a game."""
        return random.SystemRandom().randint(1, 2**31 - 1)
