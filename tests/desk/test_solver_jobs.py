"""A search shared out: in threads and on a Dask cluster it finds the same, and stopped at any moment it is sound."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time

import pytest
from command_line import jotto
from engine_words import WORDS
from hypothesis import given, settings, strategies as st
from interpreters import ROOT
from tls_files import tls_files

from jotto.rules import BULLS, JOTTO, MASTERMIND
from jotto_desk.errors import DeskError
from jotto_desk.solver import cores, search
from jotto_desk.solver.beam import Job, SearchOptions, StopSignal, plan_cost, run_job, thread_executor
from jotto_desk.solver.feedback_table import make_table
from jotto_desk.solver.problem import list_problem, symbol_problem, turns_taken
from jotto_desk.solver.search import search_tree

CORE = cores.best_core()
GAMES = [
    list_problem(WORDS[::11], JOTTO),
    list_problem(WORDS[::4], JOTTO, weights=[9] * 30 + [2] * 82),
    symbol_problem(BULLS._replace(alphabet="012345")),
    symbol_problem(MASTERMIND._replace(length=3)),
]


def effort(**more):
    return SearchOptions(**{"width": 3, "memo_bytes": 1 << 22, "threads": 1, **more})


@pytest.mark.parametrize("problem", GAMES, ids=["words", "weighted", "bulls", "mastermind"])
def test_a_job_is_the_same_whole_or_by_parts_and_without_a_cost_if_stopped(problem):
    table, stop = make_table(problem, CORE.codes), StopSignal()
    searcher = CORE.search(table, 1, stop=stop.flag)
    whole = run_job(searcher, table, 60, Job(1, None, 1 << 40))
    parts = table.parts(1, table.everything)
    done = list(thread_executor(searcher, table, 60, 2)(Job(1, code, 1 << 40) for code in parts))
    assert {one.job.code for one in done} == set(parts) and all(one.plan is not None for one in done)
    assert int(problem.weights.sum()) + sum(one.cost for one in done) == whole.cost
    assert plan_cost(whole.plan, table, table.everything, 60, 0) == whole.cost
    # Only a cost below the limit comes with a plan.
    assert run_job(searcher, table, 60, Job(1, None, whole.cost)).plan is None
    assert run_job(searcher, table, 60, Job(1, None, whole.cost + 1)).plan is not None
    stop.request()
    whole_game = Job(0, None, 1 << 40)
    assert run_job(CORE.search(table, 1, stop=stop.flag), table, 60, whole_game) == (whole_game, None, None)


def test_a_wish_to_stop_can_be_put_off_but_not_forgotten():
    stop = StopSignal()
    with stop.deferred():
        stop.request()
        assert stop.requested and not stop.flag[0]
    assert stop.flag[0]
    with stop.deferred():
        assert not stop.flag[0]
    stop.clear()
    assert not stop.requested and not stop.flag[0]


BEST = [search_tree(problem, CORE, effort()) for problem in GAMES]


@settings(max_examples=25)
@given(st.integers(0, len(GAMES) - 1), st.integers(0, 60), st.sampled_from([1, 2]))
def test_a_search_stopped_at_any_moment_is_sound(number, patience, threads):
    problem, best = GAMES[number], BEST[number]
    stop, told = StopSignal(), []

    def tell(state):
        told.append(state)
        if len(told) > patience:
            stop.request()

    found = search_tree(problem, CORE, effort(threads=threads), tell, stop=stop)
    table = found.table
    assert found.lower_bound <= best.cost <= found.cost
    assert plan_cost(found.plan, table, table.everything, 60, 0) == found.cost
    assert None not in turns_taken(found.plan, problem, table.rows)
    assert all(state.bound <= best.cost <= state.best for state in told)
    if not stop.requested:
        assert found.proven and found.cost == best.cost


@contextlib.contextmanager
def dask(*arguments):
    """Run a part of Dask on this computer, quietly, until the block ends."""
    local = ("--host", "127.0.0.1", "--port", "0") if arguments[0] == "scheduler" else ("--no-nanny",)
    with subprocess.Popen(
        [sys.executable, "-m", "dask", *map(str, arguments), *local, "--no-dashboard"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "src"},
    ) as process:
        yield process
        process.terminate()


def until(is_so):
    """Wait for something that takes seconds; return what came."""
    for _ in range(600):
        if found := is_so():
            return found
        time.sleep(0.1)
    return pytest.fail("it did not happen within a minute")


def address_in(file):
    """Wait for a scheduler's file, and return its address."""
    return json.loads(until(lambda: file.is_file() and file.read_text(encoding="utf-8")))["address"]


