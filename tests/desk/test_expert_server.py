"""The expert service as a server: who may connect, limits, queues, the file of games, and its end."""

import contextlib
import http.client
import json
import logging
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

import pytest
import requests
from expert_service import PATH, talking

from jotto_desk.errors import DeskError
from jotto_desk.expert import ExpertError, ExpertSystem, knowledge_base, service as expert_service_module
from jotto_desk.expert.datalog import parse_program
from jotto_desk.expert.knowledge_base import Evaluator, KnowledgeBase, Store, Version, _is_small
from jotto_desk.expert.service import serve_expert
from naosim_page import connections

PLACES = ", ".join(f"X{number}" for number in range(14))
PRODUCT = f" all({PLACES}) :- {', '.join(f'c(X{number})' for number in range(14))}."
#: No computer derives everything that follows from this.
LARGE = " ".join(f"c({number})." for number in range(30)) + PRODUCT


@pytest.fixture(scope="module")
def service():
    with talking() as found:
        yield found


def send(url, raw):
    parts = urlsplit(url)
    wire = socket.create_connection((parts.hostname, parts.port), timeout=30)
    try:
        wire.sendall(raw)
    except OSError:
        wire.close()
        raise
    return wire


def request(method, path, *headers):
    return "\r\n".join([f"{method} {path} HTTP/1.1", *headers, "", ""]).encode("latin-1")


def read_status(wire):
    """Return the status of an answer whose body is read."""
    answer = http.client.HTTPResponse(wire)
    answer.begin()
    answer.read()
    return answer.status


def read_refusal(wire):
    """Return the status and the reason of a JSON error; () if the connection ended without an answer."""
    answer = http.client.HTTPResponse(wire)
    try:
        answer.begin()
    except (http.client.BadStatusLine, ConnectionError):
        return ()
    body = json.loads(answer.read())
    assert answer.headers["Content-Type"] == "application/json" and set(body) == {"error", "ret_msg", "elapsed_ms"}
    return answer.status, body["error"]


def test_other_host_names_and_other_web_pages_are_refused(service):
    for headers, status in (
        (["Host: 127.0.0.1"], 200),
        (["Host: localhost:80"], 200),
        (["Host: [::1]:80"], 200),
        (["Host: evil.example"], 403),
        (["Host: 127.0.0.1", "Origin: http://evil.example"], 403),
        (["Host: 127.0.0.1", "Origin: null"], 403),
        (["Host: localhost", "Origin: http://localhost:3000"], 200),
        (["Host: ["], 403),
        (["Host: "], 403),
    ):
        with send(service[0].url, request("GET", "/api/v1/games", *headers)) as wire:
            assert read_status(wire) == status, headers


def test_addresses_to_listen_on():
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):
        with pytest.raises(DeskError, match="--insecure"), serve_expert(host=host):
            pass
    with serve_expert(host="0.0.0.0", insecure=True) as url:
        port = urlsplit(url).port
        with send(f"http://127.0.0.1:{port}", request("GET", "/api/v1/games", "Host: nao.example")) as wire:
            assert read_status(wire) == 200
        with pytest.raises(DeskError, match="cannot be used"), serve_expert(port=port):
            pass
    for host in ("127.0.0.2", "::1", "localhost"):
        try:
            with serve_expert(host=host) as url, ExpertSystem(url) as expert:
                assert expert.list_games() == [] and host in url
        except DeskError as error:
            # A computer without IPv6.
            assert host == "::1" and "cannot be used" in str(error)


HALF_HEADER = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
HALF_BODY = request("POST", PATH, "Host: 127.0.0.1", "Content-Length: 10") + b"{"
CHUNKED = request("POST", PATH, "Host: 127.0.0.1", "Transfer-Encoding: chunked")


