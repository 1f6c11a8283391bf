"""The library boxes of Choregraphe 2.5 to 2.8, written anew: services from the session, timers from qi."""

from __future__ import absolute_import, division, print_function

from .build_old_boxes import start_stop
from .build_writer import (
    BANG,
    BOOL,
    DOUBLE,
    DYNAMIC,
    INT,
    LOCALIZED,
    ON_EVENT,
    PUNCTUAL,
    STOPPED,
    STRING,
    TEXT,
    Box,
    Parameter,
    Port,
)

SAY = """
import time

class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onLoad(self):
        self.tts = self.session().service("%(service)s")
        self.tasks = []
        self.talking = False

    def onUnload(self):
        for task in list(self.tasks):
            try:
                self.tts.stop(task)
            except:
                pass
        while self.talking:
            time.sleep(0.2)

    def onInput_onStart(self):
        self.talking = True
        try:
            words = "\\\\RSPD=" + str(self.getParameter("Speed (%%)")) + "\\\\ "
            words += "\\\\VCT=" + str(self.getParameter("Voice shaping (%%)")) + "\\\\ "
            words += self.getParameter("Text") + "\\\\RST\\\\ "
            task = self.tts.pCall("say", str(words)%(more)s)
            self.tasks.append(task)
            self.tts.wait(task, 0)
        finally:
            if task in self.tasks:
                self.tasks.remove(task)
            if not self.tasks:
                self.onStopped()
                self.talking = False

    def onInput_onStop(self):
        self.onUnload()
"""

DELAY = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onLoad(self):
        self.running = []

    def onUnload(self):
        self.cancel()

    def cancel(self):
        for future in list(self.running):
            future.cancel()
        self.running = []

    def over(self, future):
        if future in self.running:
            self.running.remove(future)
        if not future.isCanceled() or self.getParameter("Trigger timerOutput if cancelled"):
            self.timerOutput()

    def onInput_onStart(self):
        future = qi.async(lambda: None, delay=int(self.getParameter("Timeout (s)") * 1000 * 1000))
        self.running.append(future)
        future.addCallback(self.over)

    def onInput_onStop(self):
        self.cancel()
"""

WAIT = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onLoad(self):
        self.future = None

    def onUnload(self):
        self.cancel()

    def cancel(self):
        if self.future and self.future.isRunning():
            self.future.cancel()
            return True
        return False

    def over(self):
        self.timerOutput()

    def onInput_onStart(self):
        self.cancel()
        self.future = qi.async(self.over, delay=int(self.getParameter("Timeout (s)") * 1000000))

    def onInput_onStop(self):
        if self.cancel() and self.getParameter("Trigger timerOutput if cancelled"):
            self.timerOutput()
"""

SPEECH_RECO = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onLoad(self):
        from threading import Lock
        self.mutex = Lock()
        self.busy = self.pushed = self.heard_of = False
        self.memory = self.session().service("ALMemory")
        try:
            self.ears = self.session().service("ALSpeechRecognition")
        except Exception as e:
            self.ears = None
            self.logger.warning(e)
        self.BIND_PYTHON(self.getName(), "onWordRecognized")

    def onUnload(self):
        with self.mutex:
            if self.heard_of:
                self.memory.unsubscribeToEvent("WordRecognized", self.getName())
                self.heard_of = False
            if self.pushed and self.ears:
                self.ears.popContexts()
                self.pushed = False
            self.busy = False

    def onInput_onStart(self):
        with self.mutex:
            if self.busy:
                return
            self.busy = True
            if self.ears:
                self.ears.pushContexts()
                self.pushed = True
                words = [word.strip() for word in self.getParameter("Word list").split(";")]
                self.ears.setVocabulary(words, self.getParameter("Enable word spotting"))
            self.memory.subscribeToEvent("WordRecognized", self.getName(), "onWordRecognized")
            self.heard_of = True

    def onInput_onStop(self):
        if self.busy:
            self.onUnload()
            self.onStopped()

    def onWordRecognized(self, key, value, message):
        if len(value) > 1 and value[1] >= self.getParameter("Confidence threshold (%)") / 100.:
            self.wordRecognized(value[0])
        else:
            self.onNothing()
