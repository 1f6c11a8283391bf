"""`jotto bench` and `jotto bench compare`: what they print, draw, compare and refuse."""

import json
import sys

import command_line
import numpy as np
import pytest
from hypothesis import given, strategies as st

from jotto.rules import BULLS, JOTTO, MASTERMIND, WORDLE
from jotto_desk import plots
from jotto_desk.cli import problem_options
from jotto_desk.errors import DeskError
from jotto_desk.solver import benchmark, comparison, cores, feedback_table, problem, strategies
from jotto_desk.solver.problem import Plan
from jotto_desk.words import lists

#: "vexes" is no Jotto word.
LISTED = "ocean canoe dance brick fjord guilt dwarf whisk plumb vexes quest zebra light sight might"
CODES = ("--rules", "mastermind")
FEW_CODES = ("--rules", "mastermind", "--length", "3", "--symbols", "4")


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    command_line.live_in(tmp_path, monkeypatch)


@pytest.fixture
def few(tmp_path):
    file = tmp_path / "few.txt"
    file.write_text(LISTED.replace(" ", "\n"), encoding="utf-8")
    return str(file)


def bench(capsys, *arguments):
    return command_line.jotto(capsys, "bench", *arguments)


def bench_json(capsys, *arguments):
    code, out, err = bench(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_mastermind_next_to_published_figures(capsys):
    told = bench_json(capsys, *CODES, "--seeds", "3")
    keys = "rules length symbols repeats list checksum secrets guesses weights core counts strategies known stopped"
    row_keys = "strategy first total mean weighted_mean maximum least_maximum distribution seconds runs error missed "
    row_keys += "misheard published to_one"
    rows = {row["strategy"]: row for row in told["strategies"]}
    assert set(told) == set(keys.split()) and all(set(row) == set(row_keys.split()) for row in told["strategies"])
    assert (told["rules"], told["secrets"], told["symbols"], told["repeats"]) == ("mastermind", 1296, 6, True)
    assert rows["most-parts-all"]["distribution"] == {"1": 1, "2": 12, "3": 72, "4": 635, "5": 569, "6": 7}
    published = {"strategy": "most-parts-all", "mean": 5668 / 1296, "maximum": 6, "source": "Kooi 2005"}
    assert rows["most-parts-all"]["published"] == {**published, "total": 5668, "difference_percent": 0, "same": True}
    assert rows["consistent"]["runs"] == 3 and rows["consistent"]["error"] > 0
    assert sum(rows["consistent"]["distribution"].values()) == pytest.approx(1296)
    assert [row["published"]["same"] for row in rows.values() if row["published"]] == [True] * 5
    assert told["known"]["best"]["total"] == 5625
    # Figures are published only for equally likely codes scored by place.
    assert benchmark.find_published(problem.make_symbol_problem(MASTERMIND)).find_figure("random") is None
    for other in (
        problem.make_symbol_problem(MASTERMIND._replace(length=3)),
        problem.make_symbol_problem(WORDLE._replace(length=4, alphabet="abcdef")),
        problem.make_list_problem(["rrrr", "oooo"], MASTERMIND),
    ):
        assert benchmark.find_published(other) is None


def test_the_tables_in_words(capsys, few):
    code, out, _ = bench(capsys, "--words", few, "--strategies", "entropy,consistent,robot", "--seeds", "2")
    assert code == 0 and "minimax" not in out
    parts = "jotto, list|14 words|the winning guess is counted|consistent|robot|entropy-cand|entropy-all|2 seeds"
    assert [part for part in parts.split("|") if part not in out] == []
    _, out, _ = bench(capsys, *CODES, "--strategies", "minimax-all")
    assert "4.476 same" in out
    assert "the optimum is 4.3403, 5,625 over 1,296 secrets (Koyama & Lai 1993)" in out


def tree_of(words, rules=JOTTO):
    made = problem.make_list_problem(words, rules)
    laid = feedback_table.make_table(made)
    plan = benchmark.play(laid, *strategies.make_strategies(["entropy-all"], made), cores.choose_best_core({})).plan
    return problem.encode_plan(made, plan, problem.PlanOrigin(words))


def test_options_change_what_is_measured(capsys, few, tmp_path):
    (row,) = bench_json(capsys, "--weights", "bands", "--strategies", "entropy-cand")["strategies"]
    assert row["weighted_mean"] < 4.42 < row["mean"] and row["published"] is None
    rows = bench_json(capsys, "--words", few, "--strategies", "entropy-all,frequent-first", "--speech")["strategies"]
    assert all(0 < row["misheard"] < 1 for row in rows)
    wider, file = tmp_path / "wider.txt", tmp_path / "few.tree"
    wider.write_text("stone\nocean\n", encoding="utf-8")
    told = bench_json(capsys, "--words", few, "--wider", wider, "--strategies", "minimax")
    assert (told["secrets"], told["guesses"]) == (14, 15)
    assert [row["strategy"] for row in told["strategies"]] == ["minimax-cand", "minimax-all", "minimax-wider"]
    file.write_bytes(tree_of([word for word in LISTED.split() if JOTTO.allows(word)]))
    plain, tree = bench_json(capsys, "--words", few, "--strategies", "entropy-all", "--tree", file)["strategies"]
    assert tree["strategy"] == "tree few.tree"
    for same in ("first", "total", "mean", "maximum", "distribution"):
        assert tree[same] == plain[same]


def test_ctrl_c_shows_the_strategies_that_have_played(capsys, monkeypatch):
    play = benchmark.play

    def stopped_in_the_second(laid, strategy, *more):
        if strategy.name != "entropy-cand":
            raise KeyboardInterrupt
        return play(laid, strategy, *more)

    monkeypatch.setattr(benchmark, "play", stopped_in_the_second)
    code, out, err = bench(capsys, *CODES, "--strategies", "entropy")
    assert (code, err) == (130, "\nStopped.\n")
    assert "entropy-cand" in out and "entropy-all" not in out
    code, out, err = bench(capsys, *CODES, "--strategies", "entropy", "--json")
    result = json.loads(out)
    assert (code, err, result["stopped"]) == (130, "\nStopped.\n", True)
    assert [row["strategy"] for row in result["strategies"]] == ["entropy-cand"]


def test_contenders_report_the_secrets_they_find():
    laid = feedback_table.make_table(problem.make_symbol_problem(MASTERMIND._replace(length=3)))
    for contender in benchmark.make_strategy_contenders(laid, cores.choose_best_core({}), ["all"], seeds=2):
        found = []
        contender.play(found.append)
        assert sum(found) == contender.secrets


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
    code, out, err = bench(capsys, "--words", few, "--tree", str(file))
    assert (code, out) == (2, "")
    assert sentence in err


def test_a_picture_has_every_strategy_and_is_reproducible(capsys, few, tmp_path):
    laid = feedback_table.make_table(problem.make_symbol_problem(MASTERMIND._replace(length=3)))
    contenders = benchmark.make_strategy_contenders(
        laid, cores.choose_best_core({}), ["entropy-all", "consistent"], seeds=2
    )
    rows = [contender.play(lambda found: None) for contender in contenders]
    files = [plots.draw_benchmark(rows, "three of six", tmp_path / name).read_bytes() for name in ("a.svg", "b.svg")]
    text = files[0].decode("utf-8")
    assert files[0] == files[1] and len(files[0]) < 40_000
    assert all(word in text for word in ("three of six", "entropy-all", "consistent", f"{rows[1].mean:.3f}"))
    file = tmp_path / "few.png"
    assert bench(capsys, "--words", few, "--strategies", "robot", "--picture", str(file))[0] == 0
    assert file.read_bytes().startswith(b"\x89PNG")


def test_averages_from_one_first_guess(capsys):
    arguments = ("--strategies", "article", "--first", "0012", "--seeds", "5", "--tree", "own")
    rows = {row["strategy"]: row for row in bench_json(capsys, *CODES, *arguments)["strategies"]}
    assert {name: round(rows[name]["mean"], 2) for name in rows if name != "consistent"} == {
        "frequent-first": 5.04,
        "platykurtic": 4.57,
        "mesokurtic": 4.55,
        "leptokurtic": 5.15,
        "tree four-of-six.tree": 4.34,
    }
    assert abs(rows["consistent"]["mean"] - 4.62) < 0.03
    assert {row["first"] for row in rows.values()} == {"rroy"}
    assert rows["mesokurtic"]["to_one"] == pytest.approx(3.9275, abs=0.0001)
    assert all(row["published"] is None for row in rows.values())


def test_strategies_are_compared_by_both_counts(capsys):
    result = bench_json(capsys, "compare", *CODES, "--first", "0012", "--tree", "own", "--strategies", "platyk,mesok")
    assert (result["secrets"], result["games"], result["drawn"]) == (1296, 1296, False)
    winning, to_one = result["comparisons"]
    assert (winning["count"], to_one["count"]) == ("winning", "to_one")
    means = {group["name"]: round(group["mean"], 3) for group in winning["groups"]}
    assert means == {"platykurtic": 4.568, "mesokurtic": 4.547, "tree four-of-six": 4.340}
    pair = winning["pairs"][0]
    assert (pair["one"], pair["other"]) == ("platykurtic", "mesokurtic")
    assert pair["low"] < 0 < pair["high"] and pair["t_holm"] > 0.05


def test_a_comparison_in_words(capsys, few):
    code, out, _ = bench(capsys, "compare", *FEW_CODES, "--strategies", "article", "--sample", "20", "--seed", "3")
    assert code == 0
    parts = (
        "3 places of 4 symbols, repeats: 64 codes; games: 20 drawn|guesses, the winning one counted|"
        "guesses until one word or code is left|95 %|normal|Wilcoxon|Holm|Equal variances (Levene): p|"
        "frequent-first - leptokurtic|A sample: other secrets|The first guesses differ|one game a secret"
    )
    assert [part for part in parts.split("|") if part not in out] == []
    _, out, _ = bench(capsys, "compare", *FEW_CODES, "--strategies", "first,mesok", "--first", "001")
    assert "Every secret was played" in out
    assert "The first guesses differ" not in out and "one game a secret" not in out
    code, out, _ = bench(capsys, "compare", *FEW_CODES, "--strategies", "mesok")
    assert code == 0 and "mesokurtic" in out and "Holm " not in out
    arguments = ("--words", few, "--strategies", "random,robot", "--first", "dance")
    assert bench_json(capsys, "compare", *arguments)["first"] == {"consistent": "dance", "robot": "dance"}


def test_ctrl_c_compares_the_strategies_that_have_played(capsys, monkeypatch):
    play = comparison.play

    def stopped(laid, strategy, *more):
        if strategy.name in ends:
            raise KeyboardInterrupt
        return play(laid, strategy, *more)

    monkeypatch.setattr(comparison, "play", stopped)
    command, ends = ["compare", *FEW_CODES, "--strategies", "first,mesok,leptok"], ["leptokurtic"]
    code, out, err = bench(capsys, *command)
    assert (code, err) == (130, "\nStopped.\n") and "frequent-first - mesokurtic" in " ".join(out.split())
    code, out, _ = bench(capsys, *command, "--json")
    result = json.loads(out)
    assert (code, result["stopped"], list(result["first"])) == (130, True, ["frequent-first", "mesokurtic"])
    assert [len(one["groups"]) for one in result["comparisons"]] == [2, 2]
    ends += ["frequent-first", "mesokurtic"]
    code, out, _ = bench(capsys, *command, "--json")
    assert (code, json.loads(out)["stopped"], json.loads(out)["comparisons"]) == (130, True, [])


def test_one_sentence_for_bad_input(capsys, few):
    for arguments, sentence in [
        (["--rules", "chess"], "There are no rules 'chess'; choose one of: jotto, paper-jotto, wordle,"),
        (["--strategies", "luck"], "There is no strategy 'luck' for this game"),
        (["--strategies", " , "], "--strategies ' , ' names no strategy; leave it out"),
        (["--strategies", "entropy-wider"], "There is no strategy 'entropy-wider' for this game"),
        (["--words", "nowhere.txt"], "There is no word list 'nowhere.txt'"),
        ([*CODES, "--words", "en"], "'mastermind' is played with codes, not with the words of 'en'"),
        (["--rules", "bulls", "--weights", "bands"], "The codes of 'bulls' are all alike"),
        (["--weights", "heavy"], "There are no weights 'heavy'; choose one of: uniform, bands."),
        (["--words", few, "--weights", "bands"], "does not say how common its words are"),
        (["--symbols", "7"], "'jotto' is played with words, not with 7 symbols"),
        (["--length", "9"], "The list 'en' has no word to play with"),
        (["--rules", "bulls", "--length", "11"], "11 places cannot be filled with 10 different symbols"),
        ([*CODES, "--length", "9"], "9 places of 6 symbols make 10077696 codes"),
        (["--rules", "wordle", "--speech"], "Marks per place are not spoken"),
        (["--picture", "bench.gif"], "'bench.gif' does not end like a picture; end it with .svg or .png."),
        (["--tree", "nowhere.tree"], "The tree file 'nowhere.tree' cannot be read"),
        (["--seeds", "0"], "--seeds"),
        (["--first", "0016", *CODES], "'0016' cannot be the first guess"),
        (["compare", "--first", "xyz", *CODES], "'xyz' cannot be the first guess"),
        (["compare", *CODES, "--strategies", "luck"], "There is no strategy 'luck' for this game"),
        (["compare", *CODES, "--strategies", ","], "',' names 0 strategies; 1 to 12 can be compared."),
        (["compare", *FEW_CODES, "--tree", "own"], "No tree comes with this game"),
        (["compare", *CODES, "--tree", "nowhere.tree"], "The tree file 'nowhere.tree' cannot be read"),
        (["compare", *CODES, "--sample", "2"], "--sample"),
        ([*CODES, "compare"], "Options go after 'compare', not before it: jotto bench compare --help"),
    ]:
        code, out, err = bench(capsys, *arguments)
        assert (code, out) == (2, ""), arguments
        assert sentence in " ".join(err.split()), arguments


@pytest.mark.parametrize(
    "module, arguments", [("numpy", []), ("matplotlib", ["--picture", "x.svg"]), ("scipy", ["compare", *FEW_CODES])]
)
def test_a_missing_extra_is_one_line(capsys, monkeypatch, module, arguments):
    monkeypatch.setitem(sys.modules, module, None)
    code, out, err = bench(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err == f"This needs {module}; install it with: {command_line.install_extra('solve')}\n"


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


def test_words_are_ordered_by_commonness_and_blocked_words_are_no_secrets(tmp_path):
    file = tmp_path / "list.tsv"
    file.write_text("zebra\nquest\t20\nocean\t10\ncanoe\t20\n", encoding="utf-8")
    for weights in ("uniform", "bands"):
        chosen = problem_options.choose_problem(words=str(file), weights=weights)
        assert chosen.problem.secrets == ("ocean", "quest", "canoe", "zebra")
        assert chosen.bands == (10, 20, 20, None)
        assert chosen.wordlist.words == ("zebra", "quest", "ocean", "canoe")
    lists.add_blocked(["ocean"])
    assert problem_options.choose_problem(words=str(file)).problem.secrets == ("quest", "canoe", "zebra")


CORE = cores.choose_best_core({})
SMALL = feedback_table.make_table(problem.make_symbol_problem(MASTERMIND._replace(length=3, alphabet="0123")))


def games(*numbers):
    return np.array(numbers, dtype=float)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_helps_and_keeps_the_order(chances):
    corrected = comparison.correct_holm(chances)
    assert all(before <= after <= 1 for before, after in zip(chances, corrected))
    ordered = [after for _, after in sorted(zip(chances, corrected))]
    assert ordered == sorted(ordered)
    for given_chances, wanted in [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.2], [0.2]),
        ([None, 0.01, None], [None, 0.01, None]),
    ]:
        assert comparison.correct_holm(given_chances) == pytest.approx(wanted)


