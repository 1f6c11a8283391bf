"""`jotto bench compare`, `jotto bench article`, and `jotto bench --first`: what they print, write and refuse."""

import json
import sys

import command_line
import pytest

from jotto_desk.solver import comparison


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    command_line.live_in(tmp_path, monkeypatch)


def bench(capsys, *arguments):
    """Run the command; give exit code, output and errors."""
    return command_line.jotto(capsys, "bench", *arguments)


MASTERMIND = ("--rules", "mastermind")
SMALL = ("--rules", "mastermind", "--length", "3", "--symbols", "4")


def test_the_averages_of_the_reference(capsys):
    code, out, err = bench(
        capsys, *MASTERMIND, "--strategies", "article", "--first", "0012", "--seeds", "5", "--tree", "own", "--json"
    )
    rows = {row["strategy"]: row for row in json.loads(out)["strategies"]}
    assert (code, err) == (0, "")
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


def test_without_a_first_guess_what_was_published_stands_beside(capsys):
    _, out, _ = bench(capsys, *MASTERMIND, "--strategies", "first", "--json")
    (row,) = json.loads(out)["strategies"]
    assert (row["total"], row["published"]["same"]) == (7471, True)


def test_strategies_are_compared_by_both_counts(capsys):
    code, out, err = bench(
        capsys, "compare", *MASTERMIND, "--first", "0012", "--tree", "own", "--strategies", "platyk,mesok", "--json"
    )
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert (result["secrets"], result["games"], result["drawn"], result["filter"]) == (1296, 1296, False, "exact")
    winning, to_one = result["comparisons"]
    assert (winning["count"], to_one["count"]) == ("winning", "to_one")
    means = {group["name"]: round(group["mean"], 3) for group in winning["groups"]}
    assert means == {"platykurtic": 4.568, "mesokurtic": 4.547, "tree four-of-six": 4.340}
    pair = winning["pairs"][0]
    assert (pair["one"], pair["other"]) == ("platykurtic", "mesokurtic")
    assert pair["low"] < 0 < pair["high"] and pair["t_holm"] > 0.05


def test_what_it_prints(capsys):
    code, out, _ = bench(capsys, "compare", *SMALL, "--strategies", "article", "--sample", "20", "--seed", "3")
    assert code == 0
    for part in (
        "3 places of 4 symbols, repeats: 64 codes; games: 20 drawn",
        "guesses, the winning one counted",
        "guesses until one word or code is left",
        "95 %",
        "normal",
        "Wilcoxon",
        "Holm",
        "Equal variances (Levene): p",
        "frequent-first - leptokurtic",
        "A sample: other secrets",
        "The first guesses differ",
        "one game a secret",
    ):
        assert part in out


def test_all_secrets_and_one_first_guess_need_fewer_words(capsys):
    _, out, _ = bench(capsys, "compare", *SMALL, "--strategies", "first,mesok", "--first", "001")
    assert "Every secret was played" in out
    assert "The first guesses differ" not in out and "one game a secret" not in out


def test_one_strategy_alone_is_described(capsys):
    code, out, _ = bench(capsys, "compare", *SMALL, "--strategies", "mesok")
    assert code == 0 and "mesokurtic" in out and "Holm " not in out


def test_words_too(capsys, tmp_path):
    file = tmp_path / "few.txt"
    file.write_text("ocean\ncanoe\ndance\nbrick\nfjord\nguilt\n", encoding="utf-8")
    code, out, _ = bench(
        capsys, "compare", "--words", str(file), "--strategies", "random,robot", "--first", "dance", "--json"
    )
    assert code == 0
    assert json.loads(out)["first"] == {"consistent": "dance", "robot": "dance"}


def test_log_and_picture_are_written(capsys, tmp_path):
    log, picture = tmp_path / "games.tsv", tmp_path / "games.png"
    code, _, _ = bench(
        capsys,
        "compare",
        *SMALL,
        "--strategies",
        "article",
        "--sample",
        "5",
        "--classic",
        "--log",
        log,
        "--picture",
        picture,
    )
    assert code == 0 and picture.read_bytes().startswith(b"\x89PNG")
    lines = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 25
    assert {line[0::2].index("funnel") for line in lines} == {5}
    assert {line[13] for line in lines} == {"random", "first", "platyk", "mesok", "leptok"}


