"""The sealed note: NAO checks how the player counts, and the right score given in answer to "Is that right?"."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from story import EASY, LINES, Story

from jotto.rules import JOTTO

SECRET = "hotel"


@pytest.fixture
def story(tmpdir):
    with Story(tmpdir, words=EASY) as visit:
        visit.begins()
        visit.says("you guess", "check my counting")
        yield visit
        if not visit.is_over:
            visit.stops()


def seals(story, word=SECRET):
    story.says(*[LINES.letters[letter] for letter in word])


def score_of(story):
    return "%d %d" % tuple(JOTTO.score(story.guess, SECRET))


def wrong_score(story):
    return next(pair for pair in ("0 1", "1 1") if pair != score_of(story))


def in_words(pair):
    return LINES.phrases([pair])[0]


def test_a_wrong_score_is_counted_again_and_a_right_one_is_taken(story):
    seals(story)
    story.hears("note sealed")
    story.says("no", in_words(wrong_score(story)))
    story.hears("count once more", "in place")
    assert story.state == "exact" and story.score == []
    story.says(in_words(score_of(story)))
    assert [" ".join(map(str, score)) for _, score in story.score] == [
        "%d %d" % tuple(JOTTO.score(story.score[0][0], SECRET))
    ]


def test_a_player_who_insists_is_believed_and_the_next_guess_is_checked_again(story):
    seals(story)
    wrong = wrong_score(story)
    story.says("no", in_words(wrong), in_words(wrong))
    assert len(story.score) == 1
    while story.state == "doubtful":
        story.says("yes")
    if story.state == "word" and story.guess != SECRET:
        story.says("no", in_words(wrong_score(story)))
        story.hears("count once more")


def test_a_wrong_score_is_counted_again_after_a_step_back_too(story):
    seals(story)
    wrong = in_words(wrong_score(story))
    story.says("no", wrong)
    story.hears("count once more", "in place")
    story.says("take it back")
    assert story.state == "word"
    story.says("no", wrong)
    story.hears("count once more", "in place")
    assert story.score == []


def test_nao_guesses_as_if_there_were_no_note(story):
    seals(story)
    first = story.guess
    story.plays(SECRET)
    assert story.guess == SECRET and story.state == "again" and first in EASY
    # The note is for one game.
    story.says("yes")
    assert story.talk["sealed"] == ""


@pytest.mark.parametrize("spelled, said", [("ee", "spell, next"), ("eerie", "repeated letter")])
def test_a_note_must_be_a_word_of_five_different_letters(story, spelled, said):
    seals(story, spelled)
    story.hears(said)
    assert story.state == "sealed note" and story.talk["sealed"] == ""
    story.says("cancel")
    assert story.state == "ready"


def test_the_right_score_answers_is_that_right(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.reaches("doubtful")
        story.says("one and one")
        assert story.score[0][1] == (1, 1) and story.state != "exact"
        story.hears("corrected")
        story.stops()


def test_the_same_score_means_that_it_is_right(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.reaches("doubtful")
        story.says("zero and zero")
        assert story.score[0][1] == (0, 0) and not story.has_said("corrected")
        story.stops()


@pytest.mark.parametrize("phrase", ["what are the rules", "how do I play", "how do I count"])
@pytest.mark.parametrize("state", ["role", "word", "misplaced", "your guess", "again"])
def test_the_rules_are_told_at_any_moment(state, phrase, tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.reaches(state)
        story.says(phrase)
        story.hears("help, rules")
        assert story.state == state
        story.stops()
