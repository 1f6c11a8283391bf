"""The local server of a page: under attack and at its end through plain sockets, and its stories in a browser."""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
from urllib.parse import urlsplit

import pytest
from dropped_files import PRYING, drop
from interpreters import ROOT
from page_browser import FAST, KEEP_FILES, PATIENCE, check_access, complaints, leave_page, served, texts, until
from page_games import answer_questions, game, guesses, press, say, score_guesses, tap

pytest.importorskip("uvicorn")
pytest.importorskip("selenium")
import uvicorn
import websocket

from jotto.rules import JOTTO
from jotto_desk.conversation.answers import find_number_phrase, find_score_phrase
from jotto_desk.play.page.site import collect_worker_content
from naosim.__main__ import main
from naosim.cli import parse_options
from naosim_page.server import PageServer, end_tasks

GREETING = ("-m", "naosim", str(ROOT / "docs" / "greeting"), "--page", "--port", "0")
#: A word that NAO, whose first guess is PARTS, guesses next.
SECRET = "tides"


@pytest.fixture(scope="module")
def page():
    with served(*GREETING) as made:
        yield made


def ask(page, method="GET", path="/", **headers):
    """Ask the server; return status, body and headers."""
    with contextlib.closing(http.client.HTTPConnection(urlsplit(page.address).netloc, timeout=PATIENCE)) as connection:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace"), dict(answer.getheaders())


def connect(page, path="/robot", **options):
    """Open a socket to the server, by default as its own page does."""
    url = f"ws://{urlsplit(page.address).netloc}{path}"
    return websocket.create_connection(url, timeout=PATIENCE, **{"origin": page.address.rstrip("/"), **options})


def test_other_pages_and_host_names_are_refused(page):
    assert ask(page)[0] == 200
    assert ask(page, Host="evil.example")[:2] == (421, "This page answers only at its own address.")
    assert ask(page, Origin="http://evil.example")[:2] == (403, "Another page must not use this one.")
    assert ask(page, "POST")[0] == 405
    connect(page).close()
    for wrong in ({"origin": "http://evil.example"}, {"host": "evil.example"}, {"path": "/other"}):
        with pytest.raises(websocket.WebSocketBadStatusException):
            connect(page, **wrong)


def test_only_the_files_of_the_page_are_there(page):
    status, body, headers = ask(page, path="/main.js")
    assert status == 200 and headers["content-type"].startswith("text/javascript") and "connectSocket" in body
    assert ask(page, path="/main.js", **{"If-None-Match": headers["etag"]})[:2] == (304, "")
    assert json.loads(ask(page, path="/home.json")[1])["kind"] == "server"
    for path in (
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/lib/three/../../main.js",
        "/pyodide/../main.js",
        "/examples/",
        "//main.js",
    ):
        assert ask(page, path=path)[0] == 404
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy and "http:" not in policy and f"ws://{urlsplit(page.address).netloc}" in policy
    # The worker of a visitor's behaviour fetches its Python, and nothing else.
    policy = ask(page, path="/worker.js")[2]["content-security-policy"]
    assert "ws:" not in policy and "default-src 'none'" in policy and "/pyodide/ " in policy
    assert ask(page, path="/pyodide/pyodide.mjs")[2]["content-type"].startswith("text/javascript")
    assert json.loads(ask(page, path="/pyodide/pyodide-lock.json")[1])["packages"] == {}
    assert "quiz" in ask(page, path="/examples/examples.json")[1]


@pytest.mark.program("espeak-ng")
def test_browsers_without_a_voice_hear_what_nao_said_and_nothing_else(page):
    assert json.loads(ask(page, path="/home.json")[1])["voice"]
    with contextlib.closing(connect(page)) as way:
        for number, verb in enumerate(("watch", "figure")):
            way.send(json.dumps({"id": number, "do": verb}))
        said = {}
        while said.get("kind") != "say":
            said = json.loads(way.recv())
    status, body, headers = ask(page, path=f"/said.wav?at={said['time']}")
    assert (status, headers["content-type"], body[:4]) == (200, "audio/wav", "RIFF")
    for wrong in ("", "?at=1e9", "?at=nan", "?at=Hello", f"?text={said['fields']['text']}"):
        assert ask(page, path=f"/said.wav{wrong.replace(' ', '+')}")[0] == 404


