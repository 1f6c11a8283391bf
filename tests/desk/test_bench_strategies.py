"""The strategies by the shape of codes, given first guesses, the permissive rule, and what games leave behind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto.index import Index
from jotto.rules import BULLS, JOTTO, MASTERMIND, PAPER_JOTTO
from jotto_desk.errors import DeskError
from jotto_desk.solver import benchmark, comparison, cores, feedback_table, problem, strategies

CORE = cores.best_core({})
CODES = problem.symbol_problem(MASTERMIND._replace(alphabet="012345"))
LAID = feedback_table.make_table(CODES)
SMALL = feedback_table.make_table(problem.symbol_problem(MASTERMIND._replace(length=3, alphabet="0123")))


def number(code, of=LAID):
    """Return the number of a code."""
    return of.problem.guesses.index(code)


def chosen(name, members, of=LAID):
    """Return the guess a strategy makes among these codes."""
    (strategy,) = strategies.make_strategies([name], of.problem)
    numbers = sorted(number(code, of) for code in members)
    return of.problem.guesses[strategy.choose(strategies.TablePosition(CORE, of, feedback_table.np.array(numbers)))]


# Shapes

SHAPES = [("0123", (1, 1, 1, 1)), ("0012", (2, 1, 1)), ("0110", (2, 2)), ("3133", (3, 1)), ("5555", (4,))]


@pytest.mark.parametrize("code, expected", SHAPES)
def test_the_shape_of_a_code(code, expected):
    assert strategies.code_shape(code) == expected


def test_shapes_rise_from_all_different_to_all_the_same():
    assert [code for code, _ in sorted(SHAPES, key=lambda pair: strategies.code_shape(pair[0]))] == [
        code for code, _ in SHAPES
    ]


@pytest.mark.parametrize(
    "name, members, asked",
    [
        ("platykurtic", ["5555", "0011", "5432", "1234"], "1234"),
        ("leptokurtic", ["0123", "0000", "5555", "0011"], "5555"),
        ("mesokurtic", ["0123", "0000", "0012", "0011"], "0011"),
        ("mesokurtic", ["0123", "0000", "0012"], "0012"),
        ("mesokurtic", ["0000", "0123"], "0000"),
        ("platyk", ["2100", "0012"], "0012"),
        ("leptok", ["2100", "0012"], "2100"),
        ("first", ["5555", "0123", "4000"], "0123"),
    ],
)
def test_what_is_asked(name, members, asked):
    assert chosen(name, members) == asked


@settings(max_examples=60)
@given(st.sets(st.sampled_from(CODES.secrets), min_size=1, max_size=40))
def test_they_ask_what_their_definition_says(members):
    ordered = sorted(members, key=lambda code: (strategies.code_shape(code), code))
    assert [chosen(name, members) for name in strategies.SHAPE_STRATEGIES] == [
        ordered[0],
        ordered[len(ordered) // 2],
        ordered[-1],
    ]


def test_where_no_symbol_comes_twice_the_order_of_symbols_is_left():
    of = feedback_table.make_table(problem.symbol_problem(BULLS._replace(length=2, alphabet="0123")))
    assert [chosen(name, ["31", "02", "20"], of) for name in strategies.SHAPE_STRATEGIES] == ["02", "20", "31"]


@pytest.mark.parametrize(
    "made, offered",
    [
        (CODES, True),
        (problem.symbol_problem(BULLS._replace(length=2)), False),
        (problem.list_problem(["ocean", "canoe"], JOTTO), False),
    ],
)
def test_all_has_them_where_shapes_differ_and_a_name_always(made, offered):
    assert (set(strategies.SHAPE_STRATEGIES) <= set(strategies.strategy_names(made))) is offered
    assert (
        [one.name for one in strategies.make_strategies(["article"], made)]
        == ["consistent", "frequent-first", *strategies.SHAPE_STRATEGIES]
        == [one.name for one in strategies.make_strategies(["random", "first", "platyk", "mesok", "leptok"], made)]
    )


# First guesses


def test_a_given_first_guess_is_asked_and_then_the_strategy_goes_on():
    (strategy,) = strategies.make_strategies(["platykurtic"], CODES)
    game = benchmark.play(LAID, strategies.FixedOpening(strategy, number("0012")), CORE)
    assert CODES.guesses[game.plan.guess] == "0012"
    after = {code: CODES.guesses[plan.guess] for code, plan in game.plan.children.items()}
    parts = benchmark.split_by_answer(LAID, number("0012"), LAID.everything)
    assert after == {code: chosen("platykurtic", [CODES.guesses[one] for one in parts[code]]) for code in after}


@pytest.mark.parametrize(
    "text, rules, code",
    [
        ("0012", MASTERMIND, "rroy"),
        ("rroy", MASTERMIND, "rroy"),
        (" RROY ", MASTERMIND, "rroy"),
        ("012", BULLS._replace(length=3), "012"),
    ],
)
def test_first_guesses_as_people_type_them(text, rules, code):
    made = problem.symbol_problem(rules)
    assert made.guesses[strategies.read_first_guess(text, made)] == code


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("0016", "'0016' cannot be the first guess"),
        ("001", "has 3 letters"),
        ("rrox", "holds 'x'"),
        ("", "has 0 letters"),
        ("٠٠١٢", "cannot be the first guess"),
    ],
)
def test_first_guesses_that_cannot_be(text, sentence):
    with pytest.raises(DeskError, match=sentence):
        strategies.read_first_guess(text, problem.symbol_problem(MASTERMIND))


def test_a_first_guess_that_is_not_in_the_list():
    with pytest.raises(DeskError, match="not in the list; name further guesses with --wider"):
        strategies.read_first_guess("dance", problem.list_problem(["ocean", "canoe"], JOTTO))


# Funnels


def test_funnels_are_what_the_engine_counts():
    (strategy,) = strategies.make_strategies(["mesokurtic"], SMALL.problem)
    game = benchmark.play(SMALL, strategy, CORE)
    index = Index(SMALL.problem.secrets, SMALL.problem.rules)
    for secret, funnel in zip(SMALL.problem.secrets, game.funnels):
        plan, turns, counted = game.plan, [], []
        while not turns or turns[-1][0] != secret:
            counted.append(index.candidates(turns).bit_count())
            guess = SMALL.problem.guesses[plan.guess]
            turns.append((guess, SMALL.problem.rules.score(guess, secret)))
            plan = plan.children.get(int(SMALL.rows[plan.guess, number(secret, SMALL)]))
        assert funnel == tuple(counted)


@pytest.mark.parametrize("funnel, count", [((1296, 40, 1), 2), ((1296, 40, 3), 3), ((14,), 1), ((1296, 1), 1)])
def test_guesses_until_one_is_left(funnel, count):
    assert benchmark.guesses_to_one_left([funnel]) == [count]


# The permissive rule

GAMES = [
    ("3024", ["0001", "0555", "5421", "3020", "3023"], [1296, 500, 176, 40, 3, 1], [1296, 317, 70, 10, 1, 1]),
    (
        "4241",
        ["0011", "1431", "1312", "2521", "5241", "4241"],
        [1296, 500, 144, 55, 16, 5, 1],
        [1296, 256, 42, 11, 1, 1, 1],
    ),
]


@pytest.mark.parametrize("secret, guesses, permissive, exact", GAMES, ids=[game[0] for game in GAMES])
def test_the_published_games(secret, guesses, permissive, exact):
    stands, funnels = strategies.permissive_rule(LAID), [[1296], [1296]]
    sets = [LAID.everything, LAID.everything]
    for guess in map(number, guesses):
        code = int(LAID.rows[guess, number(secret)])
        sets = [stands(guess, code, sets[0], sets[0]), benchmark.split_by_answer(LAID, guess, sets[1])[code]]
        for funnel, members in zip(funnels, sets):
            funnel.append(len(members))
    assert funnels == [permissive, exact]


@settings(max_examples=100)
@given(st.sampled_from(CODES.secrets), st.sampled_from(CODES.secrets))
def test_it_lets_stand_what_its_definition_says_and_never_less_than_fits(guess, secret):
    stands = strategies.permissive_rule(LAID)
    code = int(LAID.rows[number(guess), number(secret)])
    exact, misplaced = CODES.classes[code]
    found = {CODES.secrets[one] for one in stands(number(guess), code, LAID.everything, LAID.everything)}

    def somewhere(other):
        return sum(mine != hers and mine in other for mine, hers in zip(guess, other))

    assert found == {
        other
        for other in CODES.secrets
        if somewhere(other) >= misplaced and sum(map(str.__eq__, guess, other)) == exact
    }
    assert {other for other in CODES.secrets if MASTERMIND.score(guess, other) == (exact, misplaced)} <= found


def test_it_is_for_answers_by_places():
    of = feedback_table.make_table(problem.symbol_problem(PAPER_JOTTO._replace(length=3, alphabet="abc")))
    with pytest.raises(DeskError, match="The classic rule is for answers by places"):
        strategies.permissive_rule(of)


# The log, and games of the published one

LOGGED = [
    ("platyk", "2301", "2004", "1296-150-25-16-5-4-1"),
    ("mesok", "2424", "2004", "1296-150-36-9-1"),
    ("leptok", "5555", "2004", "1296-625-256-108-30-8-3-1"),
    ("platyk", "5204", "2511", "1296-457-152-40-21-7-3-1"),
    ("mesok", "3344", "2511", "1296-625-96-5-3-2-1"),
    ("leptok", "5555", "2511", "1296-500-240-92-16-1"),
    ("platyk", "3542", "3024", "1296-140-4-1"),
    ("mesok", "0220", "3024", "1296-500-144-53-10-2-1"),
    ("leptok", "2222", "3024", "1296-500-240-41-24-2-1"),
]


def logged(name, first, secret):
    """Return the log line of one game by the permissive rule."""
    held = comparison.contest(LAID, CORE, strategies.make_strategies([name], CODES), first=number(first), classic=True)
    return list(comparison.log_lines(held))[number(secret)]


@pytest.mark.parametrize("name, first, secret, funnel", LOGGED, ids=["-".join(row[:3]) for row in LOGGED])
def test_games_of_the_published_log(name, first, secret, funnel):
    assert f"\tfunnel\tF{funnel}\t" in logged(name, first, secret)
    assert f"\tguesses\t{funnel.count('-')}\t" in logged(name, first, secret)


def test_a_line_has_the_columns_of_the_published_log():
    assert logged("platyk", "2301", "2004") == (
        "game\t436\tfinal_guess\tc2, c0, c0, c4\tfirst_guess\tc2,c3,c0,c1\tfirst_guess_kurts\tK1-1-1-1\tguesses\t6\t"
        "funnel\tF1296-150-25-16-5-4-1\tsubseqpickmode\tplatyk\tsecret\tc2,c0,c0,c4\tSUCCESS\tTrue\tguesses_to_win\t6"
    )


def test_words_are_logged_by_their_letters(tmp_path):
    of = feedback_table.make_table(problem.list_problem(["ocean", "canoe", "brick"], JOTTO))
    held = comparison.contest(of, CORE, strategies.make_strategies(["first"], of.problem))
    lines = comparison.write_log(held, tmp_path / "log.tsv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert lines[1].split("\t")[3:] == [
        "c, a, n, o, e",
        "first_guess",
        "o,c,e,a,n",
        "first_guess_kurts",
        "K1-1-1-1-1",
        "guesses",
        "1",
        "funnel",
        "F3-1",
        "subseqpickmode",
        "first",
        "secret",
        "c,a,n,o,e",
        "SUCCESS",
        "True",
        "guesses_to_win",
        "2",
    ]
