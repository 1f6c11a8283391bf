"""The library boxes of 2012 to 2014, written anew: proxies in `__init__`, timers as threads, Say as a container."""

from __future__ import absolute_import, division, print_function

from .build_writer import (
    BANG,
    BOOL,
    DOUBLE,
    DYNAMIC,
    INT,
    NUMBER,
    ON_EVENT,
    ON_MEMORY,
    ON_START,
    ON_STOP,
    PUNCTUAL,
    STOPPED,
    STRING,
    TEXT,
    Box,
    Parameter,
    Port,
)


def start_stop(type=BANG):
    """Make the usual two inputs."""
    return [Port("onStart", type, ON_START), Port("onStop", BANG, ON_STOP)]


LOCALIZED_TEXT = """
# written by the Localized Text editor: use the editor, not this code
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        self.tts = ALProxy("ALTextToSpeech")
        self.sentences = {%(sentences)s}

    def onInput_onStart(self):
        language = self.tts.getLanguage()
        self.output(str(self.sentences[language]))
"""

SAY_TEXT = """
import time

class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        self.tts = ALProxy("ALTextToSpeech")
        self.talking = False
        self.tasks = []

    def onLoad(self):
        self.talking = False

    def onUnload(self):
        for task in self.tasks:
            try:
                self.tts.stop(task)
            except:
                pass
        while self.talking:
            time.sleep(0.2)

    def onInput_onStart(self, p):
        self.talking = True
        try:
            words = "\\\\RSPD=" + str(self.getParameter("Speed (%%)")) + "\\\\ "
            words += "\\\\VCT=" + str(self.getParameter("Voice shaping (%%)")) + "\\\\ "
            words += str(p) + "\\\\RST\\\\ "
            task = self.tts.post.say(words)
            self.tasks.append(task)
            self.tts.wait(task, 0)
            self.tasks.remove(task)
            if not self.tasks:
                self.onStopped()
        finally:
            self.talking = False

    def onInput_onStop(self):
        self.onUnload()
""".replace("%%", "%")

SPEECH_RECO = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        try:
            self.ears = ALProxy("ALSpeechRecognition")
        except Exception, e:
            self.ears = None
            self.logger.warning(e)
        self.memory = ALProxy("ALMemory")

    def onLoad(self):
        from threading import Lock
        self.busy = False
        self.pushed = False
        self.heard_of = False
        self.mutex = Lock()
        self.BIND_PYTHON(self.getName(), "onWordRecognized")

    def onUnload(self):
        self.mutex.acquire()
        try:
            if self.heard_of:
                self.memory.unsubscribeToEvent("WordRecognized", self.getName())
                self.heard_of = False
            if self.pushed and self.ears:
                self.ears.popContexts()
                self.pushed = False
            self.busy = False
        except RuntimeError, e:
            self.mutex.release()
            raise e
        self.mutex.release()

    def onInput_onStart(self):
        self.mutex.acquire()
        if self.busy:
            self.mutex.release()
            return
        self.busy = True
        try:
            if self.ears:
                self.ears.setVisualExpression(self.getParameter("Visual expression"))
                self.ears.pushContexts()
                self.pushed = True
                words = self.getParameter("Word list").split(";")
                self.ears.setVocabulary([w.strip() for w in words], self.getParameter("Enable word spotting"))
            self.memory.subscribeToEvent("WordRecognized", self.getName(), "onWordRecognized")
            self.heard_of = True
        except RuntimeError, e:
            self.mutex.release()
            self.onUnload()
            raise e
        self.mutex.release()

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

SWITCH_CASE = """
# written by the Switch Case editor: use the editor, not this code
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def normal(self, p):
        try:
            number = float(p)
            return int(number) if number == int(number) else number
        except (TypeError, ValueError):
            return str(p)

    def onInput_onStart(self, p):
        value = self.normal(p)
%(cases)s
        self.onDefault()
"""

IF = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onInput_onData(self, p):
        operator = self.getParameter("Condition operator")
        other = self.getParameter("Value to compare")
        try:
            p, other = float(p), float(other)
        except (TypeError, ValueError):
            p, other = str(p), str(other)
        if {"=": p == other, ">": p > other, "<": p < other, ">=": p >= other, "<=": p <= other}[operator]:
            self.output_then(p)
        else:
            self.output_else(p)
"""

WAIT = """
import threading

