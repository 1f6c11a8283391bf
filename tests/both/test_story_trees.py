"""The robot walks a tree: every word in as many attempts as the tree takes, and the game goes on without it."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os

import pytest
from engine_trees import file_of, plan_of, turns_of
from story import EASY, Story, write

from jotto import compat, explain, feedback, tree
from jotto import words as wordlist
from jotto.compat import as_native
from jotto.rules import JOTTO, MASTERMIND
from jotto_behaviour import mind

#: Asks words that cannot be the secret, where they tell more.
PLAN = plan_of(EASY, JOTTO, 4, EASY)


def learnt(secret, plan=PLAN):
    """List the turns of a game on the plan."""
    return turns_of(plan, JOTTO, secret)


def surprising():
    """Find a secret, and the number of a turn whose guess cannot be the word by the turns before."""
    for secret in EASY:
        turns = learnt(secret)
        for number, (guess, _) in enumerate(turns):
            if explain.find_clashes(guess, turns[:number], JOTTO):
                return secret, number
    raise AssertionError("The plan asks nothing that cannot be the word; take another seed.")


def walking(folder, content=None, words=EASY):
    """Make a story with these words and the tree beside them."""
    story = Story(folder, words=words)
    story.settings["strategy"] = "tree"
    path = as_native(os.path.join(story.folder, "words.tree"))
    with io.open(path, "wb") as target:
        target.write(file_of(PLAN, EASY, JOTTO, "words") if content is None else content)
    return story


def logged(story):
    """List the lines NAO wrote to the log."""
    return ["%s" % event.fields["text"] for event in story.robot.trace.of("log")]


def test_every_word_takes_as_many_attempts_as_the_tree_says(tmpdir):
    with walking(tmpdir) as story:
        story.begins()
        for number, secret in enumerate(EASY, 1):
            story.plays(secret)
            assert story.guess == secret
            assert [guess for guess, _ in story.score] + [secret] == [guess for guess, _ in learnt(secret)]
            story.says("yes" if number < len(EASY) else "no")


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


def test_the_default_list_has_trees_and_nao_walks_the_one_its_seed_draws(tmpdir):
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


DAMAGED = file_of(PLAN, EASY, JOTTO)[:-9] + b"123456789"
OTHER = file_of(PLAN, EASY, JOTTO)[:200]
CODES = tree.list_codes(MASTERMIND)[:20]


@pytest.mark.parametrize(
    "content, reason",
    [
        (b"", "not a tree file"),
        (b"ocean\n" * 50, "not a tree file"),
        (DAMAGED, "damaged"),
        (OTHER, "cut off"),
        (file_of(PLAN, EASY, JOTTO).replace(b"jotto tree 1", b"jotto tree 2"), "version '2'"),
        (file_of(plan_of(EASY[1:], JOTTO, 1), EASY[1:], JOTTO, "theirs"), "other words ('theirs', 11 of them)"),
        (file_of(plan_of(CODES, MASTERMIND, 1), CODES, MASTERMIND), "rules 'mastermind'"),
    ],
)
def test_a_tree_that_cannot_be_used_stops_no_game(content, reason, tmpdir):
    with walking(tmpdir, content) as story:
        story.breaks = True
        story.begins()
        story.hears("hello")
        assert len(logged(story)) == 1 and reason in logged(story)[0]
        assert logged(story)[0].startswith("The tree 'words.tree' is not used: ")
        story.plays("ocean")
        assert story.guess == "ocean" and story.behaviour.failures == []
        story.says("no")


def test_a_list_without_a_tree_is_played_without_a_word(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins(strategy="tree")
        story.plays("ocean")
        assert story.guess == "ocean"
        story.says("no")


def stands_before(story, secret, number):
    """Answer honestly until NAO asks the guess of that turn."""
    story.says("ready")
    for _ in range(number):
        story.plays(secret, until="both")
        story.answers(story.answer(secret))
    assert story.guess == learnt(secret)[number][0]


def test_yes_to_what_cannot_be_the_word_is_asked_back(tmpdir):
    secret, number = surprising()
    with walking(tmpdir) as story:
        story.begins()
        stands_before(story, secret, number)
        assert story.has_said("trial")
        story.says("that's my word")
        story.hears("did you say")
        story.says("no")
        assert (story.state, story.guess) == ("exact", learnt(secret)[number][0])
        story.says("go back", "yes")
        story.hears("did you say")
        story.says("no")
        assert (story.state, story.guess) == ("word", learnt(secret)[number][0])
        story.plays(secret)
        assert [guess for guess, _ in story.score] + [story.guess] == [guess for guess, _ in learnt(secret)]
        story.says("no")


@pytest.mark.parametrize("yes", [("that's my word",), ("five",), ("go back", "yes"), ("go back", "no", "five")])
def test_yes_again_wins_and_the_answer_that_was_wrong_is_named(yes, tmpdir):
    secret, number = surprising()
    with walking(tmpdir) as story:
        story.begins()
        stands_before(story, secret, number)
        asked = story.guess
        story.says(*yes)
        story.hears("did you say")
        story.says("yes")
        story.hears("wonderful", "would have said", "play again")
        assert explain.find_clashes(asked, learnt(secret)[:number], JOTTO)[0].guess in story.heard
        assert (story.guess, story.get("Attempts")) == (asked, number + 1)
        story.says("no")


def test_yes_to_what_may_be_the_word_is_believed(tmpdir):
    with walking(tmpdir) as story:
        story.begins()
        story.says("ready", "yes")
        story.hears("wonderful, at once", "play again")
        assert not story.has_said("would have said")
        story.says("no")


def test_a_corrected_answer_leads_off_the_tree_and_the_word_is_found(tmpdir):
    secret = next(secret for secret in EASY if len(learnt(secret)) > 3)
    with walking(tmpdir) as story:
        story.begins()
        story.says("ready", "no", "four")
        story.plays(secret, until="doubtful")
        story.plays(secret)
        assert story.guess == secret
        story.says("no")


def test_a_learned_word_is_found_off_the_tree_and_the_others_on_it(tmpdir):
    write(tmpdir, "own.txt", ["whole"])
    with walking(tmpdir) as story:
        story.begins()
        for secret in ("whole",) + EASY[:4]:
            story.plays(secret)
            assert story.guess == secret
            if secret != "whole":
                assert len(story.score) + 1 == len(learnt(secret))
            story.says("yes" if secret != EASY[3] else "no")


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
