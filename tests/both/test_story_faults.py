"""Parts of the robot and of its memory that are missing or break; two games at once; every answer to every question."""

from __future__ import absolute_import, division, print_function, unicode_literals

import json
import os
import re

import pytest
from story import EARS, EASY, FRONT, LINES, NO_VOICE, REAR, TOUCH_ONLY, WAYS, Story, write

from jotto.compat import as_native, as_text
from jotto_behaviour.conversation import CONFIRM_MEANING
from jotto_behaviour.states import ANY_WORD, COMMANDS, LANGUAGES, LETTER_OR_WORD, SAME_STATE, STATES, list_meanings
from naosim.compat import PY2
from naosim.services import animations
from naosim.world import Faults

GRAMMAR = 'A grammar named "modifiable_grammar" already exists'
#: Faults by which a robot loses its hearing for good.
DEAF = (
    {(EARS, "setVocabulary"): GRAMMAR},
    {(EARS, "subscribe"): "no microphone"},
    {(EARS, "pause"): "engine is dead"},
    {(EARS, "setVocabulary"): GRAMMAR, (EARS, "removeAllContext"): "no", (EARS, "getAvailableLanguages"): "no"},
)


def by_voice(story):
    story.plays("money")
    story.hears("wonderful", "play again")
    story.says("no")


def by_touch(story):
    story.plays_by_touch("money")
    story.hears("wonderful", "play again")
    story.touches(REAR)


@pytest.mark.parametrize("fails", [1, 2])
def test_a_stuck_grammar_is_freed(fails, tmpdir):
    """The first refusal is cured by removing all contexts, the second by changing the language and back."""
    with Story(tmpdir, words=EASY, languages=("English", "French")) as story:
        for turn in range(3):
            story.robot.faults.grammar = fails
            story.begins() if turn == 0 else story.says(("ready", "no")[turn - 1])
            assert story.robot.ears().engine == EARS
            assert story.robot.services[EARS].getLanguage() == "English"
        by_voice(story)


@pytest.mark.parametrize("cure, refusals", [("context", 1), ("language", 2)])
def test_a_stuck_grammar_that_one_cure_frees(cure, refusals, tmpdir):
    """The grammar would stay stuck for very long; the cure that helps ends it."""
    with Story(tmpdir, words=EASY, languages=("English", "French"), faults=Faults(grammar=99, cure=cure)) as story:
        story.begins()
        assert story.robot.faults.grammar == 0 and story.robot.ears().engine == EARS
        calls = [
            event.fields["method"] for event in story.robot.trace.of("call") if event.fields.get("service") == EARS
        ]
        assert calls.count("setVocabulary") == 1
        by_voice(story)


def test_a_stuck_grammar_that_nothing_frees(tmpdir):
    with Story(tmpdir, words=EASY, languages=("English", "French"), faults=Faults(grammar=99)) as story:
        story.breaks = True
        story.begins()
        assert story.robot.faults.grammar == 96 and story.robot.ears().engine == "ALDialog"
        by_voice(story)


@pytest.mark.parametrize("pushing", ["pushContexts", "popContexts"])
def test_a_recogniser_that_keeps_no_contexts(pushing, tmpdir):
    with Story(tmpdir, words=EASY, faults=Faults(raising={(EARS, pushing): "no such method"})) as story:
        story.begins()
        by_voice(story)
        story.robot.services[EARS]._pushed[:] = []


