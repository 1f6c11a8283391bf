"""ALTextToSpeech, ALAnimatedSpeech and ALSpeechRecognition."""

from __future__ import absolute_import, division, print_function

import pytest

from naosim.compat import native

ROBOT = {"languages": ("English", "French")}


@pytest.fixture
def voice(robot):
    return robot.service("ALTextToSpeech")


@pytest.fixture
def ears(robot):
    return robot.service("ALSpeechRecognition")


def said(robot):
    return [(event.time, event.fields["plain"]) for event in robot.trace.of("say")]


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


def test_wrong_tags_are_refused_and_nothing_is_said(robot, voice):
    for text in ("\\rspd=20\\x", "\\pau\\x", "\\shout\\x", "a \\ b", "\\vol=101\\", "\\pau=-1\\", "\\style=mad\\"):
        with pytest.raises(RuntimeError, match="ALTextToSpeech::say"):
            voice.say(text)
    assert said(robot) == []


def test_texts_queue_and_stop_all_interrupts_the_first_and_drops_the_others(robot, voice):
    for text in ("Hello there.", "Good bye now"):
        robot.clock.call_soon(voice.say, text)
    robot.clock.run()
    assert said(robot) == [(0.0, "Hello there."), (1.0, "Good bye now")]
    for text in ("Hello there.", "Good bye now"):
        robot.clock.call_soon(voice.say, text)
    robot.clock.call_later(0.4, voice.stopAll)
    robot.clock.run()
    assert said(robot)[2:] == [(2.0, "Hello there.")]
    assert [(event.time, event.fields["whole"]) for event in robot.trace.of("said")][2:] == [(2.4, False)]
    assert robot.memory.getData("ALTextToSpeech/TextInterrupted") is True
    assert voice.leftovers() == []


def test_speech_raises_its_events(robot, voice):
    heard = []
    for event in ("TextStarted", "TextDone", "CurrentSentence", "Status"):
        robot.memory.link("ALTextToSpeech/" + event, lambda value, event=event: heard.append((event, value)))
    robot.clock.call_soon(voice.say, "Hi")
    robot.clock.run()
    assert heard == [
        ("Status", [1, "enqueued"]),
        ("Status", [1, "started"]),
        ("TextDone", False),
        ("TextStarted", True),
        ("CurrentSentence", "Hi"),
        ("CurrentSentence", ""),
        ("TextStarted", False),
        ("TextDone", True),
        ("Status", [1, "done"]),
    ]


def test_words_are_reported_to_their_listeners_until_an_interruption(robot, voice):
    words = []
    for prefix in ("", "ALTextToSpeech/"):
        robot.memory.link(prefix + "CurrentWord", lambda word: words.append((word, round(robot.now(), 3))))
    robot.clock.call_soon(voice.say, r"Is it \pau=500\ OCEAN?")
    robot.clock.run()
    assert words == [(word, at) for word, at in (("Is", 0.0), ("it", 0.25), ("OCEAN?", 0.917)) for _ in range(2)]
    assert robot.now() == pytest.approx(1.417)
    del words[:]
    robot.clock.call_soon(voice.say, "one two three four five six")
    robot.clock.call_later(0.5, voice.stopAll)
    robot.clock.run()
    assert [word for word, _ in words[::2]] == ["one", "two"]


def listening(robot, ears, words, spotting=False):
    """Open the recogniser as careful programs do, and return the list in which words will arrive."""
    heard = []
    ears.pause(True)
    ears.setVocabulary(words, spotting)
    robot.memory.link("WordRecognized", heard.append)
    ears.subscribe("Game")
    ears.pause(False)
    return heard


def test_only_the_vocabulary_is_recognised(robot, ears):
    heard = listening(robot, ears, ["yes", "no", "take it back", "take it"])
    for spotting, sentence, expected in [
        (False, "yes", "yes"),
        (False, "YES", "yes"),
        (False, "oh yes", ""),
        (False, "blue", ""),
        (True, "yes", "<...> yes <...>"),
        (True, "well yes of course", "<...> yes <...>"),
        (True, "I take it back now", "<...> take it back <...>"),
        (True, "yesterday", ""),
    ]:
        ears.pause(True)
        ears.setVocabulary(["yes", "no", "take it back", "take it"], spotting)
        ears.pause(False)
        assert ears.hear_phrase(sentence, 0.7) is (expected != ""), sentence
        robot.clock.run()
        assert heard[-1] == [expected, 0.7 if expected else 0.0], sentence
        assert robot.memory.getData("WordRecognizedAndGrammar")[0] == expected


def test_text_and_real_sound_raise_the_same_events(robot, ears):
    listening(robot, ears, ["yes", "no"])
    ears.setParameter("NbHypotheses", 2)
    heard = []
    for event in ("ALSpeechRecognition/Status", "SpeechDetected", "WordRecognized"):
        robot.memory.link(event, heard.append)
    ears.hear_phrase("no", 0.8)
    robot.clock.run()
    assert heard == ["SpeechDetected", True, False, "EndOfProcess", ["no", 0.8, "yes", 0.4], "ListenOn"]
    del heard[:]
    robot.person.begin_to_speak()
    robot.clock.run(seconds=0.7)
    assert heard == ["SpeechDetected", True]
    robot.person.speak([("yes", 0.8123456), ("no", 0.1), ("other", 0.05)])
    robot.clock.run()
    assert heard[2:] == [False, "EndOfProcess", ["yes", 0.8123, "no", 0.1], "ListenOn"]
    del heard[:]
    robot.person.speak([])
    robot.clock.run()
    assert heard == ["SpeechDetected", True, False, "EndOfProcess", ["", 0.0, "", 0.0], "ListenOn"]


