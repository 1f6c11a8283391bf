"""A box controller on real threads: events, alarms, speech and a stop at once; and the preamble of every box script."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os
import sys
import threading
import time

import pytest
from story import BEHAVIOUR, ROOT, write

from jotto import game as games
from jotto.compat import as_native
from jotto.rules import JOTTO
from jotto_behaviour import box_controller
from jotto_behaviour.box_controller import BoxController
from jotto_behaviour.settings import Settings
from jotto_behaviour.talk import Talk

FRONT, MIDDLE, REAR = "FrontTactilTouched", "MiddleTactilTouched", "RearTactilTouched"
#: Seconds after which a thread counts as stuck.
PATIENCE = 5.0


class Box(object):
    def __init__(self):
        self.fired, self.lines, self.logger = [], [], self
        for name in ("onStopped", "yes", "no", "stop", "giveUp", "sortOut", "score", "back", "five", "broken"):
            setattr(self, name, lambda name=name: self.fired.append(name))

    def getName(self):
        return as_native("box")

    warning = error = info = lambda self, line: self.lines.append(line)


class Robot(object):
    """Memory, recogniser, voice and eyes; notes what is open, and whether calls come in the wrong order."""

    def __init__(self, state, seconds=0.0):
        game = games.start_game(JOTTO, "en", "0" * 8, 7).ask("ocean")
        here = Talk(game, state=state, settings=Settings(strategy="consistent"))
        self.values = {"Jotto/Game": as_native(json.dumps(here.plain()))}
        self.subscribed, self.listeners, self.mistakes, self.said = set(), set(), [], []
        self.contexts, self.paused, self.eyes = 0, False, None
        self.seconds, self.cuts = seconds, 0
        self.speaking, self.silent = threading.Event(), threading.Event()
        self.post = type(str("Post"), (object,), {"say": staticmethod(self.begin_to_say)})

    def proxy(self, name):
        """Return the robot itself, as ALProxy: one object for all services."""
        if name not in ("ALMemory", "ALSpeechRecognition", "ALTextToSpeech", "ALLeds"):
            raise RuntimeError("no %s" % name)
        return self

    def getData(self, key):
        if key not in self.values:
            raise RuntimeError("no %s" % key)
        return self.values[key]

    def insertData(self, key, value):
        self.values[key] = value

    def subscribeToEvent(self, key, module, method):
        if key in self.subscribed:
            self.mistakes.append("%s is subscribed twice" % key)
        self.subscribed.add(key)
        time.sleep(0)

    def unsubscribeToEvent(self, key, module):
        if key not in self.subscribed:
            raise RuntimeError("not subscribed")
        self.subscribed.discard(key)

    def pause(self, paused):
        self.paused = paused

    def getLanguage(self):
        return as_native("English")

    def pushContexts(self):
        self.contexts += 1

    def popContexts(self):
        self.contexts -= 1

    def setVocabulary(self, words, spotting):
        if not self.paused:
            self.mistakes.append("a vocabulary for a recogniser that runs")
        time.sleep(0)

    def subscribe(self, name):
        self.listeners.add(name)

    def unsubscribe(self, name):
        self.listeners.discard(name)

    def fadeRGB(self, group, colour, seconds):
        self.eyes = colour

    def say(self, text):
        assert text == "\\pau=500\\", "a sentence that nobody can stop"

    def begin_to_say(self, text):
        self.said.append(text)
        self.silent.clear()
        self.speaking.set()
        return 1

    def wait(self, task, limit):
        self.silent.wait(self.seconds)
        self.speaking.clear()

    def stop(self, task):
        self.cuts += 1
        self.silent.set()

    def is_calm(self):
        return not (self.subscribed or self.listeners or self.contexts or self.paused or self.mistakes)


class Alarm(object):
    """A timer whose time-outs run when the test says so; answers get a thread at once."""

    rung = None

    def __init__(self, seconds, call, args=()):
        self.seconds, self.call = seconds, lambda: call(*args)
        self.made.append(self)

    def start(self):
        """Run an answer now; a time-out waits for `call`."""
        if self.seconds == 0.0:
            threads(self.call)[0].start()

    def cancel(self):
        """Note a cancellation; as with a real timer, the call may already be running."""


def threads(*calls):
    """Make daemon threads, which are not waited for at the end of Python."""
    made = [threading.Thread(target=call) for call in calls]
    for thread in made:
        thread.daemon = True
    return made


def at_once(*calls):
    gun = threading.Event()
    running = threads(*[lambda call=call: (gun.wait(PATIENCE), call()) for call in calls])
    for thread in running:
        thread.start()
    gun.set()
    for thread in running:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def controller_of(robot, timer):
    box = Box()
    return BoxController(box, robot.proxy, timer, os.path.dirname(os.path.dirname(BEHAVIOUR))), box


def until(condition):
    end = time.time() + PATIENCE
    while not condition():
        assert time.time() < end, "this never came true"
        time.sleep(0.001)


def make_alarms():
    """Make a class of alarms and the list of all alarms made of it."""
    return type(str("Alarms"), (Alarm,), {"made": []})


@pytest.fixture
def alarms():
    return make_alarms()


def many_times(race):
    """Let threads race again and again: they seldom meet at the same instruction."""

    def run():
        for _ in range(60):
            race(make_alarms())

    return run


def heard(controller, phrase="no"):
    return lambda: controller.on_word_recognized([as_native(phrase), 0.9])


def touched(controller, key):
    return lambda: controller.on_touched(as_native(key), 1.0)


@many_times
def test_one_of_many_answers_counts(alarms):
    robot = Robot("word")
    controller, box = controller_of(robot, alarms)
    controller.begin()
    alarm = alarms.made[-1].call
    touches = [touched(controller, sensor) for sensor in (FRONT, MIDDLE, REAR)]
    at_once(heard(controller), heard(controller, "yes"), alarm, *touches)
    until(lambda: box.fired or robot.subscribed)
    controller.close()
    until(robot.is_calm)
    assert len(box.fired) <= 1 and box.logger.lines == []
    assert robot.eyes != 0x0000FF


@many_times
def test_an_answer_while_the_ears_open_counts_once(alarms):
    robot = Robot("word")
    controller, box = controller_of(robot, alarms)
    until_open = threading.Event()
    subscribes = robot.subscribeToEvent

    def subscribe(key, module, method):
        subscribes(key, module, method)
        if key == FRONT:
            until_open.set()

    robot.subscribeToEvent = subscribe
    at_once(controller.begin, lambda: (until_open.wait(PATIENCE), controller.on_touched(as_native(REAR), 1.0)))
    until(lambda: box.fired)
    until(robot.is_calm)
    assert box.fired == ["no"] and box.logger.lines == []
    controller.close()
    assert robot.is_calm()


@many_times
def test_a_stop_at_the_same_time_as_everything_else(alarms):
    robot = Robot("word", seconds=PATIENCE)
    controller, box = controller_of(robot, alarms)
    at_once(controller.begin, heard(controller), touched(controller, MIDDLE), controller.close, controller.close)
    until(robot.is_calm)
    fired, said = list(box.fired), list(robot.said)
    at_once(heard(controller), touched(controller, FRONT))
    assert robot.is_calm() and (box.fired, robot.said) == (fired, said)
    assert robot.eyes in (None, 0xFFFFFF)


def test_a_stop_in_mid_speech_is_silent_at_once(alarms):
    robot = Robot("word", seconds=PATIENCE)
    controller, box = controller_of(robot, alarms)
    controller.begin()
    controller.on_touched(as_native(MIDDLE), 1.0)
    until(robot.speaking.is_set)
    before = time.time()
    controller.close()
    until(lambda: not robot.speaking.is_set())
    assert time.time() - before < PATIENCE / 2 and robot.is_calm() and box.fired == []


def test_a_callback_never_waits_for_speech(alarms):
    """A whole palm on the head: its further touches arrive while NAO speaks, not after the next question."""
    robot = Robot("word", seconds=PATIENCE)
    controller, box = controller_of(robot, alarms)
    controller.begin()
    for key in (MIDDLE, FRONT, REAR):
        robot.values[key] = 1.0
        controller.on_touched(as_native(key), 1.0)
        until(robot.speaking.is_set)
    # Only another touch stops the question to which this palm has led.
    assert robot.cuts == 0
    for key in (REAR, FRONT, MIDDLE):
        controller.on_touched(as_native(key), 0.0)
    controller.on_touched(as_native(REAR), 1.0)
    until(lambda: not robot.speaking.is_set())
    assert robot.cuts == 1
    assert json.loads(robot.values["Jotto/Game"])["state"] == "stopping" and box.fired == []
    controller.close()


def test_an_alarm_that_rang_too_late_to_be_put_off(alarms):
    robot = Robot("exact")
    controller, box = controller_of(robot, alarms)
    controller.begin()
    for taps in (1, 2):
        controller.on_touched(as_native(FRONT), 1.0)
        for alarm in alarms.made[:-1]:
            alarm.call()
        assert box.fired == [] and len(alarms.made) == taps + 1
    controller.on_touched(as_native(REAR), 1.0)
    until(lambda: box.fired)
    assert box.fired == ["score"] and json.loads(robot.values["Jotto/Game"])["exact"] == 2
    for alarm in alarms.made[:3]:
        alarm.call()
    controller.close()
    assert box.fired == ["score"] and robot.is_calm()


def test_taps_from_many_threads_all_count():
    rang = []
    counted = box_controller.AnswerWindow(threading.Timer, lambda: rang.append(1))
    question = counted.open()
    counted.start_timer(question, PATIENCE, lambda: None)
    at_once(*[lambda: counted.tap(PATIENCE)] * 20)
    assert counted.taps == 20
    assert counted.take() and not counted.take() and rang == []


def test_time_is_up_once():
    rang = []
    short = box_controller.AnswerWindow(threading.Timer, lambda: rang.append(1))
    short.start_timer(short.open(), 0.01, lambda: None)
    until(lambda: rang)
    assert not short.take() and rang == [1]
    shown = []
    short.start_timer(short.open() - 1, 0.0, lambda: shown.append(1))
    assert short.take() and shown == []
    short.close()
    short.close()
    short.open()
    assert not short.take()


class UploadedBox(object):
    """A box of a behaviour in a folder; an old robot knows the folder only by its frame manager."""

    behaviorId = "id"

    def __init__(self, folder, is_old=False):
        self.folder, self.is_old = as_native("%s" % folder.join("behavior_1")), is_old

    def behaviorAbsolutePath(self):
        if self.is_old:
            raise RuntimeError("no such method")
        return self.folder

    def getBehaviorPath(self, _behaviour):
        return self.folder


@pytest.fixture
def preamble():
    """Return the functions of the preamble, with the interpreter as it was afterwards."""
    kept = {name: module for name, module in sys.modules.items() if name.split(".")[0] in ("jotto", "jotto_behaviour")}
    path, quiet = list(sys.path), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    found = {"ALProxy": lambda _name: UploadedBox.proxy}
    with io.open(os.path.join(ROOT, "robot_boxes", "preamble.py"), encoding="utf-8") as source:
        exec(compile(source.read(), str("preamble.py"), str("exec")), found)
    yield found
    sys.path[:], sys.dont_write_bytecode = path, quiet
    for name in [name for name in sys.modules if name.split(".")[0] in ("jotto", "jotto_behaviour")]:
        del sys.modules[name]
    sys.modules.update(kept)


def upload(folder, version):
    """Put a game of a version into a project, in place of what is there."""
    folder.join("behavior_1").ensure(dir=True)
    folder.join("manifest.xml").ensure()
    for package in ("jotto", "jotto_behaviour"):
        lib = folder.join("lib", package).ensure(dir=True)
        write(lib, "__init__.py", [])
    write(folder.join("lib", "jotto_behaviour"), "box_controller.py", ["VERSION = '%s'" % version])
    return folder


def played(preamble, box):
    """Return the version that a box plays, and the folder it found."""
    root = preamble["jotto_root"](box)
    from jotto_behaviour import box_controller

    return box_controller.VERSION, root


def test_another_upload_to_the_same_place(preamble, tmpdir):
    box = UploadedBox(upload(tmpdir, "1"))
    assert played(preamble, box) == ("1", as_native("%s" % tmpdir))
    first = sys.modules["jotto_behaviour.box_controller"]
    assert played(preamble, box)[0] == "1" and sys.modules["jotto_behaviour.box_controller"] is first
    upload(tmpdir, "version 2")
    assert played(preamble, box)[0] == "version 2"


def test_two_projects_take_turns(preamble, tmpdir):
    one, two = [UploadedBox(upload(tmpdir.mkdir(name), name)) for name in ("one", "two")]
    for _ in range(2):
        assert (played(preamble, one)[0], played(preamble, two)[0]) == ("one", "two")
    before = len(sys.path)
    for box in (one, two, two):
        preamble["jotto_leave"](os.path.dirname(box.folder))
    assert len(sys.path) == before - 2


def test_an_old_robot(preamble, tmpdir):
    UploadedBox.proxy = box = UploadedBox(upload(tmpdir, "1"), is_old=True)
    assert played(preamble, box)[0] == "1"


def test_a_project_that_was_not_staged(preamble, tmpdir):
    tmpdir.join("behavior_1").ensure(dir=True)
    tmpdir.join("manifest.xml").ensure()
    for name in [name for name in sys.modules if name.split(".")[0] in ("jotto", "jotto_behaviour")]:
        del sys.modules[name]
    sys.path[:] = [place for place in sys.path if not os.path.isdir(os.path.join(place or ".", "jotto_behaviour"))]
    sys.meta_path[:], finders = [each for each in sys.meta_path if "editable" not in repr(each)], list(sys.meta_path)
    try:
        with pytest.raises(ImportError, match="jotto robot stage"):
            preamble["jotto_root"](UploadedBox(tmpdir))
    finally:
        sys.meta_path[:] = finders
