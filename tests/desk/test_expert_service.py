"""The service on loopback: the original's table of requests and answers, its bugs, its readers and writers."""

import base64
import gzip
import http.client
import json
import random
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

import pytest
from expert_service import PATH, talking

from jotto_desk.errors import DeskError
from jotto_desk.expert import ExpertError, ExpertSystem, client
from jotto_desk.expert import service as request_limits
from jotto_desk.expert.knowledge_base import Store
from jotto_desk.expert.service import serve_expert
from naosim_live import unfinished

KB = "after(a,b). before(X,Y):-after(Y,X)."


@pytest.fixture(scope="module")
def service():
    with talking() as found:
        yield found


@pytest.fixture
def fresh():
    with talking() as found:
        yield found


def state(expert):
    """Say how the knowledge base stands, whatever the time it took."""
    return {key: value for key, value in expert.getkbstat().items() if key != "elapsed_ms"}


# The table of requests and answers


def test_post_appends(fresh):
    _, ask = fresh
    answer = ask("POST", json={"kb": KB})
    assert (answer.status_code, answer.json()) == (
        201,
        {"KB size": 36, "ret_msg": "KB loaded", "uc": "learnmore", "elapsed_ms": answer.json()["elapsed_ms"]},
    )
    assert ask("POST", json={"kb": "after(c,d)."}).json()["KB size"] == 36 + 1 + 11
    assert ask("GET", params={"rule": "before(X,Y)?"}).json()["ans"] == ["before(b, a)", "before(d, c)"]


@pytest.mark.parametrize("query", ["before(X,Y)?", "before(X,Y)", " before( X , Y ) ? "])
def test_get_a_query_with_or_without_its_mark(service, query):
    expert, ask = service
    expert.resetkb()
    expert.submitkb(KB)
    answer = ask("GET", params={"rule": query})
    found = answer.json()
    assert answer.status_code == 200 and set(found) == {"ans", "ans_sz", "qs", "uc", "ret_msg", "elapsed_ms"}
    assert (found["ans"], found["ans_sz"], found["ret_msg"]) == (["before(b, a)"], 1, "query executed.")
    assert found["qs"].endswith("?") and isinstance(found["elapsed_ms"], int)


def test_get_without_an_answer(service):
    expert, ask = service
    expert.resetkb()
    expert.submitkb(KB)
    answer = ask("GET", params={"rule": "before(a,X)?"})
    assert (answer.status_code, answer.content) == (204, b"")
    # There is no body that could say how long it took.
    assert answer.headers["Server-Timing"].startswith("datalog;dur=")


def test_get_the_status(fresh):
    _, ask = fresh
    assert (ask("GET").status_code, ask("GET").content) == (204, b"")
    began = int(time.time())
    ask("POST", json={"kb": KB})
    found = ask("GET").json()
    assert began <= found.pop("ans_kb_load_epoch") <= time.time()
    assert isinstance(found.pop("elapsed_ms"), int)
    assert found == {"ans_kb_text_sz": 36, "ans_kb_sz": 2, "ret_msg": "valid KB."}


def test_get_a_query_before_anything_was_loaded(fresh):
    _, ask = fresh
    answer = ask("GET", params={"rule": "before(X,Y)?"})
    assert (answer.status_code, answer.json()["ret_msg"]) == (404, "query not executed because no KB was loaded.")
    ask("DELETE")
    assert ask("GET", params={"rule": "before(X,Y)?"}).status_code == 204


def test_delete(service):
    expert, ask = service
    expert.submitkb(KB)
    answer = ask("DELETE")
    found = answer.json()
    assert (answer.status_code, found["KB size"], found["ret_msg"]) == (200, 0, "KB deleted")
    assert ask("GET").json()["ans_kb_text_sz"] == 0 and ask("GET", params={"rule": "after(X,Y)?"}).status_code == 204


