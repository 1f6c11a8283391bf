"""The solver's two cores, C and numpy: one answer, and the right one by pencil and paper."""

import hashlib
import itertools
import math
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import given, settings, strategies as st
from interpreters import ROOT
from programs import need_program

from jotto import feedback
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.rules import JOTTO, LETTERS, WORDLE, Rules
from jotto_desk.errors import DeskError
from jotto_desk.solver import cores, feedback_table, problem
from jotto_desk.solver.beam import extract_plan, plan_cost
from jotto_desk.solver.native import build
from jotto_desk.solver.reference import NumpyCore
from jotto_desk.words import lists

NUMPY = NumpyCore()
UNCAPPED = feedback_table.ENDLESS
#: Turns added for a secret not found, where none may be missed.
NEVER = 10_000
BEAMS = [(1, 0), (2, 5), (5, 12)]


@pytest.fixture(scope="module")
def native():
    """Load the C core made from the sources as they are."""
    folder = build.FOLDER
    if os.environ.get("CFLAGS") or build.is_stale(folder / build.name_library()):
        need_program("cc")
        folder = variant(os.environ.get("CFLAGS", ""))
    return cores.NativeCore(cores.load_library({}, pytest.fail, folder))


@pytest.fixture(scope="module")
def portable(native):
    """Load the C core as processors without vectors, and with narrower ones, get it; compiled in half the time."""
    every = [f"{flag} -O1 {os.environ.get('CFLAGS', '')}" for flag in ("-DJOTTO_PORTABLE", "-DJOTTO_WIDEST=32")]
    return [cores.NativeCore(cores.load_library({}, pytest.fail, variant(flags))) for flags in every]


@st.composite
def games(draw, secrets=20, wider=6, symbols=(3, 8), heavy=True):
    """Make the table of some words under some rules; some are guesses only, and some weigh more than others."""
    length, letters = draw(st.integers(2, 5)), draw(st.integers(*symbols))
    repeats = letters < length or draw(st.booleans())
    rules = Rules("some", length, LETTERS[:letters], repeats, draw(st.sampled_from([PLACES, MARKS, COMMON])))
    every = letters**length if repeats else math.perm(letters, length)
    numbers = draw(st.lists(st.integers(0, every - 1), min_size=2, max_size=secrets + wider, unique=True))
    words = [spelled(number, rules) for number in numbers]
    chosen = words[: max(2, min(secrets, len(words) - draw(st.integers(0, wider))))]
    weighed = heavy and draw(st.booleans())
    weights = [draw(st.sampled_from([1, 2, 3, 16])) for _ in chosen] if weighed else None
    return feedback_table.make_table(problem.make_list_problem(chosen, rules, words, weights))


def spelled(number, rules):
    letters, word = list(rules.alphabet), ""
    for _ in range(rules.length):
        number, place = divmod(number, len(letters))
        word += letters[place] if rules.repeats else letters.pop(place)
    return word


def symbol_game(length, symbols, repeats=True, kind=PLACES):
    return feedback_table.make_table(
        problem.make_symbol_problem(Rules("some", length, LETTERS[:symbols], repeats, kind))
    )


def lopsided(game):

    class Lopsided(problem.Problem):
        is_symmetric = False

    plain = game.problem
    return feedback_table.FeedbackTable(Lopsided(plain.rules, plain.guesses, plain.weights), game.rows, game.columns)


#: Turns left, and turns added for a secret not found.
caps = st.sampled_from([(UNCAPPED, NEVER), (1, 3), (2, 5), (3, 1), (3, NEVER), (4, 7)])
#: The same for beams, which first hope to miss none if a miss costs more than any tree without.
hopes = st.sampled_from([(UNCAPPED, NEVER), (3, NEVER), (4, NEVER), (5, NEVER), (4, 100), (3, 1), (4, 7)])
#: Numbers to pick guesses and members by.
picks = st.lists(st.integers(0, 10**6), min_size=1, max_size=4)


@settings(max_examples=40)
@given(game=games())
def test_codes_are_what_a_child_would_answer(native, game):
    words, rules = game.problem, game.problem.rules
    codes = feedback_table.make_table(words, native.add_planes).rows
    assert (codes == game.rows).all() and (game.columns == codes.T).all()
    for guess, secret in itertools.product(range(len(words.guesses)), range(len(words.secrets))):
        answer = feedback.SLOW_SCORERS[rules.kind](words.guesses[guess], words.secrets[secret])
        anagram = rules.kind == COMMON and guess == secret
        assert words.classes[codes[guess, secret]] == (None if anagram else answer)
        assert (codes[guess, secret] == words.win) == (guess == secret)


