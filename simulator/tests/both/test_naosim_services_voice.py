"""ALTextToSpeech and ALAnimatedSpeech: the order of their events, bookmarks, tags, voices and gestures."""

from __future__ import absolute_import, division, print_function

import pytest
from robot_fixtures import list_fields

from naosim.compat import native
from naosim.robot import Robot

EVENTS = "Status TextStarted TextDone CurrentSentence CurrentBookMark TextInterrupted"
ROBOT = {"languages": ("English", "French")}


@pytest.fixture
def voice(robot):
    return robot.service("ALTextToSpeech")


def said(robot):
    return [(event.time, event.fields["plain"]) for event in robot.trace.of("say")]


def watch(robot, names=EVENTS):
    """Return the list that the events of ALTextToSpeech will be added to, each as "name value"."""
    heard = []
    for name in names.split():
        robot.memory.link("ALTextToSpeech/" + name, lambda value, name=name: heard.append("%s %r" % (name, value)))
    return heard


def watch_marks(robot):
    marks = []
    robot.memory.link("ALTextToSpeech/CurrentBookMark", lambda mark: marks.append((mark, round(robot.now(), 2))))
    return marks


def test_french_spaces_stay(robot, voice):
    voice.say(native(u" Dis  \u00ab\u00a0oui\u00a0\u00bb\u202f! "))
    robot.service("ALAnimatedSpeech").say(native(u"Vraiment\u202f?"))
    assert [plain for _, plain in said(robot)] == [
        native(u"Dis \u00ab\u00a0oui\u00a0\u00bb\u202f!"),
        native(u"Vraiment\u202f?"),
    ]


def test_a_text_takes_its_time_on_the_clock(robot, voice):
    for text, plain, seconds in [
        ("Hello there.", "Hello there.", 1.0),
        ("", "", 0.1),
        ("\\RSPD=50\\ \\VCT=100\\ Hello there. \\RST\\ ", "Hello there.", 2.0),
        ("One \\pau=500\\ two", "One two", 1.0),
        ("\\rspd=200\\Hello there.\\rst\\ Hello there.", "Hello there. Hello there.", 1.5),
        ("\\emph=2\\Hello\\mrk=3\\ there.", "Hello there.", 0.917),
    ]:
        begun = robot.clock.now()
        voice.say(text)
        event = robot.trace.of("say")[-1]
        assert (event.fields["text"], event.fields["plain"], event.fields["duration"]) == (text, plain, seconds)
        assert robot.clock.now() - begun == pytest.approx(seconds), text
        assert robot.trace.of("said")[-1].fields["whole"] is True


def test_a_tag_that_no_voice_understands_is_a_warning_and_the_text_is_said(robot, voice):
    for text, plain, warning in [
        (r"\rspd=20\x", "x", r"The value of the tag \rspd=20\ has to be a whole number from 50 to 400."),
        (r"\pau\x", "x", r"The value of the tag \pau\ has to be a whole number from 0 to 65535."),
        (r"\shout\x", "x", r"Unknown tag \shout\: use pau, rspd, vct, vol, mrk or rst."),
        (r"a \ b", "a b", "A tag has no closing backslash."),
        (r"\vol=101\x", "x", r"The value of the tag \vol=101\ has to be a whole number from 0 to 100."),
        (r"\style=mad\x", "x", r"The value of the tag \style=mad\ has to be one of neutral, joyful, didactic."),
    ]:
        robot.forget()
        voice.say(text)
        assert [words for _, words in said(robot)] == [plain], text
        assert list_fields(robot, "warning", "message") == [warning]
    robot.forget()
    voice.say(r"\vol=50\Loud \emph=2\word\bound=W\ \readmode=char\ \tn=spell\x")
    assert list_fields(robot, "warning", "message") == []


def test_speed_and_pitch_tags_hold_until_they_are_reset(robot, voice):
    for text, seconds, spoken in [
        (r"\rspd=200\Hello there.", 0.5, r"\rspd=200\Hello there."),
        ("Hello there.", 0.5, r"\rspd=200\Hello there."),
        (r"\vct=120\Hello there.", 0.5, r"\rspd=200\\vct=120\Hello there."),
        (r"\rst\Hello there.", 1.0, r"\rspd=200\\vct=120\\rst\Hello there."),
        ("Hello there.", 1.0, "Hello there."),
    ]:
        begun = robot.now()
        voice.say(text)
        assert (round(robot.now() - begun, 3), robot.trace.of("say")[-1].fields["text"]) == (seconds, spoken)
    for reset in (voice.reset, voice.resetSpeed):
        voice.say(r"\rspd=200\Hello there.")
        reset()
        begun = robot.now()
        voice.say("Hello there.")
        assert robot.now() - begun == pytest.approx(1.0)


