"""The other role on the robot: NAO thinks of a word and the player guesses it; and the race, where both do."""

from __future__ import absolute_import, division, print_function, unicode_literals

import json
import re

import pytest
from story import EASY, FRONT, LINES, NO_VOICE, REAR, TOUCH_ONLY, Story, touches, write

from jotto import words
from jotto.compat import as_text
from jotto.rules import JOTTO
from jotto_behaviour import mind


def secret_of(story):
    """Return NAO's word, which stands in ALMemory for NAO alone."""
    return story.talk["riddle"]["secret"]


def others(story):
    """List the words that are not NAO's."""
    return [word for word in EASY if word != secret_of(story)]


def spells(story, word):
    """Spell a word with the pilots' alphabet."""
    return story.says(*[LINES.letters[letter] for letter in word])


def counted(story):
    """List the player's guesses that count, with their scores."""
    return [(guess, tuple(score)) for guess, score in story.talk["riddle"]["game"]["turns"]]


def scored(story, guess):
    """Return what NAO must have said of a guess."""
    exact, misplaced = JOTTO.score(guess, secret_of(story))
    if not exact + misplaced:
        return story.hears("your score, none")
    said = tuple(LINES.number(number) if number else "none" for number in (exact, misplaced))
    wanted = "%s.* %s in (?:the right )?place.* %s in the wrong" % ((guess,) + said)
    assert re.search(wanted, story.heard.lower()), (story.heard, guess, exact, misplaced)
    return story.hears("your score")


def test_a_whole_game(story):
    def seen_by_all(story):
        """Return every value in ALMemory under Jotto/ that onlookers read, and all NAO said."""
        keys = ("Attempts", "Guess", "Score", "State", "CandidatesLeft")
        return " ".join(["%s" % story.get(key) for key in keys] + story.said())

    story.hears("hello", "who guesses")
    story.says("my turn to guess")
    story.hears("I have a word", "your guess")
    assert (story.state, story.get("Attempts"), story.guess, story.get("Score")) == ("your guess", 0, "", "")
    secret = secret_of(story)
    for number, guess in enumerate(others(story)[:4], 1):
        story.says(guess)
        scored(story, guess)
        assert (story.guess, story.get("Attempts")) == (guess, number)
        assert story.get("Score") == "%d %d" % JOTTO.score(guess, secret)
        assert secret not in seen_by_all(story)
    assert 0 < story.get("CandidatesLeft") < len(EASY)
    story.says(secret)
    story.hears("well guessed", "play again")
    assert "5 guesses" in story.heard and story.guess == secret
    story.says("no")
    story.hears("goodbye")
    noted = json.loads(story.note("games.jsonl"))
    assert (noted["secret"], noted["hints"], len(noted["game"]["turns"])) == (secret, 0, 4)
    assert not story.note("unfinished.json")


@pytest.mark.parametrize("without", [NO_VOICE, TOUCH_ONLY])
def test_the_same_without_a_voice(without, tmpdir):
    with Story(tmpdir, words=EASY, without=without) as story:
        story.begins()
        story.touches(REAR) if without == TOUCH_ONLY else story.says("my turn to guess")
        guess, secret = others(story)[0], secret_of(story)
        for word in (guess, secret):
            if without == NO_VOICE:
                story.says(word)
            else:
                for letter in word:
                    story.touches(*touches(letter))
                assert story.state == "your word?" and word in story.heard
                story.touches(FRONT)
        story.hears("well guessed", "play again")
        assert counted(story) == [(guess, JOTTO.score(guess, secret))]
        story.touches(REAR)


def test_the_player_wins_a_race(story):
    story.says("race")
    story.hears("a race", "think of a word")
    story.says("ready")
    story.hears("I have a word, too", "your guess")
    secret, guess = secret_of(story), others(story)[0]
    story.says(guess)
    scored(story, guess)
    assert story.state == "word" and story.get("Attempts") == 1
    mine = next(word for word in EASY if word != story.guess)
    exact, misplaced = JOTTO.score(story.guess, mine)
    asked = story.guess
    story.says("no", LINES.number(exact), LINES.number(misplaced))
    assert (story.state, story.score) == ("your guess", [(asked, (exact, misplaced))])
    assert (story.guess, len(counted(story))) == (guess, 1)
    story.says(secret)
    story.hears("well guessed", "race lost", "play again")
    assert "2 guesses" in story.heard
    story.says("no")
    assert len(story.note("games.jsonl").splitlines()) == 2


def test_own_words_and_blocked_ones(tmpdir, monkeypatch):
    rude = words.BlockList(frozenset([words.hash_blocked_word("bread")]))
    monkeypatch.setattr(mind, "load_block_list", lambda language="en": rude)
    with Story(tmpdir, words=EASY + ("whack",)) as story:
        write(tmpdir, "own.txt", ["fjord"])
        story.begins(role="maker", seed=70)
        heard = [as_text(word) for word in story.robot.ears().vocabulary]
        assert {"ocean", "whack", "fjord"} <= set(heard) and "bread" not in heard
        spells(story, "bread")
        story.hears("not such a word")
        assert counted(story) == [] and not any("bread" in text for text in story.said())
        story.stops()


def test_the_usual_list_is_heard_and_alphabet_words_are_letters_too(tmpdir):
    with Story(tmpdir) as story:
        story.begins(role="maker")
        heard = [as_text(word).lower() for word in story.robot.ears().vocabulary]
        assert len(heard) > 2500 and len(heard) == len(set(heard))
        story.says("hotel")
        story.hears("word or letter?")
        assert (story.state, counted(story)) == ("word or letter?", [])
        story.says("oscar")
        assert (story.state, story.talk["spelled"]) == ("your guess", "ho")
        story.says("cancel")
        spells(story, "hotel")
        story.says("yes")
        assert [guess for guess, _ in counted(story)] == ["hotel"] or story.state == "again"
        story.stops()