def test_bytes_that_are_not_http_and_unfinished_requests_are_refused_in_json(service, monkeypatch):
    for raw in (
        b"NOTHING\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        b"GET / HTTP/1.1\r\nBad Header: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000,
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: many\r\n\r\n",
    ):
        with send(service[0].url, raw) as wire:
            assert read_refusal(wire) == (400, connections.UNREADABLE_REQUEST), raw[:60]
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_S", 0.1)
    whole = request("GET", "/", "Host: 127.0.0.1")
    for raw in (b"", HALF_HEADER, HALF_BODY, whole + b"GET / HT"):
        with send(service[0].url, raw) as wire:
            if raw.startswith(whole):
                assert read_status(wire) == 307
            assert read_refusal(wire)[0] == 408, raw


def test_large_bodies_are_refused_and_one_that_breaks_off_is_ignored(service, monkeypatch):
    expert, ask = service
    length = f"Content-Length: {expert_service_module.MAX_REQUEST_BYTES + 1}"
    with send(expert.url, request("POST", PATH, "Host: 127.0.0.1", length)) as wire:
        assert read_refusal(wire)[0] == 413
    part = b"%x\r\n" % 1_000_000 + b" " * 1_000_000 + b"\r\n"
    # The service may hang up while the rest is sent.
    with contextlib.suppress(OSError), send(expert.url, CHUNKED + part * 5 + b"0\r\n\r\n") as wire:
        assert read_refusal(wire)[0] == 413
    with monkeypatch.context() as small:
        small.setattr(expert_service_module, "MAX_PENDING_BYTES", 1000)
        answer = ask("POST", json={"kb": "% " + "x" * 2000})
        assert answer.status_code == 503 and answer.headers["Retry-After"] == "1"
    body = b'{"kb": "broken(off)."}'
    with send(expert.url, CHUNKED + b"%x\r\n" % len(body) + body + b"\r\n") as wire:
        wire.shutdown(socket.SHUT_WR)
        read_refusal(wire)
    assert ask("POST", json={"kb": "p(a)."}).status_code == 201
    assert ask("GET", params={"rule": "broken(X)", "tm": "1"}).json()["ans"] == []


def test_the_oldest_unfinished_connections_make_room(service, monkeypatch):
    with monkeypatch.context() as limits, contextlib.ExitStack() as stack:
        limits.setattr(connections, "MAX_PER_ADDRESS", 3)
        limits.setattr(connections, "YOUNG_REQUEST_S", 0)
        wires = [stack.enter_context(send(service[0].url, HALF_HEADER)) for _ in range(5)]
        assert [read_refusal(wire)[0] for wire in wires[:2]] == [408, 408]
        wires[4].sendall(b"\r\n\r\n")
        assert read_status(wires[4]) == 307
    monkeypatch.setattr(connections, "MAX_OPEN_CONNECTIONS", 2)
    with serve_expert() as url, contextlib.ExitStack() as stack:
        wires = [stack.enter_context(send(url, b"")) for _ in range(2)]
        with requests.Session() as session:
            session.trust_env = False
            assert session.get(url + "/api/v1/games", timeout=30).json() == [] and read_refusal(wires[0])[0] == 408
            # An idle connection makes room, too, and its client connects again.
            wires += [stack.enter_context(send(url, HALF_BODY)) for _ in range(2)]
            assert session.get(url + "/api/v1/games", timeout=30).json() == []


def test_a_client_that_reads_no_answers_is_disconnected(service, monkeypatch):
    """Takes two seconds: the connection must be idle for long enough."""
    monkeypatch.setattr(connections, "IDLE_TIMEOUT_S", 0.2)
    file = "/static-offline-docs/swagger-ui-bundle.js"
    size, came = len(service[1]("GET", file).content), 0
    with send(service[0].url, request("GET", file, "Host: 127.0.0.1") * 20) as wire:
        time.sleep(2)
        with contextlib.suppress(ConnectionResetError):
            while part := wire.recv(1 << 20):
                came += len(part)
    assert came < 15 * size


