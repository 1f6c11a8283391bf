"""Large tables on disk: written whole, checked when read, shared, bounded."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from interpreters import ROOT

from jotto.rules import MASTERMIND
from jotto_desk.solver import feedback_table, problem


@pytest.fixture(autouse=True)
def _small_is_worth_keeping(monkeypatch):
    monkeypatch.setattr(feedback_table, "MIN_CACHED_BYTES", 1)


GAME = problem.make_symbol_problem(MASTERMIND._replace(length=3))


def laid_out(folder):
    return feedback_table.make_table(GAME, feedback_table.sum_planes, folder).rows


def only_file(folder):
    found = list(folder.iterdir())
    assert len(found) == 1, found
    return found[0]


def test_a_table_is_made_once_and_mapped_afterwards(tmp_path):
    fresh, first = feedback_table.make_table(GAME).rows, laid_out(tmp_path)
    made = only_file(tmp_path).stat().st_ino
    second = laid_out(tmp_path)
    assert isinstance(second, np.memmap) and only_file(tmp_path).stat().st_ino == made
    assert (first == fresh).all() and (second == fresh).all()
    # A folder that cannot be used is done without.
    for folder in ("/dev/null/tables", "/proc/tables"):
        assert (laid_out(Path(folder)) == fresh).all()


def test_a_changed_or_cut_file_is_noticed_and_made_again(tmp_path):
    fresh = np.array(laid_out(tmp_path))
    path = only_file(tmp_path)
    good = path.read_bytes()
    for damaged in (b"\xff" + good[1:], good[:1000] + bytes([good[1000] ^ 1]) + good[1001:], good[:-1] + b"\xff"):
        path.write_bytes(damaged)
        assert (laid_out(tmp_path) == fresh).all() and path.read_bytes() == good != damaged
    path.write_bytes(good[:-40])
    assert (laid_out(tmp_path) == fresh).all()


def test_other_weights_are_another_table_and_the_one_not_used_for_longest_goes_first(tmp_path, monkeypatch):
    laid_out(tmp_path)
    first = only_file(tmp_path)
    other = problem.make_list_problem(GAME.secrets, GAME.rules, weights=[2] * len(GAME.secrets))
    feedback_table.make_table(other, feedback_table.sum_planes, tmp_path)
    assert len(list(tmp_path.glob("*.codes"))) == 2
    monkeypatch.setattr(feedback_table, "MAX_CACHE_BYTES", first.stat().st_size + 10)
    small = problem.make_symbol_problem(MASTERMIND._replace(length=2))
    feedback_table.make_table(small, feedback_table.sum_planes, tmp_path)
    assert only_file(tmp_path) != first


def test_processes_share_one_file(tmp_path):
    code = [
        "import sys\nfrom pathlib import Path\nfrom jotto.rules import MASTERMIND",
        "from jotto_desk.solver import feedback_table, problem\nfeedback_table.MIN_CACHED_BYTES = 1",
        "game = problem.make_symbol_problem(MASTERMIND._replace(length=3))",
        "table = feedback_table.make_table(game, feedback_table.sum_planes, Path(sys.argv[1]))",
        "print(int(table.rows.astype(int).sum()))",
    ]
    command, environ = (
        [sys.executable, "-c", "\n".join(code), tmp_path],
        {**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) for _ in range(3)]
    sums = [int(process.communicate(timeout=60)[0]) for process in running]
    assert sums == [int(feedback_table.make_table(GAME).rows.astype(int).sum())] * 3
    assert only_file(tmp_path).suffix == ".codes"
