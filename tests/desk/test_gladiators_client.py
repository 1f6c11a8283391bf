"""The client and every failure of a server; and the next guess, which is a code that can be asked."""

import contextlib
import itertools
import json
import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from jotto import feedback, tree
from jotto.feedback import Feedback
from jotto_desk.errors import DeskError
from jotto_desk.games import gladiators, gladiators_campaign, gladiators_server, gladiators_strategy
from jotto_desk.games.gladiators import LEVELS, Challenge, Level, LevelLost, RequestPolicy
from jotto_desk.games.gladiators_campaign import Campaign
from jotto_desk.games.gladiators_server import ServerBehaviour, serve_challenge
from jotto_desk.games.gladiators_strategy import NothingFits, Strategist, TimeBudget
from jotto_desk.solver import cores, reference
from jotto_desk.solver.beam import SearchOptions
from jotto_desk.solver.problem import PlanOrigin, encode_plan, make_symbol_problem
from jotto_desk.solver.search import search_tree
from jotto_desk.solver.trees import verify_tree

MAIL = "somebody@mail.example"
TOKEN, GIVEN = {"Auth-Token": "abc"}, Level(2, 4, 5).plain()
WON = {"hash": "ff" * 40, "message": "Congratulations!"}


class Odd:
    """A server with prepared answers: JSON, or status, bytes, headers; None hangs up; a number is waited for first."""

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
            self.challenge, lambda level: Strategist(level, cores.choose_best_core()), self.events.append, attempts
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
    level = person.challenge.ask_level(1).level
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
    assert "2 guesses are allowed, and the server answered more" in Person(odd.url).fails()
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
        assert "not an address of the challenge" in str(error.value) and "secret" not in str(error.value)


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
        first.campaign.play_level(1, first.challenge.ask_level(1))
        mark = second.play()
        assert set(second.campaign.scores) == {2, 3}
        assert second.kinds(gladiators_campaign.CHALLENGE_PASSED)[0] == gladiators_server.COMPLETED_REPLY
        assert third.play() == mark and not third.events
        third.challenge.reset()
        assert third.play() == mark and set(third.campaign.scores) == {1, 2, 3}


CORES = [cores.choose_best_core(), reference.NumpyCore()]


def played(strategist, secret, most=30):
    turns = []
    while not turns or turns[-1][0] != secret:
        guess = strategist.guess(turns)
        assert len(turns) < most and len(set(guess)) == len(guess) == len(secret)
        assert all(type(weapon) is int for weapon in guess)
        turns.append((guess, feedback.score_places_slowly(guess, secret)))
    return turns


@pytest.mark.parametrize("number", LEVELS)
def test_every_level_is_played(number):
    level = LEVELS[number]
    secret = tuple(random.Random(number).sample(range(level.weapons), level.gladiators))
    # With numpy, the larger levels take too long.
    for engine, seconds in zip(CORES if level.codes < 2000 else CORES[:1], (9.0, 0.5)):
        assert len(played(Strategist(level, engine, 1, seconds), secret)) <= level.guesses + 2


def test_level_1_is_won_for_every_code():
    strategist = Strategist(LEVELS[1], cores.choose_best_core(), 1, 9.0)
    lengths = [len(played(strategist, code)) for code in itertools.permutations(range(6), 4)]
    # Nothing is better than 1446 guesses over all 360 codes.
    assert 1446 <= sum(lengths) < 1475 and max(lengths) <= 6


def test_the_same_seed_plays_the_same():
    level, secret = Level(5, 14, 15), (13, 3, 11, 7, 0)
    games = [played(Strategist(level, cores.choose_best_core(), seed, 60.0), secret) for seed in (1, 1)]
    assert games[0] == games[1]


@pytest.mark.parametrize("gladiators, weapons", [(1, 1), (1, 9), (2, 2), (1, 64), (2, 50), (7, 7), (4, 40), (8, 10)])
def test_unexpected_levels_are_played(gladiators, weapons):
    level = Level(gladiators, weapons, 60)
    secret = tuple(random.Random(1).sample(range(weapons), gladiators))
    assert len(played(Strategist(level, cores.choose_best_core(), 1, 0.1), secret, 60)) <= weapons + 30


@pytest.mark.parametrize("level", [LEVELS[1], LEVELS[4]], ids=["listed", "drawn"])
def test_answers_that_contradict_one_another(level):
    strategist, guess = Strategist(level, cores.choose_best_core()), tuple(range(level.gladiators))
    other = (*guess[1:], guess[0])
    with pytest.raises(NothingFits) as error:
        strategist.guess([(guess, Feedback(0, 0)), (other, Feedback(1, 1))])
    assert "2 answers" in str(error.value)


def test_without_time_any_guess_is_made():
    level, guess = Level(12, 12, 60), tuple(range(12))
    turns = [(guess, Feedback(2, 10)), ((*guess[6:], *guess[:6]), Feedback(1, 11))]
    code = Strategist(level, cores.choose_best_core(), seconds=0.001).guess(turns)
    assert sorted(code) == list(range(12))
    turns = [((0, 1, 2, 3, 4), Feedback(0, 4)), ((1, 0, 3, 2, 5), Feedback(1, 3))]
    for seconds in (60.0, 1e-9):
        assert len(set(Strategist(Level(5, 9, 9), cores.choose_best_core(), seconds=seconds).guess(turns))) == 5
    with TimeBudget(1e-9) as budget:
        while budget.is_left() or not budget.flag[0]:
            pass


