"""Searches that begin with a tree: never worse than it, and bettered where one was left poor on purpose."""

import random
from dataclasses import replace

import pytest

from jotto.feedback import PLACES
from jotto.rules import JOTTO, LETTERS, MASTERMIND, Rules
from jotto_desk.errors import DeskError
from jotto_desk.solver import beam, cores, feedback_table, improvement, problem
from jotto_desk.solver.beam import SearchContext, SearchOptions, StopSignal, assumed_costs, plan_cost
from jotto_desk.solver.problem import Plan, turns_taken
from jotto_desk.solver.search import ignore_progress, search_tree
from jotto_desk.words import lists

CORE = cores.best_core()
WORDS_GAME = problem.list_problem(lists.load("en", JOTTO).words[:300], JOTTO)
CODES_GAME = problem.symbol_problem(MASTERMIND)


def poor(game, members, chance, left=60, first=None):
    """Make the tree of a person who asks any word that may still be the secret."""
    guess = int(chance.choice(list(members))) if first is None else first
    parts = game.parts(guess, members).items() if left > 1 else ()
    return Plan(guess, {code: poor(game, part, chance, left - 1) for code, part in parts})


def worth(game, plan, left=60, miss=10_000):
    return plan_cost(plan, game, game.everything, left, miss)


BULLS_OF_EIGHT = problem.symbol_problem(Rules("four-of-eight", 4, "12345678", False, PLACES))


@pytest.fixture(scope="module")
def eight():
    """1,680 codes, and the tree of a person who asks any code that fits: sets of up to 200 are left after two turns."""
    game = feedback_table.make_table(BULLS_OF_EIGHT)
    return game, poor(game, game.everything, random.Random(5), first=0)


@pytest.mark.parametrize(
    "asked, first, width",
    [
        (WORDS_GAME, 7, 4),
        (CODES_GAME, None, 2),
        (problem.list_problem(["abc", "abd", "bcd"], Rules("three", 3, LETTERS[:4], False, PLACES)), 0, 1),
    ],
)
def test_a_poor_tree_is_improved_below_the_guesses_it_begins_with(asked, first, width):
    game = feedback_table.make_table(asked)
    start = poor(game, game.everything, random.Random(1), first=first)
    found = search_tree(asked, CORE, SearchOptions(width=width, prove=False, first=start.guess, start=start))
    assert found.plan.guess == start.guess and found.cost == worth(game, found.plan)
    assert found.cost < worth(game, start) or len(game.rows) == 3


def test_the_best_tree_stays_as_good_whatever_the_search():
    best = search_tree(CODES_GAME, CORE, SearchOptions(width=5)).plan
    narrow = SearchOptions(width=1, prove=False, start=best, threads=2)
    assert search_tree(CODES_GAME, CORE, narrow).cost == 5625
    # Proven at once, or nearly so: only a better tree would have to be sought.
    assert search_tree(CODES_GAME, CORE, SearchOptions(width=1, start=best)).proven
    context = SearchContext(feedback_table.make_table(CODES_GAME), CORE, SearchOptions(width=2, threads=1))
    costs = beam.CostModel(assumed_costs(1296))
    assert improvement.improve_tree(context, costs, (best, 5625), ignore_progress) == (best, 5625)


def test_a_tree_that_finds_all_in_time_is_never_lost_and_misses_are_found_if_there_is_time():
    asked = problem.symbol_problem(Rules("four-of-six", 4, "123456", False, PLACES))
    game = feedback_table.make_table(asked)
    within = search_tree(asked, CORE, SearchOptions(width=20, cap=5)).plan
    found = search_tree(asked, CORE, SearchOptions(width=1, prove=False, cap=5, miss=5_000, start=within))
    assert None not in turns_taken(found.plan, asked, game.rows) and found.cost <= worth(game, within)
    game = feedback_table.make_table(WORDS_GAME)
    options = SearchOptions(width=2, prove=False, cap=7, start=Plan(3, {}), first=3)
    assert None not in turns_taken(search_tree(WORDS_GAME, CORE, options).plan, WORDS_GAME, game.rows)
    start = poor(game, game.everything, random.Random(3))
    with pytest.raises(DeskError, match="within 2 guesses"):
        search_tree(WORDS_GAME, CORE, SearchOptions(width=1, prove=False, cap=2, start=start))


