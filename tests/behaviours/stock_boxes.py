"""The boxes of Choregraphe's library that behaviours use most, written anew: the same calls in the same order."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w

BOOL, INT, DOUBLE, TEXT = range(4)

ANIMATED_SAY = """
    def onLoad(self):
        self.speech, self.stopper = ALProxy("ALAnimatedSpeech"), ALProxy("ALAnimatedSpeech", True)
        self.tasks = []
    def onUnload(self):
        for task in list(self.tasks):
            self.stopper.stop(task)
    def onInput_onStart(self):
        mode, text = self.getParameter("Speaking movement mode"), self.getParameter("Text")
        if mode == "disabled":
            text = "^start({0}) {1} ^wait({0})".format(self.getParameter("Animation"), text)
        task = self.speech.post.say("\\\\RSPD=100\\\\ " + text + " \\\\RST\\\\ ", {"speakingMovementMode": mode})
        self.tasks.append(task)
        self.speech.wait(task, 0)
        self.tasks.remove(task)
        self.onStopped()
"""

CHOICE = """
    def __init__(self):
        GeneratedClass.__init__(self)
        try:
            self.ears, self.sound, self.dcm = ALProxy("ALSpeechRecognition"), ALProxy("ALAudioDevice"), ALProxy("DCM")
        except Exception:
            self.ears = self.sound = self.dcm = None
        self.voice, self.lights, self.memory = ALProxy("ALTextToSpeech"), ALProxy("ALLeds"), ALProxy("ALMemory")
        self.asked = 0
    def onUnload(self):
        self.must_stop = True
    def onLoad(self):
        self.must_stop = False
        self.BIND_PYTHON(self.getName(), "onWord")
        if self.ears:
            self.ears.setLanguage("English")
            self.ears.setVocabulary(["yes", "no"], True)
    def ask(self):
        self.voice.say("Yes or no?")
        self.lights.fadeRGB("FaceLeds", 0x0000ff, 0.1)
        if self.ears and not self.must_stop:
            self.ears.setLanguage("English")
            self.lights.setIntensity("Head/Led/Front/Right/0/Actuator/Value", 1.0)
            self.lights.setIntensity("Ears/Led/Left/36Deg/Actuator/Value", 1.0)
            self.memory.subscribeToEvent("WordRecognized", self.getName(), "onWord")
    def onInput_onStart(self):
        self.ask()
    def onWord(self, key, value, message):
        self.memory.unsubscribeToEvent("WordRecognized", self.getName())
        self.asked += 1
        word = value[0].replace("<...>", "").strip()
        if not word and self.asked < 3:
            return self.ask()
        self.answer(word or "nothing")
        self.onStopped()
"""

COUNT_FACES = """
    def onLoad(self):
        self.faces = -1
    def onInput_onStart(self, p):
        faces = len(p[1]) - 1 if len(p) > 0 else 0
        if faces != self.faces:
            self.faces = faces
            self.seen(faces) if faces else self.gone()
    def onInput_onStop(self):
        pass
"""

FACE_TRACKER = """
    def onLoad(self):
        self.tracker, self.memory = self.session().service("ALTracker"), self.session().service("ALMemory")
        self.running = False
        for method in ("onLost", "onReached"):
            self.BIND_PYTHON(self.getName(), method)
    def onUnload(self):
        if self.running:
            self.memory.unsubscribeToEvent("ALTracker/TargetLost", self.getName())
            self.memory.unsubscribeToEvent("ALTracker/TargetReached", self.getName())
            self.tracker.setEffector("None")
            self.tracker.stopTracker()
            self.tracker.unregisterTarget("Face")
            self.running = False
    def onInput_onStart(self):
        self.memory.subscribeToEvent("ALTracker/TargetLost", self.getName(), "onLost")
        self.memory.subscribeToEvent("ALTracker/TargetReached", self.getName(), "onReached")
        self.tracker.setEffector("None")
        self.tracker.registerTarget("Face", 0.1)
        self.tracker.setRelativePosition([-0.3, 0.0, 0.0, 0.1, 0.1, 0.3])
        self.tracker.setMode("Head")
        self.tracker.track("Face")
        self.running = True
        self.begun(self.tracker.getActiveTarget())
    def onInput_onStop(self):
        self.onUnload()
        self.onStopped()
    def onLost(self, key, value, message):
        self.lost()
    def onReached(self, key, value, message):
        self.reached()
