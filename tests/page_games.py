"""Games on a page in a browser: read the boards, answer NAO, guess words."""

import time

from page_browser import texts, until

from jotto.rules import JOTTO

#: Real seconds until a test of a game gives up.
ANSWERED_WITHIN = 180.0
#: Real seconds after which an answer that NAO has not heard is given again.
COUNTED_WITHIN = 10.0
#: CSS selectors of everything that a player taps.
TAPS = ".tap, .key, .code-key, .tiles"
#: Clicks the enabled button `wanted` unless there is a button `unwanted`; returns whether `wanted` is there.
CLICK = """const [below, wanted, unwanted] = arguments;
const find = name => [...document.querySelectorAll(below)].find(each => !each.disabled && each.offsetParent
  && [each.textContent.trim(), each.getAttribute('aria-label')].includes(name));
const found = find(wanted);
if (found && !(unwanted && find(unwanted))) found.click(); return !!found"""
#: Presses one key of the page's keyboard for each letter.
KEYS = """const keys = [...document.querySelectorAll('.key')];
for (const letter of arguments[0]) keys.find(each => each.textContent === letter)?.click()"""


def press(browser, name, below=TAPS, unless=""):
    """Click the button of this name if it is there and no button is named `unless`."""
    return browser.execute_script(CLICK, below, name, unless)


def tap(browser, name, below=TAPS):
    """Click the button of this name as soon as it is there."""
    until(lambda: press(browser, name, below))


def guesses(browser, board=0):
    """List the rows of a board: word, letters in place, letters elsewhere, the score as text."""
    return browser.execute_script(
        "return [...document.querySelectorAll('.board')[arguments[0]]?.querySelectorAll('tbody tr') ?? []].map(row => "
        "[[...row.querySelectorAll('.tile')].map(tile => tile.textContent).join('').toLowerCase(), "
        "row.querySelectorAll('.peg-in-place').length, row.querySelectorAll('.peg-elsewhere').length, "
        "row.querySelector('.score-said')?.textContent ?? ''])",
        board,
    )


def labels(browser):
    """List the names of the buttons that can be tapped now."""
    return browser.execute_script(
        "return [...document.querySelectorAll('.tap')].filter(each => !each.disabled && "
        "each.offsetParent).map(each => each.getAttribute('aria-label') ?? each.textContent)"
    )


def answered(browser, answer):
    """Call `answer(labels)` until it returns True; start the game, and continue it after a pause."""
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
        time.sleep(0.1)


def answered_slowly(browser, answer):
    """Call `answer(labels)` once for each time that NAO listens, until it returns True.

    An answer that NAO has not heard is given again after COUNTED_WITHIN seconds.
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
        time.sleep(0.1)


def score_given(browser, secret):
    """Return a function that answers NAO's guesses, and returns True when NAO has found the word."""

    def answer(now):
        rows, asked = guesses(browser), "".join(texts(browser, ".question")[-1:])
        guess = rows[-1][0] if rows else ""
        exact, misplaced = JOTTO.score(guess, secret) if guess else (0, 0)
        if "My turn to guess" in now:
            return True
        # The page may draw the board a moment after the question.
        if "That's my word" in now and "Yes" in now and guess.upper() not in asked:
            return False
        if "That's my word" in now and "Yes" in now:
            # The page ignores this tap if NAO has asked the next question.
            press(browser, "That's my word" if guess == secret else "No")
        elif f"In the wrong place: {misplaced}" in now and f"In the right place: {exact}" in now:
            press(browser, f"In the wrong place: {misplaced}")
            press(browser, f"In the right place: {exact}")
        elif f"How many: {exact}" in now:
            press(browser, f"How many: {exact if 'right place?' in asked else misplaced}")
        return False

    return answer


def role_changed(browser):
    """Return a function that asks to change roles, and returns True when NAO has a word."""

    def answer(now):
        if "My turn to guess" in now:
            press(browser, "My turn to guess")
        return "Guess" in now

    return answer


def guess_made(browser, guess):
    """Return a function that types a guess on the page's keyboard, and returns True when NAO has scored it."""
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
