"""Answers that are unsure, unknown, wrong or missing, events that never come, and a robot without ears."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import EASY, FRONT, LINES, NO_VOICE, REAR, TOUCH_ONLY, Story

from jotto.compat import as_native
from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_behaviour.hearing import MAX_UNMEASURED_PHRASES
from jotto_behaviour.settings import LANGUAGE_CODES, LANGUAGE_NAMES
from jotto_behaviour.states import AFTER_WAIT, STATES, list_meanings

WORD = "WordRecognized"
YES = as_native("yes")


def test_anything_may_be_typed(tmpdir):
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        story.says("banana")
        story.hears("sorry")
        for text in ("", " ", "?", "yes yes", "~jotto_words", "$1", "\\pau=9\\", "^start(x)", "0", "x" * 5000, "%s{}"):
            story.says(text)
            assert story.state in ("role", "gone")
            if story.is_over:
                story.starts()
        story.says("ready")
        assert story.state == "word"
        story.stops()


@pytest.mark.parametrize("method", ["onWordRecognized", "onTyped", "onTouched"])
def test_garbage_breaks_nothing(story, method):
    story.says("ready")
    # Values of an event that mean nothing; the last ones cannot even stand in ALMemory.
    for value in (
        [
            [],
            [YES],
            [1, 2],
            [as_native(""), 0.0],
            [as_native(""), -3.0],
            [[YES, 0.9], 0.9],
            YES,
            0,
            1.5,
            True,
            [YES, YES],
            [YES, None],
        ]
        + [[None, 0.9], [YES, float("nan")], [YES, -1.0], [as_native("<...>"), 0.9], [as_native("xyzzy"), 0.9]]
        + [[[[[]]]], None, {}, [YES, []], [b"\xff\xfe", 0.9], [YES, 10**400], object()]
    ):
        # The one phrase that may be typed, and the one value that is a touch.
        if (method, value) not in (("onTyped", YES), ("onTouched", True)):
            story.calls(method, value)
    while story.state != "word":
        assert story.heard and method == "onTyped"
        story.says("go on")
    story.plays("money")
    assert story.guess == "money"


def test_an_event_too_late(story):
    """The box that listened before has had its answer: a later event is not for it."""
    old = story.box("Ready?")
    story.says("ready")
    for value in ([YES, 0.9], [as_native("stop"), 0.9]):
        story.calls("onWordRecognized", value, old)
    story.calls("onTouched", 1.0, old)
    story.calls("onTyped", YES, old)
    assert (story.state, story.heard) == ("word", "")


def test_two_answers_at_once(story):
    story.says("ready")
    story.robot.memory.raiseEvent(as_native(WORD), [as_native("no"), 0.9])
    story.raises(WORD, [YES, 0.9])
    assert story.state == "both"


def test_the_answer_comes_in_the_instant_of_the_time_out(story):
    story.says("ready")
    due = story.robot.clock.next_due()
    story.robot.clock.call_later(
        due - story.robot.clock.now(), story.robot.memory.raiseEvent, as_native(WORD), [as_native("no"), 0.9]
    )
    story.passes(due - story.robot.clock.now())
    assert story.state in ("word", "both")
    story.plays("money")
    assert story.guess == "money"


def falls_silent(story, times=3):
    for _ in range(times):
        story.keeps_silent()


@pytest.mark.parametrize(
    "value, seconds",
    (
        [(180, 180.0), (180.0, 180.0), (3600, 3600.0)]
        + [(value, 8.0) for value in (0, 5.0, "180", -1, 1e9, float("nan"), True, None)]
    ),
)
def test_a_question_waits_as_long_as_a_program_that_shows_it_says(story, value, seconds):
    story.reaches("word")
    story.stores("Patience", value)
    # What NAO asks anew waits anew.
    story.says("repeat")
    begun = story.robot.clock.now()
    story.keeps_silent()
    story.hears("is it, shortly")
    assert seconds <= story.robot.clock.now() - begun < seconds + 30.0
    story.stops()


def test_no_player_is_there_at_all(story):
    falls_silent(story)
    story.hears("goodbye")
    assert not story.note("unfinished.json")


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("goes_on", [False, True])
def test_the_game_is_kept(tmpdir, restarts, goes_on):
    def comes_back(story, score, guess, goes_on):
        story.begins()
        story.hears("hello", "go on with our game")
        if goes_on:
            story.says("yes")
            story.hears("where we were", "is it, shortly")
            assert (story.score, story.guess) == (score, guess)
            story.plays("money")
            assert story.score[: len(score)] == score
        else:
            story.says("no")
            story.hears("who guesses")
            assert (story.score, story.guess) == ([], "")
            story.plays("money")
        assert story.guess == "money"
        story.says("no")
        assert not story.note("unfinished.json")
        story.begins()
        story.hears("hello", "who guesses")
        story.stops()

    def plays_a_turn_and_leaves(story):
        """Play one turn, then keep silent until NAO goes; return the score."""
        story.plays("money", until="both")
        story.answers(story.answer("money"))
        falls_silent(story, 4)
        story.hears("goodbye, saved")
        assert story.is_over
        return story.score, story.guess

    with Story(tmpdir, words=EASY) as story:
        story.begins()
        score, guess = plays_a_turn_and_leaves(story)
        if not restarts:
            comes_back(story, score, guess, goes_on)
    if restarts:
        with Story(tmpdir, words=EASY) as story:
            comes_back(story, score, guess, goes_on)


def test_a_game_over_is_not_gone_on_with(story):
    story.plays("money")
    story.stops()
    story.begins()
    story.hears("who guesses")
    assert len(story.note("games.jsonl").splitlines()) == 1


@pytest.mark.parametrize(
    "certainty, lines", [(None, ["let us begin", "is it, first"]), ([0.1, 0.7], ["sorry", "is it, shortly"])]
)
def test_three_sounds_that_are_no_phrase_are_a_person_who_was_not_understood(tmpdir, certainty, lines):
    """A cough or two are not; ears whose confidences were not measured are left to the silence that follows."""
    with Story(tmpdir, words=EASY) as story:
        story.begins(certainty=certainty)
        story.says("ready")
        for _ in range(3):
            assert story.state == "word" and not story.talk["misses"]
            story.robot.hear("", 0.0)
        story.robot.wait(4.0)
        assert (story.state, story.talk["misses"]) == ("word", int(certainty is not None))
        assert [line[0] for line in story.talk["last"]] == lines
        story.stops()


@pytest.fixture
def deaf(tmpdir):
    with Story(tmpdir, words=EASY, without=TOUCH_ONLY) as visit:
        visit.begins(role="breaker")
        yield visit
        if not visit.is_over:
            visit.stops()


def test_only_the_press_counts(deaf):
    """A hand that rests on the head is one touch, however often the robot reports it let go; others do nothing."""
    deaf.touches("LeftBumperPressed", "HandRightBackTouched", "ChestButtonPressed")
    assert deaf.state == "ready"
    deaf.touches(FRONT, REAR)
    for value in (0.0, 0.0, 1.0, 0.0, 0.0, 0.5):
        deaf.raises(FRONT, value)
    deaf.touches(REAR)
    assert deaf.talk["exact"] == 1


# A robot's own recogniser: nobody has measured its confidences, and nobody types.


def player_guesses(tmpdir, words=EASY, languages=("English",), **settings):
    """Return a story in which the player guesses; without settings a robot's own recogniser listens."""
    story = Story(tmpdir, words, languages=languages)
    story.begins(**dict({"role": "maker", "typed": False}, **settings))
    assert story.state == "your guess"
    return story


