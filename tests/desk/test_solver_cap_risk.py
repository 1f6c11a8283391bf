"""What a patient search learns of the sets that can be found in the turns left, and what it finds with that."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotto.feedback import PLACES
from jotto.rules import JOTTO, Rules
from jotto_desk.solver import beam, cores, feedback_table, problem
from jotto_desk.solver.beam import SearchContext, SearchOptions, StopSignal
from jotto_desk.solver.problem import turns_taken
from jotto_desk.solver.search import ignore_progress, search_tree
from jotto_desk.words import lists

CORE = cores.best_core()
WORDS = problem.list_problem(lists.load("en", JOTTO).words[:400], JOTTO)
CODES = problem.symbol_problem(Rules("four-of-nine", 4, "123456789", False, PLACES))


def cost_model(asked, **effort):
    """Return what is learned for a game."""
    bench = SearchContext(feedback_table.make_table(asked), CORE, SearchOptions(prove=False, **effort))
    return beam.learn_cost_model(bench, beam.search_narrow(bench)[2], ignore_progress)


@given(met=st.lists(st.tuples(st.integers(1, 400), st.booleans()), min_size=1, max_size=40))
def test_the_cap_risk_never_falls_with_the_size_unless_larger_sets_were_found_more_often(met):
    sizes, whole = (np.array(column) for column in zip(*met))
    curve = beam.fit_risk_curve(sizes, whole, 500)
    assert curve.shape == (500,) and np.isfinite(curve).all() and (curve[: beam.SURE_SET_SIZE + 1] == 0).all()
    assert (curve >= 0).all() and (curve <= beam.MAX_RISK_TURNS).all()
    steps = np.diff(curve[beam.SURE_SET_SIZE + 1 :])
    assert (steps >= 0).all() or (steps <= 0).all()


@pytest.mark.parametrize("edge", [6, 40, 300])
def test_even_odds_are_where_sets_begin_to_be_missed(edge):
    sizes = np.arange(1, 2 * edge)
    curve = beam.fit_risk_curve(sizes, sizes <= edge, 4 * edge)
    assert abs(np.searchsorted(curve, np.log(2)) - edge) <= 0.1 * edge + 1


@pytest.mark.parametrize("asked, cap", [(WORDS, 5), (CODES, 6)])
def test_fewer_turns_and_larger_sets_are_riskier(asked, cap):
    costs, capped = cost_model(asked, cap=cap, miss=1_000, patience=3)
    assert capped.shape == (feedback_table.CAPPED_TURNS, len(costs))
    assert (capped >= costs).all() and (capped[0] == costs).all()
    even = [int(np.searchsorted(row - costs, beam.RISK_PENALTY_TURNS * np.log(2))) for row in capped[2:cap]]
    assert even == sorted(even) and even[0] < even[-1]


def test_the_number_of_threads_changes_nothing_learned():
    """Takes seconds: what is learned must be so much that threads could part ways."""
    one, two = (cost_model(CODES, cap=5, miss=500, patience=3, threads=threads) for threads in (1, 2))
    assert (one.capped == two.capped).all()


@pytest.mark.parametrize("effort", [{}, {"cap": 6}, {"patience": 5}])
def test_no_cap_risk_is_learned_where_no_cap_is_hard_to_keep(effort):
    assert cost_model(CODES, **effort).capped is None


def test_a_search_stopped_while_it_learns_still_gives_a_tree():
    stop = StopSignal()
    found = search_tree(
        WORDS,
        CORE,
        SearchOptions(width=2, cap=6, patience=9, prove=False),
        lambda state: stop.request() if state.stage == "risk" else None,
        stop=stop,
    )
    assert None not in turns_taken(found.plan, WORDS, found.table.rows)


def test_patience_finds_what_a_narrow_beam_misses():
    asked = problem.symbol_problem(Rules("three-of-eight", 3, "12345678", True, PLACES))
    missed = []
    for patience in (0, 200):
        found = search_tree(
            asked, CORE, SearchOptions(width=2, full=1, cap=5, miss=50_000, prove=False, patience=patience)
        )
        missed.append(turns_taken(found.plan, asked, found.table.rows).count(None))
    assert missed[1] < missed[0]
