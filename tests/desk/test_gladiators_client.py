"""The client and every failure of a server: one sentence or another try, nothing lost, the mail address hidden."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from jotto_desk.errors import DeskError
from jotto_desk.games import gladiators, gladiators_campaign, gladiators_server
from jotto_desk.games.gladiators import Challenge, Level, LevelLost, RequestPolicy
from jotto_desk.games.gladiators_campaign import Campaign
from jotto_desk.games.gladiators_server import ServerBehaviour, serve_challenge
from jotto_desk.games.gladiators_strategy import Strategist
from jotto_desk.solver import cores

MAIL = "somebody@mail.example"
TOKEN, GIVEN = {"Auth-Token": "abc"}, Level(2, 4, 5).plain()
WON = {"hash": "ff" * 40, "message": "Congratulations!"}


class Odd:
    """A server with answers prepared for one address after the other; the last one is given again and again.

    An answer is a JSON value, or status, bytes and headers; None hangs up, and a number is waited for first.
    """

    def __init__(self):
        self.rows, self.asked, self.ended = {}, [], threading.Event()
        odd = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_GET(self):
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                odd.asked.append((self.command, self.path, dict(self.headers), raw))
                rows = odd.rows.get((self.command, self.path), [{"error": "no such row"}])
                row = rows.pop(0) if len(rows) > 1 else rows[0]
                if row is None:
                    self.close_connection = True
                elif isinstance(row, float):
                    odd.ended.wait(row)
                    self.close_connection = True
                elif row == "drip":
                    self.drip()
                else:
                    self.send(*(row if isinstance(row, tuple) else (200, json.dumps(row).encode(), {})))

            do_POST = do_GET

            def send(self, status, raw, headers):
                self.send_response(status)
                for name, value in {"Content-Length": str(len(raw)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)

            def drip(self):
                self.send(200, b"{", {"Content-Length": "10000"})
                with contextlib.suppress(OSError):
                    while not odd.ended.wait(0.02):
                        self.wfile.write(b" ")
                        self.wfile.flush()

            def log_message(self, format, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads, self.server.block_on_close = True, False
        self.server.handle_error = lambda *_: None
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        self.set("POST", "/api-auth-token/", TOKEN)
        self.set("GET", "/hash/", {})

    def set(self, method, path, *rows):
        self.rows[method, path] = list(rows)

    def count(self, method, path):
        return sum((asked[0], asked[1]) == (method, path) for asked in self.asked)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def odd():
    with Odd() as server:
        yield server


class Person:
    """A client that collects its remarks, and its pauses instead of waiting."""

    def __init__(self, url, attempts=3, **manners):
        self.said, self.slept, self.events = [], [], []
        manners = RequestPolicy(**{"patience": 20, "tries": 4, **manners})
        self.challenge = Challenge(url, MAIL, manners, remark=self.said.append, sleep=self.slept.append)
        self.campaign = Campaign(
            self.challenge, lambda level: Strategist(level, cores.best_core()), self.events.append, attempts
        )

    def play(self):
        self.challenge.sign_in()
        return self.campaign.play()

    def fails(self):
        with pytest.raises(DeskError) as error:
            self.play()
        sentence = str(error.value)
        assert "\n" not in sentence and len(sentence) < 300 and MAIL not in sentence
        return sentence

    def kinds(self, kind):
        return [event.text for event in self.events if event.kind == kind]


FAULTS = {
    "500 with HTML": (500, b"<html><body>Server Error (500)</body></html>", {"Content-Type": "text/html"}),
    "truncated JSON": (200, b'{"numGladiators": 4, "num', {}),
    "hung up": None,
    "empty": (200, b"", {}),
    "a list": [1, 2],
    "too long": (200, b"[" + b"1," * 60_000, {}),
    "not UTF-8": (200, b"\xff", {}),
    "too deep": (200, b"[" * 60_000, {}),
}


def test_requests_without_an_answer_are_tried_again(odd):
    for fault in FAULTS.values():
        odd.set("POST", "/api-auth-token/", fault, fault, TOKEN)
        odd.set("GET", "/hash/", fault, fault, {})
        odd.set("GET", "/level/1/", fault, fault, GIVEN)
        odd.set("POST", "/level/1/", WON)
        person = Person(odd.url)
        assert person.play() == WON["hash"]
        assert len(person.said) == 6 and person.slept == [0.5, 1.0] * 3
        odd.asked.clear()
        odd.set("GET", "/level/1/", fault)
        assert "was asked 4 times" in Person(odd.url).fails() and odd.count("GET", "/level/1/") == 4


def test_a_guess_without_an_answer_starts_the_level_over(odd):
    pairs = [{"response": pair} for pair in ([9, 9], [1, 2], "1", [1], [1.0, 0], [-1, -1])]
    for fault in [*FAULTS.values(), *pairs, {}]:
        odd.asked.clear()
        odd.set("GET", "/level/1/", GIVEN)
        odd.set("POST", "/level/1/", {"response": [2, 0]}, fault, WON)
        person = Person(odd.url)
        assert person.play() == WON["hash"]
        assert len(person.kinds(gladiators_campaign.LEVEL_AGAIN)) == 1 and odd.count("GET", "/level/1/") == 2
        # The lost guess was not sent a second time: the level began with the first guess again.
        first, second, third = [
            json.loads(raw)["guess"] for *what, _, raw in odd.asked if what == ["POST", "/level/1/"]
        ]
        assert first == third != second


def test_slow_answers(odd):
    for row in (40.0, "drip"):
        odd.set("GET", "/level/1/", row)
        assert "did not answer within 0.2 seconds" in Person(odd.url, patience=0.2, tries=2).fails()
        odd.set("GET", "/level/1/", GIVEN)
        odd.set("POST", "/level/1/", row, WON)
        assert Person(odd.url, patience=0.2, tries=2).play() == WON["hash"]


def test_a_server_that_is_down_or_goes_down_in_the_middle(odd):
    with serve_challenge() as url:
        pass
    person = Person(url)
    assert "cannot be reached" in person.fails() and person.slept == [0.5, 1.0, 2.0]
    odd.set("GET", "/level/1/", GIVEN)
    person = Person(odd.url)
    person.challenge.sign_in()
    level = person.challenge.level(1).level
    odd.set("POST", "/level/1/", None)
    with pytest.raises(LevelLost):
        person.challenge.guess(1, (0, 1), level)


def test_the_pace_of_the_player_and_of_the_server_is_kept(odd):
    odd.set("GET", "/level/1/", (429, b'{"detail": "throttled"}', {"Retry-After": "7"}), GIVEN)
    odd.set("POST", "/level/1/", (429, b"slow down", {}), WON)
    person = Person(odd.url)
    assert person.play() == WON["hash"] and person.slept == [7.0, 0.5] and "429" in person.said[0]
    odd.set("GET", "/level/1/", GIVEN)
    odd.set("POST", "/level/1/", WON)
    person = Person(odd.url, pace=5.0)
    person.play()
    assert len(person.slept) == 3 and all(4 < pause <= 5 for pause in person.slept)


def test_a_token_that_ran_out(odd):
    odd.set("POST", "/api-auth-token/", TOKEN, {"Auth-Token": "def"})
    odd.set("GET", "/level/1/", (401, b'{"detail": "Invalid token."}', {}), GIVEN)
    odd.set("POST", "/level/1/", WON)
    assert Person(odd.url).play() == WON["hash"]
    assert odd.asked[-1][2]["Auth-Token"] == "def"


def test_errors_are_read_with_any_status(odd):
    for status in (200, 400, 403, 404, 500):
        error = (status, json.dumps({"error": gladiators.TOO_MANY}).encode(), {})
        odd.set("GET", "/level/1/", GIVEN)
        odd.set("POST", "/level/1/", *[error] * (1 + (status == 403)), WON)
        person = Person(odd.url)
        assert person.play() == WON["hash"]
        assert person.kinds(gladiators_campaign.LEVEL_AGAIN) == [gladiators.TOO_MANY]


def test_redirects_within_the_server_keep_the_method_and_others_are_not_followed(odd):
    for location in ("/elsewhere/", f"{odd.url}/elsewhere/"):
        odd.set("GET", "/level/1/", (301, b"", {"Location": location}))
        odd.set("POST", "/level/1/", (302, b"", {"Location": "/guess/"}))
        odd.set("GET", "/elsewhere/", GIVEN)
        odd.set("POST", "/guess/", WON)
        assert Person(odd.url + "//").play() == WON["hash"]
        assert json.loads(odd.asked[-1][3]) == {"guess": [0, 1]} and odd.asked[-1][2]["Auth-Token"] == "abc"
    for location, sentence in [
        ("/level/1/", "in a circle"),
        ("http://127.0.0.1:9/level/1/", "give that as --url"),
        ("https://elsewhere.example/", "https://elsewhere.example"),
        ("http://[broken", "nowhere"),
    ]:
        odd.set("GET", "/level/1/", (301, b"", {"Location": location}))
        assert sentence in Person(odd.url).fails()


def test_levels_that_never_end_or_cannot_be_played(odd):
    for rows, why in [
        ([{"response": [2, 0]}], "gives all"),
        ([{**GIVEN, "roundsLeft": left} for left in range(2, 60)], "rounds left do not become fewer"),
        ([{**GIVEN}], "rounds left do not become fewer"),
        ([{"error": gladiators.TOO_MANY}], gladiators.TOO_MANY),
        ([{"error": "x" * 10_000}], "xxx"),
        ([{"error": {"odd": ["thing"]}}], "thing"),
        ([{"error": "\x1b[2J\nbad"}], "[2J bad"),
    ]:
        odd.asked.clear()
        odd.set("GET", "/level/1/", {**GIVEN, "numRounds": 3})
        odd.set("POST", "/level/1/", *rows)
        sentence = Person(odd.url).fails()
        assert "Level 1 was not won in 3 attempts" in sentence and why in sentence and "\x1b" not in sentence
        assert len(odd.asked) < 60
    odd.set("GET", "/level/1/", Level(6, 25, 2).plain())
    odd.set("POST", "/level/1/", {"response": [2, 0]})
    assert "2 guesses are allowed, and more were answered" in Person(odd.url).fails()
    for name, value in [
        ("numWeapons", 10**9),
        ("numGladiators", 0),
        ("numGuesses", "7"),
        ("numRounds", True),
        ("numGladiators", 5),
        ("roundsLeft", -1),
        ("numWeapons", None),
    ]:
        odd.set("GET", "/level/1/", {**GIVEN, name: value})
        Person(odd.url).fails()


def test_a_win_whose_answer_was_lost(odd):
    odd.set("GET", "/hash/", {}, {"hash": "aa" * 40})
    odd.set("GET", "/level/1/", GIVEN, {"error": "Level already completed."})
    odd.set("POST", "/level/1/", None)
    assert Person(odd.url).play() == "aa" * 40


def test_no_level_a_locked_one_and_no_token(odd):
    assert "no level to play" in Person(odd.url).fails()
    for number in (1, 2):
        odd.set("GET", f"/level/{number}/", {"error": gladiators.LOCKED})
    assert "locks level 1" in Person(odd.url).fails()
    for name, token in [("Auth-Token", 7), ("Auth-Token", "a\r\nHost: b"), ("Auth-Token", "x" * 5000), ("error", MAIL)]:
        odd.set("POST", "/api-auth-token/", {name: token})
        assert "gives no token" in Person(odd.url).fails()


def test_the_address_of_a_person_is_never_shown(odd):
    odd.set("GET", "/level/1/", (500, b"no JSON, " + MAIL.encode(), {}), GIVEN)
    odd.set("POST", "/level/1/", {"error": f"{MAIL} guessed too often"}, WON)
    person = Person(odd.url)
    person.play()
    shown = [*person.said, *(event.text for event in person.events)]
    assert MAIL not in " ".join(shown) and "... guessed too often" in shown
    assert sum(MAIL.split("@")[1].encode() in asked[3] for asked in odd.asked) == 1


def test_wrong_mail_and_web_addresses_are_refused():
    for mail in ["", "nobody", "@", "a@", "@b", "a b@c", "a@b\n.c", "a" * 300 + "@b"]:
        with pytest.raises(DeskError) as error:
            Challenge("http://127.0.0.1:1", mail)
        assert "--email" in str(error.value) and (not mail or len(mail) < 3 or mail not in str(error.value))
    urls = ["", "server", "ftp://server", "http://", "http://a:port", "http://a:0", "http://a b", "http://sérver"]
    for url in [*urls, "http://me:secret@server", "http://server/?x=1", "http://server/#x", "http://[::1"]:
        with pytest.raises(DeskError) as error:
            Challenge(url, MAIL)
        assert "no address of the challenge" in str(error.value) and "secret" not in str(error.value)


SMALL = {1: Level(3, 4, 8), 2: Level(3, 5, 8, 2), 3: Level(2, 4, 6, 3)}


def test_lost_levels_are_played_again():
    for replaces in (True, False):
        tight = ServerBehaviour({1: Level(4, 6, 3), 2: Level(3, 6, 4, 2)}, error_replaces=replaces)
        with serve_challenge(tight, seed=3) as url:
            person = Person(url, attempts=200)
            assert person.play()
        assert sum(score.attempts for score in person.campaign.scores.values()) > 2


def test_any_failure_at_any_time_still_leads_to_the_hash():
    for kind in gladiators_server.MISHAPS:
        for at in (1, 2, 3, 4, 7, 12):
            with serve_challenge(ServerBehaviour(SMALL, mishaps={at: kind}), seed=2) as url:
                assert len(Person(url).play()) > 64, (kind, at)
    with serve_challenge(ServerBehaviour(SMALL, trouble=0.1, error_status=500), seed=4) as url:
        person = Person(url, attempts=100, tries=8)
        assert len(person.play()) > 64 and person.said
    with serve_challenge(ServerBehaviour({1: Level(3, 5, 8)}, deadline=0.02, latency=0.1)) as url:
        assert gladiators.TOO_LATE in Person(url, attempts=2).fails()


def test_a_campaign_continues_on_the_level_reached():
    with serve_challenge(ServerBehaviour(SMALL), seed=5) as url:
        first, second, third = Person(url), Person(url), Person(url)
        first.challenge.sign_in()
        first.campaign.level(1, first.challenge.level(1))
        mark = second.play()
        assert set(second.campaign.scores) == {2, 3}
        assert second.kinds(gladiators_campaign.CHALLENGE_PASSED)[0] == gladiators_server.COMPLETED_REPLY
        assert third.play() == mark and not third.events
        third.challenge.reset()
        assert third.play() == mark and set(third.campaign.scores) == {1, 2, 3}
