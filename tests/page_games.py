"""Games on a page as a browser plays them: what is to be seen of one, and what a person does."""

import time

from page_browser import texts, until

#: Real seconds for NAO to speak and hear.
ANSWERED_WITHIN = 180.0
#: What can be tapped.
TAPS = ".tap, .key, .code-key, .tiles"
#: Clicks the button of this name among those selected, if it is there, and no other one of another name.
CLICK = """const [below, wanted, unwanted] = arguments;
const find = name => [...document.querySelectorAll(below)].find(each => !each.disabled && each.offsetParent
  && [each.textContent.trim(), each.getAttribute('aria-label')].includes(name));
const found = find(wanted);
if (found && !(unwanted && find(unwanted))) found.click(); return !!found"""
#: Presses keys of the page's keyboard, one after the other.
KEYS = """const keys = [...document.querySelectorAll('.key')];
for (const letter of arguments[0]) keys.find(each => each.textContent === letter)?.click()"""
#: Touches a sensor so many times; the page holds each touch for a tenth of a second.
TOUCH = """const [zone, times, done] = arguments;
const touch = left => {
  if (!left) return done();
  document.querySelector(`.figure-zones [data-zone=${zone}]`).click();
  setTimeout(() => touch(left - 1), 150);
};
touch(times)"""


def press(browser, name, below=TAPS, unless=""):
    """Click what has this name, if it is there and nothing is named `unless`."""
    return browser.execute_script(CLICK, below, name, unless)


def tap(browser, name, below=TAPS):
    """Click what has this name as soon as it is there."""
    until(lambda: press(browser, name, below))


def guesses(browser, board=0):
    """List the guesses of a board, with their scores."""
    return browser.execute_script(
        "return [...document.querySelectorAll('.board')[arguments[0]]?.querySelectorAll('tbody tr') ?? []].map(row => "
        "[[...row.querySelectorAll('.tile')].map(tile => tile.textContent).join('').toLowerCase(), "
        "row.querySelectorAll('.peg-in-place').length, row.querySelectorAll('.peg-elsewhere').length, "
        "row.querySelector('.score-said')?.textContent ?? ''])", board)


def labels(browser):
    """List what can be tapped now."""
    return browser.execute_script("return [...document.querySelectorAll('.tap')].filter(each => !each.disabled && "
                                  "each.offsetParent).map(each => each.getAttribute('aria-label') ?? each.textContent)")


def answered(browser, answer):
    """Answer NAO's questions until `answer(labels)` says True; after a pause the game goes on."""
    end = time.monotonic() + ANSWERED_WITHIN
    while True:
        assert time.monotonic() < end, (labels(browser), texts(browser, ".question"), guesses(browser))
        now = labels(browser)
        if "Ready" in now:
            press(browser, "Ready")
        elif answer(now):
            return
        time.sleep(0.05)


def answered_slowly(browser, answer):
    """Answer NAO as soon as it listens, and wait for what it says to that, until `answer(labels)` says True."""
    def said():
        return len(texts(browser, ".bubble-NAO"))

    end, heard = time.monotonic() + ANSWERED_WITHIN, 0
    while True:
        if said() > heard and texts(browser, ".listens") == ["NAO listens."] and labels(browser):
            heard = said()
            if answer(labels(browser)):
                return
        assert time.monotonic() < end, (labels(browser), texts(browser, ".question"), guesses(browser))
        time.sleep(0.05)


def speak_fast(browser):
    """Let NAO speak four times as fast."""
    browser.execute_script("document.querySelector('.voice').open = true")
    slider = browser.find_element("css selector", ".voice-slider [aria-label=Speed] [tabindex='0']")
    until(lambda: browser.execute_script("return document.querySelector('.voice .q-select').textContent") != "Language")
    slider.send_keys("\ue010")
