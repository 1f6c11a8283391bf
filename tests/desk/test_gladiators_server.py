"""The challenge's HTTP contract, row by row, requested from the fake server as other people's clients do."""

import itertools
import json
import random
import re
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from operator import eq

import pytest
import requests

from jotto_desk.games import gladiators, gladiators_server
from jotto_desk.games.gladiators import LEVELS, Level
from jotto_desk.games.gladiators_server import ServerBehaviour, serve_challenge

MAIL = "somebody@mail.example"
LEVEL_1 = {"numGladiators": 4, "numWeapons": 6, "numGuesses": 8, "numRounds": 1}


class Client:
    """A plain script: one session, the reply to the sign-in as headers."""

    def __init__(self, url, mail=MAIL):
        self.url, self.session = url, requests.Session()
        self.session.trust_env = False
        self.session.headers.update(self.post("/api-auth-token/", data={"email": mail}))

    def get(self, path):
        return self.session.get(self.url + path, timeout=20).json()

    def post(self, path, **body):
        return self.session.post(self.url + path, timeout=20, **body).json()

    def guess(self, number, code):
        return self.post(f"/level/{number}/", json={"guess": list(code)})


@pytest.fixture
def url():
    with serve_challenge() as address:
        yield address


def secret_of(client, number, level):
    """Find the code in a simple way: weapon by weapon, never more guesses than there are codes."""
    fit = list(itertools.permutations(range(level.weapons), level.gladiators))
    while True:
        answer = client.guess(number, fit[0])
        if "response" not in answer:
            return answer
        # The reply's pair by the words of the contract: weapons right, and gladiators who have theirs.
        weapons, places = answer["response"]
        fit = [code for code in fit[1:] if len({*fit[0]} & {*code}) == weapons and sum(map(eq, fit[0], code)) == places]


def test_requests_as_people_write_them(url):
    for body in ({"data": {"email": MAIL}}, {"json": {"email": MAIL}}):
        answer = requests.post(url + "/api-auth-token/", timeout=20, **body).json()
        assert list(answer) == ["Auth-Token"] and re.fullmatch("[0-9a-f]+", answer["Auth-Token"])
        assert requests.get(url + "/level/1/", headers=answer, timeout=20).json() == LEVEL_1
    client = Client(url)
    for path in ("/level/1/", "/level/1", "//level//1/", "/level/1/?again"):
        assert client.get(path) == LEVEL_1, path
    answer = client.session.get(url + "/level/1", allow_redirects=False, timeout=20)
    assert answer.status_code == 301 and answer.headers["Location"] == "/level/1/"
    for path in ("/level/1/", "/level/1"):
        weapons, places = client.post(path, json={"guess": [0, 1, 2, 3]})["response"]
        assert 2 <= weapons <= 4 and 0 <= places <= weapons
    for path in ("/reset/", "//reset/"):
        client.get("/level/1/")
        assert secret_of(client, 1, LEVELS[1]) == {"message": "Onto the next level"}
        assert client.get("/level/2/")["numWeapons"] == LEVELS[2].weapons
        assert list(client.post(path)) == ["message"]
        assert client.get("/level/1/") == LEVEL_1 and "error" in client.get("/level/2/")


def test_the_whole_way_to_the_hash():
    tiny = {1: Level(1, 3, 3), 2: Level(2, 3, 7, 3)}
    with serve_challenge(ServerBehaviour(tiny)) as url:
        client = Client(url)
        assert "hash" not in client.get("/hash/")  # before the end
        assert client.get("/level/2/") == {"error": gladiators.LOCKED}  # level still locked
        client.get("/level/1/")
        assert secret_of(client, 1, tiny[1]) == {"message": "Onto the next level"}  # level won
        assert "error" in client.get("/level/1/")  # a level already completed
        plain = client.get("/level/2/")
        assert secret_of(client, 2, tiny[2]) == {**plain, "roundsLeft": 2}  # round won, more to go
        assert client.get("/level/2/") == plain  # between rounds: nothing is lost
        assert secret_of(client, 2, tiny[2]) == {**plain, "roundsLeft": 1}
        won = secret_of(client, 2, tiny[2])  # the last level won
        assert won == {"hash": won["hash"], "message": "Congratulations!"} and re.match("[0-9a-f]{64}", won["hash"])
        assert client.get("/hash/") == {"hash": won["hash"]} and list(client.get("/level/3/")) == ["error"]
        assert bytes.fromhex(won["hash"][64:]).decode() == '{"user": "%s"}' % MAIL


