"""Two games at once, and games one after the other: they do not affect each other."""

from __future__ import absolute_import, division, print_function, unicode_literals

import os

from story import EASY, Story, write


def alone(folder, secret, **settings):
    """Return what NAO says in a game of its own."""
    with Story(folder, words=EASY) as story:
        story.begins(**settings)
        story.plays(secret)
        story.says("no")
        return story.said()


def test_two_robots_take_turns(tmpdir):
    folders = [tmpdir.mkdir(name) for name in ("one", "two", "three", "four")]
    wanted = alone(folders[2], "money", seed=1), alone(folders[3], "heart", seed=2)
    with Story(folders[0], words=EASY) as first, Story(folders[1], words=EASY) as second:
        first.begins(seed=1)
        second.begins(seed=2)
        while not (first.is_over and second.is_over):
            for story, secret in ((first, "money"), (second, "heart")):
                if not story.is_over:
                    story.answers(story.answer(secret))
        assert (first.said(), second.said()) == wanted


def test_a_game_thrown_away_in_the_middle(tmpdir):
    """A robot that is switched off in mid-game, with its behaviour running."""
    story = Story(tmpdir, words=EASY)
    story.begins()
    story.says("ready", "no")
    story.robot.close()
    assert alone(tmpdir.mkdir("next"), "money", seed=5)


def test_a_word_list_that_grows_between_two_games(tmpdir):
    path = write(tmpdir, "words.txt", EASY)
    with Story(tmpdir) as story:
        story.begins(words=path)
        assert story.get("CandidatesLeft") == len(EASY)
        story.stops()
        write(tmpdir, "words.txt", EASY + ("whole",))
        os.utime(path, (1, 1))
        story.begins_anew(words=path)
        assert story.get("CandidatesLeft") == len(EASY) + 1
        story.stops()
