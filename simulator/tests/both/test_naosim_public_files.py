"""What published behaviours and scripts take for granted on a robot: each test is a short file of that kind."""

from __future__ import absolute_import, division, print_function

import os

import naosim_xar_writer as w
import pytest
from robot_fixtures import list_fields

from naosim.__main__ import main
from naosim.compiler import CGI_NAMES
from naosim.remote import pack_value
from naosim.services.audio import make_silence


def run(robot, script, seconds=60, **options):
    behaviour = robot.load(w.one_box(script, **options))
    robot.start(behaviour)
    robot.advance(seconds)
    assert behaviour.failures == []
    return behaviour


def test_a_value_of_another_type_on_an_output_is_a_warning(robot):
    colour = w.on_start("self.colour([255, 0, 128])\nself.onStopped()")
    outputs = [w.port("onStopped", nature="stopped"), w.port("colour", "string", "punctual")]
    assert run(robot, colour, outputs=outputs).ended
    assert list_fields(robot, "warning", "message") == [
        "the output is declared string and was fired with list [255, 0, 128]"
    ]


def test_the_robot_s_voices_and_sounds_are_there(robot):
    robot.service("ALTextToSpeech").setVoice("Kenny22Enhanced")
    assert list_fields(robot, "warning", "message") == [
        "The voice Kenny22Enhanced is not installed: a robot then keeps its voice, without an error. Installed: naoenu."
    ]
    player = robot.service("ALAudioPlayer")
    player.playFile("/usr/share/naoqi/wav/random.wav")
    assert robot.trace.of("sound")[0].fields["path"] == "random.wav"


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


def test_a_language_that_the_robot_does_not_speak_is_explained(tmpdir, capsys):
    path = w.save(tmpdir, w.one_box(w.on_start("ALProxy('ALTextToSpeech').setLanguage('German')\nself.onStopped()")))
    assert main([path]) == 1
    assert "this robot does not speak German: see --language German" in capsys.readouterr()[1]


def test_a_camera_gives_what_it_has_with_a_warning(robot):
    video = robot.service("ALVideoDevice")
    handle = video.subscribeCamera("viewer", 0, 1, 11, 60)
    assert video.getFrameRate(handle) == 30
    assert video.setFrameRate(handle, 15) and video.getFrameRate(handle) == 15
    assert robot.service("ALFaceDetection").setFrameRate(60)
    assert list_fields(robot, "warning", "message") == 2 * ["The cameras have 30 images a second, not 60."]
    assert [video.setParameter(0, 43, 80), video.setParameter(0, 0, 999), video.setParameter(0, 40, 0)] == [
        False, False, True
    ]  # fmt: skip
    first, second = list_fields(robot, "warning", "message")[2:4]
    assert first.startswith("The cameras have no parameter 43") and "[-255, 255]" in second
    with pytest.raises(RuntimeError, match="conversion failure"):
        video.setParameter(0, "Brightness", 80)


def test_cgi_reads_headers_and_posted_forms():
    assert CGI_NAMES["parse_header"]('form-data; name="a b"; x=1') == ("form-data", {"name": "a b", "x": "1"})
    assert CGI_NAMES["escape"]("<a> & b") == "&lt;a&gt; &amp; b"


HAS_REAL_HOME = pytest.mark.skipif(os.path.isdir("/home/nao/"), reason="this computer has a user nao")


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
        self.logger.info(str([os.path.isfile("/home/nao/" + name) for name in sorted(os.listdir("/home/nao/"))]))
        os.remove("/home/nao/notes.txt")
        self.logger.info(str(os.path.exists("/home/nao/notes.txt")))
        self.onStopped()
    """)
    assert run(robot, script).ended
    assert list_fields(robot) == ["/home/nao/recordings/microphones 1.0", "one two", "[True, False]", "False"]
    assert not os.path.exists("/home/nao/")


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
    assert (behaviour.failures, list_fields(robot)) == ([], ["apple pear", "apple"])


@pytest.mark.only_python_3
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
    assert run(robot, script).ended and list_fields(robot) == ["2.0", "9.5"]
    assert robot.now() == pytest.approx(3.5, abs=0.2)


@HAS_REAL_HOME
def test_a_film_is_recorded(robot):
    script = w.on_start("""
        films = ALProxy("ALVideoRecorder")
        films.setFrameRate(10)
        films.startRecording("/home/nao/recordings/cameras", "film")
        time.sleep(2)
        self.logger.info(str(films.stopRecording()))
        self.onStopped()
    """)
    assert run(robot, script).ended and list_fields(robot) == ["[20, '/home/nao/recordings/cameras/film.avi']"]
    assert os.path.isfile(robot.world.file_path("/home/nao/recordings/cameras/film.avi"))
    with pytest.raises(RuntimeError, match="exists already"):
        robot.service("ALVideoRecorder").call("startRecording", ["/home/nao/recordings/cameras", "film.avi", False])


def test_a_condition_on_values_of_the_memory_is_watched(robot):
    script = w.script("""
    def onInput_onStart(self):
        watcher, memory = self.session().service("ALExpressionWatcher"), ALProxy("ALMemory")
        self.condition = watcher.add("'LeftBumperPressed' == 1 && !('Game/No' > 3) && ('Game/Held' == 1) ~ 5", 2)
        self.condition.signal.connect(self.holds)
        memory.raiseEvent("Game/Held", 1)
        memory.raiseEvent("LeftBumperPressed", 1.0)
    def holds(self, value):
        self.logger.info(str(value))
        self.onStopped()
