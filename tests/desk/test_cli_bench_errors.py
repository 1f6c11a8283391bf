"""`jotto bench --error`: games with wrong answers, which tree they follow, and what is refused."""

import json

import command_line
import pytest
from engine_trees import file_of, plan_of
from engine_words import WORDS

from jotto.rules import JOTTO, MASTERMIND
from jotto.tree import list_codes, read_tree
from jotto_desk.cli import bench, options
from jotto_desk.errors import DeskError
from jotto_desk.solver import cores, feedback_table, problem
from jotto_desk.solver.problem import turns_taken

LIST = WORDS[::6]


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    command_line.live_in(tmp_path, monkeypatch)


@pytest.fixture
def mine(tmp_path):
    """Write a list without a tree."""
    (tmp_path / "mine.txt").write_text("".join(f"{word}\n" for word in LIST), encoding="ascii")
    return tmp_path / "mine.txt"


def jotto(capsys, *arguments):
    """Run the command; give exit code, output and errors."""
    return command_line.jotto(capsys, "bench", "--strategies", "entropy-all", *arguments)


def told(capsys, *arguments):
    code, out, err = jotto(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize("kind", ["uniform", "near"])
def test_every_word_is_found_though_answers_are_wrong(capsys, mine, kind):
    wrong = told(capsys, "--words", mine, "--error", 0.1, "--error-kind", kind, "--seeds", 2)["wrong_answers"]
    rows = {(row["strategy"], row["rate"]): row for row in wrong["strategies"]}
    assert set(rows) == {(name, rate) for name in ("consistent", "filter", "belief") for rate in (0.1, 0.0)}
    assert {row["kind"] for row in wrong["strategies"]} == {kind} and wrong["base"] == "beam of width 5"
    played_on, stopped = rows["belief", 0.1], rows["filter", 0.1]
    assert (played_on["solved"], played_on["dead_ends"], played_on["games"]) == (1, 0, 2 * len(LIST))
    assert stopped["dead_ends"] > 0.15 and stopped["solved"] + stopped["dead_ends"] == pytest.approx(1)
    assert wrong["clean_cost"] == rows["belief", 0.0]["mean"] - rows["filter", 0.0]["mean"] == 0
    assert rows["belief", 0.0]["mean"] < played_on["mean"] < rows["belief", 0.0]["mean"] + 1


def test_the_same_command_tells_the_same(capsys, mine):
    one, other = (told(capsys, "--words", mine, "--error", 0.2, "--seeds", 9) for _ in range(2))
    assert one["wrong_answers"] == other["wrong_answers"] and one["wrong_answers"]["seeds"] == 3


def test_the_table_stands_below_the_other(capsys, mine):
    code, out, _ = jotto(capsys, "--words", mine, "--error", 0.05, "--seeds", 1)
    above, below = out.split("0.05 of the answers wrong (any other answer), 1 games a secret")
    assert code == 0 and "entropy-all" in above
    for text in (
        "consistent, stops",
        "beam of width 5, stops",
        "beam of width 5, plays on",
        "100.000%",
        "costs 0.0000 guesses",
    ):
        assert text in below


def test_without_errors_nothing_is_said_of_them(capsys, mine):
    assert "wrong_answers" not in told(capsys, "--words", mine)
    clean = told(capsys, "--words", mine, "--error", 0)["wrong_answers"]
    assert [(row["solved"], row["rate"]) for row in clean["strategies"]] == [(1, 0)] * 3


# The tree that is followed


def figures_of(content):
    """Return the figures of a tree's certificate for games without wrong answers."""
    certificate = read_tree(content).certificate
    return certificate["mean"], certificate["max"]


def tree_of(seed, words=LIST):
    made = problem.list_problem(words, JOTTO)
    laid = feedback_table.make_table(made)
    bound = read_tree(file_of(plan_of(words, JOTTO, seed), words, JOTTO)).bound_to(words, JOTTO)
    return problem.encode_plan(made, problem.plan_of_tree(bound, laid.problem), problem.PlanOrigin(words, "mine"))


def test_the_tree_given_or_beside_the_list_is_followed(capsys, mine):
    beside, given = tree_of(1), tree_of(2)
    mine.with_suffix(".tree").write_bytes(beside)
    (mine.parent / "given.tree").write_bytes(given)
    for more, name, content in (
        ((), "tree mine.tree", beside),
        (("--tree", mine.parent / "given.tree"), "tree given.tree", given),
    ):
        wrong = told(capsys, "--words", mine, "--error", 0.05, "--seeds", 1, *more)["wrong_answers"]
        clean = {row["strategy"]: (row["mean"], row["max"]) for row in wrong["strategies"] if not row["rate"]}
        assert wrong["base"] == name
        assert clean["filter"] == clean["belief"] == pytest.approx(figures_of(content))


@pytest.mark.parametrize("content", [b"damaged", "foreign"])
def test_an_unusable_tree_that_was_not_named_is_passed_over(capsys, mine, content):
    content = tree_of(1, LIST[1:]) if content == "foreign" else content
    mine.with_suffix(".tree").write_bytes(content)
    assert told(capsys, "--words", mine, "--error", 0.05, "--seeds", 1)["wrong_answers"]["base"] == "beam of width 5"
    (mine.parent / "other.tree").write_bytes(content)
    code, out, err = jotto(capsys, "--words", mine, "--error", 0.05, "--tree", mine.parent / "other.tree")
    assert (code, out) == (2, "") and err.count("\n") == 1


def test_the_default_list_and_codes_have_their_own():
    assert bench._content(options.choose_problem("jotto"), "")[1] == "tree en.tree"
    assert bench._content(options.choose_problem("mastermind"), "") == (None, "")


def test_a_plan_written_and_read_is_the_same():
    made = problem.list_problem(LIST, JOTTO)
    laid = feedback_table.make_table(made)
    content = tree_of(3)
    plan = problem.plan_of_tree(read_tree(content).bound_to(LIST, JOTTO), made)
    taken = turns_taken(plan, made, laid.rows)
    assert sum(taken) == read_tree(content).certificate["total"]
    assert problem.encode_plan(made, plan, problem.PlanOrigin(LIST, "mine")) == content
    codes = problem.symbol_problem(MASTERMIND._replace(alphabet="abc", length=3))
    words = list_codes(codes.rules)
    bound = read_tree(file_of(plan_of(words, codes.rules, 1), words, codes.rules)).bound_to(words, codes.rules)
    assert all(turns_taken(problem.plan_of_tree(bound, codes), codes, feedback_table.make_table(codes).rows))


def test_a_plan_that_asks_other_words_is_refused():
    content = file_of(plan_of(LIST, JOTTO, 1, LIST + ("vague",)), LIST, JOTTO)
    bound = read_tree(content).bound_to(LIST, JOTTO)
    smaller = problem.list_problem(LIST[:-1], JOTTO)
    with pytest.raises(DeskError, match="none of the words; name further guesses with --wider"):
        problem.plan_of_tree(bound, smaller)


def test_ctrl_c_keeps_the_first_table(capsys, mine, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("jotto_desk.solver.wrong_answers.benchmark_errors", interrupted)
    code, out, _ = jotto(capsys, "--words", mine, "--error", 0.05)
    assert code == 130 and "entropy-all" in out and "wrong" not in out


@pytest.mark.parametrize(
    "arguments, quoted",
    [
        (("--error", 0.6), "0.6 is no share"),
        (("--error", -0.01), "-0.01 is no share"),
        (("--error", "nan"), "nan"),
        (("--error", "inf"), "inf is no share"),
        (("--error", "much"), "--error"),
        (("--error", 0.1, "--error-kind", "odd"), "no kind of errors 'odd'; choose one of: uniform, near."),
        (("--error-kind", "near"), "--error-kind near says how"),
    ],
)
def test_bad_rates_and_kinds_are_refused_before_anything_is_played(capsys, arguments, quoted, mine, monkeypatch):
    monkeypatch.setattr(cores, "best_core", lambda **_: pytest.fail("it is played"))
    code, out, err = jotto(capsys, "--words", mine, *arguments)
    assert (code, out) == (2, "") and quoted in err and "Traceback" not in err
