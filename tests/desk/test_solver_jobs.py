"""A search shared out: in threads and on a Dask cluster it finds the same, and stopped at any moment it is sound."""

import json
import os
import shutil
import subprocess
import sys
import time

import pytest
from command_line import jotto
from engine_words import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st
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
def test_a_job_is_the_same_whole_or_by_parts(problem):
    table = make_table(problem, CORE.codes)
    searcher = CORE.search(table, 1)
    weight = int(problem.weights.sum())
    whole = run_job(searcher, table, 60, Job(1, None, 1 << 40))
    parts = {code: len(part) for code, part in table.parts(1, table.everything).items()}
    done = list(thread_executor(searcher, table, 60, 2)(Job(1, code, 1 << 40) for code in parts))
    assert {one.job.code for one in done} == set(parts)
    assert weight + sum(one.cost for one in done) == whole.cost
    assert plan_cost(whole.plan, table, table.everything, 60, 0) == whole.cost
    assert all(one.plan is not None for one in done)


def test_what_is_not_below_the_limit_gets_no_plan():
    table = make_table(GAMES[0], CORE.codes)
    searcher = CORE.search(table, 1)
    cost = run_job(searcher, table, 60, Job(0, None, 1 << 40)).cost
    assert run_job(searcher, table, 60, Job(0, None, cost)).plan is None
    assert run_job(searcher, table, 60, Job(0, None, cost + 1)).plan is not None


def test_a_stopped_job_has_no_cost():
    stop = StopSignal()
    table = make_table(GAMES[1], CORE.codes)
    searcher = CORE.search(table, 1, stop=stop.flag)
    stop.request()
    assert run_job(searcher, table, 60, Job(0, None, 1 << 40)) == (Job(0, None, 1 << 40), None, None)


def test_a_wish_to_stop_can_be_put_off_but_not_forgotten():
    stop = StopSignal()
    with stop.deferred():
        stop.request()
        assert stop.requested and not stop.flag[0]
    assert stop.flag[0]
    with stop.deferred():
        assert not stop.flag[0]
    assert stop.flag[0]
    stop.clear()
    assert not stop.requested and not stop.flag[0]


BEST = [search_tree(problem, CORE, effort()) for problem in GAMES]


@settings(max_examples=40)
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


def start(*arguments):
    """Start a part of Dask, quietly."""
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "src"},
    )


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """Provide the address of a scheduler, and the file that contains it."""
    file = tmp_path_factory.mktemp("dask") / "scheduler.json"
    with start(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
    ) as process:
        until(file.is_file)
        yield json.loads(file.read_text(encoding="utf-8"))["address"], file
        process.terminate()


def until(is_so):
    """Wait for something that takes seconds."""
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    pytest.fail("it did not happen within a minute")


def test_a_cluster_finds_what_threads_find(scheduler, tmp_path, capsys, monkeypatch):
    """Takes seconds: a real scheduler and a real worker, the only proof that they fit together."""
    address, file = scheduler
    with pytest.raises(DeskError, match="no workers"), search.connect_cluster(address):
        pass
    with start(
        "worker",
        "--scheduler-file",
        str(file),
        "--nthreads",
        "2",
        "--no-nanny",
        "--no-dashboard",
        "--local-directory",
        str(tmp_path),
    ) as worker:
        until(lambda: has_workers(address))
        for problem, best in zip(GAMES, BEST):
            found = search_tree(problem, CORE, effort(cluster=address))
            assert (found.cost, found.proven, found.trouble) == (best.cost, True, "")
            table = found.table
            assert plan_cost(found.plan, table, table.everything, 60, 0) == best.cost
        stopped = search_tree(symbol_problem(BULLS), CORE, effort(cluster=address, seconds=0.2))
        assert not stopped.proven
        code, out, _ = jotto(capsys, "solve", "--rules", "mastermind", "--cluster", address, "--json")
        assert code == 0 and json.loads(out)["total"] == 5625
        monkeypatch.setattr(search, "NO_WORKER_TIMEOUT", 1)
        lost = search_tree(symbol_problem(BULLS), CORE, effort(cluster=address), lambda state: worker.kill())
        assert "no workers any more" in lost.trouble and lost.lower_bound < lost.cost
        assert plan_cost(lost.plan, lost.table, lost.table.everything, 60, 0) == lost.cost


