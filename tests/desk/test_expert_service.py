"""The expert service's two interfaces and their client: requests, answers, refusals, and clients at the same time."""

import base64
import contextlib
import gzip
import json
import random
import re
import socket
import threading
import time
from unittest.mock import Mock

import pytest
from expert_service import PATH, talking
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable

from jotto_desk.errors import DeskError
from jotto_desk.expert import ExpertError, ExpertSystem, client
from jotto_desk.expert.knowledge_base import Busy
from jotto_desk.expert.service import serve_expert

KB = "after(a,b). before(X,Y):-after(Y,X)."
GAMES = "/api/v1/games"


@pytest.fixture(scope="module")
def service():
    with talking() as found:
        yield found


@pytest.fixture
def fresh():
    with talking() as found:
        yield found


def kb(text):
    return {"json": {"kb": text}}


def rule(query, **more):
    return {"params": {"rule": query, **more}}


def answers(found, query):
    return {"ans": found, "ans_sz": len(found), "qs": query, "ret_msg": "query executed.", "uc": "learnmore"}


def status(size, count):
    return {"ans_kb_text_sz": size, "ans_kb_sz": count, "ret_msg": "valid KB."}


NO_BASE = "query not executed because no KB was loaded."
BOTH = ["before(b, a)", "before(d, c)"]


def test_the_datalog_interface_answers_as_the_original_does(fresh):
    def posted(size, message="KB loaded"):
        return {"KB size": size, "ret_msg": message, "uc": "learnmore"}

    missing = {"error": NO_BASE, "ret_msg": NO_BASE}
    empty = {**status(0, 0), "ret_msg": "no KB was loaded."}
    began = int(time.time())
    # Method, what is sent, status and JSON of the answer without its times; None for an answer without a body.
    for method, sent, wanted_status, wanted in [
        ("GET", {}, 204, None),
        ("GET", rule("before(X,Y)?"), 404, missing),
        ("GET", rule("before(X,Y)?", tm="1"), 404, missing),
        *(("GET", {"params": {"tm": tm}}, 200, empty) for tm in ("1698570206.5624733", "", "x", "\0")),
        ("POST", kb(KB), 201, posted(36)),
        ("GET", {}, 200, status(36, 2)),
        ("GET", {"params": {"tm": ""}}, 200, status(36, 2)),
        ("GET", rule("before(X,Y)?"), 200, answers(BOTH[:1], "before(X,Y)?")),
        ("GET", rule("before(X,Y)"), 200, answers(BOTH[:1], "before(X,Y)?")),
        ("GET", rule(" before( X , Y ) ? "), 200, answers(BOTH[:1], "before( X , Y ) ?")),
        ("GET", rule("before(a,X)?"), 204, None),
        ("GET", rule("before(a,X)?", tm="\0"), 200, answers([], "before(a,X)?")),
        ("POST", kb("after(c,d)."), 201, posted(48)),
        ("GET", {}, 200, status(48, 3)),
        ("GET", rule("before(X,Y)?", tm="x"), 200, answers(BOTH, "before(X,Y)?")),
        ("DELETE", {}, 200, posted(0, "KB deleted")),
        ("GET", {}, 200, status(0, 0)),
        ("GET", rule("after(X,Y)?"), 204, None),
    ]:
        answer, case = fresh[1](method, **sent), (method, sent)
        assert answer.status_code == wanted_status, case
        if wanted is None:
            # There is no body that could contain the time.
            assert answer.content == b"" and answer.headers["Server-Timing"].startswith("datalog;dur="), case
            continue
        found = answer.json()
        assert isinstance(found.pop("elapsed_ms"), int), case
        assert began <= found.pop("ans_kb_load_epoch", began) <= time.time(), case
        assert found == wanted, case