BAD = {
    "bad Datalog": {"json": {"kb": "after(a,b"}},
    "unsafe variable": {"json": {"kb": "after(X,b)."}},
    "not stratified": {"json": {"kb": "p(a) :- not p(a)."}},
    "missing kb": {"json": {}},
    "empty kb": {"json": {"kb": ""}},
    "kb of blanks": {"json": {"kb": " \n"}},
    "kb that is no text": {"json": {"kb": 3}},
    "null": {"json": None, "data": "null"},
    "a list": {"json": [KB]},
    "not JSON": {"data": "kb=after(a,b)."},
    "no body": {},
    "half a character": {"data": '{"kb": "p(\\ud800)."}'},
    "very deep": {"data": "[" * 100_000},
    "not UTF-8": {"data": b'{"kb": "\xff\xfe"}'},
}


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
def test_a_bad_post_says_why(service, sent):
    _, ask = service
    answer = ask("POST", **sent)
    assert answer.status_code == 400 and answer.json()["ret_msg"] and "Traceback" not in answer.text


@pytest.mark.parametrize("rule", ["", "?", "p(", "p(X), q(X)?", '#include "/etc/passwd".', "p(\0)?"])
def test_a_bad_query_says_why(service, rule):
    expert, ask = service
    expert.submitkb(KB)
    answer = ask("GET", params={"rule": rule})
    assert answer.status_code == 400 and answer.json()["ret_msg"].startswith("Line 1, column ")


@pytest.mark.parametrize(
    "params",
    [
        {"uc": "kb"},
        {"rule": "p?", "uc": "1"},
        [("rule", "p?"), ("rule", "q?")],
        [("rule", "p?"), ("rule", "q?"), ("tm", "1")],
        {"TM": "1"},
    ],
)
def test_another_parameter_is_refused_with_a_reason(service, params):
    answer = service[1]("GET", params=params)
    assert answer.status_code == 400 and "rule" in answer.json()["ret_msg"]


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_put_is_not_allowed(service, method):
    answer = service[1](method, json={"kb": KB})
    assert answer.status_code == 405 and answer.json()["ret_msg"] and answer.headers["Allow"] == "POST, GET, DELETE"


# The original's client, unchanged: it adds the time to every query, and reads JSON before it looks at the status

COLOURS = " ".join(f"colour(c{number})." for number in range(6))
#: Its questions, over a knowledge base that knows one answer only: all four holes are wrong.
GAME_KB = (
    COLOURS
    + """
api_isa_solution_exante(A,B,C,D) :- colour(A), colour(B), colour(C), colour(D).
out(A,B,C,D) :- api_isa_solution_exante(A,B,C,D), api_isa_guess(G,A,E,F,H), api_isa_fback(G,o,o,o,o).
out(A,B,C,D) :- api_isa_solution_exante(A,B,C,D), api_isa_guess(G,E,B,F,H), api_isa_fback(G,o,o,o,o).
out(A,B,C,D) :- api_isa_solution_exante(A,B,C,D), api_isa_guess(G,E,F,C,H), api_isa_fback(G,o,o,o,o).
out(A,B,C,D) :- api_isa_solution_exante(A,B,C,D), api_isa_guess(G,E,F,H,D), api_isa_fback(G,o,o,o,o).
api_isa_validguess_evenafter_all_gg(A,B,C,D) :- api_isa_solution_exante(A,B,C,D), not out(A,B,C,D).
"""
)


def as_the_original_asks(ask, rule):
    """Return the answers to a query, read as the original's client reads them."""
    answer = ask("GET", params={"rule": rule, "tm": time.time()})
    assert isinstance(answer.json()["elapsed_ms"], int)
    assert answer.status_code == 200
    return answer.json()["ans"]


