"""Whole searches: published totals proven, small lists against every tree there is, stopping and going on."""

import itertools
import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto import compat
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.rules import BULLS, JOTTO, LETTERS, MASTERMIND, Rules
from jotto_desk.errors import DeskError
from jotto_desk.solver import beam, cores, feedback_table, problem
from jotto_desk.solver.beam import (
    SearchContext,
    SearchOptions,
    StopSignal,
    assumed_costs,
    learn_costs,
    plan_cost,
    plan_from_lists,
    plan_to_lists,
)
from jotto_desk.solver.search import search_tree
from jotto_desk.words import default_list, lists

CORE = cores.best_core()
FOUR_OF_SIX = Rules("four-of-six", 4, "123456", False, PLACES)


def commonest(count):
    """Return the first words of the default list, the commonest."""
    words = lists.load("en", JOTTO)
    return words.words[:count], words.bands[:count]


#: Game, cap, total, maximum: Koyama and Lai 1993 (5,625 and 5,626), Ville 2013 (11,228).
PROVEN = [
    (MASTERMIND, None, 5625, 6),
    (MASTERMIND, 5, 5626, 5),
    (MASTERMIND._replace(alphabet="roygbvw"), None, 11228, 6),
    (FOUR_OF_SIX, None, 1446, 5),
]


@pytest.mark.parametrize("rules, cap, total, most", PROVEN)
def test_published_totals_are_found_and_proven(rules, cap, total, most):
    """Takes seconds for the largest: totals known from elsewhere, with a proof."""
    outcome = search_tree(problem.symbol_problem(rules), CORE, SearchOptions(width=5, cap=cap))
    plain = outcome.plain()
    assert (plain["total"], plain["max"], plain["proven"]) == (total, most, True)
    assert plain["lower_bound"] == total
    assert sum(plain["distribution"].values()) == plain["secrets"]


def test_a_beam_on_bulls_and_cows_comes_near_the_optimum():
    outcome = search_tree(problem.symbol_problem(BULLS), CORE, SearchOptions(width=5, prove=False))
    assert 26274 <= outcome.cost <= 26400
    assert outcome.lower_bound <= 26274


def test_vocabularies_cost_what_the_page_says():
    """The figures of docs/four-guesses.md; within a size of commonness, order 1 of the words."""
    listed, sizes = default_list(JOTTO, own=False), {}
    for word, size in zip(listed.words, listed.bands):
        sizes.setdefault(size, []).append(word)
    drawn = (compat.draw_items(sorted(words), len(words), 1, "vocabulary", size) for size, words in sizes.items())
    ordered = list(itertools.chain.from_iterable(drawn))
    for count, total in [(100, 310), (200, 675), (300, 1068)]:
        outcome = search_tree(problem.list_problem(ordered[:count], JOTTO), CORE, SearchOptions(width=10))
        assert (outcome.proven, outcome.cost) == (True, total)
    whole = feedback_table.make_table(problem.list_problem(listed.words, JOTTO), CORE.codes)
    assert CORE.search(whole, 1).reach()[:6] == [0, 1, 20, 305, 2558, 2920]


def test_the_default_list_by_beam_is_better_than_any_heuristic():
    words, _ = commonest(None)
    outcome = search_tree(problem.list_problem(words, JOTTO), CORE, SearchOptions(width=5, prove=False, plies=1))
    # Entropy over the whole list takes 4.674, the article's way 5.2.
    assert outcome.plain()["mean"] <= 4.632
    assert 4.0 < outcome.lower_bound / len(words) < outcome.cost / len(words)


def test_weights_bring_common_words_forward():
    words, bands = commonest(600)
    weights = problem.band_weights(bands)
    even = search_tree(problem.list_problem(words, JOTTO), CORE, SearchOptions(width=3, prove=False, plies=1))
    heavy = search_tree(
        problem.list_problem(words, JOTTO, weights=weights, kind="bands"),
        CORE,
        SearchOptions(width=3, prove=False, plies=1),
    ).plain()
    taken = problem.turns_taken(even.plan, even.table.problem, even.table.rows)
    by_word = dict(zip(even.table.problem.secrets, taken))
    unweighted = sum(weight * by_word[word] for word, weight in zip(words, weights)) / sum(weights)
    assert heavy["weighted_mean"] < unweighted
    assert heavy["weighted_lower_bound"] <= heavy["weighted_mean"]