@pytest.mark.parametrize("rules", [JOTTO, WORDLE])
def test_codes_of_a_long_list_are_those_of_its_words(rules):
    listed = lists.load_list("en", rules).words
    game = feedback_table.make_table(problem.make_list_problem(listed, rules))
    for guess, secret in itertools.product(range(0, len(listed), 97), range(0, len(listed), 31)):
        assert game.problem.classes[game.rows[guess, secret]] == rules.score(listed[guess], listed[secret])


@given(
    game=games(),
    values=st.lists(st.integers(-99, 99), min_size=21, max_size=21),
    won=st.integers(-99, 99),
    chosen=picks | st.none(),
    largest=st.booleans(),
)
def test_scores_add_up_part_by_part(native, portable, game, values, won, chosen, largest):
    # At least two members, picked by a number.
    members = game.everything[(game.everything * 7919 + (chosen or [0])[0]) % 3 > 0]
    members = members if len(members) > 1 else game.everything[:2]
    every = range(len(game.rows))
    guesses = np.array(every if chosen is None else [pick % len(every) for pick in chosen], dtype=np.int32)
    words, expected = game.problem, []
    for guess in guesses:
        sizes = Counter(game.rows[guess, members].tolist())
        # Parts of no members count only in sums.
        worth = [
            won if code == words.win and sizes[code] else values[sizes[code]]
            for code, feedback in enumerate(words.classes)
            if sizes[code] or (not largest and (feedback is not None or code == words.win))
        ]
        expected.append(max(worth) if largest else sum(worth))
    for each in (native, *portable, NUMPY):
        scores = each.score_guesses(game, members, guesses, np.array(values, dtype=np.int64), won, largest)
        assert scores.tolist() == expected


@pytest.mark.parametrize("kind, length", [(PLACES, 5), (PLACES, 3), (COMMON, 5), (MARKS, 3)])
def test_long_lists_are_scored_alike(native, portable, kind, length):
    for count in (14, 15, 16, 64, 254, 255, 256, 700):
        game = some_words(kind, count, length=length)
        every = np.arange(len(game.rows), dtype=np.int32)
        values = np.array([size * size + 1 for size in range(count + 1)], dtype=np.int64)
        for members in (game.everything, game.everything[1::2]):
            wanted = NUMPY.score_guesses(game, members, every, values, -5, False)
            for each in (native, *portable):
                assert (each.score_guesses(game, members, every, values, -5, False) == wanted).all(), count


def judged(search, members, left, played=()):
    """Return the cost of a set, and whether its guess has that cost: others may have it, too."""
    answer = search.solve(members, left, None, played)
    return answer.cost, left < 1 or search.attempt(members, left, answer.guess, None, played) == answer.cost


def story(search, game, cap, chosen, costs=None, exact=True):
    """All that a search says when it is asked this and that, in order."""
    left, members, said = cap[0], game.everything, [search.reach()]
    if costs is not None:
        search.estimate(costs[: len(members) + 1])
    said.append([found.tolist() for found in search.scan(members, left)])
    guesses = [pick % len(game.rows) for pick in chosen]
    for guess, pick in zip(guesses, chosen) if exact else ():
        said += [search.look_ahead(members, left, guess, limit) for limit in (pick % (9 * len(members)), None)]
    said += [search.attempt(members, left, guess, pick % (9 * len(members))) for guess, pick in zip(guesses, chosen)]
    ask = partial(judged, search) if exact else search.solve
    said += [ask(members, left), *(search.attempt(members, left, guess) for guess in guesses)]
    for guess in guesses:
        for part in game.split(guess, members).values():
            said += [ask(part, left - 1, played=[guess])]
    return said


