"""The robot walks a tree: every word in as many attempts as the tree takes, and the game goes on without it."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os

import pytest
from engine_trees import file_of, plan_of, turns_of
from story import EASY, Story

from jotto import compat, feedback, tree, words as wordlist
from jotto.compat import as_native
from jotto.rules import JOTTO
from jotto_behaviour import mind

#: Asks words that cannot be the secret, where they tell more.
PLAN = plan_of(EASY, JOTTO, 4, EASY)


def walking(folder, content=None, words=EASY):
    """Make a story with these words and the tree beside them."""
    story = Story(folder, words=words)
    story.settings["strategy"] = "tree"
    path = as_native(os.path.join(story.folder, "words.tree"))
    with io.open(path, "wb") as target:
        target.write(file_of(PLAN, EASY, JOTTO, "words") if content is None else content)
    return story


@pytest.mark.only_python_3
def test_every_word_takes_as_many_attempts_as_the_tree_says(tmpdir):
    def learnt(secret, plan=PLAN):
        """List the turns of a game on the plan."""
        return turns_of(plan, JOTTO, secret)

    with walking(tmpdir) as story:
        story.begins()
        for number, secret in enumerate(EASY, 1):
            story.plays(secret)
            assert story.guess == secret
            assert [guess for guess, _ in story.score] + [secret] == [guess for guess, _ in learnt(secret)]
            story.says("yes" if number < len(EASY) else "no")


def test_the_default_list_has_trees_and_nao_walks_the_one_its_seed_draws(tmpdir):
    def shipped():
        """Read the default list and its trees."""
        place = mind.get_default_list()
        with io.open(place, "rb") as source:
            words = wordlist.parse_word_list(source.read(), JOTTO, "en").wordlist.words
        walked = []
        for path in mind.list_tree_paths(place):
            with io.open(path, "rb") as source:
                walked.append(tree.read_tree(source.read()).bound_to(words, JOTTO))
        return words, walked

    words, drawn = shipped()
    secrets = compat.draw_items(words, 6, 3, "walks")
    with Story(tmpdir) as story:
        story.begins(strategy="")
        for number, secret in enumerate(secrets):
            story.plays(secret)
            # The next game has the next seed.
            walked = compat.draw_item(drawn, story.settings["seed"] + number, "tree")
            node, path = 0, []
            while walked.word(node) != secret:
                path.append(walked.word(node))
                node = walked.child(node, feedback.score_places_slowly(path[-1], secret))
            assert [guess for guess, _ in story.score] == path
            story.says("yes" if secret != secrets[-1] else "no")


def test_a_tree_that_cannot_be_used_stops_no_game(tmpdir):
    damaged = file_of(PLAN, EASY, JOTTO)[:-9] + b"123456789"
    theirs = file_of(plan_of(EASY[1:], JOTTO, 1), EASY[1:], JOTTO, "theirs")
    for content, reason in ((damaged, "damaged"), (theirs, "other words ('theirs', 11 of them)")):
        with walking(tmpdir, content) as story:
            story.breaks = True
            story.begins()
            story.hears("hello")
            (line,) = ["%s" % event.fields["text"] for event in story.robot.trace.of("log")]
            assert line.startswith("The tree 'words.tree' is not used: ") and reason in line
            story.plays("ocean")
            assert story.guess == "ocean" and story.behaviour.failures == []
            story.says("no")


@pytest.mark.only_python_3
def test_a_blocked_word_is_never_asked_though_the_tree_would(tmpdir, monkeypatch):
    rude = wordlist.BlockList(frozenset([wordlist.hash_blocked_word(PLAN[0])]))
    monkeypatch.setattr(mind, "_KEPT", {})
    monkeypatch.setattr(mind, "load_block_list", lambda language="en": rude)
    others = [secret for secret in EASY if secret != PLAN[0]]
    with walking(tmpdir) as story:
        story.begins()
        for secret in others:
            story.plays(secret)
            assert story.guess == secret and PLAN[0] not in dict(story.score)
            story.says("yes" if secret != others[-1] else "no")
