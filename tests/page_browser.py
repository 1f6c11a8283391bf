"""A headless browser for the tests of the pages, and pages served by processes of their own."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

#: Real seconds after which a test stops waiting.
PATIENCE = 60.0
#: Attempts to start a browser: on a very busy machine one in many never shows a page.
STARTS = 3
#: How many times as fast as usual simulated time passes in most tests of pages.
FAST = 20
#: Runs a module like `python -m`, with simulated robots whose time passes faster: SPEED -m MODULE ARGUMENT...
RUN_FAST = """
import runpy, sys
from naosim_robots.hosting import HostedRobot
HostedRobot.__init__.__kwdefaults__["speed"] = float(sys.argv[1])
sys.argv = sys.argv[3:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
#: A script that keeps the files that a page offers to save, in `kept`.
KEEP_FILES = """
globalThis.kept = [];
const make = URL.createObjectURL.bind(URL);
URL.createObjectURL = (blob) => { kept.push(blob); return make(blob); };
"""
#: NAO neither breathes nor nods in Chromium, so the browser draws less.
STILL = "--force-prefers-reduced-motion"


@contextlib.contextmanager
def browsing(folder, *flags, name="chromium", draws=False):
    """Open "chromium" or "firefox" without a profile; it draws NAO flat, or solid if `draws`; flags: for Chromium."""
    browser = None
    for number in range(STARTS):
        browser = _started(name, f"{folder}/{number}", flags, draws)
        if browser is not None:
            break
    assert browser is not None, "no browser starts here"
    try:
        yield browser
    finally:
        browser.quit()


def _started(name, folder, flags, draws):
    """Start a browser; return None if it does not show an empty page."""
    pytest.importorskip("selenium")
    import real_browsers  # Tests without a browser need no selenium.

    # Selenium waits for its driver until sockets time out.
    usual = socket.getdefaulttimeout()
    socket.setdefaulttimeout(2 * PATIENCE)
    try:
        browser = real_browsers.open_browser(name, folder, flags, draws)
    finally:
        socket.setdefaulttimeout(usual)
    browser.set_page_load_timeout(PATIENCE)
    browser.set_script_timeout(PATIENCE)
    try:
        browser.get("about:blank")
    except pytest.importorskip("selenium.common.exceptions").TimeoutException:
        browser.quit()
        return None
    return browser


class ServedPage:
    """A page that a command of Python serves in its own process, `speed` times as fast as usual."""

    def __init__(self, *command, environ=None, speed=1, stdin=None):
        faster = ["-c", RUN_FAST, str(speed)] if speed != 1 else []
        self.process = subprocess.Popen(
            [sys.executable, "-u", *faster, *command],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONFAULTHANDLER": "1", **(environ or {})},
        )
        self.said = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        try:
            self.address = until(self._address)
        except AssertionError:
            self.process.kill()
            self.process.wait(PATIENCE)
            raise

    def end(self, number=signal.SIGINT):
        """Send a signal to the process and return its exit status; show its threads if it does not end."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)
            self.process.wait(PATIENCE)
            status = None
        self._reading.join(PATIENCE)
        assert status is not None and not self._reading.is_alive(), "".join(self.said)
        return status

    def _read(self):
        with self.process.stdout:
            for line in self.process.stdout:
                self.said.append(line)

    def _address(self):
        is_over = not self._reading.is_alive()
        found = re.search(r"https?://\S+", "".join(self.said))
        assert found or not is_over, "".join(self.said)
        return found and found.group()


@contextlib.contextmanager
def served(*command, browser=None, **options):
    """Serve a page by a command line of Python; at the end, have the browser leave the page, and end the process."""
    page = ServedPage(*command, **options)
    try:
        yield page
    finally:
        try:
            if browser is not None:
                browser.get("about:blank")
        finally:
            page.end()


def until(condition, patience=PATIENCE):
    """Wait until `condition()` is true and return its value; ask less and less often, as a browser's answer costs."""
    end, pause = time.monotonic() + patience, 0.03
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, condition
        time.sleep(pause)
        pause = min(1.4 * pause, 0.25)


def texts(browser, selector):
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(each => each.textContent.trim())", selector
    )


def leave_page(browser):
    """Show an empty page in a window of the usual size, and forget cookies and logs."""
    browser.get("about:blank")
    browser.forget()


def emulate(browser, *, dark=False, moves=False):
    """Let the person at the browser prefer light or dark colours, and pages that do not move unless `moves`."""
    browser.prefer(dark=dark, moves=moves)


def check_access(browser):
    """Check that everybody can use the page: names, contrast, width and motion, on a phone and on a desk."""
    browser.execute_script("document.querySelectorAll('details').forEach(each => { each.open = true })")
    if not browser.execute_script("return 'axe' in window"):
        script = Path(pytest.importorskip("axe_core_python").__file__).with_name("axe.min.js")
        browser.execute_script(script.read_text(encoding="utf-8"))
    for width, dark in ((360, True), (1280, False)):
        browser.resize(width, 900)
        emulate(browser, dark=dark)
        is_dark = "return matchMedia('(prefers-color-scheme: dark)').matches"
        until(lambda wanted=dark, shown=is_dark: browser.execute_script(shown) == wanted)
        # A phone differs in colours. Impacts that axe-core, the checker, calls lower do not fail a test.
        rules = "runOnly: ['color-contrast'], " if dark else ""
        found = browser.execute_async_script(f"axe.run({{{rules}resultTypes: ['violations']}}).then(arguments[0])")
        grave = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
        assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in grave] == [], (width, dark)
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), width
    moving = browser.execute_script("""return [...document.querySelectorAll('*')].map(each => getComputedStyle(each))
        .filter(style => parseFloat(style.transitionDuration) > 0.01 || style.animationName !== 'none').length""")
    assert moving == 0


def complaints(browser):
    """List the console's warnings and errors since the last call, and all requests to other servers."""
    return browser.complaints()