def test_a_game_of_the_original_client(fresh):
    """The original adds the time to every query, and reads JSON before it looks at the status."""
    _, ask = fresh
    # The original client's questions, and a knowledge base for one answer only: all four holes are wrong.
    before, after = "api_isa_solution_exante", "api_isa_validguess_evenafter_all_gg"
    rules = [f"colour(c{number})." for number in range(6)]
    rules += [f"{before}(A,B,C,D) :- colour(A), colour(B), colour(C), colour(D)."]
    for hole in range(4):
        guess = ",".join("ABCD"[hole] if hole == place else f"E{place}" for place in range(4))
        rules.append(f"out(A,B,C,D) :- {before}(A,B,C,D), api_isa_guess(G,{guess}), api_isa_fback(G,o,o,o,o).")
    rules.append(f"{after}(A,B,C,D) :- {before}(A,B,C,D), not out(A,B,C,D).")

    def count(name):
        answer = ask("GET", **rule(f"{name}(CH0,CH1,CH2,CH3)?", tm=time.time()))
        assert answer.status_code == 200
        return len(answer.json()["ans"])

    ask("DELETE")
    assert ask("POST", **kb("\n".join(rules))).status_code == 201
    funnel = [count(before)]
    for number in range(6):
        follows = f"{'' if number else '%'} follows(g{number},g{number - 1},gg)."
        turn = f"api_isa_guess(g{number},c{number},c{number},c{number},c{number}). api_isa_fback(g{number},o,o,o,o). "
        assert ask("POST", **kb(turn + follows)).status_code == 201
        funnel.append(count(after))
    # The last turns contradict each other: no code is left, and the client reads that too.
    assert funnel == [1296, 625, 256, 81, 16, 1, 0]


def test_a_refusal_is_a_sentence_of_json_and_changes_nothing(service):
    is_json = {"headers": {"Content-Type": "application/json"}}
    no_json = "the request is not JSON"
    no_kb = 'there is no "kb"'
    expert, ask = service
    expert.resetkb()
    expert.submitkb(KB)
    twice = [("rule", "p?"), ("rule", "q?")]
    for method, path, sent, wanted, reason in [
        ("POST", PATH, kb("after(a,b"), 400, "Line 1, column 10"),
        ("POST", PATH, kb("after(X,b)."), 400, "unsafe"),
        ("POST", PATH, kb("q(a). p(a) :- not p(a)."), 400, "not stratified"),
        ("POST", PATH, kb("after(e,f). #include <x>."), 400, "Line 1, column 13"),
        *(("POST", PATH, {"json": body}, 400, no_kb) for body in ({}, {"knowledge": KB}, [KB], {"kb": 3})),
        *(("POST", PATH, kb(text), 400, no_kb) for text in ("", " \n")),
        ("POST", PATH, {"data": "null"}, 400, no_kb),
        *(("POST", PATH, {"data": data}, 400, no_json) for data in ("kb=after(a,b).", None, "[" * 100_000)),
        ("POST", PATH, {"data": '{"kb": "p(\\ud800)."}'}, 400, "Line 1, column 3"),
        ("POST", PATH, {"data": b'{"kb": "\xff\xfe"}'}, 400, no_json),
        ("POST", PATH, {"data": "x" * 5_000_000}, 413, "4,000,000 bytes"),
        *(("GET", PATH, rule(query), 400, "Line 1, column ") for query in ("", "?", "p(", "p(X), q(X)?", "p(\0)?")),
        ("GET", PATH, rule('#include "/etc/passwd".'), 400, "Line 1, column "),
        ("GET", PATH, rule("p?", uc="1"), 400, "'rule'"),
        *(("GET", PATH, {"params": asked}, 400, "'rule'") for asked in ({"uc": "kb"}, twice, [*twice, ("tm", "1")])),
        ("GET", PATH, {"params": {"TM": "1"}}, 400, "'rule'"),
        ("PUT", PATH, kb(KB), 405, "POST"),
        ("PATCH", PATH, kb(KB), 405, "POST"),
        ("GET", PATH + "/nothing", {}, 404, "/docs"),
        ("GET", PATH, {"headers": {"Host": "elsewhere.example"}}, 403, "this computer"),
        ("POST", GAMES, {"json": {"rules": "chess"}}, 400, "'chess'"),
        *(("POST", GAMES, {"json": {"holes": holes}}, 422, "body.holes") for holes in (13, "4")),
        ("POST", GAMES, {"json": {"words": "/etc/passwd"}}, 422, "body.words"),
        ("POST", GAMES, {"data": "{"}, 422, "body"),
        ("POST", GAMES, {"data": "[" * 100_000, **is_json}, 400, "could not be read"),
        ("POST", GAMES, {"data": '{"rules": "\\ud800"}', **is_json}, 422, "body.rules"),
        ("GET", GAMES + "/nobody", {}, 404, "no game 'nobody'"),
        ("GET", "/api/v1/nothing", {}, 404, "/docs"),
        ("GET", GAMES + "/..%2f..%2fetc/why/0011", {}, 404, "/docs"),
        ("DELETE", GAMES, {}, 405, "another method"),
    ]:
        answer, case = ask(method, path, **sent), (method, path, str(sent)[:80])
        found = answer.json()
        assert answer.status_code == wanted and answer.headers["Content-Type"] == "application/json", case
        assert set(found) == {"error", "ret_msg", "elapsed_ms"} and isinstance(found["elapsed_ms"], int), case
        assert reason in found["error"] and found["error"] == found["ret_msg"], (case, found["error"])
        assert found["error"].endswith(".") and "Traceback" not in answer.text, case
        assert (answer.headers.get("Allow") == "POST, GET, DELETE") == (method in ("PUT", "PATCH")), case
    assert expert.getkbstat()["ans_kb_sz"] == 2 and expert.submitkb("after(c,d).")["ret_msg"] == "KB loaded"
    assert expert.submitquery("after(X,Y)?")["ans"] == ["after(a, b)", "after(c, d)"]


