import random
import threading


class MyClass(GeneratedClass):
    """Starts a game: word list, strategy, and the game that was not finished."""

    def __init__(self):
        GeneratedClass.__init__(self, False)
        self.part = None

    def onLoad(self):
        self.root = jotto_root(self)
        from jotto_behaviour.start_controller import Start
        self.part = Start(self, ALProxy, threading.Timer, self.root, self.drawSeed)

    def onUnload(self):
        part, self.part = self.part, None
        if part:
            part.close()
            jotto_leave(self.root)

    def onInput_onStart(self):
        if self.part is None:
            self.onLoad()
        self.part.begin()

    def onInput_onStop(self):
        self.onUnload()
        self.onStopped()

    def drawSeed(self):
        """Draw the seed of a game."""
        return random.SystemRandom().randint(1, 2 ** 31 - 1)
