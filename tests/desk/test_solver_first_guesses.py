"""The best first guesses and positions in mid-game, compared with a plain search of every guess at every set."""

import itertools
import random
from dataclasses import replace

import pytest

from jotto.feedback import SLOW_SCORERS
from jotto.game import Turn
from jotto_desk.cli.problem_options import ChosenProblem
from jotto_desk.errors import DeskError
from jotto_desk.games.advice import GAME_RULES, describe_answer
from jotto_desk.games.wordle import find_unused_hint
from jotto_desk.solver import beam, cores, first_guesses, problem
from jotto_desk.solver.beam import SearchOptions, StopSignal
from jotto_desk.solver.reference import NumpyCore
from jotto_desk.solver.search import search_tree

CORES = [cores.choose_best_core(), NumpyCore()]
LISTS = 50


class PlainSearch:
    """Every guess at every set, with the slow scorer: nothing is bounded, nothing is shared with the solver."""

    def __init__(self, game):
        self.game, self.score = game, SLOW_SCORERS[game.rules.kind]
        self.weights = dict(zip(game.secrets, map(int, game.weights)))
        self.known = {}

    def cost_from(self, guess, members, turns=()):
        """Return the cost of a guess; None if it tells nothing."""
        parts = {}
        for word in members:
            if word != guess:
                parts.setdefault(self.score(guess, word), []).append(word)
        if list(parts.values()) == [list(members)]:
            return None
        after = (self.cost(tuple(part), (*turns, Turn(guess, told))) for told, part in parts.items())
        return sum(map(self.weights.get, members)) + sum(after)

    def cost(self, members, turns):
        allowed = self.game.guesses
        if self.game.is_hard:
            allowed = tuple(word for word in allowed if not find_unused_hint(word, turns))
        if (members, allowed) not in self.known:
            costs = (self.cost_from(guess, members, turns) for guess in allowed)
            self.known[members, allowed] = min(cost for cost in costs if cost is not None)
        return self.known[members, allowed]

    def rank(self):
        """List the costs of all first guesses with their numbers, the lowest first."""
        costs = ((self.cost_from(guess, self.game.secrets), number) for number, guess in enumerate(self.game.guesses))
        return sorted(pair for pair in costs if pair[0] is not None)


def draw_game(name, seed, secrets=(2, 9), others=6):
    """Draw a few words with few letters under the rules of a game, so that their answers are often the same."""
    dice, rules = random.Random(f"{name} {seed}"), GAME_RULES[name]
    few = rules._replace(length=min(rules.length, 4), alphabet=rules.alphabet[:6])
    every = [word for word in map("".join, itertools.product(few.alphabet, repeat=few.length)) if few.allows(word)]
    words = dice.sample(every, dice.randint(*secrets) + others)
    listed, wider = words[:-others], words[-others:]
    weights = [dice.choice([1, 2, 16]) for _ in listed] if dice.random() < 0.3 else None
    game = problem.make_list_problem(listed, few, wider, weights)
    return game.keep_secrets([1]) if dice.random() < 0.05 else game


