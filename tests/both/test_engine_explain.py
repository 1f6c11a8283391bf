"""Why a word is excluded, and which answer contains the slip."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from engine_words import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto import compat, strategies
from jotto.explain import Clash, find_clashes, rank_slips
from jotto.feedback import Feedback
from jotto.game import Turn, start_game
from jotto.index import Index
from jotto.rules import JOTTO, MASTERMIND, PAPER_JOTTO, WORDLE

MODEST = settings(max_examples=50, deadline=None, database=None, derandomize=True)
INDEX = Index(WORDS, JOTTO)


@pytest.mark.parametrize(
    "rules, word, turns, expected",
    [
        (JOTTO, "canoe", [], []),
        (JOTTO, "canoe", [("ocean", (0, 5))], []),
        (JOTTO, "canoe", [("ocean", (1, 2))], [(0, "ocean", (1, 2), (0, 5))]),
        (
            JOTTO,
            "canoe",
            [("ocean", (0, 5)), ("tiger", (1, 0)), ("alone", (2, 2))],
            [(1, "tiger", (1, 0), (0, 1)), (2, "alone", (2, 2), (1, 3))],
        ),
        (PAPER_JOTTO, "canoe", [("alone", 4), ("tiger", 2)], [(1, "tiger", 2, 1)]),
        (WORDLE, "abide", [("speed", "NNPNP"), ("eerie", "PNNPN")], [(1, "eerie", "PNNPN", "NNNPE")]),
        (MASTERMIND, "vvyg", [("yyyy", (2, 0))], [(0, "yyyy", (2, 0), (1, 0))]),
        (
            MASTERMIND._replace(alphabet=tuple(range(6))),
            (0, 1, 2, 3),
            [((3, 3, 3, 3), (0, 1))],
            [(0, (3, 3, 3, 3), (0, 1), (1, 0))],
        ),
    ],
)
def test_clashes(rules, word, turns, expected):
    assert find_clashes(word, turns, rules) == expected


def test_clashes_of_a_game():
    game = start_game(JOTTO, "en", "", 1).ask("ocean").answer((1, 2))
    assert find_clashes("canoe", game.turns, JOTTO) == [Clash(0, "ocean", Feedback(1, 2), Feedback(0, 5))]


@MODEST
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(JOTTO.possible())), max_size=3))
def test_candidates_are_the_words_without_a_clash(turns):
    assert INDEX.chosen(INDEX.candidates(turns)) == [word for word in WORDS if not find_clashes(word, turns, JOTTO)]


def test_a_clear_slip():
    # The word is zebra; "1 and 1" was noted for house instead of "0 and 1".
    turns = [("share", (1, 2)), ("least", (1, 1)), ("house", (1, 1)), ("bread", (0, 4))]
    first = rank_slips(turns, INDEX)[0]
    assert (first.turn, first.guess, first.got, first.meant) == (2, "house", (1, 1), (0, 1))
    assert 0.7 < first.probability < 1


def game_with_a_slip(index, seed, strategy):
    """Play until nothing fits; one of the first three answers is off by at most one in either count."""
    secret = compat.draw_item(index.words, seed, "secret")
    slip = compat.draw_number(3, seed, "turn")
    turns, meant = [], None
    while index.candidates(turns):
        guess = strategy.choose(strategies.Position(index, index.candidates(turns), None, len(turns), seed))
        answer = JOTTO.score(guess, secret)
        if len(turns) == slip:
            meant, close = (
                answer,
                [
                    other
                    for other in JOTTO.possible()
                    if other not in (answer, JOTTO.win)
                    and max(abs(other.exact - answer.exact), abs(other.misplaced - answer.misplaced)) <= 1
                ],
            )
            answer = compat.draw_item(close, seed, "noted")
        elif guess == secret:
            return None
        turns.append(Turn(guess, answer))
    return turns, slip, meant


@pytest.mark.parametrize(
    "name, first, first_two, first_three, meant_too",
    [("consistent", 0.65, 0.85, 0.95, 0.45), ("entropy", 0.65, 0.85, 0.95, 0.45)],
)
def test_the_wrong_turn_comes_early(name, first, first_two, first_three, meant_too):
    played = [game_with_a_slip(INDEX, seed, strategies.find_strategy(name)) for seed in range(150)]
    places = []
    right = 0
    for turns, slip, meant in filter(None, played):
        found = rank_slips(turns, INDEX)
        places.append([turn.turn for turn in found].index(slip))
        right += found[0].turn == slip and found[0].meant == meant
    assert len(places) > 140
    shares = [sum(place < early for place in places) / len(places) for early in (1, 2, 3)]
    assert all(share >= bound for share, bound in zip(shares, (first, first_two, first_three))), shares
    assert right / len(places) >= meant_too


@pytest.mark.parametrize("rules", [JOTTO, PAPER_JOTTO, WORDLE])
def test_slips_of_every_kind_of_answer(rules):
    index = Index(WORDS[:100], rules)
    turns = [(word, rules.score(word, "beach")) for word in ("about", "actor", "basic", "block", "chain")]
    turns.append(("cheap", rules.score("cheap", "birth")))
    found = rank_slips(turns, index)
    assert sorted(slip.turn for slip in found) == [0, 1, 2, 3, 4, 5]
    likely = [round(slip.probability, 9) for slip in found]
    assert likely == sorted(likely, reverse=True)
    assert all(0 <= slip.probability <= 1 and slip.meant != slip.got for slip in found)
    assert (found[0].turn, found[0].meant) == (5, rules.score("cheap", "beach"))


@pytest.mark.parametrize(
    "words, turns, expected",
    [
        ((), [], []),
        (("ocean",), [], []),
        ((), [("ocean", (1, 2))], [(0, "ocean", (1, 2), (1, 2), 0)]),
        (("ocean",), [("canoe", (1, 2))], [(0, "canoe", (1, 2), (0, 5), 1)]),
        (("ocean",), [("canoe", (0, 5))], [(0, "canoe", (0, 5), (0, 5), 0)]),
    ],
)
def test_hardly_any_words_or_turns(words, turns, expected):
    assert rank_slips(turns, Index(words, JOTTO)) == expected


def test_equal_suspicion_keeps_the_order_of_the_turns():
    turns = [("ocean", (1, 2))] * 3
    assert [slip.turn for slip in rank_slips(turns, INDEX)] == [0, 1, 2]


def test_a_long_contradictory_game_still_has_a_suspect():
    turns = [(word, (0, 0)) for word in WORDS[::5]] + [(word, (3, 2)) for word in WORDS[::30]]
    found = rank_slips(turns, INDEX)
    assert len(found) == len(turns) > 100
    assert found[0].probability > 0.5
