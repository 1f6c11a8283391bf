import threading


class MyClass(GeneratedClass):
    """Asks and listens: to the voice, to the dialog panel of a virtual robot, and to the head."""

    def __init__(self):
        GeneratedClass.__init__(self, False)
        self.controller = None

    def onLoad(self):
        self.root = jotto_root(self)
        from jotto_behaviour.box_controller import BoxController

        for method in ("onWordRecognized", "onTyped", "onTouched"):
            self.BIND_PYTHON(self.getName(), method)
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

    def onWordRecognized(self, key, value, message):
        """Handle a phrase from the recogniser."""
        controller = self.controller
        if controller:
            controller.on_word_recognized(value)

    def onTyped(self, key, value, message):
        """Handle text from the dialog panel."""
        controller = self.controller
        if controller:
            controller.on_typed(value)

    def onTouched(self, key, value, message):
        """Handle a touch of the head, or its end."""
        controller = self.controller
        if controller:
            controller.on_touched(key, value)
