"""Lights, joints, postures, touch, sounds, animations, and the services around a behaviour."""

from __future__ import absolute_import, division, print_function

import pytest

from naosim.proxies import PostedTask
from naosim.services.audio import make_silence


def noted(robot, kind, *names):
    return [tuple(event.fields.get(name) for name in names) for event in robot.trace.of(kind)]


def test_lights_take_their_time(robot):
    leds, total = robot.service("ALLeds"), 0.0
    for method, arguments, kind, colour, seconds in [
        ("fadeRGB", ("FaceLeds", "blue", 0.5), "eyes", "#0000ff", 0.5),
        ("fadeRGB", ("FaceLeds", 0x00FF80, 0.5), "eyes", "#00ff80", 0.5),
        ("fadeRGB", ("FaceLeds", 1.0, 0, 0.5, 0.2), "eyes", "#ff007f", 0.2),
        ("fadeRGB", ("ChestLeds", "red", 1), "leds", "#ff0000", 1),
        ("rotateEyes", (0xFF0000, 1.0, 2.0), "eyes", "#ff0000", 2.0),
        ("on", ("EarLeds",), "leds", "#ffffff", 0),
        ("off", ("AllLeds",), "eyes", "#000000", 0),
        ("fade", ("LeftFaceLeds", 0.5, 0.3), "eyes", "#7f7f7f", 0.3),
        ("rasta", (1.5,), "eyes", "#00ff00", 1.5),
        ("reset", ("FaceLeds",), "eyes", "#ffffff", 0),
    ]:
        leds.call(method, arguments)
        assert noted(robot, kind, "method", "colour")[-1] == (method, colour)
        total += seconds
        assert robot.clock.now() == pytest.approx(total), method


def test_wrong_lights_and_movements_are_refused(robot):
    for service, method, arguments in [
        ("ALLeds", "fadeRGB", ("Nose", "blue", 0.5)),
        ("ALLeds", "fadeRGB", ("FaceLeds", "pink", 0.5)),
        ("ALLeds", "fadeRGB", ("FaceLeds", "blue", -1)),
        ("ALLeds", "fadeRGB", ("FaceLeds", 2.0, 0, 0, 1)),
        ("ALLeds", "fade", ("FaceLeds", 2, 1)),
        ("ALLeds", "on", ("Nose",)),
        ("ALLeds", "fadeListRGB", ("FaceLeds", [1, 2], [1])),
        ("ALLeds", "createGroup", ("FaceLeds", ["EarLeds"])),
        ("ALMotion", "angleInterpolation", ("Tail", 0.5, 1.5, True)),
        ("ALMotion", "angleInterpolation", ("HeadYaw", [0.1, 0.2], [2, 1], True)),
        ("ALMotion", "angleInterpolation", ("HeadYaw", [0.1, 0.2], [1, 2, 3], True)),
        ("ALMotion", "angleInterpolation", ("HeadYaw", [], [], True)),
        ("ALMotion", "setAngles", (["HeadYaw", "HeadPitch"], [0.1, 0.2, 0.3], 0.5)),
        ("ALMotion", "setAngles", ("HeadYaw", 0.1, 2)),
        ("ALMotion", "setStiffnesses", ("Body", 1.5)),
        ("ALMotion", "openHand", ("LArm",)),
        ("ALMotion", "moveTo", ("far", 0, 0)),
        ("ALMotion", "getBodyNames", ("Tail",)),
        ("ALMotion", "setBreathEnabled", ("Tail", True)),
    ]:
        with pytest.raises(RuntimeError, match="%s::" % service):
            robot.service(service).call(method, arguments)


def test_a_program_s_group_counts_as_eyes_if_an_eye_is_in_it(robot):
    lights = robot.service("ALLeds")
    lights.createGroup("mine", ["ChestLeds", "LeftFaceLed1"])
    lights.on("mine")
    assert lights.listGroup("mine") == ["ChestLeds", "LeftFaceLed1"]
    assert noted(robot, "eyes", "group") == [("mine",)]


def test_joints_move_for_their_time(robot):
    motion = robot.service("ALMotion")
    bezier = (["HeadYaw"], [[1.0, 2.0]], [[[0.3, [3, -0.1, 0], [3, 0.1, 0]], [0.6, [3, 0, 0]]]])
    for method, arguments, seconds, angle in [
        ("angleInterpolation", ("HeadYaw", 0.5, 1.5, True), 1.5, 0.5),
        ("angleInterpolation", ("HeadYaw", [0.1, 0.7], [1, 2.5], True), 2.5, 0.7),
        ("angleInterpolation", ("Head", [-0.3, 0.1], [1, 2], False), 2, 0.4),
        ("angleInterpolation", (["HeadYaw", "LHand"], [[0.1, 0.2], [1.0]], [[1, 3], [2]], True), 3, 0.2),
        ("angleInterpolation", ("HeadYaw", 9.0, 1.0, True), 1.0, 2.0857),
        ("angleInterpolationBezier", bezier, 2, 0.6),
        ("angleInterpolationWithSpeed", ("HeadYaw", 1.0, 0.5), 0.4 / 4.133985, 1.0),
    ]:
        begun = robot.clock.now()
        motion.call(method, arguments)
        assert robot.clock.now() - begun == pytest.approx(seconds, abs=1e-3), method
        assert motion.getAngles("HeadYaw", True) == [pytest.approx(angle)], method


