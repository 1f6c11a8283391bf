"""Games on a page as a browser plays them: what is to be seen of one, and what a person does."""

import time

from page_browser import texts, until

from jotto.rules import JOTTO

#: Real seconds for NAO to speak and hear.
ANSWERED_WITHIN = 180.0
#: Real seconds for a guess to stand on the board, before it is said once more.
COUNTED_WITHIN = 10.0
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
#: Presses the page's buttons for the robot's time.
HURRY = """setInterval(() => {
  const listens = document.querySelector('.listens')?.textContent.trim() === 'NAO is listening.';
  const button = document.querySelector(`[aria-label="${listens ? 1 : 10} times as fast"]`);
  if (button && button.getAttribute('aria-pressed') !== 'true') button.click();
}, 100)"""
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
        "row.querySelector('.score-said')?.textContent ?? ''])",
        board,
    )


def labels(browser):
    """List what can be tapped now."""
    return browser.execute_script(
        "return [...document.querySelectorAll('.tap')].filter(each => !each.disabled && "
        "each.offsetParent).map(each => each.getAttribute('aria-label') ?? each.textContent)"
    )


def answered(browser, answer):
    """Answer NAO's questions until `answer(labels)` says True; after a pause the game goes on."""
    end = time.monotonic() + ANSWERED_WITHIN
    while True:
        assert time.monotonic() < end, (labels(browser), texts(browser, ".question"), guesses(browser))
        now = labels(browser)
        if "Ready" in now:
            press(browser, "Ready")
        elif "Go on" in now:
            press(browser, "Go on")
        elif answer(now):
            return
        time.sleep(0.05)


def answered_slowly(browser, answer):
    """Answer NAO as soon as it listens, and wait for what it says to that, until `answer(labels)` says True.

    What it has not heard is said once more, as people do: NAO itself waits for minutes.
    """

    def said():
        return len(texts(browser, ".bubble-NAO"))

    end, heard, again = time.monotonic() + ANSWERED_WITHIN, 0, 0.0
    while True:
        is_new = said() > heard or time.monotonic() > again
        if is_new and texts(browser, ".listens") == ["NAO is listening."] and labels(browser):
            heard, again = said(), time.monotonic() + COUNTED_WITHIN
            if answer(labels(browser)):
                return
        assert time.monotonic() < end, (labels(browser), texts(browser, ".question"), guesses(browser))
        time.sleep(0.05)


def hurry(browser):
    """Let the robot's time run ten times as fast while it does not listen, until the page is left."""
    browser.execute_script(HURRY)


def score_given(browser, secret):
    """Return a way to answer NAO's guesses, True when it has found the word."""

    def answer(now):
        rows, asked = guesses(browser), "".join(texts(browser, ".question")[-1:])
        guess = rows[-1][0] if rows else ""
        exact, misplaced = JOTTO.score(guess, secret) if guess else (0, 0)
        if "My turn to guess" in now:
            return True
        # The board may be drawn a moment after the question.
        if "That's my word" in now and "Yes" in now and guess.upper() not in asked:
            return False
        if "That's my word" in now and "Yes" in now:
            # In no other question may this be taken for its answer.
            press(browser, "That's my word" if guess == secret else "No")
        elif f"In the wrong place: {misplaced}" in now and f"In the right place: {exact}" in now:
            press(browser, f"In the wrong place: {misplaced}")
            press(browser, f"In the right place: {exact}")
        elif f"How many: {exact}" in now:
            press(browser, f"How many: {exact if 'right place?' in asked else misplaced}")
        return False

    return answer


def role_changed(browser):
    """Return a way to guess oneself, True when NAO has a word."""

    def answer(now):
        if "My turn to guess" in now:
            press(browser, "My turn to guess")
        return "Guess" in now

    return answer


def guess_made(browser, guess):
    """Return a way to guess a word on the keyboard, True when NAO has given its score."""
    said = -COUNTED_WITHIN

    def answer(now):
        nonlocal said
        if any(row[0] == guess.lower() for row in guesses(browser)):
            return True
        shown = browser.execute_script("return document.querySelector('input[aria-label=\"Your word\"]')?.value")
        if shown == guess:
            press(browser, "Guess")
            said = time.monotonic()
        elif shown == "" and time.monotonic() > said + COUNTED_WITHIN:
            browser.execute_script(KEYS, guess)
        return False

    return answer
