"""Methods of the services that keep more than a declared setting."""

from __future__ import absolute_import, division, print_function

import pytest


def test_an_extractor_returns_the_settings_of_its_subscribers(robot):
    sonar = robot.service("ALSonar")
    assert (sonar.getCurrentPeriod(), sonar.getCurrentPrecision()) == (500, 0.0)
    sonar.subscribe("slow", 1000, 0.5)
    sonar.subscribe("quick")
    sonar.updatePeriod("slow", 100)
    sonar.updatePrecision("quick", 0.75)
    assert (sonar.getMyPeriod("slow"), sonar.getMyPrecision("slow")) == (100, 0.5)
    assert (sonar.getMyPeriod("quick"), sonar.getMyPrecision("quick")) == (500, 0.75)
    assert (sonar.getCurrentPeriod(), sonar.getCurrentPrecision()) == (100, 0.75)
    assert (
        sonar.getEventList()
        == sonar.getOutputNames()
        == ["SonarLeftDetected", "SonarLeftNothingDetected", "SonarRightDetected", "SonarRightNothingDetected"]
    )
    assert sonar.getMemoryKeyList() == []
    with pytest.raises(RuntimeError, match="Module nobody is not subscribed"):
        sonar.getMyPeriod("nobody")


def test_an_extractor_on_images_is_paused_and_counts_its_subscribers(robot):
    faces = robot.service("ALFaceDetection")
    faces.subscribe("Game")
    assert (faces.isProcessing(), faces.isPaused()) == (True, False)
    faces.pause(True)
    assert (faces.isProcessing(), faces.isPaused()) == (False, True)
    assert faces.setFrameRate(5) and faces.setFrameRate("Game", 10) and faces.getFrameRate() == 10
    faces.subscribe("Game", 200, 0.5)
    faces.subscribe("Other", 100, 0.0)
    assert faces.getSubscribersInfo() == [["Game", 200, 0.5], ["Other", 100, 0.0]]
    faces.unsubscribe("Game")
    assert faces.leftovers() == ["Module 'Other' is still subscribed to ALFaceDetection."]
    with pytest.raises(RuntimeError, match="not subscribed"):
        faces.unsubscribe("Game")
    faces.unsubscribe("Other")
    link = robot.memory.link("FaceDetected", lambda value: None)
    assert not faces.is_running
    robot.memory.unlink("FaceDetected", link)


def test_old_names_of_a_switch_set_the_same_switch(robot):
    faces = robot.service("ALFaceDetection")
    faces.enableTracking(False)
    faces.enableRecognition(False)
    assert (faces.isRecognitionEnabled(), faces.isTrackingEnabled()) == (False, False)
    assert [faces.learnFace("Ada"), faces.forgetPerson("Ada"), faces.getLearnedFacesList()] == [False, False, []]


def test_walking_by_old_names_and_along_several_places(robot):
    motion = robot.service("ALMotion")
    assert motion.call("moveTo", [0.1, 0.0, 0.0, 5.0]) is True
    assert motion.call("moveTo", [[[0.1, 0.0, 0.0], [0.0, 0.2, 0.0]]]) is True
    assert motion.call("walkTo", [[0.1, 0.0, 0.0]]) is True
    assert motion.getRobotPosition(True) == pytest.approx([0.3, 0.2, 0.0])
    assert motion.getNextRobotPosition() == motion.getRobotPosition(False)
    motion.setWalkTargetVelocity(1.0, 0.0, 0.0, 0.5)
    motion.call("setWalkTargetVelocity", [1.0, 0.0, 0.0, 0.5, []])
    assert (motion.stopWalk(), motion.stopMove(), motion.walkIsActive()) == (True, True, False)
    for wrong in ([[[0.1, 0.0]]], [0.1], [[0.1, "far", 0.0]], [[0.1, 0.0]]):
        with pytest.raises(RuntimeError):
            motion.call("moveTo", wrong)