ONE, OTHER = games(5, 4, 4, 6, 5, 3, 4, 5), games(4, 4, 3, 4, 5, 3, 2, 4)


def test_groups_are_described_and_pairs_are_tested_game_by_game():
    from scipy import stats

    games_by_name = {"one": ONE, "other": OTHER, "again": OTHER + games(*[0, 1] * 4)}
    compared = comparison.compare_games(games_by_name, comparison.TO_WIN)
    group = compared.groups[0]
    assert (group.name, group.games, group.mean, group.median, group.least, group.most) == ("one", 8, 4.5, 4.5, 3, 6)
    assert group.variance == pytest.approx(6 / 7) and 3.5 < group.low < 4.5 < group.high < 5.5
    assert group.normality == pytest.approx(stats.shapiro(ONE).pvalue)
    pair = compared.pairs[0]
    assert len(compared.pairs) == 3 and (pair.one, pair.other, pair.difference) == ("one", "other", 0.875)
    assert pair.low < 0.875 < pair.high and pair.t < pair.t_holm <= 3 * pair.t
    assert pair.t == pytest.approx(stats.ttest_1samp(ONE - OTHER, 0).pvalue)
    assert pair.wilcoxon == pytest.approx(stats.wilcoxon(ONE, OTHER).pvalue)
    spread = [np.abs(sample - np.median(sample)) for sample in games_by_name.values()]
    assert compared.variances == pytest.approx(stats.f_oneway(*spread).pvalue)