def certificate(folder):
    """Write a key and a certificate that is its own authority into a folder; return it."""
    folder.mkdir()
    own_certificate, _ = tls_files(folder, "cluster")
    shutil.copy(own_certificate, folder / "ca.pem")
    return folder


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")
def test_a_cluster_over_tls_lets_in_only_who_has_a_certificate(tmp_path, capsys, monkeypatch):
    """Takes seconds: a real scheduler and a real worker with certificates made here."""
    ours, others, file = certificate(tmp_path / "ours"), certificate(tmp_path / "others"), tmp_path / "scheduler.json"
    tls = [
        "--tls-ca-file",
        str(ours / "ca.pem"),
        "--tls-cert",
        str(ours / "cert.pem"),
        "--tls-key",
        str(ours / "key.pem"),
    ]
    with start(
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--protocol",
        "tls",
        "--scheduler-file",
        str(file),
        *tls,
    ) as scheduler:
        until(file.is_file)
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        with start(
            "worker",
            address,
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--local-directory",
            str(tmp_path),
            *tls,
        ) as worker:
            until(lambda: has_workers(address, ours))
            code, out, err = jotto(
                capsys,
                "solve",
                "--rules",
                "mastermind",
                "--length",
                "3",
                "--cluster",
                address,
                "--cluster-tls",
                ours,
                "--json",
            )
            assert code == 0 and json.loads(out)["proven"] and "no login" not in err
            monkeypatch.setattr(search, "CONNECT_TIMEOUT", 1)
            for wrong in (None, others):
                with (
                    pytest.raises(DeskError, match="trusts these certificates"),
                    search.connect_cluster(address, wrong),
                ):
                    pass
            worker.terminate()
        scheduler.terminate()


@pytest.mark.parametrize(
    "address, write, sentence",
    [
        ("tls://127.0.0.1:1", None, "ca.pem' cannot be read"),
        ("tls://127.0.0.1:1", b"no certificate", "cannot be used"),
        ("tcp://127.0.0.1:1", b"no certificate", "without TLS"),
        ("", None, "--cluster tls://"),
    ],
)
def test_certificates_that_are_none(capsys, tmp_path, address, write, sentence):
    for name in search.TLS_FILES if write else ():
        (tmp_path / name).write_bytes(write)
    code, _, err = jotto(capsys, "solve", "--rules", "mastermind", "--cluster", address, "--cluster-tls", tmp_path)
    assert code == 2 and sentence in err


def test_a_cluster_without_tls_is_said_to_need_trust(capsys, monkeypatch):
    monkeypatch.setattr(search, "CONNECT_TIMEOUT", 0.1)
    _, _, err = jotto(capsys, "solve", "--rules", "mastermind", "--cluster", "tcp://127.0.0.1:1")
    assert "Dask has no login and exchanges pickles" in err and "--cluster-tls" in err


def has_workers(address, tls=None):
    """Whether the scheduler has a worker by now."""
    try:
        with search.connect_cluster(address, tls) as found:
            return found.cores > 0
    except DeskError:
        return False


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "tcp://", "http://127.0.0.1:8786", "tcp://127.0.0.1:0", "x"])
def test_what_is_no_address_is_not_tried(address):
    with pytest.raises(DeskError, match="not the address"), search.connect_cluster(address):
        pass


def test_nobody_answers(capsys, monkeypatch):
    monkeypatch.setattr(search, "CONNECT_TIMEOUT", 0.5)
    code, _, err = jotto(capsys, "solve", "--rules", "mastermind", "--cluster", "tcp://127.0.0.1:1")
    assert code == 2 and "no Dask scheduler at 'tcp://127.0.0.1:1'" in err