def test_a_game_of_the_original_client(fresh):
    _, ask = fresh
    ask("DELETE")
    assert ask("POST", json={"kb": GAME_KB}).status_code == 201
    assert set(ask("GET").json()) == {"ans_kb_text_sz", "ans_kb_sz", "ans_kb_load_epoch", "ret_msg", "elapsed_ms"}
    funnel = [len(as_the_original_asks(ask, "api_isa_solution_exante(CH0,CH1,CH2,CH3)?"))]
    for number in range(6):
        follows = f"{'' if number else '%'} follows(g{number},g{number - 1},gg)."
        turn = f"api_isa_guess(g{number},c{number},c{number},c{number},c{number}). api_isa_fback(g{number},o,o,o,o). "
        assert ask("POST", json={"kb": turn + follows}).status_code == 201
        funnel.append(len(as_the_original_asks(ask, "api_isa_validguess_evenafter_all_gg(CH0,CH1,CH2,CH3)?")))
    # The last turns contradict each other: no code is left, and the client reads that too.
    assert funnel == [1296, 625, 256, 81, 16, 1, 0]


@pytest.mark.parametrize("tm", ["1698570206.5624733", "", "x", "\0"])
def test_the_cache_breaker_may_be_anything(fresh, tm):
    _, ask = fresh
    before = ask("GET", params={"tm": tm})
    assert (before.status_code, before.json()["ret_msg"]) == (200, "no KB was loaded.")
    assert ask("GET", params={"rule": "p(X)?", "tm": tm}).status_code == 404
    ask("POST", json={"kb": "p(a)."})
    assert ask("GET", params={"tm": tm}).json()["ans_kb_sz"] == 1
    assert [ask("GET", params={"rule": rule, "tm": tm}).json()["ans"] for rule in ("p(X)", "p(b)")] == [["p(a)"], []]


@pytest.mark.parametrize(
    "method, path, sent",
    [
        ("GET", PATH, {"params": {"rule": "p("}}),
        ("GET", PATH, {"params": {"uc": "kb"}}),
        ("PUT", PATH, {}),
        ("POST", PATH, {"data": "x"}),
        ("POST", PATH, {"json": {"kb": "p(X)."}}),
        ("POST", PATH, {"data": "x" * 5_000_000}),
        ("GET", PATH, {"headers": {"Host": "elsewhere.example"}}),
        ("GET", PATH + "/nothing", {}),
        ("POST", "/api/v1/games", {"json": {"rules": "chess"}}),
        ("POST", "/api/v1/games", {"json": {"holes": "4"}}),
    ],
)
def test_every_error_says_how_long_it_took(service, method, path, sent):
    answer = service[1](method, path, **sent)
    assert answer.status_code >= 400 and isinstance(answer.json()["elapsed_ms"], int) and answer.json()["ret_msg"]


# The original's bugs, and ours without them


def test_a_a_failed_post_poisons_nothing(fresh):
    expert, _ = fresh
    expert.submitkb(KB)
    before = state(expert)
    for bad in ("after(", "p(X).", "q(a). p(a) :- not p(a).", "", "after(e,f). #include <x>."):
        with pytest.raises(ExpertError) as refused:
            expert.submitkb(bad)
        assert refused.value.status == 400
    assert state(expert) == before
    assert expert.submitkb("after(c,d).")["ret_msg"] == "KB loaded"
    assert expert.submitquery("after(X,Y)?")["ans"] == ["after(a, b)", "after(c, d)"]


def test_b_the_status_is_that_of_the_present_base(fresh):
    expert, _ = fresh
    sizes = []
    for text in ("p(a).", "q(bb).", "r(ccc)."):
        expert.submitkb(text)
        sizes.append(expert.getkbstat()["ans_kb_text_sz"])
    expert.resetkb()
    assert sizes == [5, 12, 20] and expert.getkbstat()["ans_kb_text_sz"] == 0


def test_c_a_missing_kb_is_no_internal_error(service):
    answer = service[1]("POST", json={"knowledge": KB})
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/json")


