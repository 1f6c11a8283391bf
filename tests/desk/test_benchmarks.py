"""The measurements run, agree with one another, and are described; no test depends on speed."""

import importlib
import json
import os
import sys

import pytest
from interpreters import ROOT, python27

from jotto_desk.solver import cores, reference

BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture
def load(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(str(ROOT / part) for part in ("src", "behaviour", "simulator")))
    return importlib.import_module


@pytest.mark.whole_site
def test_every_part_is_measured_and_described(load, monkeypatch, capsys):
    """Takes seconds: each part once, as small as can be; both Pythons, a robot and a service run in processes."""
    run, games, ears, readme = load("run"), load("games"), load("ears"), (BENCHMARKS / "README.md").read_text("utf-8")
    # Enough games that an answer is in doubt, and one recogniser: sound comes in real time.
    monkeypatch.setattr(games, "FEW_GAMES", 3)
    monkeypatch.setattr(ears, "best_installed", lambda: ears.PLAIN)
    monkeypatch.setattr(sys, "argv", ["run.py", "--small", "--json", "--python27", python27()])
    run.main()
    measured = json.loads(capsys.readouterr().out)
    assert set(measured) == {*run.PARTS, "cores"} and all(f"`{part}`" in readme for part in run.PARTS)
    for part, (module, end) in run.PARTS.items():
        assert all(getattr(load(module), f"report_{end}")(measured[part])), part
    versions = {python.rpartition(".")[0] for python in measured["turns"]}
    assert versions == {row["python"].rpartition(".")[0] for row in measured["tree"]["pythons"]} > {"2.7"}
    ways = {"article", "consistent", "entropy", "in doubt", "tree"}
    assert all(set(rows) == ways for rows in measured["turns"].values())
    assert len({(row["nodes"], row["guesses"]) for row in measured["tree"]["pythons"]}) == 1
    assert measured["tree"]["bytes"] < 12_000
    ways = {"core", "memory copied", "memory filled", "numpy", "jotto.feedback", "jotto.feedback, slow"}
    assert set(measured["pairs"]["default list"]["rates"]) == ways
    for row in measured["entropy"]["rows"].values():
        assert set(row["seconds"]) == {"core", "numpy", "plain Python"}


def test_an_unknown_part_is_refused(load, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run.py", "speed"])
    with pytest.raises(SystemExit) as ended:
        load("run").main()
    said = capsys.readouterr().err
    assert ended.value.code == 2 and "'speed'" in said and "entropy" in said


def test_ways_that_disagree_are_not_compared(load, monkeypatch):
    class Miscounts(reference.NumpyCore):
        def add_planes(self, rows, keys, out):
            super().add_planes(rows, keys, out)
            out[0, 1] += 1

        def score_guesses(self, *arguments):
            return super().score_guesses(*arguments) + 1

    solver = load("solver")
    monkeypatch.setattr(cores, "choose_best_core", lambda *_, **__: Miscounts())
    with pytest.raises(ValueError, match="same table"):
        solver.measure_table(["ocean", "canoe", "dance", "brick"], 1)
    with pytest.raises(ValueError, match="same entropies"):
        solver.measure_turn(30, 1)


def test_drawn_words_look_like_words(load):
    own, more = load("games").list_words(), load("solver").draw_isograms(3000)
    assert more[: len(own)] == own and load("solver").draw_isograms(50) == own[:50]
    assert len(set(more)) == 3000 and {len(set(word)) for word in more} == {len(word) for word in more} == {5}
    # Each letter is at the same place in some word of the list.
    assert all({word[place] for word in more} == {word[place] for word in own} for place in range(5))