@st.composite
def small_lists(draw):
    """Make a list of a few words under some rules, perhaps weighted."""
    length, letters = draw(st.integers(2, 4)), draw(st.integers(4, 6))
    kind = draw(st.sampled_from([PLACES, MARKS, COMMON]))
    rules = Rules("some", length, LETTERS[:letters], draw(st.booleans()), kind)
    seed = draw(st.integers(0, 10**6))
    every = [word for word in spellings(rules) if rules.allows(word)]
    words = random.Random(seed).sample(every, min(len(every), draw(st.integers(2, 12))))
    weights = [draw(st.sampled_from([1, 2, 16])) for _ in words] if draw(st.booleans()) else None
    return problem.list_problem(words, rules, weights=weights)


def spellings(rules):
    """Every string of the rules' length over its alphabet."""
    words = [""]
    for _ in range(rules.length):
        words = [word + letter for word in words for letter in rules.alphabet]
    return words


@settings(max_examples=60, deadline=None)
@given(small_lists())
def test_a_proven_tree_costs_what_it_says_and_a_beam_no_less(game):
    exact = search_tree(game, CORE, SearchOptions(width=2, threads=1))
    beam = search_tree(game, CORE, SearchOptions(width=1, prove=False, threads=1))
    assert exact.proven
    assert beam.lower_bound <= exact.cost <= beam.cost
    everything = exact.table.everything
    taken = problem.turns_taken(exact.plan, game, exact.table.rows)
    assert plan_cost(exact.plan, exact.table, everything, 60, 0) == exact.cost
    assert sum(int(weight) * turn for weight, turn in zip(game.weights, taken)) == exact.cost


@pytest.mark.parametrize("cap", [None, 6])
def test_threads_do_not_change_the_tree(cap):
    words, _ = commonest(700)
    game = problem.list_problem(words, JOTTO)
    outcomes = [
        search_tree(game, CORE, SearchOptions(width=4, prove=False, plies=1, cap=cap, threads=threads))
        for threads in (1, 2, 2)
    ]
    assert len({json.dumps(plan_to_lists(outcome.plan)) for outcome in outcomes}) == 1


def test_a_cap_holds_and_costs_little():
    words, _ = commonest(955)
    free = search_tree(problem.list_problem(words, JOTTO), CORE, SearchOptions(width=4, prove=False, plies=1))
    capped = search_tree(
        problem.list_problem(words, JOTTO), CORE, SearchOptions(width=4, prove=False, plies=1, cap=5)
    ).plain()
    assert capped["max"] == 5
    assert capped["missed"] == 0
    assert capped["total"] <= free.cost * 1.02


def test_a_cap_nobody_can_keep_is_said():
    words, _ = commonest(400)
    with pytest.raises(DeskError, match="within 3 guesses"):
        search_tree(problem.list_problem(words, JOTTO), CORE, SearchOptions(width=2, prove=False, cap=3))


def test_misses_can_be_counted_instead():
    words, _ = commonest(400)
    outcome = search_tree(
        problem.list_problem(words, JOTTO), CORE, SearchOptions(width=2, prove=False, cap=3, miss=100)
    ).plain()
    assert outcome["max"] == 3
    assert 0 < outcome["missed"] < 400


def test_a_search_that_is_stopped_gives_what_it_has():
    words, _ = commonest(1500)
    stop = StopSignal()

    def stop_in_the_proof(state):
        if state.stage.startswith(("bounds", "proof")):
            stop.request()

    outcome = search_tree(
        problem.list_problem(words, JOTTO), CORE, SearchOptions(width=3), stop_in_the_proof, stop=stop
    )
    assert not outcome.proven
    assert 0 < outcome.lower_bound < outcome.cost
    assert outcome.plain()["missed"] == 0