def test_waking_resting_and_speeds(robot):
    motion = robot.service("ALMotion")
    assert motion.wakeUp() is True
    motion.rest("LArm")
    assert motion.robotIsWakeUp() is True
    assert motion.getStiffnesses("LArm") == [0.0] * 6
    assert motion.getStiffnesses("HeadYaw") == [1.0]
    motion.setAngles(["HeadYaw", "HeadPitch"], [0.1, 0.1], [0.1, 0.2])
    robot.clock.run(seconds=1)
    assert motion.getAngles(["HeadYaw", "HeadPitch"], True) == pytest.approx([0.1, 0.1])
    with pytest.raises(RuntimeError, match="3 speeds were given"):
        motion.setAngles("HeadYaw", 0.1, [0.1, 0.2, 0.3])


def test_switches_are_read_back(robot):
    motion = robot.service("ALMotion")
    for name in ("FallManager", "PushRecovery", "DiagnosisEffect", "SmartStiffness"):
        assert getattr(motion, "get%sEnabled" % name)() is True
        getattr(motion, "set%sEnabled" % name)(False)
        assert getattr(motion, "get%sEnabled" % name)() is False
    motion.setMoveArmsEnabled(True, False)
    assert [motion.getMoveArmsEnabled(arm) for arm in ("LArm", "RArm", "Arms")] == [True, False, False]
    assert motion.getWalkArmsEnabled() == [True, False]
    motion.setBreathConfig([["Bpm", 20.0]])
    assert motion.getBreathConfig() == [["Bpm", 20.0], ["Amplitude", 1.0]]
    with pytest.raises(RuntimeError, match="Unknown setting: 'Depth'"):
        motion.setBreathConfig([["Depth", 1.0]])


def test_balance_takes_its_time_and_must_be_enabled(robot):
    motion = robot.service("ALMotion")
    with pytest.raises(RuntimeError, match="not enabled"):
        motion.wbGoToBalance("LLeg", 2.0)
    motion.wbEnable(True)
    motion.wbFootState("Fixed", "Legs")
    motion.wbEnableBalanceConstraint(True, "Legs")
    motion.wbEnableEffectorControl("LArm", True)
    motion.wbSetEffectorControl("LArm", [0.1, 0.0, 0.2])
    assert motion.wbGoToBalance("LLeg", 2.0) is True
    assert robot.clock.now() == pytest.approx(2.0)
    for method, arguments in (("wbFootState", ["Loose", "Legs"]), ("wbSetEffectorControl", ["LArm", "up"])):
        with pytest.raises(RuntimeError):
            motion.call(method, arguments)


def test_the_tracker_looks_and_points_with_both_overloads(robot):
    tracker = robot.service("ALTracker")
    for arguments in ([[1.0, 0.0, 0.0], 0.5, False], [[1.0, 0.0, 0.0], 0, 0.5, False]):
        tracker.call("lookAt", arguments)
    for arguments in (["LArm", [1.0, 0.0, 0.0], 0.5], ["LArm", [1.0, 0.0, 0.0], 0, 0.5]):
        tracker.call("pointAt", arguments)
    assert robot.clock.now() == pytest.approx(4.0)
    tracker.registerTarget("Face", 0.1)
    tracker.registerTarget("RedBall", 0.06)
    assert tracker.getRegisteredTargets() == ["Face", "RedBall"]
    tracker.track("Face")
    assert (tracker.isTargetLost(), tracker.isNewTargetDetected(), tracker.getTargetPosition(0)) == (True, False, [])
    tracker.stopTracker()
    tracker.unregisterTargets(["Face", "RedBall"])
    assert tracker.getRegisteredTargets() == []


