"""`jotto bench`: what it prints, draws, compares and refuses."""

import json
import sys

import command_line
import pytest

from jotto.rules import BULLS, JOTTO, MASTERMIND, WORDLE
from jotto_desk import plots
from jotto_desk import words as lists
from jotto_desk.cli import options as problem_options
from jotto_desk.solver import benchmark, cores, feedback_table, problem, strategies

WORDS = [
    "ocean",
    "canoe",
    "dance",
    "brick",
    "fjord",
    "guilt",
    "dwarf",
    "whisk",
    "plumb",
    "vexes",
    "quest",
    "zebra",
    "light",
    "sight",
    "might",
]


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    command_line.live_in(tmp_path, monkeypatch)


@pytest.fixture
def few(tmp_path):
    """Write a list of a few words; one of them is no Jotto word."""
    file = tmp_path / "few.txt"
    file.write_text("\n".join(WORDS), encoding="utf-8")
    return str(file)


def jotto(capsys, *arguments):
    """Run the command; give exit code, output and errors."""
    return command_line.jotto(capsys, "bench", *arguments)


# What it tells

KEYS = {
    "rules",
    "length",
    "symbols",
    "repeats",
    "list",
    "checksum",
    "secrets",
    "guesses",
    "weights",
    "core",
    "counts",
    "strategies",
    "known",
    "stopped",
}
ROW = {
    "strategy",
    "first",
    "total",
    "mean",
    "weighted_mean",
    "maximum",
    "least_maximum",
    "distribution",
    "seconds",
    "runs",
    "error",
    "missed",
    "misheard",
    "published",
    "to_one",
}


def test_mastermind_as_json_beside_what_is_published(capsys):
    code, out, err = jotto(capsys, "--rules", "mastermind", "--seeds", "3", "--json")
    told = json.loads(out)
    rows = {row["strategy"]: row for row in told["strategies"]}
    assert (code, err) == (0, "")
    assert set(told) == KEYS and all(set(row) == ROW for row in told["strategies"])
    assert (told["rules"], told["secrets"], told["symbols"], told["repeats"]) == ("mastermind", 1296, 6, True)
    assert rows["most-parts-all"]["distribution"] == {"1": 1, "2": 12, "3": 72, "4": 635, "5": 569, "6": 7}
    assert rows["most-parts-all"]["published"] == {
        "strategy": "most-parts-all",
        "mean": 5668 / 1296,
        "maximum": 6,
        "source": "Kooi 2005",
        "total": 5668,
        "difference_percent": 0,
        "same": True,
    }
    assert rows["consistent"]["runs"] == 3 and rows["consistent"]["error"] > 0
    assert sum(rows["consistent"]["distribution"].values()) == pytest.approx(1296)
    assert {row["published"]["same"] for row in rows.values() if row["published"]} == {True}
    assert told["known"]["best"]["total"] == 5625


def test_the_table_names_the_list_and_what_is_counted(capsys, few):
    code, out, _ = jotto(capsys, "--words", few, "--strategies", "entropy,consistent,robot", "--seeds", "2")
    assert code == 0
    assert "jotto, list" in out and "14 words" in out and "the winning guess is counted" in out
    for name in ("consistent", "robot", "entropy-cand", "entropy-all"):
        assert name in out
    assert "2 seeds" in out and "minimax" not in out


def test_the_best_known_stands_below_the_table(capsys):
    _, out, _ = jotto(capsys, "--rules", "mastermind", "--strategies", "minimax-all")
    assert "4.476 same" in out
    assert "the optimum is 4.3403, 5,625 over 1,296 secrets (Koyama & Lai 1993)" in out


def test_common_words_may_weigh_more(capsys):
    _, out, _ = jotto(capsys, "--weights", "bands", "--strategies", "entropy-cand", "--json")
    (row,) = json.loads(out)["strategies"]
    assert row["weighted_mean"] < 4.42 < row["mean"]
    assert row["published"] is None


def test_speech_counts_answers_that_may_be_misheard(capsys, few):
    _, out, _ = jotto(capsys, "--words", few, "--strategies", "entropy-all,frequent-first", "--speech", "--json")
    assert all(0 < row["misheard"] < 1 for row in json.loads(out)["strategies"])


def test_words_that_are_no_secrets_may_be_asked(capsys, few, tmp_path):
    wider = tmp_path / "wider.txt"
    wider.write_text("stone\nocean\n", encoding="utf-8")
    _, out, _ = jotto(capsys, "--words", few, "--wider", str(wider), "--strategies", "minimax", "--json")
    told = json.loads(out)
    assert (told["secrets"], told["guesses"]) == (14, 15)
    assert [row["strategy"] for row in told["strategies"]] == ["minimax-cand", "minimax-all", "minimax-wider"]


def test_blocked_words_are_kept_on_demand_alone(capsys, few):
    lists.add_blocked(["ocean"])
    counts = [
        json.loads(jotto(capsys, "--words", few, "--strategies", "robot", "--json", *more)[1])["secrets"]
        for more in ([], ["--with-blocked"])
    ]
    assert counts == [13, 14]