def test_waiting_requests_are_limited_in_number_and_time(monkeypatch):
    monkeypatch.setattr(expert_service_module, "GAME_WORK", expert_service_module.WorkQueue("games", 1, 1))
    begun, going_on = threading.Event(), threading.Event()
    with talking() as (expert, ask):
        game = f"/api/v1/games/{expert.begin_game().id}"
        monkeypatch.setattr(
            "jotto_desk.expert.games.reasoning.explain_excluded", lambda *_: (begun.set(), going_on.wait(30)) and 1 / 0
        )
        slow = threading.Thread(target=ask, args=("GET", game + "/why-not/0011"))
        slow.start()
        begun.wait(30)
        monkeypatch.setattr(expert_service_module, "QUEUE_TIMEOUT_S", 0.1)
        late = ask("GET", game)
        monkeypatch.setattr(expert_service_module, "GAME_WORK", expert_service_module.WorkQueue("games", 1, 0))
        full = ask("GET", game)
        # Light requests have their own workers.
        assert ask("GET", "/api/v1/games").status_code == 200
        going_on.set()
        slow.join(30)
        for answer, reason in ((late, "0.1 seconds"), (full, "Too many requests")):
            assert answer.status_code == 503 and reason in answer.json()["error"], reason
            assert answer.headers["Retry-After"] == "1"


def test_an_error_outside_the_application_is_answered_in_json(service, monkeypatch):
    with monkeypatch.context() as accident:
        accident.setattr(expert_service_module.WorkQueues, "__call__", lambda *_: 1 / 0)
        answer = service[1]("GET", "/api/v1/games")
    assert answer.status_code == 500 and "ZeroDivision" not in answer.text and answer.json()["error"]


@pytest.fixture
def evaluator():
    with contextlib.closing(Evaluator()) as made:
        yield made


def test_work_that_is_certainly_small(evaluator):
    for before, text, is_small in (
        ("", "p(a).", True),
        ("", "p(X) :- q(X).", True),
        ("q(a). q(b).", "p(X, Y) :- q(X), q(Y).", True),
        ("", LARGE, False),
        (LARGE[:150], "p(X, Y, Z) :- c(X), c(Y), c(Z).", True),
        ("", " ".join(f"p({number})." for number in range(300)) + "q(X, Y) :- p(X), p(Y).", False),
    ):
        base = KnowledgeBase(evaluator, Store())
        version = base.append(re.sub(r" c\(\d*$", "", before)) if before else Version()
        assert _is_small(version, parse_program(text)) == is_small, text[:60]


def test_small_work_goes_before_large_work():
    """Takes seconds: the large work must outlast its quick try."""
    done = []
    with talking(evaluator=Evaluator(seconds=1)) as (expert, ask):

        def post(text):
            done.append((text, ask("POST", json={"kb": text}).status_code))

        large = [threading.Thread(target=post, args=(LARGE,)) for _ in range(2)]
        for thread in large:
            thread.start()
        time.sleep(0.3)
        post("small(a).")
        assert done == [("small(a).", 201)] and expert.submitquery("small(X)")["ans"] == ["small(a)"]
        for thread in large:
            thread.join()
        assert [status for _, status in done[1:]] == [400] * 2


def test_large_work_is_done_again_if_the_base_has_changed(evaluator, monkeypatch):
    monkeypatch.setattr(knowledge_base, "QUICK_TIMEOUT_S", 0)
    changes = iter(["q(b)."])
    base = KnowledgeBase(evaluator, Store())
    base.append("p(a).")
    real = evaluator._find_facts

    def facts(process, text, seconds):
        found = real(process, text, seconds)
        # The quick try may succeed even in no time; it holds the lock that a change needs.
        for change in () if process is evaluator._quick else changes:
            base.append(change)
        return found

    monkeypatch.setattr(evaluator, "_find_facts", facts)
    base.append("p(X) :- q(X).")
    for change in changes:
        base.append(change)
    assert base.ask("p(X)") == ["p(a)", "p(b)"] and base.version.text.count("q(b).") == 1


