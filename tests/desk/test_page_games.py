"""Games on a page in a browser: Jotto in all roles by tapping and typing, Mastermind, Wordle, and recordings of games.

Each test takes seconds: a server, and a browser that draws.
"""

import json
import signal
from urllib.parse import urlsplit

import pytest
from page_browser import FAST, check_access, complaints, served, texts, until
from page_games import (
    KEYS,
    answered,
    answered_slowly,
    guess_made,
    guesses,
    labels,
    press,
    role_changed,
    score_given,
    tap,
)

pytest.importorskip("nicegui")
pytest.importorskip("selenium")

from jotto.rules import JOTTO
from jotto_desk.conversation.answers import number_phrase, score_phrase

#: A word that NAO, whose first guess is PARTS, guesses next.
SECRET = "tides"
SCRIPT = "<img src=x onerror=\"document.title='taken over'\">"
#: Whether the page hides its notice that the server is gone.
LOST = "return document.getElementById('popup').ariaHidden"


@pytest.fixture
def play(tmp_path, browser):
    """Return a function that serves a page of Jotto at a port, with its own notebook."""
    command = ("-m", "jotto_desk", "play", "--page", "--seed", "1", "--port")
    environ = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    return lambda port, *options, **more: served(*command, port, *options, environ=environ, speed=FAST, **more)


def ask_whether(browser, text, said):
    """Ask whether a text could be the word, and wait for the answer."""
    field = browser.find_element("css selector", 'input[aria-label="Could it be \u2026?"]')
    field.send_keys("\ue009a\ue000" + text + "\n")
    until(lambda: any(said in each for each in texts(browser, ".game-status")))


def give_up(browser):
    """Return a function that gives up, and returns True when NAO has told its word."""

    def answer(now):
        if "Guess" in now:
            browser.execute_script("document.querySelectorAll('.game-more').forEach(each => { each.open = true })")
            press(browser, "I give up", ".tap-small")
        elif "Yes" in now and "My turn to guess" not in now:
            press(browser, "Yes", unless="My turn to guess")
        return "My turn to guess" in now

    return answer


def test_jotto_by_tapping_in_both_roles(browser, play):
    with play("0", "--role", "breaker", browser=browser) as page:
        browser.get(page.address + "?flat")
        answered(browser, lambda now: bool(guesses(browser)))
        assert guesses(browser) == [["parts", 0, 0, "to be answered"]]
        assert "PARTS leaves about" in until(lambda: texts(browser, ".board-why")[0])
        answered(browser, score_given(browser, SECRET))
        until(lambda: guesses(browser) == [["parts", 1, 1, "1 in place, 1 elsewhere"], ["tides", 5, 0, "the word!"]])
        answered(browser, role_changed(browser))
        until(lambda: any("1 game, 1 found by NAO" in text for text in texts(browser, ".game-faint")))
        answered(browser, guess_made(browser, "OCEAN"))
        yours = guesses(browser)
        browser.refresh()
        # A reload loses nothing.
        until(lambda: guesses(browser) == yours and "Guess" in labels(browser))
        ask_whether(browser, SCRIPT, "letters")
        answered(browser, guess_made(browser, "FJORD"))
        answered(browser, give_up(browser))
        until(lambda: any(text.startswith("The word was") for text in texts(browser, ".board-remark")))
        # After the end NAO can be asked for another game.
        tap(browser, "No")
        tap(browser, "Play again")
        until(lambda: "I guess" in labels(browser) or "Ready" in labels(browser))
        assert browser.title == "NAO plays Jotto" and complaints(browser) == []


def type_answers(browser, *mine):
    """Return a function that plays a race by typing, with one's own guesses in turn; it returns True after them."""
    left = list(mine)

    def answer(now):
        rows = guesses(browser, 1)
        guess = rows[-1][0] if rows else ""
        exact, misplaced = JOTTO.score(guess, SECRET) if guess else (0, 0)
        if "Ready" in now or "Go on" in now:
            typed = "ready"
        elif "That's my word" in now and "Yes" in now:
            typed = "yes" if guess == SECRET else "no"
        elif f"In the wrong place: {misplaced}" in now:
            typed = score_phrase(exact, misplaced, JOTTO.length)
        elif f"How many: {exact}" in now:
            typed = number_phrase(exact if "right place" in texts(browser, ".question")[-1] else misplaced)
        elif "My turn to guess" in now or not left:
            return True
        else:
            typed = left.pop(0)
        browser.find_element("css selector", ".speak-field input").send_keys(typed + "\n")
        return False

    return answer


def test_a_race_by_typing_survives_its_killed_server(browser, play):
    with play("0", "--role", "race") as page:
        browser.get(page.address + "?flat")
        answered_slowly(browser, type_answers(browser, "ocean"))
        rows = [guesses(browser), guesses(browser, 1)]
        assert [row[0] for row in rows[0]] == ["ocean"]
        assert rows[1] == [["parts", 1, 1, "1 in place, 1 elsewhere"]]
        page.end(signal.SIGKILL)
        until(lambda: browser.execute_script(LOST) == "false")
    with play(str(urlsplit(page.address).port), browser=browser):
        # The page connects again, to a NAO that remembers the game.
        until(lambda: browser.execute_script(LOST) == "true" and "Yes" in labels(browser))
        answered_slowly(browser, type_answers(browser, "yes", "fjord"))
        until(lambda: guesses(browser, 1)[1:] == [["tides", 5, 0, "the word!"]])
        mine, naos = guesses(browser), guesses(browser, 1)
        assert [mine[:1], naos[:1]] == rows
        assert [row[0] for row in mine] == ["ocean", "fjord"]
        until(lambda: any(text.startswith("The word was") for text in texts(browser, ".board-remark")))


