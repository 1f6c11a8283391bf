"""How guesses are found: listed, searched, drawn, or from a tree; every guess fits what it must."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotto import tree
from jotto.feedback import Feedback
from jotto_desk.errors import DeskError
from jotto_desk.games import gladiators, gladiators_strategy
from jotto_desk.games.gladiators import LEVELS, Level
from jotto_desk.games.gladiators_strategy import NothingFits, Strategist, TimeBudget
from jotto_desk.solver import cores, reference
from jotto_desk.solver.beam import SearchOptions
from jotto_desk.solver.problem import PlanOrigin, encode_plan, symbol_problem
from jotto_desk.solver.search import search_tree
from jotto_desk.solver.trees import verify_tree

CORES = [cores.best_core(), reference.NumpyCore()]


def scored(guess, secret):
    """Count weapons in place and elsewhere, by the challenge's words."""
    exact = sum(one == other for one, other in zip(guess, secret))
    return Feedback(exact, len(set(guess) & set(secret)) - exact)


def played(strategist, secret, most=30):
    """Play one round; return the turns."""
    turns = []
    while not turns or turns[-1][0] != secret:
        guess = strategist.guess(turns)
        assert len(turns) < most and len(set(guess)) == len(guess) == len(secret)
        assert all(type(weapon) is int for weapon in guess)
        turns.append((guess, scored(guess, secret)))
    return turns


@pytest.mark.parametrize("number", LEVELS)
@pytest.mark.parametrize("engine", CORES, ids=lambda engine: engine.name)
def test_every_level_is_played(number, engine):
    level, rng = LEVELS[number], random.Random(number)
    strategist = Strategist(level, engine, 1, 9.0 if engine.name == "native" else 2.0)
    # With numpy alone the larger levels take their time.
    rounds = 2 if engine.name == "native" or level.codes < 2000 else 1
    for _ in range(rounds):
        secret = tuple(rng.sample(range(level.weapons), level.gladiators))
        assert len(played(strategist, secret)) <= level.guesses + 2


def test_level_1_is_won_for_every_code():
    strategist = Strategist(LEVELS[1], cores.best_core(), 1, 9.0)
    lengths = [len(played(strategist, code)) for code in itertools.permutations(range(6), 4)]
    # Nothing is better than 1446 guesses over all 360 codes.
    assert 1446 <= sum(lengths) < 1475 and max(lengths) <= 6


def test_the_same_seed_plays_the_same():
    level, secret = Level(5, 14, 15), (13, 3, 11, 7, 0)
    games = [played(Strategist(level, cores.best_core(), seed, 60.0), secret) for seed in (1, 1, 2)]
    assert games[0] == games[1]


@pytest.mark.parametrize(
    "level",
    [
        Level(1, 1, 3),
        Level(1, 9, 9),
        Level(2, 2, 3),
        Level(3, 3, 9),
        Level(1, 64, 60),
        Level(7, 7, 60),
        Level(4, 40, 60),
        Level(8, 10, 60),
    ],
    ids=str,
)
def test_unexpected_levels(level):
    secret = tuple(random.Random(1).sample(range(level.weapons), level.gladiators))
    turns = played(Strategist(level, cores.best_core(), 1, 1.0), secret, 60)
    assert len(turns) <= level.weapons + 30


@pytest.mark.parametrize("level", [LEVELS[1], LEVELS[4]], ids=["listed", "drawn"])
def test_answers_that_contradict_one_another(level):
    strategist, guess = Strategist(level, cores.best_core()), tuple(range(level.gladiators))
    other = (*guess[1:], guess[0])
    with pytest.raises(NothingFits) as error:
        strategist.guess([(guess, Feedback(0, 0)), (other, Feedback(1, 1))])
    assert "2 answers" in str(error.value)


TURNS = st.lists(st.permutations(range(7)).map(lambda code: tuple(code[:4])), min_size=1, max_size=5)


def test_where_nothing_is_found_in_time_any_guess_is_made():
    level, guess = Level(12, 12, 60), tuple(range(12))
    turns = [(guess, Feedback(2, 10)), ((*guess[6:], *guess[:6]), Feedback(1, 11))]
    code = Strategist(level, cores.best_core(), seconds=0.001).guess(turns)
    assert sorted(code) == list(range(12))