def test_d_the_client_bears_an_empty_answer(fresh):
    expert, _ = fresh
    assert expert.getkbstat() == {}
    expert.submitkb(KB)
    assert expert.submitquery("before(a,X)") == {"ans": [], "ans_sz": 0, "qs": "before(a,X)?", "ret_msg": "no answer."}
    game = expert.new_game()
    game.turn("0011", "bbbb")
    assert game.turn("0101", "bbbb")["left"] == 0 and game.codes() == []


def test_e_games_share_nothing_and_a_reset_begins_anew(fresh):
    expert, _ = fresh
    with ExpertSystem(expert.url) as other:
        one, two = expert.new_game(), other.new_game("classic")
        one.turn("0001", "b")
        two.turn("0001", "b")
        two.turn("0555", "w")
        expert.resetkb()
        assert (one.funnel, two.funnel, expert.new_game().funnel) == ([1296, 317], [1296, 500, 176], [1296])
        assert other.game(one.id).state() == one.state()


# The modern API through the client

FUNNELS = {"exact": [1296, 317, 70, 10, 1, 1], "classic": [1296, 500, 176, 40, 3, 1]}


@pytest.mark.parametrize("reading", FUNNELS)
def test_a_whole_game(service, reading):
    expert, _ = service
    game = expert.new_game(reading, holes=4, colours=6)
    for guess, answer in (("0001", (1, 0)), ("0555", "w"), ("5421", [1, 1]), ("3020", "bbb"), ("3023", "bbbo")):
        assert guess in game.what_if(guess, answer)["guess"]
        state = game.turn(guess, answer)
    assert state["funnel"] == game.funnel == FUNNELS[reading] and game.codes() == ["3024"]
    assert game.suggest()["guess"] == "3024" and game.suggest("consistent")["fits"]
    assert game.why("3024")["mean"] == 1 and game.why_not("0000")["reasons"][0]["turn"] == 1
    assert game.clash()["fits"] and game.undo()["funnel"] == FUNNELS[reading][:-1]
    assert game.undo(1)["turns"][0]["guess"] == "0555" and game.change(1, "0555", "o")["turns"][0]["answer"] == [0, 0]
    assert game.id in [one["id"] for one in expert.games()]
    game.delete()
    with pytest.raises(ExpertError) as gone:
        game.state()
    assert gone.value.status == 404 and game.id not in [one["id"] for one in expert.games()]


@pytest.mark.parametrize(
    "method, path, sent, status",
    [
        ("POST", "/api/v1/games", {"json": {"rules": "chess"}}, 400),
        ("POST", "/api/v1/games", {"json": {"holes": 13}}, 422),
        ("POST", "/api/v1/games", {"json": {"holes": "4"}}, 422),
        ("POST", "/api/v1/games", {"json": {"words": "/etc/passwd"}}, 422),
        ("POST", "/api/v1/games", {"data": "{"}, 422),
        ("POST", "/api/v1/games", {"data": "[" * 100_000, "headers": {"Content-Type": "application/json"}}, 400),
        (
            "POST",
            "/api/v1/games",
            {"data": '{"rules": "\\ud800"}', "headers": {"Content-Type": "application/json"}},
            422,
        ),
        ("GET", "/api/v1/games/nobody", {}, 404),
        ("GET", "/api/v1/nothing", {}, 404),
        ("GET", "/api/v1/games/..%2f..%2fetc/why/0011", {}, 404),
        ("DELETE", "/api/v1/games", {}, 405),
    ],
)
def test_refusals_are_one_sentence_of_json(service, method, path, sent, status):
    answer = service[1](method, path, **sent)
    assert answer.status_code == status and answer.json()["error"].endswith(".") and "Traceback" not in answer.text


def test_an_internal_error_reveals_nothing(monkeypatch):
    with talking() as (expert, ask):
        monkeypatch.setattr("jotto_desk.expert.games.reasoning.explain_excluded", lambda *_: 1 / 0)
        game = expert.new_game()
        answer = ask("GET", f"/api/v1/games/{game.id}/why-not/0011")
        assert answer.status_code == 500 and "ZeroDivision" not in answer.text
        assert "not carried out" in answer.json()["error"]
        assert game.turn("0011", "b")["left"] == 256