@settings(max_examples=40)
@given(game=games(secrets=24), cap=caps, chosen=picks)
def test_both_cores_search_alike(native, game, cap, chosen):
    def bounded(search, game, cap, guess, limit):
        """Return the cost of a guess, then of a set, below a limit; None for others."""
        costs = search.attempt(game.everything, cap[0], guess, limit), search.solve(game.everything, cap[0], limit).cost
        return [None if cost >= limit else cost for cost in costs]

    native_story, numpy_story = (story(each.search(game, cap[1]), game, cap, chosen) for each in (native, NUMPY))
    assert native_story == numpy_story
    guess, limit = chosen[0] % len(game.rows), chosen[-1] % 100
    one, other = (bounded(each.search(game, cap[1]), game, cap, guess, limit) for each in (native, NUMPY))
    assert one == other


@settings(max_examples=20)
@given(
    game=games(secrets=100, wider=30),
    cap=hopes,
    chosen=picks,
    beam=st.sampled_from(BEAMS),
    steps=st.none() | st.lists(st.floats(0, 9), min_size=1, max_size=4),
)
def test_both_cores_follow_the_same_beam(native, game, cap, chosen, beam, steps):
    """Takes seconds: games large enough for a beam to leave something out, in plain numpy too."""
    costs = None if steps is None else np.cumsum([0, *steps, *[steps[-1]] * 100])
    searches = [each.search(game, cap[1], *beam) for each in (native, NUMPY)]
    one, other = (story(search, game, (UNCAPPED, cap[1]), chosen, costs, exact=False) for search in searches)
    assert one == other
    native_sizes, numpy_sizes = (search.sum_costs(100) for search in searches)
    assert (np.array(native_sizes) == np.array(numpy_sizes)).all()
    for search in searches:
        keep_their_word(search, game, cap, chosen)


def keep_their_word(search, game, cap, chosen):
    """Search a beam with a cap: each core takes its own way, and costs are those of the trees that come with them."""
    left, miss = cap
    for guess in (None, *(pick % len(game.rows) for pick in chosen)):
        for part in [game.everything] if guess is None else game.split(guess, game.everything).values():
            played, turns = ((), left) if guess is None else ((guess,), left - 1)
            cost, plan = search.solve(part, turns, None, played).cost, extract_plan(search, game, part, turns, played)
            assert cost == plan_cost(plan, game, part, turns, miss)


@settings(max_examples=30)
@given(game=games(secrets=40, symbols=(3, 6)), cap=hopes, beam=st.sampled_from(BEAMS), more=st.integers(-4, 9))
def test_a_beam_finds_the_same_whatever_the_limit(native, game, cap, beam, more):
    left, miss = cap
    for each in (native, NUMPY):
        free = each.search(game, miss, *beam).solve(game.everything, left)
        limited = each.search(game, miss, *beam).solve(game.everything, left, max(1, free.cost + more))
        assert limited == free if more > 0 else free.cost + more <= limited.cost <= free.cost


def some_words(kind, count, weighed=(), seed=1, letters=12, length=5):
    rules = Rules("some", length, LETTERS[:letters], True, kind)
    chance = np.random.default_rng(seed)
    words = [spelled(number, rules) for number in chance.permutation(letters**length)[: 2 * count].tolist()]
    weights = chance.choice(weighed or [1], count).tolist()
    return feedback_table.make_table(problem.make_list_problem(words[:count], rules, words, weights))


WEIGHTS = 1, 2, 16


# Few games show what a beam owes to what was searched before; these once did.
@pytest.mark.parametrize(
    "game, cap, beam",
    [
        (some_words(COMMON, 20, (), 628586, 6, 3), (5, NEVER), (3, 0)),
        (some_words(COMMON, 20, (), 417146, 5, 3), (5, NEVER), (3, 0)),
        (some_words(COMMON, 21, (), 150334, 6, 4), (4, NEVER), (3, 0)),
        (some_words(COMMON, 16, WEIGHTS, 158553, 4, 4), (3, NEVER), (3, 0)),
        (symbol_game(4, 5, True, COMMON), (4, NEVER), (2, 6)),
        (symbol_game(4, 5, True, COMMON), (4, 3), (2, 0)),
    ],
)
def test_an_earlier_search_changes_no_beam(native, game, cap, beam):
    """Takes seconds: every guess is tried with knowledge, without, and under two limits."""
    left, miss = cap
    for each in (native, NUMPY) if len(game.rows) < 100 else (native,):
        begun = [each.search(game, miss, *beam) for _ in range(3)]
        fresh = begun[0].solve(game.everything, left)
        for guess in range(0, len(game.rows), 1 if len(game.rows) < 100 else 3):
            free = begun[1].attempt(game.everything, left, guess)
            for limit in (fresh.cost, free - 5):
                limited = begun[2].attempt(game.everything, left, guess, limit)
                assert limited == free if free < limit else limit <= limited <= free
        assert [later.solve(game.everything, left) for later in begun[1:]] == [fresh, fresh]