@pytest.mark.parametrize("naoqi, refused", [("2.1", [0.8, 0.1, 4.1]), ("2.8", [4.1])])
def test_naoqi_2_1_only_raises_the_pitch(naoqi, refused):
    with Robot(naoqi=naoqi) as robot:
        voice = robot.service("ALTextToSpeech")
        for parameter in ("pitchShift", "doubleVoice"):
            for value in (0.0, 0.1, 0.8, 1.0, 1.2, 4.0, 4.1):
                if value in refused:
                    with pytest.raises(RuntimeError, match="out of range"):
                        voice.setParameter(parameter, value)
                else:
                    voice.setParameter(parameter, value)
                    assert voice.getParameter(parameter) == value


WHOLE = """
Status [1, 'enqueued']
TextStarted 1
TextDone 0
Status [1, 'started']
CurrentSentence 'One two'
CurrentBookMark 1
CurrentBookMark 2
Status [1, 'done']
CurrentSentence ''
TextDone 1
CurrentBookMark 0
TextStarted 0
"""
CUT = WHOLE.replace("CurrentBookMark 2", "TextInterrupted 1")


@pytest.mark.parametrize("naoqi", ["2.1", "2.5", "2.8"])
@pytest.mark.parametrize("stop_at, expected", [(None, WHOLE), (0.15, CUT)])
def test_a_text_has_its_events_in_the_measured_order(naoqi, stop_at, expected):
    with Robot(naoqi=naoqi, robot_type="Pepper" if naoqi == "2.5" else "Nao") as robot:
        heard = watch(robot)
        robot.clock.call_soon(robot.service("ALTextToSpeech").say, r"\mrk=1\ One \mrkpause=2\ two")
        if stop_at is not None:
            robot.clock.call_later(stop_at, robot.service("ALTextToSpeech").stopAll)
        robot.clock.run()
        assert heard == expected.split("\n")[1:-1]


def test_the_first_values_of_the_events_are_those_of_a_silent_robot(robot, voice):
    names = ["ALTextToSpeech/" + name for name in EVENTS.split()[1:]]
    assert robot.memory.getData("ALTextToSpeech/Status") == [0, "done"]
    first = robot.memory.getListData(names)
    assert first == [0, 1, "", 0, 0]
    voice.say("Hi")
    assert robot.memory.getListData(names) == first
    assert {robot.memory.getType(name) for name in names} == {"Event"}


def test_texts_wait_for_each_other_and_stop_all_ends_them_all(robot, voice):
    for text in ("Hello there.", "Good bye now"):
        robot.clock.call_soon(voice.say, text)
    robot.clock.run()
    assert said(robot) == [(0.0, "Hello there."), (1.0, "Good bye now")]
    heard = watch(robot, "Status TextStarted TextDone")
    for text in ("Hello there.", "Good bye now"):
        robot.clock.call_soon(voice.say, text)
    robot.clock.call_later(0.4, voice.stopAll)
    robot.clock.run()
    assert said(robot)[2:] == [(2.0, "Hello there.")]
    assert [(event.time, event.fields["whole"]) for event in robot.trace.of("said")][2:] == [(2.4, False)]
    assert heard == [
        "Status [3, 'enqueued']",
        "TextStarted 1",
        "TextDone 0",
        "Status [3, 'started']",
        "Status [4, 'enqueued']",
        "Status [3, 'done']",
        "TextDone 1",
        "TextStarted 0",
        "Status [4, 'stopped']",
    ]
    assert voice.leftovers() == []
    voice.stopAll()
    voice.say("Hi")
    assert robot.trace.of("said")[-1].fields["whole"]


def test_a_text_that_is_left_is_shown_in_letters_and_without_tags(robot, voice):
    robot.clock.call_soon(robot.service("ALAnimatedSpeech").say, native(u"Quel \xe9t\xe9 chaud"))
    robot.clock.call_soon(voice.say, r"\pau=500\ ")
    robot.clock.run(seconds=0.5)
    assert voice.leftovers() == [
        native(u'ALAnimatedSpeech still has "Quel \xe9t\xe9 chaud" to say.'),
        r'ALTextToSpeech still has "\\pau=500\\ " to say.',
    ]