@pytest.mark.parametrize("replaces, last", [(True, 3), (False, 4)])
def test_out_of_guesses(replaces, last):
    with serve_challenge(ServerBehaviour({1: Level(6, 25, 3)}, error_replaces=replaces)) as url:
        client = Client(url)
        client.get("/level/1/")
        # The error replaces the last feedback, or comes to a guess beyond.
        answers = [client.guess(1, range(6)) for _ in range(last)]
        assert [next(iter(answer)) for answer in answers] == ["response"] * (last - 1) + ["error"]
        assert answers[-1] == {"error": "Too many guesses. Try again!"}
        # The level has to be got again before a guess.
        assert list(client.guess(1, range(6))) == ["error"]
        client.get("/level/1/")
        assert list(client.guess(1, range(6))) == ["response"]


def test_after_an_error_rounds_start_over():
    level = Level(2, 3, 6, 3)
    with serve_challenge(ServerBehaviour({1: level})) as url:
        client = Client(url)
        client.get("/level/1/")
        assert secret_of(client, 1, level)["roundsLeft"] == 2
        # The same guess over and over is out of guesses in the end, or wins and then is wrong in the next round.
        answers = [client.guess(1, (0, 1)) for _ in range(18)]
        assert {"error": gladiators.TOO_MANY} in answers
        client.get("/level/1/")
        assert secret_of(client, 1, level)["roundsLeft"] == 2


def test_late_guesses():
    challenger, guess = gladiators_server.Challenger(MAIL, ServerBehaviour(deadline=10), random.Random(1)), [0, 1, 2, 3]
    challenger.show(1, 100.0)
    # The clock starts again with each request.
    for moment in (109.9, 119.8):
        assert list(challenger.guess(1, {"guess": guess}, moment)) == ["response"]
    assert challenger.guess(1, {"guess": guess}, 130.0) == {"error": "Guess took too long, please restart game."}
    challenger.show(1, 131.0)
    assert list(challenger.guess(1, {"guess": guess}, 132.0)) == ["response"]


def test_malformed_guesses_cost_nothing(url):
    client = Client(url)
    client.get("/level/1/")
    wrong = [None, [], [0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 2, 2], [0, 1, 2, 6], [-1, 0, 1, 2], "0123", {"0": 1}]
    for guess in [*wrong, [0, 1, 2, True], [0, 1, 2, 3.0], [[0], [1], [2], [3]], [0, 1, 2, 10**30]]:
        assert client.post("/level/1/", json={"guess": guess}) == {"error": gladiators_server.MALFORMED_REPLY}, guess
    assert list(client.guess(1, range(4))) == ["response"]


def test_garbage_is_refused_as_json(url):
    for method, path, body, status in [
        ("GET", "/nothing/", b"", 404),
        ("GET", "/level/x/", b"", 404),
        ("GET", "/level/" + "9" * 4000 + "/", b"", 404),
        ("PUT", "/level/1/", b"", 405),
        ("GET", "/reset/", b"", 405),
        ("GET", "/api-auth-token/", b"", 405),
        ("GET", "/level/1/", b"", 401),
        ("POST", "/level/1/", b"{}", 401),
        ("GET", "/hash/", b"", 401),
        ("POST", "/api-auth-token/", b"", 400),
        ("POST", "/api-auth-token/", b"email=nobody", 400),
        ("POST", "/api-auth-token/", b'{"email": 7}', 400),
        ("POST", "/api-auth-token/", b"[" * 50_000, 400),
        ("POST", "/api-auth-token/", b"\xff\xfe&&=" * 100, 400),
        ("POST", "/api-auth-token/", b"x" * 70_000, 413),
        ("GET", "/" + "a" * 70_000, b"", 414),
    ]:
        answer = requests.request(method, url + path, data=body, timeout=20)
        assert (answer.status_code, list(answer.json())) == (status, ["error"]), (method, path[:20], body[:20])


