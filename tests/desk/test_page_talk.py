"""A page with a robot in a browser: talk, time, memory, sensors and log, a reload, and a server that ended.

Takes seconds: a browser and two servers.
"""

import json
import os
import signal
import subprocess
from urllib.parse import urlsplit

import pytest
from interpreters import ROOT
from page_browser import complaints, served, texts, until

from naosim.cli import parse_options

pytest.importorskip("nicegui")
pytest.importorskip("selenium")

GREETING = ("-m", "naosim", str(ROOT / "docs" / "greeting"), "--page", "--port")
#: The page draws NAO flat, which takes the browser less time.
FLAT = "?flat"
SCRIPT = "<img src=x onerror=\"document.title='taken over'\">"


@pytest.fixture
def page(browser):
    with served(*GREETING, "0") as made:
        browser.get(made.address + FLAT)
        yield made


def said(browser):
    return texts(browser, ".bubble-NAO .bubble-text")


def press(browser, name):
    """Click the button of this name."""
    browser.find_element("xpath", f"//button[normalize-space(.)='{name}']").click()


def field(browser, label):
    return browser.find_element("css selector", f'input[aria-label="{label}"]')


def unfold(browser, title):
    browser.find_element("xpath", f"//summary[normalize-space(.)='{title}']").click()


def talk_by_tapping_and_typing(browser, page):
    until(lambda: said(browser) == ["Is anybody there?"])
    until(lambda: texts(browser, ".chips button") == ["hello"])
    field(browser, "Say something to NAO").send_keys(SCRIPT + "\n")
    until(lambda: texts(browser, ".bubble-you .bubble-text") == [SCRIPT])
    press(browser, "Pause")
    until(lambda: "Continue" in texts(browser, "button"))
    press(browser, "hello")
    # Time is paused at the first word; one step leads to the second.
    until(lambda: texts(browser, ".word-now") == ["Hello"])
    until(
        lambda: texts(browser, ".bubble-you .bubble-note") == ["NAO didn't understand", "NAO understood hello (100%)"]
    )
    press(browser, "One step")
    until(lambda: texts(browser, ".word-now") == ["to"])
    press(browser, "Continue")
    until(lambda: texts(browser, ".bubble-end .bubble-text") == ["greeting/behavior_1"])
    assert said(browser)[-1] == "Hello to you!" and not texts(browser, ".word-now")
    assert until(lambda: texts(browser, ".listens") == ["NAO isn't listening right now."])
    assert browser.title == "NAO"


def reload_as_before(browser, page):
    before = texts(browser, ".bubble")
    browser.refresh()
    assert until(lambda: texts(browser, ".bubble")) == before


def clock(browser):
    return float(texts(browser, ".clock")[0].split()[0])


def let_time_stand_still_and_run(browser, page):
    press(browser, "Pause")
    until(lambda: texts(browser, "button[aria-pressed]") and "Continue" in texts(browser, "button"))
    press(browser, "Start")
    until(lambda: said(browser)[-1] == "Is anybody there?" and clock(browser) > 0)
    stood = clock(browser)
    assert clock(browser) == stood and not texts(browser, ".chips button")
    for _ in range(8):
        press(browser, "One step")
    until(lambda: texts(browser, ".chips button") == ["hello"])
    press(browser, "10\u00d7")
    until(lambda: clock(browser) > stood + 5)
    press(browser, "1\u00d7")


def search_watch_and_set_memory(browser, page):
    unfold(browser, "Memory")
    field(browser, "Key").send_keys("Class/<b>Room</b>")
    field(browser, "Value, as JSON or text").send_keys('{"a": [1, 2]}')
    press(browser, "Set")
    until(lambda: browser.find_elements("css selector", ".q-notification"))
    field(browser, "Value, as JSON or text").send_keys("\ue009a\ue000[1, 2]")
    press(browser, "Raise event")
    field(browser, "Search keys").send_keys("room")
    until(lambda: texts(browser, ".memory-key") == ["Class/<b>Room</b>"])
    assert texts(browser, ".memory-value") == ["[1, 2]"]
    browser.find_element("css selector", ".star").click()
    field(browser, "Search keys").send_keys("\ue009a\ue000Battery/Charge")
    until(
        lambda: (
            len(keys := texts(browser, ".memory-key")) > 1
            and keys[0] == "Class/<b>Room</b>"
            and all("Battery/Charge" in key for key in keys[1:])
        )
    )


def use_sensors_and_log(browser, page, tmp_path):
    unfold(browser, "Sensors")
    unfold(browser, "Log")
    press(browser, "Show landmark")
    until(lambda: any("LandmarkDetected" in line for line in texts(browser, ".log-text")))
    field(browser, "With the words").send_keys("anybody")
    until(
        lambda: (
            set(texts(browser, ".log-text")) >= {"says Is anybody there?"}
            and all("anybody" in line for line in texts(browser, ".log-text"))
        )
    )
    browser.execute_cdp_cmd("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    browser.find_element("css selector", '[aria-label="Save the log as a file"]').click()
    until(lambda: [path for path in tmp_path.iterdir() if path.suffix == ".jsonl"])
    lines = [json.loads(line) for line in next(tmp_path.iterdir()).read_text().splitlines()]
    assert {"say", "said"} == {line["kind"] for line in lines}


def notice_servers_and_robots_that_end(browser, page):
    assert page.end() == 0 and len(page.said) == 1
    until(lambda: browser.find_element("id", "popup").is_displayed())
    assert browser.find_element("id", "popup").get_attribute("role") == "alert"
    with served(*GREETING, str(urlsplit(page.address).port), browser=browser) as second:
        until(
            lambda: (
                not browser.find_elements("css selector", "#popup:not([aria-hidden=true])")
                and texts(browser, ".chips button") == ["hello"]
            )
        )
        assert said(browser) == ["Is anybody there?"]
        children = subprocess.run(["pgrep", "-P", str(second.process.pid)], capture_output=True, text=True, check=True)
        for child in children.stdout.split():
            os.kill(int(child), signal.SIGKILL)
        until(
            lambda: (
                texts(browser, "[role=alert].alarm") == ["The simulated robot has ended (status -9): start it again."]
            )
        )


def test_a_page_from_its_first_word_to_its_end(browser, page, tmp_path):
    """Go through one page; each step starts where the one before ended."""
    talk_by_tapping_and_typing(browser, page)
    reload_as_before(browser, page)
    let_time_stand_still_and_run(browser, page)
    search_watch_and_set_memory(browser, page)
    use_sensors_and_log(browser, page, tmp_path)
    assert complaints(browser) == []
    notice_servers_and_robots_that_end(browser, page)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--say", "hello"], "leave --say, --touch, --event and --dialog out"),
        (["--json"], "leave --json out"),
        (["--port", "65536"], "65536 is no port"),
        (["--port", "x"], "x is no port"),
    ],
)
def test_options_without_meaning_for_a_page_are_refused(capsys, arguments, sentence):
    with pytest.raises(SystemExit) as ended:
        parse_options([*GREETING[2:-1], *arguments])
    assert ended.value.code == 2 and sentence in capsys.readouterr().err