def test_a_search_goes_on_from_its_checkpoint(tmp_path):
    path = tmp_path / "search.json"
    words, _ = commonest(330)
    game = problem.list_problem(words, JOTTO)
    stop, seen = StopSignal(), []

    def stop_soon(state):
        seen.append(state)
        if state.stage.startswith("proof") and state.done >= 3:
            stop.request()

    first = search_tree(game, CORE, SearchOptions(width=1, threads=1, checkpoint=path), stop_soon, stop=stop)
    second = search_tree(game, CORE, SearchOptions(width=1, threads=1, checkpoint=path))
    whole = search_tree(game, CORE, SearchOptions(width=1, threads=1))
    assert first.lower_bound <= second.lower_bound
    assert second.proven
    assert second.cost == whole.cost <= first.cost
    kept = json.loads(path.read_text())
    assert max(kept["bounds"].values()) >= whole.cost


def test_a_checkpoint_of_another_search_is_refused(tmp_path):
    path = tmp_path / "search.json"
    words, _ = commonest(60)
    search_tree(problem.list_problem(words, JOTTO), CORE, SearchOptions(width=1, checkpoint=path))
    with pytest.raises(DeskError, match="another search"):
        search_tree(problem.list_problem(words[:50], JOTTO), CORE, SearchOptions(width=1, checkpoint=path))


def test_a_bound_changed_by_hand_is_refused(tmp_path):
    path = tmp_path / "search.json"
    words, _ = commonest(60)
    search_tree(problem.list_problem(words, JOTTO), CORE, SearchOptions(width=1, checkpoint=path))
    kept = json.loads(path.read_text())
    kept["bounds"] = {guess: low + 1 for guess, low in kept["bounds"].items()}
    path.write_text(json.dumps(kept))
    with pytest.raises(DeskError, match="damaged"):
        search_tree(problem.list_problem(words, JOTTO), CORE, SearchOptions(width=1, checkpoint=path))


@given(
    st.recursive(
        st.builds(lambda guess: problem.Plan(guess, {}), st.integers(0, 9)),
        lambda child: st.builds(problem.Plan, st.integers(0, 9), st.dictionaries(st.integers(0, 9), child)),
    )
)
def test_plans_go_through_json(tree):
    assert plan_from_lists(json.loads(json.dumps(plan_to_lists(tree)))) == tree


@pytest.mark.parametrize("damaged", [3, [], ["a"], [1, 2], [1, "2", [3]], [1, 2, 3], [None]])
def test_damaged_plans_are_refused(damaged):
    with pytest.raises(ValueError, match="plan"):
        plan_from_lists(damaged)


def test_estimates_never_fall_below_what_is_possible():
    costs = assumed_costs(500)
    assert costs[0] == 0
    assert all(costs[size] >= 2 * size - 1 for size in range(1, 501))
    assert (costs[1:] > costs[:-1]).all()
    assert math.isclose(costs[1], 1.0)


def test_too_large_a_table_is_refused_before_it_is_made():
    with pytest.raises(DeskError, match="make a table of"):
        weights = problem.symbol_problem(MASTERMIND).weights.repeat(60)
        feedback_table.make_table(problem.Problem(JOTTO, ("ocean",) * 70_000, weights))


@pytest.mark.parametrize("words, cap", [(40, 3), (40, 4), (120, 4), (120, 5), (300, 5)])
def test_what_secrets_cost_is_learned_without_the_cap(words, cap):
    # Else it hangs on the order of work: on which sets were met before the cap was kept.
    game = feedback_table.make_table(problem.list_problem(commonest(words)[0], JOTTO))
    curves = [
        learn_costs(beam.search_narrow(SearchContext(game, CORE, SearchOptions(cap=each, miss=2000)))[2], words, 1.0)
        for each in (None, cap)
    ]
    assert (curves[0] == curves[1]).all()