"""

SET_LANGUAGE = """
# written by the Set Language editor: use the editor, not this code
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onInput_onSet(self):
        language = self.getParameter("Language")
        try:
            for name in ("ALTextToSpeech", "ALSpeechRecognition", "ALDialog"):
                try:
                    service = self.session().service(name)
                except RuntimeError:
                    continue
                service.setLanguage(language)
        except RuntimeError as e:
            self.onError(str(e))
            return
        self.onReady()
"""

GOTO_POSTURE = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onLoad(self):
        self.postureService = self.session().service("ALRobotPosture")

    def onUnload(self):
        self.postureService.stopMove()

    def onInput_onStart(self):
        if self.postureService.goToPosture(self.getParameter("Name"), self.getParameter("Speed (%)") / 100.):
            self.success()
        else:
            self.failure()

    def onInput_onStop(self):
        self.onUnload()
"""

LOG = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onInput_message(self, p):
        self.logger.info(self.getParameter("Prefix") + str(p))
        self.onDone()
"""


def _speech(name, text, service, more, parameters):
    return Box(
        name,
        SAY % {"service": service, "more": more},
        start_stop(),
        [Port("onStopped", BANG, STOPPED)],
        [
            Parameter("Voice shaping (%)", INT, 100, 50, 150, inherits=True),
            Parameter("Speed (%)", INT, 100, 50, 200, inherits=True),
            Parameter("Text", LOCALIZED, text),
        ]
        + parameters,
        resources=["Speech"],
    )


def say(name, text):
    """Make a box that says a text."""
    return _speech(name, text, "ALTextToSpeech", "", [])


def animated_say(name, text):
    """Make a box that says a text with gestures."""
    mode = Parameter("Speaking movement mode", TEXT, "contextual", choices=["disabled", "random", "contextual"])
    more = ', {"bodyLanguageMode": self.getParameter("Speaking movement mode")}'
    return _speech(name, text, "ALAnimatedSpeech", more, [mode])


def _timer(name, script, seconds):
    return Box(
        name,
        script,
        start_stop(),
        [Port("timerOutput", BANG, STOPPED)],
        [Parameter("Timeout (s)", DOUBLE, seconds, 0, 5000), Parameter("Trigger timerOutput if cancelled", BOOL, 0)],
    )


def delay(name, seconds):
    """Make a box that passes every signal on after some seconds."""
    return _timer(name, DELAY, seconds)


def wait(name, seconds):
    """Make a box that counts seconds; another start begins anew."""
    return _timer(name, WAIT, seconds)


def speech_reco(name, words, threshold=30, spotting=False):
    """Make a box that listens for words."""
    return Box(
        name,
        SPEECH_RECO,
        start_stop(),
        [Port("onStopped", BANG, STOPPED), Port("wordRecognized", STRING, PUNCTUAL), Port("onNothing", BANG, PUNCTUAL)],
        [
            Parameter("Word list", TEXT, ";".join(words)),
            Parameter("Confidence threshold (%)", INT, threshold, 0, 100),
            Parameter("Enable word spotting", BOOL, int(spotting)),
        ],
        resources=["Speech recognition"],
    )


def set_language(name, language):
    """Make a box that changes the language of voice, ears and dialogue."""
    return Box(
        name,
        SET_LANGUAGE,
        [Port("onSet", BANG, ON_EVENT)],
        [Port("onReady", BANG, PUNCTUAL), Port("onError", STRING, PUNCTUAL)],
        [Parameter("Language", TEXT, language, choices=["English", "French", "German"])],
        plugin="setlanguage_plugin",
    )


def goto_posture(name, posture, speed=80):
    """Make a box that goes to a posture."""
    return Box(
        name,
        GOTO_POSTURE,
        start_stop(),
        [Port("success", BANG, STOPPED), Port("failure", BANG, STOPPED)],
        [
            Parameter("Name", TEXT, posture, choices=["Crouch", "LyingBack", "LyingBelly", "Sit", "Stand"]),
            Parameter("Speed (%)", INT, speed, 0, 100),
        ],
    )


def log(name, prefix):
    """Make a box that writes a value to the log."""
    return Box(
        name,
        LOG,
        [Port("message", DYNAMIC, ON_EVENT)],
        [Port("onDone", BANG, PUNCTUAL)],
        [Parameter("Prefix", TEXT, prefix)],
    )
