"""A headless browser for the tests of the pages, and pages served by processes of their own."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

#: Real seconds after which a test gives up waiting, and starts of a browser.
PATIENCE, STARTS = 60.0, 3
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--window-size=1280,900",
)

#: A page without WebGL draws NAO flat; that costs the processor, which is the graphics card here, half as much.
FLAT = ("--disable-gpu", "--disable-3d-apis")
SOLID = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")

#: NAO neither breathes nor nods then, so that the browser draws less.
STILL = "--force-prefers-reduced-motion"

#: An empty window of Chromium is a page of its own.
OWN = (*(f"{protocol}://127.0.0.1:" for protocol in ("http", "https", "ws", "wss")), "data:", "blob:", "chrome://")


@contextlib.contextmanager
def browsing(folder, *flags, drawing=FLAT):
    """Open a browser with empty profiles in a folder, and close it at the end."""
    browser = None
    for number in range(STARTS):
        browser = _started(f"{folder}/{number}", (*drawing, *flags))
        if browser is not None:
            break
    assert browser is not None, "no browser starts here"
    try:
        yield browser
    finally:
        browser.quit()


def _started(folder, flags):
    """Start a browser that shows a page; on a machine that is very busy, one in many does not, and never will."""
    selenium = pytest.importorskip("selenium.webdriver")
    options = selenium.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={folder}", *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # Selenium waits for its driver as long as sockets do when nothing else is said.
    usual = socket.getdefaulttimeout()
    socket.setdefaulttimeout(2 * PATIENCE)
    try:
        browser = selenium.Chrome(options=options, service=selenium.ChromeService(shutil.which("chromedriver")))
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
    """A page in a process of its own, by the command that people type."""

    def __init__(self, *command, environ=None):
        self.process = subprocess.Popen(
            [sys.executable, "-u", *command],
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
        """Interrupt it, and return its exit status; one that does not end says where each of its threads stands."""
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
    """Serve a page by a command line of Python, and end it, after a browser has left it."""
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
    """Wait until a condition holds, and return what it returned."""
    end = time.monotonic() + patience
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, condition
        time.sleep(0.05)


def texts(browser, selector):
    """List the texts of the elements that a selector finds."""
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(each => each.textContent.trim())", selector
    )


def foreign(browser):
    """List the addresses beyond its own server that the browser has asked for since it was asked last."""
    logged = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = [each["params"]["request"]["url"] for each in logged if each["method"] == "Network.requestWillBeSent"]
    urls += [each["params"]["url"] for each in logged if each["method"] == "Network.webSocketCreated"]
    assert urls, "the browser has asked for nothing"
    return [url for url in urls if not url.startswith(OWN)]


def complaints(browser):
    """List what the browser's console has said that is a warning or worse."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] in {"WARNING", "SEVERE"}]