class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        self.timer = None

    def onUnload(self):
        self.cancel()

    def cancel(self):
        if self.timer:
            self.timer.cancel()
            self.timer = None
            return True
        return False

    def over(self):
        self.timer = None
        self.timerOutput()

    def onInput_onStart(self):
        self.cancel()
        self.timer = threading.Timer(self.getParameter("Timeout (s)"), self.over)
        self.timer.start()

    def onInput_onStop(self):
        if self.cancel():
            self.timerOutput()
"""

TEXT_EDIT = """
# written by the Text Edit editor: use the editor, not this code
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onInput_onStart(self):
        self.output(%(text)r)
"""

COUNTER = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onLoad(self):
        self.count = 0

    def onInput_add(self):
        self.count += 1
        self.total(self.count)
        if self.count >= self.getParameter("Final"):
            self.count = 0
            self.finished()

    def onInput_clear(self):
        self.count = 0
"""

ONLY_ONCE = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onLoad(self):
        self.passed = False

    def onInput_input_1(self):
        if not self.passed:
            self.passed = True
            self.output_1()

    def onInput_onReset(self):
        self.passed = False
"""

RANDOM_INT = """
import random

class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onInput_onStart(self):
        self.output(random.randint(self.getParameter("Min"), self.getParameter("Max")))
"""

INSERT_DATA = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onInput_set(self, p):
        ALMemory.insertData(self.getParameter("Key"), p)
        self.onDone()
"""

GET_DATA = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onInput_get(self):
        try:
            self.value(ALMemory.getData(self.getParameter("Key")))
        except RuntimeError:
            self.missing()
"""

EYES = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        self.lights = ALProxy("ALLeds")

    def onInput_onStart(self):
        self.lights.fadeRGB("FaceLeds", int(self.getParameter("Color"), 16), self.getParameter("Duration (s)"))
        self.onStopped()
"""


def localized_text(sentences):
    """Make a box that chooses a text by language."""
    pairs = ", ".join("%r: %r" % pair for pair in sorted(sentences.items()))
    return Box(
        "Localized Text",
        LOCALIZED_TEXT % {"sentences": pairs},
        start_stop(),
        [Port("output", STRING, PUNCTUAL)],
        plugin="localizationbox_plugin",
    )


def say_text(name="Say Text"):
    """Make a box that says the string that starts it."""
    return Box(
        name,
        SAY_TEXT,
        start_stop(STRING),
        [Port("onStopped", BANG, STOPPED)],
        [
            Parameter("Voice shaping (%)", INT, 100, 50, 150, inherits=True),
            Parameter("Speed (%)", INT, 100, 50, 200, inherits=True),
        ],
        resources=["Speech"],
    )


def say(name, english, **others):
    """Make a box that says a text in the robot's language: Localized Text and Say Text in a container."""
    sentences = dict(others, English=english)
    return Box(
        name,
        "",
        start_stop(),
        [Port("onStopped", BANG, STOPPED)],
        [Parameter("Voice shaping (%)", INT, 100, 50, 150), Parameter("Speed (%)", INT, 100, 50, 200)],
        boxes=[localized_text(sentences), say_text()],
        links=[
            ("onStart", "Localized Text/onStart"),
            ("Localized Text/output", "Say Text/onStart"),
            ("Say Text/onStopped", "onStopped"),
        ],
    )


def speech_reco(name, words, threshold=30, spotting=False):
    """Make a box that listens for words."""
    return Box(
        name,
        SPEECH_RECO,
        start_stop(),
        [
            Port("onStopped", BANG, STOPPED),
            Port("wordRecognized", DYNAMIC, PUNCTUAL),
            Port("onNothing", BANG, PUNCTUAL),
        ],
        [
            Parameter("Word list", TEXT, ";".join(words)),
            Parameter("Confidence threshold (%)", INT, threshold, 0, 100),
            Parameter("Visual expression", BOOL, 1),
            Parameter("Enable word spotting", BOOL, int(spotting)),
        ],
        resources=["Speech recognition"],
    )


