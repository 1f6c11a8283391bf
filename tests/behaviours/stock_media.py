"""Choregraphe's boxes for sounds, pictures and the tablet, written anew: the same calls in the same order."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w

from behaviours.stock_boxes import BOOL, DOUBLE, INT, TEXT, either, out, stock

RECORD_SOUND = """
    def onLoad(self):
        self.sound, self.waiting, self.path = ALProxy("ALAudioDevice"), None, ""
    def onUnload(self):
        if self.waiting:
            self.waiting.cancel()
        if self.path:
            self.sound.stopMicrophonesRecording()
            self.path = ""
    def onInput_onStart(self):
        import qi
        self.path = self.getParameter("Path") + self.getParameter("Ending")
        self.sound.startMicrophonesRecording(self.path)
        self.waiting = getattr(qi, "async")(self.onTimeout, delay=int(self.getParameter("Timeout (s)") * 1000000))
    def onTimeout(self):
        self.onInput_onStop()
    def onInput_onStop(self):
        path = self.path
        self.onUnload()
        self.onStopped(path)
"""

RECORD_SOUND_2 = """
    def onInput_onStart(self):
        recorder = self.session().service("ALAudioRecorder")
        recorder.stopMicrophonesRecording()
        recorder.startMicrophonesRecording(self.getParameter("Path"), "wav", 16000, (0, 0, 1, 0))
        time.sleep(2)
        recorder.stopMicrophonesRecording()
        player = self.session().service("ALAudioPlayer")
        player.playFile(self.getParameter("Path"))
        self.onStopped()
"""

TAKE_PICTURE = """
    def onLoad(self):
        try:
            self.camera = ALProxy("ALPhotoCapture")
        except Exception as error:
            self.camera = None
            self.logger.error(error)
    def onInput_onStart(self):
        if self.camera:
            self.camera.setResolution({"160 x 120": 0, "320 x 240": 1}[self.getParameter("Resolution")])
            self.camera.setCameraID({"Top": 0, "Bottom": 1}[self.getParameter("Camera")])
            self.camera.setPictureFormat("jpg")
            self.camera.takePicture(self.getParameter("Folder"), self.getParameter("File name"))
        self.onStopped()
"""

PLAY_SOUND = """
    def onLoad(self):
        self.player, self.stopper = ALProxy("ALAudioPlayer"), ALProxy("ALAudioPlayer", True)
        self.tasks = []
    def onUnload(self):
        for task in list(self.tasks):
            self.stopper.stop(task)
    def onInput_onStart(self):
        volume, balance = self.getParameter("Volume (%)") / 100.0, self.getParameter("Balance L/R")
        if self.getParameter("Play in loop"):
            task = self.player.pCall("playFileInLoop", self.getParameter("File name"), volume, balance)
        else:
            task = self.player.pCall("playFileFromPosition", self.getParameter("File name"),
                                     self.getParameter("Begin position (s)"), volume, balance)
        self.tasks.append(task)
        self.player.wait(task, 0)
        self.tasks.remove(task)
        self.onStopped()
    def onInput_onStop(self):
        self.onUnload()
"""

SHOW_APP = """
    def onLoad(self):
        self.frames = ALProxy("ALFrameManager")
    def onInput_onStart(self):
        import os
        try:
            tablet = self.session().service("ALTabletService")
        except Exception as error:
            tablet = None
            self.logger.info(error)
        path = os.path.join(os.path.normpath(self.frames.getBehaviorPath(self.behaviorId)), "")
        inside = os.path.join("PackageManager", "apps")
        if inside not in path:
            self.logger.error("The behaviour lies in no package.")
        name = path.split(inside, 1)[1].strip("/").split("/")[-1]
        if tablet and tablet.loadApplication(name):
            tablet.showWebview()
            self.onSuccess()
        else:
            self.onFailure()
"""

SHOW_IMAGE = """
    def onInput_onStart(self):
        try:
            tablet = self.session().service("ALTabletService")
        except Exception as error:
            self.logger.info(error)
            self.logger.warning("No ALTabletService, can't display the image.")
            return self.onStopped()
        url = "http://%s/apps/%s/%s" % (tablet.robotIp(), "quiz", self.getParameter("ImageUrl"))
        tablet.preLoadImage(url)
        tablet.showImage(url)
        time.sleep(1)
        tablet.hideImage()
        self.onStopped()