def test_everything_survives_a_restart(tmp_path):
    file = str(tmp_path / "deep" / "expert.sqlite")

    def status(expert):
        return {key: value for key, value in expert.getkbstat().items() if key != "elapsed_ms"}

    with talking(state=file) as (expert, _):
        with pytest.raises(DeskError, match="another program has it open"):
            Store(file)
        expert.submitkb("after(a,b). before(X,Y):-after(Y,X).")
        expert.submitkb("after(c,d). % the end")
        games = [
            expert.begin_game("classic", holes=4),
            expert.begin_game("wordle"),
            expert.begin_game(holes=5, colours=8),
        ]
        expert.begin_game().delete()
        for guess, answer in (("0000", "b"), ("0001", "b")):
            games[0].turn(guess, answer)
        games[0].undo(1)
        games[1].turn("sugar", "EPNNN")
        before = status(expert), [game.get_state() for game in games]
    with talking(state=file) as (expert, _):
        assert expert.submitquery("before(X,c)")["ans"] == ["before(d, c)"]
        assert [one["id"] for one in expert.list_games()] == [game.id for game in games]
        assert (status(expert), [expert.get_game(game.id).get_state() for game in games]) == before
        assert expert.get_game(games[0].id).turn("0555", "w")["funnel"] == [1296, 500, 176]
        expert.submitkb("p(a).")


def kept(kind, value):
    def keep(path):
        store = Store(path)
        store.keep(kind, "text", value)
        store.close()

    return keep