FOUR_OF_SEVEN = st.permutations(range(7)).map(lambda code: tuple(code[:4]))


@settings(max_examples=40)
@given(st.lists(FOUR_OF_SEVEN, min_size=1, max_size=5), FOUR_OF_SEVEN, st.integers(0, 100))
def test_codes_drawn_are_those_that_fit(guesses, secret, seed):
    turns = [(guess, feedback.score_places_slowly(guess, secret)) for guess in guesses]
    every = itertools.permutations(range(7), 4)
    fit = {
        code for code in every if all(feedback.score_places_slowly(guess, code) == answer for guess, answer in turns)
    }
    sampler = gladiators_strategy.CodeSampler(Level(4, 7, 9).rules, turns, np.random.default_rng(seed))
    for block in (7, 10_000):
        codes, is_whole = sampler.draw(10**6, block)
        assert is_whole and set(map(tuple, codes.tolist())) == fit and len(codes) == len(fit)
    few, is_whole = sampler.draw(1, 5)
    assert set(map(tuple, few.tolist())) <= fit and len(few) == 1 and is_whole == (len(fit) == 1)
    codes, is_whole = sampler.draw(10**6, 7, lambda: False)
    assert not is_whole and not len(codes)


def test_the_first_codes_drawn_are_a_fair_sample():
    # 10 codes at a time: every weapon is at every place equally often.
    sampler = gladiators_strategy.CodeSampler(Level(4, 10, 9).rules, [], np.random.default_rng(1))
    codes = np.concatenate([sampler.draw(10, 10)[0] for _ in range(1000)])
    counts = np.stack([np.bincount(codes[:, place], minlength=10) for place in range(3)])
    # 1,000 are expected; six deviations are 180.
    assert len(codes) == 10_000 and abs(counts - 1000).max() < 180


@pytest.fixture(scope="module")
def tree_file():
    problem = make_symbol_problem(Level(3, 5, 6).rules)
    outcome = search_tree(problem, cores.choose_best_core(), SearchOptions(width=3, prove=False, threads=1, cap=6))
    return encode_plan(problem, outcome.plan, PlanOrigin(None, cap=6))


def test_a_tree_is_walked_if_it_fits_and_a_damaged_one_is_refused(tmp_path, tree_file):
    (tmp_path / "3-of-5.tree").write_bytes(tree_file)
    level, load = Level(3, 5, 6), gladiators_strategy.load_shipped_tree
    found = load(level, tmp_path)
    strategist = Strategist(level, cores.choose_best_core(), tree=found)
    every = list(itertools.permutations(range(5), 3))
    lengths = [len(played(strategist, code)) for code in every]
    assert (max(lengths), sum(lengths)) == (found.certificate["max"], found.certificate["total"])
    # Off the tree, guesses are worked out.
    assert strategist.guess([((4, 3, 2), Feedback(0, 1))]) in every
    # It serves if more guesses are allowed, but not if fewer are; another game has none.
    assert load(Level(3, 5, 5), tmp_path) is None and load(Level(3, 5, 9), tmp_path) is not None
    assert load(Level(3, 6, 6), tmp_path) is None and load(LEVELS[4], tmp_path) is None
    for content in (b"", tree_file[:-1], tree_file[:200] + b"x" + tree_file[201:], b"hello"):
        (tmp_path / "3-of-5.tree").write_bytes(content)
        with pytest.raises(DeskError, match=r"'3-of-5\.tree' is not used"):
            load(level, tmp_path)
    # A tree of another game.
    (tmp_path / "3-of-6.tree").write_bytes(tree_file)
    with pytest.raises(DeskError, match="not used"):
        load(Level(3, 6, 6), tmp_path)


def test_the_trees_that_come_with_the_game_are_sound():
    for path in gladiators_strategy.TREE_FOLDER.glob("*.tree"):
        places, _, symbols = path.stem.partition("-of-")
        found = tree.parse_tree(path.read_bytes())
        level = Level(int(places), int(symbols), found.certificate["cap"] or found.certificate["max"])
        strategist = Strategist(level, cores.choose_best_core(), tree=gladiators_strategy.load_shipped_tree(level))
        rng = random.Random(1)
        codes = [tuple(rng.sample(range(level.weapons), level.gladiators)) for _ in range(100)]
        assert sum(len(played(strategist, code)) <= level.guesses for code in codes) >= 99
    figures = verify_tree((gladiators_strategy.TREE_FOLDER / "5-of-10.tree").read_bytes()).figures
    assert (figures.missed, figures.total, figures.max) == (0, 172_028, 7)  # as docs/gladiators.md tells


def test_levels_as_people_write_them_and_wrong_ones():
    assert gladiators.parse_levels("5/10/7/10") == LEVELS[6] and gladiators.parse_levels("4/6/8") == LEVELS[1]
    assert str(LEVELS[6]) == "5 gladiators, 10 weapons, 7 guesses, 10 rounds"
    assert LEVELS[4].codes == 127_512_000 and gladiators.parse_level(LEVELS[5].plain()) == LEVELS[5]
    wrong = " 5 5/10 5/10/7/10/1 a/b/c 5/10/7/-1 0/5/5 5/4/7 13/20/9 5/99/7 5/10/0 5/10/99 5/10/7/99999999 ²/5/5"
    for text in wrong.split(" "):
        with pytest.raises(DeskError):
            gladiators.parse_levels(text)
