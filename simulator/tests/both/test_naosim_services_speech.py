"""ALSpeechRecognition, and the languages that it shares with ALTextToSpeech."""

from __future__ import absolute_import, division, print_function

import pytest

from naosim.robot import Robot

ROBOT = {"languages": ("English", "French")}


@pytest.fixture
def voice(robot):
    return robot.service("ALTextToSpeech")


@pytest.fixture
def ears(robot):
    return robot.service("ALSpeechRecognition")


def said(robot):
    return [(event.time, event.fields["plain"]) for event in robot.trace.of("say")]


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
        assert heard[-1] == [expected, 0.7 if expected else -3.0], sentence
        assert robot.memory.getData("WordRecognizedAndGrammar")[0] == expected


def test_text_and_real_sound_raise_the_same_events(robot, ears):
    listening(robot, ears, ["yes", "no"])
    ears.setParameter("NbHypotheses", 2)
    ears.setParameter("inputMode", 3)
    assert ears.getParameter("inputMode") == 3.0
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
    assert heard == ["SpeechDetected", True, False, "EndOfProcess", ["", -3.0, "", -3.0], "ListenOn"]


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


@pytest.mark.parametrize(
    "naoqi, sentence",
    [
        ("2.8", "AsrHybridNuance::xRemoveAllContext\n\tYou need to stop or pause the ASR engine to be able to"),
        ("2.5", 'NuanceContext::addContext\n\tA grammar named "modifiable_grammar" already exists'),
        ("2.1", 'NuanceContext::addContext\n\tA grammar named "modifiable_grammar" already exists'),
    ],
)
def test_the_vocabulary_cannot_change_while_the_engine_runs(naoqi, sentence):
    with Robot(naoqi=naoqi, languages=["English", "French"]) as robot:
        ears = robot.service("ALSpeechRecognition")
        listening(robot, ears, ["yes"])
        with pytest.raises(RuntimeError) as refused:
            ears.setVocabulary(["no"], False)
        assert "\tALSpeechRecognition::setVocabulary\n\t" + sentence in str(refused.value)
        with pytest.raises(RuntimeError, match="stop or pause the ASR engine"):
            ears.removeAllContext()
        assert ears.vocabulary == ("yes",)
        ears.pause(True)
        ears.setVocabulary(["no"], False)
        assert ears.vocabulary == ("no",)
        ears.removeAllContext()
        assert ears.vocabulary == ()


def test_another_language_and_back_lets_a_running_engine_take_a_vocabulary(robot, ears):
    """Three programs for Pepper get rid of the grammar so."""
    listening(robot, ears, ["yes"])
    for language in ("French", "English"):
        ears.setLanguage(language)
    ears.setVocabulary(["no"], False)
    assert ears.vocabulary == ("no",) and ears.is_open
    for language, vocabulary in [("English", ("no",)), ("French", ())]:
        ears.setLanguage(language)
        assert ears.vocabulary == vocabulary


def test_there_is_no_phrase_before_any_word_and_after_an_unknown_one(robot, ears):
    """A program that reads word[0] at once works, and a word of an earlier question is gone at the next one."""
    words = []
    robot.memory.link("WordRecognized", words.append)

    def read():
        return [robot.get("WordRecognized"), robot.get("WordRecognizedAndGrammar")]

    nothing = [["", -3.0], ["", -3.0, ""]]
    assert read() == nothing
    ears.setVocabulary(["yes"], False)
    ears.subscribe("Game")
    assert read() == nothing
    robot.hear("yes")
    robot.clock.run()
    ears.unsubscribe("Game")
    assert read() == [["yes", 0.9], ["yes", 0.9, "modifiable_grammar"]]
    ears.setVocabulary(["no"], False)
    ears.subscribe("Game")
    assert read() == nothing
    robot.hear("xylophone")
    robot.clock.run()
    # A subscription is not an event.
    assert (read(), words) == (nothing, [["yes", 0.9], ["", -3.0]])


def test_a_pushed_context_takes_one_vocabulary_while_the_engine_runs(robot, ears):
    listening(robot, ears, ["yes"])
    ears.pushContexts()
    ears.setVocabulary(["red"], True)
    assert (ears.vocabulary, ears.spotting) == (("red",), True)
    with pytest.raises(RuntimeError, match="stop or pause the ASR engine"):
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
