"""Alphabet words that are words of the list, such as hotel: every secret can be said, and every secret spelled."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from talk_stage import LINES, Stage

from jotto import game as games
from jotto.game import Riddle
from jotto.rules import JOTTO
from jotto_behaviour import conversation, hearing
from jotto_behaviour import mind as resources
from jotto_behaviour.states import ANY_WORD
from jotto_behaviour.talk import Talk

WORDS = ("ocean", "hotel", "delta", "heart", "hands", "dozen", "delay", "wrong", "table", "bread", "canoe", "mouse")


def maker():
    """Make a stage on which NAO has a word that is none of those said here."""
    stage = Stage(WORDS, seed=1).hear("I guess")
    assert stage.talk.riddle.secret not in ("hotel", "delta", "heart", "dozen"), "choose another seed"
    return stage


def says(stage, *phrases):
    """Let the player say phrases, understood as NAO's ears would."""
    for phrase in phrases:
        heard = understood(stage.talk, stage.mind, phrase)
        assert heard.meaning is not None, "%s is not understood in %s" % (phrase, stage.state)
        stage.answer(heard)
    return stage


def understood(now, mind, phrase):
    wanted = conversation.list_awaited_meanings(now)
    words = hearing.list_sayable_words(wanted, mind, LINES)
    return hearing.understand_phrase(phrase, 0.9, wanted, LINES, words.words if words else ())


def guesses(stage):
    return [turn.guess for turn in stage.talk.riddle.game.turns]


@pytest.mark.parametrize(
    "said, lines, spelled",
    [
        (["hotel"], ["word or letter?"], "hotel"),
        (["hotel", "no"], ["spell on"], "h"),
        (["hotel", "H"], ["spell on"], "h"),
        (["hotel", "oscar"], ["spell, next"], "ho"),
        (["hotel", "delta"], ["spell, next"], "hd"),
        (["hotel", "cancel"], ["letters dropped", "your guess, shortly"], ""),
        (["hotel", "back one"], ["letters dropped", "your guess, shortly"], ""),
        (["hotel", "go back"], ["letters dropped", "your guess, shortly"], ""),
        (["hotel", "I made a mistake"], ["letters dropped", "your guess, shortly"], ""),
        (["hotel", "repeat"], ["word or letter?"], "hotel"),
        (["hotel", "help"], ["help, word or letter?", "word or letter?, shortly"], "hotel"),
        (["H"], ["spell, next"], "h"),
        (["oscar", "hotel"], ["spell, next"], "oh"),
        (["alpha"], ["spell, next"], "a"),
    ],
)
def test_an_alphabet_word_is_a_letter_or_asked_about(said, lines, spelled):
    stage = says(maker(), *said)
    assert (stage.said, stage.talk.spelled, guesses(stage)) == (lines, spelled, [])


@pytest.mark.parametrize(
    "said, guess",
    [
        (["hotel", "yes"], "hotel"),
        (["hotel", "hotel"], "hotel"),
        (["delta", "that's right"], "delta"),
        (["hotel", "dozen"], "dozen"),
        (["delta", "go back", "hotel", "hotel"], "hotel"),
        (["hotel", "oscar", "tango", "echo", "lima", "yes"], "hotel"),
        (["H", "E", "A", "R", "T", "yes"], "heart"),
        (["hotel", "echo", "A", "romeo", "tango", "yes"], "heart"),
        (["wrong"], "wrong"),
    ],
)
def test_an_alphabet_word_is_the_guess_where_it_is_meant(said, guess):
    stage = says(maker(), *said)
    assert guesses(stage) == [guess] and stage.state == "your guess"


def test_silence_and_misses_are_answered_there_too():
    stage = says(maker(), "hotel").quiet()
    assert stage.said == ["word or letter?, shortly"]
    assert stage.quiet().said == ["word or letter?, example"]
    assert stage.quiet().said == ["pause"]
    assert stage.hear("go on").said == ["go on", "word or letter?, shortly"]
    assert stage.miss().said == ["sorry", "word or letter?, shortly"]
    assert says(stage, "hotel").talk.riddle.game.attempts == 1


def test_an_alphabet_word_heard_unsurely_is_asked_back_first():
    stage = maker()
    heard = understood(stage.talk, stage.mind, "hotel")
    assert stage.answer(heard._replace(certainty=hearing.UNSURE)).said == ["did you say"]
    assert says(stage, "yes").said == ["word or letter?"]


def test_the_letters_known_are_said_as_letters():
    """Not "echo and hotel" for E and H: hotel is a guess as well."""
    stage = says(maker(), *["hint"] * 5 + ["what do I know"])
    letters = sorted(stage.talk.riddle.secret.upper())
    assert "Definitely in my word: %s and %s." % (", ".join(letters[:4]), letters[4]) in stage.text
    says(stage, "hotel", "no")
    assert "H. What's letter two?" in stage.text


# Every secret


def riddles():
    """Give a talk, waiting for the first guess, for each word NAO says: it may be thought of or guessed."""
    mind = resources.load_mind("", "consistent", ())
    for number, secret in enumerate(mind.index.chosen(mind.sayable)):
        game = games.start_game(JOTTO, mind.wordlist.name, mind.wordlist.checksum, number)
        yield mind, secret, Talk(game, riddle=Riddle(game, secret, 0), state="your guess")


def test_every_secret_can_be_said():
    asked, count = [], 0
    for mind, secret, now in riddles():
        heard = understood(now, mind, secret)
        after = conversation.step_talk(now, mind, heard)
        if heard.meaning != ANY_WORD:
            asked.append(secret)
            after = conversation.step_talk(after, mind, understood(after, mind, "yes"))
        assert after.state == "judged" and after.riddle.is_solved, secret
        count += 1
    assert count == 2920 and sorted(asked) == ["bravo", "delta", "hotel", "tango"]


def test_every_secret_can_be_spelled():
    heard = {}
    for number, (mind, secret, start) in enumerate(riddles()):
        now = start
        names = [LINES.letters[letter] for letter in secret] if number % 10 else secret.upper()
        for phrase in list(names) + ["yes"]:
            if (now.state, phrase) not in heard:
                heard[now.state, phrase] = understood(now, mind, phrase)
            now = conversation.step_talk(now, mind, heard[now.state, phrase])
        assert now.state == "judged" and now.riddle.is_solved, secret
