"""A page of the static site in one tab, as a person uses it, for tests of whole games."""

import functools
import json
import threading
from http.server import ThreadingHTTPServer

import pytest
from page_browser import FAST, until
from worker_site import StaticHandler

from jotto.rules import JOTTO

StaleElementReferenceException = pytest.importorskip("selenium.common.exceptions").StaleElementReferenceException
ActionChains = pytest.importorskip("selenium.webdriver").ActionChains
ActionBuilder = pytest.importorskip("selenium.webdriver.common.actions.action_builder").ActionBuilder
PointerInput = pytest.importorskip("selenium.webdriver.common.actions.pointer_input").PointerInput
POINTER_TOUCH = pytest.importorskip("selenium.webdriver.common.actions.interaction").POINTER_TOUCH
#: The site is in a sub-folder of its server, as on many hosts.
FOLDER = "games/nao"
#: The word that the person thinks of.
SECRET = "ocean"
#: Has `complaints` list what the browser refuses because of the page's content policy.
WATCH_POLICY = "addEventListener('securitypolicyviolation', (event) => console.error('refused', event.blockedURI));"


class Site:
    """The site on a server that can be stopped."""

    def __init__(self, root):
        self.address = ""
        self._root, self._port = root, 0
        self._server = None

    def start(self):
        """Serve, at the same port as before."""
        self.stop()
        handler = functools.partial(StaticHandler, None, directory=str(self._root))
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), handler)
        self._port = self._server.server_port
        self.address = f"http://127.0.0.1:{self._port}/{FOLDER}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        """Serve no more."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
        self._server = None


class SitePage:
    """The page in one tab, as a person uses it; `page` in its scripts is the page's own object."""

    def __init__(self, browser):
        self.browser, self.first, self.run, self.resize = browser, {}, browser.execute_script, browser.resize

    def open(self, address):
        """Open an address and wait until NAO asks something."""
        self.browser.get(address)
        self.wait_for_start()

    def wait_for_start(self):
        """Wait until NAO asks something; from then on time passes fast."""
        until(lambda: self.run("return globalThis.page?.view?.game?.question.kind ?? 'none'") != "none")
        self.run("page.link.ask('pace', {speed: arguments[0]})", FAST)

    def restart(self, role="", language="en", level="", seed=7):
        """Begin another game without loading the page again."""
        self.browser.execute_async_script(
            """const [options, done] = arguments, { link } = page;
            const forget = { service: "ALMemory", method: "insertData", args: ["Jotto/Game", ""] };
            link.ask("stop").catch(() => {}).then(() => link.ask("call", forget))
              .then(() => link.ask("page", { view: "start_options", ...options }))
              .then(() => page.view.read()).then(() => link.ask("start")).then(done);""",
            {"role": role, "lang": language, "level": level, "seed": seed},
        )
        game = self.asked(lambda game: game["runs"])
        if [answer["meaning"] for answer in game["question"]["answers"]] == ["yes", "no"]:
            # NAO offers to go on with the game that was cut off.
            game = self.answered(functools.partial(self.press, label_of(game, "no")))
        return game

    def game(self):
        """Return the moment that the page shows."""
        return self.run("return page.view.game")

    def asked(self, wanted=lambda _game: True):
        """Wait for a question; return its moment."""

        def find():
            game = self.game()
            ready = game and game["question"]["kind"] != "none" and wanted(game)
            return ready and not self.run("return page.stage.talk.isSpeaking") and game

        return until(find)

    def answered(self, act):
        """Do something, and wait for NAO's next question."""
        before = self.game()
        asked = self.run("return page.stage.talk.count")
        act()
        return self.asked(
            lambda game: game["moment"] != before["moment"] and self.run("return page.stage.talk.count") > asked
        )

    def find(self, selector):
        """Return the elements of a selector."""
        return self.browser.find_elements("css selector", selector)

    def button(self, label, area=".task-area"):
        """Return the button with a label."""
        script = """const [selector, label] = arguments;
        return [...document.querySelectorAll(selector)].find(
            (each) => [each.textContent.trim(), each.getAttribute("aria-label")].includes(label))"""
        return until(lambda: self.run(script, f"{area} button", label))

    def press(self, label, area=".task-area"):
        """Click the button with a label; again if the page has drawn another one meanwhile."""

        def click():
            try:
                self.button(label, area).click()
            except StaleElementReferenceException:
                return False
            return True

        until(click)

    def type(self, *text):
        """Press keys of the computer's keyboard, wherever the focus is."""
        ActionChains(self.browser).send_keys(*text).perform()

    def touch(self, element):
        """Touch an element where it is, without scrolling."""
        place = self.run(
            "const r = arguments[0].getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}",
            element,
        )
        finger = PointerInput(POINTER_TOUCH, "finger")
        touch = ActionBuilder(self.browser, mouse=finger)
        touch.pointer_action.move_to_location(place["x"], place["y"]).pointer_down().pointer_up()
        touch.perform()

    def notebook(self):
        """Return the files of NAO's notebook in this browser."""
        text = self.browser.execute_async_script("page.link.notebook('export').then(arguments[0])")
        return json.loads(text)["files"]

    def secret(self):
        """Return NAO's secret word from its notes."""
        told = self.browser.execute_async_script(
            "page.link.ask('call', {service: 'ALMemory', method: 'getData', args: ['Jotto/Game']}).then(arguments[0])"
        )
        return find_secret(json.loads(told))


def find_secret(notes):
    """Return the secret in a talk's notes."""
    if isinstance(notes, dict):
        found = notes.get("secret") or next(filter(None, map(find_secret, notes.values())), None)
        return found if isinstance(found, str) else None
    return None


def choose_answer(game):
    """Return what somebody with the word `SECRET` answers: a pair of numbers or a meaning."""
    question = game["question"]
    if question["kind"] == "two-numbers":
        return tuple(JOTTO.score(question["guess"].lower(), SECRET))
    meanings = [answer["meaning"] for answer in question["answers"]]
    if "ready" in meanings:
        return "ready"
    return "yes" if question["guess"].lower() in ("", SECRET) else "no"


def label_of(game, meaning):
    """Return the name of an answer's button."""
    found = next(answer for answer in game["question"]["answers"] if answer["meaning"] == meaning)
    return f"{found['label']}: {found['note']}" if found["note"] else found["label"]