def has_workers(address, tls=None):
    """Whether the scheduler has a worker by now."""
    try:
        with search.connect_cluster(address, tls) as found:
            return found.cores > 0
    except DeskError:
        return False


def test_a_cluster_finds_what_threads_find(tmp_path, capsys, monkeypatch):
    """Takes seconds: a real scheduler and a real worker, the only proof that they fit together."""
    file, folder = tmp_path / "scheduler.json", ("--local-directory", tmp_path)
    with dask("scheduler", "--scheduler-file", file):
        address = address_in(file)
        with pytest.raises(DeskError, match="no workers"), search.connect_cluster(address):
            pass
        with dask("worker", "--scheduler-file", file, "--nthreads", 2, *folder) as worker:
            until(lambda: has_workers(address))
            for problem, best in zip(GAMES[1:3], BEST[1:3]):
                found = search_tree(problem, CORE, effort(cluster=address))
                assert (found.cost, found.proven, found.trouble) == (best.cost, True, "")
                assert plan_cost(found.plan, found.table, found.table.everything, 60, 0) == best.cost
            assert not search_tree(symbol_problem(BULLS), CORE, effort(cluster=address, seconds=0.2)).proven
            code, out, _ = jotto(capsys, "solve", "--rules", "mastermind", "--cluster", address, "--json")
            assert code == 0 and json.loads(out)["total"] == 5625
            monkeypatch.setattr(search, "NO_WORKER_TIMEOUT", 1)
            lost = search_tree(symbol_problem(BULLS), CORE, effort(cluster=address), lambda state: worker.kill())
            assert "no workers any more" in lost.trouble and lost.lower_bound < lost.cost
            assert plan_cost(lost.plan, lost.table, lost.table.everything, 60, 0) == lost.cost


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")
def test_a_cluster_over_tls_lets_in_only_a_client_with_its_certificate(tmp_path, capsys, monkeypatch):
    """Takes seconds: a real scheduler and a real worker with certificates made here."""
    ours, others, file = tmp_path / "ours", tmp_path / "others", tmp_path / "scheduler.json"
    for folder in (ours, others):
        folder.mkdir()
        # Each certificate is its own authority.
        shutil.copy(tls_files(folder, "cluster")[0], folder / "ca.pem")
    tls = ["--tls-ca-file", ours / "ca.pem", "--tls-cert", ours / "cert.pem", "--tls-key", ours / "key.pem"]
    with dask("scheduler", "--protocol", "tls", "--scheduler-file", file, *tls):
        address = address_in(file)
        with dask("worker", address, "--nthreads", 1, "--local-directory", tmp_path, *tls):
            until(lambda: has_workers(address, ours))
            command = f"solve --rules mastermind --length 3 --cluster {address} --json --cluster-tls".split()
            code, out, err = jotto(capsys, *command, ours)
            assert code == 0 and json.loads(out)["proven"] and "no login" not in err
            monkeypatch.setattr(search, "CONNECT_TIMEOUT", 1)
            for wrong in (None, others):
                refused = pytest.raises(DeskError, match="trusts these certificates")
                with refused, search.connect_cluster(address, wrong):
                    pass


@pytest.mark.parametrize(
    "address, content, sentence",
    [
        ("tls://127.0.0.1:1", None, "ca.pem' cannot be read"),
        ("tls://127.0.0.1:1", b"no certificate", "cannot be used"),
        ("tcp://127.0.0.1:1", b"no certificate", "without TLS"),
        ("", None, "--cluster tls://"),
    ],
)
def test_wrong_certificates_are_refused(capsys, tmp_path, address, content, sentence):
    for name in search.TLS_FILES if content else ():
        (tmp_path / name).write_bytes(content)
    code, _, err = jotto(capsys, "solve", "--rules", "mastermind", "--cluster", address, "--cluster-tls", tmp_path)
    assert code == 2 and sentence in err


def test_a_wrong_address_and_one_without_a_scheduler_are_refused(capsys, monkeypatch):
    for address in ("127.0.0.1:8786", "tcp://", "http://127.0.0.1:8786", "tcp://127.0.0.1:0", "x"):
        with pytest.raises(DeskError, match="not the address"), search.connect_cluster(address):
            pass
    monkeypatch.setattr(search, "CONNECT_TIMEOUT", 0.1)
    code, _, err = jotto(capsys, "solve", "--rules", "mastermind", "--cluster", "tcp://127.0.0.1:1")
    assert code == 2 and "no Dask scheduler at 'tcp://127.0.0.1:1'" in err
    assert "Dask has no login and exchanges pickles" in err and "--cluster-tls" in err