@given(TURNS, st.permutations(range(7)).map(lambda code: tuple(code[:4])), st.integers(0, 100))
def test_all_ways_to_know_what_fits_agree(guesses, secret, seed):
    rules = Level(4, 7, 9).rules
    turns = [(guess, scored(guess, secret)) for guess in guesses]
    every = itertools.permutations(range(7), 4)
    fit = {code for code in every if all(scored(guess, code) == feedback for guess, feedback in turns)}
    growth = gladiators_strategy.CodeGrowth(rules, turns, np.random.default_rng(seed))
    whole = growth.sample(10_000)
    assert whole.whole and set(map(tuple, whole.codes.tolist())) == fit and len(whole.codes) == len(fit)
    few = growth.sample(5)
    assert set(map(tuple, few.codes.tolist())) <= fit and len(few.codes) <= 5
    deep = growth.search(10**6, 7, lambda: True)
    assert deep.whole and set(map(tuple, deep.codes.tolist())) == fit
    codes = np.array(list(itertools.permutations(range(7), 4)), dtype=np.uint8)
    assert set(map(tuple, gladiators_strategy.fitting_codes(codes, turns, rules).tolist())) == fit


def test_a_sample_is_fair():
    # 10,000 codes drawn of 5,040 by 300 beginnings at a time: every weapon is at every place equally often.
    growth = gladiators_strategy.CodeGrowth(Level(4, 10, 9).rules, [], np.random.default_rng(1))
    codes = np.concatenate([growth.sample(100).codes for _ in range(100)])
    counts = np.stack([np.bincount(codes[:, place], minlength=10) for place in range(4)])
    # 1,000 are expected; six deviations are 180.
    assert len(codes) == 10_000 and abs(counts - 1000).max() < 180


def test_tables_hold_the_engines_answers():
    level, rng = Level(6, 25, 9), np.random.default_rng(1)
    codes = np.array([rng.permutation(25)[:6] for _ in range(60)], dtype=np.uint8)
    codes = np.unique(codes, axis=0)
    for engine in CORES:
        table = gladiators_strategy.make_code_table(codes[:20], codes[20:], level.rules, engine)
        assert (table.columns == table.rows.T).all()
        for guess in range(len(codes)):
            for secret in range(20):
                answer = table.problem.classes[table.rows[guess, secret]]
                assert answer == scored(codes[guess].tolist(), codes[secret].tolist())
    left = gladiators_strategy.codes_without(codes, codes[5:9])
    assert set(map(tuple, left.tolist())) == set(map(tuple, codes.tolist())) - set(map(tuple, codes[5:9].tolist()))


def test_a_search_out_of_time_leaves_the_comparison():
    level = LEVELS[3]
    codes = np.array(list(itertools.permutations(range(9), 5)), dtype=np.uint8)
    turns = [((0, 1, 2, 3, 4), Feedback(0, 4)), ((1, 0, 3, 2, 5), Feedback(1, 3))]
    fit = gladiators_strategy.fitting_codes(codes, turns, level.rules)
    scales = gladiators_strategy.GuessScorer(level.rules, cores.best_core(), "expected-size")
    with TimeBudget(60.0) as budget:
        assert scales.searched((), fit, codes[:0], 5, budget) is not None
        budget.flag[0] = 1
        assert scales.searched((), fit, codes[:0], 5, budget) is None
    with TimeBudget(0.0) as budget:
        found = gladiators_strategy.ListedStrategy(level, cores.best_core(), np.random.default_rng(1)).guess(
            [((0, 1, 2, 3, 4), Feedback(0, 4))], budget
        )
    assert found is not None and not budget.goes_on()


@pytest.fixture(scope="module")
def tree_file():
    problem = symbol_problem(Level(3, 5, 6).rules)
    outcome = search_tree(problem, cores.best_core(), SearchOptions(width=3, prove=False, threads=1, cap=6))
    return encode_plan(problem, outcome.plan, PlanOrigin(None, cap=6))


def shelved(folder, content, name="3-of-5.tree"):
    (folder / name).write_bytes(content)
    return folder