def switch_case(name, cases):
    """Make a box that passes a value to the output for its case."""
    lines = [
        "        if value == self.normal(%r):\n            self.output_%d(p)\n            return" % (case, number)
        for number, case in enumerate(cases, 1)
    ]
    return Box(
        name,
        SWITCH_CASE % {"cases": "\n".join(lines)},
        [Port("onStart", DYNAMIC, ON_EVENT)],
        [Port("output_%d" % number, DYNAMIC, PUNCTUAL) for number in range(1, len(cases) + 1)]
        + [Port("onDefault", BANG, PUNCTUAL)],
        plugin="dispatcher_plugin",
    )


def if_box(name, operator, other):
    """Make a box that compares a value."""
    return Box(
        name,
        IF,
        [Port("onData", DYNAMIC, ON_EVENT)],
        [Port("output_then", DYNAMIC, PUNCTUAL), Port("output_else", DYNAMIC, PUNCTUAL)],
        [
            Parameter("Condition operator", TEXT, operator, choices=["=", ">", "<", ">=", "<="]),
            Parameter("Value to compare", TEXT, other),
        ],
    )


def tactile_head(name="Tactile Head"):
    """Make a box that fires when an area of the head is pressed."""
    parts = ["Front", "Middle", "Rear"]
    inputs = start_stop() + [
        Port("%sTactilTouched" % part, NUMBER, ON_MEMORY, "%sTactilTouched" % part) for part in parts
    ]
    outputs = [Port("onStopped", BANG, STOPPED)] + [Port("%sTouched" % part.lower(), BANG, PUNCTUAL) for part in parts]
    links = []
    for number, part in enumerate(parts, 1):
        links += [
            ("%sTactilTouched" % part, "#%d/onData" % number),
            ("#%d/output_then" % number, "%sTouched" % part.lower()),
        ]
    return Box(
        name,
        "",
        inputs,
        outputs,
        boxes=[if_box("If " + part, ">", "0") for part in parts],
        links=links,
        resources=["Head-sequence"],
    )


def wait(name, seconds):
    """Make a box that counts seconds."""
    return Box(
        name,
        WAIT,
        start_stop(),
        [Port("timerOutput", BANG, STOPPED)],
        [Parameter("Timeout (s)", DOUBLE, seconds, 0, 5000)],
    )


def text_edit(name, text):
    """Make a box that outputs a constant text."""
    return Box(
        name,
        TEXT_EDIT % {"text": text},
        [Port("onStart", BANG, ON_EVENT)],
        [Port("output", STRING, PUNCTUAL)],
        plugin="textedit_plugin",
    )


def counter(name, final):
    """Make a box that counts up to a number."""
    return Box(
        name,
        COUNTER,
        [Port("add", BANG, ON_EVENT), Port("clear", BANG, ON_EVENT)],
        [Port("total", NUMBER, PUNCTUAL), Port("finished", BANG, PUNCTUAL)],
        [Parameter("Final", INT, final, 1, 1000)],
    )


def only_once(name):
    """Make a box that passes only the first signal."""
    return Box(
        name,
        ONLY_ONCE,
        [Port("input_1", BANG, ON_EVENT), Port("onReset", BANG, ON_EVENT)],
        [Port("output_1", BANG, PUNCTUAL)],
    )


def random_int(name, low, high):
    """Make a box that outputs a random number."""
    return Box(
        name,
        RANDOM_INT,
        [Port("onStart", BANG, ON_EVENT)],
        [Port("output", NUMBER, PUNCTUAL)],
        [Parameter("Min", INT, low, -1000, 1000), Parameter("Max", INT, high, -1000, 1000)],
    )


def insert_data(name, key):
    """Make a box that stores a value in ALMemory."""
    return Box(
        name,
        INSERT_DATA,
        [Port("set", DYNAMIC, ON_EVENT)],
        [Port("onDone", BANG, PUNCTUAL)],
        [Parameter("Key", TEXT, key)],
    )


def get_data(name, key):
    """Make a box that reads a value from ALMemory."""
    return Box(
        name,
        GET_DATA,
        [Port("get", BANG, ON_EVENT)],
        [Port("value", DYNAMIC, PUNCTUAL), Port("missing", BANG, PUNCTUAL)],
        [Parameter("Key", TEXT, key)],
    )


def eyes(name, colour, seconds=0.5):
    """Make a box that changes the colour of the eyes."""
    return Box(
        name,
        EYES,
        start_stop(),
        [Port("onStopped", BANG, STOPPED)],
        [Parameter("Color", TEXT, colour), Parameter("Duration (s)", DOUBLE, seconds, 0, 10)],
    )