#: Feedback, words, and whether they weigh; numpy needs seconds for a long list of letters in common.
LONG_LISTS = (PLACES, 300, WEIGHTS), (MARKS, 150, ()), (COMMON, 100, WEIGHTS)
#: Games and beams; the lists are long enough for the C core's wide vectors.
LONGER = [
    *((some_words(kind, 70, weighed), (0, 0)) for kind, weighed in ((PLACES, ()), (MARKS, WEIGHTS))),
    *((some_words(PLACES, 140, weighed, 1, 20, 5), (0, 0)) for weighed in ((), WEIGHTS)),
    (some_words(PLACES, 160, WEIGHTS, 1, 8, 4), (0, 0)),
    # As many weights as can be, and some that add up to more than 16 bits hold.
    *((some_words(PLACES, 90, weighed), (0, 0)) for weighed in (range(1, 9), (1000, 999, 1))),
    *((some_words(kind, count, weighed), (3, 6)) for kind, count, weighed in LONG_LISTS),
    *((symbol_game(*rules), beam) for rules in [(3, 6, False), (3, 4, True, COMMON)] for beam in [(0, 0), (2, 0)]),
]


@pytest.mark.parametrize("game, beam", LONGER)
def test_all_cores_search_longer_lists_alike(native, portable, game, beam):
    """Takes seconds: in plain numpy, too."""

    def told(core, left):
        return story(core.search(game, NEVER, *beam), game, (left, NEVER), [1, 37], exact=beam == (0, 0))

    for left in (UNCAPPED, 5):
        wanted = told(native, left)
        for each in (*portable, NUMPY) if left == UNCAPPED else portable:
            assert told(each, left) == wanted
    for each in (native, NUMPY) if beam != (0, 0) else ():
        keep_their_word(each.search(game, NEVER, *beam), game, (5, NEVER), [1, 37])