def test_sounds_and_the_device(robot, tmpdir):
    path = str(tmpdir.join("beep.wav"))
    with open(path, "wb") as sound:
        sound.write(b"no header")
    player, device = robot.service("ALAudioPlayer"), robot.service("ALAudioDevice")
    number = player.loadFile(path)
    assert (player.getLoadedFilesIds(), player.getLoadedFilesNames()) == ([str(number)], [path])
    player.call("playFile", [path, 0.5, 0.0])
    player.call("playSoundSetFile", ["Aldebaran", "bip_gentle", 0.0, 0.5, 0.0, False])
    player.call("playSoundSetFile", ["bip_gentle", 0.0, 0.5, 0.0, False])
    assert player.isSoundSetFileInstalled("Aldebaran", "bip_gentle") and not player.isSoundSetInstalled("Other")
    with pytest.raises(RuntimeError):
        player.call("playSoundSetFile", ["bip_gentle", 0.0, 2.0, 0.0, False])
    player.setVolume(number, 0.25)
    assert player.getVolume(number) == 0.25
    device.setParameter("outputSampleRate", 16000)
    assert (device.getParameter("outputSampleRate"), device.getParameter("unknown")) == (16000, -1)
    device.closeAudioInputs()
    assert (device.isInputClosed(), device.isOutputClosed()) == (True, False)
    player.playSine(440, 50, 0, 1.0)
    for call in ((440, 50, 2, 1.0), (1, 50, 0, 1.0), (440, 200, 0, 1.0)):
        with pytest.raises(RuntimeError, match="ALAudioPlayer::playSine"):
            player.playSine(*call)
    player.loadSoundSet("Aldebaran")
    with pytest.raises(RuntimeError, match="no address of a stream"):
        player.playWebStream("radio", 1.0, 0.0)


def test_the_voice_and_the_recogniser(robot):
    recogniser = robot.service("ALSpeechRecognition")
    recogniser.setParameter("Sensitivity", True)
    assert recogniser.getParameter("Sensitivity") == 1.0
    voice = robot.service("ALTextToSpeech")
    voice.setParameter("speed", 200)
    voice.setVolume(0.1)
    voice.reset()
    assert (voice.getParameter("speed"), voice.getVolume()) == (100.0, 0.8)
    assert (voice.locale(), voice.getLanguageEncoding("French")) == ("en_US", "utf-8")
    voice.setLanguageDefaultVoice("English", "naoen")
    with pytest.raises(RuntimeError):
        voice.setLanguageDefaultVoice("English", "naofr")


def test_gestures_and_their_tags(robot):
    speech = robot.service("ALAnimatedSpeech")
    speech.setBodyLanguageEnabled(False)
    assert (speech.isBodyLanguageEnabled(), speech.getBodyLanguageModeToStr()) == (False, "disabled")
    speech.declareTagForAnimations({"cheer": ["animations/Stand/Gestures/Hey_1"]})
    robot.service("ALAnimationPlayer").runTag("cheer")
    with pytest.raises(RuntimeError):
        speech.addTagsToWords(["hello"])


def test_awareness_and_life(robot):
    awareness, life = robot.service("ALBasicAwareness"), robot.service("ALAutonomousLife")
    awareness.setEngagementMode("FullyEngaged")
    awareness.setStimulusDetectionEnabled("Touch", False)
    awareness.pauseAwareness()
    assert (awareness.getEngagementMode(), awareness.getTrackingMode()) == ("FullyEngaged", "Head")
    assert (awareness.isStimulusDetectionEnabled("Touch"), awareness.isAwarenessPaused()) == (False, True)
    life.setSafeguardEnabled("RobotMoved", False)
    assert (life.isSafeguardEnabled("RobotMoved"), life.isSafeguardEnabled("RobotFell")) == (False, True)
    assert ["ListeningMovement", False, False] in life.getAutonomousAbilitiesStatus()
    assert (life.getFocusHistory(), life.getFocusHistory(3), life.getLifeTime()) == ([], [], 0)


def test_the_robot_itself(robot):
    system, log = robot.service("ALSystem"), robot.service("ALLogger")
    assert len(system.systemInfo()) == 3
    log.setVerbosity("debug")
    assert log.verbosity() == 6
    assert robot.service("ALUserSession").doesUserExist(1) is False
    mood = robot.service("ALMood")
    mood.subscribe("game", "Active")
    assert mood.getSubscribersInfo() == {"game": "Active"}
    mood.unsubscribe("game")
    assert mood.getSubscribersInfo() == {}
    preferences = robot.service("ALPreferenceManager")
    assert preferences.getValue("game", "level") is None
    preferences.setValues({"game": {"level": 2, "word": "stone"}})
    assert preferences.getValueList("game") == [["level", 2], ["word", "stone"]]
    assert robot.memory.getData("preferences/game/level") == 2
    preferences.removeValue("game", "level")
    preferences.setValue("game", "word", "crane")
    assert preferences.getValueList("game") == [["word", "crane"]]
    for wrong in (lambda: preferences.removeValue("game", "level"), lambda: preferences.setValues({"game": 2})):
        with pytest.raises(RuntimeError):
            wrong()