def test_bookmarks_come_at_their_places(robot, voice):
    marks = watch_marks(robot)
    robot.clock.call_soon(voice.say, r"\mrk=7\ Hello \mrk=8\ \pau=500\ \mrk=9\ there. \mrkpause=10\ ")
    robot.clock.run()
    assert marks == [(7, 0.0), (8, 0.42), (9, 0.92), (10, 1.42), (0, 1.42)]


def test_words_are_reported_to_their_listeners_until_an_interruption(robot, voice):
    words = []
    for prefix in ("", "ALTextToSpeech/"):
        robot.memory.link(prefix + "CurrentWord", lambda word: words.append((word, round(robot.now(), 3))))
    places = []
    robot.memory.link("ALTextToSpeech/PositionOfCurrentWord", places.append)
    text = r"Is it \pau=500\ OCEAN?"
    robot.clock.call_soon(voice.say, text)
    robot.clock.run()
    assert words == [(word, at) for word, at in (("Is", 0.0), ("it", 0.25), ("OCEAN?", 0.917)) for _ in range(2)]
    assert places == [text.index(word) for word in ("Is", "it", "OCEAN")]
    assert robot.now() == pytest.approx(1.417)
    del words[:]
    robot.clock.call_soon(voice.say, "one two three four five six")
    robot.clock.call_later(0.5, voice.stopAll)
    robot.clock.run()
    assert [word for word, _ in words[::2]] == ["one", "two"]


@pytest.mark.parametrize("naoqi, has_them", [("2.1", False), ("2.5", True), ("2.8", True)])
def test_hidden_members_of_the_voice_depend_on_the_version(naoqi, has_them):
    with Robot(naoqi=naoqi, robot_type="Pepper" if naoqi == "2.5" else "Nao") as robot:
        voice = robot.service("ALTextToSpeech")
        signals = {"synchroTTS", "_started", "languageTTS"} if has_them else {"synchroTTS"}
        assert set(voice.signals) == signals
        assert "_sayWithLocale" not in voice.getMethodList()
        heard = []
        for event in ("_started", "languageTTS"):
            robot.memory.link("ALTextToSpeech/" + event, heard.append)
        say = [r"Hi \mrk=1\ you", [0, 1], "an identifier"]
        if has_them:
            voice.call("_sayWithLocale", say)
            assert said(robot) == [(0.0, "Hi you")]
        else:
            with pytest.raises(RuntimeError, match="Can't find method: _sayWithLocale"):
                voice.call("_sayWithLocale", say)
        voice.setLanguage("English")
        robot.clock.run()
        assert heard == ([say[0], "English"] if has_them else [])


def test_naoqi_2_1_can_switch_the_events_off():
    with Robot(naoqi="2.1") as robot:
        voice, heard = robot.service("ALTextToSpeech"), watch(robot)
        voice.disableNotifications()
        voice.say(r"\mrk=1\ Hi")
        with pytest.raises(RuntimeError, match="instruction 1 has not been received in time"):
            robot.service("ALAnimatedSpeech").say("Hi")
        assert heard == []
        voice.enableNotifications()
        voice.say("Hi")
        robot.clock.run()
        assert heard[:1] == ["Status [3, 'enqueued']"]


@pytest.mark.parametrize(
    "robot_type, naoqi, languages, expected",
    [
        ("Nao", "2.1", ["English", "Swedish"], ["naoenu", "Emma22Enhanced"]),
        ("Nao", "2.1", ["English", "Spanish"], ["naoenu", "Maria22Enhanced"]),
        ("Nao", "2.8", ["English", "Japanese", "Chinese"], ["naoenu", "maki_n16", "naomnc"]),
        ("Nao", "2.8", ["French", "German"], ["naofrf", "Julia22Enhanced"]),
        ("Pepper", "2.5", ["English", "German", "Chinese"], ["naoenu", "anna", "naomnc"]),
        ("Pepper", "2.5", ["English", "Turkish"], ["naoenu", "Ipek22Enhanced"]),
    ],
)
def test_voices_have_the_names_of_robots(robot_type, naoqi, languages, expected):
    with Robot(robot_type=robot_type, naoqi=naoqi, languages=languages) as robot:
        voice = robot.service("ALTextToSpeech")
        assert voice.getAvailableVoices() == sorted(expected)
        assert voice.getVoice() == expected[0]
        voice.setVoice(expected[-1])
        assert (voice.getVoice(), voice.getLanguage()) == (expected[-1], languages[0])
        voice.setVoice("Kenny22Enhanced")
        assert voice.getVoice() == expected[-1]
        known = ", ".join(sorted(expected))
        assert list_fields(robot, "warning", "message") == [
            "The voice Kenny22Enhanced is not installed: a robot then keeps its voice, without an error. "
            "Installed: %s." % known
        ]
        voice.setLanguageDefaultVoice(languages[1], expected[0])
        voice.setLanguage(languages[1])
        assert (voice.getVoice(), voice.getAvailableVoices()) == (expected[0], sorted(expected))


