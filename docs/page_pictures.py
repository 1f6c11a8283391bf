"""The pictures of the page, `make pictures`: a game is played in a headless Chromium, and docs/page-*.png are taken."""

import base64
import contextlib
import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from page_browser import SOLID, browsing, served, texts, until
from page_games import answered, guess_made, guesses, score_given, tap
from PIL import Image

from jotto_desk import files

FOLDER = Path(__file__).resolve().parent
#: The player's word, of which NAO asks some others first, and the player's guesses at NAO's word.
SECRET, ASKED, GUESSED = "tiger", 3, ("OCEAN", "LIGHT")
#: Slows a page down, so that what moves can be caught.
SLOW = """const now = performance.now.bind(performance), began = now();
const frame = requestAnimationFrame, wait = setTimeout;
performance.now = () => began + (now() - began) / 30;
window.requestAnimationFrame = (draw) => frame(() => draw(performance.now()));
window.setTimeout = (done, delay = 0, ...rest) => wait(done, 30 * delay, ...rest);"""


class Screen(NamedTuple):
    """A window: its width and height, and whether its colours are dark."""

    width: int
    height: int
    is_dark: bool = False


DESK, TELEPHONE = Screen(1280, 900), Screen(360, 800, is_dark=True)


@contextlib.contextmanager
def played(*options: str) -> Iterator[Any]:
    """Serve a game in which time runs fast, and open it in a browser on a desk."""
    with tempfile.TemporaryDirectory() as folder, browsing(folder, "--hide-scrollbars", drawing=SOLID) as browser:
        home = {"XDG_DATA_HOME": folder}
        command = ("-m", "jotto_desk", "play", "--page", "--port", "0", "--seed", "1", *options)
        with served(*command, environ=home) as page:
            shown_on(browser, DESK)
            browser.get(page.address)
            tap(browser, "10\u00d7", "button")
            yield browser
            browser.get("about:blank")


def shown_on(browser: Any, screen: Screen) -> None:
    """Give the browser a window."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": screen.width, "height": screen.height, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "dark" if screen.is_dark else "light"}]},
    )


def settled(browser: Any) -> None:
    """Wait until NAO listens, in real time, and all is drawn."""
    tap(browser, "1\u00d7", "button")
    until(
        lambda: (
            texts(browser, ".listens") == ["NAO is listening."] and texts(browser, ".figure-stage[data-drawn=solid]")
        )
    )
    browser.execute_async_script("setTimeout(arguments[0], 1500)")


def taken(browser: Any, name: str, selector: str = "") -> None:
    """Write a picture of the window, or of an element that may reach beyond it."""
    clip = {}
    if selector:
        box = browser.execute_script(
            """const { x, y, width, height } = document.querySelector(arguments[0])
            .getBoundingClientRect(); return { x: x + scrollX, y: y + scrollY, width, height, scale: 1 }""",
            selector,
        )
        clip = {"clip": box, "captureBeyondViewport": True}
    found = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", **clip})
    picture = Image.open(io.BytesIO(base64.b64decode(found["data"]))).convert("RGB")
    made = io.BytesIO()
    picture.save(made, "PNG", optimize=True)
    files.write_whole(FOLDER / name, made.getvalue())
    print(f"Wrote {name}: {picture.width} x {picture.height} points, {len(made.getvalue()):,} bytes.")


def main() -> None:
    """Take the pictures."""
    if not (shutil.which("chromedriver") and (shutil.which("chromium") or shutil.which("google-chrome"))):
        sys.exit("The pictures are taken with Chromium: install chromium and chromedriver.")
    with played("--role", "breaker") as browser:
        answer = score_given(browser, SECRET)
        answered(browser, lambda now: len(guesses(browser)) == ASKED or answer(now))
        settled(browser)
        taken(browser, "page-game.png")
        # A signal travels from box to box as soon as NAO has heard the answer.
        browser.execute_script(SLOW)
        tap(browser, "No")
        until(lambda: browser.find_elements("css selector", ".diagram-signal"))
        browser.execute_async_script("setTimeout(arguments[0], 100)")
        taken(browser, "page-diagram.png", "[aria-labelledby=panel-diagram]")
    with played("--role", "maker") as browser:
        for guess in GUESSED:
            answered(browser, guess_made(browser, guess))
        shown_on(browser, TELEPHONE)
        browser.refresh()
        settled(browser)
        taken(browser, "page-telephone.png")


if __name__ == "__main__":
    main()
