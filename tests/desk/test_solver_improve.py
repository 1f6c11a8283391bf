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
WORDS = lists.load("en", JOTTO).words[:300]
WORDS_GAME = problem.list_problem(WORDS, JOTTO)
CODES_GAME = problem.symbol_problem(MASTERMIND)


def poor(game, members, chance, left=60, first=None):
    """Make the tree of a person who asks any word that may still be the secret."""
    guess = int(chance.choice(list(members))) if first is None else first
    parts = game.parts(guess, members).items() if left > 1 else ()
    return Plan(guess, {code: poor(game, part, chance, left - 1) for code, part in parts})


def worth(game, plan, left=60, miss=10_000):
    return plan_cost(plan, game, game.everything, left, miss)


def test_a_poor_tree_is_improved_below_the_guesses_it_begins_with():
    for asked, first, width in [(WORDS_GAME, 7, 1), (WORDS_GAME, 7, 4), (CODES_GAME, None, 2)]:
        game = feedback_table.make_table(asked)
        start = poor(game, game.everything, random.Random(1), first=first)
        before = worth(game, start)
        found = search_tree(asked, CORE, SearchOptions(width=width, prove=False, first=start.guess, start=start))
        assert found.plan.guess == start.guess and found.cost < before
        assert found.cost == worth(game, found.plan)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_best_tree_stays_as_good_whatever_the_search(threads):
    """Takes seconds: the whole of Mastermind, whose best total is known."""
    best = search_tree(CODES_GAME, CORE, SearchOptions(width=5)).plan
    narrow = SearchOptions(width=1, prove=False, start=best, threads=threads)
    assert search_tree(CODES_GAME, CORE, narrow).cost == 5625
    # Proven at once, or nearly so: only a better tree would have to be sought.
    assert search_tree(CODES_GAME, CORE, SearchOptions(width=1, start=best)).proven


def test_a_tree_that_finds_all_in_time_is_never_lost():
    rules = Rules("four-of-six", 4, "123456", False, PLACES)
    asked = problem.symbol_problem(rules)
    game = feedback_table.make_table(asked)
    within = search_tree(asked, CORE, SearchOptions(width=20, cap=5)).plan
    found = search_tree(asked, CORE, SearchOptions(width=1, prove=False, cap=5, miss=5_000, start=within))
    assert None not in turns_taken(found.plan, asked, game.rows)
    assert found.cost <= worth(game, within)


def test_secrets_a_tree_misses_are_found_where_there_is_time():
    game = feedback_table.make_table(WORDS_GAME)
    start = Plan(3, {})
    found = search_tree(WORDS_GAME, CORE, SearchOptions(width=2, prove=False, cap=7, start=start, first=3))
    assert None not in turns_taken(found.plan, WORDS_GAME, game.rows)


def test_a_search_stopped_at_once_gives_the_tree_it_began_with_or_better():
    game = feedback_table.make_table(WORDS_GAME)
    start = poor(game, game.everything, random.Random(2))
    stop = StopSignal()
    found = search_tree(
        WORDS_GAME, CORE, SearchOptions(width=9, prove=False, start=start), lambda state: stop.request(), stop=stop
    )
    assert found.cost == worth(game, found.plan) <= worth(game, start)


def test_a_list_of_three_can_be_improved():
    asked = problem.list_problem(["abc", "abd", "bcd"], Rules("three", 3, LETTERS[:4], False, PLACES))
    game = feedback_table.make_table(asked)
    start = poor(game, game.everything, random.Random(0))
    assert search_tree(asked, CORE, SearchOptions(width=1, prove=False, start=start)).cost <= worth(game, start)


def test_what_cannot_be_kept_is_still_said():
    game = feedback_table.make_table(WORDS_GAME)
    start = poor(game, game.everything, random.Random(3))
    with pytest.raises(DeskError, match="within 2 guesses"):
        search_tree(WORDS_GAME, CORE, SearchOptions(width=1, prove=False, cap=2, start=start))


# Large sets are sounded

BULLS_OF_EIGHT = problem.symbol_problem(Rules("four-of-eight", 4, "12345678", False, PLACES))


@pytest.fixture(scope="module")
def eight():
    """1,680 codes, and the tree of a person who asks any code that fits: sets of up to 200 are left after two turns."""
    game = feedback_table.make_table(BULLS_OF_EIGHT)
    return game, poor(game, game.everything, random.Random(5), first=0)


