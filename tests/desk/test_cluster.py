"""A real Dask cluster on this computer does what one process does; the tests take seconds, as processes are started."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from command_line import jotto
from engine_words import WORDS
from interpreters import ROOT
from tls_files import tls_files

from jotto.rules import BULLS, JOTTO
from jotto_behaviour import mind
from jotto_desk import cluster
from jotto_desk.cluster import connect_cluster
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal import batch
from jotto_desk.rehearsal.batch import RobotChoice, play_all
from jotto_desk.rehearsal.game import RehearsalSettings
from jotto_desk.solver import cores
from jotto_desk.solver.beam import SearchOptions, StopSignal, plan_cost
from jotto_desk.solver.problem import make_list_problem, make_symbol_problem
from jotto_desk.solver.search import search_tree

CORE = cores.choose_best_core()


@contextlib.contextmanager
def dask(*arguments, path="src:behaviour:simulator"):
    """Run a part of Dask on this computer, quietly, until the block ends."""
    local = ("--host", "127.0.0.1", "--port", "0") if arguments[0] == "scheduler" else ("--no-nanny",)
    with subprocess.Popen(
        [sys.executable, "-m", "dask", *map(str, arguments), *local, "--no-dashboard"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
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


def has_cores(number, address, tls=None):
    try:
        with connect_cluster(address, tls) as found:
            return found.cores == number
    except DeskError:
        return False


def refusal(address, tls=None):
    with pytest.raises(DeskError) as refused, connect_cluster(address, tls):
        pass
    return str(refused.value)


@contextlib.contextmanager
def dask_cluster(folder, workers, *tls, threads=1):
    """Run a scheduler and workers; yield the address and all processes, the scheduler first."""
    file = folder / "scheduler.json"
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(dask("scheduler", "--scheduler-file", file, *tls))]
        address = json.loads(until(lambda: file.is_file() and file.read_text(encoding="utf-8")))["address"]
        worker = ("worker", address, "--nthreads", threads, "--local-directory", folder, *tls[2:])
        processes += [stack.enter_context(dask(*worker)) for _ in range(workers)]
        until(lambda: not workers or has_cores(workers * threads, address, folder if tls else None))
        yield address, processes


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with dask_cluster(tmp_path_factory.mktemp("dask"), 2) as (address, _):
        yield address


def effort(**more):
    return SearchOptions(**{"width": 3, "memo_bytes": 1 << 22, "threads": 1, **more})


def search_all_bulls(workers, stage, act, **more):
    """Search a problem that takes minutes, and do something when it has come to a stage."""
    problem = make_symbol_problem(BULLS)
    tell = lambda state: state.stage.startswith(stage) and act()  # noqa: E731
    return search_tree(problem, CORE, effort(), tell, cluster=workers, **more)


@pytest.mark.parametrize(
    "problem, more",
    [
        (make_list_problem(WORDS[::4], JOTTO, weights=[9] * 30 + [2] * 82), {}),
        (make_list_problem(WORDS[::2], JOTTO), {"width": 12, "cap": 6, "miss": 3}),
        (make_list_problem(WORDS[::4], JOTTO), {"first": 2}),
        (make_symbol_problem(BULLS._replace(alphabet="012345")), {}),
    ],
)
def test_a_search_finds_what_one_process_finds(address, problem, more):
    alone = search_tree(problem, CORE, effort(**more))
    with connect_cluster(address) as workers:
        found = search_tree(problem, CORE, effort(**more), cluster=workers)
    assert (found.cost, found.proven, found.trouble) == (alone.cost, True, "")
    limits = more.get("cap", 60), more.get("miss", 0)
    assert plan_cost(found.plan, found.table, found.table.everything, *limits) == found.cost


@pytest.mark.parametrize(
    "command",
    [
        "solve --words list.txt --top 5",
        "bench --rules mastermind --length 3 --strategies entropy-all,consistent,article --seeds 3",
        "bench --words list.txt --strategies robot,consistent --first ocean --seeds 2 --speech",
        "rehearse --words list.txt --tree list.tree --sample 7 --seed 3 --mishear 0.1 --transcripts said.txt",
    ],
)
def test_a_command_prints_what_one_process_prints(address, capsys, tmp_path, monkeypatch, command):
    """The workers have neither this list nor this tree."""
    monkeypatch.setattr(batch, "BATCH", 3)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text("\n".join([*WORDS[::5], "ocean"]), encoding="utf-8")
    assert jotto(capsys, "solve", "--words", "list.txt", "--quick", "--out", "list.tree")[0] == 0
    told = []
    for cluster_options in ("", f"--cluster {address}"):
        code, out, err = jotto(capsys, *command.split(), *cluster_options.split(), "--json")
        said = tmp_path / "said.txt"
        plain = json.loads(out, object_pairs_hook=lambda pairs: {**dict(pairs), "seconds": 0, "cpu_seconds": 0})
        told.append((code, plain, said.read_text(encoding="utf-8") if said.exists() else ""))
        assert ("no login" in err) == bool(cluster_options)
    assert told[0][0] == 0 and told[0] == told[1]


def are_idle(workers):
    return not any(workers._client.run(lambda dask_worker: dask_worker.active_threads).values())


def test_a_stopped_search_and_stopped_games_end_on_the_workers(address, monkeypatch):
    monkeypatch.setattr(batch, "BATCH", 3)
    with connect_cluster(address) as workers:
        stop = StopSignal()
        found = search_all_bulls(workers, "proof", stop.request, stop=stop)
        assert found.lower_bound < found.cost and not found.trouble
        until(lambda: are_idle(workers))
        secrets = mind.load_mind("", "consistent", ()).wordlist.words
        games = play_all(secrets, RehearsalSettings(strategy="consistent"), RobotChoice(), workers)
        records = [next(games)]
        with pytest.raises(KeyboardInterrupt):
            records.append(games.throw(KeyboardInterrupt()))
            records += games
        # A batch can have ended before an earlier one, which is then stopped.
        told = [record.secret for record in records]
        assert told[0] == secrets[0] and told == [secret for secret in secrets if secret in told]
        until(lambda: are_idle(workers))


def test_a_killed_worker_costs_its_chunk_and_a_killed_scheduler_ends_the_search_with_a_sentence(tmp_path):
    told, done, items = [], [], [f"sleep 0.05; echo {number}" for number in range(40)]
    with (
        dask_cluster(tmp_path, 2) as (address, (scheduler, killed, _)),
        connect_cluster(address, tell=told.append) as workers,
    ):
        for result in workers.map_chunks(map, workers.lodge(subprocess.getoutput), items, lambda: False):
            done.append(int(result))
            if len(done) == 10:
                killed.send_signal(signal.SIGKILL)
        assert sorted(done) == list(range(40))
        left = f"Workers that left the cluster at '{address}': 1 (1 still there; lost work is done again)."
        assert told == [left]
        lost = search_all_bulls(workers, "proof", scheduler.kill)
    assert f"The cluster at '{address}' was lost" in lost.trouble and lost.lower_bound < lost.cost


def test_workers_of_another_version_are_refused(tmp_path):
    (tmp_path / "jotto").mkdir()
    (tmp_path / "jotto" / "__init__.py").write_text("__version__ = '0.0.1'\n", encoding="ascii")
    with dask_cluster(tmp_path, 0) as (address, _):
        assert "has no workers; start one with: dask worker tcp://" in refusal(address)
        with dask("worker", address, "--local-directory", tmp_path, path=str(tmp_path)):
            until(lambda: "no workers" not in refusal(address))
            said = refusal(address)
    assert "have nao-jotto 0.0.1 where" in said and "every worker needs this version" in said


# Certificates and addresses.


def test_only_programs_with_a_certificate_of_the_authority_connect(tmp_path, capsys, monkeypatch):
    ours, others = tmp_path / "ours", tmp_path / "others"
    for folder in (ours, others):
        folder.mkdir()
        # Each certificate is its own authority.
        shutil.copy(tls_files(folder, "cluster")[0], folder / "ca.pem")
    tls = ["--tls-ca-file", ours / "ca.pem", "--tls-cert", ours / "cert.pem", "--tls-key", ours / "key.pem"]
    with dask_cluster(ours, 1, "--protocol", "tls", *tls, threads=2) as (address, (_, worker)):
        command = f"solve --rules mastermind --cluster {address} --json --cluster-tls".split()
        code, out, err = jotto(capsys, *command, ours)
        assert code == 0 and json.loads(out)["total"] == 5625 and "no login" not in err
        with monkeypatch.context() as patch:
            patch.setattr(cluster, "CONNECT_TIMEOUT_S", 1)
            assert all("trusts these certificates" in refusal(address, wrong) for wrong in (None, others))

        def lose():
            monkeypatch.setattr(cluster, "NO_WORKER_TIMEOUT_S", 1)
            worker.kill()

        with connect_cluster(address, ours) as workers:
            lost = search_all_bulls(workers, "bounds", lose)
    assert "no workers any more" in lost.trouble and lost.lower_bound < lost.cost
    assert plan_cost(lost.plan, lost.table, lost.table.everything, 60, 0) == lost.cost


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
    for name in cluster.TLS_FILES if content else ():
        (tmp_path / name).write_bytes(content)
    code, _, err = jotto(capsys, "solve", "--rules", "mastermind", "--cluster", address, "--cluster-tls", tmp_path)
    assert code == 2 and sentence in err


def test_a_wrong_address_and_one_without_a_scheduler_are_refused(capsys, monkeypatch):
    for address in ("127.0.0.1:8786", "tcp://", "http://127.0.0.1:8786", "tcp://127.0.0.1:0", "x"):
        assert "not the address" in refusal(address)
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT_S", 0.1)
    code, _, err = jotto(capsys, "solve", "--rules", "mastermind", "--cluster", "tcp://127.0.0.1:1")
    assert code == 2 and "no Dask scheduler at 'tcp://127.0.0.1:1'" in err
    assert "Dask has no login and exchanges pickles" in err and "--cluster-tls" in err