@pytest.mark.parametrize("stage", ["", "improve"])
def test_a_stopped_search_gives_the_tree_it_began_with_or_better(eight, stage):
    (game, start), stop, told = eight, StopSignal(), []

    def tell(state):
        told.append(state.stage)
        if not stage or (state.stage == stage and state.done == 2):
            stop.request()

    options = SearchOptions(width=2, prove=False, first=0, start=start, threads=1)
    found = search_tree(BULLS_OF_EIGHT, CORE, options, tell, stop=stop)
    assert found.cost == worth(game, found.plan) <= worth(game, start)
    assert not stage or (stage in told and found.cost < worth(game, start))


@pytest.mark.parametrize("cap", [None, 5])
def test_large_sets_are_improved_more_by_play_outs_than_by_sizes_alone(eight, monkeypatch, cap):
    game, start = eight
    effort = SearchOptions(width=5, prove=False, first=0, start=start, cap=cap, miss=3000 if cap else None, threads=1)
    sounded = search_tree(BULLS_OF_EIGHT, CORE, effort)
    monkeypatch.setattr(improvement, "MIN_PROBED", 10_000)
    searched = search_tree(BULLS_OF_EIGHT, CORE, effort)
    assert sounded.cost < searched.cost < worth(game, start, cap or 60, 3000 if cap else 1 << 30)
    assert sounded.cost == worth(game, sounded.plan, cap or 60, 3000 if cap else 1 << 30)


@pytest.mark.parametrize("seed", range(6))
def test_what_the_beam_alone_would_find_is_never_lost(monkeypatch, seed):
    dice = random.Random(seed)
    asked = problem.list_problem(dice.sample(lists.load("en", JOTTO).words, 400), JOTTO)
    game, cap, costs = feedback_table.make_table(asked), dice.choice([4, 5, 60]), []
    width, patience, full = dice.choice([1, 2, 5]), dice.choice([None, 30]), dice.choice([3, 8, 20])
    options = SearchOptions(width=width, cap=cap, miss=500, prove=False, threads=1, patience=patience, full=full)
    start = poor(game, game.everything, dice)
    before = worth(game, start, cap, 500)
    for large in (12, 10_000):
        monkeypatch.setattr(improvement, "MIN_PROBED", large)
        context, model = SearchContext(game, CORE, options), beam.CostModel(assumed_costs(400))
        plan, cost = improvement.improve_tree(context, model, (start, before), ignore_progress)
        assert cost == worth(game, plan, cap, 500) <= before
        costs.append(cost)
    assert costs[0] <= costs[1]


@pytest.mark.parametrize("asked", [WORDS_GAME, BULLS_OF_EIGHT])
def test_what_a_tree_leaves_out_is_put_in(asked):
    game = feedback_table.make_table(asked)
    whole = search_tree(asked, CORE, SearchOptions(width=1, prove=False)).plan
    children = dict(whole.children)
    del children[max(children, key=lambda code: len(game.parts(whole.guess, game.everything)[code]))]
    context = SearchContext(game, CORE, SearchOptions(width=2, threads=1))
    model, cut = beam.CostModel(assumed_costs(len(asked.weights))), (Plan(whole.guess, children), 1 << 40)
    plan, _ = improvement.improve_tree(context, model, cut, ignore_progress)
    assert None not in turns_taken(plan, asked, game.rows)


@pytest.mark.parametrize("cap, miss", [(None, None), (6, 3000), (5, 3000)])
def test_improving_is_never_worse_and_the_same_with_any_number_of_threads(eight, cap, miss):
    (game, start), left, price = eight, cap or 60, miss or 1 << 30
    options = SearchOptions(width=2, prove=False, cap=cap, miss=miss, start=start, first=0)
    outcomes = [search_tree(BULLS_OF_EIGHT, CORE, replace(options, threads=threads)) for threads in (1, 2)]
    assert outcomes[0].plan == outcomes[1].plan
    assert outcomes[0].cost == worth(game, outcomes[0].plan, left, price) < worth(game, start, left, price)