def test_names_of_lights_stand_for_single_ones(robot):
    leds = robot.service("ALLeds")
    for names, count in [
        ("AllLeds", 48 + 20 + 12 + 9),
        ("FaceLeds", 48),
        ("EarLeds", 20),
        ("BrainLeds", 12),
        ("FaceLedsLeftTop", 9),
        ("LeftFaceLedsRed RightFaceLedsBlue", 8),
        ("FaceLed0 BrainLedsBack FeetLeds", 6),
        ("LeftEarLedsEven RightEarLedsBack", 5),
        ("FaceLedLeft0 ChestLeds", 3),
        ("BrainLedsMiddle", 2),
        ("RightEarLed10 Brain0 Brain11 ChestLedsRed Ears/Led/Left/36Deg Face/Led/Red/Left/0Deg", 1),
        ("Face/Led/Red/Left/0Deg/Actuator/Value Head/Led/Front/Right/1/Actuator/Value", 1),
    ]:
        for name in names.split():
            members = leds.listGroup(name)
            assert len(set(members)) == len(members) == count, name
            assert [leds.listLED(each) for each in members] == [[each] for each in members]
            kind = "eyes" if "Face" in name or name == "AllLeds" else "leds"
            before = len(robot.trace.of(kind))
            leds.setIntensity(name, 0.5)
            assert (leds.getIntensity(name), len(robot.trace.of(kind))) == (0.5, before + 1), name
    leds.createGroup("two", ["FaceLed1", "FaceLed2"])
    assert leds.listLED("two") == ["FaceLed1", "FaceLed2"]
    assert "FaceLed1" in leds.listLEDs() and "FaceLeds" not in leds.listLEDs()
    for name in ("Ears/Led/Left/37Deg", "Head/Led/Front/Right/2", "Brain12", "Face/Led/Pink/Left/0"):
        with pytest.raises(RuntimeError, match="Unknown led or group"):
            leds.on(name)


def test_commands_to_devices(robot):
    dcm = robot.service("DCM")
    assert dcm.getTime(500) == 500
    assert dcm.createAlias(["Both", ["Ears/Led/Left/0Deg/Actuator/Value", "HeadYaw/Position/Actuator/Value"]])
    dcm.set(["Both", "Merge", [[0.25, dcm.getTime(0)], [1.0, dcm.getTime(200)]]])
    assert robot.memory.getData("Device/SubDeviceList/Ears/Led/Left/0Deg/Actuator/Value") == 1.0
    assert robot.memory.getData("Device/SubDeviceList/HeadYaw/Position/Actuator/Value") == 0.0
    for wrong in (
        "Both",
        ["Both", "Merge"],
        ["Both", "Later", []],
        ["Both", "Merge", [[1.0]]],
        ["Both", "Merge", [["a", 1]]],
    ):
        with pytest.raises(RuntimeError, match="DCM::"):
            dcm.set(wrong)


def test_the_relative_position_of_a_target(robot):
    tracker = robot.service("ALTracker")
    tracker.setRelativePosition([-0.3, 0.0, 0.0, 0.1, 0.1, 0.3])
    assert tracker.getRelativePosition() == [-0.3, 0.0, 0.0, 0.1, 0.1, 0.3]
    for wrong in ([0.0], "near", [0.0] * 5 + ["far"]):
        with pytest.raises(RuntimeError, match="setRelativePosition"):
            tracker.setRelativePosition(wrong)


def test_topics_run_and_stop_together(robot, tmpdir):
    path = str(tmpdir.join("quiz.top"))
    with open(path, "w") as topic:
        topic.write("topic: ~quiz()\nlanguage: enu\nu:(hello) Hi\n")
    dialog = robot.service("ALDialog")
    assert dialog.runTopics([path]) == ["quiz"]
    dialog.subscribe("me")
    assert dialog.isListening() is True
    dialog.unsubscribe("me")
    dialog.stopTopics(["quiz"])
    assert dialog.getAllLoadedTopics() == []
    dialog.setAnimatedSpeechConfiguration({"bodyLanguageMode": "random"})
    assert dialog.getAnimatedSpeechConfiguration() == {"bodyLanguageMode": "random"}