def test_a_tree_is_walked_where_it_fits(tmp_path, tree_file):
    folder = shelved(tmp_path, tree_file)
    level = Level(3, 5, 6)
    found = gladiators_strategy.load_shipped_tree(level, folder)
    strategist = Strategist(level, cores.best_core(), tree=found)
    lengths = [len(played(strategist, code)) for code in itertools.permutations(range(5), 3)]
    assert (max(lengths), sum(lengths)) == (found.certificate["max"], found.certificate["total"])
    # Off the tree, guesses are worked out.
    assert strategist.guess([((4, 3, 2), Feedback(0, 1))]) in set(itertools.permutations(range(5), 3))
    # Fewer guesses are allowed than it was made for; more are no harm; another game has none.
    assert (
        gladiators_strategy.load_shipped_tree(Level(3, 5, 5), folder) is None
        and gladiators_strategy.load_shipped_tree(Level(3, 5, 9), folder) is not None
    )
    assert (
        gladiators_strategy.load_shipped_tree(Level(3, 6, 6), folder) is None
        and gladiators_strategy.load_shipped_tree(LEVELS[4], folder) is None
    )


@pytest.mark.parametrize(
    "damage",
    [lambda raw: b"", lambda raw: raw[:-1], lambda raw: raw[:200] + b"x" + raw[201:], lambda raw: b"hello"],
    ids=["empty", "cut off", "changed", "no tree"],
)
def test_a_damaged_tree_is_refused(tmp_path, tree_file, damage):
    with pytest.raises(DeskError) as error:
        gladiators_strategy.load_shipped_tree(Level(3, 5, 6), shelved(tmp_path, damage(tree_file)))
    assert "'3-of-5.tree' is not used" in str(error.value)


def test_a_tree_of_another_game_is_refused(tmp_path, tree_file):
    with pytest.raises(DeskError) as error:
        gladiators_strategy.load_shipped_tree(Level(3, 6, 6), shelved(tmp_path, tree_file, "3-of-6.tree"))
    assert "not used" in str(error.value)


def test_the_trees_that_come_with_the_game_are_sound():
    for path in gladiators_strategy.TREE_FOLDER.glob("*.tree"):
        places, _, symbols = path.stem.partition("-of-")
        found = tree.read_tree(path.read_bytes())
        level = Level(int(places), int(symbols), found.certificate["cap"] or found.certificate["max"])
        bound = gladiators_strategy.load_shipped_tree(level)
        strategist = Strategist(level, cores.best_core(), tree=bound)
        rng = random.Random(1)
        codes = [tuple(rng.sample(range(level.weapons), level.gladiators)) for _ in range(300)]
        assert sum(len(played(strategist, code)) <= level.guesses for code in codes) >= 297


def test_every_code_is_found_in_time_as_the_plain_scorer_plays_it():
    figures = verify_tree((gladiators_strategy.TREE_FOLDER / "5-of-10.tree").read_bytes()).figures
    assert (figures.missed, figures.total, figures.max) == (0, 172_028, 7)  # as docs/gladiators.md tells


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "5/10",
        "5/10/7/10/1",
        "a/b/c",
        "5/10/7/-1",
        "0/5/5",
        "5/4/7",
        "13/20/9",
        "5/99/7",
        "5/10/0",
        "5/10/99",
        "5/10/7/99999999",
        "²/5/5",
    ],
)
def test_levels_that_are_none(text):
    with pytest.raises(DeskError):
        gladiators.parse_levels(text)


def test_levels_as_people_write_them():
    assert gladiators.parse_levels("5/10/7/10") == LEVELS[6] and gladiators.parse_levels("4/6/8") == LEVELS[1]
    assert str(LEVELS[6]) == "5 gladiators, 10 weapons, 7 guesses, 10 rounds"
    assert LEVELS[4].codes == 127_512_000 and gladiators.level_from_dict(LEVELS[5].plain()) == LEVELS[5]


@pytest.mark.parametrize("played, count", [(((0, 1, 2, 3, 4),), 36), (((0, 1, 2, 3, 4), (0, 1, 3, 5, 6)), None)])
def test_guesses_that_are_alike_are_looked_at_once(played, count):
    from jotto_desk.solver.reference import representatives

    thinker = gladiators_strategy.ListedStrategy(LEVELS[6], cores.best_core(), np.random.default_rng(1))
    numbers = [int((thinker.codes == guess).all(axis=1).argmax()) for guess in played]
    plain = representatives(thinker.codes, 10, numbers)
    found = thinker._unlike(played)
    assert len(found) == len(plain) == (count or len(plain)) < 10_000
