"""The next guess: codes that fit, searched, drawn, or from a tree; every guess is a code that can be asked."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

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
def test_every_level_is_played(number):
    level = LEVELS[number]
    secret = tuple(random.Random(number).sample(range(level.weapons), level.gladiators))
    # With numpy, the larger levels take too long.
    for engine, seconds in zip(CORES if level.codes < 2000 else CORES[:1], (9.0, 0.5)):
        assert len(played(Strategist(level, engine, 1, seconds), secret)) <= level.guesses + 2


def test_level_1_is_won_for_every_code():
    strategist = Strategist(LEVELS[1], cores.best_core(), 1, 9.0)
    lengths = [len(played(strategist, code)) for code in itertools.permutations(range(6), 4)]
    # Nothing is better than 1446 guesses over all 360 codes.
    assert 1446 <= sum(lengths) < 1475 and max(lengths) <= 6


def test_the_same_seed_plays_the_same():
    level, secret = Level(5, 14, 15), (13, 3, 11, 7, 0)
    games = [played(Strategist(level, cores.best_core(), seed, 60.0), secret) for seed in (1, 1)]
    assert games[0] == games[1]


@pytest.mark.parametrize("gladiators, weapons", [(1, 1), (1, 9), (2, 2), (1, 64), (2, 50), (7, 7), (4, 40), (8, 10)])
def test_unexpected_levels_are_played(gladiators, weapons):
    level = Level(gladiators, weapons, 60)
    secret = tuple(random.Random(1).sample(range(weapons), gladiators))
    assert len(played(Strategist(level, cores.best_core(), 1, 0.1), secret, 60)) <= weapons + 30


@pytest.mark.parametrize("level", [LEVELS[1], LEVELS[4]], ids=["listed", "drawn"])
def test_answers_that_contradict_one_another(level):
    strategist, guess = Strategist(level, cores.best_core()), tuple(range(level.gladiators))
    other = (*guess[1:], guess[0])
    with pytest.raises(NothingFits) as error:
        strategist.guess([(guess, Feedback(0, 0)), (other, Feedback(1, 1))])
    assert "2 answers" in str(error.value)


def test_without_time_any_guess_is_made():
    level, guess = Level(12, 12, 60), tuple(range(12))
    turns = [(guess, Feedback(2, 10)), ((*guess[6:], *guess[:6]), Feedback(1, 11))]
    code = Strategist(level, cores.best_core(), seconds=0.001).guess(turns)
    assert sorted(code) == list(range(12))
    turns = [((0, 1, 2, 3, 4), Feedback(0, 4)), ((1, 0, 3, 2, 5), Feedback(1, 3))]
    for seconds in (60.0, 1e-9):
        assert len(set(Strategist(Level(5, 9, 9), cores.best_core(), seconds=seconds).guess(turns))) == 5
    with TimeBudget(1e-9) as budget:
        while budget.is_left() or not budget.flag[0]:
            pass


FOUR_OF_SEVEN = st.permutations(range(7)).map(lambda code: tuple(code[:4]))


@settings(max_examples=40)
@given(st.lists(FOUR_OF_SEVEN, min_size=1, max_size=5), FOUR_OF_SEVEN, st.integers(0, 100))
def test_codes_drawn_are_those_that_fit(guesses, secret, seed):
    turns = [(guess, scored(guess, secret)) for guess in guesses]
    every = itertools.permutations(range(7), 4)
    fit = {code for code in every if all(scored(guess, code) == feedback for guess, feedback in turns)}
    sampler = gladiators_strategy.CodeSampler(Level(4, 7, 9).rules, turns, np.random.default_rng(seed))
    for block in (7, 10_000):
        codes, is_whole = sampler.draw(10**6, block)
        assert is_whole and set(map(tuple, codes.tolist())) == fit and len(codes) == len(fit)
    few, is_whole = sampler.draw(1, 5)
    assert set(map(tuple, few.tolist())) <= fit and len(few) == 1 and is_whole == (len(fit) == 1)
    codes, is_whole = sampler.draw(10**6, 7, lambda: False)
    assert not is_whole and not len(codes)


def test_the_first_codes_drawn_are_a_fair_sample():
    # 10 codes at a time: every weapon is at every place equally often.
    sampler = gladiators_strategy.CodeSampler(Level(4, 10, 9).rules, [], np.random.default_rng(1))
    codes = np.concatenate([sampler.draw(10, 10)[0] for _ in range(1000)])
    counts = np.stack([np.bincount(codes[:, place], minlength=10) for place in range(3)])
    # 1,000 are expected; six deviations are 180.
    assert len(codes) == 10_000 and abs(counts - 1000).max() < 180


@pytest.fixture(scope="module")
def tree_file():
    problem = symbol_problem(Level(3, 5, 6).rules)
    outcome = search_tree(problem, cores.best_core(), SearchOptions(width=3, prove=False, threads=1, cap=6))
    return encode_plan(problem, outcome.plan, PlanOrigin(None, cap=6))


def test_a_tree_is_walked_if_it_fits_and_a_damaged_one_is_refused(tmp_path, tree_file):
    (tmp_path / "3-of-5.tree").write_bytes(tree_file)
    level, load = Level(3, 5, 6), gladiators_strategy.load_shipped_tree
    found = load(level, tmp_path)
    strategist = Strategist(level, cores.best_core(), tree=found)
    every = list(itertools.permutations(range(5), 3))
    lengths = [len(played(strategist, code)) for code in every]
    assert (max(lengths), sum(lengths)) == (found.certificate["max"], found.certificate["total"])
    # Off the tree, guesses are worked out.
    assert strategist.guess([((4, 3, 2), Feedback(0, 1))]) in every
    # It serves if more guesses are allowed, but not if fewer are; another game has none.
    assert load(Level(3, 5, 5), tmp_path) is None and load(Level(3, 5, 9), tmp_path) is not None
    assert load(Level(3, 6, 6), tmp_path) is None and load(LEVELS[4], tmp_path) is None
    for content in (b"", tree_file[:-1], tree_file[:200] + b"x" + tree_file[201:], b"hello"):
        (tmp_path / "3-of-5.tree").write_bytes(content)
        with pytest.raises(DeskError, match=r"'3-of-5\.tree' is not used"):
            load(level, tmp_path)
    # A tree of another game.
    (tmp_path / "3-of-6.tree").write_bytes(tree_file)
    with pytest.raises(DeskError, match="not used"):
        load(Level(3, 6, 6), tmp_path)


def test_the_trees_that_come_with_the_game_are_sound():
    for path in gladiators_strategy.TREE_FOLDER.glob("*.tree"):
        places, _, symbols = path.stem.partition("-of-")
        found = tree.read_tree(path.read_bytes())
        level = Level(int(places), int(symbols), found.certificate["cap"] or found.certificate["max"])
        strategist = Strategist(level, cores.best_core(), tree=gladiators_strategy.load_shipped_tree(level))
        rng = random.Random(1)
        codes = [tuple(rng.sample(range(level.weapons), level.gladiators)) for _ in range(100)]
        assert sum(len(played(strategist, code)) <= level.guesses for code in codes) >= 99
    figures = verify_tree((gladiators_strategy.TREE_FOLDER / "5-of-10.tree").read_bytes()).figures
    assert (figures.missed, figures.total, figures.max) == (0, 172_028, 7)  # as docs/gladiators.md tells


def test_levels_as_people_write_them_and_wrong_ones():
    assert gladiators.parse_levels("5/10/7/10") == LEVELS[6] and gladiators.parse_levels("4/6/8") == LEVELS[1]
    assert str(LEVELS[6]) == "5 gladiators, 10 weapons, 7 guesses, 10 rounds"
    assert LEVELS[4].codes == 127_512_000 and gladiators.level_from_dict(LEVELS[5].plain()) == LEVELS[5]
    wrong = " 5 5/10 5/10/7/10/1 a/b/c 5/10/7/-1 0/5/5 5/4/7 13/20/9 5/99/7 5/10/0 5/10/99 5/10/7/99999999 ²/5/5"
    for text in wrong.split(" "):
        with pytest.raises(DeskError):
            gladiators.parse_levels(text)
