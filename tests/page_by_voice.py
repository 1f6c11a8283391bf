"""A page that a person speaks with: read what it shows, and wait until it shows something."""

import time
from typing import NamedTuple

from page_browser import texts, until

#: Real seconds until a test stops waiting for NAO.
ANSWERED_WITHIN = 60.0
#: Real seconds between two looks at the page.
LOOKS_EVERY = 0.2
#: The text of the microphone's button while NAO hears.
HEARS = "NAO hears this"
MOMENT = """return [".bubble-NAO .bubble-text", ".bubble-you .bubble-text", ".board-places", ".sends", ".speech-check"]
  .map(each => [...document.querySelectorAll(each)].map(one => one.textContent.trim()))"""


class Moment(NamedTuple):
    """The lines that NAO said and heard, the number of letters spelled, and the texts of the microphone."""

    said: list[str]
    heard: list[str]
    spelled: int
    state: str
    check: str

    @property
    def hears(self):
        """Return whether NAO hears the microphone."""
        return self.state == HEARS

    @property
    def question(self):
        """Return the last line that NAO said, in lower case."""
        return self.said[-1].lower() if self.said else ""


def moment(browser):
    """Return what the page shows now, in one call because each call to the browser takes milliseconds."""
    said, heard, places, states, checks = browser.execute_script(MOMENT)
    spelled = sum(len(each.partition(":")[2].split()) for each in places)
    return Moment(said, heard, spelled, *(next(iter(each), "") for each in (states, checks)))


def waited(browser, holds, patience=ANSWERED_WITHIN):
    """Wait until `holds(moment)` is true and return that moment."""
    end = time.monotonic() + patience
    while not holds(now := moment(browser)):
        assert time.monotonic() < end, now
        time.sleep(LOOKS_EVERY)
    return now


def press_microphone(browser):
    """Press the button that turns on the microphone."""
    until(lambda: texts(browser, ".microphone .speech-button"))
    browser.execute_script("document.querySelector('.microphone .speech-button').click()")