def draw_families(seed, length=4, ends=2, count=12):
    """Draw words of Wordle's rules that differ in their first letters only, and words that would tell them apart."""
    dice, rules = random.Random(seed), GAME_RULES["wordle"]._replace(length=length, alphabet="abcdefghij")
    draw = lambda size: "".join(dice.choices(rules.alphabet, k=size))  # noqa: E731
    known = [draw(length - 1) for _ in range(ends)]
    words = {draw(1) + dice.choice(known) for _ in range(dice.randint(count // 3, count))} | {draw(length)}
    return problem.make_list_problem(sorted(words), rules, [draw(length) for _ in range(8)])


def list_ranked(game, count, core, **more):
    found = first_guesses.rank_first_guesses(game, core, SearchOptions(width=2, threads=1), count, **more)
    worth = beam.plan_cost(found.plan, found.table, found.table.everything, 60, 0)
    assert worth == found.cost and found.plan.guess == found.ranked[0].guess
    return found


@pytest.mark.parametrize("name", GAME_RULES)
def test_the_best_first_guesses_are_those_of_a_plain_search(name):
    for seed in range(LISTS):
        game, count = draw_game(name, seed), 1 + seed % 6
        found = list_ranked(game, count, CORES[seed % 2])
        expected = PlainSearch(game).rank()
        assert [(row.cost, row.guess) for row in found.ranked] == expected[:count], seed
        assert found.list_proven and found.proven and found.others_bound >= found.ranked[-1].cost


def test_hard_mode_costs_what_a_plain_search_of_all_allowed_guesses_says():
    """Takes seconds for the plain search, which asks the game's own rule about every guess."""
    differ = 0
    for seed in range(LISTS):
        easy = draw_families(seed)
        game, core = replace(easy, is_hard=True), CORES[seed % 2]
        found = list_ranked(game, 12, core)
        assert [(row.cost, row.guess) for row in found.ranked] == PlainSearch(game).rank()[:12], seed
        assert_hard(found.plan, game, game.secrets, ())
        quick = search_tree(game, core, SearchOptions(width=1, full=3, prove=False, threads=1))
        assert_hard(quick.plan, game, game.secrets, ())
        assert quick.lower_bound <= found.cost <= quick.cost
        differ += [row.cost for row in found.ranked] != [cost for cost, _ in PlainSearch(easy).rank()[:12]]
    assert differ > LISTS // 4


@pytest.mark.parametrize("length, ends, count", [(3, 6, 90), (4, 7, 100), (5, 7, 130)])
def test_both_cores_find_the_same_costs_of_longer_lists_in_hard_mode(length, ends, count):
    easy = draw_families(length, length, ends, count)
    game = replace(easy, is_hard=True)
    native, numpy = (list_ranked(game, 1, core) for core in CORES)
    assert native.list_proven and native.ranked == numpy.ranked and native.cost > list_ranked(easy, 1, CORES[0]).cost
    # Sets of more than 48 are scanned by the sizes of their parts.
    assert len(game.secrets) > 48
    assert_hard(native.plan, game, game.secrets, ())


def assert_hard(plan, game, members, turns):
    guess = game.guesses[plan.guess]
    assert not find_unused_hint(guess, turns)
    for code, child in plan.children.items():
        told = game.classes[code]
        part = [word for word in members if word != guess and game.rules.score(guess, word) == told]
        assert_hard(child, game, part, (*turns, Turn(guess, told)))


@pytest.mark.parametrize("name", GAME_RULES)
def test_after_turns_the_best_guesses_are_those_of_a_plain_search(name):
    for seed in range(LISTS):
        game, dice = draw_game(name, seed, (8, 14)), random.Random(seed)
        chosen, secret, asked = ChosenProblem(game, None), dice.choice(game.secrets), dice.sample(game.guesses, 2)
        turns = [(guess, SLOW_SCORERS[game.rules.kind](guess, secret)) for guess in asked if guess != secret]
        after = chosen.add_turns([f"{guess}={describe_answer(told, game.rules)}" for guess, told in turns])
        fitting = [
            word
            for word in game.secrets
            if word not in asked and all(SLOW_SCORERS[game.rules.kind](guess, word) == told for guess, told in turns)
        ]
        if secret in asked:
            continue
        assert list(after.problem.secrets) == fitting and set(after.problem.guesses) == set(game.guesses)
        found = list_ranked(after.problem, 3, CORES[seed % 2])
        assert [(row.cost, row.guess) for row in found.ranked] == PlainSearch(after.problem).rank()[:3]


def test_the_number_of_threads_does_not_change_the_list():
    game = draw_game("wordle", 1, (40, 60), 20)
    one, two = (
        first_guesses.rank_first_guesses(game, CORES[0], SearchOptions(width=2, threads=threads), 8)
        for threads in (1, 3)
    )
    assert one.ranked == two.ranked and one.list_proven


def test_a_list_that_is_stopped_says_what_is_not_proven():
    game, stop = draw_game("wordle", 2, (150, 200), 20), StopSignal()

    def tell(state):
        if state.stage == "proof" and state.done >= 2:
            stop.request()

    found = list_ranked(game, 8, CORES[0], tell=tell, stop=stop)
    assert [row.proven for row in found.ranked].count(True) == 2 and not found.list_proven
    assert found.lower_bound <= found.cost


def test_a_limit_of_guesses_counts_for_every_guess_on_the_list():
    game = draw_game("wordle", 5, (40, 40), 20)
    free, capped = (
        first_guesses.rank_first_guesses(game, CORES[0], SearchOptions(width=2, cap=cap), 8) for cap in (None, 3)
    )
    for row in capped.ranked:
        one = search_tree(game, CORES[0], SearchOptions(cap=3, first=row.guess))
        assert one.proven and one.cost == row.cost and one.plain()["max"] <= 3
    assert [row.cost for row in capped.ranked] > [row.cost for row in free.ranked]
    with pytest.raises(DeskError, match="within 2 guesses"):
        first_guesses.rank_first_guesses(game, CORES[0], SearchOptions(width=2, cap=2), 8)
