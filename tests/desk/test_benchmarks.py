"""The measurements run, agree with one another, and are described; no test depends on speed."""

import importlib
import json
import os
import subprocess
import sys

import pytest
from interpreters import ROOT, python27

from jotto_desk.solver import cores, reference

BENCHMARKS = ROOT / "benchmarks"
PARTS = {"turns", "games", "game-time", "tree", "pairs", "entropy", "wire", "expert", "ears"}


@pytest.fixture
def load(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module


@pytest.fixture(scope="module")
def measured():
    """Measure every part on a small scale, as `make bench` does; takes seconds."""
    folders = (str(ROOT / folder) for folder in ("src", "behaviour", "simulator"))
    answer = subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), "--small", "--json", "--python27", python27()],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        timeout=300,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def test_every_part_is_measured_and_described(measured, load):
    readme, run = (BENCHMARKS / "README.md").read_text(encoding="utf-8"), load("run")
    assert set(measured) == PARTS | {"cores"} == {*run.PARTS, "cores"}
    assert all(f"`{part}`" in readme for part in PARTS)
    for part, (module, end) in run.PARTS.items():
        assert all(getattr(load(module), f"report_{end}")(measured[part]))


def test_both_pythons_take_turns_and_walk_the_tree(measured):
    versions = {python.rpartition(".")[0] for python in measured["turns"]}
    assert versions == {row["python"].rpartition(".")[0] for row in measured["tree"]["pythons"]} > {"2.7"}
    ways = {"article", "consistent", "entropy", "in doubt", "tree"}
    assert all(set(rows) == ways for rows in measured["turns"].values())
    assert len({(row["nodes"], row["guesses"]) for row in measured["tree"]["pythons"]}) == 1
    assert measured["tree"]["bytes"] < 12_000


def test_rates_seconds_and_memory_are_measured(measured):
    ways = {"core", "memory copied", "memory filled", "numpy", "jotto.feedback", "jotto.feedback, slow"}
    assert set(measured["pairs"]["default list"]["rates"]) == ways
    for row in measured["entropy"]["rows"].values():
        assert set(row["seconds"]) == {"core", "numpy", "plain Python"}
        assert row["peak_mb"] >= row["ready_mb"] > 1


def test_an_unknown_part_is_refused(load, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run.py", "speed"])
    with pytest.raises(SystemExit) as ended:
        load("run").main()
    said = capsys.readouterr().err
    assert ended.value.code == 2 and "'speed'" in said and "entropy" in said


class Miscounts(reference.NumpyCore):
    """A core that mistakes one answer for another."""

    def codes(self, rows, keys, out):
        super().codes(rows, keys, out)
        out[0, 1] += 1

    def scores(self, *arguments):
        return super().scores(*arguments) + 1


def test_ways_that_disagree_are_not_compared(load, monkeypatch):
    solver = load("solver")
    monkeypatch.setattr(cores, "best_core", lambda *_, **__: Miscounts())
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
