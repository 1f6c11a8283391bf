"""Games on a page in a real browser: Jotto with NAO in both roles, Mastermind and Wordle, by tapping.

Takes seconds: one browser and three pages, for what only a browser shows.
"""

import pytest
from page_browser import STILL, browsing, complaints, served, texts, until
from page_games import KEYS, answered, guess_made, guesses, hurry, labels, press, role_changed, score_given, tap

pytest.importorskip("nicegui")
pytest.importorskip("selenium")

#: A word that NAO, who begins with PARTS, guesses next.
SECRET = "tides"
SCRIPT = "<img src=x onerror=\"document.title='taken over'\">"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("browser"), STILL) as made:
        yield made


@pytest.fixture(autouse=True)
def told(browser):
    """Read what the browser has said of a page once it is left."""
    yield
    complaints(browser)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Keep the games of these tests apart from those of the computer's owner."""
    return {"XDG_DATA_HOME": str(tmp_path_factory.mktemp("data"))}


def wondered(browser, text, said):
    """Ask whether it could be this one, and read why not."""
    field = browser.find_element("css selector", 'input[aria-label="Could it be \u2026?"]')
    field.send_keys("\ue009a\ue000" + text + "\n")
    until(lambda: any(said in each for each in texts(browser, ".game-status")))


def test_a_game_of_jotto_by_tapping_in_both_roles(browser, home):
    with served(
        "-m",
        "jotto_desk",
        "play",
        "--page",
        "--port",
        "0",
        "--role",
        "breaker",
        "--seed",
        "1",
        browser=browser,
        environ=home,
    ) as page:
        # A body drawn flat costs the browser less.
        browser.get(page.address + "?flat")
        answered(browser, lambda now: bool(guesses(browser)))
        assert guesses(browser) == [["parts", 0, 0, "to be answered"]]
        assert "PARTS leaves about" in until(lambda: texts(browser, ".board-why")[0])
        answered(browser, score_given(browser, SECRET))
        found = [["parts", 1, 1, "1 in place, 1 elsewhere"], ["tides", 5, 0, "the word!"]]
        until(lambda: guesses(browser) == found)
        hurry(browser)
        answered(browser, role_changed(browser))
        until(lambda: any("1 game, 1 found by NAO" in text for text in texts(browser, ".game-faint")))
        answered(browser, guess_made(browser, "OCEAN"))
        yours = guesses(browser)
        browser.refresh()
        # A reload in mid-game loses nothing.
        until(lambda: guesses(browser) == yours and "Guess" in labels(browser))
        hurry(browser)
        wondered(browser, SCRIPT, "letters")
        answered(browser, guess_made(browser, "FJORD"))
        answered(browser, given_up(browser))
        until(lambda: any(text.startswith("The word was") for text in texts(browser, ".board-remark")))
        # After the end NAO can be asked for another game.
        tap(browser, "No")
        tap(browser, "Play again")
        until(lambda: "I guess" in labels(browser) or "Ready" in labels(browser))
        assert browser.title == "NAO plays Jotto" and complaints(browser) == []


def given_up(browser):
    """Return a way to give up, True when NAO has told its word."""

    def answer(now):
        if "Guess" in now:
            browser.execute_script("document.querySelectorAll('.game-more').forEach(each => { each.open = true })")
            press(browser, "I give up", ".tap-small")
        elif "Yes" in now and "My turn to guess" not in now:
            press(browser, "Yes", unless="My turn to guess")
        return "My turn to guess" in now

    return answer


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
        wondered(browser, "violet yellow green green", "VYGG")
        wondered(browser, SCRIPT, "too long")
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
        browser.execute_script(KEYS, "SHARK")
        until(lambda: guesses(browser)[-1][0] == "shark")
        tap(browser, "Guess")
        until(lambda: texts(browser, ".result"))
        assert texts(browser, ".result")[0].startswith("Wordle 2/6") and complaints(browser) == []
