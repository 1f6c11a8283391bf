"""A page that somebody speaks with, for tests: what it shows at a moment, and waiting for it."""

import time
from typing import NamedTuple

from page_browser import texts, until

#: Real seconds for NAO to speak and hear, and between two looks.
ANSWERED_WITHIN, LOOKS_EVERY = 120.0, 0.2
HEARS = "NAO hears this"
MOMENT = """return [".bubble-NAO .bubble-text", ".bubble-you .bubble-text", ".board-places", ".sends", ".speech-check"]
  .map(each => [...document.querySelectorAll(each)].map(one => one.textContent.trim()))"""


class Moment(NamedTuple):
    """What the page shows: what NAO has said and what was heard, letters of a guess, and what the microphone says."""

    said: list[str]
    heard: list[str]
    spelled: int
    state: str
    check: str

    @property
    def hears(self):
        """Tell whether NAO listens."""
        return self.state == HEARS

    @property
    def question(self):
        """Return what NAO has said last."""
        return self.said[-1].lower() if self.said else ""


def moment(browser):
    """Ask for all of it at once, for a question to the browser costs it and its driver milliseconds."""
    said, heard, places, states, checks = browser.execute_script(MOMENT)
    spelled = sum(len(each.partition(":")[2].split()) for each in places)
    return Moment(said, heard, spelled, *(next(iter(each), "") for each in (states, checks)))


def waited(browser, holds, patience=ANSWERED_WITHIN):
    """Look a few times a second until something holds; return the moment."""
    end = time.monotonic() + patience
    while not holds(now := moment(browser)):
        assert time.monotonic() < end, now
        time.sleep(LOOKS_EVERY)
    return now


def press_microphone(browser):
    """Press the button that lets NAO hear."""
    until(lambda: texts(browser, ".microphone .speech-button"))
    browser.execute_script("document.querySelector('.microphone .speech-button').click()")