def test_garbage_below_http(url):
    def send(raw):
        with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), timeout=20) as line:
            line.sendall(raw)
            line.shutdown(socket.SHUT_WR)
            return line.makefile("rb").read()

    post = b"POST /reset/ HTTP/1.1\r\nHost: localhost\r\n"
    hosts = [("localhost:80", 401), ("[::1]:8000", 401), ("evil.example", 403), ("", 403), ("[", 403)]
    for raw, status in [
        (b"\x16\x03\x01garbage\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 505),
        (b"DANCE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n", 431),
        (post + b"Content-Length: x\r\n\r\n", 411),
        (post + b"Transfer-Encoding: chunked\r\n\r\n", 411),
        (post + b"Content-Length: 9999999999999\r\n\r\n", 413),
        *((f"GET /hash/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(), code) for host, code in hosts),
    ]:
        head, _, body = send(raw).partition(b"\r\n\r\n")
        assert b" %d " % status in head.split(b"\r\n")[0] and list(json.loads(body)) == ["error"], raw[:60]
    # A request that breaks off has no effect and gets no reply.
    for raw in (b"", post + b"Content-Length: 9\r\n\r\nemail"):
        assert send(raw) == b""
    assert Client(url).get("/level/1/") == LEVEL_1


def test_the_status_of_errors_is_an_option_and_the_seed_draws_the_codes():
    answers = []
    for seed, status in ((5, 200), (5, 403), (6, 418)):
        with serve_challenge(ServerBehaviour(error_status=status), seed=seed) as url:
            client = Client(url)
            locked = client.session.get(url + "/level/6/", timeout=20)
            assert (locked.status_code, locked.json()) == (status, {"error": gladiators.LOCKED})
            client.get("/level/1/")
            answers.append([client.guess(1, code) for code in ((0, 1, 2, 3), (2, 3, 4, 5), (5, 4, 1, 0))])
    assert answers[0] == answers[1] != answers[2]


def test_many_clients_at_once_have_progress_of_their_own_until_the_oldest_are_forgotten(url, monkeypatch):
    def play(number):
        client = Client(url, f"player{number}@mail.example")
        client.get("/level/1/")
        return secret_of(client, 1, LEVELS[1])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(play, range(12))) == [{"message": gladiators.NEXT_LEVEL}] * 12
    assert "error" in Client(url, "other@mail.example").get("/level/2/")
    assert Client(url, "player1@mail.example").get("/level/2/") == LEVELS[2].plain()
    monkeypatch.setattr(gladiators_server, "MAX_CHALLENGERS", 2)
    with serve_challenge() as small:
        clients = [Client(small, f"{name}@mail.example") for name in "abc"]
        assert ["error" in client.get("/level/1/") for client in clients] == [True, False, False]


def test_another_script_is_pointed_at_the_server():
    script = """
import itertools, sys, requests
base, mail = sys.argv[1:]
session = requests.Session()
session.trust_env = False
headers = session.post(base + "/api-auth-token/", data={"email": mail}).json()
number = 1
while True:
    level = session.get(base + "/level/%d" % number, headers=headers).json()
    if "error" in level:
        break
    fit = list(itertools.permutations(range(level["numWeapons"]), level["numGladiators"]))
    while True:
        guess = fit[len(fit) // 2]
        answer = session.post(base + "/level/%d/" % number, json={"guess": guess}, headers=headers).json()
        if "response" not in answer:
            break
        fit = [code for code in fit if code != guess and answer["response"] ==
               [len(set(guess) & set(code)), sum(a == b for a, b in zip(guess, code))]]
    if "hash" in answer or answer.get("message") == "Onto the next level":
        number += 1
print(session.get(base + "/hash/", headers=headers).json()["hash"])
"""
    behaviour = ServerBehaviour({1: LEVELS[1], 2: LEVELS[2], 3: Level(4, 6, 7, 4)})
    lines = []
    with serve_challenge(behaviour, tell=lines.append) as url:
        answer = subprocess.run(
            [sys.executable, "-c", script, url, MAIL], capture_output=True, text=True, timeout=120, check=False
        )
    assert bytes.fromhex(answer.stdout.strip()[64:]).decode() == '{"user": "%s"}' % MAIL, answer.stderr
    # What is reported of a game names neither the person nor the token nor the hash.
    assert len(lines) > 10 and MAIL not in "".join(lines) and answer.stdout.strip() not in "".join(lines)