def test_the_vocabulary_of_other_programs_stays(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        recogniser = story.robot.services[EARS]
        recogniser.setVocabulary([as_native("banana")], False)
        story.begins()
        by_voice(story)
        assert recogniser.vocabulary == ("banana",)


def test_a_gesture_that_is_not_installed(tmpdir, monkeypatch):
    """Lines with a gesture the robot does not have are said without it."""
    for gesture in LINES.gestures.values():
        monkeypatch.delitem(animations.POSTURE_OF_ANIMATION, as_native(gesture["Standing"]))
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.hears("hello", "who guesses")
        by_voice(story)
        assert not any("path" in event.fields for event in story.robot.trace.of("animate"))


def test_nao_speaks_its_own_language_afterwards(tmpdir):
    with Story(tmpdir, words=EASY, languages=("Italian", "English")) as story:
        story.begins()
        voice = story.robot.services["ALTextToSpeech"]
        assert voice.getLanguage() == "English"
        by_voice(story)
        assert story.is_over and voice.getLanguage() == "Italian"


@pytest.mark.parametrize("raising", DEAF)
def test_a_recogniser_that_never_works(raising, tmpdir):
    with Story(tmpdir, words=EASY, faults=Faults(raising=raising), without=["ALDialog"]) as story:
        story.breaks = True
        story.begins()
        story.hears("hello", "who guesses", "cannot hear")
        by_touch(story)
        assert sum("I can't hear" in text for text in story.said()) == 1


def test_a_recogniser_that_never_works_beside_a_dialog_that_does(tmpdir):
    with Story(tmpdir, words=EASY, faults=Faults(raising=DEAF[0])) as story:
        story.breaks = True
        story.begins()
        assert story.robot.ears().engine == "ALDialog"
        by_voice(story)
        assert not any("I can't hear" in text for text in story.said())


def test_a_recogniser_that_fails_in_mid_game(tmpdir):
    with Story(tmpdir, words=EASY, without=["ALDialog"]) as story:
        story.breaks = True
        story.begins()
        story.says("ready")
        story.robot.faults.fail(EARS, "setVocabulary", GRAMMAR)
        story.says("no")
        story.hears("both numbers", "cannot hear")
        by_touch(story)


@pytest.mark.parametrize("method", ["loadTopic", "activateTopic", "setConcept", "subscribe"])
def test_a_dialog_that_never_works(method, tmpdir):
    with Story(tmpdir, words=EASY, faults=Faults(raising={("ALDialog", method): "no"}), without=NO_VOICE) as story:
        story.breaks = True
        story.begins()
        story.hears("hello", "cannot hear")
        by_touch(story)


def test_a_dialog_that_cannot_even_be_tidied_up(tmpdir):
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        story.says("ready", "yes")
        story.robot.faults.fail("ALDialog", "getLoadedTopics", "no")
        story.says("no")
        assert story.is_over and story.behaviour.times_stopped == 1
        story.robot.faults.fail("ALDialog", "getLoadedTopics", "no", 0)
        assert story.robot.leaks() == ["The topic jotto_answers is still activated."]
        story.robot.services["ALDialog"].resetAll()


@pytest.mark.parametrize(
    "without",
    ["ALAnimatedSpeech", "ALAnimatedSpeech ALRobotPosture", "ALRobotPosture", "ALLeds", "ALTouch", "ALAnimationPlayer"]
    + ["ALBehaviorManager", "ALLeds ALRobotPosture ALAnimatedSpeech ALMotion"],
)
def test_a_robot_without(without, tmpdir):
    with Story(tmpdir, words=EASY, without=without.split()) as story:
        story.begins()
        story.hears("hello", "who guesses")
        by_voice(story)
        if "ALAnimatedSpeech" in without:
            assert {event.fields["service"] for event in story.robot.trace.of("say")} == {"ALTextToSpeech"}


@pytest.mark.parametrize("without", [("ALTextToSpeech",), ("ALTextToSpeech", "ALAnimatedSpeech")])
def test_a_robot_without_a_voice(without, tmpdir):
    with Story(tmpdir, words=EASY, without=without) as story:
        story.begins()
        story.plays("money")
        assert (story.guess, story.said()) == ("money", [])
        story.says("no")


def test_a_robot_with_nothing_but_a_head(tmpdir):
    lost = TOUCH_ONLY + ("ALTextToSpeech", "ALAnimatedSpeech", "ALLeds", "ALRobotPosture", "ALMotion")
    with Story(tmpdir, words=EASY, without=lost) as story:
        story.begins()
        story.plays_by_touch("money")
        assert story.guess == "money"
        story.touches(REAR)


@pytest.mark.parametrize("languages, voice", [(("Italian",), "Italian"), (("Italian", "English"), "English")])
def test_a_robot_of_another_language(languages, voice, tmpdir):
    """English is spoken and listened for where it is installed; else the head answers."""
    with Story(tmpdir, words=EASY, languages=languages) as story:
        story.breaks = voice == "Italian"
        story.begins()
        assert story.robot.trace.of("say")[0].fields["language"] == voice
        assert story.robot.ears().engine == (None if voice == "Italian" else EARS)
        (by_touch if voice == "Italian" else by_voice)(story)


@pytest.mark.parametrize("without", [(), TOUCH_ONLY])
@pytest.mark.parametrize(
    "service, method", [("ALMemory", "insertData"), ("ALMemory", "getData"), ("ALMemory", "subscribeToEvent")]
)
@pytest.mark.parametrize("state", ["word", "misplaced"])
def test_the_memory_breaks_in_mid_game(state, service, method, without, tmpdir):
    with Story(tmpdir, words=EASY, without=without) as story:
        story.breaks = True
        story.begins(role="breaker")
        story.touches(*{"word": [FRONT], "both": [FRONT, REAR], "misplaced": [FRONT, REAR, REAR]}[state])
        before = story.talk
        story.robot.faults.fail(service, method, "the robot is out of order")
        story.touches(REAR)
        # A box that cannot load the talk does not know whether it was saved; the box before has done so.
        story.hears("cannot go on, unsaved" if method == "getData" else "cannot go on")
        assert story.note("unfinished.json")
        assert story.is_over and story.behaviour.times_stopped == 1
        story.robot.faults.fail(service, method, "", 0)
        assert story.talk["game"]["guess"] or story.talk["game"]["turns"]
        assert story.talk["game"]["seed"] == before["game"]["seed"]
        story.starts()
        story.hears("go on with our game")
        story.stops()


@pytest.mark.parametrize("times", [1, 2, 5])
def test_the_memory_fails_now_and_then(times, story):
    story.breaks = True
    story.says("ready")
    story.robot.faults.fail("ALMemory", "insertData", "out of order", times)
    story.says("no", "zero")
    story.robot.faults.fail("ALMemory", "insertData", "", 0)
    assert story.is_over or story.state == "misplaced"
    if not story.is_over:
        story.stops()


def test_the_posture_is_unknown_and_the_eyes_refuse(tmpdir):
    raising = {("ALRobotPosture", "getPostureFamily"): "no", ("ALLeds", "fadeRGB"): "no"}
    with Story(tmpdir, words=EASY, faults=Faults(raising=raising)) as story:
        story.begins()
        by_voice(story)
        assert not any("^start" in event.fields.get("text", "") for event in story.robot.trace.of("animate"))


def test_the_apology_is_cut_off(story):
    """The behaviour is stopped while NAO says that it cannot go on."""
    story.breaks = True
    story.says("ready")
    story.robot.faults.fail("ALMemory", "insertData", "out of order")
    story.robot.hear("no")
    story.robot.advance(1.0)
    assert story.robot.services["ALTextToSpeech"].is_speaking


LISTENING = sorted(name for name, state in STATES.items() if state.touch is not None)


def test_every_question_has_a_way_to_it():
    assert sorted(WAYS) == LISTENING


@pytest.mark.parametrize("state", LISTENING)
def test_every_phrase_before_a_question(state, tmpdir):
    # What NAO says to a command in any state where it is said first.
    expected = {
        "help": ("help, {state}",),
        "wait": ("take your time",),
        "stop": ("stop", "goodbye"),
        "score": ("scores", "no score yet", "no guess yet"),
    }

    def ends_in(states, state, beneath):
        """List the questions that may come next, when NAO passes through its own states."""
        found = set()
        for name in states:
            if name == SAME_STATE:
                found |= {state, beneath}
            elif STATES[name].touch is None and STATES[name].moves:
                found |= ends_in(STATES[name].moves[""].to, state, beneath)
            else:
                found.add(name)
        return found

    # Words said where any word may be, and the letter that is not a word.
    said_as = {ANY_WORD: "bread", LETTER_OR_WORD: "hotel", "h": "H"}
    with Story(tmpdir, words=EASY) as story:
        wanted = [each for each in list_meanings(state) if each in said_as or LINES.list_phrases([each])]
        # Each Python takes a quarter of them, as test_talk_walks.py takes every step; no other language is heard here.
        heard = [each for each in wanted if each not in LANGUAGES]
        # Among thousands of words no letter is heard, so a word is listened for before the first one alone.
        heard = [each for each in heard if each != ANY_WORD or state != "word or letter?"]
        for meaning in [each for number, each in enumerate(heard) if number % 4 == (1 if PY2 else 3)]:
            story.begins_anew()
            story.reaches(state)
            beneath = story.talk["beneath"]
            story.says(said_as.get(meaning) or LINES.list_phrases([meaning])[0])
            if STATES[state].is_denied and meaning in STATES[state].word_found:
                story.hears(CONFIRM_MEANING.get(meaning, "did you say"))
                story.says("yes")
            move = STATES[state].moves.get(meaning) or COMMANDS[meaning]
            assert story.state in ends_in(move.to, state, beneath), (state, meaning, story.heard)
            assert story.heard, (state, meaning)
            if meaning in expected and meaning not in STATES[state].moves and not beneath:
                assert any(story.has_said(key.format(state=state)) for key in expected[meaning]), (meaning, story.heard)
            if not story.is_over:
                story.stops()
            story.ends()


#: Text that is not UTF-8, as far as a `str` can hold it.
NO_UTF8 = b"\xff\xfe" if str is bytes else "\xff\xfe"


@pytest.fixture(scope="module")
def talk(tmpdir_factory):
    """Make a talk in mid-game as JSON text."""
    with Story(tmpdir_factory.mktemp("before"), words=EASY) as story:
        story.begins()
        story.says("ready", "no", "one")
        text = story.get("Game")
        story.stops()
    return text


def changed(talk, **fields):
    """Return the talk with other fields; those of the game are named `game_...`."""
    plain = json.loads(talk)
    for name, value in fields.items():
        if name.startswith("game_"):
            plain["game"][name[5:]] = value
        else:
            plain[name] = value
    return json.dumps(plain)


# Values under Jotto/Game, made from a talk in mid-game, and NAO's reaction; test_talk_notes.py has more damaged talks.
@pytest.mark.parametrize(
    "make, line",
    (
        (lambda talk: "x", "damaged notes"),
        (lambda talk: "[" * 60000, "damaged notes"),
        (lambda talk: '{"version": %s}' % ("9" * 6000), "damaged notes|newer notes"),
        (lambda talk: "x" * 200000, "damaged notes"),
        (lambda talk: talk[:-5], "damaged notes"),
        (lambda talk: NO_UTF8, "damaged notes"),
        (lambda talk: 5, "damaged notes"),
        (lambda talk: True, "damaged notes"),
        (lambda talk: [[talk]], "damaged notes"),
        (lambda talk: changed(talk, version=8), "newer notes"),
        (lambda talk: changed(talk, game_version=2), "newer notes"),
        (lambda talk: changed(talk, state="dancing"), "damaged notes"),
        (lambda talk: changed(talk, game_guess="apple"), "damaged notes"),
        (lambda talk: changed(talk, game_turns=[["ocean", [0, 1]]] * 200), "damaged notes"),
        (lambda talk: changed(talk, game_list="letters"), "other list"),
    ),
)
def test_garbage_for_a_game(make, line, tmpdir, talk):
    with Story(tmpdir, words=EASY) as story:
        story.stores("Game", make(talk))
        story.begins()
        assert any(story.has_said(key) for key in line.split("|")), story.heard
        story.hears("hello", "who guesses")
        story.plays("money")
        assert story.guess == "money"
        story.says("no")
        story.starts()
        story.hears("hello", "who guesses")
        story.stops()


@pytest.mark.parametrize("text", ["x", "[]", "[" * 60000])
def test_garbage_in_the_notebook(text, tmpdir):
    with Story(tmpdir, words=EASY) as story:
        write(tmpdir, "unfinished.json", [text])
        write(tmpdir, "own.txt", ["\x00\x01", "apple", "OCEAN", "toolong", "whale # a remark", "{}"])
        write(tmpdir, "games.jsonl", ["no JSON"])
        story.begins()
        story.hears("damaged notes", "hello")
        story.plays("whale")
        assert story.guess == "whale"
        story.says("no")
        assert json.loads(story.note("games.jsonl").splitlines()[-1])["guess"] == "whale"


# Settings that are not settings, or whose values are odd.
@pytest.mark.parametrize(
    "settings",
    (
        ["", "x", "[]", "[" * 60000, 5, ["a"], NO_UTF8, '{"what": "ever"}', '{"seed": true, "folder": false}']
        + ['{"seed": 1.5, "words": 5, "strategy": null}', '{"deaf": ["ALMemory"], "keep-log": 1}']
    ),
)
def test_garbage_for_settings(settings, tmpdir):
    """NAO plays with its own list and keeps its notebook where it always is."""
    with Story(tmpdir, home="%s" % tmpdir) as story:
        story.stores("Settings", settings)
        story.starts()
        story.hears("hello", "who guesses")
        story.plays("ocean")
        assert story.guess == "ocean"
        story.says("no")
        notes = tmpdir.join(".nao", ".local", "share", "nao-jotto")
        assert notes.join("games.jsonl").check() and not notes.join("heard.jsonl").check()


@pytest.mark.parametrize("seed", [0, 2**31, 10**400])
def test_a_seed_out_of_bounds_is_drawn(seed, tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(seed=seed)
        assert 0 < story.talk["game"]["seed"] < 2**31
        story.plays("money")
        story.says("no")


@pytest.mark.parametrize("strategy", ["x" * 5000, "\\pau=9\\^start(x) %s {0}"])
def test_an_unknown_strategy(strategy, tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(strategy=strategy)
        story.hears("no such strategy", "hello", "who guesses")
        story.plays("money")
        story.says("no")


# Values of a user for a word list; test_talk_minds.py has more unusable files.
@pytest.mark.parametrize(
    "name",
    ["FOLDER", "FOLDER/empty.txt", "FOLDER/twice.txt", "FOLDER/binary.txt", "a\x00b", "x" * 6000, "/dev/zero"]
    + ["/no/such/list.txt", "/tmp/\\pau=9\\^start(x){0}{guess}%s.txt", "/tmp/w\u00f6rter.txt"],
)
def test_an_unusable_list(name, tmpdir):
    write(tmpdir, "empty.txt", [])
    write(tmpdir, "twice.txt", ["apple", "hello", "teeth"])
    tmpdir.join("binary.txt").write_binary(bytes(bytearray(range(256))) * 40)
    with Story(tmpdir) as story:
        story.breaks = True
        story.begins(words=name.replace("FOLDER", "%s" % tmpdir))
        story.hears("no such list", "hello", "who guesses")
        assert len(story.robot.trace.of("log")) == 1
        story.plays("ocean")
        story.says("no")


def test_a_bad_list_and_a_bad_strategy_and_bad_notes(tmpdir):
    with Story(tmpdir) as story:
        story.breaks = True
        story.stores("Game", "x")
        story.begins(words="/no/such/list.txt", strategy="luck")
        for key in ("no such strategy", "no such list", "damaged notes", "hello", "who guesses"):
            assert story.has_said(key)
        story.plays("ocean")
        story.says("no")


def test_a_list_in_a_folder_with_an_umlaut(tmpdir):
    """Learned words and an unfinished game are kept in such a folder too."""
    folder = os.path.join(as_text("%s" % tmpdir), "Spiele f\u00fcr NAO")
    os.mkdir(as_native(folder))
    with Story(folder) as story:
        story.begins(words=write(folder, "w\u00f6rter.txt", EASY))
        story.hears("hello", "who guesses")
        story.habits["tell"] = "yes"
        story.plays("whole")
        story.hears("learned")
        assert story.note("own.txt") == "whole\n"
        story.says("yes", "ready")
        story.stops()
        assert "unfinished.json" in story.notes()


def test_a_home_with_an_accent(tmpdir):
    """The notebook is kept in the usual place of any home."""
    home = os.path.join(as_text("%s" % tmpdir), "J\u00f6rg")
    with Story(tmpdir, words=EASY, home=as_native(home)) as story:
        del story.settings["folder"]
        story.begins()
        story.plays("money")
        story.says("no")
    assert os.path.exists(as_native(os.path.join(home, ".nao", ".local", "share", "nao-jotto", "games.jsonl")))


def pauses_unsaved(story):
    """Begin another game and leave it: NAO says that it is not saved."""
    story.says("yes", "ready")
    for _ in range(3):
        story.keeps_silent()
    story.hears("pause, unsaved")


@pytest.mark.parametrize("folder", ["/proc/no/such/folder", "/dev/null/notes", "a\x00b", "x" * 6000])
def test_a_notebook_that_cannot_be_written(folder, tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.breaks = True
        story.begins(folder=folder)
        story.habits["tell"] = "yes"
        story.plays("whole")
        story.hears("fits but unknown", "play again")
        assert not story.has_said("learned"), "it is not remembered"
        pauses_unsaved(story)
        story.says("repeat")
        story.hears("pause, unsaved")
        story.says("stop")
        story.hears("goodbye, unsaved")
        logged = [event.fields["text"] for event in story.robot.trace.of("log")]
        assert logged and all(re.match("Notes are not saved: '.+' cannot be written", text) for text in logged)
        assert not any("Errno" in text for text in logged)


def test_without_a_notebook_nothing_is_said_to_be_saved(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(folder="")
        story.habits["tell"] = "yes"
        story.plays("whole")
        assert not story.has_said("learned")
        pauses_unsaved(story)
        story.says("stop")
        story.hears("goodbye, unsaved")
        assert not re.search("sav(?!ed our game)|keep|remember|[Ss]tart me", " ".join(story.said()))


def test_a_pause_before_the_first_guess_saves_nothing_and_says_so(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(role="maker")
        for _ in range(3):
            story.keeps_silent()
        story.hears("pause, unsaved")
        story.says("stop")
        story.hears("goodbye")
        assert not story.note("unfinished.json")


def test_another_behaviour_writes_into_the_game(story):
    """At a foreign value in mid-game NAO apologises and leaves, and can be started again."""
    story.breaks = True
    story.says("ready")
    story.robot.hear("no")
    story.stores("Game", "x")
    story.says("one")
    if not story.is_over:
        story.stops()
    story.begins()


def test_what_was_heard_is_logged_where_the_owner_allows_it(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(**{"keep-log": True})
        story.plays("ocean")
        story.says("no")
        entries = [json.loads(line) for line in story.note("heard.jsonl").splitlines()]
    assert entries[-1]["word"] == "ocean" and entries[-2]["guess"] == "ocean"
    assert {entry["question"] for entry in entries[:-1]} <= {"word", "both", "exact", "misplaced"}
