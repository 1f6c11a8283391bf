"""What is certain about a word, which answers disagree with it, and what a guess leaves."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools

import pytest
from engine_words import WORDS
from hypothesis import given, settings, strategies as st

from jotto import compat, explain, feedback, game as games, strategies
from jotto.explain import Clash, find_clashes, rank_slips
from jotto.feedback import Feedback
from jotto.game import Turn, start_game
from jotto.index import Index
from jotto.rules import JOTTO, MASTERMIND, PAPER_JOTTO, WORDLE

INDEX = Index(WORDS, JOTTO)


def test_clashes():
    for rules, word, turns, expected in (
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
    ):
        assert find_clashes(word, turns, rules) == expected, (rules, word, turns, expected)


def test_clashes_of_a_game():
    game = start_game(JOTTO, "en", "", 1).ask("ocean").answer((1, 2))
    assert find_clashes("canoe", game.turns, JOTTO) == [Clash(0, "ocean", Feedback(1, 2), Feedback(0, 5))]


@pytest.mark.only_python_3
@settings(max_examples=50, deadline=None, database=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(JOTTO.possible())), max_size=3))
def test_candidates_are_the_words_without_a_clash(turns):
    assert INDEX.chosen(INDEX.candidates(turns)) == [word for word in WORDS if not find_clashes(word, turns, JOTTO)]


def test_a_clear_slip():
    # The word is zebra; "1 and 1" was noted for house instead of "0 and 1".
    turns = [("share", (1, 2)), ("least", (1, 1)), ("house", (1, 1)), ("bread", (0, 4))]
    first = rank_slips(turns, INDEX)[0]
    assert (first.turn, first.guess, first.got, first.meant) == (2, "house", (1, 1), (0, 1))
    assert 0.7 < first.probability < 1


@pytest.mark.only_python_3
def test_the_wrong_turn_comes_early():
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

    for name, first, first_two, first_three, meant_too in (
        ("consistent", 0.65, 0.85, 0.95, 0.45),
        ("entropy", 0.65, 0.85, 0.95, 0.45),
    ):
        played = [game_with_a_slip(INDEX, seed, strategies.find_strategy(name)) for seed in range(80)]
        places = []
        right = 0
        for turns, slip, meant in filter(None, played):
            found = rank_slips(turns, INDEX)
            places.append([turn.turn for turn in found].index(slip))
            right += found[0].turn == slip and found[0].meant == meant
        assert len(places) > 70, (name, first, first_two, first_three, meant_too)
        shares = [sum(place < early for place in places) / len(places) for early in (1, 2, 3)]
        assert all(share >= bound for share, bound in zip(shares, (first, first_two, first_three))), shares
        assert right / len(places) >= meant_too, (name, first, first_two, first_three, meant_too)


def test_slips_of_every_kind_of_answer():
    for rules in (JOTTO, PAPER_JOTTO, WORDLE):
        index = Index(WORDS[:100], rules)
        turns = [(word, rules.score(word, "beach")) for word in ("about", "actor", "basic", "block", "chain")]
        turns.append(("cheap", rules.score("cheap", "birth")))
        found = rank_slips(turns, index)
        assert sorted(slip.turn for slip in found) == [0, 1, 2, 3, 4, 5], rules
        likely = [round(slip.probability, 9) for slip in found]
        assert likely == sorted(likely, reverse=True), rules
        assert all(0 <= slip.probability <= 1 and slip.meant != slip.got for slip in found), rules
        assert (found[0].turn, found[0].meant) == (5, rules.score("cheap", "beach")), rules


def test_hardly_any_words_or_turns():
    for words, turns, expected in (
        ((), [], []),
        (("ocean",), [], []),
        ((), [("ocean", (1, 2))], [(0, "ocean", (1, 2), (1, 2), 0)]),
        (("ocean",), [("canoe", (1, 2))], [(0, "canoe", (1, 2), (0, 5), 1)]),
        (("ocean",), [("canoe", (0, 5))], [(0, "canoe", (0, 5), (0, 5), 0)]),
    ):
        assert rank_slips(turns, Index(words, JOTTO)) == expected, (words, turns, expected)


def test_equal_suspicion_keeps_the_order_of_the_turns():
    turns = [("ocean", (1, 2))] * 3
    assert [slip.turn for slip in rank_slips(turns, INDEX)] == [0, 1, 2]


def test_a_long_contradictory_game_still_has_a_suspect():
    turns = [(word, (0, 0)) for word in WORDS[::5]] + [(word, (3, 2)) for word in WORDS[::30]]
    found = rank_slips(turns, INDEX)
    assert len(found) == len(turns) > 100
    assert found[0].probability > 0.5


# Certain facts: deduced from guesses, answers and hints, and always true.


FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")


def test_what_is_certain():
    for guesses, hints, inside, outside, places in (
        ([], 0, "", "", []),
        (["light"], 0, "", "", []),
        (["cable"], 0, "", "", []),
        (["fjord"], 0, "", "dfjor", []),
        (["fjord", "bloat"], 0, "ablt", "dfjor", []),
        (["baton", "lemur"], 0, "", "cdfghijkpqsvwxyz", []),
        (["baton", "lemur", "untie"], 0, "", "cdfghijkpqsvwxyz", []),
        (["bleat"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", []),
        ([], 10, "abelt", "cdfghijkmnopqrsuvwxyz", list(enumerate("table"))),
        (["bleat", "taken"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", []),
        (["bleat", "tango"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", [(0, "t"), (1, "a")]),
    ):
        one = games.Riddle(games.start_game(JOTTO, "en", "", 1), "table", hints)
        for guess in guesses:
            one = one.guess(guess)
        found = explain.deduce_riddle_letters(one)
        assert ("".join(found.inside), "".join(found.outside), found.places) == (inside, outside, places)


@pytest.mark.only_python_3
@given(st.sampled_from(FEW), st.lists(st.sampled_from(FEW), max_size=8), st.integers(0, 10))
@settings(max_examples=200, deadline=None)
def test_what_is_certain_is_true(secret, guesses, hints):
    one = games.Riddle(games.start_game(JOTTO, "en", "", 1), secret, hints)
    for guess in set(guesses) - {secret}:
        one = one.guess(guess)
    found = explain.deduce_riddle_letters(one)
    assert set(found.inside) <= set(secret) and not set(found.outside) & set(secret)
    assert all(secret[place] == letter for place, letter in found.places)


def test_answers_that_contradict_each_other_say_nothing():
    for turns in (
        [("fjord", (0, 0)), ("fjard", (0, 2))],
        [("ocean", (0, 5)), ("canoe", (0, 4))],
        [("light", (0, 3)), ("ocean", (1, 2)), ("bumps", (0, 1))],
    ):
        game = games.start_game(JOTTO, "en", "", 1)
        for guess, answer in turns:
            game = game.ask(guess).answer(answer)
        assert explain.deduce_letters(game) == ([], [], []), turns


def test_all_that_is_certain_of_the_letters_is_found():
    """Every way to choose five of so few letters is tried."""
    game = games.start_game(JOTTO, "en", "", 1)
    for guess in ("ocean", "bread", "light", "beads"):
        game = game.ask(guess).answer((0, 2))
    sets = [
        set(letters)
        for letters in itertools.combinations(JOTTO.alphabet, 5)
        if all(len(set(letters) & set(turn.guess)) == sum(turn.feedback) for turn in game.turns)
    ]
    found = explain.deduce_letters(game)
    assert set(found.inside) == set.intersection(*sets)
    assert set(found.outside) == set(JOTTO.alphabet) - set.union(*sets)


# What a guess leaves: `explain.measure_guess` compared with counting by hand.


OUTLOOK_WORDS = ["ocean", "canoe", "dance", "brick", "light", "night", "might", "fight", "tired", "tried"]


@given(st.sampled_from(OUTLOOK_WORDS + ["crowd"]), st.sets(st.sampled_from(OUTLOOK_WORDS)))
def test_an_outlook_is_what_counting_by_hand_gives(guess, fitting):
    outlook_index = Index(OUTLOOK_WORDS, JOTTO)
    answers = [feedback.score_places_slowly(guess, word) for word in sorted(fitting)]
    remaining = [answers.count(answer) for answer in answers]
    seen = explain.measure_guess(guess, outlook_index, sum(outlook_index.bit(word) for word in fitting))
    assert (seen.left, seen.answers, seen.fits) == (len(fitting), len(set(answers)), guess in fitting)
    assert seen.worst == max(remaining or [0])
    assert abs(seen.mean - sum(remaining) / max(1, len(remaining))) < 1e-9