def test_a_message_of_ten_megabytes_ends_only_its_socket(page):
    with contextlib.closing(connect(page)) as way, contextlib.closing(connect(page)) as other:
        with pytest.raises((websocket.WebSocketConnectionClosedException, OSError)):
            way.send("x" * 10_000_000)
            while True:
                assert way.recv()
        other.send('{"id": 1, "do": "pace"}')
        assert json.loads(other.recv())["value"]
    assert ask(page)[0] == 200


def test_two_hundred_sockets_are_too_many_until_they_are_closed(page):
    def opened(number):
        found = []
        for _ in range(number):
            with contextlib.suppress(websocket.WebSocketBadStatusException):
                found.append(connect(page))
        for each in found:
            each.close()
        return len(found)

    assert 0 < opened(200) <= 40
    until(lambda: opened(1))
    assert ask(page)[0] == 200


def test_a_socket_that_reads_nothing_is_closed(page):
    """A browser that asks and never reads is left behind; the others are served."""
    with contextlib.closing(connect(page)) as slow:
        slow.settimeout(0.5)
        with contextlib.suppress(OSError):
            for number in range(300):
                slow.send(json.dumps({"id": number, "do": "figure"}))
        assert ask(page)[0] == 200


def test_a_missing_behaviour_and_a_port_in_use_are_one_sentence(capsys, page):
    assert main(["nowhere.xar", "--page", "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "nowhere.xar" in told, told
    port = str(urlsplit(page.address).port)
    assert main([*GREETING[2:-1], port]) == 2
    assert capsys.readouterr().err == (
        f"The page cannot listen at port {port}: address already in use; choose another one with --port.\n"
    )


# The end of a server.


def test_a_task_that_loses_a_cancel_ends_with_the_server():
    """`asyncio.wait_for` loses a cancel that comes with an answer: one server in a hundred did not end."""
    lost = []

    async def robot_asked_in_a_circle():
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                if lost:
                    raise
                lost.append("a cancel")

    async def served():
        asking = asyncio.ensure_future(robot_asked_in_a_circle())
        server = PageServer(uvicorn.Config(lambda *_: None, lifespan="off", log_level="error"))
        server.should_exit = True
        with socket.create_server(("127.0.0.1", 0)) as listener:
            await server.serve([listener])
        return asking.cancelled()

    assert asyncio.run(served()) and lost == ["a cancel"]


def test_a_task_that_never_ends_is_named(monkeypatch, caplog):
    monkeypatch.setattr("naosim_page.server.TASKS_TIMEOUT_S", 0.0)

    async def story():
        stuck = asyncio.create_task(asyncio.sleep(3600), name="the stuck one")
        await end_tasks()
        assert not stuck.done()

    asyncio.run(story())
    assert "the stuck one" in caplog.text


# Stories in a browser.


@pytest.fixture
def play(tmp_path, browser):
    """Return a function that serves a page of Jotto at a port, with its own notebook."""
    command = ("-m", "jotto_desk", "play", "--page", "--seed", "1", "--port")
    environ = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path), "XDG_CACHE_HOME": CACHE}
    usual = {"environ": environ, "speed": FAST}
    return lambda port, *options, **more: served(*command, port, *options, **{**usual, **more})


#: The folder with the page's libraries, which tests with a home of their own share.
CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")


#: Faults of a page: a line in the console, an error, and two requests; the page's policy forbids the first one.
FAULTS = """console.error("a fault"); fetch("https://forbidden.example/").catch(() => {});
setTimeout(() => { throw new Error("thrown"); });"""
ELSEWHERE = "fetch('http://other.example/', { mode: 'no-cors' }).catch(() => {})"


