"""A game on a page, gone back to in a real browser, and its recording opened by another process.

Takes seconds: one browser, two pages.
"""

import json

import pytest
from page_browser import complaints, served, texts, until

pytest.importorskip("nicegui")
pytest.importorskip("selenium")

PRESS = """const found = [...document.querySelectorAll("button")].find(
    (each) => each.textContent.trim() === arguments[0] && !each.disabled);
    if (found) found.click(); return Boolean(found);"""


def press(browser, name):
    """Click the button of this name once it is there."""
    until(lambda: browser.execute_script(PRESS, name))


def clock(browser):
    return float(texts(browser, ".clock")[0].split()[0])


def said(browser):
    return texts(browser, ".bubble-NAO .bubble-text")


def rows(browser):
    """Return how many guesses stand on the boards."""
    return len(texts(browser, ".board tbody tr"))


def scrub(browser, key, times):
    """Press a key on the scrubber."""
    selector = ".q-slider[aria-label='Moment'] [tabindex='0']"
    # It is there before it has its place.
    slider = until(lambda: [each for each in browser.find_elements("css selector", selector) if each.is_displayed()])[0]
    for _ in range(times):
        slider.send_keys(key)


def test_an_earlier_moment_and_a_recording_of_a_game(browser, tmp_path):
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    file, home = tmp_path / "game.jsonl", {"HOME": str(tmp_path / "home")}
    with served(
        "-m",
        "jotto_desk",
        "play",
        "--page",
        "--port",
        "0",
        "--forget",
        "--seed",
        "1",
        "--record",
        str(file),
        browser=browser,
        environ=home,
    ) as page:
        browser.get(page.address)
        until(lambda: said(browser))
        press(browser, "10\u00d7")
        press(browser, "ready")
        until(lambda: rows(browser) == 1 and len(said(browser)) >= 2)
        lines = said(browser)
        # NAO would not wait for a player who looks at the recording.
        press(browser, "1\u00d7")
        press(browser, "Go back")
        until(lambda: "at=" in browser.current_url and rows(browser) == 1)
        # From the end to a moment before the first guess, by keyboard.
        scrub(browser, keys.HOME, 1)
        until(lambda: not said(browser) or len(said(browser)) == 1)
        until(lambda: rows(browser) == 0)
        until(lambda: clock(browser) < 5.0)
        press(browser, "Play")
        until(lambda: clock(browser) > 2.0)
        press(browser, "Pause")
        # What is gone cannot be talked to, and the page says so.
        browser.execute_script("document.querySelector('.speak button').focus()")
        press(browser, "Stay silent")
        until(lambda: any("This is a recording" in each for each in texts(browser, ".q-notification")))
        press(browser, "Back to now")
        until(lambda: "at=" not in browser.current_url and rows(browser) == 1)
        assert said(browser)[: len(lines)] == lines
        assert complaints(browser) == []
    header, *_, end = file.read_text("ascii").splitlines()
    assert json.loads(header)["title"] == "NAO plays Jotto" and json.loads(end)["lines"] > 10
    with served(
        "-m", "jotto_desk", "play", "--page", "--port", "0", "--replay", str(file), browser=browser, environ=home
    ) as page:
        browser.get(page.address)
        until(lambda: texts(browser, ".clock"))
        assert not said(browser) or len(said(browser)) == 1
        scrub(browser, keys.END, 1)
        until(lambda: rows(browser) == 1 and said(browser)[: len(lines)] == lines)
        assert any("A recording has no statistics" in each for each in texts(browser, ".game-faint"))
        assert "Back to now" not in texts(browser, "button") and "Save recording" in texts(browser, "button")
        assert complaints(browser) == []