def test_an_internal_error_reveals_nothing(fresh, monkeypatch):
    expert, ask = fresh
    game = expert.begin_game()
    for error, status, sentence in (
        (ZeroDivisionError("by zero"), 500, "not carried out"),
        (Busy("Wait."), 503, "Wait."),
    ):
        monkeypatch.setattr("jotto_desk.expert.games.reasoning.explain_excluded", Mock(side_effect=error))
        answer = ask("GET", f"{GAMES}/{game.id}/why-not/0011")
        assert answer.status_code == status and "zero" not in answer.text and sentence in answer.json()["error"]
        assert answer.headers.get("Retry-After") == ("1" if status == 503 else None)
    assert game.turn("0011", "b")["left"] == 256


@pytest.mark.parametrize(
    "reading, funnel", [("exact", [1296, 317, 70, 10, 1, 1]), ("classic", [1296, 500, 176, 40, 3, 1])]
)
def test_a_whole_game(service, reading, funnel):
    expert, _ = service
    game = expert.begin_game(reading, holes=4, colours=6)
    for guess, answer in (("0001", (1, 0)), ("0555", "w"), ("5421", [1, 1]), ("3020", "bbb"), ("3023", "bbbo")):
        assert guess in game.what_if(guess, answer)["guess"]
        state = game.turn(guess, answer)
    assert state["funnel"] == game.funnel == funnel and game.list_codes() == ["3024"]
    assert game.suggest()["guess"] == "3024" and game.suggest("consistent")["fits"]
    assert game.why("3024")["mean"] == 1 and game.why_not("0000")["reasons"][0]["turn"] == 1
    assert game.find_clash()["fits"] and game.undo()["funnel"] == funnel[:-1]
    assert game.undo(1)["turns"][0]["guess"] == "0555"
    assert game.change(1, "0555", "o")["turns"][0]["answer"] == [0, 0]
    assert game.id in [one["id"] for one in expert.list_games()]
    game.delete()
    with pytest.raises(ExpertError) as gone:
        game.get_state()
    assert gone.value.status == 404 and game.id not in [one["id"] for one in expert.list_games()]