"""

MOVE_TO = """
    def onLoad(self):
        self.motion = self.session().service("ALMotion")
    def onUnload(self):
        self.motion.stopMove()
    def onInput_onStart(self):
        import almath
        self.motion.moveInit()
        begin = almath.Pose2D(self.motion.getRobotPosition(False))
        wanted = almath.Pose2D(0.2, 0.0, 0.0)
        self.motion.moveTo(0.2, 0.0, 0.0)
        moved = almath.pinv(begin) * almath.Pose2D(self.motion.getRobotPosition(False))
        self.onArrived() if wanted.distance(moved) < 0.02 else self.onStoppedBefore()
    def onInput_onStop(self):
        self.onUnload()
"""

MOVE_TOWARD = """
    def onLoad(self):
        self.motion = self.session().service("ALMotion")
    def onUnload(self):
        self.motion.moveToward(0.0, 0.0, 0.0)
    def onInput_onStart(self):
        self.motion.moveInit()
        self.motion.moveToward(0.5, 0.0, 0.0, [["Frequency", 0.5]])
        time.sleep(2)
        self.motion.stopMove()
        self.onStopped()
"""

STAND_UP = """
    def onLoad(self):
        self.posture = self.session().service("ALRobotPosture")
    def onUnload(self):
        self.posture.stopMove()
    def onInput_onStart(self):
        self.posture.setMaxTryNumber(3)
        self.success() if self.posture.goToPosture(self.getParameter("Name"), 0.8) else self.failure()
"""

HANDS = """
    def onLoad(self):
        self.motion = ALProxy("ALMotion")
    def onInput_onStart(self):
        self.motion.setStiffnesses("LHand", 1.0)
        self.motion.openHand("LHand")
        self.motion.closeHand("LHand")
        self.onStopped()
"""

REST = """
    def onInput_onStart(self):
        motion = self.session().service("ALMotion")
        motion.rest()
        self.awake(motion.robotIsWakeUp())
        motion.wakeUp()
        self.awake(motion.robotIsWakeUp())
        self.onStopped()
"""

POINT_AT = """
    def onInput_onStart(self):
        tracker = ALProxy("ALTracker")
        tracker.lookAt([1.0, 0.2, 0.3], 0, 0.5, False)
        tracker.pointAt("LArm", [1.0, 0.2, 0.3], 0, 0.5)
        self.onStopped()
"""

LIGHTS = """
    def onInput_onStart(self):
        lights = ALProxy("ALLeds")
        lights.fadeRGB("FaceLeds", 256 * 256 * 255 + 256 * 128 + 0, 0.5)
        for part in range(8):
            lights.post.fadeRGB("FaceLed%d" % part, 0xff, 0.1)
        lights.rasta(0.5)
        lights.earLedsSetAngle(90, 0.2, False)
        lights.off("ChestLeds")
        lights.fade("Brain0", 0.5, 0.1)
        lights.setIntensity("LeftFaceLedsGreen", 1.0)
        self.onStopped()
"""

TIMER = """
    def onLoad(self):
        self.task, self.count = None, 0
    def onUnload(self):
        if self.task:
            self.task.stop()
    def tick(self):
        self.count += 1
        self.timer(self.count)
        if self.count == 3:
            self.onStopped()
    def onInput_onStart(self):
        self.task = qi.PeriodicTask()
        self.task.setCallback(self.tick)
        self.task.setUsPeriod(500000)
        self.task.start(True)
"""

LANGUAGES = """
    def onInput_onStart(self):
        voice, ears = ALProxy("ALTextToSpeech"), ALProxy("ALSpeechRecognition")
        self.language(voice.getLanguage())
        if "French" in voice.getAvailableLanguages():
            voice.setLanguage("French")
            ears.setLanguage("French")
            ears.setParameter("inputMode", 3)
        self.language(voice.getLanguage())
        self.onStopped()
"""

VOLUME = """
    def onInput_onStart(self):
        sound = ALProxy("ALAudioDevice")
        before = sound.getOutputVolume()
        sound.setOutputVolume(50)
        self.was(before)
        self.was(sound.getOutputVolume())
        self.onStopped()
