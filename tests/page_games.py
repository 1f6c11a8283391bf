"""Games on a page in a browser: read NAO's question and the boards, tap answers, press keys."""

import time

from page_browser import until

from jotto.rules import JOTTO

#: The key Enter for selenium. Firefox takes "\n" for a key without a name.
ENTER = "\ue007"
#: What NAO asks, and what the page knows of the game; None if it does not show one.
GAME = "return window.page?.view?.game ?? null"
#: Clicks the enabled button with this text or name below an element; returns whether it is there.
CLICK = """const [below, name] = arguments;
const found = [...document.querySelectorAll(`${below} button`)].find(each => !each.disabled && each.offsetParent
  && [each.textContent.trim(), each.getAttribute('aria-label')].includes(name));
found?.click(); return Boolean(found)"""
#: Clicks a number in a row of the pad.
NUMBER = """const [row, number] = arguments;
document.querySelectorAll('.task-area .numbers')[row]?.querySelectorAll('button')[number]?.click()"""
#: The rows of a board as shown: the word, and the text of the score.
ROWS = """return [...document.querySelectorAll('.board')[arguments[0]]?.querySelectorAll('tbody tr') ?? []].map(row =>
  [[...row.querySelectorAll('.tile')].map(tile => tile.textContent).join('').toLowerCase(), row.textContent])"""


def game(browser):
    return browser.execute_script(GAME)


def press(browser, name, below="body"):
    return browser.execute_script(CLICK, below, name)


def tap(browser, name, below="body"):
    until(lambda: press(browser, name, below))


def guesses(browser, board=0):
    return [word for word, _ in browser.execute_script(ROWS, board) if word]


def say(browser, text):
    browser.find_element("css selector", ".typing input").send_keys(text, ENTER)


def answer_questions(browser, answer, is_over):
    """Call `answer(game)` for each new question of NAO until `is_over(game)`; return the game then."""
    end, asked, again = time.monotonic() + 60.0, None, 0.0
    while True:
        now = game(browser)
        if now is not None and is_over(now):
            return now
        assert time.monotonic() < end, (now and now["question"], guesses(browser))
        # A question that NAO has not heard an answer to is answered again.
        is_new = now is not None and (now["moment"] != asked or time.monotonic() > again)
        if is_new and now["question"]["kind"] != "none":
            asked, again = now["moment"], time.monotonic() + 8.0
            print(now["moment"], now["question"]["text"])  # shown if the test fails
            answer(now)
        time.sleep(0.1)


def score_guesses(browser, secret):
    """Return a function that answers NAO's guesses of a secret word by tapping."""

    def answer(now):
        question = now["question"]
        guess = (question["guess"] or (guesses(browser) or [""])[-1]).lower()
        exact, misplaced = JOTTO.score(guess, secret) if guess else (0, 0)
        meanings = {each["meaning"] for each in question["answers"]}
        if question["kind"] == "two-numbers":
            press_number(browser, 0, exact)
            if exact < JOTTO.length:
                press_number(browser, 1, misplaced)
        elif question["kind"] == "one-number":
            press_number(browser, 0, exact if "right" in question["text"] else misplaced)
        elif "yes" in meanings:
            press(browser, "Yes" if question["guess"].lower() in (secret, "") else "No", ".task-area")
        elif "ready" in meanings:
            press(browser, next(each["label"] for each in question["answers"] if each["main"]), ".task-area")

    return answer


def press_number(browser, row, number):
    browser.execute_script(NUMBER, row, number)