def test_a_change_of_the_language_takes_time(robot, voice):
    for language, seconds in (("English", 0.0), ("French", 2.0), ("French", 2.0), ("English", 2.82)):
        voice.setLanguage(language)
        assert robot.now() == pytest.approx(seconds)


def test_the_default_speed_sets_the_speed_until_the_language_changes(robot, voice):
    def speeds():
        return voice.getParameter("speed"), voice.getParameter("defaultVoiceSpeed")

    voice.setParameter("speed", 70)
    assert speeds() == (70.0, 100.0)
    voice.setParameter("defaultVoiceSpeed", 80)
    assert speeds() == (80.0, 80.0)
    voice.setParameter("speed", 70)
    voice.resetSpeed()
    assert speeds() == (80.0, 80.0)
    voice.setLanguage("French")
    assert speeds() == (100.0, 100.0)


# ALAnimatedSpeech.

WAVE = "animations/Stand/Gestures/Hey_1"
YES = "animations/Stand/Gestures/Yes_1"


@pytest.mark.parametrize(
    "naoqi, text, settings, expected, marks",
    [
        ("2.1", "Hi", [], r"\pau=500\ \mrk=1\ Hi \mrkpause=2" + "\\", [(1, 0.5), (2, 0.67), (0, 0.67)]),
        ("2.1", "Hi", [{"bodyLanguageMode": "disabled"}], r"\pau=500\ \mrk=1\ Hi \mrkpause=2" + "\\", None),
        ("2.1", "Hi ^wait(%s) you" % WAVE, [], r"\pau=500\ \mrk=1\ Hi \mrkpause=2\ you \mrkpause=3" + "\\", None),
        ("2.8", "Hi", [], r"\mrk=1\ Hi \mrk=2" + "\\", [(1, 0.0), (2, 0.17), (0, 0.17)]),
        ("2.8", "Hi", [{"bodyLanguageMode": "disabled"}], "Hi", [(0, 0.17)]),
        (
            "2.8",
            "^start(%s) Hi ^wait(%s) you" % (WAVE, WAVE),
            [],
            r"\mrk=1\ \mrk=2\ Hi \mrk=3\ you \mrk=4" + "\\",
            [(1, 0.0), (2, 0.0), (3, 0.17), (4, 2.75), (0, 2.75)],
        ),
    ],
)
def test_an_animated_text_is_one_text_with_bookmarks(naoqi, text, settings, expected, marks):
    with Robot(naoqi=naoqi) as robot:
        speech, found = robot.service("ALAnimatedSpeech"), watch_marks(robot)
        robot.clock.call_soon(speech.say, text, *settings)
        robot.clock.run()
        assert [event.fields["text"] for event in robot.trace.of("say")] == [expected]
        assert marks is None or found == marks
        for event in ("CurrentBookMark", "Status"):
            assert robot.memory.getSubscribers("ALTextToSpeech/" + event) == ["ALAnimatedSpeech"]
        assert robot.memory.getSubscribers("ALTextToSpeech/TextDone") == []


@pytest.mark.parametrize("stopped", ["ALTextToSpeech", "ALAnimatedSpeech"])
def test_an_animated_text_that_is_cut_off_reaches_no_more_annotations(robot, stopped):
    marks = watch_marks(robot)
    text = "Hi ^run(%s) you ^run(%s) $Game/Greeted=1" % (WAVE, YES)
    robot.clock.call_soon(robot.service("ALAnimatedSpeech").say, text)
    robot.clock.call_later(1.0, robot.service(stopped).stopAll)
    robot.clock.run()
    assert marks == [(1, 0.0), (2, 0.17), (0, 1.0)]
    assert [event.fields["whole"] for event in robot.trace.of("said")] == [False]
    assert [event.fields.get("path") for event in robot.trace.of("animate")] == [None, WAVE]
    with pytest.raises(RuntimeError, match="Data not found"):
        robot.memory.getData("Game/Greeted")


