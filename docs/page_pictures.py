"""The pictures of the page, `make pictures`: the site in a headless Chromium.

It writes docs/page-*.png and README's moving picture, docs/page-game.webp. Into dist/pictures it writes every view in
every size, light and dark: to look at, not to keep.
With the code of a language (`make pictures ARGS=de`) it takes only the latter, in that language.
"""

import contextlib
import functools
import io
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import guide_pictures
from guide_pictures import photograph
from page_browser import FAST, browsing, emulate, until
from page_games import press_number
from PIL import Image
from test_site_play import Site, SitePage

from jotto.rules import JOTTO
from jotto_behaviour.settings import LANGUAGE_CODES
from jotto_desk.cli.site import write_jotto_site

FOLDER = Path(__file__).resolve().parent
SITE = "games/nao"
#: The player's word, and how many of NAO's guesses have a score in the pictures.
SECRET, SCORED = "tiger", 3
#: The player's guesses in a race.
WORDS = ("crate", "blind", "jumpy", "shove")
DESK, TELEPHONE = (1280, 720), (360, 640)
SIZES = (TELEPHONE, DESK, (1920, 1080))
#: README's moving picture: its size, WebP's quality, and how many times as fast as the game it is.
FILM_SIZE, FILM_QUALITY, FILM_SPEED = (800, 450), 60, 2
#: The seconds of the game that a question stays, and that the end stays.
THINKS_S, STAYS_S = 2.0, 6.0
EVERY_VIEW = FOLDER.parent / "dist" / "pictures"


@contextlib.contextmanager
def opened(root: Path) -> Iterator[tuple[SitePage, str]]:
    """Write the site, serve it, and open a browser."""
    write_jotto_site(root / SITE)
    site = Site(root)
    site.start()
    try:
        with browsing(str(root / "browser"), "--hide-scrollbars", draws=True) as browser:
            yield SitePage(browser), site.address
    finally:
        site.stop()


