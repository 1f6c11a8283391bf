import threading


class MyClass(GeneratedClass):
    """Asks and listens: to the voice, to the dialog panel of a virtual robot, and to the head."""

    def __init__(self):
        GeneratedClass.__init__(self, False)
        self.part = None

    def onLoad(self):
        self.root = jotto_root(self)
        from jotto_behaviour.box_controller import Part
        for method in ("onWordRecognized", "onTyped", "onTouched"):
            self.BIND_PYTHON(self.getName(), method)
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

    def onWordRecognized(self, key, value, message):
        """The recogniser heard something."""
        part = self.part
        if part:
            part.heard(value)

    def onTyped(self, key, value, message):
        """Something was typed into the dialog panel."""
        part = self.part
        if part:
            part.typed(value)

    def onTouched(self, key, value, message):
        """The head was touched or let go."""
        part = self.part
        if part:
            part.touched(key, value)