"""

RAISE_EVENT = """
    def onInput_onStart(self):
        self.session().service("ALMemory").raiseEvent("Game/Begun", 3)
        self.onStopped()
"""

SUBSCRIBE = """
    def onLoad(self):
        self.signal = self.session().service("ALMemory").subscriber("Game/Begun").signal
        self.link = self.signal.connect(self.told)
    def onUnload(self):
        self.signal.disconnect(self.link)
    def told(self, value):
        self.onEvent(value)
    def onInput_onStart(self):
        ALProxy("ALMemory").raiseEvent("Game/Begun", 4)
        time.sleep(0.1)
        self.onStopped()
"""

LEARN_FACE = """
    def onLoad(self):
        self.faces = ALProxy("ALFaceDetection")
    def onInput_onStart(self):
        lights = ALProxy("ALLeds")
        lights.post.rotateEyes(0x2424ff, 1.0, 1.0)
        lights.fadeRGB("FaceLeds", 0xff0000, 0.1)
        self.success() if self.faces.learnFace("Ada") else self.failure()
"""

NUMBER_EDIT = """
    def onInput_onStart(self):
        self.output("5")
        self.onStopped()
"""

COMMENT = """
    def onInput_onStart(self):
        pass
"""

EXIT = """
    def onInput_onStart(self):
        %s
"""


START = [w.port("onStart", nature="onStart"), w.port("onStop", nature="onStop")]


def out(name, kind="bang", nature="punctual"):
    """Make an output."""
    return w.port(name, kind, nature)


def stock(name, script, outputs=(), parameters=(), inputs=None, **more):
    """Make a box with onStopped and other outputs."""
    outputs = [out("onStopped", nature="stopped")] + list(outputs)
    return w.box(name, w.script(script), inputs, outputs, parameters, **more)


def either(name, script, yes="success", no="failure", parameters=()):
    """Make a box that ends with one of two outputs."""
    return w.box(
        name, w.script(script), outputs=[out(yes, nature="stopped"), out(no, nature="stopped")], parameters=parameters
    )


def posture(name, wanted):
    """Make Stand Up, Sit Down and the like."""
    return either(name, STAND_UP, parameters=[w.parameter("Name", TEXT, wanted)])


def animated_say(mode, animation=""):
    """Make Animated Say with a body language and, for "disabled", an animation."""
    return stock(
        "Animated Say",
        ANIMATED_SAY,
        parameters=[
            w.parameter("Speaking movement mode", TEXT, mode),
            w.parameter("Text", TEXT, "Hello"),
            w.parameter("Animation", TEXT, animation),
        ],
    )


def sensor(name, keys):
    """Make a container whose ALMemory inputs are its outputs, as Bumpers, Tactile Hands and Sonar are."""
    ports = [w.port("key%d" % at, "dynamic", "memory", key) for at, key in enumerate(keys)]
    outputs = [out("onStopped", nature="stopped")] + [out(key, "dynamic") for key in keys]
    return w.box(
        name,
        inputs=START + ports,
        outputs=outputs,
        boxes=[],
        links=[("self.key%d" % at, "self." + key) for at, key in enumerate(keys)],
    )


def face_detection():
    """Make Face Detection: an ALMemory input that leads to a box which counts."""
    count = w.box(
        "Count Faces", w.script(COUNT_FACES), [w.port("onStart", "dynamic")], [out("seen", "number"), out("gone")]
    )
    inputs = [w.port("onStart", nature="onStart"), w.port("faces", "dynamic", "memory", "FaceDetected")]
    return w.box(
        "Face Detection",
        inputs=inputs,
        outputs=[out("onStopped", nature="stopped"), out("seen", "number")],
        boxes=[count],
        links=[("self.faces", "Count Faces.onStart"), ("Count Faces.seen", "self.seen")],
    )


def leaving(how):
    """Make a timeline of which a box inside is the exit."""
    inside = w.box("Exit", w.script(EXIT % how), [w.port("onStart", nature="onStart")], [])
    frame = (1, [inside], [("self.onLoad", "Exit.onStart")])
    return w.box("Dance", layers=[[frame]], timeline={"fps": 10, "end_frame": 101})