def test_stopped_it_shows_what_is_done(capsys, monkeypatch):
    play = benchmark.play

    def stopped_in_the_second(laid, strategy, *more):
        if strategy.name != "entropy-cand":
            raise KeyboardInterrupt
        return play(laid, strategy, *more)

    monkeypatch.setattr(benchmark, "play", stopped_in_the_second)
    code, out, err = jotto(capsys, "--rules", "mastermind", "--strategies", "entropy")
    assert (code, err) == (130, "\nStopped.\n")
    assert "entropy-cand" in out and "entropy-all" not in out
    code, out, err = jotto(capsys, "--rules", "mastermind", "--strategies", "entropy", "--json")
    result = json.loads(out)
    assert (code, err, result["stopped"]) == (130, "\nStopped.\n", True)
    assert [row["strategy"] for row in result["strategies"]] == ["entropy-cand"]


def test_help_shows_examples(capsys):
    code, out, _ = jotto(capsys, "--help")
    assert code == 0
    assert "jotto bench --rules mastermind --json" in out


# A tree beside the strategies


def tree_of(words, rules=JOTTO):
    """Make a tree file that plays by entropy."""
    made = problem.list_problem(words, rules)
    laid = feedback_table.make_table(made)
    plan = benchmark.play(laid, *strategies.make_strategies(["entropy-all"], made), cores.best_core({})).plan
    return problem.encode_plan(made, plan, problem.PlanOrigin(words))


def test_a_tree_is_played_beside_the_strategies(capsys, few, tmp_path):
    file = tmp_path / "few.tree"
    file.write_bytes(tree_of([word for word in WORDS if JOTTO.allows(word)]))
    _, out, _ = jotto(capsys, "--words", few, "--strategies", "entropy-all", "--tree", str(file), "--json")
    plain, tree = json.loads(out)["strategies"]
    assert tree["strategy"] == "tree few.tree"
    for same in ("first", "total", "mean", "maximum", "distribution"):
        assert tree[same] == plain[same]


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["dance", "ocean", "canoe"], "The tree is for other words"),
        (["ocean", "canoe", "dance"], "The tree other.tree was made for the first 3 of these 14 words"),
    ],
)
def test_a_tree_of_other_words_is_refused(capsys, few, tmp_path, words, sentence):
    file = tmp_path / "other.tree"
    file.write_bytes(tree_of(words))
    code, out, err = jotto(capsys, "--words", few, "--tree", str(file))
    assert (code, out) == (2, "")
    assert sentence in err


# The picture


def rows():
    """Two measured strategies."""
    laid = feedback_table.make_table(problem.symbol_problem(MASTERMIND._replace(length=3)))
    contenders = benchmark.strategy_contenders(laid, cores.best_core({}), ["entropy-all", "consistent"], seeds=2)
    return [contender.play(lambda found: None) for contender in contenders]


def test_a_picture_has_every_strategy_and_is_the_same_every_time(tmp_path):
    measured = rows()
    files = [
        plots.draw_benchmark(measured, "three of six", tmp_path / name).read_bytes() for name in ("a.svg", "b.svg")
    ]
    text = files[0].decode("utf-8")
    assert files[0] == files[1] and len(files[0]) < 40_000
    assert all(word in text for word in ("three of six", "entropy-all", "consistent", f"{measured[1].mean:.3f}"))


def test_a_picture_may_be_a_png(capsys, few, tmp_path):
    file = tmp_path / "few.png"
    code, _, _ = jotto(capsys, "--words", few, "--strategies", "robot", "--picture", str(file))
    assert code == 0 and file.read_bytes().startswith(b"\x89PNG")


# What it refuses


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--rules", "chess"], "There are no rules 'chess'; choose one of: jotto, paper-jotto, wordle,"),
        (["--strategies", "luck"], "There is no strategy 'luck' for this game"),
        (["--strategies", " , "], "No strategy is named by ' , '; leave --strategies out"),
        (["--strategies", "entropy-wider"], "There is no strategy 'entropy-wider' for this game"),
        (["--words", "nowhere.txt"], "There is no word list 'nowhere.txt'"),
        (["--rules", "mastermind", "--words", "en"], "'mastermind' is played with codes, not with the words of 'en'"),
        (["--rules", "bulls", "--weights", "bands"], "The codes of 'bulls' are all alike"),
        (["--weights", "heavy"], "There are no weights 'heavy'; choose one of: uniform, bands."),
        (["--symbols", "7"], "'jotto' is played with words, not with 7 symbols"),
        (["--length", "9"], "The list 'en' has no word to play with"),
        (["--rules", "bulls", "--length", "11"], "11 places cannot be filled with 10 different symbols"),
        (["--rules", "mastermind", "--length", "9"], "9 places of 6 symbols make 10077696 codes"),
        (["--rules", "wordle", "--speech"], "Marks per place are not spoken"),
        (["--picture", "bench.gif"], "'bench.gif' names no kind of picture; end it with .svg or .png."),
        (["--tree", "nowhere.tree"], "The tree file 'nowhere.tree' cannot be read"),
        (["--seeds", "0"], "--seeds"),
    ],
)
def test_one_sentence_for_bad_input(capsys, arguments, sentence):
    code, out, err = jotto(capsys, *arguments)
    assert (code, out) == (2, "")
    assert sentence in " ".join(err.split())