"""

#: Choice of NAOqi 2: contexts of the recogniser, a touch as another answer, and a help when nobody speaks.
CHOICE = """
    def onLoad(self):
        import threading
        self.mutex, self.running, self.waiting = threading.Lock(), False, None
        self.voice, self.lights, self.memory = ALProxy("ALTextToSpeech"), ALProxy("ALLeds"), ALProxy("ALMemory")
        self.ears, self.player = ALProxy("ALSpeechRecognition"), ALProxy("ALAudioPlayer")
        self.BIND_PYTHON(self.getName(), "onWord")
        self.BIND_PYTHON(self.getName(), "onTouch")
    def onUnload(self):
        with self.mutex:
            if self.waiting:
                self.waiting.cancel()
            if self.running:
                self.running = False
                self.memory.unsubscribeToEvent("WordRecognized", self.getName())
                self.memory.unsubscribeToEvent("FrontTactilTouched", self.getName())
                self.ears.popContexts()
                self.lights.fadeRGB("FaceLeds", 0xffffff, 0.1)
    def onInput_onStart(self):
        import qi
        task = self.voice.post.say("Tea or coffee?")
        self.voice.wait(task, 0)
        with self.mutex:
            self.running = True
            self.ears.setVisualExpression(True)
            self.ears.pushContexts()
            self.ears.setVocabulary(["tea", "coffee"], False)
            self.memory.subscribeToEvent("WordRecognized", self.getName(), "onWord")
            self.memory.subscribeToEvent("FrontTactilTouched", self.getName(), "onTouch")
            self.waiting = getattr(qi, "async")(self.onNobody, delay=10000000)
    def onWord(self, key, value, message):
        if value[1] < 0.4:
            return self.lights.post.fadeRGB("FaceLeds", 0xff0000, 0.1)
        self.onUnload()
        self.choice(value[0])
        self.onStopped()
    def onTouch(self, key, value, message):
        if value:
            self.onUnload()
            self.choice("touched")
            self.onStopped()
    def onNobody(self):
        self.timeout()
    def onInput_onStop(self):
        self.onUnload()
        self.onStopped()
"""


def record_sound(path, ending=".wav", timeout=2.0):
    """Make Record Sound of NAOqi 1 and 2, whose end tells the path."""
    return stock(
        "Record Sound",
        RECORD_SOUND.replace("self.onStopped(path)", "self.recorded(path); self.onStopped()"),
        [out("recorded", "string")],
        [
            w.parameter("Path", TEXT, path),
            w.parameter("Ending", TEXT, ending),
            w.parameter("Timeout (s)", DOUBLE, timeout),
        ],
    )


def record_and_play(path):
    """Make a box that records with ALAudioRecorder and plays it."""
    return stock("Record and play", RECORD_SOUND_2, parameters=[w.parameter("Path", TEXT, path)])


def take_picture(folder, name, resolution="160 x 120", camera="Top"):
    """Make Take Picture."""
    return stock(
        "Take Picture",
        TAKE_PICTURE,
        parameters=[
            w.parameter(key, TEXT, value)
            for key, value in (("Folder", folder), ("File name", name), ("Resolution", resolution), ("Camera", camera))
        ],
    )


def play_sound(path, in_loop=False):
    """Make Play Sound File."""
    return stock(
        "Play Sound File",
        PLAY_SOUND,
        parameters=[
            w.parameter("File name", TEXT, path),
            w.parameter("Begin position (s)", DOUBLE, 0),
            w.parameter("Volume (%)", INT, 100),
            w.parameter("Balance L/R", DOUBLE, 0),
            w.parameter("Play in loop", BOOL, int(in_loop)),
        ],
    )


def show_app():
    """Make Show App."""
    return either("Show App", SHOW_APP, "onSuccess", "onFailure")


def show_image():
    """Make Show Image."""
    return stock("Show Image", SHOW_IMAGE, parameters=[w.parameter("ImageUrl", TEXT, "tea.png")])


def choice():
    """Make Choice of NAOqi 2."""
    return stock("Choice", CHOICE, [out("choice", "string"), out("timeout")])