def test_games_share_nothing_with_each_other_or_the_base(fresh):
    expert, _ = fresh
    assert expert.getkbstat() == {}
    expert.submitkb(KB)
    assert expert.submitquery("before(a,X)") == {"ans": [], "ans_sz": 0, "qs": "before(a,X)?", "ret_msg": "no answer."}
    with ExpertSystem(expert.url) as other:
        one, two = expert.begin_game(), other.begin_game("classic")
        one.turn("0001", "b")
        two.turn("0001", "b")
        two.turn("0555", "w")
        expert.resetkb()
        assert (one.funnel, two.funnel, expert.begin_game().funnel) == ([1296, 317], [1296, 500, 176], [1296])
        assert other.get_game(one.id).get_state() == one.get_state()
    two.turn("0101", "bbbb")
    assert two.turn("1010", "bbbb")["left"] == 0 and two.list_codes() == []


def test_the_knowledge_and_the_pages_need_no_network(service):
    expert, ask = service
    assert "fits(Code) :- code(Code), not wrong(Code)." in expert.get_knowledge()
    page = ask("GET", "/")
    assert page.history[0].status_code == 307 and page.url == expert.url + "/docs" and "SwaggerUIBundle" in page.text
    links = re.findall(r"(?:src|href)=\"([^\"]*)\"|url: '([^']*)'", page.text)
    for link in filter(None, (one or other for one, other in links)):
        assert link.startswith("/") and ask("GET", link).status_code == 200
    assert "//" not in page.text.replace("://' + window", "").split("<script>")[0].replace("<!-- ", "")
    paths = ask("GET", "/openapi.json").json()["paths"]
    assert {PATH, GAMES, GAMES + "/{game_id}/why-not/{code}"} <= set(paths)
    operations = [operation for path in paths.values() for operation in path.values()]
    assert len(operations) == 18 and all(operation.get("description") for operation in operations)


def test_generated_requests_get_the_answers_that_the_openapi_page_announces(service):
    """Takes seconds: requests that fit the schema and requests that do not, for every operation."""
    import schemathesis  # Takes half a second.
    from schemathesis.checks import not_a_server_error
    from schemathesis.generation import GenerationMode
    from schemathesis.specs.openapi import checks as openapi

    expert, _ = service
    game = expert.begin_game()
    game.turn("0011", "bw")
    checks = [
        not_a_server_error,
        openapi.status_code_conformance,
        openapi.content_type_conformance,
        openapi.response_schema_conformance,
    ]
    met = set()
    for mode in GenerationMode.POSITIVE, GenerationMode.NEGATIVE:
        for found in schemathesis.openapi.from_url(expert.url + "/openapi.json").get_all_operations():
            operation = found.ok()

            @settings(max_examples=3, suppress_health_check=list(HealthCheck))
            @given(operation.as_strategy(generation_mode=mode))
            def ask(case):
                # A generated id is never a real one: most requests are for an existing game.
                if "game_id" in (case.path_parameters or {}) and len(str(case.path_parameters["game_id"])) % 4:
                    ids = [one["id"] for one in expert.list_games()]
                    case.path_parameters["game_id"] = ids[0] if ids else expert.begin_game().id
                answer = case.call(timeout=30)
                case.validate_response(answer, checks=checks)
                met.add(answer.status_code)

            try:
                ask()
            except Unsatisfiable:
                # Operations without parameters: no request to them can be wrong.
                bare = (PATH, "/api/v1/knowledge", GAMES)
                assert mode == GenerationMode.NEGATIVE and operation.path in bare
    assert {200, 201, 404, 422} <= met
    assert expert.begin_game().turn("0011", "bw")["left"] == 208


def run_threads(works):
    wrong = []

    def run(work):
        try:
            work()
        except Exception as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def test_readers_never_see_a_base_that_is_half_loaded(fresh):
    """A writer posts pairs of facts: a reader that sees one half alone has seen a base half loaded."""
    expert, _ = fresh
    expert.submitkb("left(start). right(start). odd(X) :- left(X), not right(X). odd(X) :- right(X), not left(X).")
    wrong, writing = [], set(range(4))

    def read(number):
        with ExpertSystem(expert.url) as mine:
            while writing:
                found = mine.submitquery(["odd(X)", "left(X)", "odd(X)"][number % 3])
                wrong.extend(found["ans"] if number % 3 != 1 else ())

    def write(number):
        dice = random.Random(number)
        try:
            with ExpertSystem(expert.url) as mine:
                for step in range(12):
                    name, kind = f"n{number}_{step}", dice.random()
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
        finally:
            writing.discard(number)

    works = [lambda number=number: read(number) for number in range(12)]
    assert run_threads([*works, *(lambda number=number: write(number) for number in range(4))]) == wrong == []