def rhymes(seed):
    """Make a game of Wordle whose words differ from one of two stems in two places, so that answers part them badly."""
    chance, letters = np.random.default_rng(seed), 14
    rules = Rules("some", 5, LETTERS[:letters], True, MARKS)
    stems, words = chance.integers(0, letters, (2, 5)), {}
    for _ in range(int(chance.integers(120, 300))):
        word = stems[chance.integers(2)].copy()
        word[chance.choice(5, 2, replace=False)] = chance.integers(0, letters, 2)
        words["".join(LETTERS[letter] for letter in word)] = None
    chosen = list(words)[: 2 * len(words) // 3]
    weights = chance.choice([1, 2, 16], len(chosen)).tolist() if seed % 3 == 0 else None
    return feedback_table.make_table(problem.make_list_problem(chosen, rules, list(words), weights))


@settings(max_examples=20)
@given(
    seed=st.integers(0, 10**9),
    left=st.sampled_from([2, 3, 5, UNCAPPED]),
    size=st.integers(2, 130),
    miss=st.integers(1, 9),
)
def test_sets_under_wordle_rules_are_scanned_alike(native, portable, seed, left, size, miss):
    """Sets below and above the sizes from which on members are not compared in pairs, and the sizes of parts count."""
    game = rhymes(seed)
    members = np.sort(np.random.default_rng(seed).permutation(game.everything)[:size])
    wanted, *others = (
        [kind.tolist() for kind in each.search(game, miss).scan(members, left)] for each in (NUMPY, native, *portable)
    )
    assert all(found == wanted for found in others)


@pytest.mark.parametrize("seed", range(12))
def test_random_lists_under_wordle_rules_cost_the_same(native, portable, seed):
    """Takes seconds: in plain numpy, too."""
    game = rhymes(seed)
    every = (native, *portable, NUMPY)
    costs = [each.search(game, NEVER).solve(game.everything, UNCAPPED).cost for each in every]
    assert len(set(costs)) == 1
    tight = [each.search(game, NEVER).solve(game.everything, 4, costs[0] + 1).cost for each in every]
    assert len({min(cost, costs[0] + 1) for cost in tight}) == 1


def with_codes(rows):
    """Make a table of these places in `used`, for `len(rows[0])` secrets, with any answers, unlike those of words."""
    rules = Rules("any", 3, LETTERS[:6], True, PLACES)
    words = [spelled(number, rules) for number in range(len(rows))]
    asked = problem.make_list_problem(words[: len(rows[0])], rules, words)
    codes = np.array(asked.used, dtype=np.uint8)[np.array(rows)]
    codes[np.arange(len(rows[0])), np.arange(len(rows[0]))] = asked.win
    return feedback_table.FeedbackTable(asked, codes, np.ascontiguousarray(codes.T))


def any_answers(chance, fewest=8, most=14):
    """Make a game whose members often stay together, so that turns may run out."""
    secrets, codes = int(chance.integers(fewest, most)), int(chance.integers(2, 6))
    rows = chance.integers(0, codes, (secrets + int(chance.integers(0, 5)), secrets))
    close = int(chance.integers(2, secrets + 1))
    rows[:close, :close][chance.random((close, close)) < 0.97] = 0
    rows[chance.random(rows.shape) < 0.25 * chance.integers(0, 4)] = 0
    return with_codes(rows)


@pytest.mark.parametrize("seed", [*range(8), *range(9, 18), *range(19, 24)])
def test_knowledge_of_one_search_never_misleads_another(native, seed):
    """Takes seconds for some seeds: games in which a wrong bound would show are large ones; 8 makes the largest."""
    chance = np.random.default_rng(seed)
    game, miss = any_answers(chance), int(chance.choice([1, 2, 3, 40, 65_516, 65_536, 1 << 20]))
    searches = [each.search(game, miss) for each in (native, NUMPY)]
    for _ in range(40):
        members = game.everything[chance.random(len(game.everything)) < chance.choice([0.5, 0.8, 1])]
        if not len(members):
            continue
        left = int(chance.integers(2, 15))
        cost = searches[1].solve(members, left).cost
        limit = max(1, cost + int(chance.integers(-5, 6)))
        found = searches[0].solve(members, left, limit).cost
        assert found == cost if cost < limit else limit <= found <= cost, (members, left, limit)


@pytest.mark.parametrize("seed", [*range(8), *range(9, 20)])
def test_sets_searched_whole_in_a_beam_miss_nobody_if_possible(native, seed):
    """Takes seconds for some seeds: only their games leave few ways to find everything."""
    chance = np.random.default_rng(seed)
    game = any_answers(chance, 9, 28)
    exact, *beams = native.search(game, NEVER), native.search(game, NEVER, 2, 40), NUMPY.search(game, NEVER, 2, 40)
    for _ in range(20):
        members = game.everything[chance.random(len(game.everything)) < chance.choice([0.6, 0.9, 1])]
        left = int(chance.integers(3, 8))
        costs = [beam.solve(members, left).cost for beam in beams]
        best = exact.solve(members, left).cost
        assert min(costs) >= best and (costs[0] == best or best > left * len(members))


@pytest.mark.parametrize("left", [3, 5, UNCAPPED])
@pytest.mark.parametrize("game", [some_words(PLACES, 70), some_words(MARKS, 70), symbol_game(3, 4)])
def test_both_cores_search_sets_whole_in_a_beam(native, game, left):
    searches = [each.search(game, NEVER, 2, 24) for each in (native, NUMPY)]
    for guess in (None, 1, 37):
        for part in [game.everything] if guess is None else game.split(guess, game.everything).values():
            played = () if guess is None else (guess,)
            found = [search.solve(part, left, None, played).cost for search in searches]
            assert found[0] == found[1] or left < UNCAPPED
            plans = [extract_plan(search, game, part, left, played) for search in searches]
            assert [plan_cost(plan, game, part, left, NEVER) for plan in plans] == found


def by_hand(game, miss):
    """Two functions that go through all trees: the cost of a set, and of asking a guess at a set."""
    weights, win = game.problem.weights, game.problem.win

    @lru_cache(maxsize=None)
    def cost(members, left):
        weight = sum(int(weights[member]) for member in members)
        if not members or left == 0:
            return miss * weight
        return min(asking(guess, members, left) for guess in range(len(game.rows)))

    def asking(guess, members, left):
        parts = {}
        for member in members:
            parts.setdefault(int(game.rows[guess, member]), []).append(member)
        parts.pop(win, None)
        total = sum(int(weights[member]) for member in members)
        if tuple(members) in map(tuple, parts.values()) and left > 1:
            return math.inf  # Asked in vain, the guess can be left out.
        return total + sum(cost(tuple(part), left - 1) for part in parts.values())

    return cost, asking


@given(game=games(secrets=7, wider=3), cap=caps, more=st.integers(-12, 12))
def test_costs_are_those_of_the_best_of_all_trees_and_no_bound_is_above_them(native, game, cap, more):
    left, miss = cap
    cost, asking = by_hand(game, miss)
    members = tuple(range(len(game.problem.weights)))
    best = cost(members, left)
    for each in (native, NUMPY):
        search = each.search(game, miss)
        for turns in (left, 4, 2, 3):
            answer = search.solve(game.everything, turns)
            assert (answer.cost, asking(answer.guess, members, turns)) == (cost(members, turns), cost(members, turns))
        # Below a limit the cost is exact; otherwise it is a bound.
        found = each.search(game, miss).solve(game.everything, left, best + more).cost
        assert found == best if more > 0 else best + more <= found <= best
        search = each.search(game, miss)
        late = [max(0, len(members) - found) for found in search.reach()[: left + 1]]
        assert (sum(late[:-1]) + miss * late[-1]) * min(game.problem.weights) <= best
        if left == 1:
            continue
        guesses, lows, _ = search.scan(game.everything, left)
        assert all(low <= asking(guess, members, left) for guess, low in zip(guesses.tolist(), lows.tolist()))
        for guess in range(len(game.rows)):
            true = asking(guess, members, left)
            limited, bound = (
                each.search(game, miss).look_ahead(game.everything, left, guess, limit) for limit in (best + more, None)
            )
            assert min(bound, best + more) <= limited <= bound <= true
            assert search.look_ahead(game.everything, left, guess) <= true


@pytest.mark.parametrize(
    "rules, cap",
    [
        ((3, 4), (UNCAPPED, NEVER)),
        ((3, 4), (3, 2)),
        ((2, 8), (UNCAPPED, NEVER)),
        ((4, 3), (UNCAPPED, NEVER)),
        ((3, 5), (4, NEVER)),
        ((3, 6, False), (UNCAPPED, NEVER)),
        ((3, 4, True, COMMON), (UNCAPPED, NEVER)),
    ],
)
def test_exchanging_symbols_and_places_changes_no_cost(native, rules, cap):
    game = symbol_game(*rules)
    left, miss = cap
    small, whole = native.search(game, miss), native.search(lopsided(game), miss)
    assert game.problem.is_symmetric and len(small.scan(game.everything, left)[0]) < len(game.rows) // 4
    assert small.solve(game.everything, left).cost == whole.solve(game.everything, left).cost


@settings(max_examples=20)
@given(played=st.lists(st.integers(0, 624), min_size=1, max_size=3), secret=st.integers(0, 624))
def test_guesses_after_others_stand_for_their_whole_class(native, played, secret):
    game = symbol_game(4, 5)
    alike = (game.rows[played] == game.rows[played][:, [secret]]).all(axis=0)
    members = np.flatnonzero(alike).astype(np.int32)
    whole = native.search(lopsided(game), NEVER)
    small, plain = (each.search(game, NEVER).scan(members, UNCAPPED, played) for each in (native, NUMPY))
    kinds = [{*zip(lows.tolist(), keys.tolist())} for _, lows, keys in (small, plain, whole.scan(members, UNCAPPED))]
    assert kinds[0] == kinds[1] == kinds[2]
    assert [array.tolist() for array in small] == [array.tolist() for array in plain]
    cost = native.search(game, NEVER).solve(members, UNCAPPED, None, played).cost
    assert cost == whole.solve(members, UNCAPPED).cost


def test_a_search_that_is_stopped_says_nothing(native):
    game, stop = symbol_game(4, 4), np.ones(1, dtype=np.int32)
    for each in (native, NUMPY):
        stop[0] = 1
        search = each.search(game, NEVER, stop=stop)
        assert search.solve(game.everything, UNCAPPED) is None
        assert search.attempt(game.everything, UNCAPPED, 7) is None
        stop[0] = 0
        again, fresh = (one.solve(game.everything, UNCAPPED) for one in (search, each.search(game, NEVER)))
        assert again == fresh


def test_a_small_memo_and_threads_change_nothing(native):
    game, many = symbol_game(3, 4), symbol_game(9, 2)
    for each in (native, NUMPY):
        alone = each.search(game, NEVER)
        wanted = [alone.attempt(game.everything, UNCAPPED, guess) for guess in range(20)]
        for memo_bytes in (0, 4000):
            small = each.search(game, NEVER, memo_bytes=memo_bytes).solve(game.everything, UNCAPPED)
            assert small == each.search(game, NEVER).solve(game.everything, UNCAPPED)
        shared = each.search(game, NEVER)
        with ThreadPoolExecutor(4) as crew:
            begun = [crew.submit(shared.attempt, game.everything, UNCAPPED, guess) for guess in range(20)]
            assert [one.result() for one in begun] == wanted
        # Of many places, no exchange is sought.
        assert len(each.search(many, NEVER).scan(many.everything, UNCAPPED)[0]) == len(many.rows)


def test_limits_of_a_search(native):
    game, most = symbol_game(3, 4), feedback_table.MAX_LEFT
    few = feedback_table.make_table(problem.make_list_problem(["ab", "cd"], Rules("some", 2, "abcd", False, PLACES)))
    for each in (native, NUMPY):
        for miss, asked in ((0, "0 turns"), (2**31 // 64, "1 to 33554367")):
            with pytest.raises(DeskError, match=asked):
                each.search(game, miss)
        with pytest.raises(DeskError, match="12 different weights; a search takes 8"):
            each.search(some_words(PLACES, 90, range(1, 13)), NEVER)
        for wrong in ({"width": -1}, {"full": -1}, {"memo_bytes": -1}):
            with pytest.raises(ValueError, match=r"^a search of width .+ bytes: each must be 0 or more$"):
                each.search(game, NEVER, **wrong)
        search = each.search(game, NEVER)
        assert search.solve(game.everything, most) == search.solve(game.everything, UNCAPPED)
        for ask, more in ((search.solve, ()), (search.scan, ()), (search.attempt, (0,)), (search.look_ahead, (0,))):
            with pytest.raises(ValueError, match="65 turns left"):
                ask(game.everything, most + 1, *more)
        with pytest.raises(ValueError, match="beam of width 2"):
            each.search(game, NEVER, 2).look_ahead(game.everything, UNCAPPED, 0)
        for costs, why in (
            ([1, 1, 3], "1.0 for a set of none"),
            ([0, 1], "2 of them for 2 secrets"),
            ([0, 1, math.nan], "no number"),
            ([0, -1, 3], "negative"),
        ):
            with pytest.raises(ValueError, match=why):
                each.search(few, NEVER).estimate(np.array(costs, dtype=float))


@pytest.mark.parametrize("kind", [PLACES, MARKS])
def test_estimates_as_high_as_can_be_do_not_overflow(native, kind):
    game = some_words(kind, 70)
    for costs in ([1e300] * 70, [1e300, 0] * 35):
        scans = []
        for each in (native, NUMPY):
            search = each.search(game, NEVER, 3)
            search.estimate(np.array([0.0, *costs]))
            scans.append([found.tolist() for found in search.scan(game.everything, UNCAPPED)])
        assert scans[0] == scans[1]
        guesses, _, keys = scans[0]
        assert guesses and min(keys) > 0 and keys == sorted(keys)
    assert cores.choose_best_core({build.VARIABLE: "0"}).name == "numpy"


CACHE = ROOT / ".cache" / "native"


def variant(flags: str = "") -> Path:
    """Return the folder of a library made with these CFLAGS; raises `NotBuilt`."""
    folder = CACHE / fingerprint(flags)
    folder.mkdir(parents=True, exist_ok=True)
    # Several workers may ask at once.
    with FileLock(folder / "lock", timeout=build.COMPILE_TIMEOUT):
        if not (folder / build.name_library()).is_file():
            build.build(folder / build.name_library(), {**os.environ, "CFLAGS": flags})
    return folder


def fingerprint(flags: str) -> str:
    """Return a name for all that the library is made of: sources, the way it is built, compiler and options."""
    made_from = [*build.list_sources(), *sorted(build.FOLDER.glob("*.h")), Path(build.__file__)]
    words = [*build.find_compiler(os.environ), flags, *(path.name for path in made_from)]
    whole = "\0".join(words).encode() + b"".join(path.read_bytes() for path in made_from)
    return hashlib.sha256(whole).hexdigest()[:16]
