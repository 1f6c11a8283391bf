"""Heuristic strategies: known totals, choices by definition, play-outs against games played one by one, and the ear."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from interpreters import ROOT
from shared_data import WORD_LISTS, needs_shared_data

from jotto import feedback, words
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, LETTERS, MASTERMIND, PAPER_JOTTO, WORDLE, Rules
from jotto_desk.errors import DeskError
from jotto_desk.solver import benchmark, cores, feedback_table, problem, strategies
from jotto_desk.solver.problem import count_by_turn, count_turns
from jotto_desk.solver.reference import NumpyCore

CORES = [cores.choose_best_core({}), NumpyCore()]


def laid(made):
    return feedback_table.make_table(made, CORES[0].add_planes)


def isograms(path):
    """Make the table of the isograms of a list, in its order."""
    return laid(
        problem.make_list_problem(words.parse_word_list(path.read_bytes(), JOTTO, path.name).wordlist.words, JOTTO)
    )


def played(of, name, engine=CORES[0], **wishes):
    (strategy,) = strategies.make_strategies([name], of.problem, **wishes)
    return benchmark.play(of, strategy, engine)


@pytest.mark.parametrize("engine", CORES, ids=lambda engine: engine.name)
@pytest.mark.parametrize(
    "name, total, most, first",
    [
        ("frequent-first", 7471, 9, "rrrr"),
        ("minimax-all", 5801, 5, "rroo"),
        ("expected-size-all", 5696, 6, "rroy"),
        ("entropy-all", 5722, 6, "royg"),
        ("most-parts-all", 5668, 6, "rroy"),
    ],
)
def test_mastermind_costs_what_is_published(engine, name, total, most, first):
    of = laid(problem.make_symbol_problem(MASTERMIND))
    game = played(of, name, engine)
    assert (game.total, game.maximum, of.problem.guesses[game.plan.guess]) == (total, most, first)


def test_bulls_and_cows_and_the_default_list_cost_as_measured():
    game = played(laid(problem.make_symbol_problem(BULLS)), "entropy-all")
    assert (game.total, game.maximum, round(game.total / 5040, 3)) == (26424, 8, 5.243)
    of = isograms(ROOT / "wordlists" / "en.tsv")
    for name, total, most, first in [
        ("frequent-first", 15520, 11, "about"),
        ("entropy-cand", 13825, 10, "tares"),
        ("entropy-all", 13647, 7, "tares"),
        ("expected-size-all", 13720, 7, "tares"),
        ("minimax-all", 13972, 7, "tales"),
        ("most-parts-all", 13902, 8, "rates"),
    ]:
        game = played(of, name)
        assert (game.total, game.maximum, of.problem.guesses[game.plan.guess]) == (total, most, first)


@needs_shared_data
def test_the_wordle_answers_cost_what_a_prototype_found():
    of = isograms(WORD_LISTS / "wordle-answers-2315.txt")
    # Mean and maximum over the 1,566 isograms of the Wordle answers of 2021, by an earlier prototype of the solver.
    for name, mean, maximum in [
        ("entropy-cand", 4.396, 8),
        ("entropy-all", 4.374, 6),
        ("expected-size-cand", 4.376, 7),
        ("expected-size-all", 4.369, 6),
        ("minimax-cand", 4.460, 9),
        ("minimax-all", 4.473, 6),
        ("most-parts-cand", 4.480, 8),
        ("most-parts-all", 4.459, 7),
    ]:
        game = played(of, name)
        # Some of the means were rounded twice.
        assert game.total / 1566 == pytest.approx(mean, abs=0.0006) and game.maximum == maximum, name
    random = [benchmark.play(of, strategies.RandomConsistent(seed), CORES[0]).total / 1566 for seed in range(1, 101)]
    assert sum(random) / 100 == pytest.approx(4.835, rel=0.003)


def test_the_strategies_of_the_article_cost_what_was_measured_before():
    of = laid(problem.make_symbol_problem(MASTERMIND))
    # First guesses, and averages over all 1,296 secrets measured before by another program.
    for firsts, means in {
        ("0000", "2301", "2424", "0000", "0011"): (5.76, 4.71, 4.59, 5.76, 4.61),
        ("0011",) * 5: (5.02, 4.65, 4.59, 5.06, 4.60),
        ("0012",) * 5: (5.04, 4.57, 4.55, 5.15, 4.62),
        ("0123",) * 5: (5.15, 4.72, 4.63, 5.16, 4.66),
    }.items():
        for name, first, mean in zip(("first", "platyk", "mesok", "leptok", "random"), firsts, means):
            guess = strategies.parse_first_guess(first, of.problem)
            (strategy,) = strategies.make_strategies([name], of.problem)
            players = [strategies.RandomConsistent(seed) for seed in range(1, 5)] if name == "random" else [strategy]
            totals = [benchmark.play(of, strategies.FixedOpening(player, guess), CORES[0]).total for player in players]
            # The averages of random play have a standard deviation of 0.032; some of the others were rounded twice.
            limit = 0.096 if name == "random" else 0.006
            assert sum(totals) / len(totals) / 1296 == pytest.approx(mean, abs=limit), (name, first)


@st.composite
def games(draw):
    """Make the table of some words under some rules; some are guesses only, and some weigh more than others."""
    length, symbols = draw(st.integers(2, 4)), draw(st.integers(3, 6))
    repeats = symbols < length or draw(st.booleans())
    rules = Rules("some", length, LETTERS[:symbols], repeats, draw(st.sampled_from([PLACES, MARKS, COMMON])))
    every = st.lists(st.sampled_from(rules.alphabet), min_size=length, max_size=length, unique=not repeats)
    words = draw(st.lists(every.map("".join), min_size=2, max_size=24, unique=True))
    secrets = words[: max(2, draw(st.integers(2, 20)))]
    weights = draw(st.none() | st.lists(st.integers(1, 16), min_size=len(secrets), max_size=len(secrets)))
    return laid(problem.make_list_problem(secrets, rules, words, weights))


@given(games(), st.sampled_from(strategies.MEASURES), st.sampled_from(["cand", "all", "wider"]), st.sampled_from(CORES))
def test_the_choice_is_the_first_of_the_best(of, measure, scope, engine):
    made, score = of.problem, feedback.SLOW_SCORERS[of.problem.rules.kind]

    def cost(guess):
        # The weights of the sets that the guess makes of all secrets; the winning one is None.
        sizes, word = Counter(), made.guesses[guess]
        for secret, weight in zip(made.secrets, made.weights.tolist()):
            sizes[None if secret == word else score(word, secret)] += weight
        won = [measure.won] if sizes.pop(None, 0) else []
        worths = [*map(measure.worth, sizes.values()), *won]
        if measure.name == "most-parts":
            assert sum(worths) == -len(worths)
        return max(worths) if measure.largest else sum(worths)

    # A turn behind us: a game whose codes are all alike would need no look at its first guess.
    seen = strategies.TablePosition(engine, of, of.everything, ((0, 0),))
    amount = len(made.guesses) if scope == "wider" else len(made.weights)
    chosen = strategies.BestPartition(measure, scope).choose(seen)
    assert chosen == min(range(amount), key=lambda guess: (cost(guess), guess))


@pytest.mark.parametrize(
    "name, sizes, told",
    [
        ("entropy", (2, 2), 1),
        ("entropy", (4,), 0),
        ("entropy", (3, 1), 2 - 0.75 * math.log2(3)),
        ("expected-size", (1, 1, 1, 1), 1),
        ("expected-size", (3, 1), 2.5),
        ("minimax", (3, 1), 3),
        ("most-parts", (3, 1), -2),
    ],
)
def test_a_measure_of_a_partition(name, sizes, told):
    measure = next(measure for measure in strategies.MEASURES if measure.name == name)
    worths = list(map(measure.worth, sizes))
    score = (max(worths) if measure.largest else sum(worths)) / measure.unit
    score /= sum(sizes) if measure.shared else 1
    assert (math.log2(sum(sizes)) - score if name == "entropy" else score) == pytest.approx(told, abs=1e-6)


def test_common_words_are_asked_first_if_they_weigh_more_and_random_play_draws_by_its_seed():
    of = laid(problem.make_list_problem(["dance", "ocean", "canoe"], JOTTO, weights=[1, 1, 30]))
    for name in strategies.list_strategies(of.problem):
        if name not in ("consistent", "robot"):
            assert of.problem.guesses[played(of, name).plan.guess] == "canoe", name
    of = laid(problem.make_symbol_problem(MASTERMIND._replace(length=3)))
    plans = [benchmark.play(of, strategies.RandomConsistent(seed), CORES[0]).plan for seed in (1, 1, 2, 3, 4)]
    assert plans[0] == plans[1] and len({plan.guess for plan in plans}) > 2


@given(games(), st.data())
def test_a_play_out_is_every_game_played_by_itself_and_both_cores_make_the_same_plan(of, data):
    name, found = data.draw(st.sampled_from(strategies.list_strategies(of.problem))), []
    game = benchmark.play(of, strategies.make_strategies([name], of.problem)[0], CORES[0], tell=found.append)
    taken = count_turns(game.plan, of.problem)
    assert game.distribution == count_by_turn(taken) and None not in taken and sum(found) == len(taken)
    assert (game.total, game.maximum) == (sum(taken), max(taken))
    assert game.weighted == sum(turn * weight for turn, weight in zip(taken, of.problem.weights.tolist()))
    assert game.plan == played(of, name, CORES[1]).plan


def test_anagrams_that_common_letters_cannot_tell_apart_are_asked_one_by_one():
    of = laid(problem.make_symbol_problem(PAPER_JOTTO._replace(length=4, alphabet="abcd")))
    assert played(of, "entropy-all").distribution == dict.fromkeys(range(1, 25), 1)


CODES = problem.make_symbol_problem(MASTERMIND._replace(alphabet="012345"))


@pytest.fixture(scope="module")
def codes():
    return laid(CODES)


def chosen(name, members, of):
    """Return the guess that a strategy makes among these codes."""
    (strategy,) = strategies.make_strategies([name], of.problem)
    numbers = sorted(of.problem.guesses.index(code) for code in members)
    return of.problem.guesses[strategy.choose(strategies.TablePosition(CORES[0], of, np.array(numbers)))]


def test_shapes_of_codes():
    shapes = [("0123", (1, 1, 1, 1)), ("0012", (2, 1, 1)), ("0110", (2, 2)), ("3133", (3, 1)), ("5555", (4,))]
    assert [strategies.count_symbols(code) for code, _ in shapes] == [shape for _, shape in shapes]
    assert sorted(shapes, key=lambda pair: strategies.count_symbols(pair[0])) == shapes
    # Without repeats, only the order of symbols counts.
    of = laid(problem.make_symbol_problem(BULLS._replace(length=2, alphabet="0123")))
    assert [chosen(name, ["31", "02", "20"], of) for name in strategies.SHAPE_STRATEGIES] == ["02", "20", "31"]


@settings(max_examples=15)
@given(members=st.sets(st.sampled_from(CODES.secrets), min_size=1, max_size=40))
def test_shape_strategies_follow_their_definition(codes, members):
    ordered = sorted(members, key=lambda code: (strategies.count_symbols(code), code))
    first, middle, last = ordered[0], ordered[len(ordered) // 2], ordered[-1]
    names = (*strategies.SHAPE_STRATEGIES, "platyk", "leptok", "first")
    assert [chosen(name, members, codes) for name in names] == [first, middle, last, first, last, min(members)]


def test_names_of_strategies():
    words = problem.make_list_problem(["ocean", "canoe"], JOTTO)
    article = ["consistent", "frequent-first", *strategies.SHAPE_STRATEGIES]
    for made, offered in [
        (CODES, True),
        (problem.make_symbol_problem(BULLS._replace(length=2)), False),
        (words, False),
    ]:
        assert (set(strategies.SHAPE_STRATEGIES) <= set(strategies.list_strategies(made))) is offered
        for names in (["article"], ["random", "first", "platyk", "mesok", "leptok"]):
            assert [one.name for one in strategies.make_strategies(names, made)] == article
    wider = problem.make_list_problem(["ocean", "canoe"], JOTTO, ["dance"])
    for names, made, chosen_names in [
        (["entropy"], words, ["entropy-cand", "entropy-all"]),
        (["minimax-all", "consistent"], words, ["consistent", "minimax-all"]),
        (["most-parts"], wider, ["most-parts-cand", "most-parts-all", "most-parts-wider"]),
        (["robot", "robot"], words, ["robot"]),
        ([], words, []),
        (["all"], words, strategies.list_strategies(words)),
    ]:
        assert [strategy.name for strategy in strategies.make_strategies(names, made)] == chosen_names
    with pytest.raises(DeskError, match=r"no strategy 'luck' .* all, consistent, .*, most-parts\.$"):
        strategies.make_strategies(["entropy", "luck"], words)


def test_a_strategy_continues_after_a_given_first_guess(codes):
    (strategy,), first = strategies.make_strategies(["platykurtic"], CODES), CODES.guesses.index("0012")
    game = benchmark.play(codes, strategies.FixedOpening(strategy, first), CORES[0])
    assert game.plan.guess == first
    after = {code: CODES.guesses[plan.guess] for code, plan in game.plan.children.items()}
    parts = codes.split(first, codes.everything)
    assert after == {code: chosen("platykurtic", [CODES.guesses[one] for one in parts[code]], codes) for code in after}


def test_first_guesses_as_people_type_them():
    for text, rules, code in [
        ("0012", MASTERMIND, "rroy"),
        ("rroy", MASTERMIND, "rroy"),
        (" RROY ", MASTERMIND, "rroy"),
        ("012", BULLS._replace(length=3), "012"),
    ]:
        made = problem.make_symbol_problem(rules)
        assert made.guesses[strategies.parse_first_guess(text, made)] == code
    for text, sentence in [
        ("0016", "'0016' cannot be the first guess"),
        ("001", "has 3 letters"),
        ("rrox", "contains 'x'"),
        ("", "has 0 letters"),
        ("٠٠١٢", "cannot be the first guess"),
    ]:
        with pytest.raises(DeskError, match=sentence):
            strategies.parse_first_guess(text, problem.make_symbol_problem(MASTERMIND))
    with pytest.raises(DeskError, match="not in the list, or not allowed here; name further guesses with --wider"):
        strategies.parse_first_guess("dance", problem.make_list_problem(["ocean", "canoe"], JOTTO))


def test_funnels_are_the_candidates_that_the_engine_counts():
    of = laid(problem.make_symbol_problem(MASTERMIND._replace(length=3, alphabet="0123")))
    game, index = played(of, "mesokurtic"), Index(of.problem.secrets, of.problem.rules)
    for number, (secret, funnel) in enumerate(zip(of.problem.secrets, game.funnels)):
        plan, turns, counted = game.plan, [], []
        while not turns or turns[-1][0] != secret:
            counted.append(index.find_candidates(turns).bit_count())
            guess = of.problem.guesses[plan.guess]
            turns.append((guess, of.problem.rules.score(guess, secret)))
            plan = plan.children.get(int(of.rows[plan.guess, number]))
        assert funnel == tuple(counted)
    assert benchmark.count_guesses_to_one_left([(1296, 40, 1), (1296, 40, 3), (14,), (1296, 1)]) == [2, 3, 1, 1]


def confusion_chance(said, heard, rules):
    size = rules.length + 1
    codes = [answer if rules.kind == COMMON else answer[0] * size + answer[1] for answer in (said, heard)]
    return strategies.compute_confusions(rules)[tuple(codes)] / strategies.WHOLE_CHANCE


def test_the_chance_that_an_answer_is_heard_as_another():
    long = JOTTO._replace(length=7)
    for said, heard, rules, chance in [
        ((0, 1), (0, 4), JOTTO, 157 * 4 / 160**2),
        ((0, 4), (0, 5), JOTTO, 157 * 16 / 160**2),
        ((4, 0), (0, 0), JOTTO, 6 * 157 / 160**2),
        ((1, 1), (1, 1), JOTTO, 0),
        ((3, 2), (3, 1), JOTTO, 160 * 4 / 160**2),
        ((0, 3), (0, 2), JOTTO, 0),
        # A player who says that all are in place has won.
        ((0, 5), (5, 0), JOTTO, 0),
        # Letters in common are one number; numbers beyond five are heard as they are.
        (4, 5, PAPER_JOTTO, 16 / 160),
        ((1, 6), (0, 6), long, 3 / 160),
    ]:
        assert confusion_chance(said, heard, rules) == pytest.approx(chance), (said, heard)
    # Zero and six: heard as three and six, or two and six.
    assert strategies.compute_confusions(long)[6].sum() == (2 + 1) * 160
    with pytest.raises(DeskError, match="not spoken"):
        strategies.compute_confusions(WORDLE)


def test_a_risk_counts_only_answers_some_candidate_gives():
    of = laid(problem.make_list_problem(["fable", "horse", "guilt", "dwarf"], JOTTO))
    # fable: horse (1, 0), guilt (0, 1), dwarf (0, 2); horse is heard as (0, 0), which nobody gives, at no risk.
    risks = strategies.sum_risks(of, of.everything, np.array([0], dtype=np.int32))
    answers = [tuple(JOTTO.score("fable", word)) for word in ("horse", "guilt", "dwarf")]
    by_hand = sum(confusion_chance(said, heard, JOTTO) for said in answers for heard in set(answers))
    assert risks[0] == pytest.approx(by_hand * strategies.WHOLE_CHANCE)


def test_of_equal_guesses_the_one_heard_best_is_asked_and_a_tolerance_buys_hearing_with_guesses():
    of = isograms(ROOT / "wordlists" / "en.tsv")
    ears = (None, strategies.MishearingPenalty(), strategies.MishearingPenalty(0.05))
    plain, careful, tolerant = (played(of, "entropy-all", ear=ear) for ear in ears)
    misheard = [strategies.estimate_misheard(of, game.plan) for game in (plain, careful, tolerant)]
    assert misheard[1] < misheard[0] and misheard[2] < 0.9 * misheard[0]
    assert careful.total <= plain.total * 1.0005 and plain.total < tolerant.total < plain.total * 1.01


@given(games(), st.sampled_from(["entropy-all", "minimax-cand", "most-parts-all", "expected-size-all"]))
def test_an_ear_of_any_tolerance_ends_every_game(of, name):
    if of.problem.rules.kind != MARKS:
        game = played(of, name, ear=strategies.MishearingPenalty(100))
        assert sum(game.distribution.values()) == len(of.problem.weights)
