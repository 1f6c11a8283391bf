import threading


class MyClass(GeneratedClass):
    """Thinks and speaks, then continues: the word, the score, the success, the good-bye."""

    def __init__(self):
        GeneratedClass.__init__(self, False)
        self.controller = None

    def onLoad(self):
        self.root = jotto_root(self)
        from jotto_behaviour.box_controller import BoxController

        self.controller = BoxController(self, ALProxy, threading.Timer, self.root)

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