def test_a_closed_engine_hears_nothing_and_an_open_one_is_reported(robot, ears):
    assert not ears.hear_phrase("yes", 0.9)
    heard = listening(robot, ears, ["yes"])
    ears.pause(True)
    assert not ears.hear_phrase("yes", 0.9)
    ears.unsubscribe("Game")
    robot.clock.run()
    assert heard == []
    ears.pause(False)
    assert ears.leftovers() == []
    ears.subscribe("Game")
    ears.pushContexts()
    ears.pause(True)
    assert ears.leftovers() == [
        "Module 'Game' is still subscribed to ALSpeechRecognition.",
        "1 speech recognition context(s) were pushed and not popped.",
        "ALSpeechRecognition is left paused.",
    ]


def test_subscribing_a_module_to_the_event_alone_starts_the_engine(robot, ears):
    robot.world.modules["Listener"] = type("Listener", (), {"onWord": lambda self, key, value, message: None})()
    ears.setVocabulary(["yes"], False)
    # Aldebaran's own library says that a signal which is connected starts nothing; it may stand before a subscription.
    link = robot.memory.link("WordRecognized", lambda value: None)
    assert not ears.is_open
    robot.memory.subscribeToEvent("WordRecognized", "Listener", "onWord")
    assert ears.is_open
    assert robot.memory.getData("ALSpeechRecognition/IsRunning") is True
    robot.memory.unsubscribeToEvent("WordRecognized", "Listener")
    assert not ears.is_open
    robot.memory.unlink("WordRecognized", link)


def test_the_vocabulary_changes_only_while_the_engine_rests_and_is_lost_with_its_language(robot, ears):
    listening(robot, ears, ["yes"])
    with pytest.raises(RuntimeError, match='A grammar named "modifiable_grammar" already exists'):
        ears.setVocabulary(["no"], False)
    with pytest.raises(RuntimeError, match="stop or pause the ASR engine"):
        ears.removeAllContext()
    assert ears.vocabulary == ("yes",)
    ears.pause(True)
    ears.setVocabulary(["no"], False)
    assert ears.vocabulary == ("no",)
    ears.removeAllContext()
    assert ears.vocabulary == ()
    listening(robot, ears, ["yes", "no"])
    ears.setLanguage("English")
    assert ears.vocabulary == ("yes", "no")
    ears.setLanguage("French")
    assert ears.vocabulary == ()
    ears.setParameter("inputMode", 3)
    assert ears.getParameter("inputMode") == 3.0


def test_a_pushed_context_takes_one_vocabulary_while_the_engine_runs(robot, ears):
    listening(robot, ears, ["yes"])
    ears.pushContexts()
    ears.setVocabulary(["red"], True)
    assert (ears.vocabulary, ears.spotting) == (("red",), True)
    with pytest.raises(RuntimeError, match="modifiable_grammar"):
        ears.setVocabulary(["blue"], True)
    ears.popContexts()
    assert (ears.vocabulary, ears.spotting) == (("yes",), False)
    with pytest.raises(RuntimeError, match="No context"):
        ears.popContexts()


@pytest.mark.parametrize("strict", [False, True])
def test_listening_while_speaking_is_a_warning_and_an_error_of_a_strict_robot(robot, voice, ears, strict):
    robot.world.is_strict = strict
    listening(robot, ears, ["yes"])
    voice.say("Say yes.")
    kind = "error" if strict else "warning"
    assert [event.fields["message"] for event in robot.trace.of(kind)] == ["listens while it speaks: 'Say yes.'"]
    ears.pause(True)
    voice.say("Say no.")
    assert len(robot.trace.of(kind)) == 1
    robot.clock.call_later(0.1, ears.pause, False)
    voice.say("Say nothing.")
    assert len(robot.trace.of(kind)) == 2
    assert len(robot.trace.errors) == (2 if strict else 0)


def test_gestures_go_with_the_words(robot):
    robot.service("ALAnimatedSpeech").say(
        "^start(animations/Stand/Gestures/Hey_1) Hello ^wait(animations/Stand/Gestures/Hey_1) "
        "^run(animations/[posture]/Gestures/Yes_1) you. $Game/Greeted=1",
        {"bodyLanguageMode": "disabled"},
    )
    assert said(robot) == [(0.0, "Hello"), (5.0, "you.")]
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
        "mine/Sit/Cool is not added to the tag cool: Animation 'mine/Sit/Cool' is not installed.",
        "The package mine is not installed.",
    ]
    paths = [event.fields.get("path") for event in robot.trace.of("animate")]
    assert "animations/Stand/Gestures/Hey_1" in paths


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


@pytest.mark.parametrize("strict", [False, True])
def test_an_empty_phrase_of_a_word_list_is_left_out_with_a_warning(robot, ears, strict):
    robot.world.is_strict = strict
    ears.setVocabulary(["yes", "no", ""], False)
    assert ears.vocabulary == ("yes", "no")
    kind = "error" if strict else "warning"
    assert [event.fields["where"] for event in robot.trace.of(kind)] == ["ALSpeechRecognition.setVocabulary"]
    for words, spotting in [
        ([], False),
        ([""], False),
        (["", " "], False),
        ("yes", False),
        ([3], False),
        (["yes"], "no"),
    ]:
        with pytest.raises(RuntimeError):
            ears.setVocabulary(words, spotting)
