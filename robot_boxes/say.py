import threading


class MyClass(GeneratedClass):
    """Thinks and speaks, then goes on: the word, the score, the success, the good-bye."""

    def __init__(self):
        GeneratedClass.__init__(self, False)
        self.part = None

    def onLoad(self):
        self.root = jotto_root(self)
        from jotto_behaviour.box_controller import Part
        self.part = Part(self, ALProxy, threading.Timer, self.root)

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
