"""The measurements run, agree with one another, and describe what they measure; no test depends on speed."""

import importlib
import json
import os
import subprocess
import sys

import pytest
from interpreters import ROOT, python27

from jotto_desk.solver import cores, reference

BENCHMARKS = ROOT / "benchmarks"
PARTS = {"turns", "games", "game-time", "pairs", "entropy", "tree", "own-list", "wire", "expert", "ears"}


def run(*arguments):
    """Run the benchmarks as `make bench` does."""
    folders = (str(ROOT / folder) for folder in ("src", "behaviour", "simulator"))
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    return subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), *arguments],
        capture_output=True,
        text=True,
        env=environ,
        timeout=300,
        check=False,
    )


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module


@pytest.fixture(scope="module")
def measured():
    """Measure every part on a small scale; takes seconds; the only run of the benchmarks as people start them."""
    answer = run("--small", "--json", "--python27", python27())
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def test_every_part_is_measured_and_described(measured):
    text = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    assert set(measured) == PARTS | {"cores", "list", "words"}
    assert all(f"`{part}`" in text for part in PARTS)


def test_both_pythons_take_turns_and_walk_the_tree(measured):
    versions = {python.rpartition(".")[0] for python in measured["turns"]}
    assert versions == {row["python"].rpartition(".")[0] for row in measured["tree"]["pythons"]} > {"2.7"}
    ways = {"article", "consistent", "entropy", "in doubt", "tree"}
    assert all(set(rows) == ways for rows in measured["turns"].values())
    assert len({(row["nodes"], row["guesses"]) for row in measured["tree"]["pythons"]}) == 1


def test_the_tree_file_is_as_small_as_promised(measured):
    assert measured["tree"]["bytes"] < 12_000


def test_an_own_list_becomes_a_sound_tree(measured):
    assert measured["own-list"]["words"] == 60 and measured["own-list"]["verified"] is True


def test_rates_seconds_and_memory_are_measured(measured):
    assert set(measured["pairs"]["default list"]["rates"]) == {
        "core",
        "memory copied",
        "memory filled",
        "numpy",
        "jotto.feedback",
        "jotto.feedback, slow",
    }
    for row in measured["entropy"]["rows"].values():
        assert set(row["seconds"]) == {"core", "numpy", "plain Python"}
        assert row["peak_mb"] >= row["ready_mb"] > 1


def test_the_soak_looks_at_the_memory_of_every_process(benchmark, monkeypatch):
    soak, wire, options = (benchmark(name) for name in ("soak", "wire", "options"))
    monkeypatch.setattr(wire, "WAYS", dict.fromkeys(wire.WAYS, (wire.bare, "Bare")))
    found = soak.measure(options.Options(small=True))
    assert all(found[name]["at the end"] > 10_000 for name in wire.WAYS)
    assert [line.split(":")[0] for line in soak.report(found)] == [
        "500 calls",
        "170 events",
        "20 subscribers",
        "at the end",
    ]


def test_one_part_in_words():
    answer = run("tree", "--small", "--python27", python27())
    assert answer.returncode == 0, answer.stderr
    assert "en.tree" in answer.stdout and "Python 2.7" in answer.stdout and "pairs" not in answer.stdout


def test_an_unknown_part_is_refused(benchmark, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run.py", "speed"])
    with pytest.raises(SystemExit) as ended:
        benchmark("run").main()
    said = capsys.readouterr().err
    assert ended.value.code == 2 and "'speed'" in said and "own-list" in said


class Miscounts(reference.NumpyCore):
    """A core that mistakes one answer for another."""

    def codes(self, rows, keys, out):
        super().codes(rows, keys, out)
        out[0, 1] += 1

    def scores(self, *arguments):
        return super().scores(*arguments) + 1


@pytest.mark.parametrize(
    "part, words, complaint",
    [("pairs", ["ocean", "canoe", "dance", "brick"], "same table"), ("entropy", 30, "same entropies")],
)
def test_ways_that_disagree_are_not_compared(benchmark, monkeypatch, part, words, complaint):
    module = benchmark(part)
    module.measure_one(words, 1)
    monkeypatch.setattr(cores, "best_core", lambda *_, **__: Miscounts())
    with pytest.raises(ValueError, match=complaint):
        module.measure_one(words, 1)


def test_drawn_words_look_like_words(benchmark):
    vocabulary = benchmark("vocabulary")
    own, more = vocabulary.own(), vocabulary.isograms(3000)
    assert more[: len(own)] == own and more == vocabulary.isograms(3000) and vocabulary.isograms(50) == own[:50]
    assert len(set(more)) == 3000 and {len(set(word)) for word in more} == {len(word) for word in more} == {5}
    # A letter stands where it stands in some word of the list.
    assert all({word[place] for word in more} == {word[place] for word in own} for place in range(5))


@pytest.mark.parametrize("there", [True, False])
def test_the_larger_list(benchmark, monkeypatch, tmp_path, there):
    vocabulary = benchmark("vocabulary")
    public = tmp_path / "public.txt"
    if there:
        public.write_text("ocean\nannoy\nbrick\n", encoding="ascii")
    monkeypatch.setattr(vocabulary, "PUBLIC", public)
    monkeypatch.setattr(vocabulary, "LARGER", 2930)
    name, words = vocabulary.larger()
    assert (len(words), "public" in name, "drawn" in name) == ((2, True, False) if there else (2930, False, True))
