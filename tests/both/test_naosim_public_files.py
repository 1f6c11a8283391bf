"""What published behaviours and scripts take for granted on a robot: each test is a short file of that kind."""

from __future__ import absolute_import, division, print_function

import os

import naosim_xar_writer as w
import pytest

from naosim.compiler import CGI_NAMES
from naosim.robot import Robot
from naosim.services.audio import make_silence


def run(robot, script, seconds=60, **options):
    behaviour = robot.load(w.one_box(script, **options))
    robot.start(behaviour)
    robot.advance(seconds)
    assert behaviour.failures == []
    return behaviour


def logged(robot):
    return [event.fields["text"] for event in robot.trace.of("log")]


def warned(robot):
    return [event.fields["message"] for event in robot.trace.of("warning")]


def test_a_box_subscribes_to_an_event_in_its_init(robot):
    script = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
        self.memory = ALProxy("ALMemory")
        self.memory.subscribeToEvent("FrontTactilTouched", self.getName(), "onTouched")
        self.memory.subscribeToEvent("FrontTactilTouched", self.getName(), "onTouchedAgain")
    def onTouched(self, *values):
        self.logger.info("first")
    def onTouchedAgain(self, name, value, message):
        self.memory.unsubscribeToEvent("FrontTactilTouched", self.getName())
        self.logger.info("%s %s" % (name, value))
        self.onStopped()
    def onInput_onStart(self):
        self.memory.raiseEvent("FrontTactilTouched", 1.0)
"""
    assert run(robot, script).ended
    assert logged(robot) == ["FrontTactilTouched 1.0"]


def test_a_value_of_another_type_on_an_output_is_a_warning(robot):
    colour = w.on_start("self.colour([255, 0, 128])\nself.onStopped()")
    outputs = [w.port("onStopped", nature="stopped"), w.port("colour", "string", "punctual")]
    assert run(robot, colour, outputs=outputs).ended
    assert warned(robot) == ["the output is declared string and was fired with list [255, 0, 128]"]


@pytest.mark.parametrize("call", ["moveToward(0, 0, 0)", "move(0.0, 0.0, 0.0)", "setWalkTargetVelocity(0, 0, 0, 1)"])
def test_a_resting_robot_stops_walking_without_an_error(robot, call):
    script = w.script(
        """
    def onUnload(self):
        ALProxy("ALMotion").%s
    def onInput_onStart(self):
        ALProxy("ALMotion").rest()
        self.onStopped()
"""
        % call
    )
    assert run(robot, script).ended


def test_the_module_naoqi_has_the_modules_that_the_sdk_s_own_imports(robot):
    script = w.on_start("""
        from naoqi import allog, inspect, logging, motion, os, qi, sys, weakref
        self.logger.info(str(motion.FRAME_ROBOT) + qi.Session.__name__ + os.sep)
        self.onStopped()
    """)
    assert run(robot, script).ended and logged(robot) == ["2Session/"]


class Scalar(float):
    """A number as numpy has it: neither its type nor, for whole numbers, a parent of its type is Python's."""

    shape = ()

    def item(self):
        return float(self)


Scalar.__module__ = "numpy"


def test_numbers_of_numpy_count_as_numbers(robot):
    motion, memory = robot.service("ALMotion"), robot.memory
    motion.setAngles("HeadYaw", Scalar(0.1), Scalar(0.1))
    motion.angleInterpolation(["HeadPitch"], [[Scalar(0.2)]], [[Scalar(1)]], True)
    assert motion.getAngles("HeadPitch", True) == pytest.approx([0.2], abs=0.01)
    motion.setStiffnesses("Body", Scalar(1))
    memory.insertData("Game/Numbers", [Scalar(3)])
    assert [type(each) for each in memory.getData("Game/Numbers")] == [float]
    with pytest.raises(RuntimeError, match="conversion failure"):
        motion.setAngles("HeadYaw", "0.1", 0.1)


def test_cgi_reads_headers_and_posted_forms():
    assert CGI_NAMES["parse_header"]('form-data; name="a b"; x=1') == ("form-data", {"name": "a b", "x": "1"})
    assert CGI_NAMES["escape"]("<a> & b") == "&lt;a&gt; &amp; b"


@pytest.mark.filterwarnings("ignore:'cgi' is deprecated")
def test_a_behaviour_finds_cgi():
    with Robot() as robot:
        assert run(
            robot, w.on_start("import cgi\nself.logger.info(cgi.parse_header('a; b=c')[0])\nself.onStopped()")
        ).ended
        assert logged(robot) == ["a"]