def play(page: SitePage, scored: int = SCORED) -> None:
    """Answer NAO's guesses, and guess, until some guesses have a score and NAO asks about the next one."""
    while True:
        game = page.asked()
        question = game["question"]
        rows = sum(bool(row["pegs"]) for board in game["boards"] for row in board["rows"])
        act: Callable[[], Any]
        if question["kind"] == "two-numbers":
            if rows >= scored:
                return
            act = functools.partial(choose, page, JOTTO.score(question["guess"].lower(), SECRET))
        elif question["kind"] == "word":
            act = functools.partial(page.run, "page.view.tap({word: arguments[0]})", WORDS[rows // 2])
        else:
            meaning = "ready" if not question["guess"] else "no"
            labels = {answer["meaning"]: answer["label"] for answer in question["answers"]}
            act = functools.partial(page.press, labels[meaning])
        page.answered(act)


def choose(page: SitePage, numbers: Any) -> None:
    """Tap a pair of numbers."""
    for row, number in enumerate(numbers):
        press_number(page.browser, row, number)


def take(page: SitePage, path: Path, wait_ms: int = 1500) -> None:
    """Write a picture of the window, once NAO stands still."""
    page.run("globalThis.page?.link?.ask('pace', {speed: 1})")
    page.browser.execute_async_script("setTimeout(arguments[1], arguments[0])", wait_ms)
    path.write_bytes(photograph(page.browser))


def film(page: SitePage, path: Path) -> None:
    """Write a moving picture of NAO's next guesses, until NAO finds the word."""
    frames: list[tuple[float, Image.Image]] = []
    page.run("page.link.ask('pace', {speed: 1})")
    while True:
        record(page, frames, THINKS_S)
        question = page.game()["question"]
        if question["kind"] == "two-numbers":
            choose(page, JOTTO.score(question["guess"].lower(), SECRET))
        elif question["guess"]:
            is_right = question["guess"].lower() == SECRET
            labels = {answer["meaning"]: answer["label"] for answer in question["answers"]}
            page.press(labels["yes" if is_right else "no"])
            if is_right:
                break
    record(page, frames, STAYS_S)
    times, pictures = zip(*frames, strict=True)
    durations = [round(1000 * (after - before) / FILM_SPEED) for before, after in pairwise((*times, times[-1] + 2))]
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=durations, loop=0, quality=FILM_QUALITY, method=6
    )


def record(page: SitePage, frames: list[tuple[float, Image.Image]], stays_s: float) -> None:
    """Add frames, with their times in seconds, until NAO has been silent for `stays_s` seconds and asks something."""
    silent_since = 0.0
    while not silent_since or time.monotonic() - silent_since < stays_s:
        frames.append(
            (time.monotonic(), Image.open(io.BytesIO(photograph(page.browser))).convert("RGB").resize(FILM_SIZE))
        )
        speaks = page.run("return page.stage.talk.isSpeaking || page.view.game.question.kind === 'none'")
        silent_since = 0.0 if speaks else silent_since or time.monotonic()


def take_all(page: SitePage, name: str) -> None:
    """Take pictures of the present view in every size, light and dark."""
    EVERY_VIEW.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        page.resize(*size)
        for dark in (False, True):
            emulate(page.browser, dark=dark)
            take(page, EVERY_VIEW / f"{name}-{size[0]}-{'dark' if dark else 'light'}.png", 500)
    page.resize(*DESK)
    emulate(page.browser)
    page.run("globalThis.page?.link?.ask('pace', {speed: arguments[0]})", FAST)


def every_view(page: SitePage, address: str, language: str) -> Iterator[str]:
    """Go to one view after the other; yield its name."""
    page.browser.get("about:blank")
    page.resize(*DESK)
    page.browser.get(f"{address}#play?lang={language}")
    until(lambda: page.find(".loading h1, .tabs"))
    yield "loading"
    page.wait_for_start()
    yield "play"
    page.restart("nao-guesses", language)
    play(page)
    yield "game"
    page.run("page.view.showStatistics()")
    until(lambda: page.find("dialog[open]"))
    yield "statistics"
    page.run("document.querySelector('dialog[open]').close(); document.querySelector('.help').showModal()")
    yield "how-to-play"
    page.run("document.querySelector('dialog[open]').close()")
    page.restart("i-guess", language)
    yield "guess-first"
    guess(page, "crate", "blind")
    yield "guess"
    guess(page, page.secret())
    yield "won"
    page.restart("race", language)
    play(page, scored=4)
    yield "race"
    for view, words in (("mastermind", ("rroo", "bgyb")), ("wordle", ("crane", "toils", "built"))):
        yield from table_views(page, view, words)
    page.run("location.hash = '#inside'")
    until(lambda: page.find(".diagram-box"))
    yield "inside"
    page.run("page.view.openExample({id: 'quiz'})")
    until(lambda: page.find(".chips button"))
    yield "example"
    page.find(".diagram-box.kind-script")[0].click()
    page.run("page.view.tab = 'memory'")
    until(lambda: page.find(".rows tr"))
    yield "example-box"
    page.run("page.view.tab = 'log'; page.view.diagram.close()")
    yield "example-log"
    page.run("page.view.tab = 'robot'; page.view.useRecording(false)")
    until(lambda: page.find(".scrubber"))
    yield "recording"


def table_views(page: SitePage, view: str, words: tuple[str, ...]) -> Iterator[str]:
    """Play Mastermind or Wordle for a while."""
    page.run("location.hash = arguments[0]", f"#{view}")
    until(lambda: page.run("return page.viewName === arguments[0] && Boolean(page.view?.table)", view))
    yield f"{view}-first"
    for word in words:
        page.run("page.view.act('judge', arguments[0])", word)
        time.sleep(0.5)
    page.run("page.view.act('fitting')")
    time.sleep(0.5)
    yield view
    if view == "mastermind":
        page.run("page.view.act('flip')")
        time.sleep(0.5)
        yield "mastermind-flipped"


def guess(page: SitePage, *words: str) -> None:
    """Guess words."""
    for word in words:
        page.answered(functools.partial(page.run, "page.view.tap({word: arguments[0]})", word))


def take_kept(page: SitePage, address: str) -> None:
    """Take the pictures of the README and the docs."""
    page.resize(*DESK)
    page.open(f"{address}#play?lang=en&role=nao-guesses&seed=1")
    play(page)
    take(page, FOLDER / "page-game.png")
    film(page, FOLDER / "page-game.webp")
    page.run("location.hash = '#inside'")
    until(lambda: page.find(".diagram-box.runs"))
    take(page, FOLDER / "page-diagram.png")
    emulate(page.browser, dark=True)
    page.resize(*TELEPHONE)
    page.run("location.hash = '#play'")
    page.wait_for_start()
    # The film has shown the end of the game.
    page.restart("nao-guesses")
    play(page)
    take(page, FOLDER / "page-telephone.png")
    emulate(page.browser)
    page.resize(*DESK)
    page.browser.get("about:blank")
    page.browser.get(address)
    until(lambda: page.find(".doors a"))
    take(page, FOLDER / "site-start.png")


def main(language: str = "") -> int:
    """Take all pictures; in another language than English only those to look at."""
    if language and language not in LANGUAGE_CODES:
        raise SystemExit(f"'{language}' is no language of the game: use one of {', '.join(sorted(LANGUAGE_CODES))}.")
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as (page, address):
        if not language:
            take_kept(page, address)
            guide_pictures.take_all(page.browser)
        emulate(page.browser)
        for name in every_view(page, address, language or "en"):
            take_all(page, name if not language else f"{name}-{language}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