def test_the_interval_is_drawn_by_the_seed_and_holds_the_mean_of_nineteen_samples_in_twenty():
    uneven, chance = np.sqrt(np.arange(40)), np.random.default_rng(3)
    found = [comparison.compare_games({"one": uneven}, "winning", seed=seed).groups[0] for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    drawn = (chance.integers(2, 8, 60).astype(float) for _ in range(200))
    found = [comparison.compare_games({"one": one}, "winning", resamples=300).groups[0] for one in drawn]
    assert 0.9 < np.mean([group.low <= 4.5 <= group.high for group in found]) < 0.985


@pytest.mark.parametrize(
    "one, other, t, wilcoxon",
    [(ONE, ONE, 1.0, 1.0), (ONE, ONE + 1, None, 2 / 2**8)],
    ids=["the same games", "always one more"],
)
def test_differences_without_a_spread(one, other, t, wilcoxon):
    (pair,) = comparison.compare_games({"one": one, "other": other}, "winning").pairs
    assert (pair.t, pair.t_holm) == (t, t)
    assert pair.wilcoxon == pytest.approx(wilcoxon)
    assert pair.low == pair.high == pair.difference


def test_games_that_all_take_as_long_or_are_too_many_are_neither_normal_nor_not():
    compared = comparison.compare_games({"one": games(4, 4, 4), "other": games(4, 4, 4)}, "winning")
    assert [group.normality for group in compared.groups] == [None, None] and compared.variances is None
    assert compared.groups[0].low == compared.groups[0].high == 4
    (group,) = comparison.compare_games({"one": np.arange(6000) % 5.0}, "winning", resamples=10).groups
    assert group.normality is None


def test_everybody_plays_the_same_secrets_which_the_seed_draws():
    def held(**wishes):
        return comparison.hold_contest(
            SMALL, CORE, strategies.make_strategies(["first", "leptok", "random"], SMALL.problem), **wishes
        )

    contested, everything = held(sample=10, seed=5), held()
    assert contested.drawn and len(contested.secrets) == len(set(contested.secrets.tolist())) == 10
    assert {len(sample) for sample in contested.collect_sample("winning").values()} == {10}
    for name, sample in contested.collect_sample("to_one").items():
        if name != "consistent":
            assert sample.tolist() == everything.collect_sample("to_one")[name][contested.secrets].tolist()
    for whole in (held(sample=64), held(sample=1000), everything):
        assert not whole.drawn and whole.secrets.tolist() == list(range(64))
    assert contested.plain(5) == held(sample=10, seed=5).plain(5) != held(sample=10, seed=6).plain(6)
    assert held(seed=1).playouts["consistent"].plan != held(seed=2).playouts["consistent"].plan


def test_a_tree_keeps_its_own_first_guess_and_must_find_every_secret():
    entropy, frequent = strategies.make_strategies(["entropy-all", "first"], SMALL.problem)[::-1]
    plan = comparison.hold_contest(SMALL, CORE, [entropy]).playouts["entropy-all"].plan
    file = problem.encode_plan(SMALL.problem, plan, problem.PlanOrigin(None))
    best = comparison.make_plan_player("best", file, SMALL.problem, None)
    first = strategies.parse_first_guess("000", SMALL.problem)
    contested = comparison.hold_contest(SMALL, CORE, [best, frequent], first=first)
    assert contested.firsts == {"best": SMALL.problem.guesses[best.plan.guess], "frequent-first": "000"}
    assert contested.playouts["best"].plan == best.plan
    with pytest.raises(DeskError, match="The stump does not find every secret"):
        comparison.hold_contest(SMALL, CORE, [strategies.PlanStrategy("stump", Plan(0, {}))])
