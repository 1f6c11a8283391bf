"""Games on a page as whole stories in a real browser: by touch alone, and a race by typing through a killed server.

Takes seconds: a browser, and NAO who speaks.
"""

import signal
from urllib.parse import urlsplit

import pytest
from page_browser import STILL, browsing, complaints, served, texts, until
from page_games import TOUCH, answered_slowly, guesses, hurry, labels

from jotto.rules import JOTTO
from jotto_desk.conversation.answers import number_phrase, score_phrase

pytest.importorskip("nicegui")
pytest.importorskip("selenium")

#: A word that NAO, who begins with PARTS, guesses next.
SECRET = "tides"
FRONT, REAR = "FrontTactilTouched", "RearTactilTouched"
LOST = "return document.getElementById('popup').ariaHidden"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("browser"), STILL) as made:
        yield made


@pytest.fixture
def play(tmp_path):
    """Return a way to serve a page for a player at a port."""
    command = ("-m", "jotto_desk", "play", "--page", "--seed", "1")
    environ = {"XDG_DATA_HOME": str(tmp_path)}
    return lambda port, *options, **more: served(*command, "--port", port, *options, environ=environ, **more)


def scores(browser, board=0):
    """Return the last guess of a board, and how many of its letters are in place and elsewhere in the secret word."""
    rows = guesses(browser, board)
    guess = rows[-1][0] if rows else ""
    return (guess, *JOTTO.score(guess, SECRET)) if guess else ("", 0, 0)


def by_touch(browser):
    """Return a way to answer NAO's guesses with its head, True when the game is over."""

    def touch(sensor, times=1):
        browser.execute_async_script(TOUCH, sensor, times)

    def answer(now):
        guess, exact, misplaced = scores(browser)
        if "My turn to guess" in now:
            return True
        if f"How many: {exact}" in now or f"In the right place: {exact}" in now:
            touch(FRONT, misplaced if "wrong place" in texts(browser, ".question")[-1] else exact)
            touch(REAR)
        else:
            touch(REAR if "That's my word" in now and guess != SECRET else FRONT)
        return False

    return answer


def type_line(browser, text):
    browser.find_element("css selector", ".speak-field input").send_keys(text + "\n")


def by_typing(browser, *mine, board=1, again=""):
    """Return a way to play by typing, with one's own guesses in a race one by one; True when it is over."""
    left, asked = list(mine), [again] if again else []

    def answer(now):
        guess, exact, misplaced = scores(browser, board)
        if "Ready" in now or "Go on" in now:
            type_line(browser, "ready")
        elif "My turn to guess" in now and asked:
            type_line(browser, asked.pop())
        elif "My turn to guess" in now:
            return True
        elif "That's my word" in now and "Yes" in now:
            type_line(browser, "yes" if guess == SECRET else "no")
        elif f"In the wrong place: {misplaced}" in now:
            type_line(browser, score_phrase(exact, misplaced, JOTTO.length))
        elif f"How many: {exact}" in now:
            type_line(browser, number_phrase(exact if "right place" in texts(browser, ".question")[-1] else misplaced))
        elif not left:
            return True
        else:
            type_line(browser, left.pop(0))
        return False

    return answer


def test_a_game_by_touch_alone_and_one_by_typing(browser, play):
    with play("0", "--role", "breaker", browser=browser) as page:
        browser.get(page.address + "?flat")
        hurry(browser)
        answered_slowly(browser, by_touch(browser))
        found = [["parts", 1, 1, "1 in place, 1 elsewhere"], ["tides", 5, 0, "the word!"]]
        until(lambda: guesses(browser) == found)
        assert not texts(browser, ".bubble-you")
        answered_slowly(browser, by_typing(browser, board=0, again="yes"))
        rows = until(lambda: (found := guesses(browser))[-1:] == [["tides", 5, 0, "the word!"]] and found)
        assert rows[0][0] != "tides"
        assert texts(browser, ".bubble-you") and complaints(browser) == []


def test_a_race_by_typing_survives_its_killed_server(browser, play):
    with play("0", "--role", "race") as page:
        browser.get(page.address + "?flat")
        hurry(browser)
        answered_slowly(browser, by_typing(browser, "ocean"))
        rows = [guesses(browser), guesses(browser, 1)]
        assert [row[0] for row in rows[0]] == ["ocean"]
        assert rows[1] == [["parts", 1, 1, "1 in place, 1 elsewhere"]]
        page.end(signal.SIGKILL)
        # The page says so.
        until(lambda: browser.execute_script(LOST) == "false")
    with play(str(urlsplit(page.address).port), browser=browser):
        # It goes on by itself, with a NAO that remembers the game.
        until(lambda: browser.execute_script(LOST) == "true" and "Yes" in labels(browser))
        hurry(browser)
        answered_slowly(browser, by_typing(browser, "yes", "fjord"))
        until(lambda: guesses(browser, 1)[1:] == [["tides", 5, 0, "the word!"]])
        mine, naos = guesses(browser), guesses(browser, 1)
        assert [mine[:1], naos[:1]] == rows
        assert [row[0] for row in mine] == ["ocean", "fjord"]
        until(lambda: texts(browser, ".board-remark"))
        assert any(text.startswith("The word was") for text in texts(browser, ".board-remark"))
    # The page has complained of the server that was killed.
    complaints(browser)
