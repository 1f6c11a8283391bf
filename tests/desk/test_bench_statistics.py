"""Strategies compared: intervals, paired tests, corrections, and what cannot be tested."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from jotto.rules import MASTERMIND
from jotto_desk.errors import DeskError
from jotto_desk.solver import comparison as statistics, cores, feedback_table, problem, strategies
from jotto_desk.solver.problem import Plan

CORE = cores.best_core({})
SMALL = feedback_table.make_table(problem.symbol_problem(MASTERMIND._replace(length=3, alphabet="0123")))


def games(*numbers):
    """Games as numbers of guesses."""
    return np.array(numbers, dtype=float)


def held(**wishes):
    """Provide a contest of three strategies over 64 codes."""
    return statistics.contest(
        SMALL, CORE, strategies.make_strategies(["first", "leptok", "random"], SMALL.problem), **wishes
    )


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_helps_and_keeps_the_order(chances):
    corrected = statistics.correct_holm(chances)
    assert all(before <= after <= 1 for before, after in zip(chances, corrected))
    ordered = [after for _, after in sorted(zip(chances, corrected))]
    assert ordered == sorted(ordered)
    for given_chances, wanted in [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.2], [0.2]),
        ([None, 0.01, None], [None, 0.01, None]),
    ]:
        assert statistics.correct_holm(given_chances) == pytest.approx(wanted)


ONE, OTHER = games(5, 4, 4, 6, 5, 3, 4, 5), games(4, 4, 3, 4, 5, 3, 2, 4)


def test_groups_are_described_and_pairs_are_tested_game_by_game():
    from scipy import stats

    games_by_name = {"one": ONE, "other": OTHER, "again": OTHER + games(*[0, 1] * 4)}
    comparison = statistics.compare_games(games_by_name, statistics.TO_WIN)
    group = comparison.groups[0]
    assert (group.name, group.games, group.mean, group.median, group.least, group.most) == ("one", 8, 4.5, 4.5, 3, 6)
    assert group.variance == pytest.approx(6 / 7) and 3.5 < group.low < 4.5 < group.high < 5.5
    assert group.normality == pytest.approx(stats.shapiro(ONE).pvalue)
    pair = comparison.pairs[0]
    assert len(comparison.pairs) == 3 and (pair.one, pair.other, pair.difference) == ("one", "other", 0.875)
    assert pair.low < 0.875 < pair.high and pair.t < pair.t_holm <= 3 * pair.t
    assert pair.t == pytest.approx(stats.ttest_1samp(ONE - OTHER, 0).pvalue)
    assert pair.wilcoxon == pytest.approx(stats.wilcoxon(ONE, OTHER).pvalue)
    spread = [np.abs(sample - np.median(sample)) for sample in games_by_name.values()]
    assert comparison.variances == pytest.approx(stats.f_oneway(*spread).pvalue)


def test_the_interval_is_drawn_by_the_seed_and_holds_the_mean_of_nineteen_samples_in_twenty():
    uneven, chance = np.sqrt(np.arange(40)), np.random.default_rng(3)
    found = [statistics.compare_games({"one": uneven}, "winning", seed=seed).groups[0] for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    drawn = (chance.integers(2, 8, 60).astype(float) for _ in range(200))
    found = [statistics.compare_games({"one": one}, "winning", resamples=300).groups[0] for one in drawn]
    assert 0.9 < np.mean([group.low <= 4.5 <= group.high for group in found]) < 0.985


@pytest.mark.parametrize(
    "one, other, t, wilcoxon",
    [(ONE, ONE, 1.0, 1.0), (ONE, ONE + 1, None, 2 / 2**8)],
    ids=["the same games", "always one more"],
)
def test_differences_without_a_spread(one, other, t, wilcoxon):
    (pair,) = statistics.compare_games({"one": one, "other": other}, "winning").pairs
    assert (pair.t, pair.t_holm) == (t, t)
    assert pair.wilcoxon == pytest.approx(wilcoxon)
    assert pair.low == pair.high == pair.difference


def test_games_that_all_take_as_long_or_are_too_many_are_neither_normal_nor_not():
    comparison = statistics.compare_games({"one": games(4, 4, 4), "other": games(4, 4, 4)}, "winning")
    assert [group.normality for group in comparison.groups] == [None, None] and comparison.variances is None
    assert comparison.groups[0].low == comparison.groups[0].high == 4
    (group,) = statistics.compare_games({"one": np.arange(6000) % 5.0}, "winning", resamples=10).groups
    assert group.normality is None


def test_everybody_plays_the_same_secrets_which_the_seed_draws():
    contested, everything = held(sample=10, seed=5), held()
    assert contested.drawn and len(contested.secrets) == len(set(contested.secrets.tolist())) == 10
    assert {len(sample) for sample in contested.sample("winning").values()} == {10}
    for name, sample in contested.sample("to_one").items():
        if name != "consistent":
            assert sample.tolist() == everything.sample("to_one")[name][contested.secrets].tolist()
    for whole in (held(sample=64), held(sample=1000), everything):
        assert not whole.drawn and whole.secrets.tolist() == list(range(64))
    assert contested.plain(5) == held(sample=10, seed=5).plain(5) != held(sample=10, seed=6).plain(6)
    assert held(seed=1).playouts["consistent"].plan != held(seed=2).playouts["consistent"].plan


def test_a_tree_keeps_its_own_first_guess_and_must_find_every_secret():
    entropy, frequent = strategies.make_strategies(["entropy-all", "first"], SMALL.problem)[::-1]
    plan = statistics.contest(SMALL, CORE, [entropy]).playouts["entropy-all"].plan
    file = problem.encode_plan(SMALL.problem, plan, problem.PlanOrigin(None))
    best = statistics.plan_player("best", file, SMALL.problem, None)
    first = strategies.read_first_guess("000", SMALL.problem)
    contested = statistics.contest(SMALL, CORE, [best, frequent], first=first)
    assert contested.firsts == {"best": SMALL.problem.guesses[best.plan.guess], "frequent-first": "000"}
    assert contested.playouts["best"].plan == best.plan
    with pytest.raises(DeskError, match="The stump does not find every secret"):
        statistics.contest(SMALL, CORE, [strategies.PlanStrategy("stump", Plan(0, {}))])