def test_the_browser_s_complaints_are_noticed(browser, page):
    """The other tests rely on it."""
    found = []

    def is_told(*parts):
        found.extend(complaints(browser))
        return all(any(part in each for each in found) for part in parts)

    browser.get(page.address)
    browser.execute_script(FAULTS)
    until(lambda: is_told("a fault", "forbidden.example", "thrown"))
    browser.get("data:text/html,<title>elsewhere</title>")
    browser.execute_script(ELSEWHERE)
    until(lambda: is_told("other.example"))


def test_a_race_by_typing_survives_its_killed_server(browser, play):
    left = ["ocean", "fjord"]

    def speak(question, guess, exact, misplaced):
        meanings = {each["meaning"] for each in question["answers"]}
        if question["kind"] == "two-numbers":
            say(browser, find_score_phrase(exact, misplaced, 5, "en"))
        elif question["kind"] == "one-number":
            say(browser, find_number_phrase(exact if "right" in question["text"] else misplaced, "en"))
        elif question["kind"] == "word":
            say(browser, left[0])
        elif "go on" in meanings:
            say(browser, "go on")
        elif "yes" in meanings:
            is_yes = game(browser)["moment"][0] == "unfinished" or question["guess"].lower() in (SECRET, "")
            say(browser, "yes" if is_yes else "no")
        elif "ready" in meanings:
            say(browser, "ready")

    def words(now, is_naos):
        boards = [board for board in now["boards"] if ("NAO" in board["title"]) == is_naos]
        rows = boards[0]["rows"] if boards else []
        return ["".join(tile["symbol"] for tile in row["tiles"]).lower() for row in rows]

    def naos(now):
        return words(now, is_naos=True)

    def mine(now):
        return words(now, is_naos=False)

    def spoken(now):
        guess = (now["question"]["guess"] or (naos(now) or [""])[-1]).lower()
        exact, misplaced = JOTTO.score(guess, SECRET) if guess else (0, 0)
        speak(now["question"], guess, exact, misplaced)

    with play("0", "--role", "race") as page:
        browser.get(page.address)
        answer_questions(browser, spoken, lambda now: mine(now) == ["ocean"] and len(naos(now)) == 1)
        left.pop(0)
        page.end(signal.SIGKILL)
        until(lambda: any("has ended" in each for each in texts(browser, ".alarm")))
    with play(str(urlsplit(page.address).port), browser=browser):
        # The page loads again by itself, with a NAO that remembers the game.
        until(lambda: not texts(browser, ".alarm") and game(browser))
        now = answer_questions(browser, spoken, lambda now: bool(now["won"] or now["secret"]))
        assert mine(now) == ["ocean", "fjord"][: len(mine(now))] and naos(now)[0] == "parts"


def children(page):
    """List the processes that a page's server has started."""
    found = subprocess.run(["pgrep", "-P", str(page.process.pid)], capture_output=True, text=True, check=True)
    return [int(child) for child in found.stdout.split()]


def test_two_browsers_at_one_robot_and_a_recording_of_their_game(browser, play, tmp_path):
    file = tmp_path / "game.jsonl"
    # A robot that is faster than its computer does not repeat its recording exactly.
    with play("0", "--forget", "--role", "breaker", "--record", str(file), browser=browser, speed=1) as page:
        browser.get(page.address)
        first = browser.current_window_handle
        answer_questions(browser, score_guesses(browser, SECRET), lambda _: guesses(browser) == ["parts"])
        browser.switch_to.new_window("window")
        browser.get(page.address)
        until(lambda: guesses(browser) == ["parts"])
        # Both tap; NAO hears one answer to each question.
        answer_questions(browser, score_guesses(browser, SECRET), lambda now: bool(now["won"]))
        browser.close()
        browser.switch_to.window(first)
        until(lambda: guesses(browser) == ["parts", SECRET])
        heard = browser.execute_script("return page.stage.talk.lines.filter(line => line.who === 'you').length")
        assert 3 <= heard <= 5 and complaints(browser) == []
        # A terminated server ends with its robot.
        robot = children(page)
        assert page.end(signal.SIGTERM) == 0 and len(page.said) == 1
        for child in robot:
            with pytest.raises(ProcessLookupError):
                os.kill(child, 0)
    header, *rows = map(json.loads, file.read_text("ascii").splitlines())
    acts = [row["act"] for row in rows if "act" in row]
    assert (
        header["file"] == {"home": collect_worker_content().behaviour}
        and acts.count("hear") == 4
        and len(rows) == len(acts)
    )
    # The page looks for its server, which has ended: the browser complains.
    leave_page(browser)
    with play("0", "--replay", str(file), browser=browser) as page:
        browser.get(page.address)
        # The browser's own NAO repeats what the person did; its start takes seconds.
        slider = until(lambda: browser.find_elements("css selector", ".scrubber"))[0]
        assert texts(browser, ".files p")[1:] == [] and "in 2 guesses" in texts(browser, ".bubble-NAO")[-1]
        slider.send_keys("\ue011")
        until(lambda: texts(browser, ".bubble") == [])
        assert complaints(browser) == []