def test_the_article_again(capsys):
    code, out, err = bench(capsys, "article", "--seeds", "3", "--json")
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert len(result["averages"]) == 25 and len(result["chances"]) == 6
    assert all(row["same"] for row in result["averages"] + result["chances"])


def test_the_article_as_a_table(capsys):
    code, out, _ = bench(capsys, "article", "--seeds", "2")
    assert code == 0
    assert "exact, 0012" in out and "5.036 (5.04)" in out and "classic, own" in out
    assert "mesok - platyk" in out and "0.598" in out and "differs" not in out


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--first", "0016", *MASTERMIND], "'0016' cannot be the first guess"),
        (["compare", "--first", "xyz", *MASTERMIND], "'xyz' cannot be the first guess"),
        (["compare", *MASTERMIND, "--strategies", "luck"], "There is no strategy 'luck' for this game"),
        (["compare", *MASTERMIND, "--strategies", ","], "',' names 0 strategies; 1 to 12 can be compared."),
        (["compare", "--rules", "wordle", "--strategies", "first", "--classic"], "The classic rule is for answers by"),
        (["compare", *SMALL, "--tree", "own"], "No tree comes with this game"),
        (["compare", *MASTERMIND, "--tree", "nowhere.tree"], "The tree file 'nowhere.tree' cannot be read"),
        (["compare", *MASTERMIND, "--sample", "2"], "--sample"),
        (["compare", *MASTERMIND, "--picture", "games.gif"], "'games.gif' names no kind of picture"),
        (["compare", *MASTERMIND, "--log", "/dev/null/games.tsv"], "cannot be written"),
        (["article", "--seeds", "0"], "--seeds"),
        ([*MASTERMIND, "compare"], "Options go behind 'compare', not before it: jotto bench compare --help"),
    ],
)
def test_one_sentence_for_bad_input(capsys, arguments, sentence):
    code, out, err = bench(capsys, *arguments)
    assert (code, out) == (2, "")
    assert sentence in " ".join(err.split())


def test_without_scipy_it_is_one_line(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    code, out, err = bench(capsys, "compare", *SMALL)
    assert (code, out) == (2, "")
    assert err.startswith("This needs scipy; install it with: pip install 'nao-jotto[solve]'")


def test_stopped_it_ends_at_once(capsys, monkeypatch):
    def stopped(*arguments, **wishes):
        raise KeyboardInterrupt

    monkeypatch.setattr(comparison, "contest", stopped)
    assert bench(capsys, "compare", *SMALL)[0] == 130


def test_stopped_it_compares_those_that_have_played(capsys, monkeypatch, tmp_path):
    play = comparison.play

    def stopped(laid, strategy, *more, **wishes):
        if strategy.name in ends:
            raise KeyboardInterrupt
        return play(laid, strategy, *more, **wishes)

    monkeypatch.setattr(comparison, "play", stopped)
    command, ends = ["compare", *SMALL, "--strategies", "first,mesok,leptok"], ["leptokurtic"]
    code, out, err = bench(capsys, *command, "--log", str(tmp_path / "games.tsv"))
    assert (code, err) == (130, "\nStopped.\n") and "frequent-first - mesokurtic" in " ".join(out.split())
    assert (tmp_path / "games.tsv").is_file()
    code, out, _ = bench(capsys, *command, "--json")
    result = json.loads(out)
    assert (code, result["stopped"], list(result["first"])) == (130, True, ["frequent-first", "mesokurtic"])
    assert [len(one["groups"]) for one in result["comparisons"]] == [2, 2]
    ends += ["frequent-first", "mesokurtic"]
    code, out, _ = bench(capsys, *command, "--json")
    assert (code, json.loads(out)["stopped"], json.loads(out)["comparisons"]) == (130, True, [])


@pytest.mark.parametrize("command", [[], ["compare"], ["article"]])
def test_help_shows_examples(capsys, command):
    code, out, _ = bench(capsys, *command, "--help")
    assert code == 0 and "jotto bench" in out and "Examples" in out
