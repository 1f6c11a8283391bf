"""Wrong answers over whole lists: weights held against the engine's, errors as asked for, and no game lost."""

from collections import Counter

import numpy as np
import pytest
from engine_words import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto import strategies
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import JOTTO, PAPER_JOTTO, WORDLE, Rules
from jotto.strategies import Position
from jotto_desk.errors import DeskError
from jotto_desk.solver import feedback_table, problem, wrong_answers
from jotto_desk.solver.problem import Plan, turns_taken
from jotto_desk.solver.reference import NumpyCore

MODEST = settings(max_examples=60, deadline=None, database=None, derandomize=True)
CORE = NumpyCore()
JOTTO_TABLE = feedback_table.make_table(problem.list_problem(WORDS[::2], JOTTO))
SOME_RULES = [JOTTO, PAPER_JOTTO, WORDLE]


def small_table(rules, words=WORDS[::9], wider=WORDS[4::40]):
    return feedback_table.make_table(problem.list_problem(words, rules, wider))


@st.composite
def noted_games(draw):
    """Make a table of a few words, and turns (guess, code) with any answers."""
    rules = Rules("small", 4, "abcd", True, draw(st.sampled_from([PLACES, MARKS, COMMON])))
    words = draw(st.lists(st.text("abcd", min_size=4, max_size=4), min_size=3, max_size=40, unique=True))
    weights = [draw(st.sampled_from([1, 2, 16])) for _ in words[:-1]]
    played = feedback_table.make_table(problem.list_problem(words[:-1], rules, words, weights))
    answers = [answer for answer in rules.possible() if answer != rules.win]
    codes = [played.problem.classes.index(answer) for answer in answers]
    turn = st.tuples(st.integers(0, len(words) - 1), st.sampled_from(codes))
    return played, draw(st.lists(turn, min_size=1, max_size=5))


@MODEST
@given(noted_games())
def test_weights_are_those_of_the_engine(game):
    played, turns = game
    words, rules = played.problem.secrets, played.problem.rules
    index = Index(words, rules)
    spoken = tuple((played.problem.guesses[guess], played.problem.classes[code]) for guess, code in turns)
    weighed = strategies.Belief().weigh(Position(index, 0, (), len(turns), 1, spoken))
    engine = {word: weight for weight, members in weighed for word in index.chosen(members)}
    expected = np.array([engine.get(word, 0) for word in words]) * played.problem.weights
    found = wrong_answers.posterior(played, turns, wrong_answers.likelihoods(played.problem))
    assert np.allclose(found, expected / (expected.sum() or 1), rtol=1e-9)


@MODEST
@given(noted_games(), st.data())
def test_parts_are_those_of_a_slow_count(game, data):
    played, _ = game
    secrets = len(played.problem.weights)
    members = np.array(data.draw(st.lists(st.integers(0, secrets - 1), min_size=1, unique=True)), dtype=np.int32)
    weights = np.array([data.draw(st.integers(1, 9)) for _ in members], dtype=np.float64)
    found = wrong_answers.answer_weights(played, members, weights)
    for guess in range(len(played.problem.guesses)):
        slow = Counter()
        for member, weight in zip(members, weights):
            slow[int(played.rows[guess, member])] += weight
        assert {code: weight for code, weight in enumerate(found[guess]) if weight} == dict(slow)


# Errors


@pytest.mark.parametrize("kind", [wrong_answers.UNIFORM_ERRORS, wrong_answers.NEAR_ERRORS])
@pytest.mark.parametrize("rules", SOME_RULES, ids=lambda rules: rules.name)
def test_a_wrong_answer_is_another_one_a_secret_could_give(rules, kind):
    played = problem.list_problem(WORDS, rules)
    possible = {played.classes.index(answer) for answer in rules.possible() if answer != rules.win}
    errors = wrong_answers.draw_errors(played, 0.5, 1, kind)
    for code in possible:
        right = np.full(len(WORDS), code, dtype=np.uint8)
        wrong = errors.wrong[:, 3]
        noted = errors.noted(right, np.arange(len(WORDS), dtype=np.int32), 3)
        assert (noted[~wrong] == code).all() and (noted[wrong] != code).all()
        met = set(noted[wrong].tolist())
        close = {
            played.classes.index(answer)
            for answer in strategies.list_near_answers(played.classes[code], rules)
            if answer in rules.possible() and answer != rules.win
        }
        near = kind == wrong_answers.NEAR_ERRORS
        assert met <= possible and (met <= close if near else len(met) > 0.6 * min(len(possible), 99))


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.3])
def test_so_many_answers_are_wrong(rate):
    errors = wrong_answers.draw_errors(JOTTO_TABLE.problem, rate, 1)
    assert errors.wrong.mean() == pytest.approx(rate, abs=0.01)
    again, other = (wrong_answers.draw_errors(JOTTO_TABLE.problem, rate, seed) for seed in (1, 2))
    assert (errors.wrong == again.wrong).all() and (errors.which == again.which).all()
    assert (errors.which != other.which).any()


