"""The pictures of the page, `make pictures`: a game on the site in a headless Chromium, and docs/page-*.png."""

import base64
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from naosim_page.site import write_site
from page_browser import browsing, emulate, until
from test_site_play import Site, SitePage
from worker_site import page_libraries

from jotto.rules import JOTTO
from jotto_desk.play.page.site import BEHAVIOUR, MODULE, VIEWS, site_examples, site_folders

FOLDER = Path(__file__).resolve().parent
SITE = "games/nao"
#: The player's word, and how many of NAO's guesses have a score in the pictures.
SECRET, SCORED = "tiger", 3
DESK, TELEPHONE = (1280, 720), (360, 640)


@contextlib.contextmanager
def opened(root: Path) -> Iterator[tuple[SitePage, str]]:
    """Write the site, serve it, and open a browser."""
    write_site(
        root / SITE,
        page_libraries(),
        site_folders(),
        behaviour=BEHAVIOUR,
        module=MODULE,
        views=VIEWS,
        examples=site_examples(),
    )
    site = Site(root)
    site.start()
    try:
        with browsing(str(root / "browser"), "--hide-scrollbars", draws=True) as browser:
            yield SitePage(browser), site.address
    finally:
        site.stop()


def play(page: SitePage) -> None:
    """Answer NAO's guesses until some have a score and NAO asks the next one."""
    while True:
        game = page.asked()
        question = game["question"]
        scored = sum(bool(row["pegs"]) for board in game["boards"] for row in board["rows"])
        if question["kind"] == "two-numbers":
            if scored >= SCORED:
                return
            numbers = JOTTO.score(question["guess"].lower(), SECRET)
            game = page.answered(lambda numbers=numbers: choose(page, numbers))
        else:
            meaning = "ready" if not question["guess"] else "no"
            labels = {answer["meaning"]: answer["label"] for answer in question["answers"]}
            page.answered(lambda label=labels[meaning]: page.press(label))


def choose(page: SitePage, numbers: Any) -> None:
    """Tap a pair of numbers."""
    for row, number in enumerate(numbers):
        page.find(".numbers")[row].find_elements("css selector", "button")[number].click()


def take(page: SitePage, name: str) -> None:
    """Write a picture of the window, once NAO stands still."""
    page.run("page.link.ask('pace', {speed: 1})")
    page.browser.execute_async_script("setTimeout(arguments[0], 1500)")
    shot = page.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    (FOLDER / name).write_bytes(base64.b64decode(shot["data"]))


def main() -> int:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as (page, address):
        page.resize(*DESK)
        page.open(f"{address}#play?lang=en&role=nao-guesses&seed=1")
        play(page)
        take(page, "page-game.png")
        page.run("location.hash = '#inside'")
        until(lambda: page.find(".diagram-box.runs"))
        take(page, "page-diagram.png")
        emulate(page.browser, dark=True)
        page.resize(*TELEPHONE)
        page.run("location.hash = '#play'")
        until(lambda: page.find(".numbers"))
        take(page, "page-telephone.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
