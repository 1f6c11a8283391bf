"""Whole games: the word is found or missed, an answer was wrong, the word was unknown."""

from __future__ import absolute_import, division, print_function, unicode_literals

import json

import pytest
from story import BEHAVIOUR, EASY, Story, judged_once

from jotto.compat import as_native

SECRETS = ("ocean", "champ")


@pytest.mark.parametrize("strategy", ["entropy", "consistent"])
@pytest.mark.parametrize("secret", SECRETS)
def test_the_word_is_found(secret, strategy, tmpdir):
    with Story(tmpdir) as story:
        story.begins(strategy=strategy, seed=len(secret) + SECRETS.index(secret))
        story.hears("hello", "who guesses")
        story.plays(secret)
        story.hears("play again")
        assert story.guess == secret
        assert story.get("Attempts") == len(story.score) + 1 < 15
        story.says("no")
        story.hears("goodbye")
        assert json.loads(story.note("games.jsonl"))["guess"] == secret
        assert not story.note("unfinished.json")


@pytest.mark.only_python_3
def test_the_same_seed_gives_the_same_game(tmpdir):
    games = []
    for seed in (3, 3, 4):
        with Story(tmpdir) as story:
            story.begins_anew(seed=seed)
            story.plays("ocean")
            games.append((story.said(), story.score))
            story.says("no")
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize("turn", [0, 1])
def test_one_wrong_answer_is_named_put_right_and_the_word_found(turn, tmpdir):
    with Story(tmpdir) as story:
        story.begins()
        for _ in range(turn):
            story.plays("ocean", until="word")
            story.plays("ocean", until="both")
            story.answers(story.answer("ocean"))
        story.plays("ocean", until="both")
        wrong = story.guess
        story.says("zero", "zero")
        story.plays("ocean", until="doubtful")
        story.hears("nothing fits", "is this right")
        while story.guess != wrong:
            story.says("yes")
            assert story.state == "doubtful"
        story.says("no")
        assert story.state in ("both", "exact")
        story.plays("ocean", until="word")
        story.hears("corrected")
        story.plays("ocean")
        story.hears("wonderful")
        assert story.guess == "ocean"
        story.says("no")


def test_an_unknown_word_is_learned_and_known_next_time(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.habits["tell"] = "yes"
        story.plays("whole", until="doubtful")
        while story.state == "doubtful":
            story.says("yes")
        story.hears("not in my list", "tell me")
        story.plays("whole", until="spelled")
        story.hears("spelled")
        assert "W, H, O, L, E" in story.heard and "whole" in story.heard
        story.says("yes")
        story.hears("fits but unknown", "learned", "play again")
        assert story.note("own.txt") == "whole\n"
        story.says("yes")
        story.hears("new word")
        story.plays("whole")
        story.hears("wonderful")
        assert story.guess == "whole"
        story.says("no")
        assert story.note("own.txt") == "whole\n"
        assert len(story.note("games.jsonl").splitlines()) == 2
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.plays("whole")
        assert story.guess == "whole"
        story.says("no")


@pytest.mark.only_python_3
def test_the_level_of_an_unfinished_game_stays_and_the_next_one_has_the_one_wanted(tmpdir):
    with Story(tmpdir) as story:
        story.begins(level="easy", role="maker", strategy="")
        assert story.talk["level"] == "easy"
        story.says("ocean", "stop", "yes")
        story.begins(level="hard", role="maker")
        story.says("yes")
        assert story.talk["level"] == "easy"
        story.says("give up", "yes", "yes")
        assert story.talk["level"] == "hard"
        assert json.loads(story.note("games.jsonl"))["level"] == "easy"
        story.says("stop", "yes")


def test_the_box_says_the_level_if_nothing_else_does(tmpdir):
    for wanted, level in (({}, "easy"), ({"level": ""}, "easy"), ({"level": "hard"}, "hard")):
        with Story(tmpdir.mkdir("%d notes" % len(tmpdir.listdir()))) as story:
            with judged_once():
                story.behaviour = story.robot.load(as_native(BEHAVIOUR), parameters={"Level": "easy"})
            story.begins(**wanted)
            assert story.talk["level"] == level, wanted
            story.says("stop", "yes")