def test_a_robot_that_sits_or_rests_does_not_walk(robot):
    body, posture = robot.service("ALMotion"), robot.service("ALRobotPosture")
    assert body.moveTo(0.2, 0, 0) is True
    assert robot.clock.now() == pytest.approx(2.0)
    assert posture.goToPosture("Sit", 0.5) is True
    assert (posture.getPosture(), posture.getPostureFamily()) == ("Sit", "Sitting")
    with pytest.raises(RuntimeError, match="posture Sit"):
        body.moveTo(0.2, 0, 0)
    body.rest()
    assert not body.robotIsWakeUp()
    with pytest.raises(RuntimeError, match="resting"):
        body.move(0.1, 0, 0)
    with pytest.raises(RuntimeError, match="does not exist"):
        posture.goToPosture("Handstand", 0.5)


def test_a_posture_that_is_stopped_is_not_reached(robot):
    posture = robot.service("ALRobotPosture")
    robot.clock.later(0.5, posture.stopMove)
    assert posture.goToPosture("Sit", 1.0) is False
    assert posture.getPosture() == "Stand"


def test_posted_calls_are_stopped_by_their_number(robot):
    for service, method, arguments, kind in [
        ("ALLeds", "rotateEyes", (0xFF, 1.0, 30.0), "eyes"),
        ("ALMotion", "angleInterpolation", ("HeadYaw", 1.0, 30.0, True), "motion"),
        ("ALAnimationPlayer", "run", ("animations/Stand/Gestures/Hey_1",), "animate"),
        ("ALAnimatedSpeech", "say", ("A long, long story. " * 20,), "say"),
    ]:
        begun, before = robot.clock.now(), len(robot.trace.of(kind))
        task = PostedTask(robot.world, robot.service(service), method, arguments)
        robot.clock.later(0.25, task.stop)
        robot.clock.run(lambda task=task: task.done.is_set)
        assert robot.clock.now() - begun == pytest.approx(0.25), service
        assert len(robot.trace.of(kind)) == before + 1, service
        assert robot.service(service).leftovers() == []


def test_touch_raises_press_and_release(robot):
    touch, rows = robot.service("ALTouch"), []
    robot.memory.link("FrontTactilTouched", rows.append)
    robot.memory.link("TouchChanged", rows.append)
    assert touch.events_heard() == ["FrontTactilTouched", "TouchChanged"]
    touch.press("FrontTactilTouched")
    assert touch.getStatus()[0] == ["Head/Touch/Front", True, []]
    assert touch.leftovers() == ["FrontTactilTouched is still held down."]
    touch.release("FrontTactilTouched")
    robot.clock.run()
    assert rows == [1.0, [["Head/Touch/Front", True]], 0.0, [["Head/Touch/Front", False]]]
    with pytest.raises(ValueError, match="no touch event 'Nose'"):
        touch.press("Nose")


def test_a_sound_plays_for_its_duration(robot, tmpdir):
    player, path = robot.service("ALAudioPlayer"), str(tmpdir.join("sound.wav"))
    tmpdir.join("sound.wav").write_binary(make_silence(1.5, 8000, 1))
    player.playFile(path)
    assert robot.clock.now() == pytest.approx(1.5)
    number = player.loadFile(path)
    assert player.getFileLength(number) == pytest.approx(1.5)
    assert len(player.leftovers()) == 1
    player.unloadFile(number)
    task = PostedTask(robot.world, player, "playFileInLoop", (path,))
    robot.clock.run(seconds=60)
    assert player.leftovers() == ["1 sound(s) are still playing."]
    player.stopAll()
    robot.clock.run()
    assert task.done.is_set
    assert player.leftovers() == []


def test_a_sound_that_is_missing_is_an_error(robot, tmpdir):
    player = robot.service("ALAudioPlayer")
    other = tmpdir.join("sound.txt")
    other.write("no sound")
    for path in (str(tmpdir.join("none.wav")), str(tmpdir), str(other)):
        with pytest.raises(RuntimeError, match="Unable to open file"):
            player.playFile(path)
    with pytest.raises(RuntimeError, match="is installed"):
        player.playSoundSetFile("nothing")


def test_behaviours_start_and_stop_with_signals(robot):
    behaviours, news = robot.service("ALBehaviorManager"), []
    for signal in behaviours.signals:
        robot.memory.link("ALBehaviorManager/" + signal, lambda name, signal=signal: news.append((signal, name)))
    wave = "animations/Stand/Gestures/Hey_1"
    assert behaviours.isBehaviorInstalled(wave)
    behaviours.startBehavior(wave)
    assert behaviours.getRunningBehaviors() == [wave]
    with pytest.raises(RuntimeError, match="already running"):
        behaviours.startBehavior(wave)
    robot.clock.run(seconds=1)
    behaviours.stopBehavior(wave)
    robot.clock.run()
    assert robot.clock.now() == 1
    assert news == [("behaviorStarted", wave), ("behaviorStopped", wave)]
    for method in ("stopBehavior", "runBehavior"):
        with pytest.raises(RuntimeError, match="ALBehaviorManager::%s" % method):
            behaviours.call(method, ["nothing"])


def test_a_change_of_posture_raises_events(robot):
    raised, memory, posture = [], robot.memory, robot.service("ALRobotPosture")
    events = ("PostureChanged", "PostureFamilyChanged", "robotPoseChanged")
    assert memory.getListData(list(events)) == ["Stand", "Standing", "Stand"]
    for event in events:
        memory.subscriber(event).signal.connect(raised.append)
    for name in ("StandInit", "Sit", "Sit"):
        posture.call("goToPosture", [name, 1.0])
    robot.clock.run()
    assert raised == ["StandInit", "Sit", "Sitting", "Sit"]
    robot.service("ALMotion").call("rest", [])
    posture.call("goToPosture", ["LyingBack", 1.0])
    assert memory.getListData(list(events)) == ["LyingBack", "LyingBack", "Back"]