def test_turns_of_many_clients_in_one_game(fresh):
    expert, _ = fresh
    game = expert.begin_game()

    def take(number):
        with ExpertSystem(expert.url) as mine:
            for _ in range(3):
                mine.get_game(game.id).turn(f"{number}{number}00", [0, 0])

    assert run_threads([lambda number=number: take(number) for number in range(1, 6)]) == []
    assert len(game.get_state()["turns"]) == 15 and game.get_state()["clash"]["is_smallest"]


class Original:
    """A server that gives one answer, such as the original's page for an internal error."""

    def __init__(self, status, body, headers="Content-Type: application/json"):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.server.getsockname()[1]
        self.asked = b""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = f"HTTP/1.1 {status} X\r\n{headers}\r\nContent-Length: {len(raw)}\r\nConnection: close\r\n\r\n"
        self.answer = head.encode() + raw
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        wire, _ = self.server.accept()
        # The client hangs up before it has read a large answer.
        with wire, contextlib.suppress(ConnectionError):
            self.asked = wire.recv(65536)
            wire.sendall(self.answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.thread.join(10)
        self.server.close()


def test_errors_of_the_client_are_sentences():
    page = "Content-Type: text/html"
    assert client.MOST_BYTES == 8_000_000
    # Status, body and headers of an answer; a part of the client's error, and its status.
    for status_sent, body, headers, reason, wanted in [
        (400, {"ret_msg": "Unexpected EOF token."}, "X: y", "Unexpected EOF token.", 400),
        (500, b"<html>NullPointerException</html>", page, "refused with status 500 and no reason", 500),
        (200, b"<html>", page, "is not JSON", 200),
        (200, b"[1]", "X: y", "not a JSON object", 200),
        (404, b"[" * 50_000, "X: y", "status 404 and no reason", 404),
        (400, {"ret_msg": "bad\x1b[31m\n" + "x" * 5000}, "X: y", "bad [31m x", 400),
        (302, b"", "Location: http://127.0.0.1:1/", "another address", 302),
        (200, b"[" + b"[]," * 300_000 + b"0]", "X: y", "is not JSON.", 200),
        (200, gzip.compress(b"1" * 10_000_000), "Content-Encoding: gzip", "(ContentDecodingError)", 0),
        (200, b"1" * 8_000_001, "X: y", "more than 8,000,000 bytes", 0),
    ]:
        with Original(status_sent, body, headers) as original, ExpertSystem(original.url) as expert:
            with pytest.raises(ExpertError) as refused:
                expert.getkbstat()
            assert reason in str(refused.value) and refused.value.status == wanted, (status_sent, str(body)[:40])
        assert len(str(refused.value)) < 600


def test_addresses_and_logins():
    for path in ("", PATH, PATH + "/"):
        with (
            Original(200, {"ans": ["before(b, a)"], "ans_sz": 1}) as original,
            ExpertSystem(original.url.replace("//", "//ann:s3cret@") + path) as expert,
        ):
            assert expert.submitquery("before(X,Y)")["ans_sz"] == 1 and "s3cret" not in expert.url
        assert b"GET /AbcDatalogREST?rule=before%28X%2CY%29%3F HTTP/1.1" in original.asked
        assert b"Authorization: Basic " + base64.b64encode(b"ann:s3cret") in original.asked
    with serve_expert() as url:
        gone = url.replace("//", "//ann:s3cret@")
    with ExpertSystem(gone, patience=5) as expert, pytest.raises(ExpertError, match="jotto expert serve") as refused:
        expert.getkbstat()
    assert "does not answer" in str(refused.value) and "s3cret" not in str(refused.value)
    for bad in ("", "localhost:8080", "file:///etc/passwd", "http://"):
        with pytest.raises(DeskError, match="not the address"):
            ExpertSystem(bad)