HAS_REAL_HOME = pytest.mark.skipif(os.path.isdir("/home/nao"), reason="this computer has a user nao")


@HAS_REAL_HOME
def test_record_sound_and_other_files_use_the_robot_s_home_folder(robot):
    script = w.on_start("""
        import io, os
        folder = os.path.expanduser("~") + "/recordings/microphones"
        if not os.path.exists(folder):
            os.makedirs(folder)
        recorder = ALProxy("ALAudioRecorder")
        recorder.startMicrophonesRecording(folder + "/test.wav", "wav", 16000, [0, 0, 1, 0])
        time.sleep(1)
        recorder.stopMicrophonesRecording()
        player = ALProxy("ALAudioPlayer")
        self.logger.info("%s %.1f" % (folder, player.getFileLength(player.loadFile(folder + "/test.wav"))))
        player.unloadAllFiles()
        with open("/home/nao/notes.txt", "w") as notes:
            notes.write("one two")
        with io.open("/data/home/nao/notes.txt") as notes:
            self.logger.info(str(notes.read()))
        self.logger.info(str([os.path.isfile("/home/nao/" + name) for name in sorted(os.listdir("/home/nao"))]))
        os.remove("/home/nao/notes.txt")
        self.logger.info(str(os.path.exists("/home/nao/notes.txt")))
        self.onStopped()
    """)
    assert run(robot, script).ended
    assert logged(robot) == ["/home/nao/recordings/microphones 1.0", "one two", "[True, False]", "False"]
    assert not os.path.exists("/home/nao")


@HAS_REAL_HOME
@pytest.mark.parametrize("package", ["quiz-1", ".lastUploadedChoregrapheBehavior"])
def test_the_files_of_a_project_are_those_of_an_installed_package(robot, tmpdir, package):
    script = w.on_start(
        """
        import sys
        home = "/home/nao/.local/share/PackageManager/apps/%s/"
        with open(home + "words.txt") as words:
            self.logger.info(words.read())
        sys.path.append(home + "lib")
        import quiz_words
        sys.path.remove(home + "lib")
        self.logger.info(quiz_words.FIRST)
        self.onStopped()
    """
        % package
    )
    project = tmpdir.join("quiz")
    project.join("behavior_1", "behavior.xar").write(w.one_box(script), mode="wb", ensure=True)
    project.join("manifest.xml").write(
        '<package uuid="quiz-1" version="0.0.1"><contents><behaviorContent path="behavior_1"/></contents></package>'
    )
    project.join("words.txt").write("apple pear")
    project.join("lib", "quiz_words.py").write("FIRST = 'apple'\n", ensure=True)
    behaviour = robot.load(str(project))
    robot.start(behaviour)
    robot.advance(5)
    assert (behaviour.failures, logged(robot)) == ([], ["apple pear", "apple"])


def test_the_cameras_of_a_nao6(robot):
    cameras = robot.service("ALVideoDevice")
    for resolution, size in ((5, [1280, 720]), (6, [1920, 1080]), (4, [2560, 1920])):
        handle = cameras.subscribeCamera("Game", 0, resolution, 0, 10)
        if resolution == 5:
            assert cameras.getImageRemote(handle)[:2] == size
        assert cameras.getResolution(handle) == resolution and cameras.unsubscribe(handle)
    assert cameras.setParameter(0, 40, 0) and cameras.getParameter(0, 40) == 0
    assert cameras.setParameter(1, 14, 2) and cameras.call("getResolution", [1]) == 2


def test_a_sound_s_position_is_read_and_changed(robot, tmpdir):
    tmpdir.join("ten.wav").write(make_silence(10.0, 8000, 1), mode="wb")
    script = w.on_start(
        """
        player = ALProxy("ALAudioPlayer")
        task = player.post.playFile(%r)
        time.sleep(2)
        self.logger.info("%%.1f" %% player.getCurrentPosition(task))
        player.goTo(task, 8.5)
        time.sleep(1)
        self.logger.info("%%.1f" %% player.getCurrentPosition(task))
        player.wait(task, 0)
        self.onStopped()
    """
        % str(tmpdir.join("ten.wav"))
    )
    assert run(robot, script).ended and logged(robot) == ["2.0", "9.5"]
    assert robot.now() == pytest.approx(3.5, abs=0.2)