def spoil(change):
    return lambda path: path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize(
    "damage, reason",
    [
        (kept("game", {}), "cannot be read back"),
        (kept("game", {"asked": {"name": "exact"}, "seed": 1, "turns": [["0011", [9, 9]]]}), "cannot be read back"),
        (kept("game", []), "cannot be read back"),
        (kept("game", {"asked": {"name": "chess"}, "seed": 1, "turns": []}), "cannot be read back"),
        (kept("base", {"text": "p("}), "cannot be read back"),
        (kept("base", {"text": "p(", "epoch": 0}), "cannot be read back"),
        (spoil(lambda raw: b"no database at all" * 100), "not a database"),
        (spoil(lambda raw: raw[:1000]), "malformed|not a database"),
        (spoil(lambda raw: raw[:4096] + b"\xff" * (len(raw) - 4096)), "malformed"),
        (spoil(lambda raw: raw[:100] + b"\0" * (len(raw) - 100)), "malformed"),
        (spoil(lambda raw: raw.replace(b'{"asked"', b'{"asked\xff')), "utf-8"),
        (spoil(lambda raw: raw.replace(b'"turns": []', b'"turns": 12')), "iterable"),
        (spoil(lambda raw: raw.replace(b'"seed": 1', b'"seed": {')), "expecting"),
        (spoil(lambda raw: raw.replace(b"TABLE kept", b"TABLE kopt")), "malformed|no such table"),
        (lambda path: (path.unlink(), path.mkdir()), "unable to open"),
        (lambda path: sqlite3.connect(path).execute("PRAGMA user_version = 9").connection.close(), "version 9"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_a_sentence(tmp_path, damage, reason):
    path = tmp_path / "games.sqlite"
    store = Store(path)
    store.keep("game", "one", {"asked": {"name": "exact"}, "seed": 1, "turns": []})
    for number in range(10):
        store.keep("other", str(number), "x" * 2000)
    store.close()
    damage(path)
    with pytest.raises(DeskError) as refused, serve_expert(state=str(path)):
        pass
    said = str(refused.value)
    assert re.search(reason, said, re.IGNORECASE), said
    assert "--state" in said and said.endswith((".", "it.")) and "\n" not in said


def test_a_file_that_cannot_be_opened_is_refused(tmp_path):
    held = sqlite3.connect(tmp_path / "held.sqlite", isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    for path, reason in (
        (tmp_path, "unable to open"),
        (tmp_path / "held.sqlite", "another program has it open"),
        (tmp_path / "a\0b", "null"),
        (tmp_path / "held.sqlite" / "x", "exists|not a directory"),
    ):
        with pytest.raises(DeskError, match=reason), serve_expert(state=str(path)):
            pass
    held.close()


def fill(path, store):
    size = store._base.execute("PRAGMA page_count").fetchone()[0]
    store._base.execute(f"PRAGMA max_page_count = {size}")


TROUBLE = {
    "removed": (lambda path, store: path.unlink(), "no such file"),
    "replaced": (lambda path, store: (path.rename(path.with_suffix(".old")), path.write_bytes(b"")), "removed or"),
    "full": (fill, "full"),
    "damaged": (lambda path, store: path.write_bytes(b"\xff" * path.stat().st_size), "malformed|not a database"),
    "read-only": (lambda path, store: store._base.execute("PRAGMA query_only = 1"), "readonly"),
}


def test_a_file_that_fails_while_the_service_runs(tmp_path, monkeypatch, caplog):
    for name, (trouble, reason) in TROUBLE.items():
        path, stores = tmp_path / f"{name}.sqlite", []
        monkeypatch.setattr(
            "jotto_desk.expert.service.Store", lambda state, stores=stores: stores.append(Store(state)) or stores[0]
        )
        caplog.clear()
        with talking(state=str(path)) as (expert, _), caplog.at_level(logging.WARNING):
            game = expert.begin_game()
            expert.submitkb("p(a).")
            before = game.get_state()
            trouble(path, stores[0])
            if name == "damaged":
                # SQLite does not read again what is in its cache.
                stores[0]._base.execute("PRAGMA shrink_memory")
            refused = []
            for change, *arguments in (
                (game.turn, "0011", "b"),
                (expert.submitkb, "% " + "x" * 100_000 + "\nq(a)."),
                (expert.begin_game,),
            ):
                try:
                    change(*arguments)
                except ExpertError as error:
                    refused.append((error.status, str(error)))
            assert refused and all(status == 507 and re.search(reason, said) for status, said in refused), name
            assert name == "full" or (len(refused) == 3 and game.get_state() == before), name
            assert expert.submitquery("p(X)")["ans"] == ["p(a)"], name
        assert len([record for record in caplog.records if "could not be saved" in record.message]) in (1, 2), name


def test_a_service_that_is_killed_leaves_nothing_half_done(tmp_path):
    file = str(tmp_path / "expert.sqlite")
    command = [sys.executable, "-m", "jotto_desk", "expert", "serve", "--port", "0", "--state", file]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().split()[5].rstrip(";")
        with ExpertSystem(url) as expert:
            expert.submitkb("after(a,b). before(X,Y):-after(Y,X).")
            game = expert.begin_game()
            game.turn("0001", "b")
            threading.Timer(0.2, process.kill).start()
            done = 1
            with pytest.raises(ExpertError):
                while True:
                    game.turn("0001", "b")
                    done += 1
                    if done > 90:
                        game.undo(), game.undo(1)
                        done -= 2
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    with talking(state=file) as (expert, _):
        assert abs(len(expert.get_game(game.id).get_state()["turns"]) - done) <= 2
        assert expert.submitquery("before(X,Y)")["ans"] == ["before(b, a)"]


@pytest.mark.parametrize("delay", [0, 0.7])
def test_the_service_ends_quietly_whatever_the_solver_is_doing(delay):
    ends = """
import threading, time
from jotto_desk.expert import ExpertError, ExpertSystem
from jotto_desk.expert.service import serve_expert

with serve_expert() as url:
    expert = ExpertSystem(url)
    large = expert.begin_game(holes=12, colours=36)

    def ask():
        try:
            large.turn("001122334455", [1, 1])
        except ExpertError as error:
            print(error.status, error)

    threading.Thread(target=ask, daemon=True).start()
    time.sleep({delay})
print("ended")
"""
    command = [sys.executable, "-c", ends.replace("{delay}", str(delay))]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    # On a busy computer the question comes when the service has gone already.
    told = re.sub(r"(503 The service is ending\.|0 http\S+ does not answer \(ConnectionError\).*)\n", "", ended.stdout)
    assert told == "ended\n"