def test_weights_by_band_take_a_list_with_bands(capsys, few):
    code, _, err = jotto(capsys, "--words", few, "--weights", "bands")
    assert code == 2 and "does not say how common its words are" in err


@pytest.mark.parametrize("module, arguments", [("numpy", []), ("matplotlib", ["--picture", "x.svg"])])
def test_a_missing_extra_is_one_line(capsys, monkeypatch, module, arguments):
    monkeypatch.setitem(sys.modules, module, None)
    code, out, err = jotto(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err == f"This needs {module}; install it with: pip install 'nao-jotto[solve]' (in a checkout: make solve)\n"


# The game that options name


@pytest.mark.parametrize(
    "options, rules, secrets",
    [
        ({}, JOTTO, 2920),
        ({"rules": "wordle"}, WORDLE, 4348),
        ({"rules": "mastermind"}, MASTERMIND, 1296),
        ({"rules": "mastermind", "symbols": 3}, MASTERMIND._replace(alphabet="roy"), 81),
        ({"rules": "mastermind", "symbols": 7}, MASTERMIND._replace(alphabet="0123456"), 2401),
        ({"rules": "mastermind", "repeats": False}, MASTERMIND._replace(repeats=False), 360),
        ({"rules": "bulls", "length": 3}, BULLS._replace(length=3), 720),
        ({"rules": "gladiators"}, BULLS._replace(name="gladiators", length=5), 30240),
    ],
)
def test_options_name_a_game(options, rules, secrets):
    chosen = problem_options.choose_problem(**options)
    assert (chosen.problem.rules, len(chosen.problem.weights)) == (rules, secrets)
    assert f"{secrets:,}" in chosen.title and rules.name in chosen.title


def test_words_stand_by_commonness_then_as_listed(tmp_path):
    file = tmp_path / "list.tsv"
    file.write_text("zebra\nquest\t20\nocean\t10\ncanoe\t20\n", encoding="utf-8")
    for weights in ("uniform", "bands"):
        chosen = problem_options.choose_problem(words=str(file), weights=weights)
        assert chosen.problem.secrets == ("ocean", "quest", "canoe", "zebra")
        assert chosen.bands == (10, 20, 20, None)
        assert chosen.wordlist.words == ("zebra", "quest", "ocean", "canoe")


# What is known of a game


def test_a_list_is_known_by_its_words_whatever_their_order(monkeypatch):
    figure = benchmark.PublishedFigure("entropy-all", 2.5, 4, "somebody 1999")
    monkeypatch.setitem(
        benchmark.LISTS, ("places", benchmark.words_checksum(["canoe", "ocean"]), ""), ("two", (figure,))
    )
    known = benchmark.find_published(problem.list_problem(["ocean", "canoe"], JOTTO))
    assert (known.game, known.by_size, known.of("entropy-all"), known.best) == ("two", False, figure, None)
    for other in (
        problem.list_problem(["ocean", "dance"], JOTTO),
        problem.list_problem(["ocean", "canoe"], JOTTO, ["dance"]),
        problem.list_problem(["ocean", "canoe"], JOTTO, weights=[2, 1]),
    ):
        assert benchmark.find_published(other) is None


def test_a_list_known_by_its_size_alone_is_said_to_be(monkeypatch):
    monkeypatch.setitem(benchmark.LISTS, ("places", 2, ""), ("any two", ()))
    assert benchmark.find_published(problem.list_problem(["ocean", "canoe"], JOTTO)).by_size


@pytest.mark.parametrize(
    "total, mean, same", [(10, 2.5, True), (11, 2.5, False), (None, 2.5004, True), (None, 2.501, False)]
)
def test_when_a_figure_is_the_same(total, mean, same):
    row = benchmark.BenchmarkRow("entropy-all", "ocean", 10, 2.5, None, 4, 4, {1: 1, 2: 1, 3: 1, 4: 1}, 0.0)
    assert (
        benchmark.matches_published(row, benchmark.PublishedFigure("entropy-all", mean, 4, "somebody 1999", total))
        is same
    )


def test_a_contender_tells_how_many_secrets_it_has_found():
    laid = feedback_table.make_table(problem.symbol_problem(MASTERMIND._replace(length=3)))
    for contender in benchmark.strategy_contenders(laid, cores.best_core({}), ["all"], seeds=2):
        found = []
        contender.play(found.append)
        assert sum(found) == contender.secrets
