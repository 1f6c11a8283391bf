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


GAME = problem.symbol_problem(MASTERMIND._replace(length=3))


def laid_out(folder):
    """Lay out the rows with the folder in use."""
    return feedback_table.make_table(GAME, feedback_table.sum_planes, folder).rows


def only_file(folder):
    """Return the one file of the folder."""
    found = list(folder.iterdir())
    assert len(found) == 1, found
    return found[0]


def test_a_table_is_made_once_and_mapped_afterwards(tmp_path):
    fresh = feedback_table.make_table(GAME).rows
    first = laid_out(tmp_path)
    made = only_file(tmp_path).stat().st_ino
    second = laid_out(tmp_path)
    assert isinstance(second, np.memmap)
    assert only_file(tmp_path).stat().st_ino == made
    assert (first == fresh).all()
    assert (second == fresh).all()


@pytest.mark.parametrize("place", [0, 1000, -1])
def test_a_changed_byte_is_noticed_and_the_table_made_again(tmp_path, place):
    fresh = np.array(laid_out(tmp_path))
    path = only_file(tmp_path)
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    assert (laid_out(tmp_path) == fresh).all()
    assert (laid_out(tmp_path) == fresh).all()


def test_a_cut_file_is_made_again(tmp_path):
    fresh = np.array(laid_out(tmp_path))
    path = only_file(tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    assert (laid_out(tmp_path) == fresh).all()


def test_other_weights_or_rules_are_other_tables(tmp_path):
    laid_out(tmp_path)
    other = problem.list_problem(GAME.secrets, GAME.rules, weights=[2] * len(GAME.secrets))
    feedback_table.make_table(other, feedback_table.sum_planes, tmp_path)
    assert len(list(tmp_path.glob("*.codes"))) == 2


def test_the_table_not_used_for_longest_goes_first(tmp_path, monkeypatch):
    laid_out(tmp_path)
    first = only_file(tmp_path)
    monkeypatch.setattr(feedback_table, "MAX_CACHE_BYTES", first.stat().st_size + 10)
    feedback_table.make_table(
        problem.symbol_problem(MASTERMIND._replace(length=2)), feedback_table.sum_planes, tmp_path
    )
    assert first not in list(tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("folder", ["/dev/null/tables", "/proc/tables"])
def test_a_folder_that_cannot_be_used_is_done_without(folder):
    assert (laid_out(Path(folder)) == feedback_table.make_table(GAME).rows).all()


MAKE = """
import sys
from pathlib import Path
from jotto.rules import MASTERMIND
from jotto_desk.solver import feedback_table, problem
feedback_table.MIN_CACHED_BYTES = 1
game = problem.symbol_problem(MASTERMIND._replace(length=3))
print(int(feedback_table.make_table(game, feedback_table.sum_planes, Path(sys.argv[1])).rows.astype(int).sum()))
"""


def test_processes_share_one_file(tmp_path):
    running = [
        subprocess.Popen(
            [sys.executable, "-c", MAKE, str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        )
        for _ in range(4)
    ]
    sums = [int(process.communicate(timeout=60)[0]) for process in running]
    assert sums == [int(feedback_table.make_table(GAME).rows.astype(int).sum())] * 4
    assert only_file(tmp_path).suffix == ".codes"
