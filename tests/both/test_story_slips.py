"""NAO plays on though an answer was wrong: on the robot, with its own list and tree."""

from __future__ import absolute_import, division, print_function, unicode_literals

import json

import pytest
from story import TOUCH_ONLY, Story

from jotto import compat
from jotto_behaviour import mind


@pytest.mark.parametrize("secret", ["ocean", "champ"])
def test_the_word_is_found_and_the_wrong_answer_named(secret, tmpdir):
    def plays_on(story, secret):
        """Give the first guess four in place, then answer rightly until NAO says that something is off."""
        story.begins(strategy="")
        story.plays(secret, until="both")
        wrong = story.guess
        story.says(*("four and zero",))
        while not story.has_said("may be off"):
            assert story.state in ("word", "both") and story.guess != secret
            story.answers(story.answer(secret))
        return wrong

    with Story(tmpdir) as story:
        wrong = plays_on(story, secret)
        assert story.get("CandidatesLeft") == 0
        story.plays(secret)
        story.hears("wonderful", "would have said", "play again")
        assert story.guess == secret and "For %s, I'd say" % wrong in story.heard
        assert not [said for said in story.said() if "Is that right" in said]
        story.says("no")


@pytest.mark.only_python_3
def test_all_of_it_with_the_head_alone(tmpdir):
    secrets = compat.draw_items(mind.load_mind("", "", ()).wordlist.words, 3, 5, "touched")
    with Story(tmpdir, without=TOUCH_ONLY) as story:
        story.begins(strategy="")
        for secret in secrets:
            story.plays_by_touch(secret, until="word")
            story.touches("RearTactilTouched")
            story.taps(0)
            story.taps(0)
            assert story.score[-1][1] == (0, 0)
            story.plays_by_touch(secret)
            assert story.guess == secret
            story.touches("FrontTactilTouched" if secret != secrets[-1] else "RearTactilTouched")
        assert [json.loads(line)["guess"] for line in story.note("games.jsonl").splitlines()] == secrets