def guesses(story):
    return [word for word, _ in story.talk["riddle"]["game"]["turns"]]


def vocabularies(story):
    """List the vocabularies that the robot's recogniser has got."""
    calls = [event.fields for event in story.robot.trace.of("call")]
    return [fields["args"][0] for fields in calls if fields["method"] == "setVocabulary"]


def ends(story):
    story.stops()
    story.robot.close()


@pytest.mark.only_python_3
@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_a_robots_own_recogniser_gets_few_words_and_players_spell_the_others(tmpdir, code):
    story = player_guesses(tmpdir, (), (LANGUAGE_NAMES[code],), language=code)
    lines, known = mind.load_lines(code), mind.load_mind("", "", (), code).wordlist
    offered = vocabularies(story)[-1]
    assert len(offered) == MAX_UNMEASURED_PHRASES and as_native("%s" % known.write_word(known.words[0])) in offered
    other = next(word for word in reversed(known.words) if as_native("%s" % known.write_word(word)) not in offered)

    def hears(phrase):
        story.robot.hear(as_native("%s" % phrase), 0.9)
        story._goes_on(story.robot.advance())

    # NAO counts three sounds that are not a phrase as one answer that it missed, and asks for letters after two.
    for _ in range(6):
        hears(known.write_word(other))
    assert any(asked in story.heard for asked in lines.list_wordings("your guess, letters"))
    for letter in other:
        hears(lines.letters[letter])
    assert story.state == "your word?"
    assert max(map(len, vocabularies(story))) == MAX_UNMEASURED_PHRASES
    ends(story)


def test_a_small_vocabulary_begins_with_the_words_that_still_fit(tmpdir):
    story = player_guesses(tmpdir, ())
    story.says("about", "yes")
    known, riddle = mind.load_mind("", "", ()), story.talk["riddle"]["game"]
    (guess, score), offered = riddle["turns"][-1], vocabularies(story)[-1]
    fitting = [word for word in known.wordlist.words if JOTTO.score(guess, word) == tuple(score)]
    assert set(map(as_native, fitting[:100])).difference(LINES.list_phrases(["stop"])) <= set(offered)
    ends(story)


def test_a_typed_game_has_the_whole_list(tmpdir):
    story = player_guesses(tmpdir, (), typed=True)
    assert len(vocabularies(story)[-1]) > 2500
    ends(story)


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_a_small_vocabulary_lacks_no_answer_and_no_command(code):
    """Only words of the list may be left out."""
    lines = mind.load_lines(code)
    for state in STATES:
        for is_doubt in (False, True):
            asked = list_meanings(state, is_doubt) + list(AFTER_WAIT)
            assert len(lines.list_phrases(filter(None, asked))) < MAX_UNMEASURED_PHRASES / 2