def test_gestures_go_with_the_words(robot):
    robot.service("ALAnimatedSpeech").say(
        "^start(animations/Stand/Gestures/Hey_1) Hello ^wait(animations/Stand/Gestures/Hey_1) "
        "^run(animations/[posture]/Gestures/Yes_1) you. $Game/Greeted=1",
        {"bodyLanguageMode": "disabled"},
    )
    assert said(robot) == [(0.0, "Hello you.")]
    assert robot.now() == pytest.approx(5.0 + 4 / 12, abs=0.001)
    paths = [event.fields.get("path") for event in robot.trace.of("animate")]
    assert paths == [None, "animations/Stand/Gestures/Hey_1", "animations/Stand/Gestures/Yes_1"]
    assert robot.memory.getData("Game/Greeted") == "1"


def test_unknown_annotations_and_animations_are_left_out_with_a_warning(robot):
    for text, reason in [
        ("^start(animations/Stand/Gestures/Wave_1) Hi", "not installed"),
        ("Hi ^wait(3000)", "^wait(3000) is left out: Animation '3000' is not installed"),
        ("^runTag(nonsense) Hi", "No animation with the tag"),
        ("^dance(x) Hi", "^dance(x) is left out: Use one of ^start"),
        ("Hi ^start", "^start is left out: It has no parentheses"),
        ("^mode(wild) Hi", "body language mode"),
    ]:
        robot.forget()
        robot.service("ALAnimatedSpeech").say(text)
        assert [words for _, words in said(robot)] == ["Hi"], text
        assert reason in robot.trace.of("warning")[0].fields["message"]
    robot.forget()
    speech = robot.service("ALAnimatedSpeech")
    speech.declareTagForAnimations({"cool": ["mine/Sit/Cool", "animations/Stand/Gestures/Hey_1"]})
    speech.declareAnimationsPackage("mine")
    speech.say("^runTag(cool) Hi")
    assert [event.fields["message"] for event in robot.trace.of("warning")] == [
        "mine/Sit/Cool is not added to the tag cool: Animation 'mine/Sit/Cool' is not installed. Wrong path format: "
        "write package/path.",
        "The package mine is not installed.",
    ]
    paths = [event.fields.get("path") for event in robot.trace.of("animate")]
    assert "animations/Stand/Gestures/Hey_1" in paths


def test_an_animated_text_without_words_moves_the_robot_and_says_nothing(robot):
    heard = watch(robot, "TextStarted CurrentSentence")
    robot.service("ALAnimatedSpeech").say("^start(%s) ^wait(%s)" % (WAVE, WAVE))
    assert [event.fields["path"] for event in robot.trace.of("animate") if "path" in event.fields] == [WAVE]
    assert robot.trace.of("say") == robot.trace.of("said") == list_fields(robot, "warning", "message") == []
    assert heard[0] == "TextStarted 1", "the voice gets the bookmarks all the same"


def test_animations_of_another_posture_are_left_out(robot):
    robot.service("ALRobotPosture").goToPosture("Sit", 1.0)
    robot.service("ALAnimatedSpeech").say("^startTag(hello) Hi")
    with pytest.raises(RuntimeError, match="cannot be played"):
        robot.service("ALAnimationPlayer").run("animations/Stand/Gestures/Hey_1")
    robot.service("ALAnimationPlayer").run("animations/[posture]/Gestures/Hey_3")
    robot.service("ALRobotPosture").goToPosture("LyingBack", 1.0)
    wave = "animations/Sit/Gestures/Hey_3"
    for count, text in enumerate(["^start(%s) Hi" % wave, "Hi ^run(%s)" % wave, "Hi ^runTag(winner)"], 1):
        robot.service("ALAnimatedSpeech").say(text)
        assert [plain for _, plain in said(robot)] == ["Hi"] * (count + 1)
        assert ["is left out" in event.fields["text"] for event in robot.trace.of("log")] == [True] * count


def test_both_names_of_the_body_language_are_settings_of_one_text(robot):
    speech = robot.service("ALAnimatedSpeech")
    for settings, mode in [
        ([], "contextual"),
        ([{}], "contextual"),
        ([{"bodyLanguageMode": "random"}], "random"),
        ([{"speakingMovementMode": "disabled"}], "disabled"),
        ([{"bodyLanguageMode": "random", "speakingMovementMode": "contextual"}], "contextual"),
    ]:
        speech.say("Hi", *settings)
        assert robot.trace.of("animate")[-1].fields["mode"] == mode, settings
        assert speech.getBodyLanguageModeToStr() == "contextual"
    for wrong in ({"bodyLanguageMode": "wild"}, {"speakingMovementMode": "wild"}, {"volume": 3}, "contextual"):
        with pytest.raises(RuntimeError, match="ALAnimatedSpeech::say"):
            speech.say("Hi", wrong)