""")
    behaviour = run(robot, script)
    robot.wait(10)
    assert behaviour.ended and list_fields(robot) == ["True"] and robot.now() == 5
    for wrong in ("open('x')", "'a'.b", "[each for each in 'a']", "'a' + 1", "'a' =="):
        with pytest.raises(RuntimeError, match="cannot be read"):
            robot.service("ALExpressionWatcher").add(wrong, 1)


def test_conditions_hold_for_a_time_and_are_keys_of_the_memory(robot):
    watcher, memory, told = robot.service("ALExpressionWatcher"), robot.service("ALMemory"), []
    released = watcher.call("add", ["!'Held' && ('Held' ~ 5 @ 0.1)", 1])
    released.signal.connect(lambda value: told.append(("released", round(robot.now(), 2), value)))
    both = watcher.call("add", ["(Held == 1 && (Level > 2)) ~ 2", 2])
    both.signal.connect(lambda value: told.append(("both", round(robot.now(), 2), value)))
    memory.raiseEvent("Level", 3)
    memory.raiseEvent("Held", 1)
    robot.world.clock.run(up_to=7)
    memory.raiseEvent("Held", 0)
    robot.world.clock.run(up_to=10)
    assert told == [("both", 2.0, True), ("released", 7.0, True), ("released", 7.1, False)]
    condition = robot.service("ALExpressionWatcher").call("add", ["Held == 1", 1])
    told = []
    robot.memory.link(pack_value(condition), told.append)
    robot.memory.raiseEvent("Held", 1)
    robot.wait(1)
    assert (told, robot.get("ALExpressionWatcher/3"), condition.value()) == ([True], True, True)


def test_people_who_come_and_go_are_signals_of_alpeopleperception(robot):
    script = w.script("""
    def onInput_onStart(self):
        self.people = self.session().service("ALPeoplePerception")
        self.people.justArrived.connect(self.come)
        self.people.justLeft.connect(self.go)
        self.people.subscribe("Test")
    def come(self, person):
        self.logger.info("come %d" % person)
    def go(self, person):
        self.logger.info("go %d" % person)
""")
    behaviour = robot.load(w.one_box(script))
    robot.start(behaviour)
    for key, value in (("PeopleList", [1, 2]), ("JustArrived", 7), ("PeopleList", [2]), ("JustLeft", 2)):
        robot.advance(3)
        robot.event("PeoplePerception/" + key, value)
    robot.advance(3)
    assert (behaviour.failures, list_fields(robot)) == ([], ["come 1", "come 2", "come 7", "go 1", "go 2"])


def test_resources_are_lent_to_one_module_at_a_time(robot):
    resources = robot.service("ALResourceManager")
    resources.acquireResource("Arms", "First", "lost", 1)
    assert not resources.isResourceFree("LArm") and resources.areResourcesOwnedBy(["LArm", "RArm"], "First")
    with pytest.raises(RuntimeError, match="is not free"):
        resources.waitForResource("AllMotors", "Second", "lost", 1)
    robot.clock.call_later(1, resources.releaseResource, "Arms", "First")
    resources.waitForResourcesTree(["Head", "LArm"], "Second", "lost", 3000)
    assert resources.ownersGet() == [["Head", "Second"], ["LArm", "Second"]] and resources.isInGroup("Arms", "LArm")
    assert resources.waitForOptionalResourcesTree(["Legs"], "Third", "lost", 10, ["LArm", "RArm"]) == ["Legs", "RArm"]


def test_values_have_times_histories_and_descriptions(robot):
    memory = robot.memory
    robot.wait(2)
    memory.raiseEvent("Game/Score", 3)
    robot.wait(1)
    assert memory.getTimestamp("Game/Score") == [3, 2, 0] and memory.getEventHistory("Game/Score") == [[3, 2, 0]]
    # An event that never was has no time, and a device has been read now.
    assert memory.getTimestamp("FrontTactilTouched") == [0.0, 0, 0]
    assert memory.getTimestamp("Device/SubDeviceList/Head/Touch/Front/Sensor/Value") == [0.0, 3, 0]
    robot.clock.call_later(1, memory.insertData, "Game/Score", 4)
    assert memory.getDataOnChange("Game/Score", 0) == 4
    memory.setDescription("Game/Score", "points")
    assert memory.getDescriptionList([]) == [["Game/Score", "Event", "points"]]
    memory.removeEvent("Game/Score")
    assert "Game/Score" not in memory.getDataListName() and "FaceDetected" in memory.getExtractorEvent(
        "ALFaceDetection"
    )


def test_a_module_is_found_above_the_behaviour_by_its_path_on_the_robot(robot, tmpdir):
    script = w.on_start("""
        import os, sys
        frames = ALProxy("ALFrameManager")
        folder = os.path.join(frames.getBehaviorPath(self.behaviorId), "..")
        sys.path.insert(0, folder)
        import old_moves
        sys.path.remove(folder)
        self.logger.info(old_moves.move())
        self.onStopped()
    """)
    project = tmpdir.join("moves")
    project.join("behavior_1", "behavior.xar").write(w.one_box(script), mode="wb", ensure=True)
    project.join("manifest.xml").write(
        '<package uuid="moves" version="0.0.1"><contents><behaviorContent path="behavior_1"/></contents></package>'
    )
    project.join("old_moves.py").write("def move():\n    print 'moving'\n    return 'left'\n")
    behaviour = robot.load(str(project), rewrite=True)
    robot.start(behaviour)
    robot.advance(5)
    assert (behaviour.failures, list_fields(robot)) == ([], ["left"])