def test_mastermind_by_tapping_and_the_script_flipped(browser):
    with served("-m", "jotto_desk", "mastermind", "--page", "--port", "0", "--secret", "vvyg", browser=browser) as page:
        browser.get(page.address)
        for colour in ("violet", "yellow", "yellow", "red"):
            tap(browser, colour)
        until(lambda: guesses(browser)[-1][0] == "vyyr")
        tap(browser, "Guess")
        until(lambda: guesses(browser)[0] == ["vyyr", 2, 0, "2 in place"])
        tap(browser, "violet, yellow, yellow, red: could it be this one?", ".tiles")
        until(lambda: any("VYYR is out: turn 1" in text for text in texts(browser, ".game-faint")))
        until(lambda: "codes fit." in texts(browser, ".board-remark")[-1])
        ask_whether(browser, "violet yellow green green", "VYGG")
        ask_whether(browser, SCRIPT, "too long")
        check_access(browser)
        tap(browser, "Let the computer guess yours")
        until(lambda: texts(browser, ".board caption") == ["The computer's guesses"])
        guess = until(lambda: [row[0] for row in guesses(browser) if len(row[0]) == 4])[0]
        tap(browser, "In the right place: 4")
        until(lambda: guesses(browser) == [[guess, 4, 0, "the code!"]])
        assert texts(browser, ".question")[0] == "I have found your code in 1 guess."
        assert browser.title == "Mastermind" and complaints(browser) == []


def test_wordle_by_typing_and_on_the_keyboard(browser):
    command = ("-m", "jotto_desk", "wordle", "play", "--page", "--port", "0", "--secret", "shark")
    with served(*command, browser=browser) as page:
        browser.get(page.address)
        until(lambda: texts(browser, ".key"))
        browser.find_element("css selector", 'input[aria-label="Type a guess"]').send_keys("sugar\n")
        until(lambda: texts(browser, ".board .tile-in-place") == ["S"])
        until(lambda: texts(browser, ".key.letter-out") == ["U", "G"])
        check_access(browser)
        browser.execute_script(KEYS, "SHARK")
        until(lambda: guesses(browser)[-1][0] == "shark")
        tap(browser, "Guess")
        until(lambda: texts(browser, ".result"))
        assert texts(browser, ".result")[0].startswith("Wordle 2/6")
        assert complaints(browser) == []


# Earlier moments and recordings.


#: Clicks the enabled button with this text; returns whether it is there.
CLICK = """const found = [...document.querySelectorAll("button")].find(
    (each) => each.textContent.trim() === arguments[0] && !each.disabled);
    if (found) found.click(); return Boolean(found);"""


def click(browser, name):
    """Click the button of this name once it is there."""
    until(lambda: browser.execute_script(CLICK, name))


def clock(browser):
    return float(texts(browser, ".clock")[0].split()[0])


def said(browser):
    return texts(browser, ".bubble-NAO .bubble-text")


def scrub(browser, key):
    """Press a key on the slider for the moment of a recording."""
    selector = ".q-slider[aria-label='Moment'] [tabindex='0']"
    shown = until(lambda: [each for each in browser.find_elements("css selector", selector) if each.is_displayed()])
    shown[0].send_keys(key)


def test_an_earlier_moment_and_a_recording_of_a_game(browser, tmp_path):
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    file, home = tmp_path / "game.jsonl", {"HOME": str(tmp_path / "home")}
    command = ("-m", "jotto_desk", "play", "--page", "--port", "0")
    options = ("--forget", "--seed", "1", "--record", str(file))
    with served(*command, *options, browser=browser, environ=home) as page:
        browser.get(page.address)
        until(lambda: said(browser))
        click(browser, "10\u00d7")
        click(browser, "ready")
        until(lambda: len(guesses(browser)) == 1 and len(said(browser)) >= 2)
        lines = said(browser)
        # NAO would not wait for a player who looks at the recording.
        click(browser, "1\u00d7")
        click(browser, "Go back")
        until(lambda: "at=" in browser.current_url and len(guesses(browser)) == 1)
        # From the end to a moment before the first guess, by keyboard.
        scrub(browser, keys.HOME)
        until(lambda: len(said(browser)) <= 1 and not guesses(browser) and clock(browser) < 5.0)
        click(browser, "Play")
        until(lambda: clock(browser) > 1.0)
        click(browser, "Pause")
        # A recording does not hear, and the page says so.
        browser.execute_script("document.querySelector('.speak button').focus()")
        click(browser, "Stay silent")
        until(lambda: any("This is a recording" in each for each in texts(browser, ".q-notification")))
        click(browser, "Back to now")
        until(lambda: "at=" not in browser.current_url and len(guesses(browser)) == 1)
        assert said(browser)[: len(lines)] == lines
        assert complaints(browser) == []
    header, *_, end = file.read_text("ascii").splitlines()
    assert json.loads(header)["title"] == "NAO plays Jotto" and json.loads(end)["lines"] > 10
    with served(*command, "--replay", str(file), browser=browser, environ=home) as page:
        browser.get(page.address)
        until(lambda: texts(browser, ".clock"))
        assert len(said(browser)) <= 1
        scrub(browser, keys.END)
        until(lambda: len(guesses(browser)) == 1 and said(browser)[: len(lines)] == lines)
        assert any("A recording has no statistics" in each for each in texts(browser, ".game-faint"))
        assert "Back to now" not in texts(browser, "button") and "Save recording" in texts(browser, "button")
        assert complaints(browser) == []