def test_the_knowledge_and_the_pages(service):
    expert, ask = service
    assert "fits(Code) :- code(Code), not wrong(Code)." in expert.knowledge()
    described = ask("GET", "/openapi.json").json()
    assert {PATH, "/api/v1/games", "/api/v1/games/{game_id}/why-not/{code}"} <= set(described["paths"])
    assert ask("GET", "/docs").status_code == 200


# Access


def raw(url, *lines, body=b""):
    """Send a request as it stands; return the status."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as wire:
        wire.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1") + body)
        answer = http.client.HTTPResponse(wire)
        answer.begin()
        return answer.status, answer.read()


@pytest.mark.parametrize(
    "header, status",
    [
        ("Host: 127.0.0.1", 200),
        ("Host: localhost:80", 200),
        ("Host: [::1]:80", 200),
        ("Host: evil.example", 403),
        ("Host: 127.0.0.1\r\nOrigin: http://evil.example", 403),
        ("Host: 127.0.0.1\r\nOrigin: null", 403),
        ("Host: localhost\r\nOrigin: http://localhost:3000", 200),
        ("Host: [", 403),
        ("Host: ", 403),
    ],
)
def test_other_names_and_other_pages_are_refused(service, header, status):
    assert raw(service[0].url, "GET /api/v1/games HTTP/1.1", header)[0] == status


def test_a_body_too_large_is_refused_whether_it_says_so_or_not(service):
    url = service[0].url
    line = f"POST {PATH} HTTP/1.1", "Host: 127.0.0.1"
    assert raw(url, *line, f"Content-Length: {request_limits.MAX_REQUEST_BYTES + 1}")[0] == 413
    part = b"%x\r\n" % 1_000_000 + b" " * 1_000_000 + b"\r\n"
    try:
        status = raw(url, *line, "Transfer-Encoding: chunked", body=part * 5 + b"0\r\n\r\n")[0]
    except OSError:
        # It hung up while we were still sending.
        status = 413
    assert status == 413 and service[0].games() is not None


def test_a_body_that_never_comes_is_not_waited_for(service, monkeypatch):
    monkeypatch.setattr(unfinished, "REQUEST_TIMEOUT_S", 0.2)
    assert raw(service[0].url, f"POST {PATH} HTTP/1.1", "Host: 127.0.0.1", "Content-Length: 10", body=b"{")[0] == 408


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_other_computers_are_let_in_only_where_that_is_wanted(host):
    with pytest.raises(DeskError, match="--insecure"), serve_expert(host=host):
        pass


def test_where_it_is_wanted_any_name_will_do():
    with serve_expert(host="0.0.0.0", insecure=True) as url:
        port = urlsplit(url).port
        assert raw(f"http://127.0.0.1:{port}", "GET /api/v1/games HTTP/1.1", "Host: nao.example")[0] == 200


def test_a_port_that_is_taken():
    with serve_expert() as url, pytest.raises(DeskError, match="cannot be used"), serve_expert(port=urlsplit(url).port):
        pass


# Many at once


def crowd(seconds, readers=16, writers=4):
    """Run readers and writers at once; return what went wrong, and the number of requests.

    A writer posts pairs, half of it in one predicate and half in another, now and then a bad one, or empties the base:
    a reader that saw one half alone saw a base half loaded.
    """
    wrong, counts, ended = [], {"reads": 0, "writes": 0}, time.monotonic() + seconds
    with talking() as (expert, _):
        url = expert.url
        expert.submitkb("left(start). right(start). odd(X) :- left(X), not right(X). odd(X) :- right(X), not left(X).")

        def read(number):
            with ExpertSystem(url) as mine:
                while time.monotonic() < ended:
                    found = mine.submitquery(["odd(X)", "left(X)", "odd(X)"][number % 3])
                    if number % 3 != 1 and found["ans"]:
                        wrong.append(found["ans"])
                    counts["reads"] += 1

        def write(number):
            dice = random.Random(number)
            with ExpertSystem(url) as mine:
                step = 0
                while time.monotonic() < ended:
                    step += 1
                    name = f"n{number}_{step}"
                    kind = dice.random()
                    try:
                        if kind < 0.2:
                            mine.submitkb(f"left({name}). oops(")
                            wrong.append("a bad text was taken")
                        elif kind < 0.25:
                            mine.resetkb()
                        else:
                            mine.submitkb(f"left({name}). right({name}).")
                    except ExpertError as error:
                        if error.status not in (400, 503):
                            wrong.append(str(error))
                    counts["writes"] += 1

        def guarded(work, number):
            try:
                work(number)
            except Exception as error:
                wrong.append(repr(error))

        threads = [
            threading.Thread(target=guarded, args=(work, number))
            for work, count in ((read, readers), (write, writers))
            for number in range(count)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return wrong, counts


def test_readers_never_see_a_base_half_loaded():
    """Takes seconds: enough reads and writes at the same time for one to fall into another."""
    wrong, counts = crowd(3)
    assert wrong == [] and counts["reads"] > 20 and counts["writes"] > 4


def test_one_game_and_many_hands(fresh):
    expert, _ = fresh
    game = expert.new_game()
    wrong = []

    def turn(number):
        try:
            with ExpertSystem(expert.url) as mine:
                for _ in range(3):
                    mine.game(game.id).turn(f"{number}{number}00", [0, 0])
        except Exception as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=turn, args=(number,)) for number in range(1, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and len(game.state()["turns"]) == 15 and game.state()["clash"]["is_smallest"]


# Persistence


def test_everything_survives_a_restart(tmp_path):
    file = str(tmp_path / "expert.sqlite")
    with talking(state=file) as (expert, _):
        expert.submitkb(KB)
        expert.submitkb("after(c,d). % the end")
        game = expert.new_game("classic", holes=4)
        game.turn("0001", "b")
        before, stat = game.state(), state(expert)
    with talking(state=file) as (expert, _):
        assert state(expert) == stat and expert.submitquery("before(X,c)")["ans"] == ["before(d, c)"]
        assert expert.game(game.id).state() == before
        assert expert.game(game.id).turn("0555", "w")["funnel"] == [1296, 500, 176]
        expert.submitkb("p(a).")


@pytest.mark.parametrize(
    "kind, value",
    [
        ("game", {}),
        ("game", {"asked": {"name": "exact"}, "seed": 1, "turns": [["0011", [9, 9]]]}),
        ("game", []),
        ("game", {"asked": {"name": "chess"}, "seed": 1, "turns": []}),
        ("base", {"text": "p("}),
        ("base", {"text": "p(", "epoch": 0}),
    ],
)
def test_what_cannot_be_read_back_is_one_sentence(tmp_path, kind, value):
    store = Store(tmp_path / "expert.sqlite")
    store.keep(kind, "text", value)
    store.close()
    with pytest.raises(DeskError, match=r"cannot be read back .* --state"), serve_expert(state=store.path):
        pass
    Store(tmp_path / "expert.sqlite").close()


def test_killed_in_the_middle_nothing_half_done_is_left(tmp_path):
    file = str(tmp_path / "expert.sqlite")
    command = [sys.executable, "-m", "jotto_desk", "expert", "serve", "--port", "0", "--state", file]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().split()[5].rstrip(";")
        with ExpertSystem(url) as expert:
            expert.submitkb(KB)
            game = expert.new_game()
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
        assert abs(len(expert.game(game.id).state()["turns"]) - done) <= 2
        assert expert.submitquery("before(X,Y)")["ans"] == ["before(b, a)"]


# The client with other services


class Original:
    """Answers as the original does, its page for an internal error included."""

    def __init__(self, status, body, kind="application/json"):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.server.getsockname()[1]
        self.asked = b""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answer = (
            f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(raw)}\r\nConnection: close\r\n\r\n"
        ).encode() + raw
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        wire, _ = self.server.accept()
        with wire:
            self.asked = wire.recv(65536)
            wire.sendall(self.answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.thread.join(10)
        self.server.close()


@pytest.mark.parametrize("url", ["", PATH, PATH + "/"])
def test_the_original_is_asked_as_it_wants_to_be(url):
    with Original(200, {"ans": ["before(b, a)"], "ans_sz": 1}) as original, ExpertSystem(original.url + url) as expert:
        assert expert.submitquery("before(X,Y)")["ans_sz"] == 1
    assert b"GET /AbcDatalogREST?rule=before%28X%2CY%29%3F HTTP/1.1" in original.asked


@pytest.mark.parametrize(
    "status, body, kind, reason",
    [
        (400, {"ret_msg": "Unexpected EOF token."}, "application/json", "Unexpected EOF token."),
        (500, b"<html>NullPointerException</html>", "text/html", "refused with status 500 and no reason"),
        (200, b"<html>", "text/html", "is no JSON"),
        (200, b"[1]", "application/json", "no JSON object"),
        (404, b"[" * 50_000, "application/json", "status 404 and no reason"),
        (400, {"ret_msg": "bad\x1b[31m\n" + "x" * 5000}, "application/json", "bad [31m x"),
    ],
)
def test_the_clients_errors_are_sentences(status, body, kind, reason):
    with (
        Original(status, body, kind) as original,
        ExpertSystem(original.url) as expert,
        pytest.raises(ExpertError) as refused,
    ):
        expert.getkbstat()
    assert reason in str(refused.value) and refused.value.status == status and len(str(refused.value)) < 600


@pytest.mark.parametrize(
    "status, body, kind, sentence",
    [
        ("302", b"", "a\r\nLocation: http://127.0.0.1:1/", "another address"),
        ("200", b"[" + b"[]," * 300_000 + b"0]", "application/json", "no JSON"),
        ("200", gzip.compress(b"1" * 10_000_000), "a\r\nContent-Encoding: gzip", "more than 8,000,000 bytes"),
    ],
    ids=["redirect", "lists", "packed"],
)
def test_the_client_follows_nothing_and_unpacks_little(status, body, kind, sentence):
    with (
        Original(status, body, kind) as original,
        ExpertSystem(original.url) as expert,
        pytest.raises(ExpertError, match=sentence),
    ):
        expert.getkbstat()


def test_the_client_sends_a_login_and_shows_none():
    with Original(200, {"ans_sz": 1}) as original:
        with ExpertSystem(original.url.replace("//", "//ann:s3cret@")) as expert:
            assert expert.getkbstat() == {"ans_sz": 1} and "s3cret" not in expert.url
        assert b"Authorization: Basic " + base64.b64encode(b"ann:s3cret") in original.asked
    with (
        ExpertSystem("http://ann:s3cret@127.0.0.1:1", patience=5) as expert,
        pytest.raises(ExpertError, match="does not answer") as refused,
    ):
        expert.getkbstat()
    assert "s3cret" not in str(refused.value)


def test_an_answer_without_end_is_not_read_to_the_end(monkeypatch):
    monkeypatch.setattr(client, "MOST_BYTES", 1000)
    with (
        Original(200, b"1" * 5000) as original,
        ExpertSystem(original.url) as expert,
        pytest.raises(ExpertError, match="more than 1,000 bytes"),
    ):
        expert.getkbstat()


def test_no_server_and_addresses_that_are_none():
    with serve_expert() as url:
        gone = url
    with ExpertSystem(gone, patience=5) as expert, pytest.raises(ExpertError, match="jotto expert serve"):
        expert.getkbstat()
    for bad in ("", "localhost:8080", "file:///etc/passwd", "http://"):
        with pytest.raises(DeskError, match="not the address"):
            ExpertSystem(bad)