@pytest.mark.parametrize("cap", [None, 5])
def test_large_sets_are_improved_more_by_play_outs_than_by_sizes_alone(eight, monkeypatch, cap):
    game, start = eight
    effort = SearchOptions(width=5, prove=False, first=0, start=start, cap=cap, miss=3000 if cap else None, threads=1)
    sounded = search_tree(BULLS_OF_EIGHT, CORE, effort)
    monkeypatch.setattr(improvement, "MIN_PROBED", 10_000)
    searched = search_tree(BULLS_OF_EIGHT, CORE, effort)
    assert sounded.cost < searched.cost < worth(game, start, cap or 60, 3000 if cap else 1 << 30)
    assert sounded.cost == worth(game, sounded.plan, cap or 60, 3000 if cap else 1 << 30)


@pytest.mark.parametrize("seed", range(12))
def test_what_the_beam_alone_would_find_is_never_lost(monkeypatch, seed):
    dice = random.Random(seed)
    asked = problem.list_problem(dice.sample(lists.load("en", JOTTO).words, 400), JOTTO)
    game = feedback_table.make_table(asked)
    cap = dice.choice([4, 5, 60])
    options = SearchOptions(
        width=dice.choice([1, 2, 5]),
        cap=cap,
        miss=500,
        prove=False,
        threads=1,
        patience=dice.choice([None, 30]),
        full=dice.choice([3, 8, 20]),
    )
    bench = SearchContext(game, CORE, options)
    start = poor(game, game.everything, dice)
    costs = []
    for large in (12, 10_000):
        monkeypatch.setattr(improvement, "MIN_PROBED", large)
        plan, cost = improvement.improve_tree(
            bench, beam.CostModel(assumed_costs(400)), (start, worth(game, start, cap, 500)), ignore_progress
        )
        assert cost == worth(game, plan, cap, 500) <= worth(game, start, cap, 500)
        costs.append(cost)
    assert costs[0] <= costs[1]


@pytest.mark.parametrize("asked", [WORDS_GAME, BULLS_OF_EIGHT])
def test_what_a_tree_leaves_out_is_put_in(asked):
    game = feedback_table.make_table(asked)
    whole = search_tree(asked, CORE, SearchOptions(width=1, prove=False)).plan
    children = dict(whole.children)
    del children[max(children, key=lambda code: len(game.parts(whole.guess, game.everything)[code]))]
    bench = SearchContext(game, CORE, SearchOptions(width=2, threads=1))
    given = beam.CostModel(assumed_costs(len(asked.weights)))
    plan, _ = improvement.improve_tree(bench, given, (Plan(whole.guess, children), 1 << 40), ignore_progress)
    assert None not in turns_taken(plan, asked, game.rows)


def test_improving_is_never_worse_and_the_same_with_any_number_of_threads(eight):
    for cap, miss in [(None, None), (6, 3000), (5, 3000)]:
        game, start = eight
        left, price = cap or 60, miss or 1 << 30
        options = SearchOptions(width=2, prove=False, cap=cap, miss=miss, start=start, first=0)
        outcomes = [search_tree(BULLS_OF_EIGHT, CORE, replace(options, threads=threads)) for threads in (1, 2)]
        assert outcomes[0].plan == outcomes[1].plan
        assert outcomes[0].cost == worth(game, outcomes[0].plan, left, price) < worth(game, start, left, price)


def test_the_best_tree_of_codes_stays_whatever_is_sounded():
    best = search_tree(CODES_GAME, CORE, SearchOptions(width=5)).plan
    left = improvement.improve_tree(
        SearchContext(feedback_table.make_table(CODES_GAME), CORE, SearchOptions(width=2, threads=1)),
        beam.CostModel(assumed_costs(1296)),
        (best, 5625),
        ignore_progress,
    )
    assert left == (best, 5625)


def test_a_search_stopped_while_it_sounds_keeps_what_it_has(eight):
    game, start = eight
    stop = StopSignal()
    told = []

    def tell(state):
        told.append(state.stage)
        if state.stage == "improve" and state.done == 2:
            stop.request()

    found = search_tree(
        BULLS_OF_EIGHT, CORE, SearchOptions(width=2, prove=False, first=0, start=start, threads=1), tell, stop=stop
    )
    assert "improve" in told
    assert found.cost == worth(game, found.plan) < worth(game, start)