def test_look_inside_a_behaviour_and_another_that_is_dropped(browser):
    with served(*GREETING, browser=browser, speed=FAST) as page:
        browser.get(page.address)
        until(lambda: "Is anybody there?" in " ".join(texts(browser, ".bubble-NAO")))
        until(lambda: press(browser, "hello", ".chips"))
        until(lambda: "Hello to you!" in " ".join(texts(browser, ".bubble-NAO")))
        until(lambda: {"Ask", "Listen", "Answer"} <= set(texts(browser, ".diagram text")))
        tap(browser, "Start")
        tap(browser, "Memory")
        for name, text in (("key", "Class/<b>Room</b>"), ("value", "[1, 2]")):
            browser.find_element("css selector", f"input[name={name}]").send_keys(text)
        tap(browser, "Raise event")
        browser.find_element("css selector", "input[type=search]").send_keys("room")
        until(lambda: texts(browser, ".rows tbody th") == ["Class/<b>Room</b>"])
        assert texts(browser, ".rows tbody td") == ["[1,2]"]
        tap(browser, "Sensors")
        tap(browser, "Show landmark 64")
        tap(browser, "Log")
        until(lambda: "LandmarkDetected" in " ".join(texts(browser, ".log")))
        check_access(browser)
        tap(browser, "Robot")
        browser.execute_script(KEEP_FILES)
        tap(browser, "Save recording")
        until(lambda: browser.execute_script("return kept.length"))
        kept = browser.execute_async_script("kept[0].text().then(arguments[0])").splitlines()
        kept = [json.loads(line) for line in kept]
        assert kept[0]["file"]["name"] == "greeting.zip" and "hear" in [row["act"] for row in kept[1:]]
        assert browser.title == "NAO" and complaints(browser) == []
        # A dropped behaviour runs in the browser.
        drop(browser, "prying.xar", PRYING)
        until(lambda: texts(browser, ".bubble-NAO") == ["I reach nothing."])
        # The robot of the program goes on: other browsers see it, too.
        assert browser.execute_script("return page.stage.link.ask('pace').then((pace) => pace.speed)") == FAST
        tap(browser, "Back")
        until(lambda: "Hello to you!" in texts(browser, ".bubble-NAO"))
        assert complaints(browser) == []
        for child in children(page):
            os.kill(child, signal.SIGKILL)
        until(lambda: texts(browser, ".alarm") == ["The simulated robot has ended (status -9): start it again."])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--say", "hello"], "remove --say, --touch, --event and --dialog"),
        (["--json"], "remove --json"),
        (["--port", "65536"], "65536 is not a port"),
        (["--port", "x"], "x is not a port"),
    ],
)
def test_options_without_meaning_for_a_page_are_refused(capsys, arguments, sentence):
    with pytest.raises(SystemExit) as ended:
        parse_options([*GREETING[2:-2], *arguments])
    assert ended.value.code == 2 and sentence in capsys.readouterr().err