@pytest.mark.parametrize(
    "rate, kind, complaint",
    [
        (-0.1, "uniform", "-0.1 is no share"),
        (0.6, "uniform", "0.6 is no share"),
        (float("nan"), "uniform", "nan is no share"),
        (0.05, "odd", "no 'odd' errors; choose uniform or near"),
    ],
)
def test_errors_that_cannot_be(rate, kind, complaint):
    with pytest.raises(DeskError, match=complaint):
        wrong_answers.benchmark_errors(JOTTO_TABLE, rate, 1, kind=kind)


# Games


def plan_of(played, members):
    """Asks the first word of every set."""
    first = int(members[0])
    return Plan(first, {code: plan_of(played, part) for code, part in played.parts(first, members).items()})


def test_without_errors_a_plan_is_followed():
    played = JOTTO_TABLE
    plan = plan_of(played, played.everything)
    errors = wrong_answers.draw_errors(played.problem, 0, 1)
    taken = wrong_answers.play_with_errors(played, wrong_answers.FilterPlayer(played, plan, CORE), errors)
    assert taken.tolist() == turns_taken(plan, played.problem, played.rows)


def test_without_a_plan_the_filter_asks_what_tells_most():
    played = small_table(JOTTO)
    begun = wrong_answers.NoisyPosition(played.everything, played.everything)
    chosen = wrong_answers.FilterPlayer(played, core=CORE).guesses(begun)
    sizes = [Counter(played.rows[guess, played.everything].tolist()).values() for guess in range(len(played.rows))]
    told = [-sum(size * np.log2(size) for size in parts) for parts in sizes]
    assert told[chosen[0]] == pytest.approx(max(told)) and len(set(chosen)) == 1


@pytest.mark.parametrize("rules", SOME_RULES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("kind", [wrong_answers.UNIFORM_ERRORS, wrong_answers.NEAR_ERRORS])
@pytest.mark.parametrize("rate", [0.05, 0.4])
def test_with_weights_every_game_is_solved(rules, kind, rate):
    played = small_table(rules)
    weighing = wrong_answers.BeliefPlayer(wrong_answers.FilterPlayer(played, core=CORE))
    assert (
        wrong_answers.play_with_errors(played, weighing, wrong_answers.draw_errors(played.problem, rate, 1, kind)) > 0
    ).all()


@pytest.mark.parametrize("planned", [False, True])
def test_the_bench_of_a_list(planned):
    plan = plan_of(JOTTO_TABLE, JOTTO_TABLE.everything) if planned else None
    seen = []
    rows = wrong_answers.benchmark_errors(
        JOTTO_TABLE, 0.05, 1, seeds=2, plan=plan, core=CORE, progress=lambda runs: seen.extend(runs) or runs
    )
    found = {(row.strategy, row.rate): row for row in rows}
    assert [row.games for row in rows] == [448, 448, 448, 448, 224, 224] and len(seen) == 10
    assert found["belief", 0.05].solved == 1 and found["belief", 0.05].dead_ends == 0
    for name in ("consistent", "filter"):
        assert 0.1 < found[name, 0.05].dead_ends < 0.25
        assert found[name, 0.05].solved + found[name, 0.05].dead_ends == pytest.approx(1)
    assert all(row.solved == 1 for row in rows if not row.rate)
    clean = found["filter", 0.0].mean
    assert clean <= found["belief", 0.0].mean + 1e-9 <= clean + 0.01
    assert found["belief", 0.05].mean < clean + 0.4
    assert wrong_answers.benchmark_errors(JOTTO_TABLE, 0.05, 1, seeds=2, plan=plan, core=CORE) == rows


def test_heavy_words_count_as_often_as_they_weigh():
    weights = [16] * 10 + [1] * 214
    heavy = feedback_table.make_table(problem.list_problem(WORDS[::2], JOTTO, weights=weights, kind="bands"))
    plan = plan_of(heavy, heavy.everything)
    taken = turns_taken(plan, heavy.problem, heavy.rows)
    (row,) = [
        row for row in wrong_answers.benchmark_errors(heavy, 0, 1, plan=plan, core=CORE) if row.strategy == "filter"
    ]
    assert row.mean == pytest.approx(np.average(taken, weights=weights)) and row.max == max(taken)
    assert row.plain()["mean"] == row.mean
