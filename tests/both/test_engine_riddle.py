"""The game with roles exchanged: answers come from the secret, hints are counted, and saved games are checked."""

from __future__ import absolute_import, division, print_function, unicode_literals

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotto import feedback
from jotto import game as games
from jotto.rules import JOTTO, MASTERMIND, GameOrderError, JottoError, SavedGameError

WORDS = ("ocean", "canoe", "bread", "light", "money", "quick")


def begun(secret="ocean", rules=JOTTO):
    return games.Riddle(games.start_game(rules, "en", "", 1), secret, 0)


@given(st.lists(st.sampled_from(WORDS[1:]), max_size=8))
def test_every_guess_is_counted_once_and_scored_right(guesses):
    one = begun()
    for number, guess in enumerate(guesses, 1):
        one = one.guess(guess)
        assert tuple(one.feedback) == tuple(feedback.score_places_slowly(guess, "ocean"))
        assert len(one.game.turns) == number and not one.is_solved
    one = one.guess("ocean")
    assert one.is_solved and one.game.attempts == len(guesses) + 1


@pytest.mark.parametrize("word", ["", "oc", "oceans", "hello", "o-ean", "OCEAN"])
def test_what_may_not_be_guessed_costs_nothing(word):
    with pytest.raises(JottoError):
        begun().guess(word)


def test_a_solved_riddle_takes_no_more_guesses_and_can_be_taken_back():
    solved = begun().guess("bread").guess("ocean")
    with pytest.raises(GameOrderError):
        solved.guess("light")
    again = solved.take_back()
    assert not again.is_solved and len(again.game.turns) == 1
    assert not again.take_back().game.turns
    with pytest.raises(GameOrderError):
        begun().take_back()


def test_hints_tell_every_letter_and_then_every_place():
    one, hints = begun(), []
    while one.hint() is not None:
        hints.append(one.hint())
        one = one.hinted()
    assert sorted(hint.symbol for hint in hints[:5]) == sorted("ocean")
    assert all(hint.place is None for hint in hints[:5])
    assert [("ocean"[hint.place], hint.symbol) for hint in hints[5:]] == [(hint.symbol,) * 2 for hint in hints[5:]]
    assert len(hints) == 10 and one.hints == 10


def test_the_seed_chooses_the_secret():
    drawn = {games.start_riddle(games.start_game(JOTTO, "en", "", seed), WORDS).secret for seed in range(60)}
    assert drawn == set(WORDS)
    game = games.start_game(JOTTO, "en", "", 7)
    assert games.start_riddle(game, WORDS) == games.start_riddle(game, WORDS)


@pytest.mark.parametrize(
    "one",
    [
        begun(),
        begun().guess("bread").hinted(),
        begun().guess("ocean"),
        begun("VVYG".lower(), MASTERMIND._replace(alphabet="roygbv")).guess("gybg"),
    ],
)
def test_what_is_saved_is_read_back(one):
    assert games.read_riddle(json.loads(json.dumps(one.plain()))) == one


@pytest.mark.parametrize(
    "change",
    [
        {"secret": "hello"},
        {"secret": 5},
        {"secret": "light"},
        {"hints": -1},
        {"hints": None},
        {"hints": True},
        {"game": {}},
        {"game": None},
    ],
)
def test_what_was_saved_and_does_not_fit_is_refused(change):
    plain = dict(begun().guess("bread").plain(), **change)
    with pytest.raises(SavedGameError):
        games.read_riddle(plain)
    with pytest.raises(SavedGameError):
        games.read_riddle([plain])
